//! Recognises statements that combine a value with a place: minima, maxima, `|`, and additions that
//! are written as assignments.

use crate::ir::{Binary, Block, Combine, Expr, ExprKind, Intrinsic, Stmt, Ty};

/// A statement that combines values with a place, such as by taking a minimum.
pub(super) struct Combination<'a> {
    pub(super) how: Combine,
    /// The place.
    pub(super) place: &'a Expr,
    /// The values that are combined into it.
    pub(super) values: Vec<&'a Expr>,
}

/// `m = m.min(e)`, `m = e.min(m)`, `m = m | e`, chains of them, and `m = if e < m { e } else { m }`.
pub(super) fn of_assignment<'a>(place: &'a Expr, value: &'a Expr) -> Option<Combination<'a>> {
    if !is_pure(place) {
        return None;
    }
    of_chain(place, value).or_else(|| of_choice(place, value))
}

fn of_chain<'a>(place: &'a Expr, value: &'a Expr) -> Option<Combination<'a>> {
    let (how, _) = step(value)?;
    let mut operands = Vec::new();
    flatten(value, how, &mut operands);
    let old = operands.iter().position(|e| same(e, place))?;
    operands.remove(old);
    Some(Combination { how, place, values: operands })
}

/// The operands of `a.min(b).min(c)` in any nesting.
fn flatten<'a>(e: &'a Expr, how: Combine, operands: &mut Vec<&'a Expr>) {
    match step(e) {
        Some((found, of)) if found == how => of.into_iter().for_each(|operand| flatten(operand, how, operands)),
        _ => operands.push(e),
    }
}

/// How an expression combines two others, and which. `a || b` is `a | b` where evaluating `b` changes nothing.
fn step(e: &Expr) -> Option<(Combine, [&Expr; 2])> {
    match &strip(e).kind {
        ExprKind::Intrinsic(function @ (Intrinsic::Min | Intrinsic::Max), args) => {
            let [a, b] = &args[..] else { return None };
            Some((if *function == Intrinsic::Min { Combine::Min } else { Combine::Max }, [a, b]))
        }
        ExprKind::Binary(Binary::BitOr, a, b) => Some((Combine::Or, [a, b])),
        ExprKind::Binary(Binary::Or, a, b) if is_pure(b) => Some((Combine::Or, [a, b])),
        _ => None,
    }
}

/// `if e < m { e } else { m }`: a comparison that is false for NaN must keep the old value, or the
/// result would depend on the order in which elements come.
fn of_choice<'a>(place: &'a Expr, value: &'a Expr) -> Option<Combination<'a>> {
    let ExprKind::If(cond, then, Some(other)) = &value.kind else { return None };
    let (new, old) = (sole(then)?, sole(other)?);
    if !same(old, place) {
        return None;
    }
    Some(Combination { how: comparison(cond, new, place)?, place, values: vec![new] })
}

/// `if e < m { m = e }`, all orders of the comparison, without `else`.
pub(super) fn of_condition<'a>(cond: &'a Expr, then: &'a Block, other: Option<&'a Block>) -> Option<Combination<'a>> {
    if other.is_some_and(|b| !b.stmts.is_empty() || b.tail.is_some()) {
        return None;
    }
    let ExprKind::Assign(place, value) = &sole(then)?.kind else { return None };
    if !is_pure(place) {
        return None;
    }
    Some(Combination { how: comparison(cond, value, place)?, place, values: vec![value] })
}

/// The combination that results from taking `new` instead of `old` if `cond` holds.
fn comparison(cond: &Expr, new: &Expr, old: &Expr) -> Option<Combine> {
    let ExprKind::Binary(op, a, b) = &strip(cond).kind else { return None };
    let less = match op {
        Binary::Lt | Binary::Le => true,
        Binary::Gt | Binary::Ge => false,
        _ => return None,
    };
    let new_first = same(a, new) && same(b, old);
    let old_first = same(a, old) && same(b, new);
    if !is_pure(new) || !(new_first || old_first) {
        return None;
    }
    Some(if less == new_first { Combine::Min } else { Combine::Max })
}

/// How `x op= e` combines, if it does.
pub(super) fn of_operator(op: Binary) -> Option<Combine> {
    match op {
        Binary::Add | Binary::Sub => Some(Combine::Inc),
        Binary::BitOr => Some(Combine::Or),
        _ => None,
    }
}

/// `x = x + e`, `x = e + x` and `x = x - e` as the operator and `e`.
pub(super) fn of_sum<'a>(place: &Expr, value: &'a Expr) -> Option<(Binary, &'a Expr)> {
    match &strip(value).kind {
        ExprKind::Binary(op @ (Binary::Add | Binary::Sub), a, b) if same(a, place) => Some((*op, b)),
        ExprKind::Binary(Binary::Add, a, b) if same(b, place) => Some((Binary::Add, a)),
        _ => None,
    }
}

/// The only expression of a block.
fn sole(block: &Block) -> Option<&Expr> {
    match (block.stmts.as_slice(), &block.tail) {
        ([], Some(e)) => Some(strip(e)),
        ([Stmt::Expr(e)], None) => Some(strip(e)),
        _ => None,
    }
}

/// An expression without braces round it and without `*&`.
fn strip(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Block(Block { stmts, tail: Some(tail), .. }) if stmts.is_empty() => strip(tail),
        ExprKind::Deref(inner) => match &inner.kind {
            ExprKind::Ref(_, place) => strip(place),
            _ => e,
        },
        _ => e,
    }
}

/// Whether two expressions of one function are the same text and so, evaluated without a change
/// between them, the same value.
fn same(a: &Expr, b: &Expr) -> bool {
    let (a, b) = (strip(a), strip(b));
    let all = |x: &[Expr], y: &[Expr]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y));
    match (&a.kind, &b.kind) {
        (ExprKind::Lit(x), ExprKind::Lit(y)) => x == y && a.ty == b.ty,
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::Const(x), ExprKind::Const(y)) => x == y,
        (ExprKind::Param(x), ExprKind::Param(y)) => x == y,
        (ExprKind::AssocConst(x), ExprKind::AssocConst(y)) => x == y && a.ty == b.ty,
        (ExprKind::Field(x, n), ExprKind::Field(y, m)) => n == m && same(x, y),
        (ExprKind::Index(x, i), ExprKind::Index(y, j)) => same(x, y) && same(i, j),
        (ExprKind::Deref(x), ExprKind::Deref(y)) => same(x, y),
        (ExprKind::Ref(m, x), ExprKind::Ref(n, y)) => m == n && same(x, y),
        (ExprKind::Unary(o, x), ExprKind::Unary(p, y)) => o == p && same(x, y),
        (ExprKind::Binary(o, x, v), ExprKind::Binary(p, y, w)) => o == p && same(x, y) && same(v, w),
        (ExprKind::Cast(x), ExprKind::Cast(y)) => a.ty == b.ty && same(x, y),
        (ExprKind::FloatLit(x), ExprKind::FloatLit(y)) => same(x, y),
        (ExprKind::Call(f, x), ExprKind::Call(g, y)) => f == g && all(x, y),
        (ExprKind::Intrinsic(f, x), ExprKind::Intrinsic(g, y)) => f == g && all(x, y),
        _ => false,
    }
}

/// Whether evaluating an expression changes nothing, as far as can be seen at once.
fn is_pure(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::AssocConst(_) => {
            true
        }
        ExprKind::Ref(mutable, a) => !mutable && is_pure(a),
        ExprKind::Field(a, _)
        | ExprKind::Deref(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a)
        | ExprKind::FloatLit(a) => is_pure(a),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => is_pure(a) && is_pure(b),
        ExprKind::Call(_, args) => args.iter().all(|a| is_pure(a) && !is_exclusive(a)),
        ExprKind::Intrinsic(_, args) => args.iter().all(is_pure),
        ExprKind::Block(Block { stmts, tail: Some(tail), .. }) => stmts.is_empty() && is_pure(tail),
        _ => false,
    }
}

/// Whether an argument lets the callee write.
fn is_exclusive(e: &Expr) -> bool {
    match &e.ty {
        Ty::Ref(mutable, _) => *mutable,
        Ty::Array(item, _) => matches!(**item, Ty::Ref(true, _)),
        _ => false,
    }
}
