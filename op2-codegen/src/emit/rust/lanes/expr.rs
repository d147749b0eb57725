//! Expressions of which a part varies.

use super::Writer;
use crate::emit::rust::Body;
use crate::emit::rust::constants::Part;
use crate::emit::rust::expr::{narrows, operator, shifts_signs};
use crate::emit::rust::types::{part_of, record};
use crate::ir::{Binary, Expr, ExprKind, FuncId, Intrinsic, Scalar, Ty, Unary};
use proc_macro2::{Ident, Span, TokenStream};

impl Writer<'_> {
    /// An expression of which a part varies; `lanes` matters where branches have values.
    pub(super) fn varying(&mut self, e: &Expr, lanes: bool) -> TokenStream {
        match &e.kind {
            ExprKind::Local(id) => {
                let name = self.body.local(*id);
                hygienic!(#name)
            }
            ExprKind::Field(whole, n) => {
                let value = self.expr(whole, self.varies(whole));
                part_of(&hygienic!((#value)), &whole.ty, *n)
            }
            ExprKind::Index(..) => self.element(e),
            ExprKind::Deref(place) => {
                let place = self.expr(place, self.varies(place));
                hygienic!((*#place))
            }
            ExprKind::Ref(mutable, place) => {
                let (mutable, place) = (mutable.then(|| hygienic!(mut)), self.expr(place, self.varies(place)));
                hygienic!((&#mutable #place))
            }
            ExprKind::Unary(op, a) => self.unary(e, *op, a),
            ExprKind::Binary(op @ (Binary::And | Binary::Or), a, b) => self.lazy(*op, a, b),
            ExprKind::Binary(op, a, b) => {
                let operands = self.operands(&[a, b], is_vector(*op, &a.ty));
                self.binary(*op, a, b, operands)
            }
            ExprKind::Cast(a) => {
                let ty = self.body.ty(&e.ty);
                let narrows = narrows(&a.ty, &e.ty);
                let cast = |one: &[TokenStream]| hygienic!((#(#one)*) as #ty);
                self.one_by_one(e, &[a], |body, one| body.sealed(narrows, cast(one)))
            }
            ExprKind::FloatLit(a) => {
                let ty = self.body.ty(&e.ty);
                self.one_by_one(e, &[a], |_, one| hygienic!(<#ty as __op2::Float>::lit(#(#one)*)))
            }
            ExprKind::Call(id, args) => self.call(*id, args),
            ExprKind::Intrinsic(function, args) => self.intrinsic(e, *function, args),
            ExprKind::BestUpdate(best, value, payload) => {
                let mask = match self.mask() {
                    Some(mask) => hygienic!(::core::option::Option::Some(#mask)),
                    None => hygienic!(::core::option::Option::None),
                };
                let [best, value, payload] = [best, value, payload].map(|part| self.expr(part, true));
                hygienic!((#best).update(#mask, #value, #payload))
            }
            ExprKind::IsSome(option) => {
                let option = self.body.expr(option);
                hygienic!(::core::option::Option::is_some(&#option))
            }
            ExprKind::Length(row) => {
                let row = self.expr(row, true);
                hygienic!((#row).len())
            }
            // All lanes have the same table.
            ExprKind::Ask(question, table, args) => {
                let table = self.expr(table, false);
                let varying: Vec<bool> = args.iter().map(|arg| self.varies(arg)).collect();
                let operands = self.operands(&args.iter().collect::<Vec<_>>(), false);
                let name = Ident::new(question.name(), Span::mixed_site());
                let each = self.each(true, operands, &varying, |_, one| hygienic!(table.#name(#(#one),*)));
                hygienic!({ let table = &(#table); #each })
            }
            ExprKind::Assert(holds, message) => {
                let holds = self.expr(holds, true);
                let asked = self.mask().map(|mask| hygienic!(#mask &));
                hygienic! {
                    if ::core::cfg!(debug_assertions) {
                        let holds = #holds;
                        ::core::assert!(!(#asked !holds).any(), "{}", #message);
                    }
                }
            }
            ExprKind::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.expr(item, true)).collect();
                hygienic!([#(#items),*])
            }
            ExprKind::Repeat(value) => {
                let Ty::Array(_, len) = &e.ty else { return TokenStream::new() };
                let (value, len) = (self.expr(value, true), self.body.len(len));
                hygienic!([#value; #len])
            }
            ExprKind::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|item| self.expr(item, true)).collect();
                if matches!(e.ty, Ty::Record(..)) {
                    return record(items.into_iter());
                }
                hygienic!((#(#items,)*))
            }
            _ => self.control(e, lanes),
        }
    }

    fn unary(&mut self, e: &Expr, op: Unary, a: &Expr) -> TokenStream {
        let symbol = match op {
            Unary::Neg => hygienic!(-),
            Unary::Not => hygienic!(!),
        };
        if is_float(&a.ty) || is_bool(&a.ty) {
            let a = self.expr(a, true);
            return hygienic!((#symbol (#a)));
        }
        self.one_by_one(e, &[a], |_, one| hygienic!(#symbol #(#one)*))
    }

    /// `a && b`, `a || b`: the right side for those lanes that ask for it.
    fn lazy(&mut self, op: Binary, a: &Expr, b: &Expr) -> TokenStream {
        let left = self.expr(a, true);
        let outer = self.region;
        let outside = self.mask().cloned();
        let mask = self.enter();
        let right = self.expr(b, true);
        self.exit(outer);
        let (asks, symbol) = match op {
            Binary::And => (hygienic!(left), hygienic!(&)),
            _ => (hygienic!(!left), hygienic!(|)),
        };
        let narrowed = outside.map_or_else(|| asks.clone(), |outside| hygienic!(#outside & #asks));
        let right = match self.is_harmless(b) {
            true => right,
            false => hygienic!(if #mask.any() { #right } else { __op2::Mask::none(w) }),
        };
        hygienic!({ let left = #left; let mut #mask = #narrowed; left #symbol #right })
    }

    /// Operands: all as lanes, or each as it is.
    pub(super) fn operands(&mut self, parts: &[&Expr], lanes: bool) -> Vec<TokenStream> {
        parts
            .iter()
            .map(|part| {
                let lanes = lanes || self.varies(part);
                self.expr(part, lanes)
            })
            .collect()
    }

    /// An operation on operands that were written by [`Writer::operands`].
    pub(super) fn binary(&mut self, op: Binary, a: &Expr, b: &Expr, operands: Vec<TokenStream>) -> TokenStream {
        if !is_vector(op, &a.ty) {
            let symbol = operator(op, false);
            let ty = if op.is_comparison() { Ty::Scalar(Scalar::Bool) } else { a.ty.clone() };
            let varying = [self.varies(a), self.varies(b)];
            let signs = shifts_signs(op, &ty);
            return self.each(!is_float(&ty), operands, &varying, |body, one| {
                let (a, b) = (&one[0], &one[1]);
                body.sealed(signs, hygienic!(#a #symbol #b))
            });
        }
        let (a, b) = (&operands[0], &operands[1]);
        let method = match op {
            Binary::Eq => "equals",
            Binary::Ne => "differs",
            Binary::BitXor => "differs",
            Binary::Lt => "lt",
            Binary::Le => "le",
            Binary::Gt => "gt",
            Binary::Ge => "ge",
            _ => {
                let symbol = operator(op, false);
                return hygienic!(((#a) #symbol (#b)));
            }
        };
        let method = Ident::new(method, Span::mixed_site());
        hygienic!((#a).#method(#b))
    }

    /// An operation without a vector instruction: applies `f` to the operands of one lane after the other.
    fn one_by_one(
        &mut self,
        e: &Expr,
        parts: &[&Expr],
        f: impl Fn(&Body<'_>, &[TokenStream]) -> TokenStream,
    ) -> TokenStream {
        let operands = self.operands(parts, false);
        let varying: Vec<bool> = parts.iter().map(|part| self.varies(part)).collect();
        self.each(!is_float(&e.ty), operands, &varying, f)
    }

    /// One lane after the other. Lanes that are off are left alone if it may fail.
    pub(super) fn each(
        &mut self,
        fails: bool,
        operands: Vec<TokenStream>,
        varying: &[bool],
        f: impl Fn(&Body<'_>, &[TokenStream]) -> TokenStream,
    ) -> TokenStream {
        let names: Vec<Ident> = (0..operands.len()).map(operand_name).collect();
        let one: Vec<TokenStream> = names.iter().zip(varying).map(|(name, varies)| one(name, *varies)).collect();
        let value = f(&self.body, &one);
        let held = hygienic!(#(let #names = #operands;)*);
        match self.mask() {
            Some(mask) if fails => hygienic!({ #held __op2::each_of(w, #mask, |lane| #value) }),
            _ => hygienic!({ #held __op2::each(w, |lane| #value) }),
        }
    }

    /// `array[index]`, `array[index][index]`
    fn element(&mut self, e: &Expr) -> TokenStream {
        if let Some(part) = self.body.part(e) {
            return self.entry(&part);
        }
        let (array, indices) = indexed(e);
        if array.ty.is_row() {
            return self.entry_of_row(array, &indices);
        }
        if !indices.iter().any(|index| self.varies(index)) {
            let ExprKind::Index(array, index) = &e.kind else { unreachable!("it is an index") };
            let (array, index) = (self.expr(array, self.varies(array)), self.expr(index, false));
            return hygienic!((#array)[#index]);
        }
        let varies = self.varies(array);
        let array = self.expr(array, varies);
        let varying: Vec<bool> = indices.iter().map(|index| self.varies(index)).collect();
        let operands = self.operands(&indices, false);
        let names: Vec<Ident> = (0..operands.len()).map(operand_name).collect();
        let held = names.iter().map(|name| hygienic!(#name)).collect();
        let each = self.each(true, held, &varying, |_, one| match varies {
            true => hygienic!(__op2::Lanes::<W>::lane(&array #([#one])*, lane)),
            false => hygienic!(array #([#one])*),
        });
        hygienic!({ #(let #names = #operands;)* let array = &(#array); #each })
    }

    /// `row[index]`, `row[index][index]`: one lane after the other.
    fn entry_of_row(&mut self, row: &Expr, indices: &[&Expr]) -> TokenStream {
        let row = self.expr(row, true);
        let varying: Vec<bool> = indices.iter().map(|index| self.varies(index)).collect();
        let operands = self.operands(indices, false);
        let names: Vec<Ident> = (0..operands.len()).map(operand_name).collect();
        let held = names.iter().map(|name| hygienic!(#name)).collect();
        let each = self.each(true, held, &varying, |_, one| {
            let (index, inside) = one.split_first().expect("an entry has an index");
            hygienic!(row.at(lane, #index) #([#inside])*)
        });
        hygienic!({ #(let #names = #operands;)* let row = &(#row); #each })
    }

    /// An element of a constant of unknown length.
    fn entry(&mut self, part: &Part<'_>) -> TokenStream {
        let varying: Vec<bool> = part.indices.iter().map(|index| self.varies(index)).collect();
        let operands = self.operands(&part.indices, false);
        if varying.contains(&true) {
            self.each(true, operands, &varying, |_, one| part.at(one))
        } else {
            part.at(&operands)
        }
    }

    fn call(&mut self, id: FuncId, args: &[Expr]) -> TokenStream {
        let key = self.varied.key(self.instance(), id, args, self.masked());
        let called = self.varied.find(&key).expect("`vary` asked for it");
        self.called.insert(called);
        let callee = &self.varied.instances[called];
        let unit = self.varied.unit;
        let args: Vec<TokenStream> =
            args.iter().enumerate().map(|(n, arg)| self.expr(arg, callee.takes_lanes(unit, n))).collect();
        let mask = self.mask().map(|mask| hygienic!(#mask,));
        let params = unit.funcs[id.0].passed_params();
        let params = (!params.is_empty()).then(|| hygienic!(::<W #(, #params)*>));
        let name = super::name(self.varied, called);
        hygienic!(#name #params (w, #mask #(#args),*))
    }

    fn intrinsic(&mut self, e: &Expr, function: Intrinsic, args: &[Expr]) -> TokenStream {
        let receiver = args.first().map(|a| a.ty.clone()).unwrap_or(Ty::Unit);
        let parts: Vec<&Expr> = args.iter().collect();
        if is_float(&receiver) && has_instruction(function) {
            let operands = self.operands(&parts, true);
            if function == Intrinsic::Clamp {
                return self.clamp(&receiver, operands);
            }
            let (first, others) = operands.split_first().expect("a method has a receiver");
            let name = Ident::new(function.name(), Span::mixed_site());
            return hygienic!((#first).#name(#(#others),*));
        }
        let operands = self.operands(&parts, false);
        let varying: Vec<bool> = parts.iter().map(|part| self.varies(part)).collect();
        let path = self.body.library(function, &receiver);
        self.each(!is_float(&e.ty), operands, &varying, |_, one| hygienic!(#path(#(#one),*)))
    }

    /// `x.clamp(low, high)`, which panics where the bounds are in the wrong order, or none.
    fn clamp(&mut self, ty: &Ty, operands: Vec<TokenStream>) -> TokenStream {
        let asked = self.mask().map(|mask| hygienic!(#mask &));
        let path = self.body.library(Intrinsic::Clamp, ty);
        let one =
            [hygienic!(x), hygienic!(low), hygienic!(high)].map(|of| hygienic!(__op2::Lanes::<W>::lane(&#of, lane)));
        hygienic! {{
            let (x, low, high) = (#(#operands),*);
            let wrong = #asked !low.le(high);
            if wrong.any() {
                __op2::each_of(w, wrong, |lane| #path(#(#one),*));
            }
            x.clamp(low, high)
        }}
    }
}

fn operand_name(n: usize) -> Ident {
    Ident::new(&format!("operand{n}"), Span::mixed_site())
}

/// One lane's value of an operand.
fn one(name: &Ident, varies: bool) -> TokenStream {
    if varies { hygienic!(__op2::Lanes::<W>::lane(&#name, lane)) } else { hygienic!(#name) }
}

/// Whether there is an operation on lanes.
pub(super) fn is_vector(op: Binary, ty: &Ty) -> bool {
    use Binary::{Add, BitAnd, BitOr, BitXor, Div, Eq, Mul, Ne, Sub};
    match ty {
        ty if is_float(ty) => op.is_comparison() || matches!(op, Add | Sub | Mul | Div),
        ty if is_bool(ty) => matches!(op, BitAnd | BitOr | BitXor | Eq | Ne),
        _ => op.is_comparison(),
    }
}

fn has_instruction(function: Intrinsic) -> bool {
    use Intrinsic::{
        Abs, Ceil, Clamp, Copysign, Floor, Fract, IsFinite, IsInfinite, IsNan, IsSignNegative, Max, Min, MulAdd, Recip,
        Round, Signum, Sqrt, ToDegrees, ToRadians, Trunc,
    };
    matches!(
        function,
        Abs | Ceil
            | Clamp
            | Copysign
            | Floor
            | Fract
            | IsFinite
            | IsInfinite
            | IsNan
            | IsSignNegative
            | Max
            | Min
            | MulAdd
            | Recip
            | Round
            | Signum
            | Sqrt
            | ToDegrees
            | ToRadians
            | Trunc
    )
}

pub(super) fn is_float(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(s) if s.is_float())
}

fn is_bool(ty: &Ty) -> bool {
    *ty == Ty::Scalar(Scalar::Bool)
}

/// An array, and the indices that lead to an element of it.
fn indexed(e: &Expr) -> (&Expr, Vec<&Expr>) {
    match &e.kind {
        ExprKind::Index(array, index) => {
            let (array, mut indices) = indexed(array);
            indices.push(index);
            (array, indices)
        }
        _ => (e, Vec::new()),
    }
}
