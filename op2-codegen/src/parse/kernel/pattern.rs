//! Patterns: the names that they bind, and the condition under which they match.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr as SynExpr, Lit as SynLit, Pat as SynPat, PatIdent, PatRange, PatSlice, PatTupleStruct, RangeLimits};

use crate::ir::{Binary, Expr, ExprKind, Lit, Part, Pat, Stmt, Sugar, Ty, Unary, print};

use super::expr::hole;
use super::option::{asked, there};
use super::scope::FnParser;

/// Where a pattern stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It always matches: `let`, `for`. A name in upper case is bound like any other.
    Always,
    /// It may match or not: `match`, `if let`. A name in upper case is a constant.
    Sometimes,
}

impl FnParser<'_> {
    /// Holds a value for a pattern or a loop: the declaration, and the value from there on.
    pub(super) fn held(&mut self, value: Expr, ty: Ty, stmts: &mut Vec<Stmt>) -> Expr {
        let span = value.span;
        let id = self.hidden("held", span, ty);
        let init = Some(hole(ExprKind::Sugar(Sugar::Held(Box::new(value))), span));
        stmts.push(Stmt::Let { pat: Pat::Local(id), init });
        hole(ExprKind::Local(id), span)
    }

    /// The value that a pattern is compared with, the parts of a tuple one by one.
    pub(super) fn compared(&mut self, value: &SynExpr, stmts: &mut Vec<Stmt>) -> Expr {
        match super::path::ungrouped(value) {
            SynExpr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple.elems.iter().map(|part| self.compared(part, stmts)).collect();
                hole(ExprKind::Tuple(parts), tuple.paren_token.span.open())
            }
            value => {
                if let Some(option) = self.optional(value) {
                    return option.place;
                }
                let value = self.expr(value);
                self.held(value, Ty::HOLE, stmts)
            }
        }
    }

    /// Whether a value may be an index that is missing: an argument that is an option is asked by `if let` alone.
    fn may_be_index(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Local(id) => !matches!(self.locals[id.0].ty, Ty::Option(_)),
            ExprKind::Index(array, _) => match &array.kind {
                ExprKind::Local(id) => {
                    !matches!(&self.locals[id.0].ty, Ty::Array(item, _) if matches!(**item, Ty::Option(_)))
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Binds the names of a pattern to the parts of a value, which is computed again for each of them.
    pub(super) fn bind_parts(&mut self, pat: &SynPat, value: Expr, role: Role, stmts: &mut Vec<Stmt>) {
        match pat {
            SynPat::Paren(p) => self.bind_parts(&p.pat, value, role, stmts),
            SynPat::Ident(p) if role == Role::Sometimes && (is_constant(p) || is_none(p)) => {}
            SynPat::TupleStruct(some) if role == Role::Sometimes && is_some(some) && self.may_be_index(&value) => {
                let index = asked(value, SOME, some.path.span());
                self.bind_parts(&some.elems[0], there(index), role, stmts);
            }
            SynPat::Ident(p) => {
                self.only_a_name(p);
                if role == Role::Sometimes {
                    self.names.binding(&p.ident);
                }
                let id = self.bind(&p.ident, Ty::HOLE, p.mutability.is_some());
                stmts.push(Stmt::Let { pat: Pat::Local(id), init: Some(value) });
            }
            SynPat::Reference(p) => {
                let span = p.and_token.span();
                self.bind_parts(&p.pat, hole(ExprKind::Deref(Box::new(value)), span), role, stmts);
            }
            SynPat::Tuple(tuple) => {
                let of = tuple.elems.len();
                for (index, part) in tuple.elems.iter().enumerate() {
                    if let SynPat::Rest(rest) = part {
                        self.wrong_tokens(rest, "`..` in a tuple: expected `_` for each part that is not used");
                        continue;
                    }
                    self.bind_parts(part, part_of(&value, Part::Field { index, of }, part.span()), role, stmts);
                }
            }
            SynPat::Slice(slice) => {
                for (part, at) in self.elements(slice) {
                    self.bind_parts(part, part_of(&value, at, part.span()), role, stmts);
                }
            }
            SynPat::Struct(record) => self.bind_fields(record, &value, role, stmts),
            SynPat::Wild(_) => {}
            SynPat::Lit(_) | SynPat::Range(_) | SynPat::Or(_) | SynPat::Path(_) if role == Role::Sometimes => {}
            other => self.refuse_pattern(other),
        }
    }

    /// The condition under which a pattern matches; `None` if it always does.
    pub(super) fn condition(&mut self, pat: &SynPat, value: &Expr) -> Option<Expr> {
        match pat {
            SynPat::Paren(p) => self.condition(&p.pat, value),
            SynPat::Reference(p) => {
                let inner = hole(ExprKind::Deref(Box::new(value.clone())), p.and_token.span());
                self.condition(&p.pat, &inner)
            }
            SynPat::Lit(lit) => self.literal_pattern(lit).map(|lit| compare(Binary::Eq, value, lit)),
            SynPat::Ident(p) if is_none(p) => {
                let value = asked(value.clone(), "pattern `None`", p.ident.span());
                Some(compare(Binary::Eq, &value, self.no_index(p.ident.span())))
            }
            SynPat::TupleStruct(some) if is_some(some) && self.may_be_index(value) => {
                let span = some.path.span();
                let value = asked(value.clone(), SOME, span);
                Some(compare(Binary::Ne, &value, self.no_index(span)))
            }
            SynPat::Ident(p) if is_constant(p) => {
                let path =
                    SynExpr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: p.ident.clone().into() });
                let constant = self.expr(&path);
                Some(compare(Binary::Eq, value, constant))
            }
            SynPat::Path(path) => {
                let constant = self.path(path);
                Some(compare(Binary::Eq, value, constant))
            }
            SynPat::Range(range) => self.range_pattern(range, value),
            SynPat::Tuple(tuple) => {
                let of = tuple.elems.len();
                let parts = tuple.elems.iter().enumerate();
                let parts = parts.map(|(index, part)| (part, Part::Field { index, of })).collect();
                self.all_match(parts, value)
            }
            SynPat::Slice(slice) => {
                let parts = self.elements(slice);
                self.all_match(parts, value)
            }
            SynPat::Struct(record) => self.fields_match(record, value),
            SynPat::Or(or) => {
                let mut any = None;
                for case in &or.cases {
                    if let Some(name) = first_name(case) {
                        let message = format!(
                            "alternatives of the kernel language bind no names, found `{name}`: write an arm for each"
                        );
                        self.errors.once(name.span(), message);
                    }
                    let case = self.condition(case, value)?;
                    any = Some(match any {
                        Some(before) => both(Binary::Or, before, case),
                        None => case,
                    });
                }
                any
            }
            // `bind_parts` reports the rest.
            _ => None,
        }
    }

    pub(super) fn all_match(&mut self, parts: Vec<(&SynPat, Part)>, value: &Expr) -> Option<Expr> {
        let conditions: Vec<Expr> = parts
            .into_iter()
            .filter_map(|(pat, part)| self.condition(pat, &part_of(value, part, pat.span())))
            .collect();
        conditions.into_iter().reduce(|a, b| both(Binary::And, a, b))
    }

    fn range_pattern(&mut self, range: &PatRange, value: &Expr) -> Option<Expr> {
        let last = if matches!(range.limits, RangeLimits::Closed(_)) { Binary::Le } else { Binary::Lt };
        let bounds = [(Binary::Ge, &range.start), (last, &range.end)];
        let mut conditions = Vec::new();
        for (op, bound) in bounds {
            if let Some(bound) = bound {
                let bound = match &**bound {
                    SynExpr::Lit(lit) => self.literal_pattern(lit)?,
                    other => self.expr(other),
                };
                conditions.push(compare(op, value, bound));
            }
        }
        conditions.into_iter().reduce(|a, b| both(Binary::And, a, b))
    }

    /// An integer, which may be negative, or a boolean.
    fn literal_pattern(&mut self, lit: &syn::ExprLit) -> Option<Expr> {
        let span = lit.span();
        match &lit.lit {
            SynLit::Int(int) if int.base10_digits().starts_with('-') => {
                let digits = int.base10_digits().trim_start_matches('-');
                let positive = SynLit::Int(syn::LitInt::new(&format!("{digits}{}", int.suffix()), span));
                let lit = self.expr(&SynExpr::Lit(syn::ExprLit { attrs: Vec::new(), lit: positive }));
                Some(hole(ExprKind::Unary(Unary::Neg, Box::new(lit)), span))
            }
            SynLit::Int(_) | SynLit::Bool(_) => Some(self.expr(&SynExpr::Lit(lit.clone()))),
            _ => {
                let text = print::tokens(lit);
                self.wrong(
                    span,
                    format!(
                        "pattern `{text}` is not part of the kernel language: patterns compare integers, `bool` \
                         and enums, use `if x < …` for other values"
                    ),
                );
                None
            }
        }
    }

    /// The elements of an array pattern, without its `..`.
    fn elements<'p>(&mut self, slice: &'p PatSlice) -> Vec<(&'p SynPat, Part)> {
        let rest = slice.elems.iter().position(|p| matches!(p, SynPat::Rest(_)));
        let total = slice.elems.len();
        let elements = slice.elems.iter().enumerate();
        elements
            .filter(|(index, _)| Some(*index) != rest)
            .map(|(index, pat)| {
                let part = match rest {
                    None => Part::Element { index, of: total },
                    Some(rest) if index < rest => Part::FromStart { index, of: total - 1 },
                    Some(_) => Part::FromEnd { back: total - index, of: total - 1 },
                };
                (pat, part)
            })
            .collect()
    }

    /// Reports what stands beside the name in `ref x` and `x @ 1..=3`.
    pub(super) fn only_a_name(&mut self, p: &PatIdent) {
        let extra = p.by_ref.map(|t| (t.span(), "`ref`: borrow with `&` at the value"));
        let extra = extra.or(p.subpat.as_ref().map(|(at, _)| (at.span(), "`@`: bind a name alone")));
        if let Some((span, what)) = extra {
            self.errors.at(span, format!("patterns of the kernel language have no {what}"));
        }
    }

    pub(super) fn refuse_pattern(&mut self, pat: &SynPat) {
        let message = format!(
            "pattern `{}` is not part of the kernel language: expected a name, `_`, a tuple, an array or a record of \
             them; in `match` also integers, `true`, `false`, ranges, constants and `|`",
            print::tokens(pat)
        );
        self.wrong_tokens(pat, message);
        // Binds its names all the same, so that their uses are not reported as errors.
        for name in names(pat) {
            self.bind(name, Ty::HOLE, true);
        }
    }
}

/// Whether `let` has to take the value apart piece by piece, because the types decide how.
pub(super) fn has_elements(pat: &SynPat) -> bool {
    match pat {
        SynPat::Slice(_) | SynPat::Reference(_) | SynPat::Struct(_) => true,
        SynPat::Tuple(tuple) => tuple.elems.iter().any(has_elements),
        SynPat::Paren(p) => has_elements(&p.pat),
        SynPat::Type(p) => has_elements(&p.pat),
        _ => false,
    }
}

/// The name of the constant that a pattern is, if it is one.
pub(super) fn constant_name(pat: &SynPat) -> Option<&syn::Ident> {
    match pat {
        SynPat::Paren(p) => constant_name(&p.pat),
        SynPat::Ident(p) => is_constant(p).then_some(&p.ident),
        _ => None,
    }
}

/// The pattern of an index that is there, for messages.
const SOME: &str = "pattern `Some(x)`";

/// Whether a pattern is `Some(x)`.
fn is_some(pat: &PatTupleStruct) -> bool {
    pat.path.is_ident("Some") && pat.elems.len() == 1
}

/// Whether a single name in a `match` is `None`.
fn is_none(p: &PatIdent) -> bool {
    p.ident == "None" && p.by_ref.is_none() && p.subpat.is_none()
}

/// Whether a single name in a `match` is a constant: names in upper case are.
fn is_constant(p: &PatIdent) -> bool {
    let plain = p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none();
    plain && !p.ident.to_string().trim_start_matches("r#").contains(|c: char| c.is_lowercase()) && p.ident != "_"
}

pub(super) fn part_of(value: &Expr, part: Part, span: Span) -> Expr {
    // The parts of a tuple that stands there are at hand.
    if let (ExprKind::Tuple(items), Part::Field { index, of }) = (&value.kind, part)
        && items.len() == of
    {
        return items[index].clone();
    }
    hole(ExprKind::Sugar(Sugar::Part(Box::new(value.clone()), part)), span)
}

/// `value == with`; `bool`s need no comparison.
fn compare(op: Binary, value: &Expr, with: Expr) -> Expr {
    let span = with.span;
    let value = || Box::new(value.clone());
    match with.kind {
        ExprKind::Lit(Lit::Bool(wanted)) => {
            let not = hole(ExprKind::Unary(Unary::Not, value()), span);
            if wanted { hole(ExprKind::Unary(Unary::Not, Box::new(not)), span) } else { not }
        }
        _ => hole(ExprKind::Binary(op, value(), Box::new(with)), span),
    }
}

pub(super) fn both(op: Binary, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    hole(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
}

fn first_name(pat: &SynPat) -> Option<&syn::Ident> {
    names(pat).into_iter().next()
}

/// The names that a pattern binds.
pub(super) fn names(pat: &SynPat) -> Vec<&syn::Ident> {
    #[derive(Default)]
    struct Names<'a>(Vec<&'a syn::Ident>);
    impl<'a> syn::visit::Visit<'a> for Names<'a> {
        fn visit_pat_ident(&mut self, pat: &'a PatIdent) {
            if !is_constant(pat) && !is_none(pat) {
                self.0.push(&pat.ident);
            }
            syn::visit::visit_pat_ident(self, pat);
        }
    }
    let mut names = Names::default();
    syn::visit::Visit::visit_pat(&mut names, pat);
    names.0
}
