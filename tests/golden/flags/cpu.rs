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
fn mark(
    value: &[f64; 2],
    ends: [&mut bool; 2],
    bits: &mut u32,
    own: &mut i64,
    any: &mut bool,
    all: &mut [u64; 2],
) {
    *ends[0] |= value[0] > 0.5;
    *ends[1] = *ends[1] || value[1] > 0.5;
    if value[0] < 0.0 {
        *bits |= 6;
    }
    *own = *own | 1;
    *any |= value[0].is_nan();
    all[1] |= 1 << 40;
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
            unsafe { ::op2::__private::one_function(&mark, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<12593489509350183623u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_mark_aec50ffc4f6d12c7 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 12593489509350183623u64 { fn mark(value : & [f64; 2], ends :
        [& mut bool; 2], bits : & mut u32, own : & mut i64, any : & mut bool, all : & mut
        [u64; 2]) { * ends[0] |= value[0] > 0.5; * ends[1] = * ends[1] || value[1] > 0.5;
        if value[0] < 0.0 { * bits |= 6; } * own = * own | 1; * any |= value[0].is_nan();
        all[1] |= 1 << 40; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_mark_aec50ffc4f6d12c7 as mark;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<bool, ::core::primitive::bool>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
    ::op2::__private::means::<i64, ::core::primitive::i64>();
    ::op2::__private::means::<u64, ::core::primitive::u64>();
};
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _mark_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    12593489509350183623,
                > as ::op2::__private::Carries<_>>::Items>::__is(&mark)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "mark",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 4u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(value)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "or(ends, edge_nodes[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Or),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "or(bits, edge_nodes[0])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Or),
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "or(own)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Or),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_or(any)",
                    kind: __op2::ArgKind::Global(__op2::Access::Or),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_or(all)",
                    kind: __op2::ArgKind::Global(__op2::Access::Or),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                12593489509350183623,
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
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "mark_global"),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Atomic), "mark_atomic"),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Staged), "mark_staged"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "mark_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "mark_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "mark_scatter",
                        ),
                        (__op2::EntryPoint::Gather(1), "mark_gather_ends"),
                        (__op2::EntryPoint::Gather(2), "mark_gather_bits"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "value",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "ends",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "bits",
                            optional: false,
                            cover: ::core::option::Option::Some(1),
                            args: &[2],
                        },
                        __op2::ViewDesc {
                            name: "own",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[3],
                        },
                    ],
                    maps: &["edge_nodes"],
                    targets: &[
                        __op2::TargetDesc {
                            map: 0,
                            computed: false,
                        },
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
                        __op2::CoverDesc {
                            targets: &[1],
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
                                    "mark_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "mark_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "mark_combined",
                                ),
                            ],
                            stages: &[&[]],
                            kept: &[1, 2],
                            alone: 2,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "ends",
                                    scalar: __op2::RoomScalar::Bytes(1),
                                    lens: &[__op2::Length::Number(2)],
                                },
                                __op2::RoomDesc {
                                    name: "bits",
                                    scalar: __op2::RoomScalar::Bytes(4),
                                    lens: &[],
                                },
                            ],
                            flops: 4u32,
                        },
                    ],
                },
            ],
        };
        let over = (edges,);
        let handle0 = (value,);
        let handle1 = (ends,);
        let map1 = (edge_nodes,);
        let handle2 = (bits,);
        let map2 = (edge_nodes,);
        let handle3 = (own,);
        let handle4 = (any,);
        let handle5 = (all,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let edge_nodes_map = call.map(1, map1.0);
        edge_nodes_map.has_entry::<0>();
        let value_view = call
            .direct(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                handle0.0,
            );
        let ends_view = call
            .entries(
                1,
                __op2::Access::Or,
                __op2::Of::<::core::primitive::bool>,
                edge_nodes_map,
                handle1.0,
            );
        let bits_view = call
            .entry(
                2,
                __op2::Access::Or,
                __op2::Of::<::core::primitive::u32>,
                edge_nodes_map,
                0,
                handle2.0,
            );
        let own_view = call
            .direct(
                3,
                __op2::Access::Or,
                __op2::Of::<::core::primitive::i64>,
                handle3.0,
            );
        let any_arg = call
            .reduction(
                4,
                __op2::Combine::Or,
                __op2::Of::<(__op2::ByOr, ::core::primitive::bool)>,
                handle4.0,
            );
        let all_arg = call
            .reduction(
                5,
                __op2::Combine::Or,
                __op2::Of::<(__op2::ByOr, [::core::primitive::u64; 2])>,
                handle5.0,
            );
        call.one_handle(2, "map", 1, &map1.0, &map2.0);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (
                    __op2::start_of::<__op2::ByOr, _>(any_arg),
                    __op2::start_of::<__op2::ByOr, _>(all_arg),
                ),
                fast: move |elems, (mut any_arg, mut all_arg)| {
                    for e in elems {
                        unsafe {
                            let edge_nodes_map_all_at = edge_nodes_map.targets(e);
                            let edge_nodes_map_0_at = edge_nodes_map.target(e, 0);
                            let mut ends_arg = edge_nodes_map_all_at
                                .map(|_| ends_view.neutral::<__op2::ByOr>());
                            let mut bits_arg = bits_view.neutral::<__op2::ByOr>();
                            let mut own_arg = own_view.neutral::<__op2::ByOr>();
                            mark(
                                value_view.at(e),
                                ends_arg.each_mut(),
                                &mut bits_arg,
                                &mut own_arg,
                                &mut any_arg,
                                &mut all_arg,
                            );
                            for (at, value) in ::core::iter::zip(
                                &edge_nodes_map_all_at,
                                &ends_arg,
                            ) {
                                ends_view.combine_at(__op2::Combine::Or, *at, value);
                            }
                            bits_view
                                .combine_at(
                                    __op2::Combine::Or,
                                    edge_nodes_map_0_at,
                                    &bits_arg,
                                );
                            own_view.combine_at(__op2::Combine::Or, e, &own_arg);
                        }
                    }
                    (any_arg, all_arg)
                },
                listed: move |elems, (mut any_arg, mut all_arg)| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let edge_nodes_map_all_at = edge_nodes_map.targets(e);
                            let edge_nodes_map_0_at = edge_nodes_map.target(e, 0);
                            let mut ends_arg = edge_nodes_map_all_at
                                .map(|_| ends_view.neutral::<__op2::ByOr>());
                            let mut bits_arg = bits_view.neutral::<__op2::ByOr>();
                            let mut own_arg = own_view.neutral::<__op2::ByOr>();
                            mark(
                                value_view.at(e),
                                ends_arg.each_mut(),
                                &mut bits_arg,
                                &mut own_arg,
                                &mut any_arg,
                                &mut all_arg,
                            );
                            for (at, value) in ::core::iter::zip(
                                &edge_nodes_map_all_at,
                                &ends_arg,
                            ) {
                                ends_view.combine_at(__op2::Combine::Or, *at, value);
                            }
                            bits_view
                                .combine_at(
                                    __op2::Combine::Or,
                                    edge_nodes_map_0_at,
                                    &bits_arg,
                                );
                            own_view.combine_at(__op2::Combine::Or, e, &own_arg);
                        }
                    }
                    (any_arg, all_arg)
                },
                general: move |elems, (mut any_arg, mut all_arg)| {
                    let ends_arg_sink = elems.sink(1, ends_view);
                    let bits_arg_sink = elems.sink(2, bits_view);
                    let own_arg_sink = elems.sink(3, own_view);
                    for (position, e) in elems {
                        unsafe {
                            let edge_nodes_map_all_at = edge_nodes_map.targets(e);
                            let edge_nodes_map_0_at = edge_nodes_map.target(e, 0);
                            let value_arg = value_view.load(e);
                            let mut ends_arg = edge_nodes_map_all_at
                                .map(|_| ends_view.neutral::<__op2::ByOr>());
                            let mut bits_arg = bits_view.neutral::<__op2::ByOr>();
                            let mut own_arg = own_view.neutral::<__op2::ByOr>();
                            mark(
                                &value_arg,
                                ends_arg.each_mut(),
                                &mut bits_arg,
                                &mut own_arg,
                                &mut any_arg,
                                &mut all_arg,
                            );
                            for (entry, (at, value)) in ::core::iter::zip(
                                    &edge_nodes_map_all_at,
                                    &ends_arg,
                                )
                                .enumerate()
                            {
                                ends_arg_sink
                                    .combine(__op2::Combine::Or, position, entry, *at, value);
                            }
                            bits_arg_sink
                                .combine(
                                    __op2::Combine::Or,
                                    position,
                                    0,
                                    edge_nodes_map_0_at,
                                    &bits_arg,
                                );
                            own_arg_sink
                                .combine(__op2::Combine::Or, position, 0, e, &own_arg);
                        }
                    }
                    (any_arg, all_arg)
                },
                stages: move |form, mut elems, size, (mut any_arg, mut all_arg)| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn mark_stage1of1_1(
                        value_0: &[::core::primitive::f64; 2],
                        ends_1: [&mut ::core::primitive::bool; 2],
                        bits_2: &mut ::core::primitive::u32,
                        own_3: &mut ::core::primitive::i64,
                        any_4: &mut ::core::primitive::bool,
                        all_5: &mut [::core::primitive::u64; 2],
                    ) {
                        *ends_1[0] |= (*value_0)[0] > 0.5f64;
                        *ends_1[1] = (*ends_1[1]) || ((*value_0)[1] > 0.5f64);
                        if (*value_0)[0] < 0.0f64 {
                            *bits_2 |= 6u32;
                        }
                        *own_3 = (*own_3) | 1i64;
                        *any_4 |= ::core::primitive::f64::is_nan((*value_0)[0]);
                        (*all_5)[1] |= 1u64 << 40i32;
                    }
                    let places = elems.places().min(size);
                    match form {
                        _ => {
                            let mut ends_arg_room = __op2::Room::new(places);
                            let mut bits_arg_room = __op2::Room::new(places);
                            let mut own_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let edge_nodes_map_all_at = edge_nodes_map.targets(e);
                                        let edge_nodes_map_0_at = edge_nodes_map.target(e, 0);
                                        let value_arg = value_view.load(e);
                                        let mut ends_arg = edge_nodes_map_all_at
                                            .map(|_| ends_view.neutral::<__op2::ByOr>());
                                        let mut bits_arg = bits_view.neutral::<__op2::ByOr>();
                                        let mut own_arg = own_view.neutral::<__op2::ByOr>();
                                        mark_stage1of1_1(
                                            &value_arg,
                                            ends_arg.each_mut(),
                                            &mut bits_arg,
                                            &mut own_arg,
                                            &mut any_arg,
                                            &mut all_arg,
                                        );
                                        ends_arg_room.put(place, ends_arg);
                                        bits_arg_room.put(place, bits_arg);
                                        own_arg_room.put(place, own_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let edge_nodes_map_all_at = edge_nodes_map.targets(e);
                                        let edge_nodes_map_0_at = edge_nodes_map.target(e, 0);
                                        let ends_arg = ends_arg_room.get(place);
                                        for (at, value) in ::core::iter::zip(
                                            &edge_nodes_map_all_at,
                                            &ends_arg,
                                        ) {
                                            ends_view.combine(__op2::Combine::Or, *at, value);
                                        }
                                        let bits_arg = bits_arg_room.get(place);
                                        bits_view
                                            .combine(
                                                __op2::Combine::Or,
                                                edge_nodes_map_0_at,
                                                &bits_arg,
                                            );
                                        let own_arg = own_arg_room.get(place);
                                        own_view.combine(__op2::Combine::Or, e, &own_arg);
                                    }
                                }
                            }
                        }
                    }
                    (any_arg, all_arg)
                },
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<T0, M0: __op2::Presence> {
                        edge_nodes_map: __op2::MapView<T0, 2, M0>,
                        value_view: __op2::View<[::core::primitive::f64; 2]>,
                        ends_view: __op2::View<::core::primitive::bool>,
                        bits_view: __op2::View<::core::primitive::u32>,
                        own_view: __op2::View<::core::primitive::i64>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<T0, M0: __op2::Presence> __op2::Vector for __Lanes<T0, M0> {
                        type Wide = ::core::primitive::f64;
                        type Out = (
                            ::core::primitive::bool,
                            [::core::primitive::u64; 2],
                        );
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            + 2 * <::core::primitive::bool as __op2::Value>::DIM
                            + <::core::primitive::u32 as __op2::Value>::DIM
                            + <::core::primitive::i64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (
                                mut any_arg,
                                mut all_arg,
                            ): (::core::primitive::bool, [::core::primitive::u64; 2]),
                        ) -> (::core::primitive::bool, [::core::primitive::u64; 2]) {
                            let &__Lanes {
                                edge_nodes_map,
                                value_view,
                                ends_view,
                                bits_view,
                                own_view,
                            } = self;
                            let value_view = value_view.in_layout::<SOA>();
                            let ends_view = ends_view.in_layout::<SOA>();
                            let bits_view = bits_view.in_layout::<SOA>();
                            let own_view = own_view.in_layout::<SOA>();
                            let mut any_arg_part = __op2::Spread::<
                                W,
                            >::spread(any_arg, w);
                            let mut all_arg_part = __op2::Spread::<
                                W,
                            >::spread(all_arg, w);
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn mark_lanes_0<W: __op2::Width>(
                                w: W,
                                mut value_0: &[__op2::V<W, ::core::primitive::f64>; 2],
                                mut ends_1: [&mut __op2::Mask<W>; 2],
                                mut bits_2: &mut __op2::V<W, ::core::primitive::u32>,
                                mut own_3: &mut __op2::V<W, ::core::primitive::i64>,
                                mut any_4: &mut __op2::Mask<W>,
                                mut all_5: &mut [__op2::V<W, ::core::primitive::u64>; 2],
                            ) {
                                {
                                    {
                                        let value = (((*value_0))[0usize])
                                            .gt(__op2::Spread::<W>::spread(0.5f64, w));
                                        let place = &mut (*(ends_1)[0usize]);
                                        *place = ((*place) | (value));
                                    };
                                    {
                                        let value = {
                                            let left = (*(ends_1)[1usize]);
                                            let mut mask1 = !left;
                                            left
                                                | (((*value_0))[1usize])
                                                    .gt(__op2::Spread::<W>::spread(0.5f64, w))
                                        };
                                        let place = &mut (*(ends_1)[1usize]);
                                        *place = value;
                                    };
                                    {
                                        let cond = (((*value_0))[0usize])
                                            .lt(__op2::Spread::<W>::spread(0.0f64, w));
                                        let mut mask2 = cond;
                                        if mask2.any() {
                                            {
                                                let value = 6u32;
                                                let place = &mut (*bits_2);
                                                *place = __op2::Lanes::<
                                                    W,
                                                >::select(
                                                    mask2,
                                                    {
                                                        let operand0 = *place;
                                                        let operand1 = value;
                                                        __op2::each_of(
                                                            w,
                                                            mask2,
                                                            |lane| __op2::Lanes::<W>::lane(&operand0, lane) | operand1,
                                                        )
                                                    },
                                                    *place,
                                                );
                                            };
                                        }
                                    };
                                    {
                                        let value = {
                                            let operand0 = (*own_3);
                                            let operand1 = 1i64;
                                            __op2::each(
                                                w,
                                                |lane| __op2::Lanes::<W>::lane(&operand0, lane) | operand1,
                                            )
                                        };
                                        let place = &mut (*own_3);
                                        *place = value;
                                    };
                                    {
                                        let value = (((*value_0))[0usize]).is_nan();
                                        let place = &mut (*any_4);
                                        *place = ((*place) | (value));
                                    };
                                    {
                                        let value = 1u64 << 40i32;
                                        let place = &mut ((*all_5))[1usize];
                                        *place = {
                                            let operand0 = *place;
                                            let operand1 = value;
                                            __op2::each(
                                                w,
                                                |lane| __op2::Lanes::<W>::lane(&operand0, lane) | operand1,
                                            )
                                        };
                                    };
                                }
                            }
                            let ends_arg_sink = elems.sink(1, ends_view);
                            let bits_arg_sink = elems.sink(2, bits_view);
                            let own_arg_sink = elems.sink(3, own_view);
                            let straight = true & ends_arg_sink.is_straight()
                                & bits_arg_sink.is_straight() & own_arg_sink.is_straight()
                                & __op2::all_differ([
                                    ends_view.address(),
                                    bits_view.address(),
                                    own_view.address(),
                                ]);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = edge_nodes_map.entries_of(w);
                                    let edge_nodes_map_all_at = edge_nodes_map
                                        .targets_of(&pack, &mut entries);
                                    let mut entries = edge_nodes_map.entries_of(w);
                                    let edge_nodes_map_0_at = edge_nodes_map
                                        .target_of(&pack, 0, &mut entries);
                                    let value_arg = value_view.gather(w, &pack.direct());
                                    let mut ends_arg = __op2::mapped(
                                        edge_nodes_map_all_at,
                                        |_| __op2::Spread::<
                                            W,
                                        >::spread(ends_view.neutral::<__op2::ByOr>(), w),
                                    );
                                    let mut bits_arg = __op2::Spread::<
                                        W,
                                    >::spread(bits_view.neutral::<__op2::ByOr>(), w);
                                    let mut own_arg = __op2::Spread::<
                                        W,
                                    >::spread(own_view.neutral::<__op2::ByOr>(), w);
                                    mark_lanes_0(
                                        w,
                                        &value_arg,
                                        ends_arg.each_mut(),
                                        &mut bits_arg,
                                        &mut own_arg,
                                        &mut any_arg_part,
                                        &mut all_arg_part,
                                    );
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&edge_nodes_map_all_at, w)
                                        & __op2::AllThere::all_there(&edge_nodes_map_0_at, w)
                                    {
                                        bits_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Or,
                                                        &[edge_nodes_map_0_at],
                                                        &[bits_arg],
                                                    ),
                                                    (),
                                                ),
                                            );
                                        own_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Or,
                                                        &[pack.direct()],
                                                        &[own_arg],
                                                    ),
                                                    (),
                                                ),
                                            );
                                        let ends_arg_rows = __op2::mapped(
                                            ends_arg,
                                            |lanes| ends_view.rows(w, &lanes),
                                        );
                                        for lane in 0..W::LANES {
                                            for (entry, (at, row)) in ::core::iter::zip(
                                                    &edge_nodes_map_all_at,
                                                    &ends_arg_rows,
                                                )
                                                .enumerate()
                                            {
                                                ends_arg_sink
                                                    .combine_row(
                                                        __op2::Combine::Or,
                                                        pack.position(lane),
                                                        entry,
                                                        __op2::Leads::at(&(*at), lane),
                                                        &row.as_ref()[lane],
                                                    );
                                            }
                                        }
                                    } else {
                                        let ends_arg_rows = __op2::mapped(
                                            ends_arg,
                                            |lanes| ends_view.rows_in_memory(w, &lanes),
                                        );
                                        let bits_arg_rows = bits_view.rows_in_memory(w, &bits_arg);
                                        let own_arg_rows = own_view.rows_in_memory(w, &own_arg);
                                        for lane in 0..pack.len() {
                                            for (entry, (at, row)) in ::core::iter::zip(
                                                    &edge_nodes_map_all_at,
                                                    &ends_arg_rows,
                                                )
                                                .enumerate()
                                            {
                                                ends_arg_sink
                                                    .combine_row(
                                                        __op2::Combine::Or,
                                                        pack.position(lane),
                                                        entry,
                                                        __op2::Leads::at(&(*at), lane),
                                                        &row.as_ref()[lane],
                                                    );
                                            }
                                            bits_arg_sink
                                                .combine_row(
                                                    __op2::Combine::Or,
                                                    pack.position(lane),
                                                    0,
                                                    __op2::Leads::at(&edge_nodes_map_0_at, lane),
                                                    &bits_arg_rows.as_ref()[lane],
                                                );
                                            own_arg_sink
                                                .combine_row(
                                                    __op2::Combine::Or,
                                                    pack.position(lane),
                                                    0,
                                                    __op2::Leads::at(&pack.direct(), lane),
                                                    &own_arg_rows.as_ref()[lane],
                                                );
                                        }
                                    }
                                }
                            }
                            for lane in 0..W::LANES {
                                __op2::Reduce::<
                                    __op2::ByOr,
                                >::absorb(
                                    &mut any_arg,
                                    &__op2::Lanes::<W>::lane(&any_arg_part, lane),
                                );
                            }
                            for lane in 0..W::LANES {
                                __op2::Reduce::<
                                    __op2::ByOr,
                                >::absorb(
                                    &mut all_arg,
                                    &__op2::Lanes::<W>::lane(&all_arg_part, lane),
                                );
                            }
                            (any_arg, all_arg)
                        }
                    }
                    __Lanes {
                        edge_nodes_map: __op2::of_arity(edge_nodes_map),
                        value_view: __op2::same(value_view),
                        ends_view: __op2::same(ends_view),
                        bits_view: __op2::same(bits_view),
                        own_view: __op2::same(own_view),
                    }
                },
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByOr>::absorb(&mut total.0, &part.0);
                    __op2::Reduce::<__op2::ByOr>::absorb(&mut total.1, &part.1);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByOr, _>(any_arg, &total.0);
                    results.reduce::<__op2::ByOr, _>(all_arg, &total.1);
                },
            });
        outcome
    }
}
