//! A map entry that the parameter does not have.
#[op2::kernel]
fn sum(x: [&[f64; 2]; 3], a: &mut f64) {
    *a = x[0][0] + x[1][0] + x[2][0] + x[3][0];
}

fn main() {}
