//! Rows of any length: of values with components, read and contributed to, of scalars, and one that may be absent.
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
fn distance(x: &Row<[f64; 2]>, i: usize, from: &[f64; 2]) -> f64 {
    let d = [x[i][0] - from[0], x[i][1] - from[1]];
    (d[0] * d[0] + d[1] * d[1]).sqrt()
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
            unsafe { ::op2::__private::one_function(&distance, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<2763722479375350291u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_distance_265ab6f3c0edfa13 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 2763722479375350291u64 { fn distance(x : & Row < [f64; 2]
        >, i : usize, from : & [f64; 2]) -> f64 { let d = [x[i] [0] - from[0], x[i] [1] -
        from[1]]; (d[0] * d[0] + d[1] * d[1]).sqrt() } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_distance_265ab6f3c0edfa13 as distance;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means_row::<Row<::core::primitive::u8>>();
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<usize, ::core::primitive::usize>();
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
fn gather(
    x: &Row<[f64; 2]>,
    centre: &[f64; 2],
    weight: Option<&Row<f64>>,
    change: &mut Row<[f64; 2]>,
    count: &mut Row<u32>,
    least: &mut Row<f64>,
    last: &mut f64,
) {
    for i in 0..x.len() {
        let mut pull = distance(x, i, centre) - distance(x, 0, &x[i]);
        if let Some(weight) = weight {
            pull *= weight[i];
        }
        let at = x[i];
        for c in 0..2 {
            change[i][c] += pull * at[c];
        }
        count[i] += 1;
        least[i] = least[i].min(pull);
        *last = pull;
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
            callees: &[
                <<::op2::__private::Site<
                    2763722479375350291,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
            ],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { ::op2::__private::one_function(&gather, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<10401888867140451528u64> {
        type Items = __Op2Carrier;
    }
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _distance_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            2763722479375350291,
        > as ::op2::__private::Carries<_>>::Items>::__is(&distance)
    };
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_gather_905aeed026ff3cc8 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 10401888867140451528u64 { fn gather(x : & Row < [f64; 2] >,
        centre : & [f64; 2], weight : Option < & Row < f64 > >, change : & mut Row <
        [f64; 2] >, count : & mut Row < u32 >, least : & mut Row < f64 >, last : & mut
        f64,) { for i in 0..x.len() { let mut pull = distance(x, i, centre) - distance(x,
        0, & x[i]); if let Some(weight) = weight { pull *= weight[i]; } let at = x[i];
        for c in 0..2 { change[i] [c] += pull * at[c]; } count[i] += 1; least[i] =
        least[i].min(pull); * last = pull; } } } { [distance] { 2763722479375350291u64 {
        fn distance(x : & Row < [f64; 2] >, i : usize, from : & [f64; 2]) -> f64 { let d
        = [x[i] [0] - from[0], x[i] [1] - from[1]]; (d[0] * d[0] + d[1] * d[1]).sqrt() }
        } {} {} } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_gather_905aeed026ff3cc8 as gather;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    #[diagnostic::on_unimplemented(
        message = "`weight` is the name of two variables of `gather`, one of which a macro made: the compiler takes one of them here, and op2 the other; rename one",
        label = "one of two variables"
    )]
    trait Is_weight<const N: ::core::primitive::usize>: ::core::marker::Sized {
        fn is(self) {}
    }
    impl<const N: ::core::primitive::usize> Is_weight<N>
    for ::op2::__private::Variable<N> {}
    fn variables() {
        let weight = ::op2::__private::Variable::<2>;
        {
            {
                {
                    {
                        let weight = ::op2::__private::Variable::<9>;
                        {
                            Is_weight::<9>::is(weight);
                        }
                    }
                }
            }
        }
    }
    ::op2::__private::means_row::<Row<::core::primitive::u8>>();
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _gather_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    10401888867140451528,
                > as ::op2::__private::Carries<_>>::Items>::__is(&gather)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "gather",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 19u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(x, ring[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "read(x)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "opt(weighted, read(weight, ring[..]))",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: true,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "inc(change, ring[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "inc(count, sides[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "min(least, ring[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Min),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "rw(last)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                10401888867140451528,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "the kernel takes rows of any length",
            no_host_stages: "",
            no_lanes: "line 20: a reference to an element whose index differs between elements of the loop",
            by_rows: true,
            walks: false,
            asks_numbers: false,
            devices: &[
                __op2::DeviceDesc {
                    target: __op2::Target::Cuda,
                    text: "as in cuda.cu",
                    kernels: &[
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Global),
                            "gather_global",
                        ),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "x",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0, 1],
                        },
                        __op2::ViewDesc {
                            name: "weight",
                            optional: true,
                            cover: ::core::option::Option::None,
                            args: &[2],
                        },
                        __op2::ViewDesc {
                            name: "change",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[3],
                        },
                        __op2::ViewDesc {
                            name: "count",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[4],
                        },
                        __op2::ViewDesc {
                            name: "least",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[5],
                        },
                        __op2::ViewDesc {
                            name: "last",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[6],
                        },
                    ],
                    maps: &["ring", "sides"],
                    targets: &[
                        __op2::TargetDesc {
                            map: 0,
                            computed: false,
                        },
                        __op2::TargetDesc {
                            map: 1,
                            computed: false,
                        },
                    ],
                    covers: &[],
                    floats: &[],
                    consts: &[],
                    forms: &[],
                },
            ],
        };
        let over = (nodes,);
        let handle0 = (x,);
        let map0 = (ring,);
        let handle1 = (x,);
        let handle2 = if weighted {
            ::core::option::Option::Some((weight,))
        } else {
            ::core::option::Option::None
        };
        let map2 = (ring,);
        let handle3 = (change,);
        let map3 = (ring,);
        let handle4 = (count,);
        let map4 = (sides,);
        let handle5 = (least,);
        let map5 = (ring,);
        let handle6 = (last,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let ring_map = call.rows(0, map0.0);
        let sides_map = call.rows(4, map4.0);
        let x_view = call
            .row(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                ring_map,
                handle0.0,
            );
        call.direct(
            1,
            __op2::Access::Read,
            __op2::Of::<[::core::primitive::f64; 2]>,
            handle1.0,
        );
        let weight_view = match handle2 {
            ::core::option::Option::Some(handle2) => {
                ::core::option::Option::Some(
                    call
                        .row(
                            2,
                            __op2::Access::Read,
                            __op2::Of::<::core::primitive::f64>,
                            ring_map,
                            handle2.0,
                        ),
                )
            }
            ::core::option::Option::None => ::core::option::Option::None,
        };
        let change_view = call
            .row(
                3,
                __op2::Access::Inc,
                __op2::Of::<[::core::primitive::f64; 2]>,
                ring_map,
                handle3.0,
            );
        let count_view = call
            .row(
                4,
                __op2::Access::Inc,
                __op2::Of::<::core::primitive::u32>,
                sides_map,
                handle4.0,
            );
        let least_view = call
            .row(
                5,
                __op2::Access::Min,
                __op2::Of::<::core::primitive::f64>,
                ring_map,
                handle5.0,
            );
        let last_view = call
            .direct(
                6,
                __op2::Access::Rw,
                __op2::Of::<::core::primitive::f64>,
                handle6.0,
            );
        call.one_handle(1, "dat", 0, &handle0.0, &handle1.0);
        call.one_handle(2, "map", 0, &map0.0, &map2.0);
        call.one_handle(3, "map", 0, &map0.0, &map3.0);
        call.one_handle(5, "map", 0, &map0.0, &map5.0);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    let mut change_arg_room = __op2::RowRoom::of(change_view);
                    let mut count_arg_room = __op2::RowRoom::of(count_view);
                    let mut least_arg_room = __op2::RowRoom::of(least_view);
                    for e in elems {
                        unsafe {
                            let ring_map_all_at = ring_map.row(e);
                            let sides_map_all_at = sides_map.row(e);
                            let x_arg = x_view.row_of(ring_map_all_at);
                            let weight_arg = match (weight_view, ()) {
                                (::core::option::Option::Some(weight_view), ()) => {
                                    ::core::option::Option::Some(
                                        weight_view.row_of(ring_map_all_at),
                                    )
                                }
                                _ => ::core::option::Option::None,
                            };
                            let mut change_arg = change_arg_room
                                .neutral::<
                                    __op2::ByInc,
                                    false,
                                >(change_view, ring_map_all_at);
                            let mut count_arg = count_arg_room
                                .neutral::<
                                    __op2::ByInc,
                                    false,
                                >(count_view, sides_map_all_at);
                            let mut least_arg = least_arg_room
                                .neutral::<
                                    __op2::ByMin,
                                    false,
                                >(least_view, ring_map_all_at);
                            gather(
                                __op2::lent(&x_arg),
                                x_view.at(e),
                                weight_arg.as_ref().map(__op2::lent),
                                __op2::lent_mut(&mut change_arg),
                                __op2::lent_mut(&mut count_arg),
                                __op2::lent_mut(&mut least_arg),
                                last_view.at_mut(e),
                            );
                            __op2::combine_row(
                                change_view,
                                __op2::Combine::Inc,
                                ring_map_all_at,
                                &change_arg_room,
                            );
                            __op2::combine_row(
                                count_view,
                                __op2::Combine::Inc,
                                sides_map_all_at,
                                &count_arg_room,
                            );
                            __op2::combine_row(
                                least_view,
                                __op2::Combine::Min,
                                ring_map_all_at,
                                &least_arg_room,
                            );
                        }
                    }
                },
                listed: move |elems, ()| {
                    let mut change_arg_room = __op2::RowRoom::of(change_view);
                    let mut count_arg_room = __op2::RowRoom::of(count_view);
                    let mut least_arg_room = __op2::RowRoom::of(least_view);
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let ring_map_all_at = ring_map.row(e);
                            let sides_map_all_at = sides_map.row(e);
                            let x_arg = x_view.row_of(ring_map_all_at);
                            let weight_arg = match (weight_view, ()) {
                                (::core::option::Option::Some(weight_view), ()) => {
                                    ::core::option::Option::Some(
                                        weight_view.row_of(ring_map_all_at),
                                    )
                                }
                                _ => ::core::option::Option::None,
                            };
                            let mut change_arg = change_arg_room
                                .neutral::<
                                    __op2::ByInc,
                                    false,
                                >(change_view, ring_map_all_at);
                            let mut count_arg = count_arg_room
                                .neutral::<
                                    __op2::ByInc,
                                    false,
                                >(count_view, sides_map_all_at);
                            let mut least_arg = least_arg_room
                                .neutral::<
                                    __op2::ByMin,
                                    false,
                                >(least_view, ring_map_all_at);
                            gather(
                                __op2::lent(&x_arg),
                                x_view.at(e),
                                weight_arg.as_ref().map(__op2::lent),
                                __op2::lent_mut(&mut change_arg),
                                __op2::lent_mut(&mut count_arg),
                                __op2::lent_mut(&mut least_arg),
                                last_view.at_mut(e),
                            );
                            __op2::combine_row(
                                change_view,
                                __op2::Combine::Inc,
                                ring_map_all_at,
                                &change_arg_room,
                            );
                            __op2::combine_row(
                                count_view,
                                __op2::Combine::Inc,
                                sides_map_all_at,
                                &count_arg_room,
                            );
                            __op2::combine_row(
                                least_view,
                                __op2::Combine::Min,
                                ring_map_all_at,
                                &least_arg_room,
                            );
                        }
                    }
                },
                general: move |elems, ()| {
                    let change_arg_sink = elems.sink(3, change_view);
                    let count_arg_sink = elems.sink(4, count_view);
                    let least_arg_sink = elems.sink(5, least_view);
                    let mut x_arg_room = __op2::RowRoom::of(x_view);
                    let mut weight_arg_room = weight_view.map(__op2::RowRoom::of);
                    let mut change_arg_room = __op2::RowRoom::of(change_view);
                    let mut count_arg_room = __op2::RowRoom::of(count_view);
                    let mut least_arg_room = __op2::RowRoom::of(least_view);
                    for (position, e) in elems {
                        unsafe {
                            let ring_map_all_at = ring_map.row(e);
                            let sides_map_all_at = sides_map.row(e);
                            let x_arg = x_arg_room.load(x_view, ring_map_all_at);
                            let centre_arg = x_view.load(e);
                            let weight_arg = match (weight_view, &mut weight_arg_room) {
                                (
                                    ::core::option::Option::Some(weight_view),
                                    ::core::option::Option::Some(weight_arg_room),
                                ) => {
                                    ::core::option::Option::Some(
                                        weight_arg_room.load(weight_view, ring_map_all_at),
                                    )
                                }
                                _ => ::core::option::Option::None,
                            };
                            let mut change_arg = change_arg_room
                                .neutral::<
                                    __op2::ByInc,
                                    false,
                                >(change_view, ring_map_all_at);
                            let mut count_arg = count_arg_room
                                .neutral::<
                                    __op2::ByInc,
                                    false,
                                >(count_view, sides_map_all_at);
                            let mut least_arg = least_arg_room
                                .neutral::<
                                    __op2::ByMin,
                                    false,
                                >(least_view, ring_map_all_at);
                            let mut last_arg = last_view.load(e);
                            gather(
                                __op2::lent(&x_arg),
                                &centre_arg,
                                weight_arg.as_ref().map(__op2::lent),
                                __op2::lent_mut(&mut change_arg),
                                __op2::lent_mut(&mut count_arg),
                                __op2::lent_mut(&mut least_arg),
                                &mut last_arg,
                            );
                            for (entry, (at, value)) in ::core::iter::zip(
                                    ring_map_all_at,
                                    change_arg_room.values(),
                                )
                                .enumerate()
                            {
                                change_arg_sink
                                    .combine(
                                        __op2::Combine::Inc,
                                        position,
                                        entry,
                                        *at as ::core::primitive::usize,
                                        value,
                                    );
                            }
                            for (entry, (at, value)) in ::core::iter::zip(
                                    sides_map_all_at,
                                    count_arg_room.values(),
                                )
                                .enumerate()
                            {
                                count_arg_sink
                                    .combine(
                                        __op2::Combine::Inc,
                                        position,
                                        entry,
                                        *at as ::core::primitive::usize,
                                        value,
                                    );
                            }
                            for (entry, (at, value)) in ::core::iter::zip(
                                    ring_map_all_at,
                                    least_arg_room.values(),
                                )
                                .enumerate()
                            {
                                least_arg_sink
                                    .combine(
                                        __op2::Combine::Min,
                                        position,
                                        entry,
                                        *at as ::core::primitive::usize,
                                        value,
                                    );
                            }
                            last_view.store(e, &last_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: __op2::NotInLanes::new(),
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
