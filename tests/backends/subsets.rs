//! Loops over some elements of a set, in any order.

use crate::support::{Declared, Edges, Mesh, on_every_backend, samples};
use op2::{ArgMax, Op2, Subset, op_par_loop};

/// Lists of edges to loop over: none, one, every third backwards, all backwards.
fn lists(m: &Mesh) -> Vec<Vec<u32>> {
    let edges = m.edges as u32;
    let one = (0..edges).skip(m.edges / 2).take(1).collect();
    vec![Vec::new(), one, (0..edges).rev().step_by(3).collect(), (0..edges).rev().collect()]
}

fn declare(op: &mut Op2, m: &Mesh) -> op2::Result<(Declared, Vec<Subset<Edges>>)> {
    let set = m.declare(op)?;
    let subsets = lists(m).iter().map(|list| op.decl_subset("some", set.edges, list)).collect::<op2::Result<_>>()?;
    Ok((set, subsets))
}

#[op2::kernel]
fn direct(value: &f64, element: u32, out: &mut [f64; 2], sum: &mut f64, total: &mut f64, last: &mut ArgMax<u32, u32>) {
    *out = [*value, element as f64];
    *sum += *value;
    *total += *value;
    last.update(element % 7, element);
}

#[test]
fn direct_arguments_and_reductions() {
    let expected = |m: &Mesh| {
        let value: Vec<f64> = samples(m.edges, 1);
        let (mut out, mut sum) = (vec![[7.0; 2]; m.edges], vec![0.0; m.edges]);
        let (mut total, mut last) = (1.0, None);
        for e in lists(m).concat() {
            out[e as usize] = [value[e as usize], f64::from(e)];
            sum[e as usize] += value[e as usize];
            total += value[e as usize];
            last = last.max(Some((e % 7, std::cmp::Reverse(e))));
        }
        (out, sum, total, last.map(|(v, e)| (v, e.0)))
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let (set, subsets) = declare(op, m)?;
        let value = op.decl_dat("value", set.edges, &samples::<f64>(m.edges, 1))?;
        let out = op.decl_dat_filled("out", set.edges, [7.0; 2])?;
        let sum = op.decl_dat_filled("sum", set.edges, 0.0)?;
        let (total, last) = (op.decl_global("total", 1.0), op.decl_global("last", ArgMax::none()));
        for some in subsets {
            op_par_loop!(op, direct, some, read(value), idx(), write(out), inc(sum), gbl_inc(total), gbl_max(last))?;
        }
        Ok((op.fetch(out)?, op.fetch(sum)?, op.get(total)?, op.get(last)?.best()))
    });
}

#[op2::kernel]
fn mapped(x: [&f64; 2], target: u64, a: &mut [f64; 2], b: &mut [f64; 2], key: &mut u64, highest: &mut u64) {
    let flux = *x[0] * *x[1];
    a[0] += flux;
    b[1] -= flux;
    *key ^= target * 31;
    *highest = (*highest).max(target);
}

#[test]
fn mapped_arguments() {
    let expected = |m: &Mesh| {
        let (x, mut sum): (Vec<f64>, Vec<[f64; 2]>) = (samples(m.nodes, 1), samples(m.nodes, 2));
        let (mut key, mut highest) = (vec![0; m.nodes], 0);
        let rows = m.rows::<2>(1);
        for e in lists(m).concat() {
            let [a, b] = rows[e as usize].map(|node| node as usize);
            sum[a][0] += x[a] * x[b];
            sum[b][1] -= x[a] * x[b];
            key[a] ^= b as u64 * 31;
            highest = highest.max(b as u64);
        }
        (sum, key, highest)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let (set, subsets) = declare(op, m)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
        let sum = op.decl_dat("sum", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        let key = op.decl_dat_filled("key", set.nodes, 0u64)?;
        let highest = op.decl_global("highest", 0u64);
        for some in subsets {
            op_par_loop!(
                op,
                mapped,
                some,
                read(x, map[..]),
                idx(map[1]),
                inc(sum, map[0]),
                inc(sum, map[1]),
                rw(key, map[0]),
                gbl_max(highest)
            )?;
        }
        Ok((op.fetch(sum)?, op.fetch(key)?, op.get(highest)?))
    });
}

#[op2::kernel]
fn claim(element: u32, owner: &mut u32) {
    *owner = element;
}

/// `write` through a map over a subset whose elements share no target. All elements of the set would.
#[test]
fn write_through_a_map_that_is_injective_on_the_subset() {
    let first_claims = |m: &Mesh| {
        let mut taken = vec![false; m.nodes];
        let rows = m.rows::<1>(1);
        let free = |e: &u32| !std::mem::replace(&mut taken[rows[*e as usize][0] as usize], true);
        (0..m.edges as u32).rev().filter(free).collect::<Vec<_>>()
    };
    let expected = |m: &Mesh| {
        let mut owner = vec![u32::MAX; m.nodes];
        for e in first_claims(m) {
            owner[m.rows::<1>(1)[e as usize][0] as usize] = e;
        }
        owner
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<1>(1))?;
        let some = op.decl_subset("some", set.edges, &first_claims(m))?;
        let owner = op.decl_dat_filled("owner", set.nodes, u32::MAX)?;
        op_par_loop!(op, claim, some, idx(), write(owner, map[0]))?;
        op.fetch(owner)
    });
}
