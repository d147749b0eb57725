//! A kernel with two parameters of one name, of which the caller of a macro wrote one.

macro_rules! kernel {
    ($name:ident, $v:ident) => {
        #[op2::kernel]
        fn $name(x: &f64, $v: &f64, y: &mut f64) {
            *y = *x - *$v;
        }
    };
}
kernel!(difference, x);

fn main() {}
