//! Checks that a case is a program of the kernel language, by op2's code generator as a library: no compiler runs.

use std::collections::BTreeMap;

use op2_codegen::check::{call, kernel, usage};
use op2_codegen::model;
use op2_codegen::model::file::types_in_file;
use op2_codegen::parse::kernel::{FnKind, mentions};
use op2_codegen::parse::loop_decl::LoopDecl;
use op2_codegen::payload::Payload;
use syn::ItemFn;

use crate::case::{Case, Over, Record};
use crate::print;
use quote::ToTokens;

/// Passes all functions and loops through parse, model and check, and through the emission for all targets.
///
/// # Errors
/// The error of op2, with the function or loop.
pub fn check(case: &Case) -> Result<(), String> {
    let mut known = BTreeMap::new();
    for function in &case.functions {
        let payload = payload(&function.item, FnKind::DeviceFn, &known)?;
        judge(&payload, FnKind::DeviceFn)?;
        known.insert(function.item.sig.ident.to_string(), payload);
    }
    for (n, each) in case.loops.iter().enumerate() {
        let payload = payload(&each.kernel, FnKind::Kernel, &known)?;
        let unit = judge(&payload, FnKind::Kernel)?;
        let text = print::loop_arguments(case, n);
        let decl: LoopDecl = syn::parse_str(&text).map_err(|e| format!("{e} in `{text}`"))?;
        if matches!(each.over, Over::Pairs(..)) && !decl.over_pairs() {
            return Err(format!("`{text}` does not tell that it runs over pairs"));
        }
        let usage = usage::usage(&unit);
        call::check(&decl, &unit, &usage).map_err(|e| format!("{}: {}", text, list(e)))?;
    }
    Ok(())
}

fn judge(payload: &Payload, kind: FnKind) -> Result<op2_codegen::ir::Unit, String> {
    let name = &payload.item.sig.ident;
    let unit = model::build(payload, kind).map_err(|e| format!("{name}: {}", list(e)))?;
    kernel::check(&unit).map_err(|e| format!("{name}: {}", list(e)))?;
    Ok(unit)
}

fn list(error: syn::Error) -> String {
    error.into_iter().map(|e| format!("{e}; ")).collect()
}

fn payload(item: &ItemFn, kind: FnKind, known: &BTreeMap<String, Payload>) -> Result<Payload, String> {
    let callee = |path: syn::Path| {
        let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let payload = known.get(&name).ok_or_else(|| format!("{}: no function `{name}`", item.sig.ident))?;
        Ok((path, payload.clone()))
    };
    let mentions = mentions(item, kind);
    let callees = mentions.callees.into_iter().map(callee).collect::<Result<_, String>>()?;
    let names: String = mentions.types.iter().map(|path| format!("{} ", path.to_token_stream())).collect();
    let records = syn::parse_str::<syn::File>(&Record::declarations(&names)).map_err(|e| e.to_string())?;
    let types = types_in_file(mentions.types, &records.items)?;
    let payload = Payload { callees, types, ..Payload::new(0, item.clone()) };
    model::with_methods(payload, kind).map_err(|e| format!("{}: {}", item.sig.ident, list(e)))
}
