//! The airfoil loops on a GPU: each variant of the generated CUDA code, in both layouts and several block sizes, next to
//! the bandwidth of a copy in the same memory.
//!
//! `cargo bench -p op2-benches --bench gpu`, with `-- --json FILE` for programs, `-- --quick` for fewer
//! repetitions, `-- --tiny` for a tiny mesh, and `-- --emulator` to try the bench itself on that where there is no GPU (its times are
//! meaningless).
//! Without a GPU it says so and ends, with an error if `OP2_TEST_GPU` is set.
//!
//! The goals, on an H200 and 2,880,000 cells in double precision: `res_calc` in its best variant at 70 % of the copy or more,
//! the whole iteration at 80 % of its 784 bytes per cell over the copy, and less than 10 µs for a launch.
//! `scripts/gpu-validate` brings this bench to a machine with a GPU; its results belong into `benches/results/`.

use airfoil::mesh::Mesh;
use airfoil::solver::{Airfoil, Settings};
use op2::report::LoopRow;
use op2::{Report, Strategy, devices};
use op2_apps::file::write_atomically;
use op2_apps::flags::{Backend, Layout};
use op2_benches::{Outcome, quick};
use serde::Serialize;
use std::time::Instant;

/// A mesh of 2,880,000 cells.
const SIZE: [u32; 2] = [800, 1200];
/// A mesh on which the emulator runs the whole bench.
const TINY_SIZE: [u32; 2] = [10, 14];

/// Threads of a block.
const BLOCKS: [usize; 4] = [64, 128, 256, 512];

/// Bytes that an iteration moves at least, per cell: OP2's count for this app.
const ITERATION_BYTES: f64 = 784.0;
/// The same of one execution of `res_calc`.
const RES_CALC_BYTES: f64 = 152.0;

/// The shares of the copy that are the goals, and microseconds of a launch.
const RES_CALC_GOAL: f64 = 0.70;
const ITERATION_GOAL: f64 = 0.80;
const LAUNCH_GOAL: f64 = 10.0;

/// One loop in one form, or the whole iteration.
#[derive(Debug, Clone, Serialize)]
struct Row {
    name: String,
    /// The variant that was asked for, and the one that ran.
    strategy: String,
    ran: String,
    layout: Layout,
    /// Milliseconds of one execution.
    milliseconds: f64,
    /// Useful bytes per second, in 1e9.
    gb_per_s: f64,
    /// The same as a part of the copy.
    of_copy: f64,
    /// Milliseconds by the model of GPUs; none where it knows no such loop.
    model_milliseconds: Option<f64>,
}

/// All that was measured.
#[derive(Debug, Serialize)]
struct Results {
    device: String,
    cells: usize,
    copy_gb_per_s: f64,
    /// Microseconds that the host needs to launch a loop over 300 cells, without waiting for results.
    launch_microseconds: f64,
    rows: Vec<Row>,
}

fn main() -> Outcome {
    let flag = |name: &str| std::env::args().any(|arg| arg == name);
    let emulated = flag("--emulator");
    let backend = if emulated { Backend::CudaEmu } else { Backend::Cuda };
    let [i, j] = if emulated || flag("--tiny") { TINY_SIZE } else { SIZE };
    let mesh = Mesh::naca0012(i, j)?;
    let emulator = devices::Options { checks: false, ..Default::default() };
    let base = Settings { backend, emulator, ..Settings::default() };
    if let Err(reason) = Airfoil::<f64>::new(&Mesh::naca0012(4, 6)?, &base) {
        if std::env::var_os("OP2_TEST_GPU").is_some() {
            return Err(reason.into());
        }
        println!("skipped: {reason}");
        return Ok(());
    }
    let launch_microseconds = launch_microseconds(&base)?;
    let mut results = Results {
        device: String::new(),
        cells: mesh.cells(),
        copy_gb_per_s: 0.0,
        launch_microseconds,
        rows: Vec::new(),
    };
    for layout in [Layout::Aos, Layout::Soa] {
        for strategy in std::iter::once(Strategy::Predicted).chain(BLOCKS.into_iter().flat_map(strategies)) {
            measure(&mesh, &Settings { layout, strategy, ..base.clone() }, &mut results)?;
        }
    }
    results.print();
    let args: Vec<String> = std::env::args().collect();
    if let Some(path) = args.iter().position(|a| a == "--json").and_then(|at| args.get(at + 1)) {
        write_atomically(path.as_ref(), |out| Ok(serde_json::to_writer_pretty(out, &results)?))?;
    }
    Ok(())
}

fn strategies(block: usize) -> [Strategy; 8] {
    [
        Strategy::colours(block),
        Strategy::blocks(block),
        Strategy::atomics(block),
        Strategy::block_atomics(block),
        Strategy::scatter(block),
        Strategy::tiles(block),
        Strategy::owner(block),
        Strategy::targets(block),
    ]
}

/// Runs some iterations in one form and adds a row for each loop, and one for all.
fn measure(mesh: &Mesh, settings: &Settings, results: &mut Results) -> Outcome {
    let mut airfoil = Airfoil::<f64>::new(mesh, settings)?;
    for warming in 1..=3 {
        airfoil.iterate(warming)?;
    }
    airfoil.op.reset_report();
    let iterations = if quick() { 5 } else { 30 };
    for iteration in 1..=iterations {
        airfoil.iterate(iteration)?;
    }
    let report = airfoil.op.report();
    results.device.clone_from(&report.backend);
    results.copy_gb_per_s = results.copy_gb_per_s.max(report.triad_gb_per_s);
    let of_copy = |gb_per_s: f64| if report.triad_gb_per_s > 0.0 { gb_per_s / report.triad_gb_per_s } else { 0.0 };
    let row = |name: &str, ran: &str, seconds: f64, bytes: f64, model: Option<f64>| {
        let gb_per_s = bytes / seconds / 1e9;
        Row {
            name: name.to_owned(),
            strategy: settings.strategy.to_string(),
            ran: ran.to_owned(),
            layout: settings.layout,
            milliseconds: seconds * 1e3,
            gb_per_s,
            of_copy: of_copy(gb_per_s),
            model_milliseconds: model.map(|seconds| seconds * 1e3),
        }
    };
    for l in &report.loops {
        let calls = l.calls as f64;
        let bytes = l.useful_bytes as f64 / calls;
        results.rows.push(row(&l.name, &l.strategy, l.seconds / calls, bytes, l.estimated_seconds));
    }
    let all = seconds_of_all(&report) / iterations as f64;
    let of_loop = |l: &LoopRow| Some(l.estimated_seconds? * l.calls as f64 / iterations as f64);
    let model = report.loops.iter().map(of_loop).sum();
    results.rows.push(row("iteration", "", all, ITERATION_BYTES * mesh.cells() as f64, model));
    Ok(())
}

fn seconds_of_all(report: &Report) -> f64 {
    report.loops.iter().map(|l| l.seconds).sum()
}

/// Microseconds per call of a loop over 300 cells, without waiting for results.
fn launch_microseconds(base: &Settings) -> Outcome<f64> {
    let mut airfoil = Airfoil::<f64>::new(&Mesh::naca0012(10, 10)?, base)?;
    let calls = if quick() { 200 } else { 2000 };
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        airfoil.save_soln()?;
        let start = Instant::now();
        for _ in 0..calls {
            airfoil.save_soln()?;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(calls) * 1e6);
    }
    Ok(best)
}

impl Results {
    fn print(&self) {
        println!("{}, {} cells, f64, copy {:.0} GB/s", self.device, self.cells, self.copy_gb_per_s);
        println!();
        println!("| loop | asked for | ran | layout | ms | model, ms | GB/s | of copy |");
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for row in &self.rows {
            let Row { name, strategy, ran, layout, milliseconds, gb_per_s, of_copy, model_milliseconds } = row;
            let model = model_milliseconds.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.3}"));
            let of_copy = of_copy * 100.0;
            println!(
                "| {name} | {strategy} | {ran} | {layout:?} | {milliseconds:.3} | {model} | {gb_per_s:.0} | {of_copy:.0} % |"
            );
        }
        if self.copy_gb_per_s == 0.0 {
            println!("\nthe emulator's times say nothing: no goal is compared");
            return;
        }
        println!();
        let res_calc = self.best("res_calc", RES_CALC_BYTES);
        println!("{}", verdict("res_calc, share of the copy", res_calc, RES_CALC_GOAL, res_calc >= RES_CALC_GOAL));
        let iteration = self.best("iteration", ITERATION_BYTES);
        println!(
            "{}",
            verdict("iteration, share of the roofline", iteration, ITERATION_GOAL, iteration >= ITERATION_GOAL)
        );
        let launch = self.launch_microseconds;
        println!("{}", verdict("launch of a small loop, µs", launch, LAUNCH_GOAL, launch < LAUNCH_GOAL));
    }

    /// The greatest share of the copy that a loop reaches in any form, at `bytes` bytes per cell.
    fn best(&self, name: &str, bytes: f64) -> f64 {
        let times = self.rows.iter().filter(|r| r.name == name).map(|r| r.milliseconds);
        let best = times.fold(f64::INFINITY, f64::min) / 1e3;
        bytes * self.cells as f64 / best / 1e9 / self.copy_gb_per_s
    }
}

fn verdict(what: &str, found: f64, goal: f64, reached: bool) -> String {
    format!("{what}: {found:.2}, goal {goal:.2}, {}", if reached { "reached" } else { "missed" })
}
