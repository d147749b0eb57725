//! Rows of any length: what a kernel leaves out keeps its value, so that nobody asks whether all is written.

use super::expect_accesses;

#[test]
fn a_part_is_written() {
    expect_accesses(&[
        ("x", "read", "fn k(x: &Row<f64>, y: &mut f64) { *y = x[x.len() - 1]; }"),
        ("y", "write rw", "fn k(y: &mut Row<f64>) { for i in 0..y.len() { y[i] = 1.0; } }"),
        ("y", "write rw", "fn k(y: &mut Row<f64>) { y[0] = 1.0; }"),
        ("y", "write rw", "fn k(c: &i32, y: &mut Row<f64>) { if *c > 0 { y[*c as usize] = 1.0; } }"),
        ("y", "write rw", "fn k(y: &mut Row<[f64; 2]>) { for i in 0..y.len() { y[i] = [0.0, 1.0]; } }"),
        ("y", "write rw", "fn k(y: &mut Row<[f64; 2]>) { for i in 0..y.len() { y[i][1] = 1.0; } }"),
        ("y", "write rw", "fn k(y: &mut Row<u32>, n: &mut u32) { *n = y.len() as u32; y[0] = *n; }"),
        ("y", "write rw", "fn k(y: Option<&mut Row<f64>>) { if let Some(y) = y { y[0] = 1.0; } }"),
    ]);
}

/// No entry is known to be written, since two of them may be one.
#[test]
fn what_is_read_is_not_just_written() {
    expect_accesses(&[
        ("y", "rw", "fn k(y: &mut Row<f64>) { y[0] = y[1]; }"),
        ("y", "rw", "fn k(y: &mut Row<f64>) { y[0] = 1.0; y[1] = y[0]; }"),
        ("y", "rw", "fn k(y: &mut Row<f64>) { for i in 0..y.len() { y[i] *= 2.0; } }"),
        ("y", "rw", "fn k(y: &mut Row<f64>, z: &mut f64) { y[0] = 1.0; *z = y[0]; }"),
        ("y", "rw", "fn k(y: &mut Row<[f64; 2]>) { y[0] = [1.0; 2]; let t = y[0]; y[1] = t; }"),
        ("y", "rw", "fn k(y: &mut Row<[f64; 2]>) { let [a, b] = y[0]; y[0] = [b, a]; }"),
        ("y", "rw", "fn k(y: &mut Row<f64>) { if y[0] > 1.0 { y[1] = 1.0; } }"),
    ]);
}

#[test]
fn every_way_to_combine() {
    expect_accesses(&[
        ("y", "inc rw", "fn k(x: &f64, y: &mut Row<f64>) { for i in 0..y.len() { y[i] += *x; } }"),
        (
            "y",
            "inc rw",
            "fn k(x: &f64, y: &mut Row<[f64; 2]>) { for i in 0..y.len() { y[i][0] += *x; y[i][1] -= *x; } }",
        ),
        ("y", "inc rw", "fn k(x: &f64, y: Option<&mut Row<f64>>) { if let Some(y) = y { y[0] += *x; } }"),
        ("y", "min rw", "fn k(x: &f64, y: &mut Row<f64>) { for i in 0..y.len() { y[i] = y[i].min(*x); } }"),
        ("y", "max rw", "fn k(x: &f64, y: &mut Row<f64>) { for i in 0..y.len() { if *x > y[i] { y[i] = *x; } } }"),
        ("y", "or rw", "fn k(x: &u32, y: &mut Row<u32>) { for i in 0..y.len() { y[i] |= *x << i; } }"),
        ("y", "rw", "fn k(y: &mut Row<f64>) { y[0] += y[1]; }"),
        ("y", "rw", "fn k(y: &mut Row<f64>) { y[0] += 1.0; y[1] = 2.0; }"),
        // The length is no value.
        ("y", "inc rw", "fn k(y: &mut Row<u32>) { y[0] += y.len() as u32; }"),
        ("x", "read", "fn k(x: &Row<f64>, n: &mut u32) { *n = x.len() as u32; }"),
    ]);
}

/// Device functions change what they are lent.
#[test]
fn rows_that_are_lent() {
    let add = "fn add(y: &mut Row<f64>, i: usize, v: f64) { y[i] += v; }";
    let put = "fn put(y: &mut Row<f64>, i: usize, v: f64) { y[i] = v; }";
    let last = "fn last(y: &Row<f64>) -> f64 { y[y.len() - 1] }";
    let with = |kernel: &str| format!("{kernel} {add} {put} {last}");
    let (inc, write) =
        (with("fn k(y: &mut Row<f64>) { add(y, 0, 1.0); }"), with("fn k(y: &mut Row<f64>) { put(y, 0, 1.0); }"));
    let (read, rw) = (
        with("fn k(y: &Row<f64>, z: &mut f64) { *z = last(y); }"),
        with("fn k(y: &mut Row<f64>) { let v = last(y); put(y, 0, v); }"),
    );
    expect_accesses(&[("y", "inc rw", &inc), ("y", "write rw", &write), ("y", "read", &read), ("y", "rw", &rw)]);
}
