//! Refinement: facets with a long edge are divided into four, those beside them into two, where an edge has a middle.
//!
//! | kernel | over | of the thesis (table 6.2) |
//! | --- | --- | --- |
//! | [`evaluate`] | facets | R3 `evaluateFacets` |
//! | [`spread`] | facets, until nothing changes | R4 `markFacets` |
//! | [`claim`] | facets | R6 `markVertices` |
//! | [`populate`], [`interpolate`] | facets, their new vertices | R8 `populateVertices` |
//! | [`borrow`] | facets | R9 `dereferenceVertexIndices` |
//! | [`divide`] | facets to be divided, their children | R10 `populateFacets` |
//! | [`adjoin`] | facets that were there before, their children | R11 `updateFacetAdjacency` |
//! | [`lodge`] | vertices | – |
//!
//! R5 `memoryIndex` and R7 `indexVertices` are calls of [`Op2::grow`](op2::Op2::grow), R1 and R2 are in [`colour`](super::colour).
//!
//! Put right against the thesis:
//!
//! * *Green facets are merged before they are divided* (R. E. Bank, PLTMG). A facet divided into two is half as wide at one corner, and narrower
//!   each time that its halves are divided. Here two such halves are siblings, and know it until coarsening changes one. If one of them
//!   has to be divided, or an edge of it is, both become their parent again and are divided into four together. Where a
//!   neighbour divides a half of their parent's edge, the child there is divided into two.
//! * *No colours.* The facet with the lower number owns an edge that is divided, and makes the vertex in its middle. The
//!   thesis divides the facets of one colour after the other.
//!
//! The first corner of a green facet is the middle of its parent's edge. So of two siblings, going round counter-clockwise, the first has its
//! sibling behind edge 0, the second behind edge 2, and edge 1 of both is an edge of the parent.

use super::geometry::squared_length;
use super::{Facets, Verts};
use op2::{Idx, Row, Table};

/// [`LUP`](crate::metric::LUP) squared.
const UPPER: f64 = 2.0;
/// The mark of a facet that divides all its edges.
const RED: u32 = 7;
/// The mark of a green facet whose parent is divided into four: it divides edge 1, the only one that is an edge of the parent.
const MERGED: u32 = 2;

/// Marks facets with a long edge. `twin` is the sibling of a facet if coarsening has changed neither of both.
#[op2::kernel]
pub fn evaluate(
    me: Idx<Facets>,
    x: [&[f64; 2]; 3],
    m: [&[f64; 3]; 3],
    n: &[Option<Idx<Facets>>; 3],
    sibling: &Option<Idx<Facets>>,
    siblings: &Table<Facets, Option<Idx<Facets>>>,
    twin: &mut Option<Idx<Facets>>,
    mark: &mut u32,
    any: &mut bool,
) {
    *twin = None;
    if let Some(other) = *sibling {
        if siblings.at(other) == Some(me) && (n[0] == Some(other) || n[2] == Some(other)) {
            *twin = Some(other);
        }
    }
    let mut long = false;
    for i in 0..3 {
        let k = (i + 1) % 3;
        long |= squared_length(*x[i], *x[k], *m[i], *m[k]) > UPPER;
    }
    *mark = if !long {
        0
    } else if twin.is_some() {
        MERGED
    } else {
        RED
    };
    *any |= long;
}

/// Whether a facet `g` with this mark divides the edge that it shares with `me`.
#[op2::device_fn]
fn divides(g: Idx<Facets>, mark: u32, me: Idx<Facets>, fa: &Table<Facets, [Option<Idx<Facets>>; 3]>) -> bool {
    mark == RED || mark == MERGED && fa.at(g)[1] == Some(me)
}

/// Marks facets two edges of which are divided, and green ones with any, or with a marked sibling.
#[op2::kernel]
pub fn spread(
    me: Idx<Facets>,
    n: &[Option<Idx<Facets>>; 3],
    twin: &Option<Idx<Facets>>,
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    marks: &Table<Facets, u32>,
    mark: &u32,
    next: &mut u32,
    changed: &mut bool,
) {
    *next = *mark;
    if *mark != 0 {
        return;
    }
    let mut divided = 0;
    for i in 0..3 {
        if let Some(g) = n[i] {
            let theirs = marks.at(g);
            if theirs != 0 && (*twin == Some(g) || divides(g, theirs, me, fa)) {
                divided += 1;
            }
        }
    }
    if twin.is_some() && divided > 0 {
        *next = MERGED;
    }
    if twin.is_none() && divided > 1 {
        *next = RED;
    }
    *changed |= *next != 0;
}

/// Finds the edges of a facet that are divided, `cut`, and those of which it makes the middle, `mine`: bit i stands for edge i. Counts their
/// new vertices and facets, `own` and `more`.
#[op2::kernel]
pub fn claim(
    me: Idx<Facets>,
    number: u32,
    numbers: [Option<u32>; 3],
    n: &[Option<Idx<Facets>>; 3],
    twin: &Option<Idx<Facets>>,
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    marks: &Table<Facets, u32>,
    mark: &u32,
    cut: &mut u32,
    mine: &mut u32,
    own: &mut u32,
    more: &mut u32,
    sibling: &mut Option<Idx<Facets>>,
    family: &mut [Option<Idx<Facets>>; 3],
    red: &mut u32,
    green: &mut u32,
    merged: &mut u32,
) {
    *sibling = *twin;
    *family = [None, None, None];
    *cut = *mark;
    *mine = 0;
    *own = 0;
    for i in 0..3 {
        if let Some(g) = n[i] {
            if divides(g, marks.at(g), me, fa) {
                *cut |= 1 << i;
            }
        }
        if *cut >> i & 1 == 1 && number < numbers[i].unwrap_or(u32::MAX) {
            *mine |= 1 << i;
            *own += 1;
        }
    }
    *more = 0;
    if *mark == RED {
        *more = 3;
        *red += 1;
    } else if *mark == MERGED {
        // The half of the parent's edge may be divided, too.
        let half = u32::from(*cut != MERGED);
        *more = 1 + half;
        *green += half;
        if n[0] == *twin {
            *red += 1;
            *merged += 1;
        }
    } else if *cut != 0 {
        *more = 1;
        *green += 1;
    }
}

/// Makes the new vertices of a facet: their places, a facet of each, and whether they are inside the domain. `mid` are the middles of edges
/// that the facet has made.
#[op2::kernel]
pub fn populate(
    me: Idx<Facets>,
    mine: &u32,
    n: &[Option<Idx<Facets>>; 3],
    x: [&[f64; 2]; 3],
    born: &Row<Idx<Verts>>,
    new: &mut Row<[f64; 2]>,
    tip: &mut Row<Idx<Facets>>,
    inner: &mut Row<bool>,
    mid: &mut [Option<Idx<Verts>>; 3],
) {
    let mut k = 0;
    for i in 0..3 {
        mid[i] = None;
        if *mine >> i & 1 == 1 {
            let (a, b) = (x[i], x[(i + 1) % 3]);
            new[k] = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            tip[k] = me;
            inner[k] = n[i].is_some();
            mid[i] = Some(born[k]);
            k += 1;
        }
    }
}

/// Interpolates a field at the new vertices of a facet.
#[op2::kernel]
pub fn interpolate(mine: &u32, u: [&f64; 3], new: &mut Row<f64>) {
    let mut k = 0;
    for i in 0..3 {
        if *mine >> i & 1 == 1 {
            new[k] = 0.5 * (*u[i] + *u[(i + 1) % 3]);
            k += 1;
        }
    }
}

/// Gets the middles of edges that a neighbour has made.
#[op2::kernel]
pub fn borrow(
    me: Idx<Facets>,
    cut: &u32,
    mid: &[Option<Idx<Verts>>; 3],
    n: &[Option<Idx<Facets>>; 3],
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    theirs: &Table<Facets, [Option<Idx<Verts>>; 3]>,
    mids: &mut [Option<Idx<Verts>>; 3],
) {
    *mids = *mid;
    for i in 0..3 {
        if *cut >> i & 1 == 1 && mid[i].is_none() {
            if let Some(g) = n[i] {
                let (back, made) = (fa.at(g), theirs.at(g));
                for j in 0..3 {
                    if back[j] == Some(me) {
                        mids[i] = made[j];
                    }
                }
            }
        }
    }
}

/// Divides a facet: it becomes one of the parts, and its children the others.
///
/// | facet | part that it becomes | children |
/// | --- | --- | --- |
/// | red | the middle one | those at its corners |
/// | green | the first sibling | the second one |
/// | one of two siblings that are merged | the part, or the first half of it, at the end of the parent's divided edge | first sibling: the part at the corner opposite to that edge; second one: the middle one. Then the second half |
#[op2::kernel]
pub fn divide(
    me: Idx<Facets>,
    mark: &u32,
    n: &[Option<Idx<Facets>>; 3],
    twin: &Option<Idx<Facets>>,
    mids: &[Option<Idx<Verts>>; 3],
    all: &Table<Facets, [Option<Idx<Verts>>; 3]>,
    kids: &Row<Idx<Facets>>,
    c: &mut [Idx<Verts>; 3],
    new: &mut Row<[Idx<Verts>; 3]>,
    sibling: &mut Option<Idx<Facets>>,
    siblings: &mut Row<Option<Idx<Facets>>>,
    family: &mut [Option<Idx<Facets>>; 3],
) {
    *family = [None, None, None];
    for k in 0..kids.len() {
        family[k] = Some(kids[k]);
        siblings[k] = None;
    }
    *sibling = None;
    let v = *c;
    if *mark == RED {
        let (x, y, z) = (mids[0].unwrap_or(v[0]), mids[1].unwrap_or(v[1]), mids[2].unwrap_or(v[2]));
        *c = [x, y, z];
        new[0] = [v[0], x, z];
        new[1] = [v[1], y, x];
        new[2] = [v[2], z, y];
        return;
    }
    // The edge from a to b, with its middle if it is divided, and the corner opposite.
    let (mut a, mut b, mut opposite, mut middle) = (v[0], v[1], v[2], mids[0]);
    // The child that is the second half.
    let mut last = 0;
    if *mark == MERGED {
        last = 1;
        let ours = mids[1].unwrap_or(v[1]);
        let theirs = all.at(twin.unwrap_or(me))[1].unwrap_or(v[1]);
        opposite = ours;
        if n[0] == *twin {
            a = v[2];
            b = v[0];
            middle = mids[2];
            new[0] = [ours, theirs, v[1]];
        } else {
            new[0] = [v[0], ours, theirs];
        }
    } else {
        for i in 0..3 {
            if mids[i].is_some() {
                a = v[i];
                b = v[(i + 1) % 3];
                opposite = v[(i + 2) % 3];
                middle = mids[i];
            }
        }
    }
    *c = [a, b, opposite];
    if let Some(h) = middle {
        *c = [h, opposite, a];
        new[last] = [h, b, opposite];
        *sibling = Some(kids[last]);
        siblings[last] = Some(me);
    }
}

/// Whether a facet with these corners has the edge from `a` to `b`.
#[op2::device_fn]
fn has(c: [Idx<Verts>; 3], a: Idx<Verts>, b: Idx<Verts>) -> bool {
    c[0] == a && c[1] == b || c[1] == a && c[2] == b || c[2] == a && c[0] == b
}

/// The part of `g`, or of its twin, that has the edge from `a` to `b`.
#[op2::device_fn]
fn part(
    g: Option<Idx<Facets>>,
    a: Idx<Verts>,
    b: Idx<Verts>,
    fv: &Table<Facets, [Idx<Verts>; 3]>,
    families: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    twins: &Table<Facets, Option<Idx<Facets>>>,
) -> Option<Idx<Facets>> {
    let mut house = g;
    for _ in 0..2 {
        if let Some(h) = house {
            if has(fv.at(h), a, b) {
                return Some(h);
            }
            let family = families.at(h);
            for k in 0..3 {
                if let Some(kid) = family[k] {
                    if has(fv.at(kid), a, b) {
                        return Some(kid);
                    }
                }
            }
            house = twins.at(h);
        }
    }
    None
}

/// Finds the neighbours of a facet and of its children, among the parts of the neighbours that it had.
#[op2::kernel]
pub fn adjoin(
    me: Idx<Facets>,
    mark: &u32,
    cut: &u32,
    n: &[Option<Idx<Facets>>; 3],
    twin: &Option<Idx<Facets>>,
    kids: &Row<Idx<Facets>>,
    fv: &Table<Facets, [Idx<Verts>; 3]>,
    fa: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    families: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    twins: &Table<Facets, Option<Idx<Facets>>>,
    new: &mut [Option<Idx<Facets>>; 3],
    of_kids: &mut Row<[Option<Idx<Facets>>; 3]>,
) {
    *new = [None, None, None];
    if *mark == RED {
        *new = [Some(kids[1]), Some(kids[2]), Some(kids[0])];
        for k in 0..3 {
            let c = fv.at(kids[k]);
            let next = part(n[k], c[1], c[0], fv, families, twins);
            let last = part(n[(k + 2) % 3], c[0], c[2], fv, families, twins);
            of_kids[k] = [next, Some(me), last];
        }
    } else if *cut == 0 {
        let c = fv.at(me);
        for i in 0..3 {
            new[i] = part(n[i], c[(i + 1) % 3], c[i], fv, families, twins);
        }
    } else {
        // An edge may be inside, or on the border of the twin.
        let mut around = *n;
        if let Some(other) = *twin {
            around = fa.at(other);
        }
        for k in 0..kids.len() + 1 {
            let c = fv.at(if k == 0 { me } else { kids[k - 1] });
            let mut found = [None, None, None];
            for i in 0..3 {
                let (a, b) = (c[i], c[(i + 1) % 3]);
                found[i] = part(Some(me), b, a, fv, families, twins);
                for j in 0..3 {
                    if found[i].is_none() {
                        found[i] = part(n[j], b, a, fv, families, twins);
                    }
                    if found[i].is_none() {
                        found[i] = part(around[j], b, a, fv, families, twins);
                    }
                }
            }
            if k == 0 {
                *new = found;
            } else {
                of_kids[k - 1] = found;
            }
        }
    }
}

/// The tip of a vertex is the part of it that still has the vertex.
#[op2::kernel]
pub fn lodge(
    v: Idx<Verts>,
    fv: &Table<Facets, [Idx<Verts>; 3]>,
    families: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    twins: &Table<Facets, Option<Idx<Facets>>>,
    tip: &mut Idx<Facets>,
) {
    let mut house = Some(*tip);
    for _ in 0..2 {
        if let Some(h) = house {
            let c = fv.at(h);
            if c[0] == v || c[1] == v || c[2] == v {
                *tip = h;
                return;
            }
            let family = families.at(h);
            for k in 0..3 {
                if let Some(kid) = family[k] {
                    let c = fv.at(kid);
                    if c[0] == v || c[1] == v || c[2] == v {
                        *tip = kid;
                        return;
                    }
                }
            }
            house = twins.at(h);
        }
    }
}
