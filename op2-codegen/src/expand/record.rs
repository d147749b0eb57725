//! `#[op2::record]`: a type whose declaration kernels know.
//!
//! The struct stays as it is, but for its layout and four derived traits. Under its name it leaves a macro that hands its
//! tokens to functions that mention it, as a function does to its callers. For the run time it is a value if all of its
//! scalars have one type. Lengths in its fields are carried by a type that generated code finds by the record's number.

use super::leaves::hidden_macro;
use super::step::{Answer, Step, Subject};
use super::{Site, advance, reject_arguments};
use crate::emit::rust::{length_name, value_of};
use crate::ir::{Func, Scalar};
use crate::parse::kernel::{self, FnKind, mentions};
use crate::parse::record::{check, fields, generic, signature};
use crate::payload::{Declared, Payload, fingerprint};
use crate::root::Root;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Item, ItemStruct, Path, Result, Token};

/// The traits that a record has: values are copied, compared and printed.
const TRAITS: [&str; 4] = ["Clone", "Copy", "Debug", "PartialEq"];

/// The record itself, and the macro call that collects the records in it.
pub fn record(attr: TokenStream, item: TokenStream, site: Site<'_>, root: &Root) -> TokenStream {
    let parsed = match structure(&item) {
        Ok(parsed) => parsed,
        Err(e) => {
            let error = e.into_compile_error();
            return quote!(#item #error);
        }
    };
    let Site { compilation, file, place } = site;
    let text = format!("{compilation} {file}:{place} {}", bare(&parsed).to_token_stream());
    let checked = reject_arguments("record", attr)
        .and_then(|()| layout(&parsed))
        .and_then(|()| check(&parsed))
        .and_then(|()| itself(&parsed));
    match checked {
        Ok(()) => {
            let open = mentions(&signature(&parsed)).all();
            advance(Step::new(Subject::Record(parsed), text, open), root)
        }
        Err(e) => faulty(&parsed, &text, Some(&e)),
    }
}

/// Checks the record, now that those in it are known, and leaves its macro.
pub(super) fn complete(item: ItemStruct, site: &str, types: Vec<(Path, Declared)>, root: &Root) -> TokenStream {
    let declared = Declared { site: fingerprint(site), item: bare(&item), types };
    let func = match fields(&declared) {
        Ok(func) => func,
        Err(e) => return faulty(&item, site, Some(&e)),
    };
    let traits = missing_traits(&item);
    let carried = carried(&declared, &func, root);
    let value = value(&declared, &func, root);
    let names = confirmed(&declared, root);
    let hidden = hidden_macro((&item.vis, &item.ident), site, &Answer::Record(Box::new(declared)));
    quote! {
        #[repr(C)]
        #[derive(#(#traits),*)]
        #item
        #value
        #carried
        #hidden
        #names
    }
}

/// The output for a record with faults: functions that mention it stay silent.
pub(super) fn faulty(item: &ItemStruct, site: &str, errors: Option<&syn::Error>) -> TokenStream {
    let errors = errors.map(syn::Error::to_compile_error);
    let traits = missing_traits(item);
    let hidden = hidden_macro((&item.vis, &item.ident), site, &Answer::Faulty);
    quote! {
        #[allow(unused)]
        #[derive(#(#traits),*)]
        #item
        #hidden
        #errors
    }
}

fn structure(item: &TokenStream) -> Result<ItemStruct> {
    syn::parse2::<ItemStruct>(item.clone()).map_err(|e| match syn::parse2::<Item>(item.clone()) {
        Ok(other) => syn::Error::new_spanned(
            other,
            "`#[op2::record]` stands on something else, expected a struct with named fields",
        ),
        Err(_) => e,
    })
}

/// Refuses a layout other than that of a dat's row.
fn layout(item: &ItemStruct) -> Result<()> {
    match item.attrs.iter().find(|attribute| attribute.path().is_ident("repr")) {
        None => Ok(()),
        Some(repr) => Err(syn::Error::new_spanned(
            repr,
            "the layout of a record is that of a dat's row, its scalars in the order of the fields: remove `repr`",
        )),
    }
}

/// Refuses a record that contains itself: its macro would wait for itself.
fn itself(item: &ItemStruct) -> Result<()> {
    let inner = mentions(&signature(item)).types.into_iter().find(|path| path.is_ident(&item.ident));
    inner.map_or(Ok(()), |path| {
        let name = &item.ident;
        Err(syn::Error::new_spanned(path, format!("record `{name}` contains itself, and has no size")))
    })
}

/// The traits that the user has not derived.
fn missing_traits(item: &ItemStruct) -> Vec<TokenStream> {
    let derives = item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive"));
    let derived: Vec<String> = derives
        .filter_map(|derive| derive.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok())
        .flatten()
        .filter_map(|path| path.segments.last().map(|last| last.ident.to_string()))
        .collect();
    let missing = TRAITS.iter().filter(|name| derived.iter().all(|derived| derived != *name));
    missing
        .map(|name| {
            let name = proc_macro2::Ident::new(name, Span::mixed_site());
            match name == "PartialEq" {
                true => quote!(::core::cmp::#name),
                false if name == "Debug" => quote!(::core::fmt::#name),
                false if name == "Clone" => quote!(::core::clone::#name),
                false => quote!(::core::marker::#name),
            }
        })
        .collect()
}

/// The record as a value of dats and globals, if it is one.
fn value(declared: &Declared, func: &Func, root: &Root) -> Option<TokenStream> {
    let first = func.params.first()?.ty.elem().filter(|scalar| *scalar != Scalar::Usize)?;
    func.params.iter().all(|field| field.ty.elem() == Some(first)).then_some(())?;
    let item = &declared.item;
    let (name, types): (_, Vec<_>) = (&item.ident, item.fields.iter().map(|field| &field.ty).collect());
    let fields = item.fields.iter().map(|field| &field.ident);
    let (params, arguments) = match generic(item) {
        Some(float) => (Some(quote!(<#float: #root::Float>)), Some(quote!(<#float>))),
        None => (None, None),
    };
    let head = types.first()?;
    Some(quote_spanned! {Span::mixed_site()=>
        // SAFETY: the fields are values of one scalar type, as `splat` requires, and stand in this order in memory.
        #[automatically_derived]
        unsafe impl #params #root::__private::Value for #name #arguments {
            type Elem = <#head as #root::__private::Value>::Elem;
            const DIM: ::core::primitive::usize = 0 #(+ <#types as #root::__private::Value>::DIM)*;
            #[inline(always)]
            fn splat(component: Self::Elem) -> Self {
                #name { #(#fields: <#types as #root::__private::Value>::splat(component)),* }
            }
        }
    })
}

/// The lengths in the record, and which type it is, under its number.
fn carried(declared: &Declared, func: &Func, root: &Root) -> TokenStream {
    let (site, name, private) =
        (Literal::u64_unsuffixed(declared.site), &declared.item.ident, quote!(#root::__private));
    let lengths = func.consts.iter().enumerate().filter(|(_, length)| length.of_record.is_none()).map(|(n, length)| {
        let (name, value) = (length_name(n), value_of(length, root));
        quote!(pub const #name: ::core::primitive::usize = #value;)
    });
    let argument = generic(&declared.item).map(|_| quote!(<::core::primitive::f64>));
    quote_spanned! {Span::mixed_site()=>
        #[doc(hidden)]
        #[allow(dead_code)]
        const _: () = {
            pub enum __Op2Carrier {}
            impl __Op2Carrier { #(#lengths)* }
            impl #private::Carries<__Op2Carrier> for #private::Site<#site> {
                type Items = __Op2Carrier;
            }
            impl #private::Declares<__Op2Carrier> for #private::Site<#site> {
                type Record = #name #argument;
            }
        };
    }
}

/// Code that compiles only if the types in the record mean what the parser takes them for.
fn confirmed(declared: &Declared, root: &Root) -> TokenStream {
    let Declared { site, item, types } = declared;
    let payload = Payload { site: *site, item: signature(item), callees: Vec::new(), types: types.clone() };
    kernel::names(&payload, FnKind::DeviceFn).confirmed(&item.ident, root)
}

/// The declaration without attributes: docs and derived traits only matter where it is defined.
fn bare(item: &ItemStruct) -> ItemStruct {
    let mut bare = ItemStruct { attrs: Vec::new(), ..item.clone() };
    bare.fields.iter_mut().for_each(|field| field.attrs.clear());
    bare
}
