//! The same with a path.
mod physics {
    pub fn square(a: f64) -> f64 {
        a * a
    }
}

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = physics::square(*a);
}

fn main() {}
