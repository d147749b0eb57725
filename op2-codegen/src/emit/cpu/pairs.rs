//! The bodies of a loop over pairs: for each element outside a loop over its partners.
//!
//! Values outside are loaded once. A contribution to an element outside is added to the sum of its partners before, and the sum to the dat
//! at the end, so that it makes no difference where the sum is kept. Only the type of the handle tells which side is outside, so both
//! ways are written, and the compiler leaves one.

use super::partners::{PairSteps, steps};
use super::{Path, part, result, sink, start, vector};
use crate::emit::Program;
use crate::emit::bind::bind;
use crate::emit::desc::Host;
use crate::emit::device::DeviceUnit;
use crate::lower::{Argument, Lowered, Reach};
use crate::parse::loop_decl::End;
use op2_core::Target;
use proc_macro2::TokenStream;

/// The loop as an expression of type `Result<(), Error>`.
pub(super) fn par_loop(program: &Program<'_>, devices: &[(Target, DeviceUnit)], head: &TokenStream) -> TokenStream {
    let lowered = program.lowered;
    let lanes = vector::lanes(program);
    let no_lanes = lanes.as_ref().err().cloned().unwrap_or_default();
    let host = Host { no_stages: "the partners of an element come one by one".to_owned(), no_lanes };
    let (call, bind) = (super::call(program, &host, devices, head), bind(lowered));
    let fast = both(lowered, Path::Fast);
    let general = both(lowered, Path::General);
    let (start, part) = (start(lowered), part(lowered));
    let (absorb, finish) = super::reduced(lowered);
    let vector = vector::body(program, &lanes);
    hygienic! {{
        #call
        #bind
        let outside = call.outside();
        let from_outside = __op2::from_is(outside);
        #[allow(clippy::undocumented_unsafe_blocks)]
        let outcome = {
            let general = move |elems: __op2::Elems<'_>, #part| { #general };
            call.run(__op2::Bodies {
                start: move || #start,
                fast: move |elems, #part| { #fast },
                listed: move |elems, part| general(__op2::Elems::of_list(elems), part),
                general,
                stages: __op2::not_in_stages,
                vector: #vector,
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
