//! The command line.

use std::path::{Path, PathBuf};

use clap::Parser;
use clap::builder::RangedU64ValueParser;
use op2_apps::options::{Executor, Loops, Verbosity, worded};
use op2_apps::settings::Settings;
use op2_apps::terminal::EXIT_STATUS;

use crate::field::Function;
use crate::mesh::{Kind, MOST_FACETS, Mesh};
use crate::output::series::Series;
use crate::run::{Phase, Plan};
use crate::task::Asked;
use crate::{Error, Result};

/// The mesh that is made unless the user asks for another; its run takes about a second on two cores.
pub const DEFAULT_MESH: (Kind, usize) = (Kind::Jittered, 20_000);

/// The most rounds of both phases, and the most times of a metric that moves.
const MOST: u64 = 1000;

/// Words of help texts that depend on the app.
const WORDS: [(&str, &str); 2] = [("an element", "a vertex"), ("loop", "choose")];

/// Adapts a triangulation to a metric: edges shorter than √2/2 in it collapse, and facets with edges longer than √2 are divided.
///
/// Without options, a mesh is made in memory and follows a shock front. Printed are quality before and after, the cost, and a report on
/// the loops.
#[derive(Clone, Debug, Parser)]
#[command(name = "adapt", version, max_term_width = 100, after_help = EXIT_STATUS,
          mut_args(|option| worded(option, &WORDS)))]
pub struct Cli {
    /// The backend that executes the loops.
    #[command(flatten)]
    pub executor: Executor,

    /// The phases to run
    #[arg(long, value_enum, default_value_t = Phase::Loop)]
    pub phase: Phase,

    /// The most rounds of `--phase loop`, each of which coarsens and refines
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST))]
    pub max_rounds: usize,

    /// Make a mesh with about that many facets, of the unit square: `structured`, `jittered` or `random`, or, with holes in it,
    /// `structured-holes` or `random-holes` [default: jittered 20000]
    #[arg(long, num_args = 2, allow_negative_numbers = true, value_names = ["KIND", "FACETS"])]
    pub generate: Option<Vec<String>>,

    /// Decides all that is random of a mesh that is made; the same seed gives the same mesh
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,

    /// Read the mesh from a text file: a line `vertices facets`, then x y of each vertex, then the three vertices of each facet, counted
    /// from 0, counter-clockwise
    #[arg(long, value_name = "FILE", conflicts_with_all = ["generate", "seed"])]
    pub mesh: Option<PathBuf>,

    /// Renumber vertices and facets at random before the run; the same seed gives the same numbering
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    pub shuffle: Option<u64>,

    /// The metric: `uniform:S`, `shock:S` (a front), `layer:S` (at a wall) or `moving:S` (a ring that grows in time), which ask for about S²
    /// times as many facets as the mesh has; or a text file: a line `nx ny`, then m00 m01 m11 of each node of a regular grid over the
    /// mesh, x fastest
    #[arg(long, value_name = "PRESET|FILE", default_value = "shock:1", allow_hyphen_values = true)]
    pub metric: Asked,

    /// Adapt the mesh again and again, N times in all, as `--metric moving` goes on
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST))]
    pub steps: usize,

    /// The function whose values at vertices follow the mesh
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Function::Wave)]
    pub field: Function,

    /// Check the mesh after each phase by plain loops, which run on one thread
    #[arg(long)]
    pub check: bool,

    /// How loops run.
    #[command(flatten)]
    pub loops: Loops,

    /// Write the mesh that is run on, renumbered if `--shuffle` is given, as a text file for `--mesh`
    #[arg(long, value_name = "FILE")]
    pub write_mesh: Option<PathBuf>,

    /// Write the adapted mesh as a text file for `--mesh`, with 17 significant digits
    #[arg(long, value_name = "FILE")]
    pub dump_mesh: Option<PathBuf>,

    /// Write the metric, at its last time, as a text file for `--metric`
    #[arg(long, value_name = "FILE")]
    pub dump_metric: Option<PathBuf>,

    /// Write times, counts, quality and the loop report
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,

    /// Draw the mesh before and after; of large ones the sizes of facets alone
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,

    /// Draw what each loop took and which share of the machine's bandwidth it had
    #[arg(long = "loops", value_name = "FILE.svg")]
    pub loops_plot: Option<PathBuf>,

    /// Write the adapted mesh for ParaView: the field, the metric, and the quality of facets
    #[arg(long, value_name = "FILE.vtu")]
    pub vtk: Option<PathBuf>,

    /// Write a series of meshes for ParaView, the first one and that of each time, into `FILE-0.vtu`, `FILE-1.vtu`, …, with their list in
    /// FILE.pvd
    #[arg(long, value_name = "FILE.pvd")]
    pub series: Option<Series>,

    /// The log.
    #[command(flatten)]
    pub verbosity: Verbosity,
}

impl Cli {
    /// The settings of a run.
    ///
    /// # Errors
    /// [`Error::Usage`] for options that say nothing to the backend.
    pub fn settings(&self) -> Result<Settings> {
        Settings::of(&self.executor, &self.loops, 1).map_err(Error::Usage)
    }

    /// The phases at each time.
    pub fn plan(&self) -> Plan {
        Plan { phase: self.phase, max_rounds: self.max_rounds, check: self.check }
    }

    /// The mesh in memory or from its file.
    ///
    /// # Errors
    /// [`Error::Usage`] for a mesh that cannot be made, [`Error::Text`] for a file without a mesh that can be adapted.
    pub fn mesh(&self) -> Result<Mesh> {
        let mesh = match &self.mesh {
            Some(path) => Mesh::read(path)?,
            None => {
                let (kind, facets) = self.made()?;
                kind.mesh(facets, self.seed)?
            }
        };
        Ok(match self.shuffle {
            Some(seed) => mesh.shuffled(seed),
            None => mesh,
        })
    }

    /// The kind of the mesh to make and its number of facets, if none is read.
    ///
    /// # Errors
    /// [`Error::Usage`] for a mesh that cannot be made.
    pub fn made(&self) -> Result<(Kind, usize)> {
        let Some([kind, facets]) = self.generate.as_deref() else { return Ok(DEFAULT_MESH) };
        let found = Kind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(|| {
            let names = Kind::ALL.map(|kind| format!("`{kind}`")).join(", ");
            Error::Usage(format!("`--generate` has the kind `{kind}`, expected one of {names}"))
        })?;
        let valid = found.least_facets()..=MOST_FACETS;
        let number = facets.parse().ok().filter(|number| valid.contains(number)).ok_or_else(|| {
            let (least, most) = (valid.start(), valid.end());
            Error::Usage(format!("`--generate {kind}` has `{facets}` facets, expected a number from {least} to {most}"))
        })?;
        Ok((found, number))
    }

    /// The files that the run reads, each with its option.
    pub fn inputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--mesh", self.mesh.as_deref()), ("--metric", self.metric.file())];
        files.into_iter().filter_map(|(option, path)| Some((option, path?)))
    }

    /// The files that the run writes, each with the option that asks for it; of a series, the list.
    pub fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("--write-mesh", &self.write_mesh),
            ("--dump-mesh", &self.dump_mesh),
            ("--dump-metric", &self.dump_metric),
            ("--report", &self.report),
            ("--plot", &self.plot),
            ("--loops", &self.loops_plot),
            ("--vtk", &self.vtk),
        ];
        let series = self.series.as_ref().map(|series| ("--series", series.list()));
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).chain(series)
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
    fn the_help_names_what_there_is() {
        let help = Cli::command().render_help().to_string();
        let (kind, facets) = DEFAULT_MESH;
        assert!(help.contains(&format!("[default: {kind} {facets}]")), "{help}");
        for name in Kind::ALL.map(Kind::name) {
            assert!(help.contains(&format!("`{name}`")), "{name}: {help}");
        }
        for name in crate::metric::Kind::ALL.map(crate::metric::Kind::name) {
            assert!(help.contains(&format!("`{name}:S`")), "{name}: {help}");
        }
    }
}
