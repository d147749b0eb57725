//! Arguments of a loop over pairs: the code around all partners of an element, and around the kernel.

use super::{Back, Kept, Path, Steps, contribution, scatter, table, value_steps};
use crate::emit::bind::by;
use crate::emit::desc::combine;
use crate::emit::located;
use crate::ir::{Combine, Effect};
use crate::lower::{Argument, DatArg, Reach, Role};
use crate::parse::loop_decl::End;
use proc_macro2::TokenStream;

/// The code for an argument: around all partners of an element, and around the kernel.
#[derive(Default)]
pub(super) struct PairSteps {
    pub(super) outside: Steps,
    pub(super) inside: Steps,
}

/// The code for an argument.
pub(super) fn steps(arg: &Argument, path: Path, outside: End) -> PairSteps {
    let var = &arg.var;
    let at = |end: End| if end == outside { hygienic!(e) } else { hygienic!(partner) };
    let passed = |pass: TokenStream| PairSteps { inside: Steps { pass, ..Steps::default() }, ..PairSteps::default() };
    let mut steps = match &arg.role {
        Role::Index(Reach::End(end)) => {
            let at = at(*end);
            passed(match arg.indices {
                Some(_) => hygienic!(#var.element(#at)),
                None => hygienic!(__op2::IndexValue::from_index(#var.of(#at))),
            })
        }
        Role::Shift => passed(hygienic!(__op2::ShiftOf::of_shift(shift))),
        Role::Dat(dat) if dat.reach == Reach::Whole => passed(table(dat)),
        Role::Dat(dat) if dat.reach == Reach::End(outside) => outer(arg, dat, path),
        Role::Dat(dat) => PairSteps { inside: inner(arg, dat, path), ..PairSteps::default() },
        Role::Read(_) | Role::Reduce(..) | Role::Index(_) => {
            PairSteps { inside: value_steps(arg), ..PairSteps::default() }
        }
    };
    steps.inside.pass = located(steps.inside.pass, arg.span);
    steps
}

/// A dat on the element outside.
pub(super) fn outer(arg: &Argument, dat: &DatArg, path: Path) -> PairSteps {
    let (var, view) = (&arg.var, &dat.view);
    let each = |of: TokenStream| if dat.is_optional() { hygienic!(#view.map(|#view| #of)) } else { of };
    let e = hygienic!(e);
    let Some(how) = dat.access.combine() else {
        let value = match path {
            Path::Fast if arg.indices.is_none() => each(hygienic!(*#view.at(e))),
            _ => each(hygienic!(#view.load(e))),
        };
        let modifies = dat.access.modifies();
        let mutable = modifies.then(|| hygienic!(mut));
        return PairSteps {
            outside: Steps {
                gather: hygienic!(let #mutable #var = #value;),
                scatter: if modifies { scatter(var, dat, Back::Store, &e, false) } else { TokenStream::new() },
                ..Steps::default()
            },
            inside: Steps {
                pass: Kept { mutable: modifies, optional: dat.is_optional(), ..Kept::default() }.passed(var),
                ..Steps::default()
            },
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
            pass: Kept { mutable: true, optional: dat.is_optional(), ..Kept::default() }.passed(&one),
            scatter: absorb,
        },
    }
}

/// A dat on a partner.
fn inner(arg: &Argument, dat: &DatArg, path: Path) -> Steps {
    let (var, view) = (&arg.var, &dat.view);
    let each = |of: TokenStream| if dat.is_optional() { hygienic!(#view.map(|#view| #of)) } else { of };
    if path == Path::Fast && dat.access.effect() == Effect::Read && arg.indices.is_none() {
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
        pass: Kept { mutable: back.is_some(), optional: dat.is_optional(), ..Kept::default() }.passed(var),
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
