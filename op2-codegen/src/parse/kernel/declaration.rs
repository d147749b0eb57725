//! The content of a user's declaration. Its types are parsed as the parameters of a function, so that they mean the same.

use quote::format_ident;
use syn::{Expr, ExprLit, Ident, ItemEnum, ItemFn, Lit, Result, parse_quote};

use crate::error::Errors;
use crate::ir::{Func, print};
use crate::payload::{Declaration, Declared};

use super::FnKind;
use super::scope::{Callees, FnParser};

/// The types in a declaration as those of a function's parameters. Its constants are the lengths in the declaration.
///
/// # Errors
/// Types that a declaration cannot have.
pub fn fields(declared: &Declared) -> Result<Func> {
    let (item, callees, mut errors) = (signature(&declared.item), Callees::default(), Errors::new());
    let func = FnParser::new(&item, FnKind::Declaration, &callees, &mut errors).knowing(&declared.types).func(&item);
    for (written, param) in declared.item.types().into_iter().zip(&func.params) {
        if param.ty.has_reference() {
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
            Some((_, value)) => number_of(value)?,
            None => next?,
        };
        next = number.checked_add(1);
        Some((variant.ident.clone(), number))
    };
    item.variants.iter().map(number).collect()
}

/// The number that an expression states.
pub fn number_of(value: &Expr) -> Option<u8> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        Expr::Group(group) => number_of(&group.expr),
        Expr::Paren(paren) => number_of(&paren.expr),
        _ => None,
    }
}
