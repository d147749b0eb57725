//! Independent checks of an adapted mesh: what must hold after every phase, by plain loops over plain arrays.
//!
//! | check | of |
//! | --- | --- |
//! | [`Facts::of`] | areas positive, directed edges once, one fan at each vertex, no vertex without facets |
//! | [`adjacency`](fn@adjacency) | the same neighbours as those that vertices tell |
//! | [`same_domain`] | area, Euler's characteristic, length and corners of the boundary |
//! | [`counts`] | numbers of facets and vertices by the numbers of collapses and divisions |
//! | [`collapse::none_made_long`] | no edge above [`LUP`](crate::metric::LUP) that coarsening made |
//! | [`collapse::none_left`] | no short edge that a valid collapse could remove |
//! | [`divide::divided`] | the facets that a pass of refinement leaves |
//! | [`divide::halves`] | pairs of facets that are halves of one |
//! | [`phases`] | all of these, as far as they hold after a phase |

pub mod collapse;
pub mod divide;
pub mod phases;

use op2_apps::flaw::Flaw;

use crate::mesh::edges::{self, Edges, around};
use crate::mesh::{FACET, Mesh, sum};

/// How far the area and the length of the boundary may be from those before, relative to them, but for vertices that lie off by
/// rounding.
const APART: f64 = 1e-12;

/// A vertex of the boundary is a corner if the sine of the angle by which the boundary turns there is above this.
const STRAIGHT: f64 = 1e-9;

/// Of a mesh, all that adaptivity keeps or changes by a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of facets.
    pub facets: usize,
    /// Vertices - edges + facets: for each connected part of the domain 1 less its number of holes.
    pub euler: i64,
    /// The sum of the areas.
    pub area: f64,
    /// The sum of the lengths of edges with one facet.
    pub boundary: f64,
    /// The places where the boundary turns, sorted.
    pub corners: Vec<[f64; 2]>,
    /// By how much rounding may move a vertex: the distance of floats at the greatest coordinate.
    pub round: f64,
}

/// The collapses and divisions of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Vertices that collapsed onto a neighbour.
    pub collapses: usize,
    /// Pairs of facets that became their parent again before it was divided in another way.
    pub merged: usize,
    /// Facets divided into four.
    pub red: usize,
    /// Facets divided into two.
    pub green: usize,
    /// Edges divided at a new vertex.
    pub split: usize,
}

impl Facts {
    /// Checks the mesh by itself, and gathers what is compared with others.
    ///
    /// # Errors
    /// As [`Mesh::check`], but any area above 0 will do.
    pub fn of(mesh: &Mesh) -> Result<Self, Flaw> {
        mesh.check_but_for(0.0)?;
        let edges = Edges::of(&mesh.facets, mesh.vertices.len());
        let all = || mesh.facets.iter().flat_map(|facet| around(*facet));
        let border: Vec<[u32; 2]> = all().filter(|[a, b]| edges.facet([*b, *a]).is_none()).collect();
        // Edges inside are there in both directions.
        let edges = (3 * mesh.facets.len() + border.len()) / 2;
        let greatest = mesh.vertices.as_flattened().iter().fold(0.0_f64, |greatest, c| greatest.max(c.abs()));
        let round = f64::EPSILON * greatest;
        let along = |[a, b]: &[u32; 2]| {
            let [a, b] = [a, b].map(|v| mesh.vertices[*v as usize]);
            [b[0] - a[0], b[1] - a[1]]
        };
        let mut arriving = vec![None; mesh.vertices.len()];
        border.iter().for_each(|edge| arriving[edge[1] as usize] = Some(along(edge)));
        let turns = |edge: &&[u32; 2]| {
            let [x, y] = along(edge);
            // Each vertex of the boundary has one edge to it and one from it, because its facets are one fan.
            arriving[edge[0] as usize].is_some_and(|[u, v]: [f64; 2]| {
                let [sine, cosine] = [u * y - v * x, u * x + v * y];
                let lengths = [x.hypot(y), u.hypot(v)];
                sine.abs() > STRAIGHT * lengths[0] * lengths[1] + 2.0 * round * (lengths[0] + lengths[1])
                    || cosine < 0.0
            })
        };
        let mut corners: Vec<[f64; 2]> = border.iter().filter(turns).map(|[a, _]| mesh.vertices[*a as usize]).collect();
        corners.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        Ok(Self {
            vertices: mesh.vertices.len(),
            facets: mesh.facets.len(),
            euler: mesh.vertices.len() as i64 - edges as i64 + mesh.facets.len() as i64,
            area: mesh.area(),
            boundary: sum(border.iter().map(along).map(|[x, y]| x.hypot(y))),
            corners,
            round,
        })
    }
}

/// Fails unless `found`, across each edge of each facet, are the neighbours that the vertices tell.
///
/// # Errors
/// The first facet with another one.
///
/// # Panics
/// If a facet names a vertex that is not there.
pub fn adjacency(mesh: &Mesh, found: &[[Option<u32>; 3]]) -> Result<(), Flaw> {
    let expected = edges::adjacency(&mesh.facets, mesh.vertices.len());
    if found.len() != expected.len() {
        let (found, expected) = (found.len(), expected.len());
        return Err(Flaw::of_mesh(format!("the neighbours of {found} facets are stored, expected {expected}")));
    }
    match found.iter().zip(&expected).position(|(found, expected)| found != expected) {
        None => Ok(()),
        Some(facet) => {
            let shown = |neighbours: [Option<u32>; 3]| {
                neighbours.map(|n| n.map_or("none".to_owned(), |n| n.to_string())).join(", ")
            };
            let reason = format!(
                "its neighbours are stored as {}, expected {} by the vertices of facets",
                shown(found[facet]),
                shown(expected[facet])
            );
            Err(Flaw::at(FACET, facet, expected.len(), reason))
        }
    }
}

/// Fails unless both meshes cover the same domain as far as their facts tell.
///
/// # Errors
/// The first fact that differs, with both values.
pub fn same_domain(before: &Facts, after: &Facts) -> Result<(), Flaw> {
    let near = |a: f64, b: f64, round: f64| (a - b).abs() <= APART * a.abs() + round;
    let differ = |what: &str, before: String, after: String| {
        Err(Flaw::of_mesh(format!("{what} is {after}, expected {before} as before")))
    };
    // All vertices of the boundary may lie off by rounding; its length hardly feels it.
    if !near(before.area, after.area, 2.0 * before.boundary * after.round) {
        return differ("the sum of the areas", before.area.to_string(), after.area.to_string());
    }
    if before.euler != after.euler {
        return differ("Euler's characteristic", before.euler.to_string(), after.euler.to_string());
    }
    if !near(before.boundary, after.boundary, 0.0) {
        return differ("the length of the boundary", before.boundary.to_string(), after.boundary.to_string());
    }
    if before.corners == after.corners {
        return Ok(());
    }
    let [old, new] = [&before.corners, &after.corners];
    let first = old.iter().zip(new).position(|(a, b)| a != b).unwrap_or(old.len().min(new.len()));
    let shown = |corners: &[[f64; 2]]| corners.get(first).map_or("none".to_owned(), |[x, y]| format!("({x}, {y})"));
    let reason = format!(
        "the boundary has {} corners, expected {} as before; corner {first} in their order is {}, expected {}",
        new.len(),
        old.len(),
        shown(new),
        shown(old)
    );
    Err(Flaw::of_mesh(reason))
}

/// Fails unless the numbers of facets and vertices follow from those before: F' = F - 2·collapses - merged + 3·red + green,
/// V' = V - collapses + split.
///
/// # Errors
/// The number that differs.
pub fn counts(before: &Facts, after: &Facts, changes: &Changes) -> Result<(), Flaw> {
    let Changes { collapses, merged, red, green, split } = *changes;
    let [less, more] = [2 * collapses + merged, 3 * red + green];
    let facets = (before.facets + more).checked_sub(less);
    let vertices = (before.vertices + split).checked_sub(collapses);
    for (what, found, expected) in [("facets", after.facets, facets), ("vertices", after.vertices, vertices)] {
        if Some(found) != expected {
            let expected = expected.map_or("a number below 0".to_owned(), |n| n.to_string());
            return Err(Flaw::of_mesh(format!(
                "the mesh has {found} {what}, expected {expected}: there were {} facets and {} vertices, then {changes:?}",
                before.facets, before.vertices
            )));
        }
    }
    Ok(())
}
