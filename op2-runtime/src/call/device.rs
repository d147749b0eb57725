//! One call of a loop on a device.

use crate::call::Call;
use crate::call::context::Context;
use crate::call::executor::Executor;
use crate::device::launch::Bound;
use crate::device::planned::{Planned, planned};
use crate::device::prepare::{Prepared, prepare};
use crate::device::task::Task;
use crate::device::{FORMS_DUMP, Machine, account, ranking};
use crate::error::{Fault, Result};
use crate::inspect::LoopShape;
use crate::plan::Plan;
use crate::plan::key::Wanted;
use crate::plan::key::{Inputs, PlanKey};
use crate::strategy::{Scheme, Strategy};
use std::time::Instant;

impl<S> Call<'_, S> {
    /// Checks, plans and launches the loop. Modified dats and the results of reductions stay on the device until
    /// they are asked for.
    pub(crate) fn run_on_device(&mut self) -> Result<()> {
        loop {
            let (strategy, attempt) = self.chosen_on_device()?;
            // What is bound borrows the mesh while the machine changes.
            let mut executor = std::mem::replace(&mut self.context.executor, Executor::Seq);
            let outcome = match &mut executor {
                Executor::Device(machine) => self.run_on(machine, strategy, attempt.is_some()),
                _ => Ok(0.0),
            };
            self.context.executor = executor;
            match attempt {
                None => return outcome.map(drop),
                // A trial that the device refused has changed nothing, and another one takes its place.
                Some(attempt) if !self.tried_on_device(attempt, outcome)? => {}
                Some(_) => return Ok(()),
            }
        }
    }

    /// The most promising strategy that runs the loop in stages.
    pub(crate) fn in_stages(&self, key: &PlanKey) -> Result<Option<Scheme>> {
        let Some(machine) = self.context.executor.device() else { return Ok(None) };
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
        let prepared = match machine.prepared(&id) {
            Some(known) => {
                if !self.stats().runs_by(&known.outcome) {
                    // What people are told of a decision stays.
                    let decided = self.context.strategy_of(self.desc.kernel) == Strategy::Auto;
                    self.stats().resumes(&known.outcome, decided);
                }
                known
            }
            None => {
                let new = self.prepared(machine, &id.1, strategy)?;
                machine.keep(id, new)
            }
        };
        self.timed(machine, &prepared, wait).map_err(|e| self.failed(e))
    }

    /// The error for what a launch answered: elements have the user's numbers.
    fn failed(&self, error: op2_cuda::Error) -> crate::Error {
        let fault = match error {
            op2_cuda::Error::Panic { element, panic, .. } => {
                Fault::Panic { element: self.context.mesh.sets[self.set].user(element as usize), panic }
            }
            other => Fault::Device(other),
        };
        self.error(None, fault)
    }

    fn timed(&mut self, machine: &mut Machine, prepared: &Prepared, wait: bool) -> op2_cuda::Result<f64> {
        let stats = self.stats_index();
        let Context { mesh, .. } = &*self.context;
        let call = Bound { desc: self.desc, mesh, iterates: self.iterates, bound: &self.bound };
        let seconds = machine.run(&call, prepared, stats, wait)?;
        self.stats().record(0.0, prepared.useful_bytes);
        if machine.has_many_timings() {
            self.context.add_seconds(machine)?;
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
                with_plan = planned(Strategy::Pinned(best))?;
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
}
