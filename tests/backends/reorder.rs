//! Renumbering is invisible to users: with every ordering, strategy and executor, results are those of the mesh as
//! declared, in the numbering of the declaration.

use crate::support::Configuration;
use crate::support::record::Record;
use op2::reorder::ReorderError;
use op2::{ArgMax, Backend, Config, Dat, Error, Fault, Layout, Map, Op2, Ordering, Set, Strategy, Subset, op_par_loop};
use op2_meshes::plane::{self, Triangles};

op2::sets! { pub(crate) Nodes, Edges, Walls, Cells, Loners }

const ORDERINGS: [Ordering; 8] = [
    Ordering::None,
    Ordering::Rcm,
    Ordering::Gps,
    Ordering::Runs,
    Ordering::Hilbert,
    Ordering::Metis { block: 1 },
    Ordering::Metis { block: 40 },
    Ordering::Metis { block: 5000 },
];

const STRATEGIES: [Strategy; 6] = [
    Strategy::Predicted,
    Strategy::blocks(40),
    Strategy::colours(16),
    Strategy::scatter(32),
    Strategy::tiles(50),
    Strategy::owner(30),
];

/// A triangle mesh, numbered at random, with data on all of its sets.
struct Flow {
    op: Op2,
    nodes: Set<Nodes>,
    edges: Set<Edges>,
    cells: Set<Cells>,
    some: Subset<Cells>,
    edge_nodes: Map<Edges, Nodes, 2>,
    edge_cells: Map<Edges, Cells, 2>,
    cell_nodes: Map<Cells, Nodes, 3>,
    x: Dat<Nodes, [f64; 2]>,
    u: Dat<Nodes, f64>,
    area: Dat<Cells, f64>,
    flux: Dat<Cells, [f64; 2]>,
    marks: Dat<Edges, [u32; 3]>,
}

impl Flow {
    fn new(mesh: &Triangles, config: Config) -> op2::Result<Flow> {
        let mut op = Op2::with(config)?;
        let nodes = op.decl_set("nodes", mesh.x.len())?;
        let edges = op.decl_set("edges", mesh.edge_nodes.len())?;
        let walls = op.decl_set::<Walls>("walls", mesh.bedge_nodes.len())?;
        let cells = op.decl_set("cells", mesh.cell_nodes.len())?;
        op.decl_set::<Loners>("loners", 5)?;
        op.decl_map("wall cell", walls, cells, &mesh.bedge_cell)?;
        let some: Vec<usize> = (0..mesh.cell_nodes.len()).rev().step_by(3).collect();
        let x = op.decl_dat("x", nodes, &mesh.x)?;
        op.set_coordinates(x)?;
        Ok(Flow {
            nodes,
            edges,
            cells,
            some: op.decl_subset("some", cells, &some)?,
            edge_nodes: op.decl_map("edge nodes", edges, nodes, &mesh.edge_nodes)?,
            edge_cells: op.decl_map("edge cells", edges, cells, &mesh.edge_cells)?,
            cell_nodes: op.decl_map("cell nodes", cells, nodes, &mesh.cell_nodes)?,
            x,
            u: op.decl_dat_filled("u", nodes, 0.0)?,
            area: op.decl_dat_filled("area", cells, 0.0)?,
            flux: op.decl_dat_filled("flux", cells, [0.0; 2])?,
            marks: op.decl_dat_filled("marks", edges, [0; 3])?,
            op,
        })
    }

    /// Loops that are direct, gather and increment, one over a subset, with indices and reductions.
    fn step(&mut self) -> op2::Result<()> {
        let Flow { nodes, edges, cells, some, edge_nodes, edge_cells, cell_nodes, x, u, area, flux, marks, .. } = *self;
        let op = &mut self.op;
        op_par_loop!(op, wave, nodes, read(x), write(u), idx())?;
        op_par_loop!(op, measure, cells, read(x, cell_nodes[..]), rw(area))?;
        op_par_loop!(
            op,
            exchange,
            edges,
            read(x, edge_nodes[..]),
            read(area, edge_cells[..]),
            inc(flux, edge_cells[..]),
            inc(u, edge_nodes[1])
        )?;
        op_par_loop!(op, mark, edges, idx(), idx(edge_nodes[0]), idx(edge_cells[1]), write(marks))?;
        op_par_loop!(op, spread, some, read(area), inc(u, cell_nodes[..]))
    }

    fn results(&mut self) -> op2::Result<Vec<Record>> {
        let Flow { cells, area, .. } = *self;
        let (sum, worst) = (self.op.decl_global("sum", 0.0), self.op.decl_global("worst", ArgMax::none()));
        op_par_loop!(self.op, total, cells, read(area), idx(), gbl_inc(sum), gbl_max(worst))?;
        let (_, cell) = self.op.get(worst)?.best().expect("there are cells");
        Ok(vec![
            Record::of(&self.op.fetch(self.u)?),
            Record::of(&self.op.fetch(self.area)?),
            Record::of(&self.op.fetch(self.flux)?),
            Record::of(&self.op.fetch(self.marks)?),
            Record::of(&vec![self.op.get(sum)?]),
            Record::of(&vec![cell]),
        ])
    }
}

#[op2::kernel]
fn wave(x: &[f64; 2], u: &mut f64, node: u32) {
    *u = x[0] * 3.0 - x[1] + 1e-3 * (node as f64);
}

#[op2::kernel]
fn measure(x: [&[f64; 2]; 3], area: &mut f64) {
    let (a, b) = ([x[1][0] - x[0][0], x[1][1] - x[0][1]], [x[2][0] - x[0][0], x[2][1] - x[0][1]]);
    *area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
}

#[op2::kernel]
fn exchange(x: [&[f64; 2]; 2], area: [&f64; 2], flux: [&mut [f64; 2]; 2], u: &mut f64) {
    let n = [x[1][1] - x[0][1], x[0][0] - x[1][0]];
    let f = 1.0 / (*area[0] + *area[1]);
    for c in 0..2 {
        flux[0][c] += f * n[c];
        flux[1][c] -= f * n[c];
    }
    *u += n[0];
}

#[op2::kernel]
fn mark(edge: u32, node: u32, cell: u32, marks: &mut [u32; 3]) {
    *marks = [edge, node, cell];
}

#[op2::kernel]
fn spread(area: &f64, u: [&mut f64; 3]) {
    for i in 0..3 {
        *u[i] += *area / 3.0;
    }
}

#[op2::kernel]
fn total(area: &f64, cell: u32, sum: &mut f64, worst: &mut ArgMax<f64, u32>) {
    *sum += *area;
    // Rounded to few digits, so that no rounding error decides between equal cells.
    worst.update((*area * 1e9).floor(), cell);
}

fn mesh() -> Triangles {
    plane::triangles(17, 23).graded([3.0, 1.0]).build().expect("a small mesh").shuffled(3).0
}

fn config(backend: Backend, strategy: Strategy, layout: Layout) -> Config {
    Config::default().backend(backend).strategy(strategy).layout(layout).short_loops(0).verify_plans(true)
}

/// The results of a flow that is renumbered between its first and its second step.
fn run(config: Config, ordering: Ordering) -> Vec<Record> {
    let mut flow = Flow::new(&mesh(), config).expect("a sound mesh");
    flow.step().expect("sound loops");
    flow.op.reorder(ordering).expect("an ordering that can be had");
    flow.step().expect("sound loops");
    flow.results().expect("sound loops")
}

fn assert_agrees(found: &[Record], expected: &[Record], what: &str) {
    for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
        if let Err(difference) = found.agrees(expected) {
            panic!("{what}, result {n}: {difference}");
        }
    }
}

fn reference() -> Vec<Record> {
    run(config(Backend::Seq, Strategy::Predicted, Layout::Aos), Ordering::None)
}

#[test]
fn every_ordering_and_strategy_on_threads() {
    let expected = reference();
    for ordering in ORDERINGS {
        for (n, strategy) in STRATEGIES.into_iter().enumerate() {
            let layout = [Layout::Aos, Layout::Soa, Layout::Blocked(2)][n % 3];
            let mut first: Option<Vec<Record>> = None;
            for threads in [1, 2, 5] {
                let found = run(config(Backend::Threads(threads), strategy, layout), ordering);
                let what = format!("{ordering}, {strategy}, {threads} threads");
                assert_agrees(&found, &expected, &what);
                let same = first.get_or_insert_with(|| found.clone());
                for (found, same) in found.iter().zip(&*same) {
                    assert_eq!(found.is_identical(same), Ok(()), "{what}: not as on one thread");
                }
            }
        }
        let found = run(config(Backend::Seq, Strategy::Predicted, Layout::Soa), ordering);
        assert_agrees(&found, &expected, &format!("{ordering}, sequential"));
    }
}

#[test]
fn every_ordering_and_strategy_in_the_emulator() {
    if !Configuration::emulator_runs() {
        return;
    }
    let expected = reference();
    let more = [Strategy::atomics(32), Strategy::block_atomics(40)];
    for ordering in ORDERINGS {
        for (n, strategy) in STRATEGIES.into_iter().chain(more).enumerate() {
            let layout = [Layout::Soa, Layout::Aos][n % 2];
            let found = run(config(Backend::CudaEmu, strategy, layout), ordering);
            assert_agrees(&found, &expected, &format!("{ordering}, {strategy}, in the emulator"));
        }
    }
}

/// Owner computes and scatter arrays add in the order of the elements, so all bits equal those of the sequential
/// executor.
#[test]
fn two_strategies_are_sequential_to_the_last_bit() {
    for ordering in ORDERINGS {
        let expected = run(config(Backend::Seq, Strategy::Predicted, Layout::Aos), ordering);
        for strategy in [Strategy::scatter(100), Strategy::owner(64), Strategy::owner(7)] {
            let found = run(config(Backend::Threads(2), strategy, Layout::Aos), ordering);
            // The sum over all cells is a reduction, whose blocks are added one after the other.
            let reductions = 4;
            for (n, (found, expected)) in found.iter().zip(&expected).enumerate().filter(|(n, _)| *n != reductions) {
                assert_eq!(found.is_identical(expected), Ok(()), "{ordering}, {strategy}, result {n}");
            }
        }
    }
}

#[test]
fn what_goes_in_and_out_keeps_its_numbering() {
    for ordering in ORDERINGS {
        let mesh = mesh();
        let mut flow = Flow::new(&mesh, Config::default()).expect("a sound mesh");
        flow.op.reorder(ordering).expect("an ordering that can be had");
        assert_eq!(flow.op.fetch(flow.x).expect("there"), mesh.x, "{ordering}");
        let values: Vec<f64> = (0..mesh.x.len()).map(|n| n as f64).collect();
        flow.op.set_data(flow.u, &values).expect("the right number");
        flow.op.set_layout(flow.u, Layout::Blocked(3)).expect("there");
        assert_eq!(flow.op.fetch(flow.u).expect("there"), values, "{ordering}");
        // Later declarations follow the new numbers: a dat, a map, a subset.
        let late = flow.op.decl_dat("late", flow.nodes, &values).expect("the right number");
        let rows: Vec<[usize; 1]> = (0..mesh.cell_nodes.len()).map(|c| [c / 2]).collect();
        let half = flow.op.decl_map("half", flow.cells, flow.nodes, &rows).expect("sound");
        let first = flow.op.decl_subset("first", flow.cells, &[4, 2, 9]).expect("sound");
        let got = flow.op.decl_dat_filled("got", flow.cells, [0.0; 2]).expect("sound");
        op_par_loop!(flow.op, look, first, read(late, half[0]), idx(), write(got)).expect("sound");
        let mut expected = vec![[0.0; 2]; mesh.cell_nodes.len()];
        for c in [4, 2, 9] {
            expected[c] = [(c / 2) as f64, c as f64];
        }
        assert_eq!(flow.op.fetch(got).expect("there"), expected, "{ordering}");
        // A second ordering after the first, and a map that changes.
        flow.op.reorder(Ordering::Rcm).expect("an ordering that can be had");
        let rows: Vec<[usize; 1]> = (0..mesh.cell_nodes.len()).map(|c| [c / 3]).collect();
        flow.op.set_map(half, &rows).expect("sound");
        op_par_loop!(flow.op, look, first, read(late, half[0]), idx(), write(got)).expect("sound");
        for c in [4, 2, 9] {
            expected[c] = [(c / 3) as f64, c as f64];
        }
        assert_eq!(flow.op.fetch(got).expect("there"), expected, "{ordering}, then rcm");
    }
}

#[op2::kernel]
fn look(value: &f64, cell: u32, got: &mut [f64; 2]) {
    *got = [*value, cell as f64];
}

#[op2::kernel]
fn overwrite(nodes: [&mut f64; 2]) {
    *nodes[0] = 1.0;
    *nodes[1] = 2.0;
}

/// Errors contain the user's numbers of elements.
#[test]
fn errors_speak_of_the_users_numbers() {
    let mut op = Op2::with(Config::default().shuffled(11)).expect("sound");
    let edges = op.decl_set::<Edges>("edges", 40).expect("sound");
    let nodes = op.decl_set::<Nodes>("nodes", 50).expect("sound");
    let rows: Vec<[usize; 2]> = (0..40).map(|e| if e == 23 { [31, 31] } else { [e, e + 1] }).collect();
    let map = op.decl_map("map", edges, nodes, &rows).expect("sound");
    let value = op.decl_dat_filled("value", nodes, 0.0).expect("sound");
    let Err(Error::Loop(error)) = op_par_loop!(op, overwrite, edges, write(value, map[..])) else {
        panic!("an element that writes one target twice is refused")
    };
    assert!(matches!(error.fault, Fault::Collision { element: 23, target: 31, .. }), "{error}");
}

#[test]
fn what_cannot_be_reordered_says_why_and_stays() {
    let mut op = Op2::new().expect("sound");
    let nodes = op.decl_set::<Nodes>("nodes", 3).expect("sound");
    let refused = |op: &mut Op2, ordering| match op.reorder(ordering) {
        Err(Error::Reorder(error)) => error,
        other => panic!("{ordering}: {other:?}"),
    };
    assert_eq!(refused(&mut op, Ordering::Gps), ReorderError::NoMap);
    assert_eq!(refused(&mut op, Ordering::Hilbert), ReorderError::NoCoordinates);
    let x = op.decl_dat("x", nodes, &[[0.0, 1.0], [f64::NAN, 0.0], [1.0, 1.0]]).expect("sound");
    op.set_coordinates(x).expect("two dimensions");
    let error = Error::Reorder(refused(&mut op, Ordering::Hilbert)).to_string();
    assert!(error.starts_with("cannot reorder the mesh: coordinate 0 of element 1 is NaN"), "{error}");
    let wide = op.decl_dat_filled("wide", nodes, [0.0; 4]).expect("sound");
    let error = op.set_coordinates(wide).expect_err("four dimensions").to_string();
    assert_eq!(error, "cannot reorder the mesh: the dat of coordinates has dim 4, expected 1, 2 or 3");
}
