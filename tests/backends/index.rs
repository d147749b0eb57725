//! The index of the element and of mapped elements, in every integer type.

use crate::support::{Mesh, on_every_backend};
use op2::op_par_loop;

#[op2::kernel]
fn own(plain: usize, short: u32, long: u64, signed: i32, wide: i64, out: &mut [u64; 2], signs: &mut [i64; 2]) {
    *out = [(plain as u64) * 3 + (short as u64), long];
    *signs = [-(signed as i64), -wide];
}

#[test]
fn own_index_in_every_type() {
    let expected = |m: &Mesh| {
        let out = |e: usize| [4 * e as u64, e as u64];
        let signs = |e: usize| [-(e as i64); 2];
        ((0..m.nodes).map(out).collect::<Vec<_>>(), (0..m.nodes).map(signs).collect::<Vec<_>>())
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let out = op.decl_dat_filled("out", nodes, [0u64; 2])?;
        let signs = op.decl_dat_filled("signs", nodes, [0i64; 2])?;
        op_par_loop!(op, own, nodes, idx(), idx(), idx(), idx(), idx(), write(out), write(signs))?;
        Ok((op.fetch(out)?, op.fetch(signs)?))
    });
}

#[op2::kernel]
fn mapped(element: u32, first: u64, second: i32, out: &mut [i64; 3], sum: &mut i64) {
    *out = [element as i64, first as i64, second as i64];
    *sum += first as i64 + 1;
}

/// Indices of mapped elements, with and without a dat argument through the same entry, by literal and by computed
/// entries.
#[test]
fn mapped_index() {
    let expected = |m: &Mesh| {
        let rows = m.rows::<2>(1);
        let mut sum = vec![0; m.nodes];
        for [a, _] in &rows {
            sum[*a as usize] += i64::from(*a) + 1;
        }
        let out = rows.into_iter().enumerate().map(|(e, [a, b])| [e as i64, i64::from(a), i64::from(b)]);
        (out.collect::<Vec<_>>(), sum)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let out = op.decl_dat_filled("out", set.edges, [0i64; 3])?;
        let sum = op.decl_dat_filled("sum", set.nodes, 0i64)?;
        let last = 1;
        op_par_loop!(op, mapped, set.edges, idx(), idx(map[0]), idx(map[last]), write(out), inc(sum, map[0]))?;
        Ok((op.fetch(out)?, op.fetch(sum)?))
    });
}
