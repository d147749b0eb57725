//! Mesh adaptivity: coarsening and refinement of the benchmark's mesh, in order and with shuffled numbers, and the cost of a facet from
//! 50 k to 2 M facets.
//!
//! `cargo bench -p op2-benches --bench adapt`, with `-- --quick` for meshes a sixteenth as large, `-- --rounds N` for another number of
//! rounds than 5, and `-- --only TEXT` for the rows whose names contain a text.
//!
//! The mesh is the unit square in 384 × 408 cells, each cut along a random diagonal, with vertices inside moved by up to a quarter of a cell: 313,344
//! facets. `coarsen` follows `uniform:0.35`, `refine` follows `uniform:3.0`, which divides every facet into four. Every round
//! adapts each mesh twice, one time after the other, and makes it known to a new `Op2` on two threads each time. Columns are medians over the
//! rounds, of the second time except for `first`:
//!
//! | column | meaning |
//! | --- | --- |
//! | `first`, `seconds` | of the phase alone, the first and the second time |
//! | `order` | seconds that op2 takes before it to look at the numbering of the mesh, and to change it inside |
//! | `facets`, `short` | facets and short edges that are left |
//! | `sweeps` | sweeps of coarsening |
//! | `ns/facet` | seconds for each facet of the mesh before |
//!
//! The first time a mesh grows into memory that the process, and often the machine, has not used of late. A virtual machine then waits for
//! its host: where these figures were taken, for pages at 0.3 to 0.5 GB/s, and for pages used less than two seconds ago at 10 GB/s. So `first`
//! measures the host as much as the program.
//!
//! For comparison: PRAgMaTIc (2017-07, OpenMP) takes 0.16 s on two cores of such a machine to coarsen the same mesh (0.42 s with shuffled numbers),
//! and leaves 40,891 facets; to refine it takes 0.70 s (0.96 s shuffled).

use std::time::Instant;

use adapt::loops::Adaptive;
use adapt::mesh::Mesh;
use adapt::metric::Metric;
use adapt::quality::Quality;
use op2::{Backend, Config, Op2};
use op2_benches::{Outcome, Samples, figure, quick, smoke};

const THREADS: usize = 2;
const ROUNDS: usize = 5;
const CELLS: [usize; 2] = [384, 408];

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Coarsen,
    Refine,
}

/// A row of the table, with a sample of each round.
struct Row {
    name: String,
    phase: Phase,
    mesh: Mesh,
    metric: Metric,
    facets: usize,
    short: usize,
    sweeps: u64,
    first: Samples,
    seconds: Samples,
    order: Samples,
}

impl Row {
    fn new(name: &str, phase: Phase, mesh: Mesh) -> Self {
        let scale = if phase == Phase::Coarsen { 0.35 } else { 3.0 };
        let metric = Metric::uniform(&mesh, scale);
        let [first, seconds, order] = [(); 3].map(|()| Samples::default());
        let what = if phase == Phase::Coarsen { "coarsen" } else { "refine" };
        Self {
            name: format!("{what}, {name}"),
            phase,
            mesh,
            metric,
            facets: 0,
            short: 0,
            sweeps: 0,
            first,
            seconds,
            order,
        }
    }

    /// A round.
    fn measure(&mut self) -> Outcome {
        let [first, _] = self.adapt()?;
        let [second, order] = self.adapt()?;
        self.first.push(first);
        self.seconds.push(second);
        self.order.push(order);
        Ok(())
    }

    /// Seconds of the phase, and of the order before it.
    fn adapt(&mut self) -> Outcome<[f64; 2]> {
        let mut op = Op2::with(Config::default().backend(Backend::Threads(THREADS)))?;
        let mut adaptive = Adaptive::new(&mut op, &self.mesh, &self.metric, &[])?;
        let begin = Instant::now();
        op.prepare()?;
        let order = begin.elapsed().as_secs_f64();
        match self.phase {
            Phase::Coarsen => adaptive.coarsen(&mut op)?,
            Phase::Refine => adaptive.refine(&mut op)?,
        };
        let after = adaptive.mesh(&mut op)?;
        self.facets = after.facets.len();
        self.short = Quality::of(&after, &self.metric.at_vertices(&after)).short_edges;
        self.sweeps = adaptive.counts.sweeps;
        Ok([adaptive.seconds.coarsen + adaptive.seconds.refine, order])
    }

    fn per_facet(&self) -> Samples {
        let mut facets = Samples::default();
        (0..self.seconds.len()).for_each(|_| facets.push(1e-9 * self.mesh.facets.len() as f64));
        &self.seconds / &facets
    }
}

fn main() -> Outcome {
    let (fewer, usual) = match (smoke(), quick()) {
        (true, _) => (16, 1),
        (_, true) => (4, ROUNDS),
        _ => (1, ROUNDS),
    };
    let rounds = value("--rounds").map(|text| text.parse()).transpose()?.unwrap_or(usual).max(1);
    let only = value("--only").unwrap_or_default();
    let mut rows = rows(fewer);
    rows.retain(|row| row.name.contains(&only));
    for _ in 0..rounds {
        rows.iter_mut().try_for_each(Row::measure)?;
    }
    println!("mesh adaptivity, {THREADS} threads; medians of {rounds} round(s)\n");
    table(&rows);
    ratios(&rows);
    Ok(())
}

fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != name).nth(1)
}

/// All rows, on meshes with so many `fewer` cells along each side. Names have the full number of facets.
fn rows(fewer: usize) -> Vec<Row> {
    let square = |[x, y]: [usize; 2]| Mesh::jittered(x / fewer, y / fewer, 1);
    let mut rows = Vec::new();
    for phase in [Phase::Coarsen, Phase::Refine] {
        rows.push(Row::new("in order", phase, square(CELLS)));
        rows.push(Row::new("shuffled", phase, square(CELLS).shuffled(3)));
        for (name, cells) in [("50 k", 158), ("200 k", 316), ("500 k", 500), ("2 M", 1000)] {
            rows.push(Row::new(name, phase, square([cells; 2])));
        }
    }
    rows
}

fn table(rows: &[Row]) {
    println!(
        "{:<20} {:>9} {:>7} {:>7} {:>8} {:>9} {:>8} {:>7} {:>9}",
        "", "before", "first", "seconds", "order", "facets", "short", "sweeps", "ns/facet"
    );
    for row in rows {
        let Row { name, facets, short, sweeps, .. } = row;
        let per_facet = row.per_facet();
        println!(
            "{name:<20} {:>9} {:>7.3} {:>7.3} {:>8.3} {facets:>9} {short:>8} {sweeps:>7} {:>9.1}",
            row.mesh.facets.len(),
            row.first.median(),
            row.seconds.median(),
            row.order.median(),
            per_facet.median()
        );
        let mut left = Samples::default();
        left.push(*facets as f64);
        figure(&format!("adapt/{name}/seconds, first"), &row.first);
        figure(&format!("adapt/{name}/seconds"), &row.seconds);
        figure(&format!("adapt/{name}/facets"), &left);
        figure(&format!("adapt/{name}/ns per facet"), &per_facet);
    }
}

/// Shuffled over in order, and the cost of a facet over that in the smallest mesh.
fn ratios(rows: &[Row]) {
    println!("\n{:<40} {:>26}", "ratio", "minimum, median, maximum");
    let find = |name: String| rows.iter().find(|row| row.name == name);
    for what in ["coarsen", "refine"] {
        let of = |name: &str| find(format!("{what}, {name}"));
        if let (Some(order), Some(shuffled)) = (of("in order"), of("shuffled")) {
            line(&format!("{what}, shuffled over in order"), &(&shuffled.seconds / &order.seconds));
        }
        let Some(small) = of("50 k") else { continue };
        for name in ["200 k", "500 k", "2 M"] {
            if let Some(large) = of(name) {
                line(&format!("{what}, {name} over 50 k, per facet"), &(&large.per_facet() / &small.per_facet()));
            }
        }
    }
}

fn line(what: &str, ratio: &Samples) {
    println!("{what:<40} {ratio}");
    figure(&format!("adapt/{what}"), ratio);
}
