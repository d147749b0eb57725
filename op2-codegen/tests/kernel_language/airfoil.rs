//! Kernels of an Euler solver on quadrilaterals, on random states, compared with the formulae: for a state of density,
//! momentum and energy, `p = (γ - 1) (E - ρ |u|² / 2)`, and the flux through an edge with the normal `n` is `(u · n)`
//! times the state plus `p n` for momentum. They take the same data as those of airfoil, but use other constructs:
//! functions that call functions, arrays of references, early returns.

use op2_codegen::ir::{Scalar, Unit};
use op2_codegen::model::{self, Flops, flops};
use op2_codegen::parse::kernel::FnKind;

use crate::value::{ToValue, Value};
use crate::{Consts, Numbers, agree, list, payload, twin};

const GAM: f64 = 1.4f32 as f64;
const GM1: f64 = 0.4f32 as f64;
const CFL: f64 = 0.9f32 as f64;
const EPS: f64 = 0.05f32 as f64;
const QINF: [f64; 4] = [1.0, 0.4733, 0.0, 2.612];
const WALL: i32 = 1;

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

    fn pressure(q: [f64; 4]) -> f64 {
        GM1 * (q[3] - 0.5 * (q[1] * q[1] + q[2] * q[2]) / q[0])
    }

    fn normal(from: &[f64; 2], to: &[f64; 2]) -> [f64; 2] {
        [to[1] - from[1], from[0] - to[0]]
    }

    fn speed_through(q: [f64; 4], n: [f64; 2]) -> f64 {
        (q[1] * n[0] + q[2] * n[1]) / q[0]
    }

    fn flux(q: [f64; 4], n: [f64; 2]) -> [f64; 4] {
        let (p, speed) = (pressure(q), speed_through(q, n));
        [speed * q[0], speed * q[1] + p * n[0], speed * q[2] + p * n[1], speed * (q[3] + p)]
    }

    fn flux_between(a: [f64; 4], b: [f64; 4], n: [f64; 2], damping: f64) -> [f64; 4] {
        let (out_of_a, into_b) = (flux(a, n), flux(b, n));
        let mut mean = [0.0; 4];
        for k in 0..4 {
            mean[k] = 0.5 * (out_of_a[k] + into_b[k]) + damping * (a[k] - b[k]);
        }
        mean
    }

    fn adt_calc(x: [&[f64; 2]; 4], q: &[f64; 4], adt: &mut f64) {
        let sound = (GAM * pressure(*q) / q[0]).sqrt();
        let mut sum = 0.0;
        for side in 0..4 {
            let n = normal(x[side], x[(side + 1) % 4]);
            sum += speed_through(*q, n).abs() + sound * (n[0] * n[0] + n[1] * n[1]).sqrt();
        }
        *adt = sum / CFL;
    }

    fn res_calc(x: [&[f64; 2]; 2], q: [&[f64; 4]; 2], adt: [&f64; 2], left: &mut [f64; 4], right: &mut [f64; 4]) {
        let damping = EPS * 0.5 * (*adt[0] + *adt[1]);
        let through = flux_between(*q[0], *q[1], normal(x[1], x[0]), damping);
        for k in 0..4 {
            left[k] += through[k];
            right[k] -= through[k];
        }
    }

    fn bres_calc(x: [&[f64; 2]; 2], q: &[f64; 4], adt: &f64, res: &mut [f64; 4], bound: &i32) {
        let n = normal(x[1], x[0]);
        if *bound == WALL {
            let p = pressure(*q);
            res[1] += p * n[0];
            res[2] += p * n[1];
            return;
        }
        let through = flux_between(*q, QINF, n, EPS * *adt);
        for k in 0..4 {
            res[k] += through[k];
        }
    }

    fn update(qold: &[f64; 4], q: &mut [f64; 4], res: &mut [f64; 4], adt: &f64, rms: &mut f64,
              worst: &mut ArgMax<f64, usize>, cell: usize) {
        for k in 0..4 {
            let change = res[k] / *adt;
            let square = change * change;
            q[k] = qold[k] - change;
            res[k] = 0.0;
            *rms += square;
            worst.update(square, cell);
        }
    }
}

/// The kernel of this text with the functions that it calls.
fn unit(text: &str) -> Unit {
    let plain = |name: &'static str, text: &str| (name, payload(text, &[]));
    let speed = || plain("speed_through", speed_through::TEXT);
    let with_flux = payload(flux::TEXT, &[plain("pressure", pressure::TEXT), speed()]);
    let between = payload(flux_between::TEXT, &[("flux", with_flux)]);
    let callees =
        [plain("pressure", pressure::TEXT), plain("normal", normal::TEXT), speed(), ("flux_between", between)];
    let called = callees.into_iter().filter(|(name, _)| text.contains(&format!("{name}(")));
    let built = model::build(&payload(text, &called.collect::<Vec<_>>()), FnKind::Kernel);
    built.unwrap_or_else(|e| panic!("{}", list(e)))
}

fn consts() -> Consts {
    Consts::from([
        ("GAM", GAM.value()),
        ("GM1", GM1.value()),
        ("CFL", CFL.value()),
        ("EPS", EPS.value()),
        ("QINF", QINF.value()),
        ("WALL", WALL.value()),
    ])
}

fn state(numbers: &mut Numbers) -> [f64; 4] {
    let [r, u, v, e] = numbers.array();
    [1.0 + 0.1 * r, 0.4 + 0.2 * u, 0.2 * v, 2.6 + 0.1 * e]
}

#[test]
fn save_and_adt_agree() {
    let (save, adt) = (unit(save_soln::TEXT), unit(adt_calc::TEXT));
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
    let (res, bres) = (unit(res_calc::TEXT), unit(bres_calc::TEXT));
    for seed in 1..50 {
        let mut n = Numbers::new(seed);
        let x: [[f64; 2]; 2] = [n.array(), n.array()];
        let (q, adt) = ([state(&mut n), state(&mut n)], [n.f64(), n.f64()]);
        let (left, right): ([f64; 4], [f64; 4]) = (n.array(), n.array());
        agree(&res, &consts(), Scalar::F64, (x, q, adt, left, right), |a| {
            res_calc(a.0.each_ref(), a.1.each_ref(), a.2.each_ref(), &mut a.3, &mut a.4)
        });
        for bound in [WALL, 2] {
            agree(&bres, &consts(), Scalar::F64, (x, q[0], adt[0], left, bound), |a| {
                bres_calc(a.0.each_ref(), &a.1, &a.2, &mut a.3, &a.4)
            });
        }
    }
}

#[test]
fn update_agrees() {
    let update_unit = unit(update::TEXT);
    for seed in 1..50 {
        let mut n = Numbers::new(seed);
        let (qold, res): ([f64; 4], [f64; 4]) = (n.array(), n.array());
        let args = (qold, [0.0; 4], res, n.f64(), n.f64(), ArgMax(0.3, 7usize), 11usize);
        agree(&update_unit, &consts(), Scalar::F64, args, |a| {
            update(&a.0, &mut a.1, &mut a.2, &a.3, &mut a.4, &mut a.5, a.6)
        });
    }
}

/// Counted by hand from the text: operators and `sqrt`, loops times four.
#[test]
fn flops_are_those_of_the_text() {
    let count = |text| match flops(&unit(text)) {
        Flops::Number(n) => n,
        other => panic!("{other:?} for a text without constants"),
    };
    assert_eq!(count(save_soln::TEXT), 0);
    // The pressure has two squares, their sum, its half, the division, the difference and the product.
    let pressure = 2 + 1 + 1 + 1 + 1 + 1;
    let (normal, speed_through) = (2, 2 + 1 + 1);
    // A side has the speed and its abs, two squares, their sum, its root, sound times root, the sum of both and its
    // addition.
    let side = normal + speed_through + 1 + 2 + 1 + 1 + 1 + 1 + 1;
    assert_eq!(count(adt_calc::TEXT), pressure + 3 + 4 * side + 1);
    // A flux has a product, two of them with a sum each and one more, and the energy's sum and product.
    let flux = pressure + speed_through + 1 + 2 * 3 + 2;
    let between = 2 * flux + 4 * 5;
    assert_eq!(count(res_calc::TEXT), 3 + normal + between + 4 * 2);
    // The change, its square, the new value, the addition and the comparison.
    assert_eq!(count(update::TEXT), 4 * 5);
}

#[test]
fn print_is_stable() {
    crate::golden("kernel_language/adt_calc.ir", &op2_codegen::ir::print::unit(&unit(adt_calc::TEXT)));
}
