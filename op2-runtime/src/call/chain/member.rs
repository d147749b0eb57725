//! A loop of a chain that was called and has not run.

use crate::call::host::Scheduled;
use crate::call::state::CallState;
use crate::desc::LoopDesc;
use crate::exec::body::Course;
use crate::exec::work::Work;
use crate::mesh::bindings::Bindings;
use crate::mesh::handle::Iterates;
use crate::plan::Plan;
use crate::report::passes::Passed;

/// A loop that waits.
pub(super) struct Member {
    pub(super) work: Box<dyn Work>,
    pub(super) scheduled: Scheduled,
    pub(super) bound: Bindings,
    pub(super) iterates: Iterates,
    pub(super) elements: usize,
    /// The index of its statistics.
    pub(super) stats: usize,
    pub(super) desc: &'static LoopDesc,
    pub(super) nanoseconds: u64,
    /// Bytes that it finds in the cache when it runs after those before it.
    pub(super) saved_bytes: u64,
}

impl Member {
    /// Takes a call that was checked and planned.
    pub(super) fn new(call: &mut CallState<'_>, work: Box<dyn Work>, scheduled: Scheduled) -> Self {
        Member {
            work,
            nanoseconds: call.nanoseconds(&scheduled.inspected),
            elements: call.elements().len(),
            stats: call.stats_index(),
            iterates: call.iterates,
            bound: std::mem::take(&mut call.bound),
            desc: call.desc,
            scheduled,
            saved_bytes: 0,
        }
    }

    pub(super) fn plan(&self) -> Option<&Plan> {
        self.scheduled.inspected.plan.as_deref()
    }

    pub(super) fn useful_bytes(&self) -> u64 {
        self.scheduled.inspected.useful_bytes()
    }

    /// Its row in the statistics of a pass.
    pub(super) fn passed(&self) -> Passed {
        Passed { stats: self.stats, useful_bytes: self.useful_bytes(), saved_bytes: self.saved_bytes }
    }

    pub(super) fn course<'a>(&'a self, list: Option<&'a [u32]>) -> Course<'a> {
        let Scheduled { layout, form, instructions, streams, ref ahead, .. } = self.scheduled;
        Course { layout, list, form, isa: instructions.isa, streams, ahead: ahead.as_ref(), redirected: None }
    }
}
