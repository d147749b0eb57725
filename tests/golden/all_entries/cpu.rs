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
fn area(x: [&[f64; 2]; 3], area: &mut f64, shares: [&mut f64; 3]) {
    let cross = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1])
        - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
    *area = 0.5 * cross.abs();
    for n in 0..3 {
        *shares[n] += *area / 3.0;
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
            unsafe { ::op2::__private::one_function(&area, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<7697460617368108597u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_area_6ad2dfa60ac8fe35 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 7697460617368108597u64 { fn area(x : [& [f64; 2]; 3], area :
        & mut f64, shares : [& mut f64; 3]) { let cross = (x[1] [0] - x[0] [0]) * (x[2]
        [1] - x[0] [1]) - (x[2] [0] - x[0] [0]) * (x[1] [1] - x[0] [1]); * area = 0.5 *
        cross.abs(); for n in 0..3 { * shares[n] += * area / 3.0; } } } {} {} } $($rest)*
        }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_area_6ad2dfa60ac8fe35 as area;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _area_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    7697460617368108597,
                > as ::op2::__private::Carries<_>>::Items>::__is(&area)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "area",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 15u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(x, corners[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "write(areas)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(shares, corners[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
            ],
            captured: <<__op2::Site<
                7697460617368108597,
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
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "area_global"),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Atomic), "area_atomic"),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Staged), "area_staged"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "area_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "area_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "area_scatter",
                        ),
                        (__op2::EntryPoint::Gather(2), "area_gather_shares"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "x",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "areas",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "shares",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[2],
                        },
                    ],
                    maps: &["corners"],
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
                                    "area_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "area_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "area_combined",
                                ),
                            ],
                            stages: &[&[0]],
                            kept: &[2],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "shares",
                                    scalar: __op2::RoomScalar::Bytes(8),
                                    lens: &[__op2::Length::Number(3)],
                                },
                            ],
                            flops: 15u32,
                        },
                    ],
                },
            ],
        };
        let over = (triangles,);
        let handle0 = (x,);
        let map0 = (corners,);
        let handle1 = (areas,);
        let handle2 = (shares,);
        let map2 = (corners,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let corners_map = call.map(0, map0.0);
        corners_map.is_required();
        let x_view = call
            .entries(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                corners_map,
                handle0.0,
            );
        let area_view = call
            .direct(
                1,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::f64>,
                handle1.0,
            );
        let shares_view = call
            .entries(
                2,
                __op2::Access::Inc,
                __op2::Of::<::core::primitive::f64>,
                corners_map,
                handle2.0,
            );
        call.one_handle(2, "map", 0, &map0.0, &map2.0);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let corners_map_all_at = corners_map.targets(e);
                            let mut shares_arg = corners_map_all_at
                                .map(|_| shares_view.neutral::<__op2::ByInc>());
                            area(
                                corners_map_all_at.map(|at| x_view.at(at)),
                                area_view.at_mut(e),
                                shares_arg.each_mut(),
                            );
                            for (at, value) in ::core::iter::zip(
                                &corners_map_all_at,
                                &shares_arg,
                            ) {
                                shares_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let corners_map_all_at = corners_map.targets(e);
                            let mut shares_arg = corners_map_all_at
                                .map(|_| shares_view.neutral::<__op2::ByInc>());
                            area(
                                corners_map_all_at.map(|at| x_view.at(at)),
                                area_view.at_mut(e),
                                shares_arg.each_mut(),
                            );
                            for (at, value) in ::core::iter::zip(
                                &corners_map_all_at,
                                &shares_arg,
                            ) {
                                shares_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                },
                general: move |elems, ()| {
                    let shares_arg_sink = elems.sink(2, shares_view);
                    for (position, e) in elems {
                        unsafe {
                            let corners_map_all_at = corners_map.targets(e);
                            let x_arg = corners_map_all_at.map(|at| x_view.load(at));
                            let mut area_arg = area_view.load(e);
                            let mut shares_arg = corners_map_all_at
                                .map(|_| shares_view.neutral::<__op2::ByInc>());
                            area(x_arg.each_ref(), &mut area_arg, shares_arg.each_mut());
                            area_view.store(e, &area_arg);
                            for (entry, (at, value)) in ::core::iter::zip(
                                    &corners_map_all_at,
                                    &shares_arg,
                                )
                                .enumerate()
                            {
                                shares_arg_sink
                                    .combine(__op2::Combine::Inc, position, entry, *at, value);
                            }
                        }
                    }
                },
                stages: move |form, mut elems, size, ()| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn area_stage1of1_1(
                        x_0: [&[::core::primitive::f64; 2]; 3],
                        area_1: &mut ::core::primitive::f64,
                        shares_2: [&mut ::core::primitive::f64; 3],
                    ) {
                        let cross_3: ::core::primitive::f64 = (((*x_0[1])[0]
                            - (*x_0[0])[0]) * ((*x_0[2])[1] - (*x_0[0])[1]))
                            - (((*x_0[2])[0] - (*x_0[0])[0])
                                * ((*x_0[1])[1] - (*x_0[0])[1]));
                        *area_1 = 0.5f64 * ::core::primitive::f64::abs(cross_3);
                        'round0: for n_4 in 0usize..3usize {
                            *shares_2[n_4] += (*area_1) / 3.0f64;
                        }
                    }
                    let places = elems.places().min(size);
                    match form {
                        _ => {
                            let mut shares_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let corners_map_all_at = corners_map.targets(e);
                                        let x_arg = corners_map_all_at.map(|at| x_view.load(at));
                                        let mut area_arg = area_view.load(e);
                                        let mut shares_arg = corners_map_all_at
                                            .map(|_| shares_view.neutral::<__op2::ByInc>());
                                        area_stage1of1_1(
                                            x_arg.each_ref(),
                                            &mut area_arg,
                                            shares_arg.each_mut(),
                                        );
                                        area_view.store(e, &area_arg);
                                        shares_arg_room.put(place, shares_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let corners_map_all_at = corners_map.targets(e);
                                        let shares_arg = shares_arg_room.get(place);
                                        for (at, value) in ::core::iter::zip(
                                            &corners_map_all_at,
                                            &shares_arg,
                                        ) {
                                            shares_view.combine(__op2::Combine::Inc, *at, value);
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
                        corners_map: __op2::MapView<T0, 3, M0>,
                        x_view: __op2::View<[::core::primitive::f64; 2]>,
                        area_view: __op2::View<::core::primitive::f64>,
                        shares_view: __op2::View<::core::primitive::f64>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<T0, M0: __op2::Presence> __op2::Vector for __Lanes<T0, M0> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + 3 * <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + 3 * <::core::primitive::f64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                corners_map,
                                x_view,
                                area_view,
                                shares_view,
                            } = self;
                            let x_view = x_view.in_layout::<SOA>();
                            let area_view = area_view.in_layout::<SOA>();
                            let shares_view = shares_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn area_lanes_0<W: __op2::Width>(
                                w: W,
                                mut x_0: [&[__op2::V<W, ::core::primitive::f64>; 2]; 3],
                                mut area_1: &mut __op2::V<W, ::core::primitive::f64>,
                                mut shares_2: [&mut __op2::V<W, ::core::primitive::f64>; 3],
                            ) {
                                {
                                    let mut cross_3: __op2::V<W, ::core::primitive::f64> = ((((((((*(x_0)[1usize]))[0usize])
                                        - (((*(x_0)[0usize]))[0usize])))
                                        * (((((*(x_0)[2usize]))[1usize])
                                            - (((*(x_0)[0usize]))[1usize])))))
                                        - (((((((*(x_0)[2usize]))[0usize])
                                            - (((*(x_0)[0usize]))[0usize])))
                                            * (((((*(x_0)[1usize]))[1usize])
                                                - (((*(x_0)[0usize]))[1usize]))))));
                                    {
                                        let value = ((__op2::Spread::<W>::spread(0.5f64, w))
                                            * ((cross_3).abs()));
                                        let place = &mut (*area_1);
                                        *place = value;
                                    };
                                    'round0: for mut n_4 in (0usize)..(3usize) {
                                        {
                                            let value = (((*area_1))
                                                / (__op2::Spread::<W>::spread(3.0f64, w)));
                                            let place = &mut (*(shares_2)[n_4]);
                                            *place = ((*place) + (value));
                                        };
                                    }
                                }
                            }
                            let shares_arg_sink = elems.sink(2, shares_view);
                            let area_arg_streams = elems.streams(1);
                            let straight = true & shares_arg_sink.is_straight();
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = corners_map.entries_of(w);
                                    let corners_map_all_at = corners_map
                                        .targets_of(&pack, &mut entries);
                                    let x_arg = __op2::mapped(
                                        corners_map_all_at,
                                        |at| x_view.gather(w, &at),
                                    );
                                    let mut area_arg = area_view.blank(w);
                                    let mut shares_arg = __op2::mapped(
                                        corners_map_all_at,
                                        |_| __op2::Spread::<
                                            W,
                                        >::spread(shares_view.neutral::<__op2::ByInc>(), w),
                                    );
                                    area_lanes_0(
                                        w,
                                        x_arg.each_ref(),
                                        &mut area_arg,
                                        shares_arg.each_mut(),
                                    );
                                    area_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &area_arg,
                                            area_arg_streams,
                                        );
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&corners_map_all_at, w)
                                    {
                                        shares_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Inc,
                                                        &corners_map_all_at,
                                                        &shares_arg,
                                                    ),
                                                    (),
                                                ),
                                            );
                                    } else {
                                        let shares_arg_rows = __op2::mapped(
                                            shares_arg,
                                            |lanes| shares_view.rows_in_memory(w, &lanes),
                                        );
                                        for lane in 0..pack.len() {
                                            for (entry, (at, row)) in ::core::iter::zip(
                                                    &corners_map_all_at,
                                                    &shares_arg_rows,
                                                )
                                                .enumerate()
                                            {
                                                shares_arg_sink
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
                        corners_map: __op2::of_arity(corners_map),
                        x_view: __op2::same(x_view),
                        area_view: __op2::same(area_view),
                        shares_view: __op2::same(shares_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
