//! The drivers of the macros: each one reads like the pipeline.
//!
//! A procedural macro sees its own tokens only. `#[op2::kernel]` therefore leaves two things under the kernel's name, each in
//! a namespace of its own, so that one `use` brings both:
//!
//! - the function, unchanged but for `#[inline(always)]`;
//! - a macro that hands the function's tokens, the payload, to whoever asks: `op_par_loop!(op, k, …)` expands to
//!   `k! { [next step] … }`, and that one to `next step! { payload of k, … }`. There the generator sees kernel and loop
//!   together, with the user's spans. The next step travels as a list of tokens in brackets, because a macro cannot call one
//!   that it got as a `path` fragment. `ask.rs` has the calls, and the compiler's words where there is no such macro.
//!
//! It leaves nothing among the types, so that a module may bear its kernel's name (but for names of the standard library's
//! macros, see `leaves.rs`). The constants that a function mentions
//! cannot travel as tokens, since their names mean something in the function's module only. A type without a name
//! carries them, and generated code finds it by a number that the payload has (`leaves.rs`).
//!
//! A kernel collects the device functions that it calls in the same way, at its own definition, where their names are in
//! scope; its payload then holds all of them. Declared types answer likewise (`declared.rs`), a record with its methods
//! (`implementation.rs`). Types tell which methods a function calls, so these come in when all have answered.
//!
//! Faults of a kernel alone are reported at the kernel, once. Its macro then answers that it is faulty, and a loop over it
//! becomes an expression of the right type that says no more. A fault that needs kernel and loop is reported on the loop's
//! argument, because tokens of a kernel from another crate have no place.

mod ask;
mod declared;
mod implementation;
mod leaves;
mod lent;
mod names;
mod step;

use crate::parse::kernel::{FnKind, is_declared, mentions};
use crate::parse::loop_decl::{LoopDecl, written};
use crate::payload::{Declared, Payload, fingerprint};
use crate::root::Root;
use crate::{check, emit, lower, model, parse, split, vary};
use ask::ask;
use leaves::{carrier, hidden_macro, same_function};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use step::{Answer, Step, Subject, kind_word};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Item, ItemFn, Path, Result, braced, parse_quote};

pub use declared::{alias, record};

/// The purpose for which a loop is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// `op_par_loop!`: to run it.
    Run,
    /// `op_plan!`: to get its plan.
    Plan,
}

/// Where an attribute stands. The numbers by which functions find what belongs to them are made of this.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// Distinguishes this compilation of the crate from all others of a program.
    pub compilation: &'a str,
    /// The source file.
    pub file: &'a str,
    /// The position in it, which distinguishes functions of one name in a crate.
    pub place: &'a str,
}

/// `#[op2::kernel]` and `#[op2::device_fn]`: the function itself, and the macro call that collects its payload.
pub fn function(kind: FnKind, attr: TokenStream, item: TokenStream, site: Site<'_>, root: &Root) -> TokenStream {
    if kind == FnKind::DeviceFn
        && let Ok(Item::Impl(methods)) = syn::parse2(item.clone())
    {
        return implementation::start(attr, methods, site, root);
    }
    let mut parsed = match free_function(kind, &item) {
        Ok(parsed) => parsed,
        Err(e) => {
            let error = e.into_compile_error();
            return quote!(#item #error);
        }
    };
    ask::marked(&parsed.sig.ident);
    let Site { compilation, file, place } = site;
    let text = format!("{compilation} {file}:{place} {}", bare(&parsed).to_token_stream());
    inlined(&mut parsed.attrs);
    let mentions = mentions(&parsed, kind);
    let checked = reject_arguments(kind_word(kind), attr)
        .and_then(|()| parse::kernel::check(&parsed, kind))
        .and_then(|()| names::recursion(file, &parsed.sig.ident, &mentions.clone().all()));
    match checked {
        Ok(()) => advance(Step::new(Subject::Function(kind, parsed), text, mentions.all()), root),
        // Checks before asking any callee, because a refused callee may have no macro.
        Err(e) => faulty(&parsed, &text, Some(&e)),
    }
}

/// Adds the attributes of functions that loops call.
fn inlined(attrs: &mut Vec<Attribute>) {
    // Lints against code that the kernel language requires, such as loops over ranges.
    let allowed = quote!(
        clippy::inline_always,
        clippy::too_many_arguments,
        clippy::needless_range_loop,
        clippy::manual_memcpy,
        clippy::manual_swap,
        clippy::collapsible_if,
        clippy::manual_map
    );
    attrs.push(parse_quote!(#[allow(#allowed)]));
    if !attrs.iter().any(|a| a.path().is_ident("inline")) {
        attrs.push(parse_quote!(#[inline(always)]));
    }
}

/// The function under an attribute, if it stands outside of any `impl`.
fn free_function(kind: FnKind, item: &TokenStream) -> Result<ItemFn> {
    let name = kind_word(kind);
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
                "`#[op2::{name}]` stands on a method, expected a free function: methods of a record have one attribute, \
                 `#[op2::device_fn] impl Name {{ … }}`"
            );
            Err(syn::Error::new(receiver.self_token.span, message))
        }
    }
}

/// The step after a device function's hidden macro has answered with its payload.
pub fn function_step(input: TokenStream, root: &Root) -> TokenStream {
    let parser = |input: ParseStream| {
        let content;
        braced!(content in input);
        Ok((content.parse::<Answer>()?, input.parse::<Step>()?))
    };
    match parser.parse2(input) {
        Ok((answer, step)) => answered(answer, step, root),
        Err(e) => e.into_compile_error(),
    }
}

/// Adds the answer of a function's next callee.
fn answered(answer: Answer, mut step: Step, root: &Root) -> TokenStream {
    let path = step.open.remove(0);
    match answer {
        Answer::Type(declared) => {
            step.types.push((path, *declared));
            advance(step, root)
        }
        Answer::Function(FnKind::Kernel, _) => {
            let name = path.to_token_stream();
            let message = format!(
                "`{name}` is a kernel, expected a device function: move what both need into a `#[op2::device_fn]`"
            );
            refuse(&step, Some(&syn::Error::new_spanned(path, message)))
        }
        Answer::Function(_, payload) => {
            step.callees.push((path, *payload));
            advance(step, root)
        }
        Answer::Faulty => refuse(&step, None),
    }
}

/// The output for an item with faults.
fn refuse(step: &Step, errors: Option<&syn::Error>) -> TokenStream {
    match &step.subject {
        Subject::Function(_, item) => faulty(item, &step.site, errors),
        Subject::Type(item, methods) => declared::faulty((item, *methods), &step.site, errors),
        Subject::Methods(item) => implementation::faulty(item, &step.site, errors),
    }
}

/// `op_par_loop!` and `op_plan!`, first half: asks the kernel for its payload.
pub fn loop_start(input: TokenStream, wanted: Wanted, root: &Root) -> TokenStream {
    let step = match wanted {
        Wanted::Run => quote!(#root::__private::par_loop_step),
        Wanted::Plan => quote!(#root::__private::plan_step),
    };
    let parsed = syn::parse2::<LoopDecl>(input.clone());
    match parsed.and_then(|decl| names::check_loop(&decl).map(|()| decl)) {
        Ok(decl) => ask(&decl.kernel, kind_word(FnKind::Kernel), None, &quote!([#step] #input)),
        Err(e) => refused(wanted, &e.into_compile_error(), root),
    }
}

/// `op_par_loop!` and `op_plan!`, second half: kernel and loop together.
pub fn loop_step(input: TokenStream, wanted: Wanted, root: &Root) -> TokenStream {
    let parser = |input: ParseStream| {
        let content;
        braced!(content in input);
        Ok((content.parse::<Answer>()?, input.parse::<LoopDecl>()?))
    };
    let expanded = parser.parse2(input).and_then(|(answer, decl)| match answer {
        Answer::Function(FnKind::Kernel, payload) => loop_with(decl, &payload, wanted, root),
        Answer::Function(..) => {
            let kernel = &decl.kernel;
            let name = kernel.to_token_stream();
            let message = format!("`{name}` is a device function, expected a kernel: mark it `#[op2::kernel]`");
            Err(syn::Error::new_spanned(kernel, message))
        }
        Answer::Type(_) => {
            let kernel = &decl.kernel;
            let name = kernel.to_token_stream();
            Err(syn::Error::new_spanned(kernel, format!("`{name}` is a type, expected a kernel")))
        }
        Answer::Faulty => Ok(silent(&decl, wanted, root)),
    });
    expanded.unwrap_or_else(|e| refused(wanted, &e.into_compile_error(), root))
}

/// A loop and its kernel, through all stages.
fn loop_with(decl: LoopDecl, payload: &Payload, wanted: Wanted, root: &Root) -> Result<TokenStream> {
    let one_kernel = same_function(&decl.kernel, payload, root);
    let head = quote!(use #root::__private as __op2; #one_kernel);
    let carrier = emit::rust::carrier(payload.site, &quote!(__op2));
    let parsed = parse::kernel::parse(payload, FnKind::Kernel)?;
    let unit = model::typed(&parsed)?;
    check::call::check(&decl, &unit, &check::usage::usage(&unit))?;
    if decl.over_pairs() && wanted == Wanted::Plan {
        let message = "a loop over pairs has no plan to look at: its pairs are found as it runs";
        return Err(syn::Error::new_spanned(&decl.set, message));
    }
    let lowered = lower::lower(decl, &unit);
    let forms = if lowered.pairs { split::Forms::default() } else { split::forms(&lowered, &unit) };
    let opened = vary::opened(&unit, &lowered.may_miss());
    let varied = lowered.outsides().iter().map(|outside| vary::vary(&opened, &lowered.differs(*outside))).collect();
    let program = emit::Program { lowered: &lowered, unit: &unit, forms: &forms, varied: &varied, carrier: &carrier };
    Ok(match wanted {
        Wanted::Run => emit::par_loop(&program, &head),
        Wanted::Plan => emit::plan(&program, &head),
    })
}

/// A loop over a refused kernel. Its expressions stay in the code, so that the compiler does not report them as unused.
fn silent(decl: &LoopDecl, wanted: Wanted, root: &Root) -> TokenStream {
    let mentioned = decl.expressions();
    refused(wanted, &quote!(let _ = (#(&#mentioned,)*);), root)
}

/// The errors, in an expression of a loop's type, so that the compiler reports nothing else.
fn refused(wanted: Wanted, errors: &TokenStream, root: &Root) -> TokenStream {
    let ty = match wanted {
        Wanted::Run => quote!(()),
        Wanted::Plan => quote!(::std::sync::Arc<#root::Plan>),
    };
    quote!({ #errors #root::__private::refused::<#ty>() })
}

/// All that an item mentions.
struct Known {
    site: String,
    callees: Vec<(Path, Payload)>,
    types: Vec<(Path, Declared)>,
}

/// Asks for the next mention, or, when all have answered, checks the function and leaves its macro.
fn advance(step: Step, root: &Root) -> TokenStream {
    if let Some(next) = step.open.first() {
        let tokens = quote!([#root::__private::function_step] #step);
        if let Subject::Methods(item) = &step.subject
            && let Some(own) = implementation::declaration(item, next)
        {
            return quote!(#own! { #tokens });
        }
        let word = if is_declared(next, &[]) { "record_or_op2_alias" } else { kind_word(FnKind::DeviceFn) };
        return ask(next, word, Some(&step.subject.name()), &tokens);
    }
    let Step { site, callees, types, .. } = step;
    let (kind, item) = match step.subject {
        Subject::Function(kind, item) => (kind, item),
        Subject::Type(item, methods) => return declared::complete((item, methods), &site, types, root),
        Subject::Methods(item) => return implementation::complete(&item, &Known { site, callees, types }, root),
    };
    names::finished(&item.sig.ident);
    let payload = Payload { callees, types, ..Payload::new(fingerprint(&site), bare(&item)) };
    let checked = model::with_methods(payload, kind).and_then(|payload| {
        let unit = model::build(&payload, kind)?;
        check::kernel::check(&unit)?;
        Ok((payload, unit))
    });
    match checked {
        Ok((payload, unit)) => {
            let (carrier, methods) = (carrier(&unit, &payload, root), lent::confirmed(&unit, payload.site, root));
            let names = parse::kernel::names(&payload, kind).confirmed(&item.sig.ident, root);
            let hidden = hidden_macro((&item.vis, &item.sig.ident), &site, &Answer::Function(kind, Box::new(payload)));
            quote!(#item #carrier #hidden #names #methods)
        }
        Err(e) => faulty(&item, &site, Some(&e)),
    }
}

/// The output for a function with faults, which are reported here, once. Loops over the kernel stay silent. The
/// compiler gets only the signature, since it would report many of the faults a second time. Editors need the body for
/// completion, so it stands under `cfg(miri)`, which editors set and the compiler does not.
fn faulty(item: &ItemFn, site: &str, errors: Option<&syn::Error>) -> TokenStream {
    names::finished(&item.sig.ident);
    let errors = errors.map(syn::Error::to_compile_error);
    let empty = ItemFn { block: parse_quote!({ ::core::unreachable!() }), ..item.clone() };
    let hidden = hidden_macro((&item.vis, &item.sig.ident), site, &Answer::Faulty);
    quote! {
        #[cfg(miri)]
        #item
        #[cfg(not(miri))]
        #[allow(unused)]
        #empty
        #hidden
        #errors
    }
}

/// The function without its attributes: docs and `#[cfg_attr]` only matter where it is defined.
fn bare(item: &ItemFn) -> ItemFn {
    ItemFn { attrs: Vec::new(), ..item.clone() }
}

fn reject_arguments(name: &str, attr: TokenStream) -> Result<()> {
    if attr.is_empty() {
        return Ok(());
    }
    let found = written(&attr);
    Err(syn::Error::new_spanned(
        attr,
        format!("`#[op2::{name}]` takes no arguments, found `{found}`: remove the parentheses"),
    ))
}
