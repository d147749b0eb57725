#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn square(x: f64) -> f64 {
    x * x
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum square {}
#[allow(missing_docs, dead_code)]
impl square {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
}
#[doc(hidden)]
macro_rules! __op2_square_ccdee806ba2dd251 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn { fn square(x : f64) -> f64 { x * x } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_square_ccdee806ba2dd251 as square;
#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn length(x: f64, y: f64) -> f64 {
    (square(x) + square(y)).sqrt()
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum length {}
#[allow(missing_docs, dead_code)]
impl length {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[square::__CAPTURED],
    };
}
#[doc(hidden)]
macro_rules! __op2_length_054512c10b2f7c25 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn { fn length(x : f64, y : f64) -> f64 { (square(x) +
        square(y)).sqrt() } } { [square] { { fn square(x : f64) -> f64 { x * x } } {} } }
        } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_length_054512c10b2f7c25 as length;
#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn scale(v: &mut [f64; 2], factor: f64) {
    for n in 0..2 {
        v[n] *= factor;
    }
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum scale {}
#[allow(missing_docs, dead_code)]
impl scale {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
}
#[doc(hidden)]
macro_rules! __op2_scale_fe61a397e404f89c {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn { fn scale(v : & mut [f64; 2], factor : f64) { for n in 0
        ..2 { v[n] *= factor; } } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_scale_fe61a397e404f89c as scale;
#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn normalise(v: &mut [f64; 2]) {
    let l = length(v[0], v[1]);
    if square(l) > f64::EPSILON {
        scale(v, 1.0 / l);
    }
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum normalise {}
#[allow(missing_docs, dead_code)]
impl normalise {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[length::__CAPTURED, square::__CAPTURED, scale::__CAPTURED],
    };
}
#[doc(hidden)]
macro_rules! __op2_normalise_457eebb4a8404990 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel { fn normalise(v : & mut [f64; 2]) { let l = length(v[0],
        v[1]); if square(l) > f64::EPSILON { scale(v, 1.0 / l); } } } { [length] { { fn
        length(x : f64, y : f64) -> f64 { (square(x) + square(y)).sqrt() } } { [square] {
        { fn square(x : f64) -> f64 { x * x } } {} } } } [square] { { fn square(x : f64)
        -> f64 { x * x } } {} } [scale] { { fn scale(v : & mut [f64; 2], factor : f64) {
        for n in 0..2 { v[n] *= factor; } } } {} } } } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_normalise_457eebb4a8404990 as normalise;
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "normalise",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 9u32,
            args: &[
                __op2::ArgDesc {
                    text: "rw(v)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: normalise::__CAPTURED,
            whole: "",
            single: "",
            apart: false,
            device: __op2::DeviceDesc {
                text: "as in cuda.cu",
                kernel: "normalise",
                kernels: &["normalise_global"],
                views: &[
                    __op2::ViewDesc {
                        name: "v",
                        optional: false,
                        cover: ::core::option::Option::None,
                        args: &[0],
                    },
                ],
                maps: &[],
                targets: &[],
                covers: &[],
                float: ::core::option::Option::None,
                consts: &[],
                forms: &[],
                no_more_forms: "the loop adds to nothing through maps",
            },
        };
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, nodes);
        let v_view = call
            .direct(0, __op2::Access::Rw, __op2::Of::<[::core::primitive::f64; 2]>, v);
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            normalise(v_view.at_mut(e));
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            normalise(v_view.at_mut(e));
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let mut v_arg = v_view.load(e);
                            normalise(&mut v_arg);
                            v_view.store(e, &v_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn normalise_lanes_0<W: __op2::Width>(
                        w: W,
                        mut v_0: &mut [__op2::V<W, ::core::primitive::f64>; 2],
                    ) {
                        {
                            let mut l_1: __op2::V<W, ::core::primitive::f64> = length_lanes_1(
                                w,
                                ((*v_0))[0usize],
                                ((*v_0))[1usize],
                            );
                            {
                                let cond = (square_lanes_4(w, l_1))
                                    .gt(
                                        __op2::Spread::<
                                            W,
                                        >::spread(::core::primitive::f64::EPSILON, w),
                                    );
                                let mut mask1 = cond;
                                if mask1.any() {
                                    scale_lanes_5(
                                        w,
                                        mask1,
                                        v_0,
                                        ((__op2::Spread::<W>::spread(1.0f64, w)) / (l_1)),
                                    );
                                }
                            }
                        }
                    }
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn length_lanes_1<W: __op2::Width>(
                        w: W,
                        mut x_0: __op2::V<W, ::core::primitive::f64>,
                        mut y_1: __op2::V<W, ::core::primitive::f64>,
                    ) -> __op2::V<W, ::core::primitive::f64> {
                        {
                            (((square_lanes_4(w, x_0)) + (square_lanes_4(w, y_1))))
                                .sqrt()
                        }
                    }
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn square_lanes_4<W: __op2::Width>(
                        w: W,
                        mut x_0: __op2::V<W, ::core::primitive::f64>,
                    ) -> __op2::V<W, ::core::primitive::f64> {
                        { ((x_0) * (x_0)) }
                    }
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn scale_lanes_5<W: __op2::Width>(
                        w: W,
                        mut mask0: __op2::Mask<W>,
                        mut v_0: &mut [__op2::V<W, ::core::primitive::f64>; 2],
                        mut factor_1: __op2::V<W, ::core::primitive::f64>,
                    ) {
                        {
                            'round0: for mut n_2 in (0usize)..(2usize) {
                                {
                                    let value = factor_1;
                                    let place = &mut ((*v_0))[n_2];
                                    *place = __op2::Lanes::<
                                        W,
                                    >::select(mask0, ((*place) * (value)), *place);
                                };
                            }
                        }
                    }
                    #[allow(non_camel_case_types)]
                    struct __Lanes {
                        v_view: __op2::View<[::core::primitive::f64; 2]>,
                    }
                    #[allow(unused, unsafe_code, clippy::all, clippy::pedantic)]
                    impl __op2::Vector for __Lanes {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::f64; 2] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes { v_view } = self;
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut v_arg = v_view.gather(w, &pack.place());
                                    normalise_lanes_0(w, &mut v_arg);
                                    v_view.scatter(w, &pack.place(), pack.len(), &v_arg);
                                }
                            }
                        }
                    }
                    __Lanes {
                        v_view: __op2::same(v_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
