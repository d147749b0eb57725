//! A kernel is a free function.
struct Solver;

impl Solver {
    #[op2::kernel]
    fn clear(&self, a: &mut f64) {
        *a = 0.0;
    }
}

fn main() {}
