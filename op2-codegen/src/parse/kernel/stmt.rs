//! Statements, patterns and blocks.

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Ident, Item, Local, Pat as SynPat, PatIdent, Stmt as SynStmt, Token};

use crate::ir::{Block, Pat, Stmt, Ty, print};

use super::scope::FnParser;
use super::types::Position;

impl FnParser<'_> {
    /// A block in a scope of its own.
    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        self.scoped(|p| {
            let mut stmts = Vec::new();
            let mut tail = None;
            let last = block.stmts.len().saturating_sub(1);
            for (i, stmt) in block.stmts.iter().enumerate() {
                match stmt {
                    SynStmt::Local(local) => stmts.push(p.local(local)),
                    SynStmt::Expr(e, None) if i == last => tail = Some(Box::new(p.expr(e))),
                    SynStmt::Expr(e, _) => stmts.push(Stmt::Expr(p.expr(e))),
                    SynStmt::Macro(m) => p.macro_call(&m.mac),
                    SynStmt::Item(item) => p.item(item),
                }
            }
            Block { stmts, tail, ty: Ty::HOLE }
        })
    }

    fn item(&mut self, item: &Item) {
        let (span, cure) = match item {
            Item::Const(c) => (c.const_token.span(), "move the constant out of the function"),
            Item::Static(s) => (s.static_token.span(), "pass the value as an argument"),
            Item::Fn(f) => (f.sig.fn_token.span(), "move it out as a `#[op2::device_fn]`"),
            Item::Use(u) => (u.use_token.span(), "move the import out of the function"),
            other => (other.span(), "move it out of the function"),
        };
        self.errors.at(span, format!("items inside a kernel are not part of the kernel language: {cure}"));
    }

    fn local(&mut self, local: &Local) -> Stmt {
        let init = local.init.as_ref().map(|init| {
            if let Some((token, _)) = &init.diverge {
                let message = "`let … else` is not part of the kernel language: use \
                               `if let Some(x) = argument { … } else { … }`";
                self.errors.at(token.span(), message);
            }
            self.expr(&init.expr)
        });
        let pat = match &local.pat {
            SynPat::Type(typed) => {
                let ty = self.ty(&typed.ty, Position::Let);
                self.pat(&typed.pat, ty)
            }
            pat => self.pat(pat, Ty::HOLE),
        };
        Stmt::Let { pat, init }
    }

    /// A pattern for a value of type `ty`, as far as that is known.
    fn pat(&mut self, pat: &SynPat, ty: Ty) -> Pat {
        match pat {
            SynPat::Wild(_) => Pat::Wild,
            SynPat::Paren(p) => self.pat(&p.pat, ty),
            SynPat::Ident(p) => {
                let extra = p.by_ref.map(|t: Token![ref]| (t.span(), "`ref`: borrow with `&` at the value"));
                let extra = extra.or(p.subpat.as_ref().map(|(at, _)| (at.span(), "`@`: bind a name alone")));
                if let Some((span, what)) = extra {
                    self.errors.at(span, format!("patterns of the kernel language have no {what}"));
                }
                Pat::Local(self.bind(&p.ident, ty, p.mutability.is_some()))
            }
            SynPat::Tuple(tuple) => {
                let types = match ty {
                    Ty::Tuple(types) if types.len() == tuple.elems.len() => types,
                    Ty::Infer(_) => vec![Ty::HOLE; tuple.elems.len()],
                    _ => {
                        let message = format!(
                            "pattern `{}` has {} parts, expected a tuple type of as many",
                            print::tokens(tuple),
                            tuple.elems.len()
                        );
                        self.wrong_tokens(tuple, message);
                        vec![Ty::HOLE; tuple.elems.len()]
                    }
                };
                Pat::Tuple(tuple.elems.iter().zip(types).map(|(p, ty)| self.pat(p, ty)).collect())
            }
            other => {
                let message = format!(
                    "pattern `{}` is not part of the kernel language: expected a name, `_` or a \
                     tuple of them",
                    print::tokens(other)
                );
                self.wrong_tokens(other, message);
                // Binds its names all the same, so that their uses are not reported as errors.
                let mut names = Names::default();
                names.visit_pat(other);
                names.found.into_iter().for_each(|name| {
                    self.bind(name, Ty::HOLE, true);
                });
                Pat::Wild
            }
        }
    }
}

/// The names that a pattern binds.
#[derive(Default)]
struct Names<'a> {
    found: Vec<&'a Ident>,
}

impl<'a> Visit<'a> for Names<'a> {
    fn visit_pat_ident(&mut self, pat: &'a PatIdent) {
        self.found.push(&pat.ident);
        syn::visit::visit_pat_ident(self, pat);
    }
}
