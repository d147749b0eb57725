//! Functions that op2 meets after those that use them, where it imports them by names of its own.
#![deny(warnings)]

use op2::prelude::*;

op2::sets! { pub Nodes }

/// A loop before its kernel, twice, one inside of the other.
fn run(op: &mut Op2, nodes: Set<Nodes>, x: Dat<Nodes, f64>) -> op2::Result<()> {
    op_par_loop!(op, forward, nodes, rw(x))?;
    let mut other = Op2::new()?;
    let others = other.decl_set::<Nodes>("others", 1)?;
    let y = other.decl_dat("y", others, &[1.0])?;
    op_par_loop!(
        op,
        forward,
        {
            op_par_loop!(other, forward, others, rw(y))?;
            nodes
        },
        rw(x)
    )?;
    assert_eq!(other.fetch(y)?, [3.0]);
    op_par_loop!(op, twice, nodes, rw(x)).and_then(|()| op_par_loop!(op, below::more::backward, nodes, rw(x)))
}

#[op2::kernel]
fn forward(x: &mut f64) {
    *x = increased(*x) + below::increased(*x) - below::more::lessened(*x);
}

#[op2::kernel]
fn twice<F: Float>(x: &mut F) {
    *x += of_any_type(*x);
}

/// Kernels in functions, of one name, that call the same function and one that stands below.
fn inside(op: &mut Op2, nodes: Set<Nodes>, x: Dat<Nodes, f64>) -> op2::Result<()> {
    {
        #[op2::kernel]
        fn local(x: &mut f64) {
            *x = increased(*x) + hidden(*x);
        }

        #[op2::device_fn]
        fn hidden(x: f64) -> f64 {
            0.0 * x
        }
        op_par_loop!(op, local, nodes, rw(x))?;
    }
    {
        #[op2::kernel]
        fn local(x: &mut f64) {
            *x = increased(increased(*x));
        }
        op_par_loop!(op, local, nodes, rw(x))
    }
}

/// A glob import, beside a type of the kernel's name.
mod globs {
    #[allow(unused_imports)]
    use super::below::*;

    #[allow(non_camel_case_types, dead_code)]
    struct quadruple {}

    pub(super) fn run(
        op: &mut op2::Op2,
        nodes: op2::Set<super::Nodes>,
        x: op2::Dat<super::Nodes, f64>,
    ) -> op2::Result<()> {
        op2::op_par_loop!(op, quadruple, nodes, rw(x))
    }
}

macro_rules! kernel {
    ($name:ident, $function:ident, $more:path) => {
        #[op2::kernel]
        fn $name(x: &mut f64) {
            *x = $function(*x) + $more(*x) + $crate::increased(*x);
        }
    };
}
kernel!(by_macro, increased, below::increased);
kernel!(by_macro_again, increased, below::increased);

#[op2::device_fn]
fn increased(x: f64) -> f64 {
    x + 1.0
}

#[op2::device_fn]
fn of_any_type<F: Float>(x: F) -> F {
    x
}

mod below {
    #[op2::device_fn]
    pub fn increased(x: f64) -> f64 {
        x + 2.0
    }

    #[op2::kernel]
    pub fn quadruple(x: &mut f64) {
        *x *= 4.0;
    }

    #[allow(non_camel_case_types, dead_code)]
    pub struct quadruple {
        pub field: f64,
    }

    pub mod more {
        #[op2::device_fn]
        pub fn lessened(x: f64) -> f64 {
            x + 1.0
        }

        #[op2::kernel]
        pub fn backward(x: &mut f64) {
            *x -= 3.0;
        }
    }
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let nodes = op.decl_set::<Nodes>("nodes", 1)?;
    let x = op.decl_dat("x", nodes, &[1.0])?;
    run(&mut op, nodes, x)?;
    // 1 + 2 + 2, doubled, less 3.
    assert_eq!(op.fetch(x)?, [7.0]);
    inside(&mut op, nodes, x)?;
    assert_eq!(op.fetch(x)?, [10.0]);
    globs::run(&mut op, nodes, x)?;
    op_par_loop!(op, by_macro, nodes, rw(x))?;
    op_par_loop!(op, by_macro_again, nodes, rw(x))?;
    assert_eq!(op.fetch(x)?, [376.0]);
    Ok(())
}
