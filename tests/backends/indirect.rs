//! Arguments through one entry of a map.

use crate::support::mesh::Cells;
use crate::support::{Mesh, Subject, on_backends_with, on_every_backend, samples};
use op2::op_par_loop;

#[op2::kernel]
fn exchange(weight: &f64, x1: &[f64; 2], x2: &[f64; 2], res1: &mut [f64; 3], res2: &mut [f64; 3]) {
    let flux = *weight * (x1[0] - x2[1]);
    res1[0] += flux;
    res1[2] += 0.5 * flux;
    res2[0] -= flux;
    res2[1] += x1[1] * *weight;
}

/// The typical loop: reads and increments through two entries, with repeated and missing targets.
#[test]
fn reads_and_increments() {
    let expected = |m: &Mesh| {
        let (weight, x, mut res): (Vec<f64>, Vec<[f64; 2]>, Vec<[f64; 3]>) =
            (samples(m.edges, 1), samples(m.nodes, 2), samples(m.nodes, 3));
        for (e, [a, b]) in m.rows(1).into_iter().enumerate() {
            let (a, b) = (a as usize, b as usize);
            let flux = weight[e] * (x[a][0] - x[b][1]);
            res[a][0] += flux;
            res[a][2] += 0.5 * flux;
            res[b][0] -= flux;
            res[b][1] += x[a][1] * weight[e];
        }
        res
    };
    let body = |op: &mut Subject, m: &Mesh| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let weight = op.decl_dat("weight", set.edges, &samples::<f64>(m.edges, 1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        let res = op.decl_dat("res", set.nodes, &samples::<[f64; 3]>(m.nodes, 3))?;
        op_par_loop!(
            op,
            exchange,
            set.edges,
            read(weight),
            read(x, map[0]),
            read(x, map[1]),
            inc(res, map[0]),
            inc(res, map[1])
        )?;
        op.fetch(res)
    };
    let meshes = [Mesh::all(), vec![Mesh::crowded()]].concat();
    on_every_backend(&meshes, expected, body);
    on_backends_with(|c| c.is_predicted() || c.is_plain(), &Mesh::large(), expected, body);
}

#[op2::kernel]
fn extremes(value: &[f64; 2], lo: &mut [f64; 2], hi: &mut f64, other_hi: &mut f64) {
    lo[0] = lo[0].min(value[0]);
    lo[1] = lo[1].min(value[1]);
    *hi = hi.max(value[0]);
    *other_hi = other_hi.max(value[1]);
}

#[test]
fn minima_and_maxima() {
    let expected = |m: &Mesh| {
        let value: Vec<[f64; 2]> = samples(m.edges, 1);
        let (mut lo, mut hi): (Vec<[f64; 2]>, Vec<f64>) = (samples(m.nodes, 2), samples(m.nodes, 3));
        for ([a, b], v) in m.rows::<2>(1).into_iter().zip(value) {
            let (a, b) = (a as usize, b as usize);
            lo[a] = [lo[a][0].min(v[0]), lo[a][1].min(v[1])];
            hi[a] = hi[a].max(v[0]);
            hi[b] = hi[b].max(v[1]);
        }
        (lo, hi)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let value = op.decl_dat("value", set.edges, &samples::<[f64; 2]>(m.edges, 1))?;
        let lo = op.decl_dat("lo", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        let hi = op.decl_dat("hi", set.nodes, &samples::<f64>(m.nodes, 3))?;
        op_par_loop!(op, extremes, set.edges, read(value), min(lo, map[0]), max(hi, map[0]), max(hi, map[1]))?;
        Ok((op.fetch(lo)?, op.fetch(hi)?))
    });
}

#[op2::kernel]
fn mark(key: &u32, halved: &mut f64, marks: &mut [u32; 2]) {
    *halved *= 0.5;
    marks[0] ^= *key;
    marks[1] = marks[1].wrapping_add(*key * *key);
}

/// `rw` by elements that share targets. The operations do not depend on the order, so that only a lost one shows.
/// Halves are exact, down to 2⁻¹⁰⁰¹.
#[test]
fn rw_is_coloured() {
    let expected = |m: &Mesh| {
        let key: Vec<u32> = samples(m.edges, 1);
        let (mut halved, mut marks): (Vec<f64>, Vec<[u32; 2]>) = (samples(m.nodes, 2), samples(m.nodes, 3));
        for ([a, _], key) in m.rows::<2>(1).into_iter().zip(key) {
            let a = a as usize;
            halved[a] *= 0.5;
            marks[a] = [marks[a][0] ^ key, marks[a][1].wrapping_add(key * key)];
        }
        (halved, marks)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let key = op.decl_dat("key", set.edges, &samples::<u32>(m.edges, 1))?;
        let halved = op.decl_dat("halved", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let marks = op.decl_dat("marks", set.nodes, &samples::<[u32; 2]>(m.nodes, 3))?;
        op_par_loop!(op, mark, set.edges, read(key), rw(halved, map[0]), rw(marks, map[0]))?;
        Ok((op.fetch(halved)?, op.fetch(marks)?))
    });
}

#[op2::kernel]
fn rotate(by: &u64, a: &mut [u64; 2], b: &mut [u64; 2]) {
    a[0] = (a[0] + *by) % 1_000_003;
    a[1] ^= *by;
    b[0] = (b[0] + 2 * *by) % 1_000_003;
    b[1] ^= 3 * *by;
}

/// `rw` through two entries of an element that are different nodes.
#[test]
fn rw_through_two_entries() {
    let data = |m: &Mesh| -> (Vec<u64>, Vec<[u64; 2]>) { (samples(m.edges, 1), samples(m.nodes, 2)) };
    let expected = |m: &Mesh| {
        let (by, mut value) = data(m);
        for ([a, b], by) in m.rows::<2>(1).into_iter().zip(by) {
            for (node, factor) in [(a, 1), (b, 2)] {
                let value = &mut value[node as usize];
                value[0] = (value[0] + factor * by) % 1_000_003;
                value[1] ^= (2 * factor - 1) * by;
            }
        }
        value
    };
    on_every_backend(&Mesh::distinct(2), expected, |op, m| {
        let set = m.declare(op)?;
        let (by, value) = data(m);
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let by = op.decl_dat("by", set.edges, &by)?;
        let value = op.decl_dat("value", set.nodes, &value)?;
        op_par_loop!(op, rotate, set.edges, read(by), rw(value, map[0]), rw(value, map[1]))?;
        op.fetch(value)
    });
}

#[op2::kernel]
fn hand_out(value: &[f64; 2], a: &mut [f64; 3], b: &mut [f64; 3]) {
    *a = [value[0], value[1], 1.0];
    *b = [value[1], value[0], -1.0];
}

/// `write` by elements that share no target; nodes without an edge keep their values.
#[test]
fn write_through_an_injective_map() {
    let expected = |m: &Mesh| {
        let (value, mut out): (Vec<[f64; 2]>, Vec<[f64; 3]>) = (samples(m.edges, 1), samples(m.nodes, 2));
        for ([a, b], v) in m.rows::<2>(1).into_iter().zip(value) {
            out[a as usize] = [v[0], v[1], 1.0];
            out[b as usize] = [v[1], v[0], -1.0];
        }
        out
    };
    on_every_backend(&Mesh::injective(2), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let value = op.decl_dat("value", set.edges, &samples::<[f64; 2]>(m.edges, 1))?;
        let out = op.decl_dat("out", set.nodes, &samples::<[f64; 3]>(m.nodes, 2))?;
        op_par_loop!(op, hand_out, set.edges, read(value), write(out, map[0]), write(out, map[1]))?;
        op.fetch(out)
    });
}

#[op2::kernel]
fn stamp(node: u32, out: &mut [u32; 2]) {
    *out = [node + 1, 7 * node];
}

/// `write` by elements that share targets and agree on the value.
#[test]
fn write_where_elements_meet() {
    let expected = |m: &Mesh| {
        let mut out = vec![[0, 0]; m.nodes];
        for [node] in m.rows::<1>(1) {
            out[node as usize] = [node + 1, 7 * node];
        }
        out
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<1>(1))?;
        let out = op.decl_dat_filled("out", set.nodes, [0u32; 2])?;
        op_par_loop!(op, stamp, set.edges, idx(map[0]), write(out, map[0]))?;
        op.fetch(out)
    });
}

#[op2::kernel]
fn scatter(value: &f64, own: &mut f64, near: &mut f64, far: &mut f64) {
    *own += *value;
    *near += 2.0 * *value;
    *far -= 3.0 * *value;
}

/// One dat is incremented directly and through a map from the set to itself, so elements add to each other's own rows.
#[test]
fn direct_and_mapped_increments_meet() {
    let expected = |m: &Mesh| {
        let (value, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.edges, 1), samples(m.edges, 2));
        let within = Mesh { nodes: m.edges, ..*m };
        for (e, [near, far]) in within.rows::<2>(1).into_iter().enumerate() {
            sum[e] += value[e];
            sum[near as usize] += 2.0 * value[e];
            sum[far as usize] -= 3.0 * value[e];
        }
        sum
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let edges = m.declare(op)?.edges;
        let within = Mesh { nodes: m.edges, ..*m };
        let near = op.decl_map("near", edges, edges, &within.rows::<2>(1))?;
        let value = op.decl_dat("value", edges, &samples::<f64>(m.edges, 1))?;
        let sum = op.decl_dat("sum", edges, &samples::<f64>(m.edges, 2))?;
        op_par_loop!(op, scatter, edges, read(value), inc(sum), inc(sum, near[0]), inc(sum, near[1]))?;
        op.fetch(sum)
    });
}

/// Two maps to one set and one to another: elements can share targets in any of three ways.
#[test]
fn several_maps_and_target_sets() {
    let cells = |m: &Mesh| Mesh { nodes: m.nodes.div_ceil(2), ..*m };
    let expected = |m: &Mesh| {
        let value: Vec<f64> = samples(m.edges, 1);
        let (mut on_nodes, mut on_cells) = (vec![0.0; m.nodes], vec![0.0; cells(m).nodes]);
        let rows = m.rows::<2>(1).into_iter().zip(m.rows::<1>(2)).zip(cells(m).rows::<2>(3));
        for ((([a, _], [b]), [_, c]), v) in rows.zip(value) {
            on_nodes[a as usize] += v;
            on_nodes[b as usize] += 2.0 * v;
            on_cells[c as usize] -= 3.0 * v;
        }
        (on_nodes, on_cells)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let cell_set = op.decl_set::<Cells>("cells", cells(m).nodes)?;
        let one = op.decl_map("one", set.edges, set.nodes, &m.rows::<2>(1))?;
        let two = op.decl_map("two", set.edges, set.nodes, &m.rows::<1>(2))?;
        let other = op.decl_map("other", set.edges, cell_set, &cells(m).rows::<2>(3))?;
        let value = op.decl_dat("value", set.edges, &samples::<f64>(m.edges, 1))?;
        let on_nodes = op.decl_dat_filled("on_nodes", set.nodes, 0.0)?;
        let on_cells = op.decl_dat_filled("on_cells", cell_set, 0.0)?;
        op_par_loop!(
            op,
            scatter,
            set.edges,
            read(value),
            inc(on_nodes, one[0]),
            inc(on_nodes, two[0]),
            inc(on_cells, other[1])
        )?;
        Ok((op.fetch(on_nodes)?, op.fetch(on_cells)?))
    });
}
