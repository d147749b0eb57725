//! `match`, patterns of arrays, loops over arrays, and lengths computed from constants.

use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::op_par_loop;

const NDIM: usize = 2;

#[op2::device_fn]
fn weight(kind: i32) -> f64 {
    match kind.rem_euclid(8) {
        0 | 7 => 0.5,
        1..=3 => 0.25,
        k if k % 2 == 0 => 1.0,
        _ => 2.0,
    }
}

#[op2::kernel]
fn exchange(kind: &i32, q: [&[f64; NDIM + 2]; 2], res: [&mut [f64; NDIM + 2]; 2], total: &mut [f64; NDIM + 2]) {
    let [left, right] = q;
    let [to_left, to_right] = res;
    let mut flux = [0.0; NDIM + 2];
    for (f, (l, r)) in flux.iter_mut().zip(left.iter().zip(right)) {
        *f = weight(*kind) * (*l - *r);
    }
    for (i, f) in flux.iter().enumerate() {
        to_left[i] += *f;
        to_right[i] -= *f;
    }
    let [first, .., last] = [left[0], 3.0, right[flux.len() - 1]];
    total[0] += if let (1, _) | (_, true) = (*kind, first < last) { first } else { last };
}

mod padding {
    /// Another number than that of the kernel's module.
    const NDIM: usize = 3;

    #[op2::device_fn]
    pub(super) fn padded(x: f64) -> [f64; NDIM + 2] {
        let mut row = [0.0; NDIM + 2];
        for (i, v) in row.iter_mut().enumerate() {
            *v = x * i as f64;
        }
        row
    }
}

#[op2::kernel]
fn limit(q: &mut [f64; NDIM + 2]) {
    for v in q.iter_mut() {
        if *v > 2.0 {
            continue;
        }
        *v = -*v;
    }
    let (0..=1, [a, b, ..]) = (q.len() % 2, *q) else { return };
    let row = padding::padded(1.0);
    q[NDIM + 1] += a - b + row[row.len() - 1];
}

type Found = (Vec<[f64; 4]>, Vec<[f64; 4]>, f64);

fn expected(m: &Mesh) -> Found {
    let (kinds, mut q): (Vec<i32>, Vec<[f64; 4]>) = (samples(m.edges, 1), samples(m.nodes, 2));
    let (mut res, mut total) = (vec![[0.0; 4]; m.nodes], 0.0);
    for ([l, r], kind) in m.rows::<2>(1).into_iter().zip(kinds) {
        let (l, r) = (l as usize, r as usize);
        let weight = [0.5, 0.25, 0.25, 0.25, 1.0, 2.0, 1.0, 0.5][kind.rem_euclid(8) as usize];
        for i in 0..4 {
            let flux = weight * (q[l][i] - q[r][i]);
            res[l][i] += flux;
            res[r][i] -= flux;
        }
        total += if kind == 1 || q[l][0] < q[r][3] { q[l][0] } else { q[r][3] };
    }
    for row in &mut q {
        *row = row.map(|v| if v > 2.0 { v } else { -v });
        row[3] += row[0] - row[1] + 4.0;
    }
    (q, res, total)
}

#[test]
fn forms_that_the_model_writes_out() {
    on_every_backend(&Mesh::all(), expected, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let kind = op.decl_dat("kind", set.edges, &samples::<i32>(m.edges, 1))?;
        let q = op.decl_dat("q", set.nodes, &samples::<[f64; NDIM + 2]>(m.nodes, 2))?;
        let res = op.decl_dat_filled("res", set.nodes, [0.0; NDIM + 2])?;
        let total = op.decl_global("total", [0.0; NDIM + 2]);
        op_par_loop!(op, exchange, set.edges, read(kind), read(q, map[..]), inc(res, map[..]), gbl_inc(total))?;
        op_par_loop!(op, limit, set.nodes, rw(q))?;
        Ok((op.fetch(q)?, op.fetch(res)?, op.get(total)?[0]))
    });
}
