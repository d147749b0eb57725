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
fn flow(q: [&[f64; 2]; 2], wall: [&i32; 2], normal: &[f64; 3], res: [&mut f64; 2]) {
    let u = [q[0][1] / q[0][0], q[1][1] / q[1][0]];
    let through = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
        .sqrt();
    let at_wall = *wall[0] == 1 || *wall[1] == 1;
    let flux = if at_wall { 0.0 } else { through * (u[0] + u[1]) };
    *res[0] += flux;
    *res[1] -= flux;
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
            unsafe { ::op2::__private::one_function(&flow, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<10473215836800091455u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_flow_915856506877053f {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 10473215836800091455u64 { fn flow(q : [& [f64; 2]; 2], wall
        : [& i32; 2], normal : & [f64; 3], res : [& mut f64; 2]) { let u = [q[0] [1] /
        q[0] [0], q[1] [1] / q[1] [0]]; let through = (normal[0] * normal[0] + normal[1]
        * normal[1] + normal[2] * normal[2]).sqrt(); let at_wall = * wall[0] == 1 || *
        wall[1] == 1; let flux = if at_wall { 0.0 } else { through * (u[0] + u[1]) }; *
        res[0] += flux; * res[1] -= flux; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_flow_915856506877053f as flow;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<i32, ::core::primitive::i32>();
};
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _flow_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    10473215836800091455,
                > as ::op2::__private::Carries<_>>::Items>::__is(&flow)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "flow",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 12u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(q, ends[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "read(wall, ends[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "read(normal)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(res, ends[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
            ],
            captured: <<__op2::Site<
                10473215836800091455,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 2,
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
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "flow_global"),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Atomic), "flow_atomic"),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Staged), "flow_staged"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "flow_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "flow_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "flow_scatter",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::PerTarget),
                            "flow_per_target",
                        ),
                        (__op2::EntryPoint::Gather(3), "flow_gather_res"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "q",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "wall",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "normal",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[2],
                        },
                        __op2::ViewDesc {
                            name: "res",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[3],
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
                            stored: &[
                                __op2::StoredDesc {
                                    at: 0,
                                    turned: false,
                                },
                                __op2::StoredDesc {
                                    at: 0,
                                    turned: true,
                                },
                            ],
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
                                    "flow_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "flow_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "flow_combined",
                                ),
                            ],
                            stages: &[&[0, 1]],
                            kept: &[3],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "res",
                                    scalar: __op2::RoomScalar::Bytes(8),
                                    lens: &[__op2::Length::Number(2)],
                                },
                            ],
                            flops: 12u32,
                        },
                        __op2::FormDesc {
                            text: "as in stages2.cu",
                            kernels: &[
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                    "flow_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "flow_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "flow_combined",
                                ),
                            ],
                            stages: &[&[1], &[0]],
                            kept: &[3],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "res",
                                    scalar: __op2::RoomScalar::Bytes(8),
                                    lens: &[__op2::Length::Number(2)],
                                },
                                __op2::RoomDesc {
                                    name: "at_wall",
                                    scalar: __op2::RoomScalar::Bytes(1),
                                    lens: &[],
                                },
                            ],
                            flops: 12u32,
                        },
                    ],
                },
            ],
        };
        let over = (edges,);
        let handle0 = (q,);
        let map0 = (ends,);
        let handle1 = (wall,);
        let map1 = (ends,);
        let handle2 = (normal,);
        let handle3 = (res,);
        let map3 = (ends,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let ends_map = call.map(0, map0.0);
        ends_map.is_required();
        ends_map.is_required();
        let q_view = call
            .entries(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                ends_map,
                handle0.0,
            );
        let wall_view = call
            .entries(
                1,
                __op2::Access::Read,
                __op2::Of::<::core::primitive::i32>,
                ends_map,
                handle1.0,
            );
        let normal_view = call
            .direct(
                2,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 3]>,
                handle2.0,
            );
        let res_view = call
            .entries(
                3,
                __op2::Access::Inc,
                __op2::Of::<::core::primitive::f64>,
                ends_map,
                handle3.0,
            );
        call.one_handle(1, "map", 0, &map0.0, &map1.0);
        call.one_handle(3, "map", 0, &map0.0, &map3.0);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let mut res_arg = ends_map_all_at
                                .map(|_| res_view.neutral::<__op2::ByInc>());
                            flow(
                                ends_map_all_at.map(|at| q_view.at(at)),
                                ends_map_all_at.map(|at| wall_view.at(at)),
                                normal_view.at(e),
                                res_arg.each_mut(),
                            );
                            for (at, value) in ::core::iter::zip(
                                &ends_map_all_at,
                                &res_arg,
                            ) {
                                res_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let mut res_arg = ends_map_all_at
                                .map(|_| res_view.neutral::<__op2::ByInc>());
                            flow(
                                ends_map_all_at.map(|at| q_view.at(at)),
                                ends_map_all_at.map(|at| wall_view.at(at)),
                                normal_view.at(e),
                                res_arg.each_mut(),
                            );
                            for (at, value) in ::core::iter::zip(
                                &ends_map_all_at,
                                &res_arg,
                            ) {
                                res_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                },
                general: move |elems, ()| {
                    let res_arg_sink = elems.sink(3, res_view);
                    for (position, e) in elems {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let q_arg = ends_map_all_at.map(|at| q_view.load(at));
                            let wall_arg = ends_map_all_at.map(|at| wall_view.load(at));
                            let normal_arg = normal_view.load(e);
                            let mut res_arg = ends_map_all_at
                                .map(|_| res_view.neutral::<__op2::ByInc>());
                            flow(
                                q_arg.each_ref(),
                                wall_arg.each_ref(),
                                &normal_arg,
                                res_arg.each_mut(),
                            );
                            for (entry, (at, value)) in ::core::iter::zip(
                                    &ends_map_all_at,
                                    &res_arg,
                                )
                                .enumerate()
                            {
                                res_arg_sink
                                    .combine(__op2::Combine::Inc, position, entry, *at, value);
                            }
                        }
                    }
                },
                stages: move |form, mut elems, size, ()| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn flow_stage1of1_1(
                        q_0: [&[::core::primitive::f64; 2]; 2],
                        wall_1: [&::core::primitive::i32; 2],
                        normal_2: &[::core::primitive::f64; 3],
                        res_3: [&mut ::core::primitive::f64; 2],
                    ) {
                        let u_4: [::core::primitive::f64; 2] = [
                            (*q_0[0])[1] / (*q_0[0])[0],
                            (*q_0[1])[1] / (*q_0[1])[0],
                        ];
                        let through_5: ::core::primitive::f64 = ::core::primitive::f64::sqrt(
                            (((*normal_2)[0] * (*normal_2)[0])
                                + ((*normal_2)[1] * (*normal_2)[1]))
                                + ((*normal_2)[2] * (*normal_2)[2]),
                        );
                        let at_wall_6: ::core::primitive::bool = ((*wall_1[0]) == 1i32)
                            || ((*wall_1[1]) == 1i32);
                        let flux_7: ::core::primitive::f64 = if at_wall_6 {
                            0.0f64
                        } else {
                            through_5 * (u_4[0] + u_4[1])
                        };
                        *res_3[0] += flux_7;
                        *res_3[1] -= flux_7;
                    }
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn flow_stage1of2_2(
                        wall_1: [&::core::primitive::i32; 2],
                        at_wall_kept_8: &mut ::core::primitive::bool,
                    ) {
                        let at_wall_6: ::core::primitive::bool = ((*wall_1[0]) == 1i32)
                            || ((*wall_1[1]) == 1i32);
                        *at_wall_kept_8 = at_wall_6;
                    }
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn flow_stage2of2_3(
                        q_0: [&[::core::primitive::f64; 2]; 2],
                        normal_2: &[::core::primitive::f64; 3],
                        res_3: [&mut ::core::primitive::f64; 2],
                        at_wall_kept_8: &::core::primitive::bool,
                    ) {
                        let u_4: [::core::primitive::f64; 2] = [
                            (*q_0[0])[1] / (*q_0[0])[0],
                            (*q_0[1])[1] / (*q_0[1])[0],
                        ];
                        let through_5: ::core::primitive::f64 = ::core::primitive::f64::sqrt(
                            (((*normal_2)[0] * (*normal_2)[0])
                                + ((*normal_2)[1] * (*normal_2)[1]))
                                + ((*normal_2)[2] * (*normal_2)[2]),
                        );
                        let at_wall_6: ::core::primitive::bool = *at_wall_kept_8;
                        let flux_7: ::core::primitive::f64 = if at_wall_6 {
                            0.0f64
                        } else {
                            through_5 * (u_4[0] + u_4[1])
                        };
                        *res_3[0] += flux_7;
                        *res_3[1] -= flux_7;
                    }
                    let places = elems.places().min(size);
                    match form {
                        0 => {
                            let mut res_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let q_arg = ends_map_all_at.map(|at| q_view.load(at));
                                        let wall_arg = ends_map_all_at.map(|at| wall_view.load(at));
                                        let normal_arg = normal_view.load(e);
                                        let mut res_arg = ends_map_all_at
                                            .map(|_| res_view.neutral::<__op2::ByInc>());
                                        flow_stage1of1_1(
                                            q_arg.each_ref(),
                                            wall_arg.each_ref(),
                                            &normal_arg,
                                            res_arg.each_mut(),
                                        );
                                        res_arg_room.put(place, res_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let res_arg = res_arg_room.get(place);
                                        for (at, value) in ::core::iter::zip(
                                            &ends_map_all_at,
                                            &res_arg,
                                        ) {
                                            res_view.combine(__op2::Combine::Inc, *at, value);
                                        }
                                    }
                                }
                            }
                        }
                        _ => {
                            let mut res_arg_room = __op2::Room::new(places);
                            let mut left0_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let wall_arg = ends_map_all_at.map(|at| wall_view.load(at));
                                        let mut left0 = false;
                                        flow_stage1of2_2(wall_arg.each_ref(), &mut left0);
                                        left0_room.put(place, left0);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let q_arg = ends_map_all_at.map(|at| q_view.load(at));
                                        let normal_arg = normal_view.load(e);
                                        let mut res_arg = ends_map_all_at
                                            .map(|_| res_view.neutral::<__op2::ByInc>());
                                        let left0 = left0_room.get(place);
                                        flow_stage2of2_3(
                                            q_arg.each_ref(),
                                            &normal_arg,
                                            res_arg.each_mut(),
                                            &left0,
                                        );
                                        res_arg_room.put(place, res_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let res_arg = res_arg_room.get(place);
                                        for (at, value) in ::core::iter::zip(
                                            &ends_map_all_at,
                                            &res_arg,
                                        ) {
                                            res_view.combine(__op2::Combine::Inc, *at, value);
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
                        ends_map: __op2::MapView<T0, 2, M0>,
                        q_view: __op2::View<[::core::primitive::f64; 2]>,
                        wall_view: __op2::View<::core::primitive::i32>,
                        normal_view: __op2::View<[::core::primitive::f64; 3]>,
                        res_view: __op2::View<::core::primitive::f64>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<T0, M0: __op2::Presence> __op2::Vector for __Lanes<T0, M0> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + 2 * <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            + 2 * <::core::primitive::i32 as __op2::Value>::DIM
                            + <[::core::primitive::f64; 3] as __op2::Value>::DIM
                            + 2 * <::core::primitive::f64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                ends_map,
                                q_view,
                                wall_view,
                                normal_view,
                                res_view,
                            } = self;
                            let q_view = q_view.in_layout::<SOA>();
                            let wall_view = wall_view.in_layout::<SOA>();
                            let normal_view = normal_view.in_layout::<SOA>();
                            let res_view = res_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn flow_lanes_0<W: __op2::Width>(
                                w: W,
                                mut q_0: [&[__op2::V<W, ::core::primitive::f64>; 2]; 2],
                                mut wall_1: [&__op2::V<W, ::core::primitive::i32>; 2],
                                mut normal_2: &[__op2::V<W, ::core::primitive::f64>; 3],
                                mut res_3: [&mut __op2::V<W, ::core::primitive::f64>; 2],
                            ) {
                                {
                                    let mut u_4: [__op2::V<W, ::core::primitive::f64>; 2] = [
                                        ((((*(q_0)[0usize]))[1usize])
                                            / (((*(q_0)[0usize]))[0usize])),
                                        ((((*(q_0)[1usize]))[1usize])
                                            / (((*(q_0)[1usize]))[0usize])),
                                    ];
                                    let mut through_5: __op2::V<W, ::core::primitive::f64> = (((((((((*normal_2))[0usize])
                                        * (((*normal_2))[0usize])))
                                        + (((((*normal_2))[1usize]) * (((*normal_2))[1usize])))))
                                        + (((((*normal_2))[2usize]) * (((*normal_2))[2usize])))))
                                        .sqrt();
                                    let mut at_wall_6: __op2::Mask<W> = {
                                        let left = ((*(wall_1)[0usize]))
                                            .equals(__op2::Spread::<W>::spread(1i32, w));
                                        let mut mask1 = !left;
                                        left
                                            | ((*(wall_1)[1usize]))
                                                .equals(__op2::Spread::<W>::spread(1i32, w))
                                    };
                                    let mut flux_7: __op2::V<W, ::core::primitive::f64> = {
                                        let cond = at_wall_6;
                                        let mut mask2 = cond;
                                        let mut mask3 = !cond;
                                        let yes = { __op2::Spread::<W>::spread(0.0f64, w) };
                                        let no = {
                                            ((through_5) * ((((u_4)[0usize]) + ((u_4)[1usize]))))
                                        };
                                        __op2::Lanes::<W>::select(cond, yes, no)
                                    };
                                    {
                                        let value = flux_7;
                                        let place = &mut (*(res_3)[0usize]);
                                        *place = ((*place) + (value));
                                    };
                                    {
                                        let value = flux_7;
                                        let place = &mut (*(res_3)[1usize]);
                                        *place = ((*place) - (value));
                                    };
                                }
                            }
                            let res_arg_sink = elems.sink(3, res_view);
                            let straight = true & res_arg_sink.is_straight();
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = ends_map.entries_of(w);
                                    let ends_map_all_at = ends_map
                                        .targets_of(&pack, &mut entries);
                                    let q_arg = __op2::mapped(
                                        ends_map_all_at,
                                        |at| q_view.gather(w, &at),
                                    );
                                    let wall_arg = __op2::mapped(
                                        ends_map_all_at,
                                        |at| wall_view.gather(w, &at),
                                    );
                                    let normal_arg = normal_view.gather(w, &pack.direct());
                                    let mut res_arg = __op2::mapped(
                                        ends_map_all_at,
                                        |_| __op2::Spread::<
                                            W,
                                        >::spread(res_view.neutral::<__op2::ByInc>(), w),
                                    );
                                    flow_lanes_0(
                                        w,
                                        q_arg.each_ref(),
                                        wall_arg.each_ref(),
                                        &normal_arg,
                                        res_arg.each_mut(),
                                    );
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&ends_map_all_at, w)
                                    {
                                        res_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                            __op2::Combine::Inc,
                                                            &ends_map_all_at,
                                                            &res_arg,
                                                        )
                                                        .turned([false, true]),
                                                    (),
                                                ),
                                            );
                                    } else {
                                        let res_arg_rows = __op2::mapped(
                                            res_arg,
                                            |lanes| res_view.rows_in_memory(w, &lanes),
                                        );
                                        for lane in 0..pack.len() {
                                            for (entry, (at, row)) in ::core::iter::zip(
                                                    &ends_map_all_at,
                                                    &res_arg_rows,
                                                )
                                                .enumerate()
                                            {
                                                res_arg_sink
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
                        ends_map: __op2::of_arity(ends_map),
                        q_view: __op2::same(q_view),
                        wall_view: __op2::same(wall_view),
                        normal_view: __op2::same(normal_view),
                        res_view: __op2::same(res_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
