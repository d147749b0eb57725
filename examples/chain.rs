//! Loops that share a pass over memory, and what the report says of them.

use op2::prelude::*;

op2::sets! { Cells, Faces }

/// The flux through a face: one cell loses it, the other gains it.
#[op2::kernel]
fn flux(q: [&[f64; 4]; 2], res: [&mut [f64; 4]; 2]) {
    for n in 0..4 {
        let through = 0.2 * (q[0][n] - q[1][n]);
        res[0][n] -= through;
        res[1][n] += through;
    }
}

#[op2::kernel]
fn advance(q: &mut [f64; 4], res: &mut [f64; 4]) {
    for n in 0..4 {
        q[n] += res[n];
        res[n] = 0.0;
    }
}

/// Keeps the first number positive. Counts where that took something.
#[op2::kernel]
fn limit(q: &mut [f64; 4], limited: &mut u32) {
    if q[0] < 0.1 {
        q[0] = 0.1;
        *limited += 1;
    }
}

#[op2::kernel]
fn total(q: &[f64; 4], sum: &mut f64) {
    *sum += q[1] + q[2] + q[3];
}

fn main() -> op2::Result<()> {
    let n = 300_u32; // a grid of n by n cells
    let along = |i: u32| (1..n).flat_map(move |j| [[i * n + j - 1, i * n + j], [(j - 1) * n + i, j * n + i]]);
    let grid: Vec<[u32; 2]> = (0..n).flat_map(along).collect();
    let states: Vec<[f64; 4]> = (0..n * n).map(|i| [f64::from(i % 7) - 1.0, 1.0, f64::from(i % 3), 2.0]).collect();

    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", states.len())?;
    let faces = op.decl_set::<Faces>("faces", grid.len())?;
    let sides = op.decl_map("sides", faces, cells, &grid)?;
    let q = op.decl_dat("q", cells, &states)?;
    let res = op.decl_dat_filled("res", cells, [0.0; 4])?;
    let limited = op.decl_global("limited", 0_u32);
    let sum = op.decl_global("sum", 0.0);

    for _ in 0..50 {
        op.set(sum, 0.0)?;
        op_par_loop!(op, flux, faces, read(q, sides[..]), inc(res, sides[..]))?;
        // Three loops over the cells: the second and the third find `q` in the cache.
        op.chain(|op| {
            op_par_loop!(op, advance, cells, rw(q), rw(res))?;
            op_par_loop!(op, limit, cells, rw(q), gbl_inc(limited))?;
            op_par_loop!(op, total, cells, read(q), gbl_inc(sum))
        })?;
    }
    let before: f64 = states.iter().map(|q| q[1] + q[2] + q[3]).sum();
    assert!((op.get(sum)? / before - 1.0).abs() < 1e-12, "what one cell loses another one gains");

    let report = op.report();
    println!("{report}"); // a row for each loop, and one for the pass that three of them share
    let saved: u64 = report.chains.iter().map(|pass| pass.saved_bytes).sum();
    println!("{} values were limited; sharing a pass saved {:.2} GB", op.get(limited)?, saved as f64 / 1e9);
    Ok(())
}
