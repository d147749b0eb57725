//! The figures that OP2 publishes for its standard case: 720,000 cells, 1000 iterations.

use airfoil::mesh::Mesh;
use airfoil::plain;
use airfoil::solver::{self, Residual, Settings};
use op2_apps::flags::{Backend, Precision};
use op2_test_support::skips;

/// rms at iterations 100, 200, … 1000, times 1e4.
const TABLE: [f64; 10] = [5.02186, 3.41746, 2.63430, 2.16288, 1.84659, 1.60866, 1.42253, 1.27627, 1.15810, 1.06011];

/// As far as the run went.
fn check_table(residuals: &[Residual]) {
    for (expected, hundred) in TABLE.into_iter().zip(residuals.chunks_exact(100)) {
        let Residual { iteration, rms, .. } = hundred[99];
        assert!((rms * 1e4 - expected).abs() < 0.51e-5, "iteration {iteration}: {rms}, expected {expected}e-4");
    }
}

fn check_double(residuals: &[Residual]) {
    check_table(residuals);
    // OP2's own pass mark is 1e-5 %; the same mesh and formulae leave rounding only.
    let last = residuals[999].rms;
    println!("rms after 1000 iterations: {last:.13e}");
    assert!((last / 1.060114637578e-4 - 1.0).abs() < 1e-11, "{last:e}");
}

/// Iterations of runs that only repeat what a longer one has shown.
const FEW: usize = 100;

fn run(backend: Backend, threads: usize, precision: Precision) -> Vec<Residual> {
    run_for(1000, Settings { backend, threads, precision, ..Settings::default() })
}

fn run_for(iterations: usize, settings: Settings) -> Vec<Residual> {
    let mesh = Mesh::naca0012(400, 600).unwrap();
    solver::run(&mesh, &Settings { iterations, ..settings }, &mut |_| Ok(())).unwrap().residuals
}

#[test]
#[ignore = "takes minutes: cargo test --release -p airfoil --test published -- --ignored"]
fn plain_loops_have_the_published_residuals() {
    let run = plain::run::<f64>(&Mesh::naca0012(400, 600).unwrap(), FEW, &mut |_| ()).unwrap();
    assert_eq!(run.residuals.len(), FEW);
    check_table(&run.residuals);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p airfoil --test published -- --ignored"]
fn the_sequential_executor_has_the_published_residuals() {
    let residuals = run_for(FEW, Settings { backend: Backend::Seq, threads: 1, ..Settings::default() });
    assert_eq!(residuals.len(), FEW);
    check_table(&residuals);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p airfoil --test published -- --ignored"]
fn threads_have_the_published_residuals_whatever_their_number() {
    let two = run(Backend::Threads, 2, Precision::F64);
    check_double(&two);
    let three = run_for(FEW, Settings { backend: Backend::Threads, threads: 3, ..Settings::default() });
    assert_eq!(two[..FEW], three, "results depend on the number of threads");
}

#[test]
#[ignore = "takes minutes: cargo test --release -p airfoil --test published -- --ignored"]
fn single_precision_comes_as_close_as_op2_asks() {
    let last = run(Backend::Threads, 2, Precision::F32)[999].rms;
    println!("rms after 1000 iterations in f32: {last:e}");
    assert!((last / 1.05987e-4 - 1.0).abs() < 1e-3, "{last:e}");
}

/// On a machine with a GPU.
#[test]
#[ignore = "needs a GPU: scripts/gpu-validate"]
fn a_gpu_has_the_published_residuals() {
    if std::env::var_os("OP2_TEST_GPU").is_none() {
        skips::skip(skips::GPU, "`OP2_TEST_GPU` is not set");
        return;
    }
    check_double(&run(Backend::Cuda, 1, Precision::F64));
    let last = run(Backend::Cuda, 1, Precision::F32)[999].rms;
    println!("rms after 1000 iterations in f32: {last:e}");
    assert!((last / 1.05987e-4 - 1.0).abs() < 1e-3, "{last:e}");
}
