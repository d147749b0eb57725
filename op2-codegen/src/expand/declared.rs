//! `#[op2::record]` and `#[op2::alias]`: types whose declaration kernels know.
//!
//! A declaration leaves a macro under its name that hands its tokens to functions that mention it, as a function does to its
//! callers. Lengths in it are carried by a type that generated code finds by the declaration's number. A struct stays as it is, but
//! for its layout and four derived traits; for the run time it is a value if all of its scalars have one type.

use super::leaves::hidden_macro;
use super::step::{Answer, Step, Subject};
use super::{Site, advance, ask, implementation, reject_arguments};
use crate::emit::rust::{length_name, value_of};
use crate::ir::{Func, Scalar};
use crate::parse::declared::check;
use crate::parse::kernel::{self, FnKind, fields, mentions, numbers, signature};
use crate::payload::{Declaration, Declared, fingerprint};
use crate::root::Root;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Item, ItemEnum, Path, Result, Token};

/// The traits that a record has, and where they are: values are copied, compared and printed.
const TRAITS: [(&str, &str); 4] = [("clone", "Clone"), ("marker", "Copy"), ("fmt", "Debug"), ("cmp", "PartialEq")];

/// `#[op2::record]`: the struct itself, and the macro call that collects the types in it.
pub fn record(attr: TokenStream, item: TokenStream, site: Site<'_>, root: &Root) -> TokenStream {
    let (methods, attr) = match attr.to_string().as_str() {
        "methods" => (true, TokenStream::new()),
        _ => (false, attr),
    };
    let parsed = item_of(&item, "a struct with named fields or an enum without fields", |item| match item {
        Item::Struct(item) => Some(Declaration::Record(item.clone())),
        Item::Enum(item) => Some(Declaration::Enum(item.clone())),
        _ => None,
    });
    declaration((attr, methods), item, parsed, site, root)
}

/// `#[op2::alias]`: the alias itself, and the macro call that collects the types in it.
pub fn alias(attr: TokenStream, item: TokenStream, site: Site<'_>, root: &Root) -> TokenStream {
    let parsed = item_of(&item, "`type Name = …;`", |item| match item {
        Item::Type(item) => Some(Declaration::Alias(item.clone())),
        _ => None,
    });
    declaration((attr, false), item, parsed, site, root)
}

fn item_of(
    item: &TokenStream,
    expected: &str,
    wanted: impl FnOnce(&Item) -> Option<Declaration>,
) -> Result<Declaration> {
    let parsed: Item = syn::parse2(item.clone())?;
    wanted(&parsed).ok_or_else(|| {
        syn::Error::new_spanned(parsed, format!("the attribute stands on something else, expected {expected}"))
    })
}

fn declaration(
    (attr, methods): (TokenStream, bool),
    item: TokenStream,
    parsed: Result<Declaration>,
    site: Site<'_>,
    root: &Root,
) -> TokenStream {
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(e) => {
            let error = e.into_compile_error();
            return quote!(#item #error);
        }
    };
    ask::marked(parsed.name().1);
    if methods {
        ask::with_methods(parsed.name().1);
    }
    let Site { compilation, file, place } = site;
    let text = format!("{compilation} {file}:{place} {}", parsed.bare().to_token_stream());
    let checked = reject_arguments(parsed.word(), attr).and_then(|()| layout(&parsed)).and_then(|()| check(&parsed));
    match checked {
        Ok(()) => {
            let open = mentions(&signature(&parsed), FnKind::Declaration).all();
            advance(Step::new(Subject::Type(parsed, methods), text, open), root)
        }
        Err(e) => faulty((&parsed, methods), &text, Some(&e)),
    }
}

/// Checks the declaration, now that those in it are known, and leaves its macro.
pub(super) fn complete(
    (item, methods): (Declaration, bool),
    site: &str,
    types: Vec<(Path, Declared)>,
    root: &Root,
) -> TokenStream {
    let declared = Declared { site: fingerprint(site), item: item.bare(), types, methods: Vec::new() };
    let func = match fields(&declared) {
        Ok(func) => func,
        Err(e) => return faulty((&item, methods), site, Some(&e)),
    };
    let written = with_traits(&item, root);
    let value = value(&item, &func, root);
    let carried = carried(&declared, &func, root);
    let names = kernel::names(&declared.as_function(), FnKind::Declaration).confirmed(item.name().1, root);
    let hidden = left(&item, methods, site, &Answer::Type(Box::new(declared)));
    quote!(#written #value #carried #hidden #names)
}

/// The output for a declaration with faults: functions that mention it stay silent.
pub(super) fn faulty((item, methods): (&Declaration, bool), site: &str, errors: Option<&syn::Error>) -> TokenStream {
    let errors = errors.map(syn::Error::to_compile_error);
    let hidden = left(item, methods, site, &Answer::Faulty);
    quote!(#[allow(unused)] #item #hidden #errors)
}

/// The macro of the declaration. If there are methods, it only answers their `impl`, which leaves the macro of the name.
fn left(item: &Declaration, methods: bool, site: &str, answer: &Answer) -> TokenStream {
    let (vis, name) = item.name();
    match methods {
        true => hidden_macro((vis, &implementation::of_declaration(name)), site, answer),
        false => hidden_macro((vis, name), site, answer),
    }
}

/// Refuses a layout other than that of a dat's row.
fn layout(item: &Declaration) -> Result<()> {
    match attributes(item).iter().find(|attribute| attribute.path().is_ident("repr")) {
        None => Ok(()),
        Some(repr) => Err(syn::Error::new_spanned(
            repr,
            "the layout of a record is that of a dat's row, its scalars in the order of the fields: remove `repr`",
        )),
    }
}

/// The declaration with the layout and the traits of records.
fn with_traits(item: &Declaration, root: &Root) -> TokenStream {
    let layout = match item {
        Declaration::Record(_) => quote!(C),
        Declaration::Enum(_) => quote!(u8),
        Declaration::Alias(_) => return item.to_token_stream(),
    };
    let traits = missing_traits(item);
    let ((params, own), name) = (parameters(item, root), item.name().1);
    quote! {
        #[repr(#layout)]
        #[derive(#(#traits),*)]
        #item
        #[automatically_derived]
        impl #params #root::__private::Record for #name #own {}
    }
}

fn attributes(item: &Declaration) -> &[syn::Attribute] {
    match item {
        Declaration::Record(item) => &item.attrs,
        Declaration::Enum(item) => &item.attrs,
        Declaration::Alias(item) => &item.attrs,
    }
}

/// The traits that the user has not derived.
fn missing_traits(item: &Declaration) -> Vec<TokenStream> {
    let derives = attributes(item).iter().filter(|attribute| attribute.path().is_ident("derive"));
    let derived: Vec<Ident> = derives
        .filter_map(|derive| derive.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok())
        .flatten()
        .filter_map(|path| path.segments.last().map(|last| last.ident.clone()))
        .collect();
    let missing = TRAITS.iter().filter(|(_, name)| derived.iter().all(|derived| derived != name));
    let path = |(module, name): &(&str, &str)| {
        let [module, name] = [module, name].map(|word| Ident::new(word, Span::mixed_site()));
        quote!(::core::#module::#name)
    };
    missing.map(path).collect()
}

/// The record as a value of dats and globals, if it is one.
fn value(item: &Declaration, func: &Func, root: &Root) -> Option<TokenStream> {
    let record = match item {
        Declaration::Record(record) => record,
        Declaration::Enum(item) => return value_of_enum(item, root),
        Declaration::Alias(_) => return None,
    };
    let first = func.params.first()?.ty.elem().filter(|scalar| *scalar != Scalar::Usize)?;
    func.params.iter().all(|field| field.ty.elem() == Some(first)).then_some(())?;
    let (name, types) = (&record.ident, item.types());
    let fields = record.fields.iter().map(|field| &field.ident);
    let (params, arguments) = parameters(item, root);
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

/// The type parameter of a declaration: as an `impl` declares it, and as it is passed.
fn parameters(item: &Declaration, root: &Root) -> (Option<TokenStream>, Option<TokenStream>) {
    item.float().map(|float| (quote!(<#float: #root::Float>), quote!(<#float>))).unzip()
}

/// An enum as a value: the number of its variant. A number of no variant becomes the first one.
fn value_of_enum(item: &ItemEnum, root: &Root) -> Option<TokenStream> {
    let (name, numbers) = (&item.ident, numbers(item)?);
    let (variants, numbers): (Vec<_>, Vec<_>) = numbers.into_iter().unzip();
    let first = variants.first()?;
    Some(quote_spanned! {Span::mixed_site()=>
        // SAFETY: the enum has the layout of `u8`. What changes its scalar from outside sees to it that it stays a variant.
        #[automatically_derived]
        unsafe impl #root::__private::Value for #name {
            type Elem = ::core::primitive::u8;
            const DIM: ::core::primitive::usize = 1;
            #[inline(always)]
            fn splat(component: Self::Elem) -> Self {
                match component {
                    #(#numbers => #name::#variants,)*
                    _ => #name::#first,
                }
            }
        }
    })
}

/// The lengths in the declaration, and which type it is, under its number.
fn carried(declared: &Declared, func: &Func, root: &Root) -> TokenStream {
    let (site, private) = (Literal::u64_unsuffixed(declared.site), quote!(#root::__private));
    let (_, name) = declared.item.name();
    let lengths = func.consts.iter().enumerate().filter(|(_, length)| length.of_type.is_none()).map(|(n, length)| {
        let (name, value) = (length_name(n), value_of(length, root));
        quote!(pub const #name: ::core::primitive::usize = #value;)
    });
    let (params, own) = parameters(&declared.item, root);
    quote_spanned! {Span::mixed_site()=>
        #[doc(hidden)]
        #[allow(dead_code, missing_docs, missing_debug_implementations)]
        const _: () = {
            pub enum __Op2Carrier {}
            impl __Op2Carrier {
                #(#lengths)*
                // For code that never runs: whoever knows the number can have a value of the type, whose name may be out of reach.
                #[allow(private_interfaces)]
                pub fn __value #params () -> #name #own { ::core::unreachable!() }
            }
            impl #private::Carries<__Op2Carrier> for #private::Site<#site> {
                type Items = __Op2Carrier;
            }
        };
    }
}
