//! Functions of the standard library.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let mut c = q[0];
    std::mem::swap(b, &mut c);
}

fn main() {}
