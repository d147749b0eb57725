//! One pass over a function: its assignments, and their conditions.

use super::{Key, Obstacle, Varied, has_value, may_fail};
use crate::ir::{Block, Expr, ExprKind, Func, LocalId, Loop, LoopId, LoopKind, Pat, Stmt, Ty};
use std::collections::BTreeMap;

/// Analyses an instance anew. Returns whether more varies than before.
pub(super) fn walk(varied: &mut Varied<'_>, at: usize) -> Result<bool, Obstacle> {
    let unit = varied.unit;
    let before = varied.clone_state();
    let key = varied.instances[at].key.clone();
    let func = &unit.funcs[key.func.0];
    let mut walk = Walk { varied, at, key, func, regions: 0, region: 0, declared: BTreeMap::new(), loops: Vec::new() };
    func.params.iter().for_each(|param| walk.declare(param.local));
    walk.block(&func.body)?;
    if let Some(tail) = &func.body.tail {
        walk.returned(tail);
    }
    Ok(varied.clone_state() != before)
}

impl Varied<'_> {
    /// All that a pass may change.
    fn clone_state(&self) -> Vec<(Vec<bool>, bool, bool, usize)> {
        let state = |i: &super::Instance| (i.locals.clone(), i.result, i.returns, i.loops.len());
        self.instances.iter().map(state).collect()
    }
}

struct Walk<'v, 'a> {
    varied: &'v mut Varied<'a>,
    at: usize,
    key: Key,
    func: &'a Func,
    /// How many regions were met.
    regions: usize,
    region: usize,
    /// In which region each local was declared.
    declared: BTreeMap<LocalId, usize>,
    /// The loops around, with the region in which each one stands.
    loops: Vec<(LoopId, usize)>,
}

type Walked = Result<(), Obstacle>;

impl Walk<'_, '_> {
    fn varies(&self, e: &Expr) -> bool {
        self.varied.varies(&self.varied.instances[self.at], e, self.masked())
    }

    /// Whether some lanes may be off here.
    fn masked(&self) -> bool {
        self.key.masked || self.region != 0 || self.varied.instances[self.at].returns
    }

    fn set(&mut self, local: LocalId) {
        self.varied.instances[self.at].locals[local.0] = true;
    }

    fn declare(&mut self, local: LocalId) {
        self.declared.insert(local, self.region);
    }

    fn block(&mut self, block: &Block) -> Walked {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, init } => {
                    if let Some(init) = init {
                        self.expr(init)?;
                    }
                    self.bind(pat, init.as_ref());
                }
                Stmt::Expr(e) => self.expr(e)?,
            }
        }
        self.reference_behind_jumps(block)?;
        block.tail.iter().try_for_each(|tail| self.expr(tail))
    }

    /// Code after a point that all lanes may have left is skipped, which needs a placeholder for its value. There is
    /// none for a reference.
    fn reference_behind_jumps(&self, block: &Block) -> Walked {
        let Some(tail) = block.tail.as_ref().filter(|tail| tail.ty.has_reference()) else { return Ok(()) };
        let Some(first) = block.stmts.iter().position(|stmt| init(stmt).is_some_and(|e| self.leaves(e))) else {
            return Ok(());
        };
        let mut fails = false;
        let rest = block.stmts[first + 1..].iter().filter_map(init).chain([&**tail]);
        rest.for_each(|e| e.walk(&mut |part| fails |= may_fail(part)));
        if !fails {
            return Ok(());
        }
        obstacle(tail, "a reference that may fail to be taken stands behind where some elements of the loop leave")
    }

    /// Whether lanes may leave an expression for what is around it, each in its own way.
    fn leaves(&self, e: &Expr) -> bool {
        let instance = &self.varied.instances[self.at];
        let (mut inside, mut leaves) = (Vec::new(), false);
        e.walk(&mut |part| match &part.kind {
            ExprKind::Loop(l) => inside.push(l.id),
            ExprKind::Return(_) => leaves |= instance.returns,
            ExprKind::Break(id) | ExprKind::Continue(id) => {
                leaves |= instance.loops.contains(id) && !inside.contains(id);
            }
            _ => {}
        });
        leaves
    }

    /// A block of which some lanes may be off.
    fn masked_block(&mut self, block: &Block) -> Walked {
        let outer = self.region;
        self.regions += 1;
        self.region = self.regions;
        self.block(block)?;
        self.region = outer;
        Ok(())
    }

    fn bind(&mut self, pat: &Pat, init: Option<&Expr>) {
        match (pat, init.map(|e| &e.kind)) {
            (Pat::Wild, _) => {}
            (Pat::Local(id), _) => {
                self.declare(*id);
                let Some(init) = init else { return };
                let known = self.varied.instances[self.at].locals[id.0];
                if self.varies(init) {
                    self.set(*id);
                } else if known && init.ty.has_reference() {
                    // Where a reference leads to lanes, there are lanes.
                    self.force(init);
                }
            }
            (Pat::Tuple(parts), Some(ExprKind::Tuple(values))) => {
                parts.iter().zip(values).for_each(|(part, value)| self.bind(part, Some(value)));
            }
            (Pat::Tuple(parts), _) => {
                parts.iter().for_each(|part| self.bind(part, init));
                // Values that are bound together vary together.
                let locals = parts.iter().flat_map(names).collect::<Vec<_>>();
                if locals.iter().any(|id| self.varied.instances[self.at].locals[id.0]) {
                    locals.into_iter().for_each(|id| self.set(id));
                }
            }
        }
    }

    /// Makes the places vary from which an expression takes its value.
    fn force(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id) => self.set(*id),
            ExprKind::Field(a, _) | ExprKind::Index(a, _) | ExprKind::Deref(a) | ExprKind::Ref(_, a) => self.force(a),
            ExprKind::Call(id, args) => {
                let lends = self.varied.unit.funcs[id.0].lends.clone();
                lends.into_iter().for_each(|n| self.force(&args[n]));
            }
            ExprKind::Array(items) | ExprKind::Tuple(items) => items.iter().for_each(|item| self.force(item)),
            ExprKind::Block(block) => block.tail.iter().for_each(|tail| self.force(tail)),
            ExprKind::If(_, then, other) | ExprKind::IfSome(_, _, then, other) => {
                let tails = std::iter::once(then).chain(other).filter_map(|b| b.tail.as_ref());
                tails.for_each(|tail| self.force(tail));
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr) -> Walked {
        match &e.kind {
            ExprKind::If(cond, then, other) => self.branches(e, cond, then, other.as_ref()),
            ExprKind::IfSome(option, binding, then, other) => {
                self.declare(*binding);
                if self.varies(option) {
                    self.set(*binding);
                }
                self.block(then)?;
                other.iter().try_for_each(|other| self.block(other))
            }
            // The right side is for those lanes that ask for it.
            ExprKind::Binary(op, a, b) if op.is_lazy() => {
                self.expr(a)?;
                let (outer, masked) =
                    (self.region, !self.varied.is_plain(&self.varied.instances[self.at], e, self.masked()));
                if masked {
                    self.regions += 1;
                    self.region = self.regions;
                }
                self.expr(b)?;
                self.region = outer;
                Ok(())
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Loop(l) => self.looping(l),
            ExprKind::Break(id) | ExprKind::Continue(id) => {
                let place = self.loops.iter().find(|(l, _)| l == id).map(|(_, region)| *region);
                if place != Some(self.region) {
                    self.masked_loop(*id);
                }
                Ok(())
            }
            ExprKind::Return(value) => self.leave(e, value.as_deref()),
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, place, value) => {
                self.expr(value)?;
                self.expr(place)?;
                self.assign(place, value)
            }
            ExprKind::BestUpdate(best, ..) => {
                self.force(best);
                self.parts(e)
            }
            ExprKind::Call(_, args) => self.call(e, args),
            ExprKind::Ref(true, place) if place.is_in_row() => {
                obstacle(e, "a reference through which an entry of a row of any length is changed")
            }
            ExprKind::Ref(_, place) => {
                if self.index_varies(place) {
                    return obstacle(e, "a reference to an element whose index differs between elements of the loop");
                }
                self.parts(e)
            }
            // An entry of `[&V; N]`.
            ExprKind::Index(_, index) if e.ty.has_reference() && self.varies(index) => {
                obstacle(e, "which reference is taken differs between elements of the loop")
            }
            _ => self.parts(e),
        }
    }

    fn parts(&mut self, e: &Expr) -> Walked {
        let (exprs, blocks) = e.parts();
        exprs.into_iter().try_for_each(|part| self.expr(part))?;
        blocks.into_iter().try_for_each(|block| self.block(block))
    }

    fn branches(&mut self, e: &Expr, cond: &Expr, then: &Block, other: Option<&Block>) -> Walked {
        self.expr(cond)?;
        if !self.varies(cond) {
            let instance = &self.varied.instances[self.at];
            let jumps = instance.returns || !instance.loops.is_empty();
            if jumps && e.ty.has_reference() && std::iter::once(then).chain(other).any(|b| b.ty == Ty::Never) {
                return obstacle(e, "one side has a reference, the other leaves for some elements of the loop only");
            }
            self.block(then)?;
            return other.into_iter().try_for_each(|other| self.block(other));
        }
        if e.ty.has_reference() {
            return obstacle(e, "which reference is taken differs between elements of the loop");
        }
        self.masked_block(then)?;
        other.into_iter().try_for_each(|other| self.masked_block(other))
    }

    fn looping(&mut self, l: &Loop) -> Walked {
        let outer = self.region;
        if let LoopKind::For { var, start, end, .. } = &l.kind {
            self.expr(start)?;
            self.expr(end)?;
            if self.varies(start) || self.varies(end) {
                self.set(*var);
                self.masked_loop(l.id);
            }
        }
        self.loops.push((l.id, outer));
        if self.varied.instances[self.at].loops.contains(&l.id) {
            self.regions += 1;
            self.region = self.regions;
        }
        match &l.kind {
            LoopKind::For { var, .. } => self.declare(*var),
            LoopKind::While(cond) => {
                self.expr(cond)?;
                if self.varies(cond) {
                    self.masked_loop(l.id);
                }
            }
            LoopKind::Forever => {}
        }
        self.block(&l.body)?;
        self.region = outer;
        self.loops.pop();
        Ok(())
    }

    fn masked_loop(&mut self, id: LoopId) {
        self.varied.instances[self.at].loops.insert(id);
    }

    fn leave(&mut self, e: &Expr, value: Option<&Expr>) -> Walked {
        if let Some(value) = value {
            self.expr(value)?;
            self.returned(value);
        }
        if self.region == 0 {
            return Ok(());
        }
        if value.is_some_and(|value| value.ty.has_reference()) {
            return obstacle(e, "which reference is returned differs between elements of the loop");
        }
        let has_result = has_value(&self.func.ret);
        let around: Vec<LoopId> = self.loops.iter().map(|(id, _)| *id).collect();
        let instance = &mut self.varied.instances[self.at];
        instance.returns = true;
        instance.result |= has_result;
        instance.loops.extend(around);
        Ok(())
    }

    fn returned(&mut self, value: &Expr) {
        if self.varies(value) {
            self.varied.instances[self.at].result = true;
        } else if self.varied.instances[self.at].result && value.ty.has_reference() {
            self.force(value);
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr) -> Walked {
        let Some(root) = place.root() else { return Ok(()) };
        let elsewhere = self.declared.get(&root).is_none_or(|region| *region != self.region);
        let leaves_region = elsewhere || (through_reference(place) && self.masked());
        if value.ty.has_reference() && leaves_region {
            return obstacle(place, "a reference is assigned for some elements of the loop only");
        }
        if leaves_region || self.varies(value) || self.index_varies(place) {
            self.force(place);
        }
        if self.varies(place) && value.ty.has_reference() {
            self.force(value);
        }
        Ok(())
    }

    fn call(&mut self, e: &Expr, args: &[Expr]) -> Walked {
        args.iter().try_for_each(|arg| self.expr(arg))?;
        let ExprKind::Call(callee, _) = &e.kind else { return Ok(()) };
        let masked = self.masked();
        let key = self.varied.key(&self.varied.instances[self.at], *callee, args, masked);
        let instance = self.varied.ask(key);
        let lends = &self.varied.unit.funcs[callee.0].lends;
        if e.ty.has_reference() && lends.iter().any(|n| lent_value(&args[*n])) {
            return obstacle(e, "a reference to a value without a name comes back from a function");
        }
        // References to lanes differ from references to a common value.
        let differ: Vec<bool> = lends.iter().map(|n| self.varies(&args[*n])).collect();
        if e.ty.has_reference() && differ.contains(&true) && differ.contains(&false) {
            let why = "a reference comes back from a function, to what differs between elements of the loop or to what does not";
            return obstacle(e, why);
        }
        for (n, arg) in args.iter().enumerate() {
            let instance = &self.varied.instances[instance];
            let wanted = instance.takes_lanes(self.varied.unit, n) && !instance.key.params[n];
            // A value can be spread over lanes when it is passed, but a place that is written to has to be lanes
            // already.
            if wanted && !matches!(&arg.ty, Ty::Ref(false, inner) if !inner.has_reference()) && arg.ty.has_reference() {
                self.force(arg);
            }
        }
        Ok(())
    }

    /// Whether a place is reached by an index that varies.
    fn index_varies(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Index(array, index) => self.varies(index) || self.index_varies(array),
            ExprKind::Field(a, _) | ExprKind::Deref(a) => self.index_varies(a),
            _ => false,
        }
    }
}

/// Whether an argument refers to a temporary of the call.
fn lent_value(arg: &Expr) -> bool {
    match &arg.kind {
        ExprKind::Ref(_, place) => place.root().is_none(),
        ExprKind::Array(items) | ExprKind::Tuple(items) => items.iter().any(lent_value),
        ExprKind::Block(block) => block.tail.as_ref().is_some_and(|tail| lent_value(tail)),
        ExprKind::If(_, then, other) => {
            std::iter::once(then).chain(other).filter_map(|b| b.tail.as_ref()).any(|tail| lent_value(tail))
        }
        _ => false,
    }
}

/// The expressions of a statement.
fn init(stmt: &Stmt) -> Option<&Expr> {
    match stmt {
        Stmt::Let { init, .. } => init.as_ref(),
        Stmt::Expr(e) => Some(e),
    }
}

fn names(pat: &Pat) -> Vec<LocalId> {
    match pat {
        Pat::Wild => Vec::new(),
        Pat::Local(id) => vec![*id],
        Pat::Tuple(parts) => parts.iter().flat_map(names).collect(),
    }
}

fn through_reference(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Deref(_) => true,
        ExprKind::Index(a, _) | ExprKind::Field(a, _) => through_reference(a),
        _ => false,
    }
}

fn obstacle(e: &Expr, reason: &str) -> Walked {
    Err(Obstacle { span: e.span, reason: reason.to_owned() })
}
