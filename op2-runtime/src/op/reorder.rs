//! Renumbering a mesh that is in use.

use super::Op2;
use crate::call::context::Context;
use crate::data::room;
use crate::data::value::Value;
use crate::error::{Error, Result};
use crate::inspect::{Elements, LoopShape, Touch};
use crate::lanes::float::Float;
use crate::mesh::handle::{Dat, Map};
use crate::mesh::{DatStore, Mesh};
use crate::op::progress::with_line;
use crate::plan::{Plan, Scheme};
use crate::reorder::{
    Coordinates, ElementData, Forecast, Link, Locality, MeshShape, NewNumbers, Ordering, ReorderError, Reordering,
    block_quality, graph_quality, leading_map, order_of, renumber,
};
use op2_core::Access;
use std::time::Instant;

/// The dat that holds the coordinates of elements.
#[derive(Clone, Copy)]
pub(crate) struct Positions {
    pub(super) dat: usize,
    pub(super) dim: usize,
    /// The values as they are stored, row by row.
    values: fn(&Mesh, usize) -> Result<Vec<f64>>,
}

impl Positions {
    /// The elements in their order along a curve; none if a position is not finite, or there is no memory for them.
    pub(super) fn along_curve(&self, mesh: &Mesh) -> Option<Vec<u32>> {
        let values = (self.values)(mesh, self.dat).ok()?;
        // Keys of 16 bytes are sorted.
        let fits = room::has(16 * (values.len() / self.dim) as u128);
        (fits && values.iter().all(|x| x.is_finite())).then(|| order_of(self.dim, &values))
    }
}

impl Op2 {
    /// Renumbers the mesh internally, so that data used together lie close together in memory. Users do not see the new
    /// numbers: data, entries of maps, subsets and the indices that kernels ask for keep the numbering in which they
    /// were declared. Later declarations use that numbering too, and are translated.
    ///
    /// The map with the most entries leads; [`Op2::reorder_by`] names another one. The elements of a loop run in the new
    /// order, those of a subset too, so that sums change in rounding. Shows a line on the terminal if it takes more than a second.
    ///
    /// Returns the locality of the leading map before and after, and the time that the reordering took.
    ///
    /// ```
    /// # use op2_runtime::{Op2, SetTag, reorder::Ordering};
    /// # #[derive(Clone, Copy)] struct Edges;
    /// # impl SetTag for Edges { const NAME: &'static str = "Edges"; }
    /// # #[derive(Clone, Copy)] struct Nodes;
    /// # impl SetTag for Nodes { const NAME: &'static str = "Nodes"; }
    /// # let mut op = Op2::new()?;
    /// let edges = op.decl_set::<Edges>("edges", 3)?;
    /// let nodes = op.decl_set::<Nodes>("nodes", 4)?;
    /// op.decl_map("chain", edges, nodes, &[[0, 3], [3, 1], [1, 2]])?;
    /// let reordering = op.reorder(Ordering::Gps)?;
    /// assert_eq!((reordering.before.graph.bandwidth, reordering.after.graph.bandwidth), (3, 1));
    /// # Ok::<(), op2_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Reorder`] for a mesh without maps, for [`Ordering::Hilbert`] without coordinates and for
    /// [`Ordering::Metis`] in a build without METIS; [`Error::Device`] if values cannot be brought from the device, [`Error::NoMemory`].
    /// The mesh is as before then.
    pub fn reorder(&mut self, ordering: Ordering) -> Result<Reordering> {
        self.reorder_led(ordering, None)
    }

    /// The same, led by `map`: its targets are numbered first, then its elements, then all other sets.
    ///
    /// # Errors
    /// As [`Op2::reorder`], and [`Error::OtherMesh`] for a map of another `Op2`.
    pub fn reorder_by<F, T, const A: usize>(&mut self, map: Map<F, T, A>, ordering: Ordering) -> Result<Reordering> {
        let lead = self.context.mesh.index(map.id, "map")?;
        self.reorder_led(ordering, Some(lead))
    }

    /// Names the dat that holds the coordinates of its set's elements, in one, two or three dimensions.
    /// [`Ordering::Hilbert`] needs them, and with [`Ordering::Predicted`] loops on devices form blocks by them.
    ///
    /// # Errors
    /// [`Error::OtherMesh`] for a dat of another `Op2`, [`Error::Reorder`] for more dimensions.
    pub fn set_coordinates<S, V: Value<Elem: Float>>(&mut self, dat: Dat<S, V>) -> Result<()> {
        let dat = self.context.mesh.index(dat.id, "dat")?;
        if !(1..=3).contains(&V::DIM) {
            return Err(Error::Reorder(ReorderError::Dim { dim: V::DIM }));
        }
        let values = |mesh: &Mesh, dat: usize| {
            let set = &mesh.sets[mesh.dats[dat].set];
            let what = || format!("the coordinates in dat `{}`", mesh.dats[dat].name);
            let mut values = room::filled(what, 0.0, set.size * V::DIM)?;
            for (e, row) in mesh.rows::<V>(dat)?.iter().enumerate() {
                let place = &mut values[set.inner(e) * V::DIM..][..V::DIM];
                place.iter_mut().zip(row.components()).for_each(|(to, &from)| *to = from.to_f64());
            }
            Ok(values)
        };
        self.order.positions = Some(Positions { dat, dim: V::DIM, values });
        Ok(())
    }

    fn reorder_led(&mut self, ordering: Ordering, lead: Option<usize>) -> Result<Reordering> {
        self.entries_arrive()?;
        let forecasts = {
            let shape = shape(&self.context);
            let lead = lead.or_else(|| leading_map(&shape));
            match ordering {
                Ordering::Predicted => Forecast::of(&shape),
                _ => {
                    lead.and_then(|lead| Some(Forecast { lead, ..Forecast::with(&shape, lead)? })).into_iter().collect()
                }
            }
        };
        let measured = |mesh: &Mesh, numbers: &NewNumbers| numbers.lead.map(|map| locality(mesh, map, ordering));
        let (numbers, before, seconds) = self.number_anew(0, ordering, lead, &measured)?;
        self.order.settle();
        self.note(&forecasts, &numbers, None);
        let after = measured(&self.context.mesh, &numbers).unwrap_or_default();
        let lead = numbers.lead.map_or(String::new(), |map| self.context.mesh.maps[map].name.clone());
        Ok(Reordering { ordering, lead, before: before.unwrap_or_default(), after, seconds })
    }

    /// Brings entries of maps that are newer on a device to the host, where orders are found by them.
    pub(super) fn entries_arrive(&mut self) -> Result<()> {
        (0..self.context.mesh.maps.len()).try_for_each(|map| self.settle(self.context.mesh.maps[map].data))
    }

    /// Finds new numbers and applies them; returns the seconds that it took. The order of the first maps is
    /// [decided](MeshShape::decided). `measure` sees the numbers and the mesh before; its time does not count.
    pub(super) fn number_anew(
        &mut self,
        decided: usize,
        ordering: Ordering,
        lead: Option<usize>,
        measure: &(dyn Fn(&Mesh, &NewNumbers) -> Option<Locality> + Sync),
    ) -> Result<(NewNumbers, Option<Locality>, f64)> {
        let is_device = self.context.executor.device().is_some();
        if let Some(device) = self.context.executor.device_mut() {
            device.bring_back(&mut self.context.mesh)?;
        }
        let start = Instant::now();
        // Blocks along a curve share more points, of which devices have the gain. CPUs read levels as streams: hydra's loops
        // take 1.4 to 1.6 times as long along a curve (200,000 and 1.8 million nodes, AMD EPYC, 2026-11-25).
        let positions = self.order.positions.filter(|p| match ordering {
            Ordering::Predicted => is_device && Forecast::may_follow_curve(p.dim),
            _ => ordering == Ordering::Hilbert,
        });
        let positions = positions.map(|p| Ok::<_, Error>((p, (p.values)(&self.context.mesh, p.dat)?))).transpose()?;
        let coordinates = positions.as_ref().map(|(p, values)| Coordinates {
            set: self.context.mesh.dats[p.dat].set,
            dim: p.dim,
            values,
        });
        let (mesh, executor) = (&self.context.mesh, &self.context.executor);
        let shape = MeshShape { coordinates, decided, ..shape(&self.context) };
        has_room_for_numbers(&shape, ordering)?;
        let found = executor.install(|| {
            with_line("reordering", |stage| {
                let numbers = renumber(&shape, ordering, lead, stage)?;
                let found = start.elapsed();
                stage("quality");
                let measured = measure(mesh, &numbers);
                Ok::<_, Error>((numbers, found, measured))
            })
        });
        let (numbers, found, measured) = found?;
        let start = Instant::now();
        let (mesh, executor) = (&mut self.context.mesh, &self.context.executor);
        executor.install(|| mesh.renumber(&numbers.sets, executor.pool()))?;
        if let Some((set, pieces)) = &numbers.pieces {
            self.context.mesh.sets[*set].change().pieces = Some(pieces.clone());
        }
        self.numbers_changed();
        let seconds = (found + start.elapsed()).as_secs_f64();
        if !(numbers.ordered.is_empty() && numbers.runs.is_empty()) {
            self.order.seconds += seconds;
        }
        Ok((numbers, measured, seconds))
    }

    /// Frees what depends on old numbers of elements. Plans made for them have old versions in their keys, so that nobody would look
    /// them up again.
    pub(super) fn numbers_changed(&mut self) {
        self.context.plans.clear();
        self.context.chooser.renumbered();
        if let Some(device) = self.context.executor.device_mut() {
            device.renumbered(&self.context.mesh);
        }
    }
}

/// Fails if the system is known to lack the memory for new numbers.
fn has_room_for_numbers(shape: &MeshShape<'_>, ordering: Ordering) -> Result<()> {
    // The new numbers and their inverse take 8 bytes per element, and the graph at least one entry per entry of the
    // leading map.
    let rows: u128 = shape.sets.iter().map(|&size| size as u128).sum();
    let entries = shape.maps.iter().map(|map| map.entries.len()).max().unwrap_or(0) as u128;
    let bytes = 8 * rows + 4 * entries;
    if ordering != Ordering::None && !room::has(bytes) {
        return Err(room::missing("the order of the mesh".to_owned(), bytes));
    }
    Ok(())
}

/// The block size for measuring locality, if the ordering states none.
const BLOCK: usize = 256;

/// The locality of a loop that increments through `map`, in blocks of the size that the ordering aims at.
fn locality(mesh: &Mesh, map: usize, ordering: Ordering) -> Locality {
    let size = if let Ordering::Metis { block } = ordering { block } else { BLOCK };
    let store = &mesh.maps[map];
    let from = &mesh.sets[store.from];
    let elements = from.pieces.as_deref().map_or(Elements::All(from.size), Elements::Pieces);
    let through = mesh.through(map, 0..store.arity);
    let targets = mesh.sets[store.to].size;
    let touch = Touch { arg: 0, dat: 0, targets, bytes: 8, access: Access::Inc, through: Some(through), own: false };
    let touches = if store.arity == 0 { Vec::new() } else { vec![touch] };
    let shape = LoopShape { elements, touches };
    let plan = Plan::build(&shape, Scheme::blocks(size)).expect("a map of the mesh leads to existing elements");
    let colours = plan.element_colours(&shape).expect("the shape is that of the plan");
    let sets: Vec<usize> = mesh.sets.iter().map(|set| set.size).collect();
    let links: Vec<Link<'_>> = mesh.links().filter(|m| m.from == store.from).collect();
    let bytes: Vec<usize> = (0..sets.len()).map(|set| data_of(mesh, set).bytes).collect();
    Locality {
        graph: graph_quality(&mesh.link(map), targets, None),
        blocks: block_quality(plan.offsets(), None, &links, &sets, &bytes),
        block_colours: plan.colours(),
        element_colours: colours.most(),
    }
}

/// The mesh as the reordering sees it, without coordinates.
pub(super) fn shape(context: &Context) -> MeshShape<'_> {
    let mesh = &context.mesh;
    // Devices run no packs.
    let has_packs = context.executor.device().is_none();
    let data = (0..mesh.sets.len()).map(|set| {
        let data = data_of(mesh, set);
        ElementData { columns: if has_packs { data.columns } else { 0 }, ..data }
    });
    MeshShape {
        sets: mesh.sets.iter().map(|s| s.size).collect(),
        maps: mesh.links().collect(),
        coordinates: None,
        data: data.collect(),
        decided: 0,
    }
}

/// The values of a set; entries of maps are counted by the maps.
fn data_of(mesh: &Mesh, set: usize) -> ElementData {
    let dats = || mesh.dats.iter().filter(|dat| dat.set == set && dat.of_map.is_none());
    ElementData {
        bytes: dats().map(|dat| dat.bytes).sum(),
        lines: dats().map(DatStore::lines).sum(),
        columns: dats().map(DatStore::columns).sum(),
    }
}
