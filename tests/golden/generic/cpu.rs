#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
pub fn step<F: Float>(f: &F, u: &mut F, change: &mut F) {
    let new = F::lit(0.25) * *f;
    *change = change.max((new - *u).abs());
    *u = new;
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
pub enum step {}
#[allow(missing_docs, dead_code)]
impl step {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
}
#[doc(hidden)]
#[macro_export]
macro_rules! __op2_step_24627fad76401357 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel { pub fn step < F : Float > (f : & F, u : & mut F, change :
        & mut F) { let new = F::lit(0.25) * * f; * change = change.max((new - * u)
        .abs()); * u = new; } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
pub use __op2_step_24627fad76401357 as step;
fn run<F: Float>(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "step",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 4u32,
            args: &[
                __op2::ArgDesc {
                    text: "read(f)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Read),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "rw(u)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
                __op2::ArgDesc {
                    text: "gbl_max(change)",
                    kind: __op2::ArgKind::Global(__op2::Access::Max),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: step::__CAPTURED,
            whole: "",
            device: __op2::DeviceDesc {
                text: "as in cuda.cu",
                kernel: "step",
                kernels: &["step_global", "step_final"],
                views: &[
                    __op2::ViewDesc {
                        name: "f",
                        optional: false,
                        cover: ::core::option::Option::None,
                        args: &[0],
                    },
                    __op2::ViewDesc {
                        name: "u",
                        optional: false,
                        cover: ::core::option::Option::None,
                        args: &[1],
                    },
                ],
                maps: &[],
                targets: &[],
                covers: &[],
                float: ::core::option::Option::Some(0),
                consts: &[],
                forms: &[],
                no_more_forms: "the loop adds to nothing through maps",
            },
        };
        #[allow(unused_mut)]
        let mut call = (op).__call(&__DESC, nodes);
        let f_view = call.direct(0, __op2::Access::Read, __op2::Of::<_>, f);
        let u_view = call.direct(1, __op2::Access::Rw, __op2::Of::<_>, u);
        let change_arg = call
            .reduction(2, __op2::Access::Max, __op2::Of::<(__op2::ByMax, _)>, change);
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (__op2::start_of::<__op2::ByMax, _>(change_arg),),
                fast: move |elems, (mut change_arg,)| {
                    for e in elems {
                        unsafe {
                            step(f_view.at(e), u_view.at_mut(e), &mut change_arg);
                        }
                    }
                    (change_arg,)
                },
                listed: move |elems, (mut change_arg,)| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            step(f_view.at(e), u_view.at_mut(e), &mut change_arg);
                        }
                    }
                    (change_arg,)
                },
                general: move |elems, (mut change_arg,)| {
                    for (_, e) in elems {
                        unsafe {
                            let f_arg = f_view.load(e);
                            let mut u_arg = u_view.load(e);
                            step(&f_arg, &mut u_arg, &mut change_arg);
                            u_view.store(e, &u_arg);
                        }
                    }
                    (change_arg,)
                },
                stages: __op2::not_in_stages,
                absorb: |total, part| {
                    __op2::Reduce::<__op2::ByMax>::absorb(&mut total.0, &part.0);
                },
                finish: move |results, total| {
                    results.reduce::<__op2::ByMax, _>(change_arg, &total.0);
                },
            });
        outcome
    }
}
