//! Transport through a square: edges at the boundary have a cell on one side only, and need no loop of their own.

use op2::prelude::*;

op2::sets! { Cells, Edges }

/// The amount that crosses an edge in a unit of time. Behind the boundary lies the state of the inflow.
#[op2::kernel]
fn upwind(speed: &f64, q: [Option<&f64>; 2], inflow: &f64, change: [&mut f64; 2]) {
    let [left, right] = [*q[0].unwrap_or(inflow), *q[1].unwrap_or(inflow)];
    let flux = *speed * if *speed > 0.0 { left } else { right };
    *change[0] -= flux; // dropped where there is no cell
    *change[1] += flux;
}

#[op2::kernel]
fn advance(step: &f64, q: &mut f64, change: &mut f64, most: &mut f64) {
    *q += *step * *change;
    *most = most.max(change.abs());
    *change = 0.0;
}

fn main() -> op2::Result<()> {
    const N: i64 = 40; // cells along each side
    let cell = |i: i64, j: i64| ((0..N).contains(&i) && (0..N).contains(&j)).then_some(i * N + j);
    // The wind blows by 1 along i and by 0.5 along j, so that the cells of two sides meet the inflow.
    let along_i = (0..=N).flat_map(|i| (0..N).map(move |j| ([cell(i - 1, j), cell(i, j)], 1.0)));
    let along_j = (0..N).flat_map(|i| (0..=N).map(move |j| ([cell(i, j - 1), cell(i, j)], 0.5)));
    let (sides, speeds): (Vec<[Option<i64>; 2]>, Vec<f64>) = along_i.chain(along_j).unzip();

    let mut op = Op2::new()?;
    let cells = op.decl_set::<Cells>("cells", (N * N) as usize)?;
    let edges = op.decl_set::<Edges>("edges", sides.len())?;
    let sides = op.decl_opt_map("sides", edges, cells, &sides)?;
    let speed = op.decl_dat("speed", edges, &speeds)?;
    let q = op.decl_dat_filled("q", cells, 0.0)?;
    let change = op.decl_dat_filled("change", cells, 0.0)?;
    let inflow = op.decl_global("inflow", 1.0);
    let step = op.decl_global("step", 0.5);
    let most = op.decl_global("most", f64::INFINITY);

    let mut steps = 0;
    while op.get(most)? > 1e-12 {
        op.set(most, 0.0)?;
        op_par_loop!(op, upwind, edges, read(speed), read(q, sides[..]), gbl_read(inflow), inc(change, sides[..]))?;
        op_par_loop!(op, advance, cells, gbl_read(step), rw(q), rw(change), gbl_max(most))?;
        steps += 1;
    }
    // The inflow has filled the square.
    assert!(op.fetch(q)?.iter().all(|q| (q - 1.0).abs() < 1e-9));
    println!("steady after {steps} steps\n{}", op.report());
    Ok(())
}
