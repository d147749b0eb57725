//! The front end of the generator: accepted kernels and their meaning, refused ones and their messages.
//!
//! Meaning is tested by running the IR in an interpreter next to the native function: each kernel
//! is written once, in `twin!`, which compiles it and quotes it.

mod airfoil;
mod closures;
mod constructs;
mod forms;
mod generics;
mod indices;
mod interp;
mod library;
mod records;
mod refusals;
mod rows;
mod scalar;
mod split;
mod support;
mod types;
mod value;

use op2_codegen::ir::{Scalar, Unit};

use interp::Interp;
pub(crate) use support::*;
use value::{ToValue, Value};

/// Runs the IR and the native function on the same arguments and compares all bits of the
/// arguments and of the result afterwards.
pub(crate) fn agree<A, R>(unit: &Unit, consts: &Consts, float: Scalar, mut args: A, native: impl FnOnce(&mut A) -> R)
where
    A: ToValue,
    R: ToValue,
{
    assert_typed(unit);
    let Value::Tuple(values) = args.value() else { panic!("arguments come as a tuple") };
    let (result, after) = Interp::new(unit, consts, float).run(values);
    let expected = native(&mut args);
    let shown = op2_codegen::ir::print::unit(unit);
    assert_eq!(result, expected.value(), "result of\n{shown}");
    assert_eq!(Value::Tuple(after), args.value(), "arguments after\n{shown}");
}
