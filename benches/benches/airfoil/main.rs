//! The airfoil loops in double precision on the standard mesh of 720,000 cells, in order and numbered at random: useful
//! bandwidth next to the machine's triad, and time next to the hand-written version of the same loops in `hand.rs`.
//!
//! `cargo bench -p op2-benches --bench airfoil`, with `-- --quick` for fewer rounds.
//!
//! Loops written by hand run element by element, as scalar code that is built without flags for vectors. So the ratio includes the gain
//! by lanes.
//!
//! `cargo xtask figures` runs this bench and writes its findings, with the machine and the goals of `benches/src/goals.rs`, to the newest
//! file in `benches/results`.
//!
//! Loops above 100 % of triad read data from a cache. `save_soln` written by hand is one `memcpy` per piece. On one core and a mesh numbered
//! at random, op2's `bres_calc` is slower: it keeps all four contributions in locals before it adds them, while a wall has only two.

mod hand;

use std::hint::black_box;
use std::time::Instant;

use airfoil::mesh::Mesh;
use airfoil::solver::{Airfoil, Settings};
use hand::Hand;
use op2_apps::flags::Backend;
use op2_benches::{Outcome, Samples, figure, quick, smoke};

/// The loops, and the whole iteration as the last row.
const ROWS: [&str; 6] = ["save_soln", "adt_calc", "res_calc", "bres_calc", "update", "iteration"];

/// Calls of each in an iteration.
const CALLS: Row<f64> = [1.0, 2.0, 2.0, 2.0, 2.0, 1.0];

/// The loops of an iteration, in order.
const LOOPS: [usize; 9] = [0, 1, 2, 3, 4, 1, 2, 3, 4];

/// One value per row.
type Row<T> = [T; ROWS.len()];

/// One executor of op2, and the hand-written loops on as many threads.
struct Pair {
    name: &'static str,
    op2: Airfoil<f64>,
    hand: Hand,
    /// Milliseconds per call, of op2 and by hand.
    times: [Row<Samples>; 2],
}

fn main() -> Outcome {
    let mesh = if smoke() { Mesh::naca0012(20, 30)? } else { Mesh::naca0012(400, 600)? };
    let rounds = if quick() { [7, 3] } else { [61, 25] };
    bench("in order", &mesh, rounds[0])?;
    bench("random", &mesh.shuffled(1).0, rounds[1])
}

fn bench(title: &str, mesh: &Mesh, rounds: usize) -> Outcome {
    let mut pairs = [
        Pair::new("seq", mesh, Backend::Seq, 1)?,
        Pair::new("1 thread", mesh, Backend::Threads, 1)?,
        Pair::new("2 threads", mesh, Backend::Threads, 2)?,
    ];
    for round in 0..rounds {
        for pair in &mut pairs {
            pair.round(round)?;
        }
    }
    let plan = pairs[1].op2.res_calc_plan()?;
    println!("\n{title}: {} cells, {} edges, {rounds} rounds", mesh.cells(), mesh.edges());
    println!("res_calc on threads: {}, {} colours", plan.scheme(), plan.colours());
    let reports = pairs.each_ref().map(|pair| pair.op2.op.report());
    for (pair, report) in pairs.iter().zip(&reports) {
        println!("triad, {:<9}: {:.1} GB/s", pair.name, report.triad_gb_per_s);
    }
    let spread = format!("{:>8} {:>8} {:>8}", "min", "median", "max");
    println!("\n{:20} | {:<26} {:>13} | {:<26} | op2 / by hand", "", "op2, ms", "GB/s of triad", "by hand, ms");
    println!("{:<9} {:<10} | {spread} {:13} | {spread} | {spread}", "loop", "executor", "");
    for row in 0..ROWS.len() {
        for (pair, report) in pairs.iter().zip(&reports) {
            pair.print(title, row, report);
        }
    }
    for pair in &mut pairs {
        pair.compare()?;
    }
    println!("op2 and the hand-written loops have the same result on every executor.");
    Ok(())
}

impl Pair {
    fn new(name: &'static str, mesh: &Mesh, backend: Backend, threads: usize) -> Outcome<Self> {
        let mut op2 = Airfoil::new(mesh, &Settings { backend, threads, iterations: 0, ..Settings::default() })?;
        let plan = op2.res_calc_plan()?;
        let on = matches!(backend, Backend::Threads).then_some(threads);
        let mut pair = Pair { name, op2, hand: Hand::new(mesh, on, plan), times: Default::default() };
        // This round does not count: it builds the other plans and warms up.
        pair.round(0)?;
        pair.times = Default::default();
        Ok(pair)
    }

    /// One iteration of each side; the side that begins alternates from round to round.
    fn round(&mut self, round: usize) -> Outcome {
        let Pair { op2, hand, times, .. } = self;
        for side in [round % 2, 1 - round % 2] {
            let laps = laps(|row| match side {
                0 => op2_loop(op2, row),
                _ => hand_loop(hand, row),
            })?;
            times[side].iter_mut().zip(laps).for_each(|(samples, lap)| samples.push(lap));
        }
        Ok(())
    }

    fn print(&self, title: &str, row: usize, report: &op2::Report) {
        let [op2, hand] = [&self.times[0][row], &self.times[1][row]];
        let gb_per_s = megabytes(report)[row] / op2.median();
        let share = 100.0 * gb_per_s / report.triad_gb_per_s;
        let (name, executor, ratio) = (ROWS[row], self.name, op2 / hand);
        let figure_of =
            |what: &str, samples: &Samples| figure(&format!("airfoil/{title}/{name}/{executor}/{what}"), samples);
        figure_of("ms", op2);
        figure_of("over by hand", &ratio);
        println!("{name:<9} {executor:<10} | {op2} {gb_per_s:5.1} {share:5.1} % | {hand} | {ratio}");
    }

    /// Checks that both sides compute the same, after one more iteration.
    ///
    /// The unknowns must agree in every bit, since both follow one plan; the sum of the changes to rounding.
    fn compare(&mut self) -> Outcome {
        let residual = self.op2.iterate(1)?;
        LOOPS[..8].iter().try_for_each(|&row| hand_loop(&mut self.hand, row))?;
        let change = self.hand.update();
        let (found, expected) = (self.op2.solution()?, self.hand.solution());
        if let Some(cell) = (0..expected.len()).find(|&cell| found[cell] != expected[cell]) {
            let (found, expected) = (found[cell], expected[cell]);
            return Err(format!("{}: cell {cell} has {found:?}, by hand {expected:?}", self.name).into());
        }
        let rms = (change.sum / expected.len() as f64).sqrt();
        let greatest = (residual.max_err, residual.max_err_cell);
        if (residual.rms / rms - 1.0).abs() > 1e-12 || greatest != (change.max, change.cell) {
            return Err(format!("{}: {residual:?}, by hand rms {rms:e} and {change:?}", self.name).into());
        }
        Ok(())
    }
}

/// Runs one iteration. Returns milliseconds per call of each loop, and of the whole iteration.
fn laps(mut run: impl FnMut(usize) -> Outcome) -> Outcome<Row<f64>> {
    let mut laps = Row::default();
    let start = Instant::now();
    for row in LOOPS {
        let start = Instant::now();
        run(row)?;
        laps[row] += start.elapsed().as_secs_f64() * 1e3 / CALLS[row];
    }
    laps[ROWS.len() - 1] = start.elapsed().as_secs_f64() * 1e3;
    Ok(laps)
}

fn op2_loop(op2: &mut Airfoil<f64>, row: usize) -> Outcome {
    match row {
        0 => op2.save_soln()?,
        1 => op2.adt_calc()?,
        2 => op2.res_calc()?,
        3 => op2.bres_calc()?,
        _ => op2.update()?,
    }
    Ok(())
}

fn hand_loop(hand: &mut Hand, row: usize) -> Outcome {
    match row {
        0 => hand.save_soln(),
        1 => hand.adt_calc(),
        2 => hand.res_calc(),
        3 => hand.bres_calc(),
        _ => drop(black_box(hand.update())),
    }
    Ok(())
}

/// Useful bytes of one call of each loop, in 1e6, from op2's report.
fn megabytes(report: &op2::Report) -> Row<f64> {
    let mut megabytes = Row::default();
    for row in &report.loops {
        let place = ROWS.iter().position(|name| *name == row.name).expect("all loops are in the table");
        megabytes[place] = row.useful_bytes as f64 / row.calls as f64 / 1e6;
        megabytes[ROWS.len() - 1] += megabytes[place] * CALLS[place];
    }
    megabytes
}
