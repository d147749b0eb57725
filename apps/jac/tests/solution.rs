//! Every node against the closed form, on all executors and in both precisions.

use jac::{solve, worst_node};
use op2::{Backend, Config, Float, Layout, Strategy, devices};

fn config(backend: Backend) -> Config {
    // The loops are short: without this they would run on the calling thread, whatever the backend.
    Config::default().backend(backend).short_loops(0)
}

fn greatest_error<F: Float>(n: u32, u: &[F]) -> f64 {
    worst_node(n, u).map_or(0.0, |(_, found, expected)| (found - expected).abs().to_f64())
}

#[test]
fn every_node_has_the_closed_form() {
    for backend in [Backend::Seq, Backend::Threads(2)] {
        for n in [1, 2, 3, 20] {
            let outcome = solve(n, 1e-15, 20_000, config(backend)).unwrap();
            let error = greatest_error(n, &outcome.u);
            assert!(error < 1e-12, "{backend:?}, {n} nodes a side: {error:e}");
            // Σ sin² over the grid is ((n + 1) / 2)².
            let norm = f64::from(n + 1) / 2.0;
            assert!((outcome.norm - norm).abs() < 1e-11, "{backend:?}, {n}: norm {} for {norm}", outcome.norm);
        }
    }
}

#[test]
fn single_precision_comes_close() {
    let outcome = solve(20, 1e-7f32, 20_000, config(Backend::Threads(2))).unwrap();
    let error = greatest_error(20, &outcome.u);
    assert!(error < 2e-4, "{error:e}");
    assert!(outcome.steps < 20_000, "did not settle");
}

#[test]
fn convergence_is_as_theory_says() {
    // The error is the mode itself from the start, so each step multiplies it by cos πh.
    let (n, steps) = (15, 40);
    let outcome = solve(n, 0.0, steps, config(Backend::Seq)).unwrap();
    let expected = (std::f64::consts::PI / f64::from(n + 1)).cos().powi(steps as i32);
    let error = greatest_error(n, &outcome.u);
    assert!((error - expected).abs() < 1e-12, "{error} for {expected}");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    // Many norms, because the square root hides most differences in the last bit of a sum.
    let run = |threads| {
        let outcome = |steps| solve(101, 0.0, steps, config(Backend::Threads(threads))).unwrap();
        (10..30).map(outcome).collect::<Vec<_>>()
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn the_checker_sees_a_single_wrong_node() {
    let n = 9;
    let outcome = solve(n, 1e-15, 5_000, config(Backend::Seq)).unwrap();
    for node in [0, 40, 80] {
        for wrong in [1e-6, f64::NAN] {
            let mut u = outcome.u.clone();
            u[node] += wrong;
            let (found, ..) = worst_node(n, &u).unwrap();
            assert_eq!(found, node);
        }
    }
}

#[test]
fn cuda_code_agrees_in_every_variant_layout_and_block_size() {
    let Some(device) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) else { return };
    let (n, steps) = (14, 6);
    let expected = solve(n, 0.0, steps, config(Backend::Seq)).unwrap();
    for layout in [Layout::Aos, Layout::Soa] {
        for block in [32, 128, 256] {
            let deterministic = [
                Strategy::colours(block),
                Strategy::blocks(block),
                Strategy::scatter(block),
                Strategy::tiles(block),
                Strategy::owner(block),
                Strategy::targets(block),
                Strategy::split(block, 1),
            ];
            let atomic = [Strategy::atomics(block), Strategy::block_atomics(block), Strategy::split_atomics(block, 1)];
            for strategy in deterministic.into_iter().chain(atomic) {
                let on = |seed| {
                    config(device)
                        .layout(layout)
                        .strategy(strategy)
                        .emulator(devices::Options { seed, ..Default::default() })
                };
                let found = solve(n, 0.0, steps, on(1)).unwrap();
                let what = format!("{strategy}, {layout:?}");
                for (a, b) in found.u.iter().zip(&expected.u) {
                    assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{what}: {a} for {b}");
                }
                assert!((found.norm - expected.norm).abs() <= 1e-12 * expected.norm, "{what}");
                assert!((found.change - expected.change).abs() <= 1e-12, "{what}");
                if deterministic.contains(&strategy) {
                    assert_eq!(solve(n, 0.0, steps, on(2)).unwrap(), found, "{what}: runs differ");
                }
            }
        }
    }
}
