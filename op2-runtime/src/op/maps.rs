//! Entries of maps, which kernels write, for the user.

use super::Op2;
use crate::data::place::MISSING;
use crate::data::room;
use crate::error::Result;
use crate::mesh::handle::{Map, OptMap, Rows, Turned};

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
    /// [`Error::Unset`](crate::Error::Unset) for an element that came by [`Op2::grow`] and has no entries yet,
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

    /// The rows of a map whose rows have any length, in the form in which [`Op2::decl_rows`] takes them: where each begins, and the end of
    /// the last, then the numbers of all entries.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), [`Error::OtherMesh`](crate::Error::OtherMesh) for a map of another `Op2`; for rows of
    /// [`Op2::invert`], [`Error::Unset`](crate::Error::Unset) and [`Error::Device`](crate::Error::Device) of the map that they turn round.
    pub fn fetch_rows<F, T>(&mut self, rows: Rows<F, T>) -> Result<(Vec<usize>, Vec<u32>)> {
        let map = self.context.mesh.index(rows.id, "map")?;
        if let Some(turned) = self.context.mesh.turned_before(map) {
            self.settle(self.context.mesh.maps[turned].data)?;
            let Self { context, .. } = self;
            let (mesh, executor) = (&mut context.mesh, &context.executor);
            executor.install(|| mesh.turn(map, executor.pool()))?;
        }
        let mesh = &self.context.mesh;
        let (store, all) = (&mesh.maps[map], mesh.through(map, 0..0));
        let (from, to) = (&mesh.sets[store.from], &mesh.sets[store.to]);
        let what = || format!("the rows of map `{}`", store.name);
        let (mut offsets, mut entries) = (room::list(what, from.size + 1)?, room::list(what, all.entries.len())?);
        offsets.push(0);
        for user in 0..from.size {
            entries.extend(all.entries_of(from.inner(user)).iter().map(|entry| to.user(*entry as usize) as u32));
            offsets.push(entries.len());
        }
        Ok((offsets, entries))
    }

    /// Turns a map round: for each element that it leads to, the elements whose entries lead there, in the order of their numbers, and
    /// each as often as it has such entries. The rows follow the map: whatever writes it, the next loop that goes through them turns it
    /// round again. Each map has one inverse.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Edges;
    /// # impl SetTag for Edges { const NAME: &'static str = "Edges"; }
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let (edges, nodes) = (op.decl_set::<Edges>("edges", 3)?, op.decl_set::<Nodes>("nodes", 3)?);
    /// let ends = op.decl_map("ends", edges, nodes, &[[0, 1], [1, 2], [2, 1]])?;
    /// let star = op.invert(ends)?;
    /// assert_eq!(op.fetch_rows(star)?, (vec![0, 1, 4, 6], vec![0, 0, 1, 2, 1, 2]));
    /// op.set_map(ends, &[[0, 1], [0, 1], [0, 1]])?;
    /// assert_eq!(op.fetch_rows(star)?, (vec![0, 3, 6, 6], vec![0, 1, 2, 0, 1, 2]));
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), [`Error::OtherMesh`](crate::Error::OtherMesh) for a map of another `Op2`. A loop through
    /// the rows fails for entries of the map that nobody has written yet.
    pub fn invert<M: Turned>(&mut self, map: M) -> Result<Rows<M::To, M::From>> {
        let map = self.context.mesh.index(map.handle(), "map")?;
        let rows = self.context.mesh.inverse(map)?;
        Ok(Rows::at(self.context.mesh.id, rows))
    }

    fn entries_of<E, const A: usize>(&mut self, map: usize, entry: impl Fn(u32) -> E) -> Result<Vec<[E; A]>> {
        self.settle(self.context.mesh.maps[map].data)?;
        let mesh = &mut self.context.mesh;
        mesh.expect_defined(map)?;
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
