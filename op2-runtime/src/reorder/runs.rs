//! The order of elements for dats in columns: packs of elements reach consecutive rows.
//!
//! A body in lanes loads a pack's values of one component by one instruction if the rows behind an entry follow each other. In a
//! mesh that is like a grid, elements have this property whose targets are at the same distances: all edges along one axis.

use super::follow::inverse;
use super::predicted::{LOOPS, components, cost_of, open};
use super::shape::{Link, MeshShape};
use crate::data::parts;
use std::cmp::Ordering;

/// Elements are sorted among so many. A block still shares its targets with few others then.
const WINDOW: usize = 1024;
/// Elements of a pack: the lanes of `f64` in vectors of 32 bytes.
const PACK: usize = 4;
/// So many windows are sampled.
const SAMPLES: usize = 8;
/// Nanoseconds that an element saves on several cores for each column behind each of its entries, if its pack reaches consecutive
/// rows.
const COLUMN: f64 = 0.5;
/// So many times as much is lost where the rows of two entries overlap: a load waits for stores that each hold a part of its value.
///
/// Both from the times of MG-CFD's flux on 64³ nodes, two thirds of whose edges gain and one third loses, and of airfoil's `res_calc`,
/// with a half each: 1.6 ms less and 2.3 ms more on 2 cores of an AMD EPYC, 2026-11-25.
const OVERLAP: f64 = 1.33;

/// The forecast of [`Ordering::Runs`](super::Ordering::Runs) for the elements of one map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Runs {
    /// The map.
    pub map: usize,
    /// Nanoseconds that a loop through the map would save.
    pub gain: f64,
    /// Nanoseconds that new numbers cost.
    pub cost: f64,
}

impl Runs {
    /// Whether the order saves more than it costs.
    pub fn pays(&self) -> bool {
        self.gain * LOOPS > self.cost
    }

    /// One for each set that no map leads to, with the map from it that has the most columns behind its entries. Those of components that
    /// are [decided](MeshShape::decided) about are left out.
    pub fn of(mesh: &MeshShape<'_>) -> Vec<Runs> {
        let maps = || (0..).zip(&mesh.maps).filter(|(_, map)| !map.entries.is_empty());
        let is_free = |set: &usize| maps().all(|(_, map)| map.to != *set);
        let component = components(mesh);
        let open = open(mesh, &component);
        let is_open = |set: &usize| open.contains(&component[*set]);
        let leading = (0..mesh.sets.len()).filter(is_open).filter(is_free).filter_map(|set| {
            let from_set = maps().filter(|(_, map)| map.from == set).map(|(i, map)| (columns(mesh, map), i));
            from_set.filter(|(columns, _)| *columns > 0).max_by_key(|&(columns, i)| (columns, std::cmp::Reverse(i)))
        });
        leading.map(|(_, map)| Runs::along(mesh, map)).collect()
    }

    /// The order of the elements of one map.
    pub(super) fn along(mesh: &MeshShape<'_>, map: usize) -> Runs {
        let link = &mesh.maps[map];
        let gain = link.rows() as f64 * columns(mesh, link) as f64 * COLUMN * gained(link);
        Runs { map, gain, cost: cost_of(mesh, &|set| set == link.from) }
    }
}

/// New numbers of a map's elements: inside each window, those whose targets are at the same distances follow each other, by their
/// first targets.
pub(super) fn by_distances(map: &Link<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..map.rows() as u32).collect();
    parts::for_each(&mut order, 16 * WINDOW, |_, part| part.chunks_mut(WINDOW).for_each(|window| sort(map, window)));
    inverse(&order)
}

/// The columns behind all entries of a row.
fn columns(mesh: &MeshShape<'_>, map: &Link<'_>) -> usize {
    map.arity * mesh.data.get(map.to).map_or(0, |data| data.columns)
}

fn sort(map: &Link<'_>, window: &mut [u32]) {
    window.sort_unstable_by(|&a, &b| compare(map.row(a as usize), map.row(b as usize)).then(a.cmp(&b)));
}

/// Compares two rows by the distances of their targets from the first, then by the first.
fn compare(a: &[u32], b: &[u32]) -> Ordering {
    fn distances(row: &[u32]) -> impl Iterator<Item = i64> {
        row.iter().map(|&t| i64::from(t) - i64::from(row[0]))
    }
    distances(a).cmp(distances(b)).then(a[0].cmp(&b[0]))
}

/// By how much the order would raise the score of an element. Samples are windows of [`by_distances`].
fn gained(map: &Link<'_>) -> f64 {
    if map.entries.is_empty() {
        return 0.0;
    }
    let (window, last) = (WINDOW.min(map.rows()), (map.rows() / WINDOW).saturating_sub(1));
    let gained = (0..SAMPLES).map(|n| {
        let first = last * n / (SAMPLES - 1) * WINDOW;
        let mut elements: Vec<u32> = (first..first + window).map(|e| e as u32).collect();
        let before = score(map, &elements);
        sort(map, &mut elements);
        score(map, &elements) - before
    });
    gained.sum::<f64>() / (SAMPLES * window) as f64
}

/// The elements in packs that gain, less those in packs that lose, weighted.
fn score(map: &Link<'_>, elements: &[u32]) -> f64 {
    let packs = elements.as_chunks::<PACK>().0.iter();
    packs.map(|pack| PACK as f64 * gain_of(map, pack)).sum()
}

/// The gain of a pack: 1 if the rows behind each entry follow each other, less than 0 if those of two entries also overlap, else 0.
fn gain_of(map: &Link<'_>, pack: &[u32; PACK]) -> f64 {
    let first = map.row(pack[0] as usize);
    let follows = |i: usize| map.row(pack[i] as usize).iter().zip(first).all(|(&t, &f)| t as usize == f as usize + i);
    if !(1..PACK).all(follows) {
        return 0.0;
    }
    let overlap = (1..first.len()).any(|k| first[..k].iter().any(|t| t.abs_diff(first[k]) < PACK as u32));
    if overlap { -OVERLAP } else { 1.0 }
}
