//! Calls of the macros that functions leave.
//!
//! A path to a function without an attribute leads to no macro, and the compiler would say that it cannot find a macro of the
//! function's name, which the user has never heard of. The compiler's words are fixed, but for the name of the macro. So the
//! macro is imported under another name, which says what is wrong:
//!
//! ```text
//! use square as square_HAS_NO_ATTRIBUTE_op2_device_fn_and_scale_needs_it;
//! square_HAS_NO_ATTRIBUTE_op2_device_fn_and_scale_needs_it! { … }
//! ```
//!
//! For an import that leads nowhere, the compiler proposes no similar names, which it does for a call. So a path that ends
//! like that of a function with an attribute, or nearly so, is called as it stands: it is probably mistyped, or its import
//! is missing. Both forms mean the same where the program is right.
//!
//! A function that is named as a macro of the standard library, such as `write`, leaves its macro in a module of its name
//! (`leaves.rs`).

use super::names::is_taken;
use crate::parse::kernel::nearest;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use syn::Path;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// The names of functions and types with an attribute that this process has seen.
static MARKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Those of records whose macro their `impl` leaves.
static WITH_METHODS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Notes that a function or a type of the name has an attribute.
pub(super) fn marked(name: &Ident) {
    MARKED.lock().unwrap_or_else(PoisonError::into_inner).insert(name.unraw().to_string());
}

/// Notes that a record of the name announces methods.
pub(super) fn with_methods(name: &Ident) {
    WITH_METHODS.lock().unwrap_or_else(PoisonError::into_inner).insert(name.unraw().to_string());
}

/// Hands `tokens` to the macro of the function or type at `path`, which the attribute leaves. For an item that asks, `by`,
/// the result is items, which may have those of other functions beside them. For a loop it is an expression.
pub(super) fn ask(path: &Path, attribute: &str, by: Option<&Ident>, tokens: &TokenStream) -> TokenStream {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.unraw().to_string()).collect();
    let inside = path.segments.last().filter(|last| is_taken(&last.ident)).map(|_| quote!(::__op2));
    let lacks_impl = names.last().is_some_and(|name| announces_methods(name));
    if !lacks_impl && names.last().is_some_and(|name| is_like_a_marked_one(name)) {
        return quote!(#path #inside! { #tokens });
    }
    let lacking = if lacks_impl { "device_fn_AT_ITS_impl" } else { attribute };
    let names = names.join("_").replace('$', "");
    let span = path.segments.last().map_or_else(|| path.span(), |segment| segment.ident.span());
    let caller = by.map(|by| format!("_and_{}_needs_it", by.unraw())).unwrap_or_default();
    let message = format_ident!("{names}_HAS_NO_ATTRIBUTE_op2_{lacking}{caller}", span = span);
    let asked = quote! {
        #[allow(unused_imports)]
        use #path as #message;
        #message #inside! { #tokens }
    };
    if by.is_some() { asked } else { quote!({ #asked }) }
}

fn announces_methods(name: &str) -> bool {
    WITH_METHODS.lock().unwrap_or_else(PoisonError::into_inner).contains(name)
}

fn is_like_a_marked_one(name: &str) -> bool {
    let marked = MARKED.lock().unwrap_or_else(PoisonError::into_inner);
    nearest(name, marked.iter().map(String::as_str)).is_some()
}
