//! A device function of another module, without its path.
mod physics {
    #[op2::device_fn]
    pub fn square(a: f64) -> f64 {
        a * a
    }
}

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = square(*a);
}

fn main() {}
