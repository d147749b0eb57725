//! Values for constants of generated texts.

use op2_codegen::ir::{Len, Scalar, Ty};

/// A type in C++ and a value of it.
pub(crate) fn sample(ty: &Ty) -> (String, String) {
    match ty {
        Ty::Scalar(Scalar::F32) => ("float".to_owned(), "0.5f".to_owned()),
        Ty::Scalar(Scalar::F64) => ("double".to_owned(), "0.5".to_owned()),
        Ty::Scalar(scalar) => (scalar.name().to_owned(), "4".to_owned()),
        Ty::Array(item, len) => {
            let ((item, value), len) = (sample(item), if let Len::Lit(n) = len { *n } else { 4 });
            (format!("Arr<{item}, {len}>"), format!("{{{{{}}}}}", vec![value; len].join(", ")))
        }
        other => panic!("a constant of type {other:?}"),
    }
}
