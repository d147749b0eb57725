//! Finds expressions that are expressions in C++, too.

use crate::ir::{Block, Expr, ExprKind, Ty, Unit};

/// Whether an expression becomes a single expression of C++, without statements ahead of it.
pub(super) fn simple(unit: &Unit, e: &Expr) -> bool {
    let all = |items: &[Expr]| items.iter().all(|item| simple(unit, item));
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::AssocConst(_) => {
            true
        }
        ExprKind::Field(a, _)
        | ExprKind::Deref(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a)
        | ExprKind::FloatLit(a)
        | ExprKind::IsSome(a)
        | ExprKind::Length(a)
        | ExprKind::Repeat(a) => simple(unit, a),
        ExprKind::Ref(_, a) => has_place(a) && simple(unit, a),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => simple(unit, a) && simple(unit, b),
        ExprKind::Ask(_, table, args) => simple(unit, table) && all(args),
        ExprKind::Call(id, args) => {
            let func = &unit.funcs[id.0];
            func.ret != Ty::Unit && !func.params.iter().any(|p| p.ty.has_exclusive()) && all(args)
        }
        ExprKind::Intrinsic(_, args) | ExprKind::Array(args) | ExprKind::Tuple(args) => all(args),
        ExprKind::Block(block) => transparent(unit, block),
        ExprKind::If(cond, then, Some(other)) => {
            e.ty != Ty::Unit && simple(unit, cond) && transparent(unit, then) && transparent(unit, other)
        }
        _ => false,
    }
}

/// Whether a block consists of a simple value alone.
pub(super) fn transparent(unit: &Unit, block: &Block) -> bool {
    block.stmts.is_empty() && block.tail.as_ref().is_some_and(|tail| simple(unit, tail))
}

/// Whether a reference to the expression leads to an existing place.
pub(super) fn has_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Deref(_) | ExprKind::Const(_) => true,
        ExprKind::Field(a, _) | ExprKind::Index(a, _) => has_place(a),
        _ => false,
    }
}
