//! The order in which a call runs, and the decision that stands at its start.

use super::executor::Executor;
use super::state::CallState;
use crate::error::{Error, Result};
use crate::mesh::handle::Iterates;
use crate::plan::key::Wanted;
use crate::strategy::{Pin, Strategy};

/// The decision about one execution of a loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decided {
    /// The strategy that it follows, with the instructions if some are stated or tried.
    pub(super) pin: Pin,
    /// The plan that it asks for.
    pub(super) wanted: Wanted,
    /// The trial that it is, if it is one.
    pub(super) attempt: Option<Attempt>,
}

/// An execution that is a trial of a strategy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt {
    pub(super) choice: usize,
    pub(super) candidate: usize,
}

/// The steps of an execution, which differ between a loop on the host, a loop of a chain, a group of such loops, and a loop on a
/// device.
pub(super) trait Execution {
    /// Made once for a key, and cached.
    type Plan;
    /// Made for every execution.
    type Prepared;
    /// Left by the elements: partial results, and data for the report.
    type Ran;

    /// Reports the faults of the arguments.
    fn check(&mut self) -> Result<()>;

    /// Decides about the strategy.
    fn decide(&mut self) -> Result<Decided>;

    /// Looks up the plan, or has it built.
    fn plan(&mut self, decided: Decided) -> Result<Self::Plan>;

    /// Prepares the execution: nothing that users see is changed yet.
    fn prepare(&mut self, decided: Decided, plan: Self::Plan) -> Result<Self::Prepared>;

    /// Brings the values that the elements read to where they run: from the host to a device, and later, from other
    /// processes.
    fn arrive(&mut self, _prepared: &mut Self::Prepared) -> Result<()> {
        Ok(())
    }

    /// Runs the elements.
    fn run(&mut self, prepared: Self::Prepared) -> Result<Self::Ran>;

    /// Notes which copies of the modified data are now out of date in other memories. `complete` says whether all elements ran.
    fn changed(&mut self, _complete: bool) {}

    /// Hands the results of reductions to their globals.
    fn reduce(&mut self, ran: &mut Self::Ran);

    /// Records the execution, for reports and for the choice of strategies.
    fn report(&mut self, decided: Decided, ran: Self::Ran) -> Result<()>;

    /// Handles a refused decision. Returns `Ok` if another one can be tried.
    fn refuse(&mut self, _decided: Decided, error: Error) -> Result<()> {
        Err(error)
    }
}

/// Runs a loop whose arguments are bound: the order of execution stands here.
// Inlined with the steps, so that what one leaves for the next is not copied.
#[inline(always)]
pub(super) fn execute<E: Execution>(mut execution: E) -> Result<()> {
    execution.check()?;
    loop {
        let decided = execution.decide()?;
        match run(&mut execution, decided) {
            Ok(mut ran) => {
                execution.reduce(&mut ran);
                return execution.report(decided, ran);
            }
            Err(error) => execution.refuse(decided, error)?,
        }
    }
}

/// The steps that may refuse a decision.
#[inline(always)]
fn run<E: Execution>(execution: &mut E, decided: Decided) -> Result<E::Ran> {
    let plan = execution.plan(decided)?;
    let mut prepared = execution.prepare(decided, plan)?;
    execution.arrive(&mut prepared)?;
    let outcome = execution.run(prepared);
    execution.changed(outcome.is_ok());
    outcome
}

impl Decided {
    /// For a group: its loops were decided when they were called.
    pub(super) fn before() -> Self {
        Decided { pin: Pin::default(), wanted: Wanted::Nothing, attempt: None }
    }

    /// To run by the host's plan of a strategy.
    pub(super) fn on_host(pin: Pin, attempt: Option<Attempt>) -> Self {
        Decided { pin, wanted: Wanted::of(pin.strategy), attempt }
    }

    /// To run on a device by a strategy.
    pub(super) fn on_device(strategy: Strategy, attempt: Option<Attempt>) -> Self {
        Decided { pin: strategy.into(), wanted: Wanted::Device(strategy), attempt }
    }
}

impl CallState<'_> {
    /// The decision for this execution, by the strategy that was asked for and by the executor.
    pub(super) fn decide(&mut self) -> Result<Decided> {
        let pin = self.context.pin_of(self.desc.kernel);
        let over_pairs = matches!(self.iterates, Iterates::Pairs(..));
        match (&self.context.executor, pin.strategy) {
            // On threads, such a loop runs by patches.
            (Executor::Seq | Executor::Threads(_), _) if self.combines_inside() => {
                Ok(Decided { pin, wanted: Wanted::Nothing, attempt: None })
            }
            (Executor::Device(_), Strategy::Auto) if over_pairs => Ok(Decided::on_device(Strategy::Predicted, None)),
            (Executor::Seq, _) => Ok(Decided { pin, wanted: Wanted::Nothing, attempt: None }),
            (Executor::Threads(_), Strategy::Auto) => self.chosen(pin.isa),
            (Executor::Threads(_), _) => Ok(Decided::on_host(pin, None)),
            (Executor::Device(_), Strategy::Auto) if op2_device::ANY => self.chosen_on_device(),
            (Executor::Device(_), strategy) => Ok(Decided::on_device(strategy, None)),
        }
    }
}
