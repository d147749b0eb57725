//! Rust from the typed IR: stages of kernels, and the device functions that they call.
//!
//! The plain loop needs none of this, since it calls the user's own function. The generated code has the meaning of the
//! user's text, operator by operator, so results have the same bits: it wraps, saturates, rounds and panics as Rust
//! does.
//!
//! | construct | where |
//! | --- | --- |
//! | functions, their parameters and calls | here |
//! | types | `types` |
//! | expressions | `expr` |
//! | statements, branches, loops | `control` |
//! | literals, limits of types | `literal` |
//! | constants | `constants` |
//! | the same for several elements at once | `lanes` |
//!
//! Locals are named after the user's, with their number, so that shadowing plays no part. Literals have their suffix.
//! Names are looked up in the scope of the loop only by full paths, also those of constants (`constants`). The float types of
//! a generic kernel are `F`, `F1`, … in all functions.

mod constants;
mod control;
mod expr;
pub mod lanes;
mod literal;
mod types;

use crate::ir::{Expr, ExprKind, Func, FuncId, Len, Local, LocalId, Scalar, Ty, Unit};
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use syn::ext::IdentExt;

pub use constants::{carried, carrier, length_at, length_name, value_of};
use types::lending;
pub use types::{INDEX, float_param, length_param};

/// The functions of a checked unit in Rust, the kernel first, each under its name and number (`res_calc_0`). `carrier` is a type
/// with the items of [`carried`].
///
/// # Errors
/// Why they cannot be written: a constant whose length the generator does not know is used as a whole.
pub fn functions(unit: &Unit, carrier: &TokenStream) -> Result<TokenStream, String> {
    if let Some(obstacle) = Functions::obstacle(unit) {
        return Err(obstacle);
    }
    let functions = Functions::new(unit, carrier);
    Ok((0..unit.funcs.len()).map(|f| functions.function(FuncId(f), None)).collect())
}

/// A type of the unit's first function, outside of it. `carrier` is a type with the items of [`carried`].
pub fn type_at(unit: &Unit, ty: &Ty, carrier: &TokenStream) -> TokenStream {
    Functions::new(unit, carrier).value_type(ty)
}

/// A value of a type of the unit's first function, in code that never runs. It has the user's own records, which only the
/// carriers of the records can name; `private` has the run time's items.
pub fn value_at(unit: &Unit, ty: &Ty, carrier: &TokenStream, private: &TokenStream) -> TokenStream {
    let inner = |ty: &Ty| value_at(unit, ty, carrier, private);
    match ty {
        Ty::Record(record, fields) => {
            let float = fields.iter().find_map(Ty::first_float).filter(|_| record.is_generic).map(types::scalar);
            let (record, float) = (constants::carrier(record.site, private), float.map(|float| hygienic!(::<#float>)));
            hygienic!(#record::__value #float())
        }
        ty if !ty.has_record() => {
            let ty = type_at(unit, ty, carrier);
            hygienic!({ let value: #ty = ::core::unreachable!(); value })
        }
        Ty::Array(item, len) => {
            let (item, len) = (inner(item), Functions::new(unit, carrier).length(len));
            hygienic!([#item; #len])
        }
        Ty::Tuple(parts) => {
            let parts = parts.iter().map(inner);
            hygienic!((#(#parts,)*))
        }
        Ty::Ref(mutable, target) => {
            let (mutable, target) = (mutable.then(|| hygienic!(mut)), inner(target));
            hygienic!(&#mutable #target)
        }
        _ => hygienic!(::core::unreachable!()),
    }
}

/// The functions of a unit in Rust.
pub(super) struct Functions<'a> {
    unit: &'a Unit,
    /// The type that carries the constants.
    carrier: &'a TokenStream,
    /// Whether they are compiled for instruction sets beyond the baseline, with the run time at hand.
    lanes: bool,
}

impl<'a> Functions<'a> {
    pub(super) fn new(unit: &'a Unit, carrier: &'a TokenStream) -> Self {
        Functions { unit, carrier, lanes: false }
    }

    /// The functions that lanes share.
    fn of_lanes(unit: &'a Unit, carrier: &'a TokenStream) -> Self {
        Functions { unit, carrier, lanes: true }
    }

    /// The reason why functions of the unit cannot be generated, if there is one.
    pub(super) fn obstacle(unit: &Unit) -> Option<String> {
        unit.funcs.iter().find_map(constants::obstacle)
    }

    /// The name of a function.
    pub(super) fn name(&self, id: FuncId) -> Ident {
        format_ident!("{}_{}", self.unit.funcs[id.0].name.unraw(), id.0, span = Span::mixed_site())
    }

    /// All functions that some functions call, themselves not included.
    pub(super) fn called(&self, by: &[FuncId]) -> Vec<FuncId> {
        let mut found = Vec::new();
        by.iter().for_each(|id| self.collect(*id, &mut found));
        found
    }

    fn collect(&self, id: FuncId, found: &mut Vec<FuncId>) {
        let mut here = Vec::new();
        self.unit.funcs[id.0].body.walk(&mut |e: &Expr| {
            if let ExprKind::Call(callee, _) = e.kind {
                here.push(callee);
            }
        });
        for callee in here {
            if !found.contains(&callee) {
                found.push(callee);
                self.collect(callee, found);
            }
        }
    }

    /// A type of the kernel. Outside of a function its lengths are known by the carrier, its float types by their names.
    pub(super) fn value_type(&self, ty: &Ty) -> TokenStream {
        Body { functions: self, func: &self.unit.funcs[0], id: FuncId(0) }.ty(ty)
    }

    /// A length in a type of the kernel.
    pub(super) fn length(&self, len: &Len) -> TokenStream {
        Body { functions: self, func: &self.unit.funcs[0], id: FuncId(0) }.len(len)
    }

    /// A value of zeros of a scalar type of the kernel, or of arrays of them. Outside of a function, where locals tell the
    /// float types of a generic kernel ([`told`]).
    pub(super) fn zero(&self, ty: &Ty) -> TokenStream {
        let kernel = Body { functions: self, func: &self.unit.funcs[0], id: FuncId(0) };
        match ty {
            Ty::Array(item, Len::Param(n)) => {
                let (item, length) = (self.zero(item), told_length(*n));
                hygienic!(__op2::zeros(#length, #item))
            }
            Ty::Array(item, len) => {
                let (item, len) = (self.zero(item), kernel.len(len));
                hygienic!([#item; #len])
            }
            Ty::Scalar(Scalar::Generic(n)) => {
                let float = told(*n);
                hygienic!(__op2::zero(#float))
            }
            Ty::Scalar(Scalar::Bool) => hygienic!(false),
            ty => {
                let ty = kernel.ty(ty);
                hygienic!(0 as #ty)
            }
        }
    }

    /// A function as an item. `first` are parameters before its own.
    pub(super) fn function(&self, id: FuncId, first: Option<TokenStream>) -> TokenStream {
        let func = &self.unit.funcs[id.0];
        let body = Body { functions: self, func, id };
        let lends = !func.lends.is_empty();
        let lifetime = lends.then(|| hygienic!('lent,));
        let own = func.declared_params();
        let generics = (lends || !own.is_empty()).then(|| hygienic!(<#lifetime #(#own),*>));
        let params = func.params.iter().enumerate().map(|(n, param)| {
            let (name, mutable) = (body.local(param.local), body.mutable(param.local));
            let ty = body.ty(&param.ty);
            let ty = if func.lends.contains(&n) { lending(ty, &hygienic!('lent)) } else { ty };
            hygienic!(#mutable #name: #ty)
        });
        let params = first.into_iter().chain(params);
        let ret = body.result(&func.ret, lends);
        let (name, block) = (self.name(id), body.block(&func.body));
        hygienic! {
            #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
            #[inline(always)]
            fn #name #generics (#(#params),*) #ret #block
        }
    }
}

impl Func {
    /// Its type and const parameters, as it declares them.
    pub(super) fn declared_params(&self) -> Vec<TokenStream> {
        let floats = (0..).zip(&self.floats).map(|(n, _)| float_param(n)).map(|float| hygienic!(#float: __op2::Float));
        let lens = (0..self.lens.len()).map(length_param);
        floats.chain(lens.map(|len| hygienic!(const #len: ::core::primitive::usize))).collect()
    }

    /// The same, as a call passes them.
    pub(super) fn passed_params(&self) -> Vec<TokenStream> {
        let floats = (0..).zip(&self.floats).map(|(n, _)| float_param(n));
        let lens = (0..self.lens.len()).map(length_param);
        floats.chain(lens).map(|name| hygienic!(#name)).collect()
    }
}

/// The local that tells a length of the kernel where no function has it as a parameter.
pub(in crate::emit) fn told_length(n: usize) -> Ident {
    format_ident!("length{n}", span = Span::mixed_site())
}

/// The local that tells a float type of the kernel where no function has it as a parameter.
pub(in crate::emit) fn told(n: u8) -> Ident {
    let name = if n == 0 { "float".to_owned() } else { format!("float{n}") };
    Ident::new(&name, Span::mixed_site())
}

/// The context inside a function.
struct Body<'a> {
    functions: &'a Functions<'a>,
    func: &'a Func,
    id: FuncId,
}

impl Body<'_> {
    /// The name of a local.
    fn local(&self, id: LocalId) -> Ident {
        let Local { name, .. } = &self.func.locals[id.0];
        let name = name.unraw().to_string();
        let name = if name == "_" { "unused" } else { &name };
        format_ident!("{name}_{}", id.0, span = Span::mixed_site())
    }

    /// `mut`, if a local is declared so.
    fn mutable(&self, id: LocalId) -> Option<TokenStream> {
        self.func.locals[id.0].mutable.then(|| hygienic!(mut))
    }

    /// A call; the kernel's parameters are passed on by name.
    fn call(&self, id: FuncId, args: &[Expr]) -> TokenStream {
        let name = self.functions.name(id);
        let params = self.functions.unit.funcs[id.0].passed_params();
        let params = (!params.is_empty()).then(|| hygienic!(::<#(#params),*>));
        let args = args.iter().map(|arg| self.expr(arg));
        hygienic!(#name #params (#(#args),*))
    }
}
