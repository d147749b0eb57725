//! Redirected and direct contributions side by side: at the transitions no element is skipped or runs twice.
//! Contributions are integers, so that sums are exact in any order.

use crate::support::configuration::Configuration;
use op2::{Backend, Isa, Layout, Map, Op2, Strategy, op_par_loop};

op2::sets! { Edges, Nodes }

#[op2::kernel]
fn count(e: usize, weight: &f64, sums: [&mut [f64; 2]; 2], counts: [&mut i64; 2]) {
    let own = *weight + e as f64;
    sums[0][0] += own;
    sums[0][1] -= 1.0;
    sums[1][0] -= 3.0 * own;
    sums[1][1] += 2.0;
    *counts[0] += 1;
    *counts[1] += 1000;
}

type Found = (Vec<[f64; 2]>, Vec<i64>);

fn by_op2(with: Configuration, nodes: usize, ends: &[[u32; 2]]) -> op2::Result<Found> {
    let mut op: Op2 = with.op();
    let (edges, nodes) = (op.decl_set::<Edges>("edges", ends.len())?, op.decl_set::<Nodes>("nodes", nodes)?);
    let map: Map<Edges, Nodes, 2> = op.decl_map("ends", edges, nodes, ends)?;
    let weight: Vec<f64> = (0..ends.len()).map(|e| (e % 5) as f64).collect();
    let weight = op.decl_dat("weight", edges, &weight)?;
    let (sums, counts) = (op.decl_dat_filled("sums", nodes, [0.5; 2])?, op.decl_dat_filled("counts", nodes, 0i64)?);
    op_par_loop!(op, count, edges, idx(), read(weight), inc(sums, map[..]), inc(counts, map[..]))?;
    Ok((op.fetch(sums)?, op.fetch(counts)?))
}

fn plainly(nodes: usize, ends: &[[u32; 2]]) -> Found {
    let (mut sums, mut counts) = (vec![[0.5; 2]; nodes], vec![0; nodes]);
    for (e, [a, b]) in ends.iter().map(|ends| ends.map(|n| n as usize)).enumerate() {
        let own = (e % 5) as f64 + e as f64;
        sums[a] = [sums[a][0] + own, sums[a][1] - 1.0];
        sums[b] = [sums[b][0] - 3.0 * own, sums[b][1] + 2.0];
        counts[a] += 1;
        counts[b] += 1000;
    }
    (sums, counts)
}

/// Runs the loop by all instruction sets and in all layouts.
fn agrees(strategy: Strategy, nodes: usize, ends: &[[u32; 2]]) {
    let expected = plainly(nodes, ends);
    for layout in [Layout::Aos, Layout::Soa, Layout::Blocked(4)] {
        for (n, isa) in Isa::available().into_iter().enumerate() {
            let with =
                Configuration { backend: Backend::Threads(1 + n % 3), strategy, layout, isa, ..Configuration::SEQ };
            let found = by_op2(with, nodes, ends).unwrap_or_else(|e| panic!("{with}: {e}"));
            assert!(found == expected, "{with} on {nodes} nodes, {} edges", ends.len());
        }
    }
}

/// Blocks of 64 edges contain runs of edges that share no node with another block. Their lengths are around the least
/// one that runs separately, and they are at the start, the middle and the end of a block. Other edges have a node that
/// all blocks share.
#[test]
fn runs_that_go_straight_end_where_others_begin() {
    const BLOCK: usize = 64;
    for length in [1, 14, 15, 16, 17, 18, 23, 24, 25, 31, 32, 33, 62, 63, 64] {
        let mut ends = Vec::new();
        for start in [0, 1, 2, (BLOCK - length) / 2, BLOCK - length] {
            for at in 0..BLOCK {
                let own = ends.len() as u32 + 1;
                let straight = at >= start && at < start + length;
                ends.push(if straight { [own, own] } else { [own, 0] });
            }
        }
        let nodes = ends.len() + 1;
        for strategy in [Strategy::tiles(BLOCK), Strategy::owner(BLOCK)] {
            agrees(strategy, nodes, &ends);
        }
    }
}

/// Sums are added by tasks of 2048 targets.
#[test]
fn tasks_that_add_copies_take_all_targets_once() {
    for nodes in [1, 2047, 2048, 2049, 4095, 4096, 4097, 6150] {
        // Each node is at the end of two edges, which are far apart.
        let ends: Vec<[u32; 2]> = (0..nodes).map(|n| [n as u32, (n * 7 + nodes / 2) as u32 % nodes as u32]).collect();
        for strategy in [Strategy::scatter(512), Strategy::tiles(100)] {
            agrees(strategy, nodes, &ends);
        }
    }
}
