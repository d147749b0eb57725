//! Constants and device functions.

use crate::support::{Mesh, on_every_backend, samples};
use op2::op_par_loop;

op2::constants! {
    /// Set by the tests to 0.75, always.
    pub(crate) static RELAXATION: f64;
    /// Set by the tests to a table, always.
    static TABLE: [[f64; 2]; 3];
}

const OFFSET: f64 = 0.125;
const WEIGHTS: [f64; 3] = [0.5, -1.0, 2.0];
const TAPS: usize = 3;

mod functions {
    pub(crate) mod deeper {
        use super::super::RELAXATION;

        /// Uses a run-time constant, out of sight of the kernel.
        #[op2::device_fn]
        pub(crate) fn relaxed(x: f64) -> f64 {
            x * RELAXATION.get()
        }
    }

    /// Leaves early.
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

    /// Changes what it is given by reference.
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
        RELAXATION.set(0.75)?;
        TABLE.set([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
        let nodes = m.declare(op)?.nodes;
        let x = op.decl_dat("x", nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        let out = op.decl_dat_filled("out", nodes, [0.0; 3])?;
        let powers = op.decl_dat_filled("powers", nodes, [0u32; 2])?;
        op_par_loop!(op, everything, nodes, read(x), write(out), write(powers))?;
        Ok((op.fetch(out)?, op.fetch(powers)?))
    });
}

/// A kernel and a device function are plain functions, which a unit test can call.
#[test]
fn kernels_stay_functions() {
    RELAXATION.set(0.75).unwrap();
    TABLE.set([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).unwrap();
    let (mut out, mut powers) = ([0.0; 3], [0; 2]);
    everything(&[2.0, -1.0], &mut out, &mut powers);
    assert_eq!(out[0], -3.0 * 0.75 + 2.0);
    assert_eq!(functions::first_power_above(0.5, 2.0), (1.0, 0));
}
