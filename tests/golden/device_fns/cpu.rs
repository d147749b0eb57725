#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn square(x: f64) -> f64 {
    x * x
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum square {}
#[allow(missing_docs, dead_code)]
impl square {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
}
#[doc(hidden)]
macro_rules! __op2_square_ccdee806ba2dd251 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn { fn square(x : f64) -> f64 { x * x } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_square_ccdee806ba2dd251 as square;
#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn length(x: f64, y: f64) -> f64 {
    (square(x) + square(y)).sqrt()
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum length {}
#[allow(missing_docs, dead_code)]
impl length {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[square::__CAPTURED],
    };
}
#[doc(hidden)]
macro_rules! __op2_length_054512c10b2f7c25 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn { fn length(x : f64, y : f64) -> f64 { (square(x) +
        square(y)).sqrt() } } { [square] { { fn square(x : f64) -> f64 { x * x } } {} } }
        } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_length_054512c10b2f7c25 as length;
#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn scale(v: &mut [f64; 2], factor: f64) {
    for n in 0..2 {
        v[n] *= factor;
    }
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum scale {}
#[allow(missing_docs, dead_code)]
impl scale {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[],
    };
}
#[doc(hidden)]
macro_rules! __op2_scale_fe61a397e404f89c {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { device_fn { fn scale(v : & mut [f64; 2], factor : f64) { for n in 0
        ..2 { v[n] *= factor; } } } {} } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_scale_fe61a397e404f89c as scale;
#[allow(
    clippy::inline_always,
    clippy::too_many_arguments,
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::collapsible_if
)]
#[inline(always)]
fn normalise(v: &mut [f64; 2]) {
    let l = length(v[0], v[1]);
    if square(l) > f64::EPSILON {
        scale(v, 1.0 / l);
    }
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_docs)]
enum normalise {}
#[allow(missing_docs, dead_code)]
impl normalise {
    #[doc(hidden)]
    pub const __CAPTURED: &'static ::op2::__private::Captured = &::op2::__private::Captured {
        own: &[],
        callees: &[length::__CAPTURED, square::__CAPTURED, scale::__CAPTURED],
    };
}
#[doc(hidden)]
macro_rules! __op2_normalise_457eebb4a8404990 {
    ([$($cb:tt)*] $($rest:tt)*) => {
        $($cb)* ! { { kernel { fn normalise(v : & mut [f64; 2]) { let l = length(v[0],
        v[1]); if square(l) > f64::EPSILON { scale(v, 1.0 / l); } } } { [length] { { fn
        length(x : f64, y : f64) -> f64 { (square(x) + square(y)).sqrt() } } { [square] {
        { fn square(x : f64) -> f64 { x * x } } {} } } } [square] { { fn square(x : f64)
        -> f64 { x * x } } {} } [scale] { { fn scale(v : & mut [f64; 2], factor : f64) {
        for n in 0..2 { v[n] *= factor; } } } {} } } } $($rest)* }
    };
}
#[doc(hidden)]
#[allow(unused_imports)]
use __op2_normalise_457eebb4a8404990 as normalise;
fn run(op: &mut Op2) -> op2::Result<()> {
    {
        use ::op2::__private as __op2;
        static __DESC: __op2::LoopDesc = __op2::LoopDesc {
            kernel: "normalise",
            file: ::core::file!(),
            line: ::core::line!(),
            flops: 9u32,
            args: &[
                __op2::ArgDesc {
                    text: "rw(v)",
                    kind: __op2::ArgKind::Direct(__op2::Access::Rw),
                    optional: false,
                    target: ::core::option::Option::None,
                },
            ],
            captured: normalise::__CAPTURED,
            whole: "",
            device: __op2::DeviceDesc {
                text: "as in cuda.cu",
                kernel: "normalise",
                kernels: &["normalise_global"],
                views: &[
                    __op2::ViewDesc {
                        name: "v",
                        optional: false,
                        cover: ::core::option::Option::None,
                        args: &[0],
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
        let mut call = (op).__call(&__DESC, nodes);
        let v_view = call
            .direct(0, __op2::Access::Rw, __op2::Of::<[::core::primitive::f64; 2]>, v);
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        let outcome = call
            .run(__op2::Bodies {
                start: move || (),
                fast: move |elems, ()| {
                    for e in elems {
                        unsafe {
                            normalise(v_view.at_mut(e));
                        }
                    }
                },
                listed: move |elems, ()| {
                    for e in elems.iter().map(|e| *e as ::core::primitive::usize) {
                        unsafe {
                            normalise(v_view.at_mut(e));
                        }
                    }
                },
                general: move |elems, ()| {
                    for (_, e) in elems {
                        unsafe {
                            let mut v_arg = v_view.load(e);
                            normalise(&mut v_arg);
                            v_view.store(e, &v_arg);
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
