//! Types of the kernel language as types of C++.

use crate::ir::{Best, Func, FuncId, Len, Scalar, Ty, Unit};

use super::names::Names;

/// Writes types as one function names them.
#[derive(Clone, Copy)]
pub(super) struct Types<'a> {
    func: &'a Func,
    id: FuncId,
    names: &'a Names,
}

impl<'a> Types<'a> {
    pub(super) fn new(unit: &'a Unit, id: FuncId, names: &'a Names) -> Self {
        Types { func: &unit.funcs[id.0], id, names }
    }

    /// The type of values as they are stored: references are pointers.
    pub(super) fn of(&self, ty: &Ty) -> String {
        match ty {
            Ty::Unit | Ty::Never | Ty::Infer(_) => "Unit".to_string(),
            Ty::Scalar(s) => self.scalar(*s),
            Ty::Array(t, Len::Row) => format!("Row<{}>", self.of(t)),
            Ty::Array(t, n) => format!("Arr<{}, {}>", self.of(t), self.len(n)),
            Ty::Tuple(parts) | Ty::Record(_, parts) => format!("Tup<{}>", self.list(parts)),
            Ty::Ref(mutable, t) => self.behind(*mutable, t, "*"),
            Ty::Option(t) => match &**t {
                Ty::Ref(..) => self.of(t),
                all => self.behind(false, all, "*"),
            },
            Ty::Table(t) => format!("Table<{}>", self.of(t)),
            Ty::ArgBest(Best::Min, v, p) => format!("ArgMin<{}, {}>", self.of(v), self.of(p)),
            Ty::ArgBest(Best::Max, v, p) => format!("ArgMax<{}, {}>", self.of(v), self.of(p)),
        }
    }

    /// A parameter's type: references are C++ references, optional arguments pointers that may be null.
    pub(super) fn param(&self, ty: &Ty) -> String {
        match ty {
            Ty::Ref(mutable, t) => self.behind(*mutable, t, "&"),
            ty => self.of(ty),
        }
    }

    /// A function's result.
    pub(super) fn result(&self, ty: &Ty) -> String {
        match ty {
            Ty::Unit => "void".to_string(),
            ty => self.of(ty),
        }
    }

    /// The text of a value where the context determines the type: of an array only the braces.
    pub(super) fn untold<'t>(&self, ty: &Ty, text: &'t str) -> &'t str {
        let rest = text.strip_prefix(self.of(ty).as_str()).filter(|rest| rest.starts_with("{{"));
        rest.filter(|_| !unknown_len(ty)).unwrap_or(text)
    }

    /// Types, separated by commas.
    pub(super) fn list(&self, parts: &[Ty]) -> String {
        parts.iter().map(|t| self.of(t)).collect::<Vec<_>>().join(", ")
    }

    /// Pointer or reference to a type: `const double*`, `const double* const&`.
    pub(super) fn behind(&self, mutable: bool, target: &Ty, mark: &str) -> String {
        let text = self.of(target);
        match (mutable, text.ends_with('*')) {
            (true, _) => format!("{text}{mark}"),
            (false, true) => format!("{text} const{mark}"),
            (false, false) => format!("const {text}{mark}"),
        }
    }

    /// The type of a variable that keeps its first value.
    pub(super) fn constant(&self, ty: &Ty) -> String {
        match ty {
            Ty::Ref(..) => self.of(ty),
            ty if unknown_len(ty) => "const auto".to_string(),
            ty => format!("const {}", self.of(ty)),
        }
    }

    /// The type of a variable that is declared with a value.
    pub(super) fn variable(&self, ty: &Ty) -> String {
        if unknown_len(ty) { "auto".to_string() } else { self.of(ty) }
    }

    pub(super) fn scalar(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::F32 => "float".to_string(),
            Scalar::F64 => "double".to_string(),
            Scalar::Generic(n) => {
                self.names.floats.get(usize::from(n)).cloned().unwrap_or_else(|| "double".to_string())
            }
            scalar => scalar.name().to_string(),
        }
    }

    pub(super) fn len(&self, len: &Len) -> String {
        match len {
            Len::Lit(n) => n.to_string(),
            Len::Const(id) => self.names.consts[self.id.0][id.0].clone(),
            Len::Param(n) => self.names.lens[*n].clone(),
            Len::Infer(var) => self.inferred(*var),
            Len::Row => "0".to_string(),
        }
    }

    /// The length of an array in the type of a constant, where no text states it.
    fn inferred(&self, var: usize) -> String {
        let known = self.func.consts.iter().enumerate().find_map(|(id, c)| Some((id, level(&c.ty, var)?)));
        match known {
            Some((id, level)) => format!("op2::length<decltype({}), {level}>", self.names.consts[self.id.0][id]),
            None => "0".to_string(),
        }
    }
}

/// The number of arrays around the one of that length.
fn level(ty: &Ty, var: usize) -> Option<usize> {
    match ty {
        Ty::Array(_, Len::Infer(v)) if *v == var => Some(0),
        Ty::Array(t, _) => level(t, var).map(|depth| depth + 1),
        _ => None,
    }
}

/// Whether a type contains a length that no text states.
fn unknown_len(ty: &Ty) -> bool {
    match ty {
        Ty::Array(t, n) => matches!(n, Len::Infer(_)) || unknown_len(t),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(unknown_len),
        Ty::Ref(_, t) => unknown_len(t),
        _ => false,
    }
}
