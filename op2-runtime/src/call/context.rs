//! The state of one computation between calls of its loops.

use super::executor::Executor;
use crate::decide::{Chooser, Rules};
use crate::lanes::Isa;
use crate::mesh::Mesh;
use crate::plan::cache::PlanCache;
use crate::report::LoopStats;
use crate::report::passes::Chains;
use crate::strategy::Strategy;
use rustc_hash::FxHashMap;

/// The mesh, the executor, and everything kept between calls of loops. An [`Op2`](crate::Op2) adds the settings for
/// declarations.
pub(crate) struct Context {
    pub(crate) mesh: Mesh,
    pub(crate) executor: Executor,
    pub(crate) plans: PlanCache,
    /// Memory for copies of targets, shared by all loops because they run one after the other.
    pub(crate) scratch: Vec<Vec<u64>>,
    pub(crate) stats: Vec<LoopStats>,
    /// Where a loop's statistics stand, by the address of its static description.
    pub(crate) stats_of: FxHashMap<usize, usize>,
    pub(crate) chains: Chains,
    pub(crate) short_loops: u64,
    /// The instructions that loops run by where they can.
    pub(crate) isa: Isa,
    pub(crate) rules: Rules,
    pub(crate) chooser: Chooser,
}

impl Context {
    /// The strategy that loops with this kernel follow.
    pub(crate) fn strategy_of(&self, kernel: &str) -> Strategy {
        self.rules.of(kernel)
    }

    /// Adds the seconds of launches to the statistics of their loops, if the device holds many timings.
    pub(super) fn ask_for_seconds(&mut self) -> op2_device::Result<()> {
        let Context { executor: Executor::Device(state), stats, .. } = self else { return Ok(()) };
        if !state.has_many_timings() {
            return Ok(());
        }
        for seconds in state.seconds() {
            let (account, seconds) = seconds?;
            stats[account].add_seconds(seconds);
        }
        state.forget_timings();
        Ok(())
    }
}
