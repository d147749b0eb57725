//! Refinement: one pass of red-green subdivision.

use std::time::Instant;

use op2::prelude::*;

use super::Adaptive;
use super::measure::Grid;
use crate::kernels::grid::locate;
use crate::kernels::refine::{adjoin, borrow, claim, divide, evaluate, interpolate, lodge, populate, spread};
use crate::kernels::{Facets, Verts};

/// The sets and data of refinement, beside the mesh.
pub(super) struct Refinement {
    /// The sibling of a facet if both are as refinement left them.
    twin: OptMap<Facets, Facets, 1>,
    /// The mark of a facet, which says which edges it divides, and its mark after the next round of marking.
    mark: Dat<Facets, u32>,
    next: Dat<Facets, u32>,
    /// Which edges of a facet are divided, and of which it makes the middle.
    cut: Dat<Facets, u32>,
    mine: Dat<Facets, u32>,
    /// Middles of edges: those that a facet makes, and all.
    mid: OptMap<Facets, Verts, 3>,
    mids: OptMap<Facets, Verts, 3>,
    /// New vertices of a facet, and how many.
    born: Rows<Facets, Verts>,
    own: Dat<Facets, u32>,
    /// New facets in the place of a facet, and how many.
    kids: Rows<Facets, Facets>,
    more: Dat<Facets, u32>,
    /// The same as entries, which others can look up.
    family: OptMap<Facets, Facets, 3>,
    /// Neighbours after the pass.
    near: OptMap<Facets, Facets, 3>,
    /// Facets that are there before the pass, and those of them that it divides.
    old: Subset<Facets>,
    split: Subset<Facets>,
    any: Global<bool>,
    red: Global<u32>,
    green: Global<u32>,
    merged: Global<u32>,
}

impl Refinement {
    pub(super) fn new(op: &mut Op2, facets: Set<Facets>, verts: Set<Verts>) -> op2::Result<Self> {
        let missing = vec![[None; 3]; op.size(facets)?];
        Ok(Self {
            twin: op.decl_opt_map::<_, _, u32, 1>("twin", facets, facets, &vec![[None]; missing.len()])?,
            mark: op.decl_dat_filled("mark", facets, 0)?,
            next: op.decl_dat_filled("next mark", facets, 0)?,
            cut: op.decl_dat_filled("cut", facets, 0)?,
            mine: op.decl_dat_filled("mine", facets, 0)?,
            mid: op.decl_opt_map::<_, _, u32, 3>("mid", facets, verts, &missing)?,
            mids: op.decl_opt_map::<_, _, u32, 3>("mids", facets, verts, &missing)?,
            born: op.decl_children("born", facets, verts)?,
            own: op.decl_dat_filled("own", facets, 0)?,
            kids: op.decl_children("kids", facets, facets)?,
            more: op.decl_dat_filled("more", facets, 0)?,
            family: op.decl_opt_map::<_, _, u32, 3>("family", facets, facets, &missing)?,
            near: op.decl_opt_map::<_, _, u32, 3>("near", facets, facets, &missing)?,
            old: op.decl_subset::<_, u32>("old", facets, &[])?,
            split: op.decl_subset::<_, u32>("split", facets, &[])?,
            any: op.decl_global("any", false),
            red: op.decl_global("red", 0),
            green: op.decl_global("green", 0),
            merged: op.decl_global("merged", 0),
        })
    }
}

impl Adaptive {
    /// Divides facets that have an edge longer than [`LUP`](crate::metric::LUP), once, and others as far as they have to follow. Returns how
    /// many edges were divided.
    ///
    /// # Errors
    /// Those of op2: more facets or vertices than can be numbered, memory that the system lacks. If the mesh could not grow, it is as before.
    pub fn refine(&mut self, op: &mut Op2) -> op2::Result<u64> {
        let begin = Instant::now();
        let mut split = 0;
        if self.mark(op)? {
            let Refinement { kids, more, red, green, merged, old, split: divided, .. } = self.refinement;
            let vertices = op.size(self.verts)?;
            split = self.claim(op)? as u64;
            // None is dead between two phases.
            op.select(old, self.coarsening.alive)?;
            op.select(divided, more)?;
            if let Err(error) = op.grow(kids, more) {
                self.shrink(op, vertices)?;
                return Err(error);
            }
            self.divide(op)?;
            self.counts.red += u64::from(op.get(red)?);
            self.counts.green += u64::from(op.get(green)?);
            self.counts.merged += u64::from(op.get(merged)?);
        }
        self.counts.split += split;
        self.seconds.refine += begin.elapsed().as_secs_f64();
        Ok(split)
    }

    /// Takes all vertices but the first ones out of the mesh again.
    fn shrink(&mut self, op: &mut Op2, vertices: usize) -> op2::Result<()> {
        let stays: Vec<bool> = (0..op.size(self.verts)?).map(|v| v < vertices).collect();
        op.set_data(self.coarsening.stays, &stays)?;
        op.compact(self.verts, self.coarsening.stays)?;
        Ok(())
    }

    /// Marks facets. Returns whether there are any.
    fn mark(&mut self, op: &mut Op2) -> op2::Result<bool> {
        let Self { facets, fv, fa, x, m, sibling, .. } = *self;
        let Refinement { twin, mark, next, any, .. } = self.refinement;
        op.set(any, false)?;
        op_par_loop!(
            op,
            evaluate,
            facets,
            idx(),
            read(x, fv[..]),
            read(m, fv[..]),
            read(fa),
            read(sibling),
            read(sibling, all),
            write(twin),
            write(mark),
            gbl_or(any)
        )?;
        if !op.get(any)? {
            return Ok(false);
        }
        while op.get(any)? {
            op.set(any, false)?;
            op_par_loop!(
                op,
                spread,
                facets,
                idx(),
                read(fa),
                read(twin),
                read(fa, all),
                read(mark, all),
                read(mark),
                write(next),
                gbl_or(any)
            )?;
            op.swap(mark, next)?;
        }
        Ok(true)
    }

    /// Makes the vertices in the middle of edges. Returns how many they are.
    fn claim(&mut self, op: &mut Op2) -> op2::Result<usize> {
        let Self { facets, fv, fa, x, m, sibling, .. } = *self;
        let Refinement { twin, mark, cut, mine, mid, mids, born, own, more, family, .. } = self.refinement;
        let Refinement { red, green, merged, .. } = self.refinement;
        for count in [red, green, merged] {
            op.set(count, 0)?;
        }
        op_par_loop!(
            op,
            claim,
            facets,
            idx(),
            idx(),
            idx(fa[..]),
            read(fa),
            read(twin),
            read(fa, all),
            read(mark, all),
            read(mark),
            write(cut),
            write(mine),
            write(own),
            write(more),
            write(sibling),
            write(family),
            gbl_inc(red),
            gbl_inc(green),
            gbl_inc(merged)
        )?;
        let split = op.grow(born, own)?;
        op_par_loop!(
            op,
            populate,
            facets,
            idx(),
            read(mine),
            read(fa),
            read(x, fv[..]),
            read(born),
            write(x, born[..]),
            write(self.tip, born[..]),
            write(self.inner, born[..]),
            write(mid)
        )?;
        for (_, field) in &self.fields {
            op_par_loop!(op, interpolate, facets, read(mine), read(*field, fv[..]), write(*field, born[..]))?;
        }
        let Grid { tensors, places, beside, cell, origin, spacing, size, .. } = self.grid;
        op_par_loop!(
            op,
            locate,
            facets,
            read(x, born[..]),
            read(cell, fv[0]),
            gbl_read(origin),
            gbl_read(spacing),
            gbl_read(size),
            read(places, all),
            read(beside, all),
            read(tensors, all),
            write(cell, born[..]),
            write(m, born[..])
        )?;
        op_par_loop!(
            op,
            borrow,
            facets,
            idx(),
            read(cut),
            read(mid),
            read(fa),
            read(fa, all),
            read(mid, all),
            write(mids)
        )?;
        Ok(split)
    }

    /// Divides facets, which have their children, and finds the neighbours of all.
    fn divide(&mut self, op: &mut Op2) -> op2::Result<()> {
        let Self { verts, fv, fa, sibling, tip, .. } = *self;
        let Refinement { twin, mark, cut, mids, kids, family, near, old, split, .. } = self.refinement;
        op_par_loop!(
            op,
            divide,
            split,
            idx(),
            read(mark),
            read(fa),
            read(twin),
            read(mids),
            read(mids, all),
            read(kids),
            rw(fv),
            write(fv, kids[..]),
            write(sibling),
            write(sibling, kids[..]),
            write(family)
        )?;
        op_par_loop!(
            op,
            adjoin,
            old,
            idx(),
            read(mark),
            read(cut),
            read(fa),
            read(twin),
            read(kids),
            read(fv, all),
            read(fa, all),
            read(family, all),
            read(twin, all),
            write(near),
            write(near, kids[..])
        )?;
        op.swap(fa, near)?;
        op_par_loop!(op, lodge, verts, idx(), read(fv, all), read(family, all), read(twin, all), rw(tip))
    }
}

#[cfg(test)]
mod tests {
    use crate::loops::Adaptive;
    use crate::mesh::Mesh;
    use crate::metric::Metric;

    #[test]
    fn a_mesh_that_cannot_grow_is_as_before() {
        let mesh = Mesh::jittered(7, 5, 1);
        let metric = Metric::uniform(&mesh, 2.0);
        let [mut failed, mut op] = [(); 2].map(|()| op2::Op2::new().unwrap());
        let mut adaptive = Adaptive::new(&mut failed, &mesh, &metric, &[]).unwrap();
        // As far as new facets, for which there is no room then.
        assert!(adaptive.mark(&mut failed).unwrap());
        assert!(adaptive.claim(&mut failed).unwrap() > 0);
        adaptive.shrink(&mut failed, mesh.vertices.len()).unwrap();
        assert_eq!(adaptive.mesh(&mut failed).unwrap(), mesh);
        let mut other = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
        assert_eq!(adaptive.refine(&mut failed).unwrap(), other.refine(&mut op).unwrap());
        assert_eq!(adaptive.mesh(&mut failed).unwrap(), other.mesh(&mut op).unwrap());
    }
}
