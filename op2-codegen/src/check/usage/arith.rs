//! Integer and truth values that are known without running the kernel.

use super::value::Val;
use crate::ir::{Binary, Intrinsic, Lit, Scalar, Ty, Unary};

/// The value of a literal of type `ty`.
pub(super) fn literal(lit: &Lit, ty: &Ty) -> Val {
    match lit {
        Lit::Int(value) => i128::try_from(*value).map_or(Val::Unknown, |v| fit(v, ty)),
        Lit::Bool(value) => Val::Bool(*value),
        Lit::Float(_) => Val::Unknown,
    }
}

/// `value` as the integer type `ty`; unknown where it does not fit or `ty` is no integer, so that
/// no assumption about wrapping is made.
fn fit(value: i128, ty: &Ty) -> Val {
    let Ty::Scalar(scalar) = ty else { return Val::Unknown };
    match scalar.range() {
        Some((least, greatest)) if (least..=greatest).contains(&value) => Val::Int(value),
        _ => Val::Unknown,
    }
}

/// `value as ty`.
pub(super) fn cast(value: Val, ty: &Ty) -> Val {
    match value {
        Val::Int(i) => fit(i, ty),
        Val::Bool(b) => fit(i128::from(b), ty),
        // The index of a loop keeps its identity in another integer type that is wide enough for every index.
        Val::Var(_) | Val::Const(_) if holds_indices(ty) => value,
        _ => Val::Unknown,
    }
}

fn holds_indices(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(s) if s.is_int() && s.bits() >= Scalar::I32.bits())
}

/// `-a`, `!a`.
pub(super) fn unary(op: Unary, value: Val, ty: &Ty) -> Val {
    match (op, value) {
        (Unary::Neg, Val::Int(i)) => fit(-i, ty),
        (Unary::Not, Val::Bool(b)) => Val::Bool(!b),
        _ => Val::Unknown,
    }
}

/// `a op b` of type `ty`, both operands evaluated.
pub(super) fn binary(op: Binary, a: &Val, b: &Val, ty: &Ty) -> Val {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => integers(op, *a, *b, ty),
        (Val::Bool(a), Val::Bool(b)) => match op {
            Binary::BitAnd | Binary::And => Val::Bool(a & b),
            Binary::BitOr | Binary::Or => Val::Bool(a | b),
            Binary::BitXor | Binary::Ne => Val::Bool(a ^ b),
            Binary::Eq => Val::Bool(a == b),
            _ => Val::Unknown,
        },
        _ => Val::Unknown,
    }
}

fn integers(op: Binary, a: i128, b: i128, ty: &Ty) -> Val {
    let shift = u32::try_from(b).ok().filter(|s| *s < 64);
    let number = match op {
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div => a.checked_div(b),
        Binary::Rem => a.checked_rem(b),
        Binary::BitAnd => Some(a & b),
        Binary::BitOr => Some(a | b),
        Binary::BitXor => Some(a ^ b),
        Binary::Shl => shift.and_then(|s| a.checked_mul(1 << s)),
        Binary::Shr => shift.map(|s| a >> s),
        Binary::Eq => return Val::Bool(a == b),
        Binary::Ne => return Val::Bool(a != b),
        Binary::Lt => return Val::Bool(a < b),
        Binary::Le => return Val::Bool(a <= b),
        Binary::Gt => return Val::Bool(a > b),
        Binary::Ge => return Val::Bool(a >= b),
        Binary::And | Binary::Or => None,
    };
    number.map_or(Val::Unknown, |v| fit(v, ty))
}

/// A library function of the integers, where it commonly occurs in an index.
pub(super) fn intrinsic(function: Intrinsic, args: &[Val], ty: &Ty) -> Val {
    match (function, args) {
        (Intrinsic::Min, [Val::Int(a), Val::Int(b)]) => fit(*a.min(b), ty),
        (Intrinsic::Max, [Val::Int(a), Val::Int(b)]) => fit(*a.max(b), ty),
        (Intrinsic::Abs, [Val::Int(a)]) => fit(a.abs(), ty),
        (Intrinsic::AbsDiff, [Val::Int(a), Val::Int(b)]) => fit((a - b).abs(), ty),
        (Intrinsic::RemEuclid, [Val::Int(a), Val::Int(b)]) => {
            a.checked_rem_euclid(*b).map_or(Val::Unknown, |v| fit(v, ty))
        }
        _ => Val::Unknown,
    }
}
