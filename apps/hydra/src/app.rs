//! From the command line to the files that a run writes.

use op2_apps::file;
use op2_apps::run::{Writers, watched};
use op2_apps::terminal::say;

use crate::Result;
use crate::cli::Cli;
use crate::mesh::{Mesh, Passage};
use crate::output::{self, Case};
use crate::solver::{self, Residual, Settings};

/// About this many residuals are printed in a long run; a short one prints all.
const PRINTED: usize = 20;

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
        None => Passage::default().mesh(cli.cells.shape(), cli.bricks()?)?,
    };
    let shuffled = cli.shuffle.map(|seed| input.shuffled(seed));
    let mesh = shuffled.as_ref().map_or(&input, |(mesh, _)| mesh);
    if let Some(path) = &cli.write_mesh {
        mesh.write(path)?;
    }

    say(&introduction(mesh, &settings))?;
    let every = settings.iterations.div_ceil(PRINTED).max(1);
    let mut run = watched(settings.iterations, every, line, |progress| solver::run(mesh, &settings, progress))?;
    let said = say(&run.conclusion());
    if let Some((_, renumbering)) = &shuffled {
        run = solver::as_input(run, renumbering);
    }
    let case = Case { mesh: &input, settings: &settings, run: &run };
    // Files are written even if standard output has been closed.
    let writers = Writers {
        report: &|path| output::report::write(path, &case),
        plot: &|path| output::plot::write(path, &run.residuals),
        vtk: &|path| output::vtk::write(path, &input, &run.q),
    };
    Ok(file::all(std::iter::once(said).chain(run.write(&cli.outputs, &writers)))?)
}

fn introduction(mesh: &Mesh, settings: &Settings) -> String {
    format!(
        "{} nodes, {} cells, {} edges, {} parts of the boundary; Mach {}, Reynolds {:e}; {} iterations on {}",
        mesh.nodes(),
        mesh.cells(),
        mesh.edges(),
        mesh.parts(),
        settings.case.mach,
        settings.case.reynolds,
        settings.iterations,
        settings.backend.place(settings.threads),
    )
}

fn line(residual: &Residual) -> String {
    let Residual { iteration, rms, max_err, max_err_node } = residual;
    format!("{iteration}  {rms:.5e}, max err {max_err:.5e} at {max_err_node}")
}
