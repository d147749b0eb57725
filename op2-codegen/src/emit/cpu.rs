//! CPU code: the body of a loop as three closures over elements, and the call around them.
//!
//! `fast` serves consecutive elements of AoS dats: references lead straight into the data. `listed`
//! does the same for the elements of a list, which subsets and permuted plans have. `general` serves every layout and
//! plans that redirect contributions: values are copied in and out. The body is written out three times instead of once
//! in a common function, so that the kernel is inlined into each with its addresses in registers, and the compiler can
//! vectorise the loop over consecutive elements.
//!
//! In every body an argument with contributions is a local that starts from the neutral element and is combined with the dat behind
//! the kernel. So rounding is the same in all layouts and on all executors.
//!
//! A loop whose kernel can be split has one more closure, for its forms in stages (`stages`). `vector` is the body for several elements at
//! once, compiled for each instruction set.

mod pairs;
mod partners;
mod rows;
mod stages;
mod vector;

use crate::emit::bind::{bind, by, handles, index, set};
use crate::emit::desc::{Host, combine, desc};
use crate::emit::device::DeviceUnit;
use crate::emit::{Program, located};
use crate::ir::{Combine, Effect, Scalar};
use crate::lower::{Argument, DatArg, Lowered, Reach, Role};
use op2_core::Target;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;
use syn::spanned::Spanned;

/// The whole loop as an expression of type `Result<(), Error>`. `head` brings the run time into scope as `__op2`.
pub fn par_loop(program: &Program<'_>, devices: &[(Target, DeviceUnit)], head: &TokenStream) -> TokenStream {
    let lowered = program.lowered;
    if lowered.pairs {
        return pairs::par_loop(program, devices, head);
    }
    let (stages, lanes) = (stages::stages(program), vector::lanes(program));
    let call = call(program, &host(&stages, &lanes), devices, head);
    let bind = bind(lowered);
    let consecutive = body(lowered, Path::Fast, hygienic!(elems));
    let listed = body(lowered, Path::Fast, hygienic!(elems.iter().map(|e| *e as ::core::primitive::usize)));
    let general = body(lowered, Path::General, hygienic!(elems));
    let stages = stages::body(program, &stages);
    let (absorb, finish) = reduced(lowered);
    let (start, part) = (start(lowered), part(lowered));
    let vector = vector::body(program, &lanes);
    hygienic! {{
        #call
        #bind
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = call.run(__op2::Bodies {
            start: move || #start,
            fast: move |elems, #part| { #consecutive },
            listed: move |elems, #part| { #listed },
            general: move |elems, #part| { #general },
            stages: #stages,
            vector: #vector,
            absorb: #absorb,
            finish: #finish,
        });
        outcome
    }}
}

/// The closures that combine the partial results of two blocks, and hand those of the loop to its globals.
fn reduced(lowered: &Lowered) -> (TokenStream, TokenStream) {
    let reductions: Vec<_> = lowered.reductions().collect();
    let absorb = reductions.iter().enumerate().map(|(n, (.., how))| {
        let (by, n) = (by(*how), syn::Index::from(n));
        hygienic!(__op2::Reduce::<#by>::absorb(&mut total.#n, &part.#n);)
    });
    let finish = reductions.iter().enumerate().map(|(n, (_, arg, how))| {
        let (by, var, n) = (by(*how), &arg.var, syn::Index::from(n));
        hygienic!(results.reduce::<#by, _>(#var, &total.#n);)
    });
    // Without reductions these closures ignore their arguments.
    match reductions.is_empty() {
        true => (hygienic!(|_, _| {}), hygienic!(|_, _| {})),
        false => (hygienic!(|total, part| { #(#absorb)* }), hygienic!(move |results, total| { #(#finish)* })),
    }
}

/// The plan of the loop as an expression of type `Result<Arc<Plan>, Error>`.
pub fn plan(program: &Program<'_>, devices: &[(Target, DeviceUnit)], head: &TokenStream) -> TokenStream {
    let host = host(&stages::stages(program), &vector::lanes(program));
    let lowered = program.lowered;
    let (call, bind) = (call(program, &host, devices, head), bind(lowered));
    // Only the kernel tells the kind of set of an index.
    let told = lowered.args.iter().any(|arg| arg.indices.is_some()).then(|| {
        let (body, start, part) = (body(lowered, Path::Fast, hygienic!(0..1)), start(lowered), part(lowered));
        hygienic! {
            #[allow(clippy::undocumented_unsafe_blocks)]
            if false {
                let #part = &mut #start;
                #body
            }
        }
    });
    hygienic! {{
        #call
        #[allow(unused_variables)]
        let planned = { #bind #told call.plan() };
        planned
    }}
}

/// Why the host has no stages or no lanes of a loop.
fn host<S, L>(stages: &Result<S, String>, lanes: &Result<L, String>) -> Host {
    Host {
        no_stages: stages.as_ref().err().cloned().unwrap_or_default(),
        no_lanes: lanes.as_ref().err().cloned().unwrap_or_default(),
    }
}

fn call(program: &Program<'_>, host: &Host, devices: &[(Target, DeviceUnit)], head: &TokenStream) -> TokenStream {
    let lowered = program.lowered;
    let (op, desc) = (&lowered.op, desc(program, host, devices));
    let (handles, set) = (handles(lowered), set(lowered));
    let start = if lowered.pairs { "__call_pairs" } else { "__call" };
    let start = Ident::new(start, op.span().resolved_at(Span::mixed_site()));
    hygienic! {
        #head
        static __DESC: __op2::LoopDesc = #desc;
        #handles
        #[allow(unused_mut)]
        let mut call = (#op).#start(&__DESC, #set);
    }
}

/// Whether references lead straight into the data, or copies are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    Fast,
    General,
}

/// The code for an argument around the kernel.
#[derive(Default)]
struct Steps {
    /// Before the kernel.
    gather: TokenStream,
    /// The expression passed to the kernel.
    pass: TokenStream,
    /// After the kernel.
    scatter: TokenStream,
}

/// The loop over `elements`, an iterator, with its partial results.
fn body(lowered: &Lowered, path: Path, elements: TokenStream) -> TokenStream {
    let kernel = &lowered.kernel;
    let targets = (0..lowered.targets.len()).map(|t| follow(lowered, t));
    let steps: Vec<Steps> = lowered.args.iter().map(|arg| steps(lowered, arg, path)).collect();
    let gather = steps.iter().map(|s| &s.gather);
    let scatter = steps.iter().map(|s| &s.scatter);
    let pass = steps.iter().map(|s| &s.pass);
    let result = result(lowered);
    let rooms = rows::rooms(lowered, path);
    let (pattern, sinks): (_, Vec<TokenStream>) = match path {
        Path::Fast => (hygienic!(e), Vec::new()),
        Path::General => {
            let sinks: Vec<_> = lowered.args.iter().enumerate().filter_map(|(n, arg)| sink(n, arg)).collect();
            // Only sinks need positions.
            let pattern = if sinks.is_empty() { hygienic!((_, e)) } else { hygienic!((position, e)) };
            (pattern, sinks)
        }
    };
    let element = hygienic! {
        #(#targets)*
        #(#gather)*
        #kernel(#(#pass),*);
        #(#scatter)*
    };
    // A loop with globals alone needs no `unsafe`.
    let element = match lowered.args.iter().any(|arg| arg.reach().is_some()) {
        true => hygienic!(unsafe { #element }),
        false => element,
    };
    hygienic! {
        #(#sinks)*
        #(#rooms)*
        for #pattern in #elements { #element }
        #result
    }
}

/// Where a way through maps leads.
fn follow(lowered: &Lowered, t: usize) -> TokenStream {
    let target = &lowered.targets[t];
    let (var, map) = (&target.at, &lowered.map_of(t).var);
    match target.entry {
        Some(_) => {
            let index = index(lowered, t);
            hygienic!(let #var = #map.target(e, #index);)
        }
        None if lowered.map_of(t).by_rows => hygienic!(let #var = #map.row(e);),
        None => hygienic!(let #var = #map.targets(e);),
    }
}

/// The partial results of no elements.
fn start(lowered: &Lowered) -> TokenStream {
    let starts = lowered.reductions().map(|(_, arg, how)| {
        let (by, var) = (by(how), &arg.var);
        hygienic!(__op2::start_of::<#by, _>(#var),)
    });
    hygienic!((#(#starts)*))
}

/// The partial results that a body is given, as locals.
fn part(lowered: &Lowered) -> TokenStream {
    let vars = lowered.reductions().map(|(_, arg, _)| &arg.var);
    hygienic!((#(mut #vars,)*))
}

/// The partial results that a body returns; nothing where there are none.
fn result(lowered: &Lowered) -> Option<TokenStream> {
    let vars: Vec<_> = lowered.reductions().map(|(_, arg, _)| &arg.var).collect();
    (!vars.is_empty()).then(|| hygienic!((#(#vars,)*)))
}

/// The sink that takes the contributions of argument `n` in the general body.
fn sink(n: usize, arg: &Argument) -> Option<TokenStream> {
    let dat = arg.dat()?;
    let (sink, view, n) = (sink_name(&arg.var), &dat.view, Literal::usize_unsuffixed(n));
    dat.access.combines().then(|| match dat.flag {
        Some(_) => hygienic!(let #sink = #view.map(|view| elems.sink(#n, view));),
        None => hygienic!(let #sink = elems.sink(#n, #view);),
    })
}

/// The local for the contribution of one element, or one pack of them, to a sum.
fn contribution(var: &Ident) -> Ident {
    format_ident!("{var}_part", span = Span::mixed_site())
}

fn sink_name(var: &Ident) -> Ident {
    format_ident!("{var}_sink", span = Span::mixed_site())
}

fn steps(lowered: &Lowered, arg: &Argument, path: Path) -> Steps {
    let mut steps = match &arg.role {
        Role::Index(reach @ Reach::Row(_)) => rows::of_indices(arg, &at(lowered, *reach)),
        Role::Index(reach) => {
            let at = at(lowered, *reach);
            let pass = match reach {
                Reach::All(_) => {
                    let one = index_at(arg, &hygienic!(at));
                    hygienic!(#at.map(|at| #one))
                }
                _ => index_at(arg, &at),
            };
            Steps { pass, ..Steps::default() }
        }
        Role::Dat(dat) => dat_steps(lowered, arg, dat, path),
        Role::Read(_) | Role::Reduce(..) | Role::Shift => value_steps(arg),
    };
    // If the kernel takes another type, the error points at the argument instead of the whole loop.
    steps.pass = located(steps.pass, arg.span);
    steps
}

/// The index of the element at a place.
fn index_at(arg: &Argument, at: &TokenStream) -> TokenStream {
    let var = &arg.var;
    match (arg.indices, arg.may_miss) {
        (Some(Scalar::Idx), _) => hygienic!(#var.element(#at)),
        (Some(_), _) => hygienic!(#var.if_any(#at)),
        (None, true) => hygienic!(__op2::Place::element(#at).map(|at| __op2::IndexValue::from_index(#var.of(at)))),
        (None, false) => hygienic!(__op2::IndexValue::from_index(#var.of(#at))),
    }
}

/// A global.
fn value_steps(arg: &Argument) -> Steps {
    let var = &arg.var;
    let passed = |pass: TokenStream| Steps { pass, ..Steps::default() };
    match &arg.role {
        Role::Read(_) => passed(hygienic!(&#var)),
        // Like a contribution to a dat, a contribution to a sum starts from the neutral element. So lanes, which
        // compute several of them at once, add the same numbers in the same order.
        Role::Reduce(Combine::Inc, _) => {
            let (by, part) = (by(Combine::Inc), contribution(var));
            Steps {
                gather: hygienic!(let mut #part = __op2::start_like::<#by, _>(&#var);),
                pass: hygienic!(&mut #part),
                scatter: hygienic!(__op2::Reduce::<#by>::absorb(&mut #var, &#part);),
            }
        }
        Role::Reduce(..) => passed(hygienic!(&mut #var)),
        Role::Index(_) | Role::Dat(_) | Role::Shift => Steps::default(),
    }
}

/// Where a reach leads, inside the body.
fn at(lowered: &Lowered, reach: Reach) -> TokenStream {
    match lowered.at(reach) {
        Some(var) => hygienic!(#var),
        None => hygienic!(e),
    }
}

fn dat_steps(lowered: &Lowered, arg: &Argument, dat: &DatArg, path: Path) -> Steps {
    let (var, may_miss) = (&arg.var, arg.may_miss);
    let (at, all) = (at(lowered, dat.reach), dat.takes_all());
    if dat.takes_row() {
        return rows::steps(arg, dat, path, &at);
    }
    if dat.reach == Reach::Whole {
        return Steps { pass: table(dat), ..Steps::default() };
    }
    let method = |name: &str| {
        let prefix = if may_miss { "maybe_" } else { "" };
        format_ident!("{prefix}{name}", span = Span::mixed_site())
    };
    let view = &dat.view;
    let place = if all { hygienic!(at) } else { at.clone() };
    let absent = dat.is_optional() && dat.by_element;
    let of_view = |of: TokenStream| if absent { hygienic!(#view.and_then(|#view| #of)) } else { of };
    let each = |of: TokenStream| {
        let of = of_view(of);
        if all { hygienic!(#at.map(|at| #of)) } else { of }
    };
    // On the fast path the kernel gets a reference into the data, otherwise a reference to a copy.
    if path == Path::Fast && !dat.access.combines() && arg.indices.is_none() {
        let method = method(if dat.access.modifies() { "at_mut" } else { "at" });
        let value = each(hygienic!(#view.#method(#place)));
        let pass = if dat.is_option() { hygienic!(#view.map(|#view| #value)) } else { value };
        return Steps { pass, ..Steps::default() };
    }
    let value = match dat.access.combine().map(by) {
        Some(by) if all => hygienic!(#at.map(|_| #view.neutral::<#by>())),
        Some(by) => hygienic!(#view.neutral::<#by>()),
        None => {
            let load = method("load");
            each(hygienic!(#view.#load(#place)))
        }
    };
    let back = match (dat.access.effect(), path) {
        (Effect::Read, _) => None,
        (Effect::Write | Effect::Rw, _) => Some(Back::Store),
        (Effect::Combine(how), Path::Fast) => Some(Back::Combine(how)),
        (Effect::Combine(how), Path::General) => Some(Back::Sink(how)),
    };
    let mutable = back.is_some().then(|| hygienic!(mut));
    let gather = match dat.is_option() {
        true => hygienic!(let #mutable #var = #view.map(|#view| #value);),
        false => hygienic!(let #mutable #var = #value;),
    };
    let kept = Kept { mutable: dat.access.modifies(), all, optional: dat.is_option(), may_miss };
    let scatter = back.map(|back| scatter(var, dat, back, &at, all)).unwrap_or_default();
    let scatter = match may_miss && !dat.is_optional() && back.is_some() {
        true => hygienic!(if let ::core::option::Option::Some(#var) = #var { #scatter }),
        false => scatter,
    };
    Steps { gather, pass: kept.passed(var), scatter }
}

/// A table as it is passed.
fn table(dat: &DatArg) -> TokenStream {
    let view = &dat.view;
    match dat.is_optional() {
        true => hygienic!(#view.as_ref().map(|table| table.as_table())),
        false => hygienic!(&#view),
    }
}

/// A table of the call for generated functions, to which indices are numbers.
fn numbered(dat: &DatArg) -> TokenStream {
    let view = &dat.view;
    match dat.is_optional() {
        true => hygienic!(#view.map(|table| table.as_numbers())),
        false => hygienic!(#view.as_numbers()),
    }
}

/// How results of the kernel get back to a dat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Back {
    /// As it is.
    Store,
    /// Combined with what is there, in AoS data.
    Combine(Combine),
    /// Combined with what is there, in any layout.
    Add(Combine),
    /// To the destination in the plan.
    Sink(Combine),
    /// To the copy of a partner, if a patch has one.
    Partner(Combine),
}

/// A copy that is kept for the kernel, or copies.
#[derive(Clone, Copy, Default)]
struct Kept {
    mutable: bool,
    /// One for each entry of a map.
    all: bool,
    /// An option, because the argument may be absent.
    optional: bool,
    /// An option, or options, because entries of the map may be missing.
    may_miss: bool,
}

impl Kept {
    /// The reference, or references, that are passed to the kernel.
    fn passed(self, var: &Ident) -> TokenStream {
        let each = if self.mutable { hygienic!(each_mut()) } else { hygienic!(each_ref()) };
        let as_ref = if self.mutable { hygienic!(as_mut()) } else { hygienic!(as_ref()) };
        let each = if self.may_miss { hygienic!(#each.map(|one| one.#as_ref)) } else { each };
        match (self.optional, self.all) {
            (true, true) => hygienic!(#var.#as_ref.map(|all| all.#each)),
            (true, false) => hygienic!(#var.#as_ref),
            (false, true) => hygienic!(#var.#each),
            (false, false) if self.may_miss => hygienic!(#var.#as_ref),
            (false, false) if self.mutable => hygienic!(&mut #var),
            (false, false) => hygienic!(&#var),
        }
    }
}

fn scatter(var: &Ident, dat: &DatArg, back: Back, at: &TokenStream, all: bool) -> TokenStream {
    let view = &dat.view;
    let to = if matches!(back, Back::Sink(_) | Back::Partner(_)) { &sink_name(var) } else { view };
    let one = |entry: TokenStream, at: TokenStream, value: TokenStream| match back {
        Back::Store => hygienic!(#view.store(#at, #value);),
        Back::Combine(how) => {
            let how = combine(how);
            hygienic!(#view.combine_at(#how, #at, #value);)
        }
        Back::Add(how) => {
            let how = combine(how);
            hygienic!(#view.combine(#how, #at, #value);)
        }
        Back::Sink(how) => {
            let how = combine(how);
            hygienic!(#to.combine(#how, position, #entry, #at, #value);)
        }
        Back::Partner(how) => {
            let how = combine(how);
            hygienic!(#to.combine_partner(#how, #at, #value);)
        }
    };
    let value = if dat.is_optional() { hygienic!(#var) } else { hygienic!(&#var) };
    let body = match (all, back) {
        (true, Back::Sink(_)) => {
            let one = one(hygienic!(entry), hygienic!(*at), hygienic!(value));
            hygienic!(for (entry, (at, value)) in ::core::iter::zip(&#at, #value).enumerate() { #one })
        }
        (true, _) => {
            let one = one(TokenStream::new(), hygienic!(*at), hygienic!(value));
            hygienic!(for (at, value) in ::core::iter::zip(&#at, #value) { #one })
        }
        (false, _) => one(hygienic!(0), at.clone(), value),
    };
    match dat.flag {
        Some(_) => {
            hygienic!(if let (::core::option::Option::Some(#to), ::core::option::Option::Some(#var)) = (#to, &#var) { #body })
        }
        None => body,
    }
}
