//! Another metric for a mesh that has one.

use op2::prelude::*;

use super::Adaptive;
use crate::metric::Metric;

impl Adaptive {
    /// Gives the vertices the tensors of another metric, as for one that moves in time. It is no part of [`Adaptive::seconds`].
    ///
    /// # Errors
    /// Those of op2: memory that the system lacks, a device that fails.
    pub fn measure(&mut self, op: &mut Op2, metric: &Metric) -> op2::Result<()> {
        let mesh = self.mesh(op)?;
        op.set_data(self.m, &metric.at_vertices(&mesh))
    }
}
