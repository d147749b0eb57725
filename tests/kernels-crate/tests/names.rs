//! Names of modules, kernels and device functions across crates.

use op2::prelude::*;
use std::process::Command;

op2::sets! { Cells }

/// Imports a module and the kernel in it, both by one name.
mod by_name {
    pub(super) use op2_test_kernels::stretch;
    pub(super) use op2_test_kernels::stretch::stretch;
}

/// The same of a device function.
mod device_fn {
    use op2_test_kernels::stretch::stretched;
    use stretched::stretched;

    #[op2::kernel]
    pub(super) fn stretch_one(x: &mut f64) {
        *x = stretched(*x) + stretched::stretched(*x);
    }
}

#[test]
fn a_module_and_its_kernel_are_imported_from_another_crate() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 1)?;
    let (x, y) = (op.decl_dat("x", cells, &[[1.0, 2.0]])?, op.decl_dat("y", cells, &[1.0])?);
    op_par_loop!(op, by_name::stretch, cells, rw(x))?;
    op_par_loop!(op, by_name::stretch::stretch, cells, rw(x))?;
    op_par_loop!(op, device_fn::stretch_one, cells, rw(y))?;
    assert_eq!((op.fetch(x)?, op.fetch(y)?), (vec![[4.0, 8.0]], vec![4.0]));
    Ok(())
}

/// Functions that are named as macros of the standard library.
mod taken {
    use op2_test_kernels::taken::*;

    #[op2::kernel]
    pub(super) fn vec(x: &mut f64) {
        *x = line(*x) + op2_test_kernels::taken::line(*x);
    }

    /// The macro of that name.
    pub(super) fn macros() -> Vec<u32> {
        vec![line!(), column!()]
    }
}

#[test]
fn functions_of_another_crate_may_be_named_as_macros() -> op2::Result<()> {
    use op2_test_kernels::taken::write;
    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", 1)?;
    let x = op.decl_dat("x", cells, &[1.0])?;
    op_par_loop!(op, write, cells, rw(x))?;
    op_par_loop!(op, op2_test_kernels::taken::write, cells, rw(x))?;
    op_par_loop!(op, taken::vec, cells, rw(x))?;
    assert_eq!(op.fetch(x)?, [30.0]);
    assert_eq!(taken::macros().len(), 2);
    Ok(())
}

#[test]
fn two_crates_may_contain_one_file() {
    let status = Command::new(env!("CARGO_BIN_EXE_op2-test-kernels")).status();
    assert!(status.expect("the program is there").success());
}
