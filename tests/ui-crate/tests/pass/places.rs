//! Kernels in other modules, of every visibility, inside functions, and under other names.
use op2::prelude::*;

op2::sets! { pub Cells }

pub mod kernels {
    /// Visible everywhere.
    #[op2::kernel]
    pub fn double(a: &mut f64) {
        *a = 2.0 * *a;
    }

    #[op2::kernel]
    pub(crate) fn triple(a: &mut f64) {
        *a = inner::three() * *a;
    }

    #[op2::kernel]
    pub(super) fn quarter(a: &mut f64) {
        *a = super::quarter_of(*a);
    }

    #[op2::device_fn]
    pub fn one() -> f64 {
        1.0
    }

    mod inner {
        #[op2::device_fn]
        pub(super) fn three() -> f64 {
            3.0
        }
    }
}

#[op2::device_fn]
fn quarter_of(a: f64) -> f64 {
    0.25 * a
}

mod elsewhere {
    use super::kernels::{double as twice, triple};
    use op2::prelude::*;

    pub fn run(op: &mut Op2, cells: Set<super::Cells>, a: Dat<super::Cells, f64>) -> op2::Result<()> {
        op_par_loop!(op, twice, cells, rw(a))?;
        op_par_loop!(op, triple, cells, rw(a))?;
        op_par_loop!(op, super::kernels::quarter, cells, rw(a))?;
        op_par_loop!(op, crate::kernels::quarter, cells, rw(a))
    }
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 3)?;
    let a = op.decl_dat("a", cells, &[1.0, 2.0, 3.0])?;
    elsewhere::run(&mut op, cells, a)?;

    #[op2::kernel]
    fn local(a: &mut f64) {
        *a += kernels::one();
    }
    op_par_loop!(op, local, cells, rw(a))?;

    {
        use kernels::*;
        op_par_loop!(op, double, cells, rw(a))?;
    }
    let mut plain = 1.0;
    kernels::double(&mut plain);
    assert_eq!(plain, 2.0);
    // ((2a · 3 · ¼ · ¼) + 1) · 2
    assert_eq!(op.fetch(a)?, [2.75, 3.5, 4.25]);
    Ok(())
}
