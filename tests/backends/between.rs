//! Changes between loops that need no kernel: values everywhere, dats that change places, subsets by flags, sums of counts.

use crate::support::{Declared, Mesh, on_every_backend, samples};
use op2::op_par_loop;

#[op2::kernel]
fn spread(old: [&f64; 2], new: &mut f64, large: &mut bool, count: &mut u32) {
    *new = 0.5 * (*old[0] + *old[1]) + 0.25;
    *large = *new > 0.0;
    *count = if *large { 3 } else { 0 };
}

#[op2::kernel]
fn mark(first: &u32, e: u32, seen: &mut [u32; 2], sum: &mut u64) {
    *seen = [*first, e];
    *sum += *first as u64;
}

/// Two nodes of each node.
fn links(m: &Mesh) -> Vec<[u32; 2]> {
    let nodes = m.nodes as u32;
    (0..nodes).map(|n| [(7 * n + 3) % nodes, n % 5 % nodes]).collect()
}

type Results = (Vec<f64>, Vec<f64>, Vec<[u32; 2]>, Vec<u64>);

/// Three steps of loops and changes: each loop needs what the change before it has made, and the other way round.
fn steps(m: &Mesh) -> Results {
    let mut old: Vec<f64> = samples(m.nodes, 1);
    let mut new = vec![7.0; m.nodes];
    let (mut seen, mut sums) = (vec![[0; 2]; m.nodes], Vec::new());
    for _ in 0..3 {
        for (node, to) in links(m).into_iter().zip(&mut new) {
            *to = 0.5 * (old[node[0] as usize] + old[node[1] as usize]) + 0.25;
        }
        let large: Vec<bool> = new.iter().map(|new| *new > 0.0).collect();
        (old, new) = (new, old);
        let (mut first, mut sum) = (0_u32, 0_u64);
        for (e, large) in large.iter().enumerate() {
            if *large {
                seen[e] = [first, e as u32];
                sum += u64::from(first);
                first += 3;
            }
        }
        sums.extend([u64::from(first), sum]);
        new.fill(-1.5);
    }
    (old, new, seen, sums)
}

#[test]
fn loops_and_changes_alternate() {
    on_every_backend(&Mesh::all(), steps, |op, m| {
        let Declared { nodes, .. } = m.declare(op)?;
        let link = op.decl_map("link", nodes, nodes, &links(m))?;
        let (old, new) = (op.decl_dat("old", nodes, &samples(m.nodes, 1))?, op.decl_dat_filled("new", nodes, 7.0)?);
        let (large, count) = (op.decl_dat_filled("large", nodes, true)?, op.decl_dat_filled("count", nodes, 1_u32)?);
        let (first, seen) = (op.decl_dat_filled("first", nodes, 9_u32)?, op.decl_dat_filled("seen", nodes, [0; 2])?);
        let those = op.decl_subset::<_, u32>("those", nodes, &[])?;
        let mut sums = Vec::new();
        for _ in 0..3 {
            op_par_loop!(op, spread, nodes, read(old, link[..]), write(new), write(large), write(count))?;
            op.swap(old, new)?;
            let chosen = op.select(those, large)?;
            let total = op.scan(count, first)?;
            assert_eq!(total as usize, 3 * chosen);
            let sum = op.decl_global("sum", 0_u64);
            op_par_loop!(op, mark, those, read(first), idx(), write(seen), gbl_inc(sum))?;
            sums.extend([u64::from(total), op.get(sum)?]);
            op.fill(new, -1.5)?;
        }
        Ok((op.fetch(old)?, op.fetch(new)?, op.fetch(seen)?, sums))
    });
}

#[op2::kernel]
fn both_ends(w: &f64, x: [Option<&f64>; 2], sum: [&mut f64; 2], here: &mut u32, e: u64) {
    *sum[0] += *w * *x[1].unwrap_or(w);
    *sum[1] -= *w * *x[0].unwrap_or(w);
    *here = e as u32;
}

/// Loops over sets that become smaller: nodes leave, then edges, until few are left.
fn shrunk(m: &Mesh) -> (Vec<f64>, Vec<u32>, Vec<u64>) {
    let (mut x, mut w): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), samples(m.edges, 2));
    let mut ends: Vec<[Option<u32>; 2]> = m.rows::<2>(3).iter().map(|row| row.map(Some)).collect();
    let mut sum = vec![0.0; m.nodes];
    let mut here = vec![0; m.edges];
    let mut sizes = Vec::new();
    for step in 0..4 {
        for (e, (ends, w)) in ends.iter().zip(&w).enumerate() {
            let other = |n: usize| ends[n].map_or(*w, |n| x[n as usize]);
            let added = [*w * other(1), -(*w * other(0))];
            for (end, added) in ends.iter().zip(added) {
                end.iter().for_each(|n| sum[*n as usize] += added);
            }
            here[e] = e as u32;
        }
        let stays = |n: usize| n % 4 != step;
        let mut left = 0;
        let mut next = || {
            left += 1;
            left - 1
        };
        let size = if step % 2 == 0 { x.len() } else { w.len() };
        let new: Vec<Option<u32>> = (0..size).map(|n| stays(n).then(&mut next)).collect();
        let places = (0..size).filter(|n| stays(*n));
        if step % 2 == 0 {
            (x, sum) = places.map(|n| (x[n], sum[n])).unzip();
            ends.iter_mut().flatten().for_each(|end| *end = end.and_then(|n| new[n as usize]));
        } else {
            let those: Vec<usize> = places.collect();
            w = those.iter().map(|e| w[*e]).collect();
            ends = those.iter().map(|e| ends[*e]).collect();
            here = those.iter().map(|e| here[*e]).collect();
        }
        sizes.extend([x.len() as u64, w.len() as u64]);
    }
    (sum, here, sizes)
}

#[op2::kernel]
fn decide(n: u32, step: &u32, stays: &mut bool) {
    *stays = n % 4 != *step;
}

#[test]
fn sets_become_smaller() {
    on_every_backend(&Mesh::all(), shrunk, |op, m| {
        let Declared { edges, nodes } = m.declare(op)?;
        let rows: Vec<[Option<u32>; 2]> = m.rows::<2>(3).iter().map(|row| row.map(Some)).collect();
        let ends = op.decl_opt_map("ends", edges, nodes, &rows)?;
        let (x, w) = (op.decl_dat("x", nodes, &samples(m.nodes, 1))?, op.decl_dat("w", edges, &samples(m.edges, 2))?);
        let (sum, here) = (op.decl_dat_filled("sum", nodes, 0.0)?, op.decl_dat_filled("here", edges, 0_u32)?);
        let keep_nodes = op.decl_dat_filled("nodes that stay", nodes, true)?;
        let keep_edges = op.decl_dat_filled("edges that stay", edges, true)?;
        let mut sizes = Vec::new();
        for step in 0..4_u32 {
            op_par_loop!(op, both_ends, edges, read(w), read(x, ends[..]), inc(sum, ends[..]), write(here), idx())?;
            let now = op.decl_global("step", step);
            if step % 2 == 0 {
                op_par_loop!(op, decide, nodes, idx(), gbl_read(now), write(keep_nodes))?;
                op.compact(nodes, keep_nodes)?;
            } else {
                op_par_loop!(op, decide, edges, idx(), gbl_read(now), write(keep_edges))?;
                op.compact(edges, keep_edges)?;
            }
            sizes.extend([op.size(nodes)? as u64, op.size(edges)? as u64]);
        }
        Ok((op.fetch(sum)?, op.fetch(here)?, sizes))
    });
}
