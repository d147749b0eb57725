//! A program beside the library, of the same name, that contains one of its files: two kernels of equal name, text and place are
//! in one program, each with its own constants.

use op2::prelude::*;

pub mod stretch;

/// The number of components, which the library has, too.
pub const STRETCHED: usize = 3;

/// The factor of components, another one than the library's.
pub const STRETCH: f64 = 3.0;

op2::sets! { Cells }

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 1)?;
    let own = op.decl_dat("own", cells, &[[1.0; STRETCHED]])?;
    let others = op.decl_dat("others", cells, &[[1.0; op2_test_kernels::STRETCHED]])?;
    op_par_loop!(op, stretch::stretch, cells, rw(own))?;
    op_par_loop!(op, op2_test_kernels::stretch::stretch, cells, rw(others))?;
    assert_eq!((op.fetch(own)?, op.fetch(others)?), (vec![[3.0; 3]], vec![[2.0; 2]]));
    Ok(())
}
