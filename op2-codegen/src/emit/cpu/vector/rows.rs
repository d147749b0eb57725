//! Arguments that are rows of any length, in lanes: each lane has a row of its own.

use super::{OneByOne, Steps};
use crate::emit::bind::by;
use crate::emit::cpu::rows::room;
use crate::emit::cpu::{contribution, sink_name};
use crate::emit::desc::combine;
use crate::ir::Effect;
use crate::lower::{Argument, DatArg, Lowered, Reach, Role};
use proc_macro2::TokenStream;

/// The rooms of all such arguments.
pub(super) fn rooms(lowered: &Lowered) -> impl Iterator<Item = TokenStream> {
    let of_indices = lowered.args.iter().filter(|arg| matches!(arg.role, Role::Index(Reach::Row(_)))).map(|arg| {
        let room = room(&arg.var);
        hygienic!(let mut #room = __op2::RowRooms::of_elements();)
    });
    let of_dats = lowered.dats().filter(|(.., dat)| dat.takes_row()).map(|(_, arg, dat)| {
        let (room, view) = (room(&arg.var), &dat.view);
        match dat.flag {
            Some(_) => hygienic!(let mut #room = #view.map(__op2::RowRooms::of);),
            None => hygienic!(let mut #room = __op2::RowRooms::of(#view);),
        }
    });
    of_indices.chain(of_dats)
}

/// The code around the kernel for rows of indices, which are the targets `at`.
pub(super) fn of_indices(arg: &Argument, at: &TokenStream) -> Steps {
    let (var, room) = (contribution(&arg.var), room(&arg.var));
    Steps { gather: hygienic!(let #var = #room.elements(w, &#at);), pass: hygienic!(&#var), ..Steps::default() }
}

/// The code around the kernel, for the rows of targets `at`. A lane that repeats another one must not change values in place,
/// so that what is changed is copied, and written back for the lanes that have elements of their own.
pub(super) fn steps(arg: &Argument, dat: &DatArg, at: &TokenStream) -> Steps {
    let (var, view, room) = (&arg.var, &dat.view, room(&arg.var));
    let value = match (dat.access.effect(), dat.access.combine().map(by)) {
        (_, Some(by)) => hygienic!(#room.neutral::<#by, _, SOA>(w, #view, &#at)),
        (Effect::Read, _) => hygienic!(#room.read(w, #view, &#at)),
        _ => hygienic!(#room.load(w, #view, &#at)),
    };
    let back = match dat.access.effect() {
        Effect::Read => TokenStream::new(),
        Effect::Write | Effect::Rw => hygienic! {
            for (at, value) in ::core::iter::zip(#at.of(lane), #room.values(lane)) {
                #view.store(*at as ::core::primitive::usize, value);
            }
        },
        Effect::Combine(how) => {
            let (how, sink) = (combine(how), sink_name(var));
            hygienic! {
                for (entry, (at, value)) in ::core::iter::zip(#at.of(lane), #room.values(lane)).enumerate() {
                    #sink.combine_row(#how, pack.position(lane), entry, *at as ::core::primitive::usize, value);
                }
            }
        }
    };
    let modifies = dat.access.modifies();
    let mutable = modifies.then(|| hygienic!(mut));
    let some = hygienic!(::core::option::Option::Some);
    let to = if dat.access.combines() { &sink_name(var) } else { view };
    let (gather, pass, each) = match (dat.flag.is_some(), modifies) {
        (false, true) => (hygienic!(let mut #var = #value;), hygienic!(&mut #var), back),
        (false, false) => (hygienic!(let #var = #value;), hygienic!(&#var), back),
        (true, _) => (
            hygienic! {
                let #mutable #var = match (#view, &mut #room) {
                    (#some(#view), #some(#room)) => #some(#value),
                    _ => ::core::option::Option::None,
                };
            },
            if modifies { hygienic!(#var.as_mut()) } else { hygienic!(#var.as_ref()) },
            match back.is_empty() {
                true => back,
                false => hygienic!(if let (#some(#to), #some(#room)) = (#to, &#room) { #back }),
            },
        ),
    };
    let each = OneByOne { rows: TokenStream::new(), each };
    Steps { gather, pass, lanes: each.clone(), quick: each, ..Steps::default() }
}
