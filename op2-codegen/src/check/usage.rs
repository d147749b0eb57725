//! How a kernel uses each of its parameters, exactly enough to decide which accesses a loop may declare.
//!
//! The method is abstract interpretation of the kernel IR. A state (`state`) holds, per
//! parameter, the components that are certainly written, and for every local the integers,
//! references and aggregates of them that are known. `walk` evaluates expressions over it,
//! `places` records what happens to parameters, through references and through device functions, whose
//! bodies are walked at each call with the arguments of that call. `control` joins states at
//! branches; it unrolls loops of known length, and walks others until their state repeats.
//!
//! The result errs on one side only: a component counts as written when it is written on every
//! path, and an access counts as made when it is made on any path that may be taken.

mod access;
mod arith;
mod combine;
mod control;
mod defined;
mod places;
mod state;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod value;
mod walk;
mod walker;

use proc_macro2::Span;

use crate::ir::{Combine, Unit};

pub use access::{Refusal, fitting, permits, permits_global};

/// How the kernel uses one parameter. Every site is the first of its kind in the order in which the kernel runs.
#[derive(Debug, Clone, Default)]
pub struct ParamUse {
    /// The value is read, other than by the operator that adds to it or combines with it.
    pub reads: Option<Site>,
    /// A component is read that is not certainly written before.
    pub reads_undefined: Option<Site>,
    /// It is assigned, or changed by an operator that does not combine.
    pub assigns: Option<Site>,
    /// Something is combined with it.
    pub contributes: Contributions,
    /// It is a row of any length, of which values that nobody writes stay as they are.
    pub is_row: bool,
    /// The kernel ends on some path without having written a component. Of rows of any length it always may.
    pub undefined: Option<Undefined>,
    /// `ArgMin` or `ArgMax` is updated.
    pub updates: Option<Site>,
}

/// The first contribution of each kind.
#[derive(Debug, Clone, Default)]
pub struct Contributions([Option<Site>; Combine::ALL.len()]);

impl Contributions {
    /// The first one that is combined in this way.
    pub fn by(&self, how: Combine) -> Option<&Site> {
        self.0[how as usize].as_ref()
    }

    /// Notes one that is combined in this way.
    fn note(&mut self, how: Combine, site: Site) {
        self.0[how as usize].get_or_insert(site);
    }
}

/// Where something happens to a parameter.
#[derive(Debug, Clone)]
pub struct Site {
    /// The expression or, inside a device function, the kernel's call that leads there.
    pub span: Span,
    /// The statement or expression in one short line.
    pub text: String,
    /// The device function in which it stands, if it does not stand in the kernel itself.
    pub within: Option<String>,
    /// The same statement in the form that combines: `x += e` for `x = x + e`.
    pub rewrite: Option<String>,
}

/// A component that the kernel does not write on some path.
#[derive(Debug, Clone)]
pub struct Undefined {
    /// The component as an index, such as `[2]`; empty when the kernel writes nothing at all.
    pub component: String,
    /// A constant by which the kernel indexes other components: its value is not known here, and
    /// may be the reason.
    pub constant: Option<String>,
    /// The `return` at the end of that path, or the parameter when it is the end of the body.
    pub site: Site,
}

/// An index that is known and too great for its array.
#[derive(Debug, Clone)]
pub struct OutOfBounds {
    /// The index or, inside a device function, the kernel's call that leads there.
    pub span: Span,
    /// Its value.
    pub index: i128,
    /// The array as the user wrote it.
    pub array: String,
    /// The type of the array.
    pub ty: String,
    /// The length of the array.
    pub len: u64,
    /// The device function in which it stands, if it does not stand in the kernel itself.
    pub within: Option<String>,
}

/// The results of one walk through a kernel.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Per parameter of `funcs[0]`.
    pub params: Vec<ParamUse>,
    /// In the order in which the kernel runs.
    pub out_of_bounds: Vec<OutOfBounds>,
}

/// Walks through a kernel with all device functions that it calls.
pub fn analyse(unit: &Unit) -> Analysis {
    walk::walk(unit)
}

/// How the kernel uses each of its parameters.
pub fn usage(unit: &Unit) -> Vec<ParamUse> {
    analyse(unit).params
}

impl ParamUse {
    /// The first change of any kind.
    pub fn modifies(&self) -> Option<&Site> {
        let contribution = || Combine::ALL.iter().find_map(|how| self.contributes.by(*how));
        self.assigns.as_ref().or_else(contribution).or(self.updates.as_ref())
    }
}
