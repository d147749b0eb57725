//! Options. Optional arguments and entries of maps that may be missing are parameters, or elements of one. An index that may be missing is a
//! value, which is compared with one that stands for none.

use proc_macro2::Span;
use syn::{Expr as SynExpr, ExprMethodCall, ExprPath};

use crate::ir::{Binary, Block, Expr, ExprKind, LocalId, Pat, Scalar, Stmt, Sugar, Ty, Unary, print};

use super::expr::hole;
use super::path::{first_span, ungrouped};
use super::scope::FnParser;

/// An option that an expression names.
pub(super) struct Maybe {
    pub(super) place: Expr,
    /// The type of what is there.
    pub(super) inner: Ty,
}

impl FnParser<'_> {
    /// The option that an expression names.
    pub(super) fn optional(&mut self, e: &SynExpr) -> Option<Maybe> {
        match ungrouped(e) {
            SynExpr::Path(path) => {
                let (id, span) = self.local_named(path)?;
                let Ty::Option(inner) = &self.locals[id.0].ty else { return None };
                Some(Maybe { inner: (**inner).clone(), place: hole(ExprKind::Local(id), span) })
            }
            SynExpr::Index(index) => {
                let SynExpr::Path(path) = ungrouped(&index.expr) else { return None };
                let (id, span) = self.local_named(path)?;
                let Ty::Array(item, _) = &self.locals[id.0].ty else { return None };
                let Ty::Option(inner) = &**item else { return None };
                let inner = (**inner).clone();
                let array = hole(ExprKind::Local(id), span);
                let entry = self.expr(&index.index);
                let kind = ExprKind::Index(Box::new(array), Box::new(entry));
                Some(Maybe { inner, place: hole(kind, span) })
            }
            _ => None,
        }
    }

    fn local_named(&self, path: &ExprPath) -> Option<(LocalId, Span)> {
        Some((self.lookup(self.plain_name(path)?)?, first_span(&path.path)))
    }

    /// A method of an option.
    pub(super) fn method_of_option(&mut self, e: &ExprMethodCall) -> Option<Expr> {
        let (name, span) = (e.method.to_string(), e.method.span());
        if name == "unwrap_or"
            && let SynExpr::MethodCall(copied) = ungrouped(&e.receiver)
            && copied.method == "copied"
            && copied.args.is_empty()
            && let Some(option) = self.optional(&copied.receiver)
        {
            return Some(self.unwrap_or(option, e, true));
        }
        let Some(option) = self.optional(&e.receiver) else { return self.method_of_index(e, &name, span) };
        let asked = |place| Expr { kind: ExprKind::IsSome(Box::new(place)), ty: Ty::Scalar(Scalar::Bool), span };
        Some(match (name.as_str(), e.args.len()) {
            ("is_some", 0) => asked(option.place),
            ("is_none", 0) => hole(ExprKind::Unary(Unary::Not, Box::new(asked(option.place))), span),
            ("unwrap_or", 1) => self.unwrap_or(option, e, false),
            _ => {
                let option = print::tokens(&*e.receiver);
                let message = format!(
                    "method `{name}` of an option is not part of the kernel language: use \
                     `if let Some(x) = {option} {{ … }}`, `{option}.unwrap_or(x)`, `is_some()` or `is_none()`"
                );
                self.wrong(span, message)
            }
        })
    }

    /// A method of an index that may be missing. Whether it is one, `model` sees.
    fn method_of_index(&mut self, e: &ExprMethodCall, name: &str, span: Span) -> Option<Expr> {
        let word = match (name, e.args.len()) {
            ("is_some", 0) => "method `is_some`",
            ("is_none", 0) => "method `is_none`",
            ("unwrap_or", 1) => "method `unwrap_or`",
            _ => return None,
        };
        if self.names_of_methods().iter().any(|known| known == name) {
            return None;
        }
        let asked = asked(self.expr(&e.receiver), word, span);
        let compared = |op, index| hole(ExprKind::Binary(op, Box::new(index), Box::new(none(span))), span);
        Some(match name {
            "is_some" => compared(Binary::Ne, asked),
            "is_none" => compared(Binary::Eq, asked),
            _ => {
                let index = self.hidden("index", span, Ty::Scalar(Scalar::MaybeIdx));
                let other = self.hidden("other", span, Ty::Scalar(Scalar::Idx));
                let local = |id| hole(ExprKind::Local(id), span);
                let hold = |id, value| Stmt::Let { pat: Pat::Local(id), init: Some(value) };
                let stmts = vec![hold(index, asked), hold(other, self.expr(&e.args[0]))];
                let condition = Box::new(compared(Binary::Ne, local(index)));
                let [there, other] = [there(local(index)), local(other)].map(value_alone);
                let tail = Some(Box::new(hole(ExprKind::If(condition, there, Some(other)), span)));
                hole(ExprKind::Block(Block { stmts, tail, ty: Ty::HOLE }), span)
            }
        })
    }

    /// `Some(index)` as a value.
    pub(super) fn some_index(&mut self, mut index: Expr, span: Span) -> Expr {
        self.names.options(span);
        if index.ty == Ty::HOLE {
            index.ty = Ty::Scalar(Scalar::Idx);
        }
        Expr { kind: ExprKind::Cast(Box::new(index)), ty: Ty::Scalar(Scalar::MaybeIdx), span }
    }

    /// `None` as a value.
    pub(super) fn no_index(&mut self, span: Span) -> Expr {
        self.names.options(span);
        none(span)
    }

    /// `option.unwrap_or(other)`: a value, or a reference to a copy of it, so that it may differ from element to element.
    fn unwrap_or(&mut self, option: Maybe, e: &ExprMethodCall, copied: bool) -> Expr {
        let span = e.method.span();
        let Some(other) = e.args.first().filter(|_| e.args.len() == 1) else {
            let message = format!("method `unwrap_or` takes 1 argument, found {}", e.args.len());
            return self.wrong(span, message);
        };
        let is_reference = matches!(option.inner, Ty::Ref(false, _));
        if !is_reference && (copied || matches!(option.inner, Ty::Ref(..))) {
            let message = "`unwrap_or` of an option of `&mut V`, or `copied` of one without a reference: use \
                           `if let Some(x) = option { … }`";
            return self.wrong(span, message);
        }
        let other = self.expr(other);
        let binding = self.hidden("some", span, option.inner);
        let follow = |e: Expr| hole(ExprKind::Deref(Box::new(e)), span);
        let there = hole(ExprKind::Local(binding), span);
        let (there, other) = match (is_reference, copied) {
            (true, false) => (follow(there), follow(other)),
            (true, true) => (follow(there), other),
            (false, _) => (there, other),
        };
        let [then, other] = [there, other].map(value_alone);
        let value = hole(ExprKind::IfSome(Box::new(option.place), binding, then, Some(other)), span);
        if is_reference && !copied { hole(ExprKind::Ref(false, Box::new(value)), span) } else { value }
    }
}

/// A value that a method or a pattern takes for an index that may be missing.
pub(super) fn asked(value: Expr, by: &'static str, span: Span) -> Expr {
    hole(ExprKind::Sugar(Sugar::Asked(Box::new(value), by)), span)
}

/// No index.
pub(super) fn none(span: Span) -> Expr {
    hole(ExprKind::Sugar(Sugar::NoIndex), span)
}

/// The index that an option holds, known to be there.
pub(super) fn there(option: Expr) -> Expr {
    let span = option.span;
    Expr { kind: ExprKind::Cast(Box::new(option)), ty: Ty::Scalar(Scalar::Idx), span }
}

fn value_alone(value: Expr) -> Block {
    Block { stmts: Vec::new(), tail: Some(Box::new(value)), ty: Ty::HOLE }
}
