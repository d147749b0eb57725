//! The targets that an element reaches: arguments reduced to the parts that the inspector needs.

use crate::data::place::leads;
use crate::inspect::{Elements, LoopShape, Through, Touch};
use std::ops::Range;

/// The element at each position of a loop; `None` if positions are elements.
pub(crate) type Order<'a> = Option<&'a [u32]>;

/// The order of the elements in the loop's statement.
pub(crate) fn own_order<'a>(shape: &LoopShape<'a>) -> Order<'a> {
    match shape.elements {
        Elements::All(_) | Elements::Pieces(_) => None,
        Elements::Subset(list) => Some(list),
    }
}

/// A route from an element to targets.
#[derive(Debug, Clone)]
pub(super) enum Route<'a> {
    /// The element itself: a direct argument.
    Identity,
    /// Consecutive entries of a map.
    Map { id: u32, entries: &'a [u32], arity: usize, used: Range<usize> },
    /// Rows of any length.
    Rows { id: u32, entries: &'a [u32], offsets: &'a [u32] },
}

impl<'a> Route<'a> {
    pub(super) fn of(touch: &Touch<'a>) -> Self {
        match &touch.through {
            None => Route::Identity,
            Some(Through { map, entries, offsets: Some(offsets), .. }) => Route::Rows { id: *map, entries, offsets },
            Some(t) => Route::Map { id: t.map, entries: t.entries, arity: t.arity, used: t.used.clone() },
        }
    }

    /// The most targets that `n` elements can reach.
    pub(super) fn most(&self, n: usize) -> usize {
        match self {
            Route::Identity => n,
            Route::Map { used, .. } => n * used.len(),
            Route::Rows { entries, .. } => entries.len(),
        }
    }

    /// Equal for two routes to the same targets: the map, and the range of entries.
    fn key(&self) -> (Option<u32>, usize, usize) {
        match self {
            Route::Identity => (None, 0, 0),
            Route::Map { id, used, .. } => (Some(*id), used.start, used.end),
            Route::Rows { id, .. } => (Some(*id), 0, 0),
        }
    }

    /// Calls `f` with every target of element `e`.
    #[inline]
    pub(super) fn visit_one(&self, e: usize, f: &mut impl FnMut(usize)) {
        match self {
            Route::Identity => f(e),
            Route::Map { entries, arity, used, .. } => {
                present(&entries[e * arity + used.start..e * arity + used.end]).for_each(f);
            }
            Route::Rows { entries, offsets, .. } => {
                present(&entries[offsets[e] as usize..offsets[e + 1] as usize]).for_each(f);
            }
        }
    }

    /// Calls `f` with every target of the elements at `positions`.
    #[inline]
    pub(super) fn visit(&self, order: Order<'_>, positions: Range<usize>, f: &mut impl FnMut(usize)) {
        if let Some(order) = order {
            for &e in &order[positions] {
                self.visit_one(e as usize, f);
            }
            return;
        }
        match self {
            Route::Identity => positions.for_each(f),
            Route::Map { entries, arity, used, .. } => {
                let rows = &entries[positions.start * arity..positions.end * arity];
                if used.len() == *arity {
                    present(rows).for_each(f);
                } else {
                    rows.chunks_exact(*arity).for_each(|row| present(&row[used.clone()]).for_each(&mut *f));
                }
            }
            Route::Rows { entries, offsets, .. } => {
                let [start, end] = [positions.start, positions.end].map(|p| offsets[p] as usize);
                present(&entries[start..end]).for_each(f);
            }
        }
    }
}

/// The targets of entries that lead somewhere.
#[inline]
fn present(entries: &[u32]) -> impl Iterator<Item = usize> + '_ {
    entries.iter().filter(|t| leads(**t)).map(|&t| t as usize)
}

/// The routes of several arguments to one set, without repetition. Consecutive entries of a map are joined, so that
/// each entry is visited once.
#[derive(Debug, Clone)]
pub(super) struct Cover<'a> {
    pub(super) targets: usize,
    pub(super) routes: Vec<Route<'a>>,
}

impl<'a> Cover<'a> {
    /// The routes of all `touches`, which must lead to one set.
    pub(super) fn of<'s>(touches: impl Iterator<Item = &'s Touch<'a>>) -> Self
    where
        'a: 's,
    {
        let mut targets = 0;
        let mut all: Vec<Route<'a>> = Vec::new();
        for touch in touches {
            targets = touch.targets;
            let route = Route::of(touch);
            all.insert(all.partition_point(|known| known.key() <= route.key()), route);
        }
        Cover { targets, routes: joined(all) }
    }

    /// Whether the two reach the same targets for every element.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.targets == other.targets && self.routes.iter().map(Route::key).eq(other.routes.iter().map(Route::key))
    }

    /// Whether all routes are direct.
    pub(super) fn is_direct(&self) -> bool {
        self.routes.iter().all(|r| matches!(r, Route::Identity))
    }
}

/// Sorted routes, of which those that can be are joined.
fn joined(all: Vec<Route<'_>>) -> Vec<Route<'_>> {
    let mut routes: Vec<Route<'_>> = Vec::new();
    for route in all {
        if !routes.last_mut().is_some_and(|last| join(last, &route)) {
            routes.push(route);
        }
    }
    routes
}

/// Extends `last` by `next` if both use entries of one map without a gap between them.
fn join(last: &mut Route<'_>, next: &Route<'_>) -> bool {
    match (last, next) {
        (Route::Identity, Route::Identity) => true,
        (Route::Map { id, used, .. }, Route::Map { id: next_id, used: next_used, .. })
            if id == next_id && next_used.start <= used.end =>
        {
            used.end = used.end.max(next_used.end);
            true
        }
        (Route::Rows { id, .. }, Route::Rows { id: next_id, .. }) => id == next_id,
        _ => false,
    }
}

/// The targets on which elements can race. For every dat on which they [can](LoopShape::races), these are the targets of all its
/// arguments, direct ones included. Targets of different covers get different slots; dats with
/// the same cover share one.
#[derive(Debug, Clone)]
pub(super) struct Conflicts<'a> {
    parts: Vec<(usize, Cover<'a>)>,
    slots: usize,
}

impl<'a> Conflicts<'a> {
    pub(super) fn of(shape: &LoopShape<'a>) -> Self {
        let mut parts: Vec<(usize, Cover<'a>)> = Vec::new();
        let mut slots = 0;
        for (i, touch) in shape.touches.iter().enumerate() {
            let first = shape.touches[..i].iter().all(|t| t.dat != touch.dat);
            if !first || !shape.races(touch.dat) {
                continue;
            }
            let cover = Cover::of(shape.touches.iter().filter(|t| t.dat == touch.dat));
            if parts.iter().all(|(_, p)| !p.same(&cover)) {
                let base = slots;
                slots += cover.targets;
                parts.push((base, cover));
            }
        }
        Conflicts { parts, slots }
    }

    /// Whether no two elements can share a target, whatever the maps hold.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The number of slots; visits report smaller numbers.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    #[inline]
    pub(super) fn visit_one(&self, e: usize, f: &mut impl FnMut(usize)) {
        for (base, cover) in &self.parts {
            for route in &cover.routes {
                route.visit_one(e, &mut |t| f(base + t));
            }
        }
    }

    #[inline]
    pub(super) fn visit(&self, order: Order<'_>, positions: Range<usize>, f: &mut impl FnMut(usize)) {
        for (base, cover) in &self.parts {
            for route in &cover.routes {
                route.visit(order, positions.clone(), &mut |t| f(base + t));
            }
        }
    }

    /// Whether two of the first `n` positions reach a common target. Stops at the first.
    pub(super) fn elements_meet(&self, order: Order<'_>, n: usize) -> bool {
        let mut visitor = vec![0_u32; self.slots];
        for position in 0..n {
            let e = order.map_or(position, |o| o[position] as usize);
            let stamp = position as u32 + 1;
            let mut met = false;
            self.visit_one(e, &mut |slot| {
                met |= visitor[slot] != 0 && visitor[slot] != stamp;
                visitor[slot] = stamp;
            });
            if met {
                return true;
            }
        }
        false
    }
}
