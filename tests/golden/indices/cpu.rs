//! Indices as values: maps that are read and written like dats, elements that are compared with their entries.
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
fn reattach(
    me: Idx<Facets>,
    goal: [&Option<Idx<Facets>>; 2],
    corners: &[Idx<Verts>; 3],
    tip: Idx<Verts>,
    next: &mut [Option<Idx<Facets>>; 2],
    turns: &mut u32,
) {
    for i in 0..2 {
        next[i] = match *goal[i] {
            Some(other) if other == me => None,
            Some(other) => Some(other),
            None => next[1 - i],
        };
    }
    if corners[0] == tip || next[0].is_none() {
        *turns += 1;
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
            unsafe { ::op2::__private::one_function(&reattach, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<2660431531138635294u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_reattach_24ebc061cac4561e {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 2660431531138635294u64 { fn reattach(me : Idx < Facets >,
        goal : [& Option < Idx < Facets > >; 2], corners : & [Idx < Verts >; 3], tip :
        Idx < Verts >, next : & mut [Option < Idx < Facets > >; 2], turns : & mut u32,) {
        for i in 0..2 { next[i] = match * goal[i] { Some(other) if other == me => None,
        Some(other) => Some(other), None => next[1 - i], }; } if corners[0] == tip ||
        next[0].is_none() { * turns += 1; } } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_reattach_24ebc061cac4561e as reattach;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means_index::<Idx<::core::primitive::u8>>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
    ::op2::__private::one_type(
        &Some::<::core::primitive::u8>,
        &::core::option::Option::<::core::primitive::u8>::Some,
    );
    let _: ::core::option::Option<::core::primitive::u8> = None::<::core::primitive::u8>;
    {
        const fn binding(variable: ::op2::__private::Variable<0>) {
            let other = variable;
        }
    }
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _reattach_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    2660431531138635294,
                > as ::op2::__private::Carries<_>>::Items>::__is(&reattach)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "reattach",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 0u32,
            args: &[
                __op2::ArgDesc {
                    text: "idx()",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(goal, beside[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "read(corners)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "idx(corners[2])",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "rw(next)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_inc(turns)",
                    kind: __op2::ArgKind::Global(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                2660431531138635294,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "the kernel writes entries of a map, which stages would follow again",
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
                            "reattach_global",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                            "reattach_staged",
                        ),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "goal",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "corners",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[2],
                        },
                        __op2::ViewDesc {
                            name: "next",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[4],
                        },
                    ],
                    maps: &["beside", "corners_2"],
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
        let over = (facets,);
        let handle1 = (goal,);
        let map1 = (beside,);
        let handle2 = (corners,);
        let map3 = (corners,);
        let handle4 = (next,);
        let handle5 = (turns,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let beside_map = call.map(1, map1.0);
        let corners_map = call.map(3, map3.0);
        beside_map.is_required();
        corners_map.is_required();
        corners_map.has_entry::<2>();
        let me_arg = call.elements();
        let goal_view = call
            .entries(1, __op2::Access::Read, __op2::Of::<_>, beside_map, handle1.0);
        let corners_view = call
            .direct(2, __op2::Access::Read, __op2::Of::<_>, handle2.0);
        let tip_arg = call.element(3, corners_map, 2);
        let next_view = call.direct(4, __op2::Access::Rw, __op2::Of::<_>, handle4.0);
        let turns_arg = call
            .reduction(
                5,
                __op2::Combine::Inc,
                __op2::Of::<(__op2::ByInc, ::core::primitive::u32)>,
                handle5.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (__op2::start_of::<__op2::ByInc, _>(turns_arg),),
                fast: move |elems, (mut turns_arg,)| {
                    for e in elems {
                        unsafe {
                            let beside_map_all_at = beside_map.targets(e);
                            let corners_map_2_at = corners_map.target(e, 2);
                            let goal_arg = beside_map_all_at
                                .map(|at| goal_view.load(at));
                            let corners_arg = corners_view.load(e);
                            let mut next_arg = next_view.load(e);
                            let mut turns_arg_part = __op2::start_like::<
                                __op2::ByInc,
                                _,
                            >(&turns_arg);
                            reattach(
                                me_arg.element(e),
                                goal_arg.each_ref(),
                                &corners_arg,
                                tip_arg.element(corners_map_2_at),
                                &mut next_arg,
                                &mut turns_arg_part,
                            );
                            next_view.store(e, &next_arg);
                            __op2::Reduce::<
                                __op2::ByInc,
                            >::absorb(&mut turns_arg, &turns_arg_part);
                        }
                    }
                    (turns_arg,)
                },
                listed: move |elems, (mut turns_arg,)| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let beside_map_all_at = beside_map.targets(e);
                            let corners_map_2_at = corners_map.target(e, 2);
                            let goal_arg = beside_map_all_at
                                .map(|at| goal_view.load(at));
                            let corners_arg = corners_view.load(e);
                            let mut next_arg = next_view.load(e);
                            let mut turns_arg_part = __op2::start_like::<
                                __op2::ByInc,
                                _,
                            >(&turns_arg);
                            reattach(
                                me_arg.element(e),
                                goal_arg.each_ref(),
                                &corners_arg,
                                tip_arg.element(corners_map_2_at),
                                &mut next_arg,
                                &mut turns_arg_part,
                            );
                            next_view.store(e, &next_arg);
                            __op2::Reduce::<
                                __op2::ByInc,
                            >::absorb(&mut turns_arg, &turns_arg_part);
                        }
                    }
                    (turns_arg,)
                },
                general: move |elems, (mut turns_arg,)| {
                    for (_, e) in elems {
                        unsafe {
                            let beside_map_all_at = beside_map.targets(e);
                            let corners_map_2_at = corners_map.target(e, 2);
                            let goal_arg = beside_map_all_at
                                .map(|at| goal_view.load(at));
                            let corners_arg = corners_view.load(e);
                            let mut next_arg = next_view.load(e);
                            let mut turns_arg_part = __op2::start_like::<
                                __op2::ByInc,
                                _,
                            >(&turns_arg);
                            reattach(
                                me_arg.element(e),
                                goal_arg.each_ref(),
                                &corners_arg,
                                tip_arg.element(corners_map_2_at),
                                &mut next_arg,
                                &mut turns_arg_part,
                            );
                            next_view.store(e, &next_arg);
                            __op2::Reduce::<
                                __op2::ByInc,
                            >::absorb(&mut turns_arg, &turns_arg_part);
                        }
                    }
                    (turns_arg,)
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<
                        T0,
                        M0: __op2::Presence,
                        T1,
                        M1: __op2::Presence,
                        const A1: ::core::primitive::usize,
                    > {
                        beside_map: __op2::MapView<T0, 2, M0>,
                        corners_map: __op2::MapView<T1, A1, M1>,
                        me_arg: __op2::ElementNumbers,
                        goal_view: __op2::View<::core::primitive::u32>,
                        corners_view: __op2::View<[::core::primitive::u32; 3]>,
                        tip_arg: __op2::ElementNumbers,
                        next_view: __op2::View<[::core::primitive::u32; 2]>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<
                        T0,
                        M0: __op2::Presence,
                        T1,
                        M1: __op2::Presence,
                        const A1: ::core::primitive::usize,
                    > __op2::Vector for __Lanes<T0, M0, T1, M1, A1> {
                        type Wide = ::core::primitive::f32;
                        type Out = (::core::primitive::u32,);
                        const SCALARS: ::core::primitive::usize = 0
                            + 2 * <::core::primitive::u32 as __op2::Value>::DIM
                            + <[::core::primitive::u32; 3] as __op2::Value>::DIM
                            + <[::core::primitive::u32; 2] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (mut turns_arg,): (::core::primitive::u32,),
                        ) -> (::core::primitive::u32,) {
                            let &__Lanes {
                                beside_map,
                                corners_map,
                                me_arg,
                                goal_view,
                                corners_view,
                                tip_arg,
                                next_view,
                            } = self;
                            let goal_view = goal_view.in_layout::<SOA>();
                            let corners_view = corners_view.in_layout::<SOA>();
                            let next_view = next_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn reattach_lanes_0<W: __op2::Width>(
                                w: W,
                                mut me_0: __op2::V<W, ::core::primitive::u32>,
                                mut goal_1: [&__op2::V<W, ::core::primitive::u32>; 2],
                                mut corners_2: &[__op2::V<W, ::core::primitive::u32>; 3],
                                mut tip_3: __op2::V<W, ::core::primitive::u32>,
                                mut next_4: &mut [__op2::V<W, ::core::primitive::u32>; 2],
                                mut turns_5: &mut __op2::V<W, ::core::primitive::u32>,
                            ) {
                                {
                                    'round0: for mut i_6 in (0usize)..(2usize) {
                                        {
                                            let value = {
                                                let mut held_7: __op2::V<W, ::core::primitive::u32> = (*(goal_1)[i_6]);
                                                {
                                                    {
                                                        let cond = {
                                                            let left = (held_7)
                                                                .differs(__op2::Spread::<W>::spread(4294967295u32, w));
                                                            let mut mask1 = left;
                                                            left
                                                                & {
                                                                    let mut other_8: __op2::V<W, ::core::primitive::u32> = held_7;
                                                                    (other_8).equals(me_0)
                                                                }
                                                        };
                                                        let mut mask2 = cond;
                                                        let mut mask3 = !cond;
                                                        let yes = { __op2::Spread::<W>::spread(4294967295u32, w) };
                                                        let no = if mask3.any() {
                                                            {
                                                                let cond = (held_7)
                                                                    .differs(__op2::Spread::<W>::spread(4294967295u32, w));
                                                                let mut mask4 = mask3 & cond;
                                                                let mut mask5 = mask3 & !cond;
                                                                let yes = {
                                                                    let mut other_10: __op2::V<W, ::core::primitive::u32> = held_7;
                                                                    other_10
                                                                };
                                                                let no = if mask5.any() {
                                                                    ((*next_4))[1usize - i_6]
                                                                } else {
                                                                    __op2::Spread::<W>::spread((0 as ::core::primitive::u32), w)
                                                                };
                                                                __op2::Lanes::<W>::select(cond, yes, no)
                                                            }
                                                        } else {
                                                            __op2::Spread::<W>::spread((0 as ::core::primitive::u32), w)
                                                        };
                                                        __op2::Lanes::<W>::select(cond, yes, no)
                                                    }
                                                }
                                            };
                                            let place = &mut ((*next_4))[i_6];
                                            *place = value;
                                        };
                                    }
                                    {
                                        let cond = {
                                            let left = (((*corners_2))[0usize]).equals(tip_3);
                                            let mut mask6 = !left;
                                            left
                                                | (((*next_4))[0usize])
                                                    .equals(__op2::Spread::<W>::spread(4294967295u32, w))
                                        };
                                        let mut mask7 = cond;
                                        if mask7.any() {
                                            {
                                                let value = 1u32;
                                                let place = &mut (*turns_5);
                                                *place = __op2::Lanes::<
                                                    W,
                                                >::select(
                                                    mask7,
                                                    {
                                                        let operand0 = *place;
                                                        let operand1 = value;
                                                        __op2::each_of(
                                                            w,
                                                            mask7,
                                                            |lane| __op2::Lanes::<W>::lane(&operand0, lane) + operand1,
                                                        )
                                                    },
                                                    *place,
                                                );
                                            };
                                        }
                                    }
                                }
                            }
                            let straight = true;
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = beside_map.entries_of(w);
                                    let beside_map_all_at = beside_map
                                        .targets_of(&pack, &mut entries);
                                    let mut entries = corners_map.entries_of(w);
                                    let corners_map_2_at = corners_map
                                        .target_of(&pack, 2, &mut entries);
                                    let goal_arg = __op2::mapped(
                                        beside_map_all_at,
                                        |at| goal_view.gather(w, &at),
                                    );
                                    let corners_arg = corners_view.gather(w, &pack.direct());
                                    let mut next_arg = next_view.gather(w, &pack.direct());
                                    let mut turns_arg_part = __op2::Spread::<
                                        W,
                                    >::spread(
                                        __op2::start_like::<__op2::ByInc, _>(&turns_arg),
                                        w,
                                    );
                                    reattach_lanes_0(
                                        w,
                                        {
                                            let elements = __op2::Leads::elements(&pack.direct(), w);
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    me_arg.of(elements.as_ref()[lane]),
                                                ),
                                            )
                                        },
                                        goal_arg.each_ref(),
                                        &corners_arg,
                                        {
                                            let elements = __op2::Leads::elements(&corners_map_2_at, w);
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    tip_arg.of(elements.as_ref()[lane]),
                                                ),
                                            )
                                        },
                                        &mut next_arg,
                                        &mut turns_arg_part,
                                    );
                                    next_view.scatter(w, &pack.direct(), pack.len(), &next_arg);
                                    if straight & (pack.len() == W::LANES) {
                                        for lane in 0..W::LANES {
                                            __op2::Reduce::<
                                                __op2::ByInc,
                                            >::absorb(
                                                &mut turns_arg,
                                                &__op2::Lanes::<W>::lane(&turns_arg_part, lane),
                                            );
                                        }
                                    } else {
                                        for lane in 0..pack.len() {
                                            __op2::Reduce::<
                                                __op2::ByInc,
                                            >::absorb(
                                                &mut turns_arg,
                                                &__op2::Lanes::<W>::lane(&turns_arg_part, lane),
                                            );
                                        }
                                    }
                                }
                            }
                            (turns_arg,)
                        }
                    }
                    __Lanes {
                        beside_map: __op2::of_arity(beside_map),
                        corners_map: corners_map,
                        me_arg: me_arg.as_numbers(),
                        goal_view: __op2::shaped(goal_view),
                        corners_view: __op2::shaped(corners_view),
                        tip_arg: tip_arg.as_numbers(),
                        next_view: __op2::shaped(next_view),
                    }
                },
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByInc>::absorb(&mut total.0, &part.0);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByInc, _>(turns_arg, &total.0);
                },
            });
        outcome
    }
}
