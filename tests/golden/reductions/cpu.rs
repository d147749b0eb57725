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
fn change(
    new: &[f64; 2],
    old: &[f64; 2],
    scale: &f64,
    sum: &mut f64,
    low: &mut f64,
    worst: &mut ArgMax<f64, u32>,
    cell: u32,
) {
    for n in 0..2 {
        let d = *scale * (new[n] - old[n]);
        *sum += d * d;
        *low = low.min(d);
        worst.update(d * d, cell);
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
            unsafe { ::op2::__private::one_function(&change, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<9401956782316154586u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_change_827a75e13b876eda {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 9401956782316154586u64 { fn change(new : & [f64; 2], old : &
        [f64; 2], scale : & f64, sum : & mut f64, low : & mut f64, worst : & mut ArgMax <
        f64, u32 >, cell : u32) { for n in 0..2 { let d = * scale * (new[n] - old[n]); *
        sum += d * d; * low = low.min(d); worst.update(d * d, cell); } } } {} {} }
        $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_change_827a75e13b876eda as change;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
};
#[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
const _: () = {
    const _: () = {
        fn min_by_value() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn min(self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut ::core::primitive::f64 = ::core::unreachable!();
                value
            };
            let _ = receiver.min();
        }
        fn min_by_reference() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn min(&self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut ::core::primitive::f64 = ::core::unreachable!();
                value
            };
            let _ = receiver.min();
        }
        fn min_by_exclusive_reference() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn min(&mut self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut ::core::primitive::f64 = ::core::unreachable!();
                value
            };
            let _ = receiver.min();
        }
    };
};
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _change_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    9401956782316154586,
                > as ::op2::__private::Carries<_>>::Items>::__is(&change)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "change",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 14u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(new)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(old)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_read(scale)",
                    kind: __op2::ArgKind::Global(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_inc(sum)",
                    kind: __op2::ArgKind::Global(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_min(low)",
                    kind: __op2::ArgKind::Global(__op2::Access::Min),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_max(worst)",
                    kind: __op2::ArgKind::Global(__op2::Access::Max),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "idx()",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                9401956782316154586,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "the loop adds to nothing through maps",
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
                            "change_global",
                        ),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "new_",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "old",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
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
        let over = (cells,);
        let handle0 = (new,);
        let handle1 = (old,);
        let handle2 = (scale,);
        let handle3 = (sum,);
        let handle4 = (low,);
        let handle5 = (worst,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let new_view = call
            .direct(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                handle0.0,
            );
        let old_view = call
            .direct(
                1,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                handle1.0,
            );
        let scale_arg = call.global(2, __op2::Of::<::core::primitive::f64>, handle2.0);
        let sum_arg = call
            .reduction(
                3,
                __op2::Combine::Inc,
                __op2::Of::<(__op2::ByInc, ::core::primitive::f64)>,
                handle3.0,
            );
        let low_arg = call
            .reduction(
                4,
                __op2::Combine::Min,
                __op2::Of::<(__op2::ByMin, ::core::primitive::f64)>,
                handle4.0,
            );
        let worst_arg = call
            .reduction(
                5,
                __op2::Combine::Max,
                __op2::Of::<
                    (
                        __op2::ByMax,
                        __op2::ArgMax<::core::primitive::f64, ::core::primitive::u32>,
                    ),
                >,
                handle5.0,
            );
        let cell_arg = call.numbers();
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (
                    __op2::start_of::<__op2::ByInc, _>(sum_arg),
                    __op2::start_of::<__op2::ByMin, _>(low_arg),
                    __op2::start_of::<__op2::ByMax, _>(worst_arg),
                ),
                fast: move |elems, (mut sum_arg, mut low_arg, mut worst_arg)| {
                    for e in elems {
                        unsafe {
                            let mut sum_arg_part = __op2::start_like::<
                                __op2::ByInc,
                                _,
                            >(&sum_arg);
                            change(
                                new_view.at(e),
                                old_view.at(e),
                                &scale_arg,
                                &mut sum_arg_part,
                                &mut low_arg,
                                &mut worst_arg,
                                __op2::IndexValue::from_index(cell_arg.of(e)),
                            );
                            __op2::Reduce::<
                                __op2::ByInc,
                            >::absorb(&mut sum_arg, &sum_arg_part);
                        }
                    }
                    (sum_arg, low_arg, worst_arg)
                },
                listed: move |elems, (mut sum_arg, mut low_arg, mut worst_arg)| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let mut sum_arg_part = __op2::start_like::<
                                __op2::ByInc,
                                _,
                            >(&sum_arg);
                            change(
                                new_view.at(e),
                                old_view.at(e),
                                &scale_arg,
                                &mut sum_arg_part,
                                &mut low_arg,
                                &mut worst_arg,
                                __op2::IndexValue::from_index(cell_arg.of(e)),
                            );
                            __op2::Reduce::<
                                __op2::ByInc,
                            >::absorb(&mut sum_arg, &sum_arg_part);
                        }
                    }
                    (sum_arg, low_arg, worst_arg)
                },
                general: move |elems, (mut sum_arg, mut low_arg, mut worst_arg)| {
                    for (_, e) in elems {
                        unsafe {
                            let new_arg = new_view.load(e);
                            let old_arg = old_view.load(e);
                            let mut sum_arg_part = __op2::start_like::<
                                __op2::ByInc,
                                _,
                            >(&sum_arg);
                            change(
                                &new_arg,
                                &old_arg,
                                &scale_arg,
                                &mut sum_arg_part,
                                &mut low_arg,
                                &mut worst_arg,
                                __op2::IndexValue::from_index(cell_arg.of(e)),
                            );
                            __op2::Reduce::<
                                __op2::ByInc,
                            >::absorb(&mut sum_arg, &sum_arg_part);
                        }
                    }
                    (sum_arg, low_arg, worst_arg)
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes {
                        new_view: __op2::View<[::core::primitive::f64; 2]>,
                        old_view: __op2::View<[::core::primitive::f64; 2]>,
                        scale_arg: ::core::primitive::f64,
                        cell_arg: __op2::Numbers,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl __op2::Vector for __Lanes {
                        type Wide = ::core::primitive::f64;
                        type Out = (
                            ::core::primitive::f64,
                            ::core::primitive::f64,
                            __op2::ArgMax<::core::primitive::f64, ::core::primitive::u32>,
                        );
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            + <[::core::primitive::f64; 2] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (
                                mut sum_arg,
                                mut low_arg,
                                mut worst_arg,
                            ): (
                                ::core::primitive::f64,
                                ::core::primitive::f64,
                                __op2::ArgMax<
                                    ::core::primitive::f64,
                                    ::core::primitive::u32,
                                >,
                            ),
                        ) -> (
                            ::core::primitive::f64,
                            ::core::primitive::f64,
                            __op2::ArgMax<::core::primitive::f64, ::core::primitive::u32>,
                        ) {
                            let &__Lanes { new_view, old_view, scale_arg, cell_arg } = self;
                            let new_view = new_view.in_layout::<SOA>();
                            let old_view = old_view.in_layout::<SOA>();
                            let mut low_arg_part = __op2::Spread::<
                                W,
                            >::spread(low_arg, w);
                            let mut worst_arg_part = __op2::Spread::<
                                W,
                            >::spread(worst_arg, w);
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn change_lanes_0<W: __op2::Width>(
                                w: W,
                                mut new_0: &[__op2::V<W, ::core::primitive::f64>; 2],
                                mut old_1: &[__op2::V<W, ::core::primitive::f64>; 2],
                                mut scale_2: &::core::primitive::f64,
                                mut sum_3: &mut __op2::V<W, ::core::primitive::f64>,
                                mut low_4: &mut __op2::V<W, ::core::primitive::f64>,
                                mut worst_5: &mut __op2::LanesOf<
                                    W,
                                    __op2::ArgMax<
                                        ::core::primitive::f64,
                                        ::core::primitive::u32,
                                    >,
                                >,
                                mut cell_6: __op2::V<W, ::core::primitive::u32>,
                            ) {
                                {
                                    'round0: for mut n_7 in (0usize)..(2usize) {
                                        let mut d_8: __op2::V<W, ::core::primitive::f64> = ((__op2::Spread::<
                                            W,
                                        >::spread(*scale_2, w))
                                            * (((((*new_0))[n_7]) - (((*old_1))[n_7]))));
                                        {
                                            let value = ((d_8) * (d_8));
                                            let place = &mut (*sum_3);
                                            *place = ((*place) + (value));
                                        };
                                        {
                                            let value = ((*low_4)).min(d_8);
                                            let place = &mut (*low_4);
                                            *place = value;
                                        };
                                        (worst_5)
                                            .update(
                                                ::core::option::Option::None,
                                                ((d_8) * (d_8)),
                                                cell_6,
                                            );
                                    }
                                }
                            }
                            let straight = true;
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let new_arg = new_view.gather(w, &pack.direct());
                                    let old_arg = old_view.gather(w, &pack.direct());
                                    let mut sum_arg_part = __op2::Spread::<
                                        W,
                                    >::spread(
                                        __op2::start_like::<__op2::ByInc, _>(&sum_arg),
                                        w,
                                    );
                                    change_lanes_0(
                                        w,
                                        &new_arg,
                                        &old_arg,
                                        &scale_arg,
                                        &mut sum_arg_part,
                                        &mut low_arg_part,
                                        &mut worst_arg_part,
                                        {
                                            let elements = __op2::Leads::elements(&pack.direct(), w);
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    cell_arg.of(elements.as_ref()[lane]),
                                                ),
                                            )
                                        },
                                    );
                                    if straight & (pack.len() == W::LANES) {
                                        for lane in 0..W::LANES {
                                            __op2::Reduce::<
                                                __op2::ByInc,
                                            >::absorb(
                                                &mut sum_arg,
                                                &__op2::Lanes::<W>::lane(&sum_arg_part, lane),
                                            );
                                        }
                                    } else {
                                        for lane in 0..pack.len() {
                                            __op2::Reduce::<
                                                __op2::ByInc,
                                            >::absorb(
                                                &mut sum_arg,
                                                &__op2::Lanes::<W>::lane(&sum_arg_part, lane),
                                            );
                                        }
                                    }
                                }
                            }
                            for lane in 0..W::LANES {
                                __op2::Reduce::<
                                    __op2::ByMin,
                                >::absorb(
                                    &mut low_arg,
                                    &__op2::Lanes::<W>::lane(&low_arg_part, lane),
                                );
                            }
                            for lane in 0..W::LANES {
                                __op2::Reduce::<
                                    __op2::ByMax,
                                >::absorb(
                                    &mut worst_arg,
                                    &__op2::Lanes::<W>::lane(&worst_arg_part, lane),
                                );
                            }
                            (sum_arg, low_arg, worst_arg)
                        }
                    }
                    __Lanes {
                        new_view: __op2::same(new_view),
                        old_view: __op2::same(old_view),
                        scale_arg: __op2::same(scale_arg),
                        cell_arg: __op2::same(cell_arg),
                    }
                },
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByInc>::absorb(&mut total.0, &part.0);
                    __op2::Reduce::<__op2::ByMin>::absorb(&mut total.1, &part.1);
                    __op2::Reduce::<__op2::ByMax>::absorb(&mut total.2, &part.2);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByInc, _>(sum_arg, &total.0);
                    results.reduce::<__op2::ByMin, _>(low_arg, &total.1);
                    results.reduce::<__op2::ByMax, _>(worst_arg, &total.2);
                },
            });
        outcome
    }
}
