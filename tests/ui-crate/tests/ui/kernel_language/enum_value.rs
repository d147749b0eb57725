//! Enums.
enum Kind {
    Wall,
}

#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    if *n == Kind::Wall as i32 {
        *b = q[0];
    }
}

fn main() {}
