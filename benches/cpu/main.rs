//! What loops in lanes must reach on two cores: airfoil's iteration and hydra's heavy loops next to the machine's bandwidth and
//! to what its vector units compute.
//!
//! `cargo bench -p airfoil --bench cpu`, with `-- --cells N` for another size than 720,000 cells of airfoil and 2.5 million edges
//! of hydra, `-- --rounds N` for another number of rounds than 9, and `-- --quick` for a small mesh. `OP2_ISA=avx2` and the like
//! choose the instructions of all that is not called scalar.
//!
//! # What is compared
//!
//! Every round runs all programs, each for some iterations, beginning with another one. Triad, `a[i] = b[i] + s * c[i]`, is measured behind
//! each of them, and with it the useful bytes of that sample are compared: of every dat the distinct elements that a loop reaches,
//! twice if they are changed, and four bytes for every entry of a map (`op2::plan::Traffic`). All ratios are taken inside of a round.
//! A line is met if its median is.
//!
//! *The larger floor* of a loop of hydra is the time in which triad would move its useful bytes, or that in which the vector units would
//! do its operations, whichever is longer. What they do in a second is measured in every round: an op2 loop over few elements with
//! twelve chains of a multiplication and an addition each, on as many threads and by the same instructions. There are no fused
//! operations in it, as there are none in kernels. Operations are those that the kernel states, a division and a square root
//! counting as one each (`op2::report::LoopRow::flops`).
//!
//! *Scalar* is one element at a time on as many threads, once with airfoil's chains, and once loop by loop: so it was before there
//! were lanes and chains.
//!
//! *Registers alone* is the loop of those chains on one thread over two: so much more two cores of the machine do where neither
//! memory nor caches are in the way.
//!
//! The mesh that is numbered at random is renumbered by `rcm`.
//!
//! # What was found
//!
//! Virtual machine with 2 cores of an AMD EPYC (Zen 3, AVX2), shared with other machines, 2026-11-22, 15 rounds; triad 20.2, 25.0, 31.8
//! GB/s, peak 45.5, 56.8, 70.6e9 flops/s:
//!
//! | what | goal | min | median | max | |
//! | --- | --- | --- | --- | --- | --- |
//! | whole iteration of triad | >= 0.85 | 0.51 | 0.68 | 0.86 | missed |
//! | scalar, unchained, over lanes | >= 1.90 | 0.95 | 1.30 | 1.93 | missed |
//! | scalar, chained, over lanes | | 1.06 | 1.31 | 1.74 | |
//! | save_soln of triad | >= 0.90 | 0.27 | 0.66 | 0.83 | missed |
//! | update of triad | >= 0.90 | 0.68 | 0.91 | 1.15 | met |
//! | random, reordered, over in order | <= 1.05 | 0.81 | 0.97 | 1.15 | met |
//! | f64 over f32 | >= 1.80 | 1.19 | 1.68 | 2.07 | missed |
//! | registers alone, 1 thread over 2 | | 1.05 | 1.39 | 1.86 | |
//! | adt_calc, 1 thread over 2 | >= 1.90 | 1.22 | 1.77 | 2.27 | missed |
//! | res_calc, 1 thread over 2 | >= 1.90 | 1.25 | 1.76 | 2.37 | missed |
//! | hydra, accu, of the larger floor | >= 0.70 | 0.16 | 0.28 | 0.31 | missed |
//! | hydra, edgecon, of the larger floor | >= 0.70 | 0.27 | 0.51 | 0.57 | missed |
//! | hydra, vflux, of the larger floor | >= 0.70 | 0.14 | 0.21 | 0.27 | missed |
//! | hydra, iflux, of the larger floor | >= 0.70 | 0.16 | 0.26 | 0.31 | missed |
//!
//! The peak was measured over 2 ms in runs before this one, and came out lower: 50e9 in the median. Two cores of the machine are far from
//! twice one while others use it: what its registers alone reach in the same rounds says how far.
//!
//! What holds airfoil up there is arithmetic and not memory: with the mesh in the caches (`airfoil --size 20 30`), the loops take about
//! 20 of the 28 ms of an iteration. `adt_calc` waits for its square roots; `res_calc` runs some 220 instructions for a pack of four edges
//! in 90 to 100 cycles, where a model of the processor (llvm-mca, znver3) has 75. What did not help there: packs of 8 lanes in two
//! registers each; gathering, computing and scattering a few packs at a time; fetching rows ahead; pages of 2 MB; longer and shorter
//! strips of chains; dats that start at different offsets in their pages. hydra's loops gather and add far more than they compute:
//! `vflux` reads 93 numbers for an edge, `accu` adds 52. In the caches `accu` takes 37 ns for an edge on one thread, `vflux` 46 and `iflux`
//! 25; with 2.5 million edges `accu` took 71 and `vflux` 128, and takes 0.74 and 0.62 of that since rows are fetched ahead.

#[path = "../timing.rs"]
mod timing;

mod measure;
mod programs;
mod table;

use measure::{Extent, Outcome, measure};
use timing::{Samples, quick};

const FULL: Extent = Extent { cells: 720_000, rounds: 9 };
const QUICK: Extent = Extent { cells: 20_000, rounds: 5 };

fn main() -> Outcome {
    let usual = if quick() { QUICK } else { FULL };
    let extent =
        Extent { cells: value("--cells")?.unwrap_or(usual.cells), rounds: value("--rounds")?.unwrap_or(usual.rounds) };
    print!("{}", measure(extent)?);
    Ok(())
}

/// The number behind a flag.
fn value(name: &str) -> Outcome<Option<usize>> {
    let Some(text) = std::env::args().skip_while(|arg| arg != name).nth(1) else { return Ok(None) };
    let number = text.parse().ok().filter(|&number| number > 0);
    number.map(Some).ok_or_else(|| format!("`{name}` has `{text}`: expected a number above 0").into())
}
