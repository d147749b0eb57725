//! The items that a function leaves under its name: the macro by which loops and callers see its tokens, a type that
//! carries its constants, and code that checks that macro, type and function of the name belong together wherever it is
//! used.

use super::step::Answer;
use crate::parse::loop_decl::written;
use crate::payload::Payload;
use crate::root::Root;
use crate::{emit, ir};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ItemFn, Path, Visibility};

/// The macro by which loops and callers get the answer, under the function's own name.
///
/// The macro's real name, which users never write, ends with a hash of the function's place and text: `#[macro_export]`
/// needs a name that is unique in the crate.
pub(super) fn hidden_macro(item: &ItemFn, site: &str, answer: &Answer) -> TokenStream {
    let (vis, name) = (&item.vis, &item.sig.ident);
    let hidden = format_ident!("__op2_{}_{:016x}", name.unraw(), fingerprint(site), span = Span::mixed_site());
    let arm = quote!(([$($cb:tt)*] $($rest:tt)*) => { $($cb)* ! { { #answer } $($rest)* } });
    let export = matches!(vis, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    quote! {
        #[doc(hidden)]
        #export
        macro_rules! #hidden { #arm }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #hidden as #name;
    }
}

/// The constants that a function mentions, captured where their names are in scope, and the identity of the function.
pub(super) fn companion(unit: &ir::Unit, payload: &Payload, root: &Root) -> TokenStream {
    // Constants of a called function are captured by that function.
    let own = unit.funcs[0].consts.iter().filter(|c| c.origin.is_none()).map(|c| {
        let path = &c.path;
        match c.kind {
            ir::ConstKind::Runtime => quote!(&#path),
            ir::ConstKind::Rust => {
                let name = written(path);
                quote!(&#root::__private::Fixed { name: #name, value: #path })
            }
        }
    });
    let callees = payload.callees.iter().map(|(path, _)| path);
    let carried = emit::rust::carried(unit, payload, root);
    let (site, name, instance) = (payload.site, &payload.item.sig.ident, payload.instance());
    let is = quote_spanned! {name.span().resolved_at(Span::mixed_site())=>
        #[doc(hidden)]
        pub const unsafe fn __is<G>(given: &G) {
            unsafe { #root::__private::one_function(&#name #instance, given) }
        }
    };
    let identity = quote! {
        #[doc(hidden)]
        pub const __SITE: ::core::primitive::u64 = #site;
        #is
    };
    let called = payload.callees.iter().map(|(path, callee)| same_function(path, callee));
    let companion = companion_of(
        &payload.item,
        root,
        quote!(&[#(#own),*]),
        quote!(&[#(#callees::__CAPTURED),*]),
        &quote!(#identity #carried),
    );
    quote!(#companion #(#called)*)
}

/// The same for a function with faults, without constants.
pub(super) fn empty_companion(item: &ItemFn, root: &Root) -> TokenStream {
    companion_of(item, root, quote!(&[]), quote!(&[]), &TokenStream::new())
}

/// Compiles only if `path` names one function in all namespaces: if the macro that answered with `payload`, the type
/// and the value belong together.
///
/// A glob import may bring in all three, and a local function may then shadow the value alone. The sequential executor
/// would call that function, and all others would run the macro's. Each function has its own type, and types can be
/// compared at compile time only by an evaluation that fails. So the names of the constant and of the function that it
/// calls have to serve as the message.
pub(super) fn same_function(path: &Path, payload: &Payload) -> TokenStream {
    let (site, instance) = (payload.site, payload.instance());
    let name = path.segments.last().map(|s| s.ident.unraw().to_string()).unwrap_or_default();
    let text = written(path);
    let message = format!(
        "`{text}` is the name of two functions here: op2 sees one of them, and the compiler another one; rename one, or import the one you mean by its name"
    );
    let fault = format_ident!(
        "_{name}_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE",
        span = path.span().resolved_at(Span::mixed_site())
    );
    let check =
        quote_spanned!(path.span().resolved_at(Span::mixed_site())=> ::core::assert!(#path::__SITE == #site, #message));
    let same = quote_spanned!(path.span().resolved_at(Span::mixed_site())=> unsafe { #path::__is(&#path #instance) });
    quote_spanned! {Span::mixed_site()=>
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const #fault: () = {
                #check;
                #same
            };
        };
    }
}

/// FNV-1a: short, and the same on every machine and in every build, so that output is deterministic.
pub(super) fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// A type with the function's name: it carries constants, which tokens cannot.
///
/// `carried` are its items beside those that the run time uses.
fn companion_of(
    item: &ItemFn,
    root: &Root,
    own: TokenStream,
    callees: TokenStream,
    carried: &TokenStream,
) -> TokenStream {
    let (vis, name): (_, &Ident) = (item.vis.to_token_stream(), &item.sig.ident);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs)]
        #vis enum #name {}
        // The loop chooses among these later.
        #[allow(missing_docs, dead_code, clippy::missing_safety_doc, clippy::undocumented_unsafe_blocks)]
        impl #name {
            #[doc(hidden)]
            pub const __CAPTURED: &'static #root::__private::Captured =
                &#root::__private::Captured { own: #own, callees: #callees };
            #carried
        }
    }
}
