//! Patterns, `match`, loops over arrays: forms that the model writes out, run in both forms.

#![expect(clippy::useless_conversion, reason = "the kernels are written to cover the language")]

use op2_codegen::ir::Scalar;

use crate::value::ToValue;
use crate::{Consts, Numbers, agree, device, kernel, twin};

const NVAR: usize = 3;
const MORE: usize = 4;
const WALL: i32 = 2;
const FAR: i32 = -3;

fn consts() -> Consts {
    Consts::from([("NVAR", NVAR.value()), ("MORE", MORE.value()), ("WALL", WALL.value()), ("FAR", FAR.value())])
}

twin! {
    fn patterns(x: &[f64; 3], m: &[[f64; 2]; 2], out: &mut [f64; 6]) {
        let [a, b, mut c] = *x;
        c += a - b;
        let [r, s, _] = x;
        let [[p, q], [_, t]] = *m;
        let [row, [u, v]] = m;
        let [first, .., last] = x;
        let (d, [e, f]) = (a * b, [p - q, t]);
        let &g = r;
        let mut w = [0.0; 2];
        let [y, z] = &mut w;
        *y = c + *s;
        *z = *y * 2.0;
        let [h, ..] = w;
        out[0] = c + h;
        out[1] = *r * *s + row[0] - row[1];
        out[2] = d * e + f;
        out[3] = u + v * g;
        out[4] = *first - *last;
        let [.., o5] = out;
        *o5 += w[1];
    }

    fn swapped(x: &mut [f64; 2], out: &mut f64) {
        let [a, b] = *x;
        x[0] = b;
        x[1] = a;
        let [c, d] = [x[1], x[0]];
        *out = a - b + 2.0 * (c - d);
    }

    fn over_arrays(x: &[f64; 4], w: &[i32; 4], out: &mut [f64; 7]) {
        for v in x {
            out[0] += v;
        }
        for &v in x.iter() {
            out[1] = out[1] * 0.5 + v;
        }
        for v in x.iter().rev() {
            out[2] = out[2] * 0.5 + *v;
        }
        for (i, v) in x.iter().enumerate() {
            out[3] += *v * i as f64;
        }
        for (v, k) in x.iter().zip(w) {
            if *k == 2 { continue; }
            if *k == 7 { break; }
            out[4] += *v * *k as f64;
        }
        for v in *x {
            out[5] -= v;
        }
        for (i, (v, k)) in x.iter().zip(w.iter()).enumerate().rev() {
            out[6] = out[6] * 0.25 + *v * *k as f64 - i as f64;
        }
    }

    fn written(x: &mut [f64; 4], y: &[f64; 4], out: &mut [[f64; 2]; 2]) {
        for (a, b) in x.iter_mut().zip(y) {
            *a += *b;
        }
        for (i, a) in x.iter_mut().enumerate() {
            if i % 2 == 1 { *a *= 2.0; }
        }
        let mut z = [1.0, 2.0, 3.0, 4.0];
        for v in z {
            z[0] += v;
        }
        for v in &mut z {
            *v += 0.5;
        }
        for row in out.iter_mut() {
            for v in row {
                *v = z[0] + z[3];
            }
        }
        for (row, k) in out.iter_mut().zip([1.0, 2.0]) {
            row[0] += k;
        }
        for (i, row) in out.iter_mut().enumerate() {
            for (j, v) in row.iter_mut().enumerate() {
                *v += (i * 2 + j) as f64 * x[i];
            }
        }
        for p in y.iter().enumerate() {
            out[1][1] += p.0 as f64 * *p.1;
        }
        for p in y.iter().copied().zip(z.into_iter()) {
            out[0][1] += p.0 * p.1;
        }
    }

    fn lengths(x: &[f64; NVAR], y: &[f64; MORE], out: &mut [f64; NVAR], n: &mut [u64; 3]) {
        for (o, v) in out.iter_mut().zip(x) {
            *o = *v / x.len() as f64;
        }
        for (a, b) in y.iter().zip(x.iter()) {
            out[0] += *a * *b;
        }
        let z = [0.5; MORE];
        n[0] = (z.len() + x.len()) as u64;
        n[1] = n.len() as u64 * 2;
        for i in 0..y.len() {
            out[1] += y[i] * z[i];
        }
        let deep = [[1.0; 2]; 5]; n[2] = deep[0].len() as u64;
    }

    fn computed(x: &[f64; NVAR + 1], m: &[[f64; 2 * NVAR]; 4 - 2], out: &mut [f64; NVAR - 1], n: &mut i32) {
        let mut z = [0.5; NVAR + 1];
        let mut w = [0.0; 3 * (NVAR + 1) % 7];
        for (a, b) in z.iter_mut().zip(x) {
            *a += *b;
        }
        for i in 0..NVAR + 1 {
            w[i] = x[i] * z[NVAR - i];
        }
        for row in m {
            for (v, k) in row.iter().zip(w) {
                out[0] += *v * k;
            }
        }
        let [z0, .., z1] = &mut z;
        *z1 += *z0;
        out[1] = z[0] - w[4] + z[NVAR];
        *n = (z.len() * 100 + w.len() * 10 + m.len()) as i32;
    }

    fn matched(k: &i32, b: &bool, n: &u32, out: &mut [i32; 8]) {
        out[0] = match *k {
            0 => 10,
            1 | -1 => 20,
            WALL => 30,
            FAR => 40,
            5..=9 => 50,
            20.. => 60,
            _ => 70,
        };
        out[1] = match k { 3 => 1, n if *n > 3 => *n, _ => -1 };
        match (*k, *b) {
            (0, true) => out[2] = 1,
            (_, false) => { out[2] = 2; }
            (1..4, _) => out[2] = 3,
            (n, _) if n % 2 == 0 => out[2] = n,
            _ => {}
        }
        let t = (*n, *k);
        out[3] = match t { (0, 0) => 0, (a, -2..=2) => a as i32, (_, b) => b };
        out[4] = match *b { true => 1, false => 0 };
        for i in 0..4 {
            match i {
                0 => continue,
                3 => break,
                x => out[5] += x,
            }
        }
        out[6] = match *n as i32 % 3 { 0 => { let q = 3; q * q } 1 => match *k { 1 => 11, _ => 12 }, _ => return };
        out[7] = match [*k, 1] { [0, 1] => 5, [a, b] => a + b };
    }

    fn conditions(k: &i32, o: Option<&f64>, p: Option<&[f64; 2]>, out: &mut [f64; 6]) {
        if let 1 | 2 = *k {
            out[0] = 1.0;
        } else if let (3, true) = (*k, o.is_some()) {
            out[0] = 2.0;
        } else {
            out[0] = 3.0;
        }
        if let Some([a, b]) = p { out[1] = *a - *b; }
        let mut n = *k;
        while let 1..=9 = n {
            n += 4;
            if n == 7 { continue; }
            out[2] += n as f64;
        }
        let mut rounds = 0;
        while let Some(v) = o {
            out[3] += *v;
            rounds += 1;
            if rounds > 3 || out[3] > 2.0 { break; }
            out[3] += 1.0;
        }
        out[5] = if let 0..=5 = *k - 3 { 0.5 } else { 1.0 };
        let Some(&v) = o else { return; };
        out[4] = v;
        let 4.. = *k else { out[4] = -1.0; return };
        out[4] += 2.0;
    }

    fn results(x: [f64; 3], k: i32) -> (f64, [f64; 3]) {
        let mut y = x;
        for (a, b) in y.iter_mut().zip(x) {
            *a = match k { 0 => return (b, x), 1 if b > 0.0 => b * 2.0, _ => *a + 1.0 };
        }
        let [a, .., c] = y;
        let s = match (k, a > c) { (1, true) => a, (1, false) => c, _ => 0.0 };
        (s, y)
    }
}

#[test]
fn patterns_agree() {
    let unit = kernel(patterns::TEXT);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        let args = (n.array(), [n.array(), n.array()], n.array());
        agree(&unit, &consts(), Scalar::F64, args, |a| patterns(&a.0, &a.1, &mut a.2));
    }
    let unit = kernel(swapped::TEXT);
    agree(&unit, &consts(), Scalar::F64, ([3.0, 5.5], 0.0), |a| swapped(&mut a.0, &mut a.1));
}

#[test]
fn loops_over_arrays_agree() {
    let unit = kernel(over_arrays::TEXT);
    for (seed, w) in [[1, 2, 3, 4], [2, 7, 1, 1], [0, 0, 0, 7]].into_iter().enumerate() {
        let args = (Numbers::new(seed as u64 + 1).array(), w, [0.0; 7]);
        agree(&unit, &consts(), Scalar::F64, args, |a| over_arrays(&a.0, &a.1, &mut a.2));
    }
}

#[test]
fn arrays_written_by_loops_agree() {
    let unit = kernel(written::TEXT);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        let args = (n.array(), n.array(), [[0.0; 2]; 2]);
        agree(&unit, &consts(), Scalar::F64, args, |a| written(&mut a.0, &a.1, &mut a.2));
    }
}

#[test]
fn lengths_agree() {
    let unit = kernel(lengths::TEXT);
    let mut n = Numbers::new(3);
    let args = (n.array(), n.array(), [0.0; 3], [0u64; 3]);
    agree(&unit, &consts(), Scalar::F64, args, |a| lengths(&a.0, &a.1, &mut a.2, &mut a.3));
}

#[test]
fn computed_lengths_agree() {
    let unit = kernel(computed::TEXT);
    let mut consts = consts();
    let lengths: [(&str, usize); 4] =
        [("(NVAR + 1)", 4), ("(2 * NVAR)", 6), ("(3 * (NVAR + 1) % 7)", 5), ("(NVAR - 1)", 2)];
    consts.extend(lengths.map(|(text, len)| (text, len.value())));
    for seed in 1..9 {
        let mut n = Numbers::new(seed);
        let args = (n.array(), [n.array(), n.array()], [0.0; 2], 0);
        agree(&unit, &consts, Scalar::F64, args, |a| computed(&a.0, &a.1, &mut a.2, &mut a.3));
    }
}

#[test]
fn matches_agree() {
    let unit = kernel(matched::TEXT);
    for k in -4..24 {
        for b in [false, true] {
            for n in 0..3 {
                agree(&unit, &consts(), Scalar::F64, (k, b, n, [0; 8]), |a| matched(&a.0, &a.1, &a.2, &mut a.3));
            }
        }
    }
}

#[test]
fn conditions_agree() {
    let unit = kernel(conditions::TEXT);
    for k in 0..8 {
        for (o, p) in [(None, None), (Some(0.25), Some([1.0, 3.0]))] {
            agree(&unit, &consts(), Scalar::F64, (k, o, p, [0.0; 6]), |a| {
                conditions(&a.0, a.1.as_ref(), a.2.as_ref(), &mut a.3)
            });
        }
    }
}

#[test]
fn results_agree() {
    let unit = device(results::TEXT, &[]);
    for k in 0..3 {
        agree(&unit, &consts(), Scalar::F64, ([0.5, -1.5, 2.0], k), |a| results(a.0, a.1));
    }
}
