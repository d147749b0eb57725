//! The plan of a call: its key, its inputs, its place in the cache.

use super::context::{Context, StatsKey};
use super::executor::Executor;
use super::state::CallState;
use crate::decide::How;
use crate::error::{Fault, Result};
use crate::inspect::Elements;
use crate::mesh::bindings::Over;
use crate::mesh::handle::Iterates;
use crate::plan::Plan;
use crate::plan::cache::Inspected;
use crate::plan::key::{Asked, Inputs, PlanKey, Wanted, elements};
use crate::report::{LoopStats, log};
use crate::strategy::Strategy;
use std::sync::Arc;
use std::time::Instant;

impl CallState<'_> {
    /// The plan that the threads executor uses for this loop.
    pub(super) fn plan(&mut self) -> Result<Arc<Plan>> {
        self.check()?;
        self.all_entries_arrive()?;
        let wanted = match self.context.executor {
            Executor::Threads(_) => self.decide()?.wanted,
            Executor::Seq | Executor::Device(_) => Wanted::of(self.context.pin_of(self.desc.kernel).strategy),
        };
        let inspected = self.inspected(wanted)?;
        Ok(inspected.plan.clone().expect("a wanted plan is built"))
    }

    /// The plan from the cache, or a new one.
    pub(super) fn inspected(&mut self, wanted: Wanted) -> Result<Arc<Inspected>> {
        if let Some(known) = self.known(wanted) {
            return Ok(known);
        }
        let key = self.key(wanted);
        let settings = self.context.plans.settings();
        let start = Instant::now();
        let inputs = self.inputs(&key);
        let before = || self.context.plans.before(self.asked(wanted));
        let anew = self.context.mesh.moves.then(|| settings.anew(inputs, before())).flatten();
        let inspected = anew.unwrap_or_else(|| settings.inspect(inputs)).map_err(|e| self.names().plan_error(e))?;
        let seconds = start.elapsed().as_secs_f64();
        let wrong = |violation| self.error(None, Fault::Plan(violation));
        settings.verify(self.inputs(&key), inspected.plan.as_deref()).map_err(wrong)?;
        self.stats().inspected(seconds, inspected.plan.as_deref(), inspected.note);
        if let Some(plan) = &inspected.plan {
            log::planned(self.stats(), plan, seconds);
            // Elsewhere it is a plan to look at, from `op_plan!`.
            if let Executor::Threads(_) = self.context.executor {
                self.tell_strategy();
            }
        }
        Ok(self.context.plans.insert(key, inspected))
    }

    /// The key of this call's plan and of what is prepared with it.
    pub(super) fn key(&self, wanted: Wanted) -> PlanKey {
        PlanKey::new(self.asked(wanted))
    }

    /// The plan that was made for this call before.
    pub(super) fn known(&self, wanted: Wanted) -> Option<Arc<Inspected>> {
        self.context.plans.get(self.asked(wanted))
    }

    fn asked(&self, wanted: Wanted) -> Asked<'_> {
        Asked::new(&self.context.mesh, self.over(), &self.bound, wanted, || self.desc.reduces())
    }

    /// The inputs from which a plan under this key is made.
    pub(super) fn inputs<'k>(&'k self, key: &'k PlanKey) -> Inputs<'k> {
        Inputs::new(key, &self.context.mesh)
    }

    /// A rough estimate of the time on one core: 10 GB/s, and one operation per nanosecond.
    pub(super) fn nanoseconds(&self, inspected: &Inspected) -> u64 {
        inspected.useful_bytes() / 10 + self.flops()
    }

    /// Operations of the loop.
    pub(super) fn flops(&self) -> u64 {
        // How many pairs there are turns out as the loop runs.
        if self.over().pairs.is_some() { 0 } else { self.elements().len() as u64 * u64::from(self.desc.flops) }
    }

    pub(super) fn elements(&self) -> Elements<'_> {
        elements(&self.context.mesh, self.over())
    }

    pub(super) fn over(&self) -> Over {
        let (subset, pairs) = match self.iterates {
            Iterates::Set(_) => (None, None),
            Iterates::Subset(id) => (Some(id.index as usize), None),
            Iterates::Pairs(id, outside) => (None, Some((id.index as usize, outside))),
        };
        Over { set: self.set, subset, pairs }
    }

    pub(super) fn subset(&self) -> Option<&[u32]> {
        self.over().subset.map(|subset| &self.context.mesh.subsets[subset].list[..])
    }

    /// The statistics of this loop.
    pub(super) fn stats(&mut self) -> &mut LoopStats {
        let index = self.stats_index();
        &mut self.context.stats[index]
    }

    /// Tells the log which strategy the loop follows by its new plan. Where strategies are measured, the choice is told instead.
    pub(super) fn tell_strategy(&mut self) {
        let strategy = self.context.pin_of(self.desc.kernel).strategy;
        if strategy != Strategy::Auto {
            log::followed(self.stats(), How::stated(strategy));
        }
    }

    /// The index of this loop's statistics over its set or subset. Only a call without faults has them.
    pub(super) fn stats_index(&mut self) -> usize {
        let (desc, over) = (self.desc, self.over());
        let Context { mesh, stats, stats_of, .. } = self.context;
        *stats_of.entry(StatsKey::new(desc, over)).or_insert_with(|| {
            let set = match over {
                Over { pairs: Some((pairs, _)), .. } => &mesh.pairs[pairs].name,
                Over { subset: Some(subset), .. } => &mesh.subsets[subset].name,
                Over { set, .. } => &mesh.sets[set].name,
            };
            stats.push(LoopStats::new(desc.kernel, format!("{}:{}", desc.file, desc.line), set));
            stats.len() - 1
        })
    }
}
