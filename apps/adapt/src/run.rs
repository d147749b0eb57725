//! A run: phases in turn, at each time of the metric.

use op2::{Op2, Report};
use op2_apps::flaw::Flaw;
use op2_apps::settings::Settings;
use serde::Serialize;

use crate::field::Account;
use crate::loops::Adaptive;
use crate::metric::Metric;
use crate::outcome::Outcome;
use crate::quality::Quality;
use crate::task::Task;
use crate::verify::phases::{self, State};
use crate::{Fault, Result};

/// The phases of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Collapse short edges until no valid collapse is left
    Coarsen,
    /// Divide facets with long edges once
    Refine,
    /// Both in turn until neither has anything to do
    Loop,
}

/// The phases at each time of the metric, and how far they go.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The phases.
    pub phase: Phase,
    /// The most rounds of [`Phase::Loop`], at least one.
    pub max_rounds: usize,
    /// Whether each phase is checked.
    pub check: bool,
}

/// The results of one time.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Step {
    /// The time.
    pub time: f64,
    /// Rounds of both phases; one if the run has only one of them.
    pub rounds: usize,
    /// Whether the last round found nothing to do; only of [`Phase::Loop`].
    pub converged: Option<bool>,
    /// Facets in the end.
    pub facets: usize,
    /// Vertices in the end.
    pub vertices: usize,
}

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The mesh, its fields, what happened and how long it took.
    pub outcome: Outcome,
    /// The results of each time.
    pub steps: Vec<Step>,
    /// The quality of the task's mesh in the first metric.
    pub before: Quality,
    /// That of the outcome's in the last one.
    pub after: Quality,
    /// The field on the task's mesh, and on the outcome's.
    pub field: [Account; 2],
    /// The report on the loops.
    pub report: Report,
}

/// Adapts the mesh of a task. `seen` gets each step's number, the mesh after it, and the metric that it follows.
///
/// # Errors
/// Those of op2, and [`Fault::Check`].
pub fn run(task: &Task, plan: &Plan, settings: &Settings, seen: &mut dyn FnMut(usize, &State, &Metric)) -> Result<Run> {
    let mut op = Op2::with(settings.config())?;
    let mut metric = task.metric(0);
    let adaptive = Adaptive::new(&mut op, &task.mesh, &metric, std::slice::from_ref(&task.field))?;
    settings.order(&mut op)?;
    let before = Quality::of(&task.mesh, &metric.at_vertices(&task.mesh));
    let mut phases = Phases { op, adaptive, last: None };
    let mut state = phases.state()?;
    if plan.check {
        phases.last = Some(state.clone());
    }
    let mut steps = Vec::new();
    for step in 0..task.steps {
        if step > 0 {
            metric = task.metric(step);
            phases.adaptive.measure(&mut phases.op, &metric)?;
        }
        let (rounds, converged) = phases.adapt(plan, &metric)?;
        state = phases.state()?;
        let [facets, vertices] = [state.mesh.facets.len(), state.mesh.vertices.len()];
        steps.push(Step { time: task.time(step), rounds, converged, facets, vertices });
        seen(step, &state, &metric);
    }
    let after = Quality::of(&state.mesh, &metric.at_vertices(&state.mesh));
    let field = [
        Account::of(&task.mesh, &task.field.values),
        Account::of(&state.mesh, state.fields.first().map_or(&[], |field| &field.values)),
    ];
    let outcome = Outcome {
        counts: state.counts,
        seconds: phases.adaptive.seconds,
        converged: steps.iter().all(|step| step.converged == Some(true)),
        mesh: state.mesh,
        fields: state.fields,
    };
    Ok(Run { outcome, steps, before, after, field, report: phases.op.report() })
}

/// A mesh that is adapted, and its last state if phases are checked.
struct Phases {
    op: Op2,
    adaptive: Adaptive,
    last: Option<State>,
}

impl Phases {
    fn state(&mut self) -> Result<State> {
        Ok(State::of(&mut self.op, &self.adaptive)?)
    }

    /// Returns how many rounds there were, and whether the last one found nothing to do.
    fn adapt(&mut self, plan: &Plan, metric: &Metric) -> Result<(usize, Option<bool>)> {
        match plan.phase {
            Phase::Coarsen => self.coarsen(metric).map(|_| (1, None)),
            Phase::Refine => self.refine(metric).map(|_| (1, None)),
            Phase::Loop => self.rounds(plan.max_rounds, metric).map(|(rounds, converged)| (rounds, Some(converged))),
        }
    }

    fn rounds(&mut self, most: usize, metric: &Metric) -> Result<(usize, bool)> {
        for round in 1..=most {
            if self.coarsen(metric)? + self.refine(metric)? == 0 {
                self.check(|_, now| phases::converged(&now.mesh, &metric.at_vertices(&now.mesh)))?;
                return Ok((round, true));
            }
        }
        Ok((most, false))
    }

    /// Returns how many edges collapsed.
    fn coarsen(&mut self, metric: &Metric) -> Result<u64> {
        let collapses = self.adaptive.coarsen(&mut self.op)?;
        self.check(|before, now| phases::coarsened(before, now, metric))?;
        Ok(collapses)
    }

    /// Returns how many facets were divided.
    fn refine(&mut self, metric: &Metric) -> Result<u64> {
        let divided = self.adaptive.refine(&mut self.op)?;
        self.check(|before, now| phases::refined(before, now, metric))?;
        Ok(divided)
    }

    /// Compares the state with the last one, if phases are checked.
    fn check(&mut self, check: impl Fn(&State, &State) -> Result<(), Flaw>) -> Result<()> {
        let Some(before) = self.last.take() else { return Ok(()) };
        let now = self.state()?;
        check(&before, &now).map_err(Fault::Check)?;
        self.last = Some(now);
        Ok(())
    }
}
