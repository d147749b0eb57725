//! The names in a function whose meaning other macros know: device functions and declared types.

use std::collections::BTreeSet;

use syn::visit::Visit;
use syn::{ExprCall, ExprMethodCall, ExprPath, ExprStruct, Ident, ItemFn, PatStruct, Path, TypePath};

use super::FnKind;
use super::assert;
use super::closure;
use super::path::{self, CallTarget};
use super::scope;
use super::types::{index_of, is_declared, value_of_table};

/// The distinct paths, without type arguments, in order of first mention.
#[derive(Debug, Default, Clone)]
pub struct Mentions {
    /// Called device functions.
    pub callees: Vec<Path>,
    /// Types that the user declared.
    pub types: Vec<Path>,
    /// The names of what may be methods of records: whose, only types tell.
    pub methods: BTreeSet<String>,
}

impl Mentions {
    /// All of them.
    pub fn all(self) -> Vec<Path> {
        self.callees.into_iter().chain(self.types).collect()
    }
}

/// The names that a function mentions. Calls of the library (`f64::max(a, b)`, `F::lit(c)`) and refused calls (`Some(x)`,
/// `Vec::new()`, the function itself) are not among them.
pub fn mentions(item: &ItemFn, kind: FnKind) -> Mentions {
    let own = (kind != FnKind::Method).then_some(&item.sig.ident);
    let mut visitor = Visitor { own, floats: scope::type_params(item), found: Mentions::default() };
    visitor.visit_signature(&item.sig);
    visitor.visit_block(&item.block);
    visitor.found
}

struct Visitor<'a> {
    own: Option<&'a Ident>,
    floats: Vec<&'a Ident>,
    found: Mentions,
}

impl Visitor<'_> {
    fn method(&mut self, name: &Ident) {
        self.found.methods.insert(name.to_string());
    }

    fn declared(&mut self, path: &Path) {
        if is_declared(path, &self.floats) {
            add(&mut self.found.types, path);
        }
    }
}

fn add(found: &mut Vec<Path>, path: &Path) {
    let path = path::without_arguments(path);
    if !found.contains(&path) {
        found.push(path);
    }
}

impl<'a> Visit<'a> for Visitor<'_> {
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        for value in assert::values(mac) {
            Visit::visit_expr(self, &value);
        }
    }

    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if let Some(closure) = closure::of_from_fn(call) {
            // The function is that of the standard library, and of what it states only the first is a type.
            closure::stated_item(call).into_iter().for_each(|item| self.visit_type(item));
            return self.visit_expr_closure(closure);
        }
        if let syn::Expr::Path(func) = path::ungrouped(&call.func)
            && func.qself.is_none()
            && self.own.is_none_or(|own| !func.path.is_ident(own))
        {
            match path::call_target(&func.path, &self.floats) {
                CallTarget::Device => {
                    add(&mut self.found.callees, &func.path);
                    // It states no types but floats.
                    return call.args.iter().for_each(|arg| self.visit_expr(arg));
                }
                // The kind of set is no type of values.
                CallTarget::OfTests(_) => return call.args.iter().for_each(|arg| self.visit_expr(arg)),
                CallTarget::Associated(owner, name) => {
                    self.declared(&owner);
                    self.method(name);
                }
                _ => {}
            }
        }
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        self.method(&call.method);
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_type_path(&mut self, ty: &'a TypePath) {
        if ty.qself.is_none() {
            self.declared(&ty.path);
            // The kind of set is no type of values.
            if index_of(&ty.path) {
                return;
            }
            if let Some(value) = value_of_table(&ty.path) {
                return self.visit_type(value);
            }
        }
        syn::visit::visit_type_path(self, ty);
    }

    fn visit_expr_path(&mut self, e: &'a ExprPath) {
        if let Some((owner, _)) = path::variant(e) {
            self.declared(&owner);
        }
        syn::visit::visit_expr_path(self, e);
    }

    fn visit_expr_struct(&mut self, literal: &'a ExprStruct) {
        self.declared(&literal.path);
        syn::visit::visit_expr_struct(self, literal);
    }

    fn visit_pat_struct(&mut self, pat: &'a PatStruct) {
        self.declared(&pat.path);
        syn::visit::visit_pat_struct(self, pat);
    }
}
