//! A loop on the host.

use super::instructions::Instructions;
use super::run::{Attempt, Decided, Execution};
use super::state::CallState;
use crate::call::context::Context;
use crate::call::executor::Executor;
use crate::data::layout::Layout;
use crate::data::room;
use crate::desc::LoopDesc;
use crate::error::Result;
use crate::exec::body::{Course, Results};
use crate::exec::stages::Form;
use crate::exec::work::Work;
use crate::exec::{self, Detour};
use crate::isa::Isa;
use crate::lanes::Ahead;
use crate::mesh::handle::Iterates;
use crate::plan::Plan;
use crate::plan::cache::Inspected;
use crate::report::LoopStats;
use crate::strategy::{Scheme, Strategy};
use std::sync::Arc;
use std::time::Instant;

/// A call that was checked, with the plan that it follows on the host.
pub(crate) struct Scheduled {
    pub(crate) inspected: Arc<Inspected>,
    /// The trial of a strategy that this execution is, if it is one.
    pub(crate) attempt: Option<Attempt>,
    pub(crate) form: Option<Form>,
    /// Stages that the strategy asks for.
    asked: usize,
    /// The layout of all dats; `None` if they differ.
    pub(crate) layout: Option<Layout>,
    pub(crate) instructions: Instructions,
    /// Operations of all elements.
    flops: u64,
    /// The arguments, as a bit set, that are written by non-temporal stores.
    pub(crate) streams: u64,
    /// The rows to prefetch, if any.
    pub(crate) ahead: Option<Ahead>,
}

/// A loop that runs on the host.
pub(super) struct OnHost<'c, 'a> {
    pub(super) call: &'c mut CallState<'a>,
    pub(super) work: &'c mut dyn Work,
}

/// A loop that ran on the host.
pub(super) struct RanOnHost {
    scheduled: Scheduled,
    start: Instant,
}

impl Execution for OnHost<'_, '_> {
    type Plan = Arc<Inspected>;
    type Prepared = Scheduled;
    type Ran = RanOnHost;

    #[inline(always)]
    fn check(&mut self) -> Result<()> {
        self.call.check()
    }

    #[inline(always)]
    fn decide(&mut self) -> Result<Decided> {
        self.call.decide()
    }

    #[inline(always)]
    fn plan(&mut self, decided: Decided) -> Result<Arc<Inspected>> {
        self.call.inspected(decided.wanted)
    }

    #[inline(always)]
    fn prepare(&mut self, decided: Decided, inspected: Arc<Inspected>) -> Result<Scheduled> {
        if let Some(plan) = &inspected.plan {
            has_room_for_parts(self.work, plan, self.call.desc.kernel)?;
        }
        Ok(self.call.scheduled(decided, inspected))
    }

    #[inline(always)]
    fn run(&mut self, scheduled: Scheduled) -> Result<RanOnHost> {
        let start = Instant::now();
        self.call.run_elements(self.work, &scheduled)?;
        Ok(RanOnHost { scheduled, start })
    }

    #[inline(always)]
    fn changed(&mut self, _complete: bool) {
        self.call.maps_changed();
    }

    #[inline(always)]
    fn reduce(&mut self, _: &mut RanOnHost) {
        self.work.end(&mut Results::of(&mut self.call.context.mesh));
    }

    #[inline(always)]
    fn report(&mut self, decided: Decided, ran: RanOnHost) -> Result<()> {
        let (desc, seconds) = (self.call.desc, ran.start.elapsed().as_secs_f64());
        ran.scheduled.record(self.call.stats(), desc, seconds);
        match decided.attempt {
            Some(attempt) => self.call.tried(attempt, seconds),
            None => Ok(()),
        }
    }
}

/// Whether there is memory for a partial result of each block.
fn has_room_for_parts(work: &dyn Work, plan: &Plan, kernel: &str) -> Result<()> {
    /// Smaller sizes are not checked, to keep calls short.
    const MUCH: u128 = 1 << 28;
    let bytes = plan.blocks() as u128 * work.bytes_per_block() as u128;
    if bytes < MUCH || room::has(bytes) {
        return Ok(());
    }
    Err(room::missing(format!("what the blocks of loop `{kernel}` reduce"), bytes))
}

impl Scheduled {
    /// Adds the execution to the statistics of its loop.
    pub(crate) fn record(&self, stats: &mut LoopStats, desc: &LoopDesc, seconds: f64) {
        let stages = self.form.map_or(0, |form| form.number + 1);
        stats.in_stages(stages, self.asked, || desc.fewer_on_host(stages));
        stats.by(self.instructions.isa, self.instructions.asked, || desc.one_at_a_time());
        stats.asks_ahead(self.ahead.is_some());
        stats.reaches(self.inspected.lines);
        stats.record(seconds, self.inspected.useful_bytes());
        stats.computed(self.flops);
    }
}

impl CallState<'_> {
    /// Everything that an execution on the host takes beside the plan.
    fn scheduled(&mut self, decided: Decided, inspected: Arc<Inspected>) -> Scheduled {
        let (form, asked) = self.form(decided.pin.strategy);
        let layout = self.layout();
        let instructions = self.instructions(decided.pin.isa, &inspected, form, layout);
        let in_lanes = instructions.isa != Isa::Scalar;
        let streams = if in_lanes { self.streams() } else { 0 };
        // Computed anew for every call: a loop that prefetches takes a thousand times as long.
        let ahead = (in_lanes && inspected.ahead.any())
            .then(|| Ahead::of(&mut self.context.mesh, &self.bound.dats, inspected.ahead));
        let (attempt, flops) = (decided.attempt, self.flops());
        Scheduled { inspected, attempt, form, asked, layout, instructions, flops, streams, ahead }
    }

    /// Runs the elements by the plan, or in order.
    fn run_elements(&mut self, work: &mut dyn Work, scheduled: &Scheduled) -> Result<()> {
        let Scheduled { inspected, layout, form, instructions, streams, ahead, .. } = scheduled;
        let detour = inspected.plan.as_ref().and_then(|plan| plan.redirect()).map(|redirect| {
            let Context { mesh, scratch, .. } = &mut *self.context;
            Detour::new(redirect, mesh, &self.bound.dats, scratch)
        });
        let detour = detour.transpose()?;
        let (layout, form, isa, streams, ahead) = (*layout, *form, instructions.isa, *streams, ahead.as_ref());
        let course = Course { layout, list: self.subset(), form, isa, streams, ahead, redirected: None };
        match (&self.context.executor, &inspected.plan) {
            (Executor::Threads(_), Some(plan)) => {
                let long = matches!(self.iterates, Iterates::Pairs(..))
                    || self.nanoseconds(inspected) >= self.context.short_loops;
                let pool = self.context.executor.pool().filter(|_| long);
                let course = Course { list: plan.order(), ..course };
                match &detour {
                    Some(detour) => exec::run_redirected(work, pool, plan, course, detour),
                    None => exec::run_plan(work, pool, plan, course),
                }
            }
            _ => exec::run_seq(work, self.elements().len(), course),
        }
        Ok(())
    }

    /// The form with as many stages as the strategy asks for, or else the one with the most; and the number asked for.
    fn form(&self, strategy: Strategy) -> (Option<Form>, usize) {
        let Some(Scheme { size, stages: Some(stages), .. }) = strategy.scheme() else { return (None, 0) };
        let found = self.desc.host_stages().min(stages);
        (found.checked_sub(1).map(|number| Form { number, size }), stages)
    }
}
