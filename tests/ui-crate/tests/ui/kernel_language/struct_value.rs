//! Structs.
struct Point {
    x: f64,
}

#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let p = Point { x: q[0] };
    *b = p.x;
}

fn main() {}
