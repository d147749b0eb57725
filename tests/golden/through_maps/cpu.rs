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
fn touch(node: u32, a: &mut f64, b: &mut f64, c: &mut i32, d: &mut [f32; 2]) {
    *a = 2.0 * *a;
    *b = 1.0;
    *c = (*c).max(node as i32);
    d[0] = d[0].min(1.0);
    d[1] = d[1].min(2.0);
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
            unsafe { ::op2::__private::one_function(&touch, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<16204459597348017951u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_touch_e0e1ce261d19171f {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 16204459597348017951u64 { fn touch(node : u32, a : & mut
        f64, b : & mut f64, c : & mut i32, d : & mut [f32; 2]) { * a = 2.0 * * a; * b =
        1.0; * c = (* c).max(node as i32); d[0] = d[0].min(1.0); d[1] = d[1].min(2.0); }
        } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_touch_e0e1ce261d19171f as touch;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<u32, ::core::primitive::u32>();
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means::<i32, ::core::primitive::i32>();
    ::op2::__private::means::<f32, ::core::primitive::f32>();
};
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _touch_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    16204459597348017951,
                > as ::op2::__private::Carries<_>>::Items>::__is(&touch)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "touch",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 3u32,
            args: &[
                __op2::ArgDesc {
                    text: "idx(owner[0])",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "rw(a, owner[0])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "write(b, owner[0])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "max(c, owner[0])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Max),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "min(d, owner[0])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Min),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
            ],
            captured: <<__op2::Site<
                16204459597348017951,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "elements that write through maps must take turns",
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
                            "touch_global",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Staged), "touch_staged"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "a",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "b",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[2],
                        },
                        __op2::ViewDesc {
                            name: "c",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[3],
                        },
                        __op2::ViewDesc {
                            name: "d",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[4],
                        },
                    ],
                    maps: &["owner"],
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
        let over = (cells,);
        let map0 = (owner,);
        let handle1 = (a,);
        let map1 = (owner,);
        let handle2 = (b,);
        let map2 = (owner,);
        let handle3 = (c,);
        let map3 = (owner,);
        let handle4 = (d,);
        let map4 = (owner,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let owner_map = call.map(0, map0.0);
        owner_map.is_required();
        owner_map.is_required();
        owner_map.is_required();
        owner_map.has_entry::<0>();
        let node_arg = call.index(0, owner_map, 0);
        let a_view = call
            .entry(
                1,
                __op2::Access::Rw,
                __op2::Of::<::core::primitive::f64>,
                owner_map,
                0,
                handle1.0,
            );
        let b_view = call
            .entry(
                2,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::f64>,
                owner_map,
                0,
                handle2.0,
            );
        let c_view = call
            .entry(
                3,
                __op2::Access::Max,
                __op2::Of::<::core::primitive::i32>,
                owner_map,
                0,
                handle3.0,
            );
        let d_view = call
            .entry(
                4,
                __op2::Access::Min,
                __op2::Of::<[::core::primitive::f32; 2]>,
                owner_map,
                0,
                handle4.0,
            );
        call.one_handle(1, "map", 0, &map0.0, &map1.0);
        call.one_handle(2, "map", 0, &map0.0, &map2.0);
        call.one_handle(3, "map", 0, &map0.0, &map3.0);
        call.one_handle(4, "map", 0, &map0.0, &map4.0);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let owner_map_0_at = owner_map.target(e, 0);
                            let mut c_arg = c_view.neutral::<__op2::ByMax>();
                            let mut d_arg = d_view.neutral::<__op2::ByMin>();
                            touch(
                                __op2::IndexValue::from_index(node_arg.of(owner_map_0_at)),
                                a_view.at_mut(owner_map_0_at),
                                b_view.at_mut(owner_map_0_at),
                                &mut c_arg,
                                &mut d_arg,
                            );
                            c_view
                                .combine_at(__op2::Combine::Max, owner_map_0_at, &c_arg);
                            d_view
                                .combine_at(__op2::Combine::Min, owner_map_0_at, &d_arg);
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let owner_map_0_at = owner_map.target(e, 0);
                            let mut c_arg = c_view.neutral::<__op2::ByMax>();
                            let mut d_arg = d_view.neutral::<__op2::ByMin>();
                            touch(
                                __op2::IndexValue::from_index(node_arg.of(owner_map_0_at)),
                                a_view.at_mut(owner_map_0_at),
                                b_view.at_mut(owner_map_0_at),
                                &mut c_arg,
                                &mut d_arg,
                            );
                            c_view
                                .combine_at(__op2::Combine::Max, owner_map_0_at, &c_arg);
                            d_view
                                .combine_at(__op2::Combine::Min, owner_map_0_at, &d_arg);
                        }
                    }
                },
                general: move |elems, ()| {
                    let c_arg_sink = elems.sink(3, c_view);
                    let d_arg_sink = elems.sink(4, d_view);
                    for (position, e) in elems {
                        unsafe {
                            let owner_map_0_at = owner_map.target(e, 0);
                            let mut a_arg = a_view.load(owner_map_0_at);
                            let mut b_arg = b_view.load(owner_map_0_at);
                            let mut c_arg = c_view.neutral::<__op2::ByMax>();
                            let mut d_arg = d_view.neutral::<__op2::ByMin>();
                            touch(
                                __op2::IndexValue::from_index(node_arg.of(owner_map_0_at)),
                                &mut a_arg,
                                &mut b_arg,
                                &mut c_arg,
                                &mut d_arg,
                            );
                            a_view.store(owner_map_0_at, &a_arg);
                            b_view.store(owner_map_0_at, &b_arg);
                            c_arg_sink
                                .combine(
                                    __op2::Combine::Max,
                                    position,
                                    0,
                                    owner_map_0_at,
                                    &c_arg,
                                );
                            d_arg_sink
                                .combine(
                                    __op2::Combine::Min,
                                    position,
                                    0,
                                    owner_map_0_at,
                                    &d_arg,
                                );
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
                        owner_map: __op2::MapView<T0, A0, M0>,
                        node_arg: __op2::Numbers,
                        a_view: __op2::View<::core::primitive::f64>,
                        b_view: __op2::View<::core::primitive::f64>,
                        c_view: __op2::View<::core::primitive::i32>,
                        d_view: __op2::View<[::core::primitive::f32; 2]>,
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
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + <::core::primitive::i32 as __op2::Value>::DIM
                            + <[::core::primitive::f32; 2] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                owner_map,
                                node_arg,
                                a_view,
                                b_view,
                                c_view,
                                d_view,
                            } = self;
                            let a_view = a_view.in_layout::<SOA>();
                            let b_view = b_view.in_layout::<SOA>();
                            let c_view = c_view.in_layout::<SOA>();
                            let d_view = d_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn touch_lanes_0<W: __op2::Width>(
                                w: W,
                                mut node_0: __op2::V<W, ::core::primitive::u32>,
                                mut a_1: &mut __op2::V<W, ::core::primitive::f64>,
                                mut b_2: &mut __op2::V<W, ::core::primitive::f64>,
                                mut c_3: &mut __op2::V<W, ::core::primitive::i32>,
                                mut d_4: &mut [__op2::V<W, ::core::primitive::f32>; 2],
                            ) {
                                {
                                    {
                                        let value = ((__op2::Spread::<W>::spread(2.0f64, w))
                                            * ((*a_1)));
                                        let place = &mut (*a_1);
                                        *place = value;
                                    };
                                    {
                                        let value = __op2::Spread::<W>::spread(1.0f64, w);
                                        let place = &mut (*b_2);
                                        *place = value;
                                    };
                                    {
                                        let value = {
                                            let operand0 = (*c_3);
                                            let operand1 = {
                                                let operand0 = node_0;
                                                __op2::each(
                                                    w,
                                                    |lane| {
                                                        (__op2::Lanes::<W>::lane(&operand0, lane))
                                                            as ::core::primitive::i32
                                                    },
                                                )
                                            };
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::i32 as ::core::cmp::Ord>::max(
                                                    __op2::Lanes::<W>::lane(&operand0, lane),
                                                    __op2::Lanes::<W>::lane(&operand1, lane),
                                                ),
                                            )
                                        };
                                        let place = &mut (*c_3);
                                        *place = value;
                                    };
                                    {
                                        let value = (((*d_4))[0usize])
                                            .min(__op2::Spread::<W>::spread(1.0f32, w));
                                        let place = &mut ((*d_4))[0usize];
                                        *place = value;
                                    };
                                    {
                                        let value = (((*d_4))[1usize])
                                            .min(__op2::Spread::<W>::spread(2.0f32, w));
                                        let place = &mut ((*d_4))[1usize];
                                        *place = value;
                                    };
                                }
                            }
                            let c_arg_sink = elems.sink(3, c_view);
                            let d_arg_sink = elems.sink(4, d_view);
                            let straight = true & c_arg_sink.is_straight()
                                & d_arg_sink.is_straight()
                                & __op2::all_differ([c_view.address(), d_view.address()]);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = owner_map.entries_of(w);
                                    let owner_map_0_at = owner_map
                                        .target_of(&pack, 0, &mut entries);
                                    let mut a_arg = a_view.gather(w, &owner_map_0_at);
                                    let mut b_arg = b_view.blank(w);
                                    let mut c_arg = __op2::Spread::<
                                        W,
                                    >::spread(c_view.neutral::<__op2::ByMax>(), w);
                                    let mut d_arg = __op2::Spread::<
                                        W,
                                    >::spread(d_view.neutral::<__op2::ByMin>(), w);
                                    touch_lanes_0(
                                        w,
                                        {
                                            let elements = __op2::Leads::elements(&owner_map_0_at, w);
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    node_arg.of(elements.as_ref()[lane]),
                                                ),
                                            )
                                        },
                                        &mut a_arg,
                                        &mut b_arg,
                                        &mut c_arg,
                                        &mut d_arg,
                                    );
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&owner_map_0_at, w)
                                    {
                                        c_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Max,
                                                        &[owner_map_0_at],
                                                        &[c_arg],
                                                    ),
                                                    (),
                                                ),
                                            );
                                        d_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Min,
                                                        &[owner_map_0_at],
                                                        &[d_arg],
                                                    ),
                                                    (),
                                                ),
                                            );
                                        let a_arg_rows = a_view.rows(w, &a_arg);
                                        let b_arg_rows = b_view.rows(w, &b_arg);
                                        for lane in 0..W::LANES {
                                            a_view
                                                .store(
                                                    __op2::Leads::at(&owner_map_0_at, lane),
                                                    &a_arg_rows.as_ref()[lane],
                                                );
                                            b_view
                                                .store(
                                                    __op2::Leads::at(&owner_map_0_at, lane),
                                                    &b_arg_rows.as_ref()[lane],
                                                );
                                        }
                                    } else {
                                        let a_arg_rows = a_view.rows_in_memory(w, &a_arg);
                                        let b_arg_rows = b_view.rows_in_memory(w, &b_arg);
                                        let c_arg_rows = c_view.rows_in_memory(w, &c_arg);
                                        let d_arg_rows = d_view.rows_in_memory(w, &d_arg);
                                        for lane in 0..pack.len() {
                                            a_view
                                                .store(
                                                    __op2::Leads::at(&owner_map_0_at, lane),
                                                    &a_arg_rows.as_ref()[lane],
                                                );
                                            b_view
                                                .store(
                                                    __op2::Leads::at(&owner_map_0_at, lane),
                                                    &b_arg_rows.as_ref()[lane],
                                                );
                                            c_arg_sink
                                                .combine_row(
                                                    __op2::Combine::Max,
                                                    pack.position(lane),
                                                    0,
                                                    __op2::Leads::at(&owner_map_0_at, lane),
                                                    &c_arg_rows.as_ref()[lane],
                                                );
                                            d_arg_sink
                                                .combine_row(
                                                    __op2::Combine::Min,
                                                    pack.position(lane),
                                                    0,
                                                    __op2::Leads::at(&owner_map_0_at, lane),
                                                    &d_arg_rows.as_ref()[lane],
                                                );
                                        }
                                    }
                                }
                            }
                        }
                    }
                    __Lanes {
                        owner_map: owner_map,
                        node_arg: __op2::same(node_arg),
                        a_view: __op2::same(a_view),
                        b_view: __op2::same(b_view),
                        c_view: __op2::same(c_view),
                        d_view: __op2::same(d_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
