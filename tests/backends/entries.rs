//! All entries of a map at once, `map[..]`.

use crate::support::{Mesh, on_every_backend, samples};
use op2::op_par_loop;

#[op2::kernel]
fn around(x: [&[f64; 2]; 3], centre: &mut [f64; 2]) {
    let mut sum = [0.0, 0.0];
    for i in 0..3 {
        let next = (i + 1) % 3;
        sum[0] += x[i][0] * x[next][1];
        sum[1] -= x[i][1] * x[next][0];
    }
    *centre = sum;
}

#[test]
fn read_all_entries() {
    let expected = |m: &Mesh| {
        let x: Vec<[f64; 2]> = samples(m.nodes, 1);
        let one = |row: [u32; 3]| {
            let x = row.map(|node| x[node as usize]);
            let sum = |c: usize| (0..3).map(|i| x[i][c] * x[(i + 1) % 3][1 - c]).sum::<f64>();
            [sum(0), -sum(1)]
        };
        m.rows::<3>(1).into_iter().map(one).collect::<Vec<_>>()
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<3>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        let centre = op.decl_dat_filled("centre", set.edges, [9.0; 2])?;
        op_par_loop!(op, around, set.edges, read(x, map[..]), write(centre))?;
        op.fetch(centre)
    });
}

#[op2::kernel]
fn gather_up(value: &[f64; 2], sum: [&mut f64; 3], lo: [&mut [f64; 2]; 3], hi: [&mut f64; 3]) {
    for i in 0..3 {
        *sum[i] += value[i % 2];
        lo[i][0] = lo[i][0].min(value[0]);
        lo[i][1] = lo[i][1].min(value[1]);
    }
    *hi[1] = hi[1].max(value[0]);
}

/// Each entry combines separately, also where a row contains a node several times.
#[test]
fn combine_through_all_entries() {
    let expected = |m: &Mesh| {
        let value: Vec<[f64; 2]> = samples(m.edges, 1);
        let (mut sum, mut lo, mut hi): (Vec<f64>, Vec<[f64; 2]>, Vec<f64>) =
            (samples(m.nodes, 2), samples(m.nodes, 3), samples(m.nodes, 4));
        for (row, v) in m.rows::<3>(1).into_iter().zip(value) {
            let row = row.map(|node| node as usize);
            for (i, node) in row.into_iter().enumerate() {
                sum[node] += v[i % 2];
                lo[node] = [lo[node][0].min(v[0]), lo[node][1].min(v[1])];
            }
            hi[row[1]] = hi[row[1]].max(v[0]);
        }
        (sum, lo, hi)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<3>(1))?;
        let value = op.decl_dat("value", set.edges, &samples::<[f64; 2]>(m.edges, 1))?;
        let sum = op.decl_dat("sum", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let lo = op.decl_dat("lo", set.nodes, &samples::<[f64; 2]>(m.nodes, 3))?;
        let hi = op.decl_dat("hi", set.nodes, &samples::<f64>(m.nodes, 4))?;
        op_par_loop!(op, gather_up, set.edges, read(value), inc(sum, map[..]), min(lo, map[..]), max(hi, map[..]))?;
        Ok((op.fetch(sum)?, op.fetch(lo)?, op.fetch(hi)?))
    });
}

#[op2::kernel]
fn shift(by: &u64, value: [&mut [u64; 2]; 3]) {
    for i in 0..3 {
        value[i][0] = (value[i][0] * 3 + 1 - value[i][0] * 2 + *by) % 1_000_003;
        value[i][1] ^= *by << i;
    }
}

#[test]
fn rw_through_all_entries() {
    let data = |m: &Mesh| -> (Vec<u64>, Vec<[u64; 2]>) { (samples(m.edges, 1), samples(m.nodes, 2)) };
    let expected = |m: &Mesh| {
        let (by, mut value) = data(m);
        for (row, by) in m.rows::<3>(1).into_iter().zip(by) {
            for (i, node) in row.into_iter().enumerate() {
                let value = &mut value[node as usize];
                *value = [(value[0] + 1 + by) % 1_000_003, value[1] ^ (by << i)];
            }
        }
        value
    };
    on_every_backend(&Mesh::distinct(3), expected, |op, m| {
        let set = m.declare(op)?;
        let (by, value) = data(m);
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<3>(1))?;
        let by = op.decl_dat("by", set.edges, &by)?;
        let value = op.decl_dat("value", set.nodes, &value)?;
        op_par_loop!(op, shift, set.edges, read(by), rw(value, map[..]))?;
        op.fetch(value)
    });
}

#[op2::kernel]
fn deal(value: &[f64; 2], out: [&mut [f64; 2]; 3]) {
    for i in 0..3 {
        *out[i] = [value[0] * (i as f64), value[1]];
    }
}

#[test]
fn write_through_all_entries() {
    let expected = |m: &Mesh| {
        let (value, mut out): (Vec<[f64; 2]>, Vec<[f64; 2]>) = (samples(m.edges, 1), samples(m.nodes, 2));
        for (row, v) in m.rows::<3>(1).into_iter().zip(value) {
            for (i, node) in row.into_iter().enumerate() {
                out[node as usize] = [v[0] * i as f64, v[1]];
            }
        }
        out
    };
    on_every_backend(&Mesh::injective(3), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<3>(1))?;
        let value = op.decl_dat("value", set.edges, &samples::<[f64; 2]>(m.edges, 1))?;
        let out = op.decl_dat("out", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        op_par_loop!(op, deal, set.edges, read(value), write(out, map[..]))?;
        op.fetch(out)
    });
}

#[op2::kernel]
fn spread(one: &f64, all: [&f64; 3], sum: [&mut f64; 3], last: &mut f64) {
    for i in 0..3 {
        *sum[i] += *one * *all[i];
    }
    *last -= *one;
}

/// All entries and single ones of one map and one dat in the same loop.
#[test]
fn all_entries_beside_one() {
    let expected = |m: &Mesh| {
        let (x, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), samples(m.nodes, 2));
        for row in m.rows::<3>(1) {
            let row = row.map(|node| node as usize);
            for node in row {
                sum[node] += x[row[1]] * x[node];
            }
            sum[row[2]] -= x[row[1]];
        }
        sum
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<3>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
        let sum = op.decl_dat("sum", set.nodes, &samples::<f64>(m.nodes, 2))?;
        op_par_loop!(op, spread, set.edges, read(x, map[1]), read(x, map[..]), inc(sum, map[..]), inc(sum, map[2]))?;
        op.fetch(sum)
    });
}
