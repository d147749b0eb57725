//! Two kernels of a module, and one inside of a function, call a plain function. A loop over one of them follows.
use op2::prelude::*;

op2::sets! { Cells }

fn square(a: f64) -> f64 {
    a * a
}

#[op2::kernel]
fn first(a: &f64, b: &mut f64) {
    *b = square(*a);
}

#[op2::kernel]
fn second(a: &f64, b: &mut f64) {
    *b = square(*a) + crate::square(*b);
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>) -> op2::Result<()> {
    fn cube(a: f64) -> f64 {
        a * a * a
    }

    #[op2::kernel]
    fn third(a: &mut f64) {
        *a = cube(*a);
    }
    op_par_loop!(op, first, cells, read(a), write(a))
}

fn main() {}
