//! A table that is asked by numbers: the element that comes `stride` places before.
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
fn slope(me: Idx<Verts>, height: &Table<Verts, f32>, stride: &u32, rise: &mut f32) {
    let number = height.number(me);
    *rise = if number < *stride {
        0.0
    } else {
        height.at(me) - height.at(height.nth(number - *stride))
    };
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
            unsafe { ::op2::__private::one_function(&slope, given) }
        }
    }
    impl ::op2::__private::Carries<__Op2Carrier>
    for ::op2::__private::Site<10605138753689492541u64> {
        type Items = __Op2Carrier;
    }
};
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
macro_rules! __op2_slope_932d05820f641c3d {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel 10605138753689492541u64 { fn slope(me : Idx < Verts >,
        height : & Table < Verts, f32 >, stride : & u32, rise : & mut f32) { let number =
        height.number(me); * rise = if number < * stride { 0.0 } else { height.at(me) -
        height.at(height.nth(number - * stride)) }; } } {} {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports, unreachable_pub)]
use __op2_slope_932d05820f641c3d as slope;
#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]
const _: () = {
    ::op2::__private::means_index::<Idx<::core::primitive::u8>>();
    ::op2::__private::means_table::<
        Table<::core::primitive::u8, ::core::primitive::u8>,
    >();
    ::op2::__private::means::<f32, ::core::primitive::f32>();
    ::op2::__private::means::<u32, ::core::primitive::u32>();
};
fn run(op: &mut Op2) -> Result<()> {
    {
        use ::op2::__private as __op2;
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const _slope_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE: () = unsafe {
                <<::op2::__private::Site<
                    10605138753689492541,
                > as ::op2::__private::Carries<_>>::Items>::__is(&slope)
            };
        };
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "slope",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 1u32,
            args: &[
                __op2::ArgDesc {
                    text: "idx()",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(height, all)",
                    kind: __op2::ArgKind::Whole,
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_read(stride)",
                    kind: __op2::ArgKind::Global(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "write(rise)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Write),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: <<__op2::Site<
                10605138753689492541,
            > as __op2::Carries<_>>::Items>::__CAPTURED,
            stages: 0,
            no_more_stages: "the loop adds to nothing through maps",
            no_host_stages: "",
            no_lanes: "",
            by_rows: false,
            walks: false,
            asks_numbers: true,
            devices: &[
                __op2::DeviceDesc {
                    target: __op2::Target::Cuda,
                    text: "as in cuda.cu",
                    kernels: &[
                        (__op2::EntryPoint::Loop(__op2::Wrapper::Global), "slope_global"),
                    ],
                    views: &[
                        __op2::ViewDesc {
                            name: "height",
                            optional: false,
                            cover: ::core::option::Option::None,
                            args: &[1],
                        },
                        __op2::ViewDesc {
                            name: "rise",
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
        let handle1 = (height,);
        let handle2 = (stride,);
        let handle3 = (rise,);
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, over.0);
        let me_arg = call.elements();
        let height_view = call.table(1, __op2::Of::<::core::primitive::f32>, handle1.0);
        let stride_arg = call.global(2, __op2::Of::<::core::primitive::u32>, handle2.0);
        let rise_view = call
            .direct(
                3,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::f32>,
                handle3.0,
            );
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            slope(
                                me_arg.element(e),
                                &height_view,
                                &stride_arg,
                                rise_view.at_mut(e),
                            );
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            slope(
                                me_arg.element(e),
                                &height_view,
                                &stride_arg,
                                rise_view.at_mut(e),
                            );
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let mut rise_arg = rise_view.load(e);
                            slope(
                                me_arg.element(e),
                                &height_view,
                                &stride_arg,
                                &mut rise_arg,
                            );
                            rise_view.store(e, &rise_arg);
                        }
                    }
                },
                stages: __op2::not_in_stages,
                vector: {
                    #[allow(non_camel_case_types)]
                    struct __Lanes {
                        me_arg: __op2::ElementNumbers,
                        height_view: __op2::NumberedTable<::core::primitive::f32>,
                        stride_arg: ::core::primitive::u32,
                        rise_view: __op2::View<::core::primitive::f32>,
                    }
                    #[allow(unused, clippy::all, clippy::pedantic)]
                    impl __op2::Vector for __Lanes {
                        type Wide = ::core::primitive::f32;
                        type Out = ();
                        const SCALARS: ::core::primitive::usize = 0
                            + <::core::primitive::f32 as __op2::Value>::DIM
                            + <::core::primitive::f32 as __op2::Value>::DIM;
                        #[inline(always)]
                        fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(
                            &self,
                            w: W,
                            mut elems: __op2::Elems<'_>,
                            (): (),
                        ) -> () {
                            let &__Lanes {
                                me_arg,
                                height_view,
                                stride_arg,
                                rise_view,
                            } = self;
                            let rise_view = rise_view.in_layout::<SOA>();
                            #[allow(
                                unused,
                                non_snake_case,
                                clippy::all,
                                clippy::pedantic
                            )]
                            #[inline(always)]
                            fn slope_lanes_0<W: __op2::Width>(
                                w: W,
                                mut me_0: __op2::V<W, ::core::primitive::u32>,
                                mut height_1: &__op2::NumberedTable<::core::primitive::f32>,
                                mut stride_2: &::core::primitive::u32,
                                mut rise_3: &mut __op2::V<W, ::core::primitive::f32>,
                            ) {
                                {
                                    let mut number_4: __op2::V<W, ::core::primitive::u32> = {
                                        let table = &(*height_1);
                                        {
                                            let operand0 = me_0;
                                            __op2::each(
                                                w,
                                                |lane| {
                                                    table.number(__op2::Lanes::<W>::lane(&operand0, lane))
                                                },
                                            )
                                        }
                                    };
                                    {
                                        let value = {
                                            let cond = (number_4)
                                                .lt(__op2::Spread::<W>::spread(*stride_2, w));
                                            let mut mask1 = cond;
                                            let mut mask2 = !cond;
                                            let yes = { __op2::Spread::<W>::spread(0.0f32, w) };
                                            let no = if mask2.any() {
                                                (({
                                                    let table = &(*height_1);
                                                    {
                                                        let operand0 = me_0;
                                                        __op2::each_of(
                                                            w,
                                                            mask2,
                                                            |lane| table.at(__op2::Lanes::<W>::lane(&operand0, lane)),
                                                        )
                                                    }
                                                })
                                                    - ({
                                                        let table = &(*height_1);
                                                        {
                                                            let operand0 = {
                                                                let table = &(*height_1);
                                                                {
                                                                    let operand0 = {
                                                                        let operand0 = number_4;
                                                                        let operand1 = *stride_2;
                                                                        __op2::each_of(
                                                                            w,
                                                                            mask2,
                                                                            |lane| __op2::Lanes::<W>::lane(&operand0, lane) - operand1,
                                                                        )
                                                                    };
                                                                    __op2::each_of(
                                                                        w,
                                                                        mask2,
                                                                        |lane| table.nth(__op2::Lanes::<W>::lane(&operand0, lane)),
                                                                    )
                                                                }
                                                            };
                                                            __op2::each_of(
                                                                w,
                                                                mask2,
                                                                |lane| table.at(__op2::Lanes::<W>::lane(&operand0, lane)),
                                                            )
                                                        }
                                                    }))
                                            } else {
                                                __op2::Spread::<W>::spread((0 as ::core::primitive::f32), w)
                                            };
                                            __op2::Lanes::<W>::select(cond, yes, no)
                                        };
                                        let place = &mut (*rise_3);
                                        *place = value;
                                    };
                                }
                            }
                            let rise_arg_streams = elems.streams(3);
                            while let ::core::option::Option::Some(pack) = elems.pack(w)
                            {
                                unsafe {
                                    let mut rise_arg = rise_view.blank(w);
                                    slope_lanes_0(
                                        w,
                                        {
                                            let elements = __op2::Leads::elements(&pack.direct(), w);
                                            __op2::each(
                                                w,
                                                |lane| <::core::primitive::u32 as __op2::IndexValue>::from_index(
                                                    me_arg.of(elements.as_ref()[lane]),
                                                ),
                                            )
                                        },
                                        &height_view,
                                        &stride_arg,
                                        &mut rise_arg,
                                    );
                                    rise_view
                                        .write(
                                            w,
                                            &pack.direct(),
                                            pack.len(),
                                            &rise_arg,
                                            rise_arg_streams,
                                        );
                                }
                            }
                        }
                    }
                    __Lanes {
                        me_arg: me_arg.as_numbers(),
                        height_view: height_view.as_numbers(),
                        stride_arg: __op2::same(stride_arg),
                        rise_view: __op2::same(rise_view),
                    }
                },
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
