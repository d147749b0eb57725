//! Faulty kernels and what is said of them.

use super::check;
use crate::check::usage::tests::unit;

/// The messages about the first function of `source`.
fn faults(source: &str) -> Vec<String> {
    match check(&unit(source)) {
        Ok(()) => Vec::new(),
        Err(e) => e.into_iter().map(|e| e.to_string()).collect(),
    }
}

fn expect(table: &[(&str, &[&str])]) {
    for (source, expected) in table {
        assert_eq!(faults(source), *expected, "{source}");
    }
}

#[test]
fn a_sound_kernel_passes() {
    expect(&[
        ("fn k(x: &[f64; 2], y: &[f64; 2], r: &mut [f64; 2]) { for i in 0..2 { r[i] += x[i] - y[i]; } }", &[]),
        ("fn k(x: Option<&f64>, r: &mut f64) { if x.is_some() { *r += 1.0; } if let Some(v) = x { *r += *v; } }", &[]),
        ("fn k(x: &f64, i: i32, b: &mut ArgMin<f64, i32>) { b.update(*x, i); }", &[]),
        ("fn k(x: &f64, r: &mut f64) { let mut t = *x; loop { t *= 0.5; if t < 1.0 { break; } } *r = t; }", &[]),
        ("fn k(x: &f64, r: &mut f64) { let mut t = *x; loop { t *= 0.5; if t < 1.0 { *r = t; return; } } }", &[]),
    ]);
}

#[test]
fn shared_parameters_are_not_assigned() {
    expect(&[
        (
            "fn k(x1: &[f64; 2]) { x1[0] = 1.0; }",
            &["`x1: &[f64; 2]` is read-only, found `x1[0] = 1.0`; take `x1: &mut [f64; 2]`"],
        ),
        ("fn k(x: &f64) { *x += 1.0; }", &["`x: &f64` is read-only, found `*x += 1.0`; take `x: &mut f64`"]),
        (
            "fn k(x: [&f64; 2]) { for i in 0..2 { *x[i] = 1.0; } }",
            &["`x: [&f64; 2]` is read-only, found `*x[i] = 1.0`; take `x: [&mut f64; 2]`"],
        ),
        (
            "fn k(x: Option<&f64>) { if let Some(v) = x { *v = 1.0; } }",
            &["`x: Option<&f64>` is read-only, found `*v = 1.0`; take `x: Option<&mut f64>`"],
        ),
    ]);
}

#[test]
fn known_indices_are_in_bounds() {
    expect(&[
        (
            "fn k(q1: &[f64; 4], r: &mut f64) { let i = 3; *r = q1[i + 1]; }",
            &["index 4 is out of bounds of `q1: [f64; 4]` (valid: 0..4)"],
        ),
        (
            "fn k(q: &[[f64; 2]; 3], r: &mut f64) { for i in 2..3 { *r += q[i][i]; } }",
            &["index 2 is out of bounds of `q[i]: [f64; 2]` (valid: 0..2)"],
        ),
        (
            "fn k(r: &mut f64) { let t = [1.0, 2.0]; let i = 1; *r = t[i + 1]; }",
            &["index 2 is out of bounds of `t: [f64; 2]` (valid: 0..2)"],
        ),
        (
            "fn k(q: &[f64; 4], r: &mut f64) { for i in 0..4 { *r += q[i + 1] - q[i]; } }",
            &["index 4 is out of bounds of `q: [f64; 4]` (valid: 0..4)"],
        ),
        ("fn k(q: &[f64; 4], r: &mut f64) { for i in 0..4 { if i < 3 { *r += q[i + 1]; } } }", &[]),
        ("fn k(q: &[f64; 4], r: &mut f64) { for i in 0..4 { if q[i] > 0.0 { *r += q[i + 1]; } } }", &[]),
        (
            "fn k(q: &[f64; 4], r: &mut f64) { if q[0] > 0.0 { *r = 1.0; } for i in 4..5 { *r += q[i]; } }",
            &["index 4 is out of bounds of `q: [f64; 4]` (valid: 0..4)"],
        ),
        // Which iteration is the last one, the data decide.
        (
            "fn k(q: &[f64; 4], r: &mut f64) { let mut i = 0; loop { if q[i] > 0.0 { break; } i += 1; } *r = q[i]; }",
            &[],
        ),
        (
            "fn k(q: &[f64; 4], r: &mut f64) { *r = get(q, 5); } fn get(a: &[f64; 4], i: usize) -> f64 { a[i] }",
            &["index 5 is out of bounds of `a: [f64; 4]` in device function `get` (valid: 0..4)"],
        ),
        (
            "fn k(x: [&f64; 2], r: &mut f64) { let i = 1 + 1; *r = *x[i]; }",
            &["index 2 is out of bounds of `x: [&f64; 2]` (valid: 0..2)"],
        ),
    ]);
}

#[test]
fn exclusive_parameters_are_modified() {
    expect(&[
        (
            "fn k(x: &f64, r: &mut [f64; 4], s: &mut f64) { *s = *x + r[0]; }",
            &["`k` never modifies `r: &mut [f64; 4]`; take `r: &[f64; 4]`"],
        ),
        (
            "fn k(r: Option<&mut f64>, s: &mut f64) { if let Some(v) = r { *s = *v; } }",
            &["`k` never modifies `r: Option<&mut f64>`; take `r: Option<&f64>`"],
        ),
        (
            "fn k(r: [&mut f64; 2], s: &mut f64) { *s = *r[0]; }",
            &["`k` never modifies `r: [&mut f64; 2]`; take `r: [&f64; 2]`"],
        ),
        (
            "fn k(b: &mut ArgMax<f64, i32>) { }",
            &[
                "`k` never modifies `b: &mut ArgMax<f64, i32>`; call `b.update(value, payload)`, or remove the parameter",
            ],
        ),
        ("fn k(r: &mut f64) { add(r); } fn add(a: &mut f64) { *a += 1.0; }", &[]),
        ("fn at(r: &mut [f64; 2]) -> &mut f64 { &mut r[0] }", &[]),
        (
            "fn at<'a>(r: &'a [f64; 2], s: &mut f64) -> &'a f64 { &r[0] }",
            &["`at` never modifies `s: &mut f64`; take `s: &f64`"],
        ),
    ]);
}

#[test]
fn loops_end() {
    expect(&[
        (
            "fn k(r: &mut f64) { loop { *r += 1.0; } }",
            &["this `loop` has no `break` and no `return`, so the kernel never ends; add one"],
        ),
        (
            "fn k(r: &mut f64) { loop { loop { *r += 1.0; break; } } }",
            &["this `loop` has no `break` and no `return`, so the kernel never ends; add one"],
        ),
    ]);
}

#[test]
fn all_faults_are_reported() {
    let source = "fn k(x: &[f64; 2], r: &mut f64) { x[0] = 1.0; let i = 3; let t = x[i]; }";
    assert_eq!(faults(source).len(), 3);
}
