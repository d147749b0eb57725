//! Settings and results of a run, and the run itself.

use std::sync::Arc;

use op2::prelude::*;
use op2::{Plan, Reordering, sets};
use op2_apps::flags::Precision;
use op2_apps::run::Iterations;
use serde::Serialize;

use crate::mesh::{Mesh, Renumbering};
use crate::physics::{UNKNOWNS, far_field};
use crate::{Error, Result, kernels};

pub use op2_apps::settings::Settings;

sets! { pub Nodes, Edges, BoundaryEdges, Cells }

/// The change of one iteration, in its second inner step.
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

/// The results of a run; the solution is `[cells][4]`: density, momentum in x and y, energy density.
pub type Run = op2_apps::run::Run<Residual, UNKNOWNS>;

/// The same results with cells named by their numbers in the input of `renumbering`.
pub fn as_input(mut run: Run, renumbering: &Renumbering) -> Run {
    run.q = renumbering.cells_as_input(&run.q);
    for residual in &mut run.residuals {
        residual.max_err_cell = renumbering.cells[residual.max_err_cell as usize];
    }
    run
}

/// The likely cause if the solution is no longer finite.
pub(crate) const CAUSE: &str = "the mesh may be too crooked or its cells too long and thin";

/// Runs the solver on `mesh`; `progress` is called after every iteration, and stops the run by returning an error.
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

/// The flow on a mesh, as declared to op2. Public so that benches can time single loops.
pub struct Airfoil<F: Float> {
    /// The mesh, the data and the executor.
    pub op: Op2,
    /// The report of the reordering, if one was asked for.
    pub reordering: Option<Reordering>,
    flow: Flow<F>,
}

/// The declared sets, maps, dats and globals.
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
        op.set_coordinates(flow.x)?;
        let reordering = settings.order(&mut op)?;
        Ok(Airfoil { op, reordering, flow })
    }

    /// One iteration: saves the old solution, then makes two inner steps. The residual is that of the second.
    ///
    /// Adjacent loops over the cells are chained, so that the next one finds its data in the cache.
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
            None => Err(Error::Diverged { iteration, rms, cause: CAUSE }),
        }
    }

    /// All fluxes. The residual starts anew.
    fn fluxes(&mut self) -> op2::Result<()> {
        self.res_calc()?;
        self.bres_calc()?;
        self.op.set(self.flow.rms, F::lit(0.0))?;
        self.op.set(self.flow.worst, ArgMax::none())
    }

    /// Saves the solution.
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
        let Iterations { seconds, residuals } = Iterations::of(iterations, |n| self.iterate(n), progress)?;
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
