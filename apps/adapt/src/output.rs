//! The files that a run writes.

pub mod plot;
pub mod report;
pub mod series;
pub mod vtk;

use op2_apps::settings::Settings;

use crate::run::{Plan, Run};
use crate::task::{Asked, Task};

/// A run with its task and settings.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// All that was given to adaptivity.
    pub task: &'a Task,
    /// The metric as it was asked for.
    pub metric: &'a Asked,
    /// The phases that were run.
    pub plan: &'a Plan,
    /// How it was run.
    pub settings: &'a Settings,
    /// The results.
    pub run: &'a Run,
}
