//! Conjugate gradients with a sparse matrix: the Laplacian of a random graph, whose rows have any length.

use op2::prelude::*;
use op2::{Row, Rows};

op2::sets! { Nodes, Entries }

/// A row of the product. The values of the matrix lie on its entries, in the order of rows.
#[op2::kernel]
fn product(a: &Row<f64>, p: &Row<f64>, own: &f64, ap: &mut f64, pap: &mut f64) {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * p[i];
    }
    *ap = sum;
    *pap += *own * sum;
}

#[op2::kernel]
fn advance(alpha: &f64, p: &f64, ap: &f64, x: &mut f64, r: &mut f64, rr: &mut f64) {
    *x += *alpha * *p;
    *r -= *alpha * *ap;
    *rr += *r * *r;
}

#[op2::kernel]
fn turn(beta: &f64, r: &f64, p: &mut f64) {
    *p = *r + *beta * *p;
}

/// Each node with some nodes before it, the same in every run.
fn neighbours(nodes: usize) -> Vec<Vec<usize>> {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut of = vec![Vec::new(); nodes];
    for node in 1..nodes {
        for _ in 0..1 + random(4) {
            let other = random(node);
            of[node].push(other);
            of[other].push(node);
        }
    }
    of
}

fn main() -> op2::Result<()> {
    const NODES: usize = 5_000;
    let graph = neighbours(NODES);
    // The matrix `1 + degree` on the diagonal, and -1 for each edge.
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for (node, others) in graph.iter().enumerate() {
        columns.push(node);
        values.push(1.0 + others.len() as f64);
        columns.extend(others);
        values.resize(columns.len(), -1.0);
        starts.push(columns.len());
    }

    let mut op = Op2::new()?;
    let nodes = op.decl_set::<Nodes>("nodes", NODES)?;
    let entries = op.decl_set::<Entries>("entries", columns.len())?;
    let own: Vec<usize> = (0..columns.len()).collect();
    let own: Rows<Nodes, Entries> = op.decl_rows("own", nodes, entries, &starts, &own)?;
    let columns: Rows<Nodes, Nodes> = op.decl_rows("columns", nodes, nodes, &starts, &columns)?;
    let a = op.decl_dat("a", entries, &values)?;
    let right: Vec<f64> = (0..NODES).map(|node| if node % 7 == 0 { 1.0 } else { 0.0 }).collect();
    let x = op.decl_dat_filled("x", nodes, 0.0)?;
    let r = op.decl_dat("r", nodes, &right)?;
    let p = op.decl_dat("p", nodes, &right)?;
    let ap = op.decl_dat_filled("ap", nodes, 0.0)?;
    let (pap, rr) = (op.decl_global("pap", 0.0), op.decl_global("rr", 0.0));
    let (alpha, beta) = (op.decl_global("alpha", 0.0), op.decl_global("beta", 0.0));

    let first: f64 = right.iter().map(|r| r * r).sum();
    let mut last = first;
    let mut steps = 0;
    while last > 1e-20 * first {
        op.set(pap, 0.0)?;
        op_par_loop!(op, product, nodes, read(a, own[..]), read(p, columns[..]), read(p), write(ap), gbl_inc(pap))?;
        op.set(alpha, last / op.get(pap)?)?;
        op.set(rr, 0.0)?;
        op_par_loop!(op, advance, nodes, gbl_read(alpha), read(p), read(ap), rw(x), rw(r), gbl_inc(rr))?;
        let next = op.get(rr)?;
        op.set(beta, next / last)?;
        op_par_loop!(op, turn, nodes, gbl_read(beta), read(r), rw(p))?;
        (last, steps) = (next, steps + 1);
        if steps % 5 == 0 {
            println!("step {steps}: residual {:.3e}", last.sqrt());
        }
    }

    // What the solution leaves of the right side, by plain Rust.
    let x = op.fetch(x)?;
    let left =
        |node: usize| (1.0 + graph[node].len() as f64) * x[node] - graph[node].iter().map(|&n| x[n]).sum::<f64>();
    assert!((0..NODES).all(|node| (left(node) - right[node]).abs() < 1e-8));
    println!("solved after {steps} steps\n{}", op.report());
    Ok(())
}
