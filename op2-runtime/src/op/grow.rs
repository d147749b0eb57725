//! Sets that gain elements.

use super::Op2;
use crate::error::Result;
use crate::mesh::handle::{Dat, Rows, Set, SetTag};

impl Op2 {
    /// Declares the rows of elements that [`Op2::grow`] will add to the set `children`: for each element of `parents` those that it gets. No
    /// two rows share an element, and all are empty at first. Both sets may be one.
    ///
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for sets of another `Op2`, [`Error::NoMemory`](crate::Error::NoMemory).
    pub fn decl_children<F: SetTag, T: SetTag>(
        &mut self,
        name: &str,
        parents: Set<F>,
        children: Set<T>,
    ) -> Result<Rows<F, T>> {
        let parents = self.context.mesh.index(parents.id, "set")?;
        let children = self.context.mesh.index(children.id, "set")?;
        let index = self.context.mesh.add_children(name, parents, children)?;
        let pairs = self.context.mesh.add_row_pairs(index);
        Ok(Rows::at(self.context.mesh.id, [index, pairs]))
    }

    /// Adds elements to a set: to the set of the children as many for each parent as `counts` says, which become its row. Returns how many
    /// they are. They are numbered after those that are there, in the order of their parents' numbers. `rows` are those of the latest
    /// growth; elements of earlier ones stay, without a row.
    ///
    /// Dats have for new elements the value of their [`decl_dat_filled`](Op2::decl_dat_filled), or zeros. Entries of an
    /// [`OptMap`](crate::OptMap) are missing, and rows of any length empty. Entries of a [`Map`](crate::Map) are *unset*: a loop that follows
    /// them or reads them as data is an error until a loop or [`set_map`](Op2::set_map) has written all of them. Subsets stay as they are.
    ///
    /// Room is made for half as many elements again as there was room for, so that repeated growth moves each value a few times at most.
    /// Values and entries that a device has get room there. The counts come to the host, which numbers the new elements.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Edges;
    /// # impl SetTag for Edges { const NAME: &'static str = "Edges"; }
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let edges = op.decl_set::<Edges>("edges", 3)?;
    /// let nodes = op.decl_set::<Nodes>("nodes", 4)?;
    /// let heat = op.decl_dat_filled("heat", nodes, 20.0)?;
    /// let born = op.decl_children("born", edges, nodes)?;
    /// let parts = op.decl_dat("parts", edges, &[1_u32, 0, 2])?;
    /// assert_eq!(op.grow(born, parts)?, 3);
    /// assert_eq!(op.fetch_rows(born)?, (vec![0, 1, 1, 3], vec![4, 5, 6]));
    /// assert_eq!(op.fetch(heat)?, [20.0; 7]);
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotChildren`](crate::Error::NotChildren) for rows of [`Op2::decl_rows`], [`Error::OtherSet`](crate::Error::OtherSet) for
    /// counts on another set than the parents', [`Error::Total`](crate::Error::Total) and
    /// [`Error::SetTooLarge`](crate::Error::SetTooLarge) for more elements than can be numbered,
    /// [`Error::NoMemory`](crate::Error::NoMemory), [`Error::OtherMesh`](crate::Error::OtherMesh) for handles of another `Op2`,
    /// [`Error::Device`](crate::Error::Device) if values cannot be brought from the device; nothing has changed then.
    pub fn grow<F, T>(&mut self, rows: Rows<F, T>, counts: Dat<F, u32>) -> Result<usize> {
        let map = self.context.mesh.index(rows.id, "map")?;
        let counts = self.context.mesh.index(counts.id, "dat")?;
        let context = &mut self.context;
        if let Some(device) = context.executor.device_mut() {
            return device.grow(&mut context.mesh, map, counts);
        }
        let (mesh, executor) = (&mut context.mesh, &context.executor);
        executor.install(|| mesh.grow(map, counts, executor.pool()))
    }
}
