//! Functions that are named as macros of the standard library, beside calls of these macros.
#![deny(warnings, missing_docs, unreachable_pub)]

use op2::prelude::*;

op2::sets! { pub Nodes }

/// Kernels and device functions of such names.
pub mod kernels {
    const FACTOR: f64 = 2.0;

    /// Visible everywhere.
    #[op2::kernel]
    pub fn write(x: &mut f64) {
        *x = FACTOR * line(*x) + super::functions::column(*x);
    }

    #[op2::kernel]
    pub(crate) fn vec<F: op2::Float>(x: &mut F) {
        *x += matches(*x) + r#try(*x);
    }

    #[op2::device_fn]
    fn line(x: f64) -> f64 {
        x + 1.0
    }

    #[op2::device_fn]
    fn matches<F: op2::Float>(x: F) -> F {
        x
    }

    #[op2::device_fn]
    fn r#try<F: op2::Float>(x: F) -> F {
        x
    }

    /// The macros of the standard library, where the functions are.
    pub(crate) fn text() -> String {
        use std::fmt::Write;
        let (mut text, numbers) = (String::new(), vec![1, 2]);
        let _ = write!(text, "{numbers:?} {}", matches!(numbers[0], 1));
        text
    }
}

mod functions {
    #[op2::device_fn]
    pub(crate) fn column(x: f64) -> f64 {
        0.5 * x
    }
}

mod by_import {
    use super::kernels::{vec, write};
    use op2::prelude::*;

    pub(crate) fn run(op: &mut Op2, nodes: Set<super::Nodes>, x: Dat<super::Nodes, f64>) -> op2::Result<()> {
        op_par_loop!(op, write, nodes, rw(x))?;
        op_par_loop!(op, vec, nodes, rw(x))?;
        assert_eq!(vec![1].len(), 1);
        Ok(())
    }
}

mod by_name {
    use super::kernels::write as written;
    use op2::prelude::*;

    pub(crate) fn run(op: &mut Op2, nodes: Set<super::Nodes>, x: Dat<super::Nodes, f64>) -> op2::Result<()> {
        op_par_loop!(op, super::kernels::write, nodes, rw(x))?;
        written(&mut 0.0);
        Ok(())
    }
}

mod by_glob {
    use super::functions::*;
    use super::kernels::*;
    use op2::prelude::*;

    #[op2::kernel]
    fn panic(x: &mut f64) {
        *x = column(*x);
    }

    pub(crate) fn run(op: &mut Op2, nodes: Set<super::Nodes>, x: Dat<super::Nodes, f64>) -> op2::Result<()> {
        use std::fmt::Write;
        op_par_loop!(op, write, nodes, rw(x))?;
        op_par_loop!(op, panic, nodes, rw(x))?;
        assert!(column!() > 0, "{}", file!());
        let mut text = String::new();
        let _ = write!(text, "{}", vec![1].len());
        if text.is_empty() {
            panic!("it is {text}");
        }
        Ok(())
    }
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let nodes = op.decl_set::<Nodes>("nodes", 1)?;
    let x = op.decl_dat("x", nodes, &[2.0])?;
    by_import::run(&mut op, nodes, x)?;
    assert_eq!(op.fetch(x)?, [21.0]);
    by_name::run(&mut op, nodes, x)?;
    assert_eq!(op.fetch(x)?, [54.5]);
    by_glob::run(&mut op, nodes, x)?;
    assert_eq!(op.fetch(x)?, [69.125]);

    #[op2::kernel]
    fn assert(x: &mut f64) {
        *x = format(*x);
    }

    #[op2::device_fn]
    fn format(x: f64) -> f64 {
        2.0 * x
    }
    op_par_loop!(op, assert, nodes, rw(x))?;
    assert!(op.fetch(x)? == [138.25], "{}", format!("{}", 1));
    assert_eq!(kernels::text(), "[1, 2] true");
    Ok(())
}
