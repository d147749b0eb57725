//! The vectorised loop over pairs: for each element outside, its partners a pack at a time.
//!
//! Values of the element outside are the same in all lanes. Its sums get their contributions lane by lane, as from single partners. Either
//! side may be outside, which only the type of the handle tells, so there is a body for both, and the compiler leaves one.

use super::VectorBody;
use super::back::{as_rows, rows};
use crate::emit::bind::by;
use crate::emit::cpu::partners::{PairSteps, outer};
use crate::emit::cpu::{Back, Kept, Path, Steps, contribution, scatter, sink, table};
use crate::emit::located;
use crate::ir::{Combine, Ty};
use crate::lower::{Argument, DatArg, Lowered, Reach, Role};
use crate::parse::loop_decl::End;
use crate::vary::Varied;
use proc_macro2::{Ident, Span, TokenStream};

/// A generic parameter, as it is declared and as it is passed.
type Param = (TokenStream, TokenStream);

/// Why partners of an element cannot go at once.
pub(super) fn obstacle(lowered: &Lowered) -> Option<String> {
    let written = |dat: &DatArg| lowered.pairs && dat.access.modifies() && !dat.access.combines();
    let (_, arg, _) = lowered.dats().find(|(.., dat)| written(dat))?;
    Some(format!("`{}` changes a value that the next partner of the element gets", arg.text))
}

impl VectorBody<'_> {
    /// The locals of the call that the body uses for pairs, with types.
    pub(super) fn fields_of_pairs(&self) -> Vec<(Ident, TokenStream)> {
        if !self.lowered.pairs {
            return Vec::new();
        }
        let (dimensions, side) = (self.dimensions(), side());
        vec![(pairs(), hygienic!(__op2::PairView<#dimensions>)), (outside(), hygienic!(__op2::Of<#side>))]
    }

    /// The generic parameters that pairs need, as they are declared and as they are passed: the side outside, and the dimensions of the
    /// space where the kernel does not state them.
    pub(super) fn params_of_pairs(&self) -> (Option<Param>, Option<Param>) {
        let (side, dimensions) = (side(), dimensions());
        let outside = self.lowered.pairs.then(|| (hygienic!(#side: __op2::Outside), hygienic!(#side)));
        let open = self.lowered.pairs && self.stated_dimensions().is_none();
        let dimensions = open.then(|| (hygienic!(const #dimensions: ::core::primitive::usize), hygienic!(#dimensions)));
        (outside, dimensions)
    }

    /// The initial value of a field for pairs.
    pub(super) fn value_of_pairs(&self, name: &Ident) -> Option<TokenStream> {
        if !self.lowered.pairs || ![pairs(), outside()].contains(name) {
            return None;
        }
        let is_stated = *name == pairs() && self.stated_dimensions().is_some();
        Some(if is_stated { hygienic!(__op2::in_dimensions(#name)) } else { hygienic!(#name) })
    }

    /// The dimensions of the space.
    fn dimensions(&self) -> TokenStream {
        self.stated_dimensions().unwrap_or_else(|| {
            let dimensions = dimensions();
            hygienic!(#dimensions)
        })
    }

    /// The dimensions of the space, if the kernel takes a shift.
    fn stated_dimensions(&self) -> Option<TokenStream> {
        let shift = self.lowered.args.iter().position(|arg| matches!(arg.role, Role::Shift))?;
        match &self.unit.funcs[0].params[shift].ty {
            Ty::Array(_, len) => Some(self.functions.length(len)),
            _ => None,
        }
    }

    /// The number of scalars of a partner.
    pub(super) fn scalars_of_partner(&self) -> TokenStream {
        let [from, to] = [End::From, End::To].map(|outside| self.scalars(|dat| dat.reach != Reach::End(outside)));
        let side = side();
        hygienic!(match #side::END { __op2::End::From => #from, __op2::End::To => #to })
    }

    /// The loop with either side outside.
    pub(super) fn run_pairs(&self) -> TokenStream {
        let [from, to] =
            [(End::From, &self.varied[0]), (End::To, &self.varied[1])].map(|(end, varied)| self.run_side(end, varied));
        let side = side();
        hygienic! {
            if const { ::core::matches!(#side::END, __op2::End::From) } { #from } else { #to }
        }
    }

    fn run_side(&self, outside: End, varied: &Varied<'_>) -> TokenStream {
        let lowered = self.lowered;
        let (functions, kernel) = self.kernel(varied);
        let sinks = lowered.args.iter().enumerate().filter_map(|(n, arg)| sink(n, arg));
        let steps: Vec<(PairSteps, TokenStream)> =
            lowered.args.iter().enumerate().map(|(n, arg)| self.steps_of_pairs(varied, outside, n, arg)).collect();
        let before = steps.iter().map(|(s, _)| &s.outside.gather);
        let after = steps.iter().map(|(s, _)| &s.outside.scatter);
        let gather = steps.iter().map(|(s, _)| &s.inside.gather);
        let pass = steps.iter().map(|(s, _)| &s.inside.pass);
        let rows = steps.iter().map(|(s, _)| &s.inside.scatter);
        let lanes = steps.iter().map(|(_, lane)| lane);
        hygienic! {
            #functions
            #(#sinks)*
            let mut partners = unsafe { pairs.partners() };
            for (position, e) in elems {
                unsafe {
                    #(#before)*
                    for pack in partners.packs(w, e) {
                        let at = pack.partners();
                        #(#gather)*
                        #kernel(w, #(#pass),*);
                        #(#rows)*
                        for lane in 0..pack.len() {
                            let partner = __op2::Leads::element(&at, lane);
                            #(#lanes)*
                        }
                    }
                    #(#after)*
                }
            }
        }
    }

    /// The code for an argument, and that for each lane behind the kernel.
    fn steps_of_pairs(&self, varied: &Varied<'_>, outside: End, n: usize, arg: &Argument) -> (PairSteps, TokenStream) {
        let var = &arg.var;
        let takes_lanes = varied.instances[0].takes_lanes(self.unit, n);
        let passed = |pass: TokenStream| {
            (PairSteps { inside: Steps { pass, ..Steps::default() }, ..PairSteps::default() }, TokenStream::new())
        };
        let (mut steps, lane) = match &arg.role {
            Role::Index(Reach::End(end)) => {
                let ty = self.functions.value_type(&self.unit.funcs[0].params[n].ty);
                let one = |at: TokenStream| hygienic!(<#ty as __op2::IndexValue>::from_index(#var.of(#at)));
                let (own, each) = (one(hygienic!(e)), one(hygienic!(__op2::Leads::element(&at, lane))));
                passed(match (*end == outside, takes_lanes) {
                    (true, false) => own,
                    (true, true) => hygienic!(__op2::Spread::<W>::spread(#own, w)),
                    (false, _) => hygienic!(__op2::each(w, |lane| #each)),
                })
            }
            Role::Shift => passed(hygienic!(pack.shift(w))),
            Role::Dat(dat) if dat.reach == Reach::Whole => passed(table(dat)),
            Role::Dat(dat) if dat.reach == Reach::End(outside) => outer_in_lanes(arg, dat, takes_lanes),
            Role::Dat(dat) => inner(var, dat),
            Role::Read(_) | Role::Reduce(..) | Role::Index(_) => {
                let super::Steps { gather, pass, lanes, .. } = self.value_steps(varied, n, arg);
                let inside = Steps { gather, pass, ..Steps::default() };
                (PairSteps { inside, ..PairSteps::default() }, lanes.each)
            }
        };
        steps.inside.pass = located(steps.inside.pass, arg.span);
        (steps, lane)
    }
}

/// A dat on the element outside.
fn outer_in_lanes(arg: &Argument, dat: &DatArg, takes_lanes: bool) -> (PairSteps, TokenStream) {
    let var = &arg.var;
    let mut steps = outer(arg, dat, Path::General);
    let Some(how) = dat.access.combine() else {
        if takes_lanes {
            let spread = hygienic!(__op2::Spread::<W>::spread(#var, w));
            steps.inside.pass = match dat.is_optional() {
                true => hygienic!(#var.map(|#var| #spread).as_ref()),
                false => hygienic!(&#spread),
            };
        }
        return (steps, TokenStream::new());
    };
    let one = contribution(var);
    let (inside, own) = in_lanes(&one, dat, how);
    let absorb = &steps.inside.scatter;
    let lane = hygienic!(#own #absorb);
    (PairSteps { inside, ..steps }, lane)
}

/// A dat on a partner.
fn inner(var: &Ident, dat: &DatArg) -> (PairSteps, TokenStream) {
    let view = &dat.view;
    // Loops that write have no lanes.
    let Some(how) = dat.access.combine() else {
        let value = hygienic!(#view.gather(w, &at));
        let value = if dat.is_optional() { hygienic!(#view.map(|#view| #value)) } else { value };
        let pass = Kept { optional: dat.is_optional(), ..Kept::default() }.passed(var);
        let inside = Steps { gather: hygienic!(let #var = #value;), pass, ..Steps::default() };
        return (PairSteps { inside, ..PairSteps::default() }, TokenStream::new());
    };
    let (inside, own) = in_lanes(var, dat, how);
    let back = scatter(var, dat, Back::Partner(how), &hygienic!(partner), false);
    (PairSteps { inside, ..PairSteps::default() }, hygienic!(#own #back))
}

/// Contributions in lanes, as the local `name`, and the statement that gives it the contribution of one lane.
fn in_lanes(name: &Ident, dat: &DatArg, how: Combine) -> (Steps, TokenStream) {
    let (view, by, rows) = (&dat.view, by(how), rows(name));
    let neutral = hygienic!(__op2::Spread::<W>::spread(#view.neutral::<#by>(), w));
    let (neutral, own) = match dat.is_optional() {
        true => (hygienic!(#view.map(|#view| #neutral)), hygienic!(#rows.map(|rows| rows.as_ref()[lane]))),
        false => (neutral, hygienic!(#rows.as_ref()[lane])),
    };
    let steps = Steps {
        gather: hygienic!(let mut #name = #neutral;),
        pass: Kept { mutable: true, optional: dat.is_optional(), ..Kept::default() }.passed(name),
        scatter: as_rows(name, dat, true),
    };
    (steps, hygienic!(let #name = #own;))
}

/// The local that holds the view of the pairs.
fn pairs() -> Ident {
    Ident::new("pairs", Span::mixed_site())
}

/// The local that tells the side outside.
fn outside() -> Ident {
    Ident::new("outside", Span::mixed_site())
}

/// The type parameter that stands for it.
fn side() -> Ident {
    Ident::new("O", Span::mixed_site())
}

/// The parameter for the dimensions of the space.
fn dimensions() -> Ident {
    Ident::new("D", Span::mixed_site())
}
