//! Plans under their full key.

use crate::inspect::LoopShape;
use crate::plan::in_lanes::InLanes;
use crate::plan::key::{Asked, Inputs, PlanKey, Wanted};
use crate::plan::{self, Hardware, Late, Lines, Plan, PlanError, Traffic, Violation, own_order};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Settings that plans depend on and an `Op2` never changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// The kind of machine that plans are predicted for.
    pub(crate) hardware: Hardware,
    /// Whether every new plan is checked by the independent verifier.
    pub(crate) verify: bool,
    /// Bytes of dats from which on rows that arrive late are prefetched; `None` for never.
    pub(crate) ahead_from: Option<usize>,
}

/// The result of inspecting a loop.
#[derive(Debug, Clone)]
pub(crate) struct Inspected {
    pub(crate) plan: Option<Arc<Plan>>,
    /// The reason if the plan has another scheme than requested.
    pub(crate) note: Option<&'static str>,
    pub(crate) traffic: Traffic,
    /// Elements of the loop.
    elements: usize,
    /// The rows to prefetch.
    pub(crate) ahead: Late,
    /// Whether the loop is faster in lanes.
    pub(crate) in_lanes: InLanes,
    pub(crate) lines: Lines,
}

impl Inspected {
    /// Bytes that the loop moves at least; on a mesh that changes, an estimate.
    pub(crate) fn useful_bytes(&self) -> u64 {
        self.traffic.useful_bytes()
    }
}

/// All inspected loops.
#[derive(Debug)]
pub(crate) struct PlanCache {
    settings: Settings,
    /// By the digests of their keys.
    known: FxHashMap<u64, Found>,
}

/// The inspected loops whose keys have one digest.
type Found = SmallVec<[(PlanKey, Arc<Inspected>); 1]>;

impl PlanCache {
    /// An empty cache.
    pub(crate) fn new(settings: Settings) -> Self {
        PlanCache { settings, known: FxHashMap::default() }
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// The inspected loop of an earlier call with the same key.
    pub(crate) fn get(&self, asked: Asked<'_>) -> Option<Arc<Inspected>> {
        let found = self.known.get(&asked.digest())?;
        found.iter().find(|(key, _)| key.is_of(asked)).map(|(_, inspected)| inspected.clone())
    }

    /// The findings of the same loop before objects of it changed, with their key.
    pub(crate) fn before(&self, asked: Asked<'_>) -> Option<&(PlanKey, Arc<Inspected>)> {
        self.known.get(&asked.digest())?.iter().find(|(key, _)| key.is_of_version(asked))
    }

    pub(crate) fn insert(&mut self, key: PlanKey, inspected: Inspected) -> Arc<Inspected> {
        let inspected = Arc::new(inspected);
        // Plans for older versions can never be used again. All else that was found stays, for the next plan of the same loop.
        let planned = self.known.values_mut().flatten().filter(|(_, found)| found.plan.is_some());
        for (_, found) in planned.filter(|(old, _)| key.outdates(old)) {
            *found = Arc::new(Inspected { plan: None, ..Inspected::clone(found) });
        }
        self.share(key, &inspected);
        inspected
    }

    /// Stores an inspected loop under a second key.
    pub(crate) fn share(&mut self, key: PlanKey, inspected: &Arc<Inspected>) {
        let found = self.known.entry(key.digest()).or_default();
        found.retain(|(known, _)| *known != key && !key.outdates(known));
        found.push((key, inspected.clone()));
    }

    /// Drops a plan.
    pub(crate) fn remove(&mut self, key: &PlanKey) {
        if let Some(found) = self.known.get_mut(&key.digest()) {
            found.retain(|(known, _)| known != key);
        }
    }

    /// How many findings it has.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.known.values().map(SmallVec::len).sum()
    }

    /// Drops all plans.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }
}

impl Settings {
    /// The same for a loop of a mesh that changes as the program runs, if there is nothing to inspect. So such a loop starts at once,
    /// however often its maps change: it moves as many bytes for each element as `before`, and at first as many as samples tell.
    pub(crate) fn anew(
        self,
        inputs: Inputs<'_>,
        before: Option<&(PlanKey, Arc<Inspected>)>,
    ) -> Option<Result<Inspected, PlanError>> {
        let shape = inputs.shape();
        shape.is_free().then(|| self.at_once(inputs, &shape, before.filter(|(_, before)| before.elements > 0)))
    }

    fn at_once(
        self,
        inputs: Inputs<'_>,
        shape: &LoopShape<'_>,
        before: Option<&(PlanKey, Arc<Inspected>)>,
    ) -> Result<Inspected, PlanError> {
        let elements = shape.elements.len();
        let traffic = match before {
            Some((_, before)) => before.traffic.scaled(elements, before.elements),
            None => Traffic::sampled(shape)?,
        };
        let planned = |scheme| Plan::at_once(shape, scheme, self.hardware, traffic).map(Some);
        let (plan, note) = match inputs.wanted() {
            Wanted::Nothing | Wanted::Device(_) => (None, None),
            Wanted::Predicted => (planned(None)?, None),
            Wanted::Pinned(scheme) => {
                let (scheme, note) = plan::fit(shape, scheme, inputs.reduces());
                (planned(Some(scheme))?, note)
            }
        };
        let ahead = match before {
            Some((key, before)) if inputs.has_sets_of(key) => before.ahead,
            _ => self.ahead(shape, own_order(shape)),
        };
        let plan = plan.map(Arc::new);
        Ok(Inspected { plan, note, traffic, elements, ahead, in_lanes: InLanes::of(inputs), lines: Lines::of(inputs) })
    }

    /// Checks and plans a loop, from nothing but the key and these settings.
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
        let ahead = self.ahead(&shape, plan.as_ref().and_then(Plan::order));
        Ok(Inspected {
            plan: plan.map(Arc::new),
            note,
            traffic,
            elements: shape.elements.len(),
            ahead,
            in_lanes: InLanes::of(inputs),
            lines: Lines::of(inputs),
        })
    }

    /// The rows to prefetch in a loop whose elements run in this order.
    fn ahead(self, shape: &LoopShape<'_>, order: Option<&[u32]>) -> Late {
        self.ahead_from.map_or_else(Late::default, |bytes| Late::of(shape, order, bytes))
    }

    /// Verifies a new plan, if plans are verified.
    pub(crate) fn verify(self, inputs: Inputs<'_>, plan: Option<&Plan>) -> Result<(), Violation> {
        let plan = plan.filter(|_| self.verify);
        plan.map_or(Ok(()), |plan| plan.verify(&inputs.shape()))
    }
}
