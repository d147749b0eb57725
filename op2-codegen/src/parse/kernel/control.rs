//! Control flow: branches, loops, jumps.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, Expr as SynExpr, ExprBreak, ExprForLoop, ExprIf, ExprLet, ExprLoop, ExprMatch, ExprReturn};
use syn::{ExprRange, ExprWhile, Pat, RangeLimits};

use crate::ir::{Binary, Block, Expr, ExprKind, Lit, Loop, LoopKind, Scalar, Stmt, Ty};

use super::FnKind;
use super::expr::hole;
use super::option::Maybe;
use super::path::ungrouped;
use super::pattern::{Role, both, constant_name};
use super::scope::FnParser;

impl FnParser<'_> {
    pub(super) fn branch(&mut self, e: &ExprIf) -> Expr {
        let span = e.if_token.span();
        match ungrouped(&e.cond) {
            SynExpr::Let(condition) => {
                self.if_let((&condition.pat, &condition.expr, span), |p| p.block(&e.then_branch), |p| p.otherwise(e))
            }
            condition => {
                if let Some(token) = let_in_chain(condition) {
                    return self.wrong(
                        token,
                        "`let` inside a condition is not part of the kernel language: nest \
                         `if let Some(x) = argument { … }` and the other `if`",
                    );
                }
                let condition = Box::new(self.expr(condition));
                let then = self.block(&e.then_branch);
                Expr { kind: ExprKind::If(condition, then, self.otherwise(e)), ty: Ty::HOLE, span }
            }
        }
    }

    /// `if let pat = value { then } else { other }`, and what has its meaning.
    pub(super) fn if_let(
        &mut self,
        (pat, value, span): (&Pat, &SynExpr, Span),
        then: impl FnOnce(&mut Self) -> Block,
        other: impl FnOnce(&mut Self) -> Option<Block>,
    ) -> Expr {
        if let Some((option, some)) = self.some(pat, value) {
            return self.if_some(option, some, span, then, other);
        }
        let mut stmts = Vec::new();
        let value = self.compared(value, &mut stmts);
        let condition = self.condition(pat, &value).unwrap_or_else(|| always(span));
        let then = self.scoped(|p| {
            let mut binds = Vec::new();
            p.bind_parts(pat, value, Role::Sometimes, &mut binds);
            let body = then(p);
            binds.extend(body.stmts);
            Block { stmts: binds, ..body }
        });
        let tail = Some(Box::new(hole(ExprKind::If(Box::new(condition), then, other(self)), span)));
        hole(ExprKind::Block(Block { stmts, tail, ty: Ty::HOLE }), span)
    }

    /// The option that is asked by `Some(x) = argument`, and `x`.
    fn some<'p>(&mut self, pat: &'p Pat, value: &SynExpr) -> Option<(Maybe, &'p Pat)> {
        let Pat::TupleStruct(some) = pat else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let name = some.elems.first()?;
        Some((self.optional(value)?, name))
    }

    fn if_some(
        &mut self,
        option: Maybe,
        pat: &Pat,
        span: Span,
        then: impl FnOnce(&mut Self) -> Block,
        other: impl FnOnce(&mut Self) -> Option<Block>,
    ) -> Expr {
        let Maybe { place, inner } = option;
        let (binding, then) = self.scoped(|p| {
            let mut binds = Vec::new();
            let binding = match pat {
                Pat::Ident(name) => {
                    p.only_a_name(name);
                    p.bind(&name.ident, inner, name.mutability.is_some())
                }
                pat => {
                    let binding = p.hidden("some", span, inner);
                    p.bind_parts(pat, hole(ExprKind::Local(binding), span), Role::Always, &mut binds);
                    binding
                }
            };
            let body = then(p);
            binds.extend(body.stmts);
            (binding, Block { stmts: binds, ..body })
        });
        hole(ExprKind::IfSome(Box::new(place), binding, then, other(self)), span)
    }

    /// The `else` branch; `else if` is a block whose tail is the second `if`.
    fn otherwise(&mut self, e: &ExprIf) -> Option<Block> {
        let (_, other) = e.else_branch.as_ref()?;
        Some(match &**other {
            SynExpr::Block(block) => self.block(&block.block),
            other => {
                let tail = Some(Box::new(self.expr(other)));
                Block { stmts: Vec::new(), tail, ty: Ty::HOLE }
            }
        })
    }

    pub(super) fn for_loop(&mut self, e: &ExprForLoop) -> Expr {
        let span = e.for_token.span();
        let Some((range, reversed)) = self.range(&e.expr) else { return self.each(e) };
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return self.wrong_tokens(range, "a range of the kernel language has both ends: `0..N`");
        };
        let start = Box::new(self.expr(start));
        let end = Box::new(self.expr(end));
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let (name, mutable) = match &*e.pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (p.ident.clone(), p.mutability.is_some()),
            Pat::Wild(p) => (proc_macro2::Ident::from(p.underscore_token), false),
            other => return self.wrong_tokens(other, "a loop over a range binds one name or `_`"),
        };
        self.in_loop(e.label.as_ref(), |p, id| {
            let (var, body) = p.scoped(|p| (p.bind(&name, Ty::HOLE, mutable), p.block(&e.body)));
            let kind = LoopKind::For { var, start, end, inclusive, reversed };
            Expr { kind: ExprKind::Loop(Loop { id, kind, body }), ty: Ty::HOLE, span }
        })
    }

    /// The range that a `for` runs over, and whether backwards.
    fn range<'e>(&self, e: &'e SynExpr) -> Option<(&'e ExprRange, bool)> {
        match ungrouped(e) {
            SynExpr::Range(range) => Some((range, false)),
            SynExpr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => match ungrouped(&m.receiver) {
                SynExpr::Range(range) => Some((range, true)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn while_loop(&mut self, e: &ExprWhile) -> Expr {
        let span = e.while_token.span();
        if let SynExpr::Let(condition) = ungrouped(&e.cond) {
            return self.while_let(e, condition);
        }
        if let Some(token) = let_in_chain(ungrouped(&e.cond)) {
            let message = "`let` inside a condition is not part of the kernel language: write `while let` alone, and \
                           `if` with `break` inside";
            return self.wrong(token, message);
        }
        self.in_loop(e.label.as_ref(), |p, id| {
            let kind = LoopKind::While(Box::new(p.expr(&e.cond)));
            let body = p.block(&e.body);
            Expr { kind: ExprKind::Loop(Loop { id, kind, body }), ty: Ty::HOLE, span }
        })
    }

    /// `while let pat = value { … }`: a loop that is left where the pattern does not match.
    fn while_let(&mut self, e: &ExprWhile, condition: &ExprLet) -> Expr {
        let span = e.while_token.span();
        self.in_loop(e.label.as_ref(), |p, id| {
            let leave = Expr { kind: ExprKind::Break(id), ty: Ty::Never, span };
            let leave = Block { stmts: vec![Stmt::Expr(leave)], tail: None, ty: Ty::HOLE };
            let round = p.if_let((&condition.pat, &condition.expr, span), |p| p.block(&e.body), |_| Some(leave));
            let body = Block { stmts: vec![Stmt::Expr(round)], tail: None, ty: Ty::HOLE };
            Expr { kind: ExprKind::Loop(Loop { id, kind: LoopKind::Forever, body }), ty: Ty::HOLE, span }
        })
    }

    /// `match`: its arms as branches, one after the other. The compiler has seen that they cover all values, so the
    /// last one needs no condition.
    pub(super) fn matching(&mut self, e: &ExprMatch) -> Expr {
        let span = e.match_token.span();
        if e.arms.is_empty() {
            return self.wrong(span, "`match` without arms: expected one for each value");
        }
        if let Some(name) = e.arms.last().and_then(|arm| constant_name(&arm.pat)) {
            let message = format!(
                "`{name}` is the last arm: a name in upper case is a constant in patterns of the kernel language; \
                 write a new variable in lower case, or `_` for all other values"
            );
            return self.wrong(name.span(), message);
        }
        let mut stmts = Vec::new();
        let value = self.compared(&e.expr, &mut stmts);
        let mut arms: Vec<(Option<Expr>, Block)> = e.arms.iter().map(|arm| self.arm(arm, &value)).collect();
        let last = e.arms.last().is_some_and(|arm| guarded(&arm.pat).1.is_none()).then(|| arms.pop()).flatten();
        let branches = arms.into_iter().rev().fold(last.map(|(_, body)| body), |other, (condition, then)| {
            let condition = condition.unwrap_or_else(|| always(span));
            let branch = hole(ExprKind::If(Box::new(condition), then, other), span);
            Some(Block { stmts: Vec::new(), tail: Some(Box::new(branch)), ty: Ty::HOLE })
        });
        let Some(branches) = branches else { return self.placeholder(span) };
        let tail = Some(Box::new(hole(ExprKind::Block(branches), span)));
        hole(ExprKind::Block(Block { stmts, tail, ty: Ty::HOLE }), span)
    }

    /// The condition of an arm, if it has one, and its body.
    fn arm(&mut self, arm: &syn::Arm, value: &Expr) -> (Option<Expr>, Block) {
        let (pat, guard) = guarded(&arm.pat);
        let matches = self.condition(pat, value);
        let guard = guard.map(|guard| {
            self.scoped(|p| {
                let mut stmts = Vec::new();
                p.bind_parts(pat, value.clone(), Role::Sometimes, &mut stmts);
                let guard = p.expr(guard);
                if stmts.is_empty() {
                    return guard;
                }
                let span = guard.span;
                hole(ExprKind::Block(Block { stmts, tail: Some(Box::new(guard)), ty: Ty::HOLE }), span)
            })
        });
        let condition = match (matches, guard) {
            (Some(matches), Some(guard)) => Some(both(Binary::And, matches, guard)),
            (matches, guard) => matches.or(guard),
        };
        let body = self.scoped(|p| {
            let mut stmts = Vec::new();
            p.bind_parts(pat, value.clone(), Role::Sometimes, &mut stmts);
            let body = Box::new(p.expr(&arm.body));
            Block { stmts, tail: Some(body), ty: Ty::HOLE }
        });
        (condition, body)
    }

    pub(super) fn forever(&mut self, e: &ExprLoop) -> Expr {
        let span = e.loop_token.span();
        self.in_loop(e.label.as_ref(), |p, id| {
            let body = p.block(&e.body);
            let kind = LoopKind::Forever;
            Expr { kind: ExprKind::Loop(Loop { id, kind, body }), ty: Ty::HOLE, span }
        })
    }

    pub(super) fn leave(&mut self, e: &ExprBreak) -> Expr {
        if let Some(value) = &e.expr {
            return self.wrong_tokens(
                value,
                "`break` with a value is not part of the kernel language: assign to a variable \
                 declared before the loop, then `break`",
            );
        }
        let target = self.target("break", e.label.as_ref());
        self.jump(target.map(ExprKind::Break), e.break_token.span())
    }

    pub(super) fn next_round(&mut self, e: &syn::ExprContinue) -> Expr {
        let target = self.target("continue", e.label.as_ref());
        self.jump(target.map(ExprKind::Continue), e.continue_token.span())
    }

    fn jump(&mut self, kind: Result<ExprKind, String>, span: Span) -> Expr {
        match kind {
            Ok(kind) => Expr { kind, ty: Ty::Never, span },
            Err(message) => self.wrong(span, message),
        }
    }

    pub(super) fn leave_function(&mut self, e: &ExprReturn) -> Expr {
        let span = e.return_token.span();
        if self.closures > 0 {
            return self
                .wrong(span, "`return` inside a closure is not part of the kernel language: use `if` and `else`");
        }
        if let (FnKind::Kernel, Some(value)) = (self.kind, &e.expr) {
            return self
                .wrong_tokens(value, "a kernel returns nothing, found a value: write it through a `&mut` parameter");
        }
        let value = e.expr.as_ref().map(|value| Box::new(self.expr(value)));
        Expr { kind: ExprKind::Return(value), ty: Ty::Never, span }
    }
}

/// The pattern of an arm, and its guard.
fn guarded(pat: &Pat) -> (&Pat, Option<&SynExpr>) {
    match pat {
        Pat::Guard(guarded) => (&guarded.pat, Some(&guarded.guard)),
        pat => (pat, None),
    }
}

/// The condition of a pattern that always matches.
fn always(span: Span) -> Expr {
    Expr { kind: ExprKind::Lit(Lit::Bool(true)), ty: Ty::Scalar(Scalar::Bool), span }
}

/// The `let` of a condition, also of one inside `&&`.
fn let_in_chain(e: &SynExpr) -> Option<Span> {
    match e {
        SynExpr::Let(l) => Some(l.let_token.span()),
        SynExpr::Binary(b) if matches!(b.op, BinOp::And(_)) => let_in_chain(&b.left).or_else(|| let_in_chain(&b.right)),
        _ => None,
    }
}
