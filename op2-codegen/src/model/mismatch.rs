//! Words for types that do not fit.

use crate::ir::{Expr, ExprKind, Func, Scalar, Ty, print};

use super::table::{Kind, Table};

/// A type for a message, in backticks, or what is known of it.
pub(super) fn describe(table: &Table, func: &Func, ty: &Ty) -> String {
    match table.kind(ty) {
        Some(Kind::Int) => "an integer literal".to_string(),
        Some(Kind::Float) => "a float literal".to_string(),
        Some(Kind::FloatParam) => "a float".to_string(),
        Some(Kind::Any) => "an unknown type".to_string(),
        None => format!("`{}`", print::ty(func, &table.deep(ty))),
    }
}

/// Expected, found, cure.
pub(super) fn message(table: &Table, func: &Func, e: &Expr, expected: &Ty, found: &Ty) -> String {
    let cure = cure(table, func, e, expected, found);
    format!("expected {}, found {}{cure}", describe(table, func, expected), describe(table, func, found))
}

/// How to get from the type found to the one expected.
pub(super) fn cure(table: &Table, func: &Func, e: &Expr, expected: &Ty, found: &Ty) -> String {
    let kinds = (table.kind(expected), table.kind(found));
    let pair = (table.deep(expected), table.deep(found));
    match (&pair.0, &pair.1, kinds.0, kinds.1) {
        (Ty::Scalar(Scalar::Generic(_)), _, _, Some(Kind::Float)) => {
            let name = print::ty(func, &pair.0);
            return format!(": literals of the type parameter are written `{name}::lit(…)`");
        }
        (Ty::Scalar(Scalar::Idx), _, _, Some(Kind::Int)) => return NTH.to_string(),
        (Ty::Scalar(s), _, _, Some(Kind::Int)) if s.is_float() => {
            return ": write the literal with a point, `2.0`".to_string();
        }
        (_, _, Some(Kind::Float), Some(Kind::Int)) | (_, _, Some(Kind::Int), Some(Kind::Float)) => {
            return ": write both literals with a point or both without".to_string();
        }
        (Ty::Scalar(s), _, _, Some(Kind::Float)) if s.is_int() => {
            return ": write the literal without a point".to_string();
        }
        (Ty::Scalar(s), Ty::Scalar(t), ..) => return scalar_cure(table, func, *s, *t),
        (Ty::Ref(true, _), Ty::Ref(false, _), ..) => {
            return match &e.kind {
                ExprKind::Local(id) => format!(": take `{}` by `&mut`", func.locals[id.0].name),
                _ => ": borrow with `&mut`".to_string(),
            };
        }
        (Ty::Ref(m, _), t, ..) if !matches!(t, Ty::Ref(..) | Ty::Unit) => {
            return format!(": borrow with `&{}`", if *m { "mut" } else { "" });
        }
        (Ty::Ref(..), Ty::Ref(..), ..) => {}
        (_, Ty::Ref(..), ..) => return ": dereference with `*`".to_string(),
        (_, Ty::Unit, ..) if matches!(e.kind, ExprKind::Block(_)) => {
            return ": a `;` after the last expression drops its value".to_string();
        }
        _ => {}
    }
    String::new()
}

/// The way from a number to an element.
const NTH: &str = ": the element with a number is `table.nth(number)`";

fn scalar_cure(table: &Table, func: &Func, expected: Scalar, found: Scalar) -> String {
    let text = |s| describe(table, func, &Ty::Scalar(s)).replace('`', "");
    match (expected, found) {
        (Scalar::MaybeIdx, Scalar::Idx) => ": wrap it, `Some(index)`".to_string(),
        (Scalar::Idx, Scalar::MaybeIdx) => {
            ": ask it, `if let Some(index) = option` or `option.unwrap_or(other)`".to_string()
        }
        (Scalar::Idx, found) if found.is_int() => NTH.to_string(),
        (expected, found) if expected.is_index() || found.is_index() => {
            ": an index is no number; take `idx()` as `u32`, or `table.number(index)`".to_string()
        }
        (Scalar::Bool, _) => ": compare it, `x != 0`".to_string(),
        (Scalar::Generic(_), _) => format!(": convert with `{}::lit(x as f64)`", text(expected)),
        (_, Scalar::Generic(_)) => ": a value of the type parameter stays one".to_string(),
        _ => format!(": convert with `as {}`", text(expected)),
    }
}
