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
#[allow(
    missing_docs,
    dead_code,
    clippy::missing_safety_doc,
    clippy::undocumented_unsafe_blocks
)]
impl square {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
    #[doc(hidden)]
    pub const __SITE: ::core::primitive::u64 = 18027344695376510829u64;
    #[doc(hidden)]
    pub const unsafe fn __is<G>(given: &G) {
        unsafe { ::op2::__private::one_function(&square, given) }
    }
}
#[doc(hidden)]
macro_rules! __op2_square_fa2dfe7ccb707f6d {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 18027344695376510829u64 { fn square(x : f64) -> f64 { x *
        x } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_square_fa2dfe7ccb707f6d as square;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
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
#[allow(
    missing_docs,
    dead_code,
    clippy::missing_safety_doc,
    clippy::undocumented_unsafe_blocks
)]
impl length {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[square::__CAPTURED],
    };
    #[doc(hidden)]
    pub const __SITE: ::core::primitive::u64 = 12794261178709725497u64;
    #[doc(hidden)]
    pub const unsafe fn __is<G>(given: &G) {
        unsafe { ::op2::__private::one_function(&length, given) }
    }
}
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _square_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = {
        ::core::assert!(
            square::__SITE == 18027344695376510829u64,
            "`square` is the name of two functions here: op2 sees one of them, and the compiler another one; rename one, or import the one you mean by its name"
        );
        unsafe { square::__is(&square) }
    };
};
#[doc(hidden)]
macro_rules! __op2_length_b18e58c150905139 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 12794261178709725497u64 { fn length(x : f64, y : f64) ->
        f64 { (square(x) + square(y)).sqrt() } } { [square] { 18027344695376510829u64 {
        fn square(x : f64) -> f64 { x * x } } {} } } } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_length_b18e58c150905139 as length;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
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
#[allow(
    missing_docs,
    dead_code,
    clippy::missing_safety_doc,
    clippy::undocumented_unsafe_blocks
)]
impl scale {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
    #[doc(hidden)]
    pub const __SITE: ::core::primitive::u64 = 285716701681982336u64;
    #[doc(hidden)]
    pub const unsafe fn __is<G>(given: &G) {
        unsafe { ::op2::__private::one_function(&scale, given) }
    }
}
#[doc(hidden)]
macro_rules! __op2_scale_03f711d38e269b80 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 285716701681982336u64 { fn scale(v : & mut [f64; 2],
        factor : f64) { for n in 0..2 { v[n] *= factor; } } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_scale_03f711d38e269b80 as scale;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
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
#[allow(
    missing_docs,
    dead_code,
    clippy::missing_safety_doc,
    clippy::undocumented_unsafe_blocks
)]
impl normalise {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[length::__CAPTURED, square::__CAPTURED, scale::__CAPTURED],
    };
    #[doc(hidden)]
    pub const __SITE: ::core::primitive::u64 = 17198381097917921300u64;
    #[doc(hidden)]
    pub const unsafe fn __is<G>(given: &G) {
        unsafe { ::op2::__private::one_function(&normalise, given) }
    }
}
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _length_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = {
        ::core::assert!(
            length::__SITE == 12794261178709725497u64,
            "`length` is the name of two functions here: op2 sees one of them, and the compiler another one; rename one, or import the one you mean by its name"
        );
        unsafe { length::__is(&length) }
    };
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _square_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = {
        ::core::assert!(
            square::__SITE == 18027344695376510829u64,
            "`square` is the name of two functions here: op2 sees one of them, and the compiler another one; rename one, or import the one you mean by its name"
        );
        unsafe { square::__is(&square) }
    };
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _scale_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = {
        ::core::assert!(
            scale::__SITE == 285716701681982336u64,
            "`scale` is the name of two functions here: op2 sees one of them, and the compiler another one; rename one, or import the one you mean by its name"
        );
        unsafe { scale::__is(&scale) }
    };
};
#[doc(hidden)]
macro_rules! __op2_normalise_eeacec7cd530b814 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 17198381097917921300u64 { fn normalise(v : & mut [f64; 2]) {
        let l = length(v[0], v[1]); if square(l) > f64::EPSILON { scale(v, 1.0 / l); } }
        } { [length] { 12794261178709725497u64 { fn length(x : f64, y : f64) -> f64 {
        (square(x) + square(y)).sqrt() } } { [square] { 18027344695376510829u64 { fn
        square(x : f64) -> f64 { x * x } } {} } } } [square] { 18027344695376510829u64 {
        fn square(x : f64) -> f64 { x * x } } {} } [scale] { 285716701681982336u64 { fn
        scale(v : & mut [f64; 2], factor : f64) { for n in 0..2 { v[n] *= factor; } } }
        {} } } } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_normalise_eeacec7cd530b814 as normalise;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::core::assert!(
        < ::core::primitive::f64 > ::to_bits(f64::EPSILON) == < ::core::primitive::f64 >
        ::to_bits(< ::core::primitive::f64 > ::EPSILON),
        "`f64::EPSILON` is another constant here than that of `f64`: rename it"
    );
};
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _normalise_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = {
                ::core::assert!(
                    normalise::__SITE == 17198381097917921300u64,
                    "`normalise` is the name of two functions here: op2 sees one of them, and the compiler another one; rename one, or import the one you mean by its name"
                );
                unsafe { normalise::__is(&normalise) }
            };
        };
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
            stages: 0,
            no_more_stages: "the loop adds to nothing through maps",
            no_host_stages: "",
            no_lanes: "",
            devices: &[
                __op2::DeviceDesc {
                    target: __op2::Target::Cuda,
                    text: "as in cuda.cu",
                    kernels: &[
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Global),
                            "normalise_global",
                        ),
                    ],
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
                },
            ],
        };
        let over = (nodes,);
        let handle0 = (v,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let v_view = call
            .direct(
                0,
                __op2::Access::Rw,
                __op2::Of::<[::core::primitive::f64; 2]>,
                handle0.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
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
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl __op2::Vector for __Lanes {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::f64; 2] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes { v_view } = self;
                            let v_view = v_view.in_layout::<SOA>();
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut v_arg = v_view.gather(w, &pack.direct());
                                    normalise_lanes_0(w, &mut v_arg);
                                    v_view.scatter(w, &pack.direct(), pack.len(), &v_arg);
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
