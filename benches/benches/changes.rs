//! Changes between loops next to a sweep over the same data: values everywhere, sums, subsets, sets that gain or lose a tenth of their elements.
//!
//! `cargo bench -p op2-benches --bench changes`, with `-- --quick` for fewer rounds. Two threads; a set of a million elements with dats of
//! 72 bytes an element, and a map of 12. The sweep is a loop that reads and writes all dats. Times are minimum, median and maximum
//! over rounds; `sweeps` is the ratio to a sweep of the same round.
//!
//! The first growth makes room for half as many elements again, and those that follow find it, until it is full. Room takes memory page by
//! page, when elements use it.

use op2::prelude::*;
use op2_benches::{Outcome, Samples, figure, quick, smoke};
use std::time::Instant;

op2::sets! { Cells }

const THREADS: usize = 2;
/// One element in so many gets a child, leaves, or is chosen.
const TENTH: usize = 10;

#[op2::kernel]
fn sweep(q: &mut [f64; 4], res: &mut [f64; 4], area: &mut f64) {
    for c in 0..4 {
        q[c] += 0.5 * res[c];
        res[c] *= 0.25;
    }
    *area += 1.0;
}

/// A change, with a sample of each round.
struct Row {
    name: &'static str,
    seconds: Samples,
    sweeps: Samples,
}

impl Row {
    fn new(name: &'static str) -> Self {
        Row { name, seconds: Samples::default(), sweeps: Samples::default() }
    }
}

/// The seconds of a change.
fn timed<R>(change: impl FnOnce() -> op2::Result<R>) -> op2::Result<f64> {
    let begin = Instant::now();
    change()?;
    Ok(begin.elapsed().as_secs_f64())
}

/// One round: the seconds of a sweep, and those of each change.
fn round(n: usize) -> Outcome<(f64, Vec<f64>)> {
    let mut op = Op2::with(Config::default().backend(Backend::Threads(THREADS)))?;
    let cells = op.decl_set::<Cells>("cells", n)?;
    let q = op.decl_dat_filled("q", cells, [1.0; 4])?;
    let res = op.decl_dat_filled("res", cells, [2.0; 4])?;
    let area = op.decl_dat_filled("area", cells, 3.0)?;
    let counts: Vec<u32> = (0..n).map(|e| u32::from(e % TENTH == 3)).collect();
    let parts = op.decl_dat("parts", cells, &counts)?;
    let first = op.decl_dat_filled("first", cells, 0_u32)?;
    let near = |e: usize| Some(e as u32).filter(|_| e < n);
    let next: Vec<[Option<u32>; 3]> = (0..n).map(|e| [1, 2, 3].map(|i| near(e + i))).collect();
    op.decl_opt_map("next", cells, cells, &next)?;
    let those = op.decl_subset::<_, u32>("those", cells, &[])?;
    let born = op.decl_children("born", cells, cells)?;
    // Loops and calls take memory the first time.
    op.scan(parts, first)?;
    op.select(those, parts)?;
    let mut sweeps = Samples::default();
    for _ in 0..5 {
        sweeps.push(timed(|| op_par_loop!(op, sweep, cells, rw(q), rw(res), rw(area)))?);
    }
    let mut seconds = vec![
        timed(|| op.fill(q, [0.5; 4]))?,
        timed(|| op.scan(parts, first))?,
        timed(|| op.select(those, parts))?,
        timed(|| op.grow(born, parts))?,
    ];
    let mut all = seconds[3];
    let mut later = Samples::default();
    for _ in 0..4 {
        let one = timed(|| op.grow(born, parts))?;
        later.push(one);
        all += one;
    }
    seconds.push(later.median());
    seconds.push(all / 5.0);
    let size = op.size(cells)?;
    let stay: Vec<bool> = (0..size).map(|e| e % TENTH != 7).collect();
    let keep = op.decl_dat("keep", cells, &stay)?;
    seconds.push(timed(|| op.compact(cells, keep))?);
    Ok((sweeps.median(), seconds))
}

fn main() -> Outcome {
    let n = if smoke() { 1000 } else { 1_000_000 };
    let rounds = match (smoke(), quick()) {
        (true, _) => 1,
        (_, true) => 3,
        _ => 11,
    };
    let names = [
        "fill 32 bytes",
        "scan 4 bytes",
        "select a tenth",
        "grow by a tenth, first",
        "grow by a tenth, later",
        "grow by a tenth, mean of 5",
        "compact, a tenth leaves",
    ];
    let mut rows = names.map(Row::new);
    let mut sweeps = Samples::default();
    for _ in 0..rounds {
        let (sweep, seconds) = round(n)?;
        sweeps.push(sweep);
        for (row, seconds) in rows.iter_mut().zip(seconds) {
            row.seconds.push(seconds);
            row.sweeps.push(seconds / sweep);
        }
    }
    println!("changes between loops, {n} elements, {THREADS} threads; {rounds} round(s)\n");
    println!("{:<28} {:>26} ms  {:>26} sweeps", "", "minimum, median, maximum", "");
    println!("{:<28} {}", "sweep over all dats", in_ms(&sweeps));
    for row in &rows {
        println!("{:<28} {}    {}", row.name, in_ms(&row.seconds), row.sweeps);
        figure(&format!("changes/{}/sweeps", row.name), &row.sweeps);
    }
    Ok(())
}

fn in_ms(seconds: &Samples) -> Samples {
    let mut unit = Samples::default();
    (0..seconds.len()).for_each(|_| unit.push(1e-3));
    seconds / &unit
}
