//! Loops that wait for each other, and how they run in one pass: block by block, and inside of a block strip by strip through all
//! loops.
//!
//! Bodies take the partial result of their reductions and continue it, so that a block in strips leaves the bits of the block at
//! once. Every new kind of body must do so, too.

use super::member::Member;
use super::rules;
use crate::call::context::Context;
use crate::call::executor::Executor;
use crate::call::run::{Decided, Execution, execute};
use crate::call::state::CallState;
use crate::error::Result;
use crate::exec;
use crate::exec::body::Results;
use crate::mesh::handle::Iterates;
use crate::plan::Plan;
use crate::report::passes::{Obstacle, Passed};
use std::ops::Range;
use std::time::Instant;

/// Bytes that one strip of elements touches in all loops of a group, estimated without looking at maps: half of a small
/// second-level cache. Every strip interrupts the hardware prefetcher, so smaller strips, for the first-level cache,
/// are slower.
///
/// Measured on 2 cores of an AMD EPYC (Zen 4, 1 MiB of second-level cache), 2026-11-22, airfoil's chains over 720,000 cells, medians of 6 to
/// 12 rounds, time over that with 32 KiB: 190 KiB 0.83 to 0.88, 380 KiB 0.83 to 0.90, 760 KiB 0.83 to 0.93; 75 and 150 KiB between 0.99 and
/// 1.06, 10 and 20 KiB 1.05 to 1.21. On Zen 3 (512 KiB) 4 to 128 KiB made no difference.
const STRIP_BYTES: usize = 256 * 1024;
/// The length of strips is a multiple of this, so that vectorised loops have no remainders in the middle of a block.
const STRIP_UNIT: usize = 64;

/// Loops that were called and have not run.
#[derive(Default)]
pub(super) struct Group {
    members: Vec<Member>,
    /// The previous loop, if it ran alone, and the reason.
    before: Option<(usize, Obstacle)>,
}

impl Group {
    /// The obstacle to running a loop with those that wait, if there is one.
    pub(super) fn obstacle(&self, next: &Member) -> Option<Obstacle> {
        rules::obstacle(&self.members, next)
    }

    /// The obstacle to running a loop that reads this global with those that wait, if there is one.
    pub(super) fn reduces(&self, global: usize) -> Option<Obstacle> {
        let into = |m: &Member| m.bound.globals.iter().any(|&(_, g, access)| g == global && access.modifies());
        self.members.iter().any(into).then_some(Obstacle::Global { global })
    }

    /// Lets a loop wait with those before it, all of which it can run with.
    pub(super) fn join(&mut self, context: &mut Context, mut member: Member) {
        if let Some((before, obstacle)) = self.before.take() {
            context.chains.ended(before, member.stats, obstacle);
        }
        member.saved_bytes = rules::saved_bytes(&context.mesh, &self.members, &member);
        self.members.push(member);
    }

    /// Runs the waiting loops, because the loop of `next` cannot run with them.
    pub(super) fn end(&mut self, next: &mut CallState<'_>, obstacle: Obstacle) -> Result<()> {
        let after = next.stats_index();
        let last = self.members.last().map(|m| (m.stats, obstacle));
        if let Some((before, obstacle)) = last.or(self.before.take()) {
            next.context.chains.ended(before, after, obstacle);
        }
        self.run(next.context)
    }

    /// Notes that a loop ran alone.
    pub(super) fn passed_by(&mut self, stats: usize, obstacle: Obstacle) {
        self.before = Some((stats, obstacle));
    }

    /// Runs the loops that wait.
    pub(super) fn run(&mut self, context: &mut Context) -> Result<()> {
        match self.members.is_empty() {
            true => Ok(()),
            false => execute(InOnePass { group: self, context }),
        }
    }

    /// Elements of a strip; all elements if the loops share no data that could stay in the cache.
    fn strip(&self, context: &Context) -> usize {
        if self.members.len() == 1 {
            return usize::MAX;
        }
        let bytes = rules::bytes_per_element(&context.mesh, &self.members);
        (STRIP_BYTES / bytes.max(1)).next_multiple_of(STRIP_UNIT)
    }

    /// Divides the time of a pass among its loops, and records it.
    fn record(&self, context: &mut Context, seconds: f64) {
        let all: u64 = self.members.iter().map(Member::useful_bytes).sum();
        for member in &self.members {
            let share = match all {
                0 => 1.0 / self.members.len() as f64,
                all => member.useful_bytes() as f64 / all as f64,
            };
            member.scheduled.record(&mut context.stats[member.stats], member.desc, seconds * share);
            context.stats[member.stats].saved(member.saved_bytes);
        }
        if self.members.len() > 1 {
            let passed: Vec<Passed> = self.members.iter().map(Member::passed).collect();
            context.chains.ran(&passed, seconds);
        }
    }
}

/// The loops of a group, whose calls were checked, decided and planned one by one.
struct InOnePass<'g> {
    group: &'g mut Group,
    context: &'g mut Context,
}

/// How a group runs.
struct Pass {
    blocks: usize,
    /// Elements that go through all loops at a time.
    strip: usize,
    /// Whether the pass is long enough for several threads.
    long: bool,
}

impl Execution for InOnePass<'_> {
    /// The number of blocks, the same in all plans.
    type Plan = usize;
    type Prepared = Pass;
    /// Seconds.
    type Ran = f64;

    fn check(&mut self) -> Result<()> {
        Ok(())
    }

    fn decide(&mut self) -> Result<Decided> {
        Ok(Decided::before())
    }

    fn plan(&mut self, _: Decided) -> Result<usize> {
        let plan = self.group.members.first().and_then(Member::plan);
        Ok(match (&self.context.executor, plan) {
            (Executor::Threads(_), Some(plan)) => plan.blocks(),
            _ => 1,
        })
    }

    fn prepare(&mut self, _: Decided, blocks: usize) -> Result<Pass> {
        let Group { members, .. } = &mut *self.group;
        members.iter_mut().for_each(|m| m.work.begin(blocks));
        rules::keep_in_cache(members);
        let long = members.iter().map(|m| m.nanoseconds).sum::<u64>() >= self.context.short_loops;
        Ok(Pass { blocks, strip: self.group.strip(self.context), long })
    }

    fn run(&mut self, pass: Pass) -> Result<f64> {
        let start = Instant::now();
        let members = &self.group.members;
        let first = &members[0];
        let list = match first.iterates {
            Iterates::Set(_) | Iterates::Pairs(..) => None,
            Iterates::Subset(id) => Some(self.context.mesh.subsets[id.index as usize].list.as_slice()),
        };
        let pool = self.context.executor.pool().filter(|_| pass.long);
        exec::run_blocks(pool, pass.blocks, &|block, run| {
            let positions = first.plan().map_or(0..first.elements, |plan| plan.block(block));
            for strip in strips(positions, pass.strip) {
                for member in members {
                    let list = member.plan().map_or(list, Plan::order);
                    run(&*member.work, strip.clone(), member.course(list));
                }
            }
        });
        Ok(start.elapsed().as_secs_f64())
    }

    fn reduce(&mut self, _: &mut f64) {
        let mut results = Results::of(&mut self.context.mesh);
        self.group.members.iter_mut().for_each(|m| m.work.end(&mut results));
    }

    fn report(&mut self, _: Decided, seconds: f64) -> Result<()> {
        self.group.record(self.context, seconds);
        self.group.members.clear();
        Ok(())
    }
}

/// A range in pieces of `size`.
fn strips(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let Range { mut start, end } = range;
    std::iter::from_fn(move || {
        let next = start..end.min(start.saturating_add(size));
        start = next.end;
        (!next.is_empty()).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::strips;

    #[test]
    fn strips_are_the_range_in_order() {
        let of = |range, size| strips(range, size).collect::<Vec<_>>();
        assert_eq!(of(3..10, 3), [3..6, 6..9, 9..10]);
        assert_eq!(of(3..9, 3), [3..6, 6..9]);
        assert_eq!(of(3..9, usize::MAX), [const { 3..9 }]);
        assert_eq!(of(3..3, 4), []);
    }
}
