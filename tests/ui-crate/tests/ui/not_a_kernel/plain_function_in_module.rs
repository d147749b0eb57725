//! A function without `#[op2::kernel]`, by its path, in a loop and in a plan.
use op2::prelude::*;

op2::sets! { Cells }

mod physics {
    pub fn clear(a: &mut f64) {
        *a = 0.0;
    }
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>) -> op2::Result<()> {
    op_plan!(op, physics::clear, cells, write(a))?;
    op_par_loop!(op, physics::clear, cells, write(a))
}

fn main() {}
