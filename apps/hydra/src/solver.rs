//! Settings and results of a run, and the run itself.

mod flow;
mod loops;

use op2::Float;
use op2_apps::flags::Precision;
use op2_apps::run::Iterations;
use serde::Serialize;

use crate::Result;
use crate::mesh::{Mesh, Renumbering};
use crate::physics::{Stream, UNKNOWNS};

pub use flow::{BoundaryParts, Edges, Flow, Nodes};

/// How to run.
pub type Settings = op2_apps::settings::Settings<Stream>;

/// The change of one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Residual {
    /// The iteration, counted from 1.
    pub iteration: usize,
    /// Root of the mean square of the densities' rates of change.
    pub rms: f64,
    /// The greatest square of a rate.
    pub max_err: f64,
    /// A node with that rate, counted from 0.
    pub max_err_node: u32,
}

/// The results of a run; the solution is `[nodes][6]`.
pub type Run = op2_apps::run::Run<Residual, UNKNOWNS>;

/// The same results with nodes named by their numbers in the input of `renumbering`.
pub fn as_input(mut run: Run, renumbering: &Renumbering) -> Run {
    run.q = renumbering.nodes_as_input(&run.q);
    for residual in &mut run.residuals {
        residual.max_err_node = renumbering.node_of_input(residual.max_err_node);
    }
    run
}

/// Runs the solver on `mesh`; `progress` is called after every iteration, and stops the run by returning an error.
///
/// # Errors
///
/// [`crate::Error::Mesh`] for a mesh that cannot be computed on, [`Fault::Flat`](crate::Fault::Flat) where gradients cannot be had,
/// [`crate::Error::Diverged`] if the solution is no longer finite, [`crate::Error::Op2`] for threads that cannot be
/// started, and those of `progress`.
pub fn run(mesh: &Mesh, settings: &Settings, progress: &mut dyn FnMut(&Residual) -> Result<()>) -> Result<Run> {
    match settings.precision {
        Precision::F32 => run_in::<f32>(mesh, settings, progress),
        Precision::F64 => run_in::<f64>(mesh, settings, progress),
    }
}

/// The run, in the arithmetic of `F`.
fn run_in<F: Float>(
    mesh: &Mesh,
    settings: &Settings,
    progress: &mut dyn FnMut(&Residual) -> Result<()>,
) -> Result<Run> {
    let mut flow = Flow::<F>::new(mesh, settings)?;
    let Iterations { seconds, residuals } = Iterations::of(settings.iterations, |n| flow.iterate(n), progress)?;
    let q = flow.solution()?;
    Ok(Run { seconds, residuals, q, report: Some(flow.op.report()), reordering: flow.reordering })
}
