//! Kernels that panic on a CPU: there the panic reaches the loop's caller; devices report it if checks are requested.
//! The `Op2` stays usable in both cases.

use crate::support::configuration::Numbering;
use crate::support::{Configuration, Edges, Nodes, STRATEGIES};
use op2::devices::{Options, Panic};
use op2::{Backend, Config, Dat, Error, Fault, Global, Isa, Map, Op2, Set, Strategy, Table, op_par_loop};
use std::panic::{AssertUnwindSafe, catch_unwind};

const EDGES: usize = 150;
const NODES: usize = 101;
/// The element that panics.
const BAD: usize = 37;

#[op2::kernel]
fn takes(i: &i64, by: &i64, row: &[f64; 4], out: &mut f64, ends: [&mut f64; 2], total: &mut f64) {
    let x = row[(*i / *by) as usize];
    *out = x;
    *ends[0] += x;
    *ends[1] += x;
    *total += x;
}

#[op2::kernel]
fn operates(which: &i32, a: &i32, by: &i32, out: &mut i32) {
    if *which == 0 {
        *out = *a / *by;
    } else if *which == 1 {
        *out = *a % *by;
    } else if *which == 2 {
        *out = 5.clamp(*a, *by);
    } else {
        *out = *a << *by;
    }
}

/// What holds of the length of an edge.
#[op2::device_fn]
fn is_length(x: f64) -> bool {
    x > 0.0
}

/// Its assertions stand where lanes are off, and where stages differ in what they know.
#[op2::kernel]
fn asserts(length: &f64, kind: &i64, ends: [&mut f64; 2], out: &mut f64) {
    let half = *length * 0.5;
    if *kind > 0 {
        debug_assert!(*kind > 0 && is_length(half), "an edge of length {length}");
        *ends[0] += half;
        *ends[1] += half;
    } else {
        debug_assert_eq!(*kind, 0);
    }
    *out = half;
}

struct Fixture {
    op: Op2,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 2>,
    index: Dat<Edges, i64>,
    by: Dat<Edges, i64>,
    row: Dat<Edges, [f64; 4]>,
    out: Dat<Edges, f64>,
    sum: Dat<Nodes, f64>,
    total: Global<f64>,
}

type Values = (Vec<f64>, Vec<f64>, f64);

impl Fixture {
    fn new(mut op: Op2) -> Self {
        let edges = op.decl_set("edges", EDGES).unwrap();
        let nodes = op.decl_set("nodes", NODES).unwrap();
        let rows: Vec<_> = (0..EDGES).map(|e| [e % NODES, (e * 7 + 1) % NODES]).collect();
        Fixture {
            edges,
            ends: op.decl_map("ends", edges, nodes, &rows).unwrap(),
            index: op.decl_dat_filled("index", edges, 1).unwrap(),
            by: op.decl_dat_filled("by", edges, 1).unwrap(),
            row: op.decl_dat_filled("row", edges, [1.0, 2.0, 4.0, 8.0]).unwrap(),
            out: op.decl_dat_filled("out", edges, -1.0).unwrap(),
            sum: op.decl_dat_filled("sum", nodes, 0.0).unwrap(),
            total: op.decl_global("total", 0.5),
            op,
        }
    }

    /// Runs the loop with this index and divisor for the bad element.
    fn run(&mut self, index: i64, by: i64) -> op2::Result<()> {
        let all = |usual, bad| (0..EDGES).map(|e| if e == BAD { bad } else { usual }).collect::<Vec<i64>>();
        self.op.set_data(self.index, &all(1, index))?;
        self.op.set_data(self.by, &all(1, by))?;
        self.call()
    }

    fn call(&mut self) -> op2::Result<()> {
        let Fixture { ref mut op, edges, ends, index, by, row, out, sum, total } = *self;
        op_par_loop!(op, takes, edges, read(index), read(by), read(row), write(out), inc(sum, ends[..]), gbl_inc(total))
    }

    fn values(&self) -> Values {
        let Fixture { op, out, sum, total, .. } = self;
        (op.fetch(*out).unwrap(), op.fetch(*sum).unwrap(), op.get(*total).unwrap())
    }

    /// Resets all data that the loop changes, and runs it without a fault.
    fn works_on(mut self, of: &str) {
        let before = self.values();
        assert_eq!(before.2, 0.5, "{of}: a global has no part of a loop that did not end");
        assert!(before.0.iter().all(|&x| x == -1.0 || x == 2.0), "{of}: a dat is partly updated");
        self.op.set_data(self.out, &[-1.0; EDGES]).unwrap();
        self.op.set_data(self.sum, &[0.0; NODES]).unwrap();
        self.run(3, 1).unwrap_or_else(|e| panic!("{of}: {e}"));
        let (mut out, mut sum) = (vec![2.0; EDGES], vec![0.0; NODES]);
        out[BAD] = 8.0;
        for e in 0..EDGES {
            sum[e % NODES] += out[e];
            sum[(e * 7 + 1) % NODES] += out[e];
        }
        let total = 0.5 + out.iter().sum::<f64>();
        assert_eq!(self.values(), (out, sum, total), "{of}");
    }
}

#[test]
fn a_panic_reaches_the_caller_and_the_mesh_works_on() {
    let split = Strategy::split(40, 1);
    for (n, strategy) in STRATEGIES.into_iter().chain([split]).enumerate() {
        for isa in Isa::available() {
            for backend in [Backend::Seq, Backend::Threads(n % 3 + 1)] {
                for (index, by, words) in [(4, 1, "index out of bounds"), (1, 0, "attempt to divide by zero")] {
                    let numbering = if n % 2 == 1 { Numbering::Shuffled } else { Numbering::Declared };
                    let configuration = Configuration { backend, strategy, isa, numbering, ..Configuration::SEQ };
                    let mut fixture = Fixture::new(configuration.op());
                    let caught = catch_unwind(AssertUnwindSafe(|| fixture.run(index, by)));
                    let payload = caught.expect_err("the kernel panics");
                    let said = payload.downcast_ref::<String>().cloned();
                    let said = said.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
                    assert!(said.as_ref().is_some_and(|said| said.contains(words)), "{configuration}: {said:?}");
                    fixture.works_on(&configuration.to_string());
                }
            }
        }
    }
}

/// Runs a loop over edges of this length, one of them of another kind and length.
fn asserted(op: &mut Op2, kind: i64, length: f64) -> op2::Result<()> {
    let (edges, nodes) = (op.decl_set::<Edges>("edges", EDGES)?, op.decl_set::<Nodes>("nodes", NODES)?);
    let rows: Vec<_> = (0..EDGES).map(|e| [e % NODES, (e * 7 + 1) % NODES]).collect();
    let ends = op.decl_map("ends", edges, nodes, &rows)?;
    let at = |e| if e == BAD { (kind, length) } else { ((e % 3) as i64, 1.0) };
    let (kinds, lengths): (Vec<i64>, Vec<f64>) = (0..EDGES).map(at).unzip();
    let (kind, length) = (op.decl_dat("kind", edges, &kinds)?, op.decl_dat("length", edges, &lengths)?);
    let (sum, out) = (op.decl_dat_filled("sum", nodes, 0.0)?, op.decl_dat_filled("out", edges, 0.0)?);
    op_par_loop!(op, asserts, edges, read(length), read(kind), inc(sum, ends[..]), write(out))
}

/// Assertions fail for the element that does not fulfil them, and for no other. An element that does not come to an assertion
/// may not fulfil it.
#[test]
fn assertions_are_checked() {
    let cases = [(1, 1.0, false), (0, -1.0, false), (2, -1.0, true), (-1, 1.0, true)];
    for (n, strategy) in STRATEGIES.into_iter().enumerate() {
        for isa in Isa::available() {
            for (kind, length, fails) in cases {
                let backend = [Backend::Seq, Backend::Threads(n % 3 + 1)][n % 2];
                let configuration = Configuration { backend, strategy, isa, ..Configuration::SEQ };
                let caught = catch_unwind(AssertUnwindSafe(|| asserted(&mut configuration.op(), kind, length)));
                assert_eq!(
                    caught.is_err(),
                    fails && cfg!(debug_assertions),
                    "{configuration}: kind {kind}, length {length}"
                );
            }
        }
    }
    if !Configuration::emulator_runs() {
        return;
    }
    for strategy in ON_DEVICES {
        for checks in [false, true] {
            for (kind, length, fails) in cases {
                // The emulator always checks.
                let done = asserted(&mut emulator(strategy, true, checks), kind, length);
                match fails {
                    false => done.unwrap_or_else(|e| panic!("{strategy}: {e}")),
                    true => {
                        let error = done.expect_err("it is reported");
                        assert_eq!(panic_of(&error), (BAD, Panic::Assertion), "{strategy}");
                        let words = "element 37 does not fulfil a `debug_assert!`";
                        assert!(error.to_string().contains(words), "{error}");
                    }
                }
            }
        }
    }
}

#[op2::kernel]
fn looks_up(number: &u32, asks: &i32, x: &Table<Nodes, f64>, out: &mut f64) {
    if *asks > 0 {
        *out = x.at(x.nth(*number));
    }
}

/// Asks for a node by its number, one of them that of the bad edge.
fn looked_up(op: &mut Op2, number: u32, asks: i32, nodes: usize) -> op2::Result<Vec<f64>> {
    let at = |e| if e == BAD { (number, asks) } else { (e as u32 % 7, i32::from(nodes > 0)) };
    let (edges, nodes) = (op.decl_set::<Edges>("edges", EDGES)?, op.decl_set::<Nodes>("nodes", nodes)?);
    let (numbers, asks): (Vec<u32>, Vec<i32>) = (0..EDGES).map(at).unzip();
    let (number, asks) = (op.decl_dat("number", edges, &numbers)?, op.decl_dat("asks", edges, &asks)?);
    let x = op.decl_dat_filled("x", nodes, 2.0)?;
    let out = op.decl_dat_filled("out", edges, -1.0)?;
    op_par_loop!(op, looks_up, edges, read(number), read(asks), read(x, all), rw(out))?;
    op.fetch(out)
}

/// A number that no element has is found before any memory is read; one that is not asked for does not matter.
#[test]
fn numbers_of_no_element() {
    // The last one has no element at all.
    let cases = [(101, 1, NODES, true), (u32::MAX, 1, NODES, true), (u32::MAX, 0, NODES, false), (0, 1, 0, true)];
    for (n, isa) in Isa::available().into_iter().enumerate() {
        for (number, asks, nodes, fails) in cases {
            let backend = [Backend::Seq, Backend::Threads(2)][n % 2];
            let configuration = Configuration { backend, isa, ..Configuration::SEQ };
            let caught = catch_unwind(AssertUnwindSafe(|| looked_up(&mut configuration.op(), number, asks, nodes)));
            assert_eq!(caught.is_err(), fails, "{configuration}: {number} of {nodes}");
        }
    }
    if !Configuration::emulator_runs() {
        return;
    }
    for (number, asks, nodes, fails) in cases {
        let done = looked_up(&mut emulator(Strategy::Predicted, nodes > 0, false), number, asks, nodes);
        match (done, fails) {
            (Ok(found), false) => assert_eq!((found[BAD], found[0]), (-1.0, 2.0)),
            (Err(error), true) => {
                let panic = Panic::Index { index: number.into(), length: nodes as u64 };
                assert_eq!(panic_of(&error), (BAD, panic));
            }
            (done, _) => panic!("{number} of {nodes}: {done:?}"),
        }
    }
}

/// The emulator, with or without checks of kernels.
fn emulator(strategy: Strategy, shuffled: bool, checks: bool) -> Op2 {
    let config = Config::default().backend(Backend::CudaEmu).strategy(strategy).device_checks(checks);
    let config = config.emulator(Options { seed: 5, ..Options::default() });
    Op2::with(if shuffled { config.shuffled(3) } else { config }).expect("the emulator runs")
}

fn panic_of(error: &Error) -> (usize, Panic) {
    let Error::Loop(inner) = error else { panic!("{error}") };
    let Fault::Panic { element, panic } = inner.fault else { panic!("{error}") };
    (element, panic)
}

const ON_DEVICES: [Strategy; 7] = [
    Strategy::Predicted,
    Strategy::Auto,
    Strategy::colours(32),
    Strategy::block_atomics(64),
    Strategy::scatter(32),
    Strategy::owner(40),
    Strategy::split(64, 1),
];

#[test]
fn devices_report_the_element_and_work_on() {
    if !Configuration::emulator_runs() {
        return;
    }
    for strategy in ON_DEVICES {
        for (shuffled, checks) in [(false, true), (true, true), (true, false)] {
            let mut fixture = Fixture::new(emulator(strategy, shuffled, checks));
            let error = fixture.run(-1, 1).expect_err("there is no such index");
            assert_eq!(panic_of(&error), (BAD, Panic::Index { index: u64::MAX, length: 4 }), "{strategy}");
            if checks {
                let error = fixture.run(1, 0).expect_err("nothing is divided by zero");
                assert_eq!(panic_of(&error), (BAD, Panic::Division), "{strategy}");
                let expected = "element 37 divides an integer by zero: the kernel panics for it on a CPU, and what the loop \
                                modifies is partly updated; correct the kernel";
                assert!(error.to_string().ends_with(expected), "{error}");
                assert!(error.to_string().starts_with("loop `takes` (tests/backends/panics.rs:"), "{error}");
            } else {
                // The result of `x / 0` is 0, the index of the first entry, which is 1.
                fixture.run(1, 0).expect("a value is defined");
                assert_eq!(fixture.values().0[BAD], 1.0);
                continue;
            }
            fixture.works_on(&strategy.to_string());
        }
    }
}

/// On devices without checks, integer operations have the values in the table of the kernel language; with checks they
/// are reported.
#[test]
fn operations_have_values_or_are_reported() {
    if !Configuration::emulator_runs() {
        return;
    }
    let shift = |count| Panic::Shift { count, bits: 32 };
    let cases = [
        (0, 7, 0, 0, Panic::Division),
        (1, 7, 0, 7, Panic::Division),
        (0, i32::MIN, -1, i32::MIN, Panic::Overflow),
        (1, i32::MIN, -1, 0, Panic::Overflow),
        (2, 9, 3, 3, Panic::Clamp),
        (3, 3, 33, 6, shift(33)),
        (3, 1, -1, i32::MIN, shift(-1)),
    ];
    for (which, a, by, value, panic) in cases {
        for checks in [false, true] {
            let mut op = emulator(Strategy::Predicted, true, checks);
            let edges = op.decl_set::<Edges>("edges", EDGES).unwrap();
            let dat = |op: &mut Op2, name, usual: i32, bad: i32| {
                let all: Vec<i32> = (0..EDGES).map(|e| if e == BAD { bad } else { usual }).collect();
                op.decl_dat(name, edges, &all).unwrap()
            };
            let which = dat(&mut op, "which", 0, which);
            let (a, by) = (dat(&mut op, "a", 6, a), dat(&mut op, "by", 2, by));
            let out = dat(&mut op, "out", 0, 0);
            let done = op_par_loop!(op, operates, edges, read(which), read(a), read(by), write(out));
            match checks {
                true => assert_eq!(panic_of(&done.expect_err("it is reported")), (BAD, panic)),
                false => {
                    done.unwrap();
                    let found = op.fetch(out).unwrap();
                    assert!((0..EDGES).all(|e| found[e] == if e == BAD { value } else { 3 }), "{panic:?}: {found:?}");
                }
            }
        }
    }
}
