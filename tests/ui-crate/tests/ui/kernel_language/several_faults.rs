//! All faults at once, each at its place.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let name = "wall";
    let v = vec![1.0];
    *b = q[7].sqr();
}

fn main() {}
