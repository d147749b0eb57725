//! The report of a run as JSON.

use std::path::Path;

use op2::{Ordering, Reordering};
use op2_apps::file::{self, write_atomically};
use op2_apps::flags::{Backend, Layout, Precision};
use serde::Serialize;

use super::Case;
use crate::solver::Residual;

/// The fields of the report, in this order.
#[derive(Debug, Serialize)]
struct Report<'a> {
    app: &'static str,
    backend: Backend,
    threads: usize,
    precision: Precision,
    layout: Layout,
    ordering: Ordering,
    strategy: String,
    mach: f64,
    reynolds: f64,
    nodes: usize,
    cells: usize,
    edges: usize,
    boundary_parts: usize,
    iterations: usize,
    /// The time loop alone.
    seconds: f64,
    /// New numbers for the mesh, before the time loop.
    seconds_reordering: f64,
    triad_gb_per_s: f64,
    reordering: Option<&'a Reordering>,
    loops: &'a [op2::report::LoopRow],
    residuals: &'a [Residual],
}

/// Writes the report of `case` to `path`. Numbers are written such that they are read back exactly.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, case: &Case) -> Result<(), file::Error> {
    let Case { mesh, settings, run } = case;
    let report = Report {
        app: "hydra",
        backend: settings.backend,
        threads: settings.threads,
        precision: settings.precision,
        layout: settings.layout,
        ordering: settings.ordering,
        strategy: settings.strategy.to_string(),
        mach: settings.case.mach,
        reynolds: settings.case.reynolds,
        nodes: mesh.nodes(),
        cells: mesh.cells(),
        edges: mesh.edges(),
        boundary_parts: mesh.part_node.len(),
        iterations: settings.iterations,
        seconds: run.seconds,
        seconds_reordering: run.report.as_ref().map_or(0.0, |r| r.ordering_seconds),
        triad_gb_per_s: run.report.as_ref().map_or(0.0, |r| r.triad_gb_per_s),
        reordering: run.reordering.as_ref(),
        loops: run.report.as_ref().map_or(&[], |r| &r.loops),
        residuals: &run.residuals,
    };
    write_atomically(path, |out| {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)
    })
}
