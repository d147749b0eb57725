//! Indices become numbers: to all later stages, an element of a set is a `u32`, and none is one that no element has.
//!
//! Which kind of set an index belongs to, the compiler checks on the user's function.

use crate::ir::{Block, Expr, ExprKind, Scalar, Ty, Unit};

/// Writes out the types of indices, and notes which parameters had them.
pub(super) fn write_out(unit: &mut Unit) {
    for func in &mut unit.funcs {
        for param in &mut func.params {
            param.indices = [Scalar::Idx, Scalar::MaybeIdx].into_iter().find(|index| param.ty.has_scalar(*index));
            as_numbers(&mut param.ty);
        }
        func.locals.iter_mut().for_each(|local| as_numbers(&mut local.ty));
        func.consts.iter_mut().for_each(|constant| as_numbers(&mut constant.ty));
        as_numbers(&mut func.ret);
        block(&mut func.body);
    }
}

fn block(within: &mut Block) {
    as_numbers(&mut within.ty);
    within.exprs_mut().into_iter().for_each(expr);
}

fn expr(e: &mut Expr) {
    as_numbers(&mut e.ty);
    let (exprs, blocks) = e.parts_mut();
    exprs.into_iter().for_each(expr);
    blocks.into_iter().for_each(block);
    without_cast(e);
}

fn as_numbers(ty: &mut Ty) {
    match ty {
        Ty::Scalar(scalar) if scalar.is_index() => *scalar = Scalar::U32,
        Ty::Array(item, _) | Ty::Ref(_, item) | Ty::Option(item) | Ty::Table(item) => as_numbers(item),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter_mut().for_each(as_numbers),
        Ty::ArgBest(_, value, payload) => {
            as_numbers(value);
            as_numbers(payload);
        }
        Ty::Unit | Ty::Never | Ty::Scalar(_) | Ty::Infer(_) => {}
    }
}

/// `Some(index)` is the index, and the other way round.
fn without_cast(e: &mut Expr) {
    if let ExprKind::Cast(inner) = &mut e.kind
        && inner.ty == Ty::Scalar(Scalar::U32)
        && e.ty == inner.ty
    {
        let nothing = Expr { kind: ExprKind::Tuple(Vec::new()), ty: Ty::Unit, span: e.span };
        *e = std::mem::replace(&mut **inner, nothing);
    }
}
