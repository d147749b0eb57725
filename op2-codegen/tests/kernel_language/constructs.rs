//! Each construct of the language, run in both forms.

#![expect(
    clippy::assign_op_pattern,
    clippy::needless_late_init,
    clippy::nonminimal_bool,
    clippy::reversed_empty_ranges,
    reason = "the kernels are written to cover the language"
)]

use op2_codegen::ir::Scalar;

use crate::value::ToValue;
use crate::{Consts, Numbers, agree, device, kernel, twin};

const NVAR: usize = 3;
const WEIGHTS: [f32; NVAR] = [0.25, 0.5, 0.25];
const WALL: i32 = 2;

/// A value fixed at run time.
struct Runtime<T>(T);

impl<T: Copy> Runtime<T> {
    fn get(&self) -> T {
        self.0
    }
}

static ALPHA: Runtime<f64> = Runtime(0.75);
static STATE: Runtime<[f64; 2]> = Runtime([3.0, -2.0]);

fn consts() -> Consts {
    Consts::from([
        ("NVAR", NVAR.value()),
        ("WEIGHTS", WEIGHTS.value()),
        ("WALL", WALL.value()),
        ("ALPHA", ALPHA.0.value()),
        ("STATE", STATE.0.value()),
    ])
}

twin! {
    fn bindings(x: &[f64; 4], out: &mut [f64; 4]) {
        let a = x[0];
        let b: f64 = 2.0;
        let a = a * b + 1.0;
        let (c, (d, _)) = (x[1], (x[2], 5));
        let late;
        if c > d {
            let a = 100.0;
            late = a + c;
        } else {
            late = a - d;
        }
        let mut z: [f64; 4] = [0.0; 4];
        z[0] = a;
        z[1] = late;
        let pair = (c, d);
        z[2] = pair.0 / (pair.1 + 3.0);
        z[3] = { let t = x[3]; t * t };
        *out = z;
    }

    fn branches(x: &f64, kind: &i32, out: &mut f64) {
        let base = if *kind == WALL { 1.0 } else if *kind > 5 && *x > 0.0 { *x } else { -*x };
        if *x < -0.5 || !(*kind != 3) {
            *out += base;
        } else {
            *out -= base
        }
        let clipped = if *x > 0.9 { return } else { *x };
        *out = *out * clipped;
    }

    fn loops(n: &i32, out: &mut [i32; 6]) {
        for i in 0..*n {
            out[0] += i;
        }
        for i in (1..=4).rev() {
            out[1] = out[1] * 10 + i;
        }
        let mut k = *n;
        while k > 0 {
            k -= 2;
            if k == 3 { continue; }
            out[2] += k;
        }
        let mut steps = 0u32;
        loop {
            steps += 1;
            if steps as i32 * 3 > *n { break; }
        }
        out[3] = steps as i32;
        'rows: for i in 0..5 {
            for j in 0..5 {
                if j > i { continue 'rows; }
                if i + j > 6 { break 'rows; }
                out[4] += i * j;
            }
        }
        for _ in 3..1 { out[5] = 77; }
    }

    fn arrays(m: &[[f64; 3]; 2], v: &[f64; 3], out: &mut [f64; 2]) {
        let mut t = [[0.0; 2]; 3];
        for i in 0..2 {
            for j in 0..3 {
                t[j][i] = m[i][j];
            }
        }
        let row = &m[1];
        let first = m[0];
        for i in 0..2 {
            let mut s = 0.0;
            for j in 0..3 {
                s += t[j][i] * v[j];
            }
            out[i] = s;
        }
        let last = &mut out[1];
        *last += row[2] - first[2];
        let pairs = [(1.0, 2), (3.0, 4)];
        out[0] += pairs[1].0 * pairs[0].1 as f64;
    }

    fn constants(x: &[f32; NVAR], out: &mut [f32; NVAR], big: &mut [f64; 3]) {
        let mut sum = 0.0;
        for i in 0..NVAR {
            sum += WEIGHTS[i] * x[i];
        }
        let scratch = [1.5; NVAR];
        for i in 0..NVAR {
            out[i] = sum + f32::EPSILON * scratch[i] + core::f32::consts::PI;
        }
        big[0] = f64::MAX;
        big[1] = std::f64::consts::FRAC_PI_4 + f64::MIN_POSITIVE;
        let q = STATE.get();
        big[2] = ALPHA.get() * q[0] + STATE.get()[1];
    }

    fn integers(a: &i32, b: &u64, out: &mut [i64; 10]) {
        out[0] = (*a as i64) << 3;
        out[1] = (*a >> 1) as i64;
        out[2] = (*b & 0xff ^ 0b1010 | 1 << 20) as i64;
        out[3] = (*a % 7) as i64;
        out[4] = (*a / 7) as i64;
        out[5] = !*a as i64;
        out[6] = (*b >> 40) as i64;
        out[7] = -(*a as i64);
        out[8] = i64::from(*a > 3) + i32::MIN as i64;
        out[9] = (*b as u32) as i64;
        out[9] ^= 0x0f;
        out[9] <<= 2;
        out[8] %= 1000;
    }

    fn asserts(a: &f64, k: &mut i32, row: &[f64; 3]) {
        debug_assert!(*k >= 0 && row[(*k % 3) as usize] <= 2.0, "k is {k}, {a}");
        *k += 1;
        debug_assert_ne!(*k, 0);
        if *a > 0.0 {
            debug_assert!(!a.is_nan() && { let b = *a * 2.0; b > *a });
            for i in 0..2 {
                debug_assert_ne!(row[i].max(9.0), row[i + 1].min(8.0), "row {i}");
            }
        }
        match *k {
            1 => debug_assert_eq!(*k, 1, "it is"),
            _ => debug_assert!(*k > 1),
        }
        debug_assert!(*k > 0)
    }

    fn casts(x: &f64, out: &mut (f32, i32, u32, i64, u64, bool)) {
        out.0 = *x as f32;
        out.1 = *x as i32;
        out.2 = (*x * 3.0) as u32;
        out.3 = *x as i64;
        out.4 = *x as u64;
        out.5 = (*x as i32) == 1;
    }

    fn precedence(a: &f64, b: &f64, c: &f64, out: &mut [f64; 5]) {
        out[0] = a - b - c * a / b;
        out[1] = -a * b - -c;
        out[2] = (a - (b - c)) * a;
        out[3] = if a < b && b < c || a == c { 1.0 } else { 2.0 };
        out[4] = *a as f32 as f64 * *b;
    }

    fn optional(x: Option<&f64>, both: Option<[&f64; 2]>, out: Option<&mut f64>, seen: &mut i32) {
        let add = if let Some(v) = x { *v } else { 0.5 };
        if let Some(pair) = both {
            *seen += 1;
            if let Some(o) = out {
                *o += add * pair[0] - *x.unwrap_or(pair[1]) - x.copied().unwrap_or(0.125);
            }
        }
        if x.is_some() && both.is_none() {
            *seen += 10;
        }
    }

    fn blocks(x: &[f64; 2], out: &mut f64) {
        let f = {
            let t = x[0] * 2.0;
            {
                let t = t + x[1];
                t * t
            }
        };
        let unit = ();
        let r = &x[1];
        let rr = &r;
        *out = f - **rr + *r;
        unit
    }
}

#[test]
fn the_least_integer_is_a_literal() {
    let unit = device("fn f(x: i32) -> bool { x == -2147483648 || x < -9 }", &[]);
    for x in [i32::MIN, 0] {
        agree(&unit, &consts(), Scalar::F64, (x,), |a| a.0 == i32::MIN);
    }
}

#[test]
fn bindings_agree() {
    let unit = kernel(bindings::TEXT);
    for seed in 1..40 {
        let x: [f64; 4] = Numbers::new(seed).array();
        agree(&unit, &consts(), Scalar::F64, (x, [0.0; 4]), |a| bindings(&a.0, &mut a.1));
    }
}

#[test]
fn branches_agree() {
    let unit = kernel(branches::TEXT);
    for seed in 1..40 {
        let x = Numbers::new(seed).f64();
        for kind in 0..8 {
            agree(&unit, &consts(), Scalar::F64, (x, kind, 0.5), |a| branches(&a.0, &a.1, &mut a.2));
        }
    }
}

#[test]
fn loops_agree() {
    let unit = kernel(loops::TEXT);
    for n in 0..12 {
        agree(&unit, &consts(), Scalar::F64, (n, [0; 6]), |a| loops(&a.0, &mut a.1));
    }
}

#[test]
fn arrays_agree() {
    let unit = kernel(arrays::TEXT);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        let args = ([n.array(), n.array()], n.array(), [0.0; 2]);
        agree(&unit, &consts(), Scalar::F64, args, |a| arrays(&a.0, &a.1, &mut a.2));
    }
}

#[test]
fn constants_agree() {
    let unit = kernel(constants::TEXT);
    let args = ([1.25f32, -3.5, 0.1], [0.0f32; 3], [0.0; 3]);
    agree(&unit, &consts(), Scalar::F64, args, |a| constants(&a.0, &mut a.1, &mut a.2));
}

#[test]
fn integers_agree() {
    let unit = kernel(integers::TEXT);
    for a in [-2_000_000_000, -17, -1, 0, 3, 5, 1_999_999_999] {
        for b in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
            agree(&unit, &consts(), Scalar::F64, (a, b, [0i64; 10]), |t| integers(&t.0, &t.1, &mut t.2));
        }
    }
}

#[test]
fn asserts_agree() {
    let unit = kernel(asserts::TEXT);
    for k in 0..4 {
        let args = (0.5, k, [1.0, -1.0, 0.25]);
        agree(&unit, &consts(), Scalar::F64, args, |a| asserts(&a.0, &mut a.1, &a.2));
    }
}

#[test]
fn casts_agree() {
    // A tuple is no dat: the function is taken as a device function.
    let unit = device(casts::TEXT, &[]);
    for x in [0.0, -0.0, 1.9, -1.9, 1e10, -1e10, 1e30, f64::NAN, f64::INFINITY, 0.1] {
        let out = (0.0f32, 0i32, 0u32, 0i64, 0u64, false);
        agree(&unit, &consts(), Scalar::F64, (x, out), |a| casts(&a.0, &mut a.1));
    }
}

#[test]
fn precedence_agrees() {
    let unit = kernel(precedence::TEXT);
    for seed in 1..40 {
        let mut n = Numbers::new(seed);
        let args = (n.f64(), n.f64(), n.f64(), [0.0; 5]);
        agree(&unit, &consts(), Scalar::F64, args, |a| precedence(&a.0, &a.1, &a.2, &mut a.3));
    }
}

#[test]
fn optional_arguments_agree() {
    let unit = kernel(optional::TEXT);
    for (x, both) in [(None, None), (Some(2.0), None), (None, Some([1.0, 3.0])), (Some(4.0), Some([5.0, 6.0]))] {
        for out in [None, Some(0.25)] {
            agree(&unit, &consts(), Scalar::F64, (x, both, out, 0i32), |a| {
                optional(a.0.as_ref(), a.1.as_ref().map(|b| [&b[0], &b[1]]), a.2.as_mut(), &mut a.3)
            });
        }
    }
}

#[test]
fn blocks_agree() {
    let unit = kernel(blocks::TEXT);
    agree(&unit, &consts(), Scalar::F64, ([1.5, -0.3], 0.0), |a| blocks(&a.0, &mut a.1));
}
