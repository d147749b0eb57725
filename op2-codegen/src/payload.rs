//! The payload of a hidden macro: a function and, resolved where it was defined, the device functions that it calls.
//!
//! Each device function stands under the path by which it is called, so that one name may mean different functions in
//! different modules.
//!
//! Token form, nested: `site { fn item } { [path] { payload } [path] { payload } … }`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{GenericParam, ItemFn, LitInt, Path, Result, braced, bracketed};

/// A function with the device functions that it calls, under the paths by which it calls them.
#[derive(Debug, Clone)]
pub struct Payload {
    /// A number unique to this function in a program: its constants are found by it.
    pub site: u64,
    /// The function as the user wrote it, without op2's attribute.
    pub item: ItemFn,
    /// Called device functions: the path as written in `item`, and their own payload.
    pub callees: Vec<(Path, Payload)>,
}

impl Payload {
    /// A payload whose site stands elsewhere.
    pub fn parse_at(site: u64, input: ParseStream) -> Result<Self> {
        let item;
        braced!(item in input);
        let item = item.parse()?;
        let list;
        braced!(list in input);
        let mut callees = Vec::new();
        while !list.is_empty() {
            let path;
            bracketed!(path in list);
            let path = path.parse()?;
            let callee;
            braced!(callee in list);
            callees.push((path, callee.parse()?));
        }
        Ok(Payload { site, item, callees })
    }

    /// Type arguments with which the function can be named as a value. Any that fit will do, since they do not affect
    /// its identity.
    pub fn instance(&self) -> Option<TokenStream> {
        let types = self.item.sig.generics.params.iter().filter(|p| matches!(p, GenericParam::Type(_)));
        let types: Vec<_> = types.map(|_| quote!(::core::primitive::f64)).collect();
        (!types.is_empty()).then(|| quote!(::<#(#types),*>))
    }
}

impl Parse for Payload {
    fn parse(input: ParseStream) -> Result<Self> {
        let site = input.parse::<LitInt>()?.base10_parse()?;
        Payload::parse_at(site, input)
    }
}

impl ToTokens for Payload {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Payload { site, item, callees } = self;
        let paths = callees.iter().map(|(path, _)| path);
        let payloads = callees.iter().map(|(_, payload)| payload);
        tokens.extend(quote!(#site { #item } { #([#paths] { #payloads })* }));
    }
}
