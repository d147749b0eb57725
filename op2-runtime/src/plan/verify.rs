//! Checks plans independently of how they are built.
//!
//! The builder follows joined maps and collects bits. The verifier follows the arguments as they were stated and
//! records who reached each target.

mod redirect;
#[cfg(test)]
mod tests;

use super::{ElementColours, Plan, Resolution};
use crate::error::plan::Violation;
use crate::inspect::{LoopShape, Touch};
use op2_core::Access;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// Checks that `plan` runs every element of `shape` exactly once, that its offsets are in order, and that no two blocks
/// of one colour share a target of a dat that the loop modifies and reaches through a map, unless it is combined in one exact way
/// alone. If the plan redirects contributions, each must be added to its target once, and no two blocks may write to one destination.
///
/// # Errors
/// The first [`Violation`] found.
pub fn verify(plan: &Plan, shape: &LoopShape<'_>) -> Result<(), Violation> {
    // With owners, some elements run several times.
    let several = plan.scheme().resolution == Resolution::Owner && plan.redirect().is_some();
    let positions = plan.order().filter(|_| several).map_or(plan.len(), <[u32]>::len);
    offsets(&plan.schedule.offsets, positions, "block")?;
    offsets(&plan.schedule.colour_offsets, plan.schedule.blocks.len(), "colour")?;
    every_block_once(plan)?;
    if let Some(redirect) = plan.redirect() {
        let complete = if several { every_element } else { every_element_once };
        complete(plan, shape)?;
        return redirect::verify(plan, redirect, shape);
    }
    every_element_once(plan, shape)?;
    taking_turns(shape).into_iter().try_for_each(|dat| no_shared_target(plan, shape, dat))
}

/// Checks that elements of one block with one colour share no target of a dat that the loop
/// modifies and reaches through a map, unless it is combined in one exact way alone.
///
/// # Errors
/// The first [`Violation`] found.
pub fn verify_element_colours(plan: &Plan, colours: &ElementColours, shape: &LoopShape<'_>) -> Result<(), Violation> {
    let (positions, elements) = (colours.colours().len(), plan.positions());
    if positions != elements || colours.counts().len() != plan.blocks() {
        return Err(Violation::Length { positions, elements });
    }
    for block in 0..plan.blocks() {
        let count = colours.counts()[block];
        for p in plan.block(block) {
            let (element, colour) = (element_at(plan, p), colours.colours()[p]);
            if colour >= count {
                return Err(Violation::ElementColour { block, element, colour, count });
            }
        }
    }
    taking_turns(shape).into_iter().try_for_each(|dat| no_shared_in_block(plan, colours, shape, dat))
}

/// Checks that offsets rise strictly from 0 to `end`.
fn offsets(offsets: &[u32], end: usize, what: &'static str) -> Result<(), Violation> {
    let wrong = |index: usize, value: u32, expected: String| {
        Err(Violation::Offset { what, index, value: value as usize, expected })
    };
    match (offsets.first(), offsets.last()) {
        (Some(0), Some(&last)) if last as usize == end => {}
        (Some(0), Some(&last)) => return wrong(offsets.len() - 1, last, format!("{end}, the end")),
        (first, _) => return wrong(0, first.copied().unwrap_or(u32::MAX), "0".into()),
    }
    match (1..offsets.len()).find(|&i| offsets[i] <= offsets[i - 1]) {
        Some(i) => wrong(i, offsets[i], format!("more than {}, the one before", offsets[i - 1])),
        None => Ok(()),
    }
}

fn every_block_once(plan: &Plan) -> Result<(), Violation> {
    let mut times = vec![0_usize; plan.blocks()];
    for &block in &plan.schedule.blocks {
        match times.get_mut(block as usize) {
            Some(count) => *count += 1,
            None => {
                return Err(Violation::BlockColours { block: block as usize, times: 1 });
            }
        }
    }
    match times.iter().position(|&t| t != 1) {
        Some(block) => Err(Violation::BlockColours { block, times: times[block] }),
        None => Ok(()),
    }
}

fn every_element_once(plan: &Plan, shape: &LoopShape<'_>) -> Result<(), Violation> {
    let (positions, elements) = (plan.order().map_or(plan.len(), <[u32]>::len), shape.elements.len());
    if positions != elements || plan.len() != elements {
        return Err(Violation::Length { positions, elements });
    }
    let mut times: FxHashMap<usize, usize> = FxHashMap::with_capacity_and_hasher(elements, FxBuildHasher);
    for p in 0..elements {
        *times.entry(element_at(plan, p)).or_default() += 1;
    }
    for element in (0..elements).map(|k| shape.elements.get(k)) {
        match times.remove(&element) {
            Some(1) => {}
            found => {
                return Err(Violation::Element { element, times: found.unwrap_or(0), expected: 1 });
            }
        }
    }
    match times.iter().min() {
        Some((&element, &times)) => Err(Violation::Element { element, times, expected: 0 }),
        None => Ok(()),
    }
}

/// Checks that exactly the elements of the loop run.
fn every_element(plan: &Plan, shape: &LoopShape<'_>) -> Result<(), Violation> {
    let stated: FxHashSet<usize> = (0..shape.elements.len()).map(|k| shape.elements.get(k)).collect();
    let run: FxHashSet<usize> = (0..plan.positions()).map(|p| element_at(plan, p)).collect();
    let missing = stated.difference(&run).min().map(|&element| Violation::Element { element, times: 0, expected: 1 });
    let excess = || run.difference(&stated).min().map(|&element| Violation::Element { element, times: 1, expected: 0 });
    missing.or_else(excess).map_or(Ok(()), Err)
}

/// The last visitor of a target.
#[derive(Clone, Copy)]
struct Owner {
    colour: usize,
    block: usize,
    element: usize,
}

fn no_shared_target(plan: &Plan, shape: &LoopShape<'_>, dat: u32) -> Result<(), Violation> {
    let touches: Vec<&Touch<'_>> = shape.touches.iter().filter(|t| t.dat == dat).collect();
    let mut owners: Vec<Option<Owner>> = vec![None; touches.iter().map(|t| t.targets).max().unwrap_or(0)];
    for colour in 0..plan.colours() {
        for block in plan.blocks_of(colour).iter().map(|&b| b as usize) {
            for (element, touch, target) in plan.block(block).flat_map(|p| reached(&touches, element_at(plan, p))) {
                let owner = owners[target].get_or_insert(Owner { colour, block, element });
                if owner.colour == colour && owner.block != block {
                    let (first_block, second_block, first, second) = (owner.block, block, owner.element, element);
                    return Err(Violation::SharedTarget {
                        colour,
                        first_block,
                        second_block,
                        first,
                        second,
                        arg: touch.arg,
                        dat,
                        target,
                    });
                }
                *owner = Owner { colour, block, element };
            }
        }
    }
    Ok(())
}

fn no_shared_in_block(plan: &Plan, colours: &ElementColours, shape: &LoopShape<'_>, dat: u32) -> Result<(), Violation> {
    let touches: Vec<&Touch<'_>> = shape.touches.iter().filter(|t| t.dat == dat).collect();
    for block in 0..plan.blocks() {
        let mut owners: FxHashMap<(u32, usize), usize> = FxHashMap::default();
        for p in plan.block(block) {
            let colour = colours.colours()[p];
            for (second, _, target) in reached(&touches, element_at(plan, p)) {
                let first = *owners.entry((colour, target)).or_insert(second);
                if first != second {
                    return Err(Violation::SharedInBlock { block, colour, first, second, dat, target });
                }
            }
        }
    }
    Ok(())
}

/// The element, argument and target of everything that one element reaches.
fn reached<'s, 'a>(
    touches: &'s [&'s Touch<'a>],
    element: usize,
) -> impl Iterator<Item = (usize, &'s Touch<'a>, usize)> {
    touches
        .iter()
        .flat_map(move |&touch| touch.targets_of(element).map(move |(_, target)| (element, touch, target as usize)))
}

/// Dats that the loop modifies and reaches through a map.
fn raced_dats(shape: &LoopShape<'_>) -> Vec<u32> {
    let mut dats: Vec<u32> = shape.touches.iter().filter(|t| t.access.modifies()).map(|t| t.dat).collect();
    dats.retain(|dat| shape.touches.iter().any(|t| t.dat == *dat && t.is_shared()));
    dats.sort_unstable();
    dats.dedup();
    dats
}

/// Those of them whose elements only one element may reach at a time: not all arguments combine in the same exact way.
fn taking_turns(shape: &LoopShape<'_>) -> Vec<u32> {
    let mut dats = raced_dats(shape);
    dats.retain(|dat| {
        let mut ways: Vec<_> = shape.touches.iter().filter(|t| t.dat == *dat).map(|t| t.access).collect();
        ways.dedup();
        !matches!(ways[..], [Access::Min | Access::Max | Access::Or])
    });
    dats
}

fn element_at(plan: &Plan, position: usize) -> usize {
    plan.order().map_or(position, |order| order[position] as usize)
}
