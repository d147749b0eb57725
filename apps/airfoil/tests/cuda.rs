//! The CUDA code of all loops, in the emulator that checks every access or on a GPU, against the sequential executor.

use airfoil::mesh::Mesh;
use airfoil::solver::{self, Run, Settings};
use op2::{Strategy, devices};
use op2_apps::flags::{Backend, Layout, Precision};

/// Threads or elements of a block.
const BLOCKS: [usize; 3] = [32, 128, 256];

/// Every variant with blocks of this size. The last two are not deterministic.
fn strategies(block: usize) -> [Strategy; 8] {
    [
        Strategy::colours(block),
        Strategy::blocks(block),
        Strategy::scatter(block),
        Strategy::tiles(block),
        Strategy::owner(block),
        Strategy::targets(block),
        Strategy::atomics(block),
        Strategy::block_atomics(block),
    ]
}

/// Every way to run in stages, with as many as res_calc has.
fn in_stages(block: usize) -> [Strategy; 4] {
    [
        Strategy::split(block, 1),
        Strategy::split(block, 2),
        Strategy::split_atomics(block, 2),
        Strategy::split_block_atomics(block, 2),
    ]
}

fn is_deterministic(strategy: Strategy) -> bool {
    !strategy.to_string().contains("atomics")
}

fn run(mesh: &Mesh, settings: &Settings) -> Run {
    solver::run(mesh, settings, &mut |_| Ok(())).unwrap()
}

/// Equal up to the order of additions.
fn assert_close(found: &Run, expected: &Run, rounding: f64, what: &str) {
    for (a, b) in found.q.iter().flatten().zip(expected.q.iter().flatten()) {
        assert!((a - b).abs() <= rounding * b.abs().max(1.0), "{what}: {a} {b}");
    }
    for (a, b) in found.residuals.iter().zip(&expected.residuals) {
        // The residual is a sum of squares of small differences.
        assert!((a.rms / b.rms - 1.0).abs() < rounding * 1e2, "{what}: {a:?} {b:?}");
    }
}

#[test]
fn every_variant_layout_and_block_size_agrees() {
    let Some(backend) = op2_test_support::device(Backend::Cuda, Backend::CudaEmu) else { return };
    let mesh = Mesh::naca0012(10, 14).unwrap();
    let iterations = 3;
    let expected = run(&mesh, &Settings { iterations, ..Settings::default() });
    for layout in [Layout::Aos, Layout::Soa] {
        for strategy in BLOCKS.into_iter().flat_map(strategies).chain(in_stages(64)) {
            let settings = Settings { backend, iterations, layout, strategy, ..Settings::default() };
            let what = format!("{strategy}, {layout:?}");
            let found = run(&mesh, &settings);
            assert_close(&found, &expected, 1e-12, &what);
            if is_deterministic(strategy) {
                let emulator = devices::Options { seed: 7, ..Default::default() };
                let again = run(&mesh, &Settings { emulator, ..settings });
                assert!(found.q == again.q && found.residuals == again.residuals, "{what}: runs differ");
            }
        }
    }
}

#[test]
fn a_random_numbering_agrees() {
    let Some(backend) = op2_test_support::device(Backend::Cuda, Backend::CudaEmu) else { return };
    let (mesh, _) = Mesh::naca0012(10, 14).unwrap().shuffled(3);
    let expected = run(&mesh, &Settings { iterations: 2, ..Settings::default() });
    for strategy in strategies(64) {
        let settings = Settings { backend, iterations: 2, strategy, ..Settings::default() };
        assert_close(&run(&mesh, &settings), &expected, 1e-12, &strategy.to_string());
    }
}

#[test]
fn single_precision_agrees() {
    let Some(backend) = op2_test_support::device(Backend::Cuda, Backend::CudaEmu) else { return };
    let mesh = Mesh::naca0012(10, 14).unwrap();
    let single = Settings { iterations: 2, precision: Precision::F32, ..Settings::default() };
    let expected = run(&mesh, &single);
    for layout in [Layout::Aos, Layout::Soa] {
        let settings = Settings { backend, layout, ..single.clone() };
        assert_close(&run(&mesh, &settings), &expected, 1e-5, &format!("{layout:?}"));
    }
}

/// Numbers that depend on the mesh are compiled in on a GPU and looked up in the emulator, unless it is set to do as a
/// GPU does.
#[test]
fn numbers_that_are_compiled_in_are_the_same() {
    if !op2_test_support::has_cxx() {
        return;
    }
    let mesh = Mesh::naca0012(10, 14).unwrap();
    for (layout, strategy) in [(Layout::Soa, Strategy::Predicted), (Layout::Aos, Strategy::scatter(64))] {
        let emulator = devices::Options::default();
        let settings = Settings { backend: Backend::CudaEmu, layout, strategy, emulator, ..Settings::default() };
        let folded = devices::Options { folded: true, ..emulator };
        let (looked_up, compiled_in) = (run(&mesh, &settings), run(&mesh, &Settings { emulator: folded, ..settings }));
        assert!(looked_up.q == compiled_in.q && looked_up.residuals == compiled_in.residuals);
    }
}
