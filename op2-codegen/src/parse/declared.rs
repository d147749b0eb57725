//! Types that the user declares: records, enums and aliases. The types in a declaration are parsed as the parameters of a function, so that
//! they mean the same.

use quote::format_ident;
use syn::{Expr, ExprLit, Fields, Ident, ItemEnum, ItemFn, ItemStruct, Lit, Result, parse_quote};

use crate::error::Errors;
use crate::ir::{Func, Ty, print};
use crate::payload::{Declaration, Declared, Payload};

use super::kernel::{self, FnKind, mentions};

/// Checks a declaration before the types that it mentions are known.
///
/// # Errors
/// Fields and parameters that the language lacks, each on its narrowest span.
pub fn check(item: &Declaration) -> Result<()> {
    let mut errors = Errors::new();
    match item {
        Declaration::Record(item) => fields_of(item, &mut errors),
        Declaration::Enum(item) => variants_of(item, &mut errors),
        Declaration::Alias(_) => {}
    }
    if let Some(lifetime) = item.generics().lifetimes().next() {
        let word = item.word();
        let message = format!("lifetime `{}`: a {word} stands for values, no references", lifetime.lifetime);
        errors.push(syn::Error::new_spanned(lifetime, message));
    }
    errors.finish(())?;
    let signature = signature(item);
    let (_, name) = item.name();
    if let Some(path) = mentions(&signature).types.into_iter().find(|path| path.is_ident(name)) {
        // Its macro would wait for itself.
        let message = format!("{} `{name}` contains itself, and has no size", item.word());
        return Err(syn::Error::new_spanned(path, message));
    }
    kernel::check(&signature, FnKind::Declaration)
}

fn fields_of(item: &ItemStruct, errors: &mut Errors) {
    let name = &item.ident;
    match &item.fields {
        Fields::Named(fields) if !fields.named.is_empty() => {
            let attributes = fields.named.iter().flat_map(|field| &field.attrs);
            for attribute in attributes.filter(|attribute| !is_harmless(attribute)) {
                let message = "attributes on fields of a record: expected documentation alone";
                errors.push(syn::Error::new_spanned(attribute, message));
            }
        }
        Fields::Named(_) | Fields::Unit => {
            errors.at(name.span(), format!("record `{name}` has no fields, expected at least one"));
        }
        Fields::Unnamed(fields) => {
            let first = fields.unnamed.first().map_or("f64".to_owned(), |field| print::tokens(&field.ty));
            let message = format!("fields of record `{name}` have no names: write `{{ x: {first}, … }}`");
            errors.push(syn::Error::new_spanned(fields, message));
        }
    }
}

fn variants_of(item: &ItemEnum, errors: &mut Errors) {
    let name = &item.ident;
    if item.variants.is_empty() {
        errors.at(name.span(), format!("enum `{name}` has no variants, expected at least one"));
    }
    if let Some(param) = item.generics.params.first() {
        errors.push(syn::Error::new_spanned(param, format!("enum `{name}` has parameters, expected none")));
    }
    for variant in &item.variants {
        let (own, text) = (&variant.ident, variant.ident.to_string());
        if !matches!(variant.fields, Fields::Unit) {
            let message = format!("variant `{own}` has fields: an enum of the kernel language is one of several names");
            errors.push(syn::Error::new_spanned(&variant.fields, message));
        }
        if !is_variant(&text) {
            let message =
                format!("variant `{own}`: expected a name like `Wall`, since a name in capitals alone is a constant");
            errors.at(own.span(), message);
        }
        if let Some((_, value)) = &variant.discriminant
            && literal(value).is_none()
        {
            let message = format!("the number of variant `{own}`: expected a literal from 0 to 255");
            errors.push(syn::Error::new_spanned(value, message));
        }
    }
    if numbers(item).is_none() {
        errors.at(name.span(), format!("enum `{name}` is stored as a `u8`: expected numbers from 0 to 255"));
    }
}

/// Whether a name is like that of a variant, and not like that of a constant or a function.
pub fn is_variant(name: &str) -> bool {
    let name = name.trim_start_matches("r#");
    name.starts_with(|c: char| c.is_uppercase()) && name.contains(|c: char| c.is_lowercase())
}

/// The variants with the numbers that Rust gives them, if all fit.
pub fn numbers(item: &ItemEnum) -> Option<Vec<(Ident, u8)>> {
    let mut next = Some(0u8);
    let number = |variant: &syn::Variant| {
        let number = match &variant.discriminant {
            Some((_, value)) => literal(value)?,
            None => next?,
        };
        next = number.checked_add(1);
        Some((variant.ident.clone(), number))
    };
    item.variants.iter().map(number).collect()
}

fn literal(value: &Expr) -> Option<u8> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(paren) => literal(&paren.expr),
        _ => None,
    }
}

/// The types in a declaration as those of a function's parameters. Its constants are the lengths in the declaration.
///
/// # Errors
/// Types that a declaration cannot have.
pub fn fields(declared: &Declared) -> Result<Func> {
    let mut unit = kernel::parse(&declared.as_function(), FnKind::Declaration)?;
    let func = unit.funcs.remove(0);
    let mut errors = Errors::new();
    for (written, param) in declared.item.types().into_iter().zip(&func.params) {
        if has_reference(&param.ty) {
            let (word, text) = (declared.item.word(), print::tokens(&written));
            let message = format!("type `{text}` in a {word}: expected values, no references");
            errors.push(syn::Error::new_spanned(&written, message));
        }
    }
    errors.finish(func)
}

/// A function with the declaration's name and parameters, and a parameter for each type in it.
pub fn signature(item: &Declaration) -> ItemFn {
    let (_, name) = item.name();
    let types = item.types().into_iter().enumerate().map(|(n, ty)| {
        let name = format_ident!("field{n}");
        quote::quote!(#name: #ty)
    });
    let (params, clause) = (&item.generics().params, &item.generics().where_clause);
    parse_quote!(fn #name<#params>(#(#types),*) #clause {})
}

impl Declared {
    /// The declaration as a function with [`signature`].
    pub fn as_function(&self) -> Payload {
        let Declared { site, item, types } = self;
        Payload { site: *site, item: signature(item), callees: Vec::new(), types: types.clone() }
    }
}

fn is_harmless(attribute: &syn::Attribute) -> bool {
    ["doc", "allow", "expect", "warn", "deny"].iter().any(|name| attribute.path().is_ident(name))
}

fn has_reference(ty: &Ty) -> bool {
    match ty {
        Ty::Ref(..) => true,
        Ty::Array(item, _) => has_reference(item),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(has_reference),
        _ => false,
    }
}
