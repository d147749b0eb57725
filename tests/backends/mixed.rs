//! Kernels and device functions generic over two float types: mixed precision.

use crate::support::sample::Sample;
use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{Float, op_par_loop};

#[op2::device_fn]
fn turned<A: Float, B: Float, const N: usize>(a: &[A; N], b: B) -> (A, [B; N]) {
    let mut powers = [b; N];
    for i in 1..N {
        powers[i] = b * powers[i - 1] + B::lit(0.25);
    }
    (a[N - 1] - a[0], powers)
}

#[op2::device_fn]
fn larger<F: Float>(a: F, b: F) -> F {
    if a > b { a } else { b }
}

/// Calls one function with its types in both orders, and with one of them twice.
#[op2::kernel]
fn combine<F: Float, G: Float>(
    x: [&[F; 2]; 2],
    w: &G,
    out: &mut [G; 2],
    sum: [&mut F; 2],
    count: [&mut G; 2],
    most: &mut G,
    least: &mut F,
) {
    let (step, powers) = turned(x[0], *w);
    let (other, [length, _]) = turned(&powers, x[1][0]);
    let (same, [_, square]) = turned(x[1], step);
    *out = [powers[0] + other, larger(powers[1], *w)];
    let part = step * length + same;
    *sum[0] += part;
    *sum[1] -= larger(square, x[0][1]);
    *count[0] += other.abs() + G::EPSILON;
    *count[1] += G::lit(1.0);
    *most = most.max(out[1]);
    *least = least.min(part);
}

type Row<F, G> = (Vec<[G; 2]>, Vec<F>, Vec<G>, G, F);

fn expected<F: Float + Sample, G: Float + Sample>(m: &Mesh) -> Row<F, G> {
    let (x, w): (Vec<[F; 2]>, Vec<G>) = (samples(m.nodes, 2), samples(m.edges, 3));
    let (mut out, mut sum, mut count) = (Vec::new(), vec![F::lit(0.0); m.nodes], vec![G::lit(0.0); m.nodes]);
    let (mut most, mut least) = (G::MIN, F::MAX);
    for (e, [l, r]) in m.rows::<2>(1).into_iter().enumerate() {
        let (a, b, w) = (x[l as usize], x[r as usize], w[e]);
        let step = a[1] - a[0];
        let power = w * w + G::lit(0.25);
        let (other, same, square) = (power - w, b[1] - b[0], step * step + F::lit(0.25));
        let own = [w + other, if power > w { power } else { w }];
        let part = step * b[0] + same;
        sum[l as usize] += part;
        sum[r as usize] -= if square > a[1] { square } else { a[1] };
        count[l as usize] += other.abs() + G::EPSILON;
        count[r as usize] += G::lit(1.0);
        (most, least) = (most.max(own[1]), least.min(part));
        out.push(own);
    }
    (out, sum, count, most, least)
}

/// The loop inside a generic function.
fn run<F: Float + Sample, G: Float + Sample>(op: &mut Subject, m: &Mesh) -> op2::Result<Row<F, G>> {
    let set = m.declare(op)?;
    let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
    let x = op.decl_dat("x", set.nodes, &samples::<[F; 2]>(m.nodes, 2))?;
    let w = op.decl_dat("w", set.edges, &samples::<G>(m.edges, 3))?;
    let out = op.decl_dat_filled("out", set.edges, [G::lit(0.0); 2])?;
    let sum = op.decl_dat_filled("sum", set.nodes, F::lit(0.0))?;
    let count = op.decl_dat_filled("count", set.nodes, G::lit(0.0))?;
    let (most, least) = (op.decl_global("most", G::MIN), op.decl_global("least", F::MAX));
    op_par_loop!(
        op,
        combine,
        set.edges,
        read(x, ends[..]),
        read(w),
        write(out),
        inc(sum, ends[..]),
        inc(count, ends[..]),
        gbl_max(most),
        gbl_min(least)
    )?;
    Ok((op.fetch(out)?, op.fetch(sum)?, op.fetch(count)?, op.get(most)?, op.get(least)?))
}

#[test]
fn two_float_types_are_told_apart() {
    on_every_backend(&Mesh::all(), expected::<f64, f32>, run::<f64, f32>);
    on_every_backend(&Mesh::all(), expected::<f32, f64>, run::<f32, f64>);
    on_every_backend(&Mesh::all(), expected::<f32, f32>, run::<f32, f32>);
}
