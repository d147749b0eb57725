//! The path by which the user's crate names op2: a `Cargo.toml` may give the dependency another name.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// `::op2`, or another name that `Cargo.toml` gives the dependency.
#[derive(Debug, Clone)]
pub struct Root(Ident);

impl Root {
    /// The crate under this name.
    pub fn named(name: &str) -> Self {
        Root(Ident::new(name, Span::call_site()))
    }
}

impl Default for Root {
    fn default() -> Self {
        Root::named("op2")
    }
}

impl ToTokens for Root {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = &self.0;
        tokens.extend(quote!(::#name));
    }
}
