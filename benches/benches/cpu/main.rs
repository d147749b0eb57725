//! The goals of loops in lanes on two cores: airfoil's iteration and hydra's heavy loops, relative to the bandwidth of the machine and
//! to the peak of its vector units.
//!
//! `cargo bench -p op2-benches --bench cpu`, with `-- --cells N` for another size than 720,000 cells of airfoil and 2.5 million edges
//! of hydra, `-- --rounds N` for another number of rounds than 9, and `-- --quick` for a small mesh. `OP2_ISA=avx2` and the like
//! choose the instructions of all programs except the scalar ones.
//!
//! # Comparisons
//!
//! Every round runs all programs, each for some iterations, and begins with a different one. Behind each program the bench measures triad,
//! `a[i] = b[i] + s * c[i]`, and compares the program's useful bytes per second with it. Useful bytes are the distinct elements that a loop
//! reaches of every dat, twice if it changes them, and four bytes for every entry of a map (`op2::plan::Traffic`). All ratios are taken
//! inside a round. A goal is met if the median meets it.
//!
//! *The larger floor* of a loop of hydra is the longer of two times: that in which triad would move its useful bytes, and that in which
//! the vector units would do its operations. Every round measures the operations per second of the vector units, by an op2 loop over few
//! elements with twelve chains of a multiplication and an addition each, on as many threads and by the same instructions. The loop has no
//! fused operations, as kernels have none. Operations are those in the text of the kernel; a division and a square root count as one each
//! (`op2::report::LoopRow::flops`).
//!
//! *Scalar* runs one element at a time on as many threads, once with airfoil's chains and once loop by loop, as op2 did before it had lanes
//! and chains. Times of single loops come from the run loop by loop, since a chain has one time for all of its loops.
//!
//! *Registers alone* is the time of the loop of multiplications and additions on one thread over that on two: the speed-up by the second
//! core where neither memory nor caches limit it.
//!
//! The mesh that is numbered at random is renumbered by `rcm`.
//!
//! # Findings
//!
//! `cargo xtask figures` runs this bench and writes its findings, with the machine and the goals of `benches/src/goals.rs`, to the newest
//! file in `benches/results`.
//!
//! While others use the machine, two cores are far less than twice as fast as one; *registers alone* shows the limit in the same rounds. Of
//! the 784 bytes of a cell 96 are entries of maps, so that a cell has 440 bytes in `f32`: at the same share of the bandwidth `f32` is at most
//! 1.78 times as fast.
//!
//! `benches/results/2026-11-23-loops-in-lanes.md` lists causes that were examined, and changes that did not help.

mod measure;
mod programs;
mod table;

use measure::{Extent, measure};
use op2_benches::{Outcome, figure, quick, smoke};

const FULL: Extent = Extent { cells: 720_000, rounds: 9 };
const QUICK: Extent = Extent { cells: 20_000, rounds: 5 };
const SMOKE: Extent = Extent { cells: 1000, rounds: 2 };

fn main() -> Outcome {
    let usual = match (smoke(), quick()) {
        (true, _) => SMOKE,
        (_, true) => QUICK,
        _ => FULL,
    };
    let extent =
        Extent { cells: value("--cells")?.unwrap_or(usual.cells), rounds: value("--rounds")?.unwrap_or(usual.rounds) };
    let results = measure(extent)?;
    for line in &results.lines {
        figure(&format!("cpu/{}", line.what), &line.samples);
    }
    figure("cpu/triad, GB per s", &results.triad);
    figure("cpu/peak, 1e9 flops per s", &results.peak);
    print!("{results}");
    Ok(())
}

/// The number behind a flag.
fn value(name: &str) -> Outcome<Option<usize>> {
    let Some(text) = std::env::args().skip_while(|arg| arg != name).nth(1) else { return Ok(None) };
    let number = text.parse().ok().filter(|&number| number > 0);
    number.map(Some).ok_or_else(|| format!("`{name}` has `{text}`: expected a number above 0").into())
}
