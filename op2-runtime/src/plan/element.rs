//! Colours of the elements inside each block.

use super::Plan;
use super::colour::{Greedy, Singles};
use super::route::Conflicts;
use std::ops::Range;

/// A colour for every position of a plan, counted from 0 in each block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementColours {
    pub(super) colours: Vec<u32>,
    pub(super) counts: Vec<u32>,
}

impl ElementColours {
    /// The colour of every position of the plan.
    pub fn colours(&self) -> &[u32] {
        &self.colours
    }

    /// The number of colours of each block.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The greatest number of colours in a block; 0 for an empty loop.
    pub fn most(&self) -> u32 {
        self.counts.iter().copied().max().unwrap_or(0)
    }

    /// The positions of `block`, sorted by colour and ascending within each colour.
    ///
    /// # Panics
    /// If a position is beyond the end of the plan.
    pub fn sorted(&self, block: Range<usize>) -> Vec<u32> {
        let colours = &self.colours[block.clone()];
        // Where the next position of each colour goes.
        let mut next = vec![0; colours.iter().max().map_or(0, |&most| most as usize + 2)];
        colours.iter().for_each(|&colour| next[colour as usize + 1] += 1);
        for colour in 1..next.len() {
            next[colour] += next[colour - 1];
        }
        let mut positions = vec![0; colours.len()];
        for (p, &colour) in block.zip(colours) {
            positions[next[colour as usize]] = p as u32;
            next[colour as usize] += 1;
        }
        positions
    }
}

pub(super) fn colour(plan: &Plan, conflicts: &Conflicts<'_>) -> ElementColours {
    let mut colours = vec![0; plan.positions()];
    if conflicts.is_empty() {
        return ElementColours { colours, counts: vec![1; plan.blocks()] };
    }
    let mut greedy = Greedy::new(conflicts.slots());
    let items = Singles { conflicts, order: plan.order() };
    let count = |b| {
        let positions = plan.block(b);
        let count = greedy.run(&items, positions.clone(), &mut colours, u32::MAX);
        greedy.clear(&items, positions);
        count.unwrap_or(0)
    };
    let counts = (0..plan.blocks()).map(count).collect();
    ElementColours { colours, counts }
}
