//! What a hidden macro carries: a function and, resolved where it was defined, the device
//! functions that it calls.
//!
//! Token form, nested: `{ fn item } { [path] { payload } [path] { payload } … }`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{ItemFn, Path, Result, braced, bracketed};

/// A function with the device functions that it calls, under the paths by which it calls them.
#[derive(Debug, Clone)]
pub struct Payload {
    /// The function as the user wrote it, without op2's attribute.
    pub item: ItemFn,
    /// Called device functions: the path as written in `item`, and their own payload.
    pub callees: Vec<(Path, Payload)>,
}

impl Parse for Payload {
    fn parse(input: ParseStream) -> Result<Self> {
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
        Ok(Payload { item, callees })
    }
}

impl ToTokens for Payload {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let item = &self.item;
        let paths = self.callees.iter().map(|(path, _)| path);
        let payloads = self.callees.iter().map(|(_, payload)| payload);
        tokens.extend(quote!({ #item } { #([#paths] { #payloads })* }));
    }
}
