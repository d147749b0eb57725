//! The forms of a loop in stages, as one more closure over elements: for each form the stages as functions, a loop over the
//! elements for each of them, and a last loop that adds.
//!
//! Values between these loops are kept in buffers (`Room`), one for each contribution and one for each temporary, by
//! position in the block.
//! *All* contributions to dats are kept, those to the element's own dats too, and added in the order of the arguments, element
//! after element: so each target gets the additions of the unsplit kernel, in the same order. Stages work on copies of
//! the data in every layout, as the `general` body does: stages are rare on the CPU, and every further body takes time
//! to compile. The plan is that of coloured blocks, under the same key, and results are those of coloured blocks to the
//! last bit.

use super::{Back, Steps, at, dat_steps, follow, numbered, part, result, scatter, steps};
use crate::emit::Program;
use crate::emit::rust::{self, Functions};
use crate::ir::{Combine, FuncId, Unit};
use crate::lower::{DatArg, Lowered, Reach, Role};
use crate::split::{Form, StageArg};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;
use std::collections::BTreeSet;

/// The forms of a loop, of which there may be none; or why it has no stages here although its kernel can be split.
pub(super) fn stages<'a>(program: &Program<'a>) -> Result<&'a [Form], String> {
    let forms = &program.forms.list;
    match Functions::obstacle(program.unit) {
        Some(obstacle) if !forms.is_empty() => Err(obstacle),
        _ => Ok(forms),
    }
}

/// The closure.
pub(super) fn body(program: &Program<'_>, forms: &Result<&[Form], String>) -> TokenStream {
    let forms = match forms {
        Ok(forms) if !forms.is_empty() => *forms,
        _ => return hygienic!(__op2::not_in_stages),
    };
    let (lowered, floats) = (program.lowered, program.lowered.floats());
    let of_floats = (0..).zip(&floats).map(|(n, _)| {
        let float = rust::float_param(n);
        (rust::told(n), hygienic!(#float))
    });
    let of_lens = (0..lowered.lens.len()).map(|n| {
        let length = rust::length_param(n);
        (rust::told_length(n), hygienic!([(); #length]))
    });
    let (names, types): (Vec<Ident>, Vec<TokenStream>) = of_floats.chain(of_lens).unzip();
    let (unit, first) = with_stages(program.unit, forms);
    let functions = Functions::new(&unit, program.carrier);
    let stages: Vec<FuncId> = (first..unit.funcs.len()).map(FuncId).collect();
    let called = functions.called(&stages);
    let called = called.iter().map(|id| functions.function(*id, None));
    // The stage of a generic kernel may lack an argument from which its parameters are inferred.
    let told = types.iter().map(|ty| hygienic!(_: ::core::marker::PhantomData<#ty>));
    let told = (!types.is_empty()).then(|| hygienic!(#(#told),*));
    let items = stages.iter().map(|id| functions.function(*id, told.clone()));
    let float = names.iter().zip(&floats).map(|(name, n)| {
        let argument = lowered.args[*n].bound();
        hygienic!(let #name = __op2::float_of(&#argument);)
    });
    let mut next = first;
    let arms = forms.iter().enumerate().map(|(n, form)| {
        let body = InStages { lowered, form, functions: &functions, first: next, told: &names }.body();
        next += form.parts.stages.len();
        let number = Literal::usize_unsuffixed(n);
        if n + 1 < forms.len() { hygienic!(#number => { #body }) } else { hygienic!(_ => { #body }) }
    });
    let arms: Vec<_> = arms.collect();
    let (part, result) = (part(lowered), result(lowered));
    let shapes = shapes(lowered, forms);
    hygienic! {
        move |form, mut elems, size, #part| {
            #(#called)*
            #(#items)*
            #(#float)*
            #(#shapes)*
            let places = elems.places().min(size);
            match form { #(#arms)* }
            #result
        }
    }
}

/// Stages take records as pairs: the views of dats that a stage takes, and globals that are read.
fn shapes(lowered: &Lowered, forms: &[Form]) -> Vec<TokenStream> {
    let stages = forms.iter().flat_map(|form| &form.parts.stages);
    let used: BTreeSet<usize> = stages.flat_map(|stage| stage.args.iter().filter_map(kernel_arg)).collect();
    let mut known: Vec<&Ident> = Vec::new();
    let mut shapes = Vec::new();
    for (arg, name) in used.iter().map(|n| (&lowered.args[*n], lowered.args[*n].bound())) {
        if !arg.is_shaped() || known.contains(&name) {
            continue;
        }
        known.push(name);
        shapes.extend(match &arg.role {
            Role::Dat(dat) if dat.reach == Reach::Whole => {
                let table = numbered(dat);
                Some(hygienic!(let #name = #table;))
            }
            Role::Dat(dat) if dat.is_optional() => Some(hygienic!(let #name = #name.map(__op2::shaped);)),
            Role::Dat(_) => Some(hygienic!(let #name = __op2::shaped(#name);)),
            Role::Read(_) => Some(hygienic!(let #name = *__op2::shape(&#name);)),
            Role::Index(_) if arg.indices.is_some() => Some(hygienic!(let #name = #name.as_numbers();)),
            Role::Reduce(..) | Role::Index(_) | Role::Shift => None,
        });
    }
    shapes
}

/// The unit with the stages of all forms after its own functions, and the number of the first one.
fn with_stages(unit: &Unit, forms: &[Form]) -> (Unit, usize) {
    let (mut unit, first) = (unit.clone(), unit.funcs.len());
    for form in forms {
        let count = form.parts.stages.len();
        for (s, stage) in form.parts.stages.iter().enumerate() {
            let mut func = stage.func.clone();
            func.name = format_ident!("{}_stage{}of{count}", func.name, s + 1);
            unit.funcs.push(func);
        }
    }
    (unit, first)
}

/// One form of a loop.
struct InStages<'a> {
    lowered: &'a Lowered,
    form: &'a Form,
    functions: &'a Functions<'a>,
    /// The number of its first stage among the functions.
    first: usize,
    /// The locals that tell stages the parameters of the kernel.
    told: &'a [Ident],
}

impl InStages<'_> {
    fn body(&self) -> TokenStream {
        let kept = self.contributions().filter(|(n, ..)| self.is_added_to(*n)).map(|(n, ..)| self.room(n));
        let temporaries = (0..self.form.parts.temporaries.len()).map(left_room);
        let rooms = kept.chain(temporaries).map(|room| hygienic!(let mut #room = __op2::Room::new(places);));
        let stages = (0..self.form.parts.stages.len()).map(|s| self.stage(s));
        let update = self.update();
        hygienic! {
            #(#rooms)*
            while let ::core::option::Option::Some(elems) = elems.take_first(size) {
                #(#stages)*
                #update
            }
        }
    }

    /// The dats that are added to, or combined with.
    fn contributions(&self) -> impl Iterator<Item = (usize, &DatArg, Combine)> {
        self.lowered.dats().filter_map(|(n, _, dat)| Some((n, dat, dat.access.combine()?)))
    }

    /// Whether a stage adds to an argument.
    fn is_added_to(&self, n: usize) -> bool {
        self.adds_before(self.form.parts.stages.len(), n)
    }

    /// Whether one of the first `s` stages adds to an argument.
    fn adds_before(&self, s: usize, n: usize) -> bool {
        self.form.parts.stages[..s].iter().any(|stage| stage.args.contains(&StageArg::Kernel(n)))
    }

    fn room(&self, n: usize) -> Ident {
        format_ident!("{}_room", self.lowered.args[n].var, span = Span::mixed_site())
    }

    /// The loop that computes one stage.
    fn stage(&self, s: usize) -> TokenStream {
        let stage = &self.form.parts.stages[s];
        let own: Vec<usize> = stage.args.iter().filter_map(kernel_arg).collect();
        let targets = self.targets(&own);
        let all: Vec<Steps> = stage.args.iter().map(|arg| self.steps(s, *arg)).collect();
        let (gather, scatter) = (all.iter().map(|s| &s.gather), all.iter().map(|s| &s.scatter));
        let told: Vec<TokenStream> = self.told.iter().map(|local| hygienic!(#local)).collect();
        let pass = told.iter().chain(all.iter().map(|s| &s.pass));
        let function = self.functions.name(FuncId(self.first + s));
        hygienic! {
            for (place, (_, e)) in elems.clone().enumerate() {
                unsafe {
                    #targets
                    #(#gather)*
                    #function(#(#pass),*);
                    #(#scatter)*
                }
            }
        }
    }

    /// The code for one argument of a stage.
    fn steps(&self, s: usize, arg: StageArg) -> Steps {
        match arg {
            StageArg::Kernel(n) => self.kernel_steps(s, n),
            StageArg::Left(t) => {
                let (left, room) = (left(t), left_room(t));
                let gather = hygienic!(let #left = #room.get(place););
                Steps { gather, pass: hygienic!(&#left), ..Steps::default() }
            }
            StageArg::Leaves(t) => {
                let (left, room) = (left(t), left_room(t));
                let zero = self.functions.zero(&self.form.parts.temporaries[t].ty);
                let gather = hygienic!(let mut #left = #zero;);
                Steps { gather, pass: hygienic!(&mut #left), scatter: hygienic!(#room.put(place, #left);) }
            }
        }
    }

    /// The code for an argument of the kernel in a stage. Contributions continue from the value that an earlier stage
    /// left.
    fn kernel_steps(&self, s: usize, n: usize) -> Steps {
        let arg = &self.lowered.args[n];
        match arg.dat() {
            Some(dat) if dat.access.combines() => {
                let (var, room) = (&arg.var, self.room(n));
                let whole = dat_steps(self.lowered, arg, dat, super::Path::General);
                let gather = match self.adds_before(s, n) {
                    true => hygienic!(let mut #var = #room.get(place);),
                    false => whole.gather,
                };
                Steps { gather, pass: whole.pass, scatter: hygienic!(#room.put(place, #var);) }
            }
            _ => {
                let steps = steps(self.lowered, arg, super::Path::General);
                match arg.role {
                    Role::Reduce(..) if arg.ty.has_record() => {
                        let pass = steps.pass;
                        Steps { pass: hygienic!(__op2::shape_mut(#pass)), ..steps }
                    }
                    _ => steps,
                }
            }
        }
    }

    /// The loop that adds the contributions of all stages. A dat that no stage adds to gets the kernel's initial value,
    /// as in the unsplit loop.
    fn update(&self) -> TokenStream {
        let args: Vec<usize> = self.contributions().map(|(n, ..)| n).collect();
        let targets = self.targets(&args);
        let adds = self.contributions().map(|(n, dat, how)| {
            let var = &self.lowered.args[n].var;
            let gather = match self.is_added_to(n) {
                true => {
                    let room = self.room(n);
                    hygienic!(let #var = #room.get(place);)
                }
                false => dat_steps(self.lowered, &self.lowered.args[n], dat, super::Path::General).gather,
            };
            let (at, all) = (at(self.lowered, dat.reach), dat.takes_all());
            let add = scatter(var, dat, Back::Add(how), &at, all);
            hygienic!(#gather #add)
        });
        hygienic! {
            for (place, (_, e)) in elems.clone().enumerate() {
                unsafe {
                    #targets
                    #(#adds)*
                }
            }
        }
    }

    /// The targets of the maps that some arguments go through.
    fn targets(&self, args: &[usize]) -> TokenStream {
        let used: BTreeSet<usize> = args.iter().filter_map(|n| self.lowered.args[*n].target()).collect();
        used.into_iter().map(|t| follow(self.lowered, t)).collect()
    }
}

/// The local that holds a temporary.
fn left(t: usize) -> Ident {
    format_ident!("left{t}", span = Span::mixed_site())
}

fn left_room(t: usize) -> Ident {
    format_ident!("left{t}_room", span = Span::mixed_site())
}

fn kernel_arg(arg: &StageArg) -> Option<usize> {
    match arg {
        StageArg::Kernel(n) => Some(*n),
        _ => None,
    }
}
