//! Constructs that the kernel language lacks, with their replacements.

use proc_macro2::Span;
use syn::Expr as SynExpr;
use syn::spanned::Spanned;

use crate::ir::Expr;

use super::scope::FnParser;

impl FnParser<'_> {
    /// Reports an expression that has no counterpart in the language, on its keyword where it has
    /// one.
    pub(super) fn refuse(&mut self, e: &SynExpr) -> Expr {
        if let SynExpr::Macro(m) = e {
            return self.macro_call(&m.mac);
        }
        let (span, what, cure) = match e {
            SynExpr::Closure(c) => (
                c.inputs_begin.span(),
                "a closure",
                "only `a.map(|x| …)` and `array::from_fn(|i| …)` take one; write a `#[op2::device_fn]`",
            ),
            SynExpr::Unsafe(u) => (u.unsafe_token.span(), "`unsafe`", "index arrays and write through references"),
            SynExpr::Async(a) => (a.async_token.span(), "`async`", "kernels run to their end"),
            SynExpr::Await(a) => (a.await_token.span(), "`await`", "kernels run to their end"),
            SynExpr::Const(c) => (c.const_token.span(), "a `const` block", "declare a `const` outside of the function"),
            SynExpr::Try(t) => (t.question_token.span(), "`?`", "kernels cannot fail; use `if`/`else`"),
            SynExpr::TryBlock(t) => (t.try_token.span(), "`try`", "kernels cannot fail; use `if`/`else`"),
            SynExpr::Yield(y) => (y.yield_token.span(), "`yield`", "kernels run to their end"),
            SynExpr::Let(l) => (l.let_token.span(), "`let` as a value", "use `if let Some(x) = argument`"),
            SynExpr::Infer(i) => (i.underscore_token.span(), "`_` as a value", "name the value"),
            SynExpr::Range(r) => {
                let cure = "a range stands only in `for i in a..b`";
                return self.wrong_tokens(r, refused("a range as a value", cure));
            }
            SynExpr::RawAddr(r) => {
                return self.wrong_tokens(r, refused("a raw pointer", "use `&` or `&mut`"));
            }
            other => {
                let cure = "expected scalars, arrays, tuples and plain control flow";
                return self.wrong_tokens(other, refused("this expression", cure));
            }
        };
        self.wrong(span, refused(what, cure))
    }

    /// Stands in for an expression that was already reported.
    pub(super) fn placeholder(&self, span: Span) -> Expr {
        super::scope::placeholder(span)
    }
}

fn refused(what: &str, cure: &str) -> String {
    format!("{what} is not part of the kernel language: {cure}")
}

/// The cure for a well-known method.
pub(super) fn method_cure(name: &str) -> Option<&'static str> {
    Some(match name {
        "clone" | "to_owned" | "copied" | "cloned" => "scalars, arrays and records are copied by `*x`",
        "swap" => "exchange the elements through a local",
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "is_some" | "is_none" => {
            "ask an option with `if let Some(x) = option` or `option.unwrap_or(x)`"
        }
        "into" | "try_into" | "try_from" => "convert with `as`",
        "from" => "write `F::lit(x)` with an `f64`",
        "log" => "divide logarithms, `x.ln() / base.ln()`",
        "sin_cos" => "call `sin` and `cos`",
        "is_sign_positive" => "write `!x.is_sign_negative()`",
        "is_positive" => "write `x > 0`",
        "is_negative" => "write `x < 0`",
        "partial_cmp" | "cmp" | "total_cmp" => "compare with `<`, `==`, `>`",
        "push" | "pop" | "extend" | "to_vec" => "kernels do not allocate; use an array `[T; N]`",
        "div_euclid" => "divide with `/` and correct by `rem_euclid`",
        "get" | "get_mut" | "first" | "last" => "index with `[i]`",
        _ => return None,
    })
}

/// The cure for a macro.
pub(super) fn macro_cure(name: &str) -> &'static str {
    match name {
        "vec" => "use an array `[x; N]`",
        "println" | "print" | "eprintln" | "eprint" | "dbg" | "format" => {
            "kernels print nothing; write the value to a dat or reduce it"
        }
        "assert" => "write `debug_assert!`, which debug builds check",
        "assert_eq" => "write `debug_assert_eq!`, which debug builds check",
        "assert_ne" => "write `debug_assert_ne!`, which debug builds check",
        "panic" | "unreachable" | "todo" | "unimplemented" => {
            "kernels cannot fail; reduce a flag (`gbl_or`) and check it after the loop"
        }
        _ if name.rsplit("::").next().is_some_and(|last| last.starts_with("debug_assert")) => {
            "write `debug_assert!`, `debug_assert_eq!` and `debug_assert_ne!` without a path"
        }
        _ => "write the code in place or as a `#[op2::device_fn]`",
    }
}
