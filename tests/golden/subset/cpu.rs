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
fn clear(a: &mut f64, b: &mut f64) {
    *a = 0.0;
    *b += 1.0;
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
            unsafe { ::op2::__private::one_function(&clear, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<10053705789122282361u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_clear_8b85f025fcec0379 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 10053705789122282361u64 { fn clear(a : & mut f64, b : & mut
        f64) { * a = 0.0; * b += 1.0; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_clear_8b85f025fcec0379 as clear;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
/// A set or a subset: the code is the same.
fn run(op: &mut Op2, boundary: Subset<Nodes>) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _clear_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    10053705789122282361,
                > as ::op2::__private::Carries<_>>::Items>::__is(&clear)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "clear",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 1u32,
            args: &[
                __op2::ArgDesc {
                    text: "write(a)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "inc(b, link[0])",
                    kind: __op2::ArgKind::Indirect(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
            ],
            captured: <<__op2::Site<
                10053705789122282361,
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
                            "clear_global",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Atomic),
                            "clear_atomic",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                            "clear_staged",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "clear_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "clear_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "clear_scatter",
                        ),
                        (__op2::EntryPoint::Gather(1), "clear_gather_b"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "a",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "b",
                            optional: false,
                            cover: ::core::option::Option::Some(0),
                            args: &[1],
                        },
                    ],
                    maps: &["link"],
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
                    forms: &[
                        __op2::FormDesc {
                            text: "as in stages1.cu",
                            kernels: &[
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                    "clear_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "clear_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "clear_combined",
                                ),
                            ],
                            stages: &[&[]],
                            kept: &[1],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "b",
                                    scalar: __op2::RoomScalar::Bytes(8),
                                    lens: &[],
                                },
                            ],
                            flops: 1u32,
                        },
                    ],
                },
            ],
        };
        let over = (boundary,);
        let handle0 = (a,);
        let handle1 = (b,);
        let map1 = (link,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let link_map = call.map(1, map1.0);
        link_map.has_entry::<0>();
        let a_view = call
            .direct(
                0,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::f64>,
                handle0.0,
            );
        let b_view = call
            .entry(
                1,
                __op2::Access::Inc,
                __op2::Of::<::core::primitive::f64>,
                link_map,
                0,
                handle1.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let link_map_0_at = link_map.target(e, 0);
                            let mut b_arg = b_view.neutral::<__op2::ByInc>();
                            clear(a_view.at_mut(e), &mut b_arg);
                            b_view
                                .combine_at(__op2::Combine::Inc, link_map_0_at, &b_arg);
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let link_map_0_at = link_map.target(e, 0);
                            let mut b_arg = b_view.neutral::<__op2::ByInc>();
                            clear(a_view.at_mut(e), &mut b_arg);
                            b_view
                                .combine_at(__op2::Combine::Inc, link_map_0_at, &b_arg);
                        }
                    }
                },
                general: move |elems, ()| {
                    let b_arg_sink = elems.sink(1, b_view);
                    for (position, e) in elems {
                        unsafe {
                            let link_map_0_at = link_map.target(e, 0);
                            let mut a_arg = a_view.load(e);
                            let mut b_arg = b_view.neutral::<__op2::ByInc>();
                            clear(&mut a_arg, &mut b_arg);
                            a_view.store(e, &a_arg);
                            b_arg_sink
                                .combine(
                                    __op2::Combine::Inc,
                                    position,
                                    0,
                                    link_map_0_at,
                                    &b_arg,
                                );
                        }
                    }
                },
                stages: move |form, mut elems, size, ()| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn clear_stage1of1_1(
                        a_0: &mut ::core::primitive::f64,
                        b_1: &mut ::core::primitive::f64,
                    ) {
                        *a_0 = 0.0f64;
                        *b_1 += 1.0f64;
                    }
                    let places = elems.places().min(size);
                    match form {
                        _ => {
                            let mut b_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let link_map_0_at = link_map.target(e, 0);
                                        let mut a_arg = a_view.load(e);
                                        let mut b_arg = b_view.neutral::<__op2::ByInc>();
                                        clear_stage1of1_1(&mut a_arg, &mut b_arg);
                                        a_view.store(e, &a_arg);
                                        b_arg_room.put(place, b_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let link_map_0_at = link_map.target(e, 0);
                                        let b_arg = b_arg_room.get(place);
                                        b_view.combine(__op2::Combine::Inc, link_map_0_at, &b_arg);
                                    }
                                }
                            }
                        }
                    }
                },
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<
                        T0,
                        M0: __op2::Presence,
                        const A0: ::core::primitive::usize,
                    > {
                        link_map: __op2::MapView<T0, A0, M0>,
                        a_view: __op2::View<::core::primitive::f64>,
                        b_view: __op2::View<::core::primitive::f64>,
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
                            let &__Lanes { link_map, a_view, b_view } = self;
                            let a_view = a_view.in_layout::<SOA>();
                            let b_view = b_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn clear_lanes_0<W: __op2::Width>(
                                w: W,
                                mut a_0: &mut __op2::V<W, ::core::primitive::f64>,
                                mut b_1: &mut __op2::V<W, ::core::primitive::f64>,
                            ) {
                                {
                                    {
                                        let value = __op2::Spread::<W>::spread(0.0f64, w);
                                        let place = &mut (*a_0);
                                        *place = value;
                                    };
                                    {
                                        let value = __op2::Spread::<W>::spread(1.0f64, w);
                                        let place = &mut (*b_1);
                                        *place = ((*place) + (value));
                                    };
                                }
                            }
                            let b_arg_sink = elems.sink(1, b_view);
                            let a_arg_streams = elems.streams(0);
                            let straight = true & b_arg_sink.is_straight();
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = link_map.entries_of(w);
                                    let link_map_0_at = link_map
                                        .target_of(&pack, 0, &mut entries);
                                    let mut a_arg = a_view.blank(w);
                                    let mut b_arg = __op2::Spread::<
                                        W,
                                    >::spread(b_view.neutral::<__op2::ByInc>(), w);
                                    clear_lanes_0(w, &mut a_arg, &mut b_arg);
                                    a_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &a_arg,
                                            a_arg_streams,
                                        );
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&link_map_0_at, w)
                                    {
                                        b_view
                                            .combine_pack(
                                                w,
                                                (
                                                    __op2::Ends::new(
                                                        __op2::Combine::Inc,
                                                        &[link_map_0_at],
                                                        &[b_arg],
                                                    ),
                                                    (),
                                                ),
                                            );
                                    } else {
                                        let b_arg_rows = b_view.rows_in_memory(w, &b_arg);
                                        for lane in 0..pack.len() {
                                            b_arg_sink
                                                .combine_row(
                                                    __op2::Combine::Inc,
                                                    pack.position(lane),
                                                    0,
                                                    __op2::Leads::at(&link_map_0_at, lane),
                                                    &b_arg_rows.as_ref()[lane],
                                                );
                                        }
                                    }
                                }
                            }
                        }
                    }
                    __Lanes {
                        link_map: link_map,
                        a_view: __op2::same(a_view),
                        b_view: __op2::same(b_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
