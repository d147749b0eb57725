//! The walk through functions, statements and expressions: what is known of their values.

use std::collections::{BTreeSet, HashMap};

use proc_macro2::Span;

use super::defined::{Defined, Size};
use super::places::{Change, Target};
use super::state::State;
use super::value::{Key, Val};
use super::walker::{Call, Walker};
use super::{Analysis, ParamUse, Site, Undefined, arith};
use crate::ir::{Block, ConstId, Expr, ExprKind, Func, FuncId, Len, Pat, Stmt, Ty, Unit};

/// The most loop iterations walked one by one over the whole kernel, few enough not to slow down compilation.
const ITERATIONS: usize = 10_000;

/// Arrays of equal elements are kept element by element up to this length.
const ELEMENTS: u64 = 64;

/// Walks through `unit` from its first function.
pub(super) fn walk(unit: &Unit) -> Analysis {
    let Some(kernel) = unit.funcs.first() else {
        return Analysis { params: Vec::new(), out_of_bounds: Vec::new() };
    };
    let params = kernel.params.iter().map(|p| ParamUse { is_row: p.ty.is_row(), ..ParamUse::default() }).collect();
    let mut walker = Walker {
        unit,
        state: None,
        calls: Vec::new(),
        budget: ITERATIONS,
        vars: 0,
        found: Analysis { params, out_of_bounds: Vec::new() },
        reported: BTreeSet::new(),
    };
    walker.kernel(kernel);
    walker.found
}

impl<'a> Walker<'a> {
    fn kernel(&mut self, kernel: &'a Func) {
        self.calls.push(Call::new(FuncId(0), kernel, HashMap::new(), None));
        let defined = kernel.params.iter().map(|p| Defined::new(&p.ty, &|len| self.size(len)));
        let mut state = State::new(defined.collect());
        state.push_frame(kernel.locals.len());
        for (p, param) in kernel.params.iter().enumerate() {
            state.bind(param.local, Val::of_param(p, &param.ty));
        }
        self.state = Some(state);
        self.block(&kernel.body);
        for (p, param) in kernel.params.iter().enumerate() {
            let text = format!("{}: {}", param.name, param.written);
            let site = Site { span: param.name.span(), text, within: None, rewrite: None };
            self.check_written(p, &site);
        }
    }

    /// Notes which components of parameter `p` are unwritten at an end of the kernel.
    pub(super) fn check_written(&mut self, p: usize, site: &Site) {
        let Some(defined) = self.state.as_ref().map(|s| s.defined(p)) else { return };
        if let Some(component) = defined.missing() {
            let constant = defined.constant().and_then(|name| name.split('@').next());
            let constant = constant.map(str::to_owned);
            let found = Undefined { component, constant, site: site.clone() };
            self.found.params[p].undefined.get_or_insert(found);
        }
    }

    /// Evaluates an expression.
    pub(super) fn eval(&mut self, e: &'a Expr) -> Val {
        if self.state.is_none() {
            return Val::Unset;
        }
        match &e.kind {
            ExprKind::Lit(lit) => arith::literal(lit, &e.ty),
            ExprKind::Local(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                let target = self.target(e);
                self.load(target, e)
            }
            ExprKind::Const(id) => match self.constant(*id) {
                Size::Lit(n) => Val::Int(i128::from(n)),
                Size::Const(name) => Val::Const(name),
                Size::Unknown => Val::Unknown,
            },
            ExprKind::Param(n) => match self.param(*n) {
                Size::Const(name) => Val::Const(name),
                Size::Lit(_) | Size::Unknown => Val::Unknown,
            },
            ExprKind::AssocConst(_) => Val::Unknown,
            // The index of an entry is checked; the value itself is not read.
            ExprKind::IsSome(place) | ExprKind::Length(place) => {
                self.target(place);
                Val::Unknown
            }
            // A table is only read.
            ExprKind::Ask(_, table, args) => {
                self.target(table);
                args.iter().for_each(|arg| {
                    self.eval(arg);
                });
                Val::Unknown
            }
            ExprKind::Ref(_, place) => match self.target(place) {
                Target::Places(places) => Val::Ref(places),
                Target::Value(value) => self.keep(place, value),
            },
            ExprKind::Assign(place, value) => self.assign(e, place, value),
            ExprKind::AssignOp(op, place, value) => self.assign_op(e, *op, place, value),
            ExprKind::BestUpdate(best, value, payload) => {
                self.eval(value);
                self.eval(payload);
                let target = self.behind(best);
                self.change(&target, Change::Update, e, None);
                Val::Unknown
            }
            ExprKind::Call(function, args) => self.device_fn(*function, args, e.span),
            _ => self.composed(e),
        }
    }

    /// Expressions that compute from values alone, and control flow.
    fn composed(&mut self, e: &'a Expr) -> Val {
        match &e.kind {
            ExprKind::Unary(op, a) => arith::unary(*op, self.eval(a), &e.ty),
            ExprKind::Binary(op, a, b) if op.is_lazy() => self.lazy(*op, a, b),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(a), self.eval(b));
                arith::binary(*op, &a, &b, &e.ty)
            }
            ExprKind::Cast(a) => arith::cast(self.eval(a), &e.ty),
            ExprKind::Intrinsic(function, args) => {
                let args = self.evals(args);
                arith::intrinsic(*function, &args, &e.ty)
            }
            ExprKind::FloatLit(a) | ExprKind::Assert(a, _) => {
                self.eval(a);
                Val::Unknown
            }
            ExprKind::Array(items) | ExprKind::Tuple(items) => Val::Agg(self.evals(items)),
            ExprKind::Repeat(item) => {
                let value = self.eval(item);
                let Ty::Array(_, len) = &e.ty else { return value };
                match self.size(len) {
                    Size::Lit(n) if n <= ELEMENTS => Val::Agg((0..n).map(|_| value.clone()).collect()),
                    _ => Val::each(value),
                }
            }
            _ => self.control(e),
        }
    }

    pub(super) fn evals(&mut self, exprs: &'a [Expr]) -> Vec<Val> {
        exprs.iter().map(|e| self.eval(e)).collect()
    }

    /// A block: its statements, then its value.
    pub(super) fn block(&mut self, block: &'a Block) -> Val {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, init } => {
                    let value = init.as_ref().map_or(Val::Unset, |e| self.eval(e));
                    self.bind(pat, value);
                }
                Stmt::Expr(e) => {
                    self.eval(e);
                }
            }
        }
        block.tail.as_ref().map_or(Val::Unknown, |e| self.eval(e))
    }

    fn bind(&mut self, pat: &Pat, value: Val) {
        let Some(state) = &mut self.state else { return };
        match pat {
            Pat::Wild => {}
            Pat::Local(local) => state.bind(*local, value),
            Pat::Tuple(parts) => {
                for (i, part) in (0..).zip(parts) {
                    self.bind(part, value.at(&Key::At(i)));
                }
            }
        }
    }

    /// Walks through a device function with the arguments of this call.
    fn device_fn(&mut self, function: FuncId, args: &'a [Expr], span: Span) -> Val {
        let values = self.evals(args);
        let callee = &self.unit.funcs[function.0];
        let mut lens = HashMap::new();
        for (param, arg) in callee.params.iter().zip(args) {
            self.unify(&param.ty, &arg.ty, &mut lens);
        }
        let Some(state) = &mut self.state else { return Val::Unset };
        let certain = state.certain;
        state.push_frame(callee.locals.len());
        for (param, value) in callee.params.iter().zip(values) {
            state.bind(param.local, value);
        }
        let span = self.here().span.unwrap_or(span);
        self.calls.push(Call::new(function, callee, lens, Some(span)));
        let value = self.block(&callee.body);
        self.leave(value);
        if let Some(call) = self.calls.pop() {
            self.state = call.returned;
            if let Some(state) = &mut self.state {
                state.pop_frame();
                state.certain = certain;
                return call.result;
            }
        }
        Val::Unset
    }

    /// Lengths of a callee's parameter that the type of the argument gives.
    fn unify(&self, param: &Ty, arg: &Ty, lens: &mut HashMap<ConstId, Size>) {
        match (param, arg) {
            (Ty::Ref(_, a), Ty::Ref(_, b)) | (Ty::Option(a), Ty::Option(b)) => self.unify(a, b, lens),
            (Ty::Tuple(a), Ty::Tuple(b)) | (Ty::Record(_, a), Ty::Record(_, b)) => {
                a.iter().zip(b).for_each(|(a, b)| self.unify(a, b, lens));
            }
            (Ty::Array(a, n), Ty::Array(b, m)) => {
                self.unify(a, b, lens);
                let size = self.size(m);
                if let Len::Const(id) = n
                    && size != Size::Unknown
                {
                    lens.insert(*id, size);
                }
            }
            _ => {}
        }
    }
}
