//! The declaration of a record. Its fields are parsed as the parameters of a function, so that both have the same types.

use quote::ToTokens;
use syn::{Fields, GenericParam, Ident, ItemFn, ItemStruct, Result, parse_quote, parse_quote_spanned};

use crate::error::Errors;
use crate::ir::{Func, Ty, print};
use crate::payload::{Declared, Payload};

use super::kernel::{self, FnKind};

/// Checks a declaration before the records that it mentions are known.
///
/// # Errors
/// Fields and parameters that a record cannot have, each on its narrowest span.
pub fn check(item: &ItemStruct) -> Result<()> {
    let mut errors = Errors::new();
    let name = &item.ident;
    match &item.fields {
        Fields::Named(fields) if !fields.named.is_empty() => {
            for field in fields.named.iter().filter(|field| !field.attrs.is_empty()) {
                let attribute = field.attrs.iter().find(|a| !is_harmless(a));
                if let Some(attribute) = attribute {
                    errors.push(syn::Error::new_spanned(
                        attribute,
                        "attributes on fields of a record: expected documentation alone",
                    ));
                }
            }
        }
        Fields::Named(_) | Fields::Unit => {
            errors.at(name.span(), format!("record `{name}` has no fields, expected at least one"));
        }
        Fields::Unnamed(fields) => {
            let message = format!("fields of record `{name}` have no names: write `{{ x: {} }}`", first_type(item));
            errors.push(syn::Error::new_spanned(fields, message));
        }
    }
    if let Some(lifetime) = item.generics.lifetimes().next() {
        errors.push(syn::Error::new_spanned(lifetime, "a record holds values, no references: leave its lifetimes out"));
    }
    errors.finish(())?;
    kernel::check(&signature(item), FnKind::DeviceFn)
}

/// The fields of a record as the parameters of a function, whose constants are the lengths in the record.
///
/// # Errors
/// Types that a field cannot have.
pub fn fields(declared: &Declared) -> Result<Func> {
    let Declared { site, item, types } = declared;
    let payload = Payload { site: *site, item: signature(item), callees: Vec::new(), types: types.clone() };
    let mut unit = kernel::parse(&payload, FnKind::DeviceFn)?;
    let func = unit.funcs.remove(0);
    let mut errors = Errors::new();
    for (field, param) in item.fields.iter().zip(&func.params) {
        if has_reference(&param.ty) {
            let text = print::tokens(&field.ty);
            let message = format!("field of type `{text}`: a record holds values, no references");
            errors.push(syn::Error::new_spanned(&field.ty, message));
        }
    }
    errors.finish(func)
}

/// A function with the record's name and parameters, and a parameter for each field.
pub fn signature(item: &ItemStruct) -> ItemFn {
    let name = &item.ident;
    let fields = item.fields.iter().map(|field| {
        let (name, ty) = (&field.ident, &field.ty);
        quote::quote!(#name: #ty)
    });
    let params = item.generics.params.iter().map(|param| match param {
        // The bound of a function's parameter is optional here: a declaration needs none.
        GenericParam::Type(param) if param.bounds.is_empty() => {
            let name = &param.ident;
            parse_quote_spanned!(name.span()=> #name: Float)
        }
        param => param.to_token_stream(),
    });
    let clause = &item.generics.where_clause;
    parse_quote!(fn #name<#(#params),*>(#(#fields),*) #clause {})
}

/// The name of the record's type parameter.
pub fn generic(item: &ItemStruct) -> Option<&Ident> {
    item.generics.type_params().map(|param| &param.ident).next()
}

fn is_harmless(attribute: &syn::Attribute) -> bool {
    ["doc", "allow", "expect", "warn", "deny"].iter().any(|name| attribute.path().is_ident(name))
}

fn first_type(item: &ItemStruct) -> String {
    item.fields.iter().next().map_or("f64".to_owned(), |field| print::tokens(&field.ty))
}

fn has_reference(ty: &Ty) -> bool {
    match ty {
        Ty::Ref(..) => true,
        Ty::Array(item, _) => has_reference(item),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(has_reference),
        _ => false,
    }
}
