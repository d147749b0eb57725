//! Maps of many arities, by literal and computed entries.

use crate::support::mesh::Kind;
use crate::support::{Mesh, on_every_backend, samples};
use op2::op_par_loop;

macro_rules! arity {
    ($($name:ident $arity:literal $first:tt $last:tt;)*) => {$(
        mod $name {
            use super::*;

            #[op2::kernel]
            fn around(x: [&f64; $arity], end: &f64, sum: [&mut f64; $arity], first: &mut f64) {
                let mut total = 0.0;
                for i in 0..$arity {
                    total += *x[i];
                }
                for i in 0..$arity {
                    *sum[i] += total * ((i + 1) as f64);
                }
                *first -= *end;
            }

            #[test]
            fn all_and_single_entries() {
                const A: usize = $arity;
                // The work of an ordering grows with the square of the arity.
                let fewer = |m: Mesh| Mesh { edges: if A < 40 { m.edges } else { m.edges.min(260) }, ..m };
                let meshes: Vec<Mesh> = Mesh::all().into_iter().map(fewer).collect();
                let expected = |m: &Mesh| {
                    let (x, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), samples(m.nodes, 2));
                    for row in m.rows::<A>(1) {
                        let total: f64 = row.iter().map(|&node| x[node as usize]).sum();
                        for (i, &node) in row.iter().enumerate() {
                            sum[node as usize] += total * (i + 1) as f64;
                        }
                        sum[row[0] as usize] -= x[row[A - 1] as usize];
                    }
                    sum
                };
                on_every_backend(&meshes, expected, |op, m| {
                    let set = m.declare(op)?;
                    let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<A>(1))?;
                    let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
                    let sum = op.decl_dat("sum", set.nodes, &samples::<f64>(m.nodes, 2))?;
                    op_par_loop!(
                        op, around, set.edges,
                        read(x, map[..]), read(x, map[$last]), inc(sum, map[..]), inc(sum, map[$first])
                    )?;
                    op.fetch(sum)
                });
            }
        }
    )*};
}
arity! {
    one 1 0 0;
    two 2 0 1;
    three 3 0 2;
    four 4 0 3;
    five 5 0 4;
    forty 40 {0} {39};
}

#[op2::kernel]
fn add(value: &f64, sum: &mut f64) {
    *sum += *value;
}

#[op2::kernel]
fn add_two(near: &f64, far: &f64, sum: &mut f64, other: &mut f64) {
    *sum += *near * *far;
    *other -= *far;
}

/// The last entry, by name.
const LAST: usize = 2;

/// Entries given by variables, constants and arithmetic; each entry has its own plan.
#[test]
fn computed_entries() {
    let expected = |m: &Mesh| {
        let (x, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), samples(m.nodes, 2));
        let rows: Vec<[usize; 3]> = m.rows::<3>(1).into_iter().map(|row| row.map(|node| node as usize)).collect();
        let values: Vec<f64> = samples(m.edges, 3);
        for i in 0..3 {
            for (row, v) in rows.iter().zip(&values) {
                sum[row[i]] += v;
            }
            for row in &rows {
                sum[row[2]] += x[row[i]] * x[row[2 - i]];
                sum[row[(i + 1) % 3]] -= x[row[2 - i]];
            }
        }
        sum
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<3>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
        let sum = op.decl_dat("sum", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let value = op.decl_dat("value", set.edges, &samples::<f64>(m.edges, 3))?;
        for i in 0..3 {
            op_par_loop!(op, add, set.edges, read(value), inc(sum, map[i]))?;
            op_par_loop!(
                op,
                add_two,
                set.edges,
                read(x, map[i]),
                read(x, map[LAST - i]),
                inc(sum, map[LAST]),
                inc(sum, map[(i + 1) % 3])
            )?;
        }
        op.fetch(sum)
    });
}

/// Maps in a structure and in an array, as in applications.
#[test]
fn maps_and_dats_that_are_places() {
    struct Held<M, D> {
        maps: [M; 2],
        dats: (D, D),
    }
    let expected = |m: &Mesh| {
        let (x, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), vec![0.0; m.nodes]);
        for ([a, b], [c, d]) in m.rows::<2>(1).into_iter().zip(m.rows::<2>(2)) {
            sum[d as usize] += x[a as usize] * x[c as usize];
            sum[b as usize] -= x[c as usize];
        }
        sum
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let maps = [
            op.decl_map("one", set.edges, set.nodes, &m.rows::<2>(1))?,
            op.decl_map("two", set.edges, set.nodes, &m.rows::<2>(2))?,
        ];
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
        let held = Held { maps, dats: (x, op.decl_dat_filled("sum", set.nodes, 0.0)?) };
        op_par_loop!(
            op,
            add_two,
            set.edges,
            read(held.dats.0, held.maps[0][0]),
            read(held.dats.0, held.maps[1][0]),
            inc(held.dats.1, held.maps[1][1]),
            inc(held.dats.1, held.maps[0][1])
        )?;
        op.fetch(held.dats.1)
    });
}

/// A map from a set to itself, whose rows contain the element.
#[test]
fn map_into_the_own_set() {
    let within = |m: &Mesh| Mesh { edges: m.nodes, kind: Kind::Ring, ..*m };
    let expected = |m: &Mesh| {
        let (value, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), vec![0.0; m.nodes]);
        for (e, [_, b]) in within(m).rows::<2>(1).into_iter().enumerate() {
            sum[b as usize] += value[e];
        }
        sum
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let ring = op.decl_map("ring", nodes, nodes, &within(m).rows::<2>(1))?;
        let (value, sum) =
            (op.decl_dat("value", nodes, &samples::<f64>(m.nodes, 1))?, op.decl_dat_filled("sum", nodes, 0.0)?);
        op_par_loop!(op, add, nodes, read(value), inc(sum, ring[1]))?;
        op.fetch(sum)
    });
}
