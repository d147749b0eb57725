//! A condition that changes a value: release builds would not change it.
#[op2::kernel]
fn work(q: &[f64; 4], n: &mut i32) {
    *n = q[0] as i32;
    debug_assert!({
        *n += 1;
        *n > 0
    });
}

fn main() {}
