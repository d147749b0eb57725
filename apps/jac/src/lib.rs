//! A Jacobi iteration for the Poisson equation on a grid graph: the smallest complete op2 program.
//!
//! The unknowns are the `n × n` inner nodes of a grid on the unit square, with mesh width
//! h = 1/(n+1) and zero on the boundary: 4 uᵢ − Σ u_neighbour = fᵢ. The right-hand side is
//! chosen such that the *discrete* solution is known: sin πx · sin πy is an eigenvector of the
//! five-point operator with eigenvalue 4 − 4 cos πh, so f = (4 − 4 cos πh) sin πx sin πy, and every
//! node can be checked.

pub mod cli;

use op2::prelude::*;

op2::sets! { pub Nodes, Edges }

/// The right-hand side at node `i` of a grid with `n` nodes a side.
#[op2::kernel]
pub fn source<F: Float>(i: i64, n: &i64, f: &mut F) {
    let scale: F = eigenvalue(*n);
    *f = scale * mode(i, *n);
}

/// The contributions of an edge: each end gets the other's value.
#[op2::kernel]
pub fn neighbours<F: Float>(u_a: &F, u_b: &F, sum_a: &mut F, sum_b: &mut F) {
    *sum_a += *u_b;
    *sum_b += *u_a;
}

/// One Jacobi step of a node; gathers the greatest change and the sum of squares.
#[op2::kernel]
pub fn step<F: Float>(f: &F, sum: &mut F, u: &mut F, change: &mut F, squares: &mut F) {
    let new = F::lit(0.25) * (*f + *sum);
    *change = change.max((new - *u).abs());
    *squares += new * new;
    *u = new;
    *sum = F::lit(0.0);
}

/// sin πx · sin πy at node `i`: the solution, and up to a factor the right-hand side.
#[op2::device_fn]
pub fn mode<F: Float>(i: i64, n: i64) -> F {
    let h = F::PI / F::lit((n + 1) as f64);
    let x = F::lit((i % n + 1) as f64) * h;
    let y = F::lit((i / n + 1) as f64) * h;
    x.sin() * y.sin()
}

/// 4 − 4 cos πh, as 8 sin² πh/2: without cancellation.
#[op2::device_fn]
pub fn eigenvalue<F: Float>(n: i64) -> F {
    let s = (F::FRAC_PI_2 / F::lit((n + 1) as f64)).sin();
    F::lit(8.0) * s * s
}

/// The result of an iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<F> {
    /// The value at every node, row by row.
    pub u: Vec<F>,
    /// Steps taken.
    pub steps: usize,
    /// Greatest change of a node in the last step.
    pub change: F,
    /// √ of the sum of squares of the last step.
    pub norm: F,
}

/// Iterates until no node changes by more than `tolerance`, at most `max_steps` times.
///
/// # Errors
/// [`op2::Error`] if the threads of `config` cannot be started, or the grid has more nodes or edges
/// than a set can hold.
pub fn solve<F: Float>(n: u32, tolerance: F, max_steps: usize, config: Config) -> op2::Result<Outcome<F>> {
    let mut op = Op2::with(config)?;
    let grid_edges = edges_of_grid(i64::from(n));
    let nodes = op.decl_set::<Nodes>("nodes", n as usize * n as usize)?;
    let edges = op.decl_set::<Edges>("edges", grid_edges.len())?;
    let ends = op.decl_map("ends", edges, nodes, &grid_edges)?;
    let zero = F::lit(0.0);
    let u = op.decl_dat_filled("u", nodes, zero)?;
    let f = op.decl_dat_filled("f", nodes, zero)?;
    let sum = op.decl_dat_filled("sum", nodes, zero)?;
    let side = op.decl_global("n", i64::from(n));
    let change = op.decl_global("change", zero);
    let squares = op.decl_global("squares", zero);

    op_par_loop!(op, source, nodes, idx(), gbl_read(side), write(f))?;
    let mut steps = 0;
    while steps < max_steps {
        op.set(change, zero)?;
        op.set(squares, zero)?;
        op_par_loop!(op, neighbours, edges, read(u, ends[0]), read(u, ends[1]), inc(sum, ends[0]), inc(sum, ends[1]))?;
        op_par_loop!(op, step, nodes, read(f), rw(sum), rw(u), gbl_max(change), gbl_inc(squares))?;
        steps += 1;
        if op.get(change)? <= tolerance {
            break;
        }
    }
    Ok(Outcome { u: op.fetch(u)?, steps, change: op.get(change)?, norm: op.get(squares)?.sqrt() })
}

/// The node farthest from the closed form: its number, the value found and the value expected.
/// `None` for a grid without nodes.
pub fn worst_node<F: Float>(n: u32, u: &[F]) -> Option<(usize, F, F)> {
    let n = i64::from(n);
    let distance = |found: F, expected: F| {
        let d = (found - expected).abs();
        if d.is_nan() { F::INFINITY } else { d }
    };
    (u.iter().enumerate())
        .map(|(i, &found)| (i, found, mode::<F>(i as i64, n)))
        .reduce(|worst, next| if distance(next.1, next.2) > distance(worst.1, worst.2) { next } else { worst })
}

/// The edges of an `n × n` grid graph: each node with its right and its upper neighbour.
fn edges_of_grid(n: i64) -> Vec<[i64; 2]> {
    let right = (0..n * n).filter(|i| i % n + 1 < n).map(|i| [i, i + 1]);
    let upper = (0..n * (n - 1)).map(|i| [i, i + n]);
    right.chain(upper).collect()
}
