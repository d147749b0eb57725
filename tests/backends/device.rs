//! Properties of devices: data on two sides, reductions that are not read yet, replaced strategies, and errors.

use crate::support::{Configuration, Mesh, on_every_backend, samples};
use op2::{
    ArgMax, Backend, Config, Dat, Error, Fault, Global, Idx, Layout, LoopError, Map, Op2, Reads, Set, Strategy,
    devices, op_par_loop,
};

#[op2::kernel]
fn gather(x: &f64, sum: &mut f64, greatest: &mut f64, where_: &mut ArgMax<f64, u32>, node: u32) {
    *sum += *x;
    *greatest = greatest.max(*x);
    where_.update(*x, node);
}

#[op2::kernel]
fn shift(by: &f64, x: &mut f64) {
    *x += *by;
}

/// The results of several loops add up whether or not they are read in between, and a loop that reads a global sees the
/// results of earlier loops.
#[test]
fn results_wait_until_they_are_asked_for() {
    let expected = |m: &Mesh| {
        let mut x: Vec<f64> = samples(m.nodes, 1);
        let sum = 2.0 * (1.0 + 2.0 * x.iter().sum::<f64>());
        let greatest = x.iter().copied().fold(-0.5, f64::max);
        let at = (0..x.len()).rev().max_by(|&a, &b| x[a].total_cmp(&x[b])).map(|i| i as u32);
        for v in &mut x {
            *v += 1.0 + 2.0 * (sum / 2.0 - 1.0) / 2.0;
        }
        (sum, greatest, at, x)
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let x = op.decl_dat("x", nodes, &samples::<f64>(m.nodes, 1))?;
        let sum = op.decl_global("sum", 1.0);
        let greatest = op.decl_global("greatest", -0.5);
        let at = op.decl_global("at", ArgMax::none());
        for _ in 0..2 {
            op_par_loop!(op, gather, nodes, read(x), gbl_inc(sum), gbl_max(greatest), gbl_max(at), idx())?;
        }
        op_par_loop!(op, shift, nodes, gbl_read(sum), rw(x))?;
        // Reading keeps the value, and setting discards what was gathered.
        let seen = (op.get(sum)?, op.get(sum)?);
        assert_eq!(seen.0, seen.1);
        op.set(sum, 2.0 * seen.0)?;
        let result = (op.get(sum)?, op.get(greatest)?, op.get(at)?.best().map(|(_, node)| node), op.fetch(x)?);
        Ok(result)
    });
}

#[op2::kernel]
fn add_to(x: &f64, total: &mut f64) {
    *total += *x;
}

#[op2::kernel]
fn raise_to(x: &f64, total: &mut f64) {
    *total = total.max(*x);
}

/// One global is reduced by sums, then by maxima, then by sums again. It starts below all values, so the value before
/// the first maximum matters there, but not afterwards.
#[test]
fn ways_of_reducing_take_turns() {
    const START: f64 = -1000.0;
    let expected = |m: &Mesh| {
        let x: Vec<f64> = samples(m.nodes, 4);
        let sum: f64 = x.iter().sum();
        x.iter().copied().fold(START + sum, f64::max) + sum
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let x = op.decl_dat("x", nodes, &samples::<f64>(m.nodes, 4))?;
        let total = op.decl_global("total", START);
        op_par_loop!(op, add_to, nodes, read(x), gbl_inc(total))?;
        op_par_loop!(op, raise_to, nodes, read(x), gbl_max(total))?;
        op_par_loop!(op, add_to, nodes, read(x), gbl_inc(total))?;
        op.get(total)
    });
}

#[op2::kernel]
fn double(x: &mut [f64; 2]) {
    x[0] *= 2.0;
    x[1] += x[0];
}

/// The host changes values, a layout and single dats between loops, and reads twice.
#[test]
fn both_sides_change_data() {
    let expected = |m: &Mesh| {
        let step = |v: &mut [f64; 2]| {
            v[0] *= 2.0;
            v[1] += v[0];
        };
        let mut first: Vec<[f64; 2]> = samples(m.nodes, 1);
        (0..2).for_each(|_| first.iter_mut().for_each(step));
        let mut second: Vec<[f64; 2]> = samples(m.nodes, 2);
        second.iter_mut().for_each(step);
        (first, second)
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let x = op.decl_dat("x", nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        op_par_loop!(op, double, nodes, rw(x))?;
        assert_eq!(op.fetch(x)?, op.fetch(x)?);
        op.set_layout(x, Layout::Soa)?;
        op_par_loop!(op, double, nodes, rw(x))?;
        op.set_layout(x, Layout::Blocked(3))?;
        let first = op.fetch(x)?;
        op.set_data(x, &samples::<[f64; 2]>(m.nodes, 2))?;
        op_par_loop!(op, double, nodes, rw(x))?;
        Ok((first, op.fetch(x)?))
    });
}

/// A ring in the emulator, if it runs here.
struct Ring {
    op: Op2,
    edges: Set<crate::support::Edges>,
    nodes: Set<crate::support::Nodes>,
    ends: Map<crate::support::Edges, crate::support::Nodes, 2>,
    x: Dat<crate::support::Nodes, f64>,
    total: Global<f64>,
}

impl Ring {
    fn new(config: Config) -> Option<Ring> {
        if !Configuration::emulator_runs() {
            return None;
        }
        let mesh = Mesh { edges: 100, nodes: 100, kind: crate::support::mesh::Kind::Ring };
        let mut op = Op2::with(config.backend(Backend::CudaEmu)).expect("the emulator runs");
        let set = mesh.declare(&mut op).expect("two sets");
        let ends = op.decl_map("ends", set.edges, set.nodes, &mesh.rows::<2>(1)).expect("a map");
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(100, 1)).expect("a dat");
        let total = op.decl_global("total", 0.0);
        Some(Ring { op, edges: set.edges, nodes: set.nodes, ends, x, total })
    }

    fn shift(&mut self) -> op2::Result<()> {
        let Ring { ref mut op, edges, ends, x, total, .. } = *self;
        op_par_loop!(op, shift, edges, gbl_read(total), rw(x, ends[0]))
    }

    fn swap(&mut self) -> op2::Result<()> {
        let Ring { ref mut op, edges, ends, x, .. } = *self;
        op_par_loop!(op, swap, edges, rw(x, ends[..]))
    }
}

#[op2::kernel]
fn swap(x: [&mut f64; 2]) {
    let first = *x[0];
    *x[0] = *x[1];
    *x[1] = first;
}

/// If a loop cannot follow its strategy, the report tells so, with the reason.
#[test]
fn strategies_that_cannot_be_are_replaced_openly() {
    let cases = [
        (Strategy::atomics(32), "global colours, 32 a block", "coloured instead: elements that write through maps"),
        (Strategy::block_atomics(64), "staged, coloured blocks, 64 a block", "blocks coloured instead"),
        (Strategy::scatter(32), "global colours, 32 a block", "coloured instead"),
        (Strategy::blocks(5000), "staged, coloured blocks, 1024 a block", "a thread block has no more threads"),
        (
            Strategy::blocks(64).reading(Reads::Gathered),
            "staged, coloured blocks, 64 a block",
            "staged: the loop changes what it reads through maps",
        ),
        (
            Strategy::tiles(64),
            "staged, coloured blocks, 64 a block",
            "coloured instead: elements that write through maps",
        ),
        (
            Strategy::owner(5000),
            "staged, coloured blocks, 1024 a block",
            "coloured instead: elements that write through maps",
        ),
    ];
    for (strategy, ran, note) in cases {
        let Some(mut ring) = Ring::new(Config::default().strategy(strategy)) else { return };
        ring.swap().unwrap();
        let report = ring.op.report();
        let row = &report.loops[0];
        assert_eq!(row.strategy, ran, "{strategy}");
        assert!(row.note.as_ref().is_some_and(|n| n.contains(note)), "{strategy}: {:?}", row.note);
        assert!(report.to_string().contains(note), "{report}");
        // After a reset, the report still knows how the loop runs.
        ring.op.reset_report();
        ring.swap().unwrap();
        assert_eq!((ring.op.report().loops[0].strategy.as_str(), ring.op.report().loops[0].calls), (ran, 1));
    }
}

#[op2::kernel]
fn lead_to(all: Idx<crate::support::Nodes>, ends: &mut [Idx<crate::support::Nodes>; 2]) {
    *ends = [all; 2];
}

#[op2::kernel]
fn from_ends(x: [&f64; 2], sum: &mut f64) {
    *sum = *x[0] + *x[1];
}

/// The host does not look at entries that a kernel has written, if the loop through them needs no plan: it counts each entry as if it led
/// to an element of its own. With a strategy in blocks it does.
#[test]
fn entries_stay_on_the_device_if_no_plan_needs_them() {
    for (strategy, reached) in [(Strategy::Predicted, 100), (Strategy::Auto, 100), (Strategy::blocks(32), 1)] {
        let Some(ring) = Ring::new(Config::default().strategy(strategy)) else { return };
        let Ring { mut op, edges, nodes, ends, x, .. } = ring;
        let first = op.decl_map("first", edges, nodes, &[[7]; 100]).unwrap();
        let sum = op.decl_dat_filled("sum", edges, 0.0).unwrap();
        op_par_loop!(op, lead_to, edges, idx(first[0]), write(ends)).unwrap();
        op_par_loop!(op, from_ends, edges, read(x, ends[..]), write(sum)).unwrap();
        let bytes = op.report().loops.iter().find(|row| row.name == "from_ends").unwrap().useful_bytes;
        assert_eq!(bytes, 8 * (reached + 100) + 4 * 200, "{strategy}");
        let expected = 2.0 * op.value(x, 7).unwrap();
        assert_eq!(op.fetch(sum).unwrap(), vec![expected; 100], "{strategy}");
        assert_eq!(op.fetch_map(ends).unwrap(), vec![[7; 2]; 100], "{strategy}");
    }
}

/// The error of a device without memory names the purpose of the memory, and the host's data stay.
#[test]
fn memory_that_runs_out_is_an_error_of_the_loop() {
    let Some(mut ring) = Ring::new(Config::default().emulator(devices::Options { memory: 1000, ..Default::default() }))
    else {
        return;
    };
    let before = ring.op.fetch(ring.x).unwrap();
    let error = ring.shift().expect_err("100 numbers and a map do not fit into 1000 bytes");
    let Error::Loop(inner) = &error else { panic!("{error}") };
    let LoopError { site, fault: Fault::Device(devices::Error::OutOfMemory { what, .. }) } = &**inner else {
        panic!("{error}")
    };
    assert_eq!(site.kernel, "shift");
    assert!(what.contains('`'), "{what}");
    assert!(error.to_string().starts_with("loop `shift` (tests/backends/device.rs:"), "{error}");
    assert!(error.to_string().contains("no memory on emulator for "), "{error}");
    assert_eq!(ring.op.fetch(ring.x).unwrap(), before);
    assert_eq!(ring.op.get(ring.total).unwrap(), 0.0);
}

/// Without the feature, or without a GPU, a program that requests one gets an error.
#[test]
fn a_gpu_that_is_not_there_is_an_error() {
    if std::env::var_os("OP2_TEST_GPU").is_some() {
        return;
    }
    let error = Op2::with(Config::default().backend(Backend::Cuda(99))).err().expect("nobody has 100 GPUs");
    let expected = if cfg!(feature = "cuda") { "no GPU to run on" } else { "enable the feature `cuda` of op2" };
    assert!(error.to_string().contains(expected), "{error}");
}
