//! Time to build every kind of plan of airfoil's `res_calc` (720,000 cells, 1,438,600 edges; increments
//! through both entries of edge→cell, reads through edge→node), on one core: minimum of several
//! repetitions.
//!
//! `cargo bench -p op2-benches --bench schemes`

use op2_runtime::Access;
use op2_runtime::inspect::{Elements, LoopShape, Through, Touch};
use op2_runtime::plan::{Hardware, Plan, Scheme, Traffic, check, predict};
use std::hint::black_box;
use std::time::Instant;

/// The kind of machine for which plans are predicted.
const KIND: Hardware = Hardware::ManyCores;
const I: usize = 400;
const J: usize = 600;
const CELLS: usize = 3 * I * J;
const NODES: usize = (3 * I + 1) * (J + 1);

/// Edges of the airfoil mesh: nodes and cells of each.
struct Mesh {
    pedge: Vec<u32>,
    pecell: Vec<u32>,
}

fn airfoil() -> Mesh {
    let node = |i: usize, j: usize| ((j - 1) * (3 * I + 1) + i - 1) as u32;
    let cell = |i: usize, j: usize| ((j - 1) * 3 * I + i - 1) as u32;
    let mut mesh = Mesh { pedge: Vec::new(), pecell: Vec::new() };
    let mut edge = |nodes: [u32; 2], cells: [u32; 2]| {
        mesh.pedge.extend(nodes);
        mesh.pecell.extend(cells);
    };
    for j in 1..=J {
        for i in 1..=3 * I {
            if j == 1 && i <= I {
                edge([node(i, 1), node(i + 1, 1)], [cell(3 * I + 1 - i, 1), cell(i, 1)]);
            }
            if j < J {
                edge([node(i, j + 1), node(i + 1, j + 1)], [cell(i, j), cell(i, j + 1)]);
            }
            if i < 3 * I {
                edge([node(i + 1, j), node(i + 1, j + 1)], [cell(i + 1, j), cell(i, j)]);
            }
        }
    }
    mesh
}

/// The same mesh with nodes, cells and edges numbered at random.
fn shuffled(mesh: &Mesh) -> Mesh {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut permutation = |n: usize| {
        let mut p: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            p.swap(i, ((u128::from(state) * (i as u128 + 1)) >> 64) as usize);
        }
        p
    };
    let (nodes, cells, edges) = (permutation(NODES), permutation(CELLS), permutation(mesh.pedge.len() / 2));
    let rename = |map: &[u32], new: &[u32]| {
        edges.iter().flat_map(|&e| [new[map[2 * e as usize] as usize], new[map[2 * e as usize + 1] as usize]]).collect()
    };
    Mesh { pedge: rename(&mesh.pedge, &nodes), pecell: rename(&mesh.pecell, &cells) }
}

fn res_calc(mesh: &Mesh) -> LoopShape<'_> {
    let touch = |arg, dat, bytes, access, map: u32, entry: usize| {
        let (entries, targets) = if map == 0 { (&mesh.pedge, NODES) } else { (&mesh.pecell, CELLS) };
        let through = Through { map, entries, arity: 2, offsets: None, used: entry..entry + 1 };
        Touch { arg, dat, targets, bytes, access, through: Some(through), own: false }
    };
    let touches = vec![
        touch(0, 0, 16, Access::Read, 0, 0),
        touch(1, 0, 16, Access::Read, 0, 1),
        touch(2, 1, 32, Access::Read, 1, 0),
        touch(3, 1, 32, Access::Read, 1, 1),
        touch(4, 2, 8, Access::Read, 1, 0),
        touch(5, 2, 8, Access::Read, 1, 1),
        touch(6, 3, 32, Access::Inc, 1, 0),
        touch(7, 3, 32, Access::Inc, 1, 1),
    ];
    LoopShape { elements: Elements::All(mesh.pedge.len() / 2), touches }
}

/// Least milliseconds of several calls.
fn least<T>(mut f: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(f());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..9).map(once).fold(f64::INFINITY, f64::min)
}

fn table(name: &str, shape: &LoopShape<'_>) {
    println!("\nres_calc, {name} numbering: {} edges, {CELLS} cells", shape.elements.len());
    let traffic = Traffic::of(shape).expect("the mesh is sound");
    println!("  useful bytes per cell {:.1}", traffic.useful_bytes() as f64 / CELLS as f64);
    println!("  {:<38} {:>8} {:>8} {:>8} {:>8}", "", "ms", "blocks", "colours", "reuse");
    println!("  {:<38} {:>8.2}", "traffic and inspection alone", least(|| check(shape)));
    println!(
        "  {:<38} {:>8.2}   {}",
        "predict alone",
        least(|| predict(shape, KIND)),
        predict(shape, KIND).expect("sound")
    );
    let coloured = [Scheme::blocks(5000), Scheme::blocks(256), Scheme::colours(1400)];
    let redirected = [Scheme::scatter(5000), Scheme::tiles(5000), Scheme::owner(5000)];
    for scheme in coloured.into_iter().chain(redirected) {
        row(&scheme.to_string(), shape, || Plan::build(shape, scheme).expect("sound"));
    }
    row("predicted, with its plan", shape, || Plan::predicted(shape, KIND).expect("sound"));
}

fn row(name: &str, shape: &LoopShape<'_>, mut build: impl FnMut() -> Plan) {
    let ms = least(&mut build);
    let plan = build();
    let reuse = plan.reuse_factor(shape).expect("same loop");
    println!("  {name:<38} {ms:>8.2} {:>8} {:>8} {reuse:>8.2}", plan.blocks(), plan.colours());
    if plan.redirect().is_some() {
        return;
    }
    let start = Instant::now();
    let most = plan.element_colours(shape).expect("same loop").most();
    println!("  {:<38} {:>8.2} {:>8} {most:>8}", "  and its element colours", start.elapsed().as_secs_f64() * 1e3, "");
}

fn main() {
    let mesh = airfoil();
    table("ordered", &res_calc(&mesh));
    table("random", &res_calc(&shuffled(&mesh)));
}
