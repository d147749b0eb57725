//! A kernel with two variables of one name, of which the caller of a macro wrote one.

macro_rules! kernel {
    ($name:ident, $v:ident, $e:expr) => {
        #[op2::kernel]
        fn $name(a: &f64, y: &mut f64) {
            let $v = *a;
            let t = 100.0;
            *y = $e + t;
        }
    };
}
kernel!(sum, t, t * 2.0);

fn main() {}
