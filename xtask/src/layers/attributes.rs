//! Reads the attributes of items.

use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token};

/// Whether an item is compiled only for tests.
pub(super) fn for_tests(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => asks_for_tests(&list.tokens),
        _ => false,
    })
}

/// Whether a condition is `test`, or `all(…)` with it; `any(…)` and `not(…)` admit other builds.
fn asks_for_tests(condition: &TokenStream) -> bool {
    let Ok(meta) = syn::parse2::<Meta>(condition.clone()) else { return false };
    match meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(|part| part.path().is_ident("test")))
        }
        _ => false,
    }
}

/// The attributes of an item.
pub(super) fn of_item(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
