//! The goals of loops in lanes on two cores: airfoil's iteration and hydra's heavy loops next to the machine's bandwidth and
//! to what its vector units compute.
//!
//! `cargo bench -p op2-benches --bench cpu`, with `-- --cells N` for another size than 720,000 cells of airfoil and 2.5 million edges
//! of hydra, `-- --rounds N` for another number of rounds than 9, and `-- --quick` for a small mesh. `OP2_ISA=avx2` and the like
//! choose the instructions of all that is not called scalar.
//!
//! # Comparisons
//!
//! Every round runs all programs, each for some iterations, beginning with another one. Triad, `a[i] = b[i] + s * c[i]`, is measured behind
//! each of them, and with it the useful bytes of that sample are compared: of every dat the distinct elements that a loop reaches,
//! twice if they are changed, and four bytes for every entry of a map (`op2::plan::Traffic`). All ratios are taken inside of a round.
//! A line is met if its median is.
//!
//! *The larger floor* of a loop of hydra is the time in which triad would move its useful bytes, or that in which the vector units would
//! do its operations, whichever is longer. Their operations per second are measured in every round: an op2 loop over few elements with
//! twelve chains of a multiplication and an addition each, on as many threads and by the same instructions. There are no fused
//! operations in it, as there are none in kernels. Operations are those that the kernel states, a division and a square root
//! counting as one each (`op2::report::LoopRow::flops`).
//!
//! *Scalar* is one element at a time on as many threads, once with airfoil's chains, and once loop by loop: so it was before there
//! were lanes and chains. Single loops are those that run loop by loop, since a chain has one time for all of its loops.
//!
//! *Registers alone* is the loop of those chains on one thread over two: so much more two cores of the machine do where neither
//! memory nor caches are in the way.
//!
//! The mesh that is numbered at random is renumbered by `rcm`.
//!
//! # Findings
//!
//! `cargo xtask figures` runs this bench and writes what it found, with the machine and the goals of `benches/src/goals.rs`, to the newest file
//! in `benches/results`.
//!
//! Two cores of a machine are far from twice one while others use it: what its registers alone reach in the same rounds says how far. Of
//! the 784 bytes of a cell 96 are entries of maps, so that 440 are left by `f32`: it can be 1.78 times as fast at most where both are
//! as near to the bandwidth.
//!
//! Causes that were looked for, and changes that did not help, are in `benches/results/2026-11-23-loops-in-lanes.md`.

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
