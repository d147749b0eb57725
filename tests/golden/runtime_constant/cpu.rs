op2::constants! {
    #[doc = " The far field."] static QINF : [f64; 4];
}
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
fn far(n: usize) -> f64 {
    QINF.get()[n]
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
            own: &[&QINF],
            callees: &[],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&far, given) }
        }
        #[doc(hidden)]
        pub const __SHAPE_0: [::core::primitive::usize; 8] = ::op2::__private::lengths(
            &QINF,
        );
        #[doc(hidden)]
        #[inline(always)]
        pub fn __const_0() -> [::core::primitive::f64; Self::__SHAPE_0[0]] {
            QINF.get()
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<6095677608725588475u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_far_5498327d256429fb {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 6095677608725588475u64 { fn far(n : usize) -> f64 { QINF
        .get() [n] } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_far_5498327d256429fb as far;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<usize, ::core::primitive::usize>();
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
fn reset(q: &mut [f64; 4]) {
    for n in 0..4 {
        q[n] = far(n) + GAMMA.get();
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
            own: &[&GAMMA],
            callees: &[
                <<::op2::__private::Site<
                    6095677608725588475,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
            ],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&reset, given) }
        }
        #[doc(hidden)]
        #[inline(always)]
        pub fn __const_0() -> ::core::primitive::f64 {
            GAMMA.get()
        }
        #[doc(hidden)]
        pub const __SHAPE_0_0: [::core::primitive::usize; 8] = <<::op2::__private::Site<
            6095677608725588475,
        > as ::op2::__private::Carries<_>>::Items>::__SHAPE_0;
        #[doc(hidden)]
        #[inline(always)]
        pub fn __const_0_0() -> [::core::primitive::f64; Self::__SHAPE_0_0[0]] {
            <<::op2::__private::Site<
                6095677608725588475,
            > as ::op2::__private::Carries<_>>::Items>::__const_0()
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<17280738903069548341u64> {
        type Items = __Op2Carrier;
    }
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _far_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            6095677608725588475,
        > as ::op2::__private::Carries<_>>::Items>::__is(&far)
    };
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_reset_efd184799dbbdf35 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 17280738903069548341u64 { fn reset(q : & mut [f64; 4]) { for
        n in 0..4 { q[n] = far(n) + GAMMA.get(); } } } { [far] { 6095677608725588475u64 {
        fn far(n : usize) -> f64 { QINF.get() [n] } } {} {} } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_reset_efd184799dbbdf35 as reset;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _reset_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    17280738903069548341,
                > as ::op2::__private::Carries<_>>::Items>::__is(&reset)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "reset",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 4u32,
            args: &[
                __op2::ArgDesc {
                    text: "write(q)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                17280738903069548341,
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
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "reset_global"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "q",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                    ],
                    maps: &[],
                    targets: &[],
                    covers: &[],
                    floats: &[],
                    consts: &[
                        __op2::ConstDesc {
                            name: "GAMMA",
                            way: &[],
                            own: 0,
                        },
                        __op2::ConstDesc {
                            name: "QINF",
                            way: &[0],
                            own: 0,
                        },
                    ],
                    forms: &[],
                },
            ],
        };
        let over = (cells,);
        let handle0 = (q,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let q_view = call
            .direct(
                0,
                __op2::Access::Write,
                __op2::Of::<[::core::primitive::f64; 4]>,
                handle0.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            reset(q_view.at_mut(e));
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            reset(q_view.at_mut(e));
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let mut q_arg = q_view.load(e);
                            reset(&mut q_arg);
                            q_view.store(e, &q_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes {
                        q_view: __op2::View<[::core::primitive::f64; 4]>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl __op2::Vector for __Lanes {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::f64; 4] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes { q_view } = self;
                            let q_view = q_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn reset_lanes_0<W: __op2::Width>(
                                w: W,
                                mut q_0: &mut [__op2::V<W, ::core::primitive::f64>; 4],
                            ) {
                                {
                                    'round0: for mut n_1 in (0usize)..(4usize) {
                                        {
                                            let value = __op2::Spread::<
                                                W,
                                            >::spread(
                                                far_1(n_1)
                                                    + (<<__op2::Site<
                                                        17280738903069548341,
                                                    > as __op2::Carries<_>>::Items>::__const_0()),
                                                w,
                                            );
                                            let place = &mut ((*q_0))[n_1];
                                            *place = value;
                                        };
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
                            fn far_1(
                                n_0: ::core::primitive::usize,
                            ) -> ::core::primitive::f64 {
                                (<<__op2::Site<
                                    17280738903069548341,
                                > as __op2::Carries<_>>::Items>::__const_0_0())[n_0]
                            }
                            let q_arg_streams = elems.streams(0);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut q_arg = q_view.blank(w);
                                    reset_lanes_0(w, &mut q_arg);
                                    q_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &q_arg,
                                            q_arg_streams,
                                        );
                                }
                            }
                        }
                    }
                    __Lanes {
                        q_view: __op2::same(q_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
