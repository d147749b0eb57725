//! Points sorted by the blocks that touch them.

use super::super::follow::{by_key, inverse};
use super::Rows;

/// New numbers of the points of one set. They are sorted by the number of blocks that touch them, then
/// lexicographically by the ascending numbers of these blocks. Points that the same blocks load are then adjacent, and
/// few blocks share a cache line. Points that no block touches come last, by their old number `old[point]`.
///
/// Points of the same blocks keep the order in which `order` first touches them. This costs no cache line: a block
/// touches all of them or none.
pub(super) fn numbers<'a>(
    maps: impl Iterator<Item = &'a Rows> + Clone,
    points: usize,
    old: Option<&[u32]>,
    order: &[u32],
    offsets: &[u32],
) -> Vec<u32> {
    let touching = Touching::of(maps, points, order, offsets);
    // Points are listed by first touch, so their smallest block ascends, and also does so among points of equal counts.
    let key = |i: usize| touching.blocks_of(touching.points[i]).len() as u32;
    let most = (0..touching.points.len()).map(key).max().unwrap_or(0) as usize;
    let (by_count, starts) = by_key(most + 1, touching.points.len(), key);
    let mut sorted: Vec<u32> = by_count.iter().map(|&i| touching.points[i as usize]).collect();
    for ends in starts.windows(2).skip(2) {
        let same_count = &mut sorted[ends[0] as usize..ends[1] as usize];
        let first_block = |t: &u32| touching.blocks_of(*t)[0];
        for group in same_count.chunk_by_mut(|a, b| first_block(a) == first_block(b)) {
            group.sort_by(|&a, &b| touching.blocks_of(a).cmp(touching.blocks_of(b)));
        }
    }
    let touched = sorted.len();
    sorted.extend((0..points as u32).filter(|&t| touching.blocks_of(t).is_empty()));
    sorted[touched..].sort_unstable_by_key(|&t| old.map_or(t, |old| old[t as usize]));
    inverse(&sorted)
}

/// For every point, the blocks that touch it, ascending.
struct Touching {
    offsets: Vec<u32>,
    blocks: Vec<u32>,
    /// The touched points, by first touch.
    points: Vec<u32>,
}

impl Touching {
    fn of<'a>(maps: impl Iterator<Item = &'a Rows> + Clone, points: usize, order: &[u32], offsets: &[u32]) -> Touching {
        let mut starts = vec![0_u32; points + 1];
        let mut first = Vec::new();
        visit(maps.clone(), points, order, offsets, |t, _| {
            starts[t as usize + 1] += 1;
            if starts[t as usize + 1] == 1 {
                first.push(t);
            }
        });
        for t in 0..points {
            starts[t + 1] += starts[t];
        }
        let mut next = starts[..points].to_vec();
        let mut blocks = vec![0; starts[points] as usize];
        visit(maps, points, order, offsets, |t, block| {
            let place = &mut next[t as usize];
            blocks[*place as usize] = block;
            *place += 1;
        });
        Touching { offsets: starts, blocks, points: first }
    }

    fn blocks_of(&self, t: u32) -> &[u32] {
        &self.blocks[self.offsets[t as usize] as usize..self.offsets[t as usize + 1] as usize]
    }
}

/// Calls `f` once for every point of every block, block after block.
fn visit<'a>(
    maps: impl Iterator<Item = &'a Rows> + Clone,
    points: usize,
    order: &[u32],
    offsets: &[u32],
    mut f: impl FnMut(u32, u32),
) {
    let mut last = vec![u32::MAX; points];
    for (block, ends) in (0..).zip(offsets.windows(2)) {
        for &e in &order[ends[0] as usize..ends[1] as usize] {
            for &t in maps.clone().flat_map(|map| map.row(e as usize)) {
                if std::mem::replace(&mut last[t as usize], block) != block {
                    f(t, block);
                }
            }
        }
    }
}
