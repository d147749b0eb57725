//! Calls that state what the parameters of the called function stand for: `name::<f64, 3>(…)`.

use proc_macro2::{Ident, Span};

use super::Infer;
use crate::ir::{Expr, ExprKind, Func, Len, Stated, StatedCall, Ty};

impl Infer<'_> {
    /// `name::<f64, 3>(…)`
    pub(super) fn stated_call(&mut self, call: StatedCall, span: Span) -> Expr {
        let StatedCall { mut callee, stated, mut args } = call;
        let ty = self.call((&mut callee, &stated), None, &mut args, span);
        Expr { kind: ExprKind::Call(callee, args), ty, span }
    }

    /// Takes over what a call states.
    pub(super) fn state(&mut self, sig: &Func, stated: &[(Stated, Span)], (floats, lens): (&[Ty], &[Len]), span: Span) {
        let (mut floats, mut lens) = (sig.floats.iter().zip(floats), sig.lens.iter().zip(lens));
        let params: Vec<Param> = sig
            .consts_among
            .iter()
            .filter_map(|is_const| match is_const {
                true => lens.next().map(|(name, len)| Param::Len(name, len)),
                false => floats.next().map(|(name, ty)| Param::Float(name, ty)),
            })
            .collect();
        if !stated.is_empty() && params.len() != stated.len() {
            let names: Vec<String> = params.iter().map(|param| format!("`{}`", param.name())).collect();
            let (name, found) = (&sig.name, stated.len());
            let message = match params.len() {
                0 => format!("`{name}` has no parameters, found {found}: remove `::<…>`"),
                wanted => format!(
                    "parameters of `{name}`: expected {wanted} ({}), found {found}; write `_` where arguments tell one",
                    names.join(", ")
                ),
            };
            return self.errors.at(span, message);
        }
        for ((stated, at), param) in stated.iter().zip(params) {
            let fits = match (&param, stated) {
                (_, Stated::Open) => true,
                (Param::Len(_, own), Stated::Len(len)) => self.table.unify_len(own, len).is_ok(),
                (Param::Float(_, own), Stated::Float(scalar)) => self.table.unify(own, &Ty::Scalar(*scalar)).is_ok(),
                _ => false,
            };
            if !fits {
                let expected = if matches!(param, Param::Len(..)) { "a length" } else { "a float type" };
                let message = format!("`{}` of `{}`: expected {expected} or `_`", param.name(), sig.name);
                self.errors.at(*at, message);
            }
        }
    }
}

/// A parameter of a called function, and what stands for it.
enum Param<'a> {
    Float(&'a Ident, &'a Ty),
    Len(&'a Ident, &'a Len),
}

impl Param<'_> {
    fn name(&self) -> &Ident {
        match self {
            Param::Float(name, _) | Param::Len(name, _) => name,
        }
    }
}
