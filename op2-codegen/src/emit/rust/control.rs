//! Statements, branches, loops and jumps.

use super::Body;
use crate::ir::{Block, Expr, ExprKind, Local, LocalId, Loop, LoopId, LoopKind, Pat, Stmt};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Lifetime;

impl Body<'_> {
    pub(super) fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { pat, init } => {
                let stated = match pat {
                    Pat::Local(id) => self.stated(&self.func.locals[id.0].ty),
                    _ => None,
                };
                let pat = self.pat(pat);
                let init = init.as_ref().map(|init| {
                    let init = self.expr(init);
                    hygienic!(= #init)
                });
                hygienic!(let #pat #stated #init;)
            }
            Stmt::Expr(e) => {
                let e = self.expr(e);
                hygienic!(#e;)
            }
        }
    }

    fn pat(&self, pat: &Pat) -> TokenStream {
        match pat {
            Pat::Wild => hygienic!(_),
            Pat::Local(id) => self.binding(*id),
            Pat::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.pat(part));
                hygienic!((#(#parts,)*))
            }
        }
    }

    /// A bound name; `_` binds nothing, so the value is not moved.
    fn binding(&self, id: LocalId) -> TokenStream {
        let Local { name, .. } = &self.func.locals[id.0];
        if name == "_" {
            return hygienic!(_);
        }
        let (mutable, name) = (self.mutable(id), self.local(id));
        hygienic!(#mutable #name)
    }

    /// Control flow, which other languages only have as statements.
    pub(super) fn control(&self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Assign(place, value) => self.assignment(None, place, value),
            ExprKind::AssignOp(op, place, value) => self.assignment(Some(*op), place, value),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If(cond, then, other) => {
                let cond = self.expr(cond);
                self.branches(cond, then, other.as_ref())
            }
            ExprKind::IfSome(option, binding, then, other) => {
                let (option, binding) = (self.expr(option), self.binding(*binding));
                let cond = hygienic!(let ::core::option::Option::Some(#binding) = #option);
                self.branches(cond, then, other.as_ref())
            }
            ExprKind::Loop(l) => self.looping(l),
            ExprKind::Break(id) => {
                let label = label(*id);
                hygienic!(break #label)
            }
            ExprKind::Continue(id) => {
                let label = label(*id);
                hygienic!(continue #label)
            }
            ExprKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value));
                hygienic!(return #value)
            }
            _ => unreachable!("`expr` writes all other kinds"),
        }
    }

    fn branches(&self, cond: TokenStream, then: &Block, other: Option<&Block>) -> TokenStream {
        let then = self.block(then);
        let other = other.map(|block| {
            let block = self.block(block);
            hygienic!(else #block)
        });
        hygienic!(if #cond #then #other)
    }

    fn looping(&self, l: &Loop) -> TokenStream {
        let (label, body) = (label(l.id), self.block(&l.body));
        match &l.kind {
            LoopKind::For { var, start, end, inclusive, reversed } => {
                let (var, start, end) = (self.binding(*var), self.operand(start), self.operand(end));
                let dots = if *inclusive { hygienic!(..=) } else { hygienic!(..) };
                let range = match reversed {
                    true => hygienic!(::core::iter::Iterator::rev(#start #dots #end)),
                    false => hygienic!(#start #dots #end),
                };
                hygienic!(#label: for #var in #range #body)
            }
            LoopKind::While(cond) => {
                let cond = self.expr(cond);
                hygienic!(#label: while #cond #body)
            }
            LoopKind::Forever => hygienic!(#label: loop #body),
        }
    }
}

/// The label of a loop.
pub(super) fn label(id: LoopId) -> TokenStream {
    Lifetime::new(&format!("'round{}", id.0), Span::mixed_site()).into_token_stream()
}
