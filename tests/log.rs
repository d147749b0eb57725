//! The log: which events come when, at which level, and that calls with a plan are silent.

use log::{Level, LevelFilter, Log, Metadata, Record};
use op2::devices;
use op2::prelude::*;
use op2_meshes::plane;
use std::cell::RefCell;
use tempfile::TempDir;

op2::sets! { pub Edges, Cells }

/// Wide rows: a few thousand cells exceed what stays in a cache, and the loop is long enough to be measured.
type Row = [i64; 128];

#[op2::kernel]
fn meet(rows: [&[i64; 128]; 2], sum: [&mut i64; 2]) {
    for i in 0..128 {
        *sum[0] += rows[1][i];
        *sum[1] += rows[0][i];
    }
}

/// Counts the edges while it adds: owners would count those at borders twice.
#[op2::kernel]
fn count(sum: [&mut i64; 2], edges: &mut u32) {
    *sum[0] += 1;
    *sum[1] += 1;
    *edges += 1;
}

#[op2::kernel]
fn double(sum: &mut i64) {
    *sum *= 2;
}

/// An event: level, target and text.
type Event = (Level, String, String);

thread_local! {
    /// Events come on the thread that calls, so that each test sees its own.
    static EVENTS: RefCell<Vec<Event>> = const { RefCell::new(Vec::new()) };
}

struct Capture;

impl Log for Capture {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("op2::")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let event = (record.level(), record.target().to_owned(), record.args().to_string());
            EVENTS.with_borrow_mut(|events| events.push(event));
        }
    }

    fn flush(&self) {}
}

/// The events of `work`.
fn events(work: impl FnOnce()) -> Vec<Event> {
    // Another test may have been first.
    let _ = log::set_logger(&Capture);
    log::set_max_level(LevelFilter::Trace);
    EVENTS.take();
    work();
    EVENTS.take()
}

#[track_caller]
fn has(events: &[Event], level: Level, target: &str, texts: &[&str]) {
    let found = events.iter().any(|(l, t, text)| *l == level && t == target && texts.iter().all(|s| text.contains(s)));
    assert!(found, "no {level} of {target} has {texts:?}: {events:#?}");
}

struct Case {
    op: Op2,
    edges: Set<Edges>,
    cells: Set<Cells>,
    ends: Map<Edges, Cells, 2>,
    rows: Dat<Cells, Row>,
    sum: Dat<Cells, i64>,
    edge_count: Global<u32>,
}

impl Case {
    /// A mesh of quads with random numbers.
    fn new(config: Config) -> Case {
        let mesh = plane::quads(65, 70).build().expect("a sound size").shuffled(11).0;
        let mut op = Op2::with(config).unwrap();
        let edges = op.decl_set("edges", mesh.edge_cells.len()).unwrap();
        let cells = op.decl_set("cells", mesh.cell_nodes.len()).unwrap();
        Case {
            ends: op.decl_map("ends", edges, cells, &mesh.edge_cells).unwrap(),
            rows: op.decl_dat_filled("rows", cells, [1; 128]).unwrap(),
            sum: op.decl_dat_filled("sum", cells, 0).unwrap(),
            edge_count: op.decl_global("edge count", 0),
            edges,
            cells,
            op,
        }
    }

    fn meet(&mut self) {
        let Case { edges, ends, rows, sum, .. } = *self;
        op_par_loop!(self.op, meet, edges, read(rows, ends[..]), inc(sum, ends[..])).unwrap();
    }

    fn try_count(&mut self) -> op2::Result<()> {
        let Case { edges, ends, sum, edge_count, .. } = *self;
        op_par_loop!(self.op, count, edges, inc(sum, ends[..]), gbl_inc(edge_count))
    }

    fn count(&mut self) {
        self.try_count().unwrap();
    }
}

fn threads() -> Config {
    Config::default().backend(Backend::Threads(2))
}

#[test]
fn the_first_loop_tells_of_order_plan_and_strategy_and_the_second_of_nothing() {
    let mut case = Case::new(threads());
    let first = events(|| case.meet());
    let found: Vec<_> = first.iter().map(|(level, target, _)| (*level, target.as_str())).collect();
    assert_eq!(
        found,
        [(Level::Info, "op2::order"), (Level::Debug, "op2::plan"), (Level::Info, "op2::choice")],
        "{first:#?}"
    );
    assert_eq!(first[0].2, case.op.report().orderings[0].to_string());
    has(&first, Level::Debug, "op2::plan", &["loop `meet` over `edges` (tests/log.rs:", ": plan blocks:", " ms"]);
    let plan = op_plan!(case.op, meet, case.edges, read(case.rows, case.ends[..]), inc(case.sum, case.ends[..]));
    let strategy = format!(": {}, predicted", plan.unwrap().scheme());
    has(&first, Level::Info, "op2::choice", &["loop `meet` over `edges` (", &strategy]);
    assert_eq!(events(|| case.meet()), []);
}

#[test]
fn trials_tell_of_their_candidates_and_later_runs_that_they_remember() {
    let folder = TempDir::new().unwrap();
    let auto = || Case::new(threads().strategy(Strategy::Auto).cache_dir(folder.path()));
    let mut case = auto();
    let all = events(|| (0..100).for_each(|_| case.meet()));
    let decision = case.op.decisions().list.remove(0);
    assert!(decision.trials.len() > 1, "{decision:?}");
    let candidates: Vec<&str> = decision.trials.iter().map(|trial| trial.strategy.as_str()).collect();
    has(&all, Level::Debug, "op2::choice", &["loop `meet` over `edges`", "measures ", &candidates.join(", ")]);
    let first = format!("; {} ({}), ", candidates[0], decision.trials[0]);
    let won = format!(": {}, measured now; best of ", decision.strategy);
    has(&all, Level::Info, "op2::choice", &["loop `meet` over `edges`", &won, &first]);
    let choices = all.iter().filter(|event| event.0 == Level::Info && event.1 == "op2::choice").count();
    assert_eq!(choices, 1, "{all:#?}");

    let later = events(|| auto().meet());
    has(&later, Level::Info, "op2::choice", &["loop `meet`", &format!(": {}, remembered; ", decision.strategy)]);

    let mut short = auto();
    let (cells, sum) = (short.cells, short.sum);
    let direct = events(|| op_par_loop!(short.op, double, cells, rw(sum)).unwrap());
    has(&direct, Level::Info, "op2::choice", &["loop `double` over `cells`", "predicted, not measured"]);
}

#[test]
fn what_was_asked_for_and_cannot_be_had_is_a_warning() {
    let mut case = Case::new(threads().strategy(Strategy::owner(64)));
    let pinned = events(|| case.meet());
    has(&pinned, Level::Info, "op2::choice", &["loop `meet`", ": owner:64, pinned"]);
    let tiles = events(|| case.count());
    has(&tiles, Level::Warn, "op2::choice", &["loop `count`", ": tiles:64, not as asked for: tiles instead: "]);

    let mut split = Case::new(threads().strategy(Strategy::split(64, 9)));
    has(&events(|| split.meet()), Level::Warn, "op2::choice", &["loop `meet`", "in ", " stage"]);

    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut auto = Case::new(threads().strategy(Strategy::Auto).cache_dir(&file));
    let forgotten = events(|| (0..100).for_each(|_| auto.meet()));
    has(&forgotten, Level::Warn, "op2::choice", &["loop `meet`", "the choice is not remembered: `", "file/decisions"]);
}

#[test]
fn devices_tell_of_compiled_texts_and_prepared_loops() {
    if !op2_test_support::has_cxx() {
        return;
    }
    let options = devices::Options { checks: false, ..Default::default() };
    let config = || Config::default().backend(Backend::CudaEmu).emulator(options);
    let mut case = Case::new(config());
    let first = events(|| case.meet());
    has(&first, Level::Debug, "op2::device", &["loop `meet` over `edges`", ": prepared for emulator, ", " ms"]);
    has(&first, Level::Info, "op2::choice", &["loop `meet` over `edges`", ", predicted"]);
    assert_eq!(events(|| case.meet()), []);
    let mut owners = Case::new(config().strategy(Strategy::owner(64)));
    has(&events(|| owners.count()), Level::Warn, "op2::choice", &["loop `count`", ", not as asked for: tiles instead"]);
}

#[test]
fn a_candidate_for_which_a_device_has_no_memory_is_a_warning() {
    if !op2_test_support::has_cxx() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let case = |strategy: Strategy, memory: usize| {
        let options = devices::Options { checks: false, memory, ..Default::default() };
        let config = Config::default().backend(Backend::CudaEmu).strategy(strategy).emulator(options);
        Case::new(config.ordering(Ordering::None).cache_dir(folder.path()))
    };
    let (mut too_little, mut enough) = (0, 1 << 24);
    while enough - too_little > 1024 {
        let middle = (too_little + enough) / 2;
        let fits = case(Strategy::Predicted, middle).try_count().is_ok();
        if fits { enough = middle } else { too_little = middle }
    }
    let mut narrow = case(Strategy::Auto, enough);
    let all = events(|| (0..100).for_each(|_| narrow.count()));
    has(
        &all,
        Level::Warn,
        "op2::choice",
        &["loop `count` over `edges`", ": goes on without `", "no memory on emulator"],
    );
}
