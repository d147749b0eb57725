//! The results of a run.

use crate::mesh::Mesh;

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sweeps of coarsening, the last of which found that there was nothing left to do.
    pub sweeps: u64,
    /// Edges that collapsed. Each took a vertex and two facets away.
    pub collapses: u64,
    /// Facets, or pairs of green ones, that were divided into four.
    pub red: u64,
    /// Facets that were divided into two.
    pub green: u64,
    /// Pairs of green facets that were merged.
    pub merged: u64,
    /// Edges that were split.
    pub split: u64,
}

/// Seconds of each phase. Making a mesh known to op2 and fetching it is not part of any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Coarsening.
    pub coarsen: f64,
    /// Refinement.
    pub refine: f64,
}

/// A value at each vertex, which follows the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The values, in the order of the vertices.
    pub values: Vec<f64>,
}

/// The results of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The mesh, after all phases.
    pub mesh: Mesh,
    /// The fields on it.
    pub fields: Vec<Field>,
    /// How often things happened.
    pub counts: Counts,
    /// How long it took.
    pub seconds: Seconds,
    /// Whether neither phase had anything left to do.
    pub converged: bool,
}
