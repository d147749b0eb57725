//! The elements of rows, which a kernel keeps in a map, and values that it writes to new elements of a dat that it reads elsewhere.
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
fn populate(
    cut: &[bool; 3],
    x: [&[f64; 2]; 3],
    born: &Row<Idx<Verts>>,
    new: &mut Row<[f64; 2]>,
    mother: &mut Row<Option<Idx<Facets>>>,
    ends: &mut Row<[Idx<Verts>; 2]>,
    me: Idx<Facets>,
    corners: &[Idx<Verts>; 3],
    mid: &mut [Option<Idx<Verts>>; 3],
) {
    let mut k = 0;
    for i in 0..3 {
        mid[i] = None;
        if cut[i] {
            let (a, b) = (x[i], x[(i + 1) % 3]);
            new[k] = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            mother[k] = Some(me);
            ends[k] = [corners[i], corners[(i + 1) % 3]];
            mid[i] = Some(born[k]);
            k += 1;
        }
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
            unsafe { ::op2::__private::one_function(&populate, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<7279977256671736692u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_populate_6507acbe74d77374 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 7279977256671736692u64 { fn populate(cut : & [bool; 3], x :
        [& [f64; 2]; 3], born : & Row < Idx < Verts > >, new : & mut Row < [f64; 2] >,
        mother : & mut Row < Option < Idx < Facets > > >, ends : & mut Row < [Idx < Verts
        >; 2] >, me : Idx < Facets >, corners : & [Idx < Verts >; 3], mid : & mut [Option
        < Idx < Verts > >; 3],) { let mut k = 0; for i in 0..3 { mid[i] = None; if cut[i]
        { let (a, b) = (x[i], x[(i + 1) % 3]); new[k] = [0.5 * (a[0] + b[0]), 0.5 * (a[1]
        + b[1])]; mother[k] = Some(me); ends[k] = [corners[i], corners[(i + 1) % 3]];
        mid[i] = Some(born[k]); k += 1; } } } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_populate_6507acbe74d77374 as populate;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means::<bool, ::core::primitive::bool>();
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::means_row::<Row<::core::primitive::u8>>();
    ::op2::__private::means_index::<Idx<::core::primitive::u8>>();
    ::op2::__private::one_type(
        &Some::<::core::primitive::u8>,
        &::core::option::Option::<::core::primitive::u8>::Some,
    );
    let _: ::core::option::Option<::core::primitive::u8> = None::<::core::primitive::u8>;
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _populate_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    7279977256671736692,
                > as ::op2::__private::Carries<_>>::Items>::__is(&populate)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "populate",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 12u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(cut)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(x, fv[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::Some(0),
                },
                __op2::ArgDesc {
                    text: "read(born)",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "write(x, born[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "write(mother, born[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "write(ends, born[..])",
                    kind: __op2::ArgKind::AllEntries(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::Some(1),
                },
                __op2::ArgDesc {
                    text: "idx()",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(fv)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "write(mid)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                7279977256671736692,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "elements that write through maps must take turns",
            no_host_stages: "",
            no_lanes: "",
            by_rows: true,
            walks: false,
            asks_numbers: false,
            devices: &[
                __op2::DeviceDesc {
                    target: __op2::Target::Cuda,
                    text: "as in cuda.cu",
                    kernels: &[
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Global),
                            "populate_global",
                        ),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "cut",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "x",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1, 3],
                        },
                        __op2::ViewDesc {
                            name: "mother",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[4],
                        },
                        __op2::ViewDesc {
                            name: "ends",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[5],
                        },
                        __op2::ViewDesc {
                            name: "fv",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[7],
                        },
                        __op2::ViewDesc {
                            name: "mid",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[8],
                        },
                    ],
                    maps: &["fv_2", "born"],
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
        let handle0 = (cut,);
        let handle1 = (x,);
        let map1 = (fv,);
        let map2 = (born,);
        let handle3 = (x,);
        let map3 = (born,);
        let handle4 = (mother,);
        let map4 = (born,);
        let handle5 = (ends,);
        let map5 = (born,);
        let handle7 = (fv,);
        let handle8 = (mid,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let fv_map = call.map(1, map1.0);
        let born_map = call.rows(2, map2.0);
        fv_map.is_required();
        let cut_view = call
            .direct(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::bool; 3]>,
                handle0.0,
            );
        let x_view = call
            .entries(
                1,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                fv_map,
                handle1.0,
            );
        let born_arg = call.row_elements(born_map);
        call.row(
            3,
            __op2::Access::Write,
            __op2::Of::<[::core::primitive::f64; 2]>,
            born_map,
            handle3.0,
        );
        let mother_view = call
            .row(4, __op2::Access::Write, __op2::Of::<_>, born_map, handle4.0);
        let ends_view = call
            .row(5, __op2::Access::Write, __op2::Of::<_>, born_map, handle5.0);
        let me_arg = call.elements();
        let corners_view = call
            .direct(7, __op2::Access::Read, __op2::Of::<_>, handle7.0);
        let mid_view = call.direct(8, __op2::Access::Write, __op2::Of::<_>, handle8.0);
        call.one_handle(3, "dat", 1, &handle1.0, &handle3.0);
        call.one_handle(3, "map", 2, &map2.0, &map3.0);
        call.one_handle(4, "map", 2, &map2.0, &map4.0);
        call.one_handle(5, "map", 2, &map2.0, &map5.0);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    let mut born_arg_room = __op2::RowRoom::of_elements(born_arg);
                    let mut mother_arg_room = __op2::RowRoom::of(mother_view);
                    let mut ends_arg_room = __op2::RowRoom::of(ends_view);
                    for e in elems {
                        unsafe {
                            let fv_map_all_at = fv_map.targets(e);
                            let born_map_all_at = born_map.row(e);
                            let born_arg_part = born_arg_room.elements(born_map_all_at);
                            let mut new_arg = x_view.row_of(born_map_all_at);
                            let mut mother_arg = mother_arg_room
                                .load(mother_view, born_map_all_at);
                            let mut ends_arg = ends_arg_room
                                .load(ends_view, born_map_all_at);
                            let corners_arg = corners_view.load(e);
                            let mut mid_arg = mid_view.load(e);
                            populate(
                                cut_view.at(e),
                                fv_map_all_at.map(|at| x_view.at(at)),
                                __op2::lent(&born_arg_part),
                                __op2::lent_mut(&mut new_arg),
                                __op2::lent_mut(&mut mother_arg),
                                __op2::lent_mut(&mut ends_arg),
                                me_arg.element(e),
                                &corners_arg,
                                &mut mid_arg,
                            );
                            mother_arg_room.store(mother_view, born_map_all_at);
                            ends_arg_room.store(ends_view, born_map_all_at);
                            mid_view.store(e, &mid_arg);
                        }
                    }
                },
                listed: move |elems, ()| {
                    let mut born_arg_room = __op2::RowRoom::of_elements(born_arg);
                    let mut mother_arg_room = __op2::RowRoom::of(mother_view);
                    let mut ends_arg_room = __op2::RowRoom::of(ends_view);
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let fv_map_all_at = fv_map.targets(e);
                            let born_map_all_at = born_map.row(e);
                            let born_arg_part = born_arg_room.elements(born_map_all_at);
                            let mut new_arg = x_view.row_of(born_map_all_at);
                            let mut mother_arg = mother_arg_room
                                .load(mother_view, born_map_all_at);
                            let mut ends_arg = ends_arg_room
                                .load(ends_view, born_map_all_at);
                            let corners_arg = corners_view.load(e);
                            let mut mid_arg = mid_view.load(e);
                            populate(
                                cut_view.at(e),
                                fv_map_all_at.map(|at| x_view.at(at)),
                                __op2::lent(&born_arg_part),
                                __op2::lent_mut(&mut new_arg),
                                __op2::lent_mut(&mut mother_arg),
                                __op2::lent_mut(&mut ends_arg),
                                me_arg.element(e),
                                &corners_arg,
                                &mut mid_arg,
                            );
                            mother_arg_room.store(mother_view, born_map_all_at);
                            ends_arg_room.store(ends_view, born_map_all_at);
                            mid_view.store(e, &mid_arg);
                        }
                    }
                },
                general: move |elems, ()| {
                    let mut born_arg_room = __op2::RowRoom::of_elements(born_arg);
                    let mut new_arg_room = __op2::RowRoom::of(x_view);
                    let mut mother_arg_room = __op2::RowRoom::of(mother_view);
                    let mut ends_arg_room = __op2::RowRoom::of(ends_view);
                    for (_, e) in elems {
                        unsafe {
                            let fv_map_all_at = fv_map.targets(e);
                            let born_map_all_at = born_map.row(e);
                            let cut_arg = cut_view.load(e);
                            let x_arg = fv_map_all_at.map(|at| x_view.load(at));
                            let born_arg_part = born_arg_room.elements(born_map_all_at);
                            let mut new_arg = new_arg_room.load(x_view, born_map_all_at);
                            let mut mother_arg = mother_arg_room
                                .load(mother_view, born_map_all_at);
                            let mut ends_arg = ends_arg_room
                                .load(ends_view, born_map_all_at);
                            let corners_arg = corners_view.load(e);
                            let mut mid_arg = mid_view.load(e);
                            populate(
                                &cut_arg,
                                x_arg.each_ref(),
                                __op2::lent(&born_arg_part),
                                __op2::lent_mut(&mut new_arg),
                                __op2::lent_mut(&mut mother_arg),
                                __op2::lent_mut(&mut ends_arg),
                                me_arg.element(e),
                                &corners_arg,
                                &mut mid_arg,
                            );
                            new_arg_room.store(x_view, born_map_all_at);
                            mother_arg_room.store(mother_view, born_map_all_at);
                            ends_arg_room.store(ends_view, born_map_all_at);
                            mid_view.store(e, &mid_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes<T0, M0: __op2::Presence, T1> {
                        fv_map: __op2::MapView<T0, 3, M0>,
                        born_map: __op2::RowsView<T1>,
                        cut_view: __op2::View<[::core::primitive::bool; 3]>,
                        x_view: __op2::View<[::core::primitive::f64; 2]>,
                        born_arg: __op2::ElementNumbers,
                        mother_view: __op2::View<::core::primitive::u32>,
                        ends_view: __op2::View<[::core::primitive::u32; 2]>,
                        me_arg: __op2::ElementNumbers,
                        corners_view: __op2::View<[::core::primitive::u32; 3]>,
                        mid_view: __op2::View<[::core::primitive::u32; 3]>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl<T0, M0: __op2::Presence, T1> __op2::Vector
                    for __Lanes<T0, M0, T1> {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <[::core::primitive::bool; 3] as __op2::Value>::DIM
                            + 3 * <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            + <[::core::primitive::f64; 2] as __op2::Value>::DIM
                            + <::core::primitive::u32 as __op2::Value>::DIM
                            + <[::core::primitive::u32; 2] as __op2::Value>::DIM
                            + <[::core::primitive::u32; 3] as __op2::Value>::DIM
                            + <[::core::primitive::u32; 3] as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                fv_map,
                                born_map,
                                cut_view,
                                x_view,
                                born_arg,
                                mother_view,
                                ends_view,
                                me_arg,
                                corners_view,
                                mid_view,
                            } = self;
                            let cut_view = cut_view.in_layout::<SOA>();
                            let x_view = x_view.in_layout::<SOA>();
                            let mother_view = mother_view.in_layout::<SOA>();
                            let ends_view = ends_view.in_layout::<SOA>();
                            let corners_view = corners_view.in_layout::<SOA>();
                            let mid_view = mid_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn populate_lanes_0<W: __op2::Width>(
                                w: W,
                                mut cut_0: &[__op2::Mask<W>; 3],
                                mut x_1: [&[__op2::V<W, ::core::primitive::f64>; 2]; 3],
                                mut born_2: &__op2::RowPack<W, ::core::primitive::u32>,
                                mut new_3: &mut __op2::RowPack<
                                    W,
                                    [::core::primitive::f64; 2],
                                >,
                                mut mother_4: &mut __op2::RowPack<
                                    W,
                                    ::core::primitive::u32,
                                >,
                                mut ends_5: &mut __op2::RowPack<
                                    W,
                                    [::core::primitive::u32; 2],
                                >,
                                mut me_6: __op2::V<W, ::core::primitive::u32>,
                                mut corners_7: &[__op2::V<W, ::core::primitive::u32>; 3],
                                mut mid_8: &mut [__op2::V<W, ::core::primitive::u32>; 3],
                            ) {
                                {
                                    let mut k_9: __op2::V<W, ::core::primitive::usize> = __op2::Spread::<
                                        W,
                                    >::spread(0usize, w);
                                    'round0: for mut i_10 in (0usize)..(3usize) {
                                        {
                                            let value = __op2::Spread::<W>::spread(4294967295u32, w);
                                            let place = &mut ((*mid_8))[i_10];
                                            *place = value;
                                        };
                                        {
                                            let cond = ((*cut_0))[i_10];
                                            let mut mask1 = cond;
                                            if mask1.any() {
                                                let (mut a_11, mut b_12) = (
                                                    (x_1)[i_10],
                                                    (x_1)[(i_10 + 1usize) % 3usize],
                                                );
                                                {
                                                    let value = [
                                                        ((__op2::Spread::<W>::spread(0.5f64, w))
                                                            * (((((*a_11))[0usize]) + (((*b_12))[0usize])))),
                                                        ((__op2::Spread::<W>::spread(0.5f64, w))
                                                            * (((((*a_11))[1usize]) + (((*b_12))[1usize])))),
                                                    ];
                                                    let index0 = k_9;
                                                    for lane in 0..W::LANES {
                                                        if !mask1.lane(lane) {
                                                            continue;
                                                        }
                                                        let new = __op2::Lanes::<W>::lane(&value, lane);
                                                        (*((*new_3))
                                                            .place(lane, __op2::Lanes::<W>::lane(&index0, lane))) = new;
                                                    }
                                                };
                                                {
                                                    let value = me_6;
                                                    let index0 = k_9;
                                                    for lane in 0..W::LANES {
                                                        if !mask1.lane(lane) {
                                                            continue;
                                                        }
                                                        let new = __op2::Lanes::<W>::lane(&value, lane);
                                                        (*((*mother_4))
                                                            .place(lane, __op2::Lanes::<W>::lane(&index0, lane))) = new;
                                                    }
                                                };
                                                {
                                                    let value = [
                                                        ((*corners_7))[i_10],
                                                        ((*corners_7))[(i_10 + 1usize) % 3usize],
                                                    ];
                                                    let index0 = k_9;
                                                    for lane in 0..W::LANES {
                                                        if !mask1.lane(lane) {
                                                            continue;
                                                        }
                                                        let new = __op2::Lanes::<W>::lane(&value, lane);
                                                        (*((*ends_5))
                                                            .place(lane, __op2::Lanes::<W>::lane(&index0, lane))) = new;
                                                    }
                                                };
                                                {
                                                    let value = {
                                                        let operand0 = k_9;
                                                        let row = &((*born_2));
                                                        {
                                                            let operand0 = operand0;
                                                            __op2::each_of(
                                                                w,
                                                                mask1,
                                                                |lane| {
                                                                    row.at(lane, __op2::Lanes::<W>::lane(&operand0, lane))
                                                                },
                                                            )
                                                        }
                                                    };
                                                    let place = &mut ((*mid_8))[i_10];
                                                    *place = __op2::Lanes::<W>::select(mask1, value, *place);
                                                };
                                                {
                                                    let value = 1usize;
                                                    let place = &mut k_9;
                                                    *place = __op2::Lanes::<
                                                        W,
                                                    >::select(
                                                        mask1,
                                                        {
                                                            let operand0 = *place;
                                                            let operand1 = value;
                                                            __op2::each_of(
                                                                w,
                                                                mask1,
                                                                |lane| __op2::Lanes::<W>::lane(&operand0, lane) + operand1,
                                                            )
                                                        },
                                                        *place,
                                                    );
                                                };
                                            }
                                        }
                                    }
                                }
                            }
                            let mid_arg_streams = elems.streams(8);
                            let mut born_arg_room = __op2::RowRooms::of_elements();
                            let mut new_arg_room = __op2::RowRooms::of(x_view);
                            let mut mother_arg_room = __op2::RowRooms::of(mother_view);
                            let mut ends_arg_room = __op2::RowRooms::of(ends_view);
                            let straight = true;
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut entries = fv_map.entries_of(w);
                                    let fv_map_all_at = fv_map.targets_of(&pack, &mut entries);
                                    let born_map_all_at = born_map.rows_of(w, &pack.direct());
                                    let cut_arg = cut_view.gather(w, &pack.direct());
                                    let x_arg = __op2::mapped(
                                        fv_map_all_at,
                                        |at| x_view.gather(w, &at),
                                    );
                                    let born_arg_part = born_arg_room
                                        .elements(w, &born_map_all_at);
                                    let mut new_arg = new_arg_room
                                        .load(w, x_view, &born_map_all_at);
                                    let mut mother_arg = mother_arg_room
                                        .load(w, mother_view, &born_map_all_at);
                                    let mut ends_arg = ends_arg_room
                                        .load(w, ends_view, &born_map_all_at);
                                    let corners_arg = corners_view.gather(w, &pack.direct());
                                    let mut mid_arg = mid_view.blank(w);
                                    populate_lanes_0(
                                        w,
                                        &cut_arg,
                                        x_arg.each_ref(),
                                        &born_arg_part,
                                        &mut new_arg,
                                        &mut mother_arg,
                                        &mut ends_arg,
                                        {
                                            let elements = __op2::Leads::elements(&pack.direct(), w);
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    me_arg.of(elements.as_ref()[lane]),
                                                ),
                                            )
                                        },
                                        &corners_arg,
                                        &mut mid_arg,
                                    );
                                    mid_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &mid_arg,
                                            mid_arg_streams,
                                        );
                                    if straight & (pack.len() == W::LANES) {
                                        for lane in 0..W::LANES {
                                            for (at, value) in ::core::iter::zip(
                                                born_map_all_at.of(lane),
                                                new_arg_room.values(lane),
                                            ) {
                                                x_view.store(*at as ::core::primitive::usize, value);
                                            }
                                            for (at, value) in ::core::iter::zip(
                                                born_map_all_at.of(lane),
                                                mother_arg_room.values(lane),
                                            ) {
                                                mother_view.store(*at as ::core::primitive::usize, value);
                                            }
                                            for (at, value) in ::core::iter::zip(
                                                born_map_all_at.of(lane),
                                                ends_arg_room.values(lane),
                                            ) {
                                                ends_view.store(*at as ::core::primitive::usize, value);
                                            }
                                        }
                                    } else {
                                        for lane in 0..pack.len() {
                                            for (at, value) in ::core::iter::zip(
                                                born_map_all_at.of(lane),
                                                new_arg_room.values(lane),
                                            ) {
                                                x_view.store(*at as ::core::primitive::usize, value);
                                            }
                                            for (at, value) in ::core::iter::zip(
                                                born_map_all_at.of(lane),
                                                mother_arg_room.values(lane),
                                            ) {
                                                mother_view.store(*at as ::core::primitive::usize, value);
                                            }
                                            for (at, value) in ::core::iter::zip(
                                                born_map_all_at.of(lane),
                                                ends_arg_room.values(lane),
                                            ) {
                                                ends_view.store(*at as ::core::primitive::usize, value);
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                    __Lanes {
                        fv_map: __op2::of_arity(fv_map),
                        born_map: born_map,
                        cut_view: __op2::same(cut_view),
                        x_view: __op2::same(x_view),
                        born_arg: born_arg.as_numbers(),
                        mother_view: __op2::shaped(mother_view),
                        ends_view: __op2::shaped(ends_view),
                        me_arg: me_arg.as_numbers(),
                        corners_view: __op2::shaped(corners_view),
                        mid_view: __op2::shaped(mid_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
