//! A type that the user declared, as it travels from macro to macro.

use super::{Payload, list, named};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    Generics, ItemEnum, ItemStruct, ItemType, LitInt, Path, Result, Token, Type, Visibility, braced, parse_quote,
};

/// A declaration with those that it mentions, under the paths by which it does.
#[derive(Debug, Clone)]
pub struct Declared {
    /// A number unique to this type.
    pub site: u64,
    /// The declaration, without attributes.
    pub item: Declaration,
    /// Mentioned types: the path as written in `item`, and their declaration.
    pub types: Vec<(Path, Declared)>,
    /// The methods of a record, as far as kernels know them.
    pub methods: Vec<Payload>,
}

/// The declaration of a type.
#[derive(Debug, Clone)]
pub enum Declaration {
    /// A record.
    Record(ItemStruct),
    /// An enum without fields, which is stored as a `u8`.
    Enum(ItemEnum),
    /// Another name of a type.
    Alias(ItemType),
}

impl Declaration {
    /// The name and its visibility.
    pub fn name(&self) -> (&Visibility, &Ident) {
        match self {
            Declaration::Record(item) => (&item.vis, &item.ident),
            Declaration::Enum(item) => (&item.vis, &item.ident),
            Declaration::Alias(item) => (&item.vis, &item.ident),
        }
    }

    /// The kind of type that it declares, as one word.
    pub fn word(&self) -> &'static str {
        match self {
            Declaration::Record(_) => "record",
            Declaration::Enum(_) => "enum",
            Declaration::Alias(_) => "alias",
        }
    }

    /// The parameters.
    pub fn generics(&self) -> &Generics {
        match self {
            Declaration::Record(item) => &item.generics,
            Declaration::Enum(item) => &item.generics,
            Declaration::Alias(item) => &item.generics,
        }
    }

    /// The name of the type parameter.
    pub fn float(&self) -> Option<&Ident> {
        self.generics().type_params().map(|param| &param.ident).next()
    }

    /// The types in it: those of the fields, or the one that the name stands for.
    pub fn types(&self) -> Vec<Type> {
        match self {
            Declaration::Record(item) => item.fields.iter().map(|field| field.ty.clone()).collect(),
            Declaration::Enum(_) => vec![parse_quote!(u8)],
            Declaration::Alias(item) => vec![(*item.ty).clone()],
        }
    }

    /// The declaration without attributes: docs and derived traits only matter where it stands.
    pub fn bare(&self) -> Self {
        let mut bare = self.clone();
        match &mut bare {
            Declaration::Record(item) => {
                item.attrs.clear();
                item.fields.iter_mut().for_each(|field| field.attrs.clear());
            }
            Declaration::Enum(item) => {
                item.attrs.clear();
                item.variants.iter_mut().for_each(|variant| variant.attrs.clear());
            }
            Declaration::Alias(item) => item.attrs.clear(),
        }
        bare
    }
}

impl Parse for Declaration {
    fn parse(input: ParseStream) -> Result<Self> {
        let ahead = input.fork();
        ahead.call(syn::Attribute::parse_outer)?;
        ahead.parse::<Visibility>()?;
        Ok(match (ahead.peek(Token![type]), ahead.peek(Token![enum])) {
            (true, _) => Declaration::Alias(input.parse()?),
            (_, true) => Declaration::Enum(input.parse()?),
            _ => Declaration::Record(input.parse()?),
        })
    }
}

impl ToTokens for Declaration {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Declaration::Record(item) => item.to_tokens(tokens),
            Declaration::Enum(item) => item.to_tokens(tokens),
            Declaration::Alias(item) => item.to_tokens(tokens),
        }
    }
}

impl Parse for Declared {
    fn parse(input: ParseStream) -> Result<Self> {
        let site = input.parse::<LitInt>()?.base10_parse()?;
        let item;
        braced!(item in input);
        let (item, types) = (item.parse()?, named(input)?);
        let list;
        braced!(list in input);
        let mut methods = Vec::new();
        while !list.is_empty() {
            let method;
            braced!(method in list);
            methods.push(method.parse()?);
        }
        Ok(Declared { site, item, types, methods })
    }
}

impl ToTokens for Declared {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Declared { site, item, types, methods } = self;
        let types = list(types);
        tokens.extend(quote!(#site { #item } #types { #({ #methods })* }));
    }
}
