//! Cutting a loop into blocks and sorting them by colour.

use super::colour::{Blocks, Greedy, Singles};
use super::route::{Conflicts, own_order};
use crate::inspect::{Elements, LoopShape};

/// The part of a plan that executors follow.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    /// Element at each position, `None` for the identity.
    pub(super) order: Option<Vec<u32>>,
    /// Block `b` is the positions `offsets[b]..offsets[b + 1]`, of any length.
    pub(super) offsets: Vec<u32>,
    /// Blocks sorted by colour.
    pub(super) blocks: Vec<u32>,
    /// Colour `c` is `blocks[colour_offsets[c]..colour_offsets[c + 1]]`.
    pub(super) colour_offsets: Vec<u32>,
}

/// Blocks of `size` elements in one colour, which may all run at once.
pub(super) fn one_colour(shape: &LoopShape<'_>, size: usize) -> Schedule {
    let offsets = cut(shape, size);
    let colours = vec![0; offsets.len() - 1];
    schedule(shape, offsets, &colours)
}

/// Blocks of `size` elements, coloured.
pub(super) fn coloured(shape: &LoopShape<'_>, conflicts: &Conflicts<'_>, size: usize) -> Schedule {
    // Without a limit colouring fails only for an empty loop, which has no blocks.
    coloured_within(shape, conflicts, size, u32::MAX).unwrap_or_else(|| one_colour(shape, size))
}

/// Blocks of `size` elements with at most `limit` colours; `None` if more are needed.
pub(super) fn coloured_within(
    shape: &LoopShape<'_>,
    conflicts: &Conflicts<'_>,
    size: usize,
    limit: u32,
) -> Option<Schedule> {
    let offsets = cut(shape, size);
    let count = offsets.len() - 1;
    let mut colours = vec![0; count];
    let items = Blocks { conflicts, order: own_order(shape), offsets: &offsets };
    Greedy::new(conflicts.slots()).run(&items, 0..count, &mut colours, limit)?;
    Some(schedule(shape, offsets, &colours))
}

/// Elements sorted by colour, each colour cut into chunks.
pub(super) fn by_element(shape: &LoopShape<'_>, conflicts: &Conflicts<'_>, chunk: usize) -> Schedule {
    let n = shape.elements.len();
    let order = own_order(shape);
    let mut colours = vec![0; n];
    let found = Greedy::new(conflicts.slots()).run(&Singles { conflicts, order }, 0..n, &mut colours, u32::MAX);
    let (mut positions, starts) = sort(&colours, found.unwrap_or(0));
    if let Some(list) = order {
        positions.iter_mut().for_each(|p| *p = list[*p as usize]);
    }
    let mut offsets = vec![0];
    let mut colour_offsets = vec![0];
    for colour in starts.windows(2) {
        let (start, end) = (colour[0] as usize, colour[1] as usize);
        offsets.extend((start..end).step_by(chunk).skip(1).map(|p| p as u32));
        offsets.push(end as u32);
        colour_offsets.push(offsets.len() as u32 - 1);
    }
    let blocks = (0..offsets.len() as u32 - 1).collect();
    Schedule { order: Some(positions), offsets, blocks, colour_offsets }
}

/// Offsets of blocks of at most `size` elements. If the set is cut into pieces, a block consists of as many whole
/// consecutive pieces as fit; a piece larger than `size` is divided evenly.
pub(crate) fn cut(shape: &LoopShape<'_>, size: usize) -> Vec<u32> {
    let Elements::Pieces(pieces) = shape.elements else { return even(shape.elements.len(), size) };
    let mut offsets = vec![0];
    let mut start = 0;
    for piece in pieces.windows(2) {
        let (first, end) = (piece[0] as usize, piece[1] as usize);
        if end - start <= size {
            continue;
        }
        if first > start {
            offsets.push(first as u32);
        }
        start = first;
        let parts = (end - first).div_ceil(size);
        for part in 1..parts {
            start = first + (end - first) * part / parts;
            offsets.push(start as u32);
        }
    }
    let n = shape.elements.len();
    if n > start {
        offsets.push(n as u32);
    }
    offsets
}

/// Offsets of blocks of `size` over `0..n`.
fn even(n: usize, size: usize) -> Vec<u32> {
    (0..n).step_by(size).chain([n]).map(|p| p as u32).collect()
}

fn schedule(shape: &LoopShape<'_>, offsets: Vec<u32>, colours: &[u32]) -> Schedule {
    let count = colours.iter().max().map_or(0, |most| most + 1);
    let (blocks, colour_offsets) = sort(colours, count);
    Schedule { order: own_order(shape).map(<[u32]>::to_vec), offsets, blocks, colour_offsets }
}

/// Indices `0..colours.len()` sorted by colour, ascending within each, and the offsets of the colours.
pub(super) fn sort(colours: &[u32], count: u32) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; count as usize + 1];
    for &colour in colours {
        starts[colour as usize + 1] += 1;
    }
    for c in 0..count as usize {
        starts[c + 1] += starts[c];
    }
    let mut next = starts.clone();
    let mut sorted = vec![0; colours.len()];
    for (index, &colour) in colours.iter().enumerate() {
        let place = &mut next[colour as usize];
        sorted[*place as usize] = index as u32;
        *place += 1;
    }
    (sorted, starts)
}
