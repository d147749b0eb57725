//! Payloads without macros, for tests and tools that have a whole file.

use super::{Declared, Payload, fingerprint};
use crate::parse::kernel::mentions;
use crate::parse::record::signature;
use quote::ToTokens;
use syn::{Ident, Item, ItemFn, ItemStruct, Path};

/// The payload of a function that stands in one file with all functions and records which it mentions. Paths mean the
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

/// The records that some paths mean in a file.
///
/// # Errors
/// As [`in_file`].
pub fn types_in_file(paths: Vec<Path>, items: &[Item]) -> Result<Vec<(Path, Declared)>, String> {
    let declared = |path: Path| {
        let found = items.iter().find_map(|item| match item {
            Item::Struct(record) if is_named(&path, &record.ident) => Some(record),
            _ => None,
        });
        let record = found.ok_or_else(|| missing("record", &path))?;
        let types = types_in_file(mentions(&signature(record)).types, items)?;
        let site = fingerprint(&record.ident.to_string());
        Ok((path, Declared { site, item: ItemStruct { attrs: Vec::new(), ..record.clone() }, types }))
    };
    paths.into_iter().map(declared).collect()
}

fn is_named(path: &Path, name: &Ident) -> bool {
    path.segments.last().is_some_and(|last| last.ident == *name)
}

fn missing(what: &str, path: &Path) -> String {
    format!("no {what} `{}`", path.to_token_stream())
}
