//! Turns a plan into launches.

use crate::inspect::LoopShape;
use crate::plan::{Plan, PlanError};
use std::ops::Range;

/// A plan whose blocks are thread blocks. Where elements take turns, those of a block are sorted by colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlockSchedule {
    /// The element at each position; `None` where they are the same number.
    pub(crate) order: Option<Vec<u32>>,
    /// Block `b` is the positions `offsets[b]..offsets[b + 1]`.
    pub(crate) offsets: Vec<u32>,
    /// The turns of elements, where they take turns.
    pub(crate) turns: Option<Turns>,
    /// Blocks, those of one colour side by side.
    pub(crate) ids: Vec<u32>,
    /// The part of `ids` that each launch runs.
    pub(crate) launches: Vec<Range<usize>>,
}

/// The turns in which the elements of a block run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turns {
    /// The colour of each position, ascending inside a block.
    pub(crate) colours: Vec<u32>,
    /// Colours of each block.
    pub(crate) counts: Vec<u32>,
}

impl BlockSchedule {
    /// The schedule of a plan in blocks, whose elements take turns or do not.
    pub(crate) fn new(plan: &Plan, shape: &LoopShape<'_>, in_turns: bool) -> Result<Self, PlanError> {
        let mut order = plan.order().map(<[u32]>::to_vec);
        let mut turns = None;
        if in_turns {
            let colours = plan.element_colours(shape)?;
            let sorted: Vec<u32> = (0..plan.blocks()).flat_map(|b| colours.sorted(plan.block(b))).collect();
            let element = |&p: &u32| plan.order().map_or(p, |o| o[p as usize]);
            let moved = sorted.iter().enumerate().any(|(p, &from)| p as u32 != from);
            if moved {
                order = Some(sorted.iter().map(element).collect());
            }
            let of_position = sorted.iter().map(|&p| colours.colours()[p as usize]).collect();
            turns = Some(Turns { colours: of_position, counts: colours.counts().to_vec() });
        }
        let mut ids = Vec::with_capacity(plan.blocks());
        let mut launches = Vec::new();
        for colour in 0..plan.colours() {
            let start = ids.len();
            ids.extend_from_slice(plan.blocks_of(colour));
            launches.push(start..ids.len());
        }
        Ok(BlockSchedule { order, offsets: plan.offsets().to_vec(), turns, ids, launches })
    }
}

/// The positions of each colour of a plan that colours single elements, and the element at each position.
pub(crate) fn colour_ranges(plan: &Plan) -> Vec<Range<u32>> {
    let of = |colour| {
        // The blocks of such a plan stand in the order of their colours.
        let blocks = plan.blocks_of(colour);
        let (first, last) = (blocks[0] as usize, blocks[blocks.len() - 1] as usize);
        plan.block(first).start as u32..plan.block(last).end as u32
    };
    (0..plan.colours()).map(of).collect()
}
