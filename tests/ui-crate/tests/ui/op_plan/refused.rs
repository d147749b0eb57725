//! A plan is asked for in the same language.
use op2::prelude::*;

op2::sets! { Cells }

#[op2::kernel]
fn scale(a: &f64, b: &mut f64) {
    *b = 2.0 * *a;
}

fn run(op: &mut Op2, cells: Set<Cells>, a: Dat<Cells, f64>, b: Dat<Cells, f64>) -> op2::Result<()> {
    let plan = op_plan!(op, scale, cells, read(a), inc(b))?;
    println!("{} blocks", plan.blocks());
    let again = op_plan!(op, scale, cells, read a, write(b))?;
    println!("{} blocks", again.blocks());
    Ok(())
}

fn main() {}
