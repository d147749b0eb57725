//! The vectorised loop: one more body, which takes a pack of elements at a time. It is a type with a method that is
//! compiled for each width.
//!
//! A pack is gathered, computed by the kernel in lanes (`emit::rust::lanes`), and scattered. Every target gets its
//! contributions in the order of the elements and of the arguments, as in the body for single elements, so results have
//! the same bits. A pack that is not full repeats its last element, and the copies are not written back.

mod back;
mod pairs;
mod rows;
mod turned;

use super::{Kept, at, contribution, numbered, sink, table};
use crate::emit::bind::{by, index};
use crate::emit::rust::{self, Functions, lanes};
use crate::emit::{Program, located};
use crate::ir::{Access, Combine, Effect, Scalar, Ty, Unit};
use crate::lower::{Argument, DatArg, Lowered, Reach, Role};
use crate::vary::Varied;
pub(super) use back::OneByOne;
use back::streams;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;

/// The varying values of the kernel, or the reason why the loop does not run in lanes.
pub(super) fn lanes<'a>(program: &Program<'a>) -> Result<&'a [Varied<'a>], String> {
    match lanes::obstacle(program.unit).or_else(|| pairs::obstacle(program.lowered)) {
        Some(obstacle) => Err(obstacle),
        None => program.varied.as_deref().map_err(ToString::to_string),
    }
}

/// The body, as an expression.
pub(super) fn body(program: &Program<'_>, varied: &Result<&[Varied<'_>], String>) -> TokenStream {
    let Ok(varied) = varied else { return hygienic!(__op2::NotInLanes::new()) };
    let Program { lowered, carrier, .. } = program;
    // With options opened.
    let unit = varied[0].unit;
    let functions = Functions::new(unit, carrier);
    VectorBody { lowered, carrier, functions, unit, varied, floats: lowered.floats() }.expression()
}

struct VectorBody<'a> {
    lowered: &'a Lowered,
    carrier: &'a TokenStream,
    functions: Functions<'a>,
    unit: &'a Unit,
    /// For each of [`Lowered::outsides`].
    varied: &'a [Varied<'a>],
    /// The arguments from which the float types of a generic kernel are inferred.
    floats: Vec<usize>,
}

/// The code for an argument around the kernel.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) gather: TokenStream,
    pub(super) pass: TokenStream,
    /// After the kernel, for the whole pack.
    pub(super) scatter: TokenStream,
    /// The way back that goes lane by lane.
    pub(super) lanes: OneByOne,
    /// The same for full packs whose contributions go straight to rows.
    pub(super) quick: OneByOne,
}

impl VectorBody<'_> {
    fn expression(&self) -> TokenStream {
        let (names, types): (Vec<Ident>, Vec<TokenStream>) = self.fields().into_iter().unzip();
        let values: Vec<TokenStream> = names.iter().map(|name| self.value(name)).collect();
        let (generics, params) = self.generics();
        let wide = match Varied::widest(self.varied) {
            // With several float types, nobody knows here which one is the widest.
            Scalar::Generic(n) if self.floats.len() == 1 => {
                let float = rust::float_param(n);
                hygienic!(#float)
            }
            Scalar::F32 => hygienic!(::core::primitive::f32),
            _ => hygienic!(::core::primitive::f64),
        };
        let outs = self.lowered.reductions().map(|(n, arg, _)| match arg.ty.has_record() {
            true => {
                let total = total_param(n);
                hygienic!(#total)
            }
            false => self.value_type(n),
        });
        let outs: Vec<TokenStream> = outs.collect();
        let out = if outs.is_empty() { hygienic!(()) } else { hygienic!((#(#outs,)*)) };
        let views = self.views();
        let (run, part) = (self.run(), super::part(self.lowered));
        let scalars = if self.lowered.pairs { self.scalars_of_partner() } else { self.scalars(|_| true) };
        hygienic! {{
            #[allow(non_camel_case_types)]
            struct __Lanes<#(#generics),*> { #(#names: #types),* }
            #[allow(unused, clippy::all, clippy::pedantic)]
            impl<#(#generics),*> __op2::Vector for __Lanes<#(#params),*> {
                type Wide = #wide;
                type Out = #out;
                const SCALARS: ::core::primitive::usize = #scalars;
                #[inline(always)]
                fn run<W: __op2::Width, const SOA: ::core::primitive::bool>(&self, w: W, mut elems: __op2::Elems<'_>, #part: #out) -> #out {
                    let &__Lanes { #(#names),* } = self;
                    #(#views)*
                    #run
                }
            }
            __Lanes { #(#names: #values),* }
        }}
    }

    /// The initial value of a field. The body for single elements reports a wrong type; it must not be reported here a
    /// second time.
    fn value(&self, name: &Ident) -> TokenStream {
        if let Some(value) = self.value_of_pairs(name) {
            return value;
        }
        if let Some(n) = self.lowered.maps.iter().position(|map| map.var == *name) {
            return if self.whole_row(n).is_some() { hygienic!(__op2::of_arity(#name)) } else { hygienic!(#name) };
        }
        if (0..self.lowered.lens.len()).any(|n| *name == rust::told_length(n)) {
            // The others get their types from it.
            return hygienic!(#name);
        }
        let shapes = self.lowered.args.iter().enumerate().filter(|(_, arg)| arg.is_shaped());
        for (n, arg) in shapes {
            match &arg.role {
                Role::Reduce(..) if *name == total_name(n) => {
                    let var = &arg.var;
                    return hygienic!(__op2::total_of(#var));
                }
                Role::Read(_) if arg.var == *name => return hygienic!(*__op2::shape(&#name)),
                Role::Index(_) if arg.var == *name => return hygienic!(#name.as_numbers()),
                Role::Dat(dat) if dat.view == *name && dat.reach == Reach::Whole => return numbered(dat),
                Role::Dat(dat) if dat.view == *name => {
                    return match dat.is_optional() {
                        true => hygienic!(#name.map(__op2::shaped)),
                        false => hygienic!(__op2::shaped(#name)),
                    };
                }
                _ => {}
            }
        }
        match (0..).zip(&self.floats).find(|(float, _)| *name == rust::told(*float)) {
            Some((_, n)) => {
                let argument = self.lowered.args[*n].bound();
                hygienic!(__op2::float_near(&#argument))
            }
            None => hygienic!(__op2::same(#name)),
        }
    }

    /// The views of dats, for the layout that the body is compiled for.
    fn views(&self) -> Vec<TokenStream> {
        let mut known: Vec<&Ident> = Vec::new();
        let mut all = Vec::new();
        for (_, _, dat) in self.lowered.dats().filter(|(.., dat)| dat.reach != Reach::Whole) {
            let view = &dat.view;
            if known.contains(&view) {
                continue;
            }
            known.push(view);
            all.push(match dat.is_optional() {
                true => hygienic!(let #view = #view.map(|view| view.in_layout::<SOA>());),
                false => hygienic!(let #view = #view.in_layout::<SOA>();),
            });
        }
        all
    }

    /// The locals of the call that the body uses, with types.
    fn fields(&self) -> Vec<(Ident, TokenStream)> {
        let mut fields: Vec<(Ident, TokenStream)> = Vec::new();
        for (n, _) in (0..).zip(&self.floats) {
            let float = rust::float_param(n);
            fields.push((rust::told(n), hygienic!(__op2::Of<#float>)));
        }
        for n in 0..self.lowered.lens.len() {
            let length = rust::length_param(n);
            fields.push((rust::told_length(n), hygienic!(__op2::Of<[(); #length]>)));
        }
        for (n, map) in self.lowered.maps.iter().enumerate() {
            let (to, arity) = (set_param(n), self.arity(n));
            if map.by_rows {
                fields.push((map.var.clone(), hygienic!(__op2::RowsView<#to>)));
                continue;
            }
            let presence = presence_param(n);
            fields.push((map.var.clone(), hygienic!(__op2::MapView<#to, #arity, #presence>)));
        }
        for target in &self.lowered.targets {
            if target.is_computed() {
                fields.push((target.var.clone(), hygienic!(::core::primitive::usize)));
            }
        }
        for (n, arg) in self.lowered.args.iter().enumerate() {
            let value = self.value_type(n);
            let (name, ty) = match &arg.role {
                Role::Dat(dat) => {
                    let view = match dat.reach {
                        Reach::Whole => hygienic!(__op2::NumberedTable<#value>),
                        _ => hygienic!(__op2::View<#value>),
                    };
                    let view = if dat.is_optional() { hygienic!(::core::option::Option<#view>) } else { view };
                    (&dat.view, view)
                }
                Role::Read(_) => (&arg.var, value),
                // The partial result comes with the elements. Only the user can name the type of a record.
                Role::Reduce(..) if arg.ty.has_record() => {
                    let total = total_param(n);
                    fields.push((total_name(n), hygienic!(__op2::Of<#total>)));
                    continue;
                }
                Role::Reduce(..) => continue,
                Role::Index(_) if arg.indices.is_some() => (&arg.var, hygienic!(__op2::ElementNumbers)),
                Role::Index(_) => (&arg.var, hygienic!(__op2::Numbers)),
                Role::Shift => continue,
            };
            if !fields.iter().any(|(known, _)| known == name) {
                fields.push((name.clone(), ty));
            }
        }
        fields.extend(self.fields_of_pairs());
        fields
    }

    /// Generic parameters: as they are declared, and as they are passed.
    fn generics(&self) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let maps = 0..self.lowered.maps.len();
        let sets = maps.clone().flat_map(|map| {
            let (set, presence) = (set_param(map), presence_param(map));
            let presence = (hygienic!(#presence: __op2::Presence), hygienic!(#presence));
            let presence = (!self.lowered.maps[map].by_rows).then_some(presence);
            std::iter::once((hygienic!(#set), hygienic!(#set))).chain(presence)
        });
        // Lengths come last, as all const parameters do.
        let kernel = &self.unit.funcs[0];
        let own = kernel.declared_params().into_iter().zip(kernel.passed_params());
        let (floats, lens) = (own.clone().take(kernel.floats.len()), own.skip(kernel.floats.len()));
        let stated = |n: &usize| self.lowered.maps[*n].by_rows || self.whole_row(*n).is_some();
        let arities = maps.filter(|n| !stated(n)).map(arity_param);
        let arities = arities.map(|arity| (hygienic!(const #arity: ::core::primitive::usize), hygienic!(#arity)));
        let totals = self.lowered.reductions().filter(|(_, arg, _)| arg.ty.has_record()).map(|(n, ..)| {
            let total = total_param(n);
            (hygienic!(#total: __op2::Value), hygienic!(#total))
        });
        let (outside, dimensions) = self.params_of_pairs();
        sets.chain(floats).chain(totals).chain(outside).chain(arities).chain(dimensions).chain(lens).unzip()
    }

    /// The arity of a map: as the kernel states it, or as a parameter.
    fn arity(&self, map: usize) -> TokenStream {
        self.whole_row(map).unwrap_or_else(|| {
            let arity = arity_param(map);
            hygienic!(#arity)
        })
    }

    /// The arity of a map of which the kernel gets all entries.
    fn whole_row(&self, map: usize) -> Option<TokenStream> {
        self.lowered.args.iter().zip(&self.unit.funcs[0].params).find_map(|(arg, param)| {
            let Reach::All(t) = arg.reach()? else { return None };
            let ty = if let Ty::Option(inner) = &param.ty { inner } else { &param.ty };
            match ty {
                Ty::Array(_, len) if self.lowered.targets[t].map == map => Some(self.functions.length(len)),
                _ => None,
            }
        })
    }

    /// The number of scalars of all dats that an element reaches, each counted once per argument, of those in which `is_meant` holds.
    fn scalars(&self, is_meant: impl Fn(&DatArg) -> bool) -> TokenStream {
        let of_arg = |(n, arg): (usize, &Argument)| {
            let dat = arg.dat().filter(|dat| is_meant(dat))?;
            let ty = &self.unit.funcs[0].params[n].ty;
            let ty = if let Ty::Option(inner) = ty { inner } else { ty };
            let value = self.value_type(n);
            let of_value = hygienic!(<#value as __op2::Value>::DIM);
            Some(match (dat.reach, ty) {
                (Reach::All(_), Ty::Array(_, len)) => {
                    let ends = self.functions.length(len);
                    hygienic!(#ends * #of_value)
                }
                _ => of_value,
            })
        };
        let of_args: Vec<TokenStream> = self.lowered.args.iter().enumerate().filter_map(of_arg).collect();
        hygienic!(0 #(+ #of_args)*)
    }

    /// The type of the value behind argument `n`.
    fn value_type(&self, n: usize) -> TokenStream {
        self.functions.value_type(self.lowered.args[n].value())
    }

    /// The loop over elements, or over pairs.
    fn run(&self) -> TokenStream {
        let lowered = self.lowered;
        let result = super::result(lowered);
        let (shapes, back): (Vec<_>, Vec<_>) = lowered
            .reductions()
            .filter(|(_, arg, _)| arg.ty.has_record())
            .map(|(n, arg, _)| as_shape(n, &arg.var, &self.value_type(n)))
            .unzip();
        let (before, behind): (Vec<_>, Vec<_>) = lowered
            .reductions()
            .filter(|(.., how)| how.is_exact())
            .map(|(_, arg, how)| whole_run(how, &arg.var))
            .unzip();
        let elements = if lowered.pairs { self.run_pairs() } else { self.run_elements() };
        hygienic! {
            #(#shapes)*
            #(#before)*
            #elements
            #(#behind)*
            #(#back)*
            #result
        }
    }

    fn run_elements(&self) -> TokenStream {
        let lowered = self.lowered;
        let sinks = lowered.args.iter().enumerate().filter_map(|(n, arg)| sink(n, arg));
        let streams = lowered.dats().filter_map(|(n, arg, dat)| match dat.access {
            Access::Write if !dat.is_mapped() => {
                let (streams, n) = (streams(&arg.var), Literal::usize_unsuffixed(n));
                Some(hygienic!(let #streams = elems.streams(#n);))
            }
            _ => None,
        });
        let targets = (0..lowered.targets.len()).map(|t| self.follow(t));
        let rooms = rows::rooms(lowered);
        let all: Vec<Steps> = lowered.args.iter().enumerate().map(|(n, arg)| self.steps(n, arg)).collect();
        let (gather, pass) = (all.iter().map(|s| &s.gather), all.iter().map(|s| &s.pass));
        let there = lowered.args.iter().filter(|arg| arg.may_miss).filter_map(|arg| self.there(arg));
        let pass = pass.cloned().chain(there);
        let (straight, scatter) = self.scatter(&all);
        let (functions, kernel) = self.kernel(&self.varied[0]);
        hygienic! {
            #functions
            #(#sinks)*
            #(#streams)*
            #(#rooms)*
            #straight
            while let ::core::option::Option::Some(pack) = elems.pack(w) {
                unsafe {
                    #(#targets)*
                    #(#gather)*
                    #kernel(w, #(#pass),*);
                    #scatter
                }
            }
        }
    }

    /// The functions of the kernel in lanes, and the path of the kernel itself.
    fn kernel(&self, varied: &Varied<'_>) -> (TokenStream, TokenStream) {
        let (functions, kernel) = (lanes::functions(varied, self.carrier), lanes::name(varied, 0));
        let params = self.unit.funcs[0].passed_params();
        let params = (!params.is_empty()).then(|| hygienic!(::<W #(, #params)*>));
        (functions, hygienic!(#kernel #params))
    }

    /// Where a way through maps leads from the elements of the pack.
    fn follow(&self, t: usize) -> TokenStream {
        let target = &self.lowered.targets[t];
        let (var, map) = (&target.at, &self.lowered.map_of(t).var);
        match target.entry {
            Some(_) => {
                let index = index(self.lowered, t);
                hygienic!(let mut entries = #map.entries_of(w); let #var = #map.target_of(&pack, #index, &mut entries);)
            }
            None if self.lowered.map_of(t).by_rows => hygienic!(let #var = #map.rows_of(w, &pack.direct());),
            None => hygienic!(let mut entries = #map.entries_of(w); let #var = #map.targets_of(&pack, &mut entries);),
        }
    }

    fn steps(&self, n: usize, arg: &Argument) -> Steps {
        let mut steps = match &arg.role {
            Role::Read(_) | Role::Reduce(..) => self.value_steps(&self.varied[0], n, arg),
            Role::Index(reach @ Reach::Row(_)) => rows::of_indices(arg, &self.at(*reach)),
            Role::Index(reach) => {
                let at = self.at(*reach);
                let pass = match reach {
                    Reach::All(_) => {
                        let indices = self.indices_at(n, arg, &hygienic!(at));
                        hygienic!(__op2::mapped(#at, |at| #indices))
                    }
                    _ => self.indices_at(n, arg, &at),
                };
                Steps { pass, ..Steps::default() }
            }
            Role::Dat(dat) => self.dat_steps(n, arg, dat),
            Role::Shift => Steps::default(),
        };
        steps.pass = located(steps.pass, arg.span);
        steps
    }

    /// The indices, lane by lane, of the elements at places.
    fn indices_at(&self, n: usize, arg: &Argument, at: &TokenStream) -> TokenStream {
        let (var, ty) = (&arg.var, self.value_type(n));
        let number = |one: TokenStream| hygienic!(__op2::each(w, |lane| <#ty as __op2::IndexValue>::from_index(#one)));
        if arg.indices == Some(Scalar::MaybeIdx) {
            return hygienic!(__op2::each(w, |lane| #var.if_any(__op2::Leads::at(&#at, lane))));
        }
        if arg.may_miss {
            return number(hygienic!(__op2::Place::element(__op2::Leads::at(&#at, lane)).map_or(0, |e| #var.of(e))));
        }
        let each = number(hygienic!(#var.of(elements.as_ref()[lane])));
        hygienic!({ let elements = __op2::Leads::elements(&#at, w); #each })
    }

    /// The flags of an argument whose entries may be missing.
    fn there(&self, arg: &Argument) -> Option<TokenStream> {
        let reach = arg.reach()?;
        let at = self.at(reach);
        let there = |at: TokenStream| match arg.dat().filter(|dat| dat.is_optional()) {
            Some(DatArg { view, .. }) => hygienic!(__op2::there_if(#view.is_some(), w, &#at)),
            None => hygienic!(__op2::Leads::there(&#at, w)),
        };
        Some(match reach {
            Reach::All(_) => {
                let there = there(hygienic!(at));
                hygienic!(__op2::mapped(#at, |at| #there))
            }
            _ => there(at),
        })
    }

    /// A global.
    fn value_steps(&self, varied: &Varied<'_>, n: usize, arg: &Argument) -> Steps {
        let (var, part) = (&arg.var, contribution(&arg.var));
        match &arg.role {
            Role::Read(_) if varied.instances[0].takes_lanes(self.unit, n) => {
                Steps { pass: hygienic!(&__op2::Spread::<W>::spread(#var, w)), ..Steps::default() }
            }
            Role::Read(_) => Steps { pass: hygienic!(&#var), ..Steps::default() },
            Role::Reduce(how, _) if !how.is_exact() => {
                let by = by(*how);
                let absorb = OneByOne {
                    each: hygienic!(__op2::Reduce::<#by>::absorb(&mut #var, &__op2::Lanes::<W>::lane(&#part, lane));),
                    ..OneByOne::default()
                };
                Steps {
                    gather: hygienic!(let mut #part = __op2::Spread::<W>::spread(__op2::start_like::<#by, _>(&#var), w);),
                    pass: hygienic!(&mut #part),
                    lanes: absorb.clone(),
                    quick: absorb,
                    ..Steps::default()
                }
            }
            Role::Reduce(..) => Steps { pass: hygienic!(&mut #part), ..Steps::default() },
            Role::Index(_) | Role::Dat(_) | Role::Shift => Steps::default(),
        }
    }

    /// Where the elements of a reach are.
    fn at(&self, reach: Reach) -> TokenStream {
        match reach {
            Reach::Element => hygienic!(pack.direct()),
            reach => at(self.lowered, reach),
        }
    }

    fn dat_steps(&self, n: usize, arg: &Argument, dat: &DatArg) -> Steps {
        if dat.takes_row() {
            return rows::steps(arg, dat, &self.at(dat.reach));
        }
        if dat.reach == Reach::Whole {
            return Steps { pass: table(dat), ..Steps::default() };
        }
        let var = &arg.var;
        let (at, all) = (self.at(dat.reach), dat.takes_all());
        let view = &dat.view;
        let one = match dat.access.effect() {
            Effect::Combine(how) => {
                let by = by(how);
                hygienic!(__op2::Spread::<W>::spread(#view.neutral::<#by>(), w))
            }
            // The old value is not read, since the kernel writes all of it.
            Effect::Write if arg.may_miss && dat.is_optional() => hygienic!(__op2::blank_of(#view, w)),
            Effect::Write => hygienic!(#view.blank(w)),
            Effect::Read | Effect::Rw => {
                let at = if all { hygienic!(at) } else { at.clone() };
                match (arg.may_miss, dat.is_optional()) {
                    (true, true) => hygienic!(__op2::gather_if(#view, w, &#at)),
                    (true, false) => hygienic!(#view.gather_there(w, &#at)),
                    (false, _) => hygienic!(#view.gather(w, &#at)),
                }
            }
        };
        let value = match (all, dat.access.effect()) {
            (false, _) => one,
            (true, Effect::Read | Effect::Rw) => hygienic!(__op2::mapped(#at, |at| #one)),
            (true, Effect::Write | Effect::Combine(_)) => hygienic!(__op2::mapped(#at, |_| #one)),
        };
        let mutable = dat.access.modifies().then(|| hygienic!(mut));
        let gather = match dat.is_option() {
            true => hygienic!(let #mutable #var = #view.map(|#view| #value);),
            false => hygienic!(let #mutable #var = #value;),
        };
        let kept = Kept { mutable: dat.access.modifies(), all, optional: dat.is_option(), may_miss: false };
        let pass = kept.passed(var);
        let steps = Steps { gather, pass, ..Steps::default() };
        match dat.access.effect() {
            Effect::Read => steps,
            Effect::Write | Effect::Rw if !dat.is_mapped() => Steps { scatter: back::whole(var, dat, &at), ..steps },
            Effect::Write | Effect::Rw | Effect::Combine(_) => {
                // Groups of contributions go straight to rows.
                let alone = !dat.access.combines() || !self.goes_straight(n, dat);
                let quick = if alone { OneByOne::of(var, dat, &at, true) } else { OneByOne::default() };
                Steps { lanes: OneByOne::of(var, dat, &at, false), quick, ..steps }
            }
        }
    }
}

/// Lanes keep a minimum or maximum until the end: its initial value, and the code that combines the lanes.
fn whole_run(how: Combine, var: &Ident) -> (TokenStream, TokenStream) {
    let (by, part) = (by(how), contribution(var));
    (
        hygienic!(let mut #part = __op2::Spread::<W>::spread(#var, w);),
        hygienic!(for lane in 0..W::LANES { __op2::Reduce::<#by>::absorb(&mut #var, &__op2::Lanes::<W>::lane(&#part, lane)); }),
    )
}

/// A sum of records as pairs, and the way back to the user's type.
fn as_shape(n: usize, var: &Ident, shape: &TokenStream) -> (TokenStream, TokenStream) {
    let total = total_name(n);
    (
        hygienic!(let mut #total = #var; let mut #var: #shape = *__op2::shape(&#total);),
        hygienic!(*unsafe { __op2::shape_mut(&mut #total) } = #var; let #var = #total;),
    )
}

/// The field that tells the type of a partial result.
fn total_name(n: usize) -> Ident {
    format_ident!("total{n}", span = Span::mixed_site())
}

fn total_param(n: usize) -> Ident {
    format_ident!("G{n}", span = Span::mixed_site())
}

fn set_param(n: usize) -> Ident {
    format_ident!("T{n}", span = Span::mixed_site())
}

/// Says whether entries of a map may be missing.
fn presence_param(n: usize) -> Ident {
    format_ident!("M{n}", span = Span::mixed_site())
}

fn arity_param(n: usize) -> Ident {
    format_ident!("A{n}", span = Span::mixed_site())
}
