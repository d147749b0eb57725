//! Colours of facets.

use op2::prelude::*;

use super::Adaptive;
use crate::kernels::colour::{elect, paint, prepare};

impl Adaptive {
    /// The colour of each facet, from 0 to 3: neighbours have different ones. Returns also how many sweeps it took.
    ///
    /// # Errors
    /// Those of op2's loops.
    pub fn colours(&mut self, op: &mut Op2) -> op2::Result<(Vec<u32>, usize)> {
        let Self { facets, fa, .. } = *self;
        let rank = op.decl_dat_filled("rank of facets", facets, 0_u32)?;
        let colour = op.decl_dat_filled("colour", facets, 0_u32)?;
        let chosen = op.decl_dat_filled("chosen", facets, 0_u32)?;
        let waits = op.decl_dat_filled("waits", facets, true)?;
        let left = op.decl_subset::<_, u32>("without colour", facets, &[])?;
        op_par_loop!(op, prepare, facets, idx(), write(rank), write(colour))?;
        let mut sweeps = 0;
        while op.select(left, waits)? > 0 {
            sweeps += 1;
            op_par_loop!(op, elect, left, read(rank), read(fa), read(rank, all), read(colour, all), write(chosen))?;
            op_par_loop!(op, paint, left, read(chosen), write(colour), write(waits))?;
        }
        Ok((op.fetch(colour)?, sweeps))
    }
}
