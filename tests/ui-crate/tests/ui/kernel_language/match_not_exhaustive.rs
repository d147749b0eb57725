//! The compiler sees the values that no arm covers.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    *b = match *n {
        0 => q[0],
        1..9 => q[1],
    };
}

fn main() {}
