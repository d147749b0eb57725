//! `debug_assert!` and its like: conditions that debug builds check.

use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr as SynExpr, ExprLit, Lit as SynLit, Macro, Token};

use crate::ir::{Binary, Expr, ExprKind, Ty, print};

use super::expr::hole;
use super::refuse::macro_cure;
use super::scope::FnParser;

type Arguments = Punctuated<SynExpr, Token![,]>;

/// Whether a macro is an assertion of debug builds, and how it compares its values, if it does.
fn compared(mac: &Macro) -> Option<Option<Binary>> {
    match mac.path.get_ident()?.to_string().as_str() {
        "debug_assert" => Some(None),
        "debug_assert_eq" => Some(Some(Binary::Eq)),
        "debug_assert_ne" => Some(Some(Binary::Ne)),
        _ => None,
    }
}

/// The arguments ahead of the message.
fn count(compared: Option<Binary>) -> usize {
    if compared.is_some() { 2 } else { 1 }
}

/// The values that an assertion tests. None of other macros, whose arguments the generator does not know.
pub(super) fn values(mac: &Macro) -> Vec<SynExpr> {
    let Some(compared) = compared(mac) else { return Vec::new() };
    let args = mac.parse_body_with(Arguments::parse_terminated);
    args.into_iter().flatten().take(count(compared)).collect()
}

impl FnParser<'_> {
    /// A macro: an assertion of debug builds, and any other is refused.
    pub(super) fn macro_call(&mut self, mac: &Macro) -> Expr {
        let Some(compared) = compared(mac) else { return self.refused_macro(mac) };
        let name = print::tokens(&mac.path);
        let args: Vec<SynExpr> = match mac.parse_body_with(Arguments::parse_terminated) {
            Ok(args) => args.into_iter().collect(),
            Err(e) => return self.wrong(e.span(), format!("`{name}!`: {e}")),
        };
        let wanted = count(compared);
        let words = if wanted == 2 { "two values" } else { "a condition" };
        if args.len() < wanted {
            return self.wrong(mac.path.span(), format!("`{name}!` takes {words}, and may have a message"));
        }
        let (values, message) = args.split_at(wanted);
        let message = match message.first() {
            None => String::new(),
            Some(SynExpr::Lit(ExprLit { lit: SynLit::Str(text), .. })) => format!(": {}", text.value()),
            Some(other) => {
                return self.wrong_tokens(other, format!("message of `{name}!`: expected a literal, `\"x is {{x}}\"`"));
            }
        };
        self.names.assertion(&mac.path);
        let text: Vec<String> = values.iter().map(print::tokens).collect();
        let span = mac.path.span();
        let holds = match (compared, values) {
            (Some(op), [a, b]) => {
                let (a, b) = (self.expr(a), self.expr(b));
                hole(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
            }
            (_, values) => self.expr(&values[0]),
        };
        let symbol = compared.map_or("", Binary::symbol);
        let message = format!("assertion failed: {}{message}", text.join(&format!(" {symbol} ")));
        Expr { kind: ExprKind::Assert(Box::new(holds), message), ty: Ty::Unit, span }
    }

    fn refused_macro(&mut self, mac: &Macro) -> Expr {
        let name = print::tokens(&mac.path);
        let cure = macro_cure(&name);
        let message = format!("macros are not part of the kernel language, found `{name}!`: {cure}");
        self.wrong(mac.path.span(), message)
    }
}
