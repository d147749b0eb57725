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
fn copy(from: &f64, to: &mut f64) {
    *to = *from;
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
            unsafe { ::op2::__private::one_function(&copy, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<9150903461116167719u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_copy_7efe8a36ddb8c627 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 9150903461116167719u64 { fn copy(from : & f64, to : & mut
        f64) { * to = * from; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_copy_7efe8a36ddb8c627 as copy;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
/// Which entry, is known at run time only.
fn run(op: &mut Op2, side: usize) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _copy_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    9150903461116167719,
                > as ::op2::__private::Carries<_>>::Items>::__is(&copy)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "copy",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 0u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(x, self.level[3].pcell[(side + 1) % 4])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "write(y)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                9150903461116167719,
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
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "copy_global"),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Staged), "copy_staged"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "x",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "y",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                    ],
                    maps: &["pcell"],
                    targets: &[
                        __op2::TargetDesc {
                            map: 0,
                            computed: true,
                        },
                    ],
                    covers: &[
                        __op2::CoverDesc {
                            targets: &[0],
                            stored: &[],
                        },
                    ],
                    floats: &[],
                    consts: &[],
                    forms: &[],
                },
            ],
        };
        let over = (cells,);
        let handle0 = (x,);
        let map0 = (self.level[3].pcell,);
        let entry0: ::core::primitive::usize = (side + 1) % 4;
        let handle1 = (y,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let pcell_map = call.map(0, map0.0);
        pcell_map.is_required();
        let pcell_map_of0 = entry0;
        let from_view = call
            .entry(
                0,
                __op2::Access::Read,
                __op2::Of::<::core::primitive::f64>,
                pcell_map,
                pcell_map_of0,
                handle0.0,
            );
        let to_view = call
            .direct(
                1,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::f64>,
                handle1.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let pcell_map_of0_at = pcell_map.target(e, pcell_map_of0);
                            copy(from_view.at(pcell_map_of0_at), to_view.at_mut(e));
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let pcell_map_of0_at = pcell_map.target(e, pcell_map_of0);
                            copy(from_view.at(pcell_map_of0_at), to_view.at_mut(e));
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let pcell_map_of0_at = pcell_map.target(e, pcell_map_of0);
                            let from_arg = from_view.load(pcell_map_of0_at);
                            let mut to_arg = to_view.load(e);
                            copy(&from_arg, &mut to_arg);
                            to_view.store(e, &to_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<
                        T0,
                        M0: __op2::Presence,
                        const A0: ::core::primitive::usize,
                    > {
                        pcell_map: __op2::MapView<T0, A0, M0>,
                        pcell_map_of0: ::core::primitive::usize,
                        from_view: __op2::View<::core::primitive::f64>,
                        to_view: __op2::View<::core::primitive::f64>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<
                        T0,
                        M0: __op2::Presence,
                        const A0: ::core::primitive::usize,
                    > __op2::Vector for __Lanes<T0, M0, A0> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + <::core::primitive::f64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                pcell_map,
                                pcell_map_of0,
                                from_view,
                                to_view,
                            } = self;
                            let from_view = from_view.in_layout::<SOA>();
                            let to_view = to_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn copy_lanes_0<W: __op2::Width>(
                                w: W,
                                mut from_0: &__op2::V<W, ::core::primitive::f64>,
                                mut to_1: &mut __op2::V<W, ::core::primitive::f64>,
                            ) {
                                {
                                    {
                                        let value = (*from_0);
                                        let place = &mut (*to_1);
                                        *place = value;
                                    };
                                }
                            }
                            let to_arg_streams = elems.streams(1);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = pcell_map.entries_of(w);
                                    let pcell_map_of0_at = pcell_map
                                        .target_of(&pack, pcell_map_of0, &mut entries);
                                    let from_arg = from_view.gather(w, &pcell_map_of0_at);
                                    let mut to_arg = to_view.blank(w);
                                    copy_lanes_0(w, &from_arg, &mut to_arg);
                                    to_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &to_arg,
                                            to_arg_streams,
                                        );
                                }
                            }
                        }
                    }
                    __Lanes {
                        pcell_map: pcell_map,
                        pcell_map_of0: __op2::same(pcell_map_of0),
                        from_view: __op2::same(from_view),
                        to_view: __op2::same(to_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
