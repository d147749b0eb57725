//! Functions that run a kernel for several elements at once: varying scalars of the IR become vectors, according to
//! [`vary`](crate::vary). Code in which nothing varies is that of `rust`.
//!
//! | what varies | what is written |
//! | --- | --- |
//! | a number, a flag | `V<W, T>`, `Mask<W>`; arrays and tuples of them |
//! | arithmetic of floats, comparisons | operators and methods of the lanes |
//! | arithmetic of integers, functions of the library | one lane after the other, so that it wraps, saturates and panics as for one element |
//! | `if` | both sides, each with its mask; one that costs more than the question is left out if no lane took it |
//! | a row of any length | one for each lane; its entries are read and changed one lane after the other |
//! | a loop | rounds as long as a lane is in it, with a mask of those that are |
//! | `return`, `break`, `continue` | lanes are switched off, and what is left is done for the others |
//!
//! A mask is a local of the function. A jump removes its lanes from all masks up to its target.

mod control;
mod expr;
mod jump;
mod place;

use super::types::{is_known, lending, record, record_type};
use super::{Body, Functions, float_param};
use crate::ir::{Expr, ExprKind, FuncId, Len, LocalId, LoopId, Scalar, Ty, Unit};
use crate::vary::{Instance, Varied, has_value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use std::collections::{BTreeMap, BTreeSet};

/// The reason why functions of a unit cannot be written for lanes, beyond those that `vary` finds.
pub fn obstacle(unit: &Unit) -> Option<String> {
    Functions::obstacle(unit)
}

/// All functions that the kernel needs in lanes, it itself as [`name`] says.
pub fn functions(varied: &Varied<'_>, carrier: &TokenStream) -> TokenStream {
    let functions = Functions::of_lanes(varied.unit, carrier);
    let (mut open, mut plain) = (vec![0], BTreeSet::new());
    let mut next = 0;
    let mut items = TokenStream::new();
    while let Some(&at) = open.get(next) {
        let mut writer = Writer::new(&functions, varied, at);
        items.extend(writer.function());
        let called = writer.called.into_iter().filter(|n| !open.contains(n)).collect::<Vec<_>>();
        open.extend(called);
        plain.extend(writer.plain);
        next += 1;
    }
    let more: Vec<FuncId> = functions.called(&plain.iter().copied().collect::<Vec<_>>());
    plain.extend(more);
    items.extend(plain.into_iter().map(|id| functions.function(id, None)));
    items
}

/// The name of an instance.
pub fn name(varied: &Varied<'_>, instance: usize) -> Ident {
    use syn::ext::IdentExt;
    let func = &varied.unit.funcs[varied.instances[instance].key.func.0];
    format_ident!("{}_lanes_{instance}", func.name.unraw(), span = Span::mixed_site())
}

/// The code around the present point.
enum Frame {
    /// Code of which some lanes may be off.
    Region { mask: Ident },
    /// A loop that lanes leave in different rounds, and the lanes that are still in it.
    Loop { id: LoopId, going: Ident },
}

/// Writes one instance.
struct Writer<'a> {
    varied: &'a Varied<'a>,
    at: usize,
    body: Body<'a>,
    frames: Vec<Frame>,
    /// The regions met so far, the present one, and where locals were declared, counted as `vary` does.
    regions: usize,
    region: usize,
    declared: BTreeMap<LocalId, usize>,
    /// Instances, and functions as they are for one element, that are called.
    called: BTreeSet<usize>,
    plain: BTreeSet<FuncId>,
}

impl<'a> Writer<'a> {
    fn new(functions: &'a Functions<'a>, varied: &'a Varied<'a>, at: usize) -> Self {
        let id = varied.instances[at].key.func;
        let body = Body { functions, func: &varied.unit.funcs[id.0], id };
        Writer {
            varied,
            at,
            body,
            frames: Vec::new(),
            regions: 0,
            region: 0,
            declared: BTreeMap::new(),
            called: BTreeSet::new(),
            plain: BTreeSet::new(),
        }
    }

    fn function(&mut self) -> TokenStream {
        let (func, instance) = (self.body.func, self.instance());
        let masked = instance.key.masked;
        let params: Vec<TokenStream> = (0..func.params.len()).map(|n| self.param(n)).collect();
        func.params.iter().for_each(|param| self.declare(param.local));
        let mask = masked.then(|| hygienic!(mut mask0: __op2::Mask<W>,));
        let start = (!masked && instance.returns).then(|| hygienic!(let mut mask0 = __op2::Mask::all_of(w);));
        if masked || instance.returns {
            self.frames.push(Frame::Region { mask: mask_name(0) });
        }
        let result = instance.returns && has_value(&func.ret);
        let held = result.then(|| {
            let (ty, zero) = (self.ty(&func.ret, true), self.zero(&func.ret));
            hygienic!(let mut result: #ty = #zero;)
        });
        let lanes = instance.result;
        let block = self.block(&func.body, lanes, &func.ret);
        let block = match (result, &func.body.ty) {
            (false, _) => block,
            (true, Ty::Never) => hygienic!({ #block; result }),
            (true, _) => hygienic!({ let tail = #block; __op2::Lanes::<W>::select(mask0, tail, result) }),
        };
        let lends = !func.lends.is_empty();
        let lifetime = lends.then(|| hygienic!('lent,));
        let own = func.declared_params();
        let ret = has_value(&func.ret).then(|| {
            let lifetime = if lends { hygienic!('lent) } else { hygienic!('static) };
            let ty = lending(self.ty(&func.ret, lanes), &lifetime);
            hygienic!(-> #ty)
        });
        let name = name(self.varied, self.at);
        hygienic! {
            #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
            #[inline(always)]
            fn #name<#lifetime W: __op2::Width #(, #own)*>(w: W, #mask #(#params),*) #ret { #start #held #block }
        }
    }

    fn param(&self, n: usize) -> TokenStream {
        let param = &self.body.func.params[n];
        let ty = self.ty(&param.ty, self.varies_local(param.local));
        let ty = if self.body.func.lends.contains(&n) { lending(ty, &hygienic!('lent)) } else { ty };
        let name = self.body.local(param.local);
        hygienic!(mut #name: #ty)
    }

    fn instance(&self) -> &'a Instance {
        &self.varied.instances[self.at]
    }

    fn varies(&self, e: &Expr) -> bool {
        self.varied.varies(self.instance(), e, self.masked())
    }

    fn varies_local(&self, id: LocalId) -> bool {
        self.instance().locals[id.0]
    }

    fn is_plain(&self, e: &Expr) -> bool {
        self.varied.is_plain(self.instance(), e, self.masked())
    }

    /// Whether some lanes may be off here.
    fn masked(&self) -> bool {
        self.mask().is_some()
    }

    /// The mask of what is being written.
    fn mask(&self) -> Option<&Ident> {
        self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Region { mask } => Some(mask),
            Frame::Loop { .. } => None,
        })
    }

    fn declare(&mut self, local: LocalId) {
        self.declared.insert(local, self.region);
    }

    /// Enters a region, and names its mask.
    fn enter(&mut self) -> Ident {
        self.regions += 1;
        self.region = self.regions;
        let mask = mask_name(self.region);
        self.frames.push(Frame::Region { mask: mask.clone() });
        mask
    }

    /// Goes back to the region outside.
    fn exit(&mut self, outer: usize) {
        self.frames.pop();
        self.region = outer;
    }

    /// An expression, as lanes if they are asked for.
    fn expr(&mut self, e: &Expr, lanes: bool) -> TokenStream {
        if self.is_plain(e) {
            return self.plain(e, lanes);
        }
        // Each branch gives its value in the form that is asked for.
        let control = matches!(&e.kind, ExprKind::Block(_) | ExprKind::If(..) | ExprKind::IfSome(..));
        if control || !lanes || self.varies(e) || !has_value(&e.ty) {
            return self.varying(e, lanes);
        }
        let value = self.varying(e, false);
        spread(value, &e.ty)
    }

    /// An expression in which nothing varies.
    fn plain(&mut self, e: &Expr, lanes: bool) -> TokenStream {
        let mut calls = Vec::new();
        e.walk(&mut |part| match &part.kind {
            ExprKind::Call(id, _) => calls.push(*id),
            ExprKind::Loop(l) => {
                if let crate::ir::LoopKind::For { var, .. } = &l.kind {
                    self.declared.insert(*var, self.region);
                }
            }
            _ => {}
        });
        self.plain.extend(calls);
        let value = self.body.expr(e);
        if lanes && has_value(&e.ty) { spread(value, &e.ty) } else { value }
    }

    /// A type, of lanes or of one value.
    fn ty(&self, ty: &Ty, lanes: bool) -> TokenStream {
        if !lanes {
            return self.body.ty(ty);
        }
        let inner = |ty: &Ty| self.ty(ty, true);
        match ty {
            Ty::Scalar(Scalar::Bool) => hygienic!(__op2::Mask<W>),
            Ty::Scalar(_) => {
                let ty = self.body.ty(ty);
                hygienic!(__op2::V<W, #ty>)
            }
            Ty::Array(item, Len::Row) => {
                let item = self.body.ty(item);
                hygienic!(__op2::RowPack<W, #item>)
            }
            Ty::Array(item, len) => {
                let (item, len) = (inner(item), self.body.len(len));
                hygienic!([#item; #len])
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(inner);
                hygienic!((#(#parts,)*))
            }
            Ty::Record(_, fields) => record_type(fields.iter().map(inner)),
            Ty::Ref(mutable, target) => {
                let (mutable, target) = (mutable.then(|| hygienic!(mut)), inner(target));
                hygienic!(&#mutable #target)
            }
            Ty::Option(value) => {
                let value = inner(value);
                hygienic!(::core::option::Option<#value>)
            }
            Ty::ArgBest(..) => {
                let best = self.body.ty(ty);
                hygienic!(__op2::LanesOf<W, #best>)
            }
            // All lanes have the same one.
            Ty::Unit | Ty::Never | Ty::Infer(_) | Ty::Table(_) => self.body.ty(ty),
        }
    }

    /// `: T` of a local, as far as the type can be stated.
    fn stated(&self, ty: &Ty, lanes: bool) -> Option<TokenStream> {
        is_known(ty).then(|| {
            let ty = self.ty(ty, lanes);
            hygienic!(: #ty)
        })
    }

    /// Lanes of zeros, or one value of them.
    fn zero_as(&self, ty: &Ty, lanes: bool) -> TokenStream {
        match ty {
            _ if lanes => self.zero(ty),
            // Only the compiler knows the lengths.
            ty if !is_known(ty) => hygienic!(__op2::Spread::<W>::off()),
            Ty::Array(item, len) => {
                let (item, len) = (self.zero_as(item, false), self.body.len(len));
                hygienic!([#item; #len])
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.zero_as(part, false));
                hygienic!((#(#parts,)*))
            }
            Ty::Record(_, fields) => record(fields.iter().map(|field| self.zero_as(field, false))),
            _ => self.one_zero(ty),
        }
    }

    /// Lanes of zeros.
    fn zero(&self, ty: &Ty) -> TokenStream {
        match ty {
            ty if !is_known(ty) => hygienic!(__op2::Lanes::<W>::off(w)),
            Ty::Scalar(Scalar::Bool) => hygienic!(__op2::Mask::none(w)),
            Ty::Array(item, len) => {
                let (item, len) = (self.zero(item), self.body.len(len));
                hygienic!([#item; #len])
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.zero(part));
                hygienic!((#(#parts,)*))
            }
            Ty::Record(_, fields) => record(fields.iter().map(|field| self.zero(field))),
            _ => {
                let zero = self.one_zero(ty);
                hygienic!(__op2::Spread::<W>::spread(#zero, w))
            }
        }
    }

    /// Zero of a scalar type.
    fn one_zero(&self, ty: &Ty) -> TokenStream {
        match ty {
            Ty::Scalar(Scalar::Generic(n)) => {
                let float = float_param(*n);
                hygienic!(<#float as __op2::Float>::lit(0.0))
            }
            Ty::Scalar(Scalar::Bool) => hygienic!(false),
            ty => {
                let ty = self.body.ty(ty);
                hygienic!((0 as #ty))
            }
        }
    }
}

/// One value, or a reference to one, as lanes.
fn spread(value: TokenStream, ty: &Ty) -> TokenStream {
    match ty {
        Ty::Ref(..) => hygienic!(&__op2::Spread::<W>::spread(*(#value), w)),
        _ => hygienic!(__op2::Spread::<W>::spread(#value, w)),
    }
}

fn mask_name(region: usize) -> Ident {
    format_ident!("mask{region}", span = Span::mixed_site())
}
