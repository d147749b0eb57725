//! All checks of a phase.

use op2::Op2;
use op2_apps::flaw::{Flaw, expect_length};

use super::divide::{divided, halves, places};
use super::{Changes, Facts, adjacency, collapse, counts, same_domain};
use crate::field::{Account, same_integral, within};
use crate::loops::Adaptive;
use crate::mesh::{Mesh, VERTEX};
use crate::metric::{Metric, Tensor, is_long};
use crate::outcome::{Counts, Field};

/// A mesh between two phases, and all that op2 has beside it.
#[derive(Clone, Debug)]
pub struct State {
    /// The mesh.
    pub mesh: Mesh,
    /// The neighbours of facets.
    pub neighbours: Vec<[Option<u32>; 3]>,
    /// The other half of each facet that is half of an earlier one; out of date if coarsening has come between, or not mutual.
    pub siblings: Vec<Option<u32>>,
    /// The metric at vertices.
    pub tensors: Vec<Tensor>,
    /// The fields.
    pub fields: Vec<Field>,
    /// How often things have happened so far.
    pub counts: Counts,
}

impl State {
    /// The mesh as it is now.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn of(op: &mut Op2, adaptive: &Adaptive) -> op2::Result<Self> {
        Ok(Self {
            mesh: adaptive.mesh(op)?,
            neighbours: adaptive.neighbours(op)?,
            siblings: adaptive.siblings(op)?,
            tensors: adaptive.tensors(op)?,
            fields: adaptive.fields(op)?,
            counts: adaptive.counts,
        })
    }
}

/// Fails unless `after` is a mesh that coarsening may make of `before`, and leave.
///
/// # Errors
/// The first flaw.
///
/// # Panics
/// If a facet of `before` names a vertex that is not there.
pub fn coarsened(before: &State, after: &State, metric: &Metric) -> Result<(), Flaw> {
    any(before, after, metric)?;
    collapse::none_made_long(&before.mesh, &after.mesh, &after.tensors)?;
    collapse::none_left(&after.mesh, &after.tensors)
}

/// Fails unless `after` is the mesh of [`divided`], facet by facet. Unless halves were merged, fields have to keep their
/// integrals.
///
/// # Errors
/// The first flaw.
///
/// # Panics
/// As [`coarsened`].
pub fn refined(before: &State, after: &State, metric: &Metric) -> Result<(), Flaw> {
    let facts = any(before, after, metric)?;
    let halves = halves(&before.mesh, &before.siblings)?;
    let expected = divided(&before.mesh, &metric.at_vertices(&before.mesh), &halves);
    let found = places(&after.mesh);
    if let Some(n) = expected.iter().zip(&found).position(|(expected, found)| expected != found) {
        let shown = |facet: &[[f64; 2]; 3]| facet.map(|[x, y]| format!("({x}, {y})")).join(" ");
        let reason = format!(
            "facet {n} of {} in the order of places is {}, expected {} by the rules of red-green subdivision",
            found.len(),
            shown(&found[n]),
            shown(&expected[n])
        );
        return Err(Flaw::of_mesh(reason));
    }
    if after.counts.merged != before.counts.merged {
        return Ok(());
    }
    for (old, new) in before.fields.iter().zip(&after.fields) {
        let accounts = [Account::of(&before.mesh, &old.values), Account::of(&after.mesh, &new.values)];
        same_integral(&new.name, accounts[0], accounts[1], facts.area)?;
    }
    Ok(())
}

/// Fails if either phase has something to do.
///
/// # Errors
/// The first vertex that could collapse, or how many edges are long.
///
/// # Panics
/// If a facet names a vertex that is not there, or a vertex has no tensor.
pub fn converged(mesh: &Mesh, tensors: &[Tensor]) -> Result<(), Flaw> {
    collapse::none_left(mesh, tensors)?;
    let long = |facet: &&[u32; 3]| {
        crate::mesh::edges::around(**facet).into_iter().any(|[a, b]| {
            let [a, b] = [a as usize, b as usize];
            is_long(mesh.vertices[a], mesh.vertices[b], tensors[a], tensors[b])
        })
    };
    match mesh.facets.iter().filter(long).count() {
        0 => Ok(()),
        n => {
            Err(Flaw::of_mesh(format!("the mesh has converged, but {n} of its facets have a long edge, expected none")))
        }
    }
}

/// All that both phases keep. Returns the facts of `after`.
fn any(before: &State, after: &State, metric: &Metric) -> Result<Facts, Flaw> {
    let facts = [Facts::of(&before.mesh)?, Facts::of(&after.mesh)?];
    adjacency(&after.mesh, &after.neighbours)?;
    halves(&after.mesh, &after.siblings)?;
    same_tensors(&after.tensors, &metric.at_vertices(&after.mesh))?;
    same_domain(&facts[0], &facts[1])?;
    counts(&facts[0], &facts[1], &changes(&before.counts, &after.counts))?;
    for (old, new) in before.fields.iter().zip(&after.fields) {
        within(old, &after.mesh, new)?;
    }
    let [_, after] = facts;
    Ok(after)
}

/// Fails unless vertices have the tensors of the metric at their places, but for rounding.
fn same_tensors(found: &[Tensor], expected: &[Tensor]) -> Result<(), Flaw> {
    expect_length("tensors", found.len(), "vertices", expected.len())?;
    let near = |found: &Tensor, expected: &Tensor| {
        let trace = expected[0] + expected[2];
        (0..3).all(|k| (found[k] - expected[k]).abs() <= 1e-12 * trace)
    };
    match found.iter().zip(expected).position(|(found, expected)| !near(found, expected)) {
        None => Ok(()),
        Some(vertex) => {
            let reason = format!(
                "its tensor is {:?}, expected {:?} as the grid of the metric has it there",
                found[vertex], expected[vertex]
            );
            Err(Flaw::at(VERTEX, vertex, found.len(), reason))
        }
    }
}

fn changes(before: &Counts, after: &Counts) -> Changes {
    let since = |of: fn(&Counts) -> u64| (of(after) - of(before)) as usize;
    Changes {
        collapses: since(|c| c.collapses),
        merged: since(|c| c.merged),
        red: since(|c| c.red),
        green: since(|c| c.green),
        split: since(|c| c.split),
    }
}
