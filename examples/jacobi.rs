//! Jacobi's method on a grid: the page of code in README.

use op2::prelude::*;

op2::sets! { pub Nodes, Edges } // kinds of sets: mixing them up does not compile

/// Each end of an edge sees the value of the other end.
#[op2::kernel]
fn neighbours(u: [&f64; 2], sum: [&mut f64; 2]) {
    *sum[0] += *u[1];
    *sum[1] += *u[0];
}

/// One Jacobi step of a node. Keeps the greatest change.
#[op2::kernel]
fn step(f: &f64, sum: &mut f64, u: &mut f64, change: &mut f64) {
    let new = 0.25 * (*f + *sum);
    *change = change.max((new - *u).abs());
    *u = new;
    *sum = 0.0;
}

fn main() -> op2::Result<()> {
    let n = 24_u32; // a grid of n by n nodes
    let along = |i: u32| (1..n).flat_map(move |j| [[i * n + j - 1, i * n + j], [(j - 1) * n + i, j * n + i]]);
    let grid: Vec<[u32; 2]> = (0..n).flat_map(along).collect();

    let mut op = Op2::new()?; // on all cores
    let nodes = op.decl_set::<Nodes>("nodes", (n * n) as usize)?;
    let edges = op.decl_set::<Edges>("edges", grid.len())?;
    let ends = op.decl_map("ends", edges, nodes, &grid)?; // checks every entry
    let f = op.decl_dat_filled("f", nodes, 0.01)?;
    let u = op.decl_dat_filled("u", nodes, 0.0)?;
    let sum = op.decl_dat_filled("sum", nodes, 0.0)?;
    let change = op.decl_global("change", f64::INFINITY);

    while op.get(change)? > 1e-6 {
        op.set(change, 0.0)?;
        op_par_loop!(op, neighbours, edges, read(u, ends[..]), inc(sum, ends[..]))?;
        op_par_loop!(op, step, nodes, read(f), rw(sum), rw(u), gbl_max(change))?;
    }
    println!("{}", op.report()); // time, bytes and bandwidth of each loop
    Ok(())
}
