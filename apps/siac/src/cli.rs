//! The command line.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser as _};
use clap::{Parser, ValueEnum};
use op2::{Isa, Strategy};
use op2_apps::flags::Backend;
use op2_apps::options::{Executor, Verbosity};
use op2_apps::settings::Settings;
use op2_apps::terminal::EXIT_STATUS;

use crate::filter::MAX_SOLUTION_DEGREE;
use crate::mesh::{self, Kind};
use crate::reference::Method;
use crate::spline::MAX_DEGREE;
use crate::task::{Function, Made};
use crate::{Error, Result};

/// The mesh that is made unless the user asks for another; its run takes about a second on two cores.
pub const DEFAULT_MESH: (Kind, usize) = (Kind::Low, 16_000);

/// The most triangles of a mesh that is made: some 15 GB in a run.
pub const MAX_TRIANGLES: usize = 10_000_000;

/// The most devices that threads play.
const MAX_DEVICES: u64 = 1024;

/// Filters a discontinuous piecewise polynomial over a triangulation of the unit square by a SIAC kernel.
///
/// Without options, a mesh is made in memory, sin 2πx · sin 2πy is projected into linear polynomials on its triangles, and the
/// filter is evaluated at three points of each. Printed are the errors before and after, the cost, and a report on the loop.
///
/// A test is a pair of a point and a triangle that the grid proposes; a hit is a point and a periodic image of a triangle of which a
/// piece lies in the point's stencil.
#[derive(Clone, Debug, Parser)]
#[command(name = "siac", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub struct Cli {
    /// Where the loop runs.
    #[command(flatten)]
    pub executor: Executor,

    /// Make a mesh: `structured` of halved squares, or `low` or `high` of irregular triangles whose sizes vary little or much; with
    /// the number of triangles nearest to the one given that the kind allows [default: low 16000]
    #[arg(long, num_args = 2, allow_negative_numbers = true, value_names = ["KIND", "TRIANGLES"])]
    pub generate: Option<Vec<String>>,

    /// Decides where the vertices of irregular meshes lie; the same seed gives the same mesh
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,

    /// Degree P of the kernel's splines, 1 to 3 [default: 1]
    #[arg(long, value_name = "P", allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_DEGREE as u64))]
    pub degree: Option<usize>,

    /// Degree of u_h, 0 to 7 [default: P]
    #[arg(long, value_name = "D", allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_SOLUTION_DEGREE as u64))]
    pub solution_degree: Option<usize>,

    /// The function whose projection u_h is; with `--input` errors are told only if it is stated [default: sines]
    #[arg(long, value_enum, value_name = "NAME")]
    pub function: Option<Function>,

    /// Evaluation points of each triangle: those of a rule of quadrature, 3 or 6 [default: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = PossibleValuesParser::new(["3", "6"]).map(|n| if n == "3" { 3_usize } else { 6 }))]
    pub points: Option<usize>,

    /// Read mesh, u_h and points from a file with `xy`, `tri`, `k` (P), `exps`, `coef`, `points`, and optionally `h`
    #[arg(long, value_name = "FILE.json",
          conflicts_with_all = ["generate", "seed", "degree", "solution_degree", "points", "write_input", "convergence"])]
    pub input: Option<PathBuf>,

    /// Scale of the kernel [default: the longest edge of the mesh]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub h: Option<f64>,

    /// The boundary of the domain
    #[arg(long, value_enum, default_value_t = Boundary::Periodic)]
    pub boundary: Boundary,

    /// The outer loop
    #[arg(long, value_enum, default_value_t = Outer::PerElement)]
    pub method: Outer,

    /// Number of overlapped tiles for `--method per-element` on threads [default: chosen by op2]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_TRIANGLES as u64))]
    pub patches: Option<usize>,

    /// Divide the tiles among N devices that the threads play: each adds up its tiles by itself, then all exchange their sums [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_DEVICES))]
    pub devices: Option<usize>,

    /// The instructions by which several pairs go at once: `baseline`, `avx2` or `avx512`, or `scalar` for one pair at a time
    /// [default: what `OP2_ISA` says, or what is predicted]
    #[arg(long, value_name = "ISA")]
    pub isa: Option<Isa>,

    /// Compare values and hits with those of plain loops, which run on one thread
    #[arg(long)]
    pub check: bool,

    /// Print how errors converge on four meshes, each with four times the triangles of the one before; the last one is the mesh that
    /// `--generate` states. On structured meshes h is the side of the squares
    #[arg(long, conflicts_with_all = ["h", "check", "write_input", "dump", "report", "plot", "vtk"])]
    pub convergence: bool,

    /// Write the mesh that is made, with u_h and the points, for `--input`; nothing is filtered unless `--check` or another file asks
    /// for it
    #[arg(long, value_name = "FILE.json")]
    pub write_input: Option<PathBuf>,

    /// Write u* of each point, one per line with 17 significant digits, in the order of the input
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,

    /// Write times, errors, numbers of tests and hits, and the loop report
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,

    /// Draw the errors before and after; only where the function is known and the points are those of `--points`
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,

    /// Write u_h, u* and their errors for ParaView: means over the points of each triangle, or u* at points of any other kind
    #[arg(long, value_name = "FILE.vtu")]
    pub vtk: Option<PathBuf>,

    /// The log.
    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// The element over which the outer loop goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Outer {
    /// For each point, all triangles near its stencil
    PerPoint,
    /// For each triangle, all points whose stencil is near it
    PerElement,
}

impl From<Outer> for Method {
    fn from(outer: Outer) -> Method {
        match outer {
            Outer::PerPoint => Method::PerPoint,
            Outer::PerElement => Method::PerElement,
        }
    }
}

/// The boundary of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Boundary {
    /// Opposite sides of the unit square are one and the same
    Periodic,
    /// The domain ends at its border, where stencils are shifted into it
    OneSided,
}

impl From<Boundary> for mesh::Boundary {
    fn from(boundary: Boundary) -> mesh::Boundary {
        match boundary {
            Boundary::Periodic => mesh::Boundary::Periodic,
            Boundary::OneSided => mesh::Boundary::OneSided,
        }
    }
}

impl Cli {
    /// The settings of a run over `triangles` triangles.
    ///
    /// # Errors
    /// [`Error::Usage`] for options that say nothing to the backend or the method.
    pub fn settings(&self, triangles: usize) -> Result<Settings> {
        let backend = self.executor.backend;
        let threads = self.executor.threads().map_err(Error::Usage)?;
        backend.allows_isa(self.isa).map_err(Error::Usage)?;
        let has_tiles = backend == Backend::Threads && self.method == Outer::PerElement;
        let flags = [("patches", self.patches), ("devices", self.devices)];
        if let Some((flag, n)) = flags.into_iter().find_map(|(flag, n)| Some((flag, n?))).filter(|_| !has_tiles) {
            return Err(Error::Usage(format!(
                "`--{flag} {n}` is for `--method per-element` with `--backend threads`, where triangles of several threads add to one \
                 point: leave it out"
            )));
        }
        let tiles = |n: usize| Strategy::tiles(triangles.div_ceil(n).max(1));
        let strategy = self.patches.map_or(Strategy::Predicted, tiles);
        let patch_devices = self.devices.unwrap_or(1);
        Ok(Settings { backend, threads, strategy, isa: self.isa, patch_devices, ..Settings::default() })
    }

    /// The task in memory.
    ///
    /// # Errors
    /// [`Error::Usage`] for a mesh that cannot be made.
    pub fn made(&self) -> Result<Made> {
        let (kind, triangles) = self.mesh()?;
        let degree = self.degree.unwrap_or(1);
        Ok(Made {
            kind,
            triangles,
            seed: self.seed,
            degree,
            solution_degree: self.solution_degree.unwrap_or(degree),
            points: self.points.unwrap_or(3),
            h: self.scale()?,
            boundary: self.boundary.into(),
            function: self.function.unwrap_or(Function::Sines),
        })
    }

    /// The scale of the kernel, if it is stated.
    ///
    /// # Errors
    /// [`Error::Usage`] unless it is a positive number.
    fn scale(&self) -> Result<Option<f64>> {
        match self.h {
            Some(h) if !(h.is_finite() && h > 0.0) => Err(Error::Usage(format!(
                "`--h` is {h}, expected a finite number above 0: leave it out for the longest edge of the mesh"
            ))),
            h => Ok(h),
        }
    }

    fn mesh(&self) -> Result<(Kind, usize)> {
        let Some([kind, triangles]) = self.generate.as_deref() else { return Ok(DEFAULT_MESH) };
        let found = Kind::ALL.into_iter().find(|known| known.name() == kind);
        let found = found.ok_or_else(|| {
            Error::Usage(format!("`--generate` has the kind `{kind}`, expected `structured`, `low` or `high`"))
        })?;
        let number = triangles.parse().ok().filter(|n| (2..=MAX_TRIANGLES).contains(n));
        let number = number.ok_or_else(|| {
            Error::Usage(format!(
                "`--generate {kind}` has `{triangles}` triangles, expected a number from 2 to {MAX_TRIANGLES}"
            ))
        })?;
        Ok((found, number))
    }

    /// Whether the filter is to be applied: `--write-input` alone only makes a file.
    pub fn filters(&self) -> bool {
        self.write_input.is_none() || self.check || self.outputs().count() > 1
    }

    /// The files that the run writes, each with the option that asks for it.
    pub fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("--write-input", &self.write_input),
            ("--dump", &self.dump),
            ("--report", &self.report),
            ("--plot", &self.plot),
            ("--vtk", &self.vtk),
        ];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
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
    fn the_help_names_true_numbers() {
        let help = Cli::command().render_help().to_string();
        let (kind, triangles) = DEFAULT_MESH;
        assert!(help.contains(&format!("[default: {kind} {triangles}]")), "{help}");
        assert!(help.contains(&format!("Degree of u_h, 0 to {MAX_SOLUTION_DEGREE}")), "{help}");
        assert!(help.contains(&format!("splines, 1 to {MAX_DEGREE}")), "{help}");
    }
}
