//! The threads that run a loop: those that were requested if the loop is long enough, else the calling thread.

use crate::support::{Edges, Nodes};
use op2::{Backend, Config, Op2, Strategy, op_par_loop};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Mutex;
use std::thread;

const EDGES: usize = 400;
/// The message of a panic in [`looks`]. Other tests of this program panic as well, at the same time.
const WORDS: &str = "index out of bounds: the len is 7 but the index is 91";

#[op2::kernel]
fn looks(i: &i64, row: &[f64; 7], out: &mut f64) {
    *out += row[*i as usize];
}

/// The threads on which [`looks`] panicked.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records panics in [`looks`] and passes all others on.
fn watch_panics() {
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        if info.payload_as_str() != Some(WORDS) {
            return usual(info);
        }
        let thread = thread::current().name().unwrap_or_default().to_owned();
        SEEN.lock().unwrap().push(thread);
    }));
}

/// A way to run a loop that panics at its last element.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Run {
    /// A loop whose elements all have their own targets.
    Direct,
    /// A loop whose elements share targets through a map.
    Mapped,
    /// The direct loop twice, in a chain.
    Chain,
}

/// The name of the thread that runs the last element.
fn thread_of(run: Run, config: Config) -> String {
    let mut op = Op2::with(config).unwrap();
    let edges = op.decl_set::<Edges>("edges", EDGES).unwrap();
    let nodes = op.decl_set::<Nodes>("nodes", EDGES).unwrap();
    let rows: Vec<_> = (0..EDGES).map(|e| [e.div_ceil(2)]).collect();
    let end = op.decl_map("end", edges, nodes, &rows).unwrap();
    let good = op.decl_dat_filled("good", edges, 0_i64).unwrap();
    let indices: Vec<i64> = (1..=EDGES).map(|e| if e == EDGES { 91 } else { 0 }).collect();
    let bad = op.decl_dat("bad", edges, &indices).unwrap();
    let row = op.decl_dat_filled("row", edges, [1.0; 7]).unwrap();
    let (out, sum) = (op.decl_dat_filled("out", edges, 0.0).unwrap(), op.decl_dat_filled("sum", nodes, 0.0).unwrap());
    let caught = catch_unwind(AssertUnwindSafe(|| match run {
        Run::Direct => op_par_loop!(op, looks, edges, read(bad), read(row), inc(out)),
        Run::Mapped => op_par_loop!(op, looks, edges, read(bad), read(row), inc(sum, end[0])),
        Run::Chain => op.chain(|op| {
            op_par_loop!(op, looks, edges, read(good), read(row), inc(out))?;
            op_par_loop!(op, looks, edges, read(bad), read(row), inc(out))
        }),
    }));
    assert!(caught.is_err(), "the kernel panics");
    let seen = std::mem::take(&mut *SEEN.lock().unwrap());
    let [thread] = seen.as_slice() else { panic!("one element panics: {seen:?}") };
    thread.clone()
}

#[test]
fn loops_run_on_the_threads_that_were_asked_for() {
    watch_panics();
    let here = thread::current().name().unwrap_or_default().to_owned();
    let strategies = [
        Strategy::blocks(64),
        Strategy::colours(32),
        Strategy::tiles(64),
        Strategy::owner(64),
        Strategy::scatter(64),
        Strategy::split(64, 1),
    ];
    for strategy in strategies {
        for run in [Run::Direct, Run::Mapped, Run::Chain] {
            let on = |backend, short| {
                thread_of(run, Config::default().backend(backend).strategy(strategy).short_loops(short))
            };
            let worker = on(Backend::Threads(2), 0);
            assert!(worker.starts_with("op2-"), "{run:?}, {strategy}: {worker}");
            for (backend, short) in [(Backend::Threads(2), u64::MAX), (Backend::Threads(1), 0), (Backend::Seq, 0)] {
                assert_eq!(on(backend, short), here, "{run:?}, {strategy}, {backend:?}, short below {short} ns");
            }
        }
    }
}
