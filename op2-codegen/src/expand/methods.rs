//! Methods that a function calls on references to scalars.
//!
//! For op2, `x.abs()` with `x: &f64` is the method of `f64`. The compiler first looks for a trait in scope with such a
//! method for `&f64`, or one that takes `f64` by reference. So the generated code has calls, which never run, of a
//! further trait with methods of the same names: if a trait of the user has one too, the call is ambiguous and does not
//! compile.

use crate::ir::{Func, Lent, Scalar, Ty};
use crate::root::Root;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::BTreeSet;

/// Items that compile only if no trait of the user takes precedence over the methods of scalars.
pub(super) fn confirmed(func: &Func, root: &Root) -> TokenStream {
    let mut met = BTreeSet::new();
    let calls: Vec<_> = func.lent.iter().filter_map(|lent| call(lent, root, &mut met)).collect();
    if calls.is_empty() {
        return TokenStream::new();
    }
    quote_spanned! {Span::mixed_site()=>
        #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
        const _: () = { #(#calls)* };
    }
}

/// The calls for one method and type of receiver, if they are the first.
fn call(lent: &Lent, root: &Root, met: &mut BTreeSet<String>) -> Option<TokenStream> {
    let ty = receiver(&lent.receiver)?;
    let name = lent.method.name();
    if !met.insert(format!("{name} {ty}")) {
        return None;
    }
    let span = lent.span.resolved_at(Span::mixed_site());
    let method = Ident::new(name, span);
    // The ways to pass the receiver that come before the scalar itself, in the compiler's order.
    let ways = ["by_value", "by_reference", "by_exclusive_reference"].into_iter().zip([
        quote!(self),
        quote!(&self),
        quote!(&mut self),
    ]);
    let probes = ways.map(|(way, this)| {
        let probe = Ident::new(&format!("{name}_{way}"), Span::mixed_site());
        let call = quote_spanned!(span=> let _ = receiver.#method(););
        quote_spanned! {Span::mixed_site()=>
            fn #probe<F: #root::Float>(mut receiver: #ty) {
                trait MethodOfTheScalar: ::core::marker::Sized { fn #method(#this) {} }
                impl<T> MethodOfTheScalar for &T {}
                impl<T> MethodOfTheScalar for &mut T {}
                #call
            }
        }
    });
    Some(quote!(const _: () = { #(#probes)* };))
}

/// The type of a receiver, the parameter of a generic function being `F`.
fn receiver(ty: &Ty) -> Option<TokenStream> {
    match ty {
        Ty::Ref(true, inner) => receiver(inner).map(|inner| quote_spanned!(Span::mixed_site()=> &mut #inner)),
        Ty::Ref(false, inner) => receiver(inner).map(|inner| quote_spanned!(Span::mixed_site()=> &#inner)),
        Ty::Scalar(Scalar::Generic) => Some(quote_spanned!(Span::mixed_site()=> F)),
        Ty::Scalar(scalar) => {
            let name = Ident::new(scalar.name(), Span::mixed_site());
            Some(quote_spanned!(Span::mixed_site()=> ::core::primitive::#name))
        }
        _ => None,
    }
}
