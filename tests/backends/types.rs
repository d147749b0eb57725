//! Every element type, as scalar, array and nested array, with every access that it supports.

use crate::support::{Mesh, on_every_backend, samples};
use op2::op_par_loop;

macro_rules! numbers {
    ($($ty:ident: $two:literal;)*) => {$(
        mod $ty {
            use super::*;

            #[op2::kernel]
            fn combine(
                value: &[[$ty; 3]; 2],
                sum: &mut [$ty; 2],
                lo: &mut $ty,
                hi: &mut [[$ty; 2]; 1],
                out: &mut [[$ty; 2]; 3],
                total: &mut $ty,
                least: &mut $ty,
            ) {
                sum[0] += value[0][1];
                sum[1] += value[1][2];
                *lo = (*lo).min(value[1][0]);
                hi[0][1] = hi[0][1].max(value[0][2]);
                for i in 0..3 {
                    out[i] = [value[1][i], value[0][i] / $two];
                }
                *total += value[0][0];
                *least = (*least).min(value[0][0]);
            }

            #[test]
            fn in_every_access() {
                type Value = [[$ty; 3]; 2];
                let expected = |m: &Mesh| {
                    let value: Vec<Value> = samples(m.edges, 1);
                    let (mut sum, mut lo): (Vec<[$ty; 2]>, Vec<$ty>) = (samples(m.nodes, 2), samples(m.nodes, 3));
                    let mut hi: Vec<[[$ty; 2]; 1]> = samples(m.nodes, 4);
                    let (mut total, mut least) = ($two, $two);
                    for ([a, b], v) in m.rows::<2>(1).into_iter().zip(&value) {
                        let (a, b) = (a as usize, b as usize);
                        sum[a] = [sum[a][0] + v[0][1], sum[a][1] + v[1][2]];
                        lo[b] = if v[1][0] < lo[b] { v[1][0] } else { lo[b] };
                        hi[a][0][1] = if v[0][2] > hi[a][0][1] { v[0][2] } else { hi[a][0][1] };
                        total += v[0][0];
                        least = if v[0][0] < least { v[0][0] } else { least };
                    }
                    let out: Vec<_> = value.iter().map(|v| [0, 1, 2].map(|i| [v[1][i], v[0][i] / $two])).collect();
                    (sum, lo, hi, out, total, least)
                };
                on_every_backend(&Mesh::all(), expected, |op, m| {
                    let set = m.declare(op)?;
                    let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
                    let value = op.decl_dat("value", set.edges, &samples::<Value>(m.edges, 1))?;
                    let sum = op.decl_dat("sum", set.nodes, &samples::<[$ty; 2]>(m.nodes, 2))?;
                    let lo = op.decl_dat("lo", set.nodes, &samples::<$ty>(m.nodes, 3))?;
                    let hi = op.decl_dat("hi", set.nodes, &samples::<[[$ty; 2]; 1]>(m.nodes, 4))?;
                    let out = op.decl_dat("out", set.edges, &vec![[[$two; 2]; 3]; m.edges])?;
                    let (total, least) = (op.decl_global("total", $two), op.decl_global("least", $two));
                    op_par_loop!(
                        op, combine, set.edges,
                        read(value), inc(sum, map[0]), min(lo, map[1]), max(hi, map[0]), write(out),
                        gbl_inc(total), gbl_min(least)
                    )?;
                    Ok((op.fetch(sum)?, op.fetch(lo)?, op.fetch(hi)?, op.fetch(out)?, op.get(total)?, op.get(least)?))
                });
            }
        }
    )*};
}
numbers! {
    f32: 2.0f32;
    f64: 2.0f64;
    i32: 2i32;
    u32: 2u32;
    i64: 2i64;
    u64: 2u64;
}

#[op2::kernel]
fn decide(flag: &bool, flags: &[[bool; 2]; 2], any: &bool, out: &mut [bool; 3], seen: &mut bool, count: &mut u32) {
    *out = [!*flag, flags[0][1] && *any, flags[1][0] ^ *flag];
    if *flag {
        *seen = true;
        *count += 1;
    }
}

/// Flags are read, written and changed; reductions use numbers.
#[test]
fn flags() {
    let expected = |m: &Mesh| {
        let (flag, flags): (Vec<bool>, Vec<[[bool; 2]; 2]>) = (samples(m.edges, 1), samples(m.nodes, 2));
        let (mut seen, mut count) = (vec![false; m.nodes], vec![0; m.nodes]);
        let mut out = Vec::new();
        for ([a, b], flag) in m.rows::<2>(1).into_iter().zip(flag) {
            let f = flags[b as usize];
            out.push([!flag, f[0][1], f[1][0] != flag]);
            seen[a as usize] |= flag;
            count[a as usize] += u32::from(flag);
        }
        (out, seen, count)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let flag = op.decl_dat("flag", set.edges, &samples::<bool>(m.edges, 1))?;
        let flags = op.decl_dat("flags", set.nodes, &samples::<[[bool; 2]; 2]>(m.nodes, 2))?;
        let any = op.decl_global("any", true);
        let out = op.decl_dat_filled("out", set.edges, [false; 3])?;
        let (seen, count) =
            (op.decl_dat_filled("seen", set.nodes, false)?, op.decl_dat_filled("count", set.nodes, 0u32)?);
        op_par_loop!(
            op,
            decide,
            set.edges,
            read(flag),
            read(flags, map[1]),
            gbl_read(any),
            write(out),
            rw(seen, map[0]),
            inc(count, map[0])
        )?;
        Ok((op.fetch(out)?, op.fetch(seen)?, op.fetch(count)?))
    });
}

#[op2::kernel]
fn overflow(big: &i32, sum: &mut i32, unsigned: &mut u64) {
    *sum += *big;
    *unsigned += u64::MAX / 2;
}

/// Increments that leave the range of their type wrap, on every backend.
#[test]
fn sums_of_integers_wrap() {
    let expected = |m: &Mesh| {
        let (mut sum, mut unsigned) = (vec![0i32; m.nodes], vec![0u64; m.nodes]);
        for [node] in m.rows::<1>(1) {
            let node = node as usize;
            sum[node] = sum[node].wrapping_add(i32::MAX - 5);
            unsigned[node] = unsigned[node].wrapping_add(u64::MAX / 2);
        }
        (sum, unsigned)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<1>(1))?;
        let big = op.decl_dat_filled("big", set.edges, i32::MAX - 5)?;
        let (sum, unsigned) =
            (op.decl_dat_filled("sum", set.nodes, 0)?, op.decl_dat_filled("unsigned", set.nodes, 0u64)?);
        op_par_loop!(op, overflow, set.edges, read(big), inc(sum, map[0]), inc(unsigned, map[0]))?;
        Ok((op.fetch(sum)?, op.fetch(unsigned)?))
    });
}

#[op2::kernel]
fn negate(n: &i32, x: &mut [f32; 2], y: &mut f64) {
    x[0] = -(*n as f32) + 0.0;
    x[1] = -(*n as f32);
    *y = -f64::from(*n) + 0.0;
}

/// The sum of -0 and 0 is 0. Some compilers take integers for numbers that are never -0, and forget that their negatives may be.
#[test]
fn zeros_have_signs() {
    let numbers = |m: &Mesh| -> Vec<i32> { (0..m.nodes as i32).map(|n| n % 3 - 1).collect() };
    let expected = |m: &Mesh| -> Vec<[u64; 3]> {
        let one = |n| {
            let (mut x, mut y) = ([0.0; 2], 0.0);
            negate(&n, &mut x, &mut y);
            [x[0].to_bits().into(), x[1].to_bits().into(), y.to_bits()]
        };
        numbers(m).into_iter().map(one).collect()
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let n = op.decl_dat("n", nodes, &numbers(m))?;
        let (x, y) = (op.decl_dat_filled("x", nodes, [1.0; 2])?, op.decl_dat_filled("y", nodes, 1.0)?);
        op_par_loop!(op, negate, nodes, read(n), write(x), write(y))?;
        let (x, y) = (op.fetch(x)?, op.fetch(y)?);
        Ok(x.iter().zip(y).map(|(x, y)| [x[0].to_bits().into(), x[1].to_bits().into(), y.to_bits()]).collect())
    });
}
