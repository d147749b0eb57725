//! Entries of maps, which kernels write, for the user.

use super::Op2;
use crate::data::place::MISSING;
use crate::data::room;
use crate::error::Result;
use crate::mesh::handle::{Map, OptMap};

impl Op2 {
    /// The entries of a map, as loops have left them: for each element of the set that it leads from, the numbers of `A` others.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let nodes = op.decl_set::<Nodes>("nodes", 3)?;
    /// let next = op.decl_map("next", nodes, nodes, &[[1], [2], [0]])?;
    /// assert_eq!(op.fetch_map(next)?, [[1], [2], [0]]);
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), [`Error::OtherMesh`](crate::Error::OtherMesh) for a map of another `Op2`,
    /// [`Error::Device`](crate::Error::Device) if the entries cannot be brought from the device.
    pub fn fetch_map<F, T, const A: usize>(&mut self, map: Map<F, T, A>) -> Result<Vec<[u32; A]>> {
        let map = self.context.mesh.index(map.id, "map")?;
        self.entries_of(map, |entry| entry)
    }

    /// The entries of a map whose entries may be missing, as [`Op2::fetch_map`].
    ///
    /// # Errors
    /// As [`Op2::fetch_map`].
    pub fn fetch_opt_map<F, T, const A: usize>(&mut self, map: OptMap<F, T, A>) -> Result<Vec<[Option<u32>; A]>> {
        let map = self.context.mesh.index(map.id, "map")?;
        self.entries_of(map, |entry| (entry != MISSING).then_some(entry))
    }

    fn entries_of<E, const A: usize>(&mut self, map: usize, entry: impl Fn(u32) -> E) -> Result<Vec<[E; A]>> {
        self.settle(self.context.mesh.maps[map].data)?;
        let mesh = &self.context.mesh;
        let (store, entries) = (&mesh.maps[map], mesh.entries(map));
        let (from, to) = (&mesh.sets[store.from], &mesh.sets[store.to]);
        let user = |inner: u32| if inner == MISSING { inner } else { to.user(inner as usize) as u32 };
        let what = || format!("the entries of map `{}`", store.name);
        room::all(what, from.size, |e| {
            let start = from.inner(e) * A;
            std::array::from_fn(|index| entry(user(entries[start + index])))
        })
    }

    /// If loops run on a device, tells it that the host has changed the entries of a map.
    pub(super) fn entries_changed(&mut self, map: usize) {
        self.host_changed(self.context.mesh.maps[map].data);
    }
}
