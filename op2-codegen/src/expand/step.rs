//! Tokens that go from macro to macro: answers of hidden macros, and items whose payload is being collected.

use crate::parse::implementation;
use crate::parse::kernel::FnKind;
use crate::payload::{Declaration, Declared, Payload, list, named};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{ItemFn, ItemImpl, LitStr, Path, Result, braced, bracketed};

/// The answer of a hidden macro.
pub(super) enum Answer {
    /// The function, with all that it mentions.
    Function(FnKind, Box<Payload>),
    /// The type, with all that it mentions.
    Type(Box<Declared>),
    /// It has faults, which were reported.
    Faulty,
}

/// An item whose payload is being collected.
pub(super) struct Step {
    pub(super) subject: Subject,
    /// The text that its hidden macro's name is made from.
    pub(super) site: String,
    /// Callees whose payload has come in.
    pub(super) callees: Vec<(Path, Payload)>,
    /// Types whose declaration has come in.
    pub(super) types: Vec<(Path, Declared)>,
    /// Names still to be asked, the next one first.
    pub(super) open: Vec<Path>,
}

impl Step {
    /// An item that has not asked yet.
    pub(super) fn new(subject: Subject, site: String, open: Vec<Path>) -> Self {
        Step { subject, site, callees: Vec::new(), types: Vec::new(), open }
    }
}

/// The item itself.
pub(super) enum Subject {
    Function(FnKind, ItemFn),
    /// A declaration, and whether the methods of the record stand in an `impl`.
    Type(Declaration, bool),
    /// The `impl` of a record.
    Methods(ItemImpl),
}

/// The attribute that gives a function its kind, as one word.
pub(super) fn kind_word(kind: FnKind) -> &'static str {
    match kind {
        FnKind::Kernel => "kernel",
        FnKind::DeviceFn | FnKind::Method | FnKind::Declaration => "device_fn",
    }
}

fn kind_of(word: &Ident) -> FnKind {
    if word == "kernel" { FnKind::Kernel } else { FnKind::DeviceFn }
}

impl ToTokens for Answer {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Answer::Function(kind, payload) => {
                let kind = format_ident!("{}", kind_word(*kind));
                tokens.extend(quote!(#kind #payload));
            }
            Answer::Type(declared) => tokens.extend(quote!(declared #declared)),
            Answer::Faulty => tokens.extend(quote!(faulty)),
        }
    }
}

impl Parse for Answer {
    fn parse(input: ParseStream) -> Result<Self> {
        let word: Ident = input.parse()?;
        Ok(match word.to_string().as_str() {
            "faulty" => Answer::Faulty,
            "declared" => Answer::Type(Box::new(input.parse()?)),
            _ => Answer::Function(kind_of(&word), Box::new(input.parse()?)),
        })
    }
}

impl ToTokens for Step {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Step { subject, site, callees, types, open } = self;
        let (callees, types) = (list(callees), list(types));
        tokens.extend(quote!(#subject #site #callees #types { #([#open])* }));
    }
}

impl Parse for Step {
    fn parse(input: ParseStream) -> Result<Self> {
        let subject = input.parse()?;
        let site = input.parse::<LitStr>()?.value();
        let (callees, types) = (named(input)?, named(input)?);
        let list;
        braced!(list in input);
        let mut open = Vec::new();
        while !list.is_empty() {
            let path;
            bracketed!(path in list);
            open.push(path.parse()?);
        }
        Ok(Step { subject, site, callees, types, open })
    }
}

impl Subject {
    /// The item's name; an `impl` stands beside a record of its name.
    pub(super) fn name(&self) -> Ident {
        match self {
            Subject::Function(_, item) => item.sig.ident.clone(),
            Subject::Type(item, _) => item.name().1.clone(),
            Subject::Methods(item) => format_ident!("impl_{}", implementation::name(item).unraw()),
        }
    }
}

impl ToTokens for Subject {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Subject::Function(kind, item) => {
                let kind = format_ident!("{}", kind_word(*kind));
                tokens.extend(quote!(#kind { #item }));
            }
            Subject::Type(item, false) => tokens.extend(quote!(declared { #item })),
            Subject::Type(item, true) => tokens.extend(quote!(declared_with_methods { #item })),
            Subject::Methods(item) => tokens.extend(quote!(methods { #item })),
        }
    }
}

impl Parse for Subject {
    fn parse(input: ParseStream) -> Result<Self> {
        let word: Ident = input.parse()?;
        let item;
        braced!(item in input);
        Ok(match word.to_string().as_str() {
            "declared" => Subject::Type(item.parse()?, false),
            "declared_with_methods" => Subject::Type(item.parse()?, true),
            "methods" => Subject::Methods(item.parse()?),
            _ => Subject::Function(kind_of(&word), item.parse()?),
        })
    }
}
