//! CUDA C++ of kernels: its text, and that its results are those of the Rust.
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
#[path = "../kernel_language/support.rs"]
mod support;
#[path = "../kernel_language/value.rs"]
mod value;
mod wire;

use op2_codegen::emit::cuda::{self, CudaPassing};
use op2_codegen::ir::{Scalar, Unit};

use host::Program;
use interp::Interp;
pub(crate) use support::*;
use value::{ToValue, Value};

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
    if !op2_test_support::has_cxx() {
        return;
    }
    let mut bytes = Vec::new();
    for (value, param) in before.iter().zip(&emitted.params) {
        wire::encode(value, matches!(param.passing, CudaPassing::Optional(_)), &mut bytes);
    }
    let answer = Program::call(&host::source(&emitted, consts, float), &bytes, wire::length(expected));
    let found = wire::decode(expected, &mut answer.as_slice());
    assert_eq!(found, *expected, "arguments {before:?}, then arguments and result of\n{}", emitted.text);
}
