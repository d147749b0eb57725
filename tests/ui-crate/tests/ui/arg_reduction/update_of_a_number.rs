//! `update` of what has no payload.
#[op2::kernel]
fn least(a: &f64, cell: u32, least: &mut f64) {
    least.update(*a, cell);
}

fn main() {}
