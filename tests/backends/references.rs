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

/// An argument differs between elements, the result does not.
#[op2::device_fn]
fn positive(x: &f64) -> bool {
    let _ = *x + 1.0;
    true
}

#[op2::device_fn]
fn larger<'a>(a: &'a mut f64, b: &'a mut f64, first: bool) -> &'a mut f64 {
    if first { a } else { b }
}

/// References to common values come back from functions that see values of elements.
#[op2::kernel]
fn common(x: [&f64; 2], g: &f64, y: &mut f64) {
    let (c, d, pair) = (*g + 1.0, 7.0, [0.5, *g]);
    let sum = *pick(&c, &d, positive(x[0])) + pair[usize::from(positive(x[1]))];
    *y = *x[0] + sum;
}

/// The same of references through which they are changed.
#[op2::kernel]
fn changed(x: [&f64; 2], g: &f64, y: &mut f64) {
    let (mut a, mut b) = (*g, 3.0);
    *larger(&mut a, &mut b, positive(x[0])) += 1.0;
    *larger(&mut a, &mut b, !positive(x[1])) = *g;
    *y = a * b;
}

#[test]
fn references_lead_where_rust_says() {
    let expected = |m: &Mesh| {
        let (x, g): (Vec<f64>, f64) = (samples(m.nodes, 1), -0.75);
        let rows = m.rows::<2>(1).into_iter().enumerate();
        let each = rows.map(|(e, ends)| {
            let [a, b] = ends.map(|n| &x[n as usize]);
            let mut y = [0.0; 5];
            entry([a, b], &(e as u32), &mut y[0]);
            places([a, b], &g, &mut y[1]);
            values([a, b], &g, &mut y[2]);
            common([a, b], &g, &mut y[3]);
            changed([a, b], &g, &mut y[4]);
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
        let by_entry = op.decl_dat_filled("entry", set.edges, 0.0)?;
        let by_place = op.decl_dat_filled("places", set.edges, 0.0)?;
        let by_value = op.decl_dat_filled("values", set.edges, 0.0)?;
        let by_common = op.decl_dat_filled("common", set.edges, 0.0)?;
        let by_change = op.decl_dat_filled("changed", set.edges, 0.0)?;
        op_par_loop!(op, entry, set.edges, read(x, map[..]), read(k), write(by_entry))?;
        op_par_loop!(op, places, set.edges, read(x, map[..]), gbl_read(g), write(by_place))?;
        op_par_loop!(op, values, set.edges, read(x, map[..]), gbl_read(g), write(by_value))?;
        op_par_loop!(op, common, set.edges, read(x, map[..]), gbl_read(g), write(by_common))?;
        op_par_loop!(op, changed, set.edges, read(x, map[..]), gbl_read(g), write(by_change))?;
        let mut rows = vec![[0.0; 5]; m.edges];
        for (n, dat) in [by_entry, by_place, by_value, by_common, by_change].into_iter().enumerate() {
            rows.iter_mut().zip(op.fetch(dat)?).for_each(|(row, value)| row[n] = value);
        }
        Ok(rows)
    });
}
