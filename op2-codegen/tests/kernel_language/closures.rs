//! Arrays that closures make, run in both forms.

use std::array;

use op2_codegen::ir::Scalar;

use crate::value::ToValue;
use crate::{Consts, Numbers, agree, kernel, twin};

const NVAR: usize = 5;

twin! {
    fn mapped(x: &[f64; 3], both: [&f64; 2], n: &[i32; 2], out: &mut [f64; 6], w: &mut [f64; 3]) {
        let scale = *both[0];
        let y = x.map(|v| scale * v);
        let pairs: [(f64, bool); 2] = both.map(|v| (*v, *v > 0.5));
        let [(a, positive), (b, _)] = pairs;
        let mut sum = 0.0;
        let running = y.map(|v| {
            sum += v;
            if sum > 1.0 { sum } else { -sum }
        });
        let mut z = [a, b, sum];
        // The array is copied before the closure changes it.
        let old = z.map(|v| {
            z[2] += v;
            z[0] *= 2.0;
            v
        });
        *w = w.map(|v: f64| -> f64 { v + old[1] });
        let rows = [*x, y].map(|row| row.map(|v| v - running[0])[1]);
        out[0] = y[0] + running[2];
        out[1] = if positive { a } else { z[0] };
        out[2] = z[2] - old[2];
        out[3] = rows[0] - rows[1];
        let [i, j] = n.map(|k| (k.rem_euclid(3)) as usize);
        out[4] = y[i] + x[j];
        out[5] = [[1.0, 2.0], [a, b]].map(|[p, q]| p - q)[1];
    }

    fn made(x: &[f64; 5], out: &mut [f64; 5], last: &mut f64) {
        let first: [f64; 3] = array::from_fn(|i| x[i] - x[i + 1]);
        let mut count = 0;
        let table: [[i32; 2]; 2] = std::array::from_fn(|i| {
            array::from_fn(|j| {
                count += 1;
                count * 10 + (2 * i + j) as i32
            })
        });
        let flags = array::from_fn::<_, 5, _>(|i| x[i] > 0.0);
        let same = core::array::from_fn::<f64, NVAR, _>(|_| x[0]);
        *out = array::from_fn(|i| if flags[i] { same[i] } else { first[i % 3] });
        *last = (table[1][0] - table[0][1]) as f64 + first.map(|v| v * v)[2];
        let mut k = 0;
        while k < 3 {
            let grown: [f64; 2] = array::from_fn(|i| {
                let mut v = 0.0;
                for (j, x) in x.iter().enumerate() {
                    if j == 2 { continue; }
                    v += *x * (i + k) as f64;
                }
                v
            });
            *last += grown[1];
            k += 1;
        }
    }
}

#[test]
fn closures_agree() {
    let unit = kernel(mapped::TEXT);
    for seed in 1..30 {
        let mut n = Numbers::new(seed);
        let (a, b) = (n.f64(), n.f64());
        let args = (n.array(), [a, b], [seed as i32 - 9, 7], n.array(), n.array());
        agree(&unit, &Consts::new(), Scalar::F64, args, |v| mapped(&v.0, [&v.1[0], &v.1[1]], &v.2, &mut v.3, &mut v.4));
    }
    let (unit, consts) = (kernel(made::TEXT), Consts::from([("NVAR", NVAR.value())]));
    for seed in 1..30 {
        let mut n = Numbers::new(seed);
        let args = (n.array(), n.array(), 0.0);
        agree(&unit, &consts, Scalar::F64, args, |v| made(&v.0, &mut v.1, &mut v.2));
    }
}
