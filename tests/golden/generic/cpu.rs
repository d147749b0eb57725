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
pub fn step<F: Float>(f: &F, u: &mut F, change: &mut F) {
    let new = F::lit(0.25) * *f;
    *change = change.max((new - *u).abs());
    *u = new;
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
                ::op2::__private::one_function(&step::<::core::primitive::f64>, given)
            }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<13808769668903405962u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
#[macro_export]
macro_rules! __op2_step_bfa29ada142d098a {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 13808769668903405962u64 { pub fn step < F : Float > (f : &
        F, u : & mut F, change : & mut F) { let new = F::lit(0.25) * * f; * change =
        change.max((new - * u).abs()); * u = new; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
pub use __op2_step_bfa29ada142d098a as step;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    {
        fn bound<F: Float>() {
            ::op2::__private::means_float::<F>()
        }
    }
};
#[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
const _: () = {
    const _: () = {
        fn max_by_value<F: ::op2::Float>() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn max(self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut F = ::core::unreachable!();
                value
            };
            let _ = receiver.max();
        }
        fn max_by_reference<F: ::op2::Float>() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn max(&self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut F = ::core::unreachable!();
                value
            };
            let _ = receiver.max();
        }
        fn max_by_exclusive_reference<F: ::op2::Float>() {
            trait MethodOfTheLanguage: ::core::marker::Sized {
                fn max(&mut self) {}
            }
            impl<T> MethodOfTheLanguage for &T {}
            impl<T> MethodOfTheLanguage for &mut T {}
            impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            let mut receiver = {
                let value: &mut F = ::core::unreachable!();
                value
            };
            let _ = receiver.max();
        }
    };
};
fn run<F: Float>(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _step_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    13808769668903405962,
                > as ::op2::__private::Carries<
                    _,
                >>::Items>::__is(&step::<::core::primitive::f64>)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "step",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 4u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(f)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "rw(u)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_max(change)",
                    kind: __op2::ArgKind::Global(__op2::Access::Max),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                13808769668903405962,
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
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "step_global"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "f",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "u",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                    ],
                    maps: &[],
                    targets: &[],
                    covers: &[],
                    floats: &[0],
                    consts: &[],
                    forms: &[],
                },
            ],
        };
        let over = (nodes,);
        let handle0 = (f,);
        let handle1 = (u,);
        let handle2 = (change,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let f_view = call.direct(0, __op2::Access::Read, __op2::Of::<_>, handle0.0);
        let u_view = call.direct(1, __op2::Access::Rw, __op2::Of::<_>, handle1.0);
        let change_arg = call
            .reduction(
                2,
                __op2::Combine::Max,
                __op2::Of::<(__op2::ByMax, _)>,
                handle2.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (__op2::start_of::<__op2::ByMax, _>(change_arg),),
                fast: move |elems, (mut change_arg,)| {
                    for e in elems {
                        unsafe {
                            step(f_view.at(e), u_view.at_mut(e), &mut change_arg);
                        }
                    }
                    (change_arg,)
                },
                listed: move |elems, (mut change_arg,)| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            step(f_view.at(e), u_view.at_mut(e), &mut change_arg);
                        }
                    }
                    (change_arg,)
                },
                general: move |elems, (mut change_arg,)| {
                    for (_, e) in elems {
                        unsafe {
                            let f_arg = f_view.load(e);
                            let mut u_arg = u_view.load(e);
                            step(&f_arg, &mut u_arg, &mut change_arg);
                            u_view.store(e, &u_arg);
                        }
                    }
                    (change_arg,)
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<F: __op2::Float> {
                        float: __op2::Of<F>,
                        f_view: __op2::View<F>,
                        u_view: __op2::View<F>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<F: __op2::Float> __op2::Vector for __Lanes<F> {
                        type Wide = F;
                        type Out = (F,);
                        const SCALARS: ::core::primitive::usize = 0
                            + <F as __op2::Value>::DIM + <F as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (mut change_arg,): (F,),
                        ) -> (F,) {
                            let &__Lanes { float, f_view, u_view } = self;
                            let f_view = f_view.in_layout::<SOA>();
                            let u_view = u_view.in_layout::<SOA>();
                            let mut change_arg_part = __op2::Spread::<
                                W,
                            >::spread(change_arg, w);
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn step_lanes_0<W: __op2::Width, F: __op2::Float>(
                                w: W,
                                mut f_0: &__op2::V<W, F>,
                                mut u_1: &mut __op2::V<W, F>,
                                mut change_2: &mut __op2::V<W, F>,
                            ) {
                                {
                                    let mut new_3: __op2::V<W, F> = ((__op2::Spread::<
                                        W,
                                    >::spread(<F as __op2::Float>::lit(0.25f64), w))
                                        * ((*f_0)));
                                    {
                                        let value = ((*change_2)).max((((new_3) - ((*u_1)))).abs());
                                        let place = &mut (*change_2);
                                        *place = value;
                                    };
                                    {
                                        let value = new_3;
                                        let place = &mut (*u_1);
                                        *place = value;
                                    };
                                }
                            }
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let f_arg = f_view.gather(w, &pack.direct());
                                    let mut u_arg = u_view.gather(w, &pack.direct());
                                    step_lanes_0::<
                                        W,
                                        F,
                                    >(w, &f_arg, &mut u_arg, &mut change_arg_part);
                                    u_view.scatter(w, &pack.direct(), pack.len(), &u_arg);
                                }
                            }
                            for lane in 0..W::LANES {
                                __op2::Reduce::<
                                    __op2::ByMax,
                                >::absorb(
                                    &mut change_arg,
                                    &__op2::Lanes::<W>::lane(&change_arg_part, lane),
                                );
                            }
                            (change_arg,)
                        }
                    }
                    __Lanes {
                        float: __op2::float_near(&f_view),
                        f_view: __op2::same(f_view),
                        u_view: __op2::same(u_view),
                    }
                },
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByMax>::absorb(&mut total.0, &part.0);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByMax, _>(change_arg, &total.0);
                },
            });
        outcome
    }
}
