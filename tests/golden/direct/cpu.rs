/// Keeps the solution of the last iteration.
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
pub fn save_soln(q: &[f64; 4], qold: &mut [f64; 4]) {
    *qold = *q;
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
            unsafe { ::op2::__private::one_function(&save_soln, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<11702657723574702945u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
#[macro_export]
macro_rules! __op2_save_soln_a26831323da6d361 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 11702657723574702945u64 { pub fn save_soln(q : & [f64; 4],
        qold : & mut [f64; 4]) { * qold = * q; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
pub use __op2_save_soln_a26831323da6d361 as save_soln;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
fn run(
    op: &mut Op2,
    cells: Set<Cells>,
    q: Dat<Cells, [f64; 4]>,
    qold: Dat<Cells, [f64; 4]>,
) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _save_soln_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    11702657723574702945,
                > as ::op2::__private::Carries<_>>::Items>::__is(&save_soln)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "save_soln",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 0u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(q)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "write(qold)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                11702657723574702945,
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
                            "save_soln_global",
                        ),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "q",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "qold",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
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
        let over = (cells,);
        let handle0 = (q,);
        let handle1 = (qold,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let q_view = call
            .direct(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 4]>,
                handle0.0,
            );
        let qold_view = call
            .direct(
                1,
                __op2::Access::Write,
                __op2::Of::<[::core::primitive::f64; 4]>,
                handle1.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            save_soln(q_view.at(e), qold_view.at_mut(e));
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            save_soln(q_view.at(e), qold_view.at_mut(e));
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let q_arg = q_view.load(e);
                            let mut qold_arg = qold_view.load(e);
                            save_soln(&q_arg, &mut qold_arg);
                            qold_view.store(e, &qold_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes {
                        q_view: __op2::View<[::core::primitive::f64; 4]>,
                        qold_view: __op2::View<[::core::primitive::f64; 4]>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl __op2::Vector for __Lanes {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::f64; 4] as __op2::Value>::DIM
                            + <[::core::primitive::f64; 4] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes { q_view, qold_view } = self;
                            let q_view = q_view.in_layout::<SOA>();
                            let qold_view = qold_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn save_soln_lanes_0<W: __op2::Width>(
                                w: W,
                                mut q_0: &[__op2::V<W, ::core::primitive::f64>; 4],
                                mut qold_1: &mut [__op2::V<W, ::core::primitive::f64>; 4],
                            ) {
                                {
                                    {
                                        let value = (*q_0);
                                        let place = &mut (*qold_1);
                                        *place = value;
                                    };
                                }
                            }
                            let qold_arg_streams = elems.streams(1);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let q_arg = q_view.gather(w, &pack.direct());
                                    let mut qold_arg = qold_view.blank(w);
                                    save_soln_lanes_0(w, &q_arg, &mut qold_arg);
                                    qold_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &qold_arg,
                                            qold_arg_streams,
                                        );
                                }
                            }
                        }
                    }
                    __Lanes {
                        q_view: __op2::same(q_view),
                        qold_view: __op2::same(qold_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
