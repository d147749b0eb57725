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
fn source(heat: Option<&f64>, t: &mut f64, gain: Option<[&mut f64; 2]>) {
    if let Some(heat) = heat {
        *t += *heat;
    }
    if let Some(gain) = gain {
        *gain[0] += 0.5;
        *gain[1] += 0.5;
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
            unsafe { ::op2::__private::one_function(&source, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<6437807542508207429u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_source_5957afd9d7883d45 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 6437807542508207429u64 { fn source(heat : Option < & f64 >,
        t : & mut f64, gain : Option < [& mut f64; 2] >) { if let Some(heat) = heat { * t
        += * heat; } if let Some(gain) = gain { * gain[0] += 0.5; * gain[1] += 0.5; } } }
        {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_source_5957afd9d7883d45 as source;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    #[diagnostic::on_unimplemented(
        message = "`gain` is the name of two variables of `source`, one of which a macro made: the compiler takes one of them here, and op2 the other; rename one",
        label = "one of two variables"
    )]
    trait Is_gain<const N: ::core::primitive::usize>: ::core::marker::Sized {
        fn is(self) {}
    }
    impl<const N: ::core::primitive::usize> Is_gain<N>
    for ::op2::__private::Variable<N> {}
    #[diagnostic::on_unimplemented(
        message = "`heat` is the name of two variables of `source`, one of which a macro made: the compiler takes one of them here, and op2 the other; rename one",
        label = "one of two variables"
    )]
    trait Is_heat<const N: ::core::primitive::usize>: ::core::marker::Sized {
        fn is(self) {}
    }
    impl<const N: ::core::primitive::usize> Is_heat<N>
    for ::op2::__private::Variable<N> {}
    fn variables() {
        let heat = ::op2::__private::Variable::<0>;
        let gain = ::op2::__private::Variable::<2>;
        {
            {
                let heat = ::op2::__private::Variable::<3>;
                {
                    Is_heat::<3>::is(heat);
                }
            }
            {
                let gain = ::op2::__private::Variable::<4>;
                {
                    Is_gain::<4>::is(gain);
                    Is_gain::<4>::is(gain);
                }
            }
        }
    }
    ::op2::__private::means::<f64, ::core::primitive::f64>();
};
fn run(op: &mut Op2, heated: bool) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _source_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    6437807542508207429,
                > as ::op2::__private::Carries<_>>::Items>::__is(&source)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "source",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 3u32,
            args: &[
                __op2::ArgDesc {
                    text: "opt(heated, read(heat))",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: true,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "rw(t)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "opt(step % 2 == 0, inc(gain, ends[..]))",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Inc),
                    optional: true,
                    target: ::core::option::Option::Some(0),
                },
            ],
            captured: <<__op2::Site<
                6437807542508207429,
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
                            "source_global",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Atomic),
                            "source_atomic",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                            "source_staged",
                        ),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                            "source_combined",
                        ),
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Tiled), "source_tiled"),
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Scatter),
                            "source_scatter",
                        ),
                        (__op2::EntryPoint::Gather(2), "source_gather_gain"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "heat",
                            optional: true,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "t",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "gain",
                            optional: true,
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
                    floats: &[],
                    consts: &[],
                    forms: &[
                        __op2::FormDesc {
                            text: "as in stages1.cu",
                            kernels: &[
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Staged),
                                    "source_staged",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::StagedAtomic),
                                    "source_staged_atomic",
                                ),
                                (
                                    __op2::EntryPoint::Loop(__op2::Wrapper::Combined),
                                    "source_combined",
                                ),
                            ],
                            stages: &[&[]],
                            kept: &[2],
                            alone: 1,
                            rooms: &[
                                __op2::RoomDesc {
                                    name: "gain",
                                    scalar: __op2::RoomScalar::Bytes(8),
                                    lens: &[__op2::Length::Number(2)],
                                },
                            ],
                            flops: 3u32,
                        },
                    ],
                },
            ],
        };
        let over = (edges,);
        let handle0 = if heated {
            ::core::option::Option::Some((heat,))
        } else {
            ::core::option::Option::None
        };
        let handle1 = (t,);
        let handle2 = if step % 2 == 0 {
            ::core::option::Option::Some((gain,))
        } else {
            ::core::option::Option::None
        };
        let map2 = (ends,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let ends_map = call.map(2, map2.0);
        let heat_view = match handle0 {
            ::core::option::Option::Some(handle0) => {
                ::core::option::Option::Some(
                    call
                        .direct(
                            0,
                            __op2::Access::Read,
                            __op2::Of::<::core::primitive::f64>,
                            handle0.0,
                        ),
                )
            }
            ::core::option::Option::None => ::core::option::Option::None,
        };
        let t_view = call
            .direct(
                1,
                __op2::Access::Rw,
                __op2::Of::<::core::primitive::f64>,
                handle1.0,
            );
        let gain_view = match handle2 {
            ::core::option::Option::Some(handle2) => {
                ::core::option::Option::Some(
                    call
                        .entries(
                            2,
                            __op2::Access::Inc,
                            __op2::Of::<::core::primitive::f64>,
                            ends_map,
                            handle2.0,
                        ),
                )
            }
            ::core::option::Option::None => ::core::option::Option::None,
        };
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let mut gain_arg = gain_view
                                .map(|gain_view| {
                                    ends_map_all_at.map(|_| gain_view.neutral::<__op2::ByInc>())
                                });
                            source(
                                heat_view.map(|heat_view| heat_view.at(e)),
                                t_view.at_mut(e),
                                gain_arg.as_mut().map(|all| all.each_mut()),
                            );
                            if let (
                                ::core::option::Option::Some(gain_view),
                                ::core::option::Option::Some(gain_arg),
                            ) = (gain_view, &gain_arg) {
                                for (at, value) in ::core::iter::zip(
                                    &ends_map_all_at,
                                    gain_arg,
                                ) {
                                    gain_view.combine_at(__op2::Combine::Inc, *at, value);
                                }
                            }
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let mut gain_arg = gain_view
                                .map(|gain_view| {
                                    ends_map_all_at.map(|_| gain_view.neutral::<__op2::ByInc>())
                                });
                            source(
                                heat_view.map(|heat_view| heat_view.at(e)),
                                t_view.at_mut(e),
                                gain_arg.as_mut().map(|all| all.each_mut()),
                            );
                            if let (
                                ::core::option::Option::Some(gain_view),
                                ::core::option::Option::Some(gain_arg),
                            ) = (gain_view, &gain_arg) {
                                for (at, value) in ::core::iter::zip(
                                    &ends_map_all_at,
                                    gain_arg,
                                ) {
                                    gain_view.combine_at(__op2::Combine::Inc, *at, value);
                                }
                            }
                        }
                    }
                },
                general: move |elems, ()| {
                    let gain_arg_sink = gain_view.map(|view| elems.sink(2, view));
                    for (position, e) in elems {
                        unsafe {
                            let ends_map_all_at = ends_map.targets(e);
                            let heat_arg = heat_view.map(|heat_view| heat_view.load(e));
                            let mut t_arg = t_view.load(e);
                            let mut gain_arg = gain_view
                                .map(|gain_view| {
                                    ends_map_all_at.map(|_| gain_view.neutral::<__op2::ByInc>())
                                });
                            source(
                                heat_arg.as_ref(),
                                &mut t_arg,
                                gain_arg.as_mut().map(|all| all.each_mut()),
                            );
                            t_view.store(e, &t_arg);
                            if let (
                                ::core::option::Option::Some(gain_arg_sink),
                                ::core::option::Option::Some(gain_arg),
                            ) = (gain_arg_sink, &gain_arg) {
                                for (entry, (at, value)) in ::core::iter::zip(
                                        &ends_map_all_at,
                                        gain_arg,
                                    )
                                    .enumerate()
                                {
                                    gain_arg_sink
                                        .combine(__op2::Combine::Inc, position, entry, *at, value);
                                }
                            }
                        }
                    }
                },
                stages: move |form, mut elems, size, ()| {
                    #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
                    #[inline(always)]
                    fn source_stage1of1_1(
                        heat_0: ::core::option::Option<&::core::primitive::f64>,
                        t_1: &mut ::core::primitive::f64,
                        gain_2: ::core::option::Option<[&mut ::core::primitive::f64; 2]>,
                    ) {
                        if let ::core::option::Option::Some(heat_3) = heat_0 {
                            *t_1 += *heat_3;
                        }
                        if let ::core::option::Option::Some(gain_4) = gain_2 {
                            *gain_4[0] += 0.5f64;
                            *gain_4[1] += 0.5f64;
                        }
                    }
                    let places = elems.places().min(size);
                    match form {
                        _ => {
                            let mut gain_arg_room = __op2::Room::new(places);
                            while let ::core::option::Option::Some(elems) = elems
                                .take_first(size)
                            {
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let heat_arg = heat_view.map(|heat_view| heat_view.load(e));
                                        let mut t_arg = t_view.load(e);
                                        let mut gain_arg = gain_view
                                            .map(|gain_view| {
                                                ends_map_all_at.map(|_| gain_view.neutral::<__op2::ByInc>())
                                            });
                                        source_stage1of1_1(
                                            heat_arg.as_ref(),
                                            &mut t_arg,
                                            gain_arg.as_mut().map(|all| all.each_mut()),
                                        );
                                        t_view.store(e, &t_arg);
                                        gain_arg_room.put(place, gain_arg);
                                    }
                                }
                                for (place, (_, e)) in elems.clone().enumerate() {
                                    unsafe {
                                        let ends_map_all_at = ends_map.targets(e);
                                        let gain_arg = gain_arg_room.get(place);
                                        if let (
                                            ::core::option::Option::Some(gain_view),
                                            ::core::option::Option::Some(gain_arg),
                                        ) = (gain_view, &gain_arg) {
                                            for (at, value) in ::core::iter::zip(
                                                &ends_map_all_at,
                                                gain_arg,
                                            ) {
                                                gain_view.combine(__op2::Combine::Inc, *at, value);
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                },
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<T0, M0: __op2::Presence> {
                        ends_map: __op2::MapView<T0, 2, M0>,
                        heat_view: ::core::option::Option<
                            __op2::View<::core::primitive::f64>,
                        >,
                        t_view: __op2::View<::core::primitive::f64>,
                        gain_view: ::core::option::Option<
                            __op2::View<::core::primitive::f64>,
                        >,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<T0, M0: __op2::Presence> __op2::Vector for __Lanes<T0, M0> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + 2 * <::core::primitive::f64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes { ends_map, heat_view, t_view, gain_view } = self;
                            let heat_view = heat_view
                                .map(|view| view.in_layout::<SOA>());
                            let t_view = t_view.in_layout::<SOA>();
                            let gain_view = gain_view
                                .map(|view| view.in_layout::<SOA>());
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn source_lanes_0<W: __op2::Width>(
                                w: W,
                                mut heat_0: ::core::option::Option<
                                    &__op2::V<W, ::core::primitive::f64>,
                                >,
                                mut t_1: &mut __op2::V<W, ::core::primitive::f64>,
                                mut gain_2: ::core::option::Option<
                                    [&mut __op2::V<W, ::core::primitive::f64>; 2],
                                >,
                            ) {
                                {
                                    if let ::core::option::Option::Some(mut heat_3) = heat_0 {
                                        {
                                            let value = (*heat_3);
                                            let place = &mut (*t_1);
                                            *place = ((*place) + (value));
                                        };
                                    }
                                    if let ::core::option::Option::Some(mut gain_4) = gain_2 {
                                        {
                                            let value = __op2::Spread::<W>::spread(0.5f64, w);
                                            let place = &mut (*(gain_4)[0usize]);
                                            *place = ((*place) + (value));
                                        };
                                        {
                                            let value = __op2::Spread::<W>::spread(0.5f64, w);
                                            let place = &mut (*(gain_4)[1usize]);
                                            *place = ((*place) + (value));
                                        };
                                    }
                                }
                            }
                            let gain_arg_sink = gain_view
                                .map(|view| elems.sink(2, view));
                            let straight = true;
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = ends_map.entries_of(w);
                                    let ends_map_all_at = ends_map
                                        .targets_of(&pack, &mut entries);
                                    let heat_arg = heat_view
                                        .map(|heat_view| heat_view.gather(w, &pack.direct()));
                                    let mut t_arg = t_view.gather(w, &pack.direct());
                                    let mut gain_arg = gain_view
                                        .map(|gain_view| __op2::mapped(
                                            ends_map_all_at,
                                            |_| __op2::Spread::<
                                                W,
                                            >::spread(gain_view.neutral::<__op2::ByInc>(), w),
                                        ));
                                    source_lanes_0(
                                        w,
                                        heat_arg.as_ref(),
                                        &mut t_arg,
                                        gain_arg.as_mut().map(|all| all.each_mut()),
                                    );
                                    t_view.scatter(w, &pack.direct(), pack.len(), &t_arg);
                                    if straight & (pack.len() == W::LANES)
                                        & __op2::AllThere::all_there(&ends_map_all_at, w)
                                    {
                                        let gain_arg_rows = match (gain_view, gain_arg) {
                                            (
                                                ::core::option::Option::Some(gain_view),
                                                ::core::option::Option::Some(gain_arg),
                                            ) => {
                                                ::core::option::Option::Some(
                                                    __op2::mapped(gain_arg, |lanes| gain_view.rows(w, &lanes)),
                                                )
                                            }
                                            _ => ::core::option::Option::None,
                                        };
                                        for lane in 0..W::LANES {
                                            if let (
                                                ::core::option::Option::Some(gain_arg_sink),
                                                ::core::option::Option::Some(gain_arg_rows),
                                            ) = (gain_arg_sink, &gain_arg_rows) {
                                                for (entry, (at, row)) in ::core::iter::zip(
                                                        &ends_map_all_at,
                                                        gain_arg_rows,
                                                    )
                                                    .enumerate()
                                                {
                                                    gain_arg_sink
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
                                    } else {
                                        let gain_arg_rows = match (gain_view, gain_arg) {
                                            (
                                                ::core::option::Option::Some(gain_view),
                                                ::core::option::Option::Some(gain_arg),
                                            ) => {
                                                ::core::option::Option::Some(
                                                    __op2::mapped(
                                                        gain_arg,
                                                        |lanes| gain_view.rows_in_memory(w, &lanes),
                                                    ),
                                                )
                                            }
                                            _ => ::core::option::Option::None,
                                        };
                                        for lane in 0..pack.len() {
                                            if let (
                                                ::core::option::Option::Some(gain_arg_sink),
                                                ::core::option::Option::Some(gain_arg_rows),
                                            ) = (gain_arg_sink, &gain_arg_rows) {
                                                for (entry, (at, row)) in ::core::iter::zip(
                                                        &ends_map_all_at,
                                                        gain_arg_rows,
                                                    )
                                                    .enumerate()
                                                {
                                                    gain_arg_sink
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
                            }
                        }
                    }
                    __Lanes {
                        ends_map: __op2::of_arity(ends_map),
                        heat_view: __op2::same(heat_view),
                        t_view: __op2::same(t_view),
                        gain_view: __op2::same(gain_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
