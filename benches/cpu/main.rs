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
//! Virtual machine with 2 cores of an AMD EPYC (Zen 4, AVX-512), shared with other machines, 2026-11-22, three runs of 15 rounds within half
//! an hour; triad 35.1, 36.9 and 34.8 GB/s in the median and 29 to 64 in all rounds, peak 89, 81 and 59e9 flops/s:
//!
//! | what | goal | min | medians of the runs | max | |
//! | --- | --- | --- | --- | --- | --- |
//! | whole iteration of triad | >= 0.85 | 0.47 | 0.81, 0.79, 0.78 | 0.97 | missed |
//! | scalar, unchained, over lanes | >= 1.90 | 1.00 | 1.67, 1.86, 1.70 | 2.74 | missed |
//! | scalar, chained, over lanes | | 1.35 | 1.64, 1.81, 1.80 | 2.22 | |
//! | save_soln of triad | >= 0.90 | 0.23 | 0.71, 0.66, 0.75 | 0.96 | missed |
//! | update of triad | >= 0.90 | 0.67 | 1.10, 1.10, 1.09 | 1.28 | met |
//! | random, reordered, over in order | <= 1.05 | 0.54 | 1.03, 1.07, 0.96 | 1.40 | met twice |
//! | f64 over f32 | >= 1.80 | 0.94 | 1.43, 1.53, 1.41 | 3.17 | missed |
//! | registers alone, 1 thread over 2 | | 0.92 | 1.80, 1.64, 1.30 | 2.35 | |
//! | adt_calc, 1 thread over 2 | >= 1.90 | 0.64 | 1.81, 1.67, 1.81 | 2.42 | missed |
//! | res_calc, 1 thread over 2 | >= 1.90 | 0.98 | 2.00, 1.88, 1.81 | 2.44 | met once |
//! | hydra, accu, of the larger floor | >= 0.70 | 0.17 | 0.30, 0.30, 0.30 | 0.36 | missed |
//! | hydra, edgecon, of the larger floor | >= 0.70 | 0.28 | 0.51, 0.51, 0.47 | 0.65 | missed |
//! | hydra, vflux, of the larger floor | >= 0.70 | 0.19 | 0.25, 0.24, 0.23 | 0.43 | missed |
//! | hydra, iflux, of the larger floor | >= 0.70 | 0.24 | 0.28, 0.28, 0.28 | 0.49 | missed |
//!
//! Two hours before, with small pages for dats and for triad, strips of chains for the first-level cache, gathers, and 512 bits for all of
//! hydra, one run of 9 rounds had 0.66, 1.26, 1.38 and 0.63 in the first four lines, 0.77 for `update`, and 0.26, 0.48, 0.18 and 0.31 for hydra.
//! Two cores of the machine are far from twice one while others use it: what its registers alone reach in the same rounds says how far.
//!
//! OP2 on the same machine in the same hour, 720,000 cells, 200 iterations: its C++ (b9e7a58, g++ 12, `-O3 -march=native`, with
//! `-ffast-math` where it is vectorised, ranks by inertial bisection, without the location of the largest error, which ours computes) took
//! 15.5 to 17.9 s sequential, 12.5 to 13.5 s vectorised on one core, 8.7 to 9.9 s with OpenMP on two (blocks of 4096, the best of 256, 1024
//! and 4096), and 8.5, 8.6 and 8.8 s on two vectorised MPI ranks. Ours took 6.4 to 7.8 s on one core and 3.4 to 4.4 s on two.
//!
//! What is left: `res_calc` takes 4.4 ns for an edge on one core with the mesh in the second-level cache and 5 to 6 outside, some 370
//! instructions for a pack of eight edges, of which two packs hardly overlap. `adt_calc` waits for its five square roots. By `f32`
//! `res_calc` has 37 instructions for an edge where `f64` has 46: rows are loaded and added one by one either way. hydra's loops gather and
//! add far more than they compute: `vflux` reads 93 numbers for an edge, `accu` adds 52. On one core with the mesh in the caches `accu`
//! takes 21 ns for an edge, `edgecon` 13, `vflux` 29 and `iflux` 16, and with 2.4 million edges 29, 16, 38 and 18.
//!
//! What did not help, time with over time without: offsets of rows computed by vectors and read back 1.2; adding the contributions of a
//! pack behind the gathering of the next one 1.07; fetching the rows of a chain's next strip during its last loop 1.0 to 1.2; fetching
//! rows ahead on meshes in order 1.06 to 1.9; dats that start at different offsets in their pages 1.0 to 1.1; and on Zen 3 packs of 8
//! lanes in two registers each, and gathering, computing and scattering a few packs at a time.

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
