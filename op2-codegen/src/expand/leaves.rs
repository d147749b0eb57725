//! The items that a function leaves: the macro of its name by which loops and callers see its tokens, a type that carries its
//! constants, and code that checks that macro and function of the name belong together wherever it is used.
//!
//! The type has no name outside of a block. It implements a trait for `Site<N>`, N being the payload's number, and whoever has
//! the payload writes `<<Site<N> as Carries<_>>::Items>`: the compiler infers the type, since there is one. If two functions
//! of a program had the same number, there would be two, and the compiler would refuse to choose.

use super::names::is_taken;
use super::step::Answer;
use crate::parse::loop_decl::written;
use crate::payload::{Payload, fingerprint};
use crate::root::Root;
use crate::{emit, ir};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Path, Visibility};

/// The macro by which loops and callers get the answer, under the item's own name.
///
/// The macro's real name, which users never write, ends with a hash of the item's place and text: `#[macro_export]`
/// needs a name that is unique in the crate.
///
/// A macro that is named as one of the standard library, which every module sees, would make the name ambiguous, also in
/// the user's own calls of that one. So a function of such a name leaves a module of it, in which is the macro.
/// Imports and paths of the function lead to the module, too.
pub(super) fn hidden_macro((vis, name): (&Visibility, &Ident), site: &str, answer: &Answer) -> TokenStream {
    let hidden = format_ident!("__op2_{}_{:016x}", name.unraw(), fingerprint(site), span = Span::mixed_site());
    let arm = quote!(([$($cb:tt)*] $($rest:tt)*) => { $($cb)* ! { { #answer } $($rest)* } });
    let export = matches!(vis, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    // The macro has no other visibility than these two.
    let inside = if export.is_some() { quote!(pub) } else { quote!(pub(crate)) };
    let named = if is_taken(name) {
        quote! {
            #[allow(missing_docs, unreachable_pub)]
            #vis mod #name { #[allow(unused_imports)] #inside use #hidden as __op2; }
        }
    } else {
        quote!(#[allow(unused_imports, unreachable_pub)] #vis use #hidden as #name;)
    };
    quote! {
        #[doc(hidden)]
        // `crate` in it is only read as text.
        #[allow(clippy::crate_in_macro_def)]
        #export
        macro_rules! #hidden { #arm }
        #[doc(hidden)]
        #named
    }
}

/// A type that carries what tokens cannot: the constants that a function mentions, captured where their names are in scope, and
/// the function's identity. The block makes its name invisible, so that the user's types may have any name.
pub(super) fn carrier(unit: &ir::Unit, payload: &Payload, root: &Root) -> TokenStream {
    let private = quote!(#root::__private);
    // Constants of a called function are captured by that function.
    let own = unit.funcs[0].consts.iter().filter(|c| c.origin.is_none()).map(|c| {
        let path = emit::rust::value_of(c, root);
        match c.kind {
            ir::ConstKind::Runtime => quote!(&#path),
            ir::ConstKind::Rust => {
                let name = written(&c.path);
                quote!(&#private::Fixed { name: #name, value: #path })
            }
        }
    });
    let callees = payload.callees.iter().map(|(_, callee)| emit::rust::carrier(callee.site, &private));
    let carried = emit::rust::carried(unit, payload, root);
    let (site, name, instance) = (payload.site, &payload.item.sig.ident, payload.instance());
    // A method is found through its record.
    let is = payload.method_of.is_none().then(|| {
        quote_spanned! {name.span().resolved_at(Span::mixed_site())=>
            #[doc(hidden)]
            pub const unsafe fn __is<G>(given: &G) {
                unsafe { #private::one_function(&#name #instance, given) }
            }
        }
    });
    let functions = payload.callees.iter().filter(|(_, callee)| callee.method_of.is_none());
    let called = functions.map(|(path, callee)| same_function(path, callee, root));
    quote! {
        const _: () = {
            #[doc(hidden)]
            #[allow(missing_docs, missing_debug_implementations)]
            pub enum __Op2Carrier {}
            // The loop chooses among these later.
            #[allow(missing_docs, dead_code, clippy::missing_safety_doc, clippy::undocumented_unsafe_blocks)]
            impl __Op2Carrier {
                #[doc(hidden)]
                pub const __CAPTURED: &'static #private::Captured =
                    &#private::Captured { own: &[#(#own),*], callees: &[#(#callees::__CAPTURED),*] };
                #is
                #carried
            }
            impl #private::Carries<__Op2Carrier> for #private::Site<#site> {
                type Items = __Op2Carrier;
            }
        };
        #(#called)*
    }
}

/// Compiles only if `path` names one function: if the macro that answered with `payload` and the value belong together.
///
/// A glob import may bring in both, and a local function may then shadow the value alone. The sequential executor
/// would call that function, and all others would run the macro's. Each function has its own type, and types can be
/// compared at compile time only by an evaluation that fails. So the names of the constant and of the function that it
/// calls have to serve as the message.
pub(super) fn same_function(path: &Path, payload: &Payload, root: &Root) -> TokenStream {
    let carrier = emit::located(emit::rust::carrier(payload.site, &quote!(#root::__private)), path.span());
    let instance = payload.instance();
    let name = path.segments.last().map(|s| s.ident.unraw().to_string()).unwrap_or_default();
    let fault = format_ident!(
        "_{name}_IS_THE_NAME_OF_TWO_FUNCTIONS_HERE_SO_RENAME_ONE",
        span = path.span().resolved_at(Span::mixed_site())
    );
    let same =
        quote_spanned!(path.span().resolved_at(Span::mixed_site())=> unsafe { #carrier::__is(&#path #instance) });
    quote_spanned! {Span::mixed_site()=>
        #[allow(non_upper_case_globals, clippy::undocumented_unsafe_blocks)]
        const _: () = {
            const #fault: () = #same;
        };
    }
}
