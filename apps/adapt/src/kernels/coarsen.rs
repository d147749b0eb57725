//! Coarsening: vertices at the end of a short edge go to its other end, and with the edge two facets.
//!
//! A sweep is four loops, none of which needs a plan: each element writes its own values, and reads others' from tables; only [`collapse`]
//! reaches other elements, to wake them, in any order.
//!
//! | kernel | over | of the thesis (table 6.1) |
//! | --- | --- | --- |
//! | [`enlist`] | vertices | – |
//! | [`choose`] | vertices on the list | C2 `evaluateVertices`, C3 `removeAdjacentCollapses`, C4 `removeInvalidCollapses` |
//! | [`collapse`] | living facets | C5 `collapseFacets`, C6 `updateFacetVertices` |
//! | [`reattach`] | living facets | C7 `updateFacetAdjacency`, C8 `propagateFacetUpdate` |
//! | [`settle`] | vertices, after some sweeps and the last one | C1 `addAdjacentFacetToVertex`; `compact` then does C9 to C12 |
//!
//! Put right against the thesis:
//!
//! * *Who goes first.* Two neighbours never collapse in one sweep. The thesis looks for the best collapse of every vertex and defers those
//!   beside better ones, then drops the invalid ones: a collapse that is invalid for ever blocks its neighbours for ever. Here a
//!   vertex that comes before its neighbours decides alone, and if none of its collapses is valid it leaves the list: it blocks nobody
//!   until a collapse beside it has changed its facets.
//! * *The order.* Numbers as tie-breakers make chains of vertices that wait for each other (978 sweeps). A hash takes their place, a new
//!   one in each sweep.
//! * *All short edges are tried*, not the shortest alone, and of the valid collapses that one is taken whose longest new edge is shortest.
//!   It leaves fewer facets than the first valid one from the shortest edge on, which may come next.
//! * *The link condition* needs no test. Where all facets that remain around the vertex are counter-clockwise, the segment from the goal to
//!   a vertex of the ring lies inside the ring, so that the edge cannot be there already, outside.
//! * *One living facet of each vertex*, its tip, is kept over the sweeps; nobody looks for it again (C1). A facet that dies knows
//!   the one behind it that has its remaining corners.

use super::geometry::{squared_length, twice_area};
use super::{Facets, Verts, hash};
use op2::{Idx, Table};

/// [`LUP`](crate::metric::LUP) squared.
const UPPER: f64 = 2.0;
/// [`LLOW`](crate::metric::LLOW) squared.
const LOWER: f64 = 0.5;
/// A facet is flat whose double area is at most this, relative to the sum of the squares of two edges. More than rounding makes it.
const FLAT: f64 = 1e-10;
/// Corners around a vertex that are found once. All others are found again whenever they are needed.
const KNOWN: usize = 12;
/// The rank of a vertex that is not on the list.
const LAST: u32 = u32::MAX;

/// Wakes vertices whose facets have changed, and ranks those that are awake: the lowest rank decides first.
///
/// The rank is a hash of this sweep, which `salt` makes. Equal ranks of neighbours defer both to the next sweep.
#[op2::kernel]
pub fn enlist(
    name: &u32,
    inner: &bool,
    salt: &u32,
    woken: &mut bool,
    awake: &mut bool,
    rank: &mut u32,
    left: &mut u32,
) {
    *awake = *awake || *woken && *inner;
    *woken = false;
    *rank = if *awake { hash(*name ^ *salt) } else { LAST };
    *left += u32::from(*awake);
}

/// A facet as its corner `v` sees it: the next corner, the one after that, and the facet behind the edge from there to `v`.
#[op2::device_fn]
fn seen_from(
    v: Idx<Verts>,
    f: Idx<Facets>,
    fv: &Table<Facets, [Idx<Verts>; 3]>,
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
) -> (Idx<Verts>, Idx<Verts>, Idx<Facets>) {
    let (c, n) = (fv.at(f), fa.at(f));
    if c[0] == v {
        (c[1], c[2], n[2].unwrap_or(f))
    } else if c[1] == v {
        (c[2], c[0], n[0].unwrap_or(f))
    } else {
        (c[0], c[1], n[1].unwrap_or(f))
    }
}

/// The living facet that took the place of `f`, or `f` itself.
#[op2::device_fn]
fn living(f: Idx<Facets>, behind: &Table<Facets, [Option<Idx<Facets>>; 2]>) -> Idx<Facets> {
    let mut found = f;
    while let Some(next) = behind.at(found)[0] {
        found = next;
    }
    found
}

/// Corner `k` of the ring around `v`, which begins at the facet `start`. The first ones are known already.
#[op2::device_fn]
fn corner(
    k: usize,
    known: &[Idx<Verts>; KNOWN],
    v: Idx<Verts>,
    start: Idx<Facets>,
    fv: &Table<Facets, [Idx<Verts>; 3]>,
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
) -> Idx<Verts> {
    if k < KNOWN {
        return known[k];
    }
    let (mut found, mut f) = (v, start);
    for _ in 0..=k {
        let (next, _, behind_last) = seen_from(v, f, fv, fa);
        found = next;
        f = behind_last;
    }
    found
}

/// The square of the longest edge that a collapse of `v` onto corner `t` of the `ring` corners around it makes, or a number above `limit` if
/// that is longer, or if the collapse is not valid.
///
/// Valid is a collapse that makes no flat or inverted facet. The facets that remain are those around `v` but the two at the edge.
#[op2::device_fn]
fn longest_made(
    t: usize,
    ring: usize,
    limit: f64,
    known: &[Idx<Verts>; KNOWN],
    v: Idx<Verts>,
    start: Idx<Facets>,
    fv: &Table<Facets, [Idx<Verts>; 3]>,
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    x: &Table<Verts, [f64; 2]>,
    m: &Table<Verts, [f64; 3]>,
) -> f64 {
    let goal = corner(t, known, v, start, fv, fa);
    let (xt, mt) = (x.at(goal), m.at(goal));
    let mut k = if t + 1 < ring { t + 1 } else { 0 };
    let mut from = corner(k, known, v, start, fv, fa);
    let mut p = x.at(from);
    let mut longest = 0.0;
    for facet in 2..ring {
        // The edges from `t` to the corners beside it are there already.
        if facet > 2 {
            longest = squared_length(xt, p, mt, m.at(from)).max(longest);
        }
        k = if k + 1 < ring { k + 1 } else { 0 };
        let to = corner(k, known, v, start, fv, fa);
        let q = x.at(to);
        let (a, b) = ([p[0] - xt[0], p[1] - xt[1]], [q[0] - xt[0], q[1] - xt[1]]);
        let size = a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1];
        if longest > limit || twice_area(xt, p, q) <= FLAT * size {
            return f64::MAX;
        }
        from = to;
        p = q;
    }
    longest
}

/// Decides where a vertex goes, if it comes before all neighbours on the list. If it decides to stay, it need not decide again before its
/// facets change.
///
/// Of all its short edges whose collapse is valid it takes the one that makes the shortest longest edge; a hash, `name`, breaks ties.
///
/// When `everyone` looks, vertices that do not come first leave the list, too, if no collapse is valid for them. It pays when these are many.
#[op2::kernel]
pub fn choose(
    v: Idx<Verts>,
    everyone: &bool,
    rank: &u32,
    ranks: &Table<Verts, u32>,
    names: &Table<Verts, u32>,
    fv: &Table<Facets, [Idx<Verts>; 3]>,
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    behind: &Table<Facets, [Option<Idx<Facets>>; 2]>,
    x: &Table<Verts, [f64; 2]>,
    m: &Table<Verts, [f64; 3]>,
    tip: &mut Idx<Facets>,
    goal: &mut Option<Idx<Verts>>,
    awake: &mut bool,
    collapses: &mut u32,
) {
    let start = living(*tip, behind);
    *tip = start;
    *goal = None;
    let mut known = [v; KNOWN];
    let (mut first, mut ring, mut f) = (true, 0, start);
    loop {
        let (next, _, behind_last) = seen_from(v, f, fv, fa);
        if ranks.at(next) <= *rank {
            first = false;
            if !*everyone {
                return;
            }
        }
        if ring < KNOWN {
            known[ring] = next;
        }
        ring += 1;
        f = behind_last;
        if f == start {
            break;
        }
    }
    let (xv, mv) = (x.at(v), m.at(v));
    let mut best = UPPER;
    let mut found = v;
    for k in 0..ring {
        let t = corner(k, &known, v, start, fv, fa);
        if squared_length(xv, x.at(t), mv, m.at(t)) < LOWER {
            let longest = longest_made(k, ring, best, &known, v, start, fv, fa, x, m);
            if longest < best || longest == best && (found == v || names.at(t) < names.at(found)) {
                best = longest;
                found = t;
            }
        }
    }
    *awake = found != v && !first;
    if found != v && first {
        *goal = Some(found);
        *collapses += 1;
    }
}

/// Moves the corner of a facet that has a goal there, and wakes the others. A facet that has its goal already dies, and notes what lies behind
/// it: first the facet that has its two corners from now on, then the one on the other side.
///
/// Of the corners of a facet, one at most has a goal. A green facet that changes is no half of anything from then on.
#[op2::kernel]
pub fn collapse(
    goal: [&Option<Idx<Verts>>; 3],
    n: &[Option<Idx<Facets>>; 3],
    c: &mut [Idx<Verts>; 3],
    sibling: &mut Option<Idx<Facets>>,
    alive: &mut bool,
    behind: &mut [Option<Idx<Facets>>; 2],
    woken: [&mut bool; 3],
) {
    for i in 0..3 {
        if let Some(t) = *goal[i] {
            let (next, last) = ((i + 1) % 3, (i + 2) % 3);
            if t == c[next] {
                *alive = false;
                *behind = [n[last], n[next]];
            }
            if t == c[last] {
                *alive = false;
                *behind = [n[i], n[next]];
            }
            c[i] = t;
            *sibling = None;
            *woken[next] |= true;
            *woken[last] |= true;
        }
    }
}

/// Replaces neighbours that died by those behind them.
///
/// Two dead facets may stand in a row, if they belong to collapses on both sides of the edge between them.
#[op2::kernel]
pub fn reattach(
    me: Idx<Facets>,
    alive: &Table<Facets, bool>,
    behind: &Table<Facets, [Option<Idx<Facets>>; 2]>,
    n: &mut [Option<Idx<Facets>>; 3],
) {
    for i in 0..3 {
        if let Some(dead) = n[i] {
            if !alive.at(dead) {
                let sides = behind.at(dead);
                n[i] = sides[0];
                if sides[0] == Some(me) {
                    n[i] = match sides[1] {
                        Some(far) => Some(living(far, behind)),
                        None => None,
                    };
                }
            }
        }
    }
}

/// Before dead facets leave: the tip of a vertex is a living facet, and vertices that collapsed do not stay.
#[op2::kernel]
pub fn settle(
    goal: &Option<Idx<Verts>>,
    behind: &Table<Facets, [Option<Idx<Facets>>; 2]>,
    tip: &mut Idx<Facets>,
    stays: &mut bool,
) {
    *tip = living(*tip, behind);
    *stays = goal.is_none();
}

/// Prepares a phase: no vertex has been beside a collapse yet, and all inner ones have to decide.
#[op2::kernel]
pub fn start(
    number: u32,
    inner: &bool,
    name: &mut u32,
    woken: &mut bool,
    awake: &mut bool,
    goal: &mut Option<Idx<Verts>>,
) {
    *name = hash(number);
    *woken = false;
    *awake = *inner;
    *goal = None;
}
