//! Attributes inside a function: lints are accepted. Any other attribute could make the compiler see another text than
//! the generator.

use syn::visit::Visit;
use syn::{Attribute, ItemFn};

use crate::error::Errors;

/// Reports every attribute on parameters, statements and expressions that is not a lint.
pub(super) fn check(item: &ItemFn, errors: &mut Errors) {
    let mut visitor = Attributes { errors };
    visitor.visit_signature(&item.sig);
    visitor.visit_block(&item.block);
}

struct Attributes<'a> {
    errors: &'a mut Errors,
}

impl<'a> Visit<'a> for Attributes<'_> {
    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        let path = attribute.path();
        let name = path.segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
        let lints = ["allow", "expect", "warn", "deny", "forbid", "rustfmt", "clippy"];
        if !lints.contains(&name.as_str()) {
            self.errors.push(syn::Error::new_spanned(
                attribute,
                format!(
                    "attribute `{name}` is not part of the kernel language: expected none here, \
                     remove it (attributes of the whole function stand above it)"
                ),
            ));
        }
    }
}
