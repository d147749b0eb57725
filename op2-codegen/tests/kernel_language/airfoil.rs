//! The five kernels of airfoil, on random states.

#![expect(clippy::too_many_arguments, reason = "a kernel has one parameter per argument of its loop")]

use op2_codegen::ir::Scalar;
use op2_codegen::model::flops;

use crate::value::{ToValue, Value};
use crate::{Consts, Numbers, agree, kernel, twin};

const GAM: f64 = 1.4f32 as f64;
const GM1: f64 = 0.4f32 as f64;
const CFL: f64 = 0.9f32 as f64;
const EPS: f64 = 0.05f32 as f64;
const QINF: [f64; 4] = [1.0, 0.4733, 0.0, 2.612];

/// A reduction with payload; the first of equal values stays.
struct ArgMax<V, P>(V, P);

impl<V: PartialOrd, P> ArgMax<V, P> {
    fn update(&mut self, value: V, payload: P) {
        if value > self.0 {
            (self.0, self.1) = (value, payload);
        }
    }
}

impl<V: ToValue, P: ToValue> ToValue for ArgMax<V, P> {
    fn value(&self) -> Value {
        Value::Tuple(vec![self.0.value(), self.1.value()])
    }
}

twin! {
    fn save_soln(q: &[f64; 4], qold: &mut [f64; 4]) {
        *qold = *q;
    }

    fn adt_calc(x: [&[f64; 2]; 4], q: &[f64; 4], adt: &mut f64) {
        let ri = 1.0 / q[0];
        let u = ri * q[1];
        let v = ri * q[2];
        let c = (GAM * GM1 * (ri * q[3] - 0.5 * (u * u + v * v))).sqrt();
        let mut sum = 0.0;
        for side in 0..4 {
            let next = (side + 1) % 4;
            let dx = x[next][0] - x[side][0];
            let dy = x[next][1] - x[side][1];
            sum += (u * dy - v * dx).abs() + c * (dx * dx + dy * dy).sqrt();
        }
        *adt = sum / CFL;
    }

    fn res_calc(x1: &[f64; 2], x2: &[f64; 2], q1: &[f64; 4], q2: &[f64; 4], adt1: &f64,
                adt2: &f64, res1: &mut [f64; 4], res2: &mut [f64; 4]) {
        let dx = x1[0] - x2[0];
        let dy = x1[1] - x2[1];
        let ri = 1.0 / q1[0];
        let p1 = GM1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
        let vol1 = ri * (q1[1] * dy - q1[2] * dx);
        let ri = 1.0 / q2[0];
        let p2 = GM1 * (q2[3] - 0.5 * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
        let vol2 = ri * (q2[1] * dy - q2[2] * dx);
        let mu = 0.5 * (adt1 + adt2) * EPS;
        let f = [
            0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]),
            0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]),
            0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]),
            0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]),
        ];
        for n in 0..4 {
            res1[n] += f[n];
            res2[n] -= f[n];
        }
    }

    fn bres_calc(x1: &[f64; 2], x2: &[f64; 2], q1: &[f64; 4], adt1: &f64, res1: &mut [f64; 4],
                 bound: &i32) {
        let dx = x1[0] - x2[0];
        let dy = x1[1] - x2[1];
        let ri = 1.0 / q1[0];
        let p1 = GM1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
        if *bound == 1 {
            res1[1] += p1 * dy;
            res1[2] -= p1 * dx;
            return;
        }
        let vol1 = ri * (q1[1] * dy - q1[2] * dx);
        let ri = 1.0 / QINF[0];
        let p2 = GM1 * (QINF[3] - 0.5 * ri * (QINF[1] * QINF[1] + QINF[2] * QINF[2]));
        let vol2 = ri * (QINF[1] * dy - QINF[2] * dx);
        let mu = adt1 * EPS;
        res1[0] += 0.5 * (vol1 * q1[0] + vol2 * QINF[0]) + mu * (q1[0] - QINF[0]);
        res1[1] += 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * QINF[1] + p2 * dy)
            + mu * (q1[1] - QINF[1]);
        res1[2] += 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * QINF[2] - p2 * dx)
            + mu * (q1[2] - QINF[2]);
        res1[3] += 0.5 * (vol1 * (q1[3] + p1) + vol2 * (QINF[3] + p2)) + mu * (q1[3] - QINF[3]);
    }

    fn update(qold: &[f64; 4], q: &mut [f64; 4], res: &mut [f64; 4], adt: &f64, rms: &mut f64,
              worst: &mut ArgMax<f64, usize>, cell: usize) {
        let adti = 1.0 / *adt;
        for n in 0..4 {
            let del = adti * res[n];
            q[n] = qold[n] - del;
            res[n] = 0.0;
            *rms += del * del;
            worst.update(del * del, cell);
        }
    }
}

fn consts() -> Consts {
    Consts::from([
        ("GAM", GAM.value()),
        ("GM1", GM1.value()),
        ("CFL", CFL.value()),
        ("EPS", EPS.value()),
        ("QINF", QINF.value()),
    ])
}

fn state(numbers: &mut Numbers) -> [f64; 4] {
    let [r, u, v, e] = numbers.array();
    [1.0 + 0.1 * r, 0.4 + 0.2 * u, 0.2 * v, 2.6 + 0.1 * e]
}

#[test]
fn save_and_adt_agree() {
    let (save, adt) = (kernel(save_soln::TEXT), kernel(adt_calc::TEXT));
    for seed in 1..50 {
        let mut n = Numbers::new(seed);
        let q = state(&mut n);
        agree(&save, &consts(), Scalar::F64, (q, [0.0; 4]), |a| save_soln(&a.0, &mut a.1));
        let x: [[f64; 2]; 4] = [n.array(), n.array(), n.array(), n.array()];
        agree(&adt, &consts(), Scalar::F64, (x, q, 0.0), |a| {
            adt_calc([&a.0[0], &a.0[1], &a.0[2], &a.0[3]], &a.1, &mut a.2)
        });
    }
}

#[test]
fn residuals_agree() {
    let (res, bres) = (kernel(res_calc::TEXT), kernel(bres_calc::TEXT));
    for seed in 1..50 {
        let mut n = Numbers::new(seed);
        let (x1, x2): ([f64; 2], [f64; 2]) = (n.array(), n.array());
        let (q1, q2) = (state(&mut n), state(&mut n));
        let (adt1, adt2) = (n.f64(), n.f64());
        let (res1, res2): ([f64; 4], [f64; 4]) = (n.array(), n.array());
        let args = (x1, x2, q1, q2, adt1, adt2, res1, res2);
        agree(&res, &consts(), Scalar::F64, args, |a| res_calc(&a.0, &a.1, &a.2, &a.3, &a.4, &a.5, &mut a.6, &mut a.7));
        for bound in [1, 2] {
            let args = (x1, x2, q1, adt1, res1, bound);
            agree(&bres, &consts(), Scalar::F64, args, |a| bres_calc(&a.0, &a.1, &a.2, &a.3, &mut a.4, &a.5));
        }
    }
}

#[test]
fn update_agrees() {
    let unit = kernel(update::TEXT);
    for seed in 1..50 {
        let mut n = Numbers::new(seed);
        let (qold, res): ([f64; 4], [f64; 4]) = (n.array(), n.array());
        let args = (qold, [0.0; 4], res, n.f64(), n.f64(), ArgMax(0.3, 7usize), 11usize);
        agree(&unit, &consts(), Scalar::F64, args, |a| update(&a.0, &mut a.1, &mut a.2, &a.3, &mut a.4, &mut a.5, a.6));
    }
}

/// Counted by hand from the text: operators and `sqrt`, loops times four.
#[test]
fn flops_are_those_of_the_text() {
    assert_eq!(flops(&kernel(save_soln::TEXT)), 0);
    // ri, u, v; nine for c; a side has dx, dy, u·dy − v·dx, its abs, dx² + dy², its root, c·root,
    // the sum of both and its addition; the last division.
    assert_eq!(flops(&kernel(adt_calc::TEXT)), 3 + 9 + 4 * (2 + 3 + 1 + 3 + 1 + 1 + 1 + 1) + 1);
    assert_eq!(flops(&kernel(update::TEXT)), 1 + 4 * (1 + 1 + 2 + 2));
}

#[test]
fn print_is_stable() {
    crate::golden("kernel_language/adt_calc.ir", &op2_codegen::ir::print::unit(&kernel(adt_calc::TEXT)));
}
