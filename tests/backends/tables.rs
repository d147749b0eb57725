//! Tables of constants with indices that differ between elements: on every backend, in lanes and in stages.

use crate::support::{Configuration, Mesh, Subject, on_every_backend, samples};
use op2::{Isa, Strategy, op_par_loop};

op2::constants! {
    /// Always set to the same values.
    static ROW: [f64; 4];
    /// Always set to the same values.
    static GRID: [[i32; 3]; 2];
}

const WEIGHTS: [f64; 4] = [0.25, -1.5, 3.0, 100.0];
const PAIRS: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.5]];
const SINGLE: [f32; 3] = [0.5, 1.25, -2.0];
const CODES: [i32; 3] = [7, -2, 11];
const COUNTS: [u32; 3] = [4, 0, 4_000_000_000];
const LONG: [i64; 2] = [-5_000_000_000, 8];
const WIDE: [u64; 2] = [1 << 60, 3];
const PLACES: [usize; 4] = [2, 0, 3, 1];
const FLAGS: [[bool; 2]; 2] = [[true, false], [false, false]];
const LIST: &[f64] = &[0.75, -0.125];
const LENT: &[[f64; 2]; 2] = &[[9.0, 8.0], [7.0, 6.0]];

mod functions {
    pub(crate) mod inner {
        use super::super::{LENT, LIST};

        /// Uses tables that the kernel does not mention.
        #[op2::device_fn]
        pub(crate) fn lent(i: usize) -> f64 {
            LENT[i % 2][i / 2 % 2] + LIST[(i + 1) % 2]
        }
    }

    /// Nests table lookups and calls.
    #[op2::device_fn]
    pub(crate) fn outer(i: usize) -> f64 {
        if i % 3 == 1 {
            return super::WEIGHTS[i & 3];
        }
        inner::lent(i) * super::PAIRS[i & 1][1]
    }
}

#[op2::kernel]
fn looked_up(i: usize, at: &i32, y: &mut [f64; 8], n: &mut [i64; 5]) {
    y[0] = WEIGHTS[i & 3];
    y[1] = if i > 2 { WEIGHTS[i % 4] * 2.0 } else { WEIGHTS[1] };
    y[2] = functions::outer(i);
    y[3] = PAIRS[i & 1][(i >> 1) & 1] - PAIRS[1][i & 1] + PAIRS[i & 1][0];
    let mut sum = 0.0;
    for k in 0..3 {
        sum += WEIGHTS[(i + k) & 3] - WEIGHTS[k];
    }
    let mut k = 0;
    while k < i && k < 4 && WEIGHTS[k] < 10.0 {
        sum += WEIGHTS[k];
        k += 1;
    }
    y[4] = sum;
    let single: f32 = SINGLE[i % 3];
    y[5] = single as f64;
    y[6] = ROW.get()[i & 3] + ROW.get()[2];
    y[7] = 1.0;
    // For other elements, the index is outside of the tables.
    if *at >= 0 && *at < 2 {
        y[7] = WEIGHTS[*at as usize + 2] + LIST[*at as usize];
        let grid: i32 = GRID.get()[*at as usize][i % 3];
        n[3] = grid as i64;
    } else if *at > 8 {
        y[7] = LIST[8];
    } else {
        n[3] = 0;
    }
    let (code, count): (i32, u32) = (CODES[i % 3], COUNTS[i % 3]);
    n[0] = (code + 1) as i64;
    n[1] = count as i64 + LONG[i & 1];
    let wide: u64 = WIDE[(i + 1) & 1];
    n[2] = wide as i64;
    n[4] = 0;
    if FLAGS[i & 1][(i / 2) & 1] || !FLAGS[0][i & 1] {
        n[4] = 1;
    }
    let place: usize = PLACES[i & 3];
    y[place] += 0.5;
}

#[op2::kernel]
fn spread(e: usize, x: [&[f64; 2]; 2], a: [&mut f64; 2], b: [&mut [f64; 2]; 2]) {
    let near = x[0][0] * WEIGHTS[e & 3] + LIST[e % 2];
    for c in 0..2 {
        b[0][c] += PAIRS[e & 1][c] * near - ROW.get()[(e + c) & 3];
        b[1][c] -= x[1][c] * LENT[c][e & 1];
    }
    *a[0] += functions::outer(e) * near;
    let grid: i32 = GRID.get()[e % 2][e % 3];
    *a[1] -= functions::inner::lent(e + 1) + grid as f64 * x[1][0];
}

fn set_constants() -> op2::Result<()> {
    ROW.set([0.5, 1.5, 2.5, -3.5])?;
    GRID.set([[1, 2, 3], [-4, 5, -6]])
}

/// The index of each element, out of range if it looks nothing up.
fn ats(n: usize) -> Vec<i32> {
    (0..n as i32).map(|i| i * 7 % 5 - 1).collect()
}

#[test]
fn of_all_types_and_in_all_places() {
    let expected = |m: &Mesh| -> (Vec<[f64; 8]>, Vec<[i64; 5]>) {
        set_constants().expect("always the same values");
        let one = |(i, at)| {
            let (mut y, mut n) = ([0.0; 8], [0; 5]);
            looked_up(i, &at, &mut y, &mut n);
            (y, n)
        };
        ats(m.nodes).into_iter().enumerate().map(one).unzip()
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        set_constants()?;
        let nodes = m.declare(op)?.nodes;
        let at = op.decl_dat("at", nodes, &ats(m.nodes))?;
        let (y, n) = (op.decl_dat_filled("y", nodes, [0.0; 8])?, op.decl_dat_filled("n", nodes, [0i64; 5])?);
        op_par_loop!(op, looked_up, nodes, idx(), read(at), rw(y), rw(n))?;
        Ok((op.fetch(y)?, op.fetch(n)?))
    });
}

/// The loop runs in lanes, not over single elements.
#[test]
fn in_lanes() {
    set_constants().expect("always the same values");
    let with = Configuration { isa: Isa::best(), strategy: Strategy::Predicted, ..Configuration::THREADS };
    let mut op = Subject::new(with);
    let m = Mesh::around(9)[0];
    spread_on(&mut op, &m).expect("the loop runs");
    let ran = &op.report().loops[0];
    assert!(ran.strategy.ends_with(&Isa::best().to_string()), "{}: {:?}", ran.strategy, ran.note);
}

type Sums = (Vec<f64>, Vec<[f64; 2]>);

fn sums(m: &Mesh) -> Sums {
    set_constants().expect("always the same values");
    let x = samples::<[f64; 2]>(m.nodes, 1);
    let (mut a, mut b) = (vec![0.0; m.nodes], vec![[0.0; 2]; m.nodes]);
    for (e, ends) in m.rows::<2>(1).iter().map(|row| row.map(|n| n as usize)).enumerate() {
        let (mut one, mut two) = ([0.0; 2], [[0.0; 2]; 2]);
        spread(e, ends.map(|n| &x[n]), one.each_mut(), two.each_mut());
        for (entry, n) in ends.into_iter().enumerate() {
            a[n] += one[entry];
            (0..2).for_each(|c| b[n][c] += two[entry][c]);
        }
    }
    (a, b)
}

fn spread_on(op: &mut Subject, m: &Mesh) -> op2::Result<Sums> {
    set_constants()?;
    let set = m.declare(op)?;
    let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
    let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
    let a = op.decl_dat_filled("a", set.nodes, 0.0)?;
    let b = op.decl_dat_filled("b", set.nodes, [0.0; 2])?;
    op_par_loop!(op, spread, set.edges, idx(), read(x, map[..]), inc(a, map[..]), inc(b, map[..]))?;
    Ok((op.fetch(a)?, op.fetch(b)?))
}

#[test]
fn through_maps_and_in_stages() {
    on_every_backend(&Mesh::all(), sums, spread_on);
}
