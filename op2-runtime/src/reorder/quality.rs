//! The quality of an ordering.

use super::shape::Link;

/// Quality of the numbering of the graph that a map spans between its targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct GraphQuality {
    /// Largest difference between the numbers of two neighbours.
    pub bandwidth: u64,
    /// Summed over all points: a point's number minus the smallest number among its own and its neighbours'.
    pub profile: u64,
}

/// Bandwidth and profile of the graph of `map`'s `points` targets under the numbers `new`, or under the present ones
/// for `None`.
///
/// # Panics
/// If an entry of the map is no point, or `new` is shorter than the points.
pub fn graph_quality(map: &Link<'_>, points: usize, new: Option<&[u32]>) -> GraphQuality {
    let number = |t: u32| new.map_or(t, |new| new[t as usize]);
    let mut smallest: Vec<u32> = (0..points as u32).collect();
    let mut bandwidth = 0;
    // All entries of a row are neighbours of each other, so their extremes suffice and no graph has to be built.
    for row in map.entries.chunks_exact(map.arity.max(1)) {
        let (low, high) = row.iter().fold((u32::MAX, 0), |(low, high), &t| (low.min(number(t)), high.max(number(t))));
        bandwidth = bandwidth.max(high - low);
        for &t in row {
            let smallest = &mut smallest[number(t) as usize];
            *smallest = low.min(*smallest);
        }
    }
    let profile = (0_u32..).zip(&smallest).map(|(i, low)| u64::from(i - low)).sum();
    GraphQuality { bandwidth: bandwidth.into(), profile }
}

/// Data that blocks of elements access through maps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct BlockQuality {
    /// Number of blocks.
    pub blocks: usize,
    /// Elements of the largest block.
    pub largest: usize,
    /// The reuse factor: accesses divided by the distinct points of each block, over all blocks. 1 means that no block
    /// uses a point twice, or that there are no maps.
    pub reuse: f64,
    /// Distinct sectors of 32 bytes that a block touches, on average.
    pub sectors: f64,
    /// Distinct lines of 64 bytes that a block touches, on average.
    pub lines: f64,
}

/// Quality of blocks of elements: pieces by METIS, blocks of a plan, or blocks of equal size.
///
/// Block `b` is the positions `offsets[b]..offsets[b + 1]`; `order` gives the element at every position (`None`: the
/// position itself). All `maps` start from the set of these elements. `sizes` is the number of elements of every set,
/// `bytes` the bytes of each element that the loop accesses, taken as one array of that stride which starts on a cache
/// line. Points that several maps reach count once.
///
/// # Panics
/// If an element has no row, or an entry exceeds `sizes`.
pub fn block_quality(
    offsets: &[u32],
    order: Option<&[u32]>,
    maps: &[Link<'_>],
    sizes: &[usize],
    bytes: &[usize],
) -> BlockQuality {
    let blocks = || offsets.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
    let (mut accesses, mut points, mut sectors, mut lines) = (0_u64, 0, 0, 0);
    for set in 0..sizes.len() {
        let bytes = bytes[set];
        let (mut seen_points, mut seen_sectors, mut seen_lines) =
            (Seen::new(sizes[set], 1), Seen::new(sizes[set] * bytes, 32), Seen::new(sizes[set] * bytes, 64));
        for (b, positions) in (0..).zip(blocks()) {
            let elements = || positions.clone().map(|place| order.map_or(place, |order| order[place] as usize));
            for map in maps.iter().filter(|map| map.to == set) {
                for &t in elements().flat_map(|e| map.row(e)) {
                    let t = t as usize;
                    accesses += 1;
                    points += seen_points.touch(b, t, t);
                    if bytes > 0 {
                        sectors += seen_sectors.touch(b, t * bytes, (t + 1) * bytes - 1);
                        lines += seen_lines.touch(b, t * bytes, (t + 1) * bytes - 1);
                    }
                }
            }
        }
    }
    let count = offsets.len().saturating_sub(1);
    let per_block = |n: u64| n as f64 / count.max(1) as f64;
    BlockQuality {
        blocks: count,
        largest: blocks().map(|block| block.len()).max().unwrap_or(0),
        reuse: if points == 0 { 1.0 } else { accesses as f64 / points as f64 },
        sectors: per_block(sectors),
        lines: per_block(lines),
    }
}

/// For each cell of an array, the last block that touched it.
struct Seen {
    cell: usize,
    last_block: Vec<u32>,
}

impl Seen {
    fn new(length: usize, cell: usize) -> Seen {
        Seen { cell, last_block: vec![u32::MAX; length.div_ceil(cell)] }
    }

    /// Touches the places `first..=last` and returns how many of their cells are new to the block.
    fn touch(&mut self, block: u32, first: usize, last: usize) -> u64 {
        let cells = &mut self.last_block[first / self.cell..=last / self.cell];
        cells.iter_mut().map(|seen| u64::from(std::mem::replace(seen, block) != block)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of four points, numbered 0 3 1 2 along it.
    const CHAIN: [u32; 6] = [0, 3, 3, 1, 1, 2];

    #[test]
    fn quality_of_a_chain_by_hand() {
        let map = Link { from: 0, to: 1, arity: 2, entries: &CHAIN };
        // Rows: 0, then 1 (neighbours 2 and 3), 2 (neighbour 1) and 3 (neighbours 0 and 1).
        assert_eq!(graph_quality(&map, 4, None), GraphQuality { bandwidth: 3, profile: 1 + 3 });
        let along = [0, 2, 3, 1];
        assert_eq!(graph_quality(&map, 4, Some(&along)), GraphQuality { bandwidth: 1, profile: 3 });
        assert_eq!(graph_quality(&Link { entries: &[], ..map }, 4, None), GraphQuality::default());
    }

    #[test]
    fn blocks_of_a_chain_by_hand() {
        let map = Link { from: 0, to: 1, arity: 2, entries: &CHAIN };
        // Points of the blocks {0, 1} and {2}: 0, 1, 3 and 1, 2.
        let quality = block_quality(&[0, 2, 3], None, &[map], &[3, 4], &[0, 24]);
        // At 24 bytes the points lie in the sectors 0, 0-1, 1-2, 2 and in the lines 0, 0, 0-1, 1.
        let expected = BlockQuality { blocks: 2, largest: 2, reuse: 6.0 / 5.0, sectors: 3.0, lines: 2.0 };
        assert_eq!(quality, expected);
        // In the order 2, 0, 1 the blocks are {2, 0} and {1}.
        let turned = block_quality(&[0, 2, 3], Some(&[2, 0, 1]), &[map], &[3, 4], &[0, 0]);
        assert_eq!(turned, BlockQuality { blocks: 2, largest: 2, reuse: 1.0, sectors: 0.0, lines: 0.0 });
        assert_eq!(block_quality(&[0], None, &[map], &[3, 4], &[0, 8]).reuse, 1.0);
    }
}
