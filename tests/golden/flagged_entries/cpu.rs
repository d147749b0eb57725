//! An argument that is there if its flag holds and its entry leads somewhere.
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
fn limit(bound: Option<&f64>, q: &mut f64) {
    if let Some(bound) = bound {
        *q = q.min(*bound);
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
            unsafe { ::op2::__private::one_function(&limit, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<5986692111047840740u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_limit_531500c192a3d3e4 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 5986692111047840740u64 { fn limit(bound : Option < & f64 >,
        q : & mut f64) { if let Some(bound) = bound { * q = q.min(* bound); } } } {} {} }
        $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_limit_531500c192a3d3e4 as limit;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    #[diagnostic::on_unimplemented(
        message = "`bound` is the name of two variables of `limit`, one of which a macro made: the compiler takes one of them here, and op2 the other; rename one",
        label = "one of two variables"
    )]
    trait Is_bound<const N: ::core::primitive::usize>: ::core::marker::Sized {
        fn is(self) {}
    }
    impl<const N: ::core::primitive::usize> Is_bound<N>
    for ::op2::__private::Variable<N> {}
    fn variables() {
        let bound = ::op2::__private::Variable::<0>;
        {
            {
                let bound = ::op2::__private::Variable::<2>;
                {
                    Is_bound::<2>::is(bound);
                }
            }
        }
    }
    ::op2::__private::means::<f64, ::core::primitive::f64>();
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
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _limit_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    5986692111047840740,
                > as ::op2::__private::Carries<_>>::Items>::__is(&limit)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "limit",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 1u32,
            args: &[
                __op2::ArgDesc {
                    text: "opt(limited, read(bound, sides[1]))",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Read),
                    optional: true,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "rw(q)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                5986692111047840740,
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
                            "limit_global",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Staged), "limit_staged"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "bound",
                            optional: true,
                            cover: ::core::option::Option::Some(0),
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "q",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                    ],
                    maps: &["sides"],
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
                    forms: &[],
                },
            ],
        };
        let over = (edges,);
        let handle0 = if limited {
            ::core::option::Option::Some((bound,))
        } else {
            ::core::option::Option::None
        };
        let map0 = (sides,);
        let handle1 = (q,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let sides_map = call.map(0, map0.0);
        sides_map.has_entry::<1>();
        let bound_view = match handle0 {
            ::core::option::Option::Some(handle0) => {
                ::core::option::Option::Some(
                    call
                        .entry(
                            0,
                            __op2::Access::Read,
                            __op2::Of::<::core::primitive::f64>,
                            sides_map,
                            1,
                            handle0.0,
                        ),
                )
            }
            ::core::option::Option::None => ::core::option::Option::None,
        };
        let q_view = call
            .direct(
                1,
                __op2::Access::Rw,
                __op2::Of::<::core::primitive::f64>,
                handle1.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let sides_map_1_at = sides_map.target(e, 1);
                            limit(
                                bound_view
                                    .and_then(|bound_view| bound_view.maybe_at(sides_map_1_at)),
                                q_view.at_mut(e),
                            );
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let sides_map_1_at = sides_map.target(e, 1);
                            limit(
                                bound_view
                                    .and_then(|bound_view| bound_view.maybe_at(sides_map_1_at)),
                                q_view.at_mut(e),
                            );
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let sides_map_1_at = sides_map.target(e, 1);
                            let bound_arg = bound_view
                                .and_then(|bound_view| {
                                    bound_view.maybe_load(sides_map_1_at)
                                });
                            let mut q_arg = q_view.load(e);
                            limit(bound_arg.as_ref(), &mut q_arg);
                            q_view.store(e, &q_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<
                        T0,
                        M0: __op2::Presence,
                        const A0: ::core::primitive::usize,
                    > {
                        sides_map: __op2::MapView<T0, A0, M0>,
                        bound_view: ::core::option::Option<
                            __op2::View<::core::primitive::f64>,
                        >,
                        q_view: __op2::View<::core::primitive::f64>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<
                        T0,
                        M0: __op2::Presence,
                        const A0: ::core::primitive::usize,
                    > __op2::Vector for __Lanes<T0, M0, A0> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + <::core::primitive::f64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes { sides_map, bound_view, q_view } = self;
                            let bound_view = bound_view
                                .map(|view| view.in_layout::<SOA>());
                            let q_view = q_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn limit_lanes_0<W: __op2::Width>(
                                w: W,
                                mut bound_0: &__op2::V<W, ::core::primitive::f64>,
                                mut q_1: &mut __op2::V<W, ::core::primitive::f64>,
                                mut bound_there_3: __op2::Mask<W>,
                            ) {
                                {
                                    {
                                        let cond = bound_there_3;
                                        let mut mask1 = cond;
                                        {
                                            let mut bound_2: &__op2::V<W, ::core::primitive::f64> = (&(*bound_0));
                                            {
                                                let value = ((*q_1)).min((*bound_2));
                                                let place = &mut (*q_1);
                                                *place = __op2::Lanes::<W>::select(mask1, value, *place);
                                            };
                                        };
                                    }
                                }
                            }
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = sides_map.entries_of(w);
                                    let sides_map_1_at = sides_map
                                        .target_of(&pack, 1, &mut entries);
                                    let bound_arg = __op2::gather_if(
                                        bound_view,
                                        w,
                                        &sides_map_1_at,
                                    );
                                    let mut q_arg = q_view.gather(w, &pack.direct());
                                    limit_lanes_0(
                                        w,
                                        &bound_arg,
                                        &mut q_arg,
                                        __op2::there_if(bound_view.is_some(), w, &sides_map_1_at),
                                    );
                                    q_view.scatter(w, &pack.direct(), pack.len(), &q_arg);
                                }
                            }
                        }
                    }
                    __Lanes {
                        sides_map: sides_map,
                        bound_view: __op2::same(bound_view),
                        q_view: __op2::same(q_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
