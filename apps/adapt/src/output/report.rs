//! The report of a run as JSON.

use std::path::Path;

use op2_apps::file::{self, write_atomically};
use op2_apps::flags::Backend;
use serde::Serialize;

use super::Case;
use crate::field::Account;
use crate::quality::Quality;
use crate::run::{Phase, Run, Step};

/// The fields of the report, in this order.
#[derive(Debug, Serialize)]
struct Report<'a> {
    app: &'static str,
    backend: Backend,
    threads: usize,
    phase: Phase,
    max_rounds: usize,
    metric: String,
    seconds: Seconds,
    /// Rounds of all steps.
    rounds: usize,
    /// Whether the last round of each step found nothing to do; only of `loop`.
    converged: Option<bool>,
    sweeps: u64,
    collapses: u64,
    red: u64,
    green: u64,
    merged: u64,
    split: u64,
    /// The adapted mesh.
    #[serde(flatten)]
    after: Figures<'a>,
    before: Figures<'a>,
    field: Field<'a>,
    steps: &'a [Step],
    triad_gb_per_s: f64,
    loops: &'a [op2::report::LoopRow],
}

/// Adapting alone, without the mesh, its declaration and output.
#[derive(Debug, Serialize)]
struct Seconds {
    coarsen: f64,
    refine: f64,
    /// Both.
    #[serde(rename = "loop")]
    both: f64,
}

#[derive(Debug, Serialize)]
struct Figures<'a> {
    facets: usize,
    vertices: usize,
    #[serde(flatten)]
    quality: &'a Quality,
}

#[derive(Debug, Serialize)]
struct Field<'a> {
    name: &'a str,
    before: Account,
    after: Account,
}

/// Writes the report of `case` to `path`. Numbers are written such that they are read back exactly.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, case: &Case) -> Result<(), file::Error> {
    let Case { task, metric, plan, settings, run } = case;
    let Run { outcome, steps, before, after, field, report } = run;
    let seconds = outcome.seconds;
    let counts = outcome.counts;
    let figures = |mesh: &crate::mesh::Mesh, quality| Figures {
        facets: mesh.facets.len(),
        vertices: mesh.vertices.len(),
        quality,
    };
    let report = Report {
        app: "adapt",
        backend: settings.backend,
        threads: settings.threads,
        phase: plan.phase,
        max_rounds: plan.max_rounds,
        metric: metric.to_string(),
        seconds: Seconds { coarsen: seconds.coarsen, refine: seconds.refine, both: seconds.coarsen + seconds.refine },
        rounds: steps.iter().map(|step| step.rounds).sum(),
        converged: (plan.phase == Phase::Loop).then_some(outcome.converged),
        sweeps: counts.sweeps,
        collapses: counts.collapses,
        red: counts.red,
        green: counts.green,
        merged: counts.merged,
        split: counts.split,
        after: figures(&outcome.mesh, after),
        before: figures(&task.mesh, before),
        field: Field { name: &task.field.name, before: field[0], after: field[1] },
        steps,
        triad_gb_per_s: report.triad_gb_per_s,
        loops: &report.loops,
    };
    write_atomically(path, |out| {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)
    })
}
