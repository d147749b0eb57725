//! Decides which rows arrive late and are worth a prefetch.

use crate::data::few;
use crate::data::memory::LINE;
use crate::inspect::{LoopShape, MISSING, Through, Touch};
use op2_core::Access;

/// Arrays of rows that the hardware prefetcher can follow. Each array counts once for every map entry that leads to it.
///
/// Measured on 2 cores of an AMD EPYC (Zen 3), 2026-11-22, for 2.5 million edges of hydra in order, as time with
/// prefetch over time without: no gain with 8 and 10 arrays, 0.74 with 14 and 0.62 with 18. On Zen 4, with large pages:
/// 1.11, 1.10, 0.85 and 0.77.
const FOLLOWED: usize = 12;

/// Cache lines per element that are far from the lines of recent elements, above which a prefetch pays. A mesh in order
/// has none.
///
/// Measured in the same way. For hydra's edges along a Hilbert curve, with 0.65 to 1.8 such lines: 0.60 to 0.71. For
/// 720,000 cells of airfoil along such a curve, with 0.4 lines: 1.23.
const FAR_LINES: f64 = 0.5;

/// The loop is sampled in this many stretches of this many positions.
const STRETCHES: usize = 64;
const STRETCH: usize = 64;

/// Rows of this many positions before are recent; a target is near one of theirs if the numbers differ by at most
/// `NEAR`.
const RECENT: usize = 16;
const NEAR: u32 = 4;

/// Bytes of a direct row from which on its lines arrive late.
///
/// Measured on one thread of an AMD EPYC (Zen 4), 2026-11-25, for aero's product, whose direct rows have 128 bytes, as time with
/// prefetch over time without: 0.64 by AVX-512, 0.68 by AVX2. airfoil's rows have 32 bytes, and its direct loops run at the speed of
/// memory without.
const WIDE_ROW: usize = LINE;

/// The rows that a loop should prefetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Late {
    /// Whether those behind maps.
    pub(crate) mapped: bool,
    /// The cache lines of an element in [wide](is_wide) direct rows; 0 if none come late.
    pub(crate) direct: usize,
}

impl Late {
    /// Finds the rows of a loop. `order` is the element at each position, or `None` if positions are elements. None of dats, behind
    /// maps together or direct ones each, that have fewer than `from_bytes` bytes, and all if that is 0.
    pub(crate) fn of(shape: &LoopShape<'_>, order: Option<&[u32]>, from_bytes: usize) -> Late {
        let is_late = |touch: &&Touch<'_>| {
            touch.through.is_none() && is_wide(touch.access, touch.bytes) && touch.targets * touch.bytes >= from_bytes
        };
        let direct = shape.touches.iter().filter(is_late).map(|touch| touch.bytes.div_ceil(LINE)).sum();
        Late { mapped: mapped_come_late(shape, order, from_bytes), direct }
    }

    pub(crate) fn any(self) -> bool {
        self.mapped || self.direct > 0
    }
}

/// Whether direct rows of so many bytes come late where their dat is large. Nobody waits for rows that are only written.
pub(crate) fn is_wide(access: Access, bytes: usize) -> bool {
    access != Access::Write && bytes >= WIDE_ROW
}

fn mapped_come_late(shape: &LoopShape<'_>, order: Option<&[u32]>, from_bytes: usize) -> bool {
    // Rows of any length have no entry of its own at each place.
    let fixed = |touch: &Touch<'_>| touch.through.as_ref().is_some_and(|way| way.offsets.is_none());
    let behind =
        || shape.touches.iter().filter(|touch| fixed(touch)).filter_map(|touch| Some((touch, touch.through.as_ref()?)));
    let dats = few::distinct(behind().map(|(touch, _)| (touch.dat, touch.targets * touch.bytes)));
    if dats.is_empty() || dats.iter().map(|(_, bytes)| bytes).sum::<usize>() < from_bytes {
        return false;
    }
    let of_entries =
        behind().flat_map(|(touch, way)| way.used.clone().map(move |index| (way.map, index, touch.dat, touch.bytes)));
    let arrays = few::distinct(of_entries);
    if from_bytes == 0 || arrays.len() > FOLLOWED {
        return true;
    }
    let entries = few::distinct(arrays.iter().map(|&(map, index, ..)| (map, index)));
    let far_lines = entries.into_iter().map(|(map, index)| {
        let of_entry = arrays.iter().filter(|array| (array.0, array.1) == (map, index));
        let lines: usize = of_entry.map(|(.., bytes)| bytes.div_ceil(LINE)).sum();
        let way = behind().map(|(_, way)| way).find(|way| way.map == map);
        way.map_or(0.0, |way| far(shape, order, way, index) * lines as f64)
    });
    far_lines.sum::<f64>() > FAR_LINES
}

/// The fraction of an entry's targets that are far from all recent targets of the map.
fn far(shape: &LoopShape<'_>, order: Option<&[u32]>, way: &Through<'_>, index: usize) -> f64 {
    let positions = order.map_or(shape.elements.len(), <[u32]>::len);
    let row = |position: usize| {
        let element = order.map_or_else(|| shape.elements.get(position), |list| list[position] as usize);
        &way.entries[element * way.arity..][..way.arity]
    };
    let (mut all, mut far) = (0, 0);
    for stretch in 0..STRETCHES {
        let first = positions.saturating_sub(STRETCH) * stretch / STRETCHES;
        for position in first + RECENT..positions.min(first + STRETCH) {
            let target = row(position)[index];
            if target == MISSING {
                continue;
            }
            let is_near = (position - RECENT..position).flat_map(row).any(|recent| recent.abs_diff(target) <= NEAR);
            all += 1;
            far += usize::from(!is_near);
        }
    }
    if all == 0 { 0.0 } else { f64::from(far as u32) / f64::from(all) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Elements;

    const EDGES: usize = 20_000;
    const MIB: usize = 1 << 20;

    /// Decides for a loop over edges with `dats` dats of 64 bytes behind both entries.
    fn is_late(entries: &[u32], dats: u32, order: Option<&[u32]>, from_bytes: usize) -> bool {
        let through = || Through { map: 0, entries, arity: 2, offsets: None, used: 0..2 };
        let touch = |dat| Touch {
            arg: dat as usize,
            dat,
            targets: EDGES,
            bytes: 64,
            access: Access::Read,
            through: Some(through()),
            own: false,
        };
        let shape = LoopShape { elements: Elements::All(EDGES), touches: (0..dats).map(touch).collect() };
        let late = Late::of(&shape, order, from_bytes);
        assert_eq!(late.direct, 0, "there are no direct rows");
        late.mapped
    }

    /// Edges of a grid, from each node to its right and its upper neighbour.
    fn in_order() -> Vec<u32> {
        let edge = |e: u32| [e / 2, (e / 2 + if e.is_multiple_of(2) { 1 } else { 150 }) % EDGES as u32];
        (0..EDGES as u32).flat_map(edge).collect()
    }

    fn at_random() -> Vec<u32> {
        (0..2 * EDGES as u64).map(|n| (n * 7_368_787 % 19_997) as u32).collect()
    }

    #[test]
    fn processors_follow_an_order_by_themselves() {
        assert!(!is_late(&in_order(), 2, None, MIB));
        assert!(is_late(&at_random(), 2, None, MIB));
    }

    #[test]
    fn the_order_of_the_plan_counts() {
        let order: Vec<u32> = (0..EDGES as u64).map(|n| (n * 7_919 % EDGES as u64) as u32).collect();
        assert!(is_late(&in_order(), 2, Some(&order), MIB));
    }

    #[test]
    fn they_do_not_follow_many_arrays() {
        assert!(!is_late(&in_order(), 6, None, MIB));
        assert!(is_late(&in_order(), 7, None, MIB));
    }

    #[test]
    fn what_is_in_the_caches_is_not_asked_for() {
        assert!(!is_late(&at_random(), 2, None, 3 * MIB));
        assert!(is_late(&in_order(), 2, None, 0), "unless it is wished");
        assert!(!is_late(&[], 0, None, 0), "if there is anything");
    }

    #[test]
    fn wide_direct_rows_that_are_read_come_late() {
        let lines = |bytes, access, from_bytes| {
            let touch = Touch { arg: 0, dat: 0, targets: EDGES, bytes, access, through: None, own: false };
            let late = Late::of(&LoopShape { elements: Elements::All(EDGES), touches: vec![touch] }, None, from_bytes);
            assert!(!late.mapped, "there are no maps");
            late.direct
        };
        assert_eq!(
            (lines(128, Access::Read, MIB), lines(64, Access::Rw, MIB), lines(72, Access::Read, MIB)),
            (2, 1, 2)
        );
        assert_eq!(lines(56, Access::Read, MIB), 0, "the processor follows short rows");
        assert_eq!(lines(128, Access::Write, MIB), 0, "nobody waits for rows that are written");
        assert_eq!((lines(128, Access::Read, 3 * MIB), lines(128, Access::Read, 0)), (0, 2));
    }
}
