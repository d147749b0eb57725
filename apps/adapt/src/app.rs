//! From the command line to the files that a run writes.

use std::path::PathBuf;

use op2_apps::file;
use op2_apps::terminal::{say, stage};

use crate::cli::Cli;
use crate::mesh::Mesh;
use crate::metric::Metric;
use crate::outcome::{Counts, Field, Outcome, Seconds};
use crate::output::{self, Case};
use crate::quality::{BINS, Quality};
use crate::run::{self, Phase, Run, Step};
use crate::task::Task;
use crate::{Error, Result};

/// Does all that the command line asks for.
///
/// # Errors
///
/// Any [`Error`]; those of input come before the run, and before any output file is touched.
pub fn run(cli: &Cli) -> Result<()> {
    let settings = &cli.settings()?;
    cli.made()?;
    let meshes = cli.series.iter().flat_map(|series| (0..=cli.steps).map(|number| series.mesh(number)));
    let meshes: Vec<PathBuf> = meshes.collect();
    let outputs = cli.outputs().chain(meshes.iter().map(|path| ("--series", path.as_path())));
    file::check_all(cli.inputs(), outputs)?;
    settings.check_backend()?;
    let task = &during("mesh", || Task::new(cli.mesh()?, &cli.metric, cli.steps, cli.field))?;
    check_room(cli, task)?;
    if let Some(path) = &cli.write_mesh {
        task.mesh.write(path)?;
    }
    say(&introduction(cli, task)?)?;
    let plan = &cli.plan();
    let mut written = Vec::new();
    let mut show = |number: usize, mesh: &Mesh, metric: &Metric, field: Option<&Field>| {
        let series = cli.series.as_ref().zip(field);
        written.extend(series.map(|(series, field)| series.write(number, mesh, metric, field)));
    };
    show(0, &task.mesh, &task.metric(0), Some(&task.field));
    let run = &during("phases", || {
        run::run(task, plan, settings, &mut |step, state, metric| {
            show(step + 1, &state.mesh, metric, state.fields.first());
        })
    })?;
    let case = Case { task, metric: &cli.metric, plan, settings, run };
    written.push(say(&conclusion(&case)));
    // Files are written even if standard output has been closed.
    written.extend(write(cli, &case));
    Ok(file::all(written)?)
}

/// Fails if rounds of both phases would end beyond the facets that 32 bits number.
fn check_room(cli: &Cli, task: &Task) -> Result<()> {
    let facets = task.metric(0).facets(&task.mesh);
    if cli.phase != Phase::Loop || facets < f64::from(u32::MAX) {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "`--metric` asks for about {facets:.1e} facets, expected fewer than {}, as many as 32 bits number: take a metric that asks for \
         longer edges",
        u32::MAX
    )))
}

/// Writes all files, whatever became of one of them.
fn write(cli: &Cli, case: &Case) -> Vec<Result<(), file::Error>> {
    let Case { task, run, .. } = case;
    let Outcome { mesh, fields, .. } = &run.outcome;
    let metric = &task.metric(task.steps - 1);
    let loops = |path: &PathBuf| file::write_atomically(path, |out| out.write_all(run.report.to_svg().as_bytes()));
    let vtk = cli.vtk.as_ref().zip(fields.first());
    let files = [
        cli.dump_mesh.as_ref().map(|path| mesh.write(path)),
        cli.dump_metric.as_ref().map(|path| metric.write(path)),
        cli.report.as_ref().map(|path| output::report::write(path, case)),
        cli.plot.as_ref().map(|path| output::plot::write(path, case)),
        cli.loops_plot.as_ref().map(loops),
        vtk.map(|(path, field)| output::vtk::write(path, mesh, metric, field)),
        cli.series.as_ref().map(|series| series.write_list(task.steps)),
    ];
    files.into_iter().flatten().collect()
}

/// Shows the name of a stage while it lasts.
fn during<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let _shown = stage(name);
    work()
}

fn introduction(cli: &Cli, task: &Task) -> Result<String> {
    let mesh = match &cli.mesh {
        Some(path) => format!("`{}`", path.display()),
        None => format!("{} mesh", cli.made()?.0),
    };
    let phase = match cli.phase {
        Phase::Coarsen => "coarsening".to_owned(),
        Phase::Refine => "refinement".to_owned(),
        Phase::Loop => format!("coarsening and refinement in turn, {} rounds at most", cli.max_rounds),
    };
    let steps = if task.steps > 1 { format!(", {} times as it moves", task.steps) } else { String::new() };
    Ok(format!(
        "{mesh}: {} facets, {} vertices\nmetric {}: {phase}{steps}",
        task.mesh.facets.len(),
        task.mesh.vertices.len(),
        cli.metric
    ))
}

fn conclusion(case: &Case) -> String {
    let Run { outcome, steps, report, .. } = case.run;
    let Counts { sweeps, collapses, red, green, merged, split, .. } = outcome.counts;
    let Seconds { coarsen, refine } = outcome.seconds;
    let place = case.settings.backend.place(case.settings.threads);
    let mut lines = vec![String::new(), compared(case), String::new()];
    if case.plan.phase != Phase::Refine {
        lines.push(format!("coarsen on {place}: {coarsen:.3} s, {sweeps} sweeps, {collapses} collapses"));
    }
    if case.plan.phase != Phase::Coarsen {
        lines.push(format!(
            "refine on {place}: {refine:.3} s, {red} facets divided into four, {green} into two, {merged} pairs merged before, {split} \
             edges split"
        ));
    }
    if case.plan.phase == Phase::Loop {
        lines.push(rounds(steps));
    }
    if case.plan.check {
        lines.push("check passed: each phase left a mesh that has all it must have".to_owned());
    }
    lines.push(format!("\n{}", report.to_string().trim_end()));
    lines.join("\n")
}

/// A line on how the loop ended.
fn rounds(steps: &[Step]) -> String {
    let all: usize = steps.iter().map(|step| step.rounds).sum();
    let open = steps.iter().filter(|step| step.converged != Some(true)).count();
    match (steps.len(), open) {
        (1, 0) => format!("{all} rounds: converged, as the last one found nothing to do"),
        (times, 0) => format!("{all} rounds: converged at all {times} times, as the last one found nothing to do"),
        (1, _) => format!("{all} rounds: not converged, so `--max-rounds` ended it"),
        (times, _) => format!("{all} rounds: not converged at {open} of {times} times, so `--max-rounds` ended them"),
    }
}

/// A table of both meshes.
fn compared(case: &Case) -> String {
    let Run { outcome, before, after, field, .. } = case.run;
    let meshes = [&case.task.mesh, &outcome.mesh];
    let mut lines = vec![format!("{:24}  {:>12}  {:>12}", "", "before", "after")];
    let mut row =
        |name: &str, values: [String; 2]| lines.push(format!("{name:24}  {:>12}  {:>12}", values[0], values[1]));
    row("facets", meshes.map(|mesh| mesh.facets.len().to_string()));
    row("vertices", meshes.map(|mesh| mesh.vertices.len().to_string()));
    let both = [before, after];
    row("short edges", both.map(|quality| quality.short_edges.to_string()));
    row("long edges", both.map(|quality| quality.long_edges.to_string()));
    row("smallest angle", both.map(|quality| format!("{:.3}°", quality.smallest_angle)));
    row("quality, least", both.map(|quality| format!("{:.4}", quality.worst)));
    row("quality, mean", both.map(|quality| format!("{:.4}", quality.mean)));
    for bin in 0..BINS {
        let [from, to] = [bin, bin + 1].map(|n| n as f64 / BINS as f64);
        row(&format!("  {from:.1} to {to:.1}"), both.map(|quality: &Quality| quality.histogram[bin].to_string()));
    }
    row(&format!("integral of `{}`", case.task.field.name), field.map(|account| format!("{:.6}", account.integral)));
    lines.join("\n")
}
