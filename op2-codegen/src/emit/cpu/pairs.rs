//! The bodies of a loop over pairs: for each element outside a loop over its partners.
//!
//! Values outside are loaded once. A contribution to an element outside is added to the sum of its partners before, and the sum to the dat
//! at the end, so that it makes no difference where the sum is kept. Which side is outside only the type of the handle tells, so both
//! ways are written, and the compiler leaves one.

use super::{Back, Path, Steps, contribution, part, passed_copy, result, scatter, sink, start};
use crate::emit::bind::{bind, by};
use crate::emit::desc::{Host, combine};
use crate::emit::device::DeviceUnit;
use crate::emit::{Program, located};
use crate::ir::{Combine, Effect};
use crate::lower::{Argument, DatArg, Lowered, Reach, Role};
use crate::parse::loop_decl::End;
use op2_core::Target;
use proc_macro2::TokenStream;

/// The loop as an expression of type `Result<(), Error>`.
pub(super) fn par_loop(program: &Program<'_>, devices: &[(Target, DeviceUnit)], head: &TokenStream) -> TokenStream {
    let lowered = program.lowered;
    let why = "the partners of an element come one by one".to_owned();
    let host = Host { no_stages: why.clone(), no_lanes: why };
    let (call, bind) = (super::call(program, &host, devices, head), bind(lowered));
    let fast = both(lowered, Path::Fast);
    let general = both(lowered, Path::General);
    let (start, part) = (start(lowered), part(lowered));
    let (absorb, finish) = super::reduced(lowered);
    hygienic! {{
        #call
        #bind
        let from_outside = call.from_is_outside();
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = {
            let general = move |elems: __op2::Elems<'_>, #part| { #general };
            call.run(__op2::Bodies {
                start: move || #start,
                fast: move |elems, #part| { #fast },
                listed: move |elems, part| general(__op2::Elems::of_list(elems), part),
                general,
                stages: __op2::not_in_stages,
                vector: __op2::NotInLanes::new(),
                absorb: #absorb,
                finish: #finish,
            })
        };
        outcome
    }}
}

/// The loop with either side outside.
fn both(lowered: &Lowered, path: Path) -> TokenStream {
    let [from, to] = [End::From, End::To].map(|outside| body(lowered, path, outside));
    hygienic!(if from_outside { #from } else { #to })
}

/// The code for an argument: around all partners of an element, and around the kernel.
#[derive(Default)]
struct PairSteps {
    outside: Steps,
    inside: Steps,
}

fn body(lowered: &Lowered, path: Path, outside: End) -> TokenStream {
    let kernel = &lowered.kernel;
    let steps: Vec<PairSteps> = lowered.args.iter().map(|arg| steps(arg, path, outside)).collect();
    let (before, after) = (steps.iter().map(|s| &s.outside.gather), steps.iter().map(|s| &s.outside.scatter));
    let (gather, scatter) = (steps.iter().map(|s| &s.inside.gather), steps.iter().map(|s| &s.inside.scatter));
    let pass = steps.iter().map(|s| &s.inside.pass);
    let sinks = lowered.args.iter().enumerate().filter(|_| path == Path::General);
    let sinks: Vec<TokenStream> = sinks.filter_map(|(n, arg)| sink(n, arg)).collect();
    let outside = |arg: &Argument| arg.reach() == Some(Reach::End(outside));
    let adds_outside = lowered.dats().any(|(_, arg, dat)| outside(arg) && dat.access.combines());
    let pattern = match path {
        Path::Fast => hygienic!(e),
        Path::General if !adds_outside => hygienic!((_, e)),
        Path::General => hygienic!((position, e)),
    };
    let result = result(lowered);
    hygienic! {
        #(#sinks)*
        let mut partners = unsafe { pairs.partners() };
        for #pattern in elems {
            unsafe {
                #(#before)*
                for (partner, shift) in partners.of(e) {
                    #(#gather)*
                    #kernel(#(#pass),*);
                    #(#scatter)*
                }
                #(#after)*
            }
        }
        #result
    }
}

fn steps(arg: &Argument, path: Path, outside: End) -> PairSteps {
    let var = &arg.var;
    let at = |end: End| if end == outside { hygienic!(e) } else { hygienic!(partner) };
    let passed = |pass: TokenStream| PairSteps { inside: Steps { pass, ..Steps::default() }, ..PairSteps::default() };
    let mut steps = match &arg.role {
        Role::Index(Reach::End(end)) => {
            let at = at(*end);
            passed(hygienic!(__op2::IndexValue::from_index(#var.of(#at))))
        }
        Role::Shift => passed(hygienic!(__op2::ShiftOf::of_shift(shift))),
        Role::Dat(dat) if dat.reach == Reach::End(outside) => outer(arg, dat, path),
        Role::Dat(dat) => PairSteps { inside: inner(arg, dat, path), ..PairSteps::default() },
        Role::Read(_) | Role::Reduce(..) | Role::Index(_) => {
            PairSteps { inside: super::value_steps(arg), ..PairSteps::default() }
        }
    };
    steps.inside.pass = located(steps.inside.pass, arg.span);
    steps
}

/// A dat on the element outside.
fn outer(arg: &Argument, dat: &DatArg, path: Path) -> PairSteps {
    let (var, view) = (&arg.var, &dat.view);
    let each = |of: TokenStream| if dat.is_optional() { hygienic!(#view.map(|#view| #of)) } else { of };
    let e = hygienic!(e);
    let Some(how) = dat.access.combine() else {
        let value = match path {
            Path::Fast => each(hygienic!(*#view.at(e))),
            Path::General => each(hygienic!(#view.load(e))),
        };
        let modifies = dat.access.modifies();
        let mutable = modifies.then(|| hygienic!(mut));
        return PairSteps {
            outside: Steps {
                gather: hygienic!(let #mutable #var = #value;),
                scatter: if modifies { scatter(var, dat, Back::Store, &e, false) } else { TokenStream::new() },
                ..Steps::default()
            },
            inside: Steps { pass: passed_copy(var, modifies, false, dat.is_optional()), ..Steps::default() },
        };
    };
    let (one, neutral) = (contribution(var), neutral(dat, how));
    let back = if path == Path::Fast { Back::Combine(how) } else { Back::Sink(how) };
    let how = combine(how);
    let absorb = match dat.is_optional() {
        true => hygienic! {
            if let (
                ::core::option::Option::Some(#view),
                ::core::option::Option::Some(sum),
                ::core::option::Option::Some(one),
            ) = (#view, &mut #var, &#one) {
                #view.absorb(#how, sum, one);
            }
        },
        false => hygienic!(#view.absorb(#how, &mut #var, &#one);),
    };
    PairSteps {
        outside: Steps {
            gather: hygienic!(let mut #var = #neutral;),
            scatter: scatter(var, dat, back, &e, false),
            ..Steps::default()
        },
        inside: Steps {
            gather: hygienic!(let mut #one = #neutral;),
            pass: passed_copy(&one, true, false, dat.is_optional()),
            scatter: absorb,
        },
    }
}

/// A dat on a partner.
fn inner(arg: &Argument, dat: &DatArg, path: Path) -> Steps {
    let (var, view) = (&arg.var, &dat.view);
    let each = |of: TokenStream| if dat.is_optional() { hygienic!(#view.map(|#view| #of)) } else { of };
    if path == Path::Fast && dat.access.effect() == Effect::Read {
        return Steps { pass: each(hygienic!(#view.at(partner))), ..Steps::default() };
    }
    let partner = hygienic!(partner);
    let (value, back) = match dat.access.effect() {
        Effect::Read => (each(hygienic!(#view.load(partner))), None),
        // Such a loop does not compile with this side inside.
        Effect::Write | Effect::Rw => (each(hygienic!(#view.load(partner))), Some(Back::Store)),
        Effect::Combine(how) if path == Path::Fast => (neutral(dat, how), Some(Back::Combine(how))),
        Effect::Combine(how) => (neutral(dat, how), Some(Back::Partner(how))),
    };
    let mutable = back.is_some().then(|| hygienic!(mut));
    Steps {
        gather: hygienic!(let #mutable #var = #value;),
        pass: passed_copy(var, back.is_some(), false, dat.is_optional()),
        scatter: back.map(|back| scatter(var, dat, back, &partner, false)).unwrap_or_default(),
    }
}

/// The value with which contributions to a dat start.
fn neutral(dat: &DatArg, how: Combine) -> TokenStream {
    let (view, by) = (&dat.view, by(how));
    match dat.is_optional() {
        true => hygienic!(#view.map(|#view| #view.neutral::<#by>())),
        false => hygienic!(#view.neutral::<#by>()),
    }
}
