//! Const parameters of device functions: lengths that each call has of its own.

use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{Float, op_par_loop};

/// More than the generator guesses for a length that a constant tells.
const NVAR: usize = 11;

mod vector {
    use op2::Float;

    /// Only this module knows it.
    const WAYS: usize = 3;
    const SCALE: f64 = 0.5;

    #[op2::device_fn]
    pub(super) fn dot<F: Float, const N: usize>(a: &[F; N], b: &[F; N]) -> F {
        let mut sum = F::lit(0.0);
        for (x, y) in a.iter().zip(b) {
            sum += *x * *y;
        }
        sum
    }

    #[op2::device_fn]
    pub(super) fn axpy<const N: usize>(a: f64, x: &[f64; N], y: &mut [f64; N]) -> [f64; N] {
        let mut old = [a; N];
        for i in 0..N {
            old[i] = y[i];
            y[i] += scaled(a) * x[i];
        }
        old
    }

    #[op2::device_fn]
    fn scaled(x: f64) -> f64 {
        SCALE * x
    }

    /// Calls another one with its own length, with a constant, and with a number.
    #[op2::device_fn]
    pub(super) fn mixed<const N: usize>(rows: &[[f64; 2]; N]) -> f64 {
        let mut sums = [0.0; N];
        let mut ways = [1.5; WAYS];
        for (i, row) in rows.iter().enumerate() {
            sums[i] = dot(row, row);
            ways[i % WAYS] -= row[1];
        }
        dot(&sums, &sums) + dot(&ways, &ways) + N as f64
    }
}

#[op2::record(methods)]
struct Row {
    values: [f64; NVAR],
}

#[op2::device_fn]
impl Row {
    fn start<const M: usize>(&self) -> [f64; M] {
        let mut start = [0.0; M];
        for i in 0..M.min(self.values.len()) {
            start[i] = self.values[i];
        }
        start
    }
}

#[op2::device_fn]
fn last<F: Float, const N: usize>(values: &[F; N]) -> &F {
    &values[N - 1]
}

#[op2::kernel]
fn combine(a: &[f64; NVAR], b: &[f64; NVAR], x: [&[f64; 2]; 2], out: &mut [f64; NVAR], sum: [&mut [f64; 3]; 2]) {
    *out = *b;
    let row = Row { values: vector::axpy(a[0], a, out) };
    let [first, second]: [f64; 2] = row.start();
    let other = vector::dot(a, b);
    sum[0][0] += other;
    sum[0][1] += vector::mixed(&[*x[0], *x[1]]);
    sum[1][2] -= first * second + *last(out);
    let pairs = [[first, second], *x[0], [1.0, other], *x[1]];
    sum[1][0] += vector::mixed(&pairs) + vector::dot(x[0], x[1]);
}

/// No argument tells the exponent.
#[op2::device_fn]
fn power<const P: usize, F: Float>(x: F) -> F {
    let mut y = F::lit(1.0);
    for _ in 0..P {
        y *= x;
    }
    y
}

/// States the exponent of another one by its own, and by one that is computed.
#[op2::device_fn]
fn powers<F: Float, const P: usize>(x: F) -> [F; 2] {
    [power::<P, _>(x) + minimum::<F>(), power::<{ NVAR - 8 }, F>(x)]
}

/// Neither arguments nor result are needed to tell the type.
#[op2::device_fn]
fn minimum<F: Float>() -> F {
    F::EPSILON + F::lit(digits::<F>())
}

#[op2::device_fn]
fn digits<F: Float>() -> f64 {
    if F::lit(16777217.0) - F::lit(16777216.0) > F::lit(0.0) { 53.0 } else { 24.0 }
}

#[op2::kernel]
fn stated<const N: usize>(x: &[f64; N], low: &mut [f64; N], sums: [&mut f64; 2]) {
    for i in 0..N {
        low[i] = power::<2, f64>(x[i]) - power::<N, _>(x[i]);
    }
    let [own, third] = powers::<_, 4>(x[0]);
    let [_, single] = powers::<f32, 1>(0.5);
    *sums[0] += own + f64::from(power::<NVAR, f32>(0.5) + single) + digits::<f32>();
    *sums[1] += third - powers::<f64, 0>(x[N - 1])[0];
}

type Out = (Vec<[f64; NVAR]>, Vec<[f64; 3]>);

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (x, y)| sum + x * y)
}

fn mixed(rows: &[[f64; 2]]) -> f64 {
    let sums: Vec<f64> = rows.iter().map(|row| dot(row, row)).collect();
    let mut ways = [1.5; 3];
    rows.iter().enumerate().for_each(|(i, row)| ways[i % 3] -= row[1]);
    dot(&sums, &sums) + dot(&ways, &ways) + rows.len() as f64
}

fn expected(m: &Mesh) -> Out {
    let (values, points): (Vec<[f64; NVAR]>, Vec<[f64; 2]>) = (samples(m.nodes, 3), samples(m.nodes, 4));
    let (mut all, mut sum) = (Vec::new(), vec![[0.0; 3]; m.nodes]);
    for [l, r] in m.rows::<2>(1) {
        let (l, r) = (l as usize, r as usize);
        let (a, b, x) = (values[l], values[r], [points[l], points[r]]);
        let out: [f64; NVAR] = std::array::from_fn(|i| b[i] + 0.5 * a[0] * a[i]);
        let other = dot(&a, &b);
        sum[l][0] += other;
        sum[l][1] += mixed(&x);
        sum[r][2] -= b[0] * b[1] + out[NVAR - 1];
        sum[r][0] += mixed(&[[b[0], b[1]], x[0], [1.0, other], x[1]]) + dot(&x[0], &x[1]);
        all.push(out);
    }
    (all, sum)
}

#[test]
fn calls_have_lengths_of_their_own() {
    on_every_backend(&Mesh::all(), expected, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let values = op.decl_dat("values", set.nodes, &samples::<[f64; NVAR]>(m.nodes, 3))?;
        let points = op.decl_dat("points", set.nodes, &samples::<[f64; 2]>(m.nodes, 4))?;
        let out = op.decl_dat_filled("out", set.edges, [0.0; NVAR])?;
        let sum = op.decl_dat_filled("sum", set.nodes, [0.0; 3])?;
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

#[op2::device_fn]
fn mean<F: Float, const M: usize>(values: &[F; M]) -> F {
    let mut sum = F::lit(0.0);
    for v in values {
        sum += *v;
    }
    sum * F::lit(1.0 / M as f64)
}

#[op2::record]
struct Sample {
    at: [f64; 2],
    weight: f64,
}

/// The lengths of values, of arrays in them, of records in a row, of a global, and of a map.
#[op2::kernel]
fn gather<F: Float, const N: usize, const WAYS: usize, const ENDS: usize>(
    x: [&[F; N]; ENDS],
    w: &[[F; WAYS]; 2],
    samples: &[Sample; WAYS],
    scale: &[F; N],
    out: &mut [F; N],
    ends: [&mut [F; N]; ENDS],
    total: &mut [f64; WAYS],
    extra: Option<&[F; WAYS]>,
) {
    let mut sum = [F::lit(0.0); N];
    for end in x {
        for i in 0..N {
            sum[i] += scale[i] * end[i];
        }
    }
    let [first, second] = w.map(|row| mean(&row));
    *out = sum.map(|s| first * s + second);
    for (k, end) in ends.into_iter().enumerate() {
        for (i, e) in end.iter_mut().enumerate() {
            *e += mean(&sum) * x[k][i] - F::lit((k + ENDS) as f64);
        }
    }
    for (t, sample) in total.iter_mut().zip(samples) {
        *t += sample.weight * sample.at[N % 2];
    }
    if let Some(extra) = extra {
        out[N - 1] += extra[WAYS - 1];
    }
}

type Gathered<const N: usize, const WAYS: usize> = (Vec<[f64; N]>, Vec<[f64; N]>, [f64; WAYS]);

fn sample([x, y, weight]: [f64; 3]) -> Sample {
    Sample { at: [x, y], weight }
}

fn scale<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| 0.5 + i as f64)
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |sum, v| sum + v) * (1.0 / values.len() as f64)
}

fn gathered<const N: usize, const WAYS: usize, const ENDS: usize>(m: &Mesh) -> Gathered<N, WAYS> {
    let (x, w): (Vec<[f64; N]>, Vec<[[f64; WAYS]; 2]>) = (samples(m.nodes, 1), samples(m.edges, 2));
    let (s, extra): (Vec<[[f64; 3]; WAYS]>, Vec<[f64; WAYS]>) = (samples(m.edges, 3), samples(m.edges, 4));
    let (mut all, mut sums, mut total) = (Vec::new(), vec![[0.0; N]; m.nodes], [0.0; WAYS]);
    for (e, ends) in m.rows::<ENDS>(1).into_iter().enumerate() {
        let sum: [f64; N] =
            std::array::from_fn(|i| ends.iter().fold(0.0, |sum, n| sum + scale::<N>()[i] * x[*n as usize][i]));
        let [first, second] = w[e].map(|row| mean_of(&row));
        let mut out = sum.map(|s| first * s + second);
        for (k, n) in ends.into_iter().enumerate() {
            for i in 0..N {
                sums[n as usize][i] += mean_of(&sum) * x[n as usize][i] - (k + ENDS) as f64;
            }
        }
        for way in 0..WAYS {
            total[way] += s[e][way][2] * s[e][way][N % 2];
        }
        out[N - 1] += extra[e][WAYS - 1];
        all.push(out);
    }
    (all, sums, total)
}

/// The loop inside a function that is generic, too.
fn gather_on<const N: usize, const WAYS: usize, const ENDS: usize>(
    op: &mut Subject,
    m: &Mesh,
) -> op2::Result<Gathered<N, WAYS>> {
    let set = m.declare(op)?;
    let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<ENDS>(1))?;
    let x = op.decl_dat("x", set.nodes, &samples::<[f64; N]>(m.nodes, 1))?;
    let w = op.decl_dat("w", set.edges, &samples::<[[f64; WAYS]; 2]>(m.edges, 2))?;
    let of_edges: Vec<[Sample; WAYS]> =
        samples::<[[f64; 3]; WAYS]>(m.edges, 3).into_iter().map(|row| row.map(sample)).collect();
    let of_edges = op.decl_dat("samples", set.edges, &of_edges)?;
    let extra = op.decl_dat("extra", set.edges, &samples::<[f64; WAYS]>(m.edges, 4))?;
    let out = op.decl_dat_filled("out", set.edges, [0.0; N])?;
    let sums = op.decl_dat_filled("sums", set.nodes, [0.0; N])?;
    let (scale, total) = (op.decl_global("scale", scale::<N>()), op.decl_global("total", [0.0; WAYS]));
    op_par_loop!(
        op,
        gather,
        set.edges,
        read(x, map[..]),
        read(w),
        read(of_edges),
        gbl_read(scale),
        write(out),
        inc(sums, map[..]),
        gbl_inc(total),
        opt(true, read(extra))
    )?;
    Ok((op.fetch(out)?, op.fetch(sums)?, op.get(total)?))
}

#[test]
fn kernels_have_the_lengths_of_their_arguments() {
    on_every_backend(&Mesh::all(), gathered::<4, 3, 2>, gather_on::<4, 3, 2>);
    on_every_backend(&Mesh::all(), gathered::<1, 2, 3>, gather_on::<1, 2, 3>);
}

type Stated = (Vec<[f64; 4]>, Vec<f64>);

fn stated_expected(m: &Mesh) -> Stated {
    let values: Vec<[f64; 4]> = samples(m.edges, 3);
    let power = |x: f64, n: usize| (0..n).fold(1.0, |y, _| y * x);
    let mut sums = vec![0.0; m.nodes];
    for ([l, r], x) in m.rows::<2>(1).into_iter().zip(&values) {
        sums[l as usize] += power(x[0], 4) + f64::EPSILON + 53.0 + f64::from(0.5f32.powi(11) + 0.125) + 24.0;
        sums[r as usize] += power(x[0], 3) - (1.0 + f64::EPSILON + 53.0);
    }
    (values.iter().map(|x| x.map(|x| power(x, 2) - power(x, 4))).collect(), sums)
}

#[test]
fn calls_state_what_no_argument_tells() {
    on_every_backend(&Mesh::all(), stated_expected, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let values = op.decl_dat("values", set.edges, &samples::<[f64; 4]>(m.edges, 3))?;
        let low = op.decl_dat_filled("low", set.edges, [0.0; 4])?;
        let sums = op.decl_dat_filled("sums", set.nodes, 0.0)?;
        op_par_loop!(op, stated, set.edges, read(values), write(low), inc(sums, ends[..]))?;
        Ok((op.fetch(low)?, op.fetch(sums)?))
    });
}

/// One dat and one map, with the length as a number in one argument and as a parameter in another.
#[op2::kernel]
fn both_ways<F: Float, const N: usize>(
    own: &[F; N],
    x: [&[f64; 2]; N],
    again: [&[F; N]; 2],
    sums: [&mut [f64; 2]; N],
    more: [&mut [F; N]; 2],
    count: [&mut f64; 2],
) {
    for i in 0..N {
        sums[i][0] += x[i][1];
        more[1][i] += again[i][0] * own[i];
    }
    *count[0] += N as f64;
}

#[test]
fn a_length_is_a_number_and_a_parameter() {
    let expected = |m: &Mesh| {
        let x: Vec<[f64; 2]> = samples(m.nodes, 3);
        let (mut sums, mut count) = (vec![[0.0; 2]; m.nodes], vec![0.0; m.nodes]);
        for ([l, r], own) in m.rows::<2>(1).into_iter().zip(samples::<[f64; 2]>(m.edges, 4)) {
            let (l, r) = (l as usize, r as usize);
            sums[l][0] += x[l][1];
            sums[r][0] += x[r][1] + x[l][0] * own[0];
            sums[r][1] += x[r][0] * own[1];
            count[l] += 2.0;
        }
        (sums, count)
    };
    on_every_backend(&Mesh::all(), expected, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let own = op.decl_dat("own", set.edges, &samples::<[f64; 2]>(m.edges, 4))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 3))?;
        let sums = op.decl_dat_filled("sums", set.nodes, [0.0; 2])?;
        let count = op.decl_dat_filled("count", set.nodes, 0.0)?;
        op_par_loop!(
            op,
            both_ways,
            set.edges,
            read(own),
            read(x, ends[..]),
            read(x, ends[..]),
            inc(sums, ends[..]),
            inc(sums, ends[..]),
            inc(count, ends[..])
        )?;
        Ok((op.fetch(sums)?, op.fetch(count)?))
    });
}
