//! `unsafe`.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    unsafe {
        *b = *q.get_unchecked(0);
    }
}

fn main() {}
