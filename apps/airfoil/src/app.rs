//! From the command line to the files a run leaves.

use std::io;
use std::path::{Path, PathBuf};

use op2_apps::file;
use op2_apps::terminal::{progress, say};

use crate::Result;
use crate::cli::Cli;
use crate::mesh::Mesh;
use crate::output::{self, Case};
use crate::solver::{self, Residual, Run, Settings};

/// A residual is printed after as many iterations, and after the last one.
const PRINT_EVERY: usize = 100;

/// Does all that the command line asks for.
///
/// # Errors
///
/// Any [`Error`](crate::Error); those of input come before the run, and before any output file is touched.
pub fn run(cli: &Cli) -> Result<()> {
    let settings = cli.settings()?;
    file::check_all(cli.mesh.as_deref().map(|path| ("--mesh", path)), cli.outputs())?;
    settings.check_backend()?;
    let input = match &cli.mesh {
        Some(path) => Mesh::read(path)?,
        None => {
            let [i, j] = cli.mesh_size();
            Mesh::naca0012(i, j)?
        }
    };
    let shuffled = cli.shuffle.map(|seed| input.shuffled(seed));
    let mesh = shuffled.as_ref().map_or(&input, |(mesh, _)| mesh);
    if let Some(path) = &cli.write_mesh {
        mesh.write(path)?;
    }

    say(&introduction(mesh, &settings))?;
    let mut run = solve(mesh, &settings)?;
    let said = say(&conclusion(&run));
    if let Some((_, renumbering)) = &shuffled {
        run = run.as_input(renumbering);
    }
    // Files are still worth having where standard output has come to its end.
    let written = write_results(cli, &Case { mesh: &input, settings: &settings, run: &run });
    Ok(file::all(std::iter::once(said).chain(written))?)
}

fn solve(mesh: &Mesh, settings: &Settings) -> Result<Run> {
    let bar = progress(settings.iterations);
    let run = solver::run(mesh, settings, &mut |residual| {
        bar.inc(1);
        if residual.iteration % PRINT_EVERY == 0 || residual.iteration == settings.iterations {
            bar.suspend(|| say(&line(residual)))?;
        }
        Ok(())
    });
    bar.finish_and_clear();
    run
}

/// Tries all files, whatever became of those before.
fn write_results(cli: &Cli, case: &Case) -> Vec<Result<(), file::Error>> {
    let Case { mesh, run, .. } = case;
    let write = |path: &Option<PathBuf>, by: &dyn Fn(&Path) -> Result<(), file::Error>| path.as_deref().map(by);
    let loops = |path: &Path| {
        file::write_atomically(path, |out| {
            let report = run.report.as_ref().ok_or_else(|| io::Error::other("the run has no report of its loops"))?;
            out.write_all(report.to_svg().as_bytes())
        })
    };
    let written = [
        write(&cli.dump_q, &|path| output::dump::write(path, &run.q)),
        write(&cli.report, &|path| output::report::write(path, case)),
        write(&cli.plot, &|path| output::plot::write(path, &run.residuals)),
        write(&cli.loops, &loops),
        write(&cli.vtk, &|path| output::vtk::write(path, mesh, &run.q)),
    ];
    written.into_iter().flatten().collect()
}

fn introduction(mesh: &Mesh, settings: &Settings) -> String {
    let place = settings.backend.place(settings.threads);
    format!(
        "{} nodes, {} cells, {} edges, {} boundary edges; {} iterations on {place}",
        mesh.nodes(),
        mesh.cells(),
        mesh.edges(),
        mesh.boundary_edges(),
        settings.iterations,
    )
}

fn line(residual: &Residual) -> String {
    let Residual { iteration, rms, max_err, max_err_cell } = residual;
    format!("{iteration}  {rms:.5e}, max err {max_err:.5e} at {max_err_cell}")
}

fn conclusion(run: &Run) -> String {
    let reordering = run.reordering.as_ref().map(|account| format!("\n{account}\n"));
    let loops = run.report.as_ref().map(|report| format!("\n{}\n", report.to_string().trim_end()));
    reordering.unwrap_or_default() + &loops.unwrap_or_default() + &format!("time loop: {:.3} s", run.seconds)
}
