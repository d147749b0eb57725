//! Drops variables that nobody uses: a pattern whose name only the guard of its arm mentions binds it a second time for the body, and
//! compilers of devices warn of it.

use crate::ir::{Block, Expr, ExprKind, Func, LocalId, Pat, Stmt};
use std::collections::HashSet;

/// Drops them from a function.
pub(super) fn drop_from(func: &mut Func) {
    let mut used = HashSet::new();
    func.body.walk(&mut |e| {
        if let ExprKind::Local(id) = e.kind {
            used.insert(id);
        }
    });
    block(&mut func.body, &used);
}

fn block(within: &mut Block, used: &HashSet<LocalId>) {
    within.stmts.retain(|stmt| match stmt {
        Stmt::Let { pat: Pat::Local(id), init: Some(init) } => used.contains(id) || !is_name(init),
        _ => true,
    });
    within.exprs_mut().into_iter().for_each(|e| expr(e, used));
}

fn expr(e: &mut Expr, used: &HashSet<LocalId>) {
    let (exprs, blocks) = e.parts_mut();
    exprs.into_iter().for_each(|e| expr(e, used));
    blocks.into_iter().for_each(|b| block(b, used));
}

/// Whether a value only names another one: it computes nothing, and cannot fail.
fn is_name(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => true,
        ExprKind::Field(whole, _) => is_name(whole),
        _ => false,
    }
}
