//! The state of emitting one function: lines, names, and the storage of locals.

use std::collections::HashSet;

use crate::ir::{Expr, ExprKind, Func, FuncId, LocalId, LoopId, Ty, Unit};

use super::names::{Names, escaped, unique};
use super::types::Types;
use super::value::Value;
use super::writer::Line;

/// The storage of a local in C++.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// A variable of its type; of an optional argument the pointer.
    Value,
    /// A reference that is bound once.
    Reference,
    /// A reference that is assigned, or whose own address is taken.
    Pointer,
}

/// A local in C++.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) name: String,
    pub(super) storage: Storage,
}

/// A loop around the code that is being emitted.
#[derive(Debug)]
pub(super) struct Around {
    pub(super) id: LoopId,
    /// An inner loop continues or leaves it: C++ needs a label.
    pub(super) next: bool,
    pub(super) end: bool,
}

/// Emits one function.
pub(super) struct Body<'a> {
    pub(super) unit: &'a Unit,
    pub(super) func: &'a Func,
    pub(super) names: &'a Names,
    pub(super) types: Types<'a>,
    pub(super) id: FuncId,
    pub(super) lines: Vec<Line>,
    /// Variables to which references to constant values lead. They are declared for the whole function, since Rust lets such
    /// references leave their block.
    pub(super) held: Vec<Line>,
    pub(super) depth: usize,
    pub(super) loops: Vec<Around>,
    slots: Vec<Slot>,
    scopes: Vec<Vec<String>>,
    addressed: HashSet<LocalId>,
}

impl<'a> Body<'a> {
    pub(super) fn new(unit: &'a Unit, id: FuncId, names: &'a Names) -> Self {
        let func = &unit.funcs[id.0];
        let slot = Slot { name: String::new(), storage: Storage::Value };
        Body {
            unit,
            func,
            names,
            types: Types::new(unit, id, names),
            id,
            lines: Vec::new(),
            held: Vec::new(),
            depth: 1,
            loops: Vec::new(),
            slots: vec![slot; func.locals.len()],
            scopes: vec![Vec::new(), Vec::new()],
            addressed: addressed(func),
        }
    }

    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(Line { depth: self.depth, text: text.into() });
    }

    /// The lines that `emit` writes, not yet among those of the body.
    pub(super) fn buffered<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> (Vec<Line>, T) {
        let before = std::mem::take(&mut self.lines);
        let result = emit(self);
        (std::mem::replace(&mut self.lines, before), result)
    }

    /// Runs `emit` one level further in, in a scope of its own.
    pub(super) fn inside<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let result = self.scoped(emit);
        self.depth -= 1;
        result
    }

    /// Runs `emit` in a scope of its own.
    pub(super) fn scoped<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Vec::new());
        let result = emit(self);
        self.scopes.pop();
        result
    }

    /// A name that is free in the current scope.
    pub(super) fn fresh(&mut self, wish: &str) -> String {
        let name = self.free(wish);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.clone());
        }
        name
    }

    fn free(&self, wish: &str) -> String {
        let seen = |name: &str| self.names.is_taken(name) || self.scopes.iter().flatten().any(|n| n == name);
        unique(wish, |name| !seen(name))
    }

    /// A name that is free in the whole function.
    fn fresh_outside(&mut self, wish: &str) -> String {
        let name = self.free(wish);
        self.scopes[0].push(name.clone());
        name
    }

    /// Gives a local its name.
    pub(super) fn name(&mut self, id: LocalId, storage: Storage) -> String {
        let name = self.fresh(&escaped(&self.func.locals[id.0].name.to_string()));
        self.slots[id.0] = Slot { name: name.clone(), storage };
        name
    }

    pub(super) fn slot(&self, id: LocalId) -> &Slot {
        &self.slots[id.0]
    }

    pub(super) fn mutable(&self, id: LocalId) -> bool {
        self.func.locals[id.0].mutable
    }

    /// The storage of a local that gets its value where it is declared.
    pub(super) fn storage(&self, id: LocalId) -> Storage {
        match &self.func.locals[id.0].ty {
            Ty::Ref(..) if self.mutable(id) || self.addressed.contains(&id) => Storage::Pointer,
            Ty::Ref(..) => Storage::Reference,
            _ => Storage::Value,
        }
    }

    /// Declares a local with its value.
    pub(super) fn declare(&mut self, id: LocalId, value: &Value) {
        let ty = &self.func.locals[id.0].ty;
        let (storage, types) = (self.storage(id), self.types);
        let name = self.name(id, storage);
        match storage {
            Storage::Reference => self.line(format!("{} {name} = {};", types.param(ty), value.text)),
            _ => self.variable(&name, ty, &value.stored(ty), self.mutable(id)),
        }
    }

    /// Declares a variable with its value. The type is not repeated if the value states it.
    fn variable(&mut self, name: &str, ty: &Ty, init: &str, mutable: bool) {
        let stated = init.starts_with("op2::tup<") || init.starts_with("op2::repeat<");
        let declared = match (stated, mutable) {
            (true, true) => "auto".to_string(),
            (true, false) => "const auto".to_string(),
            (false, true) => self.types.variable(ty),
            (false, false) => self.types.constant(ty),
        };
        self.line(format!("{declared} {name} = {};", self.types.untold(ty, init)));
    }

    /// Declares a local that gets its value later; its name.
    pub(super) fn declare_late(&mut self, id: LocalId) -> String {
        let ty = &self.func.locals[id.0].ty;
        let storage = if matches!(ty, Ty::Ref(..)) { Storage::Pointer } else { Storage::Value };
        let (name, ty) = (self.name(id, storage), self.types.of(ty));
        self.line(format!("{ty} {name};"));
        name
    }

    /// Stores the current value in a variable.
    pub(super) fn keep(&mut self, value: &Value, ty: &Ty, wish: &str) -> Value {
        if *ty == Ty::Unit {
            return Value::primary("Unit{}");
        }
        let name = self.fresh(wish);
        self.variable(&name, ty, &value.stored(ty), false);
        if matches!(ty, Ty::Ref(..)) { Value::behind(&Value::primary(name)) } else { Value::primary(name) }
    }

    /// Stores a value in a variable, so that a reference can lead to it.
    pub(super) fn hold(&mut self, value: &Value, ty: &Ty) -> Value {
        let (declared, name) = (self.types.of(ty), self.fresh_outside("held"));
        self.held.push(Line { depth: 1, text: format!("{declared} {name};") });
        self.line(format!("{name} = {};", value.stored(ty)));
        Value { stable: false, ..Value::primary(name) }
    }
}

/// Locals that are references and whose own address is taken.
fn addressed(func: &Func) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    func.body.walk(&mut |e: &Expr| {
        if let ExprKind::Ref(_, a) = &e.kind
            && let (ExprKind::Local(id), Ty::Ref(..)) = (&a.kind, &a.ty)
        {
            found.insert(*id);
        }
    });
    found
}
