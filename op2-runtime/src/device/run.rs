//! One call of a loop on a device.

use super::planned::{Planned, planned};
use super::prepare::{Prepared, Step, prepare};
use super::task::Task;
use super::{FORMS_DUMP, MOST_TIMINGS, Machine, Newest, Outcomes, Timing, account, ranking};
use crate::access::Access;
use crate::cache::Wanted;
use crate::call::Call;
use crate::error::{Fault, Result};
use crate::exec::Executor;
use crate::handle::Iterates;
use crate::inspect::LoopShape;
use crate::key::{Inputs, PlanKey};
use crate::plan::{Plan, Scheme};
use crate::strategy::Strategy;
use op2_cuda::{Arg, Buffer, Launch};
use std::sync::Arc;
use std::time::Instant;

impl<S> Call<'_, S> {
    /// Checks, plans and launches the loop. Modified dats and the results of reductions stay on the device until
    /// they are asked for.
    pub(crate) fn run_on_device(&mut self) -> Result<()> {
        loop {
            let (strategy, attempt) = self.chosen_on_device()?;
            // What is bound borrows the mesh while the machine changes.
            let mut executor = std::mem::replace(&mut self.op.executor, Executor::Seq);
            let outcome = match &mut executor {
                Executor::Device(machine) => self.run_on(machine, strategy, attempt.is_some()),
                _ => Ok(0.0),
            };
            self.op.executor = executor;
            match attempt {
                None => return outcome.map(drop),
                // A trial that the device refused has changed nothing, and another one takes its place.
                Some(attempt) if !self.tried_on_device(attempt, outcome)? => {}
                Some(_) => return Ok(()),
            }
        }
    }

    /// The most promising strategy that runs the loop in stages.
    pub(crate) fn in_stages(&self, key: &PlanKey) -> Result<Option<Strategy>> {
        let Some(machine) = self.op.executor.device() else { return Ok(None) };
        let inputs = self.inputs(key);
        let (shape, plan_of) = (inputs.shape(), |scheme| self.plan_of(&inputs.shape(), scheme));
        let with_plan = planned(Strategy::Predicted, &shape, inputs.reduces(), self.desc.takes_turns(), &plan_of)?;
        Ok(ranking::in_stages(machine, &self.task(inputs, &shape, &with_plan, &plan_of)))
    }

    /// Runs the loop by a strategy. Waits for its end and returns its seconds if they are wanted.
    fn run_on(&mut self, machine: &mut Machine, strategy: Strategy, wait: bool) -> Result<f64> {
        self.check()?;
        let key = self.key(Wanted::Device(strategy));
        let id = (std::ptr::from_ref(self.desc).addr(), key);
        let prepared = match machine.prepared.get(&id) {
            Some(known) => {
                let known = known.clone();
                if !self.stats().runs_by(&known.outcome) {
                    // What people are told of a decision stays.
                    let decided = self.op.strategy_of(self.desc.kernel) == Strategy::Auto;
                    self.stats().resumes(&known.outcome, decided);
                }
                known
            }
            None => {
                let new = Arc::new(self.prepared(machine, &id.1, strategy)?);
                machine.prepared.retain(|(_, old), _| !id.1.outdates(old));
                machine.prepared.insert(id, new.clone());
                new
            }
        };
        self.timed(machine, &prepared, wait).map_err(|e| self.failed(e))
    }

    /// The error for what a launch answered: elements have the user's numbers.
    fn failed(&self, error: op2_cuda::Error) -> crate::Error {
        let fault = match error {
            op2_cuda::Error::Panic { element, panic, .. } => {
                Fault::Panic { element: self.op.mesh.sets[self.set].user(element as usize), panic }
            }
            other => Fault::Device(other),
        };
        self.error(None, fault)
    }

    fn timed(&mut self, machine: &mut Machine, prepared: &Prepared, wait: bool) -> op2_cuda::Result<f64> {
        let from = machine.device.mark()?;
        self.launch(machine, prepared)?;
        let to = machine.device.mark()?;
        let seconds = if wait { machine.device.seconds(&from, &to)? } else { 0.0 };
        self.stats().record(0.0, prepared.useful_bytes);
        let stats = self.stats_index();
        machine.timings.push(Timing { stats, from, to });
        if machine.timings.len() >= MOST_TIMINGS {
            machine.add_seconds(&mut self.op.stats)?;
            machine.forget_timings();
        }
        Ok(seconds)
    }

    fn prepared(&mut self, machine: &mut Machine, key: &PlanKey, wanted: Strategy) -> Result<Prepared> {
        let start = Instant::now();
        let inputs = self.inputs(key);
        let (shape, plan_of) = (inputs.shape(), |scheme| self.plan_of(&inputs.shape(), scheme));
        let planned = |wanted| planned(wanted, &shape, inputs.reduces(), self.desc.takes_turns(), &plan_of);
        let refused = |e| self.error(None, Fault::Device(e));
        let mut with_plan = planned(wanted)?;
        if let Some(folder) = std::env::var_os(FORMS_DUMP) {
            account::write(&self.task(inputs, &shape, &with_plan, &plan_of), folder.as_ref()).map_err(refused)?;
        }
        if wanted == Strategy::Predicted {
            let best = ranking::best(machine, &self.task(inputs, &shape, &with_plan, &plan_of)).map_err(refused)?;
            if let Some(best) = best.filter(|best| *best != ranking::USUAL) {
                with_plan = planned(best)?;
            }
        }
        let prepared = prepare(machine, &self.task(inputs, &shape, &with_plan, &plan_of)).map_err(|e| match e {
            crate::Error::Device(cause) => refused(cause),
            other => other,
        })?;
        self.stats().prepared(start.elapsed().as_secs_f64(), &prepared.outcome);
        Ok(prepared)
    }

    fn task<'a>(
        &self,
        inputs: Inputs<'a>,
        shape: &'a LoopShape<'a>,
        planned: &'a Planned,
        replan: &'a dyn Fn(Scheme) -> Result<Plan>,
    ) -> Task<'a> {
        let Planned { strategy, plan, note } = planned;
        Task { desc: self.desc, inputs, shape, strategy: *strategy, plan, note: note.clone(), replan }
    }

    /// Sends what is missing, launches, and notes which side is newer now.
    fn launch(&self, machine: &mut Machine, prepared: &Prepared) -> op2_cuda::Result<()> {
        let mut views: Vec<Option<Buffer>> = Vec::with_capacity(prepared.views.len());
        for &dat in &prepared.views {
            views.push(match dat {
                Some(dat) => Some(machine.ready(&self.op.mesh, dat, self.needs_values(dat))?),
                None => None,
            });
        }
        let (results, fresh) = self.results(machine)?;
        let launched =
            prepared.steps.iter().try_for_each(|step| self.start(machine, prepared, step, &views, &results, fresh));
        for bound in self.bound.dats.iter().filter(|b| b.access.modifies()) {
            let newest = &mut machine.dats[bound.dat].newest;
            // After a failed launch nobody knows what the device holds; the host still has its values.
            *newest = match (&launched, *newest) {
                (Err(_), Newest::Both) => Newest::Host,
                (Err(_), old) => old,
                (Ok(()), _) => Newest::Device,
            };
        }
        launched?;
        if prepared.partials.is_empty() || prepared.steps.is_empty() {
            return Ok(());
        }
        for (reduction, buffer) in self.bound.more.reductions.iter().zip(results) {
            let pending = Some((reduction.how, reduction.absorb));
            machine.results.insert(reduction.global, Outcomes { buffer, pending });
        }
        Ok(())
    }

    /// Whether the loop sees values that a dat had before: all but a loop that writes every element does.
    fn needs_values(&self, dat: usize) -> bool {
        let mut uses = self.bound.dats.iter().filter(|b| b.dat == dat);
        let whole = matches!(self.iterates, Iterates::Set(_));
        !(whole && uses.all(|b| b.access == Access::Write && b.through.is_none()))
    }

    /// Where the results of reductions go, and a bit for each one that starts anew: others go on from what an
    /// earlier loop left there.
    fn results(&self, machine: &Machine) -> op2_cuda::Result<(Vec<Buffer>, u32)> {
        let mut fresh = 0;
        let mut results = Vec::with_capacity(self.bound.more.reductions.len());
        for (n, reduction) in self.bound.more.reductions.iter().enumerate() {
            let known = machine.results.get(&reduction.global);
            if known.is_none_or(|outcomes| outcomes.pending.is_none()) {
                fresh |= 1 << n;
            }
            results.push(match known {
                Some(outcomes) => outcomes.buffer.clone(),
                None => {
                    let what = format!("the result of global `{}`", self.op.mesh.globals[reduction.global].name);
                    machine.device.allocate(&what, reduction.slots * size_of::<u64>(), size_of::<u64>())?
                }
            });
        }
        Ok((results, fresh))
    }

    fn start(
        &self,
        machine: &Machine,
        prepared: &Prepared,
        step: &Step,
        views: &[Option<Buffer>],
        results: &[Buffer],
        fresh: u32,
    ) -> op2_cuda::Result<()> {
        let (module, values) = (&prepared.module, &prepared.values[..]);
        match step {
            Step::Wrapper { kernel, grid, block, shared, frames, parts } => {
                let frames = frames.iter().map(|f| Arg::Bytes(f));
                let views = views.iter().map(|v| Arg::Buffer(v.as_ref()));
                let maps = prepared.maps.iter().map(|m| Arg::Buffer(m.as_ref()));
                let numbers = prepared.numbers.iter().map(|n| Arg::Buffer(n.as_ref()));
                let params = self.bound.more.params.iter().map(|p| Arg::Bytes(&p.bytes));
                let partials = prepared.partials.iter().map(|p| Arg::Buffer(Some(p)));
                let combined = self.combined_views().filter(|_| *parts);
                let parts = combined.map(|v| Arg::Buffer(prepared.parts[v].as_ref()));
                let args: Vec<Arg<'_>> =
                    frames.chain(views).chain(maps).chain(numbers).chain(params).chain(partials).chain(parts).collect();
                let (grid, block, shared) = (*grid, *block, *shared);
                machine.device.launch(&Launch { module, kernel, grid, block, shared, args: &args, values })
            }
            Step::Gather { kernel, grid, block, frame, view } => {
                let args = [
                    Arg::Bytes(frame),
                    Arg::Buffer(views[*view].as_ref()),
                    Arg::Buffer(prepared.parts[*view].as_ref()),
                ];
                let (grid, block) = (*grid, *block);
                machine.device.launch(&Launch { module, kernel, grid, block, shared: 0, args: &args, values })
            }
            Step::Final { kernel, block, shared, count } => {
                let (count, fresh) = (count.to_ne_bytes(), fresh.to_ne_bytes());
                let pairs = prepared.partials.iter().zip(results);
                let pairs = pairs.flat_map(|(p, r)| [Arg::Buffer(Some(p)), Arg::Buffer(Some(r))]);
                let args: Vec<Arg<'_>> = pairs.chain([Arg::Bytes(&count), Arg::Bytes(&fresh)]).collect();
                let (block, shared) = (*block, *shared);
                machine.device.launch(&Launch { module, kernel, grid: 1, block, shared, args: &args, values })
            }
        }
    }

    /// The views that the loop combines through maps, present or not, in order.
    fn combined_views(&self) -> impl Iterator<Item = usize> {
        let combined = |arg: &usize| {
            let arg = &self.desc.args[*arg];
            arg.target.is_some() && arg.kind.access().is_some_and(Access::combines)
        };
        let views = self.desc.device.views.iter().enumerate();
        views.filter(move |(_, v)| v.args.iter().any(combined)).map(|(v, _)| v)
    }
}
