//! Chains: loops that run in one pass, compared with the same loops called one by one.

use crate::support::record::Record;
use crate::support::{Configuration, Mesh, Nodes, Subject, on_every_backend, samples};
use op2::report::ChainRow;
use op2::{ArgMax, Backend, Config, Dat, Global, Map, Op2, Report, Set, Strategy, Subset, op_par_loop};

#[op2::kernel]
fn grow(a: &f64, b: &mut [f64; 2]) {
    *b = [*a, 2.0 * *a + 0.3];
}

#[op2::kernel]
fn mix(b: &mut [f64; 2], c: &mut f64, sum: &mut f64, worst: &mut ArgMax<f64, u32>, e: u32) {
    b[0] = 0.5 * b[1] - 0.7 * b[0];
    *c += b[0];
    *sum += b[0] * b[1];
    worst.update(b[0], e);
}

#[op2::kernel]
fn back(b: &[f64; 2], c: &f64, a: &mut f64) {
    *a = *c - 0.1 * b[1];
}

#[op2::kernel]
fn scaled(sum: &f64, c: &mut f64) {
    *c /= 1.5 + *sum * *sum;
}

#[op2::kernel]
fn neighbour(c: &f64, d: &mut f64) {
    *d = 0.9 * *d + *c;
}

#[op2::kernel]
fn spread(a: &f64, d: &mut f64) {
    *d += *a;
}

/// Data on the nodes, and a map among them.
#[derive(Clone, Copy)]
struct Data {
    nodes: Set<Nodes>,
    some: Subset<Nodes>,
    link: Map<Nodes, Nodes, 2>,
    a: Dat<Nodes, f64>,
    b: Dat<Nodes, [f64; 2]>,
    c: Dat<Nodes, f64>,
    d: Dat<Nodes, f64>,
    sum: Global<f64>,
    worst: Global<ArgMax<f64, u32>>,
}

/// Results of loops: `a` to `d`, `sum` and `worst`.
type Left = ((Vec<f64>, Vec<[f64; 2]>, Vec<f64>, Vec<f64>), f64, Option<(f64, u32)>);

impl Data {
    fn declare(op: &mut Op2, m: &Mesh) -> op2::Result<Self> {
        let (n, nodes) = (m.nodes, m.declare(op)?.nodes);
        let link: Vec<_> = (0..n).map(|e| [(7 * e + 3) % n, e % 5]).collect();
        let some: Vec<_> = (0..n).rev().step_by(3).collect();
        let data = Data {
            nodes,
            some: op.decl_subset("some", nodes, &some)?,
            link: op.decl_map("link", nodes, nodes, &link)?,
            a: op.decl_dat_filled("a", nodes, 0.0)?,
            b: op.decl_dat_filled("b", nodes, [0.0; 2])?,
            c: op.decl_dat_filled("c", nodes, 0.0)?,
            d: op.decl_dat_filled("d", nodes, 0.0)?,
            sum: op.decl_global("sum", 0.0),
            worst: op.decl_global("worst", ArgMax::none()),
        };
        data.reset(op, m)?;
        Ok(data)
    }

    /// Sets the values from which [`Plain`] starts.
    fn reset(&self, op: &mut Op2, m: &Mesh) -> op2::Result<()> {
        let Plain { a, b, c, d, sum, worst } = Plain::new(m);
        op.set_data(self.a, &a)?;
        op.set_data(self.b, &b)?;
        op.set_data(self.c, &c)?;
        op.set_data(self.d, &d)?;
        op.set(self.sum, sum)?;
        op.set(self.worst, worst)
    }

    fn results(&self, op: &Op2) -> op2::Result<Left> {
        let dats = (op.fetch(self.a)?, op.fetch(self.b)?, op.fetch(self.c)?, op.fetch(self.d)?);
        Ok((dats, op.get(self.sum)?, op.get(self.worst)?.best()))
    }
}

/// Makes a function that runs the same loops one by one and, from the same values, in a chain, and returns both
/// results. Where additions have an order, these must be the same bits.
macro_rules! both_ways {
    ($name:ident, |$on:ident, $data:ident| $loops:block) => {
        fn $name(op: &mut Subject, m: &Mesh) -> op2::Result<(Left, Left)> {
            let $data = Data::declare(op, m)?;
            // A chain would order the mesh, and the loops before it would have added in another order.
            op.prepare()?;
            {
                let $on = &mut *op;
                $loops
            }
            let alone = $data.results(op)?;
            $data.reset(op, m)?;
            op.chain(|$on| {
                $loops
                Ok(())
            })?;
            let chained = $data.results(op)?;
            if matches!(op.backend(), Backend::Seq | Backend::Threads(_)) {
                let same = Record::of(&chained).is_identical(&Record::of(&alone));
                same.unwrap_or_else(|difference| panic!("{} on {m:?}: {difference}", stringify!($name)));
            }
            Ok((alone, chained))
        }
    };
}

both_ways!(direct, |op, d| {
    op_par_loop!(op, grow, d.nodes, read(d.a), write(d.b))?;
    op_par_loop!(op, mix, d.nodes, rw(d.b), inc(d.c), gbl_inc(d.sum), gbl_max(d.worst), idx())?;
    op_par_loop!(op, back, d.nodes, read(d.b), read(d.c), write(d.a))?;
});

both_ways!(reduced, |op, d| {
    op_par_loop!(op, mix, d.nodes, rw(d.b), inc(d.c), gbl_inc(d.sum), gbl_max(d.worst), idx())?;
    op_par_loop!(op, scaled, d.nodes, gbl_read(d.sum), rw(d.c))?;
    op_par_loop!(op, mix, d.nodes, rw(d.b), inc(d.c), gbl_inc(d.sum), gbl_max(d.worst), idx())?;
    op_par_loop!(op, mix, d.nodes, rw(d.b), inc(d.c), gbl_inc(d.sum), gbl_max(d.worst), idx())?;
});

both_ways!(through_maps, |op, d| {
    op_par_loop!(op, grow, d.nodes, read(d.a), write(d.b))?;
    op_par_loop!(op, back, d.nodes, read(d.b), read(d.a), write(d.c))?;
    // Needs the `c` of its neighbours.
    op_par_loop!(op, neighbour, d.nodes, read(d.c, d.link[0]), rw(d.d))?;
    // Must not overtake the loop before.
    op_par_loop!(op, back, d.nodes, read(d.b), read(d.a), write(d.c))?;
    op_par_loop!(op, neighbour, d.nodes, read(d.a, d.link[1]), rw(d.d))?;
    op_par_loop!(op, spread, d.nodes, read(d.a), inc(d.d, d.link[1]))?;
    op_par_loop!(op, neighbour, d.nodes, read(d.d), rw(d.c))?;
});

both_ways!(some, |op, d| {
    op_par_loop!(op, grow, d.some, read(d.a), write(d.b))?;
    op_par_loop!(op, mix, d.some, rw(d.b), inc(d.c), gbl_inc(d.sum), gbl_max(d.worst), idx())?;
    op_par_loop!(op, back, d.nodes, read(d.b), read(d.c), write(d.a))?;
    op_par_loop!(op, grow, d.some, read(d.a), write(d.b))?;
});

/// The loops in plain Rust.
struct Plain {
    a: Vec<f64>,
    b: Vec<[f64; 2]>,
    c: Vec<f64>,
    d: Vec<f64>,
    sum: f64,
    worst: ArgMax<f64, u32>,
}

impl Plain {
    fn new(m: &Mesh) -> Self {
        let (a, b, c, d) = (samples(m.nodes, 1), samples(m.nodes, 2), samples(m.nodes, 3), samples(m.nodes, 4));
        Plain { a, b, c, d, sum: 0.25, worst: ArgMax::none() }
    }

    fn link(&self, e: usize) -> [usize; 2] {
        [(7 * e + 3) % self.a.len(), e % 5]
    }

    fn grow(&mut self, e: usize) {
        grow(&self.a[e], &mut self.b[e]);
    }

    fn mix(&mut self, e: usize) {
        mix(&mut self.b[e], &mut self.c[e], &mut self.sum, &mut self.worst, e as u32);
    }

    fn each(&mut self, element: impl Fn(&mut Self, usize)) {
        (0..self.a.len()).for_each(|e| element(self, e));
    }

    fn some(&mut self, element: impl Fn(&mut Self, usize)) {
        (0..self.a.len()).rev().step_by(3).for_each(|e| element(self, e));
    }

    /// The result, for both ways.
    fn twice(self) -> (Left, Left) {
        let once = ((self.a, self.b, self.c, self.d), self.sum, self.worst.best());
        (once.clone(), once)
    }
}

#[test]
fn loops_that_hand_on_what_they_write() {
    let expected = |m: &Mesh| {
        let mut plain = Plain::new(m);
        plain.each(Plain::grow);
        plain.each(Plain::mix);
        plain.each(|p, e| back(&p.b[e], &p.c[e], &mut p.a[e]));
        plain.twice()
    };
    on_every_backend(&Mesh::single(), expected, direct);
}

#[test]
fn globals_that_are_read_after_they_were_reduced() {
    let expected = |m: &Mesh| {
        let mut plain = Plain::new(m);
        plain.each(Plain::mix);
        plain.each(|p, e| scaled(&p.sum, &mut p.c[e]));
        plain.each(Plain::mix);
        plain.each(Plain::mix);
        plain.twice()
    };
    on_every_backend(&Mesh::single(), expected, reduced);
}

#[test]
fn dats_that_are_reached_through_maps() {
    let expected = |m: &Mesh| {
        let mut plain = Plain::new(m);
        let back = |p: &mut Plain, e: usize| back(&p.b[e], &p.a[e], &mut p.c[e]);
        plain.each(Plain::grow);
        plain.each(back);
        plain.each(|p, e| neighbour(&p.c[p.link(e)[0]], &mut p.d[e]));
        plain.each(back);
        plain.each(|p, e| neighbour(&p.a[p.link(e)[1]], &mut p.d[e]));
        plain.each(|p, e| spread(&p.a[e], &mut p.d[e % 5]));
        plain.each(|p, e| neighbour(&p.d[e], &mut p.c[e]));
        plain.twice()
    };
    on_every_backend(&Mesh::single(), expected, through_maps);
}

#[test]
fn subsets_and_their_set() {
    let expected = |m: &Mesh| {
        let mut plain = Plain::new(m);
        plain.some(Plain::grow);
        plain.some(Plain::mix);
        plain.each(|p, e| back(&p.b[e], &p.c[e], &mut p.a[e]));
        plain.some(Plain::grow);
        plain.twice()
    };
    on_every_backend(&Mesh::single(), expected, some);
}

/// Blocks of many strips, whose partial results pass from strip to strip.
#[test]
fn large_blocks_run_strip_by_strip() {
    let m = Mesh { nodes: 30_001, ..Mesh::single()[0] };
    for backend in [Backend::Seq, Backend::Threads(1), Backend::Threads(3)] {
        for strategy in [Strategy::blocks(20_000), Strategy::Predicted] {
            let mut op = Subject::new(Configuration { backend, strategy, ..Configuration::SEQ });
            for run in [direct as Ways, reduced, through_maps, some] {
                run(&mut op, &m).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

/// A function made by [`both_ways`].
type Ways = fn(&mut Subject, &Mesh) -> op2::Result<(Left, Left)>;

/// The names of the loops of each pass, and the bytes that it saved.
fn passes(report: &Report) -> Vec<(String, u64)> {
    let names = |row: &ChainRow| row.loops.iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(" ");
    report.chains.iter().map(|row| (names(row), row.saved_bytes)).collect()
}

fn ends(report: &Report) -> Vec<String> {
    report.ends.iter().map(|end| format!("{} {}: {}", end.before, end.after, end.reason)).collect()
}

/// Reports on the loops above on the host, with 1000 nodes.
#[test]
fn reports_say_what_was_saved_and_what_ended_a_pass() {
    let m = Mesh { nodes: 1000, ..Mesh::single()[0] };
    for backend in [Backend::Seq, Backend::Threads(2)] {
        let report_of = |run: Ways| {
            let mut op = Subject::from(Op2::with(Config::default().backend(backend)).unwrap());
            run(&mut op, &m).unwrap();
            op.report()
        };
        // `mix` gets 16 bytes of `b` from the cache and leaves it 16; `back` gets `b` and `c`.
        let report = report_of(direct);
        assert_eq!(passes(&report), [("grow mix back".to_owned(), 1000 * (32 + 24))]);
        assert_eq!(ends(&report), [""; 0]);
        let saved: Vec<_> = report.loops.iter().map(|l| (l.name.as_str(), l.calls, l.saved_bytes)).collect();
        let alone = [("grow", 1, 0), ("mix", 1, 0), ("back", 1, 0)];
        assert_eq!(saved[..3], alone, "what was called one by one");
        assert_eq!(saved[3..], [("grow", 1, 0), ("mix", 1, 32_000), ("back", 1, 24_000)]);
        let pass = &report.chains[0];
        assert_eq!(pass.useful_bytes, report.loops[3..].iter().map(|l| l.useful_bytes).sum::<u64>());
        let shared: f64 = report.loops[3..].iter().map(|l| l.seconds).sum();
        assert!((shared - pass.seconds).abs() <= 1e-9 * pass.seconds, "{shared} {}", pass.seconds);
        assert!(report.to_string().contains("in one pass over nodes: grow, mix, back: 1 times"), "{report}");

        let report = report_of(reduced);
        assert_eq!(passes(&report), [("scaled mix mix".to_owned(), 1000 * (16 + 48))]);
        assert_eq!(ends(&report), ["mix scaled: the second one reads `sum`, which is reduced into before it"]);

        let report = report_of(through_maps);
        let by_dat =
            |pair: &str, dat: &str| format!("{pair}: one modifies `{dat}`, which the other one reaches through a map");
        let turns = |pair: &str| format!("{pair}: elements of one of them meet in what they modify, and take turns");
        let (around_spread, after) = match backend {
            // In sequence, elements need no colours, but `spread` and its neighbours share `d`.
            Backend::Seq => (by_dat("neighbour spread", "d"), by_dat("spread neighbour", "d")),
            _ => (turns("neighbour spread"), turns("spread neighbour")),
        };
        let found = [by_dat("back neighbour", "c"), by_dat("neighbour back", "c"), around_spread, after];
        assert_eq!(ends(&report), found);
        let pairs = [("grow back".to_owned(), 24_000), ("back neighbour".to_owned(), 0)];
        assert_eq!(passes(&report), pairs);

        let report = report_of(some);
        assert_eq!(passes(&report), [("grow mix".to_owned(), 334 * 32)]);
        let different = |pair: &str| format!("{pair}: they run over different elements");
        assert_eq!(ends(&report), [different("mix back"), different("back grow")]);
    }
}

/// Loops with different blocks run in different passes, with the same results.
#[test]
fn other_blocks_are_another_pass() {
    let mut op = Configuration::THREADS.op();
    op.pin("mix", Strategy::blocks(11)).unwrap();
    let mut op = Subject::from(op);
    direct(&mut op, &Mesh { nodes: 1000, ..Mesh::single()[0] }).unwrap();
    let blocks = ["grow mix: they run in different blocks", "mix back: they run in different blocks"];
    assert_eq!(ends(&op.report()), blocks);
}

/// A loop that is refused has changed nothing. Loops before it have run; loops after it run if the error is ignored.
#[test]
fn errors_come_from_their_loop() {
    let m = Mesh { nodes: 1001, ..Mesh::single()[0] };
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut op = configuration.op();
        let d = Data::declare(&mut op, &m).unwrap();
        let entry = 2;
        let result = op.chain(|op| {
            op_par_loop!(op, grow, d.nodes, read(d.a), write(d.b))?;
            op_par_loop!(op, neighbour, d.nodes, read(d.c, d.link[{ entry }]), rw(d.d))?;
            op_par_loop!(op, grow, d.nodes, read(d.c), write(d.b))
        });
        let message = result.expect_err("there is no such entry").to_string();
        assert!(message.contains("map `link` has arity 2, found index 2"), "{message}");
        let mut plain = Plain::new(&m);
        plain.each(Plain::grow);
        assert_eq!((op.fetch(d.b).unwrap(), op.fetch(d.d).unwrap()), (plain.b.clone(), plain.d.clone()));
        op.chain(|op| {
            op_par_loop!(op, back, d.nodes, read(d.b), read(d.c), write(d.a))?;
            let refused = op_par_loop!(op, neighbour, d.nodes, read(d.c, d.link[{ entry }]), rw(d.d));
            assert!(refused.is_err());
            op_par_loop!(op, grow, d.nodes, read(d.a), write(d.b))
        })
        .unwrap();
        plain.each(|p, e| back(&p.b[e], &p.c[e], &mut p.a[e]));
        plain.each(Plain::grow);
        assert_eq!(op.fetch(d.b).unwrap(), plain.b);
    }
}

/// A loop that reads a result of the pass in front of it, and runs over a subset of another mesh, which has more of them.
#[test]
fn a_subset_of_another_mesh_is_refused_behind_a_reduction() {
    let m = Mesh { nodes: 30, ..Mesh::single()[0] };
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let (mut op, mut other) = (configuration.op(), configuration.op());
        let (d, of_other) = (Data::declare(&mut op, &m).unwrap(), Data::declare(&mut other, &m).unwrap());
        let foreign = other.decl_subset("second", of_other.nodes, &[3, 4]).unwrap();
        let result = op.chain(|op| {
            op_par_loop!(op, mix, d.nodes, rw(d.b), rw(d.c), gbl_inc(d.sum), gbl_max(d.worst), idx())?;
            op_par_loop!(op, scaled, foreign, gbl_read(d.sum), rw(d.c))
        });
        let message = result.expect_err("it belongs to `other`").to_string();
        assert!(message.contains("the set belongs to another mesh"), "{message}");
        let rows: Vec<_> = op.report().loops.into_iter().map(|row| (row.name, row.set, row.calls)).collect();
        assert_eq!(rows, [("mix".to_owned(), "nodes".to_owned(), 1)]);
        assert_eq!(ends(&op.report()), [""; 0]);
    }
}

/// A chain returns the result of its closure, may be empty, and gives plans.
#[test]
fn chains_return_what_the_closure_does() {
    let mut op = Configuration::THREADS.op();
    let d = Data::declare(&mut op, &Mesh { nodes: 15, ..Mesh::single()[0] }).unwrap();
    assert_eq!(op.chain(|_| Ok(7)).unwrap(), 7);
    let blocks = op.chain(|op| {
        op_par_loop!(op, grow, d.nodes, read(d.a), write(d.b))?;
        Ok(op2::op_plan!(op, grow, d.nodes, read(d.a), write(d.b))?.blocks())
    });
    assert_eq!(blocks.unwrap(), 3);
}
