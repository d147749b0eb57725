//! A loop of a chain that was called and has not run.

use crate::call::Call;
use crate::call::host::Scheduled;
use crate::data::layout::Layout;
use crate::desc::LoopDesc;
use crate::exec::body::{Body, Course, Results};
use crate::mesh::bindings::Bindings;
use crate::mesh::handle::Iterates;
use crate::plan::Plan;
use crate::report::passes::Passed;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A loop that waits.
pub(super) struct Member {
    pub(super) body: Box<dyn Deferred>,
    pub(super) scheduled: Scheduled,
    pub(super) bound: Bindings,
    pub(super) iterates: Iterates,
    pub(super) elements: usize,
    /// The index of its statistics.
    pub(super) stats: usize,
    pub(super) desc: &'static LoopDesc,
    pub(super) nanoseconds: u64,
    all_aos: bool,
    /// Bytes that it finds in the cache when it runs after those before it.
    pub(super) saved_bytes: u64,
}

impl Member {
    /// Takes a call that was checked and planned.
    pub(super) fn new<S, B: Body + 'static>(call: &mut Call<'_, S>, body: B, scheduled: Scheduled) -> Self {
        let dats = &call.context.mesh.dats;
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

    /// Its row in the statistics of a pass.
    pub(super) fn passed(&self) -> Passed {
        Passed { stats: self.stats, useful_bytes: self.useful_bytes(), saved_bytes: self.saved_bytes }
    }

    pub(super) fn course<'a>(&'a self, list: Option<&'a [u32]>) -> Course<'a> {
        let Scheduled { form, isa, streams, ref ahead, .. } = self.scheduled;
        Course { all_aos: self.all_aos, list, form, isa, streams, ahead: ahead.as_ref() }
    }
}

/// The body of a loop that waits, with the partial results of its blocks.
pub(super) trait Deferred: Sync {
    /// Makes room for so many blocks.
    fn begin(&mut self, blocks: usize);
    /// Runs the next positions of a block.
    fn run(&self, block: usize, positions: Range<usize>, course: Course<'_>);
    /// Joins the partial results in the order of blocks, and hands them to the globals.
    fn end(&mut self, results: &mut Results<'_>);
}

struct Held<B: Body> {
    body: B,
    /// The partial result of each block so far. A block runs on one thread, so nobody waits for a lock.
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
