//! Rules that need all types: operators accept the types of their operands, literals are in the range of their type,
//! constant indices are inside their array.

use crate::error::Errors;
use crate::ir::{Binary, Block, Domain, Expr, ExprKind, Func, Intrinsic, Len, Lit, LoopKind, Scalar, Ty, Unary, print};

use super::infer::place_name;

/// Checks a resolved function.
pub(super) fn func(func: &Func, errors: &mut Errors) {
    for constant in &func.consts {
        // The user could set it to an element that does not exist.
        if [Scalar::Idx, Scalar::MaybeIdx].into_iter().any(|index| constant.ty.has_scalar(index)) {
            let path = print::tokens(&constant.path);
            let message = format!("constant `{path}` is an index: an index comes from `idx()` and from maps alone");
            errors.push(syn::Error::new_spanned(&constant.path, message));
        }
    }
    Verify { func, errors }.block(&func.body);
}

struct Verify<'a> {
    func: &'a Func,
    errors: &'a mut Errors,
}

impl Verify<'_> {
    fn block(&mut self, block: &Block) {
        block.exprs().into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Unary(op, a) => {
                if let (Unary::Neg, ExprKind::Lit(Lit::Int(n))) = (op, &a.kind) {
                    self.unary(e, *op, a);
                    self.literal(a, n.saturating_sub(1));
                    return;
                }
                self.unary(e, *op, a);
            }
            ExprKind::Lit(Lit::Int(n)) => self.literal(e, *n),
            ExprKind::Binary(op, a, b) | ExprKind::AssignOp(op, a, b) => self.binary(e, *op, a, b),
            ExprKind::Cast(a) => self.cast(e, a),
            ExprKind::Index(a, i) => self.index(a, i),
            ExprKind::Intrinsic(i, args) => self.intrinsic(e, *i, args),
            ExprKind::Assert(holds, _) => self.assertion(holds),
            ExprKind::Loop(l) => {
                if let LoopKind::For { start, .. } = &l.kind
                    && !self.is(&start.ty, Scalar::is_int)
                {
                    let found = self.show(&start.ty);
                    let message = format!("`for` counts integers, found a range of {found}");
                    self.errors.at(start.span, message);
                }
            }
            _ => {}
        }
        let (exprs, blocks) = e.parts();
        exprs.into_iter().for_each(|part| self.expr(part));
        blocks.into_iter().for_each(|block| self.block(block));
    }

    fn show(&self, ty: &Ty) -> String {
        format!("`{}`", print::ty(self.func, ty))
    }

    /// Whether the type is a scalar with a property; true for unreachable code.
    fn is(&self, ty: &Ty, property: impl Fn(Scalar) -> bool) -> bool {
        match ty {
            Ty::Scalar(s) => property(*s),
            Ty::Never => true,
            _ => false,
        }
    }

    fn literal(&mut self, e: &Expr, n: u128) {
        let max = match e.ty {
            Ty::Scalar(s) => s.range().map_or(u64::MAX.into(), |(_, max)| max.unsigned_abs()),
            _ => u64::MAX.into(),
        };
        if n > max {
            let ty = self.show(&e.ty);
            self.errors.at(e.span, format!("literal out of range for {ty}: the greatest is {max}"));
        }
    }

    fn unary(&mut self, e: &Expr, op: Unary, a: &Expr) {
        let (fits, wanted) = match op {
            Unary::Neg => (self.is(&a.ty, Scalar::is_signed), "a float or a signed integer"),
            Unary::Not => (self.is(&a.ty, |s| s.is_int() || s == Scalar::Bool), "`bool` or an integer"),
        };
        if !fits {
            let found = self.show(&a.ty);
            let op = op.symbol();
            self.errors.at(e.span, format!("operand of `{op}`: expected {wanted}, found {found}"));
        }
    }

    fn binary(&mut self, e: &Expr, op: Binary, a: &Expr, b: &Expr) {
        let (fits, wanted) = match op {
            Binary::And | Binary::Or => (true, ""),
            Binary::Shl | Binary::Shr => (self.is(&a.ty, Scalar::is_int) && self.is(&b.ty, Scalar::is_int), "integers"),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                (self.is(&a.ty, |s| s.is_int() || s == Scalar::Bool), "integers or `bool`s")
            }
            Binary::Eq | Binary::Ne => (self.is(&a.ty, |_| true), "scalars; compare the parts"),
            _ if self.is(&a.ty, Scalar::is_index) => (
                false,
                "numbers: indices have no order; `idx()` gives the user's number where the kernel takes a `u32`",
            ),
            _ if op.is_comparison() => (self.is(&a.ty, |_| true), "scalars; compare the parts"),
            _ => (self.is(&a.ty, Scalar::is_number), "numbers"),
        };
        if !fits {
            let shift = op.is_shift() && self.is(&a.ty, Scalar::is_int);
            let found = self.show(if shift { &b.ty } else { &a.ty });
            let op = op.symbol();
            self.errors.at(e.span, format!("operands of `{op}`: found {found}, expected {wanted}"));
        }
    }

    fn cast(&mut self, e: &Expr, a: &Expr) {
        let cure = match (&a.ty, &e.ty) {
            (Ty::Never, _) => return,
            (Ty::Ref(..), _) => "dereference it first, `*x as f64`",
            (Ty::Scalar(from), Ty::Scalar(to)) if from == to => return,
            // Written by `parse`, which knows that there is an index.
            (Ty::Scalar(Scalar::Idx), Ty::Scalar(Scalar::MaybeIdx))
            | (Ty::Scalar(Scalar::MaybeIdx), Ty::Scalar(Scalar::Idx)) => return,
            (Ty::Scalar(from), Ty::Scalar(to)) if from.is_index() || to.is_index() => {
                "an index is no number; take `idx()` as `u32`, or `table.number(index)`"
            }
            (Ty::Scalar(Scalar::Generic(_)), _) => "a value of the type parameter stays one",
            (Ty::Scalar(_), Ty::Scalar(Scalar::Bool)) => "compare it, `x != 0`",
            (Ty::Scalar(Scalar::Bool), Ty::Scalar(to)) if to.is_float() => "choose, `if x { 1.0 } else { 0.0 }`",
            (Ty::Scalar(_), Ty::Scalar(_)) => return,
            _ => "only scalars are cast",
        };
        let (from, to) = (self.show(&a.ty), self.show(&e.ty));
        self.errors.at(e.span, format!("cast of {from} to {to} does not exist: {cure}"));
    }

    /// A condition that only debug builds evaluate has no effect on the rest.
    fn assertion(&mut self, holds: &Expr) {
        let mut found = None;
        holds.walk(&mut |part| {
            let what = match &part.kind {
                ExprKind::Assign(..) | ExprKind::AssignOp(..) | ExprKind::BestUpdate(..) => "changes a value",
                ExprKind::Ref(true, _) => "lends a value for changes",
                ExprKind::Call(_, args) if args.iter().any(|arg| arg.ty.has_exclusive()) => "lends a value for changes",
                ExprKind::Break(_) | ExprKind::Continue(_) | ExprKind::Return(_) => "jumps",
                ExprKind::Loop(_) => "has a loop",
                ExprKind::Assert(..) => "has an assertion of its own",
                _ => return,
            };
            found.get_or_insert((part.span, what));
        });
        if let Some((span, what)) = found {
            let message = format!(
                "the condition of a `debug_assert!` {what}: release builds do not evaluate it; compute the value \
                 before, with `let`"
            );
            self.errors.at(span, message);
        }
    }

    fn index(&mut self, a: &Expr, i: &Expr) {
        if let (Ty::Array(_, Len::Lit(len)), ExprKind::Lit(Lit::Int(n))) = (&a.ty, &i.kind)
            && *n >= *len as u128
        {
            let name = place_name(self.func, a);
            let message = format!("index {n} is out of bounds of `{name}`, an array of {len} (valid: 0..{len})");
            self.errors.at(i.span, message);
        }
    }

    fn intrinsic(&mut self, e: &Expr, intrinsic: Intrinsic, args: &[Expr]) {
        let Some(receiver) = args.first() else { return };
        let (fits, wanted) = match intrinsic.domain() {
            Domain::Float => (self.is(&receiver.ty, Scalar::is_float), "a float"),
            Domain::Int => (self.is(&receiver.ty, Scalar::is_int), "an integer"),
            Domain::Signed => (self.is(&receiver.ty, Scalar::is_signed), "a float or a signed integer"),
            Domain::Number => (self.is(&receiver.ty, Scalar::is_number), "a number"),
        };
        if !fits {
            let (name, found) = (intrinsic.name(), self.show(&receiver.ty));
            self.errors.at(e.span, format!("method `{name}`: expected {wanted}, found {found}"));
        }
    }
}
