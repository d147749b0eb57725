//! The default choice of a scheme, from the loop and its maps alone.

use super::blocks::{self, Schedule};
use super::collide::check;
use super::error::PlanError;
use super::route::Conflicts;
use super::{Race, Scheme, race_of};
use crate::inspect::LoopShape;

/// Blocks aimed at: enough for many threads, few enough that a block is a good piece of mesh.
const BLOCKS: usize = 256;
/// Below this a block costs more to hand out than to run.
const SMALLEST: usize = 256;
/// Above this blocks gain no locality and lose balance.
const LARGEST: usize = 65_536;
/// A colour must offer this many blocks on average.
const BLOCKS_PER_COLOUR: usize = 32;
/// Each colour ends in a barrier; more of them than this cost more than the locality of blocks
/// gives.
const MOST_COLOURS: usize = 32;
/// How much smaller the blocks of the next attempt are.
const STEP: usize = 4;

/// The scheme for `shape`, by this rule:
///
/// 1. Blocks of n/256 elements, but at least 256 and at most 65536. A loop without conflicts, or
///    with fewer than 32 such blocks, keeps them: it has nothing to lose, or is too short to matter.
/// 2. They are coloured. If there are at least 32 blocks per colour on average, and at most 32
///    colours, they stay. An ordered mesh gets two to six colours and ends here.
/// 3. Otherwise the same with blocks a quarter as large, as long as they have 256 elements. An
///    attempt ends at the first block that needs a colour too many, so that bad ones cost little.
/// 4. Otherwise global colouring, in chunks of n/1024 elements, at least 64 and at most 4096. A
///    randomly numbered mesh ends here: its blocks touch targets everywhere, and hardly any two of
///    them can run at once.
///
/// Neither threads nor time enter, so a run repeats bit for bit on every machine.
///
/// # Errors
/// As [`check`].
pub fn predict(shape: &LoopShape<'_>) -> Result<Scheme, PlanError> {
    check(shape)?;
    let conflicts = Conflicts::of(shape);
    let race = race_of(shape, &conflicts);
    let large = large_blocks(shape.elements.len());
    match race {
        Race::Coloured => Ok(attempt(shape, &conflicts).map_or_else(|| global(shape), |(scheme, _)| scheme)),
        Race::Impossible | Race::Disproved => Ok(Scheme::Blocks { size: large }),
    }
}

/// As [`predict`], with the schedule that the decision has made on the way.
pub(super) fn choose(shape: &LoopShape<'_>, conflicts: &Conflicts<'_>, race: Race) -> (Scheme, Schedule) {
    if race != Race::Coloured {
        let size = large_blocks(shape.elements.len());
        return (Scheme::Blocks { size }, blocks::one_colour(shape, size));
    }
    attempt(shape, conflicts).unwrap_or_else(|| {
        let chunk = chunk_size(shape.elements.len());
        (Scheme::Elements { chunk }, blocks::by_element(shape, conflicts, chunk))
    })
}

fn large_blocks(n: usize) -> usize {
    n.div_ceil(BLOCKS).clamp(SMALLEST, LARGEST)
}

fn chunk_size(n: usize) -> usize {
    (n / 1024).clamp(64, 4096)
}

fn global(shape: &LoopShape<'_>) -> Scheme {
    Scheme::Elements { chunk: chunk_size(shape.elements.len()) }
}

/// The largest blocks that pass rules 1 to 3.
fn attempt(shape: &LoopShape<'_>, conflicts: &Conflicts<'_>) -> Option<(Scheme, Schedule)> {
    let n = shape.elements.len();
    let mut size = large_blocks(n);
    if n.div_ceil(size) < BLOCKS_PER_COLOUR {
        return Some((Scheme::Blocks { size }, blocks::coloured(shape, conflicts, size)));
    }
    while size >= SMALLEST {
        let limit = (n.div_ceil(size) / BLOCKS_PER_COLOUR).min(MOST_COLOURS);
        if let Some(schedule) = blocks::coloured_within(shape, conflicts, size, limit as u32) {
            return Some((Scheme::Blocks { size }, schedule));
        }
        size /= STEP;
    }
    None
}
