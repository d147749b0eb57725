//! References that kernels choose between, and references that device functions return.

use crate::support::mesh::Kind;
use crate::support::{Mesh, on_every_backend, samples};
use op2::op_par_loop;

const MESHES: [Mesh; 2] =
    [Mesh { edges: 2, nodes: 3, kind: Kind::Random }, Mesh { edges: 50, nodes: 21, kind: Kind::Random }];

/// One of the entries of a map, chosen per element.
#[op2::kernel]
fn entry(x: [&f64; 2], k: &u32, y: &mut f64) {
    *y = *x[(*k & 1) as usize];
}

#[op2::device_fn]
fn pick<'a>(a: &'a f64, b: &'a f64, first: bool) -> &'a f64 {
    if first { a } else { b }
}

#[op2::device_fn]
fn left<'a>(a: &'a f64, _b: &'a f64) -> &'a f64 {
    a
}

/// References to values that differ between elements and to values that do not; functions return one of them.
#[op2::kernel]
fn places(x: [&f64; 2], g: &f64, y: &mut f64) {
    let t = *x[0] + 1.0;
    *y = *pick(x[1], &t, *g > 0.0) + *pick(g, x[0], false) + *pick(g, x[0], true) - *left(g, x[1]) * *left(&t, g);
}

/// References to temporaries.
#[op2::kernel]
fn values(x: [&f64; 2], g: &f64, y: &mut f64) {
    *y = *pick(&2.5, &(*x[0] + 1.0), false) + *left(&2.5, x[1]) + *pick(&(*g * 2.0), &0.5, true);
}

#[test]
fn references_lead_where_rust_says() {
    let expected = |m: &Mesh| {
        let (x, g): (Vec<f64>, f64) = (samples(m.nodes, 1), -0.75);
        let rows = m.rows::<2>(1).into_iter().enumerate();
        let each = rows.map(|(e, ends)| {
            let [a, b] = ends.map(|n| &x[n as usize]);
            let mut y = [0.0; 3];
            entry([a, b], &(e as u32), &mut y[0]);
            places([a, b], &g, &mut y[1]);
            values([a, b], &g, &mut y[2]);
            y
        });
        each.collect::<Vec<_>>()
    };
    on_every_backend(&MESHES, expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
        let k = op.decl_dat("k", set.edges, &(0..m.edges as u32).collect::<Vec<_>>())?;
        let g = op.decl_global("g", -0.75);
        let [by_entry, by_place, by_value] =
            ["entry", "places", "values"].map(|name| op.decl_dat_filled(name, set.edges, 0.0));
        let (by_entry, by_place, by_value) = (by_entry?, by_place?, by_value?);
        op_par_loop!(op, entry, set.edges, read(x, map[..]), read(k), write(by_entry))?;
        op_par_loop!(op, places, set.edges, read(x, map[..]), gbl_read(g), write(by_place))?;
        op_par_loop!(op, values, set.edges, read(x, map[..]), gbl_read(g), write(by_value))?;
        let rows = op.fetch(by_entry)?.into_iter().zip(op.fetch(by_place)?).zip(op.fetch(by_value)?);
        Ok(rows.map(|((a, b), c)| [a, b, c]).collect::<Vec<_>>())
    });
}
