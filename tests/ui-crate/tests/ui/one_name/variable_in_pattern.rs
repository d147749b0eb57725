//! A variable in upper case, which op2 takes for a constant.
#[op2::kernel]
fn work(n: &i32, b: &mut f64) {
    *b = match *n {
        0 => 1.0,
        OTHER => OTHER as f64,
    };
}

fn main() {}
