//! Arrays that closures make, in kernels and device functions.

use std::array;

use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{Float, op_par_loop};

/// More than the generator guesses for a length that a constant tells.
const NVAR: usize = 9;

#[op2::record]
enum Side {
    Low = 2,
    High = 7,
}

#[op2::record]
struct Mark {
    side: Side,
    weight: f64,
}

#[op2::device_fn]
fn blend<F: Float, const N: usize>(a: &[F; N], b: &[F; N], by: F) -> [F; N] {
    let rest = F::lit(1.0) - by;
    array::from_fn(|i| by * a[i] + rest * b[i])
}

#[op2::device_fn]
fn marks(q: &[f64; NVAR]) -> [Mark; NVAR] {
    q.map(|v| Mark { side: if v > 0.25 { Side::High } else { Side::Low }, weight: v.abs() })
}

#[op2::kernel]
fn combine(a: &[f64; NVAR], b: &[f64; NVAR], x: [&[f32; 2]; 2], out: &mut [f64; NVAR], sum: [&mut [f64; 2]; 2]) {
    let mut high = 0.0;
    let all = marks(a);
    *out = blend(a, b, 0.25).map(|v| {
        high += v;
        if high > 3.0 { high } else { v }
    });
    let mid = blend(x[0], x[1], 0.5);
    let [low, most] = array::from_fn::<f64, 2, _>(|k| {
        let mut s = f64::from(mid[k]);
        for (m, v) in all.iter().zip(out.iter()) {
            if m.side == [Side::Low, Side::High][k] {
                s += m.weight * *v;
            }
        }
        s
    });
    sum[0][0] += low;
    sum[1][1] -= most + high;
    let ends = x.map(|p| f64::from(p[0] - p[1]));
    sum[1][0] += ends[0] * ends[1];
}

type Out = (Vec<[f64; NVAR]>, Vec<[f64; 2]>);

fn expected(m: &Mesh) -> Out {
    let (values, points): (Vec<[f64; NVAR]>, Vec<[f64; 2]>) = (samples(m.nodes, 3), samples(m.nodes, 4));
    let (mut all, mut sum) = (Vec::new(), vec![[0.0; 2]; m.nodes]);
    for [l, r] in m.rows::<2>(1) {
        let (l, r) = (l as usize, r as usize);
        let (a, b, x) = (values[l], values[r], [points[l], points[r]].map(|p| p.map(|v| v as f32)));
        let (mut high, mut out) = (0.0, [0.0; NVAR]);
        for i in 0..NVAR {
            let v = 0.25 * a[i] + 0.75 * b[i];
            high += v;
            out[i] = if high > 3.0 { high } else { v };
        }
        let mut parts = [0, 1].map(|k| f64::from(0.5 * x[0][k] + 0.5 * x[1][k]));
        for i in 0..NVAR {
            parts[usize::from(a[i] > 0.25)] += a[i].abs() * out[i];
        }
        sum[l][0] += parts[0];
        sum[r][1] -= parts[1] + high;
        sum[r][0] += f64::from(x[0][0] - x[0][1]) * f64::from(x[1][0] - x[1][1]);
        all.push(out);
    }
    (all, sum)
}

#[test]
fn closures_make_arrays() {
    on_every_backend(&Mesh::all(), expected, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let points: Vec<[f32; 2]> = samples::<[f64; 2]>(m.nodes, 4).iter().map(|p| p.map(|v| v as f32)).collect();
        let values = op.decl_dat("values", set.nodes, &samples::<[f64; NVAR]>(m.nodes, 3))?;
        let points = op.decl_dat("points", set.nodes, &points)?;
        let out = op.decl_dat_filled("out", set.edges, [0.0; NVAR])?;
        let sum = op.decl_dat_filled("sum", set.nodes, [0.0; 2])?;
        op_par_loop!(
            op,
            combine,
            set.edges,
            read(values, ends[0]),
            read(values, ends[1]),
            read(points, ends[..]),
            write(out),
            inc(sum, ends[..])
        )?;
        Ok((op.fetch(out)?, op.fetch(sum)?))
    });
}
