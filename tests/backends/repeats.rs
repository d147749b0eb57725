//! Contributions of an element that repeat others of it: blocks on devices store one of them.

use crate::support::{Edges, Mesh, Nodes, on_every_backend, samples};
use op2::{Backend, Config, Op2, Reads, Set, Strategy, op_par_loop};

/// A mode whose signs alternate, a share, and a count; and what one corner alone gets, by another way through the map.
#[op2::kernel]
fn corners(w: &f64, mode: [&mut [f64; 3]; 3], share: [&mut f32; 3], count: [&mut i32; 3], alone: &mut f64) {
    for d in 0..3 {
        let part = *w * (d as f64 + 0.5);
        mode[0][d] += part;
        mode[1][d] -= part;
        mode[2][d] += part;
    }
    let third = (*w / 3.0) as f32;
    *share[0] += third;
    *share[1] += third;
    *share[2] += third;
    *count[0] += 1;
    *count[1] += 1;
    *count[2] += 1;
    *alone -= *w;
}

type Found = (Vec<[f64; 3]>, Vec<f32>, Vec<i32>, Vec<f64>);

fn expected(rows: &[[u32; 3]], nodes: usize) -> Found {
    let (mut mode, mut share): (Vec<[f64; 3]>, Vec<f32>) = (samples(nodes, 2), samples(nodes, 3));
    let (mut count, mut alone): (Vec<i32>, Vec<f64>) = (samples(nodes, 4), samples(nodes, 5));
    for (row, w) in rows.iter().zip(samples::<f64>(rows.len(), 1)) {
        for (node, sign) in row.map(|node| node as usize).into_iter().zip([1.0, -1.0, 1.0]) {
            (0..3).for_each(|d| mode[node][d] += sign * (w * (d as f64 + 0.5)));
            share[node] += (w / 3.0) as f32;
            count[node] += 1;
        }
        alone[row[1] as usize] -= w;
    }
    (mode, share, count, alone)
}

/// Runs the loop.
fn run(op: &mut Op2, rows: &[[u32; 3]], size: usize) -> op2::Result<Found> {
    let (edges, nodes): (Set<Edges>, Set<Nodes>) = (op.decl_set("edges", rows.len())?, op.decl_set("nodes", size)?);
    let map = op.decl_map("map", edges, nodes, rows)?;
    let w = op.decl_dat("w", edges, &samples::<f64>(rows.len(), 1))?;
    let mode = op.decl_dat("mode", nodes, &samples::<[f64; 3]>(size, 2))?;
    let share = op.decl_dat("share", nodes, &samples::<f32>(size, 3))?;
    let count = op.decl_dat("count", nodes, &samples::<i32>(size, 4))?;
    let alone = op.decl_dat("alone", nodes, &samples::<f64>(size, 5))?;
    op_par_loop!(
        op,
        corners,
        edges,
        read(w),
        inc(mode, map[..]),
        inc(share, map[..]),
        inc(count, map[..]),
        inc(alone, map[1])
    )?;
    Ok((op.fetch(mode)?, op.fetch(share)?, op.fetch(count)?, op.fetch(alone)?))
}

/// Also where a row contains a node several times.
#[test]
fn corners_share_a_contribution() {
    let of_mesh = |m: &Mesh| expected(&m.rows::<3>(1), m.nodes);
    on_every_backend(&Mesh::all(), of_mesh, |op, m| run(op, &m.rows::<3>(1), m.nodes));
}

/// Nodes of an element are so far from each other that 16 bits do not hold the distance. Each gets one contribution, so that no rounding
/// depends on an order.
#[test]
fn nodes_are_far_from_each_other() -> op2::Result<()> {
    const NODES: u32 = 70_000;
    let rows: Vec<[u32; 3]> = (0..200).map(|e| [e, NODES - 1 - e, NODES / 2 + e]).collect();
    let Some(backend) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) else { return Ok(()) };
    for strategy in [Strategy::blocks(64), Strategy::owner(64)] {
        let config = Config::default().backend(backend).strategy(strategy.reading(Reads::Gathered));
        let mut op = Op2::with(config)?;
        let found = run(&mut op, &rows, NODES as usize)?;
        assert!(found == expected(&rows, NODES as usize), "{strategy}");
    }
    Ok(())
}
