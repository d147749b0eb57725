//! What a run takes and what it gives, and the run itself.

mod flow;
mod loops;

use std::time::Instant;

use op2::{Account, Config, Float, Isa, Op2, Ordering, Report, Strategies, Strategy, cuda};
use op2_apps::flags::{Backend, Layout, Precision};
use serde::Serialize;

use crate::Result;
use crate::mesh::{Mesh, Renumbering};
use crate::physics::UNKNOWNS;

pub use flow::{BoundaryParts, Edges, Flow, Nodes};

/// How to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What executes the loops.
    pub backend: Backend,
    /// Number of threads, at least 1; 1 unless the backend is [`Backend::Threads`].
    pub threads: usize,
    /// Number of iterations, each of five stages; may be 0.
    pub iterations: usize,
    /// Mach number of the stream.
    pub mach: f64,
    /// Reynolds number of the stream, with the chord; infinite for a gas without viscosity.
    pub reynolds: f64,
    /// Arithmetic of the solver.
    pub precision: Precision,
    /// Layout of data with several components.
    pub layout: Layout,
    /// How op2 numbers the mesh inside.
    pub ordering: Ordering,
    /// How races between elements are resolved.
    pub strategy: Strategy,
    /// Exceptions from that, as the command line states them.
    pub strategies: Strategies,
    /// The instructions by which loops run on the host, where they are not left to op2.
    pub isa: Option<Isa>,
    /// What the emulator checks, and in which order it runs.
    pub emulator: cuda::Options,
}

/// What one iteration has changed.
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

/// What a run gives.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Seconds that the iterations took, without mesh, plans before the first loop, and output.
    pub seconds: f64,
    /// One entry per iteration, in order.
    pub residuals: Vec<Residual>,
    /// The solution: `[nodes][6]`.
    pub q: Vec<[f64; UNKNOWNS]>,
    /// What renumbering did, where it was asked for.
    pub reordering: Option<Account>,
    /// What each loop did, next to the bandwidth of the machine.
    pub report: Option<Report>,
}

impl Run {
    /// The same results with nodes named by their numbers in the input of `renumbering`.
    pub fn as_input(mut self, renumbering: &Renumbering) -> Self {
        self.q = renumbering.nodes_as_input(&self.q);
        for residual in &mut self.residuals {
            residual.max_err_node = renumbering.node_of_input(residual.max_err_node);
        }
        self
    }
}

/// Runs the solver on `mesh`; `progress` hears of every iteration as it ends, and ends the run by an error.
///
/// # Errors
///
/// [`crate::Error::Mesh`] for a mesh that cannot be computed on, [`crate::Error::Flat`] where gradients cannot be had,
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
    let mut residuals = Vec::with_capacity(settings.iterations.min(1 << 16));
    let start = Instant::now();
    for iteration in 1..=settings.iterations {
        let residual = flow.iterate(iteration)?;
        progress(&residual)?;
        residuals.push(residual);
    }
    let seconds = start.elapsed().as_secs_f64();
    let q = flow.solution()?;
    Ok(Run { seconds, residuals, q, report: Some(flow.op.report()), reordering: flow.reordering })
}

impl Default for Settings {
    /// One iteration on the sequential executor.
    fn default() -> Self {
        Settings {
            backend: Backend::Seq,
            threads: 1,
            iterations: 1,
            mach: 0.4,
            reynolds: 5e5,
            precision: Precision::F64,
            layout: Layout::Aos,
            ordering: Ordering::None,
            strategy: Strategy::Predicted,
            strategies: Strategies::default(),
            isa: None,
            emulator: cuda::Options::default(),
        }
    }
}

impl Settings {
    /// Fails if the backend cannot be had here, or the environment says what cannot be: before a mesh is made, and
    /// before anything is printed.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Op2`] if there is no GPU or no compiler for its code, if threads cannot be started, or if
    /// `OP2_STRATEGY` states no strategies.
    pub fn check_backend(&self) -> Result<()> {
        Ok(Op2::with(self.config()).map(drop)?)
    }

    /// Viscosity of the stream.
    pub fn viscosity(&self) -> f64 {
        self.mach / self.reynolds
    }

    /// Turbulence variable of the stream: three times its kinematic viscosity, the least that ICCFD7-1902 advises for
    /// fully turbulent flow.
    pub fn turbulence(&self) -> f64 {
        3.0 * self.viscosity()
    }

    /// The same as op2 takes it.
    fn config(&self) -> Config {
        let config = Config::default().backend(self.backend.to_op2(self.threads)).layout(self.layout.to_op2());
        let config = config.strategy(self.strategy).strategies(self.strategies.clone()).emulator(self.emulator);
        self.isa.map_or(config.clone(), |isa| config.isa(isa))
    }
}
