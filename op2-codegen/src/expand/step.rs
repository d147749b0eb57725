//! Tokens that go from macro to macro: answers of hidden macros, and functions whose payload is being collected.

use crate::parse::kernel::FnKind;
use crate::payload::Payload;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{ItemFn, LitStr, Path, Result, braced, bracketed};

/// The answer of a hidden macro.
pub(super) enum Answer {
    /// The function, with all that it calls.
    Function(FnKind, Box<Payload>),
    /// It has faults, which were reported.
    Faulty,
}

/// A function whose payload is being collected.
pub(super) struct Step {
    pub(super) kind: FnKind,
    /// The text that its hidden macro's name is made from.
    pub(super) site: String,
    pub(super) item: ItemFn,
    /// Callees whose payload has come in.
    pub(super) done: Vec<(Path, Payload)>,
    /// Callees still to be asked, the next one first.
    pub(super) open: Vec<Path>,
}

/// The attribute that gives a function its kind, as one word.
pub(super) fn kind_word(kind: FnKind) -> &'static str {
    match kind {
        FnKind::Kernel => "kernel",
        FnKind::DeviceFn => "device_fn",
    }
}

impl ToTokens for Answer {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Answer::Function(kind, payload) => {
                let kind = format_ident!("{}", kind_word(*kind));
                tokens.extend(quote!(#kind #payload));
            }
            Answer::Faulty => tokens.extend(quote!(faulty)),
        }
    }
}

impl Parse for Answer {
    fn parse(input: ParseStream) -> Result<Self> {
        let word: Ident = input.parse()?;
        Ok(match word.to_string().as_str() {
            "faulty" => Answer::Faulty,
            "kernel" => Answer::Function(FnKind::Kernel, Box::new(input.parse()?)),
            _ => Answer::Function(FnKind::DeviceFn, Box::new(input.parse()?)),
        })
    }
}

impl ToTokens for Step {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Step { kind, site, item, done, open } = self;
        let kind = format_ident!("{}", kind_word(*kind));
        let (paths, payloads): (Vec<_>, Vec<_>) = done.iter().map(|(p, l)| (p, l)).unzip();
        tokens.extend(quote!(#kind #site { #item } { #([#paths] { #payloads })* } { #([#open])* }));
    }
}

impl Parse for Step {
    fn parse(input: ParseStream) -> Result<Self> {
        let kind: Ident = input.parse()?;
        let kind = if kind == "kernel" { FnKind::Kernel } else { FnKind::DeviceFn };
        let site = input.parse::<LitStr>()?.value();
        let Payload { item, callees: done, .. } = Payload::parse_at(0, input)?;
        let list;
        braced!(list in input);
        let mut open = Vec::new();
        while !list.is_empty() {
            let path;
            bracketed!(path in list);
            open.push(path.parse()?);
        }
        Ok(Step { kind, site, item, done, open })
    }
}
