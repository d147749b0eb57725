//! The calls that an iteration makes to the driver, counted by a stand-in for it, which runs nothing. Needs a C compiler.

use airfoil::mesh::Mesh;
use airfoil::solver::{Airfoil, Settings};
use op2_apps::flags::Backend;
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Names the file to which the stand-ins write calls; set in the process that makes them.
const TRACE: &str = "FAKE_TRACE";
const ITERATIONS: usize = 40;

/// A library of the stand-in with this name.
fn built(name: &str, flags: &[&str], folder: &Path) -> std::path::PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../op2-device/tests/gpu");
    let library = folder.join(format!("{name}.so"));
    let mut compiler = Command::new(env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    compiler.args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-pthread", "-o"]).arg(&library);
    let status = compiler.arg(sources.join(name).with_extension("c")).args(flags).status();
    assert!(status.expect("the stand-ins need a C compiler").success());
    library
}

/// Runs iterations, and notes their ends among the calls.
fn iterate(trace: &Path) {
    let mesh = Mesh::naca0012(10, 14).unwrap();
    let mut flow = Airfoil::<f64>::new(&mesh, &Settings { backend: Backend::Cuda, ..Settings::default() }).unwrap();
    for iteration in 1..=ITERATIONS {
        // Nothing is computed, so that the residual is no number.
        let _ = flow.iterate(iteration);
        writeln!(OpenOptions::new().append(true).open(trace).unwrap(), "iteration").unwrap();
    }
    let report = flow.op.report();
    assert!(report.loops.iter().all(|row| row.seconds > 0.0 && row.calls >= ITERATIONS as u64), "{report}");
}

/// How often each call is made in the last iteration.
fn calls(test: &str, flags: &[&str]) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let status = Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--test-threads=1"])
        .env(TRACE, &trace)
        .env("OP2_CUDA_DRIVER", built("driver", flags, folder.path()))
        .env("OP2_NVRTC", built("nvrtc", &[], folder.path()))
        .env("OP2_CACHE_DIR", folder.path().join("cache"))
        .status();
    assert!(status.unwrap().success());
    let text = fs::read_to_string(trace).unwrap();
    let iterations: Vec<&str> = text.split("iteration\n").collect();
    assert_eq!(iterations.len(), ITERATIONS + 1);
    let mut counts = BTreeMap::new();
    for call in iterations[ITERATIONS - 1].lines().filter_map(|line| line.split(' ').next()) {
        *counts.entry(call.to_owned()).or_default() += 1;
    }
    println!("{test}: {counts:?}");
    counts
}

fn check(test: &str, flags: &[&str], expected: &[(&str, usize)]) {
    if let Some(trace) = env::var_os(TRACE) {
        return iterate(Path::new(&trace));
    }
    let expected: BTreeMap<String, usize> = expected.iter().map(|(call, n)| ((*call).to_owned(), *n)).collect();
    assert_eq!(calls(test, flags), expected);
}

/// One graph with the launches of all loops, one copy of both results, and one wait for it.
#[test]
fn an_iteration_is_one_graph() {
    check("an_iteration_is_one_graph", &[], &[("copy", 1), ("start", 1), ("wait", 1)]);
}

/// An iteration has nine loops, each of which is one launch.
#[test]
fn without_graphs_each_launch_is_started() {
    check("without_graphs_each_launch_is_started", &["-DFAKE_OLD"], &[("copy", 1), ("launch", 9), ("wait", 1)]);
}
