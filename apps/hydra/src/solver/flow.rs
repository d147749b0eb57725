//! The flow on a mesh, as it is declared to op2.

use op2::prelude::*;
use op2::{Reordering, Value, sets};

use super::{Residual, Settings};
use crate::kernels::{Aux, Metric, Radii, Sensors, Source};
use crate::mesh::Mesh;
use crate::physics::scheme::{BLENDS, STAGES};
use crate::physics::{Conditions, ON_WALL, UNKNOWNS, conditions, stream};
use crate::{Error, Fault, Result};

sets! { pub Nodes, Edges, BoundaryParts }

/// The flow on a mesh, in the arithmetic of `F`, as declared to op2. Public so that tests and benches can run single
/// loops.
///
/// [`kernels`](crate::kernels) describes the data; sums that a loop adds to are cleared by [`Flow::save`],
/// [`Flow::clear_edgecon`] and [`Flow::stage`].
pub struct Flow<F: Float> {
    /// The mesh, the data and the executor.
    pub op: Op2,
    /// The report of the reordering, if one was asked for.
    pub reordering: Option<Reordering>,
    /// Set of the nodes.
    pub nodes: Set<Nodes>,
    /// Set of the edges.
    pub edges: Set<Edges>,
    /// Set of the parts of the boundary.
    pub parts: Set<BoundaryParts>,
    /// Ends of the edges.
    pub ends: Map<Edges, Nodes, 2>,
    /// Nodes of the parts.
    pub at: Map<BoundaryParts, Nodes, 1>,
    /// Coordinates.
    pub x: Dat<Nodes, [F; 3]>,
    /// Dual faces.
    pub normal: Dat<Edges, [F; 3]>,
    /// Area vectors of the parts.
    pub part_normal: Dat<BoundaryParts, [F; 3]>,
    /// Kinds of the parts.
    pub part_kind: Dat<BoundaryParts, i32>,
    /// Flags.
    pub flag: Dat<Nodes, i32>,
    /// Coefficients of gradients that depend on the mesh.
    pub metric: Dat<Nodes, Metric<F>>,
    /// The unknowns.
    pub q: Dat<Nodes, [F; UNKNOWNS]>,
    /// The unknowns before the first stage.
    pub old: Dat<Nodes, [F; UNKNOWNS]>,
    /// Quantities derived from the unknowns, distance and volume.
    pub aux: Dat<Nodes, Aux<F>>,
    /// Gradients by least squares.
    pub slopes: Dat<Nodes, [[F; 3]; UNKNOWNS]>,
    /// Matrix of the least squares.
    pub lsq: Dat<Nodes, [F; 6]>,
    /// Spectral radii.
    pub radius: Dat<Nodes, Radii<F>>,
    /// Sensors.
    pub sensor: Dat<Nodes, Sensors<F>>,
    /// Local time steps.
    pub step: Dat<Nodes, F>,
    /// Gradients of the unknowns.
    pub grad: Dat<Nodes, [[F; 3]; UNKNOWNS]>,
    /// Pseudo-Laplacians of the unknowns.
    pub lap: Dat<Nodes, [F; UNKNOWNS]>,
    /// Sums of viscous and smoothing fluxes.
    pub vis: Dat<Nodes, [F; UNKNOWNS]>,
    /// The same, blended over the stages.
    pub blended: Dat<Nodes, [F; UNKNOWNS]>,
    /// Source of turbulence, and its decay.
    pub source: Dat<Nodes, Source<F>>,
    /// Sums of inviscid fluxes.
    pub res: Dat<Nodes, [F; UNKNOWNS]>,
    /// Viscosity of the stream.
    pub viscosity: Global<F>,
    /// The stream.
    pub stream: Global<[F; UNKNOWNS]>,
    /// Conditions at boundaries.
    pub conditions: Global<Conditions<F>>,
    pub(super) factor: Global<F>,
    pub(super) new: Global<F>,
    pub(super) squares: Global<F>,
    pub(super) worst: Global<ArgMax<F, u32>>,
}

/// The likely cause if the solution is no longer finite.
const CAUSE: &str = "the mesh may be too crooked or the Mach number too high";

impl<F: Float> Flow<F> {
    /// Declares the mesh and the flow, which is the stream everywhere but on walls, and there at rest.
    ///
    /// # Errors
    ///
    /// [`Error::Mesh`] as [`Mesh::check`] has it; [`Fault::Flat`] if gradients cannot be had; [`Error::Op2`] for threads
    /// that cannot be started, or an ordering that cannot be had.
    pub fn new(mesh: &Mesh, settings: &Settings) -> Result<Self> {
        mesh.check()?;
        let mut op = Op2::with(settings.config())?;
        let nodes = op.decl_set("nodes", mesh.nodes())?;
        let edges = op.decl_set("edges", mesh.edges())?;
        let parts = op.decl_set("parts", mesh.part_node.len())?;
        let zero = F::lit(0.0);
        let (zeros, zero_gradients) = ([zero; UNKNOWNS], [[zero; 3]; UNKNOWNS]);
        let aux = |(&d, &v): (&f64, &f64)| Aux { distance: F::lit(d), volume: F::lit(v), ..Value::splat(zero) };
        let aux: Vec<_> = mesh.distance.iter().zip(&mesh.volumes).map(aux).collect();
        let (mach, turbulence) = (settings.case.mach, settings.case.turbulence());
        let stream = stream(mach, turbulence);
        let (moving, resting) = (stream.map(F::lit), at_rest(stream).map(F::lit));
        let q: Vec<_> = mesh.flag.iter().map(|&flag| if flag == ON_WALL { resting } else { moving }).collect();
        let mut flow = Flow {
            ends: op.decl_map("ends", edges, nodes, &mesh.edge_nodes)?,
            at: op.decl_map("at", parts, nodes, &mesh.part_node)?,
            x: op.decl_dat("x", nodes, &narrowed(&mesh.x))?,
            normal: op.decl_dat("normal", edges, &narrowed(&mesh.normals))?,
            part_normal: op.decl_dat("part_normal", parts, &narrowed(&mesh.part_normals))?,
            part_kind: op.decl_dat("part_kind", parts, &mesh.part_kind)?,
            flag: op.decl_dat("flag", nodes, &mesh.flag)?,
            metric: op.decl_dat_filled("metric", nodes, Value::splat(zero))?,
            q: op.decl_dat("q", nodes, &q)?,
            old: op.decl_dat("old", nodes, &q)?,
            aux: op.decl_dat("aux", nodes, &aux)?,
            slopes: op.decl_dat_filled("slopes", nodes, zero_gradients)?,
            lsq: op.decl_dat_filled("lsq", nodes, zeros)?,
            radius: op.decl_dat_filled("radius", nodes, Value::splat(zero))?,
            sensor: op.decl_dat_filled("sensor", nodes, Value::splat(zero))?,
            step: op.decl_dat_filled("step", nodes, zero)?,
            grad: op.decl_dat_filled("grad", nodes, zero_gradients)?,
            lap: op.decl_dat_filled("lap", nodes, zeros)?,
            vis: op.decl_dat_filled("vis", nodes, zeros)?,
            blended: op.decl_dat_filled("blended", nodes, zeros)?,
            source: op.decl_dat_filled("source", nodes, Value::splat(zero))?,
            res: op.decl_dat_filled("res", nodes, zeros)?,
            viscosity: op.decl_global("viscosity", F::lit(settings.case.viscosity())),
            stream: op.decl_global("stream", moving),
            conditions: op.decl_global("conditions", conditions(mach, turbulence)),
            factor: op.decl_global("factor", zero),
            new: op.decl_global("new", zero),
            squares: op.decl_global("squares", zero),
            worst: op.decl_global("worst", ArgMax::none()),
            op,
            reordering: None,
            nodes,
            edges,
            parts,
        };
        flow.op.set_coordinates(flow.x)?;
        flow.reordering = settings.order(&mut flow.op)?;
        match flow.geometry()? {
            0 => Ok(flow),
            nodes => Err(Fault::Flat { nodes }.into()),
        }
    }

    /// One iteration: time steps and sources once, then five stages, of which the first, third and fifth have
    /// gradients and viscous fluxes of their own.
    ///
    /// # Errors
    ///
    /// [`Error::Diverged`] if the residual is not finite.
    pub fn iterate(&mut self, iteration: usize) -> Result<Residual> {
        self.prepare()?;
        for (factor, new) in STAGES.into_iter().zip(BLENDS) {
            self.fluxes(new)?;
            self.stage(factor)?;
        }
        self.measure(iteration)
    }

    /// The work once per iteration: saves the unknowns, and computes slopes, sensors, time steps and sources from them.
    ///
    /// # Errors
    ///
    /// [`op2::Error`] as every loop; a flow that was made by [`Flow::new`] has no reason for one.
    pub fn prepare(&mut self) -> op2::Result<()> {
        self.save()?;
        self.primitives()?;
        self.accu()?;
        self.boundary_radius()?;
        self.solve_slopes()?;
        self.sources()
    }

    /// All fluxes of a stage. The part `new` of the viscous ones is made anew, if it is not 0, with the gradients
    /// that belong to it.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn fluxes(&mut self, new: f64) -> op2::Result<()> {
        if new != 0.0 {
            self.primitives()?;
            self.gradients()?;
            self.vflux()?;
            self.blend(new)?;
        }
        self.iflux()?;
        self.boundary()
    }

    /// Gradients and pseudo-Laplacians of the unknowns.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn gradients(&mut self) -> op2::Result<()> {
        self.clear_edgecon()?;
        self.edgecon()?;
        self.solve_gradients()
    }

    /// The solution, one state per node.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn solution(&self) -> op2::Result<Vec<[f64; UNKNOWNS]>> {
        Ok(self.op.fetch(self.q)?.into_iter().map(|q| q.map(F::to_f64)).collect())
    }

    fn measure(&mut self, iteration: usize) -> Result<Residual> {
        self.op.set(self.squares, F::lit(0.0))?;
        self.op.set(self.worst, ArgMax::none())?;
        self.gather_rates()?;
        let rms = (self.op.get(self.squares)?.to_f64() / self.op.size(self.nodes)? as f64).sqrt();
        match self.op.get(self.worst)?.best().filter(|_| rms.is_finite()) {
            Some((max_err, max_err_node)) => Ok(Residual { iteration, rms, max_err: max_err.to_f64(), max_err_node }),
            None => Err(Error::Diverged { iteration, rms, cause: CAUSE }),
        }
    }
}

/// Vectors of the mesh in the flow's precision.
fn narrowed<F: Float>(vectors: &[[f64; 3]]) -> Vec<[F; 3]> {
    vectors.iter().map(|vector| vector.map(F::lit)).collect()
}

/// The state with the same pressure and temperature, but no velocity and no turbulence.
fn at_rest(q: [f64; UNKNOWNS]) -> [f64; UNKNOWNS] {
    [q[0], 0.0, 0.0, 0.0, q[4] - 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / q[0], 0.0]
}
