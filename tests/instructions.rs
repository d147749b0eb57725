//! The instructions of loops on the CPU: predicted for each loop, measured under `Strategy::Auto`, pinned by a text. The report's notes
//! on layouts.

use op2::{Backend, Config, Dat, How, Isa, Layout, Map, Op2, Pin, Row, Set, Strategy, op_par_loop};
use std::path::Path;

op2::sets! { Edges, Nodes }

const EDGES: usize = 40_000;
const NODES: usize = 30_000;
const ROUNDS: usize = 20;

/// Hardly any arithmetic between the values behind the maps.
#[op2::kernel]
fn flow(a: &f64, b: &f64, to_a: &mut f64, to_b: &mut f64) {
    let flow = *a - *b;
    *to_a += flow;
    *to_b -= flow;
}

/// Much arithmetic, in a loop that ends at a constant.
#[op2::kernel]
fn iterated(a: &f64, b: &f64, to: &mut f64) {
    let mut x = *a;
    for _ in 0usize..ROUNDS {
        x = 0.5 * (x + *b / x);
    }
    *to = x;
}

/// No arithmetic.
#[op2::kernel]
fn copied(x: &[f64; 4], y: &mut [f64; 4]) {
    *y = *x;
}

struct Fixture {
    op: Op2,
    edges: Set<Edges>,
    map: Map<Edges, Nodes, 2>,
    heat: Dat<Nodes, f64>,
    sum: Dat<Nodes, f64>,
    root: Dat<Edges, f64>,
    wide: Dat<Edges, [f64; 4]>,
    copy: Dat<Edges, [f64; 4]>,
}

fn fixture(config: Config) -> Fixture {
    let mut op = Op2::with(config).unwrap();
    let edges = op.decl_set("edges", EDGES).unwrap();
    let nodes = op.decl_set("nodes", NODES).unwrap();
    let ends: Vec<[usize; 2]> = (0..EDGES).map(|e| [e * NODES / EDGES, (e * NODES / EDGES + 1) % NODES]).collect();
    let heat: Vec<f64> = (0..NODES).map(|n| 1.5 + (n as f64 * 0.11).sin()).collect();
    Fixture {
        map: op.decl_map("ends", edges, nodes, &ends).unwrap(),
        heat: op.decl_dat("heat", nodes, &heat).unwrap(),
        sum: op.decl_dat_filled("sum", nodes, 0.0).unwrap(),
        root: op.decl_dat_filled("root", edges, 0.0).unwrap(),
        wide: op.decl_dat_filled("wide", edges, [1.0, 2.0, 3.0, 4.0]).unwrap(),
        copy: op.decl_dat_filled("copy", edges, [0.0; 4]).unwrap(),
        op,
        edges,
    }
}

impl Fixture {
    fn run(&mut self) {
        let Fixture { op, edges, map, heat, sum, root, wide, copy } = self;
        let (edges, map, heat, sum) = (*edges, *map, *heat, *sum);
        op_par_loop!(op, flow, edges, read(heat, map[0]), read(heat, map[1]), inc(sum, map[0]), inc(sum, map[1]))
            .unwrap();
        op_par_loop!(op, iterated, edges, read(heat, map[0]), read(heat, map[1]), write(*root)).unwrap();
        op_par_loop!(op, copied, edges, read(*wide), write(*copy)).unwrap();
    }

    /// Whether each loop runs in lanes.
    fn in_lanes(&self) -> [bool; 3] {
        let rows = self.op.report().loops;
        let by = |kernel| rows.iter().find(|row| row.name == kernel).expect("the loop ran").strategy.clone();
        let vectors: Vec<String> = Isa::available()[1..].iter().map(|isa| format!(", {isa}")).collect();
        ["flow", "iterated", "copied"].map(|kernel| vectors.iter().any(|isa| by(kernel).contains(isa)))
    }

    fn bits(&self) -> Vec<u64> {
        let (sum, root) = (self.op.fetch(self.sum).unwrap(), self.op.fetch(self.root).unwrap());
        sum.into_iter().chain(root).chain(self.op.fetch(self.copy).unwrap().concat()).map(f64::to_bits).collect()
    }
}

fn threads() -> Config {
    Config::default().backend(Backend::Threads(2))
}

#[test]
fn lanes_are_taken_where_they_win() {
    let runs = |config| {
        let mut fixture = fixture(config);
        fixture.run();
        (fixture.in_lanes(), fixture.bits())
    };
    let (predicted, bits) = runs(threads());
    assert_eq!(predicted, [false, true, false]);
    for isa in Isa::available() {
        let named = isa != Isa::Scalar;
        assert_eq!(runs(threads().isa(isa)), ([named; 3], bits.clone()), "instructions that are named hold everywhere");
    }
    let (soa, bits_of_soa) = runs(threads().layout(Layout::Soa));
    assert_eq!((soa, bits_of_soa), ([false, true, true], bits), "rows of one component have every layout");
}

#[op2::kernel]
fn summed(near: &Row<f64>, sum: &mut f64) {
    for k in 0..near.len() {
        *sum += near[k] * near[k].sqrt() / (1.0 + near[k] * near[k]);
    }
}

#[op2::kernel]
fn rooted(a: &f64, b: &f64, sum: &mut f64) {
    let mut x = *a;
    for _ in 0usize..ROUNDS {
        x = 0.5 * (x + *b / x);
    }
    *sum += x;
}

#[op2::kernel]
fn added(x: &f64, sum: &mut f64) {
    *sum += *x;
}

#[test]
fn lanes_are_taken_where_they_win_over_rows_and_pairs() {
    let mut op = Op2::with(threads()).unwrap();
    let nodes: Set<Nodes> = op.decl_set("nodes", 600).unwrap();
    let starts: Vec<u32> = (0..=600).map(|n| 9 * n).collect();
    let entries: Vec<u32> = (0..5400).map(|k| (k / 9 + k % 9) % 600).collect();
    let near = op.decl_rows("near", nodes, nodes, &starts, &entries).unwrap();
    let heat = op.decl_dat_filled("heat", nodes, 2.0).unwrap();
    let sum = op.decl_dat_filled("sum", nodes, 0.0).unwrap();
    op_par_loop!(op, summed, nodes, read(heat, near[..]), inc(sum)).unwrap();
    op_par_loop!(op, added, near.pairs(), read(heat, to), inc(sum, from)).unwrap();
    op_par_loop!(op, rooted, near.pairs(), read(heat, from), read(heat, to), inc(sum, from)).unwrap();
    let strategies: Vec<String> = op.report().loops.into_iter().map(|row| row.strategy).collect();
    let lanes = format!(", {}", Isa::best());
    let in_lanes: Vec<bool> = strategies.iter().map(|strategy| strategy.ends_with(&lanes)).collect();
    assert_eq!(in_lanes, [false, false, true], "{strategies:?}");
}

#[test]
fn a_text_pins_instructions_of_single_loops() {
    let strategies = "flow=blocks:512/baseline,iterated=predicted/scalar".parse().unwrap();
    let mut fixture = fixture(threads().strategies(strategies));
    fixture.run();
    assert_eq!(fixture.in_lanes(), [true, false, false]);
    fixture.op.pin("copied", Strategy::Predicted.by(Isa::best())).unwrap();
    fixture.run();
    assert_eq!(fixture.in_lanes(), [true, false, true]);
}

#[op2::kernel]
fn spread(x: &[f64; 4], a: &mut [f64; 4]) {
    for i in 0..4 {
        a[i] += x[i];
    }
}

#[test]
fn a_layout_that_costs_much_is_told() {
    for (layout, told) in [(Layout::Aos, false), (Layout::Soa, true), (Layout::Blocked(3), true)] {
        for backend in [Backend::Seq, Backend::Threads(2)] {
            let mut op = Op2::with(Config::default().backend(backend).layout(layout)).unwrap();
            let edges: Set<Edges> = op.decl_set("edges", 3).unwrap();
            let nodes: Set<Nodes> = op.decl_set("nodes", 2).unwrap();
            let ends: Map<Edges, Nodes, 1> = op.decl_map("ends", edges, nodes, &[[0], [1], [1]]).unwrap();
            let x = op.decl_dat_filled("x", edges, [1.0; 4]).unwrap();
            let a = op.decl_dat_filled("a", nodes, [0.0; 4]).unwrap();
            op_par_loop!(op, spread, edges, read(x), inc(a, ends[0])).unwrap();
            let note = op.report().loops.remove(0).note;
            let text =
                "an element reaches 4 cache lines through maps, and 1 if all dats are AoS, which is faster on CPUs";
            assert_eq!(note.as_deref() == Some(text), told, "{layout:?}, {backend:?}: {note:?}");
        }
    }
}

fn decided(config: Config) -> Fixture {
    let mut fixture = fixture(config);
    for _ in 0..100 {
        fixture.run();
        if fixture.op.decisions().list.iter().all(|decision| decision.how != How::Measuring) {
            // The last execution may have been the trial of a rival that lost.
            fixture.run();
            return fixture;
        }
    }
    panic!("undecided after 100 executions:\n{}", fixture.op.decisions());
}

#[test]
fn instructions_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let auto = |folder: &Path| threads().strategy(Strategy::Auto).cache_dir(folder);
    let first = decided(auto(folder.path()));
    let tried = first.op.decisions();
    let rival = [Isa::best(), Isa::Scalar, Isa::best()];
    for (decision, rival) in tried.list.iter().zip(rival) {
        assert_eq!(decision.how, How::Measured, "{tried}");
        let (first, second) = (&decision.trials[0], &decision.trials[1]);
        assert_eq!(second.strategy, format!("{}/{rival}", first.strategy), "{tried}");
        assert!(first.seconds.len() > 1 && !second.seconds.is_empty(), "{tried}");
    }
    assert_eq!(tried.list[1].trials[0].strategy, "predicted", "a loop without races has nothing else to try");
    assert_eq!(tried.list[1].trials.len(), 2);
    let second = decided(auto(folder.path()));
    let recalled = second.op.decisions();
    for (old, new) in tried.list.iter().zip(&recalled.list) {
        assert_eq!((&new.strategy, new.how), (&old.strategy, How::Remembered), "{recalled}");
    }
    assert_eq!(second.in_lanes(), first.in_lanes());

    // Instructions that are stated later make another decision, and the earlier one does not hold any more.
    let mut changing = decided(auto(folder.path()));
    for isa in [Some(Isa::Scalar), None, Some(Isa::best())] {
        changing.op.pin("iterated", Pin { strategy: Strategy::Auto, isa }).unwrap();
        changing.run();
        assert!(isa.is_none_or(|isa| changing.in_lanes()[1] == (isa != Isa::Scalar)), "{isa:?}");
        let of = changing.op.decisions();
        assert_eq!(of.list.iter().filter(|decision| decision.kernel == "iterated").count(), 1, "{of}");
    }

    // Instructions that are named are not tried.
    let mut named = fixture(auto(folder.path()).isa(Isa::Scalar));
    named.run();
    assert_eq!(named.op.decisions().list[1].how, How::Predicted);
    let mut pinned = fixture(auto(folder.path()).strategies("auto/scalar".parse().unwrap()));
    pinned.run();
    let of = pinned.op.decisions();
    assert!(of.list[0].trials.iter().all(|trial| trial.strategy.ends_with("/scalar")), "{of}");
    assert_eq!(pinned.in_lanes(), [false; 3]);
}
