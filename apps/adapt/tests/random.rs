//! Random anisotropic metrics in turn on one mesh after the other: all that must hold does after every phase.

use adapt::field::Function;
use adapt::loops::Adaptive;
use adapt::mesh::{Kind, Mesh};
use adapt::metric::{Metric, size};
use adapt::outcome::{Counts, Field};
use adapt::verify::phases::{State, coarsened};
use op2::{Backend, Config, Op2};
use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

/// Meshes, and metrics that each of them follows.
const MESHES: u64 = 100;
const METRICS: usize = 30;

/// A metric with a tensor of its own at each of few nodes: edges in one direction up to a hundred times as long as in another, and
/// as many facets as the mesh has, or fewer, or some more.
fn random(mesh: &Mesh, h: f64, rng: &mut ChaCha8Rng) -> Metric {
    let mut drawn = |from: f64, to: f64| from + (to - from) * f64::from(rng.next_u32()) / f64::from(u32::MAX);
    let scale = drawn(-1.5, 0.3).exp() / h;
    let nodes = [2 + drawn(0.0, 6.9) as usize, 2 + drawn(0.0, 6.9) as usize];
    let mut metric = Metric::over(mesh, nodes, |_| [1.0, 0.0, 1.0]);
    for tensor in &mut metric.values {
        let (s, c) = drawn(0.0, std::f64::consts::TAU).sin_cos();
        let stretch = drawn(0.0, 2.3).exp();
        let [a, b] = [scale * stretch, scale / stretch].map(|length| length * length);
        *tensor = [a * c * c + b * s * s, (a - b) * s * c, a * s * s + b * c * c];
    }
    metric
}

fn state(adaptive: &Adaptive, op: &mut Op2) -> State {
    State {
        mesh: adaptive.mesh(op).unwrap(),
        neighbours: adaptive.neighbours(op).unwrap(),
        fields: adaptive.fields(op).unwrap(),
        counts: adaptive.counts,
    }
}

#[test]
fn every_phase_leaves_what_must_hold() {
    let mut all = Counts::default();
    for seed in 0..MESHES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let kind = Kind::ALL[seed as usize % Kind::ALL.len()];
        let mesh = kind.mesh(kind.least_facets().max(20 + 7 * seed as usize), seed).unwrap().shuffled(seed);
        let h = size(&mesh);
        let fields: Vec<Field> = [Function::Plane, Function::Wave].iter().map(|function| function.on(&mesh)).collect();
        let backend = if seed % 2 == 0 { Backend::Seq } else { Backend::Threads(2) };
        let mut op = Op2::with(Config::default().backend(backend)).unwrap();
        let mut metric = random(&mesh, h, &mut rng);
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &fields).unwrap();
        let mut before = state(&adaptive, &mut op);
        for step in 0..METRICS {
            if step > 0 {
                metric = random(&mesh, h, &mut rng);
                adaptive.measure(&mut op, &metric).unwrap();
            }
            let told = |flaw| panic!("{kind} {seed}, metric {step}: {flaw}");
            adaptive.coarsen(&mut op).unwrap();
            let after = state(&adaptive, &mut op);
            coarsened(&before, &after, &metric).unwrap_or_else(told);
            before = after;
        }
        all.collapses += adaptive.counts.collapses;
    }
    assert!(all.collapses > 10_000, "{all:?}");
}
