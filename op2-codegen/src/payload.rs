//! The payload of a hidden macro: a function and, resolved where it was defined, the device functions that it calls.
//!
//! Each device function stands under the path by which it is called, so that one name may mean different functions in
//! different modules. So do the types that the user declared.
//!
//! Token form, nested: `site record? { fn item } { [path] { payload } … } { [path] { type } … }`.

mod declared;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{GenericParam, ItemFn, LitInt, Path, Result, braced, bracketed};

pub use declared::{Declaration, Declared};

/// A function with the device functions that it calls, under the paths by which it calls them.
#[derive(Debug, Clone)]
pub struct Payload {
    /// A number unique to this function in a program: its constants are found by it.
    pub site: u64,
    /// The number of the record whose method it is.
    pub method_of: Option<u64>,
    /// The function as the user wrote it, without op2's attribute. In a method, `self` has a type and `Self` is written out.
    pub item: ItemFn,
    /// Called device functions: the path as written in `item`, and their own payload. Of a method, its record and name.
    pub callees: Vec<(Path, Payload)>,
    /// Mentioned types of the user: the path as written in `item`, and their declaration.
    pub types: Vec<(Path, Declared)>,
}

impl Payload {
    /// A function that mentions nothing.
    pub fn new(site: u64, item: ItemFn) -> Self {
        Payload { site, method_of: None, item, callees: Vec::new(), types: Vec::new() }
    }

    /// Type arguments with which the function can be named as a value. Any that fit will do, since they do not affect
    /// its identity.
    pub fn instance(&self) -> Option<TokenStream> {
        let arguments = self.item.sig.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(_) => Some(quote!(::core::primitive::f64)),
            GenericParam::Const(_) => Some(quote!(1)),
            GenericParam::Lifetime(_) => None,
        });
        let arguments: Vec<_> = arguments.collect();
        (!arguments.is_empty()).then(|| quote!(::<#(#arguments),*>))
    }
}

impl Parse for Payload {
    fn parse(input: ParseStream) -> Result<Self> {
        let site = input.parse::<LitInt>()?.base10_parse()?;
        let record = input.parse::<Option<LitInt>>()?;
        let method_of = record.map(|record| record.base10_parse()).transpose()?;
        let item;
        braced!(item in input);
        Ok(Payload { site, method_of, item: item.parse()?, callees: named(input)?, types: named(input)? })
    }
}

impl ToTokens for Payload {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Payload { site, method_of, item, callees, types } = self;
        let (callees, types) = (list(callees), list(types));
        tokens.extend(quote!(#site #method_of { #item } #callees #types));
    }
}

/// A number for an item, from its place and text.
///
/// FNV-1a: short, and the same on every machine and in every build, so that output is deterministic.
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// A list of what paths mean, in braces.
pub fn list<T: ToTokens>(named: &[(Path, T)]) -> TokenStream {
    let (paths, meanings): (Vec<_>, Vec<_>) = named.iter().map(|(path, meaning)| (path, meaning)).unzip();
    quote!({ #([#paths] { #meanings })* })
}

/// The list again.
pub fn named<T: Parse>(input: ParseStream) -> Result<Vec<(Path, T)>> {
    let list;
    braced!(list in input);
    let mut named = Vec::new();
    while !list.is_empty() {
        let path;
        bracketed!(path in list);
        let path = path.parse()?;
        let meaning;
        braced!(meaning in list);
        named.push((path, meaning.parse()?));
    }
    Ok(named)
}
