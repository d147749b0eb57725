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
fn mean<F: Float, const M: usize>(values: &[F; M]) -> F {
    let mut sum = F::lit(0.0);
    for v in values {
        sum += *v;
    }
    sum * F::lit(1.0 / M as f64)
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
            unsafe {
                ::op2::__private::one_function(&mean::<::core::primitive::f64, 1>, given)
            }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<8732384368587339122u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_mean_792fa9512bd27572 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn 8732384368587339122u64 { fn mean < F : Float, const M :
        usize > (values : & [F; M]) -> F { let mut sum = F::lit(0.0); for v in values {
        sum += * v; } sum * F::lit(1.0 / M as f64) } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_mean_792fa9512bd27572 as mean;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    {
        fn bound<F: Float>() {
            ::op2::__private::means_float::<F>()
        }
    }
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
fn spread<F: Float, G: Float, const N: usize, const ENDS: usize>(
    q: &[[F; N]; 2],
    w: &G,
    sum: [&mut [F; N]; ENDS],
    most: &mut G,
) {
    let [first, second] = q.map(|row| mean(&row));
    for end in sum {
        for (i, s) in end.iter_mut().enumerate() {
            *s += first * q[1][i] - second;
        }
    }
    *most = most.max(*w * G::lit(ENDS as f64));
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
                    8732384368587339122,
                > as ::op2::__private::Carries<_>>::Items>::__CAPTURED,
            ],
        };
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe {
                ::op2::__private::one_function(
                    &spread::<::core::primitive::f64, ::core::primitive::f64, 1, 1>,
                    given,
                )
            }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<1286078396936918457u64> {
        type Items = __Op2Carrier;
    }
};
#[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
const _: () = {
    const _mean_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
        <<::op2::__private::Site<
            8732384368587339122,
        > as ::op2::__private::Carries<
            _,
        >>::Items>::__is(&mean::<::core::primitive::f64, 1>)
    };
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_spread_11d9117cf2ba95b9 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 1286078396936918457u64 { fn spread < F : Float, G : Float,
        const N : usize, const ENDS : usize > (q : & [[F; N]; 2], w : & G, sum : [& mut
        [F; N]; ENDS], most : & mut G) { let [first, second] = q.map(| row | mean(&
        row)); for end in sum { for (i, s) in end.iter_mut().enumerate() { * s += first *
        q[1] [i] - second; } } * most = most.max(* w * G::lit(ENDS as f64)); } } { [mean]
        { 8732384368587339122u64 { fn mean < F : Float, const M : usize > (values : & [F;
        M]) -> F { let mut sum = F::lit(0.0); for v in values { sum += * v; } sum *
        F::lit(1.0 / M as f64) } } {} {} } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_spread_11d9117cf2ba95b9 as spread;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    {
        fn bound<F: Float>() {
            ::op2::__private::means_float::<F>()
        }
    }
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
#[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
const _: () = {
    const _: () = {
        fn map_by_value<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn map(self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &[[F; N0]; 2] = ::core::unreachable!();
                value
            };
            let _ = receiver.map();
        }
        fn map_by_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn map(&self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &[[F; N0]; 2] = ::core::unreachable!();
                value
            };
            let _ = receiver.map();
        }
        fn map_by_exclusive_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn map(&mut self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &[[F; N0]; 2] = ::core::unreachable!();
                value
            };
            let _ = receiver.map();
        }
    };
    const _: () = {
        fn iter_mut_by_value<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn iter_mut(self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut [F; N0] = ::core::unreachable!();
                value
            };
            let _ = receiver.iter_mut();
        }
        fn iter_mut_by_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn iter_mut(&self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut [F; N0] = ::core::unreachable!();
                value
            };
            let _ = receiver.iter_mut();
        }
        fn iter_mut_by_exclusive_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn iter_mut(&mut self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut [F; N0] = ::core::unreachable!();
                value
            };
            let _ = receiver.iter_mut();
        }
    };
    const _: () = {
        fn iter_mut_by_value<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn iter_mut(self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: [F; N0] = ::core::unreachable!();
                value
            };
            let _ = receiver.iter_mut();
        }
        fn iter_mut_by_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn iter_mut(&self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: [F; N0] = ::core::unreachable!();
                value
            };
            let _ = receiver.iter_mut();
        }
        fn iter_mut_by_exclusive_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn iter_mut(&mut self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: [F; N0] = ::core::unreachable!();
                value
            };
            let _ = receiver.iter_mut();
        }
    };
    const _: () = {
        fn max_by_value<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn max(self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut F1 = ::core::unreachable!();
                value
            };
            let _ = receiver.max();
        }
        fn max_by_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn max(&self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut F1 = ::core::unreachable!();
                value
            };
            let _ = receiver.max();
        }
        fn max_by_exclusive_reference<
            F: ::op2::Float,
            F1: ::op2::Float,
            const N0: ::core::primitive::usize,
            const N1: ::core::primitive::usize,
        >() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn max(&mut self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut F1 = ::core::unreachable!();
                value
            };
            let _ = receiver.max();
        }
    };
};
fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 3>,
    q: Dat<Edges, [[f32; 2]; 2]>,
    w: Dat<Edges, f64>,
    s: Dat<Nodes, [f32; 2]>,
    most: Global<f64>,
) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _spread_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    1286078396936918457,
                > as ::op2::__private::Carries<
                    _,
                >>::Items>::__is(
                    &spread::<::core::primitive::f64, ::core::primitive::f64, 1, 1>,
                )
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "spread",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 11u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(q)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(w)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(s, ends[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "gbl_max(most)",
                    kind: __op2::ArgKind::Global(__op2::Access::Max),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                1286078396936918457,
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
                            "spread_global",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Atomic),
                            "spread_atomic",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                            "spread_staged",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "spread_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "spread_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "spread_scatter",
                        ),
                        (__op2::EntryPoint::Gather(2), "spread_gather_s"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "q",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "w",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "s",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[2],
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
                            stored: &[],
                        },
                    ],
                    floats: &[0, 1],
                    consts: &[],
                    forms: &[
                        __op2::FormDesc {
                            text: "as in stages1.cu",
                            kernels: &[
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                    "spread_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "spread_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "spread_combined",
                                ),
                            ],
                            stages: &[&[]],
                            kept: &[2],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "sum",
                                    scalar: __op2::RoomScalar::Float(0),
                                    lens: &[__op2::Length::Param(1), __op2::Length::Param(0)],
                                },
                            ],
                            flops: 11u32,
                        },
                    ],
                },
            ],
        };
        let over = (edges,);
        let handle0 = (q,);
        let handle1 = (w,);
        let handle2 = (s,);
        let map2 = (ends,);
        let handle3 = (most,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let ends_map = call.map(2, map2.0);
        let q_view = call.direct(0, __op2::Access::Read, __op2::Of::<_>, handle0.0);
        let w_view = call.direct(1, __op2::Access::Read, __op2::Of::<_>, handle1.0);
        let sum_view = call
            .entries(2, __op2::Access::Inc, __op2::Of::<_>, ends_map, handle2.0);
        let most_arg = call
            .reduction(
                3,
                __op2::Combine::Max,
                __op2::Of::<(__op2::ByMax, _)>,
                handle3.0,
            );
        let length0 = {
            fn told<
                T,
                const N0: ::core::primitive::usize,
                const M0: ::core::primitive::usize,
            >(
                _: ::core::marker::PhantomData<[[T; N0]; M0]>,
            ) -> ::core::marker::PhantomData<[(); N0]> {
                ::core::marker::PhantomData
            }
            told(__op2::value_of(&q_view))
        };
        call.length(length0);
        let length1 = {
            fn told<T, M, const N1: ::core::primitive::usize>(
                _: &__op2::MapView<T, N1, M>,
            ) -> ::core::marker::PhantomData<[(); N1]> {
                ::core::marker::PhantomData
            }
            told(&ends_map)
        };
        call.length(length1);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (__op2::start_of::<__op2::ByMax, _>(most_arg),),
                fast: move |elems, (mut most_arg,)| {
                    for e in elems {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let mut sum_arg = ends_map_all_at
                                .map(|_| sum_view.neutral::<__op2::ByInc>());
                            spread(
                                q_view.at(e),
                                w_view.at(e),
                                sum_arg.each_mut(),
                                &mut most_arg,
                            );
                            for (at, value) in ::core::iter::zip(
                                &ends_map_all_at,
                                &sum_arg,
                            ) {
                                sum_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                    (most_arg,)
                },
                listed: move |elems, (mut most_arg,)| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let mut sum_arg = ends_map_all_at
                                .map(|_| sum_view.neutral::<__op2::ByInc>());
                            spread(
                                q_view.at(e),
                                w_view.at(e),
                                sum_arg.each_mut(),
                                &mut most_arg,
                            );
                            for (at, value) in ::core::iter::zip(
                                &ends_map_all_at,
                                &sum_arg,
                            ) {
                                sum_view.combine_at(__op2::Combine::Inc, *at, value);
                            }
                        }
                    }
                    (most_arg,)
                },
                general: move |elems, (mut most_arg,)| {
                    let sum_arg_sink = elems.sink(2, sum_view);
                    for (position, e) in elems {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let q_arg = q_view.load(e);
                            let w_arg = w_view.load(e);
                            let mut sum_arg = ends_map_all_at
                                .map(|_| sum_view.neutral::<__op2::ByInc>());
                            spread(&q_arg, &w_arg, sum_arg.each_mut(), &mut most_arg);
                            for (entry, (at, value)) in ::core::iter::zip(
                                    &ends_map_all_at,
                                    &sum_arg,
                                )
                                .enumerate()
                            {
                                sum_arg_sink
                                    .combine(__op2::Combine::Inc, position, entry, *at, value);
                            }
                        }
                    }
                    (most_arg,)
                },
                stages: move |form, mut elems, size, (mut most_arg,)| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn mean_1<
                        F: __op2::Float,
                        F1: __op2::Float,
                        const N0: ::core::primitive::usize,
                        const N1: ::core::primitive::usize,
                    >(values_0: &[F; N0]) -> F {
                        let mut sum_1: F = <F as __op2::Float>::lit(0.0f64);
                        {
                            'round0: for i_3 in 0usize..(N0) {
                                sum_1 += (*values_0)[i_3];
                            }
                        };
                        sum_1
                            * <F as __op2::Float>::lit(
                                1.0f64 / ((N0) as ::core::primitive::f64),
                            )
                    }
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn spread_stage1of1_2<
                        F: __op2::Float,
                        F1: __op2::Float,
                        const N0: ::core::primitive::usize,
                        const N1: ::core::primitive::usize,
                    >(
                        _: ::core::marker::PhantomData<F>,
                        _: ::core::marker::PhantomData<F1>,
                        _: ::core::marker::PhantomData<[(); N0]>,
                        _: ::core::marker::PhantomData<[(); N1]>,
                        q_0: &[[F; N0]; 2],
                        w_1: &F1,
                        sum_2: [&mut [F; N0]; N1],
                        most_3: &mut F1,
                    ) {
                        let held_8: [F; 2] = {
                            let mut made_5: [F; 2] = [<F as __op2::Float>::lit(
                                0.0f64,
                            ); 2];
                            'round0: for i_6 in 0usize..2usize {
                                let row_7 = (*q_0)[i_6];
                                made_5[i_6] = mean_1::<F, F1, N0, N1>(&row_7);
                            }
                            made_5
                        };
                        let first_9: F = held_8[0];
                        let second_10: F = held_8[1];
                        {
                            'round1: for i_12 in 0usize..(N1) {
                                {
                                    'round2: for i_15 in 0usize..(N0) {
                                        (*sum_2[i_12])[i_15]
                                            += (first_9 * (*q_0)[1][i_15]) - second_10;
                                    }
                                }
                            }
                        };
                        *most_3 = <F1 as __op2::Float>::max(
                            *most_3,
                            (*w_1)
                                * <F1 as __op2::Float>::lit((N1) as ::core::primitive::f64),
                        );
                    }
                    let float = __op2::float_of(&q_view);
                    let float1 = __op2::float_of(&w_view);
                    let places = elems.places().min(size);
                    match form {
                        _ => {
                            let mut sum_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let q_arg = q_view.load(e);
                                        let w_arg = w_view.load(e);
                                        let mut sum_arg = ends_map_all_at
                                            .map(|_| sum_view.neutral::<__op2::ByInc>());
                                        spread_stage1of1_2(
                                            float,
                                            float1,
                                            length0,
                                            length1,
                                            &q_arg,
                                            &w_arg,
                                            sum_arg.each_mut(),
                                            &mut most_arg,
                                        );
                                        sum_arg_room.put(place, sum_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let sum_arg = sum_arg_room.get(place);
                                        for (at, value) in ::core::iter::zip(
                                            &ends_map_all_at,
                                            &sum_arg,
                                        ) {
                                            sum_view.combine(__op2::Combine::Inc, *at, value);
                                        }
                                    }
                                }
                            }
                        }
                    }
                    (most_arg,)
                },
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<
                        T0,
                        M0: __op2::Presence,
                        F: __op2::Float,
                        F1: __op2::Float,
                        const N0: ::core::primitive::usize,
                        const N1: ::core::primitive::usize,
                    > {
                        float: __op2::Of<F>,
                        float1: __op2::Of<F1>,
                        length0: __op2::Of<[(); N0]>,
                        length1: __op2::Of<[(); N1]>,
                        ends_map: __op2::MapView<T0, N1, M0>,
                        q_view: __op2::View<[[F; N0]; 2]>,
                        w_view: __op2::View<F1>,
                        sum_view: __op2::View<[F; N0]>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<
                        T0,
                        M0: __op2::Presence,
                        F: __op2::Float,
                        F1: __op2::Float,
                        const N0: ::core::primitive::usize,
                        const N1: ::core::primitive::usize,
                    > __op2::Vector for __Lanes<T0, M0, F, F1, N0, N1> {
                        type Wide = ::core::primitive::f64;
                        type Out = (F1,);
                        const SCALARS: ::core::primitive::usize = 0
                            + <[[F; N0]; 2] as __op2::Value>::DIM
                            + <F1 as __op2::Value>::DIM
                            + N1 * <[F; N0] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (mut most_arg,): (F1,),
                        ) -> (F1,) {
                            let &__Lanes {
                                float,
                                float1,
                                length0,
                                length1,
                                ends_map,
                                q_view,
                                w_view,
                                sum_view,
                            } = self;
                            let q_view = q_view.in_layout::<SOA>();
                            let w_view = w_view.in_layout::<SOA>();
                            let sum_view = sum_view.in_layout::<SOA>();
                            let mut most_arg_part = __op2::Spread::<
                                W,
                            >::spread(most_arg, w);
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn spread_lanes_0<
                                W: __op2::Width,
                                F: __op2::Float,
                                F1: __op2::Float,
                                const N0: ::core::primitive::usize,
                                const N1: ::core::primitive::usize,
                            >(
                                w: W,
                                mut q_0: &[[__op2::V<W, F>; N0]; 2],
                                mut w_1: &__op2::V<W, F1>,
                                mut sum_2: [&mut [__op2::V<W, F>; N0]; N1],
                                mut most_3: &mut __op2::V<W, F1>,
                            ) {
                                {
                                    let mut held_8: [__op2::V<W, F>; 2] = {
                                        let mut made_5: [__op2::V<W, F>; 2] = __op2::Spread::<
                                            W,
                                        >::spread([<F as __op2::Float>::lit(0.0f64); 2], w);
                                        'round0: for mut i_6 in (0usize)..(2usize) {
                                            let mut row_7 = ((*q_0))[i_6];
                                            {
                                                let value = mean_lanes_1::<W, F, F1, N0, N1>(w, (&row_7));
                                                let place = &mut (made_5)[i_6];
                                                *place = value;
                                            };
                                        }
                                        made_5
                                    };
                                    let mut first_9: __op2::V<W, F> = (held_8)[0usize];
                                    let mut second_10: __op2::V<W, F> = (held_8)[1usize];
                                    {
                                        'round1: for mut i_12 in (0usize)..(N1) {
                                            {
                                                'round2: for mut i_15 in (0usize)..(N0) {
                                                    {
                                                        let value = ((((first_9) * ((((*q_0))[1usize])[i_15])))
                                                            - (second_10));
                                                        let place = &mut ((*(sum_2)[i_12]))[i_15];
                                                        *place = ((*place) + (value));
                                                    };
                                                }
                                            }
                                        }
                                    };
                                    {
                                        let value = ((*most_3))
                                            .max(
                                                (((*w_1))
                                                    * (__op2::Spread::<
                                                        W,
                                                    >::spread(
                                                        <F1 as __op2::Float>::lit((N1) as ::core::primitive::f64),
                                                        w,
                                                    ))),
                                            );
                                        let place = &mut (*most_3);
                                        *place = value;
                                    };
                                }
                            }
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn mean_lanes_1<
                                W: __op2::Width,
                                F: __op2::Float,
                                F1: __op2::Float,
                                const N0: ::core::primitive::usize,
                                const N1: ::core::primitive::usize,
                            >(
                                w: W,
                                mut values_0: &[__op2::V<W, F>; N0],
                            ) -> __op2::V<W, F> {
                                {
                                    let mut sum_1: __op2::V<W, F> = __op2::Spread::<
                                        W,
                                    >::spread(<F as __op2::Float>::lit(0.0f64), w);
                                    {
                                        'round0: for mut i_3 in (0usize)..(N0) {
                                            {
                                                let value = ((*values_0))[i_3];
                                                let place = &mut sum_1;
                                                *place = ((*place) + (value));
                                            };
                                        }
                                    };
                                    ((sum_1)
                                        * (__op2::Spread::<
                                            W,
                                        >::spread(
                                            <F as __op2::Float>::lit(
                                                1.0f64 / ((N0) as ::core::primitive::f64),
                                            ),
                                            w,
                                        )))
                                }
                            }
                            let sum_arg_sink = elems.sink(2, sum_view);
                            let straight = true & sum_arg_sink.is_straight();
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = ends_map.entries_of(w);
                                    let ends_map_all_at = ends_map
                                        .targets_of(&pack, &mut entries);
                                    let q_arg = q_view.gather(w, &pack.direct());
                                    let w_arg = w_view.gather(w, &pack.direct());
                                    let mut sum_arg = __op2::mapped(
                                        ends_map_all_at,
                                        |_| __op2::Spread::<
                                            W,
                                        >::spread(sum_view.neutral::<__op2::ByInc>(), w),
                                    );
                                    spread_lanes_0::<
                                        W,
                                        F,
                                        F1,
                                        N0,
                                        N1,
                                    >(
                                        w,
                                        &q_arg,
                                        &w_arg,
                                        sum_arg.each_mut(),
                                        &mut most_arg_part,
                                    );
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&ends_map_all_at, w)
                                    {
                                        sum_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Inc,
                                                        &ends_map_all_at,
                                                        &sum_arg,
                                                    ),
                                                    (),
                                                ),
                                            );
                                    } else {
                                        let sum_arg_rows = __op2::mapped(
                                            sum_arg,
                                            |lanes| sum_view.rows_in_memory(w, &lanes),
                                        );
                                        for lane in 0..pack.len() {
                                            for (entry, (at, row)) in ::core::iter::zip(
                                                    &ends_map_all_at,
                                                    &sum_arg_rows,
                                                )
                                                .enumerate()
                                            {
                                                sum_arg_sink
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
                            for lane in 0..W::LANES {
                                __op2::Reduce::<
                                    __op2::ByMax,
                                >::absorb(
                                    &mut most_arg,
                                    &__op2::Lanes::<W>::lane(&most_arg_part, lane),
                                );
                            }
                            (most_arg,)
                        }
                    }
                    __Lanes {
                        float: __op2::float_near(&q_view),
                        float1: __op2::float_near(&w_view),
                        length0: length0,
                        length1: length1,
                        ends_map: __op2::of_arity(ends_map),
                        q_view: __op2::same(q_view),
                        w_view: __op2::same(w_view),
                        sum_view: __op2::same(sum_view),
                    }
                },
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByMax>::absorb(&mut total.0, &part.0);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByMax, _>(most_arg, &total.0);
                },
            });
        outcome
    }
}
