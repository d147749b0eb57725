//! Whether a loop is faster in lanes than one element at a time: a model of the time of an element.
//!
//! Over pairs, an element is a partner. Lanes divide the time of arithmetic by their number. They take longer where rows of one component are collected from places that
//! a map leads to, or where values are added there: both go lane by lane. Rows of several components are loaded whole and
//! transposed, which costs little, as long as a pack fits into the registers. The compiler has vectors too: a loop over short
//! rows that goes through no map and reduces nothing runs by those of the compilation target.
//!
//! The constants are fitted to hydra's and airfoil's loops, MG-CFD's flux, aero's product, and 100 small loops over 7,200 and 320,000
//! edges of a plane, on one thread of an AMD EPYC (AVX2), 2026-11-24: copies, differences, and sums through maps, of 1 to 16
//! components in `f64` and `f32`, with up to 19 operations for each. By the model's choice, 84
//! of the small loops take at most 1.05 times as long as by the better of both, and none more than 1.42 times. Always in lanes it
//! would be 51 and 2.2, never in lanes 55 and 2.9; `Auto` measures both.

use super::key::Inputs;
use crate::isa::Isa;
use crate::mesh::bindings::BoundDat;
use op2_core::Access;

/// The work of an element of a loop besides its arithmetic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InLanes {
    /// By how much it is more in lanes, in operations.
    extra: f64,
    /// Whether the compiler may run several elements of the user's function at once.
    compiler: bool,
    /// Bytes of the widest scalar.
    bytes: usize,
    /// Whether arguments are rows of any length.
    any_length: bool,
}

/// A pack of elements is taken, and tested for lanes that are off.
const PACK: f64 = 0.8;
/// A component of a row is transposed: of a direct row, of one through a map.
const DIRECT: f64 = 0.25;
const MAPPED: f64 = 0.1;
/// A row of one component is read through a map.
const READ_ONE: f64 = 2.3;
/// A component is added to through a map: one of four that are added at once, and one of the others.
const ADD_OF_FOUR: f64 = 1.2;
const ADD_ONE: f64 = 3.0;
/// A component of direct rows beyond those that registers hold.
const SPILLED: f64 = 4.0;
/// An entry of a row of any length. One stands for all, since operations are counted for one round. In bench `rows`, sums of 19
/// operations over entries of three components take 13.9 ns an entry by AVX2 and 4.9 ns by scalars (one thread of an AMD EPYC,
/// 2026-11-26). Estimated from these two times alone.
const ANY_LENGTH: f64 = 34.0;
/// Components of direct rows that registers hold.
const HELD: usize = 16;
/// A line that is prefetched rather than waited for: aero's product, which has two, saves 3.6 ns by them (one thread of an AMD EPYC,
/// Zen 4, 2026-11-25). Not fitted: with 1 and more, the product is predicted to run by AVX2, which takes 0.95 of its time by scalars.
const LATE_LINE: f64 = 4.0;
/// Rows of this many components at most run in the compiler's vectors.
const SHORT: usize = 2;
/// Bytes of the vectors of a compilation target without further options.
const COMPILERS_VECTOR: usize = 16;

impl InLanes {
    /// The work that the arguments are.
    pub(crate) fn of(inputs: Inputs<'_>) -> Self {
        let mut work = InLanes { extra: PACK, compiler: true, bytes: 1, any_length: false };
        let mut direct = 0;
        for bound in inputs.dats() {
            let dat = inputs.dat(bound);
            let components = dat.components();
            let own = bound.through.is_none() && !bound.whole && inputs.pairs().is_none();
            work.extra += match &bound.through {
                // A table is asked once at least.
                _ if bound.whole => elsewhere(bound, components),
                _ if inputs.pairs().is_some() => of_end(bound, components),
                Some((map, _)) if inputs.map(*map).offsets.is_some() => {
                    work.any_length = true;
                    ANY_LENGTH
                }
                Some((_, used)) => used.len() as f64 * of_row(bound, components),
                None => of_row(bound, components),
            };
            work.bytes = work.bytes.max(dat.elem.bytes());
            work.compiler &= own && components <= SHORT;
            direct += if own { components } else { 0 };
        }
        work.extra += SPILLED * direct.saturating_sub(HELD) as f64;
        work
    }

    /// Whether the stores that only lanes send past the caches matter: beside rows of any length they are few.
    pub(crate) fn streams_matter(&self) -> bool {
        !self.any_length
    }

    /// Whether lanes of these instructions pay for a kernel with this number of operations; `reduces` says whether it reduces into
    /// globals, `late` how many lines only lanes prefetch.
    pub(crate) fn pay(&self, isa: Isa, operations: u32, reduces: bool, late: usize) -> bool {
        let width = |vector: usize| (vector / self.bytes).max(1) as f64;
        let alone = if self.compiler && !reduces { width(COMPILERS_VECTOR) } else { 1.0 };
        f64::from(operations) * (1.0 / alone - 1.0 / width(isa.vector_bytes())) + late as f64 * LATE_LINE > self.extra
    }
}

/// By how much more work a row is in lanes.
fn of_row(bound: &BoundDat, components: usize) -> f64 {
    let n = components as f64;
    match (&bound.through, components) {
        (Some(_), _) => elsewhere(bound, components),
        (None, 1) => 0.0,
        // Read, and written back.
        (None, _) if bound.access == Access::Rw => 2.0 * DIRECT * n,
        (None, _) => DIRECT * n,
    }
}

/// By how much more work a row of one side of pairs is in lanes. Values outside are loaded once for all partners; what is added there is
/// added partner by partner, as through a map.
fn of_end(bound: &BoundDat, components: usize) -> f64 {
    if bound.inside || bound.access.combines() { elsewhere(bound, components) } else { 0.0 }
}

/// By how much more work a row is in lanes that lies elsewhere for each of them.
fn elsewhere(bound: &BoundDat, components: usize) -> f64 {
    let n = components as f64;
    match components {
        _ if bound.access.combines() => {
            let others = (components % 4) as f64;
            ADD_OF_FOUR * (n - others) + ADD_ONE * others
        }
        1 => READ_ONE,
        _ => MAPPED * n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_lines_count_for_lanes() {
        // aero's product: a direct row of 16, four rows of one component that are read and four that are added to.
        let extra = PACK + 16.0 * DIRECT + 4.0 * READ_ONE + 4.0 * ADD_ONE;
        let product = InLanes { extra, compiler: false, bytes: 8, any_length: false };
        assert!(!product.pay(Isa::Avx2, 32, false, 0) && product.pay(Isa::Avx2, 32, false, 2));
        assert!(!product.pay(Isa::Avx2, 8, false, 2), "they do not outweigh all");
    }
}
