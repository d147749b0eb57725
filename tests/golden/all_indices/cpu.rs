//! The indices of all entries of a map: users' numbers of entries that may be missing, and elements.
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
fn claim(
    f: u32,
    g: [Option<u32>; 3],
    c: [Idx<Verts>; 3],
    mine: &mut [bool; 3],
    own: &mut u32,
) {
    *own = 0;
    for i in 0..3 {
        mine[i] = f < g[i].unwrap_or(u32::MAX) && c[i] != c[(i + 1) % 3];
        *own += u32::from(mine[i]);
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
            unsafe { ::op2::__private::one_function(&claim, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<6065985723934061244u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_claim_542eb5e07fae32bc {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 6065985723934061244u64 { fn claim(f : u32, g : [Option < u32
        >; 3], c : [Idx < Verts >; 3], mine : & mut [bool; 3], own : & mut u32) { * own =
        0; for i in 0..3 { mine[i] = f < g[i].unwrap_or(u32::MAX) && c[i] != c[(i + 1) %
        3]; * own += u32::from(mine[i]); } } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_claim_542eb5e07fae32bc as claim;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<u32, ::core::primitive::u32>();
    ::op2::__private::means_index::<Idx<::core::primitive::u8>>();
    ::op2::__private::means::<bool, ::core::primitive::bool>();
    ::core::assert!(
        u32::MAX == < ::core::primitive::u32 > ::MAX,
        "`u32::MAX` is another constant here than that of `u32`: rename it"
    );
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _claim_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    6065985723934061244,
                > as ::op2::__private::Carries<_>>::Items>::__is(&claim)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "claim",
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
                    text: "idx(fa[..])",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "idx(fv[..])",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "write(mine)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "write(own)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                6065985723934061244,
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
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "claim_global"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "mine",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[3],
                        },
                        __op2::ViewDesc {
                            name: "own",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[4],
                        },
                    ],
                    maps: &["fa", "fv"],
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
        let over = (facets,);
        let map1 = (fa,);
        let map2 = (fv,);
        let handle3 = (mine,);
        let handle4 = (own,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let fa_map = call.map(1, map1.0);
        let fv_map = call.map(2, map2.0);
        fa_map.is_optional();
        fv_map.is_required();
        let f_arg = call.numbers();
        let g_arg = call.indices(1, fa_map);
        let c_arg = call.elements_of_map(2, fv_map);
        let mine_view = call
            .direct(
                3,
                __op2::Access::Write,
                __op2::Of::<[::core::primitive::bool; 3]>,
                handle3.0,
            );
        let own_view = call
            .direct(
                4,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::u32>,
                handle4.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let fa_map_all_at = fa_map.targets(e);
                            let fv_map_all_at = fv_map.targets(e);
                            claim(
                                __op2::IndexValue::from_index(f_arg.of(e)),
                                fa_map_all_at
                                    .map(|at| {
                                        __op2::Place::element(at)
                                            .map(|at| __op2::IndexValue::from_index(g_arg.of(at)))
                                    }),
                                fv_map_all_at.map(|at| c_arg.element(at)),
                                mine_view.at_mut(e),
                                own_view.at_mut(e),
                            );
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let fa_map_all_at = fa_map.targets(e);
                            let fv_map_all_at = fv_map.targets(e);
                            claim(
                                __op2::IndexValue::from_index(f_arg.of(e)),
                                fa_map_all_at
                                    .map(|at| {
                                        __op2::Place::element(at)
                                            .map(|at| __op2::IndexValue::from_index(g_arg.of(at)))
                                    }),
                                fv_map_all_at.map(|at| c_arg.element(at)),
                                mine_view.at_mut(e),
                                own_view.at_mut(e),
                            );
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let fa_map_all_at = fa_map.targets(e);
                            let fv_map_all_at = fv_map.targets(e);
                            let mut mine_arg = mine_view.load(e);
                            let mut own_arg = own_view.load(e);
                            claim(
                                __op2::IndexValue::from_index(f_arg.of(e)),
                                fa_map_all_at
                                    .map(|at| {
                                        __op2::Place::element(at)
                                            .map(|at| __op2::IndexValue::from_index(g_arg.of(at)))
                                    }),
                                fv_map_all_at.map(|at| c_arg.element(at)),
                                &mut mine_arg,
                                &mut own_arg,
                            );
                            mine_view.store(e, &mine_arg);
                            own_view.store(e, &own_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<T0, M0: __op2::Presence, T1, M1: __op2::Presence> {
                        fa_map: __op2::MapView<T0, 3, M0>,
                        fv_map: __op2::MapView<T1, 3, M1>,
                        f_arg: __op2::Numbers,
                        g_arg: __op2::Numbers,
                        c_arg: __op2::ElementNumbers,
                        mine_view: __op2::View<[::core::primitive::bool; 3]>,
                        own_view: __op2::View<::core::primitive::u32>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<T0, M0: __op2::Presence, T1, M1: __op2::Presence> __op2::Vector
                    for __Lanes<T0, M0, T1, M1> {
                        type Wide = ::core::primitive::f32;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::bool; 3] as __op2::Value>::DIM
                            + <::core::primitive::u32 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                fa_map,
                                fv_map,
                                f_arg,
                                g_arg,
                                c_arg,
                                mine_view,
                                own_view,
                            } = self;
                            let mine_view = mine_view.in_layout::<SOA>();
                            let own_view = own_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn claim_lanes_0<W: __op2::Width>(
                                w: W,
                                mut f_0: __op2::V<W, ::core::primitive::u32>,
                                mut g_1: [__op2::V<W, ::core::primitive::u32>; 3],
                                mut c_2: [__op2::V<W, ::core::primitive::u32>; 3],
                                mut mine_3: &mut [__op2::Mask<W>; 3],
                                mut own_4: &mut __op2::V<W, ::core::primitive::u32>,
                                mut g_there_7: [__op2::Mask<W>; 3],
                            ) {
                                {
                                    {
                                        let value = __op2::Spread::<W>::spread(0u32, w);
                                        let place = &mut (*own_4);
                                        *place = value;
                                    };
                                    'round0: for mut i_5 in (0usize)..(3usize) {
                                        {
                                            let value = {
                                                let left = (f_0)
                                                    .lt({
                                                        let cond = (g_there_7)[i_5];
                                                        let mut mask1 = cond;
                                                        let mut mask2 = !cond;
                                                        let yes = if mask1.any() {
                                                            let mut some_6: __op2::V<W, ::core::primitive::u32> = (g_1)[i_5];
                                                            some_6
                                                        } else {
                                                            __op2::Spread::<W>::spread((0 as ::core::primitive::u32), w)
                                                        };
                                                        let no = {
                                                            __op2::Spread::<W>::spread(::core::primitive::u32::MAX, w)
                                                        };
                                                        __op2::Lanes::<W>::select(cond, yes, no)
                                                    });
                                                let mut mask3 = left;
                                                left
                                                    & if mask3.any() {
                                                        ((c_2)[i_5]).differs((c_2)[(i_5 + 1usize) % 3usize])
                                                    } else {
                                                        __op2::Mask::none(w)
                                                    }
                                            };
                                            let place = &mut ((*mine_3))[i_5];
                                            *place = value;
                                        };
                                        {
                                            let value = {
                                                let operand0 = ((*mine_3))[i_5];
                                                __op2::each(
                                                    w,
                                                    |lane| {
                                                        (__op2::Lanes::<W>::lane(&operand0, lane))
                                                            as ::core::primitive::u32
                                                    },
                                                )
                                            };
                                            let place = &mut (*own_4);
                                            *place = {
                                                let operand0 = *place;
                                                let operand1 = value;
                                                __op2::each(
                                                    w,
                                                    |lane| {
                                                        __op2::Lanes::<W>::lane(&operand0, lane)
                                                            + __op2::Lanes::<W>::lane(&operand1, lane)
                                                    },
                                                )
                                            };
                                        };
                                    }
                                }
                            }
                            let mine_arg_streams = elems.streams(3);
                            let own_arg_streams = elems.streams(4);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = fa_map.entries_of(w);
                                    let fa_map_all_at = fa_map.targets_of(&pack, &mut entries);
                                    let mut entries = fv_map.entries_of(w);
                                    let fv_map_all_at = fv_map.targets_of(&pack, &mut entries);
                                    let mut mine_arg = mine_view.blank(w);
                                    let mut own_arg = own_view.blank(w);
                                    claim_lanes_0(
                                        w,
                                        {
                                            let elements = __op2::Leads::elements(&pack.direct(), w);
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    f_arg.of(elements.as_ref()[lane]),
                                                ),
                                            )
                                        },
                                        __op2::mapped(
                                            fa_map_all_at,
                                            |at| __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    __op2::Place::element(__op2::Leads::at(&at, lane))
                                                        .map_or(0, |e| g_arg.of(e)),
                                                ),
                                            ),
                                        ),
                                        __op2::mapped(
                                            fv_map_all_at,
                                            |at| {
                                                let elements = __op2::Leads::elements(&at, w);
                                                __op2::each(
                                                    w,
                                                    |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                        c_arg.of(elements.as_ref()[lane]),
                                                    ),
                                                )
                                            },
                                        ),
                                        &mut mine_arg,
                                        &mut own_arg,
                                        __op2::mapped(
                                            fa_map_all_at,
                                            |at| __op2::Leads::there(&at, w),
                                        ),
                                    );
                                    mine_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &mine_arg,
                                            mine_arg_streams,
                                        );
                                    own_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &own_arg,
                                            own_arg_streams,
                                        );
                                }
                            }
                        }
                    }
                    __Lanes {
                        fa_map: __op2::of_arity(fa_map),
                        fv_map: __op2::of_arity(fv_map),
                        f_arg: __op2::same(f_arg),
                        g_arg: __op2::same(g_arg),
                        c_arg: c_arg.as_numbers(),
                        mine_view: __op2::same(mine_view),
                        own_view: __op2::same(own_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
