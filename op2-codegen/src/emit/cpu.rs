//! CPU code: the body of a loop as two closures over elements, and the call around them.
//!
//! `fast` serves consecutive elements of AoS dats: references lead straight into the data. `general`
//! serves every layout, subsets and permuted plans: values are copied in and out. The body stands
//! in the text twice, rather than in a function called by both, so that the kernel is inlined into
//! each of them with its addresses in registers.

use crate::check::usage::Mode;
use crate::emit::bind::{bind, by, index};
use crate::emit::desc::{access, desc};
use crate::lower::{Argument, DatArg, Lowered, Place, Role};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;

/// The whole loop as an expression of type `Result<(), Error>`.
pub fn par_loop(lowered: &Lowered) -> TokenStream {
    let call = call(lowered);
    let bind = bind(lowered);
    let (fast, general) = (body(lowered, Path::Fast), body(lowered, Path::General));
    let reductions: Vec<_> = reductions(lowered).collect();
    let absorb = reductions.iter().enumerate().map(|(n, (mode, _))| {
        let (by, n) = (by(*mode), syn::Index::from(n));
        hygienic!(__op2::Reduce::<#by>::absorb(&mut total.#n, &part.#n);)
    });
    let finish = reductions.iter().enumerate().map(|(n, (mode, var))| {
        let (by, n) = (by(*mode), syn::Index::from(n));
        hygienic!(call.reduce::<#by, _>(#var, &total.#n);)
    });
    // Without reductions these closures have nothing to do with what they are given.
    let (absorb, finish) = match reductions.is_empty() {
        true => (hygienic!(|_, _| {}), hygienic!(outcome)),
        false => (hygienic!(|total, part| { #(#absorb)* }), hygienic!(outcome.map(|total| { #(#finish)* }))),
    };
    hygienic! {{
        #call
        #bind
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        let outcome = call.run(
            move |elems: ::core::ops::Range<usize>| { #fast },
            move |elems: __op2::Elems<'_>| { #general },
            #absorb,
        );
        #finish
    }}
}

/// The plan of the loop as an expression of type `Result<Arc<Plan>, Error>`.
pub fn plan(lowered: &Lowered) -> TokenStream {
    let (call, bind) = (call(lowered), bind(lowered));
    hygienic! {{
        #call
        #[allow(unused_variables)]
        let planned = { #bind call.plan() };
        planned
    }}
}

fn call(lowered: &Lowered) -> TokenStream {
    let (op, set, desc) = (&lowered.op, &lowered.set, desc(lowered));
    let start = Ident::new("__call", op.span().resolved_at(Span::mixed_site()));
    hygienic! {
        use ::op2::__private as __op2;
        static __DESC: __op2::LoopDesc = #desc;
        #[allow(unused_mut)]
        let mut call = (#op).#start(&__DESC, #set);
    }
}

/// Which of the two bodies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    Fast,
    General,
}

/// What an argument does around the kernel.
#[derive(Default)]
struct Steps {
    /// Before the kernel.
    gather: TokenStream,
    /// What the kernel gets.
    pass: TokenStream,
    /// After the kernel.
    scatter: TokenStream,
}

fn body(lowered: &Lowered, path: Path) -> TokenStream {
    let kernel = &lowered.kernel;
    let targets = lowered.targets.iter().enumerate().map(|(n, target)| {
        let (var, map) = (format_ident!("{}_at", target.var), &lowered.maps[target.map].var);
        match target.entry {
            Some(_) => {
                let index = index(lowered, n);
                hygienic!(let #var = #map.target(e, #index);)
            }
            None => hygienic!(let #var = #map.targets(e);),
        }
    });
    let steps: Vec<Steps> = lowered.args.iter().map(|arg| steps(lowered, arg, path)).collect();
    let gather = steps.iter().map(|s| &s.gather);
    let scatter = steps.iter().map(|s| &s.scatter);
    let pass = steps.iter().map(|s| &s.pass);
    let start = reductions(lowered).map(|(mode, var)| {
        let by = by(mode);
        hygienic!(let mut #var = __op2::start_of::<#by, _>(#var);)
    });
    let result: Vec<_> = reductions(lowered).map(|(_, var)| var).collect();
    let result = (!result.is_empty()).then(|| hygienic!((#(#result,)*)));
    let element = hygienic! {
        #(#targets)*
        #(#gather)*
        #kernel(#(#pass),*);
        #(#scatter)*
    };
    // A loop without dats has nothing unsafe in it.
    let element = match lowered.args.iter().any(|a| matches!(a.role, Role::Dat(_)) || !lowered.targets.is_empty()) {
        true => hygienic!(unsafe { #element }),
        false => element,
    };
    hygienic! {
        #(#start)*
        for e in elems { #element }
        #result
    }
}

fn reductions(lowered: &Lowered) -> impl Iterator<Item = (Mode, &Ident)> {
    lowered.args.iter().filter_map(|a| match &a.role {
        Role::Reduce(mode, _) => Some((*mode, &a.var)),
        _ => None,
    })
}

fn steps(lowered: &Lowered, arg: &Argument, path: Path) -> Steps {
    let var = &arg.var;
    // Type errors of an argument are to be shown on the argument, not on the whole loop.
    let span = arg.span.resolved_at(Span::mixed_site());
    let passed = |pass: TokenStream| Steps { pass, ..Steps::default() };
    match &arg.role {
        Role::Read(_) => passed(quote_spanned!(span=> &#var)),
        Role::Reduce(..) => passed(quote_spanned!(span=> &mut #var)),
        Role::Index(Place::Element) => passed(quote_spanned!(span=> __op2::IndexValue::from_index(e))),
        Role::Index(place) => {
            let at = at(lowered, *place);
            passed(quote_spanned!(span=> __op2::IndexValue::from_index(#at)))
        }
        Role::Dat(dat) => dat_steps(lowered, var, dat, path),
    }
}

/// Where a place leads, inside the body.
fn at(lowered: &Lowered, place: Place) -> TokenStream {
    match place {
        Place::Element => hygienic!(e),
        Place::Entry(t) | Place::All(t) => {
            let var = format_ident!("{}_at", lowered.targets[t].var);
            hygienic!(#var)
        }
    }
}

fn dat_steps(lowered: &Lowered, var: &Ident, dat: &DatArg, path: Path) -> Steps {
    let at = at(lowered, dat.place);
    let all = matches!(dat.place, Place::All(_));
    let view = &dat.view;
    let access = access(dat.mode);
    let combine = match path {
        Path::Fast => hygienic!(combine_at),
        Path::General => hygienic!(combine),
    };
    // In place: the kernel gets a reference into the data. Otherwise a copy stands between.
    let in_place = path == Path::Fast && !dat.mode.combines();
    let (one, start, back) = match dat.mode {
        Mode::Read => (hygienic!(at), hygienic!(load), None),
        Mode::Write | Mode::Rw => (hygienic!(at_mut), hygienic!(load), Some(hygienic!(store))),
        Mode::Inc | Mode::Min | Mode::Max => (hygienic!(at_mut), hygienic!(neutral), Some(combine)),
    };
    let each = |of: TokenStream| if all { hygienic!(#at.map(|at| #of)) } else { of };
    let place = if all { hygienic!(at) } else { at.clone() };
    if in_place {
        let value = each(hygienic!(#view.#one(#place)));
        let pass = if dat.flag.is_some() { hygienic!(#view.map(|#view| #value)) } else { value };
        return Steps { pass, ..Steps::default() };
    }
    let first = match dat.mode.combines() {
        true => hygienic!(#view.neutral(#access)),
        false => hygienic!(#view.#start(#place)),
    };
    let value = each(first);
    let mutable = back.is_some().then(|| hygienic!(mut));
    let gather = match dat.flag {
        Some(_) => hygienic!(let #mutable #var = #view.map(|#view| #value);),
        None => hygienic!(let #mutable #var = #value;),
    };
    let pass = passed_copy(var, dat.mode != Mode::Read, all, dat.flag.is_some());
    let scatter = back.map(|back| scatter(var, dat, &back, &access, &at, all)).unwrap_or_default();
    Steps { gather, pass, scatter }
}

/// How a copy, an array of copies, or an optional one is lent to the kernel.
fn passed_copy(var: &Ident, mutable: bool, all: bool, optional: bool) -> TokenStream {
    let each = if mutable { hygienic!(each_mut()) } else { hygienic!(each_ref()) };
    let as_ref = if mutable { hygienic!(as_mut()) } else { hygienic!(as_ref()) };
    match (optional, all) {
        (true, true) => hygienic!(#var.#as_ref.map(|all| all.#each)),
        (true, false) => hygienic!(#var.#as_ref),
        (false, true) => hygienic!(#var.#each),
        (false, false) if mutable => hygienic!(&mut #var),
        (false, false) => hygienic!(&#var),
    }
}

fn scatter(var: &Ident, dat: &DatArg, back: &TokenStream, access: &TokenStream, at: &TokenStream, all: bool) -> TokenStream {
    let view = &dat.view;
    let access = dat.mode.combines().then(|| hygienic!(#access,));
    let one = |at: TokenStream, value: TokenStream| hygienic!(#view.#back(#access #at, #value););
    let value = if dat.flag.is_some() { hygienic!(#var) } else { hygienic!(&#var) };
    let body = match all {
        true => {
            let one = one(hygienic!(*at), hygienic!(value));
            hygienic!(for (at, value) in ::core::iter::zip(&#at, #value) { #one })
        }
        false => one(at.clone(), value),
    };
    match dat.flag {
        Some(_) => hygienic!(if let (::core::option::Option::Some(#view), ::core::option::Option::Some(#var)) = (#view, &#var) { #body }),
        None => body,
    }
}
