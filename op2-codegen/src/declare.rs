//! Declarations of set tags and run-time constants.
//!
//! All tokens of an item have the place of the user's name. The compiler then takes the item for the user's own, and
//! reports it there if nothing uses it; of items of another crate's macro it never says that.

use crate::root::Root;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Result, Token, Type, Visibility};

/// `op2::sets!`: a type for each name.
pub fn sets(input: TokenStream, root: &Root) -> TokenStream {
    let parser = |input: ParseStream| {
        let vis: Visibility = input.parse()?;
        Ok((vis, Punctuated::<Ident, Token![,]>::parse_terminated(input)?))
    };
    let (vis, names) = match parser.parse2(input) {
        Ok(parsed) => parsed,
        Err(e) => return e.into_compile_error(),
    };
    let tags = names.iter().map(|name| {
        let text = name.to_string();
        let doc = format!("Tag of the sets of kind `{text}`.");
        quote_spanned! {name.span()=>
            #[doc = #doc]
            #[derive(
                ::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq
            )]
            #vis enum #name {}
            impl #root::SetTag for #name {
                const NAME: &'static ::core::primitive::str = #text;
            }
        }
    });
    quote!(#(#tags)*)
}

/// A constant: `pub static QINF: [f64; 4];`.
struct Constant {
    attrs: Vec<Attribute>,
    vis: Visibility,
    name: Ident,
    ty: Type,
}

impl Parse for Constant {
    fn parse(input: ParseStream) -> Result<Self> {
        let (attrs, vis) = (Attribute::parse_outer(input)?, input.parse()?);
        input.parse::<Token![static]>()?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Constant { attrs, vis, name, ty })
    }
}

/// `op2::constants!`: a static for each name.
pub fn constants(input: TokenStream, root: &Root) -> TokenStream {
    let parser = |input: ParseStream| {
        let mut all: Vec<Constant> = Vec::new();
        while !input.is_empty() {
            all.push(input.parse()?);
        }
        Ok(all)
    };
    let all = match parser.parse2(input) {
        Ok(all) => all,
        Err(e) => return e.into_compile_error(),
    };
    let statics = all.iter().map(|Constant { attrs, vis, name, ty }| {
        let text = name.to_string();
        quote_spanned! {name.span()=>
            #(#attrs)*
            #vis static #name: #root::Constant<#ty> = #root::Constant::new(#text);
        }
    });
    quote!(#(#statics)*)
}
