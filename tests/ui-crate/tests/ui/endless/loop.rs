//! A `loop` without a way out.
#[op2::kernel]
fn spin(a: &mut f64) {
    loop {
        *a += 1.0;
    }
}

fn main() {}
