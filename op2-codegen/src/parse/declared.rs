//! Types that the user declares, checked where they stand: records, enums and aliases.

use syn::{Fields, ItemEnum, ItemStruct, Result};

use crate::error::Errors;
use crate::ir::print;
use crate::payload::{Declaration, Declared, Payload};

use super::kernel::{self, FnKind, is_variant, mentions, number_of, numbers, signature};

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
    if let Some(path) = mentions(&signature, FnKind::Declaration).types.into_iter().find(|path| path.is_ident(name)) {
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
    let attributes = item.variants.iter().flat_map(|variant| &variant.attrs);
    for attribute in attributes.filter(|attribute| !is_harmless(attribute)) {
        let message = "attributes on variants of an enum: expected documentation alone";
        errors.push(syn::Error::new_spanned(attribute, message));
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
            && number_of(value).is_none()
        {
            let message = format!("the number of variant `{own}`: expected a literal from 0 to 255");
            errors.push(syn::Error::new_spanned(value, message));
        }
    }
    if numbers(item).is_none() {
        errors.at(name.span(), format!("enum `{name}` is stored as a `u8`: expected numbers from 0 to 255"));
    }
}

impl Declared {
    /// The declaration as a function with [`signature`].
    pub fn as_function(&self) -> Payload {
        Payload { types: self.types.clone(), ..Payload::new(self.site, signature(&self.item)) }
    }
}

/// Whether an attribute leaves what it stands on as it is. `cfg` does not, and the macros would not know.
pub(super) fn is_harmless(attribute: &syn::Attribute) -> bool {
    let harmless = ["doc", "allow", "expect", "warn", "deny", "inline", "must_use", "default"];
    harmless.iter().any(|name| attribute.path().is_ident(name)) || attribute.path().segments.len() > 1
}
