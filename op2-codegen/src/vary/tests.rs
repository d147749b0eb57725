//! The float type whose size decides how many lanes there are.

use super::{Varied, vary};
use crate::check::usage::tests::unit;
use crate::ir::Scalar;

/// The widest of a kernel whose parameters differ between lanes, but for those that are named.
fn widest(source: &str, same: &[&str]) -> Scalar {
    let unit = unit(source);
    let differ: Vec<bool> = unit.funcs[0].params.iter().map(|p| !same.iter().any(|name| p.name == name)).collect();
    Varied::widest(&[vary(&unit, &differ).unwrap_or_else(|e| panic!("{e} in {source}"))])
}

#[test]
fn the_widest_scalar_that_differs_decides() {
    let table = [
        ("fn k(x: &f32, y: &mut f32) { *y = *x; }", Scalar::F32),
        ("fn k(x: &f64, y: &mut f32) { *y = *x as f32; }", Scalar::F64),
        ("fn k(x: &[[f32; 2]; 2], y: &mut [f64; 2]) { y[0] = x[0][1] as f64; }", Scalar::F64),
        ("fn k<F: Float>(x: &F, y: &mut F) { *y = *x; }", Scalar::Generic(0)),
        ("fn k<F: Float>(x: &f32, y: &mut F) { *y = F::lit(0.5); }", Scalar::Generic(0)),
        ("fn k<F: Float>(x: &f64, y: &mut F) { *y = F::lit(0.5); }", Scalar::F64),
        // Where there are floats, integers do not count.
        ("fn k(i: &i64, y: &mut f32) { *y = *i as f32; }", Scalar::F32),
        // Where there are none, an integer counts as the float of its size.
        ("fn k(i: &i32, n: &mut i32) { *n = *i; }", Scalar::F32),
        ("fn k(i: &u32, n: &mut u32) { *n = *i; }", Scalar::F32),
        ("fn k(i: &bool, n: &mut bool) { *n = *i; }", Scalar::F32),
        ("fn k(i: &i64, n: &mut i32) { *n = *i as i32; }", Scalar::F64),
        ("fn k(i: &u64, n: &mut i32) { *n = *i as i32; }", Scalar::F64),
        ("fn k(i: &i32, n: &mut i32) { let at = *i as usize; *n = at as i32; }", Scalar::F64),
    ];
    for (source, expected) in table {
        assert_eq!(widest(source, &[]), expected, "{source}");
    }
}

#[test]
fn what_is_the_same_for_all_lanes_does_not_count() {
    let scaled = "fn k(by: &f64, x: &f32, y: &mut f32) { *y = if *by > 1.0 { *x } else { 0.0 }; }";
    assert_eq!(widest(scaled, &["by"]), Scalar::F32);
    assert_eq!(widest(scaled, &[]), Scalar::F64);
}
