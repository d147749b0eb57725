//! Arguments that are rows of any length: in place on the fast path, unless they take contributions, and otherwise in a room that
//! serves one element after the other.

use super::{Path, Steps, contribution, sink_name};
use crate::emit::bind::by;
use crate::emit::desc::combine;
use crate::ir::Effect;
use crate::lower::{Argument, DatArg, Lowered, Reach, Role};
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;

/// The rooms of all such arguments that need one.
pub(super) fn rooms(lowered: &Lowered, path: Path) -> impl Iterator<Item = TokenStream> {
    let of_indices = lowered.args.iter().filter(|arg| matches!(arg.role, Role::Index(Reach::Row(_)))).map(|arg| {
        let (room, var) = (room(&arg.var), &arg.var);
        hygienic!(let mut #room = __op2::RowRoom::of_elements(#var);)
    });
    let needing = lowered.dats().filter(move |(_, arg, dat)| dat.takes_row() && needs_room(arg, dat, path));
    let needing = needing.map(|(_, arg, dat)| {
        let (room, view) = (room(&arg.var), &dat.view);
        match dat.flag {
            Some(_) => hygienic!(let mut #room = #view.map(__op2::RowRoom::of);),
            None => hygienic!(let mut #room = __op2::RowRoom::of(#view);),
        }
    });
    of_indices.chain(needing)
}

/// The code around the kernel for a row of indices, which are its targets `at`.
pub(super) fn of_indices(arg: &Argument, at: &TokenStream) -> Steps {
    let (var, room) = (contribution(&arg.var), room(&arg.var));
    Steps {
        gather: hygienic!(let #var = #room.elements(#at);),
        pass: hygienic!(__op2::lent(&#var)),
        ..Steps::default()
    }
}

/// The code around the kernel for the row of targets `at`.
pub(super) fn steps(arg: &Argument, dat: &DatArg, path: Path, at: &TokenStream) -> Steps {
    let (var, view, room) = (&arg.var, &dat.view, room(&arg.var));
    let value = match (needs_room(arg, dat, path), dat.access.combine().map(by)) {
        (false, _) => hygienic!(#view.row_of(#at)),
        (true, Some(by)) => hygienic!(#room.neutral::<#by, false>(#view, #at)),
        (true, None) => hygienic!(#room.load(#view, #at)),
    };
    let back = match (dat.access.effect(), path) {
        (Effect::Write | Effect::Rw, _) if needs_room(arg, dat, path) => hygienic!(#room.store(#view, #at);),
        (Effect::Read | Effect::Write | Effect::Rw, _) => TokenStream::new(),
        (Effect::Combine(how), Path::Fast) => {
            let how = combine(how);
            hygienic!(__op2::combine_row(#view, #how, #at, &#room);)
        }
        (Effect::Combine(how), Path::General) => {
            let (how, sink) = (combine(how), sink_name(var));
            hygienic! {
                for (entry, (at, value)) in ::core::iter::zip(#at, #room.values()).enumerate() {
                    #sink.combine(#how, position, entry, *at as ::core::primitive::usize, value);
                }
            }
        }
    };
    let modifies = dat.access.modifies();
    let mutable = modifies.then(|| hygienic!(mut));
    if dat.flag.is_none() {
        let pass = if modifies { hygienic!(__op2::lent_mut(&mut #var)) } else { hygienic!(__op2::lent(&#var)) };
        return Steps { gather: hygienic!(let #mutable #var = #value;), pass, scatter: back };
    }
    // All that belongs to an absent argument is absent.
    let with = if needs_room(arg, dat, path) { hygienic!((#view, &mut #room)) } else { hygienic!((#view, ())) };
    let some = hygienic!(::core::option::Option::Some);
    let kept = if needs_room(arg, dat, path) {
        hygienic!((#some(#view), #some(#room)))
    } else {
        hygienic!((#some(#view), ()))
    };
    let gather = hygienic! {
        let #mutable #var = match #with { #kept => #some(#value), _ => ::core::option::Option::None };
    };
    let pass = match modifies {
        true => hygienic!(#var.as_mut().map(__op2::lent_mut)),
        false => hygienic!(#var.as_ref().map(__op2::lent)),
    };
    let sink = sink_name(var);
    let scatter = match (back.is_empty(), dat.access.combines() && path == Path::General) {
        (true, _) => back,
        (false, true) => hygienic!(if let (#some(#sink), #some(#room)) = (#sink, &#room) { #back }),
        (false, false) => hygienic!(if let (#some(#view), #some(#room)) = (#view, &#room) { #back }),
    };
    Steps { gather, pass, scatter }
}

/// Whether the kernel gets values that lie elsewhere than the dat's.
fn needs_room(arg: &Argument, dat: &DatArg, path: Path) -> bool {
    path == Path::General || dat.access.combines() || arg.indices.is_some()
}

/// The local for the values of an argument's row.
pub(super) fn room(var: &Ident) -> Ident {
    format_ident!("{var}_room", span = Span::mixed_site())
}
