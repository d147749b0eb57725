//! Statements, patterns and blocks.

use syn::spanned::Spanned;
use syn::{Item, Local, Pat as SynPat, Stmt as SynStmt};

use crate::ir::{Block, Expr, Pat, Stmt, Ty, print};

use super::pattern::{Role, has_elements};
use super::scope::FnParser;
use super::types::Position;

impl FnParser<'_> {
    /// A block in a scope of its own.
    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        self.scoped(|p| p.statements(&block.stmts))
    }

    fn statements(&mut self, written: &[SynStmt]) -> Block {
        let mut stmts = Vec::new();
        let mut tail = None;
        let last = written.len().saturating_sub(1);
        for (i, stmt) in written.iter().enumerate() {
            match stmt {
                SynStmt::Local(local) => match local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
                    Some((_, other)) => {
                        tail = Some(Box::new(self.or_leave(local, other, &written[i + 1..])));
                        break;
                    }
                    None => self.local(local, &mut stmts),
                },
                SynStmt::Expr(e, None) if i == last => tail = Some(Box::new(self.expr(e))),
                SynStmt::Expr(e, _) => stmts.push(Stmt::Expr(self.expr(e))),
                SynStmt::Macro(m) => stmts.push(Stmt::Expr(self.macro_call(&m.mac))),
                SynStmt::Item(item) => self.item(item),
            }
        }
        Block { stmts, tail, ty: Ty::HOLE }
    }

    /// `let pat = value else { … };` and the statements after it, which run where the pattern matches.
    fn or_leave(&mut self, local: &Local, other: &syn::Expr, rest: &[SynStmt]) -> Expr {
        let span = local.let_token.span();
        let Some(init) = &local.init else { return self.placeholder(span) };
        let other = |p: &mut Self| {
            let leave = p.expr(other);
            Some(Block { stmts: Vec::new(), tail: Some(Box::new(leave)), ty: Ty::HOLE })
        };
        self.if_let((&local.pat, &init.expr, span), |p| p.statements(rest), other)
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

    fn local(&mut self, local: &Local, stmts: &mut Vec<Stmt>) {
        let init = local.init.as_ref().map(|init| self.expr(&init.expr));
        let (pat, ty) = match &local.pat {
            SynPat::Type(typed) => (&*typed.pat, self.ty(&typed.ty, Position::Let)),
            pat => (pat, Ty::HOLE),
        };
        if has_elements(pat) {
            let Some(init) = init else {
                self.wrong_tokens(pat, "an array pattern needs a value: `let [a, b] = x;`");
                return;
            };
            let value = self.held(init, ty, stmts);
            return self.bind_parts(pat, value, Role::Always, stmts);
        }
        let pat = self.pat(pat, ty);
        stmts.push(Stmt::Let { pat, init });
    }

    /// A pattern for a value of type `ty`, as far as that is known.
    fn pat(&mut self, pat: &SynPat, ty: Ty) -> Pat {
        match pat {
            SynPat::Wild(_) => Pat::Wild,
            SynPat::Paren(p) => self.pat(&p.pat, ty),
            SynPat::Ident(p) => {
                self.only_a_name(p);
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
                self.refuse_pattern(other);
                Pat::Wild
            }
        }
    }
}
