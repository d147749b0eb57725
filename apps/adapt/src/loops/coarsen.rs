//! Coarsening: sweeps of collapses, until no valid one is left.

use std::time::Instant;

use op2::prelude::*;

use super::Adaptive;
use crate::kernels::coarsen::{choose, collapse, enlist, reattach, settle, start};
use crate::kernels::{Facets, Verts, hash};

/// A sweep in which less than a tenth of the listed vertices collapse is followed by one in which everyone on the list looks for valid
/// collapses.
const FEW: usize = 10;
/// Dead facets leave the mesh as soon as less than half of all facets live. The living ones are adjacent in memory again then, and fill cache
/// lines.
const SPARSE: usize = 2;

/// The sets and data of coarsening, beside the mesh.
pub(super) struct Coarsening {
    /// Facets that are not dead, and whether a facet is one.
    live: Subset<Facets>,
    pub(super) alive: Dat<Facets, bool>,
    /// Of a dead facet: the facets on its two other sides, the first of which takes its place.
    behind: OptMap<Facets, Facets, 2>,
    /// Vertices that have to decide.
    list: Subset<Verts>,
    rank: Dat<Verts, u32>,
    /// Where vertices went.
    goal: OptMap<Verts, Verts, 1>,
    /// The hash of the number of a vertex.
    name: Dat<Verts, u32>,
    woken: Dat<Verts, bool>,
    awake: Dat<Verts, bool>,
    pub(super) stays: Dat<Verts, bool>,
    salt: Global<u32>,
    /// Whether everyone on the list looks for valid collapses.
    everyone: Global<bool>,
    left: Global<u32>,
    collapses: Global<u32>,
}

impl Coarsening {
    pub(super) fn new(op: &mut Op2, facets: Set<Facets>, verts: Set<Verts>) -> op2::Result<Self> {
        let [of_facets, of_verts] = [op.size(facets)?, op.size(verts)?];
        Ok(Self {
            live: op.decl_subset::<_, u32>("live", facets, &[])?,
            alive: op.decl_dat_filled("alive", facets, true)?,
            behind: op.decl_opt_map::<_, _, u32, 2>("behind", facets, facets, &vec![[None; 2]; of_facets])?,
            list: op.decl_subset::<_, u32>("list", verts, &[])?,
            rank: op.decl_dat_filled("rank", verts, 0)?,
            goal: op.decl_opt_map::<_, _, u32, 1>("goal", verts, verts, &vec![[None]; of_verts])?,
            name: op.decl_dat_filled("name", verts, 0)?,
            woken: op.decl_dat_filled("woken", verts, false)?,
            awake: op.decl_dat_filled("awake", verts, false)?,
            stays: op.decl_dat_filled("stays", verts, true)?,
            salt: op.decl_global("salt", 0),
            everyone: op.decl_global("everyone", false),
            left: op.decl_global("left", 0),
            collapses: op.decl_global("collapses", 0),
        })
    }
}

impl Adaptive {
    /// Collapses short edges until no valid collapse of a vertex inside the domain is left. Returns how many collapsed.
    ///
    /// # Errors
    /// Those of op2's loops; the mesh is between two sweeps then.
    pub fn coarsen(&mut self, op: &mut Op2) -> op2::Result<u64> {
        let begin = Instant::now();
        let Coarsening { live, alive, behind, goal, name, woken, awake, everyone, .. } = self.coarsening;
        op.fill(alive, true)?;
        op.fill(behind, None)?;
        op.set(everyone, false)?;
        op.select(live, alive)?;
        op_par_loop!(
            op,
            start,
            self.verts,
            idx(),
            read(self.inner),
            write(name),
            write(woken),
            write(awake),
            write(goal)
        )?;
        let mut collapses = 0;
        for sweep in 0.. {
            self.counts.sweeps += 1;
            op.set(self.coarsening.salt, hash(sweep))?;
            match self.sweep(op)? {
                Some(found) => collapses += found,
                None => break,
            }
        }
        if collapses > 0 {
            self.compact(op)?;
        }
        self.counts.collapses += collapses;
        self.seconds.coarsen += begin.elapsed().as_secs_f64();
        Ok(collapses)
    }

    /// Returns how many edges collapsed, or none if no vertex has to decide.
    fn sweep(&mut self, op: &mut Op2) -> op2::Result<Option<u64>> {
        let Self { verts, fv, fa, tip, x, m, inner, sibling, .. } = *self;
        let Coarsening { live, alive, behind, list, rank, goal, name, woken, awake, .. } = self.coarsening;
        let Coarsening { salt, everyone, left, collapses, .. } = self.coarsening;
        op.set(left, 0)?;
        op_par_loop!(
            op,
            enlist,
            verts,
            read(name),
            read(inner),
            gbl_read(salt),
            rw(woken),
            rw(awake),
            write(rank),
            gbl_inc(left)
        )?;
        if op.get(left)? == 0 {
            return Ok(None);
        }
        let listed = op.select(list, awake)?;
        op.set(collapses, 0)?;
        op_par_loop!(
            op,
            choose,
            list,
            idx(),
            gbl_read(everyone),
            read(rank),
            read(rank, all),
            read(name, all),
            read(fv, all),
            read(fa, all),
            read(behind, all),
            read(x, all),
            read(m, all),
            rw(tip),
            write(goal),
            rw(awake),
            gbl_inc(collapses)
        )?;
        let found = op.get(collapses)?;
        op.set(everyone, found as usize * FEW < listed)?;
        if found > 0 {
            op_par_loop!(
                op,
                collapse,
                live,
                read(goal, fv[..]),
                read(fa),
                rw(fv),
                rw(sibling),
                rw(alive),
                rw(behind),
                or(woken, fv[..])
            )?;
            let living = op.select(live, alive)?;
            op_par_loop!(op, reattach, live, idx(), read(alive, all), read(behind, all), rw(fa))?;
            if living * SPARSE < op.size(self.facets)? {
                self.compact(op)?;
            }
        }
        Ok(Some(u64::from(found)))
    }

    /// Takes dead facets and collapsed vertices out of the mesh, between two sweeps.
    fn compact(&mut self, op: &mut Op2) -> op2::Result<()> {
        let Coarsening { alive, behind, goal, stays, .. } = self.coarsening;
        op_par_loop!(op, settle, self.verts, read(goal), read(behind, all), rw(self.tip), write(stays))?;
        op.compact(self.facets, alive)?;
        op.compact(self.verts, stays)?;
        Ok(())
    }
}
