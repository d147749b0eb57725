//! Useful bytes: the traffic that a loop cannot avoid, whatever its plan.

use super::route::{Cover, Order, own_order};
use crate::data::few;
use crate::error::plan::PlanError;
use crate::inspect::{Elements, LoopShape, Touch};
use op2_core::Access;

/// Bytes that one execution of a loop moves at least. Each distinct target of a dat counts once for reading and once
/// for writing, as its accesses demand (`read` and `write` once, `rw` and contributions twice); each used entry
/// of a map counts once, with 4 bytes. Lists of subsets, unused parts of cache lines and repeated loads do not count.
///
/// Once maps, subsets or sizes have changed, the targets of a loop that needs no plan are estimated: from samples, later by those of
/// the run before. On a device that alone has the entries, each counts as if it led to a target of its own, as far as there are so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Traffic {
    /// Bytes of dats.
    pub data_bytes: u64,
    /// Bytes of maps.
    pub map_bytes: u64,
}

impl Traffic {
    /// Counts the bytes of `shape`.
    ///
    /// # Errors
    /// [`PlanError::Row`], [`PlanError::Entries`] and [`PlanError::Target`] for a shape that
    /// contradicts itself, [`PlanError::TooLarge`].
    pub fn of(shape: &LoopShape<'_>) -> Result<Traffic, PlanError> {
        check_rows(shape)?;
        Traffic::counted(shape, distinct_targets)
    }

    /// An estimate from samples, for a shape that contradicts itself nowhere.
    ///
    /// # Errors
    /// [`PlanError::Target`] for a target that does not exist, if it is in a sample.
    pub(crate) fn sampled(shape: &LoopShape<'_>) -> Result<Traffic, PlanError> {
        Traffic::counted(shape, sampled_targets)
    }

    /// The most, whatever entries of maps are.
    ///
    /// # Errors
    /// [`PlanError::Row`] and [`PlanError::Entries`].
    pub(crate) fn most(shape: &LoopShape<'_>) -> Result<Traffic, PlanError> {
        check_rows(shape)?;
        Traffic::counted(shape, most_targets)
    }

    /// Counts targets by `count`: the number of those that the first positions reach, and whether they exist.
    fn counted(
        shape: &LoopShape<'_>,
        count: fn(&Cover<'_>, Order<'_>, usize) -> (usize, bool),
    ) -> Result<Traffic, PlanError> {
        let mut counts = Counts { shape, count, known: Vec::new() };
        let mut data_bytes = 0;
        for (i, touch) in shape.touches.iter().enumerate() {
            if shape.touches[..i].iter().any(|t| t.dat == touch.dat) {
                continue;
            }
            let loads = |a: Access| a != Access::Write;
            let distinct = counts.distinct(touch.dat, loads)? + counts.distinct(touch.dat, Access::modifies)?;
            data_bytes += (distinct * touch.bytes) as u64;
        }
        Ok(Traffic { data_bytes, map_bytes: map_bytes(shape) })
    }

    /// An estimate for `elements` elements, where `of` of them move this.
    pub(crate) fn scaled(self, elements: usize, of: usize) -> Traffic {
        let part = |bytes: u64| (bytes as u128 * elements as u128 / of as u128) as u64;
        Traffic { data_bytes: part(self.data_bytes), map_bytes: part(self.map_bytes) }
    }

    /// Bytes of dats and maps.
    pub fn useful_bytes(&self) -> u64 {
        self.data_bytes + self.map_bytes
    }
}

/// The number of distinct targets of each cover, counted once for all dats that share it.
struct Counts<'s, 'a> {
    shape: &'s LoopShape<'a>,
    count: fn(&Cover<'_>, Order<'_>, usize) -> (usize, bool),
    known: Vec<(Cover<'a>, usize)>,
}

impl Counts<'_, '_> {
    /// The number of targets of `dat` that arguments with an access in `wanted` reach.
    fn distinct(&mut self, dat: u32, wanted: impl Fn(Access) -> bool) -> Result<usize, PlanError> {
        let cover = Cover::of(self.shape.touches.iter().filter(|t| t.dat == dat && wanted(t.access)));
        if let Some((_, count)) = self.known.iter().find(|(known, _)| known.same(&cover)) {
            return Ok(*count);
        }
        let n = self.shape.elements.len();
        let count = if cover.routes.is_empty() {
            0
        } else if cover.is_direct() {
            n
        } else {
            let (count, inside) = (self.count)(&cover, own_order(self.shape), n);
            if !inside {
                first_bad_target(self.shape).map_or(Ok(()), Err)?;
            }
            count
        };
        self.known.push((cover, count));
        Ok(count)
    }
}

/// The number of targets that the first `n` positions reach, and whether all of them exist.
fn distinct_targets(cover: &Cover<'_>, order: Order<'_>, n: usize) -> (usize, bool) {
    // Bytes rather than bits: with bits, stores of neighbours that share targets would wait for each other.
    let mut seen = vec![0_u8; cover.targets];
    let mut inside = true;
    for route in &cover.routes {
        route.visit(order, 0..n, &mut |t| match seen.get_mut(t) {
            Some(place) => *place = 1,
            None => inside = false,
        });
    }
    // 255 ones still fit into a byte, so the partial sums run over vectors of bytes.
    let sum = |part: &[u8]| usize::from(part.iter().sum::<u8>());
    (seen.chunks(255).map(sum).sum(), inside)
}

/// The same by samples of consecutive positions: of a mesh in a good order, those of neighbours share targets as all do.
fn sampled_targets(cover: &Cover<'_>, order: Order<'_>, n: usize) -> (usize, bool) {
    const SAMPLES: usize = 4;
    const LEN: usize = 4096;
    if n <= SAMPLES * LEN {
        return distinct_targets(cover, order, n);
    }
    let (mut distinct, mut inside, mut reached) = (0, true, Vec::new());
    for sample in 0..SAMPLES {
        let start = sample * (n - LEN) / (SAMPLES - 1);
        reached.clear();
        for route in &cover.routes {
            route.visit(order, start..start + LEN, &mut |t| reached.push(t as u32));
        }
        reached.sort_unstable();
        reached.dedup();
        inside &= reached.last().is_none_or(|last| (*last as usize) < cover.targets);
        distinct += reached.len();
    }
    let estimate = distinct as u128 * n as u128 / (SAMPLES * LEN) as u128;
    (cover.targets.min(estimate as usize), inside)
}

/// The most targets that `n` positions can reach.
fn most_targets(cover: &Cover<'_>, _: Order<'_>, n: usize) -> (usize, bool) {
    (cover.routes.iter().map(|route| route.most(n)).sum::<usize>().min(cover.targets), true)
}

/// Four bytes for each element and distinct (map, entry), and for each entry and each start of rows of any length.
fn map_bytes(shape: &LoopShape<'_>) -> u64 {
    let through = || shape.touches.iter().filter_map(|t| t.through.as_ref());
    let fixed = through().filter(|t| t.offsets.is_none());
    let entries = few::distinct(fixed.flat_map(|t| t.used.clone().map(move |i| (t.map, i))));
    let rows = few::distinct(through().filter(|t| t.offsets.is_some()).map(|t| t.map));
    let of_rows = |map: &u32| through().find(|t| t.map == *map).map_or(0, |t| t.bytes_of(shape.elements));
    let bytes = entries.len() * shape.elements.len() * size_of::<u32>() + rows.iter().map(of_rows).sum::<usize>();
    bytes as u64
}

/// Checks that every element has its rows, in maps and in direct dats.
fn check_rows(shape: &LoopShape<'_>) -> Result<(), PlanError> {
    let elements = shape.elements.len();
    if u32::try_from(elements).is_err() {
        return Err(PlanError::TooLarge { elements });
    }
    let last = match shape.elements {
        Elements::All(_) | Elements::Pieces(_) => elements.checked_sub(1),
        Elements::Subset(list) => list.iter().max().map(|&e| e as usize),
    };
    shape.touches.iter().try_for_each(|touch| check_touch(touch, last))
}

fn check_touch(touch: &Touch<'_>, last: Option<usize>) -> Result<(), PlanError> {
    let arg = touch.arg;
    let rows = match &touch.through {
        None => touch.targets,
        Some(t) => {
            let (start, end) = (t.used.start, t.used.end);
            // Rows of any length may all be empty.
            if t.offsets.is_none() && (start >= end || end > t.arity) {
                return Err(PlanError::Entries { arg, arity: t.arity, start, end });
            }
            t.rows()
        }
    };
    match last {
        Some(element) if element >= rows => Err(PlanError::Row { arg, element, rows }),
        _ => Ok(()),
    }
}

/// The first target that does not exist.
fn first_bad_target(shape: &LoopShape<'_>) -> Option<PlanError> {
    let n = shape.elements.len();
    for touch in &shape.touches {
        let Some(through) = &touch.through else {
            continue;
        };
        for element in (0..n).map(|k| shape.elements.get(k)) {
            let beyond = through.targets_of(element).find(|(_, target)| *target as usize >= touch.targets);
            if let Some((i, target)) = beyond {
                let (arg, entry, target) = (touch.arg, through.used.start + i, target as usize);
                return Some(PlanError::Target { arg, element, entry, target, targets: touch.targets });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Through;

    /// Triangles of a grid of squares, row by row, and some of them alone.
    #[test]
    fn samples_tell_about_as_much_as_all() {
        for squares in [3_u32, 50, 300] {
            let row = squares + 1;
            let corners = |t: u32| {
                let (square, upper) = (t / 2, t % 2);
                let first = square / squares * row + square % squares;
                if upper == 1 { [first + row + 1, first + row, first] } else { [first, first + 1, first + row + 1] }
            };
            let entries: Vec<u32> = (0..2 * squares * squares).flat_map(corners).collect();
            let half: Vec<u32> = (0..squares * squares).collect();
            for elements in [Elements::All(2 * (squares * squares) as usize), Elements::Subset(&half)] {
                let through = Through { map: 0, entries: &entries, arity: 3, used: 0..3, offsets: None };
                let targets = (row * row) as usize;
                let touch = Touch {
                    arg: 0,
                    dat: 0,
                    access: Access::Read,
                    bytes: 8,
                    targets,
                    own: false,
                    through: Some(through),
                };
                let shape = LoopShape { elements, touches: vec![touch] };
                let [sampled, all] = [Traffic::sampled(&shape), Traffic::of(&shape)].map(|traffic| traffic.unwrap());
                assert_eq!(sampled.map_bytes, all.map_bytes);
                let ratio = sampled.data_bytes as f64 / all.data_bytes as f64;
                assert!((1.0..1.2).contains(&ratio), "{squares} x {squares}: {sampled:?} of {all:?}");
                assert!(elements.len() > 20_000 || sampled == all);
            }
        }
    }

    #[test]
    fn a_target_beyond_is_found_in_samples() {
        let through = Through { map: 0, entries: &[0, 1, 2], arity: 1, used: 0..1, offsets: None };
        let touch =
            Touch { arg: 0, dat: 0, access: Access::Inc, bytes: 8, targets: 2, own: false, through: Some(through) };
        let shape = LoopShape { elements: Elements::All(3), touches: vec![touch] };
        assert!(matches!(Traffic::sampled(&shape), Err(PlanError::Target { element: 2, target: 2, .. })));
    }
}
