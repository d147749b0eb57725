//! Types that dats do not have.
#[op2::kernel]
fn work(q: &[f64; 4], n: &i32, b: &mut f64) {
    let k = *n as u128;
    *b = q[k as usize];
}

fn main() {}
