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
    *sum += 0.5 * *weight;
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
    for ::op2::__private::Site<15398691728729402855u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_spread_d5b3248aa0a96de7 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 15398691728729402855u64 { fn spread(weight : & f64, sum : &
        mut f64) { * sum += 0.5 * * weight; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_spread_d5b3248aa0a96de7 as spread;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 2>,
    w: Dat<Edges, f64>,
    s: Dat<Nodes, f64>,
) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _spread_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    15398691728729402855,
                > as ::op2::__private::Carries<_>>::Items>::__is(&spread)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "spread",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 2u32,
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
                15398691728729402855,
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
                            flops: 2u32,
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
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let ends_map_0_at = ends_map.target(e, 0);
                            let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                            spread(weight_view.at(e), &mut sum_arg);
                            sum_view
                                .combine_at(__op2::Combine::Inc, ends_map_0_at, &sum_arg);
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let ends_map_0_at = ends_map.target(e, 0);
                            let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                            spread(weight_view.at(e), &mut sum_arg);
                            sum_view
                                .combine_at(__op2::Combine::Inc, ends_map_0_at, &sum_arg);
                        }
                    }
                },
                general: move |elems, ()| {
                    let sum_arg_sink = elems.sink(1, sum_view);
                    for (position, e) in elems {
                        unsafe {
                            let ends_map_0_at = ends_map.target(e, 0);
                            let weight_arg = weight_view.load(e);
                            let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                            spread(&weight_arg, &mut sum_arg);
                            sum_arg_sink
                                .combine(
                                    __op2::Combine::Inc,
                                    position,
                                    0,
                                    ends_map_0_at,
                                    &sum_arg,
                                );
                        }
                    }
                },
                stages: move |form, mut elems, size, ()| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn spread_stage1of1_1(
                        weight_0: &::core::primitive::f64,
                        sum_1: &mut ::core::primitive::f64,
                    ) {
                        *sum_1 += 0.5f64 * (*weight_0);
                    }
                    let places = elems.places().min(size);
                    match form {
                        _ => {
                            let mut sum_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_0_at = ends_map.target(e, 0);
                                        let weight_arg = weight_view.load(e);
                                        let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                                        spread_stage1of1_1(&weight_arg, &mut sum_arg);
                                        sum_arg_room.put(place, sum_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_0_at = ends_map.target(e, 0);
                                        let sum_arg = sum_arg_room.get(place);
                                        sum_view
                                            .combine(__op2::Combine::Inc, ends_map_0_at, &sum_arg);
                                    }
                                }
                            }
                        }
                    }
                },
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<
                        T0,
                        M0: __op2::Presence,
                        const A0: ::core::primitive::usize,
                    > {
                        ends_map: __op2::MapView<T0, A0, M0>,
                        weight_view: __op2::View<::core::primitive::f64>,
                        sum_view: __op2::View<::core::primitive::f64>,
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
                            let &__Lanes { ends_map, weight_view, sum_view } = self;
                            let weight_view = weight_view.in_layout::<SOA>();
                            let sum_view = sum_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn spread_lanes_0<W: __op2::Width>(
                                w: W,
                                mut weight_0: &__op2::V<W, ::core::primitive::f64>,
                                mut sum_1: &mut __op2::V<W, ::core::primitive::f64>,
                            ) {
                                {
                                    {
                                        let value = ((__op2::Spread::<W>::spread(0.5f64, w))
                                            * ((*weight_0)));
                                        let place = &mut (*sum_1);
                                        *place = ((*place) + (value));
                                    };
                                }
                            }
                            let sum_arg_sink = elems.sink(1, sum_view);
                            let straight = true & sum_arg_sink.is_straight();
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = ends_map.entries_of(w);
                                    let ends_map_0_at = ends_map
                                        .target_of(&pack, 0, &mut entries);
                                    let weight_arg = weight_view.gather(w, &pack.direct());
                                    let mut sum_arg = __op2::Spread::<
                                        W,
                                    >::spread(sum_view.neutral::<__op2::ByInc>(), w);
                                    spread_lanes_0(w, &weight_arg, &mut sum_arg);
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&ends_map_0_at, w)
                                    {
                                        sum_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Inc,
                                                        &[ends_map_0_at],
                                                        &[sum_arg],
                                                    ),
                                                    (),
                                                ),
                                            );
                                    } else {
                                        let sum_arg_rows = sum_view.rows_in_memory(w, &sum_arg);
                                        for lane in 0..pack.len() {
                                            sum_arg_sink
                                                .combine_row(
                                                    __op2::Combine::Inc,
                                                    pack.position(lane),
                                                    0,
                                                    __op2::Leads::at(&ends_map_0_at, lane),
                                                    &sum_arg_rows.as_ref()[lane],
                                                );
                                        }
                                    }
                                }
                            }
                        }
                    }
                    __Lanes {
                        ends_map: ends_map,
                        weight_view: __op2::same(weight_view),
                        sum_view: __op2::same(sum_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
