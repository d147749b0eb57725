//! The state of a walk: its position and its findings.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use proc_macro2::Span;

use super::defined::Size;
use super::state::State;
use super::value::Val;
use super::{Analysis, Site, text};
use crate::ir::{ConstId, Expr, Func, FuncId, Len, LoopId, Unit, print};

/// Iterations of one loop that are walked one by one: enough for the loops over components, faces
/// and quadrature points of real kernels.
pub(super) const ROUNDS: usize = 256;

/// The state of a walk.
pub(super) struct Walker<'a> {
    pub(super) unit: &'a Unit,
    /// The state at the present point; `None` if control does not reach it.
    pub(super) state: Option<State>,
    /// Calls on the stack, the kernel first.
    pub(super) calls: Vec<Call<'a>>,
    /// Loop iterations that may still be walked one by one.
    pub(super) budget: usize,
    /// Loop variables made so far.
    pub(super) vars: usize,
    pub(super) found: Analysis,
    /// Indices that are reported, by the address of their expression.
    pub(super) reported: BTreeSet<usize>,
}

/// A function that is being walked.
pub(super) struct Call<'a> {
    pub(super) id: FuncId,
    pub(super) func: &'a Func,
    /// Loops round the present point.
    pub(super) loops: Vec<Exits>,
    /// The joined state of the `return`s so far.
    pub(super) returned: Option<State>,
    /// The value they returned.
    pub(super) result: Val,
    /// Lengths of parameter types that the caller knows.
    lens: HashMap<ConstId, Size>,
    /// Below the kernel, the call expression in the kernel that leads here.
    pub(super) span: Option<Span>,
}

/// The ways out of a loop's body.
pub(super) struct Exits {
    pub(super) id: LoopId,
    pub(super) breaks: Option<State>,
    pub(super) continues: Option<State>,
}

impl<'a> Walker<'a> {
    pub(super) fn call(&mut self) -> &mut Call<'a> {
        self.calls.last_mut().expect("the kernel is on the stack as long as the walk lasts")
    }

    pub(super) fn here(&self) -> &Call<'a> {
        self.calls.last().expect("the kernel is on the stack as long as the walk lasts")
    }

    /// The site of an expression of the present function.
    pub(super) fn site(&self, e: &Expr) -> Site {
        let call = self.here();
        Site {
            span: call.span.unwrap_or(e.span),
            text: text::short(self.unit, call.func, e),
            within: call.within(),
            rewrite: None,
        }
    }

    /// A length in the present function.
    pub(super) fn size(&self, len: &Len) -> Size {
        match len {
            Len::Lit(n) => u64::try_from(*n).map_or(Size::Unknown, Size::Lit),
            Len::Param(n) => self.param(*n),
            Len::Infer(_) | Len::Row => Size::Unknown,
            Len::Const(id) => self.constant(*id),
        }
    }

    /// A const parameter of the kernel. No path of a constant has a blank.
    pub(super) fn param(&self, n: usize) -> Size {
        Size::Const(Rc::from(format!("{} of the kernel", self.unit.funcs[0].lens[n])))
    }

    /// A constant of the present function: the length that the caller's type gives it, or its
    /// name. In another function's module the same path may name another constant, so the function is part of the name.
    pub(super) fn constant(&self, id: ConstId) -> Size {
        let call = self.here();
        if let Some(size) = call.lens.get(&id) {
            return size.clone();
        }
        let (mut func, mut id) = (call.id, id);
        while let Some(origin) = self.unit.funcs[func.0].consts[id.0].origin {
            (func, id) = origin;
        }
        let path = print::tokens(&self.unit.funcs[func.0].consts[id.0].path);
        Size::Const(Rc::from(format!("{path}@{}", func.0)))
    }
}

impl<'a> Call<'a> {
    pub(super) fn new(id: FuncId, func: &'a Func, lens: HashMap<ConstId, Size>, span: Option<Span>) -> Self {
        Call { id, func, loops: Vec::new(), returned: None, result: Val::Unset, lens, span }
    }

    /// The function's name, if it is not the kernel.
    pub(super) fn within(&self) -> Option<String> {
        self.span.map(|_| self.func.name.to_string())
    }
}
