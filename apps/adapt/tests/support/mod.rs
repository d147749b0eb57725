//! Kinds of executors.

use op2::{Backend, Config, Op2, Ordering};

/// An `Op2` of each kind: in order, on 1 to 3 threads, with elements in another order inside, and on the emulator.
pub(crate) fn each_kind() -> Vec<(&'static str, Op2, Option<Ordering>)> {
    let on = |backend| Op2::with(Config::default().backend(backend)).expect("an Op2");
    vec![
        ("seq", on(Backend::Seq), None),
        ("1 thread", on(Backend::Threads(1)), None),
        ("2 threads", on(Backend::Threads(2)), None),
        ("3 threads", on(Backend::Threads(3)), Some(Ordering::Gps)),
        ("shuffled", Op2::with(Config::default().backend(Backend::Threads(2)).shuffled(7)).expect("an Op2"), None),
        ("emulator", on(Backend::CudaEmu), None),
    ]
}
