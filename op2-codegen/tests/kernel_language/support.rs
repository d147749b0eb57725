//! Helpers of the tests of the kernel language and of its CUDA text: kernels from text, goldens, numbers.

use std::collections::HashMap;

use op2_codegen::ir::Unit;
use op2_codegen::model;
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::payload::Payload;

use crate::value::Value;

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
    Payload { callees: callees.iter().map(callee).collect(), ..Payload::new(0, item) }
}

/// The IR of a kernel that calls nothing.
pub(crate) fn kernel(text: &str) -> Unit {
    model::build(&payload(text, &[]), FnKind::Kernel).unwrap_or_else(|e| panic!("{}", list(e)))
}

/// The IR of a device function with its callees.
pub(crate) fn device(text: &str, callees: &[(&str, Payload)]) -> Unit {
    model::build(&payload(text, callees), FnKind::DeviceFn).unwrap_or_else(|e| panic!("{}", list(e)))
}

pub(crate) fn list(error: syn::Error) -> String {
    error.into_iter().map(|e| format!("{e}\n")).collect()
}

/// Values of constants, by the path that the kernel writes.
pub(crate) type Consts = HashMap<&'static str, Value>;

/// No type of the IR is an inference variable.
pub(crate) fn assert_typed(unit: &Unit) {
    for func in &unit.funcs {
        assert!(func.locals.iter().all(|l| !l.ty.has_hole()), "{func:?}");
        assert!(func.consts.iter().all(|c| !c.ty.has_hole()), "{func:?}");
        func.body.walk(&mut |e| assert!(!e.ty.has_hole(), "{e:?}"));
    }
}

/// Compares a text with the file of that name under `tests`; with `UPDATE_GOLDEN` set, writes the file.
pub(crate) fn golden(file: &str, found: &str) {
    let path = format!("{}/tests/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "found:\n{found}\nupdate with `UPDATE_GOLDEN=1 cargo test`");
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
