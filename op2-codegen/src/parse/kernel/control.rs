//! Control flow: branches, loops, jumps.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, Expr as SynExpr, ExprBreak, ExprForLoop, ExprIf, ExprLet, ExprLoop, ExprReturn};
use syn::{ExprRange, ExprWhile, Pat, RangeLimits};

use crate::ir::{Block, Expr, ExprKind, LocalId, Loop, LoopKind, Ty};

use super::FnKind;
use super::path::ungrouped;
use super::scope::FnParser;

const RANGE: &str = "expected a range: loop over `0..N` and index";

impl FnParser<'_> {
    pub(super) fn branch(&mut self, e: &ExprIf) -> Expr {
        let span = e.if_token.span();
        let kind = match ungrouped(&e.cond) {
            SynExpr::Let(condition) => self.if_some(condition, e),
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
                Some(ExprKind::If(condition, then, self.otherwise(e)))
            }
        };
        match kind {
            Some(kind) => Expr { kind, ty: Ty::HOLE, span },
            None => self.wrong_let(e),
        }
    }

    fn wrong_let(&mut self, e: &ExprIf) -> Expr {
        self.wrong_tokens(
            &e.cond,
            "`if let` asks whether an optional argument is there: expected \
             `if let Some(x) = argument`, `argument` being a parameter of type `Option<…>`",
        )
    }

    /// `if let Some(x) = argument`; `None` when it is another pattern or value.
    fn if_some(&mut self, condition: &ExprLet, e: &ExprIf) -> Option<ExprKind> {
        let Pat::TupleStruct(some) = &*condition.pat else { return None };
        if !some.path.is_ident("Some") || some.elems.len() != 1 {
            return None;
        }
        let (name, mutable) = match some.elems.first()? {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (p.ident.clone(), p.mutability.is_some()),
            Pat::Wild(p) => (proc_macro2::Ident::from(p.underscore_token), false),
            _ => return None,
        };
        let option = self.optional(&condition.expr)?;
        let Ty::Option(inner) = self.locals[option.0].ty.clone() else { return None };
        let (binding, then) = self.scoped(|p| {
            let binding = p.bind(&name, *inner, mutable);
            (binding, p.block(&e.then_branch))
        });
        Some(ExprKind::IfSome(option, binding, then, self.otherwise(e)))
    }

    /// The optional parameter that an expression names.
    pub(super) fn optional(&self, e: &SynExpr) -> Option<LocalId> {
        let SynExpr::Path(path) = ungrouped(e) else { return None };
        let id = self.lookup(self.plain_name(path)?)?;
        matches!(self.locals[id.0].ty, Ty::Option(_)).then_some(id)
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
        let Some((range, reversed)) = self.range(&e.expr) else {
            return self.wrong_tokens(
                &e.expr,
                format!("`for` over something else than a range is not part of the kernel language: {RANGE}"),
            );
        };
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
        if let Some(token) = let_in_chain(ungrouped(&e.cond)) {
            return self.wrong(token, "`while let` is not part of the kernel language: use `loop` with `break`");
        }
        self.in_loop(e.label.as_ref(), |p, id| {
            let kind = LoopKind::While(Box::new(p.expr(&e.cond)));
            let body = p.block(&e.body);
            Expr { kind: ExprKind::Loop(Loop { id, kind, body }), ty: Ty::HOLE, span }
        })
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
        if let (FnKind::Kernel, Some(value)) = (self.kind, &e.expr) {
            return self
                .wrong_tokens(value, "a kernel returns nothing, found a value: write it through a `&mut` parameter");
        }
        let value = e.expr.as_ref().map(|value| Box::new(self.expr(value)));
        Expr { kind: ExprKind::Return(value), ty: Ty::Never, span }
    }
}

/// The `let` of a condition, also of one inside `&&`.
fn let_in_chain(e: &SynExpr) -> Option<Span> {
    match e {
        SynExpr::Let(l) => Some(l.let_token.span()),
        SynExpr::Binary(b) if matches!(b.op, BinOp::And(_)) => let_in_chain(&b.left).or_else(|| let_in_chain(&b.right)),
        _ => None,
    }
}
