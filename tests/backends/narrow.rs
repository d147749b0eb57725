//! Integers of 8 and 16 bits: in every access, as constants and payloads, and in the arithmetic of kernels.

use crate::support::{Mesh, on_every_backend, samples};
use op2::{ArgMax, op_par_loop};

macro_rules! narrow {
    ($($ty:ident: $part:literal;)*) => {$(
        mod $ty {
            use super::*;

            /// Contributions are small, so that no sum overflows.
            #[op2::kernel]
            fn combine(
                value: &[[$ty; 3]; 2],
                sum: &mut [$ty; 3],
                lo: &mut $ty,
                hi: &mut [$ty; 2],
                bits: &mut $ty,
                total: &mut $ty,
                best: &mut ArgMax<$ty, ($ty, usize)>,
                edge: usize,
            ) {
                sum[0] += value[0][1] / $part;
                sum[2] += value[1][2] / $part;
                *lo = (*lo).min(value[1][0]);
                hi[1] = hi[1].max(value[0][2]);
                *bits |= value[1][1];
                *total += value[0][0] / $part;
                best.update(value[0][0], (value[1][0], edge));
            }

            type Value = [[$ty; 3]; 2];
            type Left = (Vec<[$ty; 3]>, Vec<$ty>, Vec<[$ty; 2]>, Vec<$ty>, $ty, Option<($ty, $ty, usize)>);

            fn by_hand(m: &Mesh) -> Left {
                let value: Vec<Value> = samples(m.edges, 1);
                let (mut sum, mut lo, mut hi) = (vec![[0; 3]; m.nodes], samples::<$ty>(m.nodes, 3), samples(m.nodes, 4));
                let (mut bits, mut total, mut best) = (vec![0; m.nodes], 1, ArgMax::none());
                for (e, ([a, b], v)) in m.rows::<2>(1).into_iter().zip(&value).enumerate() {
                    let (a, b) = (a as usize, b as usize);
                    combine(v, &mut sum[a], &mut lo[b], &mut hi[a], &mut bits[b], &mut total, &mut best, e);
                }
                (sum, lo, hi, bits, total, best.best().map(|(value, (least, edge))| (value, least, edge)))
            }

            #[test]
            fn in_every_access() {
                on_every_backend(&Mesh::all(), by_hand, |op, m| {
                    let set = m.declare(op)?;
                    let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
                    let value = op.decl_dat("value", set.edges, &samples::<Value>(m.edges, 1))?;
                    let sum = op.decl_dat_filled("sum", set.nodes, [0; 3])?;
                    let lo = op.decl_dat("lo", set.nodes, &samples::<$ty>(m.nodes, 3))?;
                    let hi = op.decl_dat("hi", set.nodes, &samples::<[$ty; 2]>(m.nodes, 4))?;
                    let bits = op.decl_dat_filled("bits", set.nodes, 0)?;
                    let (total, best) = (op.decl_global("total", 1), op.decl_global("best", ArgMax::none()));
                    op_par_loop!(
                        op, combine, set.edges,
                        read(value), inc(sum, map[0]), min(lo, map[1]), max(hi, map[0]), or(bits, map[1]),
                        gbl_inc(total), gbl_max(best), idx()
                    )?;
                    let best = op.get(best)?.best().map(|(value, (least, edge))| (value, least, edge));
                    Ok((op.fetch(sum)?, op.fetch(lo)?, op.fetch(hi)?, op.fetch(bits)?, op.get(total)?, best))
                });
            }
        }
    )*};
}
narrow! {
    i8: 120;
    u8: 252;
    i16: 1000;
    u16: 1000;
}

op2::constants! {
    /// Always set to the same values.
    static LEVELS: [u8; 4];
    /// Always set to -300.
    static SHIFT: i16;
}

const LEAST: i8 = i8::MIN;
const STEPS: [u16; 2] = [65_535, 256];
const MASK: i8 = -2;

/// Rust's `as`, shifts, matches and methods; C++ computes with an `int` in their place.
#[op2::device_fn]
fn folded(a: u8, b: i16) -> (u8, u16) {
    let low = !a & LEVELS.get()[(a % 4) as usize];
    let mut wide = (b as u16) ^ u16::from(a) << 7;
    for step in 250..=255u8 {
        wide = wide << 3 | wide >> 13 ^ u16::from(step);
    }
    (low.wrapping_mul(a).wrapping_sub(b as u8), wide)
}

#[op2::kernel]
fn arithmetic(a: &u8, b: &i16, c: &[i8; 2], scale: &f32, out: &mut [u8; 5], wide: &mut [i16; 5], small: &mut [i8; 4]) {
    let (low, high) = folded(*a, *b);
    out[0] = low;
    out[1] = (high >> 8) as u8;
    out[2] = match *a {
        0..=99 => a.abs_diff(7),
        100 | 200 => u8::MAX,
        101..=254 => a.leading_zeros() as u8,
        _ => 1,
    };
    out[3] = (*scale * 300.0) as u8;
    out[4] = c[0] as u8 % 7;
    wide[0] = b.wrapping_add(SHIFT.get());
    wide[1] = (*b >> 3) & 0x7ff;
    wide[2] = if *b < 0 { -1 - *b } else { i16::from(c[0]) * 200 };
    let step: u16 = STEPS[(*a & 1) as usize];
    wide[3] = step as i16;
    wide[4] = b.rem_euclid(7) + c[1].signum() as i16;
    small[0] = c[0].wrapping_neg();
    small[1] = MASK.max(c[0] >> 1);
    small[2] = (*scale * 1e4) as i8;
    small[3] = if c[1] == LEAST { 0 } else { c[1].abs() } & MASK;
}

#[test]
fn in_arithmetic() {
    let _ = (LEVELS.set([255, 128, 7, 90]), SHIFT.set(-300));
    let expected = |m: &Mesh| {
        let (a, b, c): (Vec<u8>, Vec<i16>, Vec<[i8; 2]>) =
            (samples(m.nodes, 1), samples(m.nodes, 2), samples(m.nodes, 3));
        let scale: Vec<f32> = samples(m.nodes, 4);
        let mut left = (vec![[0; 5]; m.nodes], vec![[0; 5]; m.nodes], vec![[0; 4]; m.nodes]);
        for n in 0..m.nodes {
            arithmetic(&a[n], &b[n], &c[n], &scale[n], &mut left.0[n], &mut left.1[n], &mut left.2[n]);
        }
        left
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let set = m.declare(op)?.nodes;
        let (a, b) =
            (op.decl_dat("a", set, &samples::<u8>(m.nodes, 1))?, op.decl_dat("b", set, &samples::<i16>(m.nodes, 2))?);
        let c = op.decl_dat("c", set, &samples::<[i8; 2]>(m.nodes, 3))?;
        let scale = op.decl_dat("scale", set, &samples::<f32>(m.nodes, 4))?;
        let out = op.decl_dat_filled("out", set, [0; 5])?;
        let (wide, small) = (op.decl_dat_filled("wide", set, [0; 5])?, op.decl_dat_filled("small", set, [0; 4])?);
        op_par_loop!(
            op,
            arithmetic,
            set,
            read(a),
            read(b),
            read(c),
            read(scale),
            write(out),
            write(wide),
            write(small)
        )?;
        Ok((op.fetch(out)?, op.fetch(wide)?, op.fetch(small)?))
    });
}
