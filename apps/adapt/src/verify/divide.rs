//! Checks of refinement.

use crate::mesh::Mesh;
use crate::mesh::edges::{adjacency, around};
use crate::metric::{Tensor, is_long};

/// How a pass of refinement divides a facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Not at all.
    None,
    /// Into two, at the middle of one edge, because one neighbour is red.
    Green,
    /// Into four, at the middles of its edges.
    Red,
}

/// How a pass divides each facet: those with an edge longer than [`LUP`](crate::metric::LUP) are red, and so is, again and again, each with two
/// red neighbours or more; what has one red neighbour in the end is green (Bank's regular refinement; the thesis,
/// algorithm 7 and section 6.7).
///
/// # Panics
/// If a facet names a vertex that is not there, or a vertex has no tensor.
pub fn closure(mesh: &Mesh, tensors: &[Tensor]) -> Vec<Division> {
    let near = adjacency(&mesh.facets, mesh.vertices.len());
    let is_long = |[a, b]: [u32; 2]| {
        let [a, b] = [a as usize, b as usize];
        is_long(mesh.vertices[a], mesh.vertices[b], tensors[a], tensors[b])
    };
    let mut red: Vec<bool> = mesh.facets.iter().map(|facet| around(*facet).into_iter().any(is_long)).collect();
    let around_red =
        |red: &[bool], facet: u32| near[facet as usize].iter().flatten().filter(|g| red[**g as usize]).count();
    let mut waiting: Vec<u32> = (0..mesh.facets.len() as u32).collect();
    while let Some(facet) = waiting.pop() {
        if !red[facet as usize] && around_red(&red, facet) > 1 {
            red[facet as usize] = true;
            waiting.extend(near[facet as usize].iter().flatten());
        }
    }
    let division = |facet: u32| match (red[facet as usize], around_red(&red, facet)) {
        (true, _) => Division::Red,
        (false, 0) => Division::None,
        (false, _) => Division::Green,
    };
    (0..mesh.facets.len() as u32).map(division).collect()
}

/// The facets that a pass over a mesh without greens leaves, by the places of their vertices: those of a facet in the order in
/// which they go around it, from the least place on, and facets sorted.
///
/// # Panics
/// As [`closure`].
pub fn divided(mesh: &Mesh, tensors: &[Tensor]) -> Vec<[[f64; 2]; 3]> {
    let near = adjacency(&mesh.facets, mesh.vertices.len());
    let divisions = closure(mesh, tensors);
    let mut facets = Vec::new();
    for (number, division) in divisions.iter().enumerate() {
        let [a, b, c] = mesh.corners(number);
        let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[a, b]| [0, 1].map(|k| 0.5 * (a[k] + b[k])));
        match division {
            Division::None => facets.push([a, b, c]),
            Division::Red => facets.extend([[ab, bc, ca], [a, ab, ca], [b, bc, ab], [c, ca, bc]]),
            Division::Green => {
                let is_red = |n: &Option<u32>| n.is_some_and(|n| divisions[n as usize] == Division::Red);
                match near[number].iter().position(is_red) {
                    Some(0) => facets.extend([[a, ab, c], [ab, b, c]]),
                    Some(1) => facets.extend([[b, bc, a], [bc, c, a]]),
                    _ => facets.extend([[c, ca, b], [ca, a, b]]),
                }
            }
        }
    }
    sorted(facets)
}

/// The facets of a mesh in the form of [`divided`].
///
/// # Panics
/// If a facet names a vertex that is not there.
pub fn places(mesh: &Mesh) -> Vec<[[f64; 2]; 3]> {
    sorted((0..mesh.facets.len()).map(|facet| mesh.corners(facet)).collect())
}

fn sorted(mut facets: Vec<[[f64; 2]; 3]>) -> Vec<[[f64; 2]; 3]> {
    let order = |a: &[f64; 2], b: &[f64; 2]| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]));
    for facet in &mut facets {
        let least = (0..3).min_by(|i, k| order(&facet[*i], &facet[*k])).unwrap_or(0);
        facet.rotate_left(least);
    }
    facets.sort_by(|a, b| order(&a[0], &b[0]).then(order(&a[1], &b[1])).then(order(&a[2], &b[2])));
    facets
}
