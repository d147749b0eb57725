//! Closures that arrays are made by: `a.map(|x| …)`, `array::from_fn(|i| …)`. They become loops that fill an array.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr as SynExpr, ExprCall, ExprClosure, ExprMethodCall, GenericArgument, Pat as SynPat, PathArguments};
use syn::{ReturnType, Type};

use crate::ir::{Block, Each, Expr, ExprKind, LocalId, Pat, Scalar, Source, Stmt, Sugar, Taken, Ty};

use super::expr::hole;
use super::path::{first_span, ungrouped, without_arguments};
use super::pattern::Role;
use super::scope::FnParser;
use super::types::Position;

/// The closure of a call of `array::from_fn`, by whatever path.
pub(super) fn of_from_fn(call: &ExprCall) -> Option<&ExprClosure> {
    let SynExpr::Path(func) = ungrouped(&call.func) else { return None };
    let is_named = func.path.segments.last().is_some_and(|last| last.ident == "from_fn");
    match call.args.iter().map(ungrouped).collect::<Vec<_>>()[..] {
        [SynExpr::Closure(closure)] if is_named && func.qself.is_none() => Some(closure),
        _ => None,
    }
}

/// The type that `from_fn::<T, N, _>` states.
pub(super) fn stated_item(call: &ExprCall) -> Option<&Type> {
    let SynExpr::Path(func) = ungrouped(&call.func) else { return None };
    match &func.path.segments.last()?.arguments {
        PathArguments::AngleBracketed(list) => match list.args.first()? {
            GenericArgument::Type(item) => Some(item),
            _ => None,
        },
        _ => None,
    }
}

impl FnParser<'_> {
    /// `a.map(|x| …)`
    pub(super) fn map(&mut self, e: &ExprMethodCall) -> Expr {
        let span = e.method.span();
        let array = self.expr(&e.receiver);
        let [SynExpr::Closure(closure)] = e.args.iter().map(ungrouped).collect::<Vec<_>>()[..] else {
            return self.wrong(span, "method `map` of an array: expected a closure, `a.map(|x| 2.0 * x)`");
        };
        let of = array.span;
        let id = self.hidden("held", of, Ty::HOLE);
        let init = Some(hole(ExprKind::Sugar(Sugar::Owned(Box::new(array))), of));
        let held = Stmt::Let { pat: Pat::Local(id), init };
        let source = Source { array: hole(ExprKind::Local(id), of), taken: Taken::Owned };
        self.made(closure, (Ty::HOLE, vec![source]), vec![held], span)
    }

    /// `array::from_fn(|i| …)`
    pub(super) fn array_of(&mut self, e: &ExprCall, closure: &ExprClosure) -> Expr {
        let SynExpr::Path(func) = ungrouped(&e.func) else { return self.placeholder(e.span()) };
        self.names.made_by(&without_arguments(&func.path));
        let ty = match func.path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(list)) => self.stated_array(&list.args.iter().collect::<Vec<_>>()),
            _ => Ty::HOLE,
        };
        self.made(closure, (ty, Vec::new()), Vec::new(), first_span(&func.path))
    }

    /// The type that `from_fn::<T, N, _>` states.
    fn stated_array(&mut self, arguments: &[&GenericArgument]) -> Ty {
        let [GenericArgument::Type(item), len, _] = arguments else { return Ty::HOLE };
        let Some(len) = self.stated_len(len) else { return Ty::HOLE };
        Ty::Array(Box::new(self.ty(item, Position::Let)), len)
    }

    /// An array whose elements are the values of a closure, one after the other.
    fn made(
        &mut self,
        closure: &ExprClosure,
        (ty, sources): (Ty, Vec<Source>),
        mut stmts: Vec<Stmt>,
        span: Span,
    ) -> Expr {
        self.plain_closure(closure);
        let out = self.hidden_mutable("made", span, ty);
        let zero = hole(ExprKind::Sugar(Sugar::Zero), span);
        stmts.push(Stmt::Let { pat: Pat::Local(out), init: Some(zero) });
        let each = self.in_closure(|p, id| {
            let (counter, body) = p.scoped(|p| {
                let counter = p.hidden("i", span, Ty::Scalar(Scalar::Usize));
                let mut body = Vec::new();
                let item = match sources.is_empty() {
                    true => ExprKind::Local(counter),
                    false => ExprKind::Sugar(Sugar::Item(id, 0)),
                };
                p.bind_argument(closure, hole(item, span), &mut body);
                let value = p.value_of(closure);
                let at = |id: LocalId| Box::new(hole(ExprKind::Local(id), span));
                let place = hole(ExprKind::Index(at(out), at(counter)), span);
                let at_value = value.span;
                body.push(Stmt::Expr(hole(ExprKind::Assign(Box::new(place), Box::new(value)), at_value)));
                (counter, Block { stmts: body, tail: None, ty: Ty::HOLE })
            });
            Each { id, counter, sources, made: Some(out), reversed: false, body }
        });
        stmts.push(Stmt::Expr(hole(ExprKind::Sugar(Sugar::Each(each)), span)));
        let tail = Some(Box::new(hole(ExprKind::Local(out), span)));
        hole(ExprKind::Block(Block { stmts, tail, ty: Ty::HOLE }), span)
    }

    /// Reports what a closure of the language lacks.
    fn plain_closure(&mut self, closure: &ExprClosure) {
        if let Some(token) = &closure.capture {
            self.wrong_tokens(
                token,
                "a closure of the kernel language works on the variables themselves: remove `move`",
            );
        }
        if let Some(token) = &closure.asyncness {
            self.wrong_tokens(token, "a closure of the kernel language is called at once: remove `async`");
        }
    }

    /// Binds the names of the closure's parameter.
    fn bind_argument(&mut self, closure: &ExprClosure, item: Expr, stmts: &mut Vec<Stmt>) {
        let [param] = closure.inputs.iter().collect::<Vec<_>>()[..] else {
            let found = closure.inputs.len();
            let span = closure.inputs_begin.span();
            self.wrong(span, format!("the closure takes 1 parameter, found {found}"));
            return;
        };
        match param {
            SynPat::Type(typed) => {
                let ty = self.ty(&typed.ty, Position::Let);
                self.bind_parts(&typed.pat, Expr { ty, ..item }, Role::Always, stmts);
            }
            pat => self.bind_parts(pat, item, Role::Always, stmts),
        }
    }

    /// The closure's value.
    fn value_of(&mut self, closure: &ExprClosure) -> Expr {
        let value = self.expr(&closure.body);
        match &closure.output {
            ReturnType::Default => value,
            ReturnType::Type(_, ty) => {
                let (ty, span) = (self.ty(ty, Position::Let), value.span);
                let block = Block { stmts: Vec::new(), tail: Some(Box::new(value)), ty: Ty::HOLE };
                Expr { kind: ExprKind::Block(block), ty, span }
            }
        }
    }
}
