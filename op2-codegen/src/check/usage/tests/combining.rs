//! Kernels that count as adding only, or as taking minima or maxima only.

use super::expect_accesses;
use crate::ir::Combine;

#[test]
fn increments() {
    expect_accesses(&[
        ("r", "inc rw", "fn k(x: &f64, r: &mut f64) { *r += *x; }"),
        ("r", "inc rw", "fn k(x: &f64, r: &mut [f64; 2]) { r[0] += *x; r[1] -= *x; r[1] += 1.0; }"),
        ("r", "inc rw", "fn k(x: &f64, r: &mut f64) { if *x > 0.0 { *r += *x; } else { return; } }"),
        ("r", "inc rw", "fn k(i: &i32, r: &mut [f64; 2]) { r[*i as usize] += 1.0; }"),
        ("r", "inc rw", "fn k(c: &i32, r: &mut [f64; 2]) { for i in 0..*c { r[i as usize] += 1.0; } }"),
        ("r", "inc rw", "fn k(x: &f64, r: &mut [f64; 2]) { let a = &mut r[0]; *a += *x; }"),
        ("r", "inc rw", "fn k(r: &mut [[f64; 2]; 2]) { for i in 0..2 { let a = &mut r[i]; a[1] += 1.0; } }"),
        ("r", "inc rw", "fn k(r: &mut i32) { *r += 1; }"),
        ("r", "rw", "fn k(r: &mut f64) { *r *= 2.0; }"),
        ("r", "rw", "fn k(r: &mut f64) { *r += *r; }"),
        ("r", "rw", "fn k(r: &mut [f64; 2]) { r[0] += r[1]; }"),
        ("r", "rw", "fn k(x: &f64, r: &mut f64) { *r = *r + *x; }"),
        ("r", "rw", "fn k(r: &mut [f64; 2]) { r[0] += 1.0; r[1] = 0.0; }"),
        ("r", "rw", "fn k(o: &mut f64, r: &mut f64) { *r += 1.0; *o = *r; }"),
        ("r", "rw", "fn k(r: &mut f64) { *r += 1.0; if *r > 2.0 { *r += 1.0; } }"),
        ("r", "rw", "fn k(x: &[f64; 2], r: &mut i32) { *r += 1; let t = x[*r as usize]; }"),
        ("r", "rw", "fn k(r: &mut [f64; 2]) { let a = &mut r[0]; *a += 1.0; let t = *a; }"),
    ]);
}

#[test]
fn adding_is_not_reading_and_multiplying_is() {
    let used = |source| super::analysis(source).params[0].clone();
    let added = used("fn k(r: &mut f64) { *r += 1.0; }");
    assert!(added.reads.is_none() && added.assigns.is_none() && added.contributes.by(Combine::Inc).is_some());
    let multiplied = used("fn k(r: &mut f64) { *r *= 2.0; }");
    assert!(
        multiplied.reads.is_some() && multiplied.assigns.is_some() && multiplied.contributes.by(Combine::Inc).is_none()
    );
}

#[test]
fn increments_by_device_functions() {
    let add = "fn add(a: &mut f64, v: f64) { *a += v; }";
    let put = "fn put(a: &mut f64, v: f64) { *a = v; }";
    let flux = "fn flux(a: &mut [f64; 2], b: &mut [f64; 2], v: f64) { for i in 0..2 { add(&mut a[i], v); add(&mut b[i], -v); } }";
    let with = |kernel: &str| format!("{kernel} {add} {put} {flux}");
    let (inc, rw) = (with("fn k(r: &mut f64) { add(r, 1.0); }"), with("fn k(r: &mut f64) { put(r, 1.0); }"));
    let both = with("fn k(r: &mut [f64; 2], s: &mut [f64; 2]) { flux(r, s, 1.0); }");
    let own = with("fn k(r: &mut f64) { let v = *r; add(r, v); }");
    let mixed = with("fn k(r: &mut [f64; 2], s: &mut f64) { add(&mut r[0], 1.0); put(s, 1.0); }");
    expect_accesses(&[
        ("r", "inc rw", &inc),
        ("r", "write rw", &rw),
        ("r", "inc rw", &both),
        ("s", "inc rw", &both),
        ("r", "rw", &own),
        ("r", "inc rw", &mixed),
        ("s", "write rw", &mixed),
    ]);
}

#[test]
fn minima_and_maxima() {
    expect_accesses(&[
        ("m", "min rw", "fn k(x: &f64, m: &mut f64) { *m = m.min(*x); }"),
        ("m", "min rw", "fn k(x: &f64, m: &mut f64) { *m = (*m).min(*x); }"),
        ("m", "min rw", "fn k(x: &f64, m: &mut f64) { *m = x.min(*m); }"),
        ("m", "max rw", "fn k(x: &f64, m: &mut f64) { *m = f64::max(*m, *x); }"),
        ("m", "max rw", "fn k(x: &[f64; 2], m: &mut f64) { *m = m.max(x[0]).max(x[1]); }"),
        ("m", "max rw", "fn k(x: &[f64; 2], m: &mut f64) { *m = x[0].max(x[1]).max(*m); }"),
        ("m", "min rw", "fn k(x: &f64, m: &mut f64) { if *x < *m { *m = *x; } }"),
        ("m", "min rw", "fn k(x: &f64, m: &mut f64) { if *x <= *m { *m = *x; } }"),
        ("m", "min rw", "fn k(x: &f64, m: &mut f64) { if *m > *x { *m = *x; } }"),
        ("m", "min rw", "fn k(x: &f64, m: &mut f64) { if *m >= *x { *m = *x; } }"),
        ("m", "max rw", "fn k(x: &f64, m: &mut f64) { if *x > *m { *m = *x } }"),
        ("m", "max rw", "fn k(x: &f64, m: &mut f64) { if *m < *x { *m = *x } else {} }"),
        ("m", "min rw", "fn k(x: &i32, m: &mut i32) { *m = (*m).min(*x + 1); }"),
        ("m", "max rw", "fn k(x: &f64, m: &mut f64) { let e = x.abs(); if e > *m { *m = e; } }"),
        ("m", "max rw", "fn k(x: &f64, m: &mut f64) { *m = if *x > *m { *x } else { *m }; }"),
        ("m", "min rw", "fn k(x: &[f64; 3], m: &mut [f64; 3]) { for i in 0..3 { m[i] = m[i].min(x[i]); } }"),
        ("m", "min rw", "fn k(i: &i32, m: &mut [f64; 3]) { let j = *i as usize; if 1.0 < m[j] { m[j] = 1.0; } }"),
        ("m", "max rw", "fn k(x: &f64, m: &mut f64) { if *x > 0.0 { *m = m.max(*x); } }"),
        ("m", "max rw", "fn k(x: &f64, m: &mut f64) { top(m, *x); } fn top(a: &mut f64, v: f64) { *a = a.max(v); }"),
    ]);
}

#[test]
fn flags_and_bits() {
    expect_accesses(&[
        ("m", "or rw", "fn k(x: &bool, m: &mut bool) { *m |= *x; }"),
        ("m", "or rw", "fn k(x: &u32, m: &mut [u32; 2]) { m[0] |= *x; m[1] = m[1] | *x; }"),
        ("m", "or rw", "fn k(x: &u32, m: &mut u32) { *m = *x | 1 | *m; }"),
        ("m", "or rw", "fn k(x: &f64, m: &mut bool) { *m = *m || *x > 0.0; }"),
        ("m", "or rw", "fn k(x: &f64, m: &mut bool) { *m = *x > 0.0 || *x < -1.0 || *m; }"),
        ("m", "or rw", "fn k(x: &f64, m: &mut bool) { if *x > 0.0 { *m |= true; } }"),
        ("m", "rw", "fn k(x: &bool, m: &mut bool) { *m &= *x; }"),
        ("m", "rw", "fn k(x: &bool, m: &mut bool) { *m ^= *x; }"),
        ("m", "rw", "fn k(x: &u32, m: &mut u32) { *m |= *x; *m += 1; }"),
        ("m", "rw", "fn k(x: &bool, m: &mut bool, o: &mut bool) { *m |= *x; *o = *m; }"),
        ("m", "rw", "fn k(x: &u32, m: &mut u32) { *m = (*m | *x) & 7; }"),
        // Whether the function counts depends on the flag.
        (
            "m",
            "rw",
            "fn k(n: &mut i32, m: &mut bool) { *m = *m || count(n); } fn count(n: &mut i32) -> bool { *n += 1; true }",
        ),
        ("m", "write rw", "fn k(x: &f64, m: &mut bool) { *m = *x > 0.0 || *x < -1.0; }"),
    ]);
}

#[test]
fn what_only_looks_like_a_minimum() {
    expect_accesses(&[
        // A comparison that is true for NaN lets the order of the elements decide.
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { if !(*x >= *m) { *m = *x; } }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { *m = if *m < *x { *m } else { *x }; }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { if *x < *m { *m = *x + 1.0; } }"),
        ("m", "rw", "fn k(x: &[f64; 2], m: &mut f64) { if x[0] < *m { *m = x[1]; } }"),
        ("m", "rw", "fn k(x: &f64, m: &mut [f64; 2]) { if *x < m[0] { m[1] = *x; } }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { *m = m.min(*x).max(0.0); }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { *m = m.min(*m + *x); }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { *m = m.min(*x); *m = m.max(0.0); }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { if *x < *m { *m = *x; } else { *m = 0.0; } }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64, n: &mut i32) { if *x < *m { *m = *x; *n = 1; } }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { if *x == *m { *m = *x; } }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64, o: &mut f64) { *m = m.min(*x); *o = *m; }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64, o: &mut f64) { *m = m.max(*x); *o = *m; }"),
        ("m", "rw", "fn k(x: &f64, m: &mut f64) { *m = if *x > *m { *x } else { 0.0 }; }"),
        ("m", "write rw", "fn k(x: &f64, m: &mut f64) { *m = x.min(0.0); }"),
        ("m", "write rw", "fn k(x: &f64, m: &mut f64) { *m = 1.0; *m = m.min(*x); }"),
    ]);
}

#[test]
fn minima_of_locals_are_their_own_affair() {
    expect_accesses(&[
        (
            "o",
            "write rw",
            "fn k(x: &[f64; 4], o: &mut f64) { let mut t = x[0]; for i in 1..4 { if x[i] < t { t = x[i]; } } *o = t; }",
        ),
        (
            "o",
            "rw",
            "fn k(x: &[i32; 4], o: &mut [f64; 4]) { let mut t = 0; t = t.max(x[0]); o[t as usize] = 1.0; o[0] = 1.0; }",
        ),
    ]);
}

#[test]
fn arg_reductions() {
    let update = "fn k(x: &f64, i: i32, b: &mut ArgMax<f64, i32>) { b.update(*x, i); }";
    expect_accesses(&[("b", "", update)]);
    assert!(super::analysis(update).params[2].updates.is_some());
    assert!(super::analysis(update).params[2].reads.is_none());
}

#[test]
fn a_kernel_of_every_kind() {
    let update = "fn update(qold: &[f64; 4], q: &mut [f64; 4], res: &mut [f64; 4], adt: &f64, rms: &mut f64, \
        cell: i32, worst: &mut ArgMax<f64, i32>) { \
            let adti = 1.0 / *adt; \
            for n in 0..4 { \
                let del = adti * res[n]; \
                q[n] = qold[n] - del; \
                res[n] = 0.0; \
                *rms += del * del; \
                worst.update(del * del, cell); \
            } \
        }";
    expect_accesses(&[
        ("qold", "read", update),
        ("q", "write rw", update),
        ("res", "rw", update),
        ("adt", "read", update),
        ("rms", "inc rw", update),
        ("worst", "", update),
    ]);
}
