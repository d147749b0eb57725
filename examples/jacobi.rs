//! Jacobi's method on a grid: the page of code in README.

use op2::prelude::*;

op2::sets! { pub Nodes, Edges } // kinds of sets: mixing them up does not compile

/// The data of a node: two numbers in every layout, by name in kernels.
#[op2::record]
struct State {
    u: f64,
    source: f64,
}

/// Each end of an edge sees the value of the other end.
#[op2::kernel]
fn neighbours(state: [&State; 2], sum: [&mut f64; 2]) {
    *sum[0] += state[1].u;
    *sum[1] += state[0].u;
}

/// One Jacobi step of a node. Keeps the greatest change.
#[op2::kernel]
fn step(state: &mut State, sum: &mut f64, change: &mut f64) {
    let new = 0.25 * (state.source + *sum);
    *change = change.max((new - state.u).abs());
    state.u = new;
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
    let state = op.decl_dat_filled("state", nodes, State { u: 0.0, source: 0.01 })?;
    let sum = op.decl_dat_filled("sum", nodes, 0.0)?;
    let change = op.decl_global("change", f64::INFINITY);

    while op.get(change)? > 1e-6 {
        op.set(change, 0.0)?;
        op_par_loop!(op, neighbours, edges, read(state, ends[..]), inc(sum, ends[..]))?;
        op_par_loop!(op, step, nodes, rw(state), rw(sum), gbl_max(change))?;
    }
    println!("{}", op.report()); // time, bytes and bandwidth of each loop
    Ok(())
}
