//! Binding: the part of a call that every target shares. It hands sets, maps, dats and globals to the
//! run time, which checks them and returns views.
//!
//! Each expression of the user is evaluated once, in the order of the text, before the call begins ([`handles`]); the
//! code after that uses the results. If arguments share a view, a map or an entry because their text is alike, the call
//! compares their values ([`crate::parse::alike`] explains why the text does not suffice).
//!
//! The method of each binding carries the span of the user's access word, so that a type error
//! (a dat on another set, a map from another set, another dimension) is shown on that argument.

use crate::emit::desc::{access, combine};
use crate::emit::located;
use crate::emit::rust::{length_param, told_length};
use crate::ir::{Best, Combine, Len, Scalar, Ty};
use crate::lower::{Argument, DatArg, Lowered, Reach, Role, Tells, Through, literal};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::Expr;
use syn::spanned::Spanned;

/// The statements that evaluate the expressions of the loop, once each and in order. A dat that `opt` switches off is
/// not evaluated.
pub fn handles(lowered: &Lowered) -> TokenStream {
    let set = &lowered.set;
    let over = over();
    let args = lowered.args.iter().enumerate().map(|(n, arg)| {
        let name = handle(n);
        let (value, flag) = match &arg.role {
            Role::Dat(dat) => (Some(&dat.dat), dat.flag.as_ref()),
            Role::Read(global) | Role::Reduce(_, global) => (Some(global), None),
            Role::Index(_) | Role::Shift => (None, None),
        };
        let value = value.map(|value| match flag {
            Some(flag) => hygienic! {
                let #name = if #flag { ::core::option::Option::Some((#value,)) } else { ::core::option::Option::None };
            },
            None => hygienic!(let #name = (#value,);),
        });
        let way = arg.through.as_ref().map(|Through { map, entry, .. }| {
            let (name, entry) = (map_handle(n), entry.as_ref().filter(|entry| literal(entry).is_none()));
            let entry = entry.map(|entry| {
                let name = entry_handle(n);
                hygienic!(let #name: ::core::primitive::usize = #entry;)
            });
            hygienic!(let #name = (#map,); #entry)
        });
        hygienic!(#value #way)
    });
    hygienic!(let #over = (#set,); #(#args)*)
}

/// The set or subset of the loop, evaluated.
pub fn set(lowered: &Lowered) -> TokenStream {
    inside(&over(), &lowered.set)
}

/// The statements that bind everything, in the order of the arguments.
pub fn bind(lowered: &Lowered) -> TokenStream {
    let maps = lowered.maps.iter().map(|m| {
        let (var, arg) = (&m.var, Literal::usize_unsuffixed(m.arg));
        let map = inside(&map_handle(m.arg), &m.map);
        let span = m.span.resolved_at(Span::mixed_site());
        let method = Ident::new(if m.by_rows { "rows" } else { "map" }, span);
        let call = quote_spanned!(span=> call.#method);
        hygienic!(let #var = #call(#arg, #map);)
    });
    let entries = lowered.targets.iter().filter_map(|t| {
        let map = &lowered.maps[t.map].var;
        let entry = t.entry.as_ref()?;
        Some(match literal(entry) {
            Some(_) => {
                let check = located(hygienic!(#map.has_entry::<#entry>()), entry.span());
                hygienic!(#check;)
            }
            None => {
                let (var, value) = (&t.var, entry_handle(t.arg));
                hygienic!(let #var = #value;)
            }
        })
    });
    let args = lowered.args.iter().enumerate().map(|(n, arg)| bind_argument(lowered, n, arg));
    let kinds = lowered.args.iter().filter_map(|arg| kind_of_map(lowered, arg));
    let compared = (0..lowered.args.len()).map(|n| compare(lowered, n));
    let lens = (0..lowered.lens.len()).map(|n| length(lowered, n));
    // Before the arguments: what they change counts from the next call on.
    let search = lowered.pairs.then(|| hygienic!(let pairs = call.pairs();));
    hygienic!(#search #(#maps)* #(#kinds)* #(#entries)* #(#args)* #(#compared)* #(#lens)*)
}

/// Checks that entries of the map of an argument may be missing if the kernel takes options, and only then.
fn kind_of_map(lowered: &Lowered, arg: &Argument) -> Option<TokenStream> {
    let map = lowered.map_of(arg.target()?);
    if map.by_rows {
        return None;
    }
    let map = &map.var;
    // The type of the parameter says whether there may be none.
    if let (Role::Index(_), Some(index)) = (&arg.role, arg.indices) {
        return (index == Scalar::Idx).then(|| {
            let check = Ident::new("is_required", arg.span.resolved_at(Span::mixed_site()));
            hygienic!(#map.#check();)
        });
    }
    let combines = arg.dat().is_some_and(|dat| dat.access.combines());
    let check = if arg.may_miss { "is_optional" } else { "is_required" };
    let check = Ident::new(check, arg.span.resolved_at(Span::mixed_site()));
    // Contributions to missing elements are dropped. A kernel that asks entry by entry whether there is a dat gets the same answer where
    // an entry is missing.
    let any = combines || arg.dat().is_some_and(|dat| dat.is_optional() && dat.by_element);
    (!any).then(|| hygienic!(#map.#check();))
}

/// Finds out a const parameter of the kernel: a function that never matters has it as a parameter of its own.
fn length(lowered: &Lowered, n: usize) -> TokenStream {
    let (local, param) = (told_length(n), length_param(n));
    let told = hygienic!(::core::marker::PhantomData<[(); #param]>);
    let (Tells::Value(arg) | Tells::Arity(arg)) = lowered.lens[n];
    let (function, argument) = match lowered.lens[n] {
        Tells::Value(arg) => {
            let (mut own, mut others) = (BTreeSet::new(), 0);
            let value = pattern(lowered.args[arg].value(), &mut own, &mut others);
            let lens = own.into_iter().map(length_param).chain((0..others).map(other_length));
            let function = hygienic! {
                fn told<T, #(const #lens: ::core::primitive::usize),*>(_: ::core::marker::PhantomData<#value>) -> #told {
                    ::core::marker::PhantomData
                }
            };
            let bound = lowered.args[arg].bound();
            (function, hygienic!(__op2::value_of(&#bound)))
        }
        Tells::Arity(arg) => {
            let map = lowered.args[arg].target().map(|target| &lowered.map_of(target).var);
            let function = hygienic! {
                fn told<T, M, const #param: ::core::primitive::usize>(_: &__op2::MapView<T, #param, M>) -> #told {
                    ::core::marker::PhantomData
                }
            };
            (function, hygienic!(&#map))
        }
    };
    let found = located(hygienic!(told(#argument)), lowered.args[arg].span);
    hygienic! {
        let #local = { #function #found };
        call.length(#local);
    }
}

/// A type whose lengths are all parameters: those of the kernel under their names, which go to `own`.
fn pattern(ty: &Ty, own: &mut BTreeSet<usize>, others: &mut usize) -> TokenStream {
    let Ty::Array(item, len) = ty else { return hygienic!(T) };
    let item = pattern(item, own, others);
    let len = match len {
        Len::Param(n) => {
            own.insert(*n);
            length_param(*n)
        }
        _ => {
            *others += 1;
            other_length(*others - 1)
        }
    };
    hygienic!([#item; #len])
}

fn other_length(n: usize) -> Ident {
    format_ident!("M{n}", span = Span::mixed_site())
}

fn bind_argument(lowered: &Lowered, n: usize, arg: &Argument) -> TokenStream {
    let (var, place) = (&arg.var, Literal::usize_unsuffixed(n));
    let method = |name: &str| Ident::new(name, arg.span.resolved_at(Span::mixed_site()));
    match &arg.role {
        Role::Index(Reach::Element) => {
            let method = method(if arg.indices.is_some() { "elements" } else { "numbers" });
            hygienic!(let #var = call.#method();)
        }
        Role::Index(Reach::End(end)) => {
            let what = if arg.indices.is_some() { "elements" } else { "numbers" };
            let method = method(&format!("{what}_{}", end.word()));
            hygienic!(let #var = call.#method();)
        }
        Role::Index(Reach::Row(t)) => {
            let (map, method) = (&lowered.map_of(*t).var, method("row_elements"));
            hygienic!(let #var = call.#method(#map);)
        }
        // `parse` refuses an index of all elements.
        Role::Shift | Role::Index(Reach::Whole) => TokenStream::new(),
        Role::Index(Reach::All(t)) => {
            let map = &lowered.map_of(*t).var;
            let method = method(if arg.indices.is_some() { "elements_of_map" } else { "indices" });
            hygienic!(let #var = call.#method(#place, #map);)
        }
        Role::Index(Reach::Entry(t)) => {
            let (map, index) = (&lowered.map_of(*t).var, index(lowered, *t));
            let method = method(if arg.indices.is_some() { "element" } else { "index" });
            hygienic!(let #var = call.#method(#place, #map, #index);)
        }
        Role::Read(global) => {
            let (method, value, global) = (method("global"), value(&[], arg), inside(&handle(n), global));
            hygienic!(let #var = call.#method(#place, #value, #global);)
        }
        Role::Reduce(how, global) => {
            let (method, value, how) = (method("reduction"), value(&[by(*how)], arg), combine(*how));
            let global = inside(&handle(n), global);
            hygienic!(let #var = call.#method(#place, #how, #value, #global);)
        }
        Role::Dat(dat) => {
            let bound = bind_dat(lowered, n, dat, &value(&[], arg), method);
            let view = &dat.view;
            let handle = handle(n);
            match (&dat.flag, dat.shares) {
                (Some(_), _) => hygienic! {
                    let #view = match #handle {
                        ::core::option::Option::Some(#handle) => ::core::option::Option::Some(#bound),
                        ::core::option::Option::None => ::core::option::Option::None,
                    };
                },
                (None, None) => hygienic!(let #view = #bound;),
                // Of the values of a map, only the first argument tells the type.
                (None, Some(_)) if arg.indices.is_some() => hygienic!(let _ = [#view, #bound];),
                (None, Some(_)) => hygienic!(#bound;),
            }
        }
    }
}

/// Checks that argument `n` has the same dat, map or index as the earlier argument that it shares with.
fn compare(lowered: &Lowered, n: usize) -> TokenStream {
    let arg = &lowered.args[n];
    let one = |what: &str, first: usize, [a, b]: [TokenStream; 2]| {
        let (n, first) = (Literal::usize_unsuffixed(n), Literal::usize_unsuffixed(first));
        hygienic!(call.one_handle(#n, #what, #first, &#a, &#b);)
    };
    let shares = arg.dat().and_then(|dat| dat.shares);
    let dat = shares.map(|first| one("dat", first, [first, n].map(|n| field(&handle(n)))));
    let way = arg.through.as_ref().map(|through| {
        let target = &lowered.targets[through.target];
        let first = lowered.maps[target.map].arg;
        let map = (first != n).then(|| one("map", first, [first, n].map(|n| field(&map_handle(n)))));
        let computed = target.arg != n && target.is_computed();
        let entry =
            computed.then(|| one("index", target.arg, [target.arg, n].map(|n| entry_handle(n).into_token_stream())));
        hygienic!(#map #entry)
    });
    hygienic!(#dat #way)
}

fn over() -> Ident {
    Ident::new("over", Span::mixed_site())
}

/// The local for the dat or global of argument `n`.
fn handle(n: usize) -> Ident {
    format_ident!("handle{n}", span = Span::mixed_site())
}

/// The local for the map of argument `n`.
fn map_handle(n: usize) -> Ident {
    format_ident!("map{n}", span = Span::mixed_site())
}

/// The local for the computed entry of argument `n`.
fn entry_handle(n: usize) -> Ident {
    format_ident!("entry{n}", span = Span::mixed_site())
}

fn field(name: &Ident) -> TokenStream {
    hygienic!(#name.0)
}

/// The value in a local, shown where the user wrote the expression that it comes from. The local is a tuple with one
/// field, so that the expression has a first and a last token, and the compiler underlines all of it.
fn inside(name: &Ident, written: &Expr) -> TokenStream {
    let tokens: Vec<_> = written.to_token_stream().into_iter().collect();
    let (first, last) = match &tokens[..] {
        [one] => (one.span(), one.span()),
        [first, .., last] => (first.span(), last.span()),
        [] => (Span::mixed_site(), Span::mixed_site()),
    };
    let name = Ident::new(&name.to_string(), first.resolved_at(Span::mixed_site()));
    // Has the span of the user's own text, so that the compiler does not mention macros.
    let part = quote_spanned!(last=> .0);
    hygienic!(#name #part)
}

/// The value type that the kernel takes, after other types, passed as a value. With a type argument, errors would point
/// at the method's name.
fn value(others: &[TokenStream], arg: &Argument) -> TokenStream {
    // The kind of set of an index has a name in the kernel's module only.
    let value = value_tokens(&arg.ty).filter(|_| arg.indices.is_none()).unwrap_or_else(|| hygienic!(_));
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
    let (dat, access, n) = (inside(&handle(n), &arg.dat), access(arg.access), Literal::usize_unsuffixed(n));
    match arg.reach {
        Reach::Element => {
            let method = method("direct");
            hygienic!(call.#method(#n, #access, #value, #dat))
        }
        Reach::Whole => {
            let method = method("table");
            hygienic!(call.#method(#n, #value, #dat))
        }
        Reach::End(end) => {
            // Written is what is not combined: elements outside alone.
            let written = arg.access.modifies() && !arg.access.combines();
            let method = method(&format!("{}{}", end.word(), if written { "_written" } else { "" }));
            hygienic!(call.#method(#n, #access, #value, #dat))
        }
        Reach::Entry(t) => {
            let (map, index) = (&lowered.map_of(t).var, index(lowered, t));
            let method = method("entry");
            hygienic!(call.#method(#n, #access, #value, #map, #index, #dat))
        }
        Reach::All(t) | Reach::Row(t) => {
            let map = &lowered.map_of(t).var;
            let method = method(if arg.takes_row() { "row" } else { "entries" });
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
pub fn by(how: Combine) -> TokenStream {
    let name = format_ident!("By{}", how.variant(), span = Span::mixed_site());
    hygienic!(__op2::#name)
}

/// The value type behind a parameter's references, unless it mentions a generic or a constant: those
/// have names in the kernel's module only.
fn value_tokens(ty: &Ty) -> Option<TokenStream> {
    match ty {
        Ty::Ref(_, inner) | Ty::Option(inner) | Ty::Table(inner) => value_tokens(inner),
        Ty::Array(item, _) if matches!(**item, Ty::Ref(..) | Ty::Option(_)) => value_tokens(item),
        Ty::Array(item, Len::Row) => value_tokens(item),
        Ty::Array(item, Len::Lit(n)) => {
            let item = value_tokens(item)?;
            let n = Literal::usize_unsuffixed(*n);
            Some(quote!([#item; #n]))
        }
        Ty::Scalar(Scalar::Generic(_)) => None,
        Ty::Scalar(scalar) => {
            let name = Ident::new(scalar.name(), Span::mixed_site());
            // The full path, since a user may have a type of that name.
            Some(quote!(::core::primitive::#name))
        }
        Ty::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(value_tokens).collect();
            let parts = parts?;
            Some(quote!((#(#parts,)*)))
        }
        Ty::ArgBest(best, value, payload) => {
            let (value, payload) = (value_tokens(value)?, value_tokens(payload)?);
            Some(match best {
                Best::Min => quote!(__op2::ArgMin<#value, #payload>),
                Best::Max => quote!(__op2::ArgMax<#value, #payload>),
            })
        }
        _ => None,
    }
}
