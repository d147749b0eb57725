//! A crate that forbids what it can: the generated code gives no cause.
#![deny(missing_docs, unused, unreachable_pub, unused_qualifications, unused_results, unsafe_op_in_unsafe_fn)]
#![deny(elided_lifetimes_in_paths, trivial_casts, trivial_numeric_casts, missing_debug_implementations)]
#![deny(non_camel_case_types, non_snake_case, non_upper_case_globals, unexpected_cfgs, let_underscore)]
#![deny(missing_copy_implementations, single_use_lifetimes, unit_bindings, variant_size_differences)]

use op2::prelude::*;

op2::sets! { pub Nodes, Edges }

op2::constants! {
    /// A factor.
    static FACTOR: f64;
}

/// With docs, and attributes of other kinds.
#[op2::kernel]
#[allow(clippy::assign_op_pattern)]
#[inline]
fn scale(a: &f64, b: &mut f64) {
    *b = half(*a) * FACTOR.get();
}

/// Half of a value.
#[op2::device_fn]
#[must_use]
fn half<F: Float>(a: F) -> F {
    a * F::lit(0.5)
}

/// The sum over the elements, and their number.
#[op2::kernel]
fn sum<F: Float>(a: [&F; 2], total: &mut F, n: &mut u64) {
    *total += *a[0] + *a[1];
    *n += 1;
}

fn main() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let nodes = op.decl_set::<Nodes>("nodes", 3)?;
    let edges = op.decl_set::<Edges>("edges", 2)?;
    let ends = op.decl_map("ends", edges, nodes, &[[0, 1], [1, 2]])?;
    let a = op.decl_dat("a", nodes, &[1.0, 2.0, 3.0])?;
    let b = op.decl_dat("b", nodes, &[0.0; 3])?;
    let (total, n) = (op.decl_global("total", 0.0), op.decl_global("n", 0u64));
    FACTOR.set(4.0)?;
    op_par_loop!(op, scale, nodes, read(a), write(b))?;
    op_par_loop!(op, sum, edges, read(b, ends[..]), gbl_inc(total), gbl_inc(n))?;
    assert_eq!((op.get(total)?, op.get(n)?), (16.0, 2));
    Ok(())
}
