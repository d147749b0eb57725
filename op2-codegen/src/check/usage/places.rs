//! Places: which ones expressions read and change, and how statements use parameters.

use super::combine::{self, Combination};
use super::defined::Size;
use super::value::{Key, Place, Root, Val};
use super::walker::Walker;
use super::{OutOfBounds, Site, arith, text};
use crate::ir::{Binary, Combine, Expr, ExprKind, Ty, print};

/// Where a place expression leads.
pub(super) enum Target {
    /// One of these places.
    Places(Vec<Place>),
    /// A value without a place.
    Value(Val),
}

/// A change of a place.
#[derive(Clone, Copy)]
pub(super) enum Change {
    Assign,
    Combine(Combine),
    Update,
}

impl<'a> Walker<'a> {
    /// Where a place expression leads; the place itself is not read.
    pub(super) fn target(&mut self, e: &'a Expr) -> Target {
        match &e.kind {
            ExprKind::Local(local) => Target::Places(vec![Place::whole(Root::Local(self.calls.len() - 1, *local))]),
            ExprKind::Deref(reference) => match self.eval(reference) {
                Val::Ref(places) => Target::Places(places),
                _ => Target::Value(Val::Unknown),
            },
            ExprKind::Field(base, n) => {
                let base = self.target(base);
                base.step(&Key::At(*n as u64))
            }
            ExprKind::Index(base, index) => {
                let target = self.target(base);
                let value = self.eval(index);
                self.check_bounds(base, index, &value);
                target.step(&value.key())
            }
            _ => Target::Value(self.eval(e)),
        }
    }

    /// Where `best` leads, which is a reference or the place behind one.
    pub(super) fn behind(&mut self, best: &'a Expr) -> Target {
        match &best.ty {
            Ty::Ref(..) => match self.eval(best) {
                Val::Ref(places) => Target::Places(places),
                value => Target::Value(value),
            },
            _ => self.target(best),
        }
    }

    /// Notes an index that is known and out of bounds, if control certainly arrives here. After a condition, the index
    /// may never be used.
    fn check_bounds(&mut self, base: &Expr, index: &'a Expr, value: &Val) {
        let (Val::Int(found), Ty::Array(_, len)) = (value, &base.ty) else { return };
        let Size::Lit(len) = self.size(len) else { return };
        let reached = self.state.as_ref().is_some_and(|s| s.certain);
        let valid = u64::try_from(*found).is_ok_and(|i| i < len);
        if valid || !reached || !self.reported.insert(std::ptr::from_ref(index).addr()) {
            return;
        }
        let call = self.here();
        let place = text::short(self.unit, call.func, base);
        self.found.out_of_bounds.push(OutOfBounds {
            span: call.span.unwrap_or(index.span),
            index: *found,
            array: place.trim_start_matches('*').to_owned(),
            ty: print::ty(call.func, &base.ty),
            len,
            within: call.within(),
        });
    }

    /// Reads the value at `target`, the place of `e`.
    pub(super) fn load(&mut self, target: Target, e: &Expr) -> Val {
        let places = match target {
            Target::Value(value) => return value,
            Target::Places(places) => places,
        };
        let mut value = Val::Unset;
        for place in &places {
            if let Root::Param(p) = place.root {
                let site = self.site(e);
                self.found.params[p].reads.get_or_insert(site);
                self.require_written(place, e);
            }
            let held = self.state.as_ref().map_or(Val::Unset, |s| s.load(place));
            value = value.join(held);
        }
        value
    }

    /// Notes that `e` uses the old value of a parameter's component.
    fn require_written(&mut self, place: &Place, e: &Expr) {
        let (Root::Param(p), Some(state)) = (place.root, &self.state) else { return };
        if !state.defined(p).covers(&place.path) {
            let site = self.site(e);
            self.found.params[p].reads_undefined.get_or_insert(site);
        }
    }

    /// Keeps a value whose reference is taken.
    pub(super) fn keep(&mut self, e: &Expr, value: Val) -> Val {
        match &mut self.state {
            Some(state) => Val::Ref(vec![state.keep(std::ptr::from_ref(e).addr(), value)]),
            None => Val::Unset,
        }
    }

    pub(super) fn assign(&mut self, e: &'a Expr, place: &'a Expr, value: &'a Expr) -> Val {
        if let Some(found) = combine::of_assignment(place, value)
            && self.take(e, &found)
        {
            return Val::Unknown;
        }
        let new = self.eval(value);
        let target = self.target(place);
        if self.state.is_none() {
            return Val::Unset;
        }
        let rewrite = combine::of_sum(place, value).map(|(op, added)| {
            let func = self.here().func;
            let side = |e| text::short(self.unit, func, e);
            format!("{} {}= {}", side(place), op.symbol(), side(added))
        });
        self.change(&target, Change::Assign, e, rewrite);
        self.store(&target, new);
        Val::Unknown
    }

    pub(super) fn assign_op(&mut self, e: &'a Expr, op: Binary, place: &'a Expr, value: &'a Expr) -> Val {
        let operand = self.eval(value);
        let target = self.target(place);
        if self.state.is_none() {
            return Val::Unset;
        }
        let Target::Places(places) = &target else { return Val::Unknown };
        let mut old = Val::Unset;
        for p in places {
            self.require_written(p, e);
            old = old.join(self.state.as_ref().map_or(Val::Unset, |s| s.load(p)));
        }
        let combined = combine::of_operator(op);
        if combined.is_none() {
            self.note_reads(places, e);
        }
        self.change(&target, combined.map_or(Change::Assign, Change::Combine), e, None);
        if places.iter().all(|p| !matches!(p.root, Root::Param(_))) {
            self.store(&target, arith::binary(op, &old, &operand, &place.ty));
        }
        Val::Unknown
    }

    /// Combines values with a parameter's component; `false`, with nothing done, when the place belongs to no
    /// parameter.
    pub(super) fn take(&mut self, e: &'a Expr, found: &Combination<'a>) -> bool {
        let target = self.target(found.place);
        let Target::Places(places) = &target else { return false };
        if !places.iter().all(|p| matches!(p.root, Root::Param(_))) {
            return false;
        }
        for value in &found.values {
            self.eval(value);
        }
        for place in places {
            self.require_written(place, e);
        }
        self.change(&target, Change::Combine(found.how), e, None);
        true
    }

    fn note_reads(&mut self, places: &[Place], e: &Expr) {
        for place in places {
            if let Root::Param(p) = place.root {
                let site = self.site(e);
                self.found.params[p].reads.get_or_insert(site);
            }
        }
    }

    /// Notes a change of all parameters that `target` may lead to.
    pub(super) fn change(&mut self, target: &Target, change: Change, e: &Expr, rewrite: Option<String>) {
        let Target::Places(places) = target else { return };
        for place in places {
            let Root::Param(p) = place.root else { continue };
            let site = Site { rewrite: rewrite.clone(), ..self.site(e) };
            let used = &mut self.found.params[p];
            match change {
                Change::Assign => _ = used.assigns.get_or_insert(site),
                Change::Combine(how) => used.contributes.note(how, site),
                Change::Update => _ = used.updates.get_or_insert(site),
            }
        }
    }

    fn store(&mut self, target: &Target, value: Val) {
        let (Target::Places(places), Some(state)) = (target, &mut self.state) else { return };
        for place in places {
            state.store(place, value.clone(), places.len() == 1);
        }
    }
}

impl Target {
    fn step(self, key: &Key) -> Target {
        match self {
            Target::Value(value) => Target::Value(value.at(key)),
            Target::Places(mut places) => {
                places.iter_mut().for_each(|place| place.path.push(key.clone()));
                Target::Places(places)
            }
        }
    }
}
