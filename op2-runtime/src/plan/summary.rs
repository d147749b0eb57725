//! A summary of a plan, for reports.

use super::route::{Cover, Order};
use super::{Plan, Race};
use crate::error::plan::PlanError;
use crate::inspect::LoopShape;
use std::fmt;

/// A summary of a plan.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Summary {
    /// Elements of the loop.
    pub elements: usize,
    /// Number of blocks.
    pub blocks: usize,
    /// Elements of the smallest block.
    pub smallest_block: usize,
    /// Elements of the largest block.
    pub largest_block: usize,
    /// Number of block colours.
    pub colours: usize,
    /// Blocks per colour, on average: the number that can run at once.
    pub blocks_per_colour: f64,
    /// Bytes that one execution moves at least.
    pub useful_bytes: u64,
    /// Accesses through maps per distinct target of a block, once [`Plan::reuse_factor`] has computed it.
    pub reuse_factor: Option<f64>,
}

impl Plan {
    /// The numbers that are known without another pass over the maps.
    pub fn summary(&self) -> Summary {
        let sizes = || self.offsets().windows(2).map(|w| (w[1] - w[0]) as usize);
        Summary {
            elements: self.len(),
            blocks: self.blocks(),
            smallest_block: sizes().min().unwrap_or(0),
            largest_block: sizes().max().unwrap_or(0),
            colours: self.colours(),
            blocks_per_colour: self.blocks() as f64 / self.colours().max(1) as f64,
            useful_bytes: self.traffic().useful_bytes(),
            reuse_factor: self.reuse.get().copied(),
        }
    }

    /// The reuse factor: accesses of a block through maps divided by the block's distinct targets, over all blocks.
    /// Dats that are reached through the same entries count once. 1 means that no block uses a target twice, or that
    /// there are no maps.
    ///
    /// The first call reads all maps.
    ///
    /// # Errors
    /// [`PlanError::OtherLoop`] if `shape` is evidently not the one that the plan was built from.
    pub fn reuse_factor(&self, shape: &LoopShape<'_>) -> Result<f64, PlanError> {
        self.same_loop(shape)?;
        Ok(*self.reuse.get_or_init(|| reuse(self, shape)))
    }
}

fn reuse(plan: &Plan, shape: &LoopShape<'_>) -> f64 {
    let mut covers: Vec<Cover<'_>> = Vec::new();
    for touch in shape.touches.iter().filter(|t| t.through.is_some()) {
        let of_dat = |t: &&crate::inspect::Touch<'_>| t.dat == touch.dat && t.through.is_some();
        let cover = Cover::of(shape.touches.iter().filter(of_dat));
        if covers.iter().all(|known| !known.same(&cover)) {
            covers.push(cover);
        }
    }
    let (mut accesses, mut distinct) = (0_u64, 0_u64);
    for cover in &covers {
        let (a, d) = reuse_of(plan, cover);
        accesses += a;
        distinct += d;
    }
    if distinct == 0 { 1.0 } else { accesses as f64 / distinct as f64 }
}

/// Accesses and distinct targets, summed over the blocks.
fn reuse_of(plan: &Plan, cover: &Cover<'_>) -> (u64, u64) {
    let order: Order<'_> = plan.order();
    let mut last_block = vec![u32::MAX; cover.targets];
    let (mut accesses, mut distinct) = (0, 0);
    for b in 0..plan.blocks() {
        for route in &cover.routes {
            route.visit(order, plan.block(b), &mut |t| {
                accesses += 1;
                distinct += u64::from(last_block[t] != b as u32);
                last_block[t] = b as u32;
            });
        }
    }
    (accesses, distinct)
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.summary();
        let race: Race = self.race();
        let traffic = self.traffic();
        let mega = |bytes: u64| bytes as f64 / 1e6;
        writeln!(f, "plan: {}; {}", self.scheme().in_words(), race.describe())?;
        writeln!(f, "  elements      {}", summary.elements)?;
        let (smallest, largest) = (summary.smallest_block, summary.largest_block);
        writeln!(f, "  blocks        {} (smallest {smallest}, largest {largest} elements)", summary.blocks)?;
        writeln!(f, "  colours       {} ({:.1} blocks per colour)", summary.colours, summary.blocks_per_colour)?;
        let (all, data, maps) = (mega(traffic.useful_bytes()), mega(traffic.data_bytes), mega(traffic.map_bytes));
        write!(f, "  useful bytes  {all:.3} MB (dats {data:.3} MB, maps {maps:.3} MB)")?;
        if let Some(reuse) = summary.reuse_factor {
            write!(f, "\n  reuse factor  {reuse:.2}")?;
        }
        if let Some(colours) = self.element_colours.get() {
            write!(f, "\n  element colours inside a block: at most {}", colours.most())?;
        }
        Ok(())
    }
}
