//! Plans under their full key.

use crate::plan::key::{Asked, Inputs, PlanKey, Wanted};
use crate::plan::{self, Hardware, Plan, PlanError, Violation};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The rest that plans depend on, which an `Op2` never changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// The machine that plans are predicted for.
    pub(crate) hardware: Hardware,
    /// Whether every new plan is checked by the independent verifier.
    pub(crate) verify: bool,
    /// Bytes behind maps from which on rows that come late are asked for ahead; none where that is never done.
    pub(crate) ahead_from: Option<usize>,
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
#[derive(Debug)]
pub(crate) struct PlanCache {
    settings: Settings,
    /// By the digest of their keys.
    known: FxHashMap<u64, Found>,
}

/// The inspected loops under keys of one digest.
type Found = SmallVec<[(PlanKey, Arc<Inspected>); 1]>;

impl PlanCache {
    /// Nothing is known yet.
    pub(crate) fn new(settings: Settings) -> Self {
        PlanCache { settings, known: FxHashMap::default() }
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// The inspected loop of a call that was made before.
    pub(crate) fn get(&self, asked: Asked<'_>) -> Option<Arc<Inspected>> {
        let found = self.known.get(&asked.digest())?;
        found.iter().find(|(key, _)| key.is_of(asked)).map(|(_, inspected)| inspected.clone())
    }

    pub(crate) fn insert(&mut self, key: PlanKey, inspected: Inspected) -> Arc<Inspected> {
        let inspected = Arc::new(inspected);
        // Plans for older versions can never be asked for again.
        self.known.retain(|_, found| {
            found.retain(|(old, _)| !key.outdates(old));
            !found.is_empty()
        });
        self.share(key, &inspected);
        inspected
    }

    /// Puts what was inspected under a second key.
    pub(crate) fn share(&mut self, key: PlanKey, inspected: &Arc<Inspected>) {
        self.remove(&key);
        self.known.entry(key.digest()).or_default().push((key, inspected.clone()));
    }

    /// Drops a plan.
    pub(crate) fn remove(&mut self, key: &PlanKey) {
        if let Some(found) = self.known.get_mut(&key.digest()) {
            found.retain(|(known, _)| known != key);
        }
    }

    /// Drops all plans, which nobody is going to ask for any more.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }
}

impl Settings {
    /// Checks and plans a loop. It sees nothing but what is in the key, and settings that stay.
    pub(crate) fn inspect(self, inputs: Inputs<'_>) -> Result<Inspected, PlanError> {
        let shape = inputs.shape();
        let (plan, note) = match inputs.wanted() {
            Wanted::Nothing | Wanted::Device(_) => (None, None),
            Wanted::Predicted => (Some(Plan::predicted(&shape, self.hardware)?), None),
            Wanted::Pinned(scheme) => {
                let (scheme, note) = plan::fit(&shape, scheme, inputs.reduces());
                (Some(Plan::build(&shape, scheme)?), note)
            }
        };
        let traffic = match &plan {
            Some(plan) => plan.traffic(),
            None => plan::check(&shape)?,
        };
        let order = plan.as_ref().and_then(Plan::order);
        let ahead = self.ahead_from.is_some_and(|bytes| plan::rows_come_late(&shape, order, bytes));
        Ok(Inspected { plan: plan.map(Arc::new), note, useful_bytes: traffic.useful_bytes(), ahead })
    }

    /// Has a new plan checked, if plans are to be.
    pub(crate) fn verify(self, inputs: Inputs<'_>, plan: Option<&Plan>) -> Result<(), Violation> {
        let plan = plan.filter(|_| self.verify);
        plan.map_or(Ok(()), |plan| plan.verify(&inputs.shape()))
    }
}
