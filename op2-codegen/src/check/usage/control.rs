//! Control flow: branches, loops, and the ways out of them.

use super::Site;
use super::combine;
use super::defined::Range;
use super::state::{State, join};
use super::value::Val;
use super::walker::{Exits, ROUNDS, Walker};
use crate::ir::{Binary, Block, Expr, ExprKind, LocalId, Loop, LoopId, LoopKind, Unary};

/// A branch of a conditional.
type Branch<'w, 'a> = dyn FnMut(&mut Walker<'a>) -> Val + 'w;

impl<'a> Walker<'a> {
    /// Expressions that steer control.
    pub(super) fn control(&mut self, e: &'a Expr) -> Val {
        match &e.kind {
            ExprKind::Block(block) => self.block(block),
            ExprKind::If(cond, then, other) => self.conditional(e, cond, then, other.as_ref()),
            ExprKind::IfSome(option, binding, then, other) => {
                let target = self.target(option);
                let (value, param) = (self.load(target, option), self.option_param(option));
                self.fork(
                    &mut |w| {
                        if let Some(state) = &mut w.state {
                            state.bind(*binding, value.clone());
                        }
                        w.block(then)
                    },
                    &mut |w| {
                        w.absent(param);
                        other.as_ref().map_or(Val::Unknown, |b| w.block(b))
                    },
                )
            }
            ExprKind::Loop(l) => {
                match &l.kind {
                    LoopKind::For { var, start, end, inclusive, .. } => {
                        self.counted(l, *var, start, end, *inclusive);
                    }
                    LoopKind::While(cond) => self.repeated(l, Some(cond)),
                    LoopKind::Forever => self.repeated(l, None),
                }
                Val::Unknown
            }
            ExprKind::Break(id) => self.jump(*id, |exits| &mut exits.breaks),
            ExprKind::Continue(id) => self.jump(*id, |exits| &mut exits.continues),
            ExprKind::Return(value) => {
                let value = value.as_ref().map_or(Val::Unknown, |v| self.eval(v));
                if self.calls.len() == 1 {
                    let site = self.site(e);
                    self.check_all_written(&site);
                }
                self.leave(value);
                Val::Unset
            }
            // Every other kind is evaluated before control comes here.
            _ => Val::Unknown,
        }
    }

    fn check_all_written(&mut self, site: &Site) {
        for p in 0..self.here().func.params.len() {
            self.check_written(p, site);
        }
    }

    /// Ends the present function with `value`.
    pub(super) fn leave(&mut self, value: Val) {
        let Some(state) = self.state.take() else { return };
        let call = self.call();
        call.returned = join(call.returned.take(), Some(state));
        call.result = std::mem::replace(&mut call.result, Val::Unset).join(value);
    }

    fn jump(&mut self, id: LoopId, exit: fn(&mut Exits) -> &mut Option<State>) -> Val {
        let state = self.state.take();
        if let Some(exits) = self.call().loops.iter_mut().rev().find(|l| l.id == id) {
            let slot = exit(exits);
            *slot = join(slot.take(), state);
        }
        Val::Unset
    }

    /// The kernel's parameter that an `Option` is; device functions have none, and an entry of several is none.
    fn option_param(&self, option: &Expr) -> Option<usize> {
        let kernel = self.unit.funcs.first().filter(|_| self.calls.len() == 1)?;
        let ExprKind::Local(id) = option.kind else { return None };
        kernel.params.iter().position(|param| param.local == id)
    }

    /// An absent `Option` has nothing to write.
    fn absent(&mut self, param: Option<usize>) {
        if let (Some(p), Some(state)) = (param, &mut self.state) {
            state.fill(p);
        }
    }

    /// The parameter that is absent when `cond` is `outcome`.
    fn absent_if(&self, cond: &Expr, outcome: bool) -> Option<usize> {
        match &cond.kind {
            ExprKind::IsSome(option) if !outcome => self.option_param(option),
            ExprKind::Unary(Unary::Not, inner) => self.absent_if(inner, !outcome),
            _ => None,
        }
    }

    fn conditional(&mut self, e: &'a Expr, cond: &'a Expr, then: &'a Block, other: Option<&'a Block>) -> Val {
        if let Some(found) = combine::of_condition(cond, then, other)
            && self.take(e, &found)
        {
            return Val::Unknown;
        }
        let otherwise = |w: &mut Walker<'a>| other.map_or(Val::Unknown, |b| w.block(b));
        match self.eval(cond) {
            Val::Bool(true) => self.block(then),
            Val::Bool(false) => otherwise(self),
            _ => {
                let (in_then, in_other) = (self.absent_if(cond, true), self.absent_if(cond, false));
                self.fork(
                    &mut |w| {
                        w.absent(in_then);
                        w.block(then)
                    },
                    &mut |w| {
                        w.absent(in_other);
                        otherwise(w)
                    },
                )
            }
        }
    }

    pub(super) fn lazy(&mut self, op: Binary, a: &'a Expr, b: &'a Expr) -> Val {
        let decided = Val::Bool(op == Binary::Or);
        match self.eval(a) {
            value if value == decided => value,
            Val::Bool(_) => self.eval(b),
            _ => self.fork(&mut |_| Val::Unknown, &mut |w| w.eval(b)),
        }
    }

    /// Walks two branches of which either may be taken.
    fn fork(&mut self, then: &mut Branch<'_, 'a>, other: &mut Branch<'_, 'a>) -> Val {
        let Some(before) = &mut self.state else { return Val::Unset };
        let certain = std::mem::replace(&mut before.certain, false);
        let before = before.clone();
        let then_value = then(self);
        let after_then = self.state.replace(before);
        let other_value = other(self);
        let after_other = self.state.take();
        let rejoined = after_then.is_some() && after_other.is_some();
        self.state = join(after_then, after_other);
        if let Some(state) = &mut self.state {
            state.certain = certain && rejoined;
        }
        then_value.join(other_value)
    }

    /// `for`: iteration by iteration where the range is known, else all iterations at once.
    fn counted(&mut self, l: &'a Loop, var: LocalId, start: &'a Expr, end: &'a Expr, inclusive: bool) {
        let (first, last) = (self.eval(start), self.eval(end));
        let Some(certain) = self.state.as_ref().map(|s| s.certain) else { return };
        match (first, last) {
            (Val::Int(first), Val::Int(last)) => {
                let end = (last + i128::from(inclusive)).max(first);
                match usize::try_from(end - first) {
                    Ok(count) if count <= self.budget.min(ROUNDS) => self.unrolled(l, var, first, count),
                    _ => self.swept(l, var, &Range::of(first, end)),
                }
            }
            (Val::Int(0), Val::Const(n)) if !inclusive => self.swept(l, var, &Range::UpTo(n)),
            _ => self.swept(l, var, &Range::Unknown),
        }
        if let Some(state) = &mut self.state {
            state.certain = certain;
        }
    }

    /// All iterations one by one. The order of a reversed range only affects which site comes first, so it is ignored.
    fn unrolled(&mut self, l: &'a Loop, var: LocalId, first: i128, count: usize) {
        self.budget -= count;
        let mut breaks = None;
        for value in (first..).take(count) {
            if let Some(state) = &mut self.state {
                state.bind(var, Val::Int(value));
            }
            let left = self.body(l);
            breaks = join(breaks, left);
        }
        self.state = join(self.state.take(), breaks);
    }

    /// All iterations at once, until the state at the head repeats.
    fn swept(&mut self, l: &'a Loop, var: LocalId, range: &Range) {
        let Some(entry) = self.state.clone() else { return };
        let name = self.vars;
        self.vars += 1;
        let (mut head, mut breaks) = (entry.clone(), None);
        let iteration = loop {
            let mut start = head.clone();
            start.bind(var, Val::Var(name));
            self.state = Some(start);
            let left = self.body(l);
            breaks = join(breaks, left);
            let Some(iteration) = self.state.take() else { break None };
            let mut next = iteration.clone();
            next.forget(name);
            let Some(next) = join(Some(head.clone()), Some(next)) else { break None };
            if next == head {
                break Some(iteration);
            }
            head = next;
        };
        // The body may not run at all, unless the range says so.
        let mut exit = if range.is_empty() != Some(false) { Some(entry) } else { None };
        if let Some(iteration) = iteration {
            let mut last = iteration.clone();
            last.forget(name);
            exit = join(exit, Some(last));
            if let Some(exit) = &mut exit {
                exit.sweep(&iteration, name, range);
            }
        }
        if let Some(breaks) = &mut breaks {
            breaks.forget(name);
        }
        self.state = join(exit, breaks);
    }

    /// `while` and `loop`: iteration by iteration as long as it is known whether another one
    /// follows, then all others at once, until the state at the head repeats.
    fn repeated(&mut self, l: &'a Loop, cond: Option<&'a Expr>) {
        let Some(mut head) = self.state.clone() else { return };
        let certain = head.certain;
        let (mut exits, mut decided) = (None, true);
        for round in 0.. {
            self.state = Some(head.clone());
            match cond.map_or(Val::Bool(true), |c| self.eval(c)) {
                Val::Bool(true) => {}
                Val::Bool(false) => {
                    exits = join(exits, self.state.take());
                    break;
                }
                _ => {
                    exits = join(exits, self.state.clone());
                    decided = false;
                    if let Some(state) = &mut self.state {
                        state.certain = false;
                    }
                }
            }
            let left = self.body(l);
            decided &= left.is_none() && self.budget > 0 && round < ROUNDS;
            exits = join(exits, left);
            let Some(back) = self.state.take() else { break };
            self.budget = self.budget.saturating_sub(1);
            let next = if decided { Some(back) } else { join(Some(head.clone()), Some(back)) };
            match next {
                Some(next) if next != head => head = next,
                _ => break,
            }
        }
        self.state = exits;
        if let Some(state) = &mut self.state {
            state.certain = certain;
        }
    }

    /// One iteration; leaves the state at the end of the body and gives that of the `break`s.
    fn body(&mut self, l: &'a Loop) -> Option<State> {
        self.call().loops.push(Exits { id: l.id, breaks: None, continues: None });
        self.block(&l.body);
        let exits = self.call().loops.pop()?;
        self.state = join(self.state.take(), exits.continues);
        exits.breaks
    }
}

impl Range {
    /// From `first` up to, not including, `end`.
    fn of(first: i128, end: i128) -> Range {
        match (u64::try_from(first), u64::try_from(end)) {
            (Ok(first), Ok(end)) => Range::Known(first, end),
            _ => Range::Unknown,
        }
    }

    /// Whether no index is in it, if that is known.
    fn is_empty(&self) -> Option<bool> {
        match self {
            Range::Known(first, end) => Some(first >= end),
            Range::UpTo(_) | Range::Unknown => None,
        }
    }
}
