//! Reordering: new numbers for the sets of a mesh, so that elements that are computed together are close in memory.
//!
//! One map leads. Its targets, the *points*, are numbered by an [`Ordering`]: RCM or GPS on the graph that the rows of
//! the map span, or along a space-filling curve. Its elements are then sorted lexicographically by their new points, so that
//! neighbours in the loop access the same points; all other sets follow these two. Or METIS cuts the elements into blocks
//! that share as few points as possible, and the points are sorted by the blocks that touch them. See Sulyok, Balogh,
//! Reguly, Mudalige: Locality optimized unstructured mesh algorithms on GPUs (JPDC 2019), section 2, "Increasing data
//! reuse".
//!
//! Everything here is a pure function of its arguments: the same mesh gets the same numbers, and ties are broken by the
//! old number. METIS draws random numbers from the C library, so its blocks are the same only on machines with the same
//! library.

#[cfg(feature = "metis")]
mod blocks;
mod follow;
mod gps;
mod graph;
mod hilbert;
mod levels;
mod ordering;
mod predicted;
mod quality;
mod rcm;
mod reordering;
mod runs;
mod shape;

use std::borrow::Cow;

pub use crate::error::reorder::ReorderError;
pub(crate) use hilbert::order_of;
pub use ordering::{NoOrdering, Ordering};
pub use predicted::Forecast;
pub use quality::{BlockQuality, GraphQuality, block_quality, graph_quality};
pub use reordering::{Locality, Reordering};
pub use runs::Runs;
pub use shape::{Coordinates, ElementData, Link, MeshShape, leading_map};

use follow::{Numbers, by_points, follow, inverse};
use graph::{Connected, Graph};

/// The new numbering of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewNumbers {
    /// For each set, the new number of every old element, a permutation; `None` if the set keeps its numbers.
    pub sets: Vec<Option<Vec<u32>>>,
    /// The set that METIS cut, and the offsets of its blocks in the new numbering: block `b` is the elements
    /// `offsets[b]..offsets[b + 1]`, so there is one offset more than blocks.
    pub pieces: Option<(usize, Vec<u32>)>,
    /// The parts of the mesh that got new numbers: the leading map of each, and its ordering.
    pub ordered: Vec<(usize, Ordering)>,
    /// The maps whose elements were sorted afterwards, by [`Ordering::Runs`].
    pub runs: Vec<Runs>,
    /// The leading map. [`Ordering::Hilbert`] does not use it; the reported locality still refers to it.
    pub lead: Option<usize>,
}

/// Numbers the sets of `mesh` anew by `ordering`, led by the map `lead` or else by the [`leading_map`].
/// [`Ordering::Predicted`] numbers each component by its own leading map, where a [`Forecast`] says that it pays.
///
/// Sets that no chain of maps connects to the leading ones keep their numbers. `progress` is called with the name of
/// each stage as it begins. The work is divided among the threads of the current rayon pool; the numbers do not depend on them.
///
/// # Errors
/// [`ReorderError::NoMap`] for a mesh without maps, [`ReorderError::NoCoordinates`] and
/// [`ReorderError::NotFinite`] for [`Ordering::Hilbert`], [`ReorderError::EmptyBlock`], [`ReorderError::NoMetis`] and
/// [`ReorderError::Metis`] for [`Ordering::Metis`], and the other variants for a mesh that contradicts itself.
pub fn renumber(
    mesh: &MeshShape<'_>,
    ordering: Ordering,
    lead: Option<usize>,
    progress: &mut dyn FnMut(&'static str),
) -> Result<NewNumbers, ReorderError> {
    mesh.check()?;
    if let Some(map) = lead.filter(|&map| map >= mesh.maps.len()) {
        return Err(ReorderError::NoSuchMap { map, maps: mesh.maps.len() });
    }
    let lead = lead.or_else(|| leading_map(mesh));
    let leader = || lead.map(|i| &mesh.maps[i]).ok_or(ReorderError::NoMap);
    if ordering == Ordering::Predicted {
        return predicted(mesh, lead, progress);
    }
    let (sets, pieces) = match ordering {
        Ordering::Predicted | Ordering::None => (vec![None; mesh.sets.len()], None),
        Ordering::Rcm => (led(mesh, leader()?, rcm::order, progress)?, None),
        Ordering::Gps => (led(mesh, leader()?, gps::order, progress)?, None),
        Ordering::Runs => (in_runs(mesh, leader()?), None),
        Ordering::Hilbert => (along_curve(mesh, progress)?, None),
        Ordering::Metis { block: 0 } => return Err(ReorderError::EmptyBlock),
        #[cfg(feature = "metis")]
        Ordering::Metis { block } => {
            let (sets, offsets) = blocks::numbers(mesh, leader()?, block, progress)?;
            (sets, Some((leader()?.from, offsets)))
        }
        #[cfg(not(feature = "metis"))]
        Ordering::Metis { .. } => return Err(ReorderError::NoMetis),
    };
    let (mut ordered, mut runs) = (Vec::new(), Vec::new());
    match (ordering, lead) {
        (Ordering::Runs, Some(map)) if sets[mesh.maps[map].from].is_some() => runs.push(Runs::along(mesh, map)),
        (Ordering::None | Ordering::Runs, _) | (_, None) => {}
        (ordering, Some(map)) => ordered.push((map, ordering)),
    }
    Ok(NewNumbers { sets, pieces, ordered, runs, lead })
}

/// Numbers the components of the mesh for which it pays.
fn predicted(
    mesh: &MeshShape<'_>,
    lead: Option<usize>,
    progress: &mut dyn FnMut(&'static str),
) -> Result<NewNumbers, ReorderError> {
    let (mut sets, mut ordered) = (vec![None; mesh.sets.len()], Vec::new());
    for forecast in Forecast::of(mesh).iter().filter(|forecast| forecast.pays()) {
        let ordering = forecast.ordering(mesh);
        let numbers = renumber(mesh, ordering, Some(forecast.lead), progress)?;
        let of_component = sets.iter_mut().zip(numbers.sets).filter(|(_, new)| new.is_some());
        of_component.for_each(|(set, new)| *set = new);
        ordered.push((forecast.lead, ordering));
    }
    let runs = predicted_runs(mesh, &mut sets);
    Ok(NewNumbers { sets, pieces: None, ordered, runs, lead })
}

/// Sorts elements where that pays, on top of these new numbers.
fn predicted_runs(mesh: &MeshShape<'_>, numbers: &mut Numbers) -> Vec<Runs> {
    if mesh.data.iter().all(|data| data.columns == 0) {
        return Vec::new();
    }
    let entries = entries(mesh, numbers);
    let maps = mesh.maps.iter().zip(&entries).map(|(map, entries)| Link { entries, ..*map }).collect();
    let numbered = MeshShape { maps, ..mesh.clone() };
    let mut all = Runs::of(&numbered);
    all.retain(Runs::pays);
    for runs in &all {
        let map = &numbered.maps[runs.map];
        let mut new = runs::by_distances(map);
        if let Some(old) = &numbers[map.from] {
            new = old.iter().map(|&e| new[e as usize]).collect();
        }
        numbers[map.from] = Some(new);
    }
    all
}

/// The entries of all maps under new numbers.
fn entries<'a>(mesh: &MeshShape<'a>, numbers: &Numbers) -> Vec<Cow<'a, [u32]>> {
    let entries = mesh.maps.iter().map(|map| match (&numbers[map.from], &numbers[map.to]) {
        (None, None) => Cow::Borrowed(map.entries),
        (from, to) => Cow::Owned(map.renumbered(from.as_deref(), to.as_deref())),
    });
    entries.collect()
}

/// Sorts the elements of the leading map, unless they are its targets, too.
fn in_runs(mesh: &MeshShape<'_>, leader: &Link<'_>) -> Numbers {
    let mut numbers = vec![None; mesh.sets.len()];
    if leader.from != leader.to && leader.arity > 0 {
        numbers[leader.from] = Some(runs::by_distances(leader));
    }
    numbers
}

/// Numbers by the graph of the leading map's points.
fn led(
    mesh: &MeshShape<'_>,
    leader: &Link<'_>,
    order: impl Fn(&Connected) -> Vec<u32>,
    progress: &mut dyn FnMut(&'static str),
) -> Result<Numbers, ReorderError> {
    progress("graph");
    let connected = Connected::of(&Graph::of_cliques(leader, mesh.sets[leader.to])?);
    progress("numbering");
    let points = order(&connected).into_iter().map(|v| connected.old[v as usize]).collect::<Vec<_>>();
    drop(connected);
    let mut numbers = vec![None; mesh.sets.len()];
    numbers[leader.to] = Some(inverse(&points));
    progress("elements");
    if leader.from != leader.to && leader.arity > 0 {
        numbers[leader.from] = numbers[leader.to].as_ref().map(|new| by_points(leader, new));
    }
    progress("other sets");
    follow(mesh, &mut numbers);
    Ok(numbers)
}

/// Numbers the set with coordinates along the curve; all others follow it.
fn along_curve(mesh: &MeshShape<'_>, progress: &mut dyn FnMut(&'static str)) -> Result<Numbers, ReorderError> {
    let at = mesh.coordinates.as_ref().ok_or(ReorderError::NoCoordinates)?;
    progress("curve");
    let mut numbers = vec![None; mesh.sets.len()];
    numbers[at.set] = Some(inverse(&hilbert::order(at)?));
    progress("other sets");
    follow(mesh, &mut numbers);
    Ok(numbers)
}
