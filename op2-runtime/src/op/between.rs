//! Changes between loops that need no kernel.

use super::Op2;
use crate::data::value::{Elem, Value};
use crate::error::Result;
use crate::mesh::between::Flag;
use crate::mesh::handle::{Dat, Exchanged, Id, Map, OptMap, Set, Subset};

/// A dat or a map, of which all elements may get the same value: [`Op2::fill`].
pub trait Filled: Copy {
    /// The value of each element, or the target of all entries.
    type Value;
    #[doc(hidden)]
    fn fill(self, op: &mut Op2, value: Self::Value) -> Result<()>;
}

impl<S, V: Value> Filled for Dat<S, V> {
    type Value = V;

    fn fill(self, op: &mut Op2, value: V) -> Result<()> {
        let index = op.context.mesh.index(self.id, "dat")?;
        let Op2 { context, .. } = op;
        if let Some(device) = context.executor.device_mut() {
            return Ok(device.fill(&mut context.mesh, index, V::Elem::bytes(value.components()))?);
        }
        let (mesh, executor) = (&mut context.mesh, &context.executor);
        executor.install(|| mesh.fill(index, value));
        op.host_changed(index);
        Ok(())
    }
}

impl<F, T, const A: usize> Filled for Map<F, T, A> {
    type Value = u32;

    fn fill(self, op: &mut Op2, target: u32) -> Result<()> {
        op.fill_map(self.id, Some(target))
    }
}

impl<F, T, const A: usize> Filled for OptMap<F, T, A> {
    type Value = Option<u32>;

    fn fill(self, op: &mut Op2, target: Option<u32>) -> Result<()> {
        op.fill_map(self.id, target)
    }
}

impl Op2 {
    /// Gives all elements the same value of a dat, on a device if loops run there, or the same entries of a map: of a [`Map`] the number of
    /// the element that they lead to, of an [`OptMap`] the same or `None`.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let nodes = op.decl_set::<Nodes>("nodes", 2)?;
    /// let heat = op.decl_dat("heat", nodes, &[1.0, 2.0])?;
    /// let parent = op.decl_opt_map("parent", nodes, nodes, &[[None], [Some(0)]])?;
    /// op.fill(heat, 20.0)?;
    /// op.fill(parent, None)?;
    /// assert_eq!((op.fetch(heat)?, op.fetch_opt_map(parent)?), (vec![20.0; 2], vec![[None]; 2]));
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MapEntry`](crate::Error::MapEntry) for a number that no element has,
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for a dat or map of another `Op2`, [`Error::Device`](crate::Error::Device)
    /// if the device fails; nothing has changed then.
    pub fn fill<D: Filled>(&mut self, data: D, value: D::Value) -> Result<()> {
        data.fill(self, value)
    }

    fn fill_map(&mut self, map: Id, target: Option<u32>) -> Result<()> {
        let map = self.context.mesh.index(map, "map")?;
        let Self { context, .. } = self;
        let (mesh, executor) = (&mut context.mesh, &context.executor);
        executor.install(|| mesh.fill_map(map, target))?;
        self.entries_changed(map);
        Ok(())
    }

    /// Exchanges the values of two dats, or the entries of two maps, without copying them: the old and the new values of a step change
    /// places. With the values go their layouts.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let nodes = op.decl_set::<Nodes>("nodes", 2)?;
    /// let (old, new) = (op.decl_dat("old", nodes, &[1.0, 2.0])?, op.decl_dat("new", nodes, &[3.0, 4.0])?);
    /// op.swap(old, new)?;
    /// assert_eq!(op.fetch(old)?, [3.0, 4.0]);
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherSet`](crate::Error::OtherSet) if they live on two sets, [`Error::OtherTarget`](crate::Error::OtherTarget) for maps
    /// that lead to two, [`Error::OtherMesh`](crate::Error::OtherMesh) for those of another `Op2`; nothing has changed then.
    pub fn swap<H: Exchanged>(&mut self, a: H, b: H) -> Result<()> {
        let dat = |(id, is_map)| -> Result<usize> {
            let place = self.context.mesh.index(id, if is_map { "map" } else { "dat" })?;
            Ok(if is_map { self.context.mesh.maps[place].data } else { place })
        };
        let [a, b] = [dat(a.stored())?, dat(b.stored())?];
        self.context.mesh.swap(a, b)?;
        if let Some(device) = self.context.executor.device_mut() {
            device.swap(&self.context.mesh, a, b);
        }
        Ok(())
    }

    /// Gives a subset the elements whose flags say yes: those with `true`, or with an integer other than 0. Returns how many they are.
    /// The first call takes memory for all elements of the set, and later ones take none. Where a device has the flags, it makes the
    /// list; the list comes to the host, which keeps two, and loops over the subset find theirs on the device.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Cells;
    /// # impl SetTag for Cells { const NAME: &'static str = "Cells"; }
    /// # let mut op = Op2::new()?;
    /// let cells = op.decl_set::<Cells>("cells", 3)?;
    /// let wet = op.decl_subset::<_, u32>("wet", cells, &[])?;
    /// let depth = op.decl_dat("has water", cells, &[true, false, true])?;
    /// assert_eq!(op.select(wet, depth)?, 2);
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherSet`](crate::Error::OtherSet) for flags of another set, [`Error::NoMemory`](crate::Error::NoMemory),
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for handles of another `Op2`, [`Error::Device`](crate::Error::Device) if the device
    /// fails; the subset is as before then.
    pub fn select<S, V: Flag>(&mut self, subset: Subset<S>, flags: Dat<S, V>) -> Result<usize> {
        let subset = self.context.mesh.index(subset.id, "subset")?;
        let flags = self.context.mesh.index(flags.id, "dat")?;
        let context = &mut self.context;
        if let Some(device) = context.executor.device_mut()
            && device.has_newest(&context.mesh, flags)
        {
            return device.select(&mut context.mesh, subset, flags);
        }
        self.settle(flags)?;
        let Self { context, .. } = self;
        let (mesh, executor) = (&mut context.mesh, &context.executor);
        executor.install(|| mesh.select::<V>(subset, flags))
    }

    /// Takes the elements whose flags say no out of a set, and with them their values, their rows of maps, and their places in subsets.
    /// Entries of other elements that lead to them go missing (`OptMap`) or vanish (`Rows`). Those that stay keep their order and are
    /// numbered anew from 0. Returns how many they are. Values and entries that a device has move there.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Cells;
    /// # impl SetTag for Cells { const NAME: &'static str = "Cells"; }
    /// # let mut op = Op2::new()?;
    /// let cells = op.decl_set::<Cells>("cells", 4)?;
    /// let next = op.decl_opt_map("next", cells, cells, &[[Some(1)], [Some(2)], [Some(3)], [None]])?;
    /// let heat = op.decl_dat("heat", cells, &[10.0, 11.0, 12.0, 13.0])?;
    /// let alive = op.decl_dat("alive", cells, &[true, false, true, true])?;
    /// assert_eq!(op.compact(cells, alive)?, 3);
    /// assert_eq!(op.fetch(heat)?, [10.0, 12.0, 13.0]);
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Kept`](crate::Error::Kept) for an element that stays and leads to one that does not by a map whose entries all lead
    /// somewhere, otherwise as [`Op2::select`]; nothing has changed then.
    pub fn compact<S, V: Flag>(&mut self, set: Set<S>, keep: Dat<S, V>) -> Result<usize> {
        let set = self.context.mesh.index(set.id, "set")?;
        let keep = self.context.mesh.index(keep.id, "dat")?;
        let before = self.context.mesh.sets[set].size;
        let context = &mut self.context;
        let left = match context.executor.device_mut() {
            Some(device) => device.compact::<V>(&mut context.mesh, set, keep)?,
            None => {
                let (mesh, executor) = (&mut context.mesh, &context.executor);
                executor.install(|| mesh.compact::<V>(set, keep, executor.pool()))?
            }
        };
        if left < before {
            self.numbers_changed();
        }
        Ok(left)
    }

    /// Gives each element the sum of the counts of all elements before it, in the order of the user's numbers, and returns the sum of
    /// all: where the parts of each element begin in one list of all parts. `into` may be `counts`. Where a device has the counts, the sums
    /// are made there, and the total alone comes to the host.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag};
    /// # #[derive(Clone, Copy)] struct Cells;
    /// # impl SetTag for Cells { const NAME: &'static str = "Cells"; }
    /// # let mut op = Op2::new()?;
    /// let cells = op.decl_set::<Cells>("cells", 4)?;
    /// let (parts, first) = (op.decl_dat("parts", cells, &[2_u32, 0, 3, 1])?, op.decl_dat_filled("first", cells, 0_u32)?);
    /// assert_eq!(op.scan(parts, first)?, 6);
    /// assert_eq!(op.fetch(first)?, [0, 2, 2, 5]);
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Total`](crate::Error::Total) for a sum that no `u32` holds, [`Error::OtherSet`](crate::Error::OtherSet) if the dats live
    /// on two sets, [`Error::NoMemory`](crate::Error::NoMemory), [`Error::OtherMesh`](crate::Error::OtherMesh) for dats of another `Op2`;
    /// nothing has changed then. [`Error::Device`](crate::Error::Device) if the device fails.
    pub fn scan<S>(&mut self, counts: Dat<S, u32>, into: Dat<S, u32>) -> Result<u32> {
        let counts = self.context.mesh.index(counts.id, "dat")?;
        let into = self.context.mesh.index(into.id, "dat")?;
        let context = &mut self.context;
        if let Some(device) = context.executor.device_mut()
            && device.has_newest(&context.mesh, counts)
        {
            return device.scan(&mut context.mesh, counts, into);
        }
        self.settle(counts)?;
        let Self { context, .. } = self;
        let (mesh, executor) = (&mut context.mesh, &context.executor);
        let total = executor.install(|| mesh.scan(counts, into))?;
        self.host_changed(into);
        Ok(total)
    }
}
