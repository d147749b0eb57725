//! The `impl` of a record: its methods as functions of the kernel language.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    FnArg, GenericParam, ImplItem, ImplItemFn, ItemFn, ItemImpl, Path, Receiver, ReceiverKind, Result, Token, Type,
    parse_quote,
};

use super::declared::is_harmless;
use super::kernel::{self, FnKind, is_reserved};
use crate::error::Errors;
use crate::ir::print;

/// The path of the record, as the `impl` names it, without type arguments.
///
/// # Errors
/// An `impl` of a trait, or of something that has no name.
pub fn record(item: &ItemImpl) -> Result<Path> {
    if let Some((path, _)) = &item.trait_ {
        let message = format!(
            "`impl {} for …`: expected the methods of a record, `impl Name {{ … }}`; kernels call no methods of traits",
            print::tokens(path)
        );
        return Err(syn::Error::new_spanned(path, message));
    }
    match &*item.self_ty {
        Type::Path(ty) if ty.qself.is_none() => Ok(kernel::without_arguments(&ty.path)),
        other => Err(syn::Error::new_spanned(other, "expected the name of a `#[op2::record(methods)]`")),
    }
}

/// The last name in that path.
pub fn name(item: &ItemImpl) -> &Ident {
    match &*item.self_ty {
        Type::Path(ty) => &ty.path.segments[ty.path.segments.len() - 1].ident,
        _ => unreachable!("`record` refuses other types"),
    }
}

/// The methods as functions: with the parameters of the `impl`, a typed `self`, and the record's name instead of `Self`.
pub fn methods(item: &ItemImpl) -> Vec<ItemFn> {
    let functions = item.items.iter().filter_map(|member| match member {
        ImplItem::Fn(method) => Some(function(method, item)),
        _ => None,
    });
    functions.collect()
}

/// Checks the methods before the functions and types that they mention are known.
///
/// # Errors
/// Each on its narrowest span.
pub fn check(item: &ItemImpl) -> Result<()> {
    let mut errors = Errors::new();
    for member in &item.items {
        match member {
            ImplItem::Fn(method) => {
                let name = &method.sig.ident;
                for attribute in method.attrs.iter().filter(|attribute| !is_harmless(attribute)) {
                    let message = "attributes on methods of a record: expected documentation, lints and `inline`";
                    errors.push(syn::Error::new_spanned(attribute, message));
                }
                if is_reserved(&name.to_string()) {
                    let message = format!("method `{name}` has a meaning of its own in the kernel language: rename it");
                    errors.at(name.span(), message);
                }
            }
            ImplItem::Const(constant) => {
                let name = &constant.ident;
                let message =
                    format!("constant `{name}` of a record: expected functions alone, write a `const` outside");
                errors.at(name.span(), message);
            }
            other => errors.push(syn::Error::new_spanned(other, "expected functions alone")),
        }
    }
    if let Some(token) = item.unsafety {
        errors.at(token.span(), "an `impl` of a record cannot be `unsafe`: remove it");
    }
    for method in methods(item) {
        if let Err(e) = kernel::check(&method, FnKind::Method) {
            errors.push(e);
        }
    }
    errors.finish(())
}

fn function(method: &ImplItemFn, item: &ItemImpl) -> ItemFn {
    let ImplItemFn { vis, modifiers, sig, block, .. } = method;
    let (modifiers, mut sig) = (modifiers.clone(), sig.clone());
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first_mut() {
        state_type(receiver);
    }
    // Lifetimes come first.
    let (lifetimes, others): (Vec<GenericParam>, Vec<_>) = item
        .generics
        .params
        .iter()
        .chain(&sig.generics.params)
        .cloned()
        .partition(|param| matches!(param, GenericParam::Lifetime(_)));
    sig.generics.params = lifetimes.into_iter().chain(others).collect();
    if !sig.generics.params.is_empty() {
        sig.generics.lt_token.get_or_insert_default();
        sig.generics.gt_token.get_or_insert_default();
    }
    if sig.generics.where_clause.is_none() {
        sig.generics.where_clause.clone_from(&item.generics.where_clause);
    }
    let mut function = ItemFn { attrs: Vec::new(), vis: vis.clone(), modifiers, sig, block: Box::new(block.clone()) };
    Own { ty: &item.self_ty }.visit_item_fn_mut(&mut function);
    function
}

/// Writes `self: &Self` for `&self`.
fn state_type(receiver: &mut Receiver) {
    let span = receiver.self_token.span;
    let colon = Token![:](span);
    let own = quote_spanned!(span=> Self);
    let ty = match &receiver.kind {
        ReceiverKind::Value => parse_quote!(#own),
        ReceiverKind::Reference(ampersand, lifetime, mutability) => parse_quote!(#ampersand #lifetime #mutability #own),
        _ => return,
    };
    receiver.kind = ReceiverKind::Typed(colon, Box::new(ty));
}

/// Writes the record's type in the place of `Self`.
struct Own<'a> {
    ty: &'a Type,
}

impl Own<'_> {
    /// The name of the record, at a place of `Self`.
    fn path(&self, span: Span) -> Path {
        let path = match self.ty {
            Type::Path(ty) => kernel::without_arguments(&ty.path),
            _ => parse_quote!(Self),
        };
        let tokens = path.to_token_stream().into_iter().map(|mut token| {
            token.set_span(span);
            token
        });
        let tokens: TokenStream = tokens.collect();
        parse_quote!(#tokens)
    }

    /// The tokens of a macro call, with the name in them.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let token = |token| match token {
            TokenTree::Ident(name) if name == "Self" => self.path(name.span()).into_token_stream(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner).into_token_stream()
            }
            other => other.into_token_stream(),
        };
        tokens.into_iter().flat_map(token).collect()
    }
}

impl VisitMut for Own<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) if path.path.is_ident("Self") => *ty = self.ty.clone(),
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        if let Some(first) = path.segments.first()
            && first.ident == "Self"
        {
            let mut own = self.path(Ident::span(&first.ident));
            own.segments.extend(path.segments.iter().skip(1).cloned());
            *path = own;
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.tokens(mac.tokens.clone());
    }
}
