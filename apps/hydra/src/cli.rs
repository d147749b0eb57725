//! The command line.

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Parser, ValueEnum, value_parser};
use op2_apps::flags::{MAX_ITERATIONS, Precision};
use op2_apps::options::{Arithmetic, Executor, Loops, Outputs, Verbosity, worded};
use op2_apps::terminal::EXIT_STATUS;

use crate::mesh::Shape;
use crate::physics::Stream;
use crate::solver::Settings;
use crate::{Error, Result};

/// The most nodes of a mesh that is made: some 60 GB in a run.
pub const MAX_NODES: u64 = 50_000_000;

/// The app's words in the help of options that all apps have.
const WORDS: [(&str, &str); 4] = [
    ("an element", "a node"),
    ("loop", "iflux"),
    ("element", "node"),
    ("quantities", "density, velocity, pressure, Mach number and turbulence variable"),
];

/// Computes turbulent flow through a blade passage, in the shape of Rolls-Royce's HYDRA.
///
/// Without options, a mesh of 2.5 million edges is made in memory, the residual is printed after every iteration, and
/// a report on the loops at the end.
#[derive(Clone, Debug, Parser)]
#[command(name = "hydra", version, max_term_width = 100, after_help = EXIT_STATUS,
          mut_args(|option| worded(option, &WORDS)))]
pub struct Cli {
    /// The backend that executes the loops.
    #[command(flatten)]
    pub executor: Executor,

    /// Read the mesh from a text file, as `--write-mesh` writes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "cells"])]
    pub mesh: Option<PathBuf>,

    /// Shape of the cells
    #[arg(long, value_enum, default_value_t = Cells::Hexahedra)]
    pub cells: Cells,

    /// Bricks along the axis, round it, and from hub to casing; tetrahedra are six to a brick [default: 150 74 74 of
    /// hexahedra, 112 55 55 of tetrahedra]
    #[arg(long, num_args = 3, allow_negative_numbers = true, value_names = ["I", "J", "K"],
          value_parser = value_parser!(u32).range(1..))]
    pub size: Option<Vec<u32>>,

    /// Number of iterations, 0 or more
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_ITERATIONS))]
    pub iters: usize,

    /// Mach number of the inflow, above 0 and below 1
    #[arg(long, value_name = "M", default_value_t = Stream::default().mach, allow_negative_numbers = true)]
    pub mach: f64,

    /// Reynolds number of the inflow, with the chord
    #[arg(long, value_name = "RE", default_value_t = Stream::default().reynolds, allow_negative_numbers = true)]
    pub reynolds: f64,

    /// Renumber nodes and edges at random before the run; the same seed gives the same numbering
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    pub shuffle: Option<u64>,

    /// The arithmetic.
    #[command(flatten)]
    pub arithmetic: Arithmetic,

    /// How they run.
    #[command(flatten)]
    pub loops: Loops,

    /// Write the mesh that is run on, renumbered if `--shuffle` is given, as a text file for `--mesh`
    #[arg(long, value_name = "FILE")]
    pub write_mesh: Option<PathBuf>,

    /// Files with the results.
    #[command(flatten)]
    pub outputs: Outputs,

    /// The log.
    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// Shape of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cells {
    /// Hexahedra
    Hexahedra,
    /// Tetrahedra
    Tetrahedra,
}

impl Cells {
    /// As the mesh has it.
    pub fn shape(self) -> Shape {
        match self {
            Self::Hexahedra => Shape::Hexahedra,
            Self::Tetrahedra => Shape::Tetrahedra,
        }
    }

    /// Bricks of a mesh of about 2.5 million edges.
    pub fn default_size(self) -> [u32; 3] {
        match self {
            Self::Hexahedra => [150, 74, 74],
            Self::Tetrahedra => [112, 55, 55],
        }
    }
}

impl Cli {
    /// The settings of the run.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for options that say nothing to the backend, and numbers that no flow has.
    pub fn settings(&self) -> Result<Settings> {
        let settings = Settings::of(&self.executor, &self.loops, self.iters).map_err(Error::Usage)?;
        Ok(Settings { precision: self.arithmetic.precision, case: self.stream()?, ..settings })
    }

    fn stream(&self) -> Result<Stream> {
        let (mach, reynolds) = (self.mach, self.reynolds);
        if !(mach > 0.0 && mach < 1.0) {
            let expected = "expected a number above 0 and below 1: the inflow is subsonic";
            return Err(Error::Usage(format!("`--mach` is {mach}, {expected}")));
        }
        if reynolds.is_nan() || reynolds <= 0.0 {
            return Err(Error::Usage(format!(
                "`--reynolds` is {reynolds}, expected a number above 0: take `inf` for a gas without viscosity"
            )));
        }
        if !(mach / reynolds).is_finite() {
            return Err(Error::Usage(format!(
                "`--mach {mach}` over `--reynolds {reynolds}` is the viscosity, which is then too large for a number: take a \
                 greater Reynolds number"
            )));
        }
        let viscosity = mach / reynolds;
        if self.arithmetic.precision == Precision::F32 && viscosity > 0.0 && !(viscosity as f32).powi(4).is_normal() {
            return Err(Error::Usage(format!(
                "`--mach {mach}` over `--reynolds {reynolds}` is the viscosity, whose fourth power is no number in single \
                 precision: take another Reynolds number, or `--precision f64`"
            )));
        }
        Ok(Stream { mach, reynolds })
    }

    /// Bricks of the mesh.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if the mesh would have more than [`MAX_NODES`] nodes.
    pub fn bricks(&self) -> Result<[usize; 3]> {
        let bricks = match self.size.as_deref() {
            Some(&[i, j, k]) => [i, j, k],
            _ => self.cells.default_size(),
        };
        let nodes: u128 = bricks.iter().map(|&n| u128::from(n) + 1).product();
        if nodes > u128::from(MAX_NODES) {
            let [i, j, k] = bricks;
            return Err(Error::Usage(format!(
                "a mesh of size {i} × {j} × {k} has {nodes} nodes, expected at most {MAX_NODES}: choose a smaller size"
            )));
        }
        Ok(bricks.map(|n| n as usize))
    }

    /// The files that the run writes, each with the option that asks for it.
    pub fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let mesh = self.write_mesh.as_deref().map(|path| ("--write-mesh", path));
        mesh.into_iter().chain(self.outputs.files())
    }
}
