//! State outside the loop.
static mut COUNT: u32 = 0;

#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    unsafe { COUNT += 1 };
    *b = q[0];
}

fn main() {}
