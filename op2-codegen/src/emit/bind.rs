//! Binding: the part of a call that every target shares. It hands sets, maps, dats and globals to the
//! run time, which checks them and returns views.
//!
//! The method of each binding carries the span of the user's access word, so that a type error
//! (a dat on another set, a map from another set, another dimension) is shown on that argument.

use crate::check::usage::Mode;
use crate::emit::desc::access;
use crate::emit::located;
use crate::lower::{Argument, DatArg, Lowered, Place, Role, literal};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

/// The statements that bind everything, in the order of the arguments.
pub fn bind(lowered: &Lowered) -> TokenStream {
    let maps = lowered.maps.iter().map(|m| {
        let (var, map, arg) = (&m.var, &m.map, Literal::usize_unsuffixed(m.arg));
        let call = quote_spanned!(m.span.resolved_at(Span::mixed_site())=> call.map);
        hygienic!(let #var = #call(#arg, #map);)
    });
    let entries = lowered.targets.iter().filter_map(|t| {
        let map = &lowered.maps[t.map].var;
        match &t.entry {
            Some(entry) if literal(entry).is_some() => {
                let check = located(hygienic!(#map.has_entry::<#entry>()), entry.span());
                Some(hygienic!(#check;))
            }
            Some(entry) => {
                let var = &t.var;
                Some(hygienic!(let #var: ::core::primitive::usize = #entry;))
            }
            None => None,
        }
    });
    let args = lowered.args.iter().enumerate().map(|(n, arg)| bind_argument(lowered, n, arg));
    hygienic!(#(#maps)* #(#entries)* #(#args)*)
}

fn bind_argument(lowered: &Lowered, n: usize, arg: &Argument) -> TokenStream {
    let (var, place) = (&arg.var, Literal::usize_unsuffixed(n));
    let method = |name: &str| Ident::new(name, arg.span.resolved_at(Span::mixed_site()));
    match &arg.role {
        Role::Index(Place::Element) => {
            let method = method("numbers");
            hygienic!(let #var = call.#method();)
        }
        Role::Index(Place::Entry(t) | Place::All(t)) => {
            let (map, index) = (&lowered.maps[lowered.targets[*t].map].var, index(lowered, *t));
            let method = method("index");
            hygienic!(let #var = call.#method(#place, #map, #index);)
        }
        Role::Read(global) => {
            let (method, value) = (method("global"), value(&[], arg));
            hygienic!(let #var = call.#method(#place, #value, #global);)
        }
        Role::Reduce(mode, global) => {
            let (method, value, access) = (method("reduction"), value(&[by(*mode)], arg), access(*mode));
            hygienic!(let #var = call.#method(#place, #access, #value, #global);)
        }
        Role::Dat(dat) => {
            let bound = bind_dat(lowered, n, dat, &value(&[], arg), method);
            let view = &dat.view;
            match &dat.flag {
                Some(flag) => {
                    hygienic!(let #view = if #flag { ::core::option::Option::Some(#bound) } else { ::core::option::Option::None };)
                }
                None if binds_view(lowered, n, dat) => hygienic!(let #view = #bound;),
                None => hygienic!(#bound;),
            }
        }
    }
}

/// Whether argument `n` is the first one with its view.
fn binds_view(lowered: &Lowered, n: usize, dat: &DatArg) -> bool {
    !lowered.args[..n].iter().any(|a| matches!(&a.role, Role::Dat(d) if d.view == dat.view))
}

/// The value type that the kernel wants, behind other types, as a value rather than as a type argument:
/// with the latter, errors point at the method's name.
fn value(others: &[TokenStream], arg: &Argument) -> TokenStream {
    let value = arg.holds.clone().unwrap_or_else(|| hygienic!(_));
    let types = if others.is_empty() { value } else { hygienic!((#(#others,)* #value)) };
    hygienic!(__op2::Of::<#types>)
}

fn bind_dat(
    lowered: &Lowered,
    n: usize,
    arg: &DatArg,
    value: &TokenStream,
    method: impl Fn(&str) -> Ident,
) -> TokenStream {
    let (dat, access, n) = (&arg.dat, access(arg.mode), Literal::usize_unsuffixed(n));
    match arg.place {
        Place::Element => {
            let method = method("direct");
            hygienic!(call.#method(#n, #access, #value, #dat))
        }
        Place::Entry(t) => {
            let (map, index) = (&lowered.maps[lowered.targets[t].map].var, index(lowered, t));
            let method = method("entry");
            hygienic!(call.#method(#n, #access, #value, #map, #index, #dat))
        }
        Place::All(t) => {
            let map = &lowered.maps[lowered.targets[t].map].var;
            let method = method("entries");
            hygienic!(call.#method(#n, #access, #value, #map, #dat))
        }
    }
}

/// The index of an entry: the user's literal, or the local that holds its value.
pub fn index(lowered: &Lowered, target: usize) -> TokenStream {
    let target = &lowered.targets[target];
    match &target.entry {
        Some(entry) if literal(entry).is_some() => hygienic!(#entry),
        _ => {
            let var = &target.var;
            hygienic!(#var)
        }
    }
}

/// The run time's name of a reduction.
pub fn by(mode: Mode) -> TokenStream {
    let name = match mode {
        Mode::Min => "ByMin",
        Mode::Max => "ByMax",
        _ => "ByInc",
    };
    let name = Ident::new(name, Span::mixed_site());
    hygienic!(__op2::#name)
}
