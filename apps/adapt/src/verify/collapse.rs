//! Checks of coarsening.

use std::collections::HashSet;

use op2_apps::flaw::Flaw;

use crate::mesh::edges::{Edges, around};
use crate::mesh::{FACET, Mesh, VERTEX, twice_area};
use crate::metric::{LLOW, LUP, Tensor, length};

/// Rounding of lengths: kernels may compute them in another order of operations.
const ROUND: f64 = 1e-9;

/// A facet whose double area is below this, relative to the square of its longest edge, may count as flat: kernels have another
/// formula.
const THIN: f64 = 1e-8;

/// Fails if coarsening made an edge longer than [`LUP`]: one of `after` that `before` does not have between the same places.
/// `tensors` are those at the vertices of `after`.
///
/// # Errors
/// The first facet with such an edge.
///
/// # Panics
/// If a facet names a vertex that is not there, or a vertex has no tensor.
pub fn none_made_long(before: &Mesh, after: &Mesh, tensors: &[Tensor]) -> Result<(), Flaw> {
    let key = |mesh: &Mesh, [a, b]: [u32; 2]| {
        let [a, b] = [a, b].map(|v| mesh.vertices[v as usize].map(f64::to_bits));
        [a.min(b), a.max(b)]
    };
    let mut old = None;
    for (number, facet) in after.facets.iter().enumerate() {
        for edge in around(*facet) {
            let long = along(after, tensors, edge);
            if long <= LUP * (1.0 + ROUND) {
                continue;
            }
            let old = old.get_or_insert_with(|| {
                let all = before.facets.iter().flat_map(|facet| around(*facet));
                all.map(|edge| key(before, edge)).collect::<HashSet<_>>()
            });
            if !old.contains(&key(after, edge)) {
                let [a, b] = edge;
                let reason = format!(
                    "its edge from vertex {a} to {b} is {long} long and was not there before, expected at most {LUP} for \
                     edges that coarsening makes"
                );
                return Err(Flaw::at(FACET, number, after.facets.len(), reason));
            }
        }
    }
    Ok(())
}

/// Fails if a vertex inside could still collapse onto a neighbour, as of [`find`].
///
/// # Errors
/// The first such vertex.
///
/// # Panics
/// If a facet names a vertex that is not there, or a vertex has no tensor.
pub fn none_left(mesh: &Mesh, tensors: &[Tensor]) -> Result<(), Flaw> {
    find(mesh, tensors).map_or(Ok(()), |[v, t]| {
        let reason = format!(
            "it could still collapse onto vertex {t}, along an edge of {}, expected no valid collapse below {LLOW}",
            along(mesh, tensors, [v, t])
        );
        Err(Flaw::at(VERTEX, v as usize, mesh.vertices.len(), reason))
    })
}

/// The first vertex v inside, and its first neighbour t, onto which it may collapse: their edge is shorter than [`LLOW`], and
/// with t in place of v every facet of v without t has an area above 0, and no edge is made that is longer than [`LUP`].
/// `tensors` are those at the vertices.
///
/// # Panics
/// As [`none_left`].
pub fn find(mesh: &Mesh, tensors: &[Tensor]) -> Option<[u32; 2]> {
    let edges = Edges::of(&mesh.facets, mesh.vertices.len());
    let ends = (0..mesh.vertices.len() as u32).flat_map(|v| edges.leaving(v).iter().map(move |[t, _]| [v, *t]));
    ends.into_iter().find(|ends| may_collapse(mesh, tensors, &edges, *ends))
}

/// Whether v may collapse onto t beyond doubt: by more than rounding.
fn may_collapse(mesh: &Mesh, tensors: &[Tensor], edges: &Edges, [v, t]: [u32; 2]) -> bool {
    let ring = edges.leaving(v);
    let inside = ring.iter().all(|[end, _]| edges.facet([*end, v]).is_some());
    if !inside || along(mesh, tensors, [v, t]) >= LLOW * (1.0 - ROUND) {
        return false;
    }
    let [gone, kept]: [Vec<[u32; 3]>; 2] = [true, false]
        .map(|gone| ring.iter().map(|[_, f]| mesh.facets[*f as usize]).filter(|f| f.contains(&t) == gone).collect());
    kept.into_iter().map(|facet| facet.map(|corner| if corner == v { t } else { corner })).all(|facet| {
        let corners = facet.map(|corner| mesh.vertices[corner as usize]);
        let square =
            |[a, b]: [usize; 2]| (corners[a][0] - corners[b][0]).powi(2) + (corners[a][1] - corners[b][1]).powi(2);
        let longest = [[0, 1], [1, 2], [2, 0]].map(square).into_iter().fold(0.0, f64::max);
        // An edge from t to the third vertex of a facet that goes is there already.
        let made = facet.into_iter().filter(|end| *end != t && !gone.iter().any(|facet| facet.contains(end)));
        twice_area(&corners) > THIN * longest
            && made.into_iter().all(|end| along(mesh, tensors, [t, end]) <= LUP * (1.0 - ROUND))
    })
}

fn along(mesh: &Mesh, tensors: &[Tensor], [a, b]: [u32; 2]) -> f64 {
    let [a, b] = [a as usize, b as usize];
    length(mesh.vertices[a], mesh.vertices[b], tensors[a], tensors[b])
}
