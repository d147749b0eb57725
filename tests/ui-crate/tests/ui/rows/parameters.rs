//! Rows of any length stand behind references, one for each argument.

use op2::Row;

#[op2::kernel]
fn by_value(q: Row<f64>, r: &mut f64) {
    *r += q[0];
}

#[op2::kernel]
fn several(q: [&Row<f64>; 2], r: &mut f64) {
    *r += q[0][0];
}

#[op2::kernel]
fn of_rows(q: &Row<Row<f64>>, r: &mut f64) {
    *r += q[0][0];
}

#[op2::kernel]
fn of_references(q: &Row<&f64>, r: &mut f64) {
    *r += *q[0];
}

#[op2::kernel]
fn of_indices(q: &Row<usize>, r: &mut f64) {
    *r += q[0] as f64;
}

#[op2::kernel]
fn of_nothing(q: &Row, r: &mut f64) {
    *r += q[0];
}

#[op2::kernel]
fn of_fixed_length(q: &Row<f64, 3>, r: &mut f64) {
    *r += q[0];
}

#[op2::kernel]
fn within(q: &[Row<f64>; 2], r: &mut f64) {
    *r += q[0][0];
}

#[op2::kernel]
fn lists(q: Option<[&Row<f64>; 2]>, r: &mut f64) {
    if let Some(q) = q {
        *r += q[0][0];
    }
}

#[op2::kernel]
fn entries(q: [Option<&Row<f64>>; 2], r: &mut f64) {
    if let Some(q) = q[0] {
        *r += q[0];
    }
}

#[op2::device_fn]
fn made(q: &f64) -> Row<f64> {
    q
}

#[op2::record]
struct Holds {
    row: Row<f64>,
}

fn main() {}
