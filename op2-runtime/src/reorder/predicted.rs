//! Predicts whether new numbers for a mesh pay, from the mesh alone.
//!
//! Loops that go through a map are fast where elements that run one after the other lead to rows that lie side by side:
//! a cache line then serves several elements, and the hardware prefetches the next one. A target is *scattered* if no row
//! near it is touched by the elements around. Every dat of a scattered target costs a cache line of its own.
//!
//! The maps are sampled at fixed positions. Neither a clock, nor threads, nor the size of a cache enter, so that every run on
//! every machine decides alike and leaves the same bits.

use super::Ordering;
use super::shape::{Link, MeshShape, leading_among};
use std::collections::BTreeSet;

/// The numbering of one component of a mesh: sets that maps connect with each other.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Forecast {
    /// The leading map of the component.
    pub lead: usize,
    /// The share of scattered targets, 0 to 1, among those that all maps of the component lead to.
    pub scattered: f64,
    /// Nanoseconds that one loop over each of the maps would save if no target were scattered.
    pub gain: f64,
    /// The gain if all targets were scattered.
    pub most: f64,
    /// Nanoseconds that new numbers cost.
    pub cost: f64,
}

/// Loops through each map among which the cost of new numbers is divided: a solver with two inner steps makes as many in 50
/// iterations.
pub(super) const LOOPS: f64 = 100.0;
/// Nanoseconds to load a cache line that neither a neighbour has loaded nor the hardware has foreseen, on several cores, where the
/// rows behind the map have more than so many bytes. Scattered targets also make more colours, whose blocks pass through the same
/// data again.
///
/// Measured as the time of airfoil's `res_calc` on meshes of 1,800 to 720,000 cells numbered at random, less that after `gps`, on
/// 2 cores of an AMD EPYC, 2026-11-24.
const LINE: [(usize, f64); 2] = [(4 << 20, 5.0), (256 << 10, 1.5)];
/// Nanoseconds for each entry of a map to find the new numbers and to apply them.
const ENTRY: f64 = 60.0;
/// Nanoseconds for each byte of a dat to move to its new place.
const BYTE: f64 = 1.0;

/// A map is sampled in this many windows of this many elements.
const WINDOWS: usize = 8;
const WINDOW: usize = 256;
/// A target is scattered if its window leads to no other target whose number differs by at most this.
const NEAR: usize = 4;

impl Forecast {
    /// Whether new numbers save more than they cost.
    pub fn pays(&self) -> bool {
        self.gain * LOOPS > self.cost
    }

    /// Whether they would pay for the worst numbering. If not, the component is small.
    pub fn could_pay(&self) -> bool {
        self.most * LOOPS > self.cost
    }

    /// The forecast of the component that a map belongs to.
    pub fn with(mesh: &MeshShape<'_>, map: usize) -> Option<Forecast> {
        let component = components(mesh);
        let own = component[mesh.maps.get(map)?.from];
        Forecast::of_component(mesh, &|set| component[set] == own)
    }

    /// The forecasts of all components that are not [decided](MeshShape::decided) about, in the order of their first sets. Sets without
    /// maps are in none.
    pub fn of(mesh: &MeshShape<'_>) -> Vec<Forecast> {
        let component = components(mesh);
        open(mesh, &component)
            .into_iter()
            .filter_map(|c| Forecast::of_component(mesh, &|set| component[set] == c))
            .collect()
    }

    fn of_component(mesh: &MeshShape<'_>, is_inside: &dyn Fn(usize) -> bool) -> Option<Forecast> {
        let lead = leading_among(mesh, |map| is_inside(map.from) && !map.entries.is_empty())?;
        let (mut all, mut scattered, mut gain, mut most) = (0.0, 0.0, 0.0, 0.0);
        let maps = || mesh.maps.iter().filter(|map| is_inside(map.from));
        let most_targets = maps().map(|map| mesh.sets[map.to]).max().unwrap_or(0);
        let mut touched = [Touched::new(most_targets), Touched::new(most_targets)];
        for map in maps() {
            let (targets, entries) = (mesh.sets[map.to], map.entries.len() as f64);
            let data = mesh.data.get(map.to).copied().unwrap_or_default();
            let share = scattered_share(map, &mut touched);
            all += entries;
            scattered += entries * share;
            let lines = entries * data.lines as f64 * line(targets * data.bytes);
            most += lines;
            gain += lines * share;
        }
        Some(Forecast { lead, scattered: scattered / all, gain, most, cost: cost_of(mesh, is_inside) })
    }

    /// Whether coordinates of `dim` dimensions matter to [`Ordering::Predicted`], on devices.
    pub(crate) fn may_follow_curve(dim: usize) -> bool {
        dim == 3
    }

    /// The ordering for the component: along a curve in space, where levels of a graph are wide, otherwise by levels.
    pub(super) fn ordering(&self, mesh: &MeshShape<'_>) -> Ordering {
        let component = components(mesh);
        let inside = |set: usize| component[set] == component[mesh.maps[self.lead].from];
        match &mesh.coordinates {
            Some(at)
                if Forecast::may_follow_curve(at.dim) && inside(at.set) && at.values.iter().all(|x| x.is_finite()) =>
            {
                Ordering::Hilbert
            }
            _ => Ordering::Gps,
        }
    }
}

/// Nanoseconds that new numbers of some sets cost.
pub(super) fn cost_of(mesh: &MeshShape<'_>, is_inside: &dyn Fn(usize) -> bool) -> f64 {
    let entries: usize = mesh.maps.iter().filter(|map| is_inside(map.from)).map(|map| map.entries.len()).sum();
    let bytes = |set: usize| mesh.data.get(set).map_or(0, |data| data.bytes) * mesh.sets[set];
    let bytes: usize = (0..mesh.sets.len()).filter(|&set| is_inside(set)).map(bytes).sum();
    entries as f64 * ENTRY + bytes as f64 * BYTE
}

/// Nanoseconds to load a line of that many bytes of rows.
fn line(bytes: usize) -> f64 {
    LINE.iter().find(|(more, _)| bytes > *more).map_or(0.0, |(_, nanoseconds)| *nanoseconds)
}

/// The components, by their first sets, that are not [decided](MeshShape::decided) about.
pub(super) fn open(mesh: &MeshShape<'_>, component: &[usize]) -> BTreeSet<usize> {
    mesh.maps.iter().skip(mesh.decided).map(|map| component[map.from]).collect()
}

/// For every set, the smallest set that maps connect it with.
pub(super) fn components(mesh: &MeshShape<'_>) -> Vec<usize> {
    let mut smallest: Vec<usize> = (0..mesh.sets.len()).collect();
    loop {
        let before = smallest.clone();
        for map in mesh.maps.iter().filter(|map| !map.entries.is_empty()) {
            let least = smallest[map.from].min(smallest[map.to]);
            (smallest[map.from], smallest[map.to]) = (least, least);
        }
        if smallest == before {
            return smallest;
        }
    }
}

/// The share of scattered ones among the targets of a map. Nothing is touched before and after.
fn scattered_share(map: &Link<'_>, [touched, seen]: &mut [Touched; 2]) -> f64 {
    let rows = map.rows();
    let window = WINDOW.min(rows);
    let (mut all, mut scattered) = (0_usize, 0_usize);
    for n in 0..WINDOWS {
        let first = (rows - window) / (WINDOWS - 1) * n;
        let entries = &map.entries[first * map.arity..(first + window) * map.arity];
        for &t in entries {
            touched.add(t as usize);
        }
        all += entries.len();
        // A line serves all entries of the window that lead to it.
        scattered += entries.iter().filter(|&&t| touched.is_alone(t as usize) && seen.add(t as usize)).count();
        for &t in entries {
            touched.forget(t as usize);
            seen.forget(t as usize);
        }
    }
    if all == 0 { 0.0 } else { scattered as f64 / all as f64 }
}

/// Targets that a window leads to, a bit each.
struct Touched(Vec<u64>);

impl Touched {
    fn new(targets: usize) -> Self {
        // One word more, so that the word behind every target exists.
        Touched(vec![0; targets / 64 + 2])
    }

    /// Returns whether it is new.
    fn add(&mut self, t: usize) -> bool {
        let (word, bit) = (&mut self.0[t / 64], 1 << (t % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn forget(&mut self, t: usize) {
        self.0[t / 64] = 0;
    }

    /// Whether no other target near `t` was touched.
    fn is_alone(&self, t: usize) -> bool {
        let first = t.saturating_sub(NEAR);
        let (word, bit) = (first / 64, first % 64);
        let both = u128::from(self.0[word]) | u128::from(self.0[word + 1]) << 64;
        let near = (both >> bit) & ((1 << (t - first + NEAR + 1)) - 1);
        near.count_ones() == 1
    }
}
