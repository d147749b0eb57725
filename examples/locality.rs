//! A badly numbered mesh gets new numbers inside, and the program keeps its own.

use op2::prelude::*;

op2::sets! { Nodes, Edges }

/// Each end of an edge sees the value of the other end, and has one neighbour more.
#[op2::kernel]
fn neighbours(u: [&f64; 2], sum: [&mut f64; 2], degree: [&mut u32; 2]) {
    *sum[0] += *u[1];
    *sum[1] += *u[0];
    *degree[0] += 1;
    *degree[1] += 1;
}

fn main() -> op2::Result<()> {
    let n = 200_u32; // a grid of n by n nodes, numbered as if drawn by lot
    let lot = |node: u32| (u64::from(node) * 7919 % u64::from(n * n)) as u32;
    let along = |i: u32| (1..n).flat_map(move |j| [[i * n + j - 1, i * n + j], [(j - 1) * n + i, j * n + i]]);
    let grid: Vec<[u32; 2]> = (0..n).flat_map(along).map(|ends| ends.map(lot)).collect();
    let mut values = vec![0.0; (n * n) as usize];
    for node in 0..n * n {
        values[lot(node) as usize] = f64::from(node);
    }

    let mut op = Op2::new()?;
    let nodes = op.decl_set::<Nodes>("nodes", values.len())?;
    let edges = op.decl_set::<Edges>("edges", grid.len())?;
    let ends = op.decl_map("ends", edges, nodes, &grid)?;
    let u = op.decl_dat("u", nodes, &values)?;
    let sum = op.decl_dat_filled("sum", nodes, 0.0)?;
    let degree = op.decl_dat_filled("degree", nodes, 0_u32)?;

    println!("{}", op.reorder(Ordering::Gps)?); // what it found and what it gained
    op_par_loop!(op, neighbours, edges, read(u, ends[..]), inc(sum, ends[..]), inc(degree, ends[..]))?;

    // Values come back under the numbers of the declarations. Inside the grid, neighbours are on average what the node is.
    let (sum, degree) = (op.fetch(sum)?, op.fetch(degree)?);
    let inside = (0..values.len()).filter(|&node| degree[node] == 4);
    assert!(inside.clone().all(|node| sum[node] == 4.0 * values[node]));
    println!("{} of {} nodes have four neighbours", inside.count(), values.len());
    Ok(())
}
