//! The drivers behind the macros: each one reads like the pipeline.
//!
//! A loop sees its kernel by a hidden macro of the kernel's name: `op_par_loop!(op, k, …)` expands
//! to `k! { [next step] … }`, and that one to `next step! { payload of k, … }`. A kernel collects the
//! device functions that it calls in the same way, at its own definition, where their names are in
//! scope; its payload then holds all of them.

use crate::parse::kernel::{Role, callees};
use crate::parse::loop_decl::LoopDecl;
use crate::payload::Payload;
use crate::{check, emit, ir, lower, model, parse};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{ItemFn, LitStr, Path, Result, Visibility, braced, bracketed};

/// `#[op2::kernel]` and `#[op2::device_fn]`: the function itself, and what collects its payload.
///
/// `site` tells functions of one name apart, inside one crate.
pub fn function(role: Role, attr: TokenStream, item: TokenStream, site: &str) -> TokenStream {
    let parsed = match reject_arguments(role, attr).and_then(|()| syn::parse2::<ItemFn>(item.clone())) {
        Ok(parsed) => parsed,
        Err(e) => {
            let error = e.into_compile_error();
            return quote!(#item #error);
        }
    };
    // Attributes such as `#[cfg_attr]` and docs are the function's; the payload needs the text only.
    let bare = ItemFn { attrs: Vec::new(), ..parsed.clone() };
    let site = format!("{site} {}", bare.to_token_stream());
    let rest = match parse::kernel::check(&bare, role) {
        Ok(()) => advance(Step { role, site, open: callees(&bare), item: bare, done: Vec::new() }),
        // Before any callee is asked: what is refused may have no macro to ask.
        Err(e) => faulty(&bare, &hidden_name(&bare, &site), &e),
    };
    // What the kernel language asks for, such as loops over ranges, is no fault of the user's.
    let allowed = quote!(clippy::inline_always, clippy::too_many_arguments, clippy::needless_range_loop, clippy::manual_memcpy);
    quote!(#[inline(always)] #[allow(#allowed)] #parsed #rest)
}

/// The step behind a device function's hidden macro: its payload has come in.
pub fn function_step(input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream| {
        let content;
        braced!(content in input);
        let payload: Payload = content.parse()?;
        let mut step: Step = input.parse()?;
        let path = step.open.remove(0);
        step.done.push((path, payload));
        Ok(step)
    };
    match parser.parse2(input) {
        Ok(step) => advance(step),
        Err(e) => e.into_compile_error(),
    }
}

/// `op_par_loop!` and `op_plan!`, first half: asks the kernel for its payload.
pub fn loop_start(input: TokenStream, step: TokenStream) -> TokenStream {
    match syn::parse2::<LoopDecl>(input.clone()) {
        Ok(decl) => {
            let kernel = &decl.kernel;
            quote!(#kernel! { [#step] #input })
        }
        Err(e) => refused(&e),
    }
}

/// `op_par_loop!`, second half: kernel and loop together.
pub fn par_loop(input: TokenStream) -> TokenStream {
    loop_with(input, emit::cpu::par_loop)
}

/// `op_plan!`, second half.
pub fn plan(input: TokenStream) -> TokenStream {
    loop_with(input, emit::cpu::plan)
}

fn loop_with(input: TokenStream, emit: fn(&lower::Lowered) -> TokenStream) -> TokenStream {
    let parser = |input: ParseStream| {
        let content;
        braced!(content in input);
        Ok((content.parse::<Payload>()?, input.parse::<LoopDecl>()?))
    };
    let expanded = parser.parse2(input).and_then(|(payload, decl)| {
        let unit = model::build(&payload, Role::Kernel)?;
        check::call::check(&decl, &unit, &check::usage::usage(&unit))?;
        let flops = model::flops(&unit);
        Ok(emit(&lower::lower(decl, &unit, flops)))
    });
    expanded.unwrap_or_else(|e| refused(&e))
}

/// The errors, in an expression of a loop's type: nothing else is to be complained of.
fn refused(errors: &syn::Error) -> TokenStream {
    let errors = errors.to_compile_error();
    quote!({ #errors ::op2::__private::faulty!() })
}

/// A function on its way to its payload.
struct Step {
    role: Role,
    /// What its hidden macro's name is made from.
    site: String,
    item: ItemFn,
    /// Callees whose payload has come in.
    done: Vec<(Path, Payload)>,
    /// Callees still to be asked, the next one first.
    open: Vec<Path>,
}

/// Asks the next callee, or, when all have answered, checks the function and leaves its macro.
fn advance(step: Step) -> TokenStream {
    if let Some(next) = step.open.first() {
        return quote!(#next! { [::op2::__private::function_step] #step });
    }
    let Step { role, site, item, done, .. } = step;
    let hidden = hidden_name(&item, &site);
    let payload = Payload { item, callees: done };
    let checked = model::build(&payload, role).and_then(|unit| check::kernel::check(&unit).map(|()| unit));
    match checked {
        Ok(unit) => {
            let captured = captured(&unit.funcs[0], &payload);
            let hidden = hidden_macro(&payload.item, &hidden, quote!(([$($cb:tt)*] $($rest:tt)*) => { $($cb)* ! { { #payload } $($rest)* } }));
            quote!(#captured #hidden)
        }
        Err(e) => faulty(&payload.item, &hidden, &e),
    }
}

/// What is left beside a function with faults: they are reported here, once, and loops over the kernel
/// stay silent.
fn faulty(item: &ItemFn, hidden: &Ident, errors: &syn::Error) -> TokenStream {
    let errors = errors.to_compile_error();
    let captured = companion(item, quote!(&[]), quote!(&[]));
    let hidden = hidden_macro(item, hidden, quote!(($($any:tt)*) => { ::op2::__private::faulty!($($any)*) }));
    quote!(#captured #hidden #errors)
}

/// The name of a function's macro, unique in its crate.
fn hidden_name(item: &ItemFn, site: &str) -> Ident {
    format_ident!("__op2_{}_{:016x}", item.sig.ident, fingerprint(site), span = Span::mixed_site())
}

/// The macro by which loops and callers get the payload, under the function's own name.
fn hidden_macro(item: &ItemFn, hidden: &Ident, arm: TokenStream) -> TokenStream {
    let (vis, name) = (&item.vis, &item.sig.ident);
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

/// The constants that a function mentions, captured where their names are in scope.
fn captured(func: &ir::Func, payload: &Payload) -> TokenStream {
    let own = func.consts.iter().filter(|c| c.kind == ir::ConstKind::Runtime).map(|c| &c.path);
    let callees = payload.callees.iter().map(|(path, _)| path);
    companion(&payload.item, quote!(&[#(&#own),*]), quote!(&[#(#callees::__CAPTURED),*]))
}

/// A type of the function's name: it carries along what tokens cannot.
fn companion(item: &ItemFn, own: TokenStream, callees: TokenStream) -> TokenStream {
    let (vis, name) = (&item.vis, &item.sig.ident);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs)]
        #vis enum #name {}
        impl #name {
            #[doc(hidden)]
            #[allow(missing_docs)]
            pub const __CAPTURED: &'static ::op2::__private::Captured =
                &::op2::__private::Captured { own: #own, callees: #callees };
        }
    }
}

fn reject_arguments(role: Role, attr: TokenStream) -> Result<()> {
    if attr.is_empty() {
        return Ok(());
    }
    let name = match role {
        Role::Kernel => "kernel",
        Role::DeviceFn => "device_fn",
    };
    Err(syn::Error::new_spanned(attr, format!("`#[op2::{name}]` takes no arguments, found some: remove the parentheses")))
}

/// FNV-1a: short, and the same on every machine and in every build, so that output is deterministic.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl ToTokens for Step {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Step { role, site, item, done, open } = self;
        let role = match role {
            Role::Kernel => quote!(kernel),
            Role::DeviceFn => quote!(device_fn),
        };
        let (paths, payloads): (Vec<_>, Vec<_>) = done.iter().map(|(p, l)| (p, l)).unzip();
        tokens.extend(quote!(#role #site { #item } { #([#paths] { #payloads })* } { #([#open])* }));
    }
}

impl Parse for Step {
    fn parse(input: ParseStream) -> Result<Self> {
        let role: Ident = input.parse()?;
        let role = if role == "kernel" { Role::Kernel } else { Role::DeviceFn };
        let site = input.parse::<LitStr>()?.value();
        let Payload { item, callees: done } = input.parse()?;
        let list;
        braced!(list in input);
        let mut open = Vec::new();
        while !list.is_empty() {
            let path;
            bracketed!(path in list);
            open.push(path.parse()?);
        }
        Ok(Step { role, site, item, done, open })
    }
}
