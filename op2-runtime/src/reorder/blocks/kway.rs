//! Cuts a graph by METIS.

use super::super::follow::by_key;
use super::elements::Weighted;
use crate::error::reorder::ReorderError;
use metis::option::Seed;
use metis::{Graph, Idx, NOPTIONS};
use std::sync::{Mutex, PoisonError};

/// METIS may make a part larger than the average by this factor, the value of the paper.
const IMBALANCE: f64 = 1.001;

/// The ε of the paper. METIS rounds the largest allowed size down; half an element keeps that size at the block size.
const EPSILON: f64 = 0.5;

/// More parts than this are cut in two steps, first into about √parts pieces, then each piece into about as many parts.
/// METIS's k-way cut stops coarsening at 30 vertices per part and bisects that graph recursively; with blocks of a few
/// hundred elements it is most of the original graph.
const PARTS_AT_ONCE: usize = 64;

/// METIS leaves parts of fewer elements empty, and complains on the standard output.
const SMALLEST: usize = 16;

/// Index of the option for the number of tries at the coarsest graph, in METIS 5.2, which the crate bundles but does
/// not name. One try instead of four takes half the time, and the reuse factor stays (3.242 and 3.243 on 1.44 million
/// edges in blocks of 128).
const INITIAL_CUTS: usize = 6;

/// METIS uses the random numbers of the C library, and a process has only one sequence of them. Two concurrent calls
/// would share it, and parts would differ from run to run.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The part of every element: the total weight of cut edges is small, and parts have about `block` elements, most of
/// them no more. Some parts may be empty.
///
/// With S the block size and l the imbalance, METIS is asked for parts of S' = ⌊S/l⌋ elements with the imbalance
/// (S + ε)/S'. If `block` is below [`SMALLEST`], parts have a multiple of `block` elements, and the repair divides
/// them.
pub(super) fn cut(graph: &Weighted, block: usize) -> Result<Vec<u32>, ReorderError> {
    let n = graph.len();
    let block = block * SMALLEST.div_ceil(block);
    let target = ((block as f64 / IMBALANCE) as usize).max(1);
    let parts = n.div_ceil(target);
    if parts <= PARTS_AT_ONCE {
        return once(graph, parts, block);
    }
    let pieces = (parts as f64).sqrt().round() as usize;
    let shares: Vec<f32> =
        (0..pieces).map(|p| (parts * (p + 1) / pieces - parts * p / pieces) as f32 / parts as f32).collect();
    let piece = cut_by(graph, &shares, IMBALANCE)?;
    let (members, starts) = by_key(pieces, n, |e| piece[e]);
    let (mut part, mut first, mut inside) = (vec![0; n], 0, Inside::new(n));
    for ends in starts.windows(2) {
        let members = &members[ends[0] as usize..ends[1] as usize];
        // A piece may exceed its share by the imbalance without getting more parts.
        let parts = (members.len() as f64 / (target as f64 * IMBALANCE)).ceil() as usize;
        for (&e, p) in members.iter().zip(once(inside.graph(graph, members)?, parts, block)?) {
            part[e as usize] = first + p;
        }
        first += parts as u32;
    }
    Ok(part)
}

/// Cuts into `parts` parts of equal size, of which none should exceed `block`.
fn once(graph: &Weighted, parts: usize, block: usize) -> Result<Vec<u32>, ReorderError> {
    let average = graph.len() as f64 / parts as f64;
    cut_by(graph, &vec![1.0 / parts as f32; parts], (block as f64 + EPSILON) / average)
}

/// Cuts into one part for each share. Part `p` gets about the fraction `shares[p]` of the vertices, and at most
/// `imbalance` times that if METIS manages.
fn cut_by(graph: &Weighted, shares: &[f32], imbalance: f64) -> Result<Vec<u32>, ReorderError> {
    let (elements, parts) = (graph.len(), shares.len());
    if parts < 2 {
        return Ok(vec![0; elements]);
    }
    if graph.neighbours.is_empty() {
        // Without edges, the order of the elements will do.
        return Ok((0..elements).map(|e| (e * parts / elements) as u32).collect());
    }
    let refused = |reason: String| ReorderError::Metis { elements, parts, reason };
    let mut options = [-1; NOPTIONS];
    options[INITIAL_CUTS] = 1;
    let mut part: Vec<Idx> = vec![0; elements];
    {
        // The lock guards no data, so a panic leaves nothing invalid.
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        Graph::new(1, parts as Idx, &graph.offsets, &graph.neighbours)
            .map_err(|e| refused(e.to_string()))?
            .set_adjwgt(&graph.weights)
            .set_tpwgts(shares)
            .set_ubvec(&[imbalance as f32])
            .set_options(&options)
            .set_option(Seed(1))
            .part_kway(&mut part)
            .map_err(|e| refused(e.to_string()))?;
    }
    Ok(part.into_iter().map(|p| p as u32).collect())
}

/// The graph of one piece, with memory that all pieces reuse.
struct Inside {
    /// Number of every element within the piece; `Idx::MAX` outside.
    place: Vec<Idx>,
    graph: Weighted,
}

impl Inside {
    fn new(n: usize) -> Inside {
        Inside { place: vec![Idx::MAX; n], graph: Weighted::new() }
    }

    fn graph(&mut self, whole: &Weighted, members: &[u32]) -> Result<&Weighted, ReorderError> {
        let Inside { place, graph } = self;
        graph.offsets.truncate(1);
        graph.neighbours.clear();
        graph.weights.clear();
        for (i, &e) in (0..).zip(members) {
            place[e as usize] = i;
        }
        for &e in members {
            for (w, weight) in whole.of_vertex(e as usize).filter(|&(w, _)| place[w] != Idx::MAX) {
                graph.neighbours.push(place[w]);
                graph.weights.push(weight);
            }
            graph.close()?;
        }
        for &e in members {
            place[e as usize] = Idx::MAX;
        }
        Ok(graph)
    }
}
