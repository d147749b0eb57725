//! Emission: from lowered loops to target code. What comes in was checked, so emission cannot fail.

/// `quote!` whose own names are invisible to the user's code, and the other way round. Items are not
/// hygienic in Rust: those that a loop needs (`__op2`, `__DESC`) have names that nobody else uses.
macro_rules! hygienic {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}

pub mod bind;
pub mod cpu;
pub mod cuda;
pub mod desc;
pub mod rust;

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// Generated tokens, shown at `span` if the compiler complains of them.
fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let span = span.resolved_at(Span::mixed_site());
    let located = |token| {
        let mut token = match token {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), located(group.stream(), span))),
            token => token,
        };
        token.set_span(span);
        token
    };
    tokens.into_iter().map(located).collect()
}
