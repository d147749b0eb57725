#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn change(
    new: &[f64; 2],
    old: &[f64; 2],
    scale: &f64,
    sum: &mut f64,
    low: &mut f64,
    worst: &mut ArgMax<f64, u32>,
    cell: u32,
) {
    for n in 0..2 {
        let d = *scale * (new[n] - old[n]);
        *sum += d * d;
        *low = low.min(d);
        worst.update(d * d, cell);
    }
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum change {}
#[allow(missing_docs, dead_code)]
impl change {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
}
#[doc(hidden)]
macro_rules! __op2_change_b1cb58ac340c73d9 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel { fn change(new : & [f64; 2], old : & [f64; 2], scale : &
        f64, sum : & mut f64, low : & mut f64, worst : & mut ArgMax < f64, u32 >, cell :
        u32) { for n in 0..2 { let d = * scale * (new[n] - old[n]); * sum += d * d; * low
        = low.min(d); worst.update(d * d, cell); } } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_change_b1cb58ac340c73d9 as change;
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "change",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 14u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(new)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "read(old)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_read(scale)",
                    kind: __op2::ArgKind::Global(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_inc(sum)",
                    kind: __op2::ArgKind::Global(__op2::Access::Inc),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_min(low)",
                    kind: __op2::ArgKind::Global(__op2::Access::Min),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_max(worst)",
                    kind: __op2::ArgKind::Global(__op2::Access::Max),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "idx()",
                    kind: __op2::ArgKind::Index,
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: change::__CAPTURED,
            whole: "",
            device: __op2::DeviceDesc {
                text: "as in cuda.cu",
                kernel: "change",
                kernels: &["change_global", "change_final"],
                views: &[
                    __op2::ViewDesc {
                        name: "new_",
                        optional: false,
                        cover: ::core::option::Option::None,
                        args: &[0],
                    },
                    __op2::ViewDesc {
                        name: "old",
                        optional: false,
                        cover: ::core::option::Option::None,
                        args: &[1],
                    },
                ],
                maps: &[],
                targets: &[],
                covers: &[],
                float: ::core::option::Option::None,
                consts: &[],
                forms: &[],
                no_more_forms: "the loop adds to nothing through maps",
            },
        };
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, cells);
        let new_view = call
            .direct(
                0,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                new,
            );
        let old_view = call
            .direct(
                1,
                __op2::Access::Read,
                __op2::Of::<[::core::primitive::f64; 2]>,
                old,
            );
        let scale_arg = call.global(2, __op2::Of::<::core::primitive::f64>, scale);
        let sum_arg = call
            .reduction(
                3,
                __op2::Access::Inc,
                __op2::Of::<(__op2::ByInc, ::core::primitive::f64)>,
                sum,
            );
        let low_arg = call
            .reduction(
                4,
                __op2::Access::Min,
                __op2::Of::<(__op2::ByMin, ::core::primitive::f64)>,
                low,
            );
        let worst_arg = call
            .reduction(
                5,
                __op2::Access::Max,
                __op2::Of::<
                    (
                        __op2::ByMax,
                        ::op2::ArgMax<::core::primitive::f64, ::core::primitive::u32>,
                    ),
                >,
                worst,
            );
        let cell_arg = call.numbers();
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (
                    __op2::start_of::<__op2::ByInc, _>(sum_arg),
                    __op2::start_of::<__op2::ByMin, _>(low_arg),
                    __op2::start_of::<__op2::ByMax, _>(worst_arg),
                ),
                fast: move |elems, (mut sum_arg, mut low_arg, mut worst_arg)| {
                    for e in elems {
                        unsafe {
                            change(
                                new_view.at(e),
                                old_view.at(e),
                                &scale_arg,
                                &mut sum_arg,
                                &mut low_arg,
                                &mut worst_arg,
                                __op2::IndexValue::from_index(cell_arg.of(e)),
                            );
                        }
                    }
                    (sum_arg, low_arg, worst_arg)
                },
                listed: move |elems, (mut sum_arg, mut low_arg, mut worst_arg)| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            change(
                                new_view.at(e),
                                old_view.at(e),
                                &scale_arg,
                                &mut sum_arg,
                                &mut low_arg,
                                &mut worst_arg,
                                __op2::IndexValue::from_index(cell_arg.of(e)),
                            );
                        }
                    }
                    (sum_arg, low_arg, worst_arg)
                },
                general: move |elems, (mut sum_arg, mut low_arg, mut worst_arg)| {
                    for (_, e) in elems {
                        unsafe {
                            let new_arg = new_view.load(e);
                            let old_arg = old_view.load(e);
                            change(
                                &new_arg,
                                &old_arg,
                                &scale_arg,
                                &mut sum_arg,
                                &mut low_arg,
                                &mut worst_arg,
                                __op2::IndexValue::from_index(cell_arg.of(e)),
                            );
                        }
                    }
                    (sum_arg, low_arg, worst_arg)
                },
                stages: __op2::not_in_stages,
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByInc>::absorb(&mut total.0, &part.0);
                    __op2::Reduce::<__op2::ByMin>::absorb(&mut total.1, &part.1);
                    __op2::Reduce::<__op2::ByMax>::absorb(&mut total.2, &part.2);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByInc, _>(sum_arg, &total.0);
                    results.reduce::<__op2::ByMin, _>(low_arg, &total.1);
                    results.reduce::<__op2::ByMax, _>(worst_arg, &total.2);
                },
            });
        outcome
    }
}
