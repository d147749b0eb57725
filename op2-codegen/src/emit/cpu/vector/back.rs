//! The way back from lanes to dats.
//!
//! Rows of the elements themselves are written by the pack. Data reached through maps are written lane by lane. The
//! common case is faster: full packs add contributions to AoS rows straight from registers, dat by dat.

use super::turned::turned;
use super::{Steps, VectorBody};
use crate::emit::cpu::sink_name;
use crate::emit::desc::combine;
use crate::ir::{Access, Combine, Scalar};
use crate::lower::{DatArg, Reach};
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use std::collections::BTreeSet;

/// The code that turns lanes into rows, and the code for each lane after that.
#[derive(Default, Clone)]
pub(in crate::emit::cpu) struct OneByOne {
    pub(in crate::emit::cpu) rows: TokenStream,
    pub(in crate::emit::cpu) each: TokenStream,
}

impl OneByOne {
    /// The way back of an argument that goes through maps, with rows in registers for the `straight` way.
    pub(super) fn of(var: &Ident, dat: &DatArg, at: &TokenStream, straight: bool) -> Self {
        OneByOne { rows: as_rows(var, dat, straight), each: row_by_row(var, dat, at) }
    }
}

impl VectorBody<'_> {
    /// The test before all packs whether contributions go straight to rows, and the way back. If they do, full packs
    /// need no further test, and their rows never leave the registers.
    pub(super) fn scatter(&self, all: &[Steps]) -> (TokenStream, TokenStream) {
        let (whole, lanes, quick) =
            (all.iter().map(|s| &s.scatter), all.iter().map(|s| &s.lanes), all.iter().map(|s| &s.quick));
        if all.iter().all(|s| s.lanes.each.is_empty()) {
            return (TokenStream::new(), hygienic!(#(#whole)*));
        }
        let contributing = self.lowered.dats().filter(|(.., dat)| dat.access.combines() && !dat.is_optional());
        let sinks = contributing.map(|(_, arg, _)| sink_name(&arg.var));
        let (rows, each): (Vec<_>, Vec<_>) = lanes.map(|one| (&one.rows, &one.each)).unzip();
        let (quick_rows, quick_each): (Vec<_>, TokenStream) = quick.map(|one| (&one.rows, one.each.clone())).unzip();
        let quick_each = (!quick_each.is_empty()).then(|| hygienic!(for lane in 0..W::LANES { #quick_each }));
        let (distinct, groups) = self.groups();
        let combined = self.lowered.dats().filter(|(.., dat)| dat.access.combines() && !dat.takes_row());
        let targets: BTreeSet<usize> = combined.filter_map(|(.., dat)| dat.reach.target()).collect();
        let there = targets.into_iter().map(|t| {
            let at = &self.lowered.targets[t].at;
            hygienic!(& __op2::AllThere::all_there(&#at, w))
        });
        (
            hygienic!(let straight = true #(& #sinks.is_straight())* #distinct;),
            hygienic! {
                #(#whole)*
                if straight & (pack.len() == W::LANES) #(#there)* {
                    #groups
                    #(#quick_rows)*
                    #quick_each
                } else {
                    #(#rows)*
                    for lane in 0..pack.len() { #(#each)* }
                }
            },
        )
    }

    /// The test before all packs that no two views belong to one dat, and the code that adds contributions straight to
    /// rows, view by view.
    fn groups(&self) -> (TokenStream, TokenStream) {
        let mut views: Vec<&Ident> = Vec::new();
        let mut groups: Vec<TokenStream> = Vec::new();
        let mut addresses: Vec<TokenStream> = Vec::new();
        for (n, _, dat) in self.lowered.dats() {
            if !dat.access.combines() || views.contains(&&dat.view) {
                continue;
            }
            let view = &dat.view;
            views.push(view);
            addresses.push(match dat.is_optional() {
                true => hygienic!(#view.map_or(0, |view| view.address())),
                false => hygienic!(#view.address()),
            });
            if self.goes_straight(n, dat) {
                let ends = self.ends(view);
                groups.push(hygienic!(#view.combine_pack(w, #ends);));
            }
        }
        let distinct = (views.len() > 1).then(|| hygienic!(& __op2::all_differ([#(#addresses),*])));
        (distinct.unwrap_or_default(), hygienic!(#(#groups)*))
    }

    /// Whether the contributions of an argument go from registers to rows. Flags do not lie in registers as rows do, and those to rows of
    /// any length go lane by lane, with all others to their dat.
    pub(super) fn goes_straight(&self, n: usize, dat: &DatArg) -> bool {
        let beside_rows = self.lowered.dats().any(|(.., other)| other.view == dat.view && other.takes_row());
        !dat.is_optional() && !beside_rows && self.unit.funcs[0].params[n].ty.elem() != Some(Scalar::Bool)
    }

    /// The contributions of all arguments to a view, as the list that the run time takes.
    fn ends(&self, view: &Ident) -> TokenStream {
        let args: Vec<_> = self.lowered.dats().collect();
        args.into_iter().rev().fold(hygienic!(()), |rest, (n, arg, dat)| match dat.access.combine() {
            Some(way) if dat.view == *view => {
                let (var, at, how) = (&arg.var, self.at(dat.reach), combine(way));
                let turned = (way == Combine::Inc).then(|| turned(&self.unit.funcs[0], n)).flatten();
                let turned = turned.map(|turned| hygienic!(.turned([#(#turned),*])));
                match dat.reach {
                    Reach::All(_) => hygienic!((__op2::Ends::new(#how, &#at, &#var) #turned, #rest)),
                    _ => hygienic!((__op2::Ends::new(#how, &[#at], &[#var]) #turned, #rest)),
                }
            }
            _ => rest,
        })
    }
}

/// Writes the rows of the pack's own elements.
pub(super) fn whole(var: &Ident, dat: &DatArg, at: &TokenStream) -> TokenStream {
    let view = &dat.view;
    let streams = (dat.access == Access::Write).then(|| streams(var));
    let method = if streams.is_some() { hygienic!(write) } else { hygienic!(scatter) };
    let streams = streams.map(|streams| hygienic!(, #streams));
    match dat.flag {
        Some(_) => hygienic! {
            if let (::core::option::Option::Some(#view), ::core::option::Option::Some(#var)) = (#view, &#var) {
                #view.#method(w, &#at, pack.len(), #var #streams);
            }
        },
        None => hygienic!(#view.#method(w, &#at, pack.len(), &#var #streams);),
    }
}

/// Turns the lanes of an argument into rows: in registers for the `straight` way, otherwise through memory.
pub(super) fn as_rows(var: &Ident, dat: &DatArg, straight: bool) -> TokenStream {
    let (view, rows) = (&dat.view, rows(var));
    let method = if straight { hygienic!(rows) } else { hygienic!(rows_in_memory) };
    let each = if dat.takes_all() {
        hygienic!(__op2::mapped(#var, |lanes| #view.#method(w, &lanes)))
    } else {
        hygienic!(#view.#method(w, &#var))
    };
    match dat.flag {
        Some(_) if dat.by_element => hygienic!(let #rows = #view.map(|#view| #each);),
        Some(_) => hygienic! {
            let #rows = match (#view, #var) {
                (::core::option::Option::Some(#view), ::core::option::Option::Some(#var)) => ::core::option::Option::Some(#each),
                _ => ::core::option::Option::None,
            };
        },
        None => hygienic!(let #rows = #each;),
    }
}

/// Writes the row of one lane to its target.
fn row_by_row(var: &Ident, dat: &DatArg, at: &TokenStream) -> TokenStream {
    let (view, how, rows, sink) = (&dat.view, dat.access.combine().map(combine), rows(var), sink_name(var));
    let one = |entry: TokenStream, at: TokenStream, row: TokenStream| {
        let (at, row) = (hygienic!(__op2::Leads::at(&#at, lane)), hygienic!(&#row.as_ref()[lane]));
        match &how {
            Some(how) => hygienic!(#sink.combine_row(#how, pack.position(lane), #entry, #at, #row);),
            None => hygienic!(#view.store(#at, #row);),
        }
    };
    let body = match dat.takes_all() {
        true => {
            let one = one(hygienic!(entry), hygienic!((*at)), hygienic!(row));
            let list = if dat.is_optional() { hygienic!(#rows) } else { hygienic!(&#rows) };
            hygienic!(for (entry, (at, row)) in ::core::iter::zip(&#at, #list).enumerate() { #one })
        }
        false => one(hygienic!(0), at.clone(), hygienic!(#rows)),
    };
    let to = if how.is_some() { &sink } else { view };
    match dat.flag {
        Some(_) => hygienic! {
            if let (::core::option::Option::Some(#to), ::core::option::Option::Some(#rows)) = (#to, &#rows) { #body }
        },
        None => body,
    }
}

pub(super) fn rows(var: &Ident) -> Ident {
    format_ident!("{var}_rows", span = Span::mixed_site())
}

/// The local that says whether an argument's rows are written by non-temporal stores.
pub(super) fn streams(var: &Ident) -> Ident {
    format_ident!("{var}_streams", span = Span::mixed_site())
}
