//! Kernels as text, and the accesses that fit what they do.

mod combining;
mod lattice;
mod messages;
mod rows;
mod text;
mod writing;

use crate::ir::Unit;
use crate::model;
use crate::model::file::in_file;
use crate::parse::kernel::FnKind;

use super::{Analysis, analyse, fitting};

/// The unit of the first function in `source`, a kernel if it returns nothing; the others are its device functions.
pub(crate) fn unit(source: &str) -> Unit {
    let file: syn::File = syn::parse_str(source).expect("the test's kernel is Rust");
    let Some(syn::Item::Fn(first)) = file.items.iter().find(|item| matches!(item, syn::Item::Fn(_))) else {
        panic!("the test holds no function")
    };
    let kind = if first.sig.output == syn::ReturnType::Default { FnKind::Kernel } else { FnKind::DeviceFn };
    let payload = in_file(first, kind, &file.items).unwrap_or_else(|missing| panic!("{missing} in {source}"));
    model::build(&payload, kind).unwrap_or_else(|e| panic!("{e} in {source}"))
}

fn analysis(source: &str) -> Analysis {
    analyse(&unit(source))
}

/// The accesses that fit the parameter `name`, as words.
fn accesses(source: &str, name: &str) -> String {
    let unit = unit(source);
    let index = unit.funcs[0].params.iter().position(|p| p.name == name).expect("a parameter of the test");
    let used = &analyse(&unit).params[index];
    fitting(used).iter().map(|m| m.name()).collect::<Vec<_>>().join(" ")
}

/// Checks a table: parameter, the accesses that fit it, kernel.
fn expect_accesses(table: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(name, expected, source)| {
            let found = accesses(source, name);
            (found != *expected).then(|| format!("`{name}`: expected `{expected}`, found `{found}` in\n{source}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
