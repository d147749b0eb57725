//! Functions of other types.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let v: Vec<f64> = Vec::new();
    *b = q[0];
}

fn main() {}
