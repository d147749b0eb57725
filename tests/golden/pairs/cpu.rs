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
fn attract(
    x: &[f64; 2],
    y: &[f64; 2],
    shift: [f64; 2],
    charge: Option<&f64>,
    force: &mut [f64; 2],
    reaction: &mut [f64; 2],
    first: usize,
    second: u32,
    work: &mut f64,
) {
    if first != second as usize {
        let d = [x[0] + shift[0] - y[0], x[1] + shift[1] - y[1]];
        let mut near = 1.0 / (0.5 + d[0] * d[0] + d[1] * d[1]);
        if let Some(charge) = charge {
            near *= *charge;
        }
        for c in 0..2 {
            force[c] -= near * d[c];
            reaction[c] += near * d[c];
        }
        *work += near;
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
            unsafe { ::op2::__private::one_function(&attract, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<13908650178897428970u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_attract_c10573a5825ac1ea {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 13908650178897428970u64 { fn attract(x : & [f64; 2], y : &
        [f64; 2], shift : [f64; 2], charge : Option < & f64 >, force : & mut [f64; 2],
        reaction : & mut [f64; 2], first : usize, second : u32, work : & mut f64,) { if
        first != second as usize { let d = [x[0] + shift[0] - y[0], x[1] + shift[1] -
        y[1]]; let mut near = 1.0 / (0.5 + d[0] * d[0] + d[1] * d[1]); if let
        Some(charge) = charge { near *= * charge; } for c in 0..2 { force[c] -= near *
        d[c]; reaction[c] += near * d[c]; } * work += near; } } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_attract_c10573a5825ac1ea as attract;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    #[diagnostic::on_unimplemented(
        message = "`charge` is the name of two variables of `attract`, one of which a macro made: the compiler takes one of them here, and op2 the other; rename one",
        label = "one of two variables"
    )]
    trait Is_charge<const N: ::core::primitive::usize>: ::core::marker::Sized {
        fn is(self) {}
    }
    impl<const N: ::core::primitive::usize> Is_charge<N>
    for ::op2::__private::Variable<N> {}
    fn variables() {
        let charge = ::op2::__private::Variable::<3>;
        {
            {
                {
                    let charge = ::op2::__private::Variable::<11>;
                    {
                        Is_charge::<11>::is(charge);
                    }
                }
            }
        }
    }
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<usize, ::core::primitive::usize>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
};
fn run(op: &mut Op2, charged: bool) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _attract_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    13908650178897428970,
                > as ::op2::__private::Carries<_>>::Items>::__is(&attract)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "attract",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 19u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(x, from)",
                    kind: __op2::ArgKind::End(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(x, to)",
                    kind: __op2::ArgKind::End(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "shift()",
                    kind: __op2::ArgKind::Shift,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "opt(charged, read(charge, to))",
                    kind: __op2::ArgKind::End(__op2::Access::Read),
                    optional: true,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(force, from)",
                    kind: __op2::ArgKind::End(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(force, to)",
                    kind: __op2::ArgKind::End(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "idx(from)",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "idx(to)",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_inc(work)",
                    kind: __op2::ArgKind::Global(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                13908650178897428970,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "",
            no_host_stages: "the partners of an element come one by one",
            no_lanes: "",
            by_rows: false,
            walks: false,
            asks_numbers: false,
            devices: &[
                __op2::DeviceDesc {
                    target: __op2::Target::Cuda,
                    text: "as in cuda.cu",
                    kernels: &[
                        (__op2::EntryPoint::Shared, "attract_pairs"),
                        (__op2::EntryPoint::Single, "attract_pairs_single"),
                        (__op2::EntryPoint::Gather(2), "attract_gather_force"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "x",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0, 1],
                        },
                        __op2::ViewDesc {
                            name: "charge",
                            optional: true,
                            cover: ::core::option::Option::None,
                            args: &[3],
                        },
                        __op2::ViewDesc {
                            name: "force",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[4, 5],
                        },
                    ],
                    maps: &[],
                    targets: &[],
                    covers: &[],
                    floats: &[],
                    consts: &[],
                    forms: &[],
                },
            ],
        };
        let over = (near,);
        let handle0 = (x,);
        let handle1 = (x,);
        let handle3 = if charged {
            ::core::option::Option::Some((charge,))
        } else {
            ::core::option::Option::None
        };
        let handle4 = (force,);
        let handle5 = (force,);
        let handle8 = (work,);
        #[allow(unused_mut)]
        let mut call = (op).__call_pairs(&__DESC, over.0);
        let pairs = call.pairs();
        let x_view = call
            .from(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                handle0.0,
            );
        call.to(
            1,
            __op2::Access::Read,
            __op2::Of::<[::core::primitive::f64; 2]>,
            handle1.0,
        );
        let charge_view = match handle3 {
            ::core::option::Option::Some(handle3) => {
                ::core::option::Option::Some(
                    call
                        .to(
                            3,
                            __op2::Access::Read,
                            __op2::Of::<::core::primitive::f64>,
                            handle3.0,
                        ),
                )
            }
            ::core::option::Option::None => ::core::option::Option::None,
        };
        let force_view = call
            .from(
                4,
                __op2::Access::Inc,
                __op2::Of::<[::core::primitive::f64; 2]>,
                handle4.0,
            );
        call.to(
            5,
            __op2::Access::Inc,
            __op2::Of::<[::core::primitive::f64; 2]>,
            handle5.0,
        );
        let first_arg = call.numbers_from();
        let second_arg = call.numbers_to();
        let work_arg = call
            .reduction(
                8,
                __op2::Combine::Inc,
                __op2::Of::<(__op2::ByInc, ::core::primitive::f64)>,
                handle8.0,
            );
        call.one_handle(1, "dat", 0, &handle0.0, &handle1.0);
        call.one_handle(5, "dat", 4, &handle4.0, &handle5.0);
        let outside = call.outside();
        let from_outside = __op2::from_is(outside);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = {
            let general = move |elems: __op2::Elems<'_>, (mut work_arg,)| {
                if from_outside {
                    let force_arg_sink = elems.sink(4, force_view);
                    let reaction_arg_sink = elems.sink(5, force_view);
                    let mut partners = unsafe { pairs.partners() };
                    for (position, e) in elems {
                        unsafe {
                            let x_arg = x_view.load(e);
                            let mut force_arg = force_view.neutral::<__op2::ByInc>();
                            for (partner, shift) in partners.of(e) {
                                let y_arg = x_view.load(partner);
                                let charge_arg = charge_view
                                    .map(|charge_view| charge_view.load(partner));
                                let mut force_arg_part = force_view
                                    .neutral::<__op2::ByInc>();
                                let mut reaction_arg = force_view.neutral::<__op2::ByInc>();
                                let mut work_arg_part = __op2::start_like::<
                                    __op2::ByInc,
                                    _,
                                >(&work_arg);
                                attract(
                                    &x_arg,
                                    &y_arg,
                                    __op2::ShiftOf::of_shift(shift),
                                    charge_arg.as_ref(),
                                    &mut force_arg_part,
                                    &mut reaction_arg,
                                    __op2::IndexValue::from_index(first_arg.of(e)),
                                    __op2::IndexValue::from_index(second_arg.of(partner)),
                                    &mut work_arg_part,
                                );
                                force_view
                                    .absorb(
                                        __op2::Combine::Inc,
                                        &mut force_arg,
                                        &force_arg_part,
                                    );
                                reaction_arg_sink
                                    .combine_partner(
                                        __op2::Combine::Inc,
                                        partner,
                                        &reaction_arg,
                                    );
                                __op2::Reduce::<
                                    __op2::ByInc,
                                >::absorb(&mut work_arg, &work_arg_part);
                            }
                            force_arg_sink
                                .combine(__op2::Combine::Inc, position, 0, e, &force_arg);
                        }
                    }
                    (work_arg,)
                } else {
                    let force_arg_sink = elems.sink(4, force_view);
                    let reaction_arg_sink = elems.sink(5, force_view);
                    let mut partners = unsafe { pairs.partners() };
                    for (position, e) in elems {
                        unsafe {
                            let y_arg = x_view.load(e);
                            let charge_arg = charge_view
                                .map(|charge_view| charge_view.load(e));
                            let mut reaction_arg = force_view.neutral::<__op2::ByInc>();
                            for (partner, shift) in partners.of(e) {
                                let x_arg = x_view.load(partner);
                                let mut force_arg = force_view.neutral::<__op2::ByInc>();
                                let mut reaction_arg_part = force_view
                                    .neutral::<__op2::ByInc>();
                                let mut work_arg_part = __op2::start_like::<
                                    __op2::ByInc,
                                    _,
                                >(&work_arg);
                                attract(
                                    &x_arg,
                                    &y_arg,
                                    __op2::ShiftOf::of_shift(shift),
                                    charge_arg.as_ref(),
                                    &mut force_arg,
                                    &mut reaction_arg_part,
                                    __op2::IndexValue::from_index(first_arg.of(partner)),
                                    __op2::IndexValue::from_index(second_arg.of(e)),
                                    &mut work_arg_part,
                                );
                                force_arg_sink
                                    .combine_partner(__op2::Combine::Inc, partner, &force_arg);
                                force_view
                                    .absorb(
                                        __op2::Combine::Inc,
                                        &mut reaction_arg,
                                        &reaction_arg_part,
                                    );
                                __op2::Reduce::<
                                    __op2::ByInc,
                                >::absorb(&mut work_arg, &work_arg_part);
                            }
                            reaction_arg_sink
                                .combine(
                                    __op2::Combine::Inc,
                                    position,
                                    0,
                                    e,
                                    &reaction_arg,
                                );
                        }
                    }
                    (work_arg,)
                }
            };
            call.run(__op2::Bodies {
                start: move || (__op2::start_of::<__op2::ByInc, _>(work_arg),),
                fast: move |elems, (mut work_arg,)| {
                    if from_outside {
                        let mut partners = unsafe { pairs.partners() };
                        for e in elems {
                            unsafe {
                                let x_arg = *x_view.at(e);
                                let mut force_arg = force_view.neutral::<__op2::ByInc>();
                                for (partner, shift) in partners.of(e) {
                                    let mut force_arg_part = force_view
                                        .neutral::<__op2::ByInc>();
                                    let mut reaction_arg = force_view.neutral::<__op2::ByInc>();
                                    let mut work_arg_part = __op2::start_like::<
                                        __op2::ByInc,
                                        _,
                                    >(&work_arg);
                                    attract(
                                        &x_arg,
                                        x_view.at(partner),
                                        __op2::ShiftOf::of_shift(shift),
                                        charge_view.map(|charge_view| charge_view.at(partner)),
                                        &mut force_arg_part,
                                        &mut reaction_arg,
                                        __op2::IndexValue::from_index(first_arg.of(e)),
                                        __op2::IndexValue::from_index(second_arg.of(partner)),
                                        &mut work_arg_part,
                                    );
                                    force_view
                                        .absorb(
                                            __op2::Combine::Inc,
                                            &mut force_arg,
                                            &force_arg_part,
                                        );
                                    force_view
                                        .combine_at(__op2::Combine::Inc, partner, &reaction_arg);
                                    __op2::Reduce::<
                                        __op2::ByInc,
                                    >::absorb(&mut work_arg, &work_arg_part);
                                }
                                force_view.combine_at(__op2::Combine::Inc, e, &force_arg);
                            }
                        }
                        (work_arg,)
                    } else {
                        let mut partners = unsafe { pairs.partners() };
                        for e in elems {
                            unsafe {
                                let y_arg = *x_view.at(e);
                                let charge_arg = charge_view
                                    .map(|charge_view| *charge_view.at(e));
                                let mut reaction_arg = force_view.neutral::<__op2::ByInc>();
                                for (partner, shift) in partners.of(e) {
                                    let mut force_arg = force_view.neutral::<__op2::ByInc>();
                                    let mut reaction_arg_part = force_view
                                        .neutral::<__op2::ByInc>();
                                    let mut work_arg_part = __op2::start_like::<
                                        __op2::ByInc,
                                        _,
                                    >(&work_arg);
                                    attract(
                                        x_view.at(partner),
                                        &y_arg,
                                        __op2::ShiftOf::of_shift(shift),
                                        charge_arg.as_ref(),
                                        &mut force_arg,
                                        &mut reaction_arg_part,
                                        __op2::IndexValue::from_index(first_arg.of(partner)),
                                        __op2::IndexValue::from_index(second_arg.of(e)),
                                        &mut work_arg_part,
                                    );
                                    force_view
                                        .combine_at(__op2::Combine::Inc, partner, &force_arg);
                                    force_view
                                        .absorb(
                                            __op2::Combine::Inc,
                                            &mut reaction_arg,
                                            &reaction_arg_part,
                                        );
                                    __op2::Reduce::<
                                        __op2::ByInc,
                                    >::absorb(&mut work_arg, &work_arg_part);
                                }
                                force_view
                                    .combine_at(__op2::Combine::Inc, e, &reaction_arg);
                            }
                        }
                        (work_arg,)
                    }
                },
                listed: move |elems, part| general(__op2::Elems::of_list(elems), part),
                general,
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<O: __op2::Outside> {
                        x_view: __op2::View<[::core::primitive::f64; 2]>,
                        charge_view: ::core::option::Option<
                            __op2::View<::core::primitive::f64>,
                        >,
                        force_view: __op2::View<[::core::primitive::f64; 2]>,
                        first_arg: __op2::Numbers,
                        second_arg: __op2::Numbers,
                        pairs: __op2::PairView<2>,
                        outside: __op2::Of<O>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<O: __op2::Outside> __op2::Vector for __Lanes<O> {
                        type Wide = ::core::primitive::f64;
                        type Out = (::core::primitive::f64,);
                        const SCALARS: ::core::primitive::usize = match O::END {
                            __op2::End::From => {
                                0 + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                                    + <::core::primitive::f64 as __op2::Value>::DIM
                                    + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            }
                            __op2::End::To => {
                                0 + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                                    + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            }
                        };
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (mut work_arg,): (::core::primitive::f64,),
                        ) -> (::core::primitive::f64,) {
                            let &__Lanes {
                                x_view,
                                charge_view,
                                force_view,
                                first_arg,
                                second_arg,
                                pairs,
                                outside,
                            } = self;
                            let x_view = x_view.in_layout::<SOA>();
                            let charge_view = charge_view
                                .map(|view| view.in_layout::<SOA>());
                            let force_view = force_view.in_layout::<SOA>();
                            if const { ::core::matches!(O::END, __op2::End::From) } {
                                #[allow(
                                    unused,
                                    non_snake_case,
                                    clippy::all,
                                    clippy::pedantic
                                )]
                                #[inline(always)]
                                fn attract_lanes_0<W: __op2::Width>(
                                    w: W,
                                    mut x_0: &[::core::primitive::f64; 2],
                                    mut y_1: &[__op2::V<W, ::core::primitive::f64>; 2],
                                    mut shift_2: [__op2::V<W, ::core::primitive::f64>; 2],
                                    mut charge_3: ::core::option::Option<
                                        &__op2::V<W, ::core::primitive::f64>,
                                    >,
                                    mut force_4: &mut [__op2::V<W, ::core::primitive::f64>; 2],
                                    mut reaction_5: &mut [__op2::V<
                                        W,
                                        ::core::primitive::f64,
                                    >; 2],
                                    mut first_6: ::core::primitive::usize,
                                    mut second_7: __op2::V<W, ::core::primitive::u32>,
                                    mut work_8: &mut __op2::V<W, ::core::primitive::f64>,
                                ) {
                                    {
                                        {
                                            let cond = (__op2::Spread::<W>::spread(first_6, w))
                                                .differs({
                                                    let operand0 = second_7;
                                                    __op2::each(
                                                        w,
                                                        |lane| {
                                                            (__op2::Lanes::<W>::lane(&operand0, lane))
                                                                as ::core::primitive::usize
                                                        },
                                                    )
                                                });
                                            let mut mask1 = cond;
                                            if mask1.any() {
                                                let mut d_9: [__op2::V<W, ::core::primitive::f64>; 2] = [
                                                    ((((__op2::Spread::<W>::spread((*x_0)[0], w))
                                                        + ((shift_2)[0usize]))) - (((*y_1))[0usize])),
                                                    ((((__op2::Spread::<W>::spread((*x_0)[1], w))
                                                        + ((shift_2)[1usize]))) - (((*y_1))[1usize])),
                                                ];
                                                let mut near_10: __op2::V<W, ::core::primitive::f64> = ((__op2::Spread::<
                                                    W,
                                                >::spread(1.0f64, w))
                                                    / (((((__op2::Spread::<W>::spread(0.5f64, w))
                                                        + ((((d_9)[0usize]) * ((d_9)[0usize])))))
                                                        + ((((d_9)[1usize]) * ((d_9)[1usize]))))));
                                                if let ::core::option::Option::Some(mut charge_11) = charge_3 {
                                                    {
                                                        let value = (*charge_11);
                                                        let place = &mut near_10;
                                                        *place = ((*place) * (value));
                                                    };
                                                }
                                                'round0: for mut c_12 in (0usize)..(2usize) {
                                                    {
                                                        let value = ((near_10) * ((d_9)[c_12]));
                                                        let place = &mut ((*force_4))[c_12];
                                                        *place = __op2::Lanes::<
                                                            W,
                                                        >::select(mask1, ((*place) - (value)), *place);
                                                    };
                                                    {
                                                        let value = ((near_10) * ((d_9)[c_12]));
                                                        let place = &mut ((*reaction_5))[c_12];
                                                        *place = __op2::Lanes::<
                                                            W,
                                                        >::select(mask1, ((*place) + (value)), *place);
                                                    };
                                                }
                                                {
                                                    let value = near_10;
                                                    let place = &mut (*work_8);
                                                    *place = __op2::Lanes::<
                                                        W,
                                                    >::select(mask1, ((*place) + (value)), *place);
                                                };
                                            }
                                        }
                                    }
                                }
                                let force_arg_sink = elems.sink(4, force_view);
                                let reaction_arg_sink = elems.sink(5, force_view);
                                let mut partners = unsafe { pairs.partners() };
                                for (position, e) in elems {
                                    unsafe {
                                        let x_arg = x_view.load(e);
                                        let mut force_arg = force_view.neutral::<__op2::ByInc>();
                                        for pack in partners.packs(w, e) {
                                            let at = pack.partners();
                                            let y_arg = x_view.gather(w, &at);
                                            let charge_arg = charge_view
                                                .map(|charge_view| charge_view.gather(w, &at));
                                            let mut force_arg_part = __op2::Spread::<
                                                W,
                                            >::spread(force_view.neutral::<__op2::ByInc>(), w);
                                            let mut reaction_arg = __op2::Spread::<
                                                W,
                                            >::spread(force_view.neutral::<__op2::ByInc>(), w);
                                            let mut work_arg_part = __op2::Spread::<
                                                W,
                                            >::spread(
                                                __op2::start_like::<__op2::ByInc, _>(&work_arg),
                                                w,
                                            );
                                            attract_lanes_0(
                                                w,
                                                &x_arg,
                                                &y_arg,
                                                pack.shift(w),
                                                charge_arg.as_ref(),
                                                &mut force_arg_part,
                                                &mut reaction_arg,
                                                <::core::primitive::usize as __op2::IndexValue>::from_index(
                                                    first_arg.of(e),
                                                ),
                                                __op2::each(
                                                    w,
                                                    |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                        second_arg.of(__op2::Leads::element(&at, lane)),
                                                    ),
                                                ),
                                                &mut work_arg_part,
                                            );
                                            let force_arg_part_rows = force_view
                                                .rows(w, &force_arg_part);
                                            let reaction_arg_rows = force_view.rows(w, &reaction_arg);
                                            for lane in 0..pack.len() {
                                                let partner = __op2::Leads::element(&at, lane);
                                                let force_arg_part = force_arg_part_rows.as_ref()[lane];
                                                force_view
                                                    .absorb(
                                                        __op2::Combine::Inc,
                                                        &mut force_arg,
                                                        &force_arg_part,
                                                    );
                                                let reaction_arg = reaction_arg_rows.as_ref()[lane];
                                                reaction_arg_sink
                                                    .combine_partner(
                                                        __op2::Combine::Inc,
                                                        partner,
                                                        &reaction_arg,
                                                    );
                                                __op2::Reduce::<
                                                    __op2::ByInc,
                                                >::absorb(
                                                    &mut work_arg,
                                                    &__op2::Lanes::<W>::lane(&work_arg_part, lane),
                                                );
                                            }
                                        }
                                        force_arg_sink
                                            .combine(__op2::Combine::Inc, position, 0, e, &force_arg);
                                    }
                                }
                            } else {
                                #[allow(
                                    unused,
                                    non_snake_case,
                                    clippy::all,
                                    clippy::pedantic
                                )]
                                #[inline(always)]
                                fn attract_lanes_0<W: __op2::Width>(
                                    w: W,
                                    mut x_0: &[__op2::V<W, ::core::primitive::f64>; 2],
                                    mut y_1: &[::core::primitive::f64; 2],
                                    mut shift_2: [__op2::V<W, ::core::primitive::f64>; 2],
                                    mut charge_3: ::core::option::Option<
                                        &::core::primitive::f64,
                                    >,
                                    mut force_4: &mut [__op2::V<W, ::core::primitive::f64>; 2],
                                    mut reaction_5: &mut [__op2::V<
                                        W,
                                        ::core::primitive::f64,
                                    >; 2],
                                    mut first_6: __op2::V<W, ::core::primitive::usize>,
                                    mut second_7: ::core::primitive::u32,
                                    mut work_8: &mut __op2::V<W, ::core::primitive::f64>,
                                ) {
                                    {
                                        {
                                            let cond = (first_6)
                                                .differs(
                                                    __op2::Spread::<
                                                        W,
                                                    >::spread(second_7 as ::core::primitive::usize, w),
                                                );
                                            let mut mask1 = cond;
                                            if mask1.any() {
                                                let mut d_9: [__op2::V<W, ::core::primitive::f64>; 2] = [
                                                    ((((((*x_0))[0usize]) + ((shift_2)[0usize])))
                                                        - (__op2::Spread::<W>::spread((*y_1)[0], w))),
                                                    ((((((*x_0))[1usize]) + ((shift_2)[1usize])))
                                                        - (__op2::Spread::<W>::spread((*y_1)[1], w))),
                                                ];
                                                let mut near_10: __op2::V<W, ::core::primitive::f64> = ((__op2::Spread::<
                                                    W,
                                                >::spread(1.0f64, w))
                                                    / (((((__op2::Spread::<W>::spread(0.5f64, w))
                                                        + ((((d_9)[0usize]) * ((d_9)[0usize])))))
                                                        + ((((d_9)[1usize]) * ((d_9)[1usize]))))));
                                                if let ::core::option::Option::Some(mut charge_11) = charge_3 {
                                                    {
                                                        let value = __op2::Spread::<W>::spread(*charge_11, w);
                                                        let place = &mut near_10;
                                                        *place = ((*place) * (value));
                                                    };
                                                }
                                                'round0: for mut c_12 in (0usize)..(2usize) {
                                                    {
                                                        let value = ((near_10) * ((d_9)[c_12]));
                                                        let place = &mut ((*force_4))[c_12];
                                                        *place = __op2::Lanes::<
                                                            W,
                                                        >::select(mask1, ((*place) - (value)), *place);
                                                    };
                                                    {
                                                        let value = ((near_10) * ((d_9)[c_12]));
                                                        let place = &mut ((*reaction_5))[c_12];
                                                        *place = __op2::Lanes::<
                                                            W,
                                                        >::select(mask1, ((*place) + (value)), *place);
                                                    };
                                                }
                                                {
                                                    let value = near_10;
                                                    let place = &mut (*work_8);
                                                    *place = __op2::Lanes::<
                                                        W,
                                                    >::select(mask1, ((*place) + (value)), *place);
                                                };
                                            }
                                        }
                                    }
                                }
                                let force_arg_sink = elems.sink(4, force_view);
                                let reaction_arg_sink = elems.sink(5, force_view);
                                let mut partners = unsafe { pairs.partners() };
                                for (position, e) in elems {
                                    unsafe {
                                        let y_arg = x_view.load(e);
                                        let charge_arg = charge_view
                                            .map(|charge_view| charge_view.load(e));
                                        let mut reaction_arg = force_view.neutral::<__op2::ByInc>();
                                        for pack in partners.packs(w, e) {
                                            let at = pack.partners();
                                            let x_arg = x_view.gather(w, &at);
                                            let mut force_arg = __op2::Spread::<
                                                W,
                                            >::spread(force_view.neutral::<__op2::ByInc>(), w);
                                            let mut reaction_arg_part = __op2::Spread::<
                                                W,
                                            >::spread(force_view.neutral::<__op2::ByInc>(), w);
                                            let mut work_arg_part = __op2::Spread::<
                                                W,
                                            >::spread(
                                                __op2::start_like::<__op2::ByInc, _>(&work_arg),
                                                w,
                                            );
                                            attract_lanes_0(
                                                w,
                                                &x_arg,
                                                &y_arg,
                                                pack.shift(w),
                                                charge_arg.as_ref(),
                                                &mut force_arg,
                                                &mut reaction_arg_part,
                                                __op2::each(
                                                    w,
                                                    |lane| <::core::primitive::usize as __op2::IndexValue>::from_index(
                                                        first_arg.of(__op2::Leads::element(&at, lane)),
                                                    ),
                                                ),
                                                <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    second_arg.of(e),
                                                ),
                                                &mut work_arg_part,
                                            );
                                            let force_arg_rows = force_view.rows(w, &force_arg);
                                            let reaction_arg_part_rows = force_view
                                                .rows(w, &reaction_arg_part);
                                            for lane in 0..pack.len() {
                                                let partner = __op2::Leads::element(&at, lane);
                                                let force_arg = force_arg_rows.as_ref()[lane];
                                                force_arg_sink
                                                    .combine_partner(__op2::Combine::Inc, partner, &force_arg);
                                                let reaction_arg_part = reaction_arg_part_rows
                                                    .as_ref()[lane];
                                                force_view
                                                    .absorb(
                                                        __op2::Combine::Inc,
                                                        &mut reaction_arg,
                                                        &reaction_arg_part,
                                                    );
                                                __op2::Reduce::<
                                                    __op2::ByInc,
                                                >::absorb(
                                                    &mut work_arg,
                                                    &__op2::Lanes::<W>::lane(&work_arg_part, lane),
                                                );
                                            }
                                        }
                                        reaction_arg_sink
                                            .combine(
                                                __op2::Combine::Inc,
                                                position,
                                                0,
                                                e,
                                                &reaction_arg,
                                            );
                                    }
                                }
                            }
                            (work_arg,)
                        }
                    }
                    __Lanes {
                        x_view: __op2::same(x_view),
                        charge_view: __op2::same(charge_view),
                        force_view: __op2::same(force_view),
                        first_arg: __op2::same(first_arg),
                        second_arg: __op2::same(second_arg),
                        pairs: __op2::in_dimensions(pairs),
                        outside: outside,
                    }
                },
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByInc>::absorb(&mut total.0, &part.0);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByInc, _>(work_arg, &total.0);
                },
            })
        };
        outcome
    }
}
