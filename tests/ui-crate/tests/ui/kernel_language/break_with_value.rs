//! `break` with a value.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    *b = loop {
        break q[0];
    };
}

fn main() {}
