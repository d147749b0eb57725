//! From the command line to the files that a run writes.

use op2_apps::file;
use op2_apps::terminal::{say, stage};

use crate::cli::Cli;
use crate::convergence;
use crate::output::{self, Case};
use crate::reference::{Method, Outcome};
use crate::run::{self, Run};
use crate::task::{Made, Task};
use crate::{Error, Result, filter, input};

/// Does all that the command line asks for.
///
/// # Errors
///
/// Any [`Error`]; those of input come before the run, and before any output file is touched.
pub fn run(cli: &Cli) -> Result<()> {
    let made = cli.made()?;
    file::check_all(cli.input.as_deref().map(|path| ("--input", path)), cli.outputs())?;
    cli.settings(made.triangles)?.check_backend()?;
    if cli.convergence {
        return convergence::print(&made, |triangles| cli.settings(triangles), cli.method.into());
    }
    let task = task(cli, &made)?;
    let unseen = task.per_triangle.is_none() || task.function.is_none();
    if cli.plot.is_some() && unseen {
        return Err(Error::Usage(
            "`--plot` draws errors, which are known where the points are those of `--points`, and with `--input` if `--function` states \
             the function: leave it out"
                .to_owned(),
        ));
    }
    filter::check(&task)?;
    let written = cli.write_input.as_deref().map(|path| input::write(path, &task.to_input(made.h)));
    say(&introduction(cli, &made, &task))?;
    if cli.filters() { filtered(cli, &task, written) } else { Ok(file::all(written)?) }
}

/// Filters, and writes all files; `written` is the outcome of an earlier one.
fn filtered(cli: &Cli, task: &Task, written: Option<Result<(), file::Error>>) -> Result<()> {
    let settings = &cli.settings(task.corners.len())?;
    let method = Method::from(cli.method);
    let run = &during("filter", || run::run(task, method, settings))?;
    let case = Case { task, settings, method, run };
    let mut said = say(&conclusion(&case));
    let mut checked = Ok(());
    if cli.check {
        match during("plain loops", || run::check(task, method, &run.outcome)) {
            Ok(line) => said = said.and_then(|()| say(&line)),
            Err(error) => checked = Err(error),
        }
    }
    // Files are written even if standard output has been closed.
    let files = [
        cli.dump.as_deref().map(|path| input::dump(path, &run.outcome.values)),
        cli.report.as_deref().map(|path| output::report::write(path, &case)),
        cli.plot.as_deref().map(|path| output::plot::write(path, &case)),
        cli.vtk.as_deref().map(|path| output::vtk::write(path, &case)),
    ];
    file::all(std::iter::once(said).chain(written).chain(files.into_iter().flatten()))?;
    checked
}

/// Shows the name of a stage while it lasts.
fn during<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let _shown = stage(name);
    work()
}

fn task(cli: &Cli, made: &Made) -> Result<Task> {
    let mut shown = None;
    let mut show = |name: &'static str| shown = Some(stage(name));
    match &cli.input {
        Some(path) => {
            show("input");
            Task::read(path, cli.boundary.into(), made.h, cli.function)
        }
        None => Task::made(made, &mut show),
    }
}

fn introduction(cli: &Cli, made: &Made, task: &Task) -> String {
    let kind = match &cli.input {
        Some(path) => format!("`{}`", path.display()),
        None => format!("{} mesh", made.kind),
    };
    let points = match task.per_triangle {
        Some(n) => format!("{} points, {n} in each triangle", task.points.len()),
        None => format!("{} points", task.points.len()),
    };
    let function = task.function.map(|function| format!(", from {function}")).unwrap_or_default();
    format!(
        "{kind}: {} triangles, {} vertices; {points}\nP = {}, h = {:.6}; u_h of degree {}{function}",
        task.corners.len(),
        task.mesh.vertices.len(),
        task.degree,
        task.h,
        task.solution.degree(),
    )
}

fn conclusion(case: &Case) -> String {
    let Run { outcome, errors, report } = case.run;
    let Outcome { tests, hits, seconds, .. } = outcome;
    let mut lines = vec![String::new()];
    if let Some([before, after]) = errors {
        lines.push(format!("{:12}  {:>9}  {:>9}", "error", "before", "after"));
        lines.push(format!("{:12}  {:9.3e}  {:9.3e}", "L2", before.l2(), after.l2()));
        lines.push(format!("{:12}  {:9.3e}  {:9.3e}\n", "L∞", before.greatest, after.greatest));
    }
    let method = case.method_name();
    let place = case.settings.backend.place(case.settings.threads);
    lines.push(format!(
        "{method} on {place}: {tests} tests, {hits} hits, {seconds:.3} s, {:.1} ns per hit",
        case.ns_per_hit()
    ));
    lines.push(format!(
        "{:.2} GFLOP/s: operations as op2 counts them in the kernel's text, for each pair whose boxes meet, the work in one cell of the \
         kernel, over the loop's seconds",
        case.gflop_per_s()
    ));
    if let Some(tiles) = case.tiles() {
        lines.push(format!(
            "{} tiles: copies of {:.3} MB, {:.2} times the values; second pass {:.2} % of the loop",
            tiles.count,
            tiles.copies_bytes as f64 / 1e6,
            tiles.over_values,
            100.0 * tiles.combine_share
        ));
    }
    lines.push(format!("\n{}", report.to_string().trim_end()));
    lines.join("\n")
}
