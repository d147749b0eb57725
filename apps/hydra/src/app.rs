//! From the command line to the files a run leaves.

use op2_apps::file;
use op2_apps::terminal::{progress, say};

use crate::Result;
use crate::cli::Cli;
use crate::mesh::{Mesh, Passage};
use crate::output::{self, Case};
use crate::solver::{self, Residual, Run, Settings};

/// About as many residuals are printed in a long run; in a short one all.
const PRINTED: usize = 20;

/// Does all that the command line asks for.
///
/// # Errors
///
/// Any [`Error`](crate::Error); those of input come before the run, and before any output file is touched.
pub fn run(cli: &Cli) -> Result<()> {
    let settings = cli.settings()?;
    file::check_all([], cli.outputs())?;
    settings.check_backend()?;
    let input = Passage::default().mesh(cli.cells.shape(), cli.bricks())?;
    let shuffled = cli.shuffle.map(|seed| input.shuffled(seed));
    let mesh = shuffled.as_ref().map_or(&input, |(mesh, _)| mesh);

    say(&introduction(mesh, &settings));
    let mut run = solve(mesh, &settings)?;
    say(&conclusion(&run));
    if let Some((_, renumbering)) = &shuffled {
        run = run.as_input(renumbering);
    }
    write_results(cli, &Case { mesh: &input, settings: &settings, run: &run })
}

fn solve(mesh: &Mesh, settings: &Settings) -> Result<Run> {
    let every = settings.iterations.div_ceil(PRINTED).max(1);
    let bar = progress(settings.iterations);
    let run = solver::run(mesh, settings, &mut |residual| {
        bar.inc(1);
        if residual.iteration.is_multiple_of(every) || residual.iteration == settings.iterations {
            bar.suspend(|| say(&line(residual)));
        }
    });
    bar.finish_and_clear();
    run
}

fn write_results(cli: &Cli, case: &Case) -> Result<()> {
    if let Some(path) = &cli.dump_q {
        output::dump::write(path, &case.run.q)?;
    }
    if let Some(path) = &cli.report {
        output::report::write(path, case)?;
    }
    if let Some(path) = &cli.plot {
        output::plot::write(path, &case.run.residuals)?;
    }
    if let (Some(path), Some(report)) = (&cli.loops, &case.run.report) {
        file::write_atomically(path, |out| out.write_all(report.to_svg().as_bytes()))?;
    }
    if let Some(path) = &cli.vtk {
        output::vtk::write(path, case.mesh, &case.run.q)?;
    }
    Ok(())
}

fn introduction(mesh: &Mesh, settings: &Settings) -> String {
    format!(
        "{} nodes, {} cells, {} edges, {} parts of the boundary; Mach {}, Reynolds {:e}; {} iterations on {}",
        mesh.nodes(),
        mesh.cells(),
        mesh.edges(),
        mesh.part_node.len(),
        settings.mach,
        settings.reynolds,
        settings.iterations,
        settings.backend.place(settings.threads),
    )
}

fn line(residual: &Residual) -> String {
    let Residual { iteration, rms, max_err, max_err_node } = residual;
    format!("{iteration}  {rms:.5e}, max err {max_err:.5e} at {max_err_node}")
}

fn conclusion(run: &Run) -> String {
    let reordering = run.reordering.as_ref().map(|account| format!("\n{account}\n"));
    let loops = run.report.as_ref().map(|report| format!("\n{}\n", report.to_string().trim_end()));
    reordering.unwrap_or_default() + &loops.unwrap_or_default() + &format!("time loop: {:.3} s", run.seconds)
}
