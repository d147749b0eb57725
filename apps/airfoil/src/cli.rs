//! The command line.

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Parser, value_parser};
use op2::{Isa, Ordering, Strategies, cuda};
use op2_apps::flags::{MAX_ITERATIONS, MAX_THREADS};
use op2_apps::terminal::EXIT_STATUS;

pub use op2_apps::flags::{Backend, Layout, Precision};

use crate::solver::Settings;
use crate::{Error, Result};

/// Size of the mesh that is generated unless the user asks for another; its run takes a few seconds on two cores.
pub const DEFAULT_SIZE: [u32; 2] = [100, 150];

/// Computes the flow around a NACA0012 profile, the airfoil mini-app of OP2.
///
/// Without options, a mesh is generated in memory, the residual is printed every 100 iterations, and a report on the
/// loops at the end.
#[derive(Clone, Debug, Parser)]
#[command(name = "airfoil", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub struct Cli {
    /// What executes the loops
    #[arg(long, value_enum, default_value_t = Backend::Threads)]
    pub backend: Backend,

    /// Number of threads [default: as many as the machine has cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS))]
    pub threads: Option<usize>,

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

    /// Arithmetic of the solver
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    pub precision: Precision,

    /// Layout of data with several components: all of an element together, or all of a component
    #[arg(long, value_enum, default_value_t = Layout::Aos)]
    pub layout: Layout,

    /// Renumber the mesh inside op2, for locality: `none`, `rcm`, `gps`, `hilbert` or `metis:N` for blocks of N edges. What
    /// is read and written keeps its numbering
    #[arg(long, default_value = "none", value_name = "ORDERING")]
    pub reorder: Ordering,

    /// How races between elements are resolved: `predicted`, `auto` (measured, then remembered), or `blocks:N`, `colours:N`,
    /// `scatter:N`, `tiles:N`, `owner:N` or `split:N:S`, and on GPUs `atomics:N`, `block-atomics:N`, `split-atomics:N:S` or
    /// `split-block-atomics:N:S`, with blocks of N elements and S stages; for single loops as in `res_calc=tiles:4096,auto`
    /// [default: what `OP2_STRATEGY` says, or predicted]
    #[arg(long, value_name = "[LOOP=]STRATEGY,…")]
    pub strategy: Option<Strategies>,

    /// The instructions by which loops take several elements at once on the CPU: `baseline`, `avx2` or `avx512`, or `scalar` for one
    /// element at a time [default: what `OP2_ISA` says, or the widest on threads and `scalar` with `--backend seq`]
    #[arg(long, value_name = "ISA")]
    pub isa: Option<Isa>,

    /// Let `--backend cuda-emu` run without checking every access, some three times as fast
    #[arg(long)]
    pub unchecked: bool,

    /// Write the mesh that is run on, renumbered if `--shuffle` is given, as a `new_grid.dat` text file
    #[arg(long, value_name = "FILE")]
    pub write_mesh: Option<PathBuf>,

    /// Write times, residuals and the loop report
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,

    /// Write the solution, one cell per line with 17 significant digits, in the numbering of the input
    #[arg(long, value_name = "FILE")]
    pub dump_q: Option<PathBuf>,

    /// Draw the history of the residual
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,

    /// Draw what each loop took and which share of the machine's bandwidth it had
    #[arg(long, value_name = "FILE.svg")]
    pub loops: Option<PathBuf>,

    /// Write the solution for ParaView: density, velocity, pressure and Mach number, in the numbering of the input
    #[arg(long, value_name = "FILE.vtu")]
    pub vtk: Option<PathBuf>,
}

impl Cli {
    /// The settings of the run.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for options that say nothing to the backend.
    pub fn settings(&self) -> Result<Settings> {
        let threads = self.backend.threads(self.threads).map_err(Error::Usage)?;
        self.backend.allows_unchecked(self.unchecked).map_err(Error::Usage)?;
        self.backend.allows_isa(self.isa).map_err(Error::Usage)?;
        Ok(Settings {
            backend: self.backend,
            threads,
            iterations: self.iters,
            precision: self.precision,
            layout: self.layout,
            ordering: self.reorder,
            strategies: self.strategy.clone().unwrap_or_default(),
            isa: self.isa,
            emulator: cuda::Options { checks: !self.unchecked, ..Default::default() },
            ..Settings::default()
        })
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
        let files = [
            ("--write-mesh", &self.write_mesh),
            ("--report", &self.report),
            ("--dump-q", &self.dump_q),
            ("--plot", &self.plot),
            ("--loops", &self.loops),
            ("--vtk", &self.vtk),
        ];
        files.into_iter().filter_map(|(option, path)| path.as_deref().map(|p| (option, p)))
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
