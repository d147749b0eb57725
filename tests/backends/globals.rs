//! Globals: read, reduced into, and arg reductions with their payload.

use crate::support::{Mesh, on_every_backend, samples};
use op2::{ArgMax, ArgMin, Float, op_par_loop};

#[op2::kernel]
fn combine(scalar: &f64, array: &[f64; 3], nested: &[[i32; 2]; 2], flag: &bool, value: &mut f64) {
    *value = *value * *scalar + array[2] - array[0] + (nested[1][0] - nested[0][1]) as f64;
    if *flag {
        *value = -*value;
    }
}

#[test]
fn read_scalars_and_arrays() {
    let expected = |m: &Mesh| {
        let value: Vec<f64> = samples(m.nodes, 1);
        let first: Vec<f64> = value.iter().map(|v| -(v * 0.3 + 0.5 - 0.25 + 5.0)).collect();
        first.iter().map(|v| v * -2.0 + 0.5 - 0.25 + 5.0).collect::<Vec<_>>()
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let value = op.decl_dat("value", nodes, &samples::<f64>(m.nodes, 1))?;
        let scalar = op.decl_global("scalar", 0.3);
        let array = op.decl_global("array", [0.25, 9.0, 0.5]);
        let nested = op.decl_global("nested", [[1, -2], [3, 4]]);
        let flag = op.decl_global("flag", true);
        op_par_loop!(
            op,
            combine,
            nodes,
            gbl_read(scalar),
            gbl_read(array),
            gbl_read(nested),
            gbl_read(flag),
            rw(value)
        )?;
        op.set(scalar, -2.0)?;
        op.set(flag, false)?;
        op_par_loop!(
            op,
            combine,
            nodes,
            gbl_read(scalar),
            gbl_read(array),
            gbl_read(nested),
            gbl_read(flag),
            rw(value)
        )?;
        op.fetch(value)
    });
}

#[op2::kernel]
fn lookup(table: &[f64; 40], key: &u32, value: &mut f64) {
    *value = table[(*key % 40) as usize];
}

/// A table longer than the arrays for which the standard library implements `Default`.
#[test]
fn read_a_long_array() {
    let table: [f64; 40] = std::array::from_fn(|i| 0.1 * i as f64);
    let expected =
        |m: &Mesh| samples::<u32>(m.nodes, 1).into_iter().map(|k| table[(k % 40) as usize]).collect::<Vec<_>>();
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let key = op.decl_dat("key", nodes, &samples::<u32>(m.nodes, 1))?;
        let value = op.decl_dat_filled("value", nodes, 0.0)?;
        let global = op.decl_global("table", table);
        op_par_loop!(op, lookup, nodes, gbl_read(global), read(key), write(value))?;
        op.fetch(value)
    });
}

#[op2::kernel]
fn sums(value: &[f64; 2], number: &i64, total: &mut f64, parts: &mut [f64; 2], count: &mut [i64; 3]) {
    *total += value[0] * value[1];
    parts[0] += value[0];
    parts[1] -= value[1];
    count[0] += *number;
    if *number > 0 {
        count[2] += 1;
    }
}

/// Sums start from the global's value, and continue in the next loop.
#[test]
fn increments() {
    let expected = |m: &Mesh| {
        let (value, number): (Vec<[f64; 2]>, Vec<i64>) = (samples(m.nodes, 1), samples(m.nodes, 2));
        let (mut total, mut parts, mut count) = (100.0, [0.5, -0.5], [7, 8, 9]);
        for _ in 0..2 {
            for (v, n) in value.iter().zip(&number) {
                total += v[0] * v[1];
                parts = [parts[0] + v[0], parts[1] - v[1]];
                count = [count[0] + n, count[1], count[2] + i64::from(*n > 0)];
            }
        }
        (total, parts, count)
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let value = op.decl_dat("value", nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        let number = op.decl_dat("number", nodes, &samples::<i64>(m.nodes, 2))?;
        let (total, parts) = (op.decl_global("total", 100.0), op.decl_global("parts", [0.5, -0.5]));
        let count = op.decl_global("count", [7i64, 8, 9]);
        for _ in 0..2 {
            op_par_loop!(op, sums, nodes, read(value), read(number), gbl_inc(total), gbl_inc(parts), gbl_inc(count))?;
        }
        Ok((op.get(total)?, op.get(parts)?, op.get(count)?))
    });
}

#[op2::kernel]
fn bounds(value: &[f64; 2], number: &i32, lo: &mut f64, hi: &mut [f64; 2], least: &mut i32, most: &mut u32) {
    *lo = lo.min(value[0]);
    hi[0] = hi[0].max(value[0]);
    hi[1] = hi[1].max(value[1]);
    *least = (*least).min(*number);
    *most = (*most).max((*number + 1000) as u32);
}

/// The global's own value takes part, and stays on an empty set.
#[test]
fn minima_and_maxima() {
    let expected = |m: &Mesh| {
        let (value, number): (Vec<[f64; 2]>, Vec<i32>) = (samples(m.nodes, 1), samples(m.nodes, 2));
        let least = number.iter().copied().fold(-900, i32::min);
        let most = number.iter().map(|n| (n + 1000) as u32).fold(3, u32::max);
        let lo = value.iter().map(|v| v[0]).fold(5.0, f64::min);
        let hi = [0, 1].map(|c| value.iter().map(|v| v[c]).fold(0.25, f64::max));
        (lo, hi, least, most)
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let value = op.decl_dat("value", nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        let number = op.decl_dat("number", nodes, &samples::<i32>(m.nodes, 2))?;
        let (lo, hi) = (op.decl_global("lo", 5.0), op.decl_global("hi", [0.25, 0.25]));
        let (least, most) = (op.decl_global("least", -900), op.decl_global("most", 3u32));
        op_par_loop!(
            op,
            bounds,
            nodes,
            read(value),
            read(number),
            gbl_min(lo),
            gbl_max(hi),
            gbl_min(least),
            gbl_max(most)
        )?;
        Ok((op.get(lo)?, op.get(hi)?, op.get(least)?, op.get(most)?))
    });
}

#[op2::kernel]
fn beside(weight: &f64, left: &mut f64, right: &mut f64, total: &mut f64, greatest: &mut f64) {
    *left += *weight;
    *right -= *weight;
    *total += *weight;
    *greatest = greatest.max(*weight);
}

/// Reductions in a coloured loop, whose elements run in the order of the plan.
#[test]
fn reductions_beside_mapped_increments() {
    let expected = |m: &Mesh| {
        let weight: Vec<f64> = samples(m.edges, 1);
        let mut sum = vec![0.0; m.nodes];
        for ([a, b], w) in m.rows::<2>(1).into_iter().zip(&weight) {
            sum[a as usize] += w;
            sum[b as usize] -= w;
        }
        (sum, weight.iter().sum::<f64>(), weight.iter().copied().fold(-3.0, f64::max))
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let weight = op.decl_dat("weight", set.edges, &samples::<f64>(m.edges, 1))?;
        let sum = op.decl_dat_filled("sum", set.nodes, 0.0)?;
        let (total, greatest) = (op.decl_global("total", 0.0), op.decl_global("greatest", -3.0));
        op_par_loop!(
            op,
            beside,
            set.edges,
            read(weight),
            inc(sum, map[0]),
            inc(sum, map[1]),
            gbl_inc(total),
            gbl_max(greatest)
        )?;
        Ok((op.fetch(sum)?, op.get(total)?, op.get(greatest)?))
    });
}

#[op2::kernel]
fn places(
    value: &i32,
    exact: &f64,
    label: &u32,
    element: u32,
    first: &mut ArgMin<i32, u32>,
    labelled: &mut ArgMax<i32, u32>,
    nearest: &mut ArgMin<f64, u32>,
) {
    first.update(*value % 5, element);
    labelled.update(*value % 5, *label);
    nearest.update(exact.abs(), element);
}

/// Of equal values the one with the smaller payload wins, in any order of the elements. Candidates of an earlier loop
/// take part, NaNs do not.
#[test]
fn arg_reductions_and_their_ties() {
    let data = |m: &Mesh| {
        let (value, mut exact, label): (Vec<i32>, Vec<f64>, Vec<u32>) =
            (samples(m.nodes, 1), samples(m.nodes, 2), samples(m.nodes, 3));
        exact.iter_mut().step_by(3).for_each(|v| *v = f64::NAN);
        (value, exact, label)
    };
    let expected = |m: &Mesh| {
        let (value, exact, label) = data(m);
        let keys = value.iter().map(|v| v % 5);
        let first = keys.clone().zip(0u32..).min();
        let labelled = keys.zip(label).chain([(-1, 4)]).max_by_key(|(v, l)| (*v, std::cmp::Reverse(*l)));
        let nearest = exact.iter().map(|v| v.abs()).zip(0u32..).filter(|(v, _)| !v.is_nan());
        (first, labelled, nearest.min_by(|a, b| a.partial_cmp(b).unwrap()))
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let (value, exact, label) = data(m);
        let (value, exact) = (op.decl_dat("value", nodes, &value)?, op.decl_dat("exact", nodes, &exact)?);
        let label = op.decl_dat("label", nodes, &label)?;
        let first = op.decl_global("first", ArgMin::none());
        let mut earlier = ArgMax::none();
        earlier.update(-1, 4);
        let labelled = op.decl_global("labelled", earlier);
        let nearest = op.decl_global("nearest", ArgMin::none());
        op_par_loop!(
            op,
            places,
            nodes,
            read(value),
            read(exact),
            read(label),
            idx(),
            gbl_min(first),
            gbl_max(labelled),
            gbl_min(nearest)
        )?;
        Ok((op.get(first)?.best(), op.get(labelled)?.best(), op.get(nearest)?.best()))
    });
}

#[op2::kernel]
fn where_and_what(value: &f64, at: &[f64; 2], widest: &mut ArgMax<f64, [f64; 2]>) {
    widest.update(*value, *at);
}

/// A payload of several numbers, in a loop over elements that share targets.
#[test]
fn payload_of_several_numbers() {
    let expected = |m: &Mesh| {
        let (value, at): (Vec<f64>, Vec<[f64; 2]>) = (samples(m.edges, 1), samples(m.nodes, 2));
        let best = value.iter().zip(m.rows::<1>(1)).max_by(|a, b| a.0.total_cmp(b.0));
        best.map(|(v, [node])| (*v, at[node as usize]))
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<1>(1))?;
        let value = op.decl_dat("value", set.edges, &samples::<f64>(m.edges, 1))?;
        let at = op.decl_dat("at", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        let widest = op.decl_global("widest", ArgMax::none());
        op_par_loop!(op, where_and_what, set.edges, read(value), read(at, map[0]), gbl_max(widest))?;
        Ok(op.get(widest)?.best())
    });
}

#[op2::kernel]
fn generic_ends<F: Float>(total: &mut F, least: &mut ArgMin<u64, F>, key: &u64, value: &[F; 2]) {
    *total += value[0];
    least.update(*key % 7, value[1]);
}

/// The first argument with the type parameter is a global that is reduced into; a payload contains only the type
/// parameter.
#[test]
fn reductions_tell_the_type_of_a_generic_kernel() {
    let data = |m: &Mesh| -> (Vec<u64>, Vec<[f64; 2]>) { (samples(m.nodes, 1), samples(m.nodes, 2)) };
    let expected = |m: &Mesh| {
        let (key, value) = data(m);
        let best = key.iter().zip(&value).map(|(k, v)| (k % 7, v[1])).min_by(|a, b| a.partial_cmp(b).unwrap());
        (value.iter().map(|v| v[0]).sum::<f64>(), best.map(|(k, _)| k), best.map(|(_, v)| v))
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let (key, value) = data(m);
        let (key, value) = (op.decl_dat("key", nodes, &key)?, op.decl_dat("value", nodes, &value)?);
        let (total, least) = (op.decl_global("total", 0.0), op.decl_global("least", ArgMin::none()));
        op_par_loop!(op, generic_ends, nodes, gbl_inc(total), gbl_min(least), read(key), read(value))?;
        let best = op.get(least)?.best();
        Ok((op.get(total)?, best.map(|(k, _)| k), best.map(|(_, v)| v)))
    });
}
