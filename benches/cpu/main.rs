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
//! were lanes and chains. Single loops are those that run loop by loop, since a chain has one time for all of its loops.
//!
//! *Registers alone* is the loop of those chains on one thread over two: so much more two cores of the machine do where neither
//! memory nor caches are in the way.
//!
//! The mesh that is numbered at random is renumbered by `rcm`.
//!
//! # What was found
//!
//! Virtual machine with 2 cores of an AMD EPYC (Zen 4, AVX-512), shared with other machines, 2026-11-22, three runs of 15 rounds within ten
//! minutes; triad 36.2, 36.0 and 35.8 GB/s in the median and 29 to 60 in all rounds, peak 72, 81 and 78e9 flops/s:
//!
//! | what | goal | min | medians of the runs | max | |
//! | --- | --- | --- | --- | --- | --- |
//! | whole iteration of triad | >= 0.85 | 0.53 | 0.70, 0.67, 0.78 | 0.94 | missed |
//! | scalar, unchained, over lanes | >= 1.90 | 1.14 | 1.77, 1.65, 1.84 | 2.89 | missed |
//! | scalar, chained, over lanes | | 1.32 | 1.81, 1.73, 1.79 | 2.15 | |
//! | lanes, unchained, over chained | | 0.69 | 0.97, 0.87, 0.99 | 1.91 | |
//! | save_soln of triad | >= 0.90 | 0.28 | 0.98, 1.23, 1.15 | 1.38 | met |
//! | update of triad | >= 0.90 | 0.93 | 1.37, 1.43, 1.38 | 1.71 | met |
//! | random, reordered, over in order | <= 1.05 | 0.59 | 0.90, 0.86, 0.95 | 1.46 | met |
//! | f64 over f32 | >= 1.80 | 0.75 | 1.42, 1.47, 1.35 | 1.96 | missed |
//! | registers alone, 1 thread over 2 | | 0.97 | 1.52, 1.75, 1.65 | 1.93 | |
//! | adt_calc, 1 thread over 2 | >= 1.90 | 1.01 | 1.59, 1.78, 1.83 | 2.47 | missed |
//! | res_calc, 1 thread over 2 | >= 1.90 | 1.17 | 1.61, 2.29, 2.39 | 2.96 | met twice |
//! | hydra, accu, of the larger floor | >= 0.70 | 0.16 | 0.25, 0.28, 0.26 | 0.34 | missed |
//! | hydra, edgecon, of the larger floor | >= 0.70 | 0.27 | 0.45, 0.49, 0.46 | 0.63 | missed |
//! | hydra, vflux, of the larger floor | >= 0.70 | 0.18 | 0.22, 0.23, 0.24 | 0.37 | missed |
//! | hydra, iflux, of the larger floor | >= 0.70 | 0.19 | 0.27, 0.27, 0.28 | 0.45 | missed |
//!
//! Two cores of the machine are far from twice one while others use it: what its registers alone reach in the same rounds says how far. Half
//! an hour before, when the machine was quieter, one run of 11 rounds had 0.75, 2.08, 1.90 and 1.09 in the first four lines and 1.97 for
//! `adt_calc`. Next to the program before functions for other packs were cold, blocks came in units of 64 and rows went past the caches in
//! whole lines, 25 rounds in random order, ten iterations took 0.88 of the time.
//!
//! Of the 784 bytes of a cell 96 are entries of maps, so that 440 are left by `f32`: it is 1.78 times as fast where both are as near to the
//! bandwidth.
//!
//! OP2 on the same machine in the same hour, 720,000 cells, 200 iterations, two runs: its C++ (b9e7a58, g++ 12, `-O3 -march=native`, with
//! `-ffast-math` where it is vectorised, ranks by inertial bisection, without the location of the largest error, which ours computes) took
//! 12.0 and 12.1 s vectorised on one core, 9.0 and 9.2 s with OpenMP on two (blocks of 4096), and 8.1 and 8.3 s on two vectorised MPI ranks. Ours
//! took 5.4 and 6.3 s on one core and 3.1 to 3.8 s on two.
//!
//! What is left: on one core airfoil's loops take the same time whether the mesh is in the second-level cache or in memory, least of five runs
//! 19 to 21 ns for a cell and iteration in `res_calc`, 9 to 10 in `adt_calc` (before those functions were cold); two threads are 1.5 times as
//! fast in the third-level cache as well. So it is neither bandwidth nor latency of memory. `adt_calc` waits for its five square roots. In `res_calc`, a seventh fewer instructions
//! (offsets of rows from maps that were multiplied before) changed nothing, and neither did fused multiplications and additions, which
//! would have changed bits: its arithmetic (1.9 ns of 3.4 in a kernel like it) and its additions to rows (1.6 ns) do not overlap. hydra's loops
//! gather and add far more than they compute: `vflux` reads 93 numbers for an edge, `accu` adds 52.
//!
//! What did not help, time with over time without: kernels fused by hand instead of chains 0.97, and strips of chains of 32 to 1024 elements
//! without locks 1.0 to 1.05; two prefetches for each pack and argument in the code of the loop 1.0; other orders of the arguments of
//! `res_calc` 1.0 to 1.2; offsets of rows computed by vectors and read back 1.2; adding the contributions of a
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
