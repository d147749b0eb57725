//! The report of a run as JSON.

use std::path::Path;

use op2_apps::file::{self, write_atomically};
use op2_apps::flags::Backend;
use serde::Serialize;

use super::Case;
use crate::mesh::Boundary;

/// The fields of the report, in this order.
#[derive(Debug, Serialize)]
struct Report<'a> {
    app: &'static str,
    backend: Backend,
    threads: usize,
    method: &'static str,
    boundary: &'static str,
    degree: usize,
    solution_degree: usize,
    triangles: usize,
    points: usize,
    h: f64,
    /// Grid and both passes, without mesh, projection and output.
    seconds: f64,
    tests: u64,
    hits: u64,
    ns_per_hit: f64,
    gflop_per_s: f64,
    #[serde(flatten)]
    tiles: Option<Tiles>,
    #[serde(flatten)]
    errors: Option<Errors>,
    triad_gb_per_s: f64,
    loops: &'a [op2::report::LoopRow],
}

#[derive(Debug, Serialize)]
struct Tiles {
    patches: usize,
    copies_bytes: usize,
    copies_over_values: f64,
}

#[derive(Debug, Serialize)]
struct Errors {
    l2_before: f64,
    l2_after: f64,
    linf_before: f64,
    linf_after: f64,
}

/// Writes the report of `case` to `path`. Numbers are written such that they are read back exactly.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, case: &Case) -> Result<(), file::Error> {
    let Case { task, settings, run, .. } = case;
    let tiles = case.tiles().map(|tiles| Tiles {
        patches: tiles.count,
        copies_bytes: tiles.copies_bytes,
        copies_over_values: tiles.over_values,
    });
    let errors = run.errors.map(|[before, after]| Errors {
        l2_before: before.l2(),
        l2_after: after.l2(),
        linf_before: before.greatest,
        linf_after: after.greatest,
    });
    let report = Report {
        app: "siac",
        backend: settings.backend,
        threads: settings.threads,
        method: case.method_name(),
        boundary: match task.boundary {
            Boundary::Periodic => "periodic",
            Boundary::OneSided => "one-sided",
        },
        degree: task.degree,
        solution_degree: task.solution.degree(),
        triangles: task.corners.len(),
        points: task.points.len(),
        h: task.h,
        seconds: run.outcome.seconds,
        tests: run.outcome.tests,
        hits: run.outcome.hits,
        ns_per_hit: case.ns_per_hit(),
        gflop_per_s: case.gflop_per_s(),
        tiles,
        errors,
        triad_gb_per_s: run.report.triad_gb_per_s,
        loops: &run.report.loops,
    };
    write_atomically(path, |out| {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)
    })
}
