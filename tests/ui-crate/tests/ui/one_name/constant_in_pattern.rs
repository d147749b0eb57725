//! A constant in lower case, which a `match` compares with, and op2 would take for a new variable.
#[allow(non_upper_case_globals)]
const wall: i32 = 3;

#[op2::kernel]
fn work(n: &i32, b: &mut f64) {
    *b = match *n {
        wall => 1.0,
        _ => 2.0,
    };
}

fn main() {}
