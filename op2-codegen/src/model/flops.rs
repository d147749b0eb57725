//! Counting floating-point operations.

use crate::ir::{Binary, Block, Expr, ExprKind, Func, Lit, Loop, LoopKind, Ty, Unary, Unit};

/// Floating-point operations of one execution of the unit's first function.
///
/// `+`, `-`, `*`, `/`, `%`, negation, comparison and `sqrt` of floats count 1; the other library
/// functions what [`crate::ir::Intrinsic::flops`] says: 1 for what is one instruction on common
/// hardware, 2 for `mul_add`, `clamp` and `fract`, 4 for `hypot` and `powi`, 10 for exponential,
/// logarithmic and trigonometric functions, 20 for `powf`. Integer work counts nothing. The body
/// of a `for` between literals counts once per iteration, any other loop's body once; of an `if`
/// the larger branch counts; a called function counts wherever it is called. The sum saturates.
pub fn flops(unit: &Unit) -> u32 {
    unit.funcs.first().map_or(0, |func| Counter { unit }.func(func))
}

struct Counter<'a> {
    unit: &'a Unit,
}

impl Counter<'_> {
    fn func(&self, func: &Func) -> u32 {
        self.block(&func.body)
    }

    fn block(&self, block: &Block) -> u32 {
        sum(block.exprs().into_iter().map(|e| self.expr(e)))
    }

    fn expr(&self, e: &Expr) -> u32 {
        if let ExprKind::Loop(l) = &e.kind {
            return self.looping(l);
        }
        let (exprs, blocks) = e.parts();
        let inside = sum(exprs.into_iter().map(|part| self.expr(part)));
        // The blocks of one expression are alternatives: only one branch of an `if` runs.
        let branch = blocks.into_iter().map(|b| self.block(b)).max().unwrap_or(0);
        self.own(e).saturating_add(inside).saturating_add(branch)
    }

    /// The operation itself, without its operands.
    fn own(&self, e: &Expr) -> u32 {
        match &e.kind {
            ExprKind::Unary(Unary::Neg, a) => u32::from(is_float(a) && !is_literal(a)),
            ExprKind::Binary(op, a, _) | ExprKind::AssignOp(op, a, _) => {
                u32::from(is_float(a) && !matches!(op, Binary::And | Binary::Or))
            }
            ExprKind::Intrinsic(i, args) if args.first().is_some_and(is_float) => i.flops(),
            ExprKind::Call(id, _) => self.unit.funcs.get(id.0).map_or(0, |f| self.func(f)),
            ExprKind::BestUpdate(_, value, _) => u32::from(is_float(value)),
            _ => 0,
        }
    }

    fn looping(&self, l: &Loop) -> u32 {
        let body = self.block(&l.body);
        match &l.kind {
            LoopKind::For { start, end, inclusive, .. } => {
                let rounds = match (literal(start), literal(end)) {
                    (Some(from), Some(to)) => (to + u128::from(*inclusive)).saturating_sub(from),
                    _ => 1,
                };
                body.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX))
            }
            LoopKind::While(cond) => body.saturating_add(self.expr(cond)),
            LoopKind::Forever => body,
        }
    }
}

fn sum(counts: impl Iterator<Item = u32>) -> u32 {
    counts.fold(0, u32::saturating_add)
}

fn is_float(e: &Expr) -> bool {
    matches!(e.ty, Ty::Scalar(s) if s.is_float())
}

fn is_literal(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Lit(_))
}

fn literal(e: &Expr) -> Option<u128> {
    match e.kind {
        ExprKind::Lit(Lit::Int(n)) => Some(n),
        _ => None,
    }
}
