//! Kinds of executors, and checks that a phase keeps what it has to keep.

use adapt::loops::Adaptive;
use adapt::mesh::Mesh;
use adapt::metric::Metric;
use adapt::verify::collapse::{none_left, none_made_long};
use adapt::verify::{Changes, Facts, adjacency, counts, same_domain};
use op2::{Backend, Config, Op2, Ordering};

/// Checks a coarsened mesh next to that before; returns it.
pub(crate) fn coarsened(op: &mut Op2, before: &Mesh, adaptive: &Adaptive, metric: &Metric) -> Mesh {
    let after = adaptive.mesh(op).expect("the mesh");
    let facts = [before, &after].map(|mesh| Facts::of(mesh).expect("a sound mesh"));
    adjacency(&after, &adaptive.neighbours(op).expect("neighbours")).expect("neighbours as the corners tell");
    same_domain(&facts[0], &facts[1]).expect("the same domain");
    let changes = Changes { collapses: adaptive.counts.collapses as usize, ..Changes::default() };
    counts(&facts[0], &facts[1], &changes).expect("as many facets as collapses leave");
    let tensors = metric.at_vertices(&after);
    none_made_long(before, &after, &tensors).expect("no long edge that was not there");
    none_left(&after, &tensors).expect("no valid collapse");
    after
}

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
