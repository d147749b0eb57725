//! Owner computes: blocks that run every element that contributes to one of their targets, so that elements at the borders run in
//! several blocks.
//!
//! Blocks are filled one after the other. A target belongs to the block that is being filled when the loop's order first reaches it, and
//! brings all of its elements. A block is full if more elements would run in it than it may have.

use super::blocks::Schedule;
use super::redirect::{Part, Redirect, Sums, Ways, blocks, element, row_of, ways};
use super::route::{Order, own_order};
use crate::data::sink::NOWHERE;
use crate::error::plan::PlanError;
use crate::inspect::LoopShape;

/// The elements that blocks run, and the owners of targets.
pub(crate) struct Owned {
    /// The element at each position: those of a block in the order of the loop.
    pub(crate) order: Vec<u32>,
    /// Block `b` is the positions `offsets[b]..offsets[b + 1]`.
    pub(crate) offsets: Vec<u32>,
    /// For each part, the block that owns each target.
    owners: Vec<Vec<u32>>,
}

/// The plan of a loop in blocks that run `size` elements at most, unless one target alone has more.
pub(super) fn owner(shape: &LoopShape<'_>, size: usize) -> Result<(Schedule, Redirect), PlanError> {
    let (all, args) = ways(shape);
    let Owned { order, offsets, owners } = owned_by(&all, own_order(shape), shape.elements.len(), size)?;
    let part = |(ways, owners): (&Ways<'_>, &Vec<u32>)| {
        let mut destinations = Vec::with_capacity(order.len() * ways.width());
        for (b, block) in blocks(&offsets).enumerate() {
            let destination = |t: u32| if owners[t as usize] == b as u32 { t } else { NOWHERE };
            for p in block {
                let row = row_of(&mut destinations, ways.width());
                ways.visit(order[p] as usize, |k, t| row[k] = destination(t));
            }
        }
        let block_copies = vec![0; offsets.len()];
        let sums = Sums { offsets: vec![0], ..Sums::default() };
        Part { targets: ways.targets, width: ways.width(), copies: 0, destinations, block_copies, sums }
    };
    let parts = all.iter().zip(&owners).map(part).collect();
    let ids: Vec<u32> = (0..offsets.len() as u32 - 1).collect();
    let colour_offsets = vec![0, ids.len() as u32];
    let schedule = Schedule { order: Some(order), offsets, blocks: ids, colour_offsets };
    let redirect = Redirect::of(parts, args, &schedule, schedule.order.as_deref());
    Ok((schedule, redirect))
}

/// The blocks of [`owner`] without the destinations of contributions.
pub(crate) fn owned(shape: &LoopShape<'_>, size: usize) -> Result<Owned, PlanError> {
    owned_by(&ways(shape).0, own_order(shape), shape.elements.len(), size)
}

fn owned_by(all: &[Ways<'_>], order: Order<'_>, n: usize, size: usize) -> Result<Owned, PlanError> {
    let reached: Vec<Reached> = all.iter().map(|ways| Reached::new(ways, order, n)).collect::<Result<_, _>>()?;
    let mut filling = Filling {
        owners: all.iter().map(|ways| vec![NOWHERE; ways.targets]).collect(),
        runs: vec![NOWHERE; n],
        block: 0,
        offsets: vec![0],
        positions: Vec::with_capacity(n),
        size,
    };
    let (mut new, mut joining) = (Vec::new(), Vec::new());
    for p in 0..n {
        new.clear();
        let mut reaches = false;
        for (part, ways) in all.iter().enumerate() {
            ways.visit(element(order, p), |_, t| {
                reaches = true;
                if filling.owners[part][t as usize] == NOWHERE && !new.contains(&(part, t)) {
                    new.push((part, t));
                }
            });
        }
        // An element without targets runs in its place.
        if !new.is_empty() || !reaches {
            joining.clear();
            joining.extend(new.iter().flat_map(|&(part, t)| reached[part].by(t)));
            joining.extend((!reaches).then_some(p as u32));
            joining.sort_unstable();
            joining.dedup();
            filling.take(&new, &joining);
        }
    }
    filling.end();
    let Filling { owners, offsets, positions, .. } = filling;
    if u32::try_from(positions.len()).is_err() {
        return Err(PlanError::TooLarge { elements: positions.len() });
    }
    let order = positions.into_iter().map(|p| element(order, p as usize) as u32).collect();
    Ok(Owned { order, offsets, owners })
}

/// The positions that reach each target of a part: `list[starts[t]..starts[t + 1]]`.
struct Reached {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Reached {
    fn new(ways: &Ways<'_>, order: Order<'_>, n: usize) -> Result<Self, PlanError> {
        if u32::try_from(n * ways.width()).is_err() {
            return Err(PlanError::TooLarge { elements: n });
        }
        let mut starts = vec![0_u32; ways.targets + 2];
        (0..n).for_each(|p| ways.visit(element(order, p), |_, t| starts[t as usize + 2] += 1));
        for t in 0..ways.targets {
            starts[t + 2] += starts[t + 1];
        }
        let mut list = vec![0; starts[ways.targets + 1] as usize];
        for p in 0..n {
            ways.visit(element(order, p), |_, t| {
                let next = &mut starts[t as usize + 1];
                list[*next as usize] = p as u32;
                *next += 1;
            });
        }
        Ok(Reached { starts, list })
    }

    fn by(&self, target: u32) -> &[u32] {
        let t = target as usize;
        &self.list[self.starts[t] as usize..self.starts[t + 1] as usize]
    }
}

/// Blocks up to the one that is being filled.
struct Filling {
    owners: Vec<Vec<u32>>,
    /// The last block that runs each position.
    runs: Vec<u32>,
    block: u32,
    offsets: Vec<u32>,
    /// The positions that blocks run.
    positions: Vec<u32>,
    size: usize,
}

impl Filling {
    /// Adds targets, each with its part, and the positions that reach them.
    fn take(&mut self, targets: &[(usize, u32)], positions: &[u32]) {
        let first = self.offsets[self.offsets.len() - 1] as usize;
        let more = positions.iter().filter(|&&p| self.runs[p as usize] != self.block).count();
        if self.positions.len() > first && self.positions.len() - first + more > self.size {
            self.end();
        }
        for &p in positions {
            if std::mem::replace(&mut self.runs[p as usize], self.block) != self.block {
                self.positions.push(p);
            }
        }
        targets.iter().for_each(|&(part, t)| self.owners[part][t as usize] = self.block);
    }

    /// Ends the block, if it has elements.
    fn end(&mut self) {
        let first = self.offsets[self.offsets.len() - 1] as usize;
        if self.positions.len() > first {
            self.positions[first..].sort_unstable();
            self.offsets.push(self.positions.len() as u32);
            self.block += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::{Elements, MISSING, Through, Touch};
    use op2_core::Access;

    fn shape(entries: &[u32], targets: usize) -> LoopShape<'_> {
        let through = Some(Through { map: 0, entries, arity: 2, offsets: None, used: 0..2 });
        let touch = Touch { arg: 0, dat: 0, targets, bytes: 8, access: Access::Inc, through, own: false };
        LoopShape { elements: Elements::All(entries.len() / 2), touches: vec![touch] }
    }

    /// In a chain of edges a block of `n` nodes runs `n + 1` edges, but for the ends.
    #[test]
    fn blocks_are_as_full_as_they_may_be() {
        let entries: Vec<u32> = (0..100).flat_map(|e| [e, e + 1]).collect();
        let Owned { order, offsets, owners } = owned(&shape(&entries, 101), 10).expect("a small loop");
        let lengths: Vec<u32> = offsets.windows(2).map(|b| b[1] - b[0]).collect();
        assert!(lengths[..lengths.len() - 1].iter().all(|&n| n == 10), "{lengths:?}");
        assert_eq!(&order[..12], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10]);
        assert_eq!(owners[0][..12], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn one_target_may_have_more_elements_than_fit() {
        let star: Vec<u32> = (0..30).flat_map(|e| [0, e + 1]).collect();
        let Owned { offsets, .. } = owned(&shape(&star, 31), 8).expect("a small loop");
        assert_eq!(offsets[1], 30);
    }

    #[test]
    fn elements_without_targets_run_once() {
        let entries = [0, 1, MISSING, MISSING, 1, 2, MISSING, MISSING];
        let Owned { order, .. } = owned(&shape(&entries, 3), 2).expect("a small loop");
        for lonely in [1, 3] {
            assert_eq!(order.iter().filter(|&&e| e == lonely).count(), 1, "{order:?}");
        }
    }
}
