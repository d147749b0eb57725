//! A type that the user declared, as it travels from macro to macro.

use super::{list, named};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{ItemStruct, LitInt, Path, Result, braced};

/// A record with the records that its fields mention, under the paths by which they do.
#[derive(Debug, Clone)]
pub struct Declared {
    /// A number unique to this type.
    pub site: u64,
    /// The declaration, without attributes.
    pub item: ItemStruct,
    /// Mentioned records: the path as written in `item`, and their declaration.
    pub types: Vec<(Path, Declared)>,
}

impl Parse for Declared {
    fn parse(input: ParseStream) -> Result<Self> {
        let site = input.parse::<LitInt>()?.base10_parse()?;
        let item;
        braced!(item in input);
        Ok(Declared { site, item: item.parse()?, types: named(input)? })
    }
}

impl ToTokens for Declared {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Declared { site, item, types } = self;
        let types = list(types);
        tokens.extend(quote!(#site { #item } #types));
    }
}
