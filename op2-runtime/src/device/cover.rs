//! What the elements of a loop reach through maps, prepared for a device: targets staged by blocks, and
//! contributions sorted by target.

use std::ops::Range;

/// All ways from an element to the targets of one set that a view of a dat is used through.
///
/// The targets of an element are numbered: the used entries of all ways, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Cover<'a> {
    /// Elements of the set that the ways lead to.
    pub(crate) targets: usize,
    pub(crate) ways: Vec<Way<'a>>,
}

/// Some neighbouring entries of a map.
#[derive(Debug, Clone)]
pub(crate) struct Way<'a> {
    /// All entries of the map, row by row.
    pub(crate) entries: &'a [u32],
    pub(crate) arity: usize,
    pub(crate) used: Range<usize>,
}

/// Which targets each block brings into its shared memory, and where its elements find them there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Staging {
    /// Block `b` stages `list[offsets[b]..offsets[b + 1]]`, ascending: memory order.
    pub(crate) offsets: Vec<u32>,
    pub(crate) list: Vec<u32>,
    /// Target number `k` of position `p` is staged at `local[k * positions + p]`.
    pub(crate) local: Vec<u16>,
    /// Whether an entry of the list is touched by several blocks.
    pub(crate) shared: Vec<u8>,
    /// The most targets that a block stages.
    pub(crate) most: u32,
}

/// The contributions to each target, in the order in which the sequential executor adds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Target `t` gets `list[offsets[t]..offsets[t + 1]]`.
    pub(crate) offsets: Vec<u32>,
    /// Target number `k` of position `p` is contribution `k * positions + p`.
    pub(crate) list: Vec<u32>,
}

impl Cover<'_> {
    /// Targets per element.
    pub(crate) fn width(&self) -> usize {
        self.ways.iter().map(|w| w.used.len()).sum()
    }

    /// Calls `f` with the number of each target of element `e`, and the target.
    #[inline]
    fn visit(&self, e: usize, mut f: impl FnMut(usize, usize)) {
        let mut number = 0;
        for way in &self.ways {
            for &target in &way.entries[e * way.arity + way.used.start..e * way.arity + way.used.end] {
                f(number, target as usize);
                number += 1;
            }
        }
    }
}

/// The element at a position.
#[inline]
fn element(order: Option<&[u32]>, position: usize) -> usize {
    order.map_or(position, |o| o[position] as usize)
}

impl Staging {
    /// Stages the targets of blocks `offsets[b]..offsets[b + 1]` of positions. `None` if a block has
    /// more targets than 16 bits can number.
    pub(crate) fn new(cover: &Cover<'_>, order: Option<&[u32]>, blocks: &[u32]) -> Option<Staging> {
        let positions = *blocks.last()? as usize;
        let mut staging = Staging {
            offsets: vec![0],
            list: Vec::new(),
            local: vec![0; positions * cover.width()],
            shared: Vec::new(),
            most: 0,
        };
        let mut place = vec![0u16; cover.targets];
        let mut own: Vec<u32> = Vec::new();
        for block in blocks.windows(2) {
            let range = block[0] as usize..block[1] as usize;
            own.clear();
            for p in range.clone() {
                cover.visit(element(order, p), |_, target| own.push(target as u32));
            }
            own.sort_unstable();
            own.dedup();
            if own.len() > usize::from(u16::MAX) + 1 {
                return None;
            }
            for (at, &target) in own.iter().enumerate() {
                place[target as usize] = at as u16;
            }
            for p in range {
                cover.visit(element(order, p), |k, target| staging.local[k * positions + p] = place[target]);
            }
            staging.list.extend_from_slice(&own);
            staging.offsets.push(staging.list.len() as u32);
            staging.most = staging.most.max(own.len() as u32);
        }
        let mut touched = vec![0u8; cover.targets];
        for &target in &staging.list {
            let count = &mut touched[target as usize];
            *count = count.saturating_add(1);
        }
        staging.shared = staging.list.iter().map(|&target| u8::from(touched[target as usize] > 1)).collect();
        Some(staging)
    }
}

impl Sums {
    /// Sorts the contributions of `positions` elements by target. `None` if there are more than 32 bits
    /// can number.
    pub(crate) fn new(cover: &Cover<'_>, order: Option<&[u32]>, positions: usize) -> Option<Sums> {
        let all = positions.checked_mul(cover.width()).filter(|&n| n <= u32::MAX as usize)?;
        let mut offsets = vec![0u32; cover.targets + 1];
        for p in 0..positions {
            cover.visit(element(order, p), |_, target| offsets[target + 1] += 1);
        }
        for t in 0..cover.targets {
            offsets[t + 1] += offsets[t];
        }
        let mut next = offsets.clone();
        let mut list = vec![0u32; all];
        for p in 0..positions {
            cover.visit(element(order, p), |k, target| {
                list[next[target] as usize] = (k * positions + p) as u32;
                next[target] += 1;
            });
        }
        Some(Sums { offsets, list })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges of a ring of five nodes, and a node for each edge from a second map.
    const RING: [u32; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 0];
    const OTHER: [u32; 5] = [4, 4, 2, 2, 0];

    fn cover() -> Cover<'static> {
        let ring = Way { entries: &RING, arity: 2, used: 0..2 };
        let other = Way { entries: &OTHER, arity: 1, used: 0..1 };
        Cover { targets: 5, ways: vec![ring, other] }
    }

    #[test]
    fn every_target_is_where_its_block_staged_it() {
        let cover = cover();
        let order = [4u32, 0, 3, 1, 2];
        for order in [None, Some(&order[..])] {
            let blocks = [0, 2, 2, 5];
            let staging = Staging::new(&cover, order, &blocks).expect("five targets fit");
            for b in 0..3 {
                let own = &staging.list[staging.offsets[b] as usize..staging.offsets[b + 1] as usize];
                assert!(own.is_sorted_by(|a, b| a < b), "{own:?}");
                assert!(own.len() <= staging.most as usize);
                for p in blocks[b] as usize..blocks[b + 1] as usize {
                    cover.visit(element(order, p), |k, target| {
                        assert_eq!(own[usize::from(staging.local[k * 5 + p])] as usize, target);
                    });
                }
            }
        }
    }

    #[test]
    fn targets_of_several_blocks_are_marked() {
        let staging = Staging::new(&cover(), None, &[0, 2, 5]).expect("five targets fit");
        // Edges 0 and 1 touch nodes 0, 1, 2 and 4, the others 0, 2, 3 and 4.
        assert_eq!(staging.list, [0, 1, 2, 4, 0, 2, 3, 4]);
        assert_eq!(staging.shared, [1, 0, 1, 1, 1, 1, 0, 1]);
        assert_eq!((staging.offsets.as_slice(), staging.most), (&[0, 4, 8][..], 4));
    }

    #[test]
    fn contributions_come_in_sequential_order() {
        let sums = Sums::new(&cover(), None, 5).expect("fifteen contributions fit");
        let of = |t: usize| &sums.list[sums.offsets[t] as usize..sums.offsets[t + 1] as usize];
        // Node 4: edge 0 by the second map, edge 1 likewise, edge 3 by its second end, edge 4 by its first.
        assert_eq!(of(4), [10, 11, 5 + 3, 4]);
        assert_eq!(of(1), [5, 1]);
        assert_eq!(sums.list.len(), 15);
    }

    #[test]
    fn what_has_no_number_is_refused() {
        let entries: Vec<u32> = (0..70_000).collect();
        let way = Way { entries: &entries, arity: 70_000, used: 0..70_000 };
        assert_eq!(Staging::new(&Cover { targets: 70_000, ways: vec![way] }, None, &[0, 1]), None);
    }
}
