#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn touch(node: u32, a: &mut f64, b: &mut f64, c: &mut i32, d: &mut [f32; 2]) {
    *a = 2.0 * *a;
    *b = 1.0;
    *c = (*c).max(node as i32);
    d[0] = d[0].min(1.0);
    d[1] = d[1].min(2.0);
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum touch {}
#[allow(missing_docs, dead_code)]
impl touch {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
}
#[doc(hidden)]
macro_rules! __op2_touch_19c02c9a2e34981e {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel { fn touch(node : u32, a : & mut f64, b : & mut f64, c : &
        mut i32, d : & mut [f32; 2]) { * a = 2.0 * * a; * b = 1.0; * c = (* c).max(node
        as i32); d[0] = d[0].min(1.0); d[1] = d[1].min(2.0); } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_touch_19c02c9a2e34981e as touch;
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
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
            captured: touch::__CAPTURED,
            whole: "",
            device: __op2::DeviceDesc {
                text: "as in cuda.cu",
                kernel: "touch",
                kernels: &["touch_global", "touch_staged"],
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
                covers: &[&[0]],
                float: ::core::option::Option::None,
                consts: &[],
                forms: &[],
                no_more_forms: "elements that write through maps must take turns",
            },
        };
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, cells);
        let owner_map = call.map(0, owner);
        owner_map.has_entry::<0>();
        let node_arg = call.index(0, owner_map, 0);
        let a_view = call
            .entry(
                1,
                __op2::Access::Rw,
                __op2::Of::<::core::primitive::f64>,
                owner_map,
                0,
                a,
            );
        let b_view = call
            .entry(
                2,
                __op2::Access::Write,
                __op2::Of::<::core::primitive::f64>,
                owner_map,
                0,
                b,
            );
        let c_view = call
            .entry(
                3,
                __op2::Access::Max,
                __op2::Of::<::core::primitive::i32>,
                owner_map,
                0,
                c,
            );
        let d_view = call
            .entry(
                4,
                __op2::Access::Min,
                __op2::Of::<[::core::primitive::f32; 2]>,
                owner_map,
                0,
                d,
            );
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            let owner_map_0_at = owner_map.target(e, 0);
                            let mut c_arg = c_view.neutral(__op2::Access::Max);
                            let mut d_arg = d_view.neutral(__op2::Access::Min);
                            touch(
                                __op2::IndexValue::from_index(node_arg.of(owner_map_0_at)),
                                a_view.at_mut(owner_map_0_at),
                                b_view.at_mut(owner_map_0_at),
                                &mut c_arg,
                                &mut d_arg,
                            );
                            c_view
                                .combine_at(__op2::Access::Max, owner_map_0_at, &c_arg);
                            d_view
                                .combine_at(__op2::Access::Min, owner_map_0_at, &d_arg);
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            let owner_map_0_at = owner_map.target(e, 0);
                            let mut c_arg = c_view.neutral(__op2::Access::Max);
                            let mut d_arg = d_view.neutral(__op2::Access::Min);
                            touch(
                                __op2::IndexValue::from_index(node_arg.of(owner_map_0_at)),
                                a_view.at_mut(owner_map_0_at),
                                b_view.at_mut(owner_map_0_at),
                                &mut c_arg,
                                &mut d_arg,
                            );
                            c_view
                                .combine_at(__op2::Access::Max, owner_map_0_at, &c_arg);
                            d_view
                                .combine_at(__op2::Access::Min, owner_map_0_at, &d_arg);
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
                            let mut c_arg = c_view.neutral(__op2::Access::Max);
                            let mut d_arg = d_view.neutral(__op2::Access::Min);
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
                                    __op2::Access::Max,
                                    position,
                                    0,
                                    owner_map_0_at,
                                    &c_arg,
                                );
                            d_arg_sink
                                .combine(
                                    __op2::Access::Min,
                                    position,
                                    0,
                                    owner_map_0_at,
                                    &d_arg,
                                );
                        }
                    }
                },
                stages: __op2::not_in_stages,
                absorb: |_, _| {},
                finish: |_, _| {},
            });
        outcome
    }
}
