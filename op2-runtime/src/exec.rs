//! Runs the elements of a loop on the host, in the order of its plan.

pub(crate) mod body;
mod redirect;
mod shares;
pub(crate) mod stages;
pub(crate) mod triad;

use crate::exec::body::{Body, Course};
use crate::plan::Plan;
pub(crate) use redirect::{Detour, run_redirected};
use shares::Shares;

/// The reference: all positions in order, on the calling thread.
pub(crate) fn run_seq<B: Body>(body: &B, positions: usize, course: Course<'_>) -> B::Part {
    body.run(0..positions, course, body.start())
}

/// Runs the colours of a plan in turn. The blocks of a colour run on the threads of `pool`, or one by one on the
/// calling thread.
///
/// Partial results are kept per block and absorbed in the order of the blocks, so they do not depend on the threads.
pub(crate) fn run_plan<B: Body>(
    body: &B,
    pool: Option<&rayon::ThreadPool>,
    plan: &Plan,
    course: Course<'_>,
) -> B::Part {
    run_plan_by(body, pool, plan, &|block| body.run(plan.block(block), course, body.start()))
}

/// Runs the blocks `0..blocks` on the threads of `pool`, shared like the blocks of one colour.
pub(crate) fn run_blocks(pool: &rayon::ThreadPool, blocks: usize, run: &(dyn Fn(usize) + Sync)) {
    let all: Vec<u32> = (0..blocks as u32).collect();
    let mut shares = Shares::new(pool.current_num_threads());
    pool.install(|| shares.run(&all, &|block| run(block as usize)));
}

/// Runs all blocks of a plan. It is not generic, so that rayon's code around the closures is compiled once and not for
/// every loop.
fn run_colours(pool: Option<&rayon::ThreadPool>, plan: &Plan, run: &(dyn Fn(u32) + Sync)) {
    let colours = (0..plan.colours()).map(|colour| plan.blocks_of(colour));
    match pool {
        Some(pool) => {
            let mut shares = Shares::new(pool.current_num_threads());
            pool.install(|| colours.for_each(|blocks| shares.run(blocks, run)));
        }
        None => colours.flatten().copied().for_each(run),
    }
}

/// [`run_plan`] with blocks run by `run_block`. A dynamic call per block costs nothing noticeable, and this function is
/// compiled once for all ways of running blocks.
fn run_plan_by<B: Body>(
    body: &B,
    pool: Option<&rayon::ThreadPool>,
    plan: &Plan,
    run_block: &(dyn Fn(usize) -> B::Part + Sync),
) -> B::Part {
    let mut parts: Vec<Option<B::Part>> = Vec::new();
    parts.resize_with(plan.blocks(), || None);
    let slots = Slots(parts.as_mut_ptr());
    let run = |block: u32| {
        let part = run_block(block as usize);
        // SAFETY: `parts` has one slot per block and outlives the loop; a block runs once, so
        // no other thread accesses its slot.
        unsafe { slots.put(block as usize, part) };
    };
    run_colours(pool, plan, &run);
    let mut parts = parts.into_iter().flatten();
    let mut total = parts.next().unwrap_or_else(|| body.start());
    parts.for_each(|part| body.absorb(&mut total, &part));
    total
}

/// A slot per block for its partial result, written by different threads.
struct Slots<R>(*mut Option<R>);

// SAFETY: each slot is written by one thread, see `run_plan_by`.
unsafe impl<R: Send> Sync for Slots<R> {}

impl<R> Slots<R> {
    /// # Safety
    /// `block` is a slot and no other thread accesses it.
    unsafe fn put(&self, block: usize, part: R) {
        // SAFETY: passed on to the caller.
        unsafe { *self.0.add(block) = Some(part) };
    }
}
