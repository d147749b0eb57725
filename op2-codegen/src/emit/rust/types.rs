//! Types.

use super::Body;
use crate::ir::{Best, Len, Scalar, Ty};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use syn::Index;

impl Body<'_> {
    /// A type.
    pub(super) fn ty(&self, ty: &Ty) -> TokenStream {
        tokens(ty, &|len| self.len(len))
    }

    /// `-> T`, with the lifetime of the parameter that the result borrows from.
    pub(super) fn result(&self, ty: &Ty, lends: bool) -> Option<TokenStream> {
        if *ty == Ty::Unit {
            return None;
        }
        let lifetime = if lends { hygienic!('lent) } else { hygienic!('static) };
        let ty = lending(self.ty(ty), &lifetime);
        Some(hygienic!(-> #ty))
    }

    /// `: T` of a local, as far as the type can be stated: the length of a constant without one follows from its uses.
    pub(super) fn stated(&self, ty: &Ty) -> Option<TokenStream> {
        is_known(ty).then(|| {
            let ty = self.ty(ty);
            hygienic!(: #ty)
        })
    }

    /// The length of an array.
    pub(super) fn len(&self, len: &Len) -> TokenStream {
        match len {
            Len::Lit(n) => number(*n),
            Len::Const(id) => self.length(*id),
            Len::Param(n) => {
                let name = length_param(*n);
                hygienic!(#name)
            }
            Len::Infer(_) | Len::Row => hygienic!(_),
        }
    }
}

/// The name of a float type parameter.
pub fn float_param(n: u8) -> Ident {
    let name = if n == 0 { "F".to_owned() } else { format!("F{n}") };
    Ident::new(&name, Span::mixed_site())
}

/// The name of a const parameter.
pub fn length_param(n: usize) -> Ident {
    quote::format_ident!("N{n}", span = Span::mixed_site())
}

/// A type whose lengths `len` writes.
pub(super) fn tokens(ty: &Ty, len: &dyn Fn(&Len) -> TokenStream) -> TokenStream {
    let inner = |ty: &Ty| tokens(ty, len);
    match ty {
        Ty::Unit => hygienic!(()),
        Ty::Never => hygienic!(!),
        Ty::Infer(_) => hygienic!(_),
        Ty::Scalar(s) => scalar(*s),
        Ty::Array(item, Len::Row) => {
            let item = inner(item);
            hygienic!(__op2::Row<#item>)
        }
        Ty::Array(item, n) => {
            let (item, n) = (inner(item), len(n));
            hygienic!([#item; #n])
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
        Ty::Table(value) => {
            let value = inner(value);
            hygienic!(__op2::NumberedTable<#value>)
        }
        Ty::ArgBest(best, value, payload) => {
            let (value, payload) = (inner(value), inner(payload));
            match best {
                Best::Min => hygienic!(__op2::ArgMin<#value, #payload>),
                Best::Max => hygienic!(__op2::ArgMax<#value, #payload>),
            }
        }
    }
}

/// The type of a record, from those of its fields: pairs of a field and the rest, whose layout is that of the user's record.
pub(super) fn record_type(fields: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    fields.rev().reduce(|rest, field| hygienic!(__op2::Pair<#field, #rest>)).unwrap_or_default()
}

/// A record, from the values of its fields.
pub(super) fn record(fields: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    fields.rev().reduce(|rest, field| hygienic!(__op2::Pair(#field, #rest))).unwrap_or_default()
}

/// Part `n` of a value of type `ty`.
pub(super) fn part_of(value: &TokenStream, ty: &Ty, n: usize) -> TokenStream {
    let Ty::Record(_, fields) = ty else {
        let n = Index::from(n);
        return hygienic!(#value.#n);
    };
    let behind = (0..n).map(|_| hygienic!(.1));
    let own = (n + 1 < fields.len()).then(|| hygienic!(.0));
    hygienic!(#value #(#behind)* #own)
}

/// Stands for the type of an index. Only receivers of methods have one, since elsewhere indices are numbers.
pub const INDEX: &str = "__Index";

/// A scalar type, by its full path: a user may have a type of that name.
pub(super) fn scalar(scalar: Scalar) -> TokenStream {
    if let Scalar::Generic(n) = scalar {
        let name = float_param(n);
        return hygienic!(#name);
    }
    if scalar.is_index() {
        let index = Ident::new(INDEX, Span::mixed_site());
        return if scalar == Scalar::Idx { hygienic!(#index) } else { hygienic!(::core::option::Option<#index>) };
    }
    let name = Ident::new(scalar.name(), Span::mixed_site());
    hygienic!(::core::primitive::#name)
}

/// The same type, all of its references with a lifetime.
pub(super) fn lending(ty: TokenStream, lifetime: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for token in ty {
        let reference = matches!(&token, TokenTree::Punct(p) if p.as_char() == '&');
        out.extend([match token {
            TokenTree::Group(group) => {
                TokenTree::Group(proc_macro2::Group::new(group.delimiter(), lending(group.stream(), lifetime)))
            }
            token => token,
        }]);
        if reference {
            out.extend(lifetime.clone());
        }
    }
    out
}

/// A length or an index as a literal.
pub(super) fn number(n: usize) -> TokenStream {
    let n = Literal::usize_unsuffixed(n);
    hygienic!(#n)
}

/// Whether every part of a type is known.
pub(super) fn is_known(ty: &Ty) -> bool {
    match ty {
        Ty::Infer(_) | Ty::Never => false,
        Ty::Unit | Ty::Scalar(_) => true,
        Ty::Array(item, len) => is_known(item) && !matches!(len, Len::Param(_) | Len::Infer(_)),
        Ty::Ref(_, inner) | Ty::Option(inner) | Ty::Table(inner) => is_known(inner),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().all(is_known),
        Ty::ArgBest(_, value, payload) => is_known(value) && is_known(payload),
    }
}
