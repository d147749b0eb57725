//! Expressions.

use super::Body;
use super::literal::{assoc, literal};
use super::types::{length_param, number, part_of, record, scalar};
use crate::ir::{Binary, Block, Expr, ExprKind, Intrinsic, Scalar, Ty, Unary};
use proc_macro2::{Ident, Span, TokenStream};

impl Body<'_> {
    pub(super) fn expr(&self, e: &Expr) -> TokenStream {
        if let Some(part) = self.part_of_constant(e) {
            return part;
        }
        match &e.kind {
            ExprKind::Lit(lit) => literal(lit, &e.ty),
            ExprKind::Local(id) => {
                let name = self.local(*id);
                hygienic!(#name)
            }
            ExprKind::Const(id) => self.constant(*id),
            ExprKind::Param(n) => {
                let name = length_param(*n);
                hygienic!(#name)
            }
            ExprKind::AssocConst(constant) => assoc(*constant, scalar_of(&e.ty)),
            ExprKind::Field(whole, n) => part_of(&self.operand(whole), &whole.ty, *n),
            ExprKind::Index(array, index) => {
                let (array, index) = (self.operand(array), self.index(index));
                hygienic!(#array[#index])
            }
            ExprKind::Deref(place) => {
                let place = self.operand(place);
                hygienic!(*#place)
            }
            ExprKind::Ref(mutable, place) => {
                let (mutable, place) = (mutable.then(|| hygienic!(mut)), self.operand(place));
                hygienic!(&#mutable #place)
            }
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => {
                let (ty, of) = (&e.ty, *op);
                let (a, op, b) = (self.operand(a), operator(of, false), self.operand(b));
                self.sealed(shifts_signs(of, ty), hygienic!(#a #op #b))
            }
            ExprKind::Cast(a) => {
                let narrows = narrows(&a.ty, &e.ty);
                let (a, ty) = (self.operand(a), self.ty(&e.ty));
                self.sealed(narrows, hygienic!(#a as #ty))
            }
            ExprKind::FloatLit(value) => {
                let (ty, value) = (self.ty(&e.ty), self.expr(value));
                hygienic!(<#ty as __op2::Float>::lit(#value))
            }
            ExprKind::Call(id, args) => self.call(*id, args),
            ExprKind::Intrinsic(function, args) => self.intrinsic(*function, args),
            ExprKind::BestUpdate(best, value, payload) => {
                let (best, value, payload) = (self.operand(best), self.expr(value), self.expr(payload));
                hygienic!(#best.update(#value, #payload))
            }
            ExprKind::IsSome(option) => {
                let option = self.expr(option);
                hygienic!(::core::option::Option::is_some(&#option))
            }
            ExprKind::Length(row) => {
                let row = self.operand(row);
                hygienic!(#row.len())
            }
            ExprKind::Ask(question, table, args) => {
                let (table, args) = (self.operand(table), args.iter().map(|arg| self.expr(arg)));
                let name = Ident::new(question.name(), Span::mixed_site());
                hygienic!(#table.#name(#(#args),*))
            }
            ExprKind::Assert(holds, message) => {
                let holds = self.expr(holds);
                hygienic!(::core::debug_assert!(#holds, "{}", #message))
            }
            ExprKind::Array(items) => {
                let items = items.iter().map(|item| self.expr(item));
                hygienic!([#(#items),*])
            }
            ExprKind::Repeat(value) => {
                let len = match &e.ty {
                    Ty::Array(_, len) => self.len(len),
                    _ => number(0),
                };
                let value = self.expr(value);
                hygienic!([#value; #len])
            }
            ExprKind::Tuple(items) => {
                let items = items.iter().map(|item| self.expr(item));
                if matches!(e.ty, Ty::Record(..)) {
                    return record(items);
                }
                hygienic!((#(#items,)*))
            }
            _ => self.control(e),
        }
    }

    /// An operand: in parentheses, unless its tokens bind tightly anyway.
    pub(super) fn operand(&self, e: &Expr) -> TokenStream {
        use ExprKind::{
            Array, Ask, AssocConst, Call, Field, FloatLit, Index, Intrinsic, IsSome, Length, Lit, Local, Tuple,
        };
        let tokens = self.expr(e);
        let name = matches!(&e.kind, Lit(_) | Local(_) | AssocConst(_));
        let brackets = matches!(
            &e.kind,
            Ask(..) | Call(..) | Intrinsic(..) | IsSome(_) | Length(_) | FloatLit(_) | Array(_) | Tuple(_)
        );
        let closed = name || brackets || matches!(&e.kind, Field(..) | Index(..));
        if closed { tokens } else { hygienic!((#tokens)) }
    }

    /// An index; a literal needs no suffix here.
    pub(super) fn index(&self, index: &Expr) -> TokenStream {
        match &index.kind {
            ExprKind::Lit(crate::ir::Lit::Int(n)) => number(usize::try_from(*n).unwrap_or(usize::MAX)),
            _ => self.expr(index),
        }
    }

    fn unary(&self, op: Unary, a: &Expr) -> TokenStream {
        let a = self.operand(a);
        match op {
            Unary::Neg => hygienic!(-#a),
            Unary::Not => hygienic!(!#a),
        }
    }

    fn intrinsic(&self, function: Intrinsic, args: &[Expr]) -> TokenStream {
        let receiver = args.first().map_or(Ty::Unit, |a| a.ty.clone());
        let (path, args) = (self.library(function, &receiver), args.iter().map(|arg| self.expr(arg)));
        hygienic!(#path(#(#args),*))
    }

    /// A function of the library, by its full path.
    pub(super) fn library(&self, function: Intrinsic, receiver: &Ty) -> TokenStream {
        let receiver = scalar_of(receiver);
        let name = Ident::new(function.name(), Span::mixed_site());
        let ty = scalar(receiver);
        let ordered = receiver.is_int() && matches!(function, Intrinsic::Max | Intrinsic::Min | Intrinsic::Clamp);
        match receiver {
            Scalar::Generic(_) => hygienic!(<#ty as __op2::Float>::#name),
            _ if ordered => hygienic!(<#ty as ::core::cmp::Ord>::#name),
            _ => hygienic!(#ty::#name),
        }
    }

    /// `a = b`, `a += b`
    pub(super) fn assignment(&self, op: Option<Binary>, place: &Expr, value: &Expr) -> TokenStream {
        let ty = &place.ty;
        let (place, value) = (self.expr(place), self.expr(value));
        self.assigned(op, ty, place, value)
    }

    /// The same, for tokens that are written already.
    pub(super) fn assigned(&self, op: Option<Binary>, ty: &Ty, place: TokenStream, value: TokenStream) -> TokenStream {
        match op {
            Some(op) if self.functions.lanes && shifts_signs(op, ty) => {
                let sealed = self.sealed(true, hygienic!(*place >> value));
                hygienic!({ let value = #value; let place = &mut #place; *place = #sealed; })
            }
            Some(op) => {
                let op = operator(op, true);
                hygienic!(#place #op #value)
            }
            None => hygienic!(#place = #value),
        }
    }

    /// A value that the compiler must not see through if lanes compute it; the run time says why (`lanes/seal.rs`).
    pub(super) fn sealed(&self, asked: bool, value: TokenStream) -> TokenStream {
        if asked && self.functions.lanes { hygienic!(__op2::Seal::sealed(#value)) } else { value }
    }

    /// A block as an expression.
    pub(super) fn block(&self, block: &Block) -> TokenStream {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt));
        let tail = block.tail.as_ref().map(|tail| self.expr(tail));
        hygienic!({ #(#stmts)* #tail })
    }
}

/// The scalar of an expression's type; code that is never reached may have another one.
fn scalar_of(ty: &Ty) -> Scalar {
    match ty {
        Ty::Scalar(s) => *s,
        _ => Scalar::I32,
    }
}

/// Whether an operation fills with signs.
pub(super) fn shifts_signs(op: Binary, ty: &Ty) -> bool {
    op == Binary::Shr && matches!(ty, Ty::Scalar(s) if s.is_int() && s.is_signed())
}

/// Whether a cast of integers keeps fewer bits.
pub(super) fn narrows(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Scalar(from), Ty::Scalar(to)) => from.is_int() && to.is_int() && to.bits() < from.bits(),
        _ => false,
    }
}

/// The tokens of an operator, or of its compound assignment.
pub(super) fn operator(op: Binary, assigns: bool) -> TokenStream {
    let text = format!("{}{}", op.symbol(), if assigns { "=" } else { "" });
    let tokens: TokenStream = text.parse().expect("an operator is tokens");
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(Span::mixed_site());
            token
        })
        .collect()
}
