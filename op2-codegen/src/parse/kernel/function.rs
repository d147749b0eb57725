//! A whole function: its attributes, its signature, its body.

use syn::{GenericParam, Generics, ItemFn};

use super::names::Names;
use super::scope::FnParser;
use super::{attributes, signature};
use crate::ir::Func;

impl FnParser<'_> {
    /// The whole function.
    pub(super) fn func(self, item: &ItemFn) -> Func {
        self.func_and_names(item).0
    }

    /// The whole function, and its names for the compiler to confirm.
    pub(super) fn func_and_names(mut self, item: &ItemFn) -> (Func, Names) {
        attributes::check(item, self.errors);
        let (params, ret) = self.signature(&item.sig);
        let body = self.block(&item.block);
        let func = Func {
            name: item.sig.ident.clone(),
            method_of: None,
            floats: self.floats.into_iter().cloned().collect(),
            lens: self.lens,
            consts_among: consts_among(&item.sig.generics),
            params,
            ret,
            lends: signature::lends(&item.sig),
            locals: self.locals,
            consts: self.consts,
            body,
            source: Vec::new(),
            lent: Vec::new(),
        };
        (func, self.names)
    }
}

fn consts_among(generics: &Generics) -> Vec<bool> {
    let own = generics.params.iter().filter(|param| !matches!(param, GenericParam::Lifetime(_)));
    own.map(|param| matches!(param, GenericParam::Const(_))).collect()
}
