//! The files that a run writes.

pub mod plot;
pub mod report;
pub mod vtk;

use op2::report::LoopRow;
use op2_apps::settings::Settings;

use crate::reference::Method;
use crate::run::Run;
use crate::task::Task;

/// A run with its task and settings.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// All that was given to the filter.
    pub task: &'a Task,
    /// How it was run.
    pub settings: &'a Settings,
    /// The outer loop.
    pub method: Method,
    /// The results.
    pub run: &'a Run,
}

/// The overlapped tiles of a run.
#[derive(Clone, Copy, Debug)]
pub struct Tiles {
    /// How many there are.
    pub count: usize,
    /// Bytes of the copies that they add to.
    pub copies_bytes: usize,
    /// The same over the bytes of the values.
    pub over_values: f64,
    /// The second pass, which adds the copies to the values, as a part of the loop's seconds.
    pub combine_share: f64,
}

impl Case<'_> {
    /// The method as command lines name it.
    pub fn method_name(&self) -> &'static str {
        match self.method {
            Method::PerPoint => "per-point",
            Method::PerElement => "per-element",
        }
    }

    /// Nanoseconds of grid and loop for each hit; 0 without hits.
    pub fn ns_per_hit(&self) -> f64 {
        part(1e9 * self.run.outcome.seconds, self.run.outcome.hits as f64)
    }

    /// Operations of the loop's row in the report over its seconds, in 1e9.
    pub fn gflop_per_s(&self) -> f64 {
        self.row().map_or(0.0, |row| part(row.flops as f64 / 1e9, row.seconds))
    }

    /// The overlapped tiles, if the loop ran by them.
    pub fn tiles(&self) -> Option<Tiles> {
        let row = self.row()?;
        let search = row.search.filter(|search| search.copies_bytes > 0)?;
        let values = size_of_val(self.run.outcome.values.as_slice());
        Some(Tiles {
            count: row.blocks,
            copies_bytes: search.copies_bytes,
            over_values: part(search.copies_bytes as f64, values as f64),
            combine_share: part(search.combine_seconds, row.seconds),
        })
    }

    fn row(&self) -> Option<&LoopRow> {
        self.run.report.loops.last()
    }
}

fn part(some: f64, whole: f64) -> f64 {
    if whole > 0.0 { some / whole } else { 0.0 }
}
