//! From a function's tokens to resolved IR: the accepted subset of Rust, names, shadowing.
//!
//! The result has [`Ty::HOLE`](crate::ir::Ty::HOLE) wherever the text states no type, places as written, without
//! the dereferences that Rust inserts, and [`Sugar`](crate::ir::Sugar) for forms whose meaning depends on types; `model`
//! sees to all of them. The table of the language is in the crate's docs (`src/kernel-language.md` of the package `op2`).

mod assert;
mod attributes;
mod call;
mod closure;
mod control;
mod declaration;
mod declared;
mod each;
mod expr;
mod function;
mod mentions;
mod method;
mod names;
mod nearest;
mod option;
mod path;
mod pattern;
mod refuse;
mod scope;
mod signature;
mod stmt;
mod types;

use syn::ItemFn;

use crate::error::Errors;
use crate::ir::{Func, FuncId, Unit, print};
use crate::payload::Payload;

pub use declaration::{fields, is_variant, number_of, numbers, signature};
pub(crate) use declared::unknown_field;
pub use mentions::{Mentions, mentions};
pub use method::is_reserved;
pub use names::Names;
pub(crate) use nearest::nearest;
pub use path::without_arguments;
use scope::{Callees, FnParser};
pub(crate) use types::is_declared;

/// The kinds of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FnKind {
    /// The body of loops: its parameters are the loop's arguments.
    Kernel,
    /// A function that kernels and other device functions call.
    DeviceFn,
    /// A function of a record, which may have a parameter `self`.
    Method,
    /// The declaration of a type, whose parts are parsed as parameters.
    Declaration,
}

impl FnKind {
    /// The kind of a called function.
    pub fn of_callee(payload: &Payload) -> Self {
        if payload.method_of.is_some() { FnKind::Method } else { FnKind::DeviceFn }
    }
}

/// Parses a function and all device functions that it reaches; `funcs[0]` is the function itself.
///
/// # Errors
/// All constructs outside the kernel language, each on its narrowest span.
pub fn parse(payload: &Payload, kind: FnKind) -> syn::Result<Unit> {
    let mut errors = Errors::new();
    let mut collector = Collector::default();
    collector.add(payload, kind, &[], &mut errors);
    let funcs = collector.entries.into_iter().filter_map(|entry| entry.func).collect();
    errors.finish(Unit { funcs })
}

/// Parses one function alone, without resolving its calls of device functions: the checks that are possible at its
/// definition, before its callees are known.
///
/// # Errors
/// As [`parse`].
pub fn check(item: &ItemFn, kind: FnKind) -> syn::Result<()> {
    let mut errors = Errors::new();
    let mentioned = mentions(item, kind);
    let called = mentioned.callees.iter().enumerate();
    let functions = called.map(|(i, path)| (print::tokens(path), FuncId(i + 1))).collect();
    let callees = Callees { functions, methods: Vec::new() };
    let parser = FnParser::new(item, kind, &callees, &mut errors);
    // Without types and callees there are no records, whose methods may have any name.
    let parser = if mentioned.all().is_empty() { parser.knowing(&[]) } else { parser };
    parser.func(item);
    errors.finish(())
}

/// The names of a function without faults, for the compiler to confirm.
pub fn names(payload: &Payload, kind: FnKind) -> Names {
    let mut errors = Errors::new();
    let mut callees = Callees::default();
    (1..).zip(&payload.callees).for_each(|(n, (path, callee))| callees.add(path, callee, FuncId(n)));
    let parser = FnParser::new(&payload.item, kind, &callees, &mut errors).knowing(&payload.types);
    let (_, names) = parser.func_and_names(&payload.item);
    // They were reported by `check`.
    let _ = errors.finish(());
    names
}

/// The functions of a unit while they are parsed.
#[derive(Default)]
struct Collector<'a> {
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    payload: &'a Payload,
    func: Option<Func>,
    /// Whether neither the function nor a callee mentions a constant: then functions of equal text are the same,
    /// wherever they are defined.
    closed: bool,
}

impl<'a> Collector<'a> {
    /// `way` is the path to the payload inside that of the first function.
    fn add(&mut self, payload: &'a Payload, kind: FnKind, way: &[usize], errors: &mut Errors) -> FuncId {
        if let Some(id) = self.entries.iter().position(|e| e.closed && same(e.payload, payload)) {
            return FuncId(id);
        }
        let id = self.entries.len();
        self.entries.push(Entry { payload, func: None, closed: false });
        let (mut callees, mut ids) = (Callees::default(), Vec::new());
        for (n, (path, callee)) in payload.callees.iter().enumerate() {
            let id = self.add(callee, FnKind::of_callee(callee), &[way, &[n]].concat(), errors);
            callees.add(path, callee, id);
            ids.push(id);
        }
        let mut func = FnParser::new(&payload.item, kind, &callees, errors).knowing(&payload.types).func(&payload.item);
        (func.source, func.method_of) = (way.to_vec(), payload.method_of);
        self.entries[id].closed = func.consts.is_empty() && ids.iter().all(|callee| self.entries[callee.0].closed);
        self.entries[id].func = Some(func);
        FuncId(id)
    }
}

fn same(a: &Payload, b: &Payload) -> bool {
    a.item == b.item
        && a.method_of == b.method_of
        && a.callees.len() == b.callees.len()
        && a.callees.iter().zip(&b.callees).all(|((p, a), (q, b))| p == q && same(a, b))
        && a.types.len() == b.types.len()
        && a.types.iter().zip(&b.types).all(|((p, a), (q, b))| p == q && a.site == b.site)
}
