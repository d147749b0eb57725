//! Expressions.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{BinOp, Expr as SynExpr, ExprBinary, ExprField, ExprLit, ExprUnary, Lit as SynLit};
use syn::{Member, UnOp};

use crate::ir::{Binary, Expr, ExprKind, Lit, Scalar, Sugar, Ty, Unary, print};

use super::scope::FnParser;
use super::types::Position;

impl FnParser<'_> {
    pub(super) fn expr(&mut self, e: &SynExpr) -> Expr {
        match e {
            SynExpr::Paren(p) => self.expr(&p.expr),
            SynExpr::Group(g) => self.expr(&g.expr),
            SynExpr::Lit(lit) => self.literal(lit),
            SynExpr::Path(path) => self.path(path),
            SynExpr::Unary(unary) => self.unary(unary),
            SynExpr::Binary(binary) => self.binary(binary),
            SynExpr::Field(field) => self.field(field),
            SynExpr::Index(index) => self.index(index),
            SynExpr::Reference(r) => {
                let inner = self.expr(&r.expr);
                hole(ExprKind::Ref(r.mutability.is_some(), Box::new(inner)), r.and_token.span())
            }
            SynExpr::Cast(cast) => self.cast(cast),
            SynExpr::Assign(assign) => self.assign(assign),
            SynExpr::Array(array) => {
                let items = array.elems.iter().map(|e| self.expr(e)).collect();
                hole(ExprKind::Array(items), array.bracket_token.span.open())
            }
            SynExpr::Repeat(repeat) => {
                let item = self.expr(&repeat.expr);
                let len = self.len(&repeat.len);
                let ty = Ty::Array(Box::new(Ty::HOLE), len);
                let span = repeat.bracket_token.span.open();
                Expr { kind: ExprKind::Repeat(Box::new(item)), ty, span }
            }
            SynExpr::Tuple(tuple) => {
                let items = tuple.elems.iter().map(|e| self.expr(e)).collect();
                hole(ExprKind::Tuple(items), tuple.paren_token.span.open())
            }
            SynExpr::Struct(value) => self.record_value(value),
            SynExpr::Call(call) => self.call(call),
            SynExpr::MethodCall(method) => self.method(method),
            _ => self.control(e),
        }
    }

    fn control(&mut self, e: &SynExpr) -> Expr {
        match e {
            SynExpr::Block(block) => {
                if let Some(label) = &block.label {
                    return self.wrong(
                        label.name.span(),
                        "labelled blocks are not part of the kernel language: label a loop, or \
                         use `if`",
                    );
                }
                let span = block.block.brace_token.span.open();
                hole(ExprKind::Block(self.block(&block.block)), span)
            }
            SynExpr::If(e) => self.branch(e),
            SynExpr::Match(e) => self.matching(e),
            SynExpr::ForLoop(e) => self.for_loop(e),
            SynExpr::While(e) => self.while_loop(e),
            SynExpr::Loop(e) => self.forever(e),
            SynExpr::Break(e) => self.leave(e),
            SynExpr::Continue(e) => self.next_round(e),
            SynExpr::Return(e) => self.leave_function(e),
            other => self.refuse(other),
        }
    }

    fn literal(&mut self, e: &ExprLit) -> Expr {
        let span = e.lit.span();
        let (lit, suffix, digits) = match &e.lit {
            SynLit::Bool(b) => return typed(Lit::Bool(b.value), Scalar::Bool, span),
            SynLit::Float(float) => {
                let digits = float.base10_digits().to_string();
                (Lit::Float(digits.clone()), float.suffix(), digits)
            }
            SynLit::Int(int) => {
                let digits = int.base10_digits();
                let Ok(value) = digits.parse() else {
                    return self.wrong(span, format!("integer `{digits}` has more than 128 bits"));
                };
                (Lit::Int(value), int.suffix(), digits.to_string())
            }
            other => {
                let text = print::tokens(other);
                return self.wrong(
                    span,
                    format!(
                        "{text} is not part of the kernel language: kernels have no text, expected \
                         a number, `true` or `false`"
                    ),
                );
            }
        };
        if suffix.is_empty() {
            return hole(ExprKind::Lit(lit), span);
        }
        match (Scalar::from_name(suffix), lit) {
            (Some(scalar), Lit::Int(_)) if scalar.is_float() => typed(Lit::Float(digits), scalar, span),
            (Some(scalar), lit @ Lit::Int(_)) if scalar.is_int() => typed(lit, scalar, span),
            (Some(scalar), lit @ Lit::Float(_)) if scalar.is_float() => typed(lit, scalar, span),
            _ => {
                let message = format!(
                    "literal type `{suffix}` is not part of the kernel language: expected `f32`, \
                     `f64`, `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64` or `usize`"
                );
                self.wrong(span, message)
            }
        }
    }

    fn unary(&mut self, e: &ExprUnary) -> Expr {
        let inner = Box::new(self.expr(&e.expr));
        let kind = match e.op {
            UnOp::Deref(_) => match inner.kind {
                // `*option.unwrap_or(&other)` needs no copy to refer to.
                ExprKind::Ref(false, value) if matches!(value.kind, ExprKind::IfSome(..)) => return *value,
                _ => ExprKind::Deref(inner),
            },
            UnOp::Neg(_) => ExprKind::Unary(Unary::Neg, inner),
            UnOp::Not(_) => ExprKind::Unary(Unary::Not, inner),
            _ => return self.refuse_operator(&e.op),
        };
        hole(kind, e.op.span())
    }

    fn binary(&mut self, e: &ExprBinary) -> Expr {
        let left = Box::new(self.expr(&e.left));
        let right = Box::new(self.expr(&e.right));
        let span = e.op.span();
        match operator(&e.op) {
            Some((op, false)) => hole(ExprKind::Binary(op, left, right), span),
            Some((op, true)) => {
                self.place(&left, &e.left);
                hole(ExprKind::AssignOp(op, left, right), span)
            }
            None => self.refuse_operator(&e.op),
        }
    }

    fn refuse_operator(&mut self, op: &impl quote::ToTokens) -> Expr {
        let text = print::tokens(op);
        self.wrong_tokens(op, format!("operator `{text}` is not part of the kernel language"))
    }

    fn field(&mut self, e: &ExprField) -> Expr {
        let base = self.expr(&e.base);
        match &e.member {
            Member::Unnamed(index) => {
                let span = base.span;
                hole(ExprKind::Field(Box::new(base), index.index as usize), span)
            }
            Member::Named(name) => named(base, name),
        }
    }

    fn index(&mut self, e: &syn::ExprIndex) -> Expr {
        let base = self.expr(&e.expr);
        if let SynExpr::Range(range) = super::path::ungrouped(&e.index) {
            return self.wrong_tokens(
                range,
                "slices are not part of the kernel language: loop over the range and index, or \
                 pass the whole array",
            );
        }
        let index = self.expr(&e.index);
        let span = base.span;
        hole(ExprKind::Index(Box::new(base), Box::new(index)), span)
    }

    fn cast(&mut self, e: &syn::ExprCast) -> Expr {
        let inner = Box::new(self.expr(&e.expr));
        let span = e.as_token.span();
        match self.ty(&e.ty, Position::Device) {
            Ty::Scalar(Scalar::Generic(_)) => {
                let name = print::tokens(&e.ty);
                self.wrong_tokens(
                    &e.ty,
                    format!(
                        "`as {name}`: a type parameter is no target of `as`; write \
                         `{name}::lit(x as f64)`"
                    ),
                )
            }
            ty if matches!(ty, Ty::Scalar(_)) || ty.has_hole() => Expr { kind: ExprKind::Cast(inner), ty, span },
            _ => {
                let text = print::tokens(&e.ty);
                self.wrong_tokens(&e.ty, format!("cast to `{text}`: expected a scalar type"))
            }
        }
    }

    fn assign(&mut self, e: &syn::ExprAssign) -> Expr {
        let target = super::path::ungrouped(&e.left);
        if matches!(target, SynExpr::Tuple(_) | SynExpr::Array(_) | SynExpr::Infer(_)) {
            return self.wrong_tokens(
                target,
                "assignment to a pattern is not part of the kernel language: assign the parts \
                 one by one, or bind new names with `let`",
            );
        }
        let right = Box::new(self.expr(&e.right));
        let left = Box::new(self.expr(target));
        self.place(&left, target);
        hole(ExprKind::Assign(left, right), e.eq_token.span())
    }

    /// Reports the target of an assignment that is no place.
    fn place(&mut self, target: &Expr, written: &SynExpr) {
        let mut root = target;
        loop {
            match &root.kind {
                ExprKind::Field(inner, _) | ExprKind::Index(inner, _) | ExprKind::Sugar(Sugar::Named(inner, _)) => {
                    root = inner
                }
                ExprKind::Local(_) | ExprKind::Deref(_) => return,
                ExprKind::Const(_) => {
                    let text = print::tokens(written);
                    self.wrong_tokens(
                        written,
                        format!(
                            "assignment to `{text}`: constants and statics do not change in a \
                             kernel; add to a global argument (`gbl_inc`) instead"
                        ),
                    );
                    return;
                }
                _ => {
                    // A placeholder stands for something that was already reported.
                    if self.errors.is_empty() {
                        let text = print::tokens(written);
                        let message = format!(
                            "assignment to `{text}`: expected a variable, an element of an array \
                             or `*reference`"
                        );
                        self.wrong_tokens(written, message);
                    }
                    return;
                }
            }
        }
    }
}

/// `a.name`
pub(super) fn named(whole: Expr, name: &Ident) -> Expr {
    let span = whole.span;
    hole(ExprKind::Sugar(Sugar::Named(Box::new(whole), name.clone())), span)
}

/// An expression whose type `model` finds out.
pub(super) fn hole(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, ty: Ty::HOLE, span }
}

fn typed(lit: Lit, scalar: Scalar, span: Span) -> Expr {
    Expr { kind: ExprKind::Lit(lit), ty: Ty::Scalar(scalar), span }
}

/// The operator, and whether it assigns.
fn operator(op: &BinOp) -> Option<(Binary, bool)> {
    Some(match op {
        BinOp::Add(_) => (Binary::Add, false),
        BinOp::Sub(_) => (Binary::Sub, false),
        BinOp::Mul(_) => (Binary::Mul, false),
        BinOp::Div(_) => (Binary::Div, false),
        BinOp::Rem(_) => (Binary::Rem, false),
        BinOp::And(_) => (Binary::And, false),
        BinOp::Or(_) => (Binary::Or, false),
        BinOp::BitXor(_) => (Binary::BitXor, false),
        BinOp::BitAnd(_) => (Binary::BitAnd, false),
        BinOp::BitOr(_) => (Binary::BitOr, false),
        BinOp::Shl(_) => (Binary::Shl, false),
        BinOp::Shr(_) => (Binary::Shr, false),
        BinOp::Eq(_) => (Binary::Eq, false),
        BinOp::Lt(_) => (Binary::Lt, false),
        BinOp::Le(_) => (Binary::Le, false),
        BinOp::Ne(_) => (Binary::Ne, false),
        BinOp::Ge(_) => (Binary::Ge, false),
        BinOp::Gt(_) => (Binary::Gt, false),
        BinOp::AddAssign(_) => (Binary::Add, true),
        BinOp::SubAssign(_) => (Binary::Sub, true),
        BinOp::MulAssign(_) => (Binary::Mul, true),
        BinOp::DivAssign(_) => (Binary::Div, true),
        BinOp::RemAssign(_) => (Binary::Rem, true),
        BinOp::BitXorAssign(_) => (Binary::BitXor, true),
        BinOp::BitAndAssign(_) => (Binary::BitAnd, true),
        BinOp::BitOrAssign(_) => (Binary::BitOr, true),
        BinOp::ShlAssign(_) => (Binary::Shl, true),
        BinOp::ShrAssign(_) => (Binary::Shr, true),
        _ => return None,
    })
}
