//! Payloads without macros, for tests and tools that have a whole file.

use super::methods;
use crate::parse::implementation;
use crate::parse::kernel::{FnKind, mentions, signature};
use crate::payload::{Declaration, Declared, Payload, fingerprint};
use quote::ToTokens;
use syn::{Ident, Item, ItemFn, Path};

/// The payload of a function that stands in one file with all functions and types which it mentions. Paths mean the
/// items of their last name.
///
/// # Errors
/// The path of a missing item, and faults of methods.
pub fn in_file(item: &ItemFn, kind: FnKind, items: &[Item]) -> Result<Payload, String> {
    let mentions = mentions(item, kind);
    let item = ItemFn { attrs: Vec::new(), ..item.clone() };
    let types = types_in_file(mentions.types, items)?;
    let payload = Payload { callees: callees_in_file(mentions.callees, items)?, types, ..Payload::new(0, item) };
    methods::with_methods(payload, kind).map_err(|e| e.to_string())
}

/// The declarations that some paths mean in a file.
///
/// # Errors
/// As [`in_file`].
pub fn types_in_file(paths: Vec<Path>, items: &[Item]) -> Result<Vec<(Path, Declared)>, String> {
    let declared = |path: Path| {
        let mut declared = declaration_in_file(&path, items)?;
        let record = declared.item.name().1.clone();
        let found = items.iter().find_map(|item| match item {
            Item::Impl(item) if implementation::record(item).is_ok_and(|path| is_named(&path, &record)) => Some(item),
            _ => None,
        });
        if let Some(item) = found {
            declared.methods = methods_in_file(implementation::methods(item), &path, &declared, items)?;
        }
        Ok((path, declared))
    };
    paths.into_iter().map(declared).collect()
}

/// A declaration without its methods.
fn declaration_in_file(path: &Path, items: &[Item]) -> Result<Declared, String> {
    let found = items.iter().find_map(|item| match item {
        Item::Struct(record) if is_named(path, &record.ident) => Some(Declaration::Record(record.clone())),
        Item::Enum(item) if is_named(path, &item.ident) => Some(Declaration::Enum(item.clone())),
        Item::Type(alias) if is_named(path, &alias.ident) => Some(Declaration::Alias(alias.clone())),
        _ => None,
    });
    let item = found.ok_or_else(|| missing("type", path))?.bare();
    let types = types_in_file(mentions(&signature(&item), FnKind::Declaration).types, items)?;
    let site = fingerprint(&item.name().1.to_string());
    Ok(Declared { site, item, types, methods: Vec::new() })
}

fn methods_in_file(
    methods: Vec<ItemFn>,
    own: &Path,
    record: &Declared,
    items: &[Item],
) -> Result<Vec<Payload>, String> {
    let method = |item: ItemFn| {
        let mentions = mentions(&item, FnKind::Method);
        let (of_record, others): (Vec<_>, Vec<_>) = mentions.types.into_iter().partition(|path| path == own);
        let mut types = types_in_file(others, items)?;
        types.extend(of_record.into_iter().map(|path| (path, record.clone())));
        let site = fingerprint(&format!("{}::{}", record.site, item.sig.ident));
        let callees = callees_in_file(mentions.callees, items)?;
        Ok(Payload { method_of: Some(record.site), callees, types, ..Payload::new(site, item) })
    };
    let methods = methods.into_iter().map(method).collect::<Result<_, String>>()?;
    super::methods::among_themselves(methods).map_err(|e| e.to_string())
}

fn callees_in_file(paths: Vec<Path>, items: &[Item]) -> Result<Vec<(Path, Payload)>, String> {
    let callee = |path: Path| {
        let found = items.iter().find_map(|item| match item {
            Item::Fn(function) if is_named(&path, &function.sig.ident) => Some(function),
            _ => None,
        });
        let function = found.ok_or_else(|| missing("function", &path))?;
        Ok((path, in_file(function, FnKind::DeviceFn, items)?))
    };
    paths.into_iter().map(callee).collect()
}

fn is_named(path: &Path, name: &Ident) -> bool {
    path.segments.last().is_some_and(|last| last.ident == *name)
}

fn missing(what: &str, path: &Path) -> String {
    format!("no {what} `{}`", path.to_token_stream())
}
