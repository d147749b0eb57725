//! An application whose `Cargo.toml` gives op2 another name. Generated code must not rely on the usual name.

use mesh::prelude::*;

mesh::sets! { pub Nodes, Edges }

mesh::constants! {
    /// The factor of nodes.
    pub static FACTOR: f64;
}

/// Entries of the table.
pub const TABLE: [f64; 3] = [1.0, 0.5, 0.25];

/// A share, from a table.
#[mesh::device_fn]
pub fn share<F: Float>(x: F, i: usize) -> F {
    x * F::lit(TABLE[i % 3])
}

/// Multiplies by the constant and keeps the greatest.
#[mesh::kernel]
pub fn grow(i: usize, x: &mut f64, greatest: &mut ArgMax<f64, usize>) {
    *x = share(*x, i) * FACTOR.get();
    greatest.update(*x, i);
}

/// Adds to both ends.
#[mesh::kernel]
pub fn add<F: Float>(w: Option<&F>, ends: [&mut F; 2]) {
    if let Some(w) = w {
        *ends[0] += share(*w, 0);
        *ends[1] -= share(*w, 1);
    }
}

/// A value and the element that has it.
pub type Greatest = Option<(f64, usize)>;

/// Nodes and their greatest value with its place, after both kernels.
///
/// # Errors
/// None that tests expect.
pub fn run(config: Config) -> mesh::Result<(Vec<f64>, Greatest)> {
    let mut op = Op2::with(config)?;
    let nodes = op.decl_set::<Nodes>("nodes", 3)?;
    let edges = op.decl_set::<Edges>("edges", 2)?;
    let ends = op.decl_map("ends", edges, nodes, &[[0, 1], [1, 2]])?;
    let x = op.decl_dat("x", nodes, &[1.0, 2.0, 4.0])?;
    let w = op.decl_dat("w", edges, &[10.0, 20.0])?;
    let greatest = op.decl_global("greatest", ArgMax::none());
    let (left, right) = (op.decl_dat_filled("left", nodes, 0.0)?, op.decl_dat_filled("right", nodes, 0.0)?);
    FACTOR.set(4.0)?;
    op2_test_kernels::GAIN.set(1.0)?;
    op_par_loop!(op, grow, nodes, idx(), rw(x), gbl_max(greatest))?;
    let plan = op_plan!(op, add, edges, opt(true, read(w)), inc(x, ends[..]))?;
    assert!(plan.blocks() > 0);
    op_par_loop!(op, add, edges, opt(true, read(w)), inc(x, ends[..]))?;
    // A kernel of a crate that knows op2 by its own name.
    op_par_loop!(op, op2_test_kernels::spread, edges, read(w), inc(left, ends[0]), inc(right, ends[1]))?;
    assert_eq!((op.fetch(left)?, op.fetch(right)?), (vec![1000.0, 8000.0, 0.0], vec![0.0, -250.0, -2000.0]));
    Ok((op.fetch(x)?, op.get(greatest)?.best()))
}
