//! Every executor, strategy, layout, numbering: the same flow.

use hydra::mesh::Mesh;
use hydra::physics::kind::{INFLOW, STREAM};
use hydra::solver::{Flow, Settings};
use op2::{Float, Ordering, Strategy};
use op2_apps::flags::{Backend, Layout};

use crate::data;
use crate::images::{SHAPES, passage};

/// All that loops leave behind, after two iterations and the fluxes of a third one.
pub(crate) fn results<F: Float>(mesh: &Mesh, settings: &Settings) -> Vec<(&'static str, Vec<f64>)> {
    let mut flow = Flow::<F>::new(mesh, settings).unwrap();
    let residuals = [1, 2].map(|iteration| flow.iterate(iteration).unwrap().rms);
    flow.prepare().unwrap();
    flow.fluxes(1.0).unwrap();
    let dats = data::all(&flow).into_iter().map(|(name, _, values)| (name, values));
    [("rms", residuals.to_vec())].into_iter().chain(dats).collect()
}

/// Equal up to the order of additions, next to the greatest of all values.
fn assert_close(found: &[(&str, Vec<f64>)], expected: &[(&str, Vec<f64>)], what: &str) {
    for ((name, found), (_, expected)) in found.iter().zip(expected) {
        assert_eq!(found.len(), expected.len());
        let scale = expected.iter().fold(0.0_f64, |all, v| all.max(v.abs()));
        assert!(scale > 0.0, "`{name}` is nothing but 0");
        // Sources are small differences of production and destruction, and the latter has a sixth power of the
        // vorticity in it.
        let rounding = if *name == "source" { 1e-8 } else { 1e-11 };
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() <= rounding * scale, "{what}, {name}: {a} {b}");
        }
    }
}

const BLOCK: usize = 64;
const STRATEGIES: [Strategy; 5] = [
    Strategy::colours(BLOCK),
    Strategy::blocks(BLOCK),
    Strategy::scatter(BLOCK),
    Strategy::tiles(BLOCK),
    Strategy::owner(BLOCK),
];

#[test]
fn threads_agree_with_one_element_after_the_other() {
    for mesh in [passage(SHAPES[0]), passage(SHAPES[1]), in_a_stream(passage(SHAPES[0]))] {
        let shape = mesh.shape;
        let expected = results::<f64>(&mesh, &Settings::default());
        for (k, strategy) in STRATEGIES.into_iter().enumerate() {
            let layout = [Layout::Aos, Layout::Soa][k % 2];
            let settings = Settings { backend: Backend::Threads, threads: 2, strategy, layout, ..Settings::default() };
            let found = results::<f64>(&mesh, &settings);
            assert_close(&found, &expected, &format!("{shape:?}, {strategy}, {layout:?}"));
            let more = results::<f64>(&mesh, &Settings { threads: 3, ..settings });
            assert!(found == more, "{shape:?}, {strategy}: the number of threads matters");
        }
    }
}

/// The four heavy loops among them: accu and edgecon have two contribution stages, vflux and iflux three.
#[test]
fn stages_leave_the_bits_of_the_whole_kernels() {
    let mesh = passage(SHAPES[0]);
    let on = |backend, strategy, layout| {
        results::<f64>(&mesh, &Settings { backend, threads: 2, strategy, layout, ..Settings::default() })
    };
    let one_after_the_other = results::<f64>(&mesh, &Settings::default());
    let blocks = on(Backend::Threads, Strategy::blocks(BLOCK), Layout::Aos);
    for stages in 1..=3 {
        let split = Strategy::split(BLOCK, stages);
        assert!(on(Backend::Seq, split, Layout::Aos) == one_after_the_other, "{stages} stages, seq");
        let layout = [Layout::Aos, Layout::Soa][stages % 2];
        assert!(on(Backend::Threads, split, layout) == blocks, "{stages} stages, threads");
    }
}

#[test]
fn a_random_numbering_and_an_ordering_agree() {
    let mesh = passage(SHAPES[1]);
    let mut expected = results::<f64>(&mesh, &Settings::default());
    expected.retain(|(name, _)| *name == "q");
    let (shuffled, back) = mesh.shuffled(5);
    assert_ne!(shuffled.edge_nodes, mesh.edge_nodes);
    for ordering in [Ordering::None, Ordering::Gps] {
        let mut flow = Flow::<f64>::new(&shuffled, &Settings { ordering, ..Settings::default() }).unwrap();
        for iteration in 1..=2 {
            flow.iterate(iteration).unwrap();
        }
        let q = back.nodes_as_input(&flow.op.fetch(flow.q).unwrap()).as_flattened().to_vec();
        assert_close(&[("q", q)], &expected, &ordering.to_string());
    }
}

/// The same mesh with the stream before the inflow, so that this kind of boundary runs too.
fn in_a_stream(mut mesh: Mesh) -> Mesh {
    mesh.part_kind.iter_mut().filter(|kind| **kind == INFLOW).for_each(|kind| *kind = STREAM);
    mesh
}

/// The CUDA code of all loops, in the emulator that checks every access, or on a GPU.
#[test]
fn cuda_code_agrees() {
    let Some(backend) = op2_test_support::device(Backend::Cuda, Backend::CudaEmu) else { return };
    let streaming = in_a_stream(passage(SHAPES[1]));
    let settings = Settings { backend, ..Settings::default() };
    assert_close(
        &results::<f64>(&streaming, &settings),
        &results::<f64>(&streaming, &Settings::default()),
        "in a stream",
    );
    let mesh = passage(SHAPES[0]);
    let expected = results::<f64>(&mesh, &Settings::default());
    let variants = [Strategy::targets(BLOCK), Strategy::atomics(BLOCK), Strategy::block_atomics(BLOCK)];
    for strategy in [Strategy::Predicted].into_iter().chain(STRATEGIES).chain(variants) {
        let settings = Settings { backend, strategy, ..Settings::default() };
        assert_close(&results::<f64>(&mesh, &settings), &expected, &strategy.to_string());
    }
    // Stages add in the order of the whole kernel.
    let on = |strategy| results::<f64>(&mesh, &Settings { backend, strategy, ..Settings::default() });
    let whole = on(Strategy::blocks(BLOCK));
    for stages in 1..=3 {
        assert!(on(Strategy::split(BLOCK, stages)) == whole, "{stages} stages make a difference");
    }
    for stages in 1..=3 {
        let found = on(Strategy::split_atomics(BLOCK, stages));
        assert_close(&found, &expected, &format!("{stages} stages with atomics"));
    }
    let found = on(Strategy::split_block_atomics(BLOCK, 2));
    assert_close(&found, &expected, "stages with atomics between blocks");
}
