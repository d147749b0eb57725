//! The files that a run writes.

pub mod plot;
pub mod report;
pub mod vtk;

use crate::mesh::Mesh;
use crate::solver::{Run, Settings};

/// A run with its mesh and settings; cells are named by their numbers in the input.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The mesh as it was read or generated.
    pub mesh: &'a Mesh,
    /// How it was run.
    pub settings: &'a Settings,
    /// The results.
    pub run: &'a Run,
}
