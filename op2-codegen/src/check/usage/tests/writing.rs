//! Kernels that count as writing on every path, or as reading before that.

use super::expect_accesses;

#[test]
fn whole_values_and_components() {
    expect_accesses(&[
        ("q", "read", "fn k(q: &[f64; 4], o: &mut [f64; 4]) { for i in 0..4 { o[i] = q[i]; } }"),
        ("o", "write rw", "fn k(q: &[f64; 4], o: &mut [f64; 4]) { for i in 0..4 { o[i] = q[i]; } }"),
        ("o", "write rw", "fn k(q: &[f64; 4], o: &mut [f64; 4]) { for i in (0..4).rev() { o[i] = q[i]; } }"),
        ("o", "write rw", "fn k(q: &[f64; 4], o: &mut [f64; 4]) { for i in 0..=3 { o[i] = q[i]; } }"),
        ("o", "rw", "fn k(q: &[f64; 4], o: &mut [f64; 4]) { for i in 0..3 { o[i] = q[i]; } }"),
        ("o", "rw", "fn k(q: &[f64; 4], o: &mut [f64; 4]) { for i in 1..4 { o[i] = q[i]; } }"),
        ("o", "write rw", "fn k(q: &[f64; 4], o: &mut [f64; 4]) { *o = *q; }"),
        ("o", "write rw", "fn k(o: &mut f64) { *o = 1.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { *o = [0.0; 2]; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { o[1] = 0.0; o[0] = 1.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { o[1] = 2.0; o[0] = o[1]; }"),
        ("o", "rw", "fn k(o: &mut [f64; 2]) { o[1] = o[0]; o[0] = 1.0; }"),
        ("o", "rw", "fn k(o: &mut [f64; 2]) { o[0] = 1.0; let t = *o; o[1] = t[0]; }"),
        ("o", "write rw", "fn k(o: &mut f64) { *o = 1.0; *o += 2.0; *o *= 3.0; }"),
        ("o", "rw", "fn k(o: &mut f64) { *o *= 3.0; }"),
        ("o", "rw", "fn k(o: &mut f64) { *o += 3.0; *o = 1.0; }"),
    ]);
}

#[test]
fn nested_arrays() {
    expect_accesses(&[
        ("m", "write rw", "fn k(m: &mut [[f64; 2]; 3]) { for i in 0..3 { for j in 0..2 { m[i][j] = 0.0; } } }"),
        ("m", "rw", "fn k(m: &mut [[f64; 2]; 3]) { for i in 0..3 { for j in 0..i { m[i][j] = 0.0; } } }"),
        ("m", "write rw", "fn k(m: &mut [[f64; 2]; 3]) { for i in 0..3 { m[i] = [0.0, 1.0]; } }"),
        (
            "m",
            "write rw",
            "fn k(m: &mut [[f64; 2]; 3]) { for i in 0..3 { let row = &mut m[i]; row[0] = 0.0; row[1] = row[0]; } }",
        ),
        ("m", "rw", "fn k(m: &mut [[f64; 2]; 2]) { m[0] = [0.0; 2]; m[1][0] = m[1][1]; m[1][1] = 0.0; }"),
        ("m", "write rw", "fn k(m: &mut [[f64; 2]; 2]) { m[0] = [0.0; 2]; m[1] = m[0]; }"),
        ("m", "write rw", "fn k(m: &mut [f64; 6]) { for i in 0..2 { for j in 0..3 { m[3 * i + j] = 0.0; } } }"),
        ("m", "rw", "fn k(m: &mut [f64; 6]) { for i in 0..2 { for j in 0..3 { m[2 * i + j] = 0.0; } } }"),
    ]);
}

#[test]
fn branches() {
    expect_accesses(&[
        ("o", "rw", "fn k(c: &i32, o: &mut f64) { if *c > 0 { *o = 1.0; } }"),
        ("o", "write rw", "fn k(c: &i32, o: &mut f64) { if *c > 0 { *o = 1.0; } else { *o = 2.0; } }"),
        ("o", "rw", "fn k(c: &i32, o: &mut [f64; 2]) { if *c > 0 { o[0] = 1.0; } else { o[1] = 2.0; } }"),
        ("o", "write rw", "fn k(c: &i32, o: &mut f64) { *o = if *c > 0 { 1.0 } else { 2.0 }; }"),
        (
            "o",
            "write rw",
            "fn k(c: &i32, o: &mut f64) { if *c > 0 { *o = 1.0; } else if *c < 0 { *o = 2.0; } else { *o = 0.0; } }",
        ),
        ("o", "rw", "fn k(c: &i32, o: &mut f64) { if *c > 0 { *o = 1.0; } else if *c < 0 { *o = 2.0; } }"),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 3]) { for i in 0..3 { if i == 1 { o[i] = 1.0; } else { o[i] = 0.0; } } }",
        ),
        ("o", "rw", "fn k(o: &mut [f64; 3]) { for i in 0..3 { if i != 1 { o[i] = 1.0; } } }"),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 3]) { for i in 0..3 { if i != 1 && i < 3 { o[i] = 1.0; } } o[1] = 2.0; }",
        ),
        ("o", "rw", "fn k(c: &i32, o: &mut f64) { if *c == 0 { return; } *o = 1.0; }"),
        ("o", "write rw", "fn k(c: &i32, o: &mut f64) { if *c == 0 { *o = 0.0; return; } *o = 1.0; }"),
        ("o", "write rw", "fn k(c: &i32, o: &mut f64) { *o = 1.0; if *c == 0 { return; } *o = 2.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let t = { o[0] = 1.0; 2.0 }; o[1] = t; }"),
    ]);
}

#[test]
fn indices_that_are_known() {
    expect_accesses(&[
        ("o", "rw", "fn k(i: &i32, o: &mut [f64; 2]) { o[*i as usize] = 1.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let i = 0; o[i] = 1.0; let i = i + 1; o[i] = 1.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let mut i = 0; o[i] = 1.0; i += 1; o[i] = 1.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { for i in 0..2i32 { o[i as usize] = 1.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; 300]) { for i in 0..300i32 { o[i as u8 as usize] = 1.0; } }"),
        ("o", "write rw", "fn k(o: &mut [f64; 3]) { let p = [2, 0, 1]; for i in 0..3 { o[p[i]] = 1.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; 3]) { let p = [2, 0, 2]; for i in 0..3 { o[p[i]] = 1.0; } }"),
        (
            "o",
            "rw",
            "fn k(c: &i32, o: &mut [f64; 2]) { let mut p = [1, 1]; p[*c as usize] = 0; o[p[0]] = 1.0; o[1] = 1.0; }",
        ),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let mut p = [1, 1]; p[0] = 0; o[p[0]] = 1.0; o[p[1]] = 1.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let (i, j) = (1, 0); o[i] = 1.0; o[j] = 1.0; }"),
        ("o", "rw", "fn k(c: &i32, o: &mut [f64; 2]) { let i = if *c > 0 { 0 } else { 1 }; o[i] = 1.0; o[0] = 1.0; }"),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 4]) { for i in 0..4 { o[next(i)] = 1.0; } } \
             fn next(i: usize) -> usize { (i + 1) % 4 }",
        ),
        (
            "o",
            "rw",
            "fn k(o: &mut [f64; 4]) { for i in 0..4 { o[next(i)] = 1.0; } } \
             fn next(i: usize) -> usize { if i == 3 { return 1; } i + 1 }",
        ),
    ]);
}

#[test]
fn loops_of_unknown_length() {
    expect_accesses(&[
        ("o", "rw", "fn k(n: &i32, o: &mut f64) { for _ in 0..*n { *o = 1.0; } }"),
        ("o", "rw", "fn k(x: &f64, o: &mut f64) { let mut t = *x; while t > 1.0 { t *= 0.5; *o = t; } }"),
        ("o", "write rw", "fn k(x: &f64, o: &mut f64) { let mut t = *x; while t > 1.0 { t *= 0.5; } *o = t; }"),
        ("o", "write rw", "fn k(x: &f64, o: &mut f64) { loop { *o = *x; if *x > 0.0 { break; } } }"),
        ("o", "rw", "fn k(x: &f64, o: &mut f64) { loop { if *x > 0.0 { break; } *o = *x; } }"),
        ("o", "write rw", "fn k(o: &mut [f64; 3]) { let mut i = 0; while i < 3 { o[i] = 0.0; i += 1; } }"),
        ("o", "rw", "fn k(o: &mut [f64; 3]) { let mut i = 0; while i < 3 { o[i] = 0.0; i += 2; } }"),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 3]) { let mut i = 0; loop { if i == 3 { break; } o[i] = 0.0; i += 1; } }",
        ),
        ("o", "write rw", "fn k(o: &mut [f64; 3]) { for i in 0..5 { if i < 2 { continue; } o[i - 2] = 0.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; 3]) { for i in 0..5 { if i == 2 { break; } o[i] = 0.0; } }"),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 4]) { 'a: for i in 0..2 { for j in 0..5 { if j == 2 { continue 'a; } o[2 * i + j] = 0.0; } } }",
        ),
        (
            "o",
            "rw",
            "fn k(o: &mut [f64; 4]) { 'a: for i in 0..2 { for j in 0..5 { if j == 2 { break 'a; } o[2 * i + j] = 0.0; } } }",
        ),
        (
            "o",
            "rw",
            "fn k(n: &i32, o: &mut [f64; 9]) { let mut j = 0; for _ in 0..*n { o[j] = 1.0; j = 1; } o[1] = 0.0; }",
        ),
    ]);
}

#[test]
fn lengths_that_are_constants() {
    expect_accesses(&[
        ("o", "write rw", "fn k(o: &mut [f64; N]) { for i in 0..N { o[i] = 0.0; } }"),
        ("o", "write rw", "fn k(o: &mut [f64; N]) { *o = [0.0; N]; }"),
        ("o", "rw", "fn k(o: &mut [f64; N]) { for i in 0..M { o[i] = 0.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; N]) { for i in 1..N { o[i] = 0.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; N]) { for i in 0..N { o[0] = 0.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; N]) { for i in 0..N { if i == 3 { break; } o[i] = 0.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; N]) { for i in 0..N { if i == 3 { continue; } o[i] = 0.0; } }"),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; N]) { for i in 0..N { if i == 3 { o[i] = 1.0; continue; } o[i] = 0.0; } }",
        ),
        ("o", "write rw", "fn k(o: &mut [f64; N]) { for i in 0..N { o[i] = 0.0; o[i] += o[i]; } }"),
        ("o", "rw", "fn k(o: &mut [f64; N]) { for i in 0..N { o[i] = o[0]; } }"),
        ("o", "write rw", "fn k(o: &mut [f64; N]) { for i in 0..N { o[i] = 0.0; } for i in 0..N { o[i] *= 2.0; } }"),
        ("m", "write rw", "fn k(m: &mut [[f64; M]; N]) { for i in 0..N { for j in 0..M { m[i][j] = 0.0; } } }"),
        ("m", "rw", "fn k(m: &mut [[f64; M]; N]) { for i in 0..M { for j in 0..N { m[i][j] = 0.0; } } }"),
        ("m", "write rw", "fn k(m: &mut [[f64; M]; 2]) { for i in 0..2 { for j in 0..M { m[i][j] = 0.0; } } }"),
        // The second iteration reads what the first one does not.
        (
            "o",
            "rw",
            "fn k(o: &mut [f64; 2]) { o[0] = 1.0; let mut j = 0; let mut t = 0.0; let n: usize = N; for _ in 0..n { t += o[j]; j = 1; } o[1] = t; }",
        ),
        // A variable of an earlier iteration does not stand for that of this one.
        ("o", "rw", "fn k(o: &mut [f64; N]) { let mut j = 0; for i in 0..N { o[j] = 1.0; j = i; } }"),
        ("c", "rw", "fn k(c: &mut i32, o: &mut [f64; N]) { for i in 0..N { o[i] = 0.0; *c = 1; } o[0] = *c as f64; }"),
        ("c", "rw", "fn k(c: &mut i32, o: &mut [f64; N]) { for i in 0..N { o[i] = 0.0; *c = 1; } }"),
        ("q", "write rw", "fn k(q: &mut [f64; 5]) { for i in 0..5 { q[i] = 0.0; } q[RHO] = q[MX]; }"),
        ("q", "rw", "fn k(q: &mut [f64; 2]) { q[RHO] = 0.0; q[0] = q[MX]; q[1] = 0.0; }"),
        ("q", "write rw", "fn k(q: &mut [f64; 2]) { q[RHO] = 0.0; q[0] = q[RHO]; q[1] = 0.0; }"),
    ]);
}

/// Of an array of 64 elements every one is known by itself; of a longer one, only what all of them may be.
#[test]
fn arrays_too_long_to_follow() {
    let written = |len: usize| {
        format!("fn k(o: &mut [f64; 2]) {{ let mut at = [0usize; {len}]; at[1] = 1; o[at[0]] = 0.0; o[at[1]] = 0.0; }}")
    };
    expect_accesses(&[
        ("o", "write rw", &written(64)),
        ("o", "rw", &written(65)),
        ("o", "write rw", "fn k(o: &mut [f64; 1]) { let at = [0usize; 65]; o[at[64]] = 0.0; }"),
    ]);
}

#[test]
fn loops_too_long_to_unroll() {
    expect_accesses(&[
        ("o", "write rw", "fn k(o: &mut [f64; 5000]) { for i in 0..5000 { o[i] = 0.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; 5000]) { for i in 0..4999 { o[i] = 0.0; } }"),
        ("o", "rw", "fn k(o: &mut [f64; 5000]) { for i in 1..5000 { o[i] = 0.0; } }"),
        ("o", "write rw", "fn k(o: &mut [f64; 5000]) { for i in 0..4999 { o[i] = 0.0; } o[4999] = o[3]; }"),
        ("o", "write rw", "fn k(o: &mut [[f64; 200]; 200]) { for i in 0..200 { for j in 0..200 { o[i][j] = 0.0; } } }"),
        // A long loop leaves enough for the short ones behind it.
        (
            "o",
            "write rw",
            "fn k(x: &mut [f64; 9000], o: &mut [f64; 4]) { for i in 0..9000 { x[i] = 0.0; } for i in 0..4 { o[3 - i] = 0.0; } }",
        ),
        ("o", "rw", "fn k(o: &mut [f64; 2]) { let mut i = 0; while i < 100000 { i += 1; } o[i] = 0.0; o[0] = 0.0; }"),
    ]);
}

#[test]
fn aliases() {
    expect_accesses(&[
        ("o", "write rw", "fn k(o: &mut f64) { let r = o; *r = 1.0; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let r = &mut *o; r[0] = 1.0; r[1] = r[0]; }"),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let r = &mut o[1]; *r = 1.0; o[0] = 1.0; }"),
        ("o", "rw", "fn k(o: &mut [f64; 2]) { let r = &mut o[1]; *r = 1.0; o[1] = 1.0; }"),
        ("x", "read", "fn k(x: &f64, o: &mut f64) { let r = x; *o = *r; }"),
        (
            "o",
            "rw",
            "fn k(c: &i32, o: &mut [f64; 2]) { let r = if *c > 0 { &mut o[0] } else { &mut o[1] }; *r = 1.0; o[0] = 1.0; }",
        ),
        (
            "o",
            "inc rw",
            "fn k(c: &i32, o: &mut [f64; 2]) { let r = if *c > 0 { &mut o[0] } else { &mut o[1] }; *r += 1.0; }",
        ),
        ("o", "write rw", "fn k(o: &mut [f64; 2]) { let mut r = &mut o[0]; *r = 1.0; r = &mut o[1]; *r = 1.0; }"),
        ("o", "rw", "fn k(o: &mut [f64; N]) { let mut r = &mut o[0]; for i in 0..N { *r = 1.0; r = &mut o[i]; } }"),
        (
            "y",
            "read",
            "fn k(x: &f64, y: &f64, o: &mut f64) { let a = [x, y]; *o = 0.0; for i in 0..2 { *o += *a[i]; } }",
        ),
        ("p", "inc rw", "fn k(p: &mut f64, q: &mut f64) { let (a, b) = (p, q); *a += 1.0; *b = 2.0; }"),
        ("q", "write rw", "fn k(p: &mut f64, q: &mut f64) { let (a, b) = (p, q); *a += 1.0; *b = 2.0; }"),
        ("o", "write rw", "fn k(x: &f64, o: &mut f64) { let mut t = *x; t += 1.0; *o = t; }"),
    ]);
}

#[test]
fn device_functions() {
    expect_accesses(&[
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 4]) { zero(o); } fn zero(r: &mut [f64; 4]) { for i in 0..4 { r[i] = 0.0; } }",
        ),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 4]) { zero(o); } fn zero(r: &mut [f64; L]) { for i in 0..L { r[i] = 0.0; } }",
        ),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; N]) { zero(o); } fn zero(r: &mut [f64; L]) { for i in 0..L { r[i] = 0.0; } }",
        ),
        ("o", "rw", "fn k(o: &mut [f64; N]) { zero(o); } fn zero(r: &mut [f64; L]) { for i in 0..N { r[i] = 0.0; } }"),
        (
            "o",
            "rw",
            "fn k(o: &mut f64) { put(o, 1.0); } fn put(r: &mut f64, v: f64) { if v < 0.0 { return; } *r = v; }",
        ),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 2]) { put(&mut o[0], 1.0); put(&mut o[1], 1.0); } fn put(r: &mut f64, v: f64) { *r = v; }",
        ),
        (
            "o",
            "rw",
            "fn k(o: &mut [f64; 2]) { put(&mut o[0], 1.0); put(&mut o[0], 1.0); } fn put(r: &mut f64, v: f64) { *r = v; }",
        ),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 2]) { for i in 0..2 { put(o, i); } } fn put(r: &mut [f64; 2], i: usize) { r[i] = 1.0; }",
        ),
        ("o", "rw", "fn k(o: &mut f64) { *o = len(o); } fn len(r: &f64) -> f64 { *r * *r }"),
        ("o", "rw", "fn k(o: &mut f64) { *o = len(*o); } fn len(r: f64) -> f64 { r * r }"),
        ("o", "write rw", "fn k(o: [&mut f64; 2]) { put(o); } fn put(r: [&mut f64; 2]) { *r[1] = 1.0; *r[0] = 2.0; }"),
        (
            "o",
            "rw",
            "fn k(o: &mut [f64; 2]) { put(o); } fn put(r: &mut [f64; 2]) { for i in 0..2 { if r[i] > 0.0 { return; } r[i] = 1.0; } }",
        ),
        (
            "o",
            "write rw",
            "fn k(x: &f64, o: &mut f64) { *o = sum(&[*x, 1.0]); } fn sum(a: &[f64; 2]) -> f64 { a[0] + a[1] }",
        ),
        (
            "o",
            "write rw",
            "fn k(o: &mut [f64; 2]) { let i = last(&[0, 1]); o[i] = 1.0; o[0] = 1.0; } fn last(a: &[usize; 2]) -> usize { a[1] }",
        ),
        (
            "o",
            "write rw",
            "fn k(o: &mut f64) { outer(o); } fn outer(r: &mut f64) { inner(r); } fn inner(r: &mut f64) { *r = 1.0; }",
        ),
        (
            "o",
            "write rw",
            "fn k(o: &mut f64) { let mut t = 0.0; put(&mut t); *o = t; } fn put(r: &mut f64) { *r = 1.0; }",
        ),
    ]);
}

#[test]
fn all_entries_of_a_map() {
    expect_accesses(&[
        ("x", "read", "fn k(x: [&[f64; 2]; 3], o: &mut f64) { *o = x[0][0] + x[1][1]; }"),
        ("x", "write rw", "fn k(x: [&mut f64; 3]) { for i in 0..3 { *x[i] = 0.0; } }"),
        ("x", "rw", "fn k(x: [&mut f64; 3]) { for i in 0..2 { *x[i] = 0.0; } }"),
        ("x", "write rw", "fn k(x: [&mut [f64; 2]; 3]) { for i in 0..3 { for j in 0..2 { x[i][j] = 0.0; } } }"),
        ("x", "rw", "fn k(x: [&mut [f64; 2]; 3]) { for i in 0..3 { x[i][0] = 0.0; } }"),
        ("x", "inc rw", "fn k(x: [&mut [f64; 2]; 3]) { for i in 0..3 { x[i][0] += 1.0; } }"),
    ]);
}

#[test]
fn optional_arguments() {
    expect_accesses(&[
        ("o", "write rw", "fn k(o: Option<&mut f64>) { if let Some(r) = o { *r = 1.0; } }"),
        ("o", "rw", "fn k(o: Option<&mut [f64; 2]>) { if let Some(r) = o { r[0] = 1.0; } }"),
        ("o", "rw", "fn k(c: &i32, o: Option<&mut f64>) { if *c > 0 { if let Some(r) = o { *r = 1.0; } } }"),
        ("o", "rw", "fn k(c: &i32, o: Option<&mut f64>) { if let Some(r) = o { if *c > 0 { return; } *r = 1.0; } }"),
        ("o", "inc rw", "fn k(o: Option<&mut f64>) { if let Some(r) = o { *r += 1.0; } }"),
        ("x", "read", "fn k(x: Option<&f64>, o: &mut f64) { if let Some(r) = x { *o = *r; } }"),
        ("o", "rw", "fn k(x: Option<&f64>, o: &mut f64) { if let Some(r) = x { *o = *r; } }"),
        ("o", "write rw", "fn k(x: Option<&f64>, o: &mut f64) { if let Some(r) = x { *o = *r; } else { *o = 0.0; } }"),
        ("o", "write rw", "fn k(o: Option<&mut f64>) { if !o.is_some() { return; } if let Some(r) = o { *r = 1.0; } }"),
    ]);
}
