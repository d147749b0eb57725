//! The task of a run: a mesh, a metric that may move in time, and a field.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::field::Function;
use crate::mesh::Mesh;
use crate::metric::{self, Frame, Metric, Preset};
use crate::outcome::Field;
use crate::{Error, Result};

/// The metric that a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// One that is made.
    Preset(Preset),
    /// The values in a file.
    File(PathBuf),
}

impl FromStr for Asked {
    type Err = String;

    /// A preset if the part before the first colon is the name of one, otherwise a file.
    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.split_once(':').map_or(text, |(name, _)| name);
        match metric::Kind::ALL.iter().any(|kind| kind.name() == name) {
            true => text.parse().map(Self::Preset),
            false => Ok(Self::File(text.into())),
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preset(preset) => preset.fmt(f),
            Self::File(path) => write!(f, "`{}`", path.display()),
        }
    }
}

impl Asked {
    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Preset(_) => None,
        }
    }
}

/// All that adaptivity takes.
#[derive(Clone, Debug)]
pub struct Task {
    /// The mesh.
    pub mesh: Mesh,
    /// The metric, at any time.
    metric: Source,
    /// How many times the mesh is adapted, at least once.
    pub steps: usize,
    /// The field on the mesh.
    pub field: Field,
}

#[derive(Clone, Debug)]
enum Source {
    Still(Metric),
    Made(Preset, Frame),
}

impl Task {
    /// Makes or reads the metric for a mesh, and the function's values on it.
    ///
    /// # Errors
    /// [`Error::Text`] for a file that cannot be read, [`Error::Mesh`] for a metric that no mesh can follow, [`Error::Usage`] for
    /// several steps with a metric that stands still.
    pub fn new(mesh: Mesh, asked: &Asked, steps: usize, function: Function) -> Result<Self> {
        let metric = match asked {
            Asked::Preset(preset) => Source::Made(*preset, Frame::of(&mesh)),
            Asked::File(path) => Source::Still(read(path, &mesh)?),
        };
        let moves = matches!(asked, Asked::Preset(Preset { kind: metric::Kind::Moving, .. }));
        if steps > 1 && !moves {
            return Err(Error::Usage(format!(
                "`--steps {steps}` is for `--metric moving`, which changes in time, found `--metric {}`: leave it out",
                asked.file().map_or_else(|| asked.to_string(), |path| path.display().to_string())
            )));
        }
        let task = Self { field: function.on(&mesh), mesh, metric, steps };
        task.metric(0).check()?;
        Ok(task)
    }

    /// The time of a step: from 0 to 1, or 0 if there is only one.
    pub fn time(&self, step: usize) -> f64 {
        step as f64 / (self.steps.max(2) - 1) as f64
    }

    /// The metric that a step follows.
    pub fn metric(&self, step: usize) -> Cow<'_, Metric> {
        match &self.metric {
            Source::Still(metric) => Cow::Borrowed(metric),
            Source::Made(preset, frame) => Cow::Owned(preset.metric(frame, self.time(step))),
        }
    }
}

fn read(path: &Path, mesh: &Mesh) -> Result<Metric> {
    if !path.exists() {
        let names: Vec<String> = metric::Kind::ALL.iter().map(|kind| format!("`{kind}:S`")).collect();
        return Err(Error::Usage(format!(
            "`--metric {}` is no file, expected one, or a metric that is made: {}",
            path.display(),
            names.join(", ")
        )));
    }
    Ok(Metric::read(path, mesh)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Kind;

    #[test]
    fn presets_are_told_from_files() {
        let asked = |text: &str| text.parse::<Asked>();
        assert_eq!(asked("uniform:0.35").unwrap().to_string(), "uniform:0.35");
        assert_eq!(asked("./uniform").unwrap(), Asked::File("./uniform".into()));
        assert_eq!(asked("c:metric").unwrap().file(), Some(Path::new("c:metric")));
        assert_eq!(asked("shock:0").unwrap_err(), "`shock` has the scale `0`, expected a number from 0.001 to 1000");
    }

    #[test]
    fn steps_go_from_the_first_time_to_the_last() {
        let task = |metric: &str, steps| {
            Task::new(Kind::Structured.mesh(50, 0).unwrap(), &metric.parse().unwrap(), steps, Function::Plane)
        };
        let moving = task("moving", 5).unwrap();
        assert_eq!([0, 1, 4].map(|step| moving.time(step)), [0.0, 0.25, 1.0]);
        assert!(moving.metric(0) != moving.metric(4));
        assert_eq!(task("moving", 1).unwrap().time(0), 0.0);
        let said = task("layer:2", 3).unwrap_err().to_string();
        assert_eq!(
            said,
            "`--steps 3` is for `--metric moving`, which changes in time, found `--metric layer:2`: leave it out"
        );
        assert!(task("none", 1).unwrap_err().to_string().starts_with("`--metric none` is no file, expected one, or a"));
    }
}
