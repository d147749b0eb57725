//! `#[op2::device_fn]` at the `impl` of a record: its methods.
//!
//! Whoever mentions a record asks the macro of its name, and one `use` brings the two. So the answer has to have the methods
//! in it. That of a `#[op2::record(methods)]` is left by the `impl`, which has asked the declaration by a name of its own
//! ([`of_declaration`]), and every function that the methods call. Methods call each other without asking.

use super::leaves::{carrier, hidden_macro};
use super::step::{Answer, Step, Subject};
use super::{Known, Site, advance, lent, names, reject_arguments};
use crate::check;
use crate::model;
use crate::parse::implementation::{self, methods, record};
use crate::parse::kernel::{self, FnKind, mentions};
use crate::payload::{Declared, Payload, fingerprint};
use crate::root::Root;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{ImplItem, ItemFn, ItemImpl, Path, Result, Visibility, parse_quote};

/// The name of the macro by which the `impl` of a record asks for its declaration.
pub(super) fn of_declaration(record: &Ident) -> Ident {
    format_ident!("{}_marked_op2_record_methods", record.unraw(), span = record.span())
}

/// The `impl` itself, and the macro call that collects what its methods mention.
pub(super) fn start(attr: TokenStream, mut item: ItemImpl, site: Site<'_>, root: &Root) -> TokenStream {
    let own = match record(&item) {
        Ok(own) => own,
        Err(e) => {
            let error = e.into_compile_error();
            return quote!(#item #error);
        }
    };
    let Site { compilation, file, place } = site;
    let text = format!("{compilation} {file}:{place} {}", item.to_token_stream());
    let mut open = vec![own.clone()];
    for mentioned in methods(&item).iter().flat_map(|method| mentions(method, FnKind::Method).all()) {
        if !open.contains(&mentioned) {
            open.push(mentioned);
        }
    }
    let checked = reject_arguments("device_fn", attr)
        .and_then(|()| in_its_module(&own))
        .and_then(|()| implementation::check(&item))
        .and_then(|()| names::recursion(file, implementation::name(&item), &open[1..]));
    for member in &mut item.items {
        if let ImplItem::Fn(method) = member {
            super::inlined(&mut method.attrs);
        }
    }
    match checked {
        Ok(()) => advance(Step::new(Subject::Methods(item), text, open), root),
        Err(e) => faulty(&item, &text, Some(&e)),
    }
}

/// The macro that answers for a path, if it is that of the record itself.
pub(super) fn declaration(item: &ItemImpl, path: &Path) -> Option<Ident> {
    path.get_ident().filter(|_| record(item).is_ok_and(|own| own == *path)).map(of_declaration)
}

/// Checks the methods, now that all they mention is known, and leaves the record's macro.
pub(super) fn complete(item: &ItemImpl, known: &Known, root: &Root) -> TokenStream {
    names::finished(implementation::name(item));
    match completed(item, known, root) {
        Ok(left) => quote!(#item #left),
        Err(e) => faulty(item, &known.site, Some(&e)),
    }
}

fn completed(item: &ItemImpl, known: &Known, root: &Root) -> Result<TokenStream> {
    let own = record(item)?;
    let Some((_, declared)) = known.types.iter().find(|(path, _)| *path == own) else {
        return Err(syn::Error::new_spanned(own, "expected a record"));
    };
    let open = methods(item).into_iter().map(|method| payload(method, declared.site, known)).collect();
    let payloads = model::among_themselves(open)?;
    let mut left = TokenStream::new();
    for payload in &payloads {
        let unit = model::build(payload, FnKind::Method)?;
        check::kernel::check(&unit)?;
        left.extend(carrier(&unit, payload, root));
        left.extend(kernel::names(payload, FnKind::Method).confirmed(&payload.item.sig.ident, root));
        left.extend(lent::confirmed(&unit, payload.site, root));
    }
    let (vis, name) = declared.item.name();
    let answer = Answer::Type(Box::new(Declared { methods: payloads, ..declared.clone() }));
    left.extend(hidden_macro((vis, name), &known.site, &answer));
    Ok(left)
}

/// A method with what it mentions, but for other methods.
fn payload(item: ItemFn, record: u64, known: &Known) -> Payload {
    let mentions = mentions(&item, FnKind::Method);
    let site = fingerprint(&format!("{} {}", known.site, item.sig.ident));
    let callees = known.callees.iter().filter(|(path, _)| mentions.callees.contains(path)).cloned().collect();
    let types = known.types.iter().filter(|(path, _)| mentions.types.contains(path)).cloned().collect();
    Payload { method_of: Some(record), callees, types, ..Payload::new(site, item) }
}

/// The output for methods with faults: functions that mention the record stay silent.
pub(super) fn faulty(item: &ItemImpl, site: &str, errors: Option<&syn::Error>) -> TokenStream {
    let name = implementation::name(item);
    names::finished(name);
    let errors = errors.map(syn::Error::to_compile_error);
    let mut empty = item.clone();
    for member in &mut empty.items {
        if let ImplItem::Fn(method) = member {
            method.block = parse_quote!({ ::core::unreachable!() });
        }
    }
    let vis: Visibility = parse_quote!(pub(crate));
    let hidden = hidden_macro((&vis, name), site, &Answer::Faulty);
    quote! {
        #[cfg(miri)]
        #item
        #[cfg(not(miri))]
        #[allow(unused)]
        #empty
        #hidden
        #errors
    }
}

/// Refuses an `impl` beside which nobody would find the record's macro.
fn in_its_module(own: &Path) -> Result<()> {
    match own.get_ident() {
        Some(_) => Ok(()),
        None => {
            let path = own.to_token_stream().to_string().replace(' ', "");
            let message =
                format!("methods of `{path}`: expected the `impl` in the module of the record, move it there");
            Err(syn::Error::new_spanned(own, message))
        }
    }
}
