//! Tables: a walk from facet to facet round a vertex, whose end nobody knows before.
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
fn around(
    first: &Option<Idx<Facets>>,
    beside: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    area: &Table<Facets, f64>,
    patch: &mut f64,
) {
    *patch = 0.0;
    let mut next = *first;
    while let Some(facet) = next {
        *patch += area.at(facet);
        let other = beside.at(facet)[1];
        next = if other == *first { None } else { other };
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
            unsafe { ::op2::__private::one_function(&around, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<8492926478284048889u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_around_75dcefa271a149f9 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 8492926478284048889u64 { fn around(first : & Option < Idx <
        Facets > >, beside : & Table < Facets, [Option < Idx < Facets > >; 3] >, area : &
        Table < Facets, f64 >, patch : & mut f64,) { * patch = 0.0; let mut next = *
        first; while let Some(facet) = next { * patch += area.at(facet); let other =
        beside.at(facet) [1]; next = if other == * first { None } else { other }; } } }
        {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_around_75dcefa271a149f9 as around;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means_index::<Idx<::core::primitive::u8>>();
    ::op2::__private::means_table::<
        Table<::core::primitive::u8, ::core::primitive::u8>,
    >();
    ::op2::__private::means::<f64, ::core::primitive::f64>();
    ::op2::__private::one_type(
        &Some::<::core::primitive::u8>,
        &::core::option::Option::<::core::primitive::u8>::Some,
    );
    let _: ::core::option::Option<::core::primitive::u8> = None::<::core::primitive::u8>;
    {
        const fn binding(variable: ::op2::__private::Variable<0>) {
            let facet = variable;
        }
    }
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _around_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    8492926478284048889,
                > as ::op2::__private::Carries<_>>::Items>::__is(&around)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "around",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 1u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(first)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(beside, all)",
                    kind: __op2::ArgKind::Whole,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(area, all)",
                    kind: __op2::ArgKind::Whole,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "write(patch)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                8492926478284048889,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "the loop adds to nothing through maps",
            no_host_stages: "",
            no_lanes: "",
            by_rows: false,
            walks: true,
            asks_numbers: false,
            devices: &[
                __op2::DeviceDesc {
                    target: __op2::Target::Cuda,
                    text: "as in cuda.cu",
                    kernels: &[
                        (
                            __op2::EntryPoint::Loop(__op2::Wrapper::Global),
                            "around_global",
                        ),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "first",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[0],
                        },
                        __op2::ViewDesc {
                            name: "beside",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "area",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[2],
                        },
                        __op2::ViewDesc {
                            name: "patch",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[3],
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
        let over = (verts,);
        let handle0 = (first,);
        let handle1 = (beside,);
        let handle2 = (area,);
        let handle3 = (patch,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let first_view = call.direct(0, __op2::Access::Read, __op2::Of::<_>, handle0.0);
        let beside_view = call.table(1, __op2::Of::<_>, handle1.0);
        let area_view = call.table(2, __op2::Of::<::core::primitive::f64>, handle2.0);
        let patch_view = call
            .direct(
                3,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::f64>,
                handle3.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let first_arg = first_view.load(e);
                            around(
                                &first_arg,
                                &beside_view,
                                &area_view,
                                patch_view.at_mut(e),
                            );
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let first_arg = first_view.load(e);
                            around(
                                &first_arg,
                                &beside_view,
                                &area_view,
                                patch_view.at_mut(e),
                            );
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let first_arg = first_view.load(e);
                            let mut patch_arg = patch_view.load(e);
                            around(&first_arg, &beside_view, &area_view, &mut patch_arg);
                            patch_view.store(e, &patch_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes {
                        first_view: __op2::View<::core::primitive::u32>,
                        beside_view: __op2::NumberedTable<[::core::primitive::u32; 3]>,
                        area_view: __op2::NumberedTable<::core::primitive::f64>,
                        patch_view: __op2::View<::core::primitive::f64>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl __op2::Vector for __Lanes {
                        type Wide = ::core::primitive::f64;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <::core::primitive::u32 as __op2::Value>::DIM
                            + <[::core::primitive::u32; 3] as __op2::Value>::DIM
                            + <::core::primitive::f64 as __op2::Value>::DIM
                            + <::core::primitive::f64 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                first_view,
                                beside_view,
                                area_view,
                                patch_view,
                            } = self;
                            let first_view = first_view.in_layout::<SOA>();
                            let patch_view = patch_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn around_lanes_0<W: __op2::Width>(
                                w: W,
                                mut first_0: &__op2::V<W, ::core::primitive::u32>,
                                mut beside_1: &__op2::NumberedTable<
                                    [::core::primitive::u32; 3],
                                >,
                                mut area_2: &__op2::NumberedTable<::core::primitive::f64>,
                                mut patch_3: &mut __op2::V<W, ::core::primitive::f64>,
                            ) {
                                {
                                    {
                                        let value = __op2::Spread::<W>::spread(0.0f64, w);
                                        let place = &mut (*patch_3);
                                        *place = value;
                                    };
                                    let mut next_4: __op2::V<W, ::core::primitive::u32> = (*first_0);
                                    {
                                        let mut going0 = __op2::Mask::all_of(w);
                                        loop {
                                            if !going0.any() {
                                                break;
                                            }
                                            let mut mask1 = going0;
                                            mask1 = mask1 & going0;
                                            {
                                                {
                                                    let mut held_5: __op2::V<W, ::core::primitive::u32> = next_4;
                                                    {
                                                        let cond = (held_5)
                                                            .differs(__op2::Spread::<W>::spread(4294967295u32, w));
                                                        let mut mask2 = mask1 & cond;
                                                        let mut mask5 = mask1 & !cond;
                                                        if mask2.any() {
                                                            let mut facet_6: __op2::V<W, ::core::primitive::u32> = held_5;
                                                            {
                                                                let value = {
                                                                    let table = &(*area_2);
                                                                    {
                                                                        let operand0 = facet_6;
                                                                        __op2::each_of(
                                                                            w,
                                                                            mask2,
                                                                            |lane| table.at(__op2::Lanes::<W>::lane(&operand0, lane)),
                                                                        )
                                                                    }
                                                                };
                                                                let place = &mut (*patch_3);
                                                                *place = __op2::Lanes::<
                                                                    W,
                                                                >::select(mask2, ((*place) + (value)), *place);
                                                            };
                                                            let mut other_7: __op2::V<W, ::core::primitive::u32> = ({
                                                                let table = &(*beside_1);
                                                                {
                                                                    let operand0 = facet_6;
                                                                    __op2::each_of(
                                                                        w,
                                                                        mask2,
                                                                        |lane| table.at(__op2::Lanes::<W>::lane(&operand0, lane)),
                                                                    )
                                                                }
                                                            })[1usize];
                                                            {
                                                                let value = {
                                                                    let cond = (other_7).equals((*first_0));
                                                                    let mut mask3 = mask2 & cond;
                                                                    let mut mask4 = mask2 & !cond;
                                                                    let yes = { __op2::Spread::<W>::spread(4294967295u32, w) };
                                                                    let no = { other_7 };
                                                                    __op2::Lanes::<W>::select(cond, yes, no)
                                                                };
                                                                let place = &mut next_4;
                                                                *place = __op2::Lanes::<W>::select(mask2, value, *place);
                                                            };
                                                        }
                                                        {
                                                            {
                                                                let off = mask5;
                                                                mask5 = mask5 & !off;
                                                                mask1 = mask1 & !off;
                                                                going0 = going0 & !off;
                                                            };
                                                        };
                                                    }
                                                };
                                            }
                                        }
                                    }
                                }
                            }
                            let patch_arg_streams = elems.streams(3);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let first_arg = first_view.gather(w, &pack.direct());
                                    let mut patch_arg = patch_view.blank(w);
                                    around_lanes_0(
                                        w,
                                        &first_arg,
                                        &beside_view,
                                        &area_view,
                                        &mut patch_arg,
                                    );
                                    patch_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &patch_arg,
                                            patch_arg_streams,
                                        );
                                }
                            }
                        }
                    }
                    __Lanes {
                        first_view: __op2::shaped(first_view),
                        beside_view: beside_view.as_numbers(),
                        area_view: area_view.as_numbers(),
                        patch_view: __op2::same(patch_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
