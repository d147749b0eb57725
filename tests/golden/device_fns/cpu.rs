#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if,
    clippy::manual_map
)]
#[inline(always)]
fn square(x: f64) -> f64 {
    x * x
}
const _: () = {
    #[doc(hidden)]
    #[allow(missing_docs, missing_debug_implementations)]
    pub enum __Op2Carrier {}
    #[allow(
        missing_docs,
        dead_code,
        clippy::missing_safety_doc,
        clippy::undocumented_unsafe_blocks
    )]
    impl __Op2Carrier {
        #[doc(hidden)]
        pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
            own: &[],
            callees: &[],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&square, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<13103742177101430798u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_square_b5d9d8155e6f400e {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 13103742177101430798u64 { fn square(x : f64) -> f64 { x *
        x } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_square_b5d9d8155e6f400e as square;
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
    clippy::collapsible_if,
    clippy::manual_map
)]
#[inline(always)]
fn length(x: f64, y: f64) -> f64 {
    (square(x) + square(y)).sqrt()
}
const _: () = {
    #[doc(hidden)]
    #[allow(missing_docs, missing_debug_implementations)]
    pub enum __Op2Carrier {}
    #[allow(
        missing_docs,
        dead_code,
        clippy::missing_safety_doc,
        clippy::undocumented_unsafe_blocks
    )]
    impl __Op2Carrier {
        #[doc(hidden)]
        pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
            own: &[],
            callees: &[
                <<::op2::__private::Site<
                    13103742177101430798,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
            ],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&length, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<5312124731378982970u64> {
        type Items = __Op2Carrier;
    }
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _square_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            13103742177101430798,
        > as ::op2::__private::Carries<_>>::Items>::__is(&square)
    };
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_length_49b8754c6069603a {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 5312124731378982970u64 { fn length(x : f64, y : f64) ->
        f64 { (square(x) + square(y)).sqrt() } } { [square] { 13103742177101430798u64 {
        fn square(x : f64) -> f64 { x * x } } {} {} } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_length_49b8754c6069603a as length;
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
    clippy::collapsible_if,
    clippy::manual_map
)]
#[inline(always)]
fn scale(v: &mut [f64; 2], factor: f64) {
    for n in 0..2 {
        v[n] *= factor;
    }
}
const _: () = {
    #[doc(hidden)]
    #[allow(missing_docs, missing_debug_implementations)]
    pub enum __Op2Carrier {}
    #[allow(
        missing_docs,
        dead_code,
        clippy::missing_safety_doc,
        clippy::undocumented_unsafe_blocks
    )]
    impl __Op2Carrier {
        #[doc(hidden)]
        pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
            own: &[],
            callees: &[],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&scale, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<1857907762364228713u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_scale_19c89d4429292469 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 1857907762364228713u64 { fn scale(v : & mut [f64; 2],
        factor : f64) { for n in 0..2 { v[n] *= factor; } } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_scale_19c89d4429292469 as scale;
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
    clippy::collapsible_if,
    clippy::manual_map
)]
#[inline(always)]
fn normalise(v: &mut [f64; 2]) {
    let l = length(v[0], v[1]);
    if square(l) > f64::EPSILON {
        scale(v, 1.0 / l);
    }
}
const _: () = {
    #[doc(hidden)]
    #[allow(missing_docs, missing_debug_implementations)]
    pub enum __Op2Carrier {}
    #[allow(
        missing_docs,
        dead_code,
        clippy::missing_safety_doc,
        clippy::undocumented_unsafe_blocks
    )]
    impl __Op2Carrier {
        #[doc(hidden)]
        pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
            own: &[],
            callees: &[
                <<::op2::__private::Site<
                    5312124731378982970,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
                <<::op2::__private::Site<
                    13103742177101430798,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
                <<::op2::__private::Site<
                    1857907762364228713,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
            ],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&normalise, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<7703701008622212543u64> {
        type Items = __Op2Carrier;
    }
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _length_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            5312124731378982970,
        > as ::op2::__private::Carries<_>>::Items>::__is(&length)
    };
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _square_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            13103742177101430798,
        > as ::op2::__private::Carries<_>>::Items>::__is(&square)
    };
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _scale_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            1857907762364228713,
        > as ::op2::__private::Carries<_>>::Items>::__is(&scale)
    };
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_normalise_6ae90b405abed5bf {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 7703701008622212543u64 { fn normalise(v : & mut [f64; 2]) {
        let l = length(v[0], v[1]); if square(l) > f64::EPSILON { scale(v, 1.0 / l); } }
        } { [length] { 5312124731378982970u64 { fn length(x : f64, y : f64) -> f64 {
        (square(x) + square(y)).sqrt() } } { [square] { 13103742177101430798u64 { fn
        square(x : f64) -> f64 { x * x } } {} {} } } {} } [square] {
        13103742177101430798u64 { fn square(x : f64) -> f64 { x * x } } {} {} } [scale] {
        1857907762364228713u64 { fn scale(v : & mut [f64; 2], factor : f64) { for n in 0
        ..2 { v[n] *= factor; } } } {} {} } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_normalise_6ae90b405abed5bf as normalise;
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
            const _normalise_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    7703701008622212543,
                > as ::op2::__private::Carries<_>>::Items>::__is(&normalise)
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
            captured: <<__op2::Site<
                7703701008622212543,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "the loop adds to nothing through maps",
            no_host_stages: "",
            no_lanes: "",
            by_rows: false,
            walks: false,
            asks_numbers: false,
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
                    floats: &[],
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
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
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
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
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
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn square_lanes_4<W: __op2::Width>(
                                w: W,
                                mut x_0: __op2::V<W, ::core::primitive::f64>,
                            ) -> __op2::V<W, ::core::primitive::f64> {
                                { ((x_0) * (x_0)) }
                            }
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
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
