//! Loops with rows of any length next to plain Rust: a sparse product by rows and by pairs, contributions through rows, and a sum of
//! some twenty operations for each entry.
//!
//! `cargo bench -p op2-benches --bench rows`, with `-- --quick` for fewer rounds. One thread; a row has 1 to 13 entries near its own
//! number, as in a matrix of a mesh in order. Times are of one execution, minimum, median and maximum over rounds, and ratios are taken
//! inside a round.

use op2::prelude::*;
use op2_benches::{Outcome, Samples, quick, smoke};
use std::hint::black_box;
use std::time::Instant;

op2::sets! { Verts, Entries }

#[op2::kernel]
fn product(a: &Row<f64>, x: &Row<f64>, y: &mut f64) {
    *y = 0.0;
    for i in 0..a.len() {
        *y += a[i] * x[i];
    }
}

#[op2::kernel]
fn share(x: &f64, sum: &mut Row<f64>) {
    for i in 0..sum.len() {
        sum[i] += *x;
    }
}

#[op2::kernel]
fn attraction(x: &[f64; 3], near: &Row<[f64; 3]>, force: &mut [f64; 3]) {
    *force = [0.0; 3];
    for i in 0..near.len() {
        let d = [near[i][0] - x[0], near[i][1] - x[1], near[i][2] - x[2]];
        let square = 0.01 + d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        let weight = 1.0 / (square * square.sqrt());
        for c in 0..3 {
            force[c] += weight * d[c];
        }
    }
}

#[op2::kernel]
fn attract(x: &[f64; 3], near: &[f64; 3], force: &mut [f64; 3]) {
    let d = [near[0] - x[0], near[1] - x[1], near[2] - x[2]];
    let square = 0.01 + d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    let weight = 1.0 / (square * square.sqrt());
    for c in 0..3 {
        force[c] += weight * d[c];
    }
}

#[op2::kernel]
fn gather(x: &f64, y: &mut f64) {
    *y += *x;
}

fn main() -> Outcome {
    let n = if smoke() { 1000 } else { 1_000_000 };
    let rounds = if quick() { 3 } else { 11 };
    let (starts, entries) = matrix(n);
    let (a, x): (Vec<f64>, Vec<f64>) =
        (0..entries.len()).map(|n| 1.0 / (n % 7 + 1) as f64).zip((0..n).map(|n| n as f64).cycle()).unzip();
    let x = &x[..n];
    let mut op = Op2::with(Config::default().backend(Backend::Threads(1)).ordering(op2::Ordering::None))?;
    let verts = op.decl_set::<Verts>("vertices", n)?;
    let values = op.decl_set::<Entries>("entries", entries.len())?;
    let numbers: Vec<u32> = (0..entries.len() as u32).collect();
    let own = op.decl_rows("own", verts, values, &starts, &numbers)?;
    let ring = op.decl_rows("ring", verts, verts, &starts, &entries)?;
    let (of_a, of_x) = (op.decl_dat("a", values, &a)?, op.decl_dat("x", verts, x)?);
    let (of_y, of_sum) = (op.decl_dat("y", verts, &vec![0.0; n])?, op.decl_dat("sum", verts, &vec![0.0; n])?);
    let (mut y, mut sum) = (vec![0.0; n], vec![0.0; n]);
    let row = |e: usize| starts[e] as usize..starts[e + 1] as usize;
    println!("{n} rows, {} entries, one thread; milliseconds: minimum, median, maximum\n", entries.len());

    let plain = || {
        for (e, y) in y.iter_mut().enumerate() {
            *y = row(e).map(|k| a[k] * x[entries[k] as usize]).sum();
        }
        black_box(&mut y);
    };
    compare("sparse product", rounds, plain, || {
        op_par_loop!(op, product, verts, read(of_a, own[..]), read(of_x, ring[..]), write(of_y))
    })?;
    let plain = || {
        for e in 0..n {
            entries[row(e)].iter().for_each(|&entry| sum[entry as usize] += x[e]);
        }
        black_box(&mut sum);
    };
    compare("contributions through rows", rounds, plain, || {
        op_par_loop!(op, share, verts, read(of_x), inc(of_sum, ring[..]))
    })?;
    let plain = || {
        for (e, y) in y.iter_mut().enumerate() {
            *y += entries[row(e)].iter().map(|&entry| x[entry as usize]).sum::<f64>();
        }
        black_box(&mut y);
    };
    compare("sums over pairs of rows", rounds, plain, || {
        op_par_loop!(op, gather, ring.pairs(), read(of_x, to), inc(of_y, from))
    })?;
    let places: Vec<[f64; 3]> = (0..n).map(|e| [e as f64, (e % 7) as f64, (e % 11) as f64]).collect();
    let of_place = op.decl_dat("place", verts, &places)?;
    let of_force = op.decl_dat("force", verts, &vec![[0.0; 3]; n])?;
    let mut forces = vec![[0.0; 3]; n];
    let mut plain = || {
        for (e, force) in forces.iter_mut().enumerate() {
            *force = entries[row(e)].iter().fold([0.0; 3], |sum, &entry| {
                let (a, b) = (places[entry as usize], places[e]);
                let d: [f64; 3] = std::array::from_fn(|c| a[c] - b[c]);
                let square = 0.01 + d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let weight = 1.0 / (square * square.sqrt());
                std::array::from_fn(|c| sum[c] + weight * d[c])
            });
        }
        black_box(&mut forces);
    };
    compare("attraction by the rows", rounds, &mut plain, || {
        op_par_loop!(op, attraction, verts, read(of_place), read(of_place, ring[..]), write(of_force))
    })?;
    compare("attraction over pairs of rows", rounds, plain, || {
        op_par_loop!(op, attract, ring.pairs(), read(of_place, from), read(of_place, to), inc(of_force, from))
    })?;
    println!("\n{}", op.report());
    Ok(())
}

/// The starts and entries of rows near the diagonal.
fn matrix(n: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut starts, mut entries) = (vec![0], Vec::new());
    let mut state = 1_u64;
    for e in 0..n {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let len = 1 + (state >> 33) as usize % 13;
        let near = |i: usize| ((e + 3 * i + n - 18) % n) as u32;
        entries.extend((0..len).map(near));
        starts.push(entries.len() as u32);
    }
    (starts, entries)
}

fn compare(name: &str, rounds: usize, mut plain: impl FnMut(), mut by_op2: impl FnMut() -> op2::Result<()>) -> Outcome {
    let (mut of_plain, mut of_op2) = (Samples::default(), Samples::default());
    by_op2()?;
    for _ in 0..rounds {
        let start = Instant::now();
        plain();
        of_plain.push(1e3 * start.elapsed().as_secs_f64());
        let start = Instant::now();
        by_op2()?;
        of_op2.push(1e3 * start.elapsed().as_secs_f64());
    }
    println!("{name:30} plain {of_plain}   op2 {of_op2}   op2 over plain {}", &of_op2 / &of_plain);
    Ok(())
}
