//! Options: optional arguments, and entries of maps that may be missing. Only a parameter is one, or an element of a parameter.

use proc_macro2::Span;
use syn::{Expr as SynExpr, ExprMethodCall, ExprPath};

use crate::ir::{Block, Expr, ExprKind, LocalId, Scalar, Ty, Unary, print};

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
        let option = self.optional(&e.receiver)?;
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

fn value_alone(value: Expr) -> Block {
    Block { stmts: Vec::new(), tail: Some(Box::new(value)), ty: Ty::HOLE }
}
