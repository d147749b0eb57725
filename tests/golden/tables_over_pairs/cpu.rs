//! Tables in a loop over pairs: one that is asked for numbers, one that may be absent.
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
fn near(
    f: Idx<Cells>,
    t: Idx<Points>,
    x: &Table<Points, [f64; 2]>,
    scale: Option<&Table<Cells, f64>>,
    sum: &mut f64,
    last: &mut u32,
) {
    let mut w = x.at(t)[1];
    if let Some(scale) = scale {
        w *= scale.at(f);
    }
    *sum += w;
    *last = (*last).max(x.number(t));
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
            unsafe { ::op2::__private::one_function(&near, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<1427698160072176278u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_near_13d033e98d94b296 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 1427698160072176278u64 { fn near(f : Idx < Cells >, t : Idx
        < Points >, x : & Table < Points, [f64; 2] >, scale : Option < & Table < Cells,
        f64 > >, sum : & mut f64, last : & mut u32) { let mut w = x.at(t) [1]; if let
        Some(scale) = scale { w *= scale.at(f); } * sum += w; * last = (* last).max(x
        .number(t)); } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_near_13d033e98d94b296 as near;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    #[diagnostic::on_unimplemented(
        message = "`scale` is the name of two variables of `near`, one of which a macro made: the compiler takes one of them here, and op2 the other; rename one",
        label = "one of two variables"
    )]
    trait Is_scale<const N: ::core::primitive::usize>: ::core::marker::Sized {
        fn is(self) {}
    }
    impl<const N: ::core::primitive::usize> Is_scale<N>
    for ::op2::__private::Variable<N> {}
    fn variables() {
        let scale = ::op2::__private::Variable::<3>;
        {
            {
                let scale = ::op2::__private::Variable::<7>;
                {
                    Is_scale::<7>::is(scale);
                    Is_scale::<7>::is(scale);
                }
            }
        }
    }
    ::op2::__private::means_index::<Idx<::core::primitive::u8>>();
    ::op2::__private::means_table::<
        Table<::core::primitive::u8, ::core::primitive::u8>,
    >();
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _near_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    1427698160072176278,
                > as ::op2::__private::Carries<_>>::Items>::__is(&near)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "near",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 2u32,
            args: &[
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
                    text: "read(x, all)",
                    kind: __op2::ArgKind::Whole,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "opt(scaled, read(scale, all))",
                    kind: __op2::ArgKind::Whole,
                    optional: true,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(sum, to)",
                    kind: __op2::ArgKind::End(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "max(last, from)",
                    kind: __op2::ArgKind::End(__op2::Access::Max),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                1427698160072176278,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "",
            no_host_stages: "the partners of an element come one by one",
            no_lanes: "",
            by_rows: false,
            walks: false,
            asks_numbers: true,
            devices: &[
                __op2::DeviceDesc {
                    target: __op2::Target::Cuda,
                    text: "as in cuda.cu",
                    kernels: &[
                        (__op2::EntryPoint::Shared, "near_pairs"),
                        (__op2::EntryPoint::Single, "near_pairs_single"),
                        (__op2::EntryPoint::Gather(2), "near_gather_sum"),
                        (__op2::EntryPoint::Gather(3), "near_gather_last"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "x",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[2],
                        },
                        __op2::ViewDesc {
                            name: "scale",
                            optional: true,
                            cover: ::core::option::Option::None,
                            args: &[3],
                        },
                        __op2::ViewDesc {
                            name: "sum",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[4],
                        },
                        __op2::ViewDesc {
                            name: "last",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[5],
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
        let over = (meeting,);
        let handle2 = (x,);
        let handle3 = if scaled {
            ::core::option::Option::Some((scale,))
        } else {
            ::core::option::Option::None
        };
        let handle4 = (sum,);
        let handle5 = (last,);
        #[allow(unused_mut)]
        let mut call = (op).__call_pairs(&__DESC, over.0);
        let pairs = call.pairs();
        let f_arg = call.elements_from();
        let t_arg = call.elements_to();
        let x_view = call.table(2, __op2::Of::<[::core::primitive::f64; 2]>, handle2.0);
        let scale_view = match handle3 {
            ::core::option::Option::Some(handle3) => {
                ::core::option::Option::Some(
                    call.table(3, __op2::Of::<::core::primitive::f64>, handle3.0),
                )
            }
            ::core::option::Option::None => ::core::option::Option::None,
        };
        let sum_view = call
            .to(4, __op2::Access::Inc, __op2::Of::<::core::primitive::f64>, handle4.0);
        let last_view = call
            .from(5, __op2::Access::Max, __op2::Of::<::core::primitive::u32>, handle5.0);
        let outside = call.outside();
        let from_outside = __op2::from_is(outside);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = {
            let general = move |elems: __op2::Elems<'_>, ()| {
                if from_outside {
                    let sum_arg_sink = elems.sink(4, sum_view);
                    let last_arg_sink = elems.sink(5, last_view);
                    let mut partners = unsafe { pairs.partners() };
                    for (position, e) in elems {
                        unsafe {
                            let mut last_arg = last_view.neutral::<__op2::ByMax>();
                            for (partner, shift) in partners.of(e) {
                                let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                                let mut last_arg_part = last_view.neutral::<__op2::ByMax>();
                                near(
                                    f_arg.element(e),
                                    t_arg.element(partner),
                                    &x_view,
                                    scale_view.as_ref().map(|table| table.as_table()),
                                    &mut sum_arg,
                                    &mut last_arg_part,
                                );
                                sum_arg_sink
                                    .combine_partner(__op2::Combine::Inc, partner, &sum_arg);
                                last_view
                                    .absorb(__op2::Combine::Max, &mut last_arg, &last_arg_part);
                            }
                            last_arg_sink
                                .combine(__op2::Combine::Max, position, 0, e, &last_arg);
                        }
                    }
                } else {
                    let sum_arg_sink = elems.sink(4, sum_view);
                    let last_arg_sink = elems.sink(5, last_view);
                    let mut partners = unsafe { pairs.partners() };
                    for (position, e) in elems {
                        unsafe {
                            let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                            for (partner, shift) in partners.of(e) {
                                let mut sum_arg_part = sum_view.neutral::<__op2::ByInc>();
                                let mut last_arg = last_view.neutral::<__op2::ByMax>();
                                near(
                                    f_arg.element(partner),
                                    t_arg.element(e),
                                    &x_view,
                                    scale_view.as_ref().map(|table| table.as_table()),
                                    &mut sum_arg_part,
                                    &mut last_arg,
                                );
                                sum_view
                                    .absorb(__op2::Combine::Inc, &mut sum_arg, &sum_arg_part);
                                last_arg_sink
                                    .combine_partner(__op2::Combine::Max, partner, &last_arg);
                            }
                            sum_arg_sink
                                .combine(__op2::Combine::Inc, position, 0, e, &sum_arg);
                        }
                    }
                }
            };
            call.run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    if from_outside {
                        let mut partners = unsafe { pairs.partners() };
                        for e in elems {
                            unsafe {
                                let mut last_arg = last_view.neutral::<__op2::ByMax>();
                                for (partner, shift) in partners.of(e) {
                                    let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                                    let mut last_arg_part = last_view.neutral::<__op2::ByMax>();
                                    near(
                                        f_arg.element(e),
                                        t_arg.element(partner),
                                        &x_view,
                                        scale_view.as_ref().map(|table| table.as_table()),
                                        &mut sum_arg,
                                        &mut last_arg_part,
                                    );
                                    sum_view.combine_at(__op2::Combine::Inc, partner, &sum_arg);
                                    last_view
                                        .absorb(__op2::Combine::Max, &mut last_arg, &last_arg_part);
                                }
                                last_view.combine_at(__op2::Combine::Max, e, &last_arg);
                            }
                        }
                    } else {
                        let mut partners = unsafe { pairs.partners() };
                        for e in elems {
                            unsafe {
                                let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                                for (partner, shift) in partners.of(e) {
                                    let mut sum_arg_part = sum_view.neutral::<__op2::ByInc>();
                                    let mut last_arg = last_view.neutral::<__op2::ByMax>();
                                    near(
                                        f_arg.element(partner),
                                        t_arg.element(e),
                                        &x_view,
                                        scale_view.as_ref().map(|table| table.as_table()),
                                        &mut sum_arg_part,
                                        &mut last_arg,
                                    );
                                    sum_view
                                        .absorb(__op2::Combine::Inc, &mut sum_arg, &sum_arg_part);
                                    last_view
                                        .combine_at(__op2::Combine::Max, partner, &last_arg);
                                }
                                sum_view.combine_at(__op2::Combine::Inc, e, &sum_arg);
                            }
                        }
                    }
                },
                listed: move |elems, part| general(__op2::Elems::of_list(elems), part),
                general,
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<
                        O: __op2::Outside,
                        const D: ::core::primitive::usize,
                    > {
                        f_arg: __op2::ElementNumbers,
                        t_arg: __op2::ElementNumbers,
                        x_view: __op2::NumberedTable<[::core::primitive::f64; 2]>,
                        scale_view: ::core::option::Option<
                            __op2::NumberedTable<::core::primitive::f64>,
                        >,
                        sum_view: __op2::View<::core::primitive::f64>,
                        last_view: __op2::View<::core::primitive::u32>,
                        pairs: __op2::PairView<D>,
                        outside: __op2::Of<O>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<
                        O: __op2::Outside,
                        const D: ::core::primitive::usize,
                    > __op2::Vector for __Lanes<O, D> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = match O::END {
                            __op2::End::From => {
                                0 + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                                    + <::core::primitive::f64 as __op2::Value>::DIM
                                    + <::core::primitive::f64 as __op2::Value>::DIM
                            }
                            __op2::End::To => {
                                0 + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                                    + <::core::primitive::f64 as __op2::Value>::DIM
                                    + <::core::primitive::u32 as __op2::Value>::DIM
                            }
                        };
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                f_arg,
                                t_arg,
                                x_view,
                                scale_view,
                                sum_view,
                                last_view,
                                pairs,
                                outside,
                            } = self;
                            let sum_view = sum_view.in_layout::<SOA>();
                            let last_view = last_view.in_layout::<SOA>();
                            if const { ::core::matches!(O::END, __op2::End::From) } {
                                #[allow(
                                    unused,
                                    non_snake_case,
                                    clippy::all,
                                    clippy::pedantic
                                )]
                                #[inline(always)]
                                fn near_lanes_0<W: __op2::Width>(
                                    w: W,
                                    mut f_0: ::core::primitive::u32,
                                    mut t_1: __op2::V<W, ::core::primitive::u32>,
                                    mut x_2: &__op2::NumberedTable<[::core::primitive::f64; 2]>,
                                    mut scale_3: ::core::option::Option<
                                        &__op2::NumberedTable<::core::primitive::f64>,
                                    >,
                                    mut sum_4: &mut __op2::V<W, ::core::primitive::f64>,
                                    mut last_5: &mut __op2::V<W, ::core::primitive::u32>,
                                ) {
                                    {
                                        let mut w_6: __op2::V<W, ::core::primitive::f64> = ({
                                            let table = &(*x_2);
                                            {
                                                let operand0 = t_1;
                                                __op2::each(
                                                    w,
                                                    |lane| table.at(__op2::Lanes::<W>::lane(&operand0, lane)),
                                                )
                                            }
                                        })[1usize];
                                        if let ::core::option::Option::Some(mut scale_7) = scale_3 {
                                            {
                                                let value = __op2::Spread::<
                                                    W,
                                                >::spread((*scale_7).at(f_0), w);
                                                let place = &mut w_6;
                                                *place = ((*place) * (value));
                                            };
                                        }
                                        {
                                            let value = w_6;
                                            let place = &mut (*sum_4);
                                            *place = ((*place) + (value));
                                        };
                                        {
                                            let value = {
                                                let operand0 = (*last_5);
                                                let operand1 = {
                                                    let table = &(*x_2);
                                                    {
                                                        let operand0 = t_1;
                                                        __op2::each(
                                                            w,
                                                            |lane| {
                                                                table.number(__op2::Lanes::<W>::lane(&operand0, lane))
                                                            },
                                                        )
                                                    }
                                                };
                                                __op2::each(
                                                    w,
                                                    |lane| <::core::primitive::u32 as ::core::cmp::Ord>::max(
                                                        __op2::Lanes::<W>::lane(&operand0, lane),
                                                        __op2::Lanes::<W>::lane(&operand1, lane),
                                                    ),
                                                )
                                            };
                                            let place = &mut (*last_5);
                                            *place = value;
                                        };
                                    }
                                }
                                let sum_arg_sink = elems.sink(4, sum_view);
                                let last_arg_sink = elems.sink(5, last_view);
                                let mut partners = unsafe { pairs.partners() };
                                for (position, e) in elems {
                                    unsafe {
                                        let mut last_arg = last_view.neutral::<__op2::ByMax>();
                                        for pack in partners.packs(w, e) {
                                            let at = pack.partners();
                                            let mut sum_arg = __op2::Spread::<
                                                W,
                                            >::spread(sum_view.neutral::<__op2::ByInc>(), w);
                                            let mut last_arg_part = __op2::Spread::<
                                                W,
                                            >::spread(last_view.neutral::<__op2::ByMax>(), w);
                                            near_lanes_0(
                                                w,
                                                <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    f_arg.of(e),
                                                ),
                                                __op2::each(
                                                    w,
                                                    |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                        t_arg.of(__op2::Leads::element(&at, lane)),
                                                    ),
                                                ),
                                                &x_view,
                                                scale_view.as_ref().map(|table| table.as_table()),
                                                &mut sum_arg,
                                                &mut last_arg_part,
                                            );
                                            let sum_arg_rows = sum_view.rows(w, &sum_arg);
                                            let last_arg_part_rows = last_view.rows(w, &last_arg_part);
                                            for lane in 0..pack.len() {
                                                let partner = __op2::Leads::element(&at, lane);
                                                let sum_arg = sum_arg_rows.as_ref()[lane];
                                                sum_arg_sink
                                                    .combine_partner(__op2::Combine::Inc, partner, &sum_arg);
                                                let last_arg_part = last_arg_part_rows.as_ref()[lane];
                                                last_view
                                                    .absorb(__op2::Combine::Max, &mut last_arg, &last_arg_part);
                                            }
                                        }
                                        last_arg_sink
                                            .combine(__op2::Combine::Max, position, 0, e, &last_arg);
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
                                fn near_lanes_0<W: __op2::Width>(
                                    w: W,
                                    mut f_0: __op2::V<W, ::core::primitive::u32>,
                                    mut t_1: ::core::primitive::u32,
                                    mut x_2: &__op2::NumberedTable<[::core::primitive::f64; 2]>,
                                    mut scale_3: ::core::option::Option<
                                        &__op2::NumberedTable<::core::primitive::f64>,
                                    >,
                                    mut sum_4: &mut __op2::V<W, ::core::primitive::f64>,
                                    mut last_5: &mut __op2::V<W, ::core::primitive::u32>,
                                ) {
                                    {
                                        let mut w_6: __op2::V<W, ::core::primitive::f64> = __op2::Spread::<
                                            W,
                                        >::spread((*x_2).at(t_1)[1], w);
                                        if let ::core::option::Option::Some(mut scale_7) = scale_3 {
                                            {
                                                let value = {
                                                    let table = &(*scale_7);
                                                    {
                                                        let operand0 = f_0;
                                                        __op2::each(
                                                            w,
                                                            |lane| table.at(__op2::Lanes::<W>::lane(&operand0, lane)),
                                                        )
                                                    }
                                                };
                                                let place = &mut w_6;
                                                *place = ((*place) * (value));
                                            };
                                        }
                                        {
                                            let value = w_6;
                                            let place = &mut (*sum_4);
                                            *place = ((*place) + (value));
                                        };
                                        {
                                            let value = {
                                                let operand0 = (*last_5);
                                                let operand1 = (*x_2).number(t_1);
                                                __op2::each(
                                                    w,
                                                    |lane| <::core::primitive::u32 as ::core::cmp::Ord>::max(
                                                        __op2::Lanes::<W>::lane(&operand0, lane),
                                                        operand1,
                                                    ),
                                                )
                                            };
                                            let place = &mut (*last_5);
                                            *place = value;
                                        };
                                    }
                                }
                                let sum_arg_sink = elems.sink(4, sum_view);
                                let last_arg_sink = elems.sink(5, last_view);
                                let mut partners = unsafe { pairs.partners() };
                                for (position, e) in elems {
                                    unsafe {
                                        let mut sum_arg = sum_view.neutral::<__op2::ByInc>();
                                        for pack in partners.packs(w, e) {
                                            let at = pack.partners();
                                            let mut sum_arg_part = __op2::Spread::<
                                                W,
                                            >::spread(sum_view.neutral::<__op2::ByInc>(), w);
                                            let mut last_arg = __op2::Spread::<
                                                W,
                                            >::spread(last_view.neutral::<__op2::ByMax>(), w);
                                            near_lanes_0(
                                                w,
                                                __op2::each(
                                                    w,
                                                    |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                        f_arg.of(__op2::Leads::element(&at, lane)),
                                                    ),
                                                ),
                                                <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    t_arg.of(e),
                                                ),
                                                &x_view,
                                                scale_view.as_ref().map(|table| table.as_table()),
                                                &mut sum_arg_part,
                                                &mut last_arg,
                                            );
                                            let sum_arg_part_rows = sum_view.rows(w, &sum_arg_part);
                                            let last_arg_rows = last_view.rows(w, &last_arg);
                                            for lane in 0..pack.len() {
                                                let partner = __op2::Leads::element(&at, lane);
                                                let sum_arg_part = sum_arg_part_rows.as_ref()[lane];
                                                sum_view
                                                    .absorb(__op2::Combine::Inc, &mut sum_arg, &sum_arg_part);
                                                let last_arg = last_arg_rows.as_ref()[lane];
                                                last_arg_sink
                                                    .combine_partner(__op2::Combine::Max, partner, &last_arg);
                                            }
                                        }
                                        sum_arg_sink
                                            .combine(__op2::Combine::Inc, position, 0, e, &sum_arg);
                                    }
                                }
                            }
                        }
                    }
                    __Lanes {
                        f_arg: f_arg.as_numbers(),
                        t_arg: t_arg.as_numbers(),
                        x_view: x_view.as_numbers(),
                        scale_view: scale_view.map(|table| table.as_numbers()),
                        sum_view: __op2::same(sum_view),
                        last_view: __op2::same(last_view),
                        pairs: pairs,
                        outside: outside,
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            })
        };
        outcome
    }
}
