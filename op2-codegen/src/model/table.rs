//! The table of inference variables: unification.

use crate::ir::{Len, Scalar, Ty};

/// The types that an unbound variable may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any type.
    Any,
    /// An integer literal: any integer type, `i32` if nothing decides.
    Int,
    /// A float literal: `f32` or `f64`, `f64` if nothing decides.
    Float,
    /// The type parameter of a called function: any float type, also the caller's parameter.
    FloatParam,
}

/// Two types that are not the same.
#[derive(Debug)]
pub(super) struct Mismatch;

#[derive(Debug, Clone)]
enum Var {
    Free(Kind),
    Bound(Ty),
}

/// All variables of one function.
#[derive(Debug, Default)]
pub(super) struct Table {
    vars: Vec<Var>,
    lens: Vec<Option<Len>>,
}

impl Table {
    pub(super) fn fresh(&mut self, kind: Kind) -> Ty {
        self.vars.push(Var::Free(kind));
        Ty::Infer(self.vars.len() - 1)
    }

    pub(super) fn fresh_len(&mut self) -> Len {
        self.lens.push(None);
        Len::Infer(self.lens.len() - 1)
    }

    /// Gives each hole of a type a variable of its own.
    pub(super) fn open(&mut self, ty: &Ty) -> Ty {
        match ty {
            Ty::Infer(usize::MAX) => self.fresh(Kind::Any),
            Ty::Unit | Ty::Never | Ty::Scalar(_) | Ty::Infer(_) => ty.clone(),
            Ty::Array(t, n) => Ty::Array(Box::new(self.open(t)), n.clone()),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|t| self.open(t)).collect()),
            Ty::Record(r, fields) => Ty::Record(r.clone(), fields.iter().map(|t| self.open(t)).collect()),
            Ty::Ref(m, t) => Ty::Ref(*m, Box::new(self.open(t))),
            Ty::Option(t) => Ty::Option(Box::new(self.open(t))),
            Ty::Table(t) => Ty::Table(Box::new(self.open(t))),
            Ty::ArgBest(best, v, p) => Ty::ArgBest(*best, Box::new(self.open(v)), Box::new(self.open(p))),
        }
    }

    /// The type with bound variables at its root followed.
    pub(super) fn shallow(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Infer(v) => match self.vars.get(*v) {
                Some(Var::Bound(t)) => self.shallow(t),
                _ => ty.clone(),
            },
            _ => ty.clone(),
        }
    }

    /// The type with all bound variables followed.
    pub(super) fn deep(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Array(t, n) => Ty::Array(Box::new(self.deep(&t)), self.len(&n)),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|t| self.deep(t)).collect()),
            Ty::Record(r, fields) => Ty::Record(r, fields.iter().map(|t| self.deep(t)).collect()),
            Ty::Ref(m, t) => Ty::Ref(m, Box::new(self.deep(&t))),
            Ty::Option(t) => Ty::Option(Box::new(self.deep(&t))),
            Ty::Table(t) => Ty::Table(Box::new(self.deep(&t))),
            Ty::ArgBest(best, v, p) => Ty::ArgBest(best, Box::new(self.deep(&v)), Box::new(self.deep(&p))),
            t => t,
        }
    }

    /// The types that an unbound variable may become; `None` for a type that is known at its root.
    pub(super) fn kind(&self, ty: &Ty) -> Option<Kind> {
        match self.shallow(ty) {
            Ty::Infer(v) => match self.vars.get(v) {
                Some(Var::Free(kind)) => Some(*kind),
                _ => Some(Kind::Any),
            },
            _ => None,
        }
    }

    /// The kinds of all unbound variables inside a type.
    pub(super) fn open_kinds(&self, ty: &Ty) -> Vec<Kind> {
        match self.shallow(ty) {
            t @ Ty::Infer(_) => self.kind(&t).into_iter().collect(),
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => self.open_kinds(&t),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().flat_map(|t| self.open_kinds(t)).collect(),
            Ty::ArgBest(_, v, p) => [self.open_kinds(&v), self.open_kinds(&p)].concat(),
            Ty::Unit | Ty::Never | Ty::Scalar(_) => Vec::new(),
        }
    }

    /// Literals that nothing decided become `i32` and `f64`, as in Rust. Unknown types were reported; they become `f64`
    /// so that no variable remains.
    pub(super) fn default_literals(&mut self) {
        for var in &mut self.vars {
            if let Var::Free(kind) = var {
                let int = *kind == Kind::Int;
                *var = Var::Bound(Ty::Scalar(if int { Scalar::I32 } else { Scalar::F64 }));
            }
        }
    }

    /// Makes two types the same.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty) -> Result<(), Mismatch> {
        match (self.shallow(a), self.shallow(b)) {
            (Ty::Infer(v), Ty::Infer(w)) if v == w => Ok(()),
            (Ty::Infer(v), t) | (t, Ty::Infer(v)) => self.bind(v, &t),
            (Ty::Array(s, n), Ty::Array(t, m)) => {
                self.unify_len(&n, &m)?;
                self.unify(&s, &t)
            }
            (Ty::Tuple(s), Ty::Tuple(t)) if s.len() == t.len() => {
                s.iter().zip(&t).try_for_each(|(s, t)| self.unify(s, t))
            }
            (Ty::Record(a, s), Ty::Record(b, t)) if a == b => s.iter().zip(&t).try_for_each(|(s, t)| self.unify(s, t)),
            (Ty::Ref(m, s), Ty::Ref(n, t)) if m == n => self.unify(&s, &t),
            (Ty::Table(s), Ty::Table(t)) => self.unify(&s, &t),
            (s, t) if s == t => Ok(()),
            _ => Err(Mismatch),
        }
    }

    fn bind(&mut self, var: usize, ty: &Ty) -> Result<(), Mismatch> {
        let kind = self.kind(&Ty::Infer(var)).unwrap_or(Kind::Any);
        if let Some(other) = self.kind(ty) {
            let Ty::Infer(w) = *ty else { return Err(Mismatch) };
            let kind = meet(kind, other)?;
            self.set(w, Var::Free(kind));
        } else if self.occurs(var, ty) || !allows(kind, ty) {
            return Err(Mismatch);
        }
        self.set(var, Var::Bound(ty.clone()));
        Ok(())
    }

    fn set(&mut self, var: usize, value: Var) {
        if let Some(slot) = self.vars.get_mut(var) {
            *slot = value;
        }
    }

    fn occurs(&self, var: usize, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Infer(v) => v == var,
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => self.occurs(var, &t),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(|t| self.occurs(var, t)),
            _ => false,
        }
    }

    /// The length with all variables followed.
    pub(super) fn len(&self, len: &Len) -> Len {
        match len {
            Len::Infer(v) => match self.lens.get(*v) {
                Some(Some(n)) => self.len(n),
                _ => len.clone(),
            },
            _ => len.clone(),
        }
    }

    /// Makes two lengths the same. Constants have values that the macro cannot see: whether two of
    /// them, or one and a literal, are equal is for the compiler, which sees the same function.
    pub(super) fn unify_len(&mut self, a: &Len, b: &Len) -> Result<(), Mismatch> {
        match (self.len(a), self.len(b)) {
            (Len::Lit(n), Len::Lit(m)) if n != m => Err(Mismatch),
            // A length that is known at run time alone is equal to that of other rows.
            (Len::Row, Len::Row) => Ok(()),
            (Len::Row, _) | (_, Len::Row) => Err(Mismatch),
            // A const parameter is equal to nothing else.
            (Len::Param(n), Len::Param(m)) if n == m => Ok(()),
            (Len::Param(_), Len::Lit(_) | Len::Const(_) | Len::Param(_)) => Err(Mismatch),
            (Len::Lit(_) | Len::Const(_), Len::Param(_)) => Err(Mismatch),
            (Len::Infer(v), Len::Infer(w)) if v == w => Ok(()),
            (Len::Infer(v), n) | (n, Len::Infer(v)) => {
                if let Some(slot) = self.lens.get_mut(v) {
                    *slot = Some(n);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The kinds that two unified variables may become.
fn meet(a: Kind, b: Kind) -> Result<Kind, Mismatch> {
    match (a, b) {
        (Kind::Any, k) | (k, Kind::Any) => Ok(k),
        (Kind::FloatParam, Kind::Float) | (Kind::Float, Kind::FloatParam) => Ok(Kind::Float),
        (a, b) if a == b => Ok(a),
        _ => Err(Mismatch),
    }
}

fn allows(kind: Kind, ty: &Ty) -> bool {
    match (kind, ty) {
        (Kind::Any, _) => true,
        (Kind::Int, Ty::Scalar(s)) => s.is_int(),
        (Kind::Float, Ty::Scalar(s)) => matches!(s, Scalar::F32 | Scalar::F64),
        (Kind::FloatParam, Ty::Scalar(s)) => s.is_float(),
        _ => false,
    }
}
