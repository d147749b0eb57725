//! The loops, one method each.

use op2::{Float, op_par_loop};

use super::Flow;
use crate::kernels;

impl<F: Float> Flow<F> {
    /// Computes the coefficients of gradients; returns how many nodes have no gradients.
    ///
    /// # Errors
    ///
    /// [`op2::Error`] as every loop; a flow that was made by [`Flow::new`] has no reason for one. The same holds for
    /// all loops below.
    pub(super) fn geometry(&mut self) -> op2::Result<u32> {
        op_par_loop!(
            self.op,
            kernels::geometry,
            self.edges,
            read(self.x, self.ends[..]),
            read(self.normal),
            inc(self.metric, self.ends[..])
        )?;
        let flat = self.op.decl_global("flat", 0_u32);
        op_par_loop!(self.op, kernels::invert, self.nodes, rw(self.metric), gbl_inc(flat))?;
        self.op.get(flat)
    }

    /// Keeps the unknowns, clears what [`Flow::accu`] adds to.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn save(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::save,
            self.nodes,
            read(self.q),
            write(self.old),
            write(self.slopes),
            write(self.lsq),
            write(self.radius)
        )
    }

    /// Quantities derived from the unknowns.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn primitives(&mut self) -> op2::Result<()> {
        op_par_loop!(self.op, kernels::primitives, self.nodes, read(self.q), rw(self.aux), gbl_read(self.viscosity))
    }

    /// Sums for slopes and time steps.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn accu(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::accu,
            self.edges,
            read(self.q, self.ends[..]),
            read(self.x, self.ends[..]),
            read(self.aux, self.ends[..]),
            read(self.flag, self.ends[..]),
            inc(self.slopes, self.ends[..]),
            inc(self.lsq, self.ends[..]),
            inc(self.radius, self.ends[..])
        )
    }

    /// The boundary's contributions to the sums for time steps.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn boundary_radius(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::boundary_radius,
            self.parts,
            read(self.q, self.at[0]),
            read(self.aux, self.at[0]),
            read(self.part_normal),
            inc(self.radius, self.at[0])
        )
    }

    /// Slopes, sensors and time steps from their sums.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn solve_slopes(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::solve_slopes,
            self.nodes,
            read(self.q),
            read(self.aux),
            read(self.lsq),
            read(self.radius),
            rw(self.slopes),
            write(self.sensor),
            write(self.step)
        )
    }

    /// Sources of the turbulence model.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn sources(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::sources,
            self.nodes,
            read(self.q),
            read(self.aux),
            read(self.slopes),
            write(self.source)
        )
    }

    /// Clears what [`Flow::edgecon`] and [`Flow::vflux`] add to.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn clear_edgecon(&mut self) -> op2::Result<()> {
        op_par_loop!(self.op, kernels::clear_edgecon, self.nodes, write(self.grad), write(self.lap), write(self.vis))
    }

    /// Sums for gradients and pseudo-Laplacians.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn edgecon(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::edgecon,
            self.edges,
            read(self.q, self.ends[..]),
            read(self.x, self.ends[..]),
            read(self.normal),
            inc(self.grad, self.ends[..]),
            inc(self.lap, self.ends[..])
        )
    }

    /// Gradients and pseudo-Laplacians from their sums.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn solve_gradients(&mut self) -> op2::Result<()> {
        op_par_loop!(self.op, kernels::solve_gradients, self.nodes, read(self.metric), rw(self.grad), rw(self.lap))
    }

    /// Viscous and smoothing fluxes.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn vflux(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::vflux,
            self.edges,
            read(self.q, self.ends[..]),
            read(self.x, self.ends[..]),
            read(self.grad, self.ends[..]),
            read(self.lap, self.ends[..]),
            read(self.aux, self.ends[..]),
            read(self.flag, self.ends[..]),
            read(self.radius, self.ends[..]),
            read(self.sensor, self.ends[..]),
            read(self.normal),
            inc(self.vis, self.ends[..])
        )
    }

    /// Mixes the part `new` of the fluxes of this stage with those of the stages before.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn blend(&mut self, new: f64) -> op2::Result<()> {
        self.op.set(self.new, F::lit(new))?;
        op_par_loop!(self.op, kernels::blend, self.nodes, gbl_read(self.new), read(self.vis), rw(self.blended))
    }

    /// Inviscid fluxes.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn iflux(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::iflux,
            self.edges,
            read(self.q, self.ends[..]),
            read(self.lap, self.ends[..]),
            read(self.sensor, self.ends[..]),
            read(self.flag, self.ends[..]),
            read(self.normal),
            inc(self.res, self.ends[..])
        )
    }

    /// Fluxes through the boundary.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn boundary(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::boundary,
            self.parts,
            read(self.q, self.at[0]),
            read(self.part_normal),
            read(self.part_kind),
            gbl_read(self.stream),
            gbl_read(self.conditions),
            inc(self.res, self.at[0])
        )
    }

    /// A Runge–Kutta stage, `factor` of the time step long.
    ///
    /// # Errors
    ///
    /// As [`Flow::prepare`].
    pub fn stage(&mut self, factor: f64) -> op2::Result<()> {
        self.op.set(self.factor, F::lit(factor))?;
        op_par_loop!(
            self.op,
            kernels::stage,
            self.nodes,
            gbl_read(self.factor),
            read(self.flag),
            read(self.step),
            read(self.aux),
            read(self.old),
            read(self.blended),
            read(self.source),
            rw(self.res),
            rw(self.q)
        )
    }

    /// Gathers the rates of change of a whole step.
    pub(super) fn gather_rates(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            kernels::measure,
            self.nodes,
            read(self.q),
            read(self.old),
            read(self.step),
            gbl_inc(self.squares),
            gbl_max(self.worst),
            idx()
        )
    }
}
