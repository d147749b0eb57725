//! hydra's four heavy loops on two threads, next to the same loops written by hand in `hand.rs`.
//!
//! `cargo bench -p op2-benches --bench hydra`, with `-- --quick` for a small mesh and fewer rounds.
//!
//! Both sides run on the same mesh in the same numbering, and call the same kernels. Those written by hand have contiguous blocks of
//! edges in colours of their own, data as arrays of structures, and no bounds checks.
//!
//! Loops written by hand run edge by edge, as scalar code that is built without flags for vectors. So the ratio includes the gain by
//! lanes.
//!
//! `cargo xtask figures` runs this bench and writes its findings, with the machine and the goals of `benches/src/goals.rs`, to the newest
//! file in `benches/results`.
//!
//! op2 is faster even one element at a time, because it keeps the contributions of an edge in locals. The compiler knows that locals do not
//! overlap and adds two values at once: `edgecon` has 24 stores per edge, and 36 with references into the data.

mod hand;

use std::time::Instant;

use hand::{Data, Hand};
use hydra::mesh::{Passage, Shape};
use hydra::solver::{Flow, Settings};
use op2_apps::flags::Backend;
use op2_benches::{Goal, Outcome, Samples, figure, quick};

const THREADS: usize = 2;

/// Bricks of the passage, and rounds.
const FULL: ([usize; 3], usize) = ([100, 50, 50], 41);
const QUICK: ([usize; 3], usize) = ([30, 15, 15], 5);

/// A loop: its name, op2's and that by hand.
type Loop = (&'static str, fn(&mut Flow<f64>) -> op2::Result<()>, fn(&mut Hand));
const LOOPS: [Loop; 4] = [
    ("accu", Flow::accu, Hand::accu),
    ("edgecon", Flow::edgecon, Hand::edgecon),
    ("vflux", Flow::vflux, Hand::vflux),
    ("iflux", Flow::iflux, Hand::iflux),
];

fn main() -> Outcome {
    let (bricks, rounds) = if quick() { QUICK } else { FULL };
    let mesh = Passage::default().mesh(Shape::Hexahedra, bricks)?;
    let settings = Settings { backend: Backend::Threads, threads: THREADS, ..Settings::default() };
    let mut flow = Flow::<f64>::new(&mesh, &settings)?;
    // Computes the data at the start of a step.
    flow.prepare()?;
    flow.fluxes(1.0)?;
    let mut hand = Hand::new(&mesh, THREADS, Data::of(&flow)?);
    let mut times: [[Samples; 2]; LOOPS.len()] = Default::default();
    // Round 0 warms up and does not count; both sides add the same.
    for round in 0..=rounds {
        for ((_, op2, by_hand), times) in LOOPS.iter().zip(&mut times) {
            for side in [round % 2, 1 - round % 2] {
                let start = Instant::now();
                match side {
                    0 => op2(&mut flow)?,
                    _ => by_hand(&mut hand),
                }
                let milliseconds = start.elapsed().as_secs_f64() * 1e3;
                if round > 0 {
                    times[side].push(milliseconds);
                }
            }
        }
    }
    compare(&Data::of(&flow)?, &hand.data)?;
    println!("{} nodes, {} edges, {THREADS} threads, {rounds} rounds", mesh.nodes(), mesh.edges());
    println!("by hand: {} colours", hand.colours());
    let decisions = flow.op.decisions();
    for decision in decisions.list.iter().filter(|d| LOOPS.iter().any(|(name, ..)| *name == d.kernel)) {
        println!("op2, {}: {}, {}", decision.kernel, decision.strategy, decision.how);
    }
    let spread = format!("{:>8} {:>8} {:>8}", "min", "median", "max");
    println!("\n{:<8} | {:<26} | {:<26} | op2 / by hand", "", "op2, ms", "by hand, ms");
    println!("{:<8} | {spread} | {spread} | {spread}", "loop");
    for ((name, ..), [op2, by_hand]) in LOOPS.iter().zip(&times) {
        let ratio = op2 / by_hand;
        let name_of_ratio = format!("hydra/{name}/over by hand");
        figure(&format!("hydra/{name}/ms"), op2);
        figure(&name_of_ratio, &ratio);
        let goal = Goal::of(&name_of_ratio);
        println!("{name:<8} | {op2} | {by_hand} | {ratio}, goal {goal}, {}", goal.verdict(ratio.median()));
    }
    Ok(())
}

/// Checks that both sides have the same sums, up to the order of additions.
fn compare(found: &Data, expected: &Data) -> Outcome {
    for ((name, found), (_, expected)) in found.sums().into_iter().zip(expected.sums()) {
        let scale = expected.iter().fold(0.0_f64, |all, v| all.max(v.abs()));
        let close = |(a, b): &(&f64, &f64)| (*a - *b).abs() <= 1e-11 * scale;
        if let Some((a, b)) = found.iter().zip(&expected).find(|pair| !close(pair)) {
            return Err(format!("`{name}` has {a} by op2, {b} by hand").into());
        }
    }
    Ok(())
}
