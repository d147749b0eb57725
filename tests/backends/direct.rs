//! Arguments on the loop's own set.

use crate::support::{Mesh, on_every_backend, samples};
use op2::op_par_loop;

#[op2::kernel]
fn every_access(r: &[f64; 2], w: &mut [f64; 2], rw: &mut f64, inc: &mut [f64; 2], lo: &mut f64, hi: &mut [f64; 2]) {
    let sum = r[0] + r[1];
    w[0] = r[1];
    w[1] = sum;
    *rw = 0.5 * *rw + sum;
    inc[0] += r[0];
    inc[1] -= sum;
    *lo = lo.min(r[0]);
    hi[1] = hi[1].max(r[1]);
}

#[test]
fn every_access_on_the_own_set() {
    let data = |m: &Mesh| {
        let r: Vec<[f64; 2]> = samples(m.nodes, 1);
        let (w, rw): (Vec<[f64; 2]>, Vec<f64>) = (samples(m.nodes, 2), samples(m.nodes, 3));
        let (inc, lo): (Vec<[f64; 2]>, Vec<f64>) = (samples(m.nodes, 4), samples(m.nodes, 5));
        let hi: Vec<[f64; 2]> = samples(m.nodes, 6);
        (r, w, rw, inc, lo, hi)
    };
    let expected = |m: &Mesh| {
        let (r, mut w, mut rw, mut inc, mut lo, mut hi) = data(m);
        for (e, r) in r.iter().enumerate() {
            w[e] = [r[1], r[0] + r[1]];
            rw[e] = 0.5 * rw[e] + (r[0] + r[1]);
            inc[e] = [inc[e][0] + r[0], inc[e][1] - (r[0] + r[1])];
            lo[e] = lo[e].min(r[0]);
            hi[e][1] = hi[e][1].max(r[1]);
        }
        (r, w, rw, inc, lo, hi)
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let (r, w, rw, inc, lo, hi) = data(m);
        let (r, w) = (op.decl_dat("r", nodes, &r)?, op.decl_dat("w", nodes, &w)?);
        let (rw, inc) = (op.decl_dat("rw", nodes, &rw)?, op.decl_dat("inc", nodes, &inc)?);
        let (lo, hi) = (op.decl_dat("lo", nodes, &lo)?, op.decl_dat("hi", nodes, &hi)?);
        op_par_loop!(op, every_access, nodes, read(r), write(w), rw(rw), inc(inc), min(lo), max(hi))?;
        Ok((op.fetch(r)?, op.fetch(w)?, op.fetch(rw)?, op.fetch(inc)?, op.fetch(lo)?, op.fetch(hi)?))
    });
}

#[op2::kernel]
fn twice_each(a: &f64, b: &f64, once: &mut f64, again: &mut f64, low: &mut f64, lower: &mut f64) {
    *once += *a;
    *again += 2.0 * *b;
    *low = low.min(*a);
    *lower = lower.min(*b - 0.5);
}

/// The same dat in two arguments of one loop: read twice, incremented twice, minimized twice.
#[test]
fn one_dat_in_two_arguments() {
    let expected = |m: &Mesh| {
        let (a, mut sum, mut low): (Vec<f64>, Vec<f64>, Vec<f64>) =
            (samples(m.nodes, 1), samples(m.nodes, 2), samples(m.nodes, 3));
        for e in 0..m.nodes {
            sum[e] += a[e] + 2.0 * a[e];
            low[e] = low[e].min(a[e] - 0.5);
        }
        (sum, low)
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let a = op.decl_dat("a", nodes, &samples::<f64>(m.nodes, 1))?;
        let sum = op.decl_dat("sum", nodes, &samples::<f64>(m.nodes, 2))?;
        let low = op.decl_dat("low", nodes, &samples::<f64>(m.nodes, 3))?;
        op_par_loop!(op, twice_each, nodes, read(a), read(a), inc(sum), inc(sum), min(low), min(low))?;
        Ok((op.fetch(sum)?, op.fetch(low)?))
    });
}

#[op2::kernel]
fn nothing_at_all() {}

#[op2::kernel]
fn count(total: &mut u64) {
    *total += 1;
}

/// Loops without dats still run every element once.
#[test]
fn loops_without_dats() {
    on_every_backend(
        &Mesh::single(),
        |m| m.nodes,
        |op, m| {
            let nodes = m.declare(op)?.nodes;
            let total = op.decl_global("total", 0u64);
            op_par_loop!(op, nothing_at_all, nodes)?;
            op_par_loop!(op, count, nodes, gbl_inc(total))?;
            Ok(op.get(total)? as usize)
        },
    );
}
