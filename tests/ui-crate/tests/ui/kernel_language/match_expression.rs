//! `match` compares integers and booleans.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    *b = match q[0] {
        0.0 => 1.0,
        _ => 2.0,
    };
}

fn main() {}
