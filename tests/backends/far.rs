//! Blocks on devices whose targets are so far from each other that 16 bits do not hold the distance, beside others whose targets are near.

use crate::support::{Edges, Nodes};
use op2::{Backend, Config, Layout, Op2, Reads, Set, Strategy, op_par_loop};

const NODES: usize = 140_000;
/// Not a multiple of the sizes of blocks.
const EDGES: usize = 1000;

/// Adds small integers, so that no rounding depends on an order.
#[op2::kernel]
fn reach(
    first: &f64,
    pair: [&[f64; 2]; 2],
    maybe: Option<&f64>,
    absent: Option<&f64>,
    own: &mut f64,
    sum: [&mut f64; 2],
    count: &mut i32,
) {
    let by = *first + pair[0][0] - 2.0 * pair[1][1] + *maybe.unwrap_or(&0.5) + *absent.unwrap_or(&0.25);
    *own = by;
    *sum[0] += by;
    *sum[1] -= by;
    *count += 1;
}

/// Both nodes of an edge, and perhaps a third one. Of each 200 edges, some have nodes at the two ends of the set, through one map, the
/// other one, or both; the others have distances up to the greatest that is narrow, and one more.
fn rows() -> (Vec<[u32; 2]>, Vec<[Option<u32>; 1]>) {
    let last = NODES as u32 - 1;
    let of = |e: u32| {
        let near = [e, e + 7];
        match e % 200 {
            3 => ([e, last - e], Some(e)),
            4 => (near, Some(last - e)),
            // The distance from 60 is that of the whole block.
            60 => ([60, 61], Some(0)),
            61 => ([60 + 65_534 + e / 200 % 2, 60], None),
            90 => ([last - e, e], Some(last / 2)),
            _ => (near, (!e.is_multiple_of(3)).then_some(e + 1)),
        }
    };
    (0..EDGES as u32).map(of).map(|(pair, third)| (pair, [third])).unzip()
}

type Found = (Vec<f64>, Vec<f64>, Vec<i32>);

fn value(n: u32) -> f64 {
    f64::from(n % 97)
}

fn expected(there: bool) -> Found {
    let (mut own, mut sum, mut count) = (Vec::new(), vec![0.0; NODES], vec![0; NODES]);
    let (pairs, thirds) = rows();
    for ([a, b], [third]) in pairs.into_iter().zip(thirds) {
        let absent = if there { value(b) } else { 0.25 };
        let by = value(b) + value(a) + 1.0 - 2.0 * (value(b) + 2.0) + third.map_or(0.5, value) + absent;
        own.push(by);
        sum[a as usize] += by;
        sum[b as usize] -= by;
        if let Some(third) = third {
            count[third as usize] += 1;
        }
    }
    (own, sum, count)
}

fn run(config: Config, there: bool) -> op2::Result<Found> {
    let mut op = Op2::with(config)?;
    let (edges, nodes): (Set<Edges>, Set<Nodes>) = (op.decl_set("edges", EDGES)?, op.decl_set("nodes", NODES)?);
    let (pairs, thirds) = rows();
    let (map, third) = (op.decl_map("map", edges, nodes, &pairs)?, op.decl_opt_map("third", edges, nodes, &thirds)?);
    let values: Vec<f64> = (0..NODES as u32).map(value).collect();
    let q: Vec<[f64; 2]> = values.iter().map(|v| [v + 1.0, v + 2.0]).collect();
    let (x, q) = (op.decl_dat("x", nodes, &values)?, op.decl_dat("q", nodes, &q)?);
    let (own, sum) = (op.decl_dat_filled("own", edges, 0.0)?, op.decl_dat_filled("sum", nodes, 0.0)?);
    let count = op.decl_dat_filled("count", nodes, 0)?;
    op_par_loop!(
        op,
        reach,
        edges,
        read(x, map[1]),
        read(q, map[..]),
        read(x, third[0]),
        opt(there, read(x, map[1])),
        write(own),
        inc(sum, map[..]),
        inc(count, third[0])
    )?;
    let told = op.report().loops[0].strategy.clone();
    assert!(told.contains("gathered"), "{told}");
    Ok((op.fetch(own)?, op.fetch(sum)?, op.fetch(count)?))
}

#[test]
fn far_blocks_beside_near_ones() -> op2::Result<()> {
    let Some(backend) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) else { return Ok(()) };
    let strategies = [
        Strategy::blocks(32),
        Strategy::blocks(100),
        Strategy::owner(64),
        Strategy::block_atomics(64),
        Strategy::tiles(64),
        Strategy::split(64, 2),
        Strategy::split_atomics(64, 2),
    ];
    for (n, strategy) in strategies.into_iter().enumerate() {
        let layout = if n.is_multiple_of(2) { Layout::Aos } else { Layout::Soa };
        let config = Config::default().backend(backend).layout(layout).strategy(strategy.reading(Reads::Gathered));
        let there = !n.is_multiple_of(3);
        assert!(run(config, there)? == expected(there), "{strategy}");
    }
    Ok(())
}
