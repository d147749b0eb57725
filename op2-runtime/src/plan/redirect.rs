//! Redirected contributions: scatter arrays, private copies of tiles, and elements that several blocks run, of which
//! one owns the target.
//!
//! The three differ from colouring in one thing: a contribution to a target at which another block is at work goes elsewhere.
//! The plan states for every position and contribution the [`Place`] that it goes to, and for every target the copies that are added
//! to it in the end. So one executor follows all three, and the verifier checks places and sums without knowing how they were made.

use super::blocks::{Schedule, one_colour};
use super::route::{Order, own_order};
use crate::data::sink::NOWHERE;
use crate::error::plan::PlanError;
use crate::inspect::{LoopShape, MISSING, Through, Touch};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// The destinations of contributions that blocks may not add to their targets themselves.
///
/// A *way* leads from an element to targets, through the entries of a map that an argument uses. A *part* is a list of
/// ways to one set. The contributions of an element through all ways of a part are numbered, `0..width`. Dats reached
/// by the same ways share a part.
#[derive(Debug, Clone)]
pub struct Redirect {
    pub(super) parts: Vec<Part>,
    /// Argument, part, and number of the argument's first contribution.
    pub(super) args: Vec<(usize, usize, usize)>,
    /// The runs of block `b` are `runs[run_offsets[b]..run_offsets[b + 1]]`.
    pub(super) run_offsets: Vec<u32>,
    pub(super) runs: Vec<Run>,
}

/// Places of the contributions to the targets of one set.
#[derive(Debug, Clone)]
pub struct Part {
    /// The number of targets.
    pub targets: usize,
    /// The number of contributions of an element.
    pub width: usize,
    /// The number of copies of targets, or of destinations for single contributions.
    pub copies: usize,
    /// The destination of contribution `k` of position `p`, at `p * width + k`; see [`Part::destination`]. Empty if contribution
    /// `i` has the destination `i` to itself.
    pub destinations: Vec<u32>,
    /// The copies of block `b` are `block_copies[b]..block_copies[b + 1]`; they start from the neutral element.
    pub block_copies: Vec<u32>,
    /// The sums that are added when all blocks are done.
    pub sums: Sums,
}

/// Copies sorted by the target that they are added to.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// Targets that have copies, ascending.
    pub targets: Vec<u32>,
    /// Target `targets[i]` gets the copies `list[offsets[i]..offsets[i + 1]]`, in this order.
    pub offsets: Vec<u32>,
    /// Numbers of copies, in the order of positions.
    pub list: Vec<u32>,
}

/// The destination of a contribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Destination {
    /// Added to this target.
    Target(usize),
    /// Added to this copy.
    Copy(usize),
    /// Dropped: another block adds it.
    Nowhere,
}

/// Consecutive positions of a block that run in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: RunKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// All contributions go to their targets, and the elements are consecutive from `element` on.
    Straight { element: u32 },
    /// Contributions go to the destinations in the plan.
    Redirected,
}

/// Shorter straight runs do not pay for a change of the loop's body.
const SHORTEST: u32 = 16;

/// The ways of a part to its targets.
pub(super) struct Ways<'a> {
    pub(super) targets: usize,
    ways: Vec<&'a Touch<'a>>,
    /// All ways as consecutive entries of one map, if they are: most loops have such ways, and they are faster to
    /// follow.
    joined: Option<Through<'a>>,
}

impl Redirect {
    /// The parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The part of an argument and the number of its first contribution; `None` if its contributions are not
    /// redirected.
    pub fn part_of(&self, arg: usize) -> Option<(usize, usize)> {
        self.args.iter().find(|a| a.0 == arg).map(|&(_, part, first)| (part, first))
    }

    /// The runs of block `b`.
    #[inline]
    pub(crate) fn runs_of(&self, b: usize) -> &[Run] {
        &self.runs[self.run_offsets[b] as usize..self.run_offsets[b + 1] as usize]
    }
}

impl Part {
    /// The destination of contribution `k` of position `p`.
    #[inline]
    pub fn destination(&self, p: usize, k: usize) -> Destination {
        let number = p * self.width + k;
        match self.destinations.get(number) {
            None => Destination::Copy(number),
            Some(&NOWHERE) => Destination::Nowhere,
            Some(&destination) if (destination as usize) < self.targets => Destination::Target(destination as usize),
            Some(&destination) => Destination::Copy(destination as usize - self.targets),
        }
    }
}

/// Scatter arrays: every contribution has its own destination.
pub(super) fn scatter(shape: &LoopShape<'_>, size: usize) -> Result<(Schedule, Redirect), PlanError> {
    let schedule = one_colour(shape, size);
    let (all, args) = ways(shape);
    let order = own_order(shape);
    let n = shape.elements.len();
    let part = |ways: &Ways<'_>| {
        let copies = fits(n * ways.width(), ways)?;
        let mut keys = vec![MISSING; copies];
        (0..n).for_each(|p| ways.visit(element(order, p), |k, t| keys[p * ways.width() + k] = t));
        let there = (0..).zip(keys.iter().copied()).filter(|(_, t)| *t != MISSING);
        let sums = Sums::new(ways.targets, there);
        let block_copies = schedule.offsets.iter().map(|&p| p * ways.width() as u32).collect();
        Ok(Part { targets: ways.targets, width: ways.width(), copies, destinations: Vec::new(), block_copies, sums })
    };
    let parts = all.iter().map(part).collect::<Result<Vec<_>, PlanError>>()?;
    let redirect = Redirect::of(parts, args, &schedule, order);
    Ok((schedule, redirect))
}

/// Tiles: blocks that add to private copies of the targets that they share.
pub(super) fn tiles(shape: &LoopShape<'_>, size: usize) -> Result<(Schedule, Redirect), PlanError> {
    let schedule = one_colour(shape, size);
    let (all, args) = ways(shape);
    let order = own_order(shape);
    let parts = all.iter().map(|w| tile_part(w, order, &schedule.offsets)).collect::<Result<Vec<_>, PlanError>>()?;
    let redirect = Redirect::of(parts, args, &schedule, order);
    Ok((schedule, redirect))
}

fn tile_part(ways: &Ways<'_>, order: Order<'_>, offsets: &[u32]) -> Result<Part, PlanError> {
    let shared = ways.shared(order, offsets);
    let n = *offsets.last().unwrap_or(&0) as usize;
    let mut destinations = Vec::with_capacity(n * ways.width());
    let mut block_copies = vec![0];
    // The target of each copy. A block numbers its copies in the order of their first use.
    let mut copied: Vec<u32> = Vec::new();
    let mut mine = vec![(u32::MAX, 0_u32); ways.targets];
    for (b, block) in blocks(offsets).enumerate() {
        for p in block {
            let row = row_of(&mut destinations, ways.width());
            ways.visit(element(order, p), |k, t| {
                if !shared[t as usize] {
                    row[k] = t;
                    return;
                }
                let (of, copy) = &mut mine[t as usize];
                if *of != b as u32 {
                    (*of, *copy) = (b as u32, copied.len() as u32);
                    copied.push(t);
                }
                row[k] = (ways.targets as u32).wrapping_add(*copy);
            });
        }
        block_copies.push(copied.len() as u32);
    }
    let copies = fits(copied.len(), ways)?;
    let sums = Sums::new(ways.targets, copied.iter().enumerate().map(|(copy, &t)| (copy as u32, t)));
    Ok(Part { targets: ways.targets, width: ways.width(), copies, destinations, block_copies, sums })
}

/// A new row of destinations. Contributions through missing entries go nowhere.
pub(super) fn row_of(destinations: &mut Vec<u32>, width: usize) -> &mut [u32] {
    let first = destinations.len();
    destinations.resize(first + width, NOWHERE);
    &mut destinations[first..]
}

impl<'a> Ways<'a> {
    fn new(targets: usize, ways: Vec<&'a Touch<'a>>) -> Self {
        let mut joined = ways.first().and_then(|way| way.through.clone());
        for way in ways.iter().skip(1) {
            joined = joined.zip(way.through.as_ref()).and_then(|(mut known, next)| {
                let follows = known.map == next.map && known.used.end == next.used.start;
                known.used.end = next.used.end;
                follows.then_some(known)
            });
        }
        Ways { targets, ways, joined }
    }

    pub(super) fn width(&self) -> usize {
        self.ways.iter().map(|way| way.width()).sum()
    }

    /// Calls `f` with the number and the target of each contribution of element `e`.
    #[inline]
    pub(super) fn visit(&self, e: usize, mut f: impl FnMut(usize, u32)) {
        if let Some(joined) = &self.joined {
            return joined.targets_of(e).for_each(|(k, t)| f(k, t));
        }
        let mut first = 0;
        for way in &self.ways {
            way.targets_of(e).for_each(|(k, t)| f(first + k, t));
            first += way.width();
        }
    }

    /// For each target, whether several blocks reach it.
    fn shared(&self, order: Order<'_>, offsets: &[u32]) -> Vec<bool> {
        let mut first = vec![u32::MAX; self.targets];
        let mut shared = vec![false; self.targets];
        for (b, block) in blocks(offsets).enumerate() {
            for p in block {
                self.visit(element(order, p), |_, t| {
                    let first = &mut first[t as usize];
                    if *first == u32::MAX {
                        *first = b as u32;
                    }
                    shared[t as usize] |= *first != b as u32;
                });
            }
        }
        shared
    }
}

/// The parts of a loop, and the part of each argument.
pub(super) fn ways<'a>(shape: &'a LoopShape<'a>) -> (Vec<Ways<'a>>, Vec<(usize, usize, usize)>) {
    let mut all: Vec<Ways<'a>> = Vec::new();
    let mut args = Vec::new();
    for (i, touch) in shape.touches.iter().enumerate() {
        let of_dat = || shape.touches.iter().filter(|t| t.dat == touch.dat && t.access.modifies());
        let first = shape.touches[..i].iter().all(|t| t.dat != touch.dat || !t.access.modifies());
        if !first || !touch.access.modifies() || of_dat().all(|t| t.through.is_none()) {
            continue;
        }
        let own = Ways::new(touch.targets, of_dat().collect());
        let part = all.iter().position(|known| known.same(&own)).unwrap_or(all.len());
        let mut number = 0;
        for way in &own.ways {
            args.push((way.arg, part, number));
            number += way.width();
        }
        if part == all.len() {
            all.push(own);
        }
    }
    (all, args)
}

impl Ways<'_> {
    /// Whether both reach the same targets in the same order.
    fn same(&self, other: &Self) -> bool {
        let key = |t: &&Touch<'_>| t.through.as_ref().map(|m| (m.map, m.used.clone()));
        self.targets == other.targets && self.ways.iter().map(key).eq(other.ways.iter().map(key))
    }
}

impl Redirect {
    pub(super) fn of(
        parts: Vec<Part>,
        args: Vec<(usize, usize, usize)>,
        schedule: &Schedule,
        order: Order<'_>,
    ) -> Self {
        let mut redirect = Redirect { parts, args, run_offsets: vec![0], runs: Vec::new() };
        for block in blocks(&schedule.offsets) {
            redirect.cut(block, order);
            redirect.run_offsets.push(redirect.runs.len() as u32);
        }
        redirect
    }

    /// Cuts a block into runs.
    fn cut(&mut self, block: Range<usize>, order: Order<'_>) {
        let first = self.runs.len();
        let (mut start, mut kind) = (block.start, None);
        for p in block.clone() {
            let element = element(order, p) as u32;
            let here = if self.is_straight(p) { RunKind::Straight { element } } else { RunKind::Redirected };
            let goes_on = match (kind, here) {
                (Some(RunKind::Redirected), RunKind::Redirected) => true,
                (Some(RunKind::Straight { element: first }), RunKind::Straight { element }) => {
                    element.wrapping_sub(first) as usize == p - start
                }
                _ => false,
            };
            if !goes_on {
                self.end_run(first, start, p, kind);
                (start, kind) = (p, Some(here));
            }
        }
        self.end_run(first, start, block.end, kind);
    }

    /// Whether all contributions of a position go to their targets.
    #[inline]
    fn is_straight(&self, p: usize) -> bool {
        let straight = |part: &Part| {
            let destinations = part.destinations.get(p * part.width..(p + 1) * part.width);
            destinations.is_some_and(|destinations| {
                destinations.iter().all(|&destination| (destination as usize) < part.targets)
            })
        };
        self.parts.iter().all(straight)
    }

    /// Appends a run to the block's runs, which begin at `first`. A short run is joined with the redirected run before
    /// it.
    fn end_run(&mut self, first: usize, start: usize, end: usize, kind: Option<RunKind>) {
        let (Some(kind), start, end) = (kind, start as u32, end as u32) else { return };
        let kind = if end - start < SHORTEST { RunKind::Redirected } else { kind };
        match self.runs[first..].last_mut() {
            Some(last) if last.kind == RunKind::Redirected && kind == RunKind::Redirected => last.end = end,
            _ => self.runs.push(Run { start, end, kind }),
        }
    }
}

impl Sums {
    /// Sorts copies by target; `pairs` are copies with their targets, in the order in which they are added.
    pub(super) fn new(targets: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; targets + 1];
        pairs.clone().for_each(|(_, t)| starts[t as usize + 1] += 1);
        for t in 0..targets {
            starts[t + 1] += starts[t];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[targets] as usize];
        pairs.for_each(|(copy, t)| {
            list[next[t as usize] as usize] = copy;
            next[t as usize] += 1;
        });
        let reached: Vec<u32> = (0..targets).filter(|&t| starts[t] < starts[t + 1]).map(|t| t as u32).collect();
        let offsets = reached.iter().map(|&t| starts[t as usize]).chain([starts[targets]]).collect();
        Sums { targets: reached, offsets, list }
    }
}

/// Returns the number of copies, or an error if destinations cannot number them all.
fn fits(copies: usize, ways: &Ways<'_>) -> Result<usize, PlanError> {
    let destinations = copies + ways.targets;
    if destinations < NOWHERE as usize { Ok(copies) } else { Err(PlanError::TooManyCopies { copies }) }
}

pub(super) fn blocks(offsets: &[u32]) -> impl Iterator<Item = Range<usize>> {
    offsets.windows(2).map(|b| b[0] as usize..b[1] as usize)
}

/// The element at a position.
#[inline]
pub(super) fn element(order: Order<'_>, position: usize) -> usize {
    order.map_or(position, |o| o[position] as usize)
}
