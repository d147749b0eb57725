//! Constants and device functions.

use crate::support::{Configuration, Mesh, Subject, on_every_backend, samples};
use op2::{Strategy, op_par_loop};

op2::constants! {
    /// Always set to 0.75.
    pub(crate) static RELAXATION: f64;
    /// Always set to the same table.
    static TABLE: [[f64; 2]; 3];
}

const OFFSET: f64 = 0.125;
const WEIGHTS: [f64; 3] = [0.5, -1.0, 2.0];
const TAPS: usize = 3;
const LIST: &[f64] = &[0.25, 0.75];
const LENT: &f64 = &1.25;

mod functions {
    pub(crate) mod deeper {
        use super::super::RELAXATION;

        /// Uses a run-time constant that the kernel does not mention.
        #[op2::device_fn]
        pub(crate) fn relaxed(x: f64) -> f64 {
            x * RELAXATION.get()
        }
    }

    /// Uses a whole table, so that no use tells its lengths, and a constant slice.
    #[op2::device_fn]
    pub(crate) fn tabled(row: usize) -> f64 {
        let table = super::TABLE.get();
        table[row][0] * super::LIST[row % 2] + super::WEIGHTS[row]
    }

    /// Returns early.
    #[op2::device_fn]
    pub(crate) fn first_power_above(bound: f64, base: f64) -> (f64, u32) {
        let mut power = 1.0;
        let mut count: u32 = 0;
        while count < 50 {
            if power > bound {
                return (power, count);
            }
            power *= base;
            count += 1;
        }
        (power, count)
    }

    /// Calls a function of a deeper module.
    #[op2::device_fn]
    pub(crate) fn smooth(a: f64, b: f64) -> f64 {
        deeper::relaxed(a - b) + b
    }

    /// Changes its argument.
    #[op2::device_fn]
    pub(crate) fn sort(pair: &mut [f64; 2]) {
        let (a, b) = (pair[0], pair[1]);
        if a > b {
            *pair = [b, a];
        }
    }
}

use functions::sort;

#[op2::kernel]
fn everything(x: &[f64; 2], out: &mut [f64; 3], powers: &mut [u32; 2]) {
    let mut pair = *x;
    sort(&mut pair);
    let (power, count) = functions::first_power_above(3.0 + pair[1], 1.5);
    let mut sum = OFFSET;
    for t in 0..TAPS {
        sum += WEIGHTS[t] * TABLE.get()[t][1];
    }
    *out = [functions::smooth(pair[0], pair[1]), sum + RELAXATION.get(), power.min(f64::MAX)];
    *powers = [count, u32::MAX - count];
}

/// Constants of all kinds in two stages.
#[op2::kernel]
fn scattered(x: [&[f64; 2]; 2], y: [&[f64; TAPS]; 2], a: [&mut f64; 2], b: [&mut [f64; TAPS]; 2]) {
    let near = x[0][0] * OFFSET + x[1][1] * LIST[1];
    let scaled: [f64; TAPS] = WEIGHTS;
    for t in 0..TAPS {
        b[0][t] += near * WEIGHTS[t] - TABLE.get()[t][1];
        b[1][t] -= y[0][t] * scaled[t] * LENT;
    }
    *a[0] += functions::tabled(1) * near;
    *a[1] -= functions::smooth(y[1][0], RELAXATION.get());
}

type Sums = (Vec<f64>, Vec<[f64; TAPS]>);

/// The contributions of `scattered`, computed by the kernel itself.
fn sums(m: &Mesh) -> Sums {
    set_constants().expect("always the same values");
    let (x, y) = (samples::<[f64; 2]>(m.nodes, 1), samples::<[f64; TAPS]>(m.nodes, 2));
    let (mut a, mut b) = (vec![0.0; m.nodes], vec![[0.0; TAPS]; m.nodes]);
    for ends in m.rows::<2>(1).iter().map(|row| row.map(|n| n as usize)) {
        let (mut one, mut two) = ([0.0; 2], [[0.0; TAPS]; 2]);
        scattered(ends.map(|n| &x[n]), ends.map(|n| &y[n]), one.each_mut(), two.each_mut());
        for (entry, n) in ends.into_iter().enumerate() {
            a[n] += one[entry];
            (0..TAPS).for_each(|t| b[n][t] += two[entry][t]);
        }
    }
    (a, b)
}

fn set_constants() -> op2::Result<()> {
    RELAXATION.set(0.75)?;
    TABLE.set([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
}

fn scatter(op: &mut Subject, m: &Mesh) -> op2::Result<Sums> {
    set_constants()?;
    let set = m.declare(op)?;
    let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
    let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
    let y = op.decl_dat("y", set.nodes, &samples::<[f64; TAPS]>(m.nodes, 2))?;
    let a = op.decl_dat_filled("a", set.nodes, 0.0)?;
    let b = op.decl_dat_filled("b", set.nodes, [0.0; TAPS])?;
    op_par_loop!(op, scattered, set.edges, read(x, map[..]), read(y, map[..]), inc(a, map[..]), inc(b, map[..]))?;
    Ok((op.fetch(a)?, op.fetch(b)?))
}

#[test]
fn constants_of_all_kinds_through_maps() {
    on_every_backend(&Mesh::all(), sums, scatter);
}

/// The loop runs in stages, not as a whole kernel.
#[test]
fn constants_do_not_keep_a_loop_from_stages() {
    let strategy = Strategy::split(16, 2);
    let mut op = Subject::new(Configuration { strategy, ..Configuration::SEQ });
    scatter(&mut op, &Mesh::all()[0]).expect("the loop runs");
    let ran = &op.report().loops[0];
    assert_eq!((ran.strategy.as_str(), &ran.note), ("sequential, 2 stages and updates", &None));
}

fn expected(m: &Mesh) -> (Vec<[f64; 3]>, Vec<[u32; 2]>) {
    let one = |x: [f64; 2]| {
        let (a, b) = (x[0].min(x[1]), x[0].max(x[1]));
        let count = (0..50).find(|n| 1.5f64.powi(*n) > 3.0 + b).unwrap();
        let sum = 0.125 + 0.5 * 2.0 - 4.0 + 2.0 * 6.0;
        ([(a - b) * 0.75 + b, sum + 0.75, 1.5f64.powi(count)], [count as u32, u32::MAX - count as u32])
    };
    samples::<[f64; 2]>(m.nodes, 1).into_iter().map(one).unzip()
}

#[test]
fn constants_and_functions_of_other_modules() {
    on_every_backend(&Mesh::single(), expected, |op, m| {
        set_constants()?;
        let nodes = m.declare(op)?.nodes;
        let x = op.decl_dat("x", nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        let out = op.decl_dat_filled("out", nodes, [0.0; 3])?;
        let powers = op.decl_dat_filled("powers", nodes, [0u32; 2])?;
        op_par_loop!(op, everything, nodes, read(x), write(out), write(powers))?;
        Ok((op.fetch(out)?, op.fetch(powers)?))
    });
}

/// Kernels and device functions are plain functions that unit tests can call.
#[test]
fn kernels_stay_functions() {
    set_constants().unwrap();
    let (mut out, mut powers) = ([0.0; 3], [0; 2]);
    everything(&[2.0, -1.0], &mut out, &mut powers);
    assert_eq!(out[0], -3.0 * 0.75 + 2.0);
    assert_eq!(functions::first_power_above(0.5, 2.0), (1.0, 0));
}
