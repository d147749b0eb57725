//! Text that the compiler sees and the generator does not.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    *b = q[0];
    #[cfg(feature = "viscous")]
    {
        *b += 1.0;
    }
}

fn main() {}
