//! CUDA C++ of kernels: what it looks like, and that it means what the Rust means.
//!
//! The text is compiled by the host's C++ compiler (`c++`, or the command in the environment variable
//! `CXX`) and run on the arguments on which the native function and the interpreter of the IR run.
//! All kernels of `tests/kernel_language` take part.

#[path = "../kernel_language/airfoil.rs"]
mod airfoil;
mod awkward;
#[path = "../kernel_language/constructs.rs"]
mod constructs;
mod extremes;
#[path = "../kernel_language/generics.rs"]
mod generics;
mod goldens;
mod host;
#[path = "../kernel_language/interp.rs"]
mod interp;
#[path = "../kernel_language/library.rs"]
mod library;
#[path = "../kernel_language/scalar.rs"]
mod scalar;
#[path = "../kernel_language/value.rs"]
mod value;
mod wire;

use std::collections::HashMap;

use op2_codegen::emit::cuda::{self, CudaForm};
use op2_codegen::ir::{Scalar, Unit};
use op2_codegen::model;
use op2_codegen::parse::kernel::Role;
use op2_codegen::payload::Payload;

use host::Program;
use interp::Interp;
use value::{ToValue, Value};

/// Compiles a function and keeps its text, as `name::TEXT`.
macro_rules! twin {
    ($(fn $name:ident $(<$life:lifetime>)? ($($params:tt)*) $(-> $ret:ty)? $body:block)+) => {
        $(
            fn $name $(<$life>)? ($($params)*) $(-> $ret)? $body
            mod $name {
                pub(super) const TEXT: &str = stringify!(fn $name $(<$life>)? ($($params)*) $(-> $ret)? $body);
            }
        )+
    };
}

pub(crate) use twin;

/// The payload of a function given as text.
pub(crate) fn payload(text: &str, callees: &[(&str, Payload)]) -> Payload {
    let item = syn::parse_str(text).expect("a function");
    let callee = |(path, p): &(&str, Payload)| (syn::parse_str(path).expect("a path"), p.clone());
    Payload { item, callees: callees.iter().map(callee).collect() }
}

/// The IR of a kernel that calls nothing.
pub(crate) fn kernel(text: &str) -> Unit {
    model::build(&payload(text, &[]), Role::Kernel).unwrap_or_else(|e| panic!("{}", list(e)))
}

/// The IR of a device function with its callees.
pub(crate) fn device(text: &str, callees: &[(&str, Payload)]) -> Unit {
    model::build(&payload(text, callees), Role::DeviceFn).unwrap_or_else(|e| panic!("{}", list(e)))
}

pub(crate) fn list(error: syn::Error) -> String {
    error.into_iter().map(|e| format!("{e}\n")).collect()
}

/// Values of constants, by the path that the kernel writes.
pub(crate) type Consts = HashMap<&'static str, Value>;

/// No type of the IR is an inference variable.
pub(crate) fn assert_typed(unit: &Unit) {
    for func in &unit.funcs {
        func.body.walk(&mut |e| assert!(!e.ty.has_hole(), "{e:?}"));
    }
}

/// Compares a text with the file of that name; with `UPDATE_GOLDEN` set, writes the file.
pub(crate) fn golden(file: &str, found: &str) {
    let folder = if file.ends_with(".ir") { "kernel_language" } else { "cuda_functions/golden" };
    let path = format!("{}/tests/{folder}/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "found:\n{found}\nupdate with `UPDATE_GOLDEN=1 cargo test`");
}

/// Runs the C++, the IR and the native function on the same arguments and compares all bits of the
/// arguments and of the result afterwards.
pub(crate) fn agree<A, R>(unit: &Unit, consts: &Consts, float: Scalar, mut args: A, native: impl FnOnce(&mut A) -> R)
where
    A: ToValue,
    R: ToValue,
{
    let Value::Tuple(before) = args.value() else { panic!("arguments come as a tuple") };
    let result = native(&mut args).value();
    let Value::Tuple(after) = args.value() else { panic!("arguments come as a tuple") };
    let interpreted = Interp::new(unit, consts, float).run(before.clone());
    assert_eq!(interpreted, (result.clone(), after.clone()), "interpreted\n{}", op2_codegen::ir::print::unit(unit));

    runs(unit, consts, float, &before, &Value::Tuple([after, vec![result]].concat()));
}

/// Runs the C++ and compares all bits of the arguments, and behind them of the result.
pub(crate) fn runs(unit: &Unit, consts: &Consts, float: Scalar, before: &[Value], expected: &Value) {
    assert_typed(unit);
    let emitted = cuda::functions(unit);
    if !host::available() {
        return;
    }
    let mut bytes = Vec::new();
    for (value, param) in before.iter().zip(&emitted.params) {
        wire::encode(value, matches!(param.form, CudaForm::Optional(_)), &mut bytes);
    }
    let answer = Program::call(&host::source(&emitted, consts, float), &bytes, wire::length(expected));
    let found = wire::decode(expected, &mut answer.as_slice());
    assert_eq!(found, *expected, "arguments {before:?}, then arguments and result of\n{}", emitted.text);
}

/// A fixed sequence of numbers in [-1, 1), the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn f64(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.f64())
    }
}
