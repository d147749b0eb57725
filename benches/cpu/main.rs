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
//! The mesh that is numbered at random is renumbered by `rcm`.

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
