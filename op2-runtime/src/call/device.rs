//! A loop on a device.

use super::check::Names;
use super::context::Context;
use super::executor::Executor;
use super::run::{Decided, Execution};
use super::state::CallState;
use crate::desc::LoopDesc;
use crate::device::curve;
#[cfg(feature = "json")]
use crate::device::dump;
use crate::device::launch::{Arrived, Bound};
use crate::device::pairs::Search;
use crate::device::planned::{Planned, planned};
use crate::device::prepare::{Prepared, prepare};
use crate::device::task::{Task, needs_entries};
use crate::device::text::Text;
use crate::device::{DeviceState, FORMS_DUMP, Outcome, ranking};
use crate::error::{Error, Fault, Result};
use crate::inspect::{Elements, LoopShape};
use crate::plan::cache::Settings;
use crate::plan::key::{Inputs, PlanKey};
use crate::plan::{Plan, Traffic};
use crate::report::log;
use crate::strategy::{Scheme, Strategy};
use std::sync::Arc;
use std::time::Instant;

/// A loop that runs on a device. Modified dats and the results of reductions stay there until they are asked for.
pub(super) struct OnDevice<'c, 'a> {
    pub(super) call: &'c mut CallState<'a>,
    /// The search, if it runs over pairs.
    pub(super) search: Option<Search>,
}

/// The launches of a loop, and the data of one execution.
pub(super) struct Launching {
    prepared: Arc<Prepared>,
    arrived: Option<Arrived>,
    /// Whether to wait for the end, because the call needs the seconds.
    wait: bool,
}

/// A loop that was launched.
pub(super) struct Launched {
    prepared: Arc<Prepared>,
    seconds: f64,
}

impl OnDevice<'_, '_> {
    /// The device, and the parts of the call that it uses.
    fn split(&mut self) -> (&mut DeviceState, Bound<'_>, Names<'_>) {
        let CallState { context, desc, iterates, set, bound, .. } = &mut *self.call;
        let Context { mesh, executor, .. } = &mut **context;
        let Executor::Device(state) = executor else { unreachable!("executors do not change") };
        let (desc, set, mesh, bound) = (*desc, *set, &*mesh, &*bound);
        (state, Bound { mesh, iterates: *iterates, bound }, Names { desc, mesh, bound, set })
    }
}

impl Execution for OnDevice<'_, '_> {
    type Plan = Arc<Prepared>;
    type Prepared = Launching;
    type Ran = Launched;

    fn check(&mut self) -> Result<()> {
        self.call.check()
    }

    fn decide(&mut self) -> Result<Decided> {
        self.call.decide()
    }

    fn plan(&mut self, decided: Decided) -> Result<Arc<Prepared>> {
        if !op2_device::ANY {
            unreachable!("no device was opened");
        }
        let id = (std::ptr::from_ref(self.call.desc).addr(), self.call.key(decided.wanted));
        let search = self.search.take();
        let (state, ..) = self.split();
        let known = state.prepared(&id);
        if let Some(known) = known.as_ref().filter(|known| known.stamp == search.as_ref().map(Search::stamp)) {
            return Ok(known.clone());
        }
        let start = Instant::now();
        let shape = device_shape(self.call.desc, self.call.inputs(&id.1));
        if needs_entries(decided.pin.strategy, &shape) || std::env::var_os(FORMS_DUMP).is_some() {
            self.call.all_entries_arrive()?;
        }
        let lacks_entries = self.call.lacks_entries();
        let (settings, stats) = (self.call.context.plans.settings(), self.call.stats_index());
        let (state, bound, names) = self.split();
        let inputs = Inputs::new(&id.1, bound.mesh);
        let new = match search {
            None => prepared(state, inputs, decided.pin.strategy, (settings, lacks_entries), names)?,
            Some(search) => {
                let text = Text { desc: names.desc, device: names.desc.device(state.target()), inputs };
                let new = state.prepare_search(&text, &search, known.as_deref(), stats);
                new.map_err(|e| names.error(None, Fault::Device(e)))?
            }
        };
        let new = state.keep(id, new);
        self.call.prepared(start.elapsed().as_secs_f64(), &new.outcome);
        Ok(new)
    }

    fn prepare(&mut self, decided: Decided, prepared: Arc<Prepared>) -> Result<Launching> {
        if !self.call.stats().runs_by(&prepared.outcome) {
            // The report goes on to show how a strategy was chosen.
            let measured = self.call.context.pin_of(self.call.desc.kernel).strategy == Strategy::Auto;
            self.call.stats().resumes(&prepared.outcome, measured);
        }
        Ok(Launching { prepared, arrived: None, wait: decided.attempt.is_some() })
    }

    fn arrive(&mut self, launching: &mut Launching) -> Result<()> {
        let (state, bound, names) = self.split();
        let arrived = state.arrive(&bound, &launching.prepared).map_err(|e| names.launch_error(e))?;
        launching.arrived = Some(arrived);
        Ok(())
    }

    fn run(&mut self, launching: Launching) -> Result<Launched> {
        let Launching { prepared, arrived, wait } = launching;
        let stats = self.call.stats_index();
        let (state, bound, names) = self.split();
        let seconds = match &arrived {
            Some(arrived) => state.run(&bound, &prepared, arrived, stats, wait),
            None => unreachable!("data arrive before elements run"),
        };
        let seconds = seconds.map_err(|e| names.launch_error(e))?;
        Ok(Launched { prepared, seconds })
    }

    fn changed(&mut self, complete: bool) {
        let (state, bound, _) = self.split();
        state.changed(&bound, complete);
        self.call.maps_changed();
    }

    fn reduce(&mut self, launched: &mut Launched) {
        let (state, bound, _) = self.split();
        state.keep_results(&bound, &launched.prepared);
    }

    fn report(&mut self, decided: Decided, launched: Launched) -> Result<()> {
        match decided.attempt {
            Some(_) => self.call.stats().record(launched.seconds, launched.prepared.useful_bytes),
            None => self.call.stats().launched(launched.prepared.useful_bytes),
        }
        self.call.context.ask_for_seconds().map_err(|e| self.call.names().launch_error(e))?;
        if let Some(attempt) = decided.attempt {
            self.call.tried_on_device(attempt, launched.seconds);
        }
        Ok(())
    }

    fn refuse(&mut self, decided: Decided, error: Error) -> Result<()> {
        match decided.attempt {
            Some(attempt) => self.call.failed_on_device(attempt, error),
            None => Err(error),
        }
    }
}

impl CallState<'_> {
    /// Records a preparation and its outcome.
    fn prepared(&mut self, seconds: f64, outcome: &Outcome) {
        self.stats().prepared(seconds, outcome);
        let stats = self.stats_index();
        let (device, _) = self.context.executor.name();
        log::prepared(&self.context.stats[stats], device, outcome, seconds);
        self.tell_strategy();
    }

    /// The most promising scheme that runs the loop in stages.
    pub(super) fn in_stages(&self, key: &PlanKey) -> Result<Option<Scheme>> {
        let Executor::Device(state) = &self.context.executor else { return Ok(None) };
        let (inputs, names, settings) = (self.inputs(key), self.names(), self.context.plans.settings());
        let shape = device_shape(self.desc, inputs);
        let list = curve::order(self.desc, inputs, &shape);
        let shape = ordered(shape, list.as_deref());
        let plan_of = |scheme| plan_of(&shape, scheme, (settings, false), names);
        let with_plan =
            planned(Strategy::Predicted, &shape, inputs.reduces(), self.desc.in_turns_on_devices(), &plan_of)?;
        Ok(ranking::in_stages(state, &task(state, self.desc, inputs, &shape, &with_plan, true, &plan_of)))
    }
}

/// The launches of a loop by a strategy, or by the one with the least estimate. The settings come with whether the host lacks entries of
/// its maps.
fn prepared(
    state: &mut DeviceState,
    inputs: Inputs<'_>,
    wanted: Strategy,
    settings: (Settings, bool),
    names: Names<'_>,
) -> Result<Prepared> {
    let desc = names.desc;
    let shape = device_shape(desc, inputs);
    let list = if settings.1 { None } else { curve::order(desc, inputs, &shape) };
    let shape = ordered(shape, list.as_deref());
    let plan_of = |scheme| plan_of(&shape, scheme, settings, names);
    let planned = |wanted| planned(wanted, &shape, inputs.reduces(), desc.in_turns_on_devices(), &plan_of);
    let refused = |e| names.error(None, Fault::Device(e));
    let has_entries = !settings.1;
    let mut with_plan = planned(wanted)?;
    #[cfg(not(feature = "json"))]
    if std::env::var_os(FORMS_DUMP).is_some() {
        return Err(refused(op2_device::Error::NoJson { variable: FORMS_DUMP }));
    }
    #[cfg(feature = "json")]
    if let Some(folder) = std::env::var_os(FORMS_DUMP) {
        let limit = state.shared_per_block();
        dump::write(&task(state, desc, inputs, &shape, &with_plan, has_entries, &plan_of), limit, folder.as_ref())
            .map_err(refused)?;
    }
    if wanted == Strategy::Predicted {
        let best = ranking::best(state, &task(state, desc, inputs, &shape, &with_plan, has_entries, &plan_of))
            .map_err(refused)?;
        match best {
            // The plan is there already.
            Some(best) if best.plan() == with_plan.plan.scheme() => with_plan.strategy = Strategy::Pinned(best),
            Some(best) => with_plan = planned(Strategy::Pinned(best))?,
            None => {}
        }
    }
    prepare(state, &task(state, desc, inputs, &shape, &with_plan, has_entries, &plan_of)).map_err(|e| match e {
        Error::Device(cause) => refused(cause),
        other => other,
    })
}

/// The loop as the inspector sees it for a device. Exact contributions go by atomics if all that elements share is combined so;
/// otherwise, and where rows are changed in place, they take turns.
pub(super) fn device_shape<'a>(desc: &LoopDesc, inputs: Inputs<'a>) -> LoopShape<'a> {
    let shape = inputs.shape();
    if shape.is_free() && !desc.by_rows { shape } else { shape.in_turns() }
}

/// The same loop over its elements in another order, if there is one.
fn ordered<'a>(shape: LoopShape<'a>, list: Option<&'a [u32]>) -> LoopShape<'a> {
    let elements = list.map_or(shape.elements, Elements::Subset);
    LoopShape { elements, ..shape }
}

/// A plan of this scheme for a device. If plans are to be checked, the colours inside its blocks are too. If the host lacks entries of maps,
/// there is nothing to inspect.
fn plan_of(
    shape: &LoopShape<'_>,
    scheme: Scheme,
    (settings, lacks_entries): (Settings, bool),
    names: Names<'_>,
) -> Result<Plan> {
    let plan = match lacks_entries {
        false => Plan::build(shape, scheme),
        true => Traffic::most(shape).and_then(|most| Plan::at_once(shape, Some(scheme), settings.hardware, most)),
    };
    let plan = plan.map_err(|e| names.plan_error(e))?;
    if settings.verify {
        plan.element_colours(shape).map_err(|e| names.plan_error(e))?;
        plan.verify(shape).map_err(|violation| names.error(None, Fault::Plan(violation)))?;
    }
    Ok(plan)
}

fn task<'a>(
    state: &DeviceState,
    desc: &'static LoopDesc,
    inputs: Inputs<'a>,
    shape: &'a LoopShape<'a>,
    planned: &'a Planned,
    has_entries: bool,
    replan: &'a dyn Fn(Scheme) -> Result<Plan>,
) -> Task<'a> {
    let Planned { strategy, plan, note } = planned;
    let device = desc.device(state.target());
    let note = note.clone();
    Task { text: Text { desc, device, inputs }, shape, strategy: *strategy, plan, note, has_entries, replan }
}
