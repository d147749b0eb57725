//! Methods that a function calls on references to scalars, on arrays, and on records.
//!
//! For op2, `x.abs()` with `x: &f64` is the method of `f64`, `q.len()` that of slices, and `p.speed()` that of a record. The
//! compiler first looks for a trait in scope with such a method for `&f64` or `[f64; 4]`, or one that takes them by
//! reference, and for one that takes the record by value where the record's own method takes a reference. So the generated
//! code has calls, which never run, of a further trait with methods of the same names: if a trait of the user has one too,
//! the call is ambiguous and does not compile.

use crate::emit::rust;
use crate::ir::{Lent, Ty, Unit};
use crate::root::Root;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::BTreeSet;

/// Items that compile only if no trait of the user takes precedence over the methods that op2 means.
/// The types of receivers have their lengths from the function's carrier.
pub(super) fn confirmed(unit: &Unit, site: u64, root: &Root) -> TokenStream {
    let (func, mut met) = (&unit.funcs[0], BTreeSet::new());
    let carrier = rust::carrier(site, &quote!(#root::__private));
    let lens = (0..func.lens.len()).map(rust::length_param);
    let floats = (0..).zip(&func.floats).map(|(n, _)| rust::float_param(n));
    let generics =
        quote_spanned!(Span::mixed_site()=> #(#floats: #root::Float,)* #(const #lens: ::core::primitive::usize),*);
    let probes = Probes { unit, carrier: &carrier, generics: &generics, root };
    let calls: Vec<_> = func.lent.iter().filter_map(|lent| probes.call(lent, &mut met)).collect();
    if calls.is_empty() {
        return TokenStream::new();
    }
    quote_spanned! {Span::mixed_site()=>
        #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
        const _: () = { #(#calls)* };
    }
}

/// The context of a function.
struct Probes<'a> {
    unit: &'a Unit,
    carrier: &'a TokenStream,
    /// The parameters that types of receivers may have.
    generics: &'a TokenStream,
    root: &'a Root,
}

impl Probes<'_> {
    /// The calls for one method and type of receiver, if they are the first.
    fn call(&self, lent: &Lent, met: &mut BTreeSet<String>) -> Option<TokenStream> {
        let Probes { unit, carrier, generics, root } = self;
        let value = rust::value_at(unit, &lent.receiver, carrier, &quote!(#root::__private));
        let name = &lent.method;
        if !met.insert(format!("{name} {value}")) {
            return None;
        }
        let span = lent.span.resolved_at(Span::mixed_site());
        let method = Ident::new(name, span);
        // The ways to pass the receiver that come before the one that is meant, in the compiler's order.
        let ways = [
            ("by_value", quote!(self)),
            ("by_reference", quote!(&self)),
            ("by_exclusive_reference", quote!(&mut self)),
        ]
        .into_iter()
        .take(lent.ways);
        let receivers = match &lent.receiver {
            Ty::Record(..) => {
                quote_spanned!(Span::mixed_site()=> impl<T: #root::__private::Record> MethodOfTheLanguage for T {})
            }
            _ => quote_spanned! {Span::mixed_site()=>
                impl<T> MethodOfTheLanguage for &T {}
                impl<T> MethodOfTheLanguage for &mut T {}
                impl<T, const N: ::core::primitive::usize> MethodOfTheLanguage for [T; N] {}
            },
        };
        let [any, one] = [quote!(_), quote!(())].map(|kind| of_kind(value.clone(), &quote!(#root::Idx<#kind>)));
        // A kind has to be known in the end.
        let known = (any.to_string() != one.to_string()).then(|| quote_spanned!(Span::mixed_site()=> receiver = #one;));
        let probes = ways.map(|(way, this)| {
            let probe = Ident::new(&format!("{name}_{way}"), Span::mixed_site());
            let call = quote_spanned!(span=> let _ = receiver.#method(););
            quote_spanned! {Span::mixed_site()=>
                fn #probe<#generics>() {
                    trait MethodOfTheLanguage: ::core::marker::Sized { fn #method(#this) {} }
                    #receivers
                    let mut receiver = #any;
                    #call
                    #known
                }
            }
        });
        Some(quote!(const _: () = { #(#probes)* };))
    }
}

/// The value with this type of its indices. The function's text tells their kind of set only by the user's names.
fn of_kind(value: TokenStream, index: &TokenStream) -> TokenStream {
    let inside = |tree| match tree {
        TokenTree::Ident(ident) if ident == rust::INDEX => index.clone(),
        TokenTree::Group(group) => {
            let mut within = Group::new(group.delimiter(), of_kind(group.stream(), index));
            within.set_span(group.span());
            TokenTree::Group(within).into()
        }
        other => other.into(),
    };
    value.into_iter().flat_map::<TokenStream, _>(inside).collect()
}
