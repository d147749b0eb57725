//! Visits every expression of a body.

use crate::ir::{Block, Expr, ExprKind, LoopKind, Stmt};

/// Calls `f` on every expression in `block`, outer ones before those inside them, in the order
/// of the text.
pub(super) fn block(block: &Block, f: &mut impl FnMut(&Expr)) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Let { init, .. } => init.iter().for_each(|e| expr(e, f)),
            Stmt::Expr(e) => expr(e, f),
        }
    }
    block.tail.iter().for_each(|e| expr(e, f));
}

fn expr(e: &Expr, f: &mut impl FnMut(&Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Lit(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::AssocConst(_)
        | ExprKind::Param(_)
        | ExprKind::Break(_)
        | ExprKind::Continue(_)
        | ExprKind::Return(None) => {}
        ExprKind::Field(a, _)
        | ExprKind::Deref(a)
        | ExprKind::Ref(_, a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a)
        | ExprKind::FloatLit(a)
        | ExprKind::Repeat(a)
        | ExprKind::Assert(a, _)
        | ExprKind::IsSome(a)
        | ExprKind::Length(a)
        | ExprKind::Return(Some(a)) => expr(a, f),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(a, b) | ExprKind::AssignOp(_, a, b) => {
            [a, b].into_iter().for_each(|e| expr(e, f))
        }
        ExprKind::Ask(_, table, args) => {
            expr(table, f);
            args.iter().for_each(|e| expr(e, f));
        }
        ExprKind::BestUpdate(a, b, c) => [a, b, c].into_iter().for_each(|e| expr(e, f)),
        ExprKind::Call(_, items) | ExprKind::Intrinsic(_, items) | ExprKind::Array(items) | ExprKind::Tuple(items) => {
            items.iter().for_each(|e| expr(e, f))
        }
        ExprKind::Block(inner) => block(inner, f),
        ExprKind::If(cond, then, other) => {
            expr(cond, f);
            block(then, f);
            other.iter().for_each(|b| block(b, f));
        }
        ExprKind::IfSome(option, _, then, other) => {
            expr(option, f);
            block(then, f);
            other.iter().for_each(|b| block(b, f));
        }
        ExprKind::Loop(l) => {
            match &l.kind {
                LoopKind::For { start, end, .. } => [start, end].into_iter().for_each(|e| expr(e, f)),
                LoopKind::While(cond) => expr(cond, f),
                LoopKind::Forever => {}
            }
            block(&l.body, f);
        }
        // `model` has written them out.
        ExprKind::Sugar(_) => {}
    }
}
