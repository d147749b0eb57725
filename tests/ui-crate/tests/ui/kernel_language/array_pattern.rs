//! A pattern of another length.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let [x, y, z] = *q;
    *b = x + y + z;
}

fn main() {}
