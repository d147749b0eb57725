//! Methods of records. Which one a call means follows from the type of the receiver, so `model` chooses among all that
//! have the name.

use proc_macro2::Ident;
use syn::{ExprMethodCall, ExprPath, Path};

use crate::ir::{Expr, ExprKind, Intrinsic, MethodCall, Sugar, Ty, print};

use super::expr::hole;
use super::nearest::nearest;
use super::path::{first_span, without_arguments};
use super::scope::FnParser;
use super::types::is_declared;

/// Names of methods with a meaning of their own in the language, whatever the receiver.
const OF_THE_LANGUAGE: [&str; 6] = ["get", "is_none", "is_some", "len", "map", "update"];

/// Whether a record can have no method of that name.
pub fn is_reserved(name: &str) -> bool {
    OF_THE_LANGUAGE.contains(&name) || super::each::HEADS.contains(&name)
}

impl FnParser<'_> {
    /// A call of a method that a record may have; `None` if none has one of that name.
    pub(super) fn method_of_record(&mut self, e: &ExprMethodCall) -> Option<Expr> {
        let (name, span) = (e.method.to_string(), e.method.span());
        let builtin = Intrinsic::from_name(&name);
        let named = self.callees.methods.iter().filter(|(_, method, _)| *method == name);
        let candidates: Vec<_> = named.map(|(record, _, id)| (*record, *id)).collect();
        // Before the types have answered, any name may be that of a method.
        let open = self.types.is_none() && builtin.is_none();
        if candidates.is_empty() && !open {
            return None;
        }
        let args = [&*e.receiver].into_iter().chain(&e.args).map(|arg| self.expr(arg)).collect();
        if open {
            return Some(self.placeholder(span));
        }
        let call = MethodCall { name: e.method.clone(), args, candidates, builtin };
        Some(hole(ExprKind::Sugar(Sugar::Method(call)), span))
    }

    /// The names of the methods of all types that the function mentions, for suggestions.
    pub(super) fn names_of_methods(&self) -> Vec<String> {
        let methods = self.types.unwrap_or_default().iter().flat_map(|(_, declared)| &declared.methods);
        methods.map(|method| method.item.sig.ident.to_string()).collect()
    }

    /// `Prim::new(…)`
    pub(super) fn associated_call(&mut self, func: &ExprPath, owner: &Path, name: &Ident, args: Vec<Expr>) -> Expr {
        let text = print::tokens(&without_arguments(&func.path));
        if !is_declared(owner, &self.floats) {
            let message = format!(
                "associated function `{text}` is not part of the kernel language: expected one of a scalar type \
                 (`f64::max`), of a `#[op2::record(methods)]`, or a `#[op2::device_fn]`"
            );
            return self.wrong_tokens(func, message);
        }
        if func.path.segments.iter().any(|s| !s.arguments.is_none()) {
            let message = format!("type arguments of `{text}` follow from its arguments or its result: leave them out");
            return self.wrong_tokens(func, message);
        }
        let Some(declared) = self.declared(owner) else { return self.placeholder(name.span()) };
        let Ty::Record(record, _) = self.instance(declared, owner, &Ty::HOLE) else { return self.no_record(owner) };
        let own = |(of, method, _): &&(u64, String, _)| *of == record.site && name == method;
        if let Some((_, _, id)) = self.callees.methods.iter().find(own) {
            return hole(ExprKind::Call(*id, args), first_span(&func.path));
        }
        let names: Vec<String> = declared.methods.iter().map(|method| method.item.sig.ident.to_string()).collect();
        let message = no_method(&record.name, name, &names);
        self.wrong(name.span(), message)
    }
}

/// A method that a record lacks.
fn no_method(record: &Ident, name: &Ident, names: &[String]) -> String {
    if names.is_empty() {
        return format!(
            "record `{record}` has no methods for kernels, found a call of `{name}`: write `#[op2::record(methods)]` at its \
             declaration, and `#[op2::device_fn]` at its `impl`"
        );
    }
    match nearest(&name.to_string(), names.iter().map(String::as_str)) {
        Some(near) => format!("record `{record}` has no function `{name}` for kernels; did you mean `{near}`?"),
        None => {
            format!("record `{record}` has no function `{name}` for kernels: expected one of `{}`", names.join("`, `"))
        }
    }
}
