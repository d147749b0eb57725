//! The state of one computation between calls of its loops.

use super::executor::Executor;
use crate::decide::{Chooser, Rules};
use crate::desc::LoopDesc;
use crate::isa::Isa;
use crate::mesh::Mesh;
use crate::mesh::bindings::Over;
use crate::mesh::handle::End;
use crate::mesh::pairs::Stamp;
use crate::plan::cache::PlanCache;
use crate::plan::{Division, Patches};
use crate::report::LoopStats;
use crate::report::passes::Chains;
use crate::strategy::Pin;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The mesh, the executor, and everything kept between calls of loops. An [`Op2`](crate::Op2) adds the settings for
/// declarations.
pub(crate) struct Context {
    pub(crate) mesh: Mesh,
    pub(crate) executor: Executor,
    pub(crate) plans: PlanCache,
    /// The patches of loops over pairs, by their pairs, what is outside, and whether what lies inside is copied.
    pub(crate) patches: FxHashMap<(usize, End, bool), KeptPatches>,
    /// Memory for copies of targets, shared by all loops because they run one after the other.
    pub(crate) scratch: Vec<Vec<u64>>,
    pub(crate) stats: Vec<LoopStats>,
    /// Where the statistics of a loop over a set or subset stand.
    pub(crate) stats_of: FxHashMap<StatsKey, usize>,
    pub(crate) chains: Chains,
    pub(crate) short_loops: u64,
    /// Devices that the threads play in loops over pairs that combine inside.
    pub(crate) patch_devices: usize,
    /// The instructions that all loops run by where they can; `None` if they are chosen for each.
    pub(crate) isa: Option<Isa>,
    /// The widest instructions that the processor has.
    pub(crate) widest: Isa,
    pub(crate) rules: Rules,
    pub(crate) chooser: Chooser,
}

/// Patches, and all that they depend on beside the pairs: the values of the rule's dats, and the division that was asked for.
pub(crate) struct KeptPatches {
    pub(crate) stamp: Stamp,
    pub(crate) division: Division,
    pub(crate) patches: Arc<Patches>,
}

/// A loop, by the address of its description, and the set or subset that it runs over. Every call looks its statistics up, so
/// that the key is two words, cheap to hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StatsKey {
    desc: usize,
    /// Sets have numbers that 3 divides, subsets those after them, pairs by their outer side those before them.
    over: usize,
}

impl StatsKey {
    pub(super) fn new(desc: &'static LoopDesc, over: Over) -> Self {
        let over = match over {
            Over { pairs: Some((pairs, outside)), .. } => 3 * (2 * pairs + outside as usize) + 2,
            Over { subset: Some(subset), .. } => 3 * subset + 1,
            Over { set, .. } => 3 * set,
        };
        StatsKey { desc: std::ptr::from_ref(desc).addr(), over }
    }
}

impl Context {
    /// The strategy that loops with this kernel follow, with their instructions if some are stated.
    pub(crate) fn pin_of(&self, kernel: &str) -> Pin {
        self.rules.of(kernel)
    }

    /// Adds seconds of launches to the statistics of their loops, if many of them are not known yet.
    pub(super) fn ask_for_seconds(&mut self) -> op2_device::Result<()> {
        let Context { executor: Executor::Device(state), stats, .. } = self else { return Ok(()) };
        state.take_seconds(|account, seconds| stats[account].sampled(seconds))
    }
}
