//! Entries of a map that may be missing: read as options, asked in several ways, and contributed to as everywhere.
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
fn upwind(
    speed: &f64,
    q: [Option<&f64>; 2],
    near: Option<u32>,
    inflow: &f64,
    change: [&mut f64; 2],
) {
    let [left, right] = [*q[0].unwrap_or(inflow), *q[1].unwrap_or(inflow)];
    let mut flux = *speed * if *speed > 0.0 { left } else { right };
    if let Some(near) = near {
        flux += near as f64;
    }
    *change[0] -= flux;
    if q[1].is_some() {
        *change[1] += flux;
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
            unsafe { ::op2::__private::one_function(&upwind, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<7286018019672605166u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_upwind_651d22c931ae41ee {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 7286018019672605166u64 { fn upwind(speed : & f64, q :
        [Option < & f64 >; 2], near : Option < u32 >, inflow : & f64, change : [& mut
        f64; 2]) { let [left, right] = [* q[0].unwrap_or(inflow), * q[1]
        .unwrap_or(inflow)]; let mut flux = * speed * if * speed > 0.0 { left } else {
        right }; if let Some(near) = near { flux += near as f64; } * change[0] -= flux;
        if q[1].is_some() { * change[1] += flux; } } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_upwind_651d22c931ae41ee as upwind;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    #[diagnostic::on_unimplemented(
        message = "`near` is the name of two variables of `upwind`, one of which a macro made: the compiler takes one of them here, and op2 the other; rename one",
        label = "one of two variables"
    )]
    trait Is_near<const N: ::core::primitive::usize>: ::core::marker::Sized {
        fn is(self) {}
    }
    impl<const N: ::core::primitive::usize> Is_near<N>
    for ::op2::__private::Variable<N> {}
    fn variables() {
        let near = ::op2::__private::Variable::<2>;
        {
            {
                let near = ::op2::__private::Variable::<11>;
                {
                    Is_near::<11>::is(near);
                }
            }
        }
    }
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _upwind_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    7286018019672605166,
                > as ::op2::__private::Carries<_>>::Items>::__is(&upwind)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "upwind",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 5u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(speed)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(q, sides[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "idx(sides[0])",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "gbl_read(inflow)",
                    kind: __op2::ArgKind::Global(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(change, sides[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
            ],
            captured: <<__op2::Site<
                7286018019672605166,
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
                            "upwind_global",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Atomic),
                            "upwind_atomic",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                            "upwind_staged",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "upwind_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "upwind_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "upwind_scatter",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::PerTarget),
                            "upwind_per_target",
                        ),
                        (__op2::EntryPoint::Gather(2), "upwind_gather_change"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "speed",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "q",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "change",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[4],
                        },
                    ],
                    maps: &["sides"],
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
                    ],
                    floats: &[],
                    consts: &[],
                    forms: &[
                        __op2::FormDesc {
                            text: "as in stages1.cu",
                            kernels: &[
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                    "upwind_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "upwind_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "upwind_combined",
                                ),
                            ],
                            stages: &[&[1]],
                            kept: &[4],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "change",
                                    scalar: __op2::RoomScalar::Bytes(8),
                                    lens: &[__op2::Length::Number(2)],
                                },
                            ],
                            flops: 5u32,
                        },
                    ],
                },
            ],
        };
        let over = (edges,);
        let handle0 = (speed,);
        let handle1 = (q,);
        let map1 = (sides,);
        let map2 = (sides,);
        let handle3 = (inflow,);
        let handle4 = (change,);
        let map4 = (sides,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let sides_map = call.map(1, map1.0);
        sides_map.is_optional();
        sides_map.is_optional();
        sides_map.has_entry::<0>();
        let speed_view = call
            .direct(
                0,
                __op2::Access::Read,
                __op2::Of::<::core::primitive::f64>,
                handle0.0,
            );
        let q_view = call
            .entries(
                1,
                __op2::Access::Read,
                __op2::Of::<::core::primitive::f64>,
                sides_map,
                handle1.0,
            );
        let near_arg = call.index(2, sides_map, 0);
        let inflow_arg = call.global(3, __op2::Of::<::core::primitive::f64>, handle3.0);
        let change_view = call
            .entries(
                4,
                __op2::Access::Inc,
                __op2::Of::<::core::primitive::f64>,
                sides_map,
                handle4.0,
            );
        call.one_handle(2, "map", 1, &map1.0, &map2.0);
        call.one_handle(4, "map", 1, &map1.0, &map4.0);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let sides_map_all_at = sides_map.targets(e);
                            let sides_map_0_at = sides_map.target(e, 0);
                            let mut change_arg = sides_map_all_at
                                .map(|_| change_view.neutral::<__op2::ByInc>());
                            upwind(
                                speed_view.at(e),
                                sides_map_all_at.map(|at| q_view.maybe_at(at)),
                                __op2::Place::element(sides_map_0_at)
                                    .map(|at| __op2::IndexValue::from_index(near_arg.of(at))),
                                &inflow_arg,
                                change_arg.each_mut(),
                            );
                            for (at, value) in ::core::iter::zip(
                                &sides_map_all_at,
                                &change_arg,
                            ) {
                                change_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let sides_map_all_at = sides_map.targets(e);
                            let sides_map_0_at = sides_map.target(e, 0);
                            let mut change_arg = sides_map_all_at
                                .map(|_| change_view.neutral::<__op2::ByInc>());
                            upwind(
                                speed_view.at(e),
                                sides_map_all_at.map(|at| q_view.maybe_at(at)),
                                __op2::Place::element(sides_map_0_at)
                                    .map(|at| __op2::IndexValue::from_index(near_arg.of(at))),
                                &inflow_arg,
                                change_arg.each_mut(),
                            );
                            for (at, value) in ::core::iter::zip(
                                &sides_map_all_at,
                                &change_arg,
                            ) {
                                change_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                },
                general: move |elems, ()| {
                    let change_arg_sink = elems.sink(4, change_view);
                    for (position, e) in elems {
                        unsafe {
                            let sides_map_all_at = sides_map.targets(e);
                            let sides_map_0_at = sides_map.target(e, 0);
                            let speed_arg = speed_view.load(e);
                            let q_arg = sides_map_all_at.map(|at| q_view.maybe_load(at));
                            let mut change_arg = sides_map_all_at
                                .map(|_| change_view.neutral::<__op2::ByInc>());
                            upwind(
                                &speed_arg,
                                q_arg.each_ref().map(|one| one.as_ref()),
                                __op2::Place::element(sides_map_0_at)
                                    .map(|at| __op2::IndexValue::from_index(near_arg.of(at))),
                                &inflow_arg,
                                change_arg.each_mut(),
                            );
                            for (entry, (at, value)) in ::core::iter::zip(
                                    &sides_map_all_at,
                                    &change_arg,
                                )
                                .enumerate()
                            {
                                change_arg_sink
                                    .combine(__op2::Combine::Inc, position, entry, *at, value);
                            }
                        }
                    }
                },
                stages: move |form, mut elems, size, ()| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn upwind_stage1of1_1(
                        speed_0: &::core::primitive::f64,
                        q_1: [::core::option::Option<&::core::primitive::f64>; 2],
                        near_2: ::core::option::Option<::core::primitive::u32>,
                        inflow_3: &::core::primitive::f64,
                        change_4: [&mut ::core::primitive::f64; 2],
                    ) {
                        let held_7: [::core::primitive::f64; 2] = [
                            if let ::core::option::Option::Some(some_5) = q_1[0] {
                                *some_5
                            } else {
                                *inflow_3
                            },
                            if let ::core::option::Option::Some(some_6) = q_1[1] {
                                *some_6
                            } else {
                                *inflow_3
                            },
                        ];
                        let left_8: ::core::primitive::f64 = held_7[0];
                        let right_9: ::core::primitive::f64 = held_7[1];
                        let mut flux_10: ::core::primitive::f64 = (*speed_0)
                            * (if (*speed_0) > 0.0f64 { left_8 } else { right_9 });
                        if let ::core::option::Option::Some(near_11) = near_2 {
                            flux_10 += near_11 as ::core::primitive::f64;
                        }
                        *change_4[0] -= flux_10;
                        if ::core::option::Option::is_some(&q_1[1]) {
                            *change_4[1] += flux_10;
                        }
                    }
                    let places = elems.places().min(size);
                    match form {
                        _ => {
                            let mut change_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let sides_map_all_at = sides_map.targets(e);
                                        let sides_map_0_at = sides_map.target(e, 0);
                                        let speed_arg = speed_view.load(e);
                                        let q_arg = sides_map_all_at
                                            .map(|at| q_view.maybe_load(at));
                                        let mut change_arg = sides_map_all_at
                                            .map(|_| change_view.neutral::<__op2::ByInc>());
                                        upwind_stage1of1_1(
                                            &speed_arg,
                                            q_arg.each_ref().map(|one| one.as_ref()),
                                            __op2::Place::element(sides_map_0_at)
                                                .map(|at| __op2::IndexValue::from_index(near_arg.of(at))),
                                            &inflow_arg,
                                            change_arg.each_mut(),
                                        );
                                        change_arg_room.put(place, change_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let sides_map_all_at = sides_map.targets(e);
                                        let change_arg = change_arg_room.get(place);
                                        for (at, value) in ::core::iter::zip(
                                            &sides_map_all_at,
                                            &change_arg,
                                        ) {
                                            change_view.combine(__op2::Combine::Inc, *at, value);
                                        }
                                    }
                                }
                            }
                        }
                    }
                },
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<T0, M0: __op2::Presence> {
                        sides_map: __op2::MapView<T0, 2, M0>,
                        speed_view: __op2::View<::core::primitive::f64>,
                        q_view: __op2::View<::core::primitive::f64>,
                        near_arg: __op2::Numbers,
                        inflow_arg: ::core::primitive::f64,
                        change_view: __op2::View<::core::primitive::f64>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<T0, M0: __op2::Presence> __op2::Vector for __Lanes<T0, M0> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + 2 * <::core::primitive::f64 as __op2::Value>::DIM
                            + 2 * <::core::primitive::f64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                sides_map,
                                speed_view,
                                q_view,
                                near_arg,
                                inflow_arg,
                                change_view,
                            } = self;
                            let speed_view = speed_view.in_layout::<SOA>();
                            let q_view = q_view.in_layout::<SOA>();
                            let change_view = change_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn upwind_lanes_0<W: __op2::Width>(
                                w: W,
                                mut speed_0: &__op2::V<W, ::core::primitive::f64>,
                                mut q_1: [&__op2::V<W, ::core::primitive::f64>; 2],
                                mut near_2: __op2::V<W, ::core::primitive::u32>,
                                mut inflow_3: &::core::primitive::f64,
                                mut change_4: [&mut __op2::V<W, ::core::primitive::f64>; 2],
                                mut q_there_12: [__op2::Mask<W>; 2],
                                mut near_there_13: __op2::Mask<W>,
                            ) {
                                {
                                    let mut held_7: [__op2::V<W, ::core::primitive::f64>; 2] = [
                                        {
                                            let cond = (q_there_12)[0usize];
                                            let mut mask1 = cond;
                                            let mut mask2 = !cond;
                                            let yes = {
                                                let mut some_5: &__op2::V<W, ::core::primitive::f64> = (&(*(q_1)[0usize]));
                                                (*some_5)
                                            };
                                            let no = { __op2::Spread::<W>::spread(*inflow_3, w) };
                                            __op2::Lanes::<W>::select(cond, yes, no)
                                        },
                                        {
                                            let cond = (q_there_12)[1usize];
                                            let mut mask3 = cond;
                                            let mut mask4 = !cond;
                                            let yes = {
                                                let mut some_6: &__op2::V<W, ::core::primitive::f64> = (&(*(q_1)[1usize]));
                                                (*some_6)
                                            };
                                            let no = { __op2::Spread::<W>::spread(*inflow_3, w) };
                                            __op2::Lanes::<W>::select(cond, yes, no)
                                        },
                                    ];
                                    let mut left_8: __op2::V<W, ::core::primitive::f64> = (held_7)[0usize];
                                    let mut right_9: __op2::V<W, ::core::primitive::f64> = (held_7)[1usize];
                                    let mut flux_10: __op2::V<W, ::core::primitive::f64> = (((*speed_0))
                                        * ({
                                            let cond = ((*speed_0))
                                                .gt(__op2::Spread::<W>::spread(0.0f64, w));
                                            let mut mask5 = cond;
                                            let mut mask6 = !cond;
                                            let yes = { left_8 };
                                            let no = { right_9 };
                                            __op2::Lanes::<W>::select(cond, yes, no)
                                        }));
                                    {
                                        let cond = near_there_13;
                                        let mut mask7 = cond;
                                        {
                                            let mut near_11: __op2::V<W, ::core::primitive::u32> = near_2;
                                            {
                                                let value = {
                                                    let operand0 = near_11;
                                                    __op2::each(
                                                        w,
                                                        |lane| {
                                                            (__op2::Lanes::<W>::lane(&operand0, lane))
                                                                as ::core::primitive::f64
                                                        },
                                                    )
                                                };
                                                let place = &mut flux_10;
                                                *place = __op2::Lanes::<
                                                    W,
                                                >::select(mask7, ((*place) + (value)), *place);
                                            };
                                        };
                                    };
                                    {
                                        let value = flux_10;
                                        let place = &mut (*(change_4)[0usize]);
                                        *place = ((*place) - (value));
                                    };
                                    {
                                        let cond = (q_there_12)[1usize];
                                        let mut mask8 = cond;
                                        {
                                            {
                                                let value = flux_10;
                                                let place = &mut (*(change_4)[1usize]);
                                                *place = __op2::Lanes::<
                                                    W,
                                                >::select(mask8, ((*place) + (value)), *place);
                                            };
                                        };
                                    }
                                }
                            }
                            let change_arg_sink = elems.sink(4, change_view);
                            let straight = true & change_arg_sink.is_straight();
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = sides_map.entries_of(w);
                                    let sides_map_all_at = sides_map
                                        .targets_of(&pack, &mut entries);
                                    let mut entries = sides_map.entries_of(w);
                                    let sides_map_0_at = sides_map
                                        .target_of(&pack, 0, &mut entries);
                                    let speed_arg = speed_view.gather(w, &pack.direct());
                                    let q_arg = __op2::mapped(
                                        sides_map_all_at,
                                        |at| q_view.gather_there(w, &at),
                                    );
                                    let mut change_arg = __op2::mapped(
                                        sides_map_all_at,
                                        |_| __op2::Spread::<
                                            W,
                                        >::spread(change_view.neutral::<__op2::ByInc>(), w),
                                    );
                                    upwind_lanes_0(
                                        w,
                                        &speed_arg,
                                        q_arg.each_ref(),
                                        __op2::each(
                                            w,
                                            |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                __op2::Place::element(
                                                        __op2::Leads::at(&sides_map_0_at, lane),
                                                    )
                                                    .map_or(0, |e| near_arg.of(e)),
                                            ),
                                        ),
                                        &inflow_arg,
                                        change_arg.each_mut(),
                                        __op2::mapped(
                                            sides_map_all_at,
                                            |at| __op2::Leads::there(&at, w),
                                        ),
                                        __op2::Leads::there(&sides_map_0_at, w),
                                    );
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&sides_map_all_at, w)
                                    {
                                        change_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                            __op2::Combine::Inc,
                                                            &sides_map_all_at,
                                                            &change_arg,
                                                        )
                                                        .turned([true, false]),
                                                    (),
                                                ),
                                            );
                                    } else {
                                        let change_arg_rows = __op2::mapped(
                                            change_arg,
                                            |lanes| change_view.rows_in_memory(w, &lanes),
                                        );
                                        for lane in 0..pack.len() {
                                            for (entry, (at, row)) in ::core::iter::zip(
                                                    &sides_map_all_at,
                                                    &change_arg_rows,
                                                )
                                                .enumerate()
                                            {
                                                change_arg_sink
                                                    .combine_row(
                                                        __op2::Combine::Inc,
                                                        pack.position(lane),
                                                        entry,
                                                        __op2::Leads::at(&(*at), lane),
                                                        &row.as_ref()[lane],
                                                    );
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                    __Lanes {
                        sides_map: __op2::of_arity(sides_map),
                        speed_view: __op2::same(speed_view),
                        q_view: __op2::same(q_view),
                        near_arg: __op2::same(near_arg),
                        inflow_arg: __op2::same(inflow_arg),
                        change_view: __op2::same(change_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
