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
#[path = "../kernel_language/forms.rs"]
mod forms;
#[path = "../kernel_language/generics.rs"]
mod generics;
mod goldens;
mod host;
#[path = "../kernel_language/interp.rs"]
mod interp;
#[path = "../kernel_language/library.rs"]
mod library;
#[path = "../kernel_language/records.rs"]
mod records;
#[path = "../kernel_language/scalar.rs"]
mod scalar;
#[path = "../kernel_language/support.rs"]
mod support;
#[path = "../kernel_language/value.rs"]
mod value;
mod wire;

use op2_codegen::emit::cuda::{self, CudaPassing, CudaText};
use op2_codegen::ir::{Scalar, Unit};

use host::Program;
use interp::Interp;
pub(crate) use support::*;
use value::{ToValue, Value};

/// Runs the C++, the IR and the native function on the same arguments and compares all bits of the
/// arguments and of the result afterwards.
pub(crate) fn agree<A, R>(unit: &Unit, consts: &Consts, float: Scalar, args: A, native: impl FnOnce(&mut A) -> R)
where
    A: ToValue,
    R: ToValue,
{
    Emitted::of(unit, consts, float).agree(args, native);
}

/// The C++ of a unit, for many calls.
pub(crate) struct Emitted<'a> {
    unit: &'a Unit,
    consts: &'a Consts,
    float: Scalar,
    text: CudaText,
    /// The text of the whole program.
    program: String,
}

impl<'a> Emitted<'a> {
    pub(crate) fn of(unit: &'a Unit, consts: &'a Consts, float: Scalar) -> Self {
        assert_typed(unit);
        let text = cuda::functions(unit);
        let program = host::source(&text, consts, float);
        Emitted { unit, consts, float, text, program }
    }

    /// See [`agree`].
    pub(crate) fn agree<A, R>(&self, mut args: A, native: impl FnOnce(&mut A) -> R)
    where
        A: ToValue,
        R: ToValue,
    {
        let Value::Tuple(before) = args.value() else { panic!("arguments come as a tuple") };
        let result = native(&mut args).value();
        let Value::Tuple(after) = args.value() else { panic!("arguments come as a tuple") };
        let interpreted = Interp::new(self.unit, self.consts, self.float).run(before.clone());
        let expected = (result.clone(), after.clone());
        assert_eq!(interpreted, expected, "interpreted\n{}", op2_codegen::ir::print::unit(self.unit));

        self.runs(&before, &Value::Tuple([after, vec![result]].concat()));
    }

    /// Runs the C++ and compares all bits of the arguments, and behind them of the result.
    pub(crate) fn runs(&self, before: &[Value], expected: &Value) {
        if !op2_test_support::has_cxx() {
            return;
        }
        let mut bytes = Vec::new();
        for (value, param) in before.iter().zip(&self.text.params) {
            wire::encode(value, matches!(param.passing, CudaPassing::Optional(_)), &mut bytes);
        }
        let answer = Program::call(&self.program, &bytes, wire::length(expected));
        let found = wire::decode(expected, &mut answer.as_slice());
        assert_eq!(found, *expected, "arguments {before:?}, then arguments and result of\n{}", self.text.text);
    }
}
