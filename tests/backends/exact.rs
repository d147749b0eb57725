//! Contributions that any order combines to the same bits: minima, maxima and unions through maps need no plan.

use crate::support::{Declared, Mesh, Nodes, on_every_backend};
use op2::{Backend, Config, Idx, Op2, op_par_loop};

/// Floats among which an order of contributions would show: zeros of both signs, and no numbers.
const FLOATS: [f64; 7] = [0.0, -0.0, 1.5, f64::NAN, -2.5, f64::INFINITY, 0.25];

fn floats(n: usize, step: usize) -> Vec<f64> {
    (0..n).map(|e| FLOATS[e * step % FLOATS.len()]).collect()
}

fn pairs(n: usize) -> Vec<[f32; 2]> {
    (0..n).map(|e| [3, 5].map(|step| FLOATS[e * step % FLOATS.len()] as f32)).collect()
}

/// Two nodes of each edge, of which every third second one is missing.
fn maybe(m: &Mesh) -> Vec<[Option<u32>; 2]> {
    (0..).zip(m.rows::<2>(2)).map(|(e, row)| [Some(row[0]), (e % 3 > 0).then_some(row[1])]).collect()
}

#[op2::kernel]
fn extremes(
    x: &f64,
    y: &[f32; 2],
    k: &i16,
    low: [&mut f64; 3],
    high: &mut [f32; 2],
    early: [&mut i64; 2],
    bits: [&mut u8; 3],
    seen: [&mut bool; 2],
) {
    for i in 0..3 {
        *low[i] = low[i].min(*x);
        *bits[i] |= 1 << (*k as u8 % 8);
    }
    for c in 0..2 {
        high[c] = high[c].max(y[c]);
        *early[c] = (*early[c]).min(*k as i64 - 40);
        *seen[c] |= *k % 5 == 2;
    }
}

type Extremes = (Vec<u64>, Vec<[u32; 2]>, Vec<i64>, Vec<u8>, Vec<bool>);

/// The initial values of the nodes.
fn initial(m: &Mesh) -> (Vec<f64>, Vec<[f32; 2]>) {
    (floats(m.nodes, 2), pairs(m.nodes))
}

/// By the total order of floats, in which -0 is below 0, without those that are no numbers.
fn expected(m: &Mesh) -> Extremes {
    let (mut low, mut high) = initial(m);
    let (mut early, mut bits, mut seen) = (vec![7_i64; m.nodes], vec![0_u8; m.nodes], vec![false; m.nodes]);
    let (rows, maybe) = (m.rows::<3>(1), maybe(m));
    for (e, (x, y)) in floats(m.edges, 1).into_iter().zip(pairs(m.edges)).enumerate() {
        let [x, y] = [[x; 2], y.map(f64::from)];
        for n in rows[e].map(|n| n as usize) {
            let x = if x[0].is_nan() { f64::INFINITY } else { x[0] };
            if low[n].is_nan() || x.total_cmp(&low[n]).is_lt() {
                low[n] = x;
            }
            bits[n] |= 1 << (e % 100 % 8);
        }
        for c in 0..2 {
            let y = if y[c].is_nan() { f32::NEG_INFINITY } else { y[c] as f32 };
            let high = &mut high[rows[e][1] as usize][c];
            if high.is_nan() || y.total_cmp(high).is_gt() {
                *high = y;
            }
            if let Some(n) = maybe[e][c] {
                early[n as usize] = early[n as usize].min((e % 100) as i64 - 40);
            }
            seen[maybe[e][0].unwrap() as usize] |= c == 0 && e % 100 % 5 == 2;
            if c == 1 {
                seen[rows[e][2] as usize] |= e % 100 % 5 == 2;
            }
        }
    }
    let high = high.into_iter().map(|high| high.map(f32::to_bits)).collect();
    (low.into_iter().map(f64::to_bits).collect(), high, early, bits, seen)
}

#[op2::kernel]
fn unite(k: &i16, seen: &mut bool) {
    *seen |= *k % 5 == 2;
}

#[test]
fn extremes_come_in_any_order() {
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Declared { edges, nodes } = m.declare(op)?;
        let rows = op.decl_map("rows", edges, nodes, &m.rows::<3>(1))?;
        let maybe = op.decl_opt_map("maybe", edges, nodes, &maybe(m))?;
        let firsts: Vec<[u32; 1]> = m.rows::<2>(2).into_iter().map(|row| [row[0]]).collect();
        let first = op.decl_map("first", edges, nodes, &firsts)?;
        let (x, y) = (op.decl_dat("x", edges, &floats(m.edges, 1))?, op.decl_dat("y", edges, &pairs(m.edges))?);
        let k = op.decl_dat("k", edges, &(0..m.edges).map(|e| (e % 100) as i16).collect::<Vec<_>>())?;
        let (low, high) = initial(m);
        let (low, high) = (op.decl_dat("low", nodes, &low)?, op.decl_dat("high", nodes, &high)?);
        let early = op.decl_dat_filled("early", nodes, 7_i64)?;
        let (bits, seen) = (op.decl_dat_filled("bits", nodes, 0_u8)?, op.decl_dat_filled("seen", nodes, false)?);
        let ends: Vec<[u32; 2]> = firsts.iter().zip(m.rows::<3>(1)).map(|(first, row)| [first[0], row[2]]).collect();
        let ends = op.decl_map("ends", edges, nodes, &ends)?;
        op_par_loop!(
            op,
            extremes,
            edges,
            read(x),
            read(y),
            read(k),
            min(low, rows[..]),
            max(high, rows[1]),
            min(early, maybe[..]),
            or(bits, rows[..]),
            or(seen, ends[..])
        )?;
        // Nothing new: the same through another map.
        op_par_loop!(op, unite, edges, read(k), or(seen, first[0]))?;
        let bits_of = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect();
        let high = op.fetch(high)?.into_iter().map(|high| high.map(f32::to_bits)).collect();
        Ok((bits_of(op.fetch(low)?), high, op.fetch(early)?, op.fetch(bits)?, op.fetch(seen)?))
    });
}

#[op2::kernel]
fn move_on(next: &mut Idx<Nodes>, to: Idx<Nodes>) {
    *next = to;
}

#[op2::kernel]
fn lowest(number: u32, first: &mut u32) {
    *first = (*first).min(number);
}

/// Nothing of such a loop is inspected when its map has changed: its report shows as many bytes for each element as before.
#[test]
fn loops_without_plans_start_at_once() {
    const NODES: u32 = 40_000;
    for backend in [Backend::Seq, Backend::Threads(2)] {
        let mut op = Op2::with(Config::default().backend(backend)).unwrap();
        let nodes = op.decl_set::<Nodes>("nodes", NODES as usize).unwrap();
        let (one, all): (Vec<_>, Vec<_>) = (0..NODES).map(|n| ([0_u32], [(n + 1) % NODES])).unzip();
        let next = op.decl_map("next", nodes, nodes, &one).unwrap();
        let other = op.decl_map("other", nodes, nodes, &all).unwrap();
        let first = op.decl_dat_filled("first", nodes, u32::MAX).unwrap();
        let bytes = |op: &Op2| op.report().loops.iter().find(|row| row.name == "lowest").unwrap().useful_bytes;
        let round = |op: &mut Op2| {
            op.fill(first, u32::MAX).unwrap();
            op_par_loop!(op, lowest, nodes, idx(), min(first, next[0])).unwrap();
            op.fetch(first).unwrap()
        };
        assert_eq!(round(&mut op)[..2], [0, u32::MAX], "all lead to the first node");
        let before = bytes(&op);
        // Entries, and one element that is read and written.
        assert_eq!(before, 4 * u64::from(NODES) + 8);
        op_par_loop!(op, move_on, nodes, write(next), idx(other[0])).unwrap();
        let found = round(&mut op);
        assert!((0..NODES).all(|n| found[n as usize] == (n + NODES - 1) % NODES), "each leads to the node behind it");
        assert_eq!(bytes(&op), 2 * before, "{backend:?}: nothing was counted anew");
    }
}
