//! Chooses the default scheme, from the loop and its maps alone.

use super::blocks::{self, Schedule};
use super::collide::check;
use super::route::Conflicts;
use super::{Race, Scheme, race_of};
use crate::data::workers::processors;
use crate::error::plan::PlanError;
use crate::inspect::LoopShape;

/// Kinds of machines between which the default choice distinguishes.
///
/// A property of the machine, not of the threads in use, so that results do not depend on their number. For the same
/// bits on machines of both kinds, name one of them: [`Config::hardware`](crate::Config::hardware).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Hardware {
    /// At most eight cores: a few large blocks suffice and have the shortest borders.
    FewCores,
    /// More than eight cores: more blocks must be able to run at once.
    ManyCores,
}

/// Smaller blocks take longer to hand out than to run.
const SMALLEST: usize = 256;
/// Larger blocks gain no locality and lose balance.
const LARGEST: usize = 65_536;
/// A loop of fewer blocks is short, whatever its colours.
const FEW_BLOCKS: usize = 32;
/// More colours than this, each of which ends in a barrier, cost more than the locality of blocks gains.
const MOST_COLOURS: usize = 32;
/// Blocks have a multiple of this many elements: whole packs, and whole cache lines of direct dats, so that blocks share
/// none.
const UNIT: usize = 64;
/// Blocks of the next attempt are smaller by this factor.
const STEP: usize = 4;

impl Hardware {
    /// The machine that the program runs on.
    pub fn here() -> Self {
        if processors() <= 8 { Hardware::FewCores } else { Hardware::ManyCores }
    }

    /// The number of blocks to aim at: enough for all threads, few enough to keep locality.
    fn blocks(self) -> usize {
        match self {
            Hardware::FewCores => 64,
            Hardware::ManyCores => 256,
        }
    }

    /// The number of blocks that a colour must have on average. Of the smallest blocks, half as many do on few cores: threads that wait
    /// then cost at most as much as global colouring.
    fn blocks_per_colour(self, are_smallest: bool) -> usize {
        match self {
            Hardware::FewCores if are_smallest => 4,
            Hardware::FewCores => 8,
            Hardware::ManyCores => 32,
        }
    }
}

/// The scheme for `shape`. Blocks are large, because they load each datum about once; small blocks in many colours sweep over
/// memory once per colour. The rule:
///
/// 1. Blocks of n/64 elements, on machines with more than eight cores n/256, up to the next multiple of 64, but at least 256 and at most
///    65536. A loop without conflicts, or with fewer than 32 such blocks, keeps them: it has nothing to lose, or is too short to matter.
/// 2. They are coloured. If there are at least 8 blocks per colour on average (32 with more than eight cores), and at
///    most 32 colours, they stay. An ordered mesh gets two to six colours and ends here.
/// 3. Otherwise the same with blocks a quarter as large, as long as they have 256 elements. On few cores the last attempt
///    demands 4 blocks per colour: a flux over 13,000 edges, sorted by their directions, took twice as long by global colouring as in
///    55 blocks of 8 colours, on one thread and on two. An attempt ends at the first block that needs a colour too
///    many, so that bad ones cost little.
/// 4. Otherwise global colouring, in chunks of n/1024 elements, at least 64 and at most 4096. A
///    randomly numbered mesh ends here: its blocks touch targets everywhere, and hardly any two of
///    them can run at once.
///
/// Neither threads nor time enter, so a run repeats bit for bit. Tiles, owners and scatter arrays must be requested: in
/// the bench `strategies` coloured blocks were the fastest on every ordered mesh, and global colouring on a random one. On few
/// cores a barrier between colours costs less than copies do. [`Strategy::Auto`](crate::Strategy::Auto) finds the exceptions.
///
/// # Errors
/// As [`check`].
pub fn predict(shape: &LoopShape<'_>, hardware: Hardware) -> Result<Scheme, PlanError> {
    check(shape)?;
    let conflicts = Conflicts::of(shape);
    let race = race_of(shape, &conflicts);
    match race {
        Race::Coloured => Ok(attempt(shape, &conflicts, hardware).map_or_else(|| global(shape), |(scheme, _)| scheme)),
        Race::Impossible | Race::Disproved => Ok(without_races(shape, hardware)),
    }
}

/// The scheme of a loop without conflicts: rule 1.
pub(super) fn without_races(shape: &LoopShape<'_>, hardware: Hardware) -> Scheme {
    Scheme::blocks(large_blocks(shape.elements.len(), hardware))
}

/// As [`predict`], but also returns the schedule that the decision has built.
pub(super) fn choose(
    shape: &LoopShape<'_>,
    conflicts: &Conflicts<'_>,
    race: Race,
    hardware: Hardware,
) -> (Scheme, Schedule) {
    if race != Race::Coloured {
        let scheme = without_races(shape, hardware);
        return (scheme, blocks::one_colour(shape, scheme.size));
    }
    attempt(shape, conflicts, hardware).unwrap_or_else(|| {
        let chunk = chunk_size(shape.elements.len());
        (Scheme::colours(chunk), blocks::by_element(shape, conflicts, chunk))
    })
}

fn large_blocks(n: usize, hardware: Hardware) -> usize {
    n.div_ceil(hardware.blocks()).next_multiple_of(UNIT).clamp(SMALLEST, LARGEST)
}

fn chunk_size(n: usize) -> usize {
    (n / 1024).clamp(64, 4096)
}

fn global(shape: &LoopShape<'_>) -> Scheme {
    Scheme::colours(chunk_size(shape.elements.len()))
}

/// The largest blocks that pass rules 1 to 3.
fn attempt(shape: &LoopShape<'_>, conflicts: &Conflicts<'_>, hardware: Hardware) -> Option<(Scheme, Schedule)> {
    let n = shape.elements.len();
    let mut size = large_blocks(n, hardware);
    if n.div_ceil(size) < FEW_BLOCKS {
        return Some((Scheme::blocks(size), blocks::coloured(shape, conflicts, size)));
    }
    while size >= SMALLEST {
        let per_colour = hardware.blocks_per_colour(size / STEP < SMALLEST);
        let limit = (n.div_ceil(size) / per_colour).min(MOST_COLOURS);
        if let Some(schedule) = blocks::coloured_within(shape, conflicts, size, limit as u32) {
            return Some((Scheme::blocks(size), schedule));
        }
        size /= STEP;
    }
    None
}
