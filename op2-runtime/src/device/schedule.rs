//! Turns a plan into launches.

use crate::inspect::{Elements, LoopShape};
use crate::plan::{Plan, PlanError};
use std::ops::Range;

/// A plan whose blocks are thread blocks, the elements of each sorted by colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlockSchedule {
    /// The element at each position; `None` where they are the same number.
    pub(crate) order: Option<Vec<u32>>,
    /// Block `b` is the positions `offsets[b]..offsets[b + 1]`.
    pub(crate) offsets: Vec<u32>,
    /// The colour of each position, ascending inside a block.
    pub(crate) colours: Vec<u32>,
    /// Colours of each block.
    pub(crate) counts: Vec<u32>,
    /// Blocks, those of one colour side by side.
    pub(crate) ids: Vec<u32>,
    /// The part of `ids` that each launch runs.
    pub(crate) launches: Vec<Range<usize>>,
}

impl BlockSchedule {
    /// The schedule of a plan in blocks.
    pub(crate) fn new(plan: &Plan, shape: &LoopShape<'_>) -> Result<Self, PlanError> {
        let colours = plan.element_colours(shape)?;
        let sorted: Vec<u32> = (0..plan.blocks()).flat_map(|b| colours.sorted(plan.block(b))).collect();
        let element = |&p: &u32| plan.order().map_or(p, |o| o[p as usize]);
        let moved = sorted.iter().enumerate().any(|(p, &from)| p as u32 != from);
        let order = (moved || plan.order().is_some()).then(|| sorted.iter().map(element).collect());
        let mut ids = Vec::with_capacity(plan.blocks());
        let mut launches = Vec::new();
        for colour in 0..plan.colours() {
            let start = ids.len();
            ids.extend_from_slice(plan.blocks_of(colour));
            launches.push(start..ids.len());
        }
        Ok(BlockSchedule {
            order,
            offsets: plan.offsets().to_vec(),
            colours: sorted.iter().map(|&p| colours.colours()[p as usize]).collect(),
            counts: colours.counts().to_vec(),
            ids,
            launches,
        })
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

/// The list of elements, unless the loop runs over a whole set.
pub(crate) fn listed(shape: &LoopShape<'_>) -> Option<Vec<u32>> {
    match shape.elements {
        Elements::All(_) | Elements::Pieces(_) => None,
        Elements::Subset(list) => Some(list.to_vec()),
    }
}
