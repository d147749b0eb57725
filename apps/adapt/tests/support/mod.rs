//! Kinds of executors.

use op2::{Backend, Config, Op2, Ordering};

/// An `Op2` of each kind: in order, on 1 to 3 threads, with elements in another order inside, and on a device.
pub(crate) fn each_kind() -> Vec<(&'static str, Op2, Option<Ordering>)> {
    let on = |backend| Op2::with(Config::default().backend(backend)).expect("an Op2");
    let device = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu);
    let device = device.map(|backend| ("device", on(backend), None));
    let host = [
        ("seq", on(Backend::Seq), None),
        ("1 thread", on(Backend::Threads(1)), None),
        ("2 threads", on(Backend::Threads(2)), None),
        ("3 threads", on(Backend::Threads(3)), Some(Ordering::Gps)),
        ("shuffled", Op2::with(Config::default().backend(Backend::Threads(2)).shuffled(7)).expect("an Op2"), None),
    ];
    host.into_iter().chain(device).collect()
}
