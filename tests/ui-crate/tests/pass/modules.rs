//! Modules and types that bear the name of their kernel or device function, and imports of both by one `use`.
#![deny(warnings)]

use op2::prelude::*;

op2::sets! { pub Cells }

/// A kernel in a module of its name, as programs with a file per kernel have it.
mod res_calc {
    const FACTOR: f64 = 2.0;
    const LENGTH: usize = 3;

    mod share {
        #[op2::device_fn]
        pub(in super::super) fn share<F: op2::Float>(x: F) -> F {
            x * F::lit(FRACTION)
        }

        const FRACTION: f64 = 0.5;
    }
    use share::share;

    #[op2::kernel]
    pub fn res_calc(x: &mut [f64; LENGTH]) {
        for i in 0..LENGTH {
            x[i] = FACTOR * share(x[i]) + 1.0;
        }
    }
}
use res_calc::res_calc;

/// A type of the kernel's name beside the kernel, with a constant that the kernel mentions.
#[allow(non_camel_case_types)]
mod types {
    pub(crate) struct half {
        pub(crate) factor: f64,
    }

    impl half {
        const FACTOR: f64 = 3.0;
    }

    #[op2::kernel]
    pub(crate) fn half(x: &mut f64) {
        *x *= 0.5 * half::FACTOR;
    }
}

/// A glob import of modules that bear the names of kernels.
mod glob {
    pub(crate) mod grow {
        const BY: f64 = 4.0;

        #[op2::kernel]
        pub(crate) fn grow(x: &mut f64) {
            *x += BY;
        }
    }
    pub(crate) use grow::*;
}

/// A module and its kernel in a function's body.
fn inside(op: &mut Op2, cells: Set<Cells>, x: Dat<Cells, f64>) -> op2::Result<()> {
    mod shrink {
        const BY: f64 = 8.0;

        #[op2::kernel]
        pub(super) fn shrink(x: &mut f64) {
            *x -= BY;
        }
    }
    use shrink::shrink;
    op_par_loop!(op, shrink, cells, rw(x))?;
    op_par_loop!(op, shrink::shrink, cells, rw(x))
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 1)?;
    let rows = op.decl_dat("rows", cells, &[[1.0, 2.0, 3.0]])?;
    let x = op.decl_dat("x", cells, &[2.0])?;
    op_par_loop!(op, res_calc, cells, rw(rows))?;
    op_par_loop!(op, res_calc::res_calc, cells, rw(rows))?;
    assert_eq!(op.fetch(rows)?, [[3.0, 4.0, 5.0]]);
    op_par_loop!(op, types::half, cells, rw(x))?;
    assert_eq!(op.fetch(x)?, [3.0]);
    op_par_loop!(op, glob::grow, cells, rw(x))?;
    op_par_loop!(op, glob::grow::grow, cells, rw(x))?;
    assert_eq!(op.fetch(x)?, [11.0]);
    inside(&mut op, cells, x)?;
    assert_eq!(op.fetch(x)?, [-5.0]);
    let half = types::half { factor: 1.0 };
    let mut plain = half.factor;
    types::half(&mut plain);
    assert_eq!(plain, 1.5);
    Ok(())
}
