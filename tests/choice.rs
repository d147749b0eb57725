//! `Strategy::Auto`: trials on real data, decisions that are remembered, and what the program and its user say of single
//! loops.

use op2::{Backend, Config, Dat, How, Map, Op2, Set, Strategies, Strategy, devices, op_par_loop, op_plan};
use std::path::Path;
use tempfile::TempDir;

op2::sets! { Edges, Nodes }

const EDGES: usize = 20_000;
const NODES: usize = 15_000;

#[op2::kernel]
fn flow(weight: &f64, a: &f64, b: &f64, to_a: &mut f64, to_b: &mut f64) {
    let flow = *weight * (*a - *b);
    *to_a += flow;
    *to_b -= flow;
}

#[op2::kernel]
fn flow_and_sum(weight: &f64, a: &f64, b: &f64, to_a: &mut f64, to_b: &mut f64, sum: &mut f64) {
    let flow = *weight * (*a - *b);
    *to_a += flow;
    *to_b -= flow;
    *sum += flow;
}

#[op2::kernel]
fn scale(x: &mut f64) {
    *x *= 0.5;
}

struct Fixture {
    op: Op2,
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    map: Map<Edges, Nodes, 2>,
    weight: Dat<Edges, f64>,
    heat: Dat<Nodes, f64>,
    sum: Dat<Nodes, f64>,
}

/// The data of one loop over edges.
#[derive(Clone, Copy)]
struct Level {
    edges: Set<Edges>,
    map: Map<Edges, Nodes, 2>,
    weight: Dat<Edges, f64>,
    heat: Dat<Nodes, f64>,
    sum: Dat<Nodes, f64>,
}

/// Edges between neighbours, `far` nodes apart.
fn rows(far: usize) -> Vec<[usize; 2]> {
    (0..EDGES).map(|e| [e * NODES / EDGES, (e * NODES / EDGES + far) % NODES]).collect()
}

fn fixture(config: Config) -> Fixture {
    let mut op = Op2::with(config).unwrap();
    let edges = op.decl_set("edges", EDGES).unwrap();
    let nodes = op.decl_set("nodes", NODES).unwrap();
    let map = op.decl_map("ends", edges, nodes, &rows(1)).unwrap();
    let wave = |n: usize, step: f64| (0..n).map(|i| (i as f64 * step).sin() + 0.1).collect::<Vec<_>>();
    let weight = op.decl_dat("weight", edges, &wave(EDGES, 0.37)).unwrap();
    let heat = op.decl_dat("heat", nodes, &wave(NODES, 0.11)).unwrap();
    let sum = op.decl_dat_filled("sum", nodes, 0.0).unwrap();
    Fixture { op, edges, nodes, map, weight, heat, sum }
}

/// The loop over the edges, run or planned.
macro_rules! over_edges {
    ($way:ident, $op:expr, $of:expr) => {
        $way!(
            $op,
            flow,
            $of.edges,
            read($of.weight),
            read($of.heat, $of.map[0]),
            read($of.heat, $of.map[1]),
            inc($of.sum, $of.map[0]),
            inc($of.sum, $of.map[1])
        )
    };
}

impl Fixture {
    /// Runs the loop from zero.
    fn run(&mut self) -> Vec<f64> {
        self.op.set_data(self.sum, &[0.0; NODES]).unwrap();
        over_edges!(op_par_loop, self.op, self).unwrap();
        self.op.fetch(self.sum).unwrap()
    }

    fn run_with_sum(&mut self) -> f64 {
        let Fixture { op, edges, map, weight, heat, sum, .. } = self;
        let (map, heat, sum) = (*map, *heat, *sum);
        let total = op.decl_global("total", 0.0);
        op_par_loop!(
            op,
            flow_and_sum,
            *edges,
            read(*weight),
            read(heat, map[0]),
            read(heat, map[1]),
            inc(sum, map[0]),
            inc(sum, map[1]),
            gbl_inc(total)
        )
        .unwrap();
        op.get(total).unwrap()
    }

    /// Runs the loop until it is decided and returns how many executions that took.
    fn decide(&mut self, expected: &[f64]) -> usize {
        for executions in 1..100 {
            agree(&self.run(), expected);
            if self.how() != How::Measuring {
                return executions;
            }
        }
        panic!("undecided after 100 executions:\n{}", self.op.decisions());
    }

    fn how(&self) -> How {
        self.op.decisions().list[0].how
    }
}

#[track_caller]
fn agree(found: &[f64], expected: &[f64]) {
    let far = found.iter().zip(expected).position(|(f, e)| (f - e).abs() > 1e-12 * (1.0 + e.abs()));
    assert_eq!(far, None, "the first node with a wrong value");
}

fn auto(folder: &Path) -> Config {
    let config = Config::default().backend(Backend::Threads(2)).strategy(Strategy::Auto);
    config.cache_dir(folder).verify_plans(true)
}

fn sequential() -> Vec<f64> {
    fixture(Config::default().backend(Backend::Seq)).run()
}

fn files(folder: &TempDir) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder.path().join("decisions")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A loop that is being measured takes nobody along, and is decided in a chain as it is alone.
#[test]
fn loops_of_chains_are_measured_alone() {
    let (folder, expected) = (tempfile::tempdir().unwrap(), sequential());
    let mut f = fixture(auto(folder.path()));
    for _ in 0..100 {
        f.op.set_data(f.sum, &[0.0; NODES]).unwrap();
        f.op.chain(|chain| {
            over_edges!(op_par_loop, chain, f)?;
            op_par_loop!(chain, scale, f.nodes, rw(f.sum))
        })
        .unwrap();
        let doubled: Vec<f64> = f.op.fetch(f.sum).unwrap().into_iter().map(|x| 2.0 * x).collect();
        agree(&doubled, &expected);
        if f.how() != How::Measuring {
            let report = f.op.report();
            let end = report.ends.first().expect("what parted the loops");
            assert_eq!((&*end.before, &*end.after), ("flow", "scale"));
            assert_eq!(end.reason, "the strategy of one of them is being measured");
            return;
        }
    }
    panic!("undecided after 100 executions:\n{}", f.op.decisions());
}

#[test]
fn trials_are_real_executions_and_the_decision_is_remembered() {
    let (folder, expected) = (tempfile::tempdir().unwrap(), sequential());
    let mut first = fixture(auto(folder.path()));
    let executions = first.decide(&expected);
    let decision = first.op.decisions().list.remove(0);
    // One ahead of all rounds, then eight rounds of those in play.
    assert!((1..=1 + 8 * decision.trials.len()).contains(&executions), "{executions} executions");
    assert_eq!((decision.how, &*decision.kernel), (How::Measured, "flow"));
    let ran: usize = decision.trials.iter().map(|t| t.seconds.len()).sum();
    assert_eq!(ran, executions, "every execution was a trial:\n{}", first.op.decisions());
    assert!(decision.trials.len() > 3, "{decision:?}");
    assert!(decision.trials.iter().any(|t| t.strategy == decision.strategy && !t.seconds.is_empty()), "{decision:?}");
    let row = first.op.report().loops.remove(0);
    assert!(row.note.as_deref().is_some_and(|note| note.starts_with("best of ")), "{row:?}");
    assert_eq!(files(&folder).len(), 1);

    let settled = first.run();
    assert_eq!(first.run(), settled, "once decided, the same bits");
    let before = std::fs::read(&files(&folder)[0]).unwrap();
    for threads in [2, 2] {
        let mut later = fixture(auto(folder.path()).backend(Backend::Threads(threads)));
        assert_eq!(later.run(), settled, "no trials, the same bits from the first execution on");
        assert_eq!(later.how(), How::Remembered);
        let row = later.op.report().loops.remove(0);
        assert_eq!((row.plans, row.note.as_deref()), (1, Some("remembered")));
        assert_eq!(later.op.decisions().list[0].strategy, decision.strategy);
        assert_eq!(later.op.decisions().list[0].trials.len(), decision.trials.len());
    }
    assert_eq!(std::fs::read(&files(&folder)[0]).unwrap(), before, "who remembers does not write");
}

#[test]
fn other_threads_maps_and_orders_make_decisions_of_their_own() {
    let (folder, expected) = (tempfile::tempdir().unwrap(), sequential());
    let mut one = fixture(auto(folder.path()));
    one.decide(&expected);
    let mut other = fixture(auto(folder.path()).backend(Backend::Threads(3)));
    other.decide(&expected);
    assert_eq!((other.how(), files(&folder).len()), (How::Measured, 2), "another number of threads");

    one.op.set_map(one.map, &rows(7)).unwrap();
    let mut reference = fixture(Config::default().backend(Backend::Seq));
    reference.op.set_map(reference.map, &rows(7)).unwrap();
    let moved = reference.run();
    one.decide(&moved);
    assert_eq!((one.op.decisions().list.len(), one.how(), files(&folder).len()), (1, How::Measured, 3), "another map");

    one.op.reorder(op2::Ordering::Gps).unwrap();
    one.decide(&moved);
    assert_eq!(one.how(), How::Measured);
}

/// A device makes the same trials, by its own seconds; in the emulator they say nothing, but are made all the same.
#[test]
fn a_device_decides_and_remembers_too() {
    let folder = TempDir::new().unwrap();
    let config = || {
        let options = devices::Options { checks: false, ..Default::default() };
        auto(folder.path()).backend(Backend::CudaEmu).emulator(options)
    };
    if !op2_test_support::has_cxx() {
        return;
    }
    let expected = sequential();
    let mut first = fixture(config());
    let executions = first.decide(&expected);
    assert!((2..40).contains(&executions), "{executions} executions:\n{}", first.op.decisions());
    let decided = first.op.decisions();
    let tried = |start: &str| decided.list[0].trials.iter().any(|t| t.strategy.starts_with(start));
    assert!(["predicted", "block-atomics:", "split:", "split-atomics:"].iter().all(|s| tried(s)), "{decided}");
    let mut again = fixture(config());
    agree(&again.run(), &expected);
    assert_eq!(again.how(), How::Remembered);
    assert_eq!(again.op.decisions().list[0].strategy, decided.list[0].strategy);
}

/// A candidate for which the device has no memory is left out, and the loop goes on by the others.
#[test]
fn a_device_leaves_out_what_it_has_no_memory_for() {
    if !op2_test_support::has_cxx() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let config = |strategy: Strategy, memory: usize| {
        let options = devices::Options { checks: false, memory, ..Default::default() };
        auto(folder.path()).backend(Backend::CudaEmu).strategy(strategy).emulator(options)
    };
    let fits = |memory: usize| {
        let mut f = fixture(config(Strategy::Predicted, memory));
        over_edges!(op_par_loop, f.op, f).is_ok()
    };
    let (mut too_little, mut enough) = (0, 1 << 26);
    while enough - too_little > 1024 {
        let middle = (too_little + enough) / 2;
        if fits(middle) { enough = middle } else { too_little = middle }
    }
    let mut narrow = fixture(config(Strategy::Auto, enough));
    narrow.decide(&sequential());
    let decisions = narrow.op.decisions();
    let refused = decisions.list[0].trials.iter().filter_map(|t| t.refused.as_ref()).collect::<Vec<_>>();
    assert!(!refused.is_empty() && refused.iter().all(|why| why.contains("no memory on emulator")), "{decisions}");
}

#[test]
fn damaged_decisions_are_made_anew_and_kept() {
    let (folder, expected) = (tempfile::tempdir().unwrap(), sequential());
    fixture(auto(folder.path())).decide(&expected);
    let file = files(&folder).remove(0);
    std::fs::write(&file, "{").unwrap();
    let mut again = fixture(auto(folder.path()));
    again.decide(&expected);
    assert_eq!(again.how(), How::Measured);
    let mut later = fixture(auto(folder.path()));
    later.run();
    assert_eq!(later.how(), How::Remembered);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut mesh = fixture(auto(&file));
    mesh.decide(&sequential());
    let note = mesh.op.report().loops.remove(0).note.unwrap();
    assert!(note.contains("not remembered: `") && note.contains("file/decisions"), "{note}");
}

#[test]
fn loops_with_nothing_to_choose_make_no_trials() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = fixture(auto(folder.path()));
    let Fixture { op, nodes, sum, .. } = &mut mesh;
    let (nodes, sum) = (*nodes, *sum);
    op_par_loop!(op, scale, nodes, rw(sum)).unwrap();
    assert_eq!(mesh.how(), How::Predicted);
    let mut short = fixture(auto(folder.path()).short_loops(1 << 40));
    short.run();
    assert_eq!(short.how(), How::Predicted);
    assert!(files(&folder).is_empty());
}

/// One loop over two sets: each has its trials and its decision. The loop over the smaller set is too short for trials.
#[test]
fn each_level_has_its_decision() {
    const COARSE: usize = 100;
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = fixture(auto(folder.path()));
    let op = &mut mesh.op;
    let edges = op.decl_set("coarse edges", COARSE).unwrap();
    let nodes = op.decl_set("coarse nodes", COARSE).unwrap();
    let ends: Vec<_> = (0..COARSE).map(|e| [e, (e + 1) % COARSE]).collect();
    let coarse = Level {
        edges,
        map: op.decl_map("coarse ends", edges, nodes, &ends).unwrap(),
        weight: op.decl_dat_filled("coarse weight", edges, 0.5).unwrap(),
        heat: op.decl_dat_filled("coarse heat", nodes, 1.0).unwrap(),
        sum: op.decl_dat_filled("coarse sum", nodes, 0.0).unwrap(),
    };
    let Fixture { edges, map, weight, heat, sum, .. } = mesh;
    let fine = Level { edges, map, weight, heat, sum };
    for _ in 0..100 {
        for level in [coarse, fine] {
            over_edges!(op_par_loop, mesh.op, level).unwrap();
        }
        let decided = mesh.op.decisions();
        let found: Vec<_> = decided.list.iter().map(|d| (&*d.kernel, &*d.set, d.how)).collect();
        assert_eq!(found[0], ("flow", "coarse edges", How::Predicted), "{decided}");
        assert_eq!((found.len(), found[1].0, found[1].1), (2, "flow", "edges"), "{decided}");
        if found[1].2 == How::Measured {
            let row = mesh.op.report().loops.remove(1);
            assert!(row.note.as_deref().is_some_and(|note| note.starts_with("best of ")), "{row:?}");
            assert_eq!(mesh.op.report().loops.remove(0).note, None);
            return;
        }
    }
    panic!("undecided after 100 executions:\n{}", mesh.op.decisions());
}

/// A loop that reduces must not take the plan of one that does not: owners run elements at borders twice.
#[test]
fn reductions_count_every_element_once() {
    let strategies: Strategies = "owner:64".parse().unwrap();
    let mut mesh = fixture(Config::default().backend(Backend::Threads(2)).strategies(strategies));
    mesh.run();
    let found = mesh.run_with_sum();
    let expected = fixture(Config::default().backend(Backend::Seq)).run_with_sum();
    assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} for {expected}");
}

#[test]
fn what_is_said_of_single_loops_holds() {
    let strategies: Strategies = "flow=tiles:512,typo=auto".parse().unwrap();
    let config = Config::default().backend(Backend::Threads(2)).strategies(strategies);
    let mut mesh = fixture(config.strategy(Strategy::scatter(99)));
    mesh.op.pin("flow", Strategy::blocks(5)).unwrap();
    mesh.op.pin("flow_and_sum", Strategy::blocks(77)).unwrap();
    let expected = sequential();
    agree(&mesh.run(), &expected);
    mesh.run_with_sum();
    let found: Vec<_> = mesh.op.decisions().list.into_iter().map(|d| (d.kernel, d.strategy, d.how)).collect();
    let of = |kernel: &str, strategy: &str| (kernel.to_owned(), strategy.to_owned(), How::Pinned);
    assert_eq!(found, [of("flow", "tiles:512"), of("flow_and_sum", "blocks:77")]);
    let report = mesh.op.report();
    assert_eq!(report.unused, ["no loop ran kernel `typo`: `typo=auto` of `Config::strategies` had no effect"]);
    assert!(report.to_string().ends_with(&report.unused[0]), "{report}");
}

#[test]
fn plans_may_be_asked_for_between_trials() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = fixture(auto(folder.path()));
    for _ in 0..20 {
        let plan = over_edges!(op_plan, mesh.op, mesh).unwrap();
        assert_eq!(plan.len(), EDGES);
    }
    assert_eq!(mesh.op.decisions().list[0].trials.iter().map(|t| t.seconds.len()).sum::<usize>(), 0);
}
