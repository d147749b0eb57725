//! Loops that wait for each other, and how they run in one pass.

use super::rules::{self, Apart};
use crate::bindings::Bindings;
use crate::body::{Body, Course, Results};
use crate::call::{Call, Scheduled};
use crate::desc::LoopDesc;
use crate::exec::{self, Executor};
use crate::handle::Iterates;
use crate::layout::Layout;
use crate::op::Op2;
use crate::plan::Plan;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Bytes that one strip of elements touches in all loops of a group, as far as one can say without looking at maps: half of a small
/// second-level cache. Every strip interrupts what the processor fetches by itself, so that a strip for the first-level cache is slower.
///
/// Measured on 2 cores of an AMD EPYC (Zen 4, 1 MiB of second-level cache), 2026-11-22, airfoil's chains over 720,000 cells, medians of 6 to
/// 12 rounds, time over that with 32 KiB: 190 KiB 0.83 to 0.88, 380 KiB 0.83 to 0.90, 760 KiB 0.83 to 0.93; 75 and 150 KiB between 0.99 and
/// 1.06, 10 and 20 KiB 1.05 to 1.21. On Zen 3 (512 KiB) 4 to 128 KiB made no difference.
const STRIP_BYTES: usize = 256 * 1024;
/// Strips are a multiple of this long, so that loops over packs of elements have no remainders in the middle of a block.
const STRIP_UNIT: usize = 64;

/// Loops that were called and have not run.
#[derive(Default)]
pub(super) struct Group {
    members: Vec<Member>,
    /// The loop that ran alone in front of the next one, and why it did.
    before: Option<(usize, Apart)>,
}

/// A loop that waits.
pub(super) struct Member {
    body: Box<dyn Deferred>,
    pub(super) scheduled: Scheduled,
    pub(super) bound: Bindings,
    pub(super) iterates: Iterates,
    pub(super) elements: usize,
    /// Where its account stands.
    pub(super) stats: usize,
    desc: &'static LoopDesc,
    nanoseconds: u64,
    all_aos: bool,
    /// Bytes that stay in the cache for it when it runs behind those before it.
    pub(super) saved_bytes: u64,
}

impl Member {
    /// Takes a call that was checked and planned.
    pub(super) fn new<S, B: Body + 'static>(call: &mut Call<'_, S>, body: B, scheduled: Scheduled) -> Self {
        let dats = &call.op.mesh.dats;
        let all_aos = call.bound.dats.iter().all(|d| dats[d.dat].layout() == Layout::Aos);
        Member {
            body: Box::new(Held { body, parts: Vec::new() }),
            nanoseconds: call.nanoseconds(&scheduled.inspected),
            elements: call.elements().len(),
            stats: call.stats_index(),
            iterates: call.iterates,
            bound: std::mem::take(&mut call.bound),
            desc: call.desc,
            scheduled,
            all_aos,
            saved_bytes: 0,
        }
    }

    pub(super) fn plan(&self) -> Option<&Plan> {
        self.scheduled.inspected.plan.as_deref()
    }

    pub(super) fn useful_bytes(&self) -> u64 {
        self.scheduled.inspected.useful_bytes
    }

    fn course<'a>(&'a self, list: Option<&'a [u32]>) -> Course<'a> {
        let Scheduled { form, isa, streams, ref ahead, .. } = self.scheduled;
        Course { all_aos: self.all_aos, list, form, isa, streams, ahead: ahead.as_ref() }
    }
}

impl Group {
    /// Why a loop cannot run with those that wait, if it cannot.
    pub(super) fn apart(&self, next: &Member) -> Option<Apart> {
        rules::apart(&self.members, next)
    }

    /// Why a loop that reads this global cannot run with those that wait, if it cannot.
    pub(super) fn reduces(&self, global: usize) -> Option<Apart> {
        let into = |m: &Member| m.bound.globals.iter().any(|&(_, g, access)| g == global && access.modifies());
        self.members.iter().any(into).then_some(Apart::Global { global })
    }

    /// Lets a loop wait with those before it, all of which it can run with.
    pub(super) fn join(&mut self, op: &mut Op2, mut member: Member) {
        if let Some((before, apart)) = self.before.take() {
            op.chains.ended(before, member.stats, apart);
        }
        member.saved_bytes = rules::saved_bytes(&op.mesh, &self.members, &member);
        self.members.push(member);
    }

    /// Runs the loops that wait because loop `next` does not run with them.
    pub(super) fn end(&mut self, op: &mut Op2, next: usize, apart: Apart) {
        let last = self.members.last().map(|m| (m.stats, apart));
        if let Some((before, apart)) = last.or(self.before.take()) {
            op.chains.ended(before, next, apart);
        }
        self.run(op);
    }

    /// Notes that a loop ran alone.
    pub(super) fn passed_by(&mut self, stats: usize, apart: Apart) {
        self.before = Some((stats, apart));
    }

    /// Runs the loops that wait.
    pub(super) fn run(&mut self, op: &mut Op2) {
        let Some(first) = self.members.first() else { return };
        let (iterates, elements) = (first.iterates, first.elements);
        let start = Instant::now();
        let long = self.members.iter().map(|m| m.nanoseconds).sum::<u64>() >= op.short_loops;
        let pool = op.executor.pool().filter(|_| long);
        let blocks = match (&op.executor, first.plan()) {
            (Executor::Threads(_), Some(plan)) => plan.blocks(),
            _ => 1,
        };
        self.members.iter_mut().for_each(|m| m.body.begin(blocks));
        rules::keep_in_cache(&mut self.members);
        let strip = self.strip(op);
        let list = match iterates {
            Iterates::Set(_) => None,
            Iterates::Subset(id) => Some(op.mesh.subsets[id.index as usize].list.as_slice()),
        };
        let run = |block: usize| {
            let plan = self.members[0].plan();
            let positions = plan.map_or(0..elements, |plan| plan.block(block));
            for strip in strips(positions, strip) {
                for member in &self.members {
                    let list = member.plan().map_or(list, Plan::order);
                    member.body.run(block, strip.clone(), member.course(list));
                }
            }
        };
        match pool {
            Some(pool) => exec::run_blocks(pool, blocks, &run),
            None => (0..blocks).for_each(run),
        }
        self.record(op, start.elapsed().as_secs_f64());
        let mut results = Results::of(&mut op.mesh);
        self.members.drain(..).for_each(|mut m| m.body.end(&mut results));
    }

    /// Elements of a strip; all of them where there is nothing to find in the cache.
    fn strip(&self, op: &Op2) -> usize {
        if self.members.len() == 1 {
            return usize::MAX;
        }
        let bytes = rules::bytes_per_element(&op.mesh, &self.members);
        (STRIP_BYTES / bytes.max(1)).next_multiple_of(STRIP_UNIT)
    }

    /// Shares the time of a pass out among its loops, and writes it down.
    fn record(&self, op: &mut Op2, seconds: f64) {
        let all: u64 = self.members.iter().map(Member::useful_bytes).sum();
        for member in &self.members {
            let share = match all {
                0 => 1.0 / self.members.len() as f64,
                all => member.useful_bytes() as f64 / all as f64,
            };
            member.scheduled.record(&mut op.stats[member.stats], member.desc, seconds * share);
            op.stats[member.stats].saved(member.saved_bytes);
        }
        if self.members.len() > 1 {
            op.chains.ran(&self.members, seconds);
        }
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

/// The body of a loop that waits, with the partial results of its blocks.
trait Deferred: Sync {
    /// Makes room for so many blocks.
    fn begin(&mut self, blocks: usize);
    /// Runs the next positions of a block.
    fn run(&self, block: usize, positions: Range<usize>, course: Course<'_>);
    /// Joins the partial results in the order of blocks, and hands them to the globals.
    fn end(&mut self, results: &mut Results<'_>);
}

struct Held<B: Body> {
    body: B,
    /// What the positions of a block have left so far. A block runs on one thread, so that nobody waits for a lock.
    parts: Vec<Mutex<Option<B::Part>>>,
}

impl<B: Body> Deferred for Held<B> {
    fn begin(&mut self, blocks: usize) {
        self.parts.resize_with(blocks, Mutex::default);
    }

    fn run(&self, block: usize, positions: Range<usize>, course: Course<'_>) {
        let mut slot = self.parts[block].lock().unwrap_or_else(PoisonError::into_inner);
        let part = slot.take().unwrap_or_else(|| self.body.start());
        *slot = Some(self.body.run(positions, course, part));
    }

    fn end(&mut self, results: &mut Results<'_>) {
        let part = |slot: Mutex<Option<B::Part>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut parts = self.parts.drain(..).filter_map(part);
        let mut total = parts.next().unwrap_or_else(|| self.body.start());
        parts.for_each(|part| self.body.absorb(&mut total, &part));
        self.body.finish(results, &total);
    }
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
