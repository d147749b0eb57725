//! Plans under their full key.

use crate::access::Access;
use crate::handle::Iterates;
use crate::layout::Layout;
use crate::plan::{Plan, Scheme};
use crate::strategy::Strategy;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Everything that a plan depends on. Arguments that are switched off are not in the list, so that
/// a loop has a plan of its own for every combination of its flags.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PlanKey {
    pub(crate) iterates: Iterates,
    pub(crate) args: SmallVec<[KeyArg; 12]>,
    /// The scheme that was pinned; none means predicted. The sequential executor has no scheme.
    pub(crate) scheme: Wanted,
    /// Whether the loop reduces into globals, where that decides whether it can follow the scheme.
    pub(crate) reduces: bool,
}

/// What the executor wants from the inspector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// Checks and traffic only.
    Nothing,
    /// A plan of the predicted scheme.
    Predicted,
    /// A plan of this scheme.
    Pinned(Scheme),
    /// Launches by this strategy; devices keep them themselves.
    Device(Strategy),
}

impl Wanted {
    /// What a strategy asks for on the host.
    pub(crate) fn of(strategy: Strategy) -> Self {
        strategy.scheme().map_or(Wanted::Predicted, Wanted::Pinned)
    }
}

/// One dat argument in a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct KeyArg {
    /// Position in the loop.
    pub(crate) arg: u16,
    pub(crate) dat: u32,
    pub(crate) access: Access,
    pub(crate) layout: Layout,
    /// Map, its version, and the used entries.
    pub(crate) through: Option<(u32, u32, u32, u32)>,
}

/// What the inspector made of a loop.
#[derive(Debug)]
pub(crate) struct Inspected {
    pub(crate) plan: Option<Arc<Plan>>,
    /// Why the plan is of another scheme than was asked for, where it is.
    pub(crate) note: Option<&'static str>,
    pub(crate) useful_bytes: u64,
    /// Whether rows behind maps are to be fetched ahead.
    pub(crate) ahead: bool,
}

/// All that was inspected so far.
#[derive(Debug, Default)]
pub(crate) struct PlanCache {
    known: FxHashMap<PlanKey, Arc<Inspected>>,
}

impl PlanCache {
    pub(crate) fn get(&self, key: &PlanKey) -> Option<Arc<Inspected>> {
        self.known.get(key).cloned()
    }

    pub(crate) fn insert(&mut self, key: PlanKey, inspected: Inspected) -> Arc<Inspected> {
        let inspected = Arc::new(inspected);
        // Plans for older versions of a map can never be asked for again.
        let newest = |old: &PlanKey| !key.outdates(old);
        self.known.retain(|old, _| newest(old));
        self.known.insert(key, inspected.clone());
        inspected
    }

    /// Puts what was inspected under a second key.
    pub(crate) fn share(&mut self, key: PlanKey, inspected: &Arc<Inspected>) {
        self.known.insert(key, inspected.clone());
    }

    /// Drops a plan.
    pub(crate) fn remove(&mut self, key: &PlanKey) {
        self.known.remove(key);
    }
}

impl PlanKey {
    /// Whether `old` goes through an older version of one of this key's maps.
    pub(crate) fn outdates(&self, old: &PlanKey) -> bool {
        let mine = || self.args.iter().filter_map(|a| a.through);
        let theirs = || old.args.iter().filter_map(|a| a.through);
        mine().any(|(map, version, ..)| theirs().any(|(m, v, ..)| m == map && v < version))
    }
}
