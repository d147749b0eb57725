//! The rules for a single kernel or device function, beyond those of the language, which `parse` and `model` check.

#[cfg(test)]
mod tests;
mod visit;

use super::usage::{Analysis, ParamUse, Site, analyse};
use crate::error::Errors;
use crate::ir::{Block, ExprKind, Func, Loop, LoopId, LoopKind, Param, Ty, Unit};

/// Checks the first function of a unit, all rules in order.
///
/// # Errors
/// All violations, each with the narrowest span that shows it.
pub fn check(unit: &Unit) -> syn::Result<()> {
    let mut errors = Errors::new();
    let found = analyse(unit);
    if let Some(func) = unit.funcs.first() {
        check_shared(func, &found, &mut errors);
        check_bounds(&found, &mut errors);
        check_exclusive(func, &found, &mut errors);
        check_ends(func, &mut errors);
        check_rows(func, &mut errors);
    }
    errors.finish(())
}

fn params<'a>(func: &'a Func, found: &'a Analysis) -> impl Iterator<Item = (&'a Param, &'a ParamUse)> {
    func.params.iter().zip(&found.params)
}

/// Whether a parameter lets the function write: `None` when it is passed by value.
fn exclusive(ty: &Ty) -> Option<bool> {
    match ty {
        Ty::Ref(mutable, _) => Some(*mutable),
        Ty::Option(inner) | Ty::Array(inner, _) => exclusive(inner),
        _ => None,
    }
}

fn is_best(ty: &Ty) -> bool {
    matches!(ty, Ty::Ref(_, inner) if matches!(**inner, Ty::ArgBest(..)))
}

/// Parameters taken by `&` are not assigned.
fn check_shared(func: &Func, found: &Analysis, errors: &mut Errors) {
    for (param, used) in params(func, found) {
        let Some(site) = used.modifies().filter(|_| exclusive(&param.ty) == Some(false)) else { continue };
        let (name, written) = (&param.name, &param.written);
        let (shown, cure) = match name == "self" {
            true => ("&self".to_owned(), "&mut self".to_owned()),
            false => (format!("{name}: {written}"), format!("{name}: {}", written.replacen('&', "&mut ", 1))),
        };
        let message = format!("`{shown}` is read-only, found {}; take `{cure}`", place(site));
        errors.at(site.span, message);
    }
}

/// An index that is known is less than the length of its array.
fn check_bounds(found: &Analysis, errors: &mut Errors) {
    for fault in &found.out_of_bounds {
        let within = fault.within.as_ref().map_or(String::new(), |f| format!(" in device function `{f}`"));
        let message = format!(
            "index {} is out of bounds of `{}: {}`{within} (valid: 0..{})",
            fault.index, fault.array, fault.ty, fault.len
        );
        errors.at(fault.span, message);
    }
}

/// Parameters taken by `&mut` are modified, or lent to the caller for that. Otherwise loops would serialise for nothing.
fn check_exclusive(func: &Func, found: &Analysis, errors: &mut Errors) {
    for (n, (param, used)) in params(func, found).enumerate() {
        let lent = func.ret.has_exclusive() && func.lends.contains(&n);
        if exclusive(&param.ty) != Some(true) || used.modifies().is_some() || lent {
            continue;
        }
        let (name, written) = (&param.name, &param.written);
        let (shown, cure) = match (is_best(&param.ty), name == "self") {
            (true, _) => {
                let cure = format!("call `{name}.update(value, payload)`, or remove the parameter");
                (format!("`{name}: {written}`"), cure)
            }
            (false, true) => ("`&mut self`".to_owned(), "take `&self`".to_owned()),
            (false, false) => {
                let shared = written.replacen("&mut", "&", 1).replacen("& ", "&", 1);
                (format!("`{name}: {written}`"), format!("take `{name}: {shared}`"))
            }
        };
        let message = format!("`{}` never modifies {shown}; {cure}", func.name);
        errors.at(param.name.span(), message);
    }
}

/// A `loop` has a way out.
fn check_ends(func: &Func, errors: &mut Errors) {
    visit::block(&func.body, &mut |e| {
        if let ExprKind::Loop(Loop { id, kind: LoopKind::Forever, body }) = &e.kind
            && !leaves(body, *id)
        {
            errors.at(e.span, "this `loop` has no `break` and no `return`, so the kernel never ends; add one");
        }
    });
}

/// Values of several components in a row of any length are changed where they are, since a device has them in pieces.
fn check_rows(func: &Func, errors: &mut Errors) {
    visit::block(&func.body, &mut |e| {
        if let ExprKind::Ref(true, place) = &e.kind
            && place.is_in_row()
            && !matches!(place.ty, Ty::Scalar(_))
        {
            let message = "`&mut` of a value in a row of any length, which may lie in pieces: bind a copy with `let mut`, change it, and \
                           assign it to the entry";
            errors.at(e.span, message);
        }
    });
}

fn leaves(body: &Block, id: LoopId) -> bool {
    let mut found = false;
    visit::block(body, &mut |e| {
        found |= match e.kind {
            ExprKind::Return(_) => true,
            ExprKind::Break(target) => target == id,
            _ => false,
        };
    });
    found
}

fn place(site: &Site) -> String {
    match &site.within {
        Some(function) => format!("`{}` in device function `{function}`", site.text),
        None => format!("`{}`", site.text),
    }
}
