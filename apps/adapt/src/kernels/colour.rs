//! Colours of facets, such that no two neighbours have the same: the algorithm of M. T. Jones and P. E. Plassmann (*A parallel graph coloring
//! heuristic*, SIAM J. Sci. Comput. 14, 1993).
//!
//! It is what the thesis colours facets by before it refines (kernels R1 and R2 of table 6.2). Refinement here needs no
//! [colours](super::refine).

use super::{Facets, hash};
use op2::{Idx, Table};

/// The colour of a facet that has none yet.
const NONE: u32 = u32::MAX;

/// Gives a facet its number's hash as rank, and no colour.
#[op2::kernel]
pub fn prepare(number: u32, rank: &mut u32, colour: &mut u32) {
    *rank = hash(number);
    *colour = NONE;
}

/// Chooses the lowest colour that no neighbour has, if all neighbours of a higher rank have theirs.
#[op2::kernel]
pub fn elect(
    rank: &u32,
    n: &[Option<Idx<Facets>>; 3],
    ranks: &Table<Facets, u32>,
    colours: &Table<Facets, u32>,
    chosen: &mut u32,
) {
    *chosen = NONE;
    let mut taken = 0;
    for i in 0..3 {
        if let Some(g) = n[i] {
            let colour = colours.at(g);
            if colour != NONE {
                taken |= 1 << colour;
            } else if ranks.at(g) > *rank {
                return;
            }
        }
    }
    // Three neighbours leave one of four colours.
    let mut colour = 0;
    while taken >> colour & 1 == 1 {
        colour += 1;
    }
    *chosen = colour;
}

/// Takes the colour that was chosen.
#[op2::kernel]
pub fn paint(chosen: &u32, colour: &mut u32, waits: &mut bool) {
    *colour = *chosen;
    *waits = *chosen == NONE;
}
