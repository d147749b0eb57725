//! The drivers behind the macros: each one reads like the pipeline.
//!
//! A loop sees its kernel by a hidden macro of the kernel's name: `op_par_loop!(op, k, …)` expands
//! to `k! { [next step] … }`, and that one to `next step! { payload of k, … }`. A kernel collects the
//! device functions that it calls in the same way, at its own definition, where their names are in
//! scope; its payload then holds all of them.

use crate::parse::kernel::{Role, callees};
use crate::parse::loop_decl::{LoopDecl, written};
use crate::payload::Payload;
use crate::{check, emit, ir, lower, model, parse};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Item, ItemFn, LitStr, Path, Result, Visibility, braced, bracketed, parse_quote};

/// What is asked of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// `op_par_loop!`: that it runs.
    Run,
    /// `op_plan!`: its plan.
    Plan,
}

/// `#[op2::kernel]` and `#[op2::device_fn]`: the function itself, and what collects its payload.
///
/// `site` tells functions of one name apart, inside one crate.
pub fn function(role: Role, attr: TokenStream, item: TokenStream, site: &str) -> TokenStream {
    let mut parsed = match free_function(role, &item) {
        Ok(parsed) => parsed,
        Err(e) => {
            let error = e.into_compile_error();
            return quote!(#item #error);
        }
    };
    let site = format!("{site} {}", bare(&parsed).to_token_stream());
    // What the kernel language asks for, such as loops over ranges, is no fault of the user's.
    let allowed = quote!(
        clippy::inline_always,
        clippy::too_many_arguments,
        clippy::needless_range_loop,
        clippy::manual_memcpy,
        clippy::manual_swap,
        clippy::collapsible_if
    );
    parsed.attrs.push(parse_quote!(#[allow(#allowed)]));
    if !parsed.attrs.iter().any(|a| a.path().is_ident("inline")) {
        parsed.attrs.push(parse_quote!(#[inline(always)]));
    }
    let checked = reject_arguments(role, attr).and_then(|()| parse::kernel::check(&parsed, role));
    match checked {
        Ok(()) => advance(Step { role, site, open: callees(&parsed), item: parsed, done: Vec::new() }),
        // Before any callee is asked: what is refused may have no macro to ask.
        Err(e) => faulty(&parsed, &site, Some(&e)),
    }
}

/// What an attribute stands on, if it is a function outside of any `impl`.
fn free_function(role: Role, item: &TokenStream) -> Result<ItemFn> {
    let name = role_word(role);
    let function = syn::parse2::<ItemFn>(item.clone()).map_err(|e| match syn::parse2::<Item>(item.clone()) {
        Ok(other) => {
            syn::Error::new_spanned(other, format!("`#[op2::{name}]` stands on something else, expected a function"))
        }
        Err(_) => e,
    })?;
    match function.sig.receiver() {
        None => Ok(function),
        Some(receiver) => {
            let message = format!(
                "`#[op2::{name}]` stands on a method, expected a free function: move it out of the `impl`, and pass what it needs of `self` as arguments"
            );
            Err(syn::Error::new(receiver.self_token.span, message))
        }
    }
}

/// The step behind a device function's hidden macro: its payload has come in.
pub fn function_step(input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream| {
        let content;
        braced!(content in input);
        Ok((content.parse::<Answer>()?, input.parse::<Step>()?))
    };
    match parser.parse2(input) {
        Ok((answer, step)) => answered(answer, step),
        Err(e) => e.into_compile_error(),
    }
}

/// Takes in what the next callee of a function answers.
fn answered(answer: Answer, mut step: Step) -> TokenStream {
    let path = step.open.remove(0);
    match answer {
        Answer::Function(Role::DeviceFn, payload) => {
            step.done.push((path, *payload));
            advance(step)
        }
        Answer::Function(Role::Kernel, _) => {
            let name = path.to_token_stream();
            let message = format!(
                "`{name}` is a kernel, expected a device function: move what both need into a `#[op2::device_fn]`"
            );
            faulty(&step.item, &step.site, Some(&syn::Error::new_spanned(path, message)))
        }
        Answer::Faulty => faulty(&step.item, &step.site, None),
    }
}

/// `op_par_loop!` and `op_plan!`, first half: asks the kernel for its payload.
pub fn loop_start(input: TokenStream, wanted: Wanted) -> TokenStream {
    let step = match wanted {
        Wanted::Run => quote!(::op2::__private::par_loop_step),
        Wanted::Plan => quote!(::op2::__private::plan_step),
    };
    match syn::parse2::<LoopDecl>(input.clone()) {
        Ok(decl) => {
            let kernel = &decl.kernel;
            quote!(#kernel! { [#step] #input })
        }
        Err(e) => refused(wanted, &e.into_compile_error()),
    }
}

/// `op_par_loop!` and `op_plan!`, second half: kernel and loop together.
pub fn loop_step(input: TokenStream, wanted: Wanted) -> TokenStream {
    let parser = |input: ParseStream| {
        let content;
        braced!(content in input);
        Ok((content.parse::<Answer>()?, input.parse::<LoopDecl>()?))
    };
    let expanded = parser.parse2(input).and_then(|(answer, decl)| match answer {
        Answer::Function(Role::Kernel, payload) => loop_with(decl, &payload, wanted),
        Answer::Function(Role::DeviceFn, _) => {
            let kernel = &decl.kernel;
            let name = kernel.to_token_stream();
            let message = format!("`{name}` is a device function, expected a kernel: mark it `#[op2::kernel]`");
            Err(syn::Error::new_spanned(kernel, message))
        }
        Answer::Faulty => Ok(silent(&decl, wanted)),
    });
    expanded.unwrap_or_else(|e| refused(wanted, &e.into_compile_error()))
}

fn loop_with(decl: LoopDecl, payload: &Payload, wanted: Wanted) -> Result<TokenStream> {
    let unit = model::build(payload, Role::Kernel)?;
    check::call::check(&decl, &unit, &check::usage::usage(&unit))?;
    let flops = model::flops(&unit);
    let lowered = lower::lower(decl, &unit, flops);
    let cuda = emit::cuda::unit(&lowered, &unit);
    Ok(match wanted {
        Wanted::Run => emit::cpu::par_loop(&lowered, &unit, &cuda),
        Wanted::Plan => emit::cpu::plan(&lowered, &unit, &cuda),
    })
}

/// A loop over a kernel that was refused. What it mentions stays mentioned.
fn silent(decl: &LoopDecl, wanted: Wanted) -> TokenStream {
    let mentioned = decl.expressions();
    refused(wanted, &quote!(let _ = (#(&#mentioned,)*);))
}

/// The errors, in an expression of a loop's type: nothing else is to be complained of.
fn refused(wanted: Wanted, errors: &TokenStream) -> TokenStream {
    let ty = match wanted {
        Wanted::Run => quote!(()),
        Wanted::Plan => quote!(::std::sync::Arc<::op2::Plan>),
    };
    quote!({ #errors ::op2::__private::refused::<#ty>() })
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
    let payload = Payload { item: bare(&item), callees: done };
    let checked = model::build(&payload, role).and_then(|unit| check::kernel::check(&unit).map(|()| unit));
    match checked {
        Ok(unit) => {
            let captured = captured(&unit, &payload);
            let hidden = hidden_macro(&item, &site, &Answer::Function(role, Box::new(payload)));
            quote!(#item #captured #hidden)
        }
        Err(e) => faulty(&item, &site, Some(&e)),
    }
}

/// What is left of a function with faults: they are reported here, once. Loops over the kernel stay
/// silent, and so does the compiler, which would report much of it a second time: it gets the signature
/// alone. Editors get the body too, or they could not complete what is being typed: they set `miri`, which
/// of the conditions that the compiler knows is one that it does not set.
fn faulty(item: &ItemFn, site: &str, errors: Option<&syn::Error>) -> TokenStream {
    let errors = errors.map(syn::Error::to_compile_error);
    let empty = ItemFn { block: parse_quote!({ ::core::unreachable!() }), ..item.clone() };
    let captured = companion(item, quote!(&[]), quote!(&[]), &TokenStream::new());
    let hidden = hidden_macro(item, site, &Answer::Faulty);
    quote! {
        #[cfg(miri)]
        #item
        #[cfg(not(miri))]
        #[allow(unused)]
        #empty
        #captured
        #hidden
        #errors
    }
}

/// The function without its attributes: docs and `#[cfg_attr]` are not for other places.
fn bare(item: &ItemFn) -> ItemFn {
    ItemFn { attrs: Vec::new(), ..item.clone() }
}

/// The macro by which loops and callers get the answer, under the function's own name.
///
/// Its other name, which nobody writes, is unique in the crate.
fn hidden_macro(item: &ItemFn, site: &str, answer: &Answer) -> TokenStream {
    let (vis, name) = (&item.vis, &item.sig.ident);
    let hidden = format_ident!("__op2_{name}_{:016x}", fingerprint(site), span = Span::mixed_site());
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

/// The constants that a function mentions, captured where their names are in scope.
fn captured(unit: &ir::Unit, payload: &Payload) -> TokenStream {
    // What came along with a called function is captured by that function.
    let own = unit.funcs[0].consts.iter().filter(|c| c.origin.is_none()).map(|c| {
        let path = &c.path;
        match c.kind {
            ir::ConstKind::Runtime => quote!(&#path),
            ir::ConstKind::Rust => {
                let name = written(path);
                quote!(&::op2::__private::Fixed { name: #name, value: #path })
            }
        }
    });
    let callees = payload.callees.iter().map(|(path, _)| path);
    let carried = emit::rust::carried(unit, payload);
    companion(&payload.item, quote!(&[#(#own),*]), quote!(&[#(#callees::__CAPTURED),*]), &carried)
}

/// A type of the function's name: it carries along what tokens cannot.
///
/// `carried` are its items beside what run-time code asks for.
fn companion(item: &ItemFn, own: TokenStream, callees: TokenStream, carried: &TokenStream) -> TokenStream {
    let (vis, name) = (&item.vis, &item.sig.ident);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs)]
        #vis enum #name {}
        // Which of these a loop needs is not known here.
        #[allow(missing_docs, dead_code)]
        impl #name {
            #[doc(hidden)]
            pub const __CAPTURED: &'static ::op2::__private::Captured =
                &::op2::__private::Captured { own: #own, callees: #callees };
            #carried
        }
    }
}

fn reject_arguments(role: Role, attr: TokenStream) -> Result<()> {
    if attr.is_empty() {
        return Ok(());
    }
    let (name, found) = (role_word(role), written(&attr));
    Err(syn::Error::new_spanned(
        attr,
        format!("`#[op2::{name}]` takes no arguments, found `{found}`: remove the parentheses"),
    ))
}

/// The attribute that gives a function its role, as one word.
fn role_word(role: Role) -> &'static str {
    match role {
        Role::Kernel => "kernel",
        Role::DeviceFn => "device_fn",
    }
}

/// What a hidden macro answers.
enum Answer {
    /// The function, with all that it calls.
    Function(Role, Box<Payload>),
    /// It has faults, which were reported.
    Faulty,
}

impl ToTokens for Answer {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Answer::Function(role, payload) => {
                let role = format_ident!("{}", role_word(*role));
                tokens.extend(quote!(#role #payload));
            }
            Answer::Faulty => tokens.extend(quote!(faulty)),
        }
    }
}

impl Parse for Answer {
    fn parse(input: ParseStream) -> Result<Self> {
        let word: Ident = input.parse()?;
        Ok(match word.to_string().as_str() {
            "faulty" => Answer::Faulty,
            "kernel" => Answer::Function(Role::Kernel, Box::new(input.parse()?)),
            _ => Answer::Function(Role::DeviceFn, Box::new(input.parse()?)),
        })
    }
}

/// FNV-1a: short, and the same on every machine and in every build, so that output is deterministic.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl ToTokens for Step {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Step { role, site, item, done, open } = self;
        let role = format_ident!("{}", role_word(*role));
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
