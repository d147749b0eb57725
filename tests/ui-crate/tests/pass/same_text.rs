//! Kernels of one name and one text in several modules, each with its own constant.
use op2::prelude::*;

op2::sets! { Cells }

macro_rules! module {
    ($name:ident, $value:expr) => {
        pub mod $name {
            const STEP: f64 = $value;

            #[op2::kernel]
            pub fn add(a: &mut f64) {
                *a += STEP;
            }
        }
    };
}
module!(one, 1.0);
module!(ten, 10.0);

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 1)?;
    let a = op.decl_dat("a", cells, &[0.0])?;
    op_par_loop!(op, one::add, cells, inc(a))?;
    op_par_loop!(op, ten::add, cells, inc(a))?;
    assert_eq!(op.fetch(a)?, [11.0]);
    Ok(())
}
