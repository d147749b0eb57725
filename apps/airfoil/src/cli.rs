//! The command line.

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Parser, value_parser};
use op2_apps::flags::MAX_ITERATIONS;
use op2_apps::options::{Arithmetic, Executor, Loops, Outputs, Verbosity, worded};
use op2_apps::settings::Settings;
use op2_apps::terminal::EXIT_STATUS;

use crate::{Error, Result};

/// Size of the mesh that is generated unless the user asks for another; its run takes a few seconds on two cores.
pub const DEFAULT_SIZE: [u32; 2] = [100, 150];

/// The app's words in the help of options that all apps have.
const WORDS: [(&str, &str); 4] = [
    ("an element", "an element"),
    ("loop", "res_calc"),
    ("element", "cell"),
    ("quantities", "density, velocity, pressure and Mach number"),
];

/// Computes the flow around a NACA0012 profile, the airfoil mini-app of OP2.
///
/// Without options, a mesh is generated in memory, the residual is printed every 100 iterations, and a report on the
/// loops at the end.
#[derive(Clone, Debug, Parser)]
#[command(name = "airfoil", version, max_term_width = 100, after_help = EXIT_STATUS,
          mut_args(|option| worded(option, &WORDS)))]
pub struct Cli {
    /// The backend that executes the loops.
    #[command(flatten)]
    pub executor: Executor,

    /// Read the mesh from a `new_grid.dat` text file
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub mesh: Option<PathBuf>,

    /// Generate a mesh of 3·I·J cells (400 600 is the standard mesh) [default: 100 150]
    #[arg(long, num_args = 2, allow_negative_numbers = true, value_names = ["I", "J"],
          value_parser = value_parser!(u32).range(1..))]
    pub size: Option<Vec<u32>>,

    /// Number of iterations, 0 or more
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_ITERATIONS))]
    pub iters: usize,

    /// Renumber nodes, cells and edges at random before the run; the same seed gives the same numbering
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    pub shuffle: Option<u64>,

    /// The arithmetic.
    #[command(flatten)]
    pub arithmetic: Arithmetic,

    /// How they run.
    #[command(flatten)]
    pub loops: Loops,

    /// Write the mesh that is run on, renumbered if `--shuffle` is given, as a `new_grid.dat` text file
    #[arg(long, value_name = "FILE")]
    pub write_mesh: Option<PathBuf>,

    /// Files with the results.
    #[command(flatten)]
    pub outputs: Outputs,

    /// The log.
    #[command(flatten)]
    pub verbosity: Verbosity,
}

impl Cli {
    /// The settings of the run.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for options that say nothing to the backend.
    pub fn settings(&self) -> Result<Settings> {
        let settings = Settings::of(&self.executor, &self.loops, self.iters).map_err(Error::Usage)?;
        Ok(Settings { precision: self.arithmetic.precision, ..settings })
    }

    /// The size of the mesh to generate, if none is read.
    pub fn mesh_size(&self) -> [u32; 2] {
        match self.size.as_deref() {
            Some(&[i, j]) => [i, j],
            _ => DEFAULT_SIZE,
        }
    }

    /// The files that the run writes, each with the option that asks for it.
    pub fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let mesh = self.write_mesh.as_deref().map(|path| ("--write-mesh", path));
        mesh.into_iter().chain(self.outputs.files())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_names_the_true_default_size() {
        let help = Cli::command().render_help().to_string();
        let [i, j] = DEFAULT_SIZE;
        assert!(help.contains(&format!("[default: {i} {j}]")), "{help}");
    }
}
