//! Checks of refinement.

use op2_apps::flaw::{Flaw, expect_length};

use crate::mesh::edges::{adjacency, around};
use crate::mesh::{FACET, Mesh};
use crate::metric::{Tensor, is_long};

/// How a pass of refinement divides a facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Not at all.
    None,
    /// Into two, at the middle of one edge, because one neighbour divides it.
    Green,
    /// Into four, at the middles of its edges.
    Red,
    /// Together with its sibling: both become the facet whose halves they are, and that is divided into four.
    Merged,
}

/// The other half of each facet that is half of an earlier one. Of both, corner 0 is the middle of the edge that was divided, and
/// edge 1 an edge of the earlier facet.
///
/// # Errors
/// The first facet with a sibling that is not its other half.
pub fn halves(mesh: &Mesh, siblings: &[Option<u32>]) -> Result<Vec<Option<u32>>, Flaw> {
    expect_length("siblings", siblings.len(), "facets", mesh.facets.len())?;
    let near = adjacency(&mesh.facets, mesh.vertices.len());
    let mutual = |facet: usize| {
        let other = siblings[facet]?;
        let both = siblings.get(other as usize) == Some(&Some(facet as u32));
        let beside = near[facet][0] == Some(other) || near[facet][2] == Some(other);
        (both && beside).then_some(other)
    };
    let halves: Vec<Option<u32>> = (0..mesh.facets.len()).map(mutual).collect();
    for (facet, other) in halves.iter().enumerate() {
        // Of each pair, the first one has the other behind edge 0.
        let Some(other) = other.filter(|other| near[facet][0] == Some(*other)) else { continue };
        let ([h, _, a], [k, b, _]) = (mesh.corners(facet), mesh.corners(other as usize));
        if h != k || h != middle(a, b) {
            let reason = format!("facet {other} is its sibling, expected two halves of a facet");
            return Err(Flaw::at(FACET, facet, mesh.facets.len(), reason));
        }
    }
    Ok(halves)
}

/// How a pass divides each facet, where facets with an entry in `halves` are two halves of one.
///
/// A facet with an edge longer than [`LUP`](crate::metric::LUP) is red, and so is, again and again, each with two or more edges
/// that neighbours divide. Two halves are merged if one of them has a long edge, or an edge that a neighbour divides. Red facets
/// divide their edges; merged ones those of the facet whose halves they are. A facet with one divided edge in the end is green (R.
/// E. Bank, PLTMG; the thesis, algorithm 7 and section 6.7).
///
/// # Panics
/// If a facet names a vertex that is not there, or a vertex has no tensor, or a facet no entry.
pub fn closure(mesh: &Mesh, tensors: &[Tensor], halves: &[Option<u32>]) -> Vec<Division> {
    let near = adjacency(&mesh.facets, mesh.vertices.len());
    let is_long = |[a, b]: [u32; 2]| {
        let [a, b] = [a as usize, b as usize];
        is_long(mesh.vertices[a], mesh.vertices[b], tensors[a], tensors[b])
    };
    let long: Vec<bool> = mesh.facets.iter().map(|facet| around(*facet).into_iter().any(is_long)).collect();
    let mut found = vec![Division::None; mesh.facets.len()];
    let mut waiting: Vec<u32> = (0..mesh.facets.len() as u32).collect();
    while let Some(facet) = waiting.pop() {
        let f = facet as usize;
        let divided = cut(&near, &found, f).iter().filter(|cut| **cut).count();
        let next = match halves[f] {
            _ if found[f] != Division::None => continue,
            Some(other) if long[f] || divided > 0 || found[other as usize] == Division::Merged => Division::Merged,
            None if long[f] || divided > 1 => Division::Red,
            _ => continue,
        };
        found[f] = next;
        waiting.extend(near[f].iter().flatten());
    }
    let green: Vec<usize> =
        (0..found.len()).filter(|f| found[*f] == Division::None && cut(&near, &found, *f).contains(&true)).collect();
    green.into_iter().for_each(|f| found[f] = Division::Green);
    found
}

/// Which edges of a facet are divided, by itself or by a neighbour.
fn cut(near: &[[Option<u32>; 3]], divisions: &[Division], facet: usize) -> [bool; 3] {
    let divides = |f: usize, edge: usize| match divisions[f] {
        Division::Red => true,
        Division::Merged => edge == 1,
        Division::None | Division::Green => false,
    };
    [0, 1, 2].map(|edge| {
        let behind = near[facet][edge].map(|g| g as usize).is_some_and(|g| {
            let back = near[g].iter().position(|n| *n == Some(facet as u32));
            back.is_some_and(|back| divides(g, back))
        });
        behind || divides(facet, edge)
    })
}

/// The facets that a pass leaves, by the places of their vertices: those of a facet in the order in which they go around it, from
/// the least place on, and facets sorted.
///
/// # Panics
/// As [`closure`].
pub fn divided(mesh: &Mesh, tensors: &[Tensor], halves: &[Option<u32>]) -> Vec<[[f64; 2]; 3]> {
    let near = adjacency(&mesh.facets, mesh.vertices.len());
    let divisions = closure(mesh, tensors, halves);
    let mut facets = Vec::new();
    for (number, division) in divisions.iter().enumerate() {
        let corners = mesh.corners(number);
        let cut = cut(&near, &divisions, number);
        match (division, halves[number]) {
            (Division::Red, _) => facets.extend(four(corners)),
            (Division::Merged, Some(other)) if near[number][0] == Some(other) => {
                let ([h, o, a], [_, b, _]) = (corners, mesh.corners(other as usize));
                let [middle, at_a, at_b, at_o] = four([a, b, o]);
                facets.extend([middle, at_o]);
                let other_cut = self::cut(&near, &divisions, other as usize);
                // The edge from a over h to b was divided before, so its halves may be now.
                facets.extend(parts(at_a, cut[2].then_some([a, h])));
                facets.extend(parts(at_b, other_cut[0].then_some([h, b])));
            }
            // With its sibling.
            (Division::Merged, _) => {}
            (Division::None | Division::Green, _) => {
                let edge = cut.iter().position(|cut| *cut).map(|k| [corners[k], corners[(k + 1) % 3]]);
                facets.extend(parts(corners, edge));
            }
        }
    }
    sorted(facets)
}

fn middle(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|k| 0.5 * (a[k] + b[k]))
}

/// The parts of a red facet: the middle one, and those at its corners.
fn four([a, b, c]: [[f64; 2]; 3]) -> [[[f64; 2]; 3]; 4] {
    let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    [[ab, bc, ca], [a, ab, ca], [b, bc, ab], [c, ca, bc]]
}

/// A facet, or the two parts of it if one of its edges is divided.
fn parts(facet: [[f64; 2]; 3], edge: Option<[[f64; 2]; 2]>) -> Vec<[[f64; 2]; 3]> {
    let Some([a, b]) = edge else { return vec![facet] };
    let [first, second] = [b, a].map(|gone| facet.map(|place| if place == gone { middle(a, b) } else { place }));
    vec![first, second]
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
