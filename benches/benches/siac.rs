//! The SIAC filter: both methods, the degrees P = 1, 2 and 3, and the cost of a hit from 4 k to 1 M triangles.
//!
//! `cargo bench -p op2-benches --bench siac`, with `-- --quick` for meshes a sixteenth as large, `-- --rounds N` for another number of
//! rounds than 3, and `-- --only TEXT` for the rows whose names contain a text. `OP2_ISA=avx2` and the like choose the instructions.
//!
//! Every row is a mesh with u_h of degree P from sin 2πx · sin 2πy, at three points of each triangle, on two threads. Each round runs all
//! rows once, and the loop over registers beside each of them. Columns are medians over the rounds:
//!
//! | column | meaning |
//! | --- | --- |
//! | `seconds` | grid, tiles and both passes, as a user waits for them |
//! | `ns/hit` | the same over the number of hits: points and images of triangles of which a piece lies in the point's stencil |
//! | `tests/hit` | pairs that the grid proposes |
//! | `pass 2` | the part of the loop's seconds that adding the copies of overlapped tiles takes, % |
//! | `copies` | the copies over the values, in bytes |
//! | `GFLOP/s` | operations that op2 counts in the kernel's text, for each pair whose boxes meet, over the loop's seconds. The loop over the cells of the kernel counts once, so it is less than the processor does |
//! | `of peak` | the same over a loop of independent multiplications and additions in registers, by the same instructions |
//!
//! The goals are those of the project for two cores: straightforward loops compiled for two threads take 8.9 s per point and 6.95 s per
//! element for 64 k low-variance triangles, and 8.5 s and 5.6 s for 16 k high-variance ones.
//!
//! Below the table are ratios of rows, round by round: per point over per element, plain loops on one thread over both, and the cost of a
//! hit on large meshes over that on 4 k triangles.

use op2::prelude::*;
use op2::{Isa, sets};
use op2_apps::flags::Backend;
use op2_apps::settings::Settings;
use op2_benches::{Outcome, Samples, figure, quick, smoke};
use siac::filter::by_plain_loops;
use siac::mesh::{Boundary, Kind};
use siac::output::Case;
use siac::reference::Method;
use siac::run::run;
use siac::task::{Function, Made, Task};

const THREADS: usize = 2;
const ROUNDS: usize = 3;
const K: usize = 1000;

/// Degree, mesh and method of each row.
const ROWS: [(usize, Kind, usize, Method); 15] = [
    (1, Kind::Low, 64 * K, Method::PerElement),
    (1, Kind::Low, 64 * K, Method::PerPoint),
    (1, Kind::High, 16 * K, Method::PerElement),
    (1, Kind::High, 16 * K, Method::PerPoint),
    (2, Kind::Low, 16 * K, Method::PerElement),
    (2, Kind::Low, 16 * K, Method::PerPoint),
    (2, Kind::High, 4 * K, Method::PerElement),
    (2, Kind::High, 4 * K, Method::PerPoint),
    (3, Kind::Low, 4 * K, Method::PerElement),
    (3, Kind::Low, 4 * K, Method::PerPoint),
    // With the first row, the cost per hit.
    (1, Kind::Low, 4 * K, Method::PerElement),
    (1, Kind::Low, 4 * K, Method::PerPoint),
    (1, Kind::Low, 16 * K, Method::PerElement),
    (1, Kind::Low, 256 * K, Method::PerElement),
    (1, Kind::Low, 1000 * K, Method::PerElement),
];

/// A row of the table, with a sample of each round.
struct Row {
    name: String,
    /// The number that the full mesh has, about.
    triangles: usize,
    task: Task,
    method: Method,
    hits: u64,
    tests_per_hit: f64,
    copies: f64,
    seconds: Samples,
    ns_per_hit: Samples,
    second_pass: Samples,
    gflops: Samples,
    of_peak: Samples,
}

fn main() -> Outcome {
    let (fewer, usual) = match (smoke(), quick()) {
        (true, _) => (200, 1),
        (_, true) => (16, ROUNDS),
        _ => (1, ROUNDS),
    };
    let rounds = value("--rounds").map(|text| text.parse()).transpose()?.unwrap_or(usual).max(1);
    let only = value("--only").unwrap_or_default();
    let rows = ROWS.map(|(degree, kind, triangles, method)| Row::new(degree, kind, triangles, fewer, method));
    let rows = rows.into_iter().collect::<Outcome<Vec<_>>>()?;
    let mut rows: Vec<Row> = rows.into_iter().filter(|row| row.name.contains(&only)).collect();
    let isa = instructions()?;
    let mut peak = Peak::new(isa)?;
    let mut peaks = Samples::default();
    for _ in 0..rounds {
        for row in &mut rows {
            let found = peak.gflops()?;
            peaks.push(found);
            row.measure(isa, found)?;
        }
    }
    let plain = plain_loops(&rows, rounds)?;
    println!("SIAC filter, {THREADS} threads, {isa}; medians of {rounds} round(s)");
    println!("multiplications and additions in registers, GFLOP/s: {peaks}\n");
    figure("siac/peak, 1e9 flops per s", &peaks);
    table(&rows);
    ratios(&rows, plain.as_ref());
    Ok(())
}

fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != name).nth(1)
}

/// The instructions of all loops: those that `OP2_ISA` names, or the widest of the processor.
fn instructions() -> Outcome<Isa> {
    Ok(match std::env::var("OP2_ISA") {
        Ok(text) if !text.is_empty() => text.parse()?,
        _ => Isa::best(),
    })
}

impl Row {
    /// The row is named after the full number of triangles, also where the mesh has fewer.
    fn new(degree: usize, kind: Kind, triangles: usize, fewer: usize, method: Method) -> Outcome<Row> {
        let made = Made {
            kind,
            triangles: triangles / fewer,
            seed: 1,
            degree,
            solution_degree: degree,
            points: 3,
            h: None,
            boundary: Boundary::Periodic,
            function: Function::Sines,
        };
        let task = Task::made(&made, &mut |_| ())?;
        let outer = if method == Method::PerElement { "per element" } else { "per point" };
        Ok(Row {
            name: format!("P = {degree}, {kind}, {triangles}, {outer}"),
            triangles,
            task,
            method,
            hits: 0,
            tests_per_hit: 0.0,
            copies: 0.0,
            seconds: Samples::default(),
            ns_per_hit: Samples::default(),
            second_pass: Samples::default(),
            gflops: Samples::default(),
            of_peak: Samples::default(),
        })
    }

    fn measure(&mut self, isa: Isa, peak: f64) -> Outcome {
        let settings = Settings { backend: Backend::Threads, threads: THREADS, isa: Some(isa), ..Settings::default() };
        let run = run(&self.task, self.method, &settings)?;
        let case = Case { task: &self.task, settings: &settings, method: self.method, run: &run };
        let tiles = case.tiles();
        self.hits = run.outcome.hits;
        self.tests_per_hit = run.outcome.tests as f64 / run.outcome.hits as f64;
        self.copies = tiles.map_or(0.0, |tiles| tiles.over_values);
        self.seconds.push(run.outcome.seconds);
        self.ns_per_hit.push(case.ns_per_hit());
        self.second_pass.push(tiles.map_or(0.0, |tiles| 100.0 * tiles.combine_share));
        self.gflops.push(case.gflop_per_s());
        self.of_peak.push(case.gflop_per_s() / peak);
        Ok(())
    }

    /// Whether another row has the same task.
    fn like(&self, other: &Row) -> bool {
        let of = |row: &Row| (row.task.degree, row.task.corners.len(), row.task.h.to_bits());
        of(self) == of(other)
    }
}

/// Nanoseconds for each hit of plain loops on one thread, on the smallest mesh of P = 1.
fn plain_loops(rows: &[Row], rounds: usize) -> Outcome<Option<Samples>> {
    let Some(row) = smallest(rows) else { return Ok(None) };
    let mut samples = Samples::default();
    for _ in 0..rounds {
        let outcome = by_plain_loops(row.method, &row.task)?;
        samples.push(1e9 * outcome.seconds / outcome.hits as f64);
    }
    Ok(Some(samples))
}

/// The row of the smallest mesh of low variance with P = 1 per element.
fn smallest(rows: &[Row]) -> Option<&Row> {
    let linear = rows.iter().filter(|row| row.name.starts_with("P = 1, low") && row.method == Method::PerElement);
    linear.min_by_key(|row| row.task.corners.len())
}

fn table(rows: &[Row]) {
    println!(
        "{:<34} {:>12} {:>9} {:>8} {:>9} {:>8} {:>7} {:>8} {:>8}",
        "", "hits", "seconds", "ns/hit", "tests/hit", "pass 2", "copies", "GFLOP/s", "of peak"
    );
    for row in rows {
        let Row { name, hits, tests_per_hit, copies, .. } = row;
        let [seconds, ns, second_pass, gflops, of_peak] =
            [&row.seconds, &row.ns_per_hit, &row.second_pass, &row.gflops, &row.of_peak].map(Samples::median);
        println!(
            "{name:<34} {hits:>12} {seconds:>9.3} {ns:>8.1} {tests_per_hit:>9.3} {second_pass:>6.2} % {copies:>7.2} {gflops:>8.2} \
             {:>6.1} %",
            100.0 * of_peak
        );
        figure(&format!("siac/{name}/seconds"), &row.seconds);
        figure(&format!("siac/{name}/ns per hit"), &row.ns_per_hit);
        figure(&format!("siac/{name}/second pass, % of the loop"), &row.second_pass);
        figure(&format!("siac/{name}/of peak"), &row.of_peak);
    }
}

fn ratios(rows: &[Row], plain: Option<&Samples>) {
    println!("\n{:<60} {:>26}", "ratio", "minimum, median, maximum");
    let line = |what: &str, ratio: &Samples| {
        println!("{what:<60} {ratio}");
        figure(&format!("siac/{what}"), ratio);
    };
    for point in rows.iter().filter(|row| row.method == Method::PerPoint) {
        if let Some(element) = rows.iter().find(|row| row.method == Method::PerElement && row.like(point)) {
            line(&format!("{} over per element, seconds", point.name), &(&point.seconds / &element.seconds));
        }
    }
    let Some(small) = smallest(rows) else { return };
    if let Some(plain) = plain {
        line(&format!("plain loops on 1 thread over {}, ns per hit", small.name), &(plain / &small.ns_per_hit));
    }
    let linear = rows.iter().filter(|row| row.name.starts_with("P = 1, low") && row.method == Method::PerElement);
    for row in linear.filter(|row| row.task.corners.len() > small.task.corners.len()) {
        line(
            &format!("{} over {} triangles, ns per hit", row.name, small.triangles),
            &(&row.ns_per_hit / &small.ns_per_hit),
        );
    }
}

sets! { Elements }

/// Elements of the loop over registers: few enough for a cache.
const ELEMENTS: usize = 4096;
/// Calls per sample. With this many the time to wake up threads is negligible.
const CALLS: usize = 100;

/// Twelve independent chains of a multiplication and an addition: enough to hide the latency of both.
#[op2::kernel]
fn registers(x: &mut f64) {
    let mut chains = [*x; 12];
    for _round in 0..256 {
        for c in 0..12 {
            chains[c] = chains[c] * 0.999 + 0.001;
        }
    }
    let mut sum = 0.0;
    for c in 0..12 {
        sum += chains[c];
    }
    *x = sum * 0.08;
}

/// Operations of the vector units per second.
struct Peak {
    op: Op2,
    elements: Set<Elements>,
    x: Dat<Elements, f64>,
}

impl Peak {
    fn new(isa: Isa) -> Outcome<Peak> {
        let mut op = Op2::with(Config::default().backend(op2::Backend::Threads(THREADS)).isa(isa))?;
        let elements = op.decl_set("elements", ELEMENTS)?;
        let x = op.decl_dat_filled("x", elements, 0.5)?;
        Ok(Peak { op, elements, x })
    }

    fn gflops(&mut self) -> Outcome<f64> {
        let Peak { elements, x, .. } = *self;
        self.op.reset_report();
        for _ in 0..CALLS {
            op_par_loop!(self.op, registers, elements, rw(x))?;
        }
        let report = self.op.report();
        let row = report.loops.last().ok_or("the loop over registers left no row")?;
        Ok(row.flops as f64 / row.seconds / 1e9)
    }
}
