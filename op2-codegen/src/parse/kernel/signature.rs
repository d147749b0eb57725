//! Signatures of kernels and device functions.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{
    ConstParam, FnArg, GenericParam, Generics, Pat, PatType, Receiver, ReceiverKind, ReturnType, Safety, Signature,
};
use syn::{TypeParam, TypeParamBound};

use crate::ir::{Len, Param, Record, Scalar, Ty, print};

use super::FnKind;
use super::pattern::names;
use super::scope::FnParser;
use super::types::Position;

/// The parameters into which a returned reference may lead: those that share a lifetime with the result.
pub(super) fn lends(sig: &Signature) -> Vec<usize> {
    let ReturnType::Type(_, result) = &sig.output else { return Vec::new() };
    let result = References::of(result);
    // An elided lifetime is that of `self`, if it is a reference.
    if let Some(receiver) = sig.receiver()
        && result.any
        && result.names.is_empty()
        && References::of_receiver(receiver).any
    {
        return vec![0];
    }
    // If one lifetime outlives another, the result may come from a parameter with either.
    let ordered = sig.generics.lifetimes().any(|l| !l.bounds.is_empty());
    let shares = |input: &FnArg| {
        let param = match input {
            FnArg::Typed(param) => References::of(&param.ty),
            FnArg::Receiver(receiver) => References::of_receiver(receiver),
        };
        let named = param.names.iter().any(|name| ordered || result.names.contains(name));
        result.any && param.any && (named || result.names.is_empty())
    };
    (0..).zip(&sig.inputs).filter(|(_, input)| shares(input)).map(|(n, _)| n).collect()
}

/// The references in a type.
#[derive(Default)]
struct References {
    any: bool,
    /// Their lifetimes, as far as they have names.
    names: Vec<Ident>,
}

impl References {
    /// Those of a `self` whose type is stated.
    fn of_receiver(receiver: &Receiver) -> Self {
        match &receiver.kind {
            ReceiverKind::Typed(_, ty) => References::of(ty),
            _ => References::default(),
        }
    }

    fn of(ty: &syn::Type) -> Self {
        let mut references = References::default();
        references.visit_type(ty);
        references
    }
}

impl<'a> Visit<'a> for References {
    fn visit_type_reference(&mut self, reference: &'a syn::TypeReference) {
        self.any = true;
        self.names.extend(reference.lifetime.iter().map(|l| l.ident.clone()).filter(|name| name != "_"));
        syn::visit::visit_type_reference(self, reference);
    }
}

impl FnParser<'_> {
    /// Parameters, bound as locals, and the result type.
    pub(super) fn signature(&mut self, sig: &Signature) -> (Vec<Param>, Ty) {
        self.qualifiers(sig);
        self.generics(&sig.generics);
        let mut params = Vec::new();
        for input in &sig.inputs {
            match input {
                FnArg::Typed(typed) => params.push(self.param(typed)),
                FnArg::Receiver(Receiver { mutability, self_token, kind: ReceiverKind::Typed(_, written), .. })
                    if self.kind == FnKind::Method =>
                {
                    let name = Ident::from(*self_token);
                    let ty = self.ty(written, Position::Device);
                    let local = self.bind(&name, ty.clone(), mutability.is_some());
                    params.push(Param { local, name, ty, written: print::tokens(written), indices: None });
                }
                FnArg::Receiver(receiver) => {
                    let message = "parameter `self`: a kernel is a free function; pass the values \
                                   that it needs as arguments";
                    self.errors.at(receiver.self_token.span(), message);
                }
            }
        }
        let ret = self.ret(&sig.output);
        // A call of a device function can state them.
        if self.kind != FnKind::DeviceFn {
            for n in 0..self.lens.len() {
                let has = |ty: &Ty| ty.has_length(&Len::Param(n)) || ty.has_hole();
                let by_result = self.kind == FnKind::Method && has(&ret);
                if !by_result && !params.iter().any(|param| has(&param.ty)) {
                    let name = &self.lens[n];
                    let message = format!(
                        "const parameter `{name}` is the length of no argument, which would tell it: use a constant, \
                         `const {name}: usize = …;`"
                    );
                    self.errors.at(name.span(), message);
                }
            }
        }
        if self.kind == FnKind::Kernel {
            for (n, name) in (0u8..).zip(self.floats.clone()) {
                let has = |ty: &Ty| ty.has_scalar(Scalar::Generic(n)) || ty.has_hole();
                if !params.iter().any(|param| has(&param.ty)) {
                    let message =
                        format!("type parameter `{name}` occurs in no argument, which would tell its type: remove it");
                    self.errors.at(name.span(), message);
                }
            }
        }
        (params, ret)
    }

    fn kind_name(&self) -> &'static str {
        match self.kind {
            FnKind::Kernel => "a kernel",
            FnKind::DeviceFn => "a device function",
            FnKind::Method => "a method",
            FnKind::Declaration => "a declared type",
        }
    }

    fn qualifiers(&mut self, sig: &Signature) {
        let kind = self.kind_name();
        let mut refuse = |span: Option<proc_macro2::Span>, word: &str, cure: &str| {
            if let Some(span) = span {
                self.errors.at(span, format!("{kind} cannot be `{word}`: {cure}"));
            }
        };
        let plain = "expected a plain `fn`, remove it";
        refuse(sig.constness.map(|t| t.span()), "const", plain);
        refuse(sig.asyncness.map(|t| t.span()), "async", plain);
        let safety = match &sig.safety {
            Safety::Unsafe(token) => Some(token.span()),
            Safety::Safe(token) => Some(token.span()),
            Safety::Default => None,
        };
        refuse(safety, "unsafe", "nothing in the kernel language needs it, remove it");
        refuse(sig.abi.as_ref().map(|abi| abi.extern_token.span()), "extern", plain);
        refuse(sig.variadic.as_ref().map(|v| v.span()), "variadic", "list the parameters");
    }

    fn generics(&mut self, generics: &Generics) {
        if let Some(clause) = &generics.where_clause {
            let message = "`where` clauses are not part of the kernel language: write the bound \
                           at the parameter, `<F: Float>`";
            self.errors.at(clause.where_token.span(), message);
        }
        let mut types = 0;
        for param in &generics.params {
            match param {
                GenericParam::Type(param) => {
                    types += 1;
                    self.type_param(param, types);
                }
                GenericParam::Lifetime(param) if self.kind == FnKind::Kernel => {
                    let message =
                        format!("lifetime `{}`: a kernel keeps no reference, leave its lifetimes out", param.lifetime);
                    self.errors.at(param.lifetime.span(), message);
                }
                GenericParam::Lifetime(_) => {}
                GenericParam::Const(param) => self.const_param(param),
            }
        }
    }

    fn const_param(&mut self, param: &ConstParam) {
        let name = &param.ident;
        let message = match (self.kind, print::tokens(&param.ty).as_str()) {
            (FnKind::Declaration, _) => format!(
                "const parameter `{name}` of a declared type: expected none, use a constant (`const {name}: usize = …;`)"
            ),
            (_, "usize") if param.default.is_none() => {
                self.lens.push(name.clone());
                return;
            }
            (_, ty) => format!("const parameter `{name}: {ty}`: expected `{name}: usize`, the length of an array"),
        };
        self.errors.at(name.span(), message);
    }

    fn type_param(&mut self, param: &TypeParam, count: usize) {
        let name = &param.ident;
        if count > 1 && self.kind == FnKind::Declaration {
            let message = format!("type parameter `{name}`: expected at most one, the float type; found {count}");
            self.errors.at(name.span(), message);
            return;
        }
        let bounds: Vec<&TypeParamBound> = param.bounds.iter().collect();
        let is_float = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(t) => {
                t.path.segments.last().is_some_and(|s| s.ident == "Float" && s.arguments.is_none())
            }
            _ => false,
        };
        match bounds.as_slice() {
            [bound] if is_float(bound) => {
                if let TypeParamBound::Trait(bound) = bound {
                    self.names.float(&bound.path);
                }
            }
            // The functions that mention the type have the bound.
            [] if self.kind == FnKind::Declaration => {}
            [] => {
                self.errors.at(name.span(), format!("type parameter `{name}` has no bound, expected `{name}: Float`"))
            }
            bounds => {
                for bound in bounds.iter().filter(|bound| !is_float(bound)) {
                    let found = print::tokens(bound);
                    let message = format!(
                        "type parameter `{name}` is bounded by `{found}`, expected `Float` alone, \
                         which has everything that kernels compute with"
                    );
                    self.errors.push(syn::Error::new_spanned(bound, message));
                }
            }
        }
        if let Some((_, default)) = &param.default {
            let message = "defaults of type parameters are not part of the kernel language";
            self.errors.push(syn::Error::new_spanned(default, message));
        }
    }

    fn param(&mut self, typed: &PatType) -> Param {
        let (name, mutable) = self.param_name(&typed.pat);
        let ty = match self.kind {
            FnKind::Kernel => self.ty(&typed.ty, Position::KernelParam),
            FnKind::DeviceFn | FnKind::Method | FnKind::Declaration => self.ty(&typed.ty, Position::Device),
        };
        let written = print::tokens(&typed.ty);
        if self.kind == FnKind::Kernel
            && !ty.has_hole()
            && let Err(cure) = kernel_param(&ty)
        {
            let message = format!("kernel parameter `{name}` has type `{written}`: {cure}");
            self.errors.push(syn::Error::new_spanned(&typed.ty, message));
        }
        let local = self.bind(&name, ty.clone(), mutable);
        Param { local, name, ty, written, indices: None }
    }

    fn param_name(&mut self, pat: &Pat) -> (Ident, bool) {
        match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (p.ident.clone(), p.mutability.is_some()),
            Pat::Wild(p) => (Ident::from(p.underscore_token), false),
            other => {
                let message = format!(
                    "parameter pattern `{}`: expected a name; take it apart with `let` in the body",
                    print::tokens(other)
                );
                self.errors.push(syn::Error::new_spanned(other, message));
                // Uses of its names are no further errors.
                for name in names(other) {
                    self.bind(name, Ty::HOLE, true);
                }
                (Ident::new("_", other.span()), false)
            }
        }
    }

    fn ret(&mut self, output: &ReturnType) -> Ty {
        let ReturnType::Type(_, ty) = output else { return Ty::Unit };
        match self.kind {
            FnKind::DeviceFn | FnKind::Method | FnKind::Declaration => self.ty(ty, Position::Device),
            FnKind::Kernel => {
                let message = format!(
                    "a kernel returns nothing, found `-> {}`: write results through `&mut` \
                     parameters",
                    print::tokens(ty)
                );
                let mut tokens = proc_macro2::TokenStream::new();
                output.to_tokens(&mut tokens);
                self.errors.push(syn::Error::new_spanned(tokens, message));
                Ty::Unit
            }
        }
    }
}

/// Whether a type can be a loop's argument; the error says what to write instead.
fn kernel_param(ty: &Ty) -> Result<(), String> {
    match ty {
        Ty::Scalar(s) if s.is_int() || s.is_index() => Ok(()),
        Ty::Scalar(_) => Err(by_reference("only an index (`usize`) is passed by value")),
        Ty::Ref(true, inner) if matches!(**inner, Ty::ArgBest(..)) => {
            let Ty::ArgBest(_, best, payload) = &**inner else { return Ok(()) };
            value(best, false).and_then(|()| value(payload, true))
        }
        Ty::ArgBest(..) => Err("expected `&mut ArgMin<V, P>` or `&mut ArgMax<V, P>`".to_string()),
        Ty::Option(inner) => {
            match &**inner {
                table if table.is_table() => kernel_param(table),
                Ty::Ref(_, v) => value(v, false),
                Ty::Array(inner, _) if matches!(**inner, Ty::Option(_)) => {
                    Err("expected `[Option<&V>; N]`: `opt(flag, …)` passes options of which none is there if the flag \
                         does not hold"
                        .to_string())
                }
                Ty::Array(inner, _) => all_of_a_map(inner),
                Ty::Scalar(s) if s.is_int() => Ok(()),
                _ => Err("expected `Option<&V>`, `Option<&mut V>`, `Option<[&V; N]>`, or `Option<u32>` of an index"
                    .to_string()),
            }
        }
        Ty::Ref(false, v) if v.is_table() => match &**v {
            Ty::Table(v) => value(v, false),
            _ => Ok(()),
        },
        Ty::Ref(true, v) if v.is_table() => Err("a table is read; expected `&Table<S, V>`".to_string()),
        Ty::Ref(_, v) => value(v, false),
        Ty::Array(inner, _) if matches!(**inner, Ty::Ref(..) | Ty::Option(_)) => all_of_a_map(inner),
        // The indices of all entries of a map.
        Ty::Array(item, _) if matches!(&**item, Ty::Scalar(s) if s.is_int() || s.is_index()) => Ok(()),
        // The shift of a pair.
        Ty::Array(item, Len::Lit(2 | 3) | Len::Const(_)) if matches!(&**item, Ty::Scalar(s) if s.is_float()) => Ok(()),
        Ty::Array(..) => Err(by_reference("an array is passed by reference")),
        Ty::Record(record, _) => Err(by_reference(&format!("record `{}` is passed by reference", record.name))),
        Ty::Tuple(_) | Ty::Unit => {
            Err("expected a reference to a scalar or to an array; dats have no tuples".to_string())
        }
        Ty::Table(_) => Err("a table stands behind a reference; expected `&Table<S, V>`".to_string()),
        Ty::Never | Ty::Infer(_) => Ok(()),
    }
}

fn by_reference(reason: &str) -> String {
    format!("{reason}; expected `&V` to read it or `&mut V` to change it")
}

/// The entries of `[&V; N]`, or `[Option<&V>; N]` where they may be missing.
fn all_of_a_map(inner: &Ty) -> Result<(), String> {
    match inner {
        inner if inner.is_row() => {
            Err("a row has all entries of a map already; expected `&Row<V>` or `&mut Row<V>`".to_owned())
        }
        Ty::Ref(_, v) => value(v, false),
        Ty::Option(inner) => match &**inner {
            Ty::Ref(false, v) => value(v, false),
            Ty::Ref(true, _) => {
                let cure = "to change it, take `[&mut V; N]` if it is combined into, or one entry as `Option<&mut V>`";
                Err(format!("an array of options is read; {cure}"))
            }
            Ty::Scalar(s) if s.is_int() => Ok(()),
            _ => Err("expected `[Option<&V>; N]`, or `[Option<u32>; N]` of indices".to_string()),
        },
        _ => Err("expected `[&V; N]` or `[&mut V; N]`, one reference per map entry".to_string()),
    }
}

/// A record as the value of a dat: all of its scalars have one type.
fn held_record(record: &Record, fields: &[Ty]) -> Result<(), String> {
    let name = &record.name;
    for (field, ty) in record.fields.iter().zip(fields) {
        if let Ty::Tuple(_) = ty {
            return Err(format!("field `{field}` of record `{name}` is a tuple, which no dat holds; use a record"));
        }
        if ty.has_scalar(Scalar::Idx) || ty.has_scalar(Scalar::MaybeIdx) {
            return Err(format!("field `{field}` of record `{name}` is an index, which maps hold and dats do not"));
        }
        value(ty, false).map_err(|cure| format!("field `{field}` of record `{name}`: {cure}"))?;
    }
    let first = fields.first().and_then(Ty::elem);
    let other = record.fields.iter().zip(fields).find(|(_, ty)| ty.elem() != first);
    match (first, other) {
        (Some(first), Some((field, other))) => {
            let other = other.elem().map_or("several types", Scalar::name);
            Err(format!(
                "dats hold records whose scalars have one type, found {} and {other} (field `{field}`) in record `{name}`; \
                 keep them in two dats",
                first.name()
            ))
        }
        _ => Ok(()),
    }
}

/// The value of a dat or a global: a scalar, an array, an array of arrays.
fn value(ty: &Ty, payload: bool) -> Result<(), String> {
    match ty {
        Ty::Scalar(Scalar::Usize) if !payload => {
            Err("`usize` is for indices, which are passed by value; dats and globals hold `u64` or `u32`".to_string())
        }
        Ty::Scalar(s) if payload && s.is_index() => {
            Err("an index is no payload of a reduction; take the user's number, `idx()` as `u32`".to_string())
        }
        Ty::Scalar(_) | Ty::Infer(_) => Ok(()),
        Ty::Array(inner, len) => match &**inner {
            Ty::Ref(..) if *len == Len::Row => {
                Err("a row holds values, `&Row<V>` of a dat with values `V`".to_string())
            }
            Ty::Ref(..) => Err("all entries of a map are an array of references by value, `[&V; N]`".to_string()),
            inner => value(inner, payload),
        },
        Ty::Tuple(parts) if payload => parts.iter().try_for_each(|part| value(part, true)),
        Ty::Record(record, _) if payload => Err(format!(
            "record `{}` is no payload of a reduction; expected a scalar, an array or a tuple",
            record.name
        )),
        Ty::Record(record, fields) => held_record(record, fields),
        _ => Err("expected a reference to a scalar, an array or a record".to_string()),
    }
}
