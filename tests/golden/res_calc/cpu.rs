const EPS: f64 = 0.05;
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
fn pressure(q: [f64; 4]) -> f64 {
    let ri = 1.0 / q[0];
    0.4 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]))
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
            unsafe { ::op2::__private::one_function(&pressure, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<1203994843569147149u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_pressure_10b572ee62574d0d {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 1203994843569147149u64 { fn pressure(q : [f64; 4]) -> f64
        { let ri = 1.0 / q[0]; 0.4 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2])) } }
        {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_pressure_10b572ee62574d0d as pressure;
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
fn res_calc(
    x1: &[f64; 2],
    x2: &[f64; 2],
    q1: &[f64; 4],
    q2: &[f64; 4],
    adt1: &f64,
    adt2: &f64,
    res1: &mut [f64; 4],
    res2: &mut [f64; 4],
) {
    let (dx, dy) = (x1[0] - x2[0], x1[1] - x2[1]);
    let p = pressure(*q1) + pressure(*q2);
    let mu = 0.5 * (*adt1 + *adt2) * EPS;
    let flux = [mu * (q1[0] - q2[0]), p * dy, -p * dx, 0.0];
    for n in 0..4 {
        res1[n] += flux[n];
        res2[n] -= flux[n];
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
            own: &[
                &::op2::__private::Fixed {
                    name: "EPS",
                    value: EPS,
                },
            ],
            callees: &[
                <<::op2::__private::Site<
                    1203994843569147149,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
            ],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&res_calc, given) }
        }
        #[doc(hidden)]
        #[inline(always)]
        pub fn __const_0() -> &'static ::core::primitive::f64 {
            &EPS
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<9843317001718158088u64> {
        type Items = __Op2Carrier;
    }
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _pressure_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            1203994843569147149,
        > as ::op2::__private::Carries<_>>::Items>::__is(&pressure)
    };
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_res_calc_889a7ca932f95308 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 9843317001718158088u64 { fn res_calc(x1 : & [f64; 2], x2 : &
        [f64; 2], q1 : & [f64; 4], q2 : & [f64; 4], adt1 : & f64, adt2 : & f64, res1 : &
        mut [f64; 4], res2 : & mut [f64; 4],) { let (dx, dy) = (x1[0] - x2[0], x1[1] -
        x2[1]); let p = pressure(* q1) + pressure(* q2); let mu = 0.5 * (* adt1 + * adt2)
        * EPS; let flux = [mu * (q1[0] - q2[0]), p * dy, - p * dx, 0.0]; for n in 0..4 {
        res1[n] += flux[n]; res2[n] -= flux[n]; } } } { [pressure] {
        1203994843569147149u64 { fn pressure(q : [f64; 4]) -> f64 { let ri = 1.0 / q[0];
        0.4 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2])) } } {} {} } } {} }
        $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_res_calc_889a7ca932f95308 as res_calc;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
impl Airfoil {
    fn run(&mut self) -> op2::Result<()> {
        {
            use ::op2::__private as __op2;
            #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
            const _: () = {
                const _res_calc_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                    <<::op2::__private::Site<
                        9843317001718158088,
                    > as ::op2::__private::Carries<_>>::Items>::__is(&res_calc)
                };
            };
            static __DESC: __op2::LoopDesc = __op2::LoopDesc {
                kernel: "res_calc",
                file: ::core::file!(),
                line: ::core::line!(),
                flops: 35u32,
                args: &[
                    __op2::ArgDesc {
                        text: "read(self.x, self.pedge[0])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                        optional: false,
                        target: ::core::option::Option::Some(0),
                    },
                    __op2::ArgDesc {
                        text: "read(self.x, self.pedge[1])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                        optional: false,
                        target: ::core::option::Option::Some(1),
                    },
                    __op2::ArgDesc {
                        text: "read(self.q, self.pecell[0])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                        optional: false,
                        target: ::core::option::Option::Some(2),
                    },
                    __op2::ArgDesc {
                        text: "read(self.q, self.pecell[1])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                        optional: false,
                        target: ::core::option::Option::Some(3),
                    },
                    __op2::ArgDesc {
                        text: "read(self.adt, self.pecell[0])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                        optional: false,
                        target: ::core::option::Option::Some(2),
                    },
                    __op2::ArgDesc {
                        text: "read(self.adt, self.pecell[1])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                        optional: false,
                        target: ::core::option::Option::Some(3),
                    },
                    __op2::ArgDesc {
                        text: "inc(self.res, self.pecell[0])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Inc),
                        optional: false,
                        target: ::core::option::Option::Some(2),
                    },
                    __op2::ArgDesc {
                        text: "inc(self.res, self.pecell[1])",
                        kind: __op2::ArgKind::Indirect(__op2::Access::Inc),
                        optional: false,
                        target: ::core::option::Option::Some(3),
                    },
                ],
                captured: <<__op2::Site<
                    9843317001718158088,
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
                            (
                                __op2::EntryPoint::Loop(__op2::Wrapper::Global),
                                "res_calc_global",
                            ),
                            (
                                __op2::EntryPoint::Loop(__op2::Wrapper::Atomic),
                                "res_calc_atomic",
                            ),
                            (
                                __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                "res_calc_staged",
                            ),
                            (
                                __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                "res_calc_combined",
                            ),
                            (
                                __op2::EntryPoint::Loop(__op2::Wrapper::Tiled),
                                "res_calc_tiled",
                            ),
                            (
                                __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                                "res_calc_scatter",
                            ),
                            (
                                __op2::EntryPoint::Loop(__op2::Wrapper::PerTarget),
                                "res_calc_per_target",
                            ),
                            (__op2::EntryPoint::Gather(3), "res_calc_gather_res"),
                        ],
                        views: &[
                            __op2::ViewDesc {
                                name: "x",
                                optional: false,
                                cover: ::core::option::Option::Some(0),
                                args: &[0, 1],
                            },
                            __op2::ViewDesc {
                                name: "q",
                                optional: false,
                                cover: ::core::option::Option::Some(1),
                                args: &[2, 3],
                            },
                            __op2::ViewDesc {
                                name: "adt",
                                optional: false,
                                cover: ::core::option::Option::Some(1),
                                args: &[4, 5],
                            },
                            __op2::ViewDesc {
                                name: "res",
                                optional: false,
                                cover: ::core::option::Option::Some(1),
                                args: &[6, 7],
                            },
                        ],
                        maps: &["pedge", "pecell"],
                        targets: &[
                            __op2::TargetDesc {
                                map: 0,
                                computed: false,
                            },
                            __op2::TargetDesc {
                                map: 0,
                                computed: false,
                            },
                            __op2::TargetDesc {
                                map: 1,
                                computed: false,
                            },
                            __op2::TargetDesc {
                                map: 1,
                                computed: false,
                            },
                        ],
                        covers: &[
                            __op2::CoverDesc {
                                targets: &[0, 1],
                                stored: &[],
                            },
                            __op2::CoverDesc {
                                targets: &[2, 3],
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
                        consts: &[
                            __op2::ConstDesc {
                                name: "EPS",
                                way: &[],
                                own: 0,
                            },
                        ],
                        forms: &[
                            __op2::FormDesc {
                                text: "as in stages1.cu",
                                kernels: &[
                                    (
                                        __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                        "res_calc_staged",
                                    ),
                                    (
                                        __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                        "res_calc_staged_atomic",
                                    ),
                                    (
                                        __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                        "res_calc_combined",
                                    ),
                                ],
                                stages: &[&[0, 1, 2]],
                                kept: &[6, 7],
                                alone: 2,
                                rooms: &[
                                    __op2::RoomDesc {
                                        name: "res1",
                                        scalar: __op2::RoomScalar::Bytes(8),
                                        lens: &[__op2::Length::Number(4)],
                                    },
                                    __op2::RoomDesc {
                                        name: "res2",
                                        scalar: __op2::RoomScalar::Bytes(8),
                                        lens: &[__op2::Length::Number(4)],
                                    },
                                ],
                                flops: 35u32,
                            },
                            __op2::FormDesc {
                                text: "as in stages2.cu",
                                kernels: &[
                                    (
                                        __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                        "res_calc_staged",
                                    ),
                                    (
                                        __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                        "res_calc_staged_atomic",
                                    ),
                                    (
                                        __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                        "res_calc_combined",
                                    ),
                                ],
                                stages: &[&[1], &[0, 2]],
                                kept: &[6, 7],
                                alone: 2,
                                rooms: &[
                                    __op2::RoomDesc {
                                        name: "res1",
                                        scalar: __op2::RoomScalar::Bytes(8),
                                        lens: &[__op2::Length::Number(4)],
                                    },
                                    __op2::RoomDesc {
                                        name: "res2",
                                        scalar: __op2::RoomScalar::Bytes(8),
                                        lens: &[__op2::Length::Number(4)],
                                    },
                                    __op2::RoomDesc {
                                        name: "p",
                                        scalar: __op2::RoomScalar::Bytes(8),
                                        lens: &[],
                                    },
                                    __op2::RoomDesc {
                                        name: "part14",
                                        scalar: __op2::RoomScalar::Bytes(8),
                                        lens: &[],
                                    },
                                ],
                                flops: 35u32,
                            },
                        ],
                    },
                ],
            };
            let over = (self.edges,);
            let handle0 = (self.x,);
            let map0 = (self.pedge,);
            let handle1 = (self.x,);
            let map1 = (self.pedge,);
            let handle2 = (self.q,);
            let map2 = (self.pecell,);
            let handle3 = (self.q,);
            let map3 = (self.pecell,);
            let handle4 = (self.adt,);
            let map4 = (self.pecell,);
            let handle5 = (self.adt,);
            let map5 = (self.pecell,);
            let handle6 = (self.res,);
            let map6 = (self.pecell,);
            let handle7 = (self.res,);
            let map7 = (self.pecell,);
            #[allow(unused_mut)]
            let mut call = (self.op).__call(&__DESC, over.0);
            let pedge_map = call.map(0, map0.0);
            let pecell_map = call.map(2, map2.0);
            pedge_map.is_required();
            pedge_map.is_required();
            pecell_map.is_required();
            pecell_map.is_required();
            pecell_map.is_required();
            pecell_map.is_required();
            pedge_map.has_entry::<0>();
            pedge_map.has_entry::<1>();
            pecell_map.has_entry::<0>();
            pecell_map.has_entry::<1>();
            let x1_view = call
                .entry(
                    0,
                    __op2::Access::Read,
                    __op2::Of::<[::core::primitive::f64; 2]>,
                    pedge_map,
                    0,
                    handle0.0,
                );
            call.entry(
                1,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                pedge_map,
                1,
                handle1.0,
            );
            let q1_view = call
                .entry(
                    2,
                    __op2::Access::Read,
                    __op2::Of::<[::core::primitive::f64; 4]>,
                    pecell_map,
                    0,
                    handle2.0,
                );
            call.entry(
                3,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 4]>,
                pecell_map,
                1,
                handle3.0,
            );
            let adt1_view = call
                .entry(
                    4,
                    __op2::Access::Read,
                    __op2::Of::<::core::primitive::f64>,
                    pecell_map,
                    0,
                    handle4.0,
                );
            call.entry(
                5,
                __op2::Access::Read,
                __op2::Of::<::core::primitive::f64>,
                pecell_map,
                1,
                handle5.0,
            );
            let res1_view = call
                .entry(
                    6,
                    __op2::Access::Inc,
                    __op2::Of::<[::core::primitive::f64; 4]>,
                    pecell_map,
                    0,
                    handle6.0,
                );
            call.entry(
                7,
                __op2::Access::Inc,
                __op2::Of::<[::core::primitive::f64; 4]>,
                pecell_map,
                1,
                handle7.0,
            );
            call.one_handle(1, "dat", 0, &handle0.0, &handle1.0);
            call.one_handle(1, "map", 0, &map0.0, &map1.0);
            call.one_handle(3, "dat", 2, &handle2.0, &handle3.0);
            call.one_handle(3, "map", 2, &map2.0, &map3.0);
            call.one_handle(4, "map", 2, &map2.0, &map4.0);
            call.one_handle(5, "dat", 4, &handle4.0, &handle5.0);
            call.one_handle(5, "map", 2, &map2.0, &map5.0);
            call.one_handle(6, "map", 2, &map2.0, &map6.0);
            call.one_handle(7, "dat", 6, &handle6.0, &handle7.0);
            call.one_handle(7, "map", 2, &map2.0, &map7.0);
            #[allow(clippy::undocumented_unsafe_blocks)]
            let outcome = call
                .run(__op2::Bodies {
                    start: move || (),
                    fast: move |elems, ()| {
                        for e in elems {
                            unsafe {
                                let pedge_map_0_at = pedge_map.target(e, 0);
                                let pedge_map_1_at = pedge_map.target(e, 1);
                                let pecell_map_0_at = pecell_map.target(e, 0);
                                let pecell_map_1_at = pecell_map.target(e, 1);
                                let mut res1_arg = res1_view.neutral::<__op2::ByInc>();
                                let mut res2_arg = res1_view.neutral::<__op2::ByInc>();
                                res_calc(
                                    x1_view.at(pedge_map_0_at),
                                    x1_view.at(pedge_map_1_at),
                                    q1_view.at(pecell_map_0_at),
                                    q1_view.at(pecell_map_1_at),
                                    adt1_view.at(pecell_map_0_at),
                                    adt1_view.at(pecell_map_1_at),
                                    &mut res1_arg,
                                    &mut res2_arg,
                                );
                                res1_view
                                    .combine_at(
                                        __op2::Combine::Inc,
                                        pecell_map_0_at,
                                        &res1_arg,
                                    );
                                res1_view
                                    .combine_at(
                                        __op2::Combine::Inc,
                                        pecell_map_1_at,
                                        &res2_arg,
                                    );
                            }
                        }
                    },
                    listed: move |elems, ()| {
                        for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                            unsafe {
                                let pedge_map_0_at = pedge_map.target(e, 0);
                                let pedge_map_1_at = pedge_map.target(e, 1);
                                let pecell_map_0_at = pecell_map.target(e, 0);
                                let pecell_map_1_at = pecell_map.target(e, 1);
                                let mut res1_arg = res1_view.neutral::<__op2::ByInc>();
                                let mut res2_arg = res1_view.neutral::<__op2::ByInc>();
                                res_calc(
                                    x1_view.at(pedge_map_0_at),
                                    x1_view.at(pedge_map_1_at),
                                    q1_view.at(pecell_map_0_at),
                                    q1_view.at(pecell_map_1_at),
                                    adt1_view.at(pecell_map_0_at),
                                    adt1_view.at(pecell_map_1_at),
                                    &mut res1_arg,
                                    &mut res2_arg,
                                );
                                res1_view
                                    .combine_at(
                                        __op2::Combine::Inc,
                                        pecell_map_0_at,
                                        &res1_arg,
                                    );
                                res1_view
                                    .combine_at(
                                        __op2::Combine::Inc,
                                        pecell_map_1_at,
                                        &res2_arg,
                                    );
                            }
                        }
                    },
                    general: move |elems, ()| {
                        let res1_arg_sink = elems.sink(6, res1_view);
                        let res2_arg_sink = elems.sink(7, res1_view);
                        for (position, e) in elems {
                            unsafe {
                                let pedge_map_0_at = pedge_map.target(e, 0);
                                let pedge_map_1_at = pedge_map.target(e, 1);
                                let pecell_map_0_at = pecell_map.target(e, 0);
                                let pecell_map_1_at = pecell_map.target(e, 1);
                                let x1_arg = x1_view.load(pedge_map_0_at);
                                let x2_arg = x1_view.load(pedge_map_1_at);
                                let q1_arg = q1_view.load(pecell_map_0_at);
                                let q2_arg = q1_view.load(pecell_map_1_at);
                                let adt1_arg = adt1_view.load(pecell_map_0_at);
                                let adt2_arg = adt1_view.load(pecell_map_1_at);
                                let mut res1_arg = res1_view.neutral::<__op2::ByInc>();
                                let mut res2_arg = res1_view.neutral::<__op2::ByInc>();
                                res_calc(
                                    &x1_arg,
                                    &x2_arg,
                                    &q1_arg,
                                    &q2_arg,
                                    &adt1_arg,
                                    &adt2_arg,
                                    &mut res1_arg,
                                    &mut res2_arg,
                                );
                                res1_arg_sink
                                    .combine(
                                        __op2::Combine::Inc,
                                        position,
                                        0,
                                        pecell_map_0_at,
                                        &res1_arg,
                                    );
                                res2_arg_sink
                                    .combine(
                                        __op2::Combine::Inc,
                                        position,
                                        0,
                                        pecell_map_1_at,
                                        &res2_arg,
                                    );
                            }
                        }
                    },
                    stages: move |form, mut elems, size, ()| {
                        #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                        #[inline(always)]
                        fn pressure_1(
                            q_0: [::core::primitive::f64; 4],
                        ) -> ::core::primitive::f64 {
                            let ri_1: ::core::primitive::f64 = 1.0f64 / q_0[0];
                            0.4f64
                                * (q_0[3]
                                    - ((0.5f64 * ri_1)
                                        * ((q_0[1] * q_0[1]) + (q_0[2] * q_0[2]))))
                        }
                        #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                        #[inline(always)]
                        fn res_calc_stage1of1_2(
                            x1_0: &[::core::primitive::f64; 2],
                            x2_1: &[::core::primitive::f64; 2],
                            q1_2: &[::core::primitive::f64; 4],
                            q2_3: &[::core::primitive::f64; 4],
                            adt1_4: &::core::primitive::f64,
                            adt2_5: &::core::primitive::f64,
                            res1_6: &mut [::core::primitive::f64; 4],
                            res2_7: &mut [::core::primitive::f64; 4],
                        ) {
                            let (dx_8, dy_9) = (
                                (*x1_0)[0] - (*x2_1)[0],
                                (*x1_0)[1] - (*x2_1)[1],
                            );
                            let p_10: ::core::primitive::f64 = pressure_1(*q1_2)
                                + pressure_1(*q2_3);
                            let mu_11: ::core::primitive::f64 = (0.5f64
                                * ((*adt1_4) + (*adt2_5)))
                                * (*<<__op2::Site<
                                    9843317001718158088,
                                > as __op2::Carries<_>>::Items>::__const_0());
                            let flux_12: [::core::primitive::f64; 4] = [
                                mu_11 * ((*q1_2)[0] - (*q2_3)[0]),
                                p_10 * dy_9,
                                (-p_10) * dx_8,
                                0.0f64,
                            ];
                            'round0: for n_13 in 0usize..4usize {
                                (*res1_6)[n_13] += flux_12[n_13];
                                (*res2_7)[n_13] -= flux_12[n_13];
                            }
                        }
                        #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                        #[inline(always)]
                        fn res_calc_stage1of2_3(
                            q1_2: &[::core::primitive::f64; 4],
                            q2_3: &[::core::primitive::f64; 4],
                            p_kept_19: &mut ::core::primitive::f64,
                            part14_kept_20: &mut ::core::primitive::f64,
                        ) {
                            let p_10: ::core::primitive::f64 = pressure_1(*q1_2)
                                + pressure_1(*q2_3);
                            *p_kept_19 = p_10;
                            let part14_14: ::core::primitive::f64 = (*q1_2)[0]
                                - (*q2_3)[0];
                            *part14_kept_20 = part14_14;
                        }
                        #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                        #[inline(always)]
                        fn res_calc_stage2of2_4(
                            x1_0: &[::core::primitive::f64; 2],
                            x2_1: &[::core::primitive::f64; 2],
                            adt1_4: &::core::primitive::f64,
                            adt2_5: &::core::primitive::f64,
                            res1_6: &mut [::core::primitive::f64; 4],
                            res2_7: &mut [::core::primitive::f64; 4],
                            p_kept_19: &::core::primitive::f64,
                            part14_kept_20: &::core::primitive::f64,
                        ) {
                            let dx_8: ::core::primitive::f64 = (*x1_0)[0] - (*x2_1)[0];
                            let dy_9: ::core::primitive::f64 = (*x1_0)[1] - (*x2_1)[1];
                            let p_10: ::core::primitive::f64 = *p_kept_19;
                            let mu_11: ::core::primitive::f64 = (0.5f64
                                * ((*adt1_4) + (*adt2_5)))
                                * (*<<__op2::Site<
                                    9843317001718158088,
                                > as __op2::Carries<_>>::Items>::__const_0());
                            let part14_14: ::core::primitive::f64 = *part14_kept_20;
                            let part15_15: ::core::primitive::f64 = mu_11 * part14_14;
                            let part16_16: ::core::primitive::f64 = p_10 * dy_9;
                            let part17_17: ::core::primitive::f64 = -p_10;
                            let part18_18: ::core::primitive::f64 = part17_17 * dx_8;
                            let flux_12: [::core::primitive::f64; 4] = [
                                part15_15,
                                part16_16,
                                part18_18,
                                0.0f64,
                            ];
                            'round0: for n_13 in 0usize..4usize {
                                (*res1_6)[n_13] += flux_12[n_13];
                                (*res2_7)[n_13] -= flux_12[n_13];
                            }
                        }
                        let places = elems.places().min(size);
                        match form {
                            0 => {
                                let mut res1_arg_room = __op2::Room::new(places);
                                let mut res2_arg_room = __op2::Room::new(places);
                                while let ::core::option::Option::Some(elems) = elems
                                    .take_first(size)
                                {
                                    for (place, (_, e)) in elems.clone().enumerate() {
                                        unsafe {
                                            let pedge_map_0_at = pedge_map.target(e, 0);
                                            let pedge_map_1_at = pedge_map.target(e, 1);
                                            let pecell_map_0_at = pecell_map.target(e, 0);
                                            let pecell_map_1_at = pecell_map.target(e, 1);
                                            let x1_arg = x1_view.load(pedge_map_0_at);
                                            let x2_arg = x1_view.load(pedge_map_1_at);
                                            let q1_arg = q1_view.load(pecell_map_0_at);
                                            let q2_arg = q1_view.load(pecell_map_1_at);
                                            let adt1_arg = adt1_view.load(pecell_map_0_at);
                                            let adt2_arg = adt1_view.load(pecell_map_1_at);
                                            let mut res1_arg = res1_view.neutral::<__op2::ByInc>();
                                            let mut res2_arg = res1_view.neutral::<__op2::ByInc>();
                                            res_calc_stage1of1_2(
                                                &x1_arg,
                                                &x2_arg,
                                                &q1_arg,
                                                &q2_arg,
                                                &adt1_arg,
                                                &adt2_arg,
                                                &mut res1_arg,
                                                &mut res2_arg,
                                            );
                                            res1_arg_room.put(place, res1_arg);
                                            res2_arg_room.put(place, res2_arg);
                                        }
                                    }
                                    for (place, (_, e)) in elems.clone().enumerate() {
                                        unsafe {
                                            let pecell_map_0_at = pecell_map.target(e, 0);
                                            let pecell_map_1_at = pecell_map.target(e, 1);
                                            let res1_arg = res1_arg_room.get(place);
                                            res1_view
                                                .combine(__op2::Combine::Inc, pecell_map_0_at, &res1_arg);
                                            let res2_arg = res2_arg_room.get(place);
                                            res1_view
                                                .combine(__op2::Combine::Inc, pecell_map_1_at, &res2_arg);
                                        }
                                    }
                                }
                            }
                            _ => {
                                let mut res1_arg_room = __op2::Room::new(places);
                                let mut res2_arg_room = __op2::Room::new(places);
                                let mut left0_room = __op2::Room::new(places);
                                let mut left1_room = __op2::Room::new(places);
                                while let ::core::option::Option::Some(elems) = elems
                                    .take_first(size)
                                {
                                    for (place, (_, e)) in elems.clone().enumerate() {
                                        unsafe {
                                            let pecell_map_0_at = pecell_map.target(e, 0);
                                            let pecell_map_1_at = pecell_map.target(e, 1);
                                            let q1_arg = q1_view.load(pecell_map_0_at);
                                            let q2_arg = q1_view.load(pecell_map_1_at);
                                            let mut left0 = 0 as ::core::primitive::f64;
                                            let mut left1 = 0 as ::core::primitive::f64;
                                            res_calc_stage1of2_3(
                                                &q1_arg,
                                                &q2_arg,
                                                &mut left0,
                                                &mut left1,
                                            );
                                            left0_room.put(place, left0);
                                            left1_room.put(place, left1);
                                        }
                                    }
                                    for (place, (_, e)) in elems.clone().enumerate() {
                                        unsafe {
                                            let pedge_map_0_at = pedge_map.target(e, 0);
                                            let pedge_map_1_at = pedge_map.target(e, 1);
                                            let pecell_map_0_at = pecell_map.target(e, 0);
                                            let pecell_map_1_at = pecell_map.target(e, 1);
                                            let x1_arg = x1_view.load(pedge_map_0_at);
                                            let x2_arg = x1_view.load(pedge_map_1_at);
                                            let adt1_arg = adt1_view.load(pecell_map_0_at);
                                            let adt2_arg = adt1_view.load(pecell_map_1_at);
                                            let mut res1_arg = res1_view.neutral::<__op2::ByInc>();
                                            let mut res2_arg = res1_view.neutral::<__op2::ByInc>();
                                            let left0 = left0_room.get(place);
                                            let left1 = left1_room.get(place);
                                            res_calc_stage2of2_4(
                                                &x1_arg,
                                                &x2_arg,
                                                &adt1_arg,
                                                &adt2_arg,
                                                &mut res1_arg,
                                                &mut res2_arg,
                                                &left0,
                                                &left1,
                                            );
                                            res1_arg_room.put(place, res1_arg);
                                            res2_arg_room.put(place, res2_arg);
                                        }
                                    }
                                    for (place, (_, e)) in elems.clone().enumerate() {
                                        unsafe {
                                            let pecell_map_0_at = pecell_map.target(e, 0);
                                            let pecell_map_1_at = pecell_map.target(e, 1);
                                            let res1_arg = res1_arg_room.get(place);
                                            res1_view
                                                .combine(__op2::Combine::Inc, pecell_map_0_at, &res1_arg);
                                            let res2_arg = res2_arg_room.get(place);
                                            res1_view
                                                .combine(__op2::Combine::Inc, pecell_map_1_at, &res2_arg);
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
                            T1,
                            M1: __op2::Presence,
                            const A0: ::core::primitive::usize,
                            const A1: ::core::primitive::usize,
                        > {
                            pedge_map: __op2::MapView<T0, A0, M0>,
                            pecell_map: __op2::MapView<T1, A1, M1>,
                            x1_view: __op2::View<[::core::primitive::f64; 2]>,
                            q1_view: __op2::View<[::core::primitive::f64; 4]>,
                            adt1_view: __op2::View<::core::primitive::f64>,
                            res1_view: __op2::View<[::core::primitive::f64; 4]>,
                        }
                        #[allow(unused, clippy::all, clippy::pedantic)]
                        impl<
                            T0,
                            M0: __op2::Presence,
                            T1,
                            M1: __op2::Presence,
                            const A0: ::core::primitive::usize,
                            const A1: ::core::primitive::usize,
                        > __op2::Vector for __Lanes<T0, M0, T1, M1, A0, A1> {
                            type Wide = ::core::primitive::f64;
                            type Out = ();
                            const SCALARS: ::core::primitive::usize = 0
                                + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                                + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                                + <[::core::primitive::f64; 4] as __op2::Value>::DIM
                                + <[::core::primitive::f64; 4] as __op2::Value>::DIM
                                + <::core::primitive::f64 as __op2::Value>::DIM
                                + <::core::primitive::f64 as __op2::Value>::DIM
                                + <[::core::primitive::f64; 4] as __op2::Value>::DIM
                                + <[::core::primitive::f64; 4] as __op2::Value>::DIM;
                            #[inline(always)]
                            fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                                &self,
                                w: W,
                                mut elems: __op2::Elems<'_>,
                                (): (),
                            ) -> () {
                                let &__Lanes {
                                    pedge_map,
                                    pecell_map,
                                    x1_view,
                                    q1_view,
                                    adt1_view,
                                    res1_view,
                                } = self;
                                let x1_view = x1_view.in_layout::<SOA>();
                                let q1_view = q1_view.in_layout::<SOA>();
                                let adt1_view = adt1_view.in_layout::<SOA>();
                                let res1_view = res1_view.in_layout::<SOA>();
                                #[allow(
                                    unused,
                                    non_snake_case,
                                    clippy::all,
                                    clippy::pedantic
                                )]
                                #[inline(always)]
                                fn res_calc_lanes_0<W: __op2::Width>(
                                    w: W,
                                    mut x1_0: &[__op2::V<W, ::core::primitive::f64>; 2],
                                    mut x2_1: &[__op2::V<W, ::core::primitive::f64>; 2],
                                    mut q1_2: &[__op2::V<W, ::core::primitive::f64>; 4],
                                    mut q2_3: &[__op2::V<W, ::core::primitive::f64>; 4],
                                    mut adt1_4: &__op2::V<W, ::core::primitive::f64>,
                                    mut adt2_5: &__op2::V<W, ::core::primitive::f64>,
                                    mut res1_6: &mut [__op2::V<W, ::core::primitive::f64>; 4],
                                    mut res2_7: &mut [__op2::V<W, ::core::primitive::f64>; 4],
                                ) {
                                    {
                                        let (mut dx_8, mut dy_9) = (
                                            ((((*x1_0))[0usize]) - (((*x2_1))[0usize])),
                                            ((((*x1_0))[1usize]) - (((*x2_1))[1usize])),
                                        );
                                        let mut p_10: __op2::V<W, ::core::primitive::f64> = ((pressure_lanes_1(
                                            w,
                                            (*q1_2),
                                        )) + (pressure_lanes_1(w, (*q2_3))));
                                        let mut mu_11: __op2::V<W, ::core::primitive::f64> = ((((__op2::Spread::<
                                            W,
                                        >::spread(0.5f64, w)) * ((((*adt1_4)) + ((*adt2_5))))))
                                            * (__op2::Spread::<
                                                W,
                                            >::spread(
                                                *<<__op2::Site<
                                                    9843317001718158088,
                                                > as __op2::Carries<_>>::Items>::__const_0(),
                                                w,
                                            )));
                                        let mut flux_12: [__op2::V<W, ::core::primitive::f64>; 4] = [
                                            ((mu_11) * (((((*q1_2))[0usize]) - (((*q2_3))[0usize])))),
                                            ((p_10) * (dy_9)),
                                            (((-(p_10))) * (dx_8)),
                                            __op2::Spread::<W>::spread(0.0f64, w),
                                        ];
                                        'round0: for mut n_13 in (0usize)..(4usize) {
                                            {
                                                let value = (flux_12)[n_13];
                                                let place = &mut ((*res1_6))[n_13];
                                                *place = ((*place) + (value));
                                            };
                                            {
                                                let value = (flux_12)[n_13];
                                                let place = &mut ((*res2_7))[n_13];
                                                *place = ((*place) - (value));
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
                                fn pressure_lanes_1<W: __op2::Width>(
                                    w: W,
                                    mut q_0: [__op2::V<W, ::core::primitive::f64>; 4],
                                ) -> __op2::V<W, ::core::primitive::f64> {
                                    {
                                        let mut ri_1: __op2::V<W, ::core::primitive::f64> = ((__op2::Spread::<
                                            W,
                                        >::spread(1.0f64, w)) / ((q_0)[0usize]));
                                        ((__op2::Spread::<W>::spread(0.4f64, w))
                                            * ((((q_0)[3usize])
                                                - (((((__op2::Spread::<W>::spread(0.5f64, w)) * (ri_1)))
                                                    * ((((((q_0)[1usize]) * ((q_0)[1usize])))
                                                        + ((((q_0)[2usize]) * ((q_0)[2usize]))))))))))
                                    }
                                }
                                let res1_arg_sink = elems.sink(6, res1_view);
                                let res2_arg_sink = elems.sink(7, res1_view);
                                let straight = true & res1_arg_sink.is_straight()
                                    & res2_arg_sink.is_straight();
                                while let ::core::option::Option::Some(pack) = elems.pack(w)
                                {
                                    unsafe {
                                        let mut entries = pedge_map.entries_of(w);
                                        let pedge_map_0_at = pedge_map
                                            .target_of(&pack, 0, &mut entries);
                                        let mut entries = pedge_map.entries_of(w);
                                        let pedge_map_1_at = pedge_map
                                            .target_of(&pack, 1, &mut entries);
                                        let mut entries = pecell_map.entries_of(w);
                                        let pecell_map_0_at = pecell_map
                                            .target_of(&pack, 0, &mut entries);
                                        let mut entries = pecell_map.entries_of(w);
                                        let pecell_map_1_at = pecell_map
                                            .target_of(&pack, 1, &mut entries);
                                        let x1_arg = x1_view.gather(w, &pedge_map_0_at);
                                        let x2_arg = x1_view.gather(w, &pedge_map_1_at);
                                        let q1_arg = q1_view.gather(w, &pecell_map_0_at);
                                        let q2_arg = q1_view.gather(w, &pecell_map_1_at);
                                        let adt1_arg = adt1_view.gather(w, &pecell_map_0_at);
                                        let adt2_arg = adt1_view.gather(w, &pecell_map_1_at);
                                        let mut res1_arg = __op2::Spread::<
                                            W,
                                        >::spread(res1_view.neutral::<__op2::ByInc>(), w);
                                        let mut res2_arg = __op2::Spread::<
                                            W,
                                        >::spread(res1_view.neutral::<__op2::ByInc>(), w);
                                        res_calc_lanes_0(
                                            w,
                                            &x1_arg,
                                            &x2_arg,
                                            &q1_arg,
                                            &q2_arg,
                                            &adt1_arg,
                                            &adt2_arg,
                                            &mut res1_arg,
                                            &mut res2_arg,
                                        );
                                        if straight & (pack.len() == W::LANES)
                                            & __op2::AllThere::all_there(&pecell_map_0_at, w)
                                            & __op2::AllThere::all_there(&pecell_map_1_at, w)
                                        {
                                            res1_view
                                                .combine_pack(
                                                    w,
                                                    (
                                                        __op2::Ends::new(
                                                            __op2::Combine::Inc,
                                                            &[pecell_map_0_at],
                                                            &[res1_arg],
                                                        ),
                                                        (
                                                            __op2::Ends::new(
                                                                    __op2::Combine::Inc,
                                                                    &[pecell_map_1_at],
                                                                    &[res2_arg],
                                                                )
                                                                .turned([true]),
                                                            (),
                                                        ),
                                                    ),
                                                );
                                        } else {
                                            let res1_arg_rows = res1_view.rows_in_memory(w, &res1_arg);
                                            let res2_arg_rows = res1_view.rows_in_memory(w, &res2_arg);
                                            for lane in 0..pack.len() {
                                                res1_arg_sink
                                                    .combine_row(
                                                        __op2::Combine::Inc,
                                                        pack.position(lane),
                                                        0,
                                                        __op2::Leads::at(&pecell_map_0_at, lane),
                                                        &res1_arg_rows.as_ref()[lane],
                                                    );
                                                res2_arg_sink
                                                    .combine_row(
                                                        __op2::Combine::Inc,
                                                        pack.position(lane),
                                                        0,
                                                        __op2::Leads::at(&pecell_map_1_at, lane),
                                                        &res2_arg_rows.as_ref()[lane],
                                                    );
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        __Lanes {
                            pedge_map: pedge_map,
                            pecell_map: pecell_map,
                            x1_view: __op2::same(x1_view),
                            q1_view: __op2::same(q1_view),
                            adt1_view: __op2::same(adt1_view),
                            res1_view: __op2::same(res1_view),
                        }
                    },
                    absorb: |_, _| {},
                    finish: |_, _| {},
                });
            outcome
        }
    }
}
