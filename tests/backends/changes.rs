//! Changes between two calls of a loop: data, layouts, maps; and two meshes at once.

use crate::support::mesh::Kind;
use crate::support::{Configuration, Edges, Mesh, Nodes, on_every_backend, samples};
use op2::{Dat, Global, Layout, Map, Op2, Set, Strategy, op_par_loop};

#[op2::kernel]
fn scatter(weight: &[f64; 3], x: &[f64; 2], a: &mut [f64; 2], b: &mut f64) {
    a[0] += weight[0] * x[0];
    a[1] += weight[1] * x[1];
    *b -= weight[2];
}

/// The mesh and data for [`scatter`].
struct Fields {
    edges: Set<Edges>,
    map: Map<Edges, Nodes, 2>,
    weight: Dat<Edges, [f64; 3]>,
    x: Dat<Nodes, [f64; 2]>,
    a: Dat<Nodes, [f64; 2]>,
    b: Dat<Nodes, f64>,
}

impl Fields {
    fn declare(op: &mut Op2, m: &Mesh) -> op2::Result<Self> {
        let set = m.declare(op)?;
        Ok(Fields {
            edges: set.edges,
            map: op.decl_map("map", set.edges, set.nodes, &m.rows(1))?,
            weight: op.decl_dat("weight", set.edges, &samples(m.edges, 1))?,
            x: op.decl_dat("x", set.nodes, &samples(m.nodes, 2))?,
            a: op.decl_dat("a", set.nodes, &samples(m.nodes, 3))?,
            b: op.decl_dat("b", set.nodes, &samples(m.nodes, 4))?,
        })
    }
}

/// The result of [`scatter`] over all edges.
fn scattered(m: &Mesh, rows: &[[u32; 2]], weight: &[[f64; 3]], x: &[[f64; 2]], to: &mut (Vec<[f64; 2]>, Vec<f64>)) {
    assert_eq!(rows.len(), m.edges);
    for ([a, b], w) in rows.iter().zip(weight) {
        let (a, b) = (*a as usize, *b as usize);
        to.0[a] = [to.0[a][0] + w[0] * x[b][0], to.0[a][1] + w[1] * x[b][1]];
        to.1[b] -= w[2];
    }
}

/// Every dat has another layout, and some layouts change between calls.
#[test]
fn mixed_and_changing_layouts() {
    let layouts = [Layout::Soa, Layout::Aos, Layout::Blocked(0), Layout::Blocked(3), Layout::Soa];
    let expected = |m: &Mesh| {
        let mut to = (samples(m.nodes, 3), samples(m.nodes, 4));
        for _ in layouts {
            scattered(m, &m.rows(1), &samples(m.edges, 1), &samples(m.nodes, 2), &mut to);
        }
        to
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Fields { edges, map, weight, x, a, b } = Fields::declare(op, m)?;
        for (i, layout) in layouts.into_iter().enumerate() {
            op.set_layout(x, layout)?;
            op.set_layout(a, layouts[(i + 2) % layouts.len()])?;
            op_par_loop!(op, scatter, edges, read(weight), read(x, map[1]), inc(a, map[0]), inc(b, map[1]))?;
        }
        assert_eq!(op.fetch(x)?, samples::<[f64; 2]>(m.nodes, 2), "layouts change no value");
        Ok((op.fetch(a)?, op.fetch(b)?))
    });
}

/// The next loop sees new data, and new entries of a map bring new plans: with the first map all edges may run at once,
/// with the second they share targets.
#[test]
fn data_and_maps_that_change() {
    let steps = |m: &Mesh| {
        let disjoint: Vec<[u32; 2]> = (0..m.edges as u32).map(|e| [e % m.nodes as u32; 2]).collect();
        [disjoint, m.rows(1), Mesh { kind: Kind::Skewed, ..*m }.rows(1), m.rows(2)]
    };
    let expected = |m: &Mesh| {
        let mut to = (samples(m.nodes, 3), samples(m.nodes, 4));
        for (salt, rows) in steps(m).into_iter().enumerate() {
            let weight = samples(m.edges, salt as u64);
            for _ in 0..2 {
                scattered(m, &rows, &weight, &samples(m.nodes, 2), &mut to);
            }
        }
        to
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Fields { edges, map, weight, x, a, b } = Fields::declare(op, m)?;
        for (salt, rows) in steps(m).into_iter().enumerate() {
            op.set_map(map, &rows)?;
            op.set_data(weight, &samples::<[f64; 3]>(m.edges, salt as u64))?;
            for _ in 0..2 {
                op_par_loop!(op, scatter, edges, read(weight), read(x, map[1]), inc(a, map[0]), inc(b, map[1]))?;
            }
        }
        Ok((op.fetch(a)?, op.fetch(b)?))
    });
}

/// A strategy pinned for one kernel does not change results.
#[test]
fn pinned_strategies() {
    let expected = |m: &Mesh| {
        let mut to = (samples(m.nodes, 3), samples(m.nodes, 4));
        for _ in 0..2 {
            scattered(m, &m.rows(1), &samples(m.edges, 1), &samples(m.nodes, 2), &mut to);
        }
        to
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Fields { edges, map, weight, x, a, b } = Fields::declare(op, m)?;
        for strategy in [Strategy::blocks(5), Strategy::colours(3)] {
            op.pin("scatter", strategy)?;
            op_par_loop!(op, scatter, edges, read(weight), read(x, map[1]), inc(a, map[0]), inc(b, map[1]))?;
        }
        Ok((op.fetch(a)?, op.fetch(b)?))
    });
}

#[op2::kernel]
fn total(value: &f64, sum: &mut f64) {
    *sum += *value;
}

/// Two meshes at once, their loops interleaved: handles with the same numbers lead to different data.
#[test]
fn two_meshes_do_not_mix() {
    fn step(op: &mut Op2, handles: &Handles) -> op2::Result<()> {
        let Handles { edges, value, map, node_sum, sum } = *handles;
        op_par_loop!(op, total, edges, read(value), inc(node_sum, map[0]))?;
        op_par_loop!(op, total, edges, read(value), gbl_inc(sum))
    }
    let small = Mesh { edges: 12, nodes: 5, kind: Kind::Random };
    let expected = |m: &Mesh| {
        let of = |m: &Mesh, factor: f64| {
            let mut sums = vec![0.0; m.nodes];
            let value: Vec<f64> = samples(m.edges, 1);
            for ([node], v) in m.rows::<1>(1).into_iter().zip(&value) {
                sums[node as usize] += factor * v;
            }
            (sums, factor * value.iter().sum::<f64>())
        };
        (of(m, 3.0), of(&small, 2.0))
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let mut other = Configuration::THREADS.op();
        let (first, second) = (Handles::declare(op, m)?, Handles::declare(&mut other, &small)?);
        step(op, &first)?;
        step(&mut other, &second)?;
        step(op, &first)?;
        step(op, &first)?;
        step(&mut other, &second)?;
        let first = (op.fetch(first.node_sum)?, op.get(first.sum)?);
        Ok((first, (other.fetch(second.node_sum)?, other.get(second.sum)?)))
    });
}

/// An `Op2` may move to another thread, and two of them may run at the same time.
#[test]
fn meshes_on_threads_of_their_own() {
    let m = Mesh { edges: 1000, nodes: 30, kind: Kind::Random };
    let run = |configuration: Configuration| {
        let mut op = configuration.op();
        let Fields { edges, map, weight, x, a, b } = Fields::declare(&mut op, &m).unwrap();
        for _ in 0..50 {
            op_par_loop!(op, scatter, edges, read(weight), read(x, map[1]), inc(a, map[0]), inc(b, map[1])).unwrap();
        }
        (op.fetch(a).unwrap(), op.fetch(b).unwrap())
    };
    let alone = run(Configuration::THREADS);
    let together = std::thread::scope(|scope| {
        let running = [(); 3].map(|()| scope.spawn(|| run(Configuration::THREADS)));
        running.map(|thread| thread.join().unwrap())
    });
    assert_eq!(together, [alone.clone(), alone.clone(), alone]);
    let mut op = Configuration::THREADS.op();
    assert!(std::thread::spawn(move || op.decl_set::<Edges>("edges", 3).is_ok()).join().unwrap());
}

/// The handles of one mesh in [`two_meshes_do_not_mix`].
struct Handles {
    edges: Set<Edges>,
    value: Dat<Edges, f64>,
    map: Map<Edges, Nodes, 1>,
    node_sum: Dat<Nodes, f64>,
    sum: Global<f64>,
}

impl Handles {
    fn declare(op: &mut Op2, m: &Mesh) -> op2::Result<Self> {
        let set = m.declare(op)?;
        Ok(Handles {
            edges: set.edges,
            value: op.decl_dat("value", set.edges, &samples(m.edges, 1))?,
            map: op.decl_map("map", set.edges, set.nodes, &m.rows(1))?,
            node_sum: op.decl_dat_filled("node_sum", set.nodes, 0.0)?,
            sum: op.decl_global("sum", 0.0),
        })
    }
}
