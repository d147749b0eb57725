//! Finds the values that differ from lane to lane when a kernel runs for several elements at once.
//!
//! A *lane* is one of these elements. Data of dats differ between lanes; globals, constants and the counters of most
//! loops do not. This stage determines for every local whether it *varies*. A branch or a loop is
//! *masked* if its condition varies: both sides run, for the lanes that took them, and what they assign reaches these lanes alone.
//! Everything else stays as it is: one value for all lanes, one branch taken.
//!
//! A function is analysed once for every combination of varying arguments ([`Instance`]), so that a length or an
//! exponent that is the same for all lanes stays so inside the functions.
//!
//! Masked code is cut into *regions*: each side of a masked branch and the body of a masked loop is one. Lanes that are off in a region
//! never read what was declared in it, so an assignment needs a mask, and makes a local vary, only where it leaves the region in which the
//! local was declared.
//!
//! Some kernels cannot run in lanes; [`vary`] then returns the line that prevents it, and the reason.

mod open;
#[cfg(test)]
mod tests;
mod walk;

pub use open::opened;

use crate::ir::{Expr, ExprKind, FuncId, Intrinsic, LocalId, LoopId, Scalar, Ty, Unit};
use proc_macro2::Span;
use std::collections::BTreeSet;

/// Why a kernel does not run in lanes.
#[derive(Debug, Clone)]
pub struct Obstacle {
    /// Where.
    pub span: Span,
    /// Why, as a sentence without its end.
    pub reason: String,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.span.start().line, self.reason)
    }
}

/// A function, and which of its arguments vary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The function.
    pub func: FuncId,
    /// Whether each parameter varies, as far as the caller knows.
    pub params: Vec<bool>,
    /// Whether it is called for some of the lanes only.
    pub masked: bool,
}

/// A function as lanes run it.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The function and its varying arguments.
    pub key: Key,
    /// Whether each local varies. A parameter may vary although the caller's argument does not.
    pub locals: Vec<bool>,
    /// Whether the result varies.
    pub result: bool,
    /// Whether lanes return at different places.
    pub returns: bool,
    /// The loops that lanes leave in different rounds.
    pub loops: BTreeSet<LoopId>,
}

/// A unit as lanes run it. The first instance is the kernel.
#[derive(Debug, Clone)]
pub struct Varied<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// All instances, in the order in which they were met.
    pub instances: Vec<Instance>,
}

/// Determines which locals vary if those parameters of the kernel vary.
///
/// # Errors
/// The first construct that cannot be run in lanes.
pub fn vary<'a>(unit: &'a Unit, params: &[bool]) -> Result<Varied<'a>, Obstacle> {
    let mut varied = Varied { unit, instances: Vec::new() };
    varied.ask(Key { func: FuncId(0), params: params.to_vec(), masked: false });
    let mut settled = false;
    while !settled {
        settled = true;
        let mut at = 0;
        while at < varied.instances.len() {
            settled &= !walk::walk(&mut varied, at)?;
            at += 1;
        }
    }
    Ok(varied)
}

impl Varied<'_> {
    /// The number of an instance, if there is one.
    pub fn find(&self, key: &Key) -> Option<usize> {
        self.instances.iter().position(|i| i.key == *key)
    }

    /// The number of an instance. In a new one, only the given parameters and the best of arg reductions vary.
    fn ask(&mut self, key: Key) -> usize {
        if let Some(known) = self.find(&key) {
            return known;
        }
        let func = &self.unit.funcs[key.func.0];
        let mut locals = vec![false; func.locals.len()];
        for (param, varies) in func.params.iter().zip(&key.params) {
            // The best of several values is kept lane by lane.
            locals[param.local.0] = *varies || holds_best(&param.ty);
        }
        self.instances.push(Instance { key, locals, result: false, returns: false, loops: BTreeSet::new() });
        self.instances.len() - 1
    }

    /// The instance that a call needs.
    pub fn key(&self, of: &Instance, callee: FuncId, args: &[Expr], masked: bool) -> Key {
        Key { func: callee, params: args.iter().map(|arg| self.varies(of, arg, masked)).collect(), masked }
    }

    /// Whether the value of an expression differs from lane to lane. `masked` says whether some lanes may be off.
    pub fn varies(&self, of: &Instance, e: &Expr, masked: bool) -> bool {
        let any = |list: &[&Expr]| list.iter().any(|e| !self.is_plain(of, e, masked));
        match &e.kind {
            ExprKind::Local(id) => of.locals[id.0],
            ExprKind::Deref(a) | ExprKind::Field(a, _) | ExprKind::Ref(_, a) => self.varies(of, a, masked),
            ExprKind::Index(a, index) => self.varies(of, a, masked) || self.varies(of, index, masked),
            ExprKind::Call(id, args) => {
                let key = self.key(of, *id, args, masked);
                self.find(&key).is_some_and(|n| self.instances[n].result)
            }
            ExprKind::If(cond, ..) if self.varies(of, cond, masked) => has_value(&e.ty),
            ExprKind::If(_, then, other) | ExprKind::IfSome(_, _, then, other) => {
                let tails = std::iter::once(then).chain(other).filter_map(|b| b.tail.as_ref());
                tails.into_iter().any(|tail| self.varies(of, tail, masked))
            }
            ExprKind::Block(block) => block.tail.as_ref().is_some_and(|tail| self.varies(of, tail, masked)),
            ExprKind::Assign(..) | ExprKind::AssignOp(..) | ExprKind::BestUpdate(..) | ExprKind::Loop(_) => false,
            ExprKind::Assert(..) => false,
            ExprKind::Break(_) | ExprKind::Continue(_) | ExprKind::Return(_) | ExprKind::IsSome(_) => false,
            _ => any(&e.parts().0),
        }
    }

    /// Whether nothing in an expression varies or depends on masks, so that it is written as for one element.
    pub fn is_plain(&self, of: &Instance, e: &Expr, masked: bool) -> bool {
        let mut plain = true;
        e.walk(&mut |part| {
            plain &= match &part.kind {
                ExprKind::Local(id) => !of.locals[id.0],
                ExprKind::Loop(l) => !of.loops.contains(&l.id),
                ExprKind::Break(id) | ExprKind::Continue(id) => !of.loops.contains(id),
                ExprKind::Return(_) => !of.returns && !of.result,
                ExprKind::BestUpdate(..) => false,
                ExprKind::Call(id, args) => {
                    let key = self.key(of, *id, args, masked);
                    self.find(&key).is_some_and(|n| self.instances[n].is_plain())
                }
                _ => true,
            };
        });
        plain
    }

    /// The float type that decides how many lanes there are: the widest that a kernel computes with, in any of these ways to run it.
    pub fn widest(all: &[Self]) -> Scalar {
        let mut found = BTreeSet::new();
        for (varied, instance) in all.iter().flat_map(|varied| varied.instances.iter().map(move |i| (varied, i))) {
            let locals = &varied.unit.funcs[instance.key.func.0].locals;
            let varying = locals.iter().zip(&instance.locals).filter(|(_, varies)| **varies);
            varying.for_each(|(local, _)| scalars(&local.ty, &mut found));
        }
        let has = |s: Scalar| found.contains(s.name());
        let wide = [Scalar::F64, Scalar::I64, Scalar::U64, Scalar::Usize].into_iter().any(has);
        match (has(Scalar::F64), has(Scalar::Generic(0)), has(Scalar::F32)) {
            (true, ..) => Scalar::F64,
            (_, true, _) => Scalar::Generic(0),
            (_, _, true) => Scalar::F32,
            _ if wide => Scalar::F64,
            _ => Scalar::F32,
        }
    }
}

impl Instance {
    /// Whether nothing varies, so that the function for one element serves all lanes.
    pub fn is_plain(&self) -> bool {
        !self.result && !self.returns && self.loops.is_empty() && !self.locals.contains(&true)
    }

    /// Whether a parameter varies.
    pub fn takes_lanes(&self, unit: &Unit, param: usize) -> bool {
        let LocalId(local) = unit.funcs[self.key.func.0].params[param].local;
        self.locals[local]
    }
}

/// Whether a type is one of values at all.
pub fn has_value(ty: &Ty) -> bool {
    !matches!(ty, Ty::Unit | Ty::Never)
}

/// Whether an operation, aside from its operands, may panic or run forever. It must not run for lanes that are off.
pub fn may_fail(e: &Expr) -> bool {
    let safe = |e: &Expr| matches!(&e.ty, Ty::Scalar(s) if s.is_float() || *s == Scalar::Bool);
    match &e.kind {
        ExprKind::Binary(op, a, _) | ExprKind::AssignOp(op, a, _) => !safe(a) && !op.is_comparison() && !op.is_lazy(),
        ExprKind::Unary(_, a) => !safe(a),
        // The bounds of `clamp` may be in the wrong order.
        ExprKind::Intrinsic(function, args) => *function == Intrinsic::Clamp || !args.first().is_some_and(safe),
        // The compiler checks literal indices in the user's text, but a constant may be a slice.
        // Rows of any length are checked when they are there.
        ExprKind::Index(array, index) => {
            !matches!(index.kind, ExprKind::Lit(_)) || is_constant(array) || array.ty.is_row()
        }
        // The index of a lane that is off may lead to no element.
        ExprKind::Ask(..) => true,
        ExprKind::Call(..) | ExprKind::Loop(_) | ExprKind::BestUpdate(..) | ExprKind::Assert(..) => true,
        _ => false,
    }
}

fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(array, _) => is_constant(array),
        kind => matches!(kind, ExprKind::Const(_)),
    }
}

fn holds_best(ty: &Ty) -> bool {
    match ty {
        Ty::ArgBest(..) => true,
        Ty::Ref(_, inner) | Ty::Option(inner) => holds_best(inner),
        _ => false,
    }
}

fn scalars(ty: &Ty, found: &mut BTreeSet<&'static str>) {
    match ty {
        Ty::Scalar(s) => {
            found.insert(s.name());
        }
        Ty::Array(item, _) | Ty::Ref(_, item) | Ty::Option(item) | Ty::Table(item) => scalars(item, found),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().for_each(|part| scalars(part, found)),
        Ty::ArgBest(_, value, payload) => {
            scalars(value, found);
            scalars(payload, found);
        }
        Ty::Unit | Ty::Never | Ty::Infer(_) => {}
    }
}
