//! What a run takes and what it gives, and the run itself.

use std::sync::Arc;
use std::time::Instant;

use op2::prelude::*;
use op2::{Account, Isa, Ordering, Plan, Report, Strategies, cuda, sets};
use serde::Serialize;

use crate::cli::{self, Precision};
use crate::mesh::{Mesh, Renumbering};
use crate::physics::{UNKNOWNS, far_field};
use crate::{Error, Result, kernels};

sets! { pub Nodes, Edges, BoundaryEdges, Cells }

/// How to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What executes the loops.
    pub backend: cli::Backend,
    /// Number of threads, at least 1; 1 unless the backend is [`cli::Backend::Threads`].
    pub threads: usize,
    /// Number of iterations, each of two inner steps; may be 0.
    pub iterations: usize,
    /// Arithmetic of the solver.
    pub precision: Precision,
    /// Layout of data with several components.
    pub layout: cli::Layout,
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

/// What one iteration has changed, in its second inner step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Residual {
    /// The iteration, counted from 1.
    pub iteration: usize,
    /// √(sum of all squared changes of the unknowns / number of cells).
    pub rms: f64,
    /// The greatest squared change of one unknown.
    pub max_err: f64,
    /// A cell with that change, counted from 0.
    pub max_err_cell: u32,
}

/// What a run gives.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Seconds that the iterations took, without mesh, plans and output.
    pub seconds: f64,
    /// One entry per iteration, in order.
    pub residuals: Vec<Residual>,
    /// The solution: `[cells][4]`, density, momentum in x and y, energy density.
    pub q: Vec<[f64; UNKNOWNS]>,
    /// What renumbering did, where it was asked for.
    pub reordering: Option<Account>,
    /// What each loop did, next to the bandwidth of the machine; the plain loops have none.
    pub report: Option<Report>,
}

impl Run {
    /// The same results with cells named by their numbers in the input of `renumbering`.
    pub fn as_input(mut self, renumbering: &Renumbering) -> Self {
        self.q = renumbering.cells_as_input(&self.q);
        for residual in &mut self.residuals {
            residual.max_err_cell = renumbering.cells[residual.max_err_cell as usize];
        }
        self
    }
}

/// Runs the solver on `mesh`; `progress` hears of every iteration as it ends, and ends the run by an error.
///
/// # Errors
///
/// [`Error::Mesh`] for a mesh that cannot be computed on, [`Error::Diverged`] if the solution is no longer finite,
/// [`Error::Op2`] for threads that cannot be started, and those of `progress`.
pub fn run(mesh: &Mesh, settings: &Settings, progress: &mut dyn FnMut(&Residual) -> Result<()>) -> Result<Run> {
    match settings.precision {
        Precision::F32 => Airfoil::<f32>::new(mesh, settings)?.run(settings.iterations, progress),
        Precision::F64 => Airfoil::<f64>::new(mesh, settings)?.run(settings.iterations, progress),
    }
}

/// The flow on a mesh: what was declared to op2. Public so that benches can time single loops.
pub struct Airfoil<F: Float> {
    /// The mesh, the data and the executor.
    pub op: Op2,
    /// What renumbering did, where it was asked for.
    pub reordering: Option<Account>,
    flow: Flow<F>,
}

/// What was declared.
#[derive(Clone, Copy)]
struct Flow<F: Float> {
    edges: Set<Edges>,
    bedges: Set<BoundaryEdges>,
    cells: Set<Cells>,
    pedge: Map<Edges, Nodes, 2>,
    pecell: Map<Edges, Cells, 2>,
    pbedge: Map<BoundaryEdges, Nodes, 2>,
    pbecell: Map<BoundaryEdges, Cells, 1>,
    pcell: Map<Cells, Nodes, 4>,
    x: Dat<Nodes, [F; 2]>,
    q: Dat<Cells, [F; UNKNOWNS]>,
    qold: Dat<Cells, [F; UNKNOWNS]>,
    adt: Dat<Cells, F>,
    res: Dat<Cells, [F; UNKNOWNS]>,
    bound: Dat<BoundaryEdges, i32>,
    qinf: Global<[F; UNKNOWNS]>,
    rms: Global<F>,
    worst: Global<ArgMax<F, u32>>,
}

impl<F: Float> Airfoil<F> {
    /// Declares the mesh and the flow at rest in the far-field state.
    ///
    /// # Errors
    ///
    /// [`Error::Mesh`] as [`Mesh::check`] has it; [`Error::Op2`] for threads that cannot be started, or an ordering that
    /// cannot be had.
    pub fn new(mesh: &Mesh, settings: &Settings) -> Result<Self> {
        mesh.check()?;
        let mut op = Op2::with(settings.config())?;
        let nodes = op.decl_set("nodes", mesh.nodes())?;
        let edges = op.decl_set("edges", mesh.edges())?;
        let bedges = op.decl_set("bedges", mesh.boundary_edges())?;
        let cells = op.decl_set("cells", mesh.cells())?;
        let x: Vec<_> = mesh.x.iter().map(|x| x.map(F::lit)).collect();
        let qinf = far_field().map(F::lit);
        let flow = Flow {
            pedge: op.decl_map("pedge", edges, nodes, &mesh.edge_nodes)?,
            pecell: op.decl_map("pecell", edges, cells, &mesh.edge_cells)?,
            pbedge: op.decl_map("pbedge", bedges, nodes, &mesh.bedge_nodes)?,
            pbecell: op.decl_map("pbecell", bedges, cells, op2::rows(&mesh.bedge_cell)?)?,
            pcell: op.decl_map("pcell", cells, nodes, &mesh.cell_nodes)?,
            x: op.decl_dat("x", nodes, &x)?,
            q: op.decl_dat_filled("q", cells, qinf)?,
            qold: op.decl_dat_filled("qold", cells, [F::lit(0.0); UNKNOWNS])?,
            adt: op.decl_dat_filled("adt", cells, F::lit(0.0))?,
            res: op.decl_dat_filled("res", cells, [F::lit(0.0); UNKNOWNS])?,
            bound: op.decl_dat("bound", bedges, &mesh.bound)?,
            qinf: op.decl_global("qinf", qinf),
            rms: op.decl_global("rms", F::lit(0.0)),
            worst: op.decl_global("worst", ArgMax::none()),
            edges,
            bedges,
            cells,
        };
        let mut reordering = None;
        if settings.ordering != Ordering::None {
            op.set_coordinates(flow.x)?;
            reordering = Some(op.reorder(settings.ordering)?);
        }
        Ok(Airfoil { op, reordering, flow })
    }

    /// One iteration: the old solution is kept, then come two inner steps. The residual is that of the second.
    ///
    /// Loops over the cells that stand next to each other are chained: so what one leaves the next need not fetch from memory.
    ///
    /// # Errors
    ///
    /// [`Error::Diverged`] if the residual is not finite.
    pub fn iterate(&mut self, iteration: usize) -> Result<Residual> {
        let flow = self.flow;
        self.op.chain(|op| {
            flow.save_soln(op)?;
            flow.adt_calc(op)
        })?;
        self.fluxes()?;
        self.op.chain(|op| {
            flow.update(op)?;
            flow.adt_calc(op)
        })?;
        self.fluxes()?;
        self.update()?;
        let sum = self.op.get(flow.rms)?.to_f64();
        let rms = (sum / self.op.size(flow.cells)? as f64).sqrt();
        let worst = self.op.get(flow.worst)?.best();
        match worst.filter(|_| rms.is_finite()) {
            Some((max_err, max_err_cell)) => Ok(Residual { iteration, rms, max_err: max_err.to_f64(), max_err_cell }),
            None => Err(Error::Diverged { iteration, rms }),
        }
    }

    /// All fluxes, and a residual that starts anew.
    fn fluxes(&mut self) -> op2::Result<()> {
        self.res_calc()?;
        self.bres_calc()?;
        self.op.set(self.flow.rms, F::lit(0.0))?;
        self.op.set(self.flow.worst, ArgMax::none())
    }

    /// Keeps the solution.
    ///
    /// # Errors
    ///
    /// [`op2::Error`] as every loop; a flow that was made by [`Airfoil::new`] has no reason for one.
    pub fn save_soln(&mut self) -> op2::Result<()> {
        self.op.chain(|op| self.flow.save_soln(op))
    }

    /// Local time steps.
    ///
    /// # Errors
    ///
    /// As [`Airfoil::save_soln`].
    pub fn adt_calc(&mut self) -> op2::Result<()> {
        self.op.chain(|op| self.flow.adt_calc(op))
    }

    /// The step in time.
    ///
    /// # Errors
    ///
    /// As [`Airfoil::save_soln`].
    pub fn update(&mut self) -> op2::Result<()> {
        self.op.chain(|op| self.flow.update(op))
    }

    /// Fluxes through the edges between cells.
    ///
    /// # Errors
    ///
    /// As [`Airfoil::save_soln`].
    pub fn res_calc(&mut self) -> op2::Result<()> {
        let flow = self.flow;
        op_par_loop!(
            self.op,
            kernels::res_calc,
            flow.edges,
            read(flow.x, flow.pedge[0]),
            read(flow.x, flow.pedge[1]),
            read(flow.q, flow.pecell[0]),
            read(flow.q, flow.pecell[1]),
            read(flow.adt, flow.pecell[0]),
            read(flow.adt, flow.pecell[1]),
            inc(flow.res, flow.pecell[0]),
            inc(flow.res, flow.pecell[1])
        )
    }

    /// Fluxes through the boundary.
    ///
    /// # Errors
    ///
    /// As [`Airfoil::save_soln`].
    pub fn bres_calc(&mut self) -> op2::Result<()> {
        let flow = self.flow;
        op_par_loop!(
            self.op,
            kernels::bres_calc,
            flow.bedges,
            read(flow.x, flow.pbedge[0]),
            read(flow.x, flow.pbedge[1]),
            read(flow.q, flow.pbecell[0]),
            read(flow.adt, flow.pbecell[0]),
            inc(flow.res, flow.pbecell[0]),
            read(flow.bound),
            gbl_read(flow.qinf)
        )
    }

    /// The inspector's plan of [`Airfoil::res_calc`].
    ///
    /// # Errors
    ///
    /// As [`Airfoil::save_soln`].
    pub fn res_calc_plan(&mut self) -> op2::Result<Arc<Plan>> {
        let flow = self.flow;
        op_plan!(
            self.op,
            kernels::res_calc,
            flow.edges,
            read(flow.x, flow.pedge[0]),
            read(flow.x, flow.pedge[1]),
            read(flow.q, flow.pecell[0]),
            read(flow.q, flow.pecell[1]),
            read(flow.adt, flow.pecell[0]),
            read(flow.adt, flow.pecell[1]),
            inc(flow.res, flow.pecell[0]),
            inc(flow.res, flow.pecell[1])
        )
    }

    /// The solution, one state per cell.
    ///
    /// # Errors
    ///
    /// As [`Airfoil::save_soln`].
    pub fn solution(&self) -> op2::Result<Vec<[f64; UNKNOWNS]>> {
        Ok(self.op.fetch(self.flow.q)?.into_iter().map(|q| q.map(F::to_f64)).collect())
    }

    fn run(mut self, iterations: usize, progress: &mut dyn FnMut(&Residual) -> Result<()>) -> Result<Run> {
        let mut residuals = Vec::with_capacity(iterations.min(1 << 16));
        let start = Instant::now();
        for iteration in 1..=iterations {
            let residual = self.iterate(iteration)?;
            progress(&residual)?;
            residuals.push(residual);
        }
        let seconds = start.elapsed().as_secs_f64();
        let q = self.solution()?;
        Ok(Run { seconds, residuals, q, reordering: self.reordering, report: Some(self.op.report()) })
    }
}

/// The loops over the cells.
impl<F: Float> Flow<F> {
    fn save_soln(&self, op: &mut Chain<'_>) -> op2::Result<()> {
        op_par_loop!(op, kernels::save_soln, self.cells, read(self.q), write(self.qold))
    }

    fn adt_calc(&self, op: &mut Chain<'_>) -> op2::Result<()> {
        op_par_loop!(op, kernels::adt_calc, self.cells, read(self.x, self.pcell[..]), read(self.q), write(self.adt))
    }

    fn update(&self, op: &mut Chain<'_>) -> op2::Result<()> {
        op_par_loop!(
            op,
            kernels::update,
            self.cells,
            read(self.qold),
            write(self.q),
            rw(self.res),
            read(self.adt),
            gbl_inc(self.rms),
            gbl_max(self.worst),
            idx()
        )
    }
}

impl Default for Settings {
    /// One iteration on the sequential executor.
    fn default() -> Self {
        Settings {
            backend: cli::Backend::Seq,
            threads: 1,
            iterations: 1,
            precision: Precision::F64,
            layout: cli::Layout::Aos,
            ordering: Ordering::None,
            strategy: Strategy::Predicted,
            strategies: Strategies::default(),
            isa: None,
            emulator: cuda::Options::default(),
        }
    }
}

impl Settings {
    /// Fails if the backend cannot be had here, or the environment says what cannot be: before a mesh is read, and before
    /// anything is printed.
    ///
    /// # Errors
    ///
    /// [`Error::Op2`] if there is no GPU or no compiler for its code, if threads cannot be started, or if `OP2_STRATEGY`
    /// states no strategies.
    pub fn check_backend(&self) -> Result<()> {
        Ok(Op2::with(self.config()).map(drop)?)
    }

    /// The same as op2 takes it.
    fn config(&self) -> Config {
        let (backend, layout) = (self.backend.to_op2(self.threads), self.layout.to_op2());
        let config = Config::default().backend(backend).layout(layout).strategy(self.strategy);
        let config = config.strategies(self.strategies.clone()).emulator(self.emulator);
        self.isa.map_or(config.clone(), |isa| config.isa(isa))
    }
}
