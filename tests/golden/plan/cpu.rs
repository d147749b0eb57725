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
fn spread(weight: &f64, sum: &mut f64) {
    *sum += *weight;
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
            unsafe { ::op2::__private::one_function(&spread, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<8209495686813292834u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_spread_71edfcd4d59b9922 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 8209495686813292834u64 { fn spread(weight : & f64, sum : &
        mut f64) { * sum += * weight; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_spread_71edfcd4d59b9922 as spread;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
fn run(op: &mut Op2) -> op2::Result<()> {
    let plan = {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _spread_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    8209495686813292834,
                > as ::op2::__private::Carries<_>>::Items>::__is(&spread)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "spread",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 1u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(w)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(s, ends[0])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
            ],
            captured: <<__op2::Site<
                8209495686813292834,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 1,
            no_more_stages: "its widest stage reads no two dats through maps",
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
                            "spread_global",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Atomic),
                            "spread_atomic",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                            "spread_staged",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "spread_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "spread_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "spread_scatter",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::PerTarget),
                            "spread_per_target",
                        ),
                        (__op2::EntryPoint::Gather(1), "spread_gather_s"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "w",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "s",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[1],
                        },
                    ],
                    maps: &["ends"],
                    targets: &[
                        __op2::TargetDesc {
                            map: 0,
                            computed: false,
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
                    forms: &[
                        __op2::FormDesc {
                            text: "as in stages1.cu",
                            kernels: &[
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                    "spread_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "spread_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "spread_combined",
                                ),
                            ],
                            stages: &[&[]],
                            kept: &[1],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "sum",
                                    scalar: __op2::RoomScalar::Bytes(8),
                                    lens: &[],
                                },
                            ],
                            flops: 1u32,
                        },
                    ],
                },
            ],
        };
        let over = (edges,);
        let handle0 = (w,);
        let handle1 = (s,);
        let map1 = (ends,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        #[allow(unused_variables)]
        let planned = {
            let ends_map = call.map(1, map1.0);
            ends_map.has_entry::<0>();
            let weight_view = call
                .direct(
                    0,
                    __op2::Access::Read,
                    __op2::Of::<::core::primitive::f64>,
                    handle0.0,
                );
            let sum_view = call
                .entry(
                    1,
                    __op2::Access::Inc,
                    __op2::Of::<::core::primitive::f64>,
                    ends_map,
                    0,
                    handle1.0,
                );
            call.plan()
        };
        planned
    }?;
    println!("{plan}");
    Ok(())
}
