//! The kernels, in op2's kernel language: what happens to one facet, or to one vertex.
//!
//! | module | phase of the thesis |
//! | --- | --- |
//! | [`geometry`] | lengths and areas |
//! | [`grid`] | the metric at vertices |
//! | [`coarsen`] | coarsening, kernels C1 to C12 of table 6.1 |
//! | [`refine`] | refinement, kernels R3 to R11 of table 6.2 |
//! | [`colour`] | colours of facets, kernels R1 and R2 of table 6.2 |
//!
//! Edge i of a facet leads from its corner i to corner i + 1, modulo 3, and its neighbour i lies behind that edge.

pub mod coarsen;
pub mod colour;
pub mod geometry;
pub mod grid;
pub mod refine;

op2::sets! { pub Facets, Verts, Nodes }

/// A number without a pattern from one with a pattern: one to one, so that two different numbers never have the same hash.
///
/// The multipliers are those of C. Wellons' `lowbias32`, from a search for functions in which each bit of the number changes half of
/// the bits of the result.
#[op2::device_fn]
pub fn hash(number: u32) -> u32 {
    let mut bits = number;
    bits ^= bits >> 16;
    bits = bits.wrapping_mul(0x7feb_352d);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x846c_a68b);
    bits ^ bits >> 16
}
