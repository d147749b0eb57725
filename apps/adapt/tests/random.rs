//! Random anisotropic metrics in turn on one mesh after the other: all that must hold does after every phase.

use adapt::field::Function;
use adapt::loops::Adaptive;
use adapt::mesh::{Kind, Mesh};
use adapt::metric::{Metric, size};
use adapt::outcome::{Counts, Field};
use adapt::verify::phases::{State, coarsened, refined};
use op2::{Backend, Config, Op2};
use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

/// Meshes, and metrics that each of them follows.
const MESHES: u64 = 200;
const METRICS: usize = 16;
/// A mesh that has grown beyond so many facets follows no more: vertices of the boundary stay for ever.
const MOST_FACETS: usize = 2000;

/// A metric with a tensor of its own at each of few nodes: edges in one direction up to a hundred times as long as in another, and
/// as many facets as the mesh has, or fewer, or some more.
fn random(mesh: &Mesh, h: f64, rng: &mut ChaCha8Rng) -> Metric {
    let mut drawn = |from: f64, to: f64| from + (to - from) * f64::from(rng.next_u32()) / f64::from(u32::MAX);
    let scale = drawn(-1.8, 0.1).exp() / h;
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

#[test]
fn every_phase_leaves_what_must_hold() {
    let mut all = Counts::default();
    let mut phases = 0;
    for seed in 0..MESHES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let kind = Kind::ALL[seed as usize % Kind::ALL.len()];
        let mesh = kind.mesh(kind.least_facets().max(20 + 3 * seed as usize), seed).unwrap().shuffled(seed);
        let h = size(&mesh);
        let fields: Vec<Field> = [Function::Plane, Function::Wave].iter().map(|function| function.on(&mesh)).collect();
        let backend = if seed % 2 == 0 { Backend::Seq } else { Backend::Threads(2) };
        let mut op = Op2::with(Config::default().backend(backend)).unwrap();
        let mut metric = random(&mesh, h, &mut rng);
        let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &fields).unwrap();
        let mut before = State::of(&mut op, &adaptive).unwrap();
        for step in 0..METRICS {
            if before.mesh.facets.len() > MOST_FACETS {
                break;
            }
            if step > 0 {
                metric = random(&mesh, h, &mut rng);
                adaptive.measure(&mut op, &metric).unwrap();
            }
            let told = |flaw| panic!("{kind} {seed}, metric {step}: {flaw}");
            // In either order, and now and then the same phase twice.
            for _ in 0..2 {
                let refines = rng.next_u32() & 1 == 1;
                if refines {
                    adaptive.refine(&mut op).unwrap();
                } else {
                    adaptive.coarsen(&mut op).unwrap();
                }
                let after = State::of(&mut op, &adaptive).unwrap();
                let check = if refines { refined } else { coarsened };
                check(&before, &after, &metric).unwrap_or_else(told);
                before = after;
                phases += 1;
            }
        }
        let Counts { collapses, red, green, merged, .. } = adaptive.counts;
        all.collapses += collapses;
        all.red += red;
        all.green += green;
        all.merged += merged;
    }
    assert!(
        phases > 2000 && all.collapses > 10_000 && all.red > 10_000 && all.green > 5000 && all.merged > 500,
        "{phases} {all:?}"
    );
}
