//! Runs the elements of a loop on the host, in the order of its plan.

pub(crate) mod body;
mod patches;
mod redirect;
mod shares;
pub(crate) mod stages;
pub(crate) mod triad;
pub(crate) mod work;

use crate::data::tasks;
use crate::exec::body::Course;
use crate::exec::work::Work;
use crate::plan::Plan;
pub(crate) use patches::{Tiles, run_patches};
pub(crate) use redirect::{Detour, run_redirected};
use shares::Shares;
use std::ops::Range;

/// The reference: all positions in order, on the calling thread.
pub(crate) fn run_seq(work: &mut dyn Work, positions: usize, course: Course<'_>) {
    work.begin(1);
    // SAFETY: nothing else runs.
    unsafe { work.run(0, 0..positions, course) };
}

/// Runs the colours of a plan in turn. The blocks of a colour run on the threads of `pool`, or one by one on the
/// calling thread.
pub(crate) fn run_plan(work: &mut dyn Work, pool: Option<&rayon_core::ThreadPool>, plan: &Plan, course: Course<'_>) {
    work.begin(plan.blocks());
    let work = &*work;
    // SAFETY: a block runs once.
    run_colours(pool, plan, &|block| unsafe { work.run(block as usize, plan.block(block as usize), course) });
}

/// Runs some positions of a block of a loop.
type RunPiece<'a> = &'a dyn Fn(&dyn Work, Range<usize>, Course<'_>);

/// Runs the blocks `0..blocks` of several loops, shared like the blocks of one colour. `pieces` says in which order the
/// pieces of a block run: it calls the function that it is given for each.
pub(crate) fn run_blocks(
    pool: Option<&rayon_core::ThreadPool>,
    blocks: usize,
    pieces: &(dyn Fn(usize, RunPiece<'_>) + Sync),
) {
    let run = |block: u32| {
        let block = block as usize;
        // SAFETY: `pieces` is called once for a block, and what it is given does not leave its thread.
        pieces(block, &|work, positions, course| unsafe { work.run(block, positions, course) });
    };
    let all: Vec<u32> = (0..blocks as u32).collect();
    run_list(pool, &all, &run);
}

/// Runs some blocks, in any order.
fn run_list(pool: Option<&rayon_core::ThreadPool>, blocks: &[u32], run: &(dyn Fn(u32) + Sync)) {
    match pool {
        Some(pool) => {
            let mut shares = Shares::new(pool.current_num_threads());
            tasks::install(pool, || shares.run(blocks, run));
        }
        None => blocks.iter().copied().for_each(run),
    }
}

/// Runs all blocks of a plan.
fn run_colours(pool: Option<&rayon_core::ThreadPool>, plan: &Plan, run: &(dyn Fn(u32) + Sync)) {
    let colours = (0..plan.colours()).map(|colour| plan.blocks_of(colour));
    match pool {
        Some(pool) => {
            let mut shares = Shares::new(pool.current_num_threads());
            tasks::install(pool, || colours.for_each(|blocks| shares.run(blocks, run)));
        }
        None => colours.flatten().copied().for_each(run),
    }
}
