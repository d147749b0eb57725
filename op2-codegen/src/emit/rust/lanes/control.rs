//! Statements and branches.

use super::Writer;
use crate::emit::rust::types::is_known;
use crate::ir::{Binary, Block, Expr, ExprKind, Pat, Stmt, Ty};
use crate::vary::{has_value, may_fail};
use proc_macro2::TokenStream;

/// A side of a branch with more operations than this is skipped if no lane took it.
const WORTH_ASKING: u32 = 16;

impl Writer<'_> {
    pub(super) fn control(&mut self, e: &Expr, lanes: bool) -> TokenStream {
        match &e.kind {
            ExprKind::Assign(place, value) => self.assignment(None, place, value),
            ExprKind::AssignOp(op, place, value) => self.assignment(Some(*op), place, value),
            ExprKind::Block(block) => self.block(block, lanes, &e.ty),
            ExprKind::If(cond, then, other) if self.varies(cond) => self.both(e, cond, then, other.as_ref()),
            ExprKind::If(cond, then, other) => {
                let cond = self.expr(cond, false);
                self.branches(cond, then, other.as_ref(), lanes, &e.ty)
            }
            ExprKind::IfSome(option, binding, then, other) => {
                self.declare(*binding);
                let (option, binding) = (self.body.expr(option), self.body.local(*binding));
                let cond = hygienic!(let ::core::option::Option::Some(mut #binding) = #option);
                self.branches(cond, then, other.as_ref(), lanes, &e.ty)
            }
            ExprKind::Loop(l) => self.looping(l),
            _ => self.jump(e),
        }
    }

    /// A block as an expression of type `expected`.
    pub(super) fn block(&mut self, block: &Block, lanes: bool, expected: &Ty) -> TokenStream {
        let rest = self.rest(&block.stmts, block, lanes, expected);
        hygienic!({ #rest })
    }

    /// The statements of a block from one on, and its value.
    fn rest(&mut self, stmts: &[Stmt], block: &Block, lanes: bool, expected: &Ty) -> TokenStream {
        let Some((stmt, others)) = stmts.split_first() else {
            let Some(tail) = &block.tail else { return self.missing(block, lanes, expected) };
            let value = self.expr(tail, lanes && has_value(&tail.ty));
            // Lanes that jumped have no value, and others go on.
            let missing = self.missing(block, lanes, expected);
            return if missing.is_empty() { value } else { hygienic!(#value; #missing) };
        };
        let leaves = self.leaves(stmt);
        let stmt = self.stmt(stmt);
        let harmless = others.iter().all(|stmt| self.is_harmless_stmt(stmt))
            && block.tail.as_ref().is_none_or(|tail| self.is_harmless(tail));
        let rest = self.rest(others, block, lanes, expected);
        let Some(mask) = self.mask().filter(|_| leaves && !harmless) else { return hygienic!(#stmt #rest) };
        match has_value(expected) {
            // `vary` has made sure that it cannot fail.
            true if expected.has_reference() => hygienic!(#stmt #rest),
            true => {
                let zero = self.zero_as(expected, lanes);
                hygienic!(#stmt if #mask.any() { #rest } else { #zero })
            }
            false => hygienic!(#stmt if #mask.any() { #rest }),
        }
    }

    /// A placeholder for the value of a block that ends in a jump, because the other lanes go on.
    fn missing(&self, block: &Block, lanes: bool, expected: &Ty) -> TokenStream {
        let jumps = block.ty == Ty::Never && has_value(expected) && !expected.has_reference();
        if jumps { self.zero_as(expected, lanes) } else { TokenStream::new() }
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Expr(e) => {
                let e = self.expr(e, false);
                hygienic!(#e;)
            }
            Stmt::Let { pat, init } => {
                let value = init.as_ref().map(|init| self.bound(pat, init));
                let stated = match pat {
                    Pat::Local(id) => self.stated(&self.body.func.locals[id.0].ty, self.varies_local(*id)),
                    _ => None,
                };
                let late = match pat {
                    // Each side of a branch gives its lanes the value.
                    Pat::Local(id) if init.is_none() && self.varies_local(*id) => {
                        let ty = &self.body.func.locals[id.0].ty;
                        is_known(ty).then(|| self.zero(ty))
                    }
                    _ => None,
                };
                let value = value.or(late).map(|value| hygienic!(= #value));
                let pat = self.pat(pat);
                hygienic!(let #pat #stated #value;)
            }
        }
    }

    /// The value bound to a pattern. The parts of a tuple each are lanes or one value.
    fn bound(&mut self, pat: &Pat, init: &Expr) -> TokenStream {
        match (pat, &init.kind) {
            (Pat::Tuple(parts), ExprKind::Tuple(values)) => {
                let values: Vec<_> = parts.iter().zip(values).map(|(part, value)| self.bound(part, value)).collect();
                hygienic!((#(#values,)*))
            }
            _ => {
                let lanes = if matches!(pat, Pat::Wild) { self.varies(init) } else { self.binds_lanes(pat) };
                self.expr(init, lanes)
            }
        }
    }

    fn binds_lanes(&self, pat: &Pat) -> bool {
        match pat {
            Pat::Wild => false,
            Pat::Local(id) => self.varies_local(*id),
            Pat::Tuple(parts) => parts.iter().any(|part| self.binds_lanes(part)),
        }
    }

    fn pat(&mut self, pat: &Pat) -> TokenStream {
        match pat {
            Pat::Wild => hygienic!(_),
            Pat::Local(id) => {
                self.declare(*id);
                let name = self.body.local(*id);
                let late = self.body.mutable(*id).is_some() || self.varies_local(*id);
                let mutable = late.then(|| hygienic!(mut));
                hygienic!(#mutable #name)
            }
            Pat::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.pat(part)).collect();
                hygienic!((#(#parts,)*))
            }
        }
    }

    fn branches(
        &mut self,
        cond: TokenStream,
        then: &Block,
        other: Option<&Block>,
        lanes: bool,
        expected: &Ty,
    ) -> TokenStream {
        let then = self.block(then, lanes, expected);
        let other = other.map(|block| {
            let block = self.block(block, lanes, expected);
            hygienic!(else #block)
        });
        hygienic!(if #cond #then #other)
    }

    /// An `if` that lanes take differently.
    fn both(&mut self, e: &Expr, cond: &Expr, then: &Block, other: Option<&Block>) -> TokenStream {
        let cond = self.expr(cond, true);
        let outside = self.mask().cloned();
        let narrow = |side: TokenStream| match &outside {
            Some(outside) => hygienic!(#outside & #side),
            None => side,
        };
        let (yes, then_mask) = self.side(then, &e.ty);
        let start = narrow(hygienic!(cond));
        let start = hygienic!(let cond = #cond; let mut #then_mask = #start;);
        let Some(block) = other else { return hygienic!({ #start #yes; }) };
        let (no, other_mask) = self.side(block, &e.ty);
        let second = narrow(hygienic!(!cond));
        let second = hygienic!(let mut #other_mask = #second;);
        match (has_value(&e.ty), &then.ty, &block.ty) {
            (false, ..) => hygienic!({ #start #second #yes; #no; }),
            (true, Ty::Never, _) => hygienic!({ #start #second #yes; #no }),
            (true, _, Ty::Never) => hygienic!({ #start #second let yes = #yes; #no; yes }),
            _ => hygienic!({ #start #second let yes = #yes; let no = #no; __op2::Lanes::<W>::select(cond, yes, no) }),
        }
    }

    /// One side of it, with the name of its mask.
    fn side(&mut self, block: &Block, expected: &Ty) -> (TokenStream, proc_macro2::Ident) {
        let outer = self.region;
        let mask = self.enter();
        let expected = if block.ty == Ty::Never { &Ty::Unit } else { expected };
        let tokens = self.block(block, has_value(expected), expected);
        let ask = !self.is_harmless_block(block);
        self.exit(outer);
        let tokens = match has_value(expected) {
            _ if !ask => tokens,
            true => {
                let zero = self.zero(expected);
                hygienic!(if #mask.any() #tokens else { #zero })
            }
            false => hygienic!(if #mask.any() #tokens),
        };
        (tokens, mask)
    }

    /// Whether an expression may be evaluated although no lane asks for it: it is cheap, and cannot panic.
    pub(super) fn is_harmless(&self, e: &Expr) -> bool {
        let (mut cost, mut harmless) = (0, true);
        e.walk(&mut |part| {
            let (own, safe) = own_cost(part);
            cost += own;
            harmless &= safe;
        });
        harmless && cost <= WORTH_ASKING
    }

    fn is_harmless_block(&self, block: &Block) -> bool {
        let (mut cost, mut harmless) = (0, true);
        block.walk(&mut |part| {
            let (own, safe) = own_cost(part);
            cost += own;
            harmless &= safe;
        });
        harmless && cost <= WORTH_ASKING
    }

    fn is_harmless_stmt(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let { init, .. } => init.as_ref().is_none_or(|init| self.is_harmless(init)),
            Stmt::Expr(e) => self.is_harmless(e),
        }
    }
}

/// About what an operation costs, and whether it never panics and always ends.
fn own_cost(e: &Expr) -> (u32, bool) {
    let cost = match &e.kind {
        ExprKind::Binary(op, ..) | ExprKind::AssignOp(op, ..) if matches!(op, Binary::Div | Binary::Rem) => 8,
        ExprKind::Binary(..) | ExprKind::AssignOp(..) | ExprKind::Unary(..) => 1,
        ExprKind::Intrinsic(function, _) => function.flops().max(1),
        ExprKind::Call(..) | ExprKind::Loop(_) | ExprKind::BestUpdate(..) => WORTH_ASKING,
        _ => 0,
    };
    (cost, !may_fail(e))
}
