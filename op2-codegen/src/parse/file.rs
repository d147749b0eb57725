//! Payloads without macros, for tests and tools that have a whole file.

use super::kernel::{mentions, signature};
use crate::payload::{Declaration, Declared, Payload, fingerprint};
use quote::ToTokens;
use syn::{Ident, Item, ItemFn, Path};

/// The payload of a function that stands in one file with all functions and types which it mentions. Paths mean the
/// items of their last name.
///
/// # Errors
/// The path of a missing item.
pub fn in_file(item: &ItemFn, items: &[Item]) -> Result<Payload, String> {
    let mentions = mentions(item);
    let callee = |path: Path| {
        let found = items.iter().find_map(|item| match item {
            Item::Fn(function) if is_named(&path, &function.sig.ident) => Some(function),
            _ => None,
        });
        let function = found.ok_or_else(|| missing("function", &path))?;
        Ok((path, in_file(function, items)?))
    };
    let callees = mentions.callees.into_iter().map(callee).collect::<Result<_, String>>()?;
    let item = ItemFn { attrs: Vec::new(), ..item.clone() };
    Ok(Payload { site: 0, item, callees, types: types_in_file(mentions.types, items)? })
}

/// The declarations that some paths mean in a file.
///
/// # Errors
/// As [`in_file`].
pub fn types_in_file(paths: Vec<Path>, items: &[Item]) -> Result<Vec<(Path, Declared)>, String> {
    let declared = |path: Path| {
        let found = items.iter().find_map(|item| match item {
            Item::Struct(record) if is_named(&path, &record.ident) => Some(Declaration::Record(record.clone())),
            Item::Enum(item) if is_named(&path, &item.ident) => Some(Declaration::Enum(item.clone())),
            Item::Type(alias) if is_named(&path, &alias.ident) => Some(Declaration::Alias(alias.clone())),
            _ => None,
        });
        let item = found.ok_or_else(|| missing("type", &path))?.bare();
        let types = types_in_file(mentions(&signature(&item)).types, items)?;
        let site = fingerprint(&item.name().1.to_string());
        Ok((path, Declared { site, item, types }))
    };
    paths.into_iter().map(declared).collect()
}

fn is_named(path: &Path, name: &Ident) -> bool {
    path.segments.last().is_some_and(|last| last.ident == *name)
}

fn missing(what: &str, path: &Path) -> String {
    format!("no {what} `{}`", path.to_token_stream())
}
