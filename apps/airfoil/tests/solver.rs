//! The loops of op2 against the plain loops, on small meshes: executors, thread counts, layouts, precisions.

use airfoil::Error;
use airfoil::mesh::Mesh;
use airfoil::physics::far_field;
use airfoil::plain;
use airfoil::solver::{self, Airfoil, Run, Settings};
use op2::{Ordering, Strategy};
use op2_apps::flags::{Backend, Layout, Precision};

fn settings(backend: Backend, threads: usize, iterations: usize) -> Settings {
    Settings { backend, threads, iterations, ..Settings::default() }
}

fn run(mesh: &Mesh, settings: &Settings) -> Run {
    solver::run(mesh, settings, &mut |_| Ok(())).unwrap()
}

fn reference(mesh: &Mesh, iterations: usize) -> Run {
    plain::run::<f64>(mesh, iterations, &mut |_| ()).unwrap()
}

/// Equal up to the order of additions.
fn assert_close(found: &Run, expected: &Run) {
    for (a, b) in found.q.iter().flatten().zip(expected.q.iter().flatten()) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
    assert_eq!(found.residuals.len(), expected.residuals.len());
    for (a, b) in found.residuals.iter().zip(&expected.residuals) {
        assert_eq!(a.iteration, b.iteration);
        assert!((a.rms / b.rms - 1.0).abs() < 1e-10, "{a:?} {b:?}");
        assert!((a.max_err / b.max_err - 1.0).abs() < 1e-9, "{a:?} {b:?}");
    }
}

#[test]
fn every_executor_and_layout_agrees_with_the_plain_loops() {
    let mesh = Mesh::naca0012(16, 24).unwrap();
    let expected = reference(&mesh, 60);
    for (backend, threads) in [(Backend::Seq, 1), (Backend::Threads, 1), (Backend::Threads, 2)] {
        for layout in [Layout::Aos, Layout::Soa] {
            let found = run(&mesh, &Settings { layout, ..settings(backend, threads, 60) });
            assert_close(&found, &expected);
        }
    }
}

#[test]
fn a_random_numbering_agrees_with_the_plain_loops() {
    let (mesh, _) = Mesh::naca0012(16, 24).unwrap().shuffled(7);
    let expected = reference(&mesh, 30);
    for (backend, threads) in [(Backend::Seq, 1), (Backend::Threads, 2)] {
        assert_close(&run(&mesh, &settings(backend, threads, 30)), &expected);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for mesh in [Mesh::naca0012(16, 24).unwrap(), Mesh::naca0012(16, 24).unwrap().shuffled(1).0] {
        let one = run(&mesh, &settings(Backend::Threads, 1, 20));
        for threads in [2, 3, 8] {
            let many = run(&mesh, &settings(Backend::Threads, threads, 20));
            assert_eq!(many.q, one.q, "{threads} threads");
            assert_eq!(many.residuals, one.residuals, "{threads} threads");
        }
    }
}

#[test]
fn every_strategy_agrees_with_the_plain_loops() {
    let mesh = Mesh::naca0012(8, 12).unwrap();
    let expected = reference(&mesh, 20);
    let coloured = [Strategy::blocks(1), Strategy::blocks(37), Strategy::colours(16)];
    let redirected = [Strategy::scatter(50), Strategy::tiles(60), Strategy::owner(60)];
    let in_stages = [1, 2].map(|stages| Strategy::split(37, stages));
    for strategy in coloured.into_iter().chain(redirected).chain(in_stages) {
        let mut flow = Airfoil::<f64>::new(&mesh, &settings(Backend::Threads, 2, 0)).unwrap();
        for kernel in ["save_soln", "adt_calc", "res_calc", "bres_calc", "update"] {
            flow.op.pin(kernel, strategy).unwrap();
        }
        let residuals = (1..=20).map(|n| flow.iterate(n).unwrap()).collect();
        let q = flow.solution().unwrap();
        assert_close(&Run { residuals, q, ..Run::default() }, &expected);
    }
}

/// The solution keeps the numbers of the mesh, however op2 numbers it inside.
#[test]
fn every_ordering_agrees_with_the_plain_loops() {
    let (mesh, _) = Mesh::naca0012(16, 24).unwrap().shuffled(7);
    let expected = reference(&mesh, 30);
    for ordering in [Ordering::Rcm, Ordering::Gps, Ordering::Hilbert, Ordering::Metis { block: 64 }] {
        for strategy in [Strategy::Predicted, Strategy::tiles(128), Strategy::owner(128)] {
            let found = run(&mesh, &Settings { ordering, strategy, ..settings(Backend::Threads, 2, 30) });
            assert_close(&found, &expected);
            let account = found.reordering.expect("it was asked for");
            assert_eq!((account.ordering, account.lead.as_str()), (ordering, "pecell"));
            assert!(account.after.blocks.reuse > 1.3 * account.before.blocks.reuse, "{account}");
        }
    }
}

#[test]
fn single_precision_runs_in_single_precision() {
    let mesh = Mesh::naca0012(8, 12).unwrap();
    let expected = plain::run::<f32>(&mesh, 20, &mut |_| ()).unwrap();
    let found = run(&mesh, &Settings { precision: Precision::F32, ..settings(Backend::Threads, 2, 20) });
    for (a, b) in found.q.iter().flatten().zip(expected.q.iter().flatten()) {
        assert_eq!(f64::from(*a as f32), *a, "the arithmetic was not single");
        assert!((a - b).abs() < 2e-5, "{a} {b}");
    }
}

#[test]
fn progress_can_end_the_run() {
    let mut heard = 0;
    let mut two = |_: &_| {
        heard += 1;
        if heard < 2 { Ok(()) } else { Err(Error::Usage("enough".into())) }
    };
    let error = solver::run(&Mesh::naca0012(2, 2).unwrap(), &settings(Backend::Seq, 1, 10), &mut two).unwrap_err();
    assert_eq!((error.to_string().as_str(), heard), ("enough", 2));
}

#[test]
fn no_iterations_leave_the_start() {
    let found = run(&Mesh::naca0012(2, 2).unwrap(), &settings(Backend::Threads, 2, 0));
    assert!(found.residuals.is_empty());
    assert!(found.q.iter().all(|&q| q == far_field()));
}

#[test]
fn a_flow_that_is_no_number_ends_the_run() {
    let mut mesh = Mesh::naca0012(2, 2).unwrap();
    // So long that squares of lengths are no numbers any more, while areas are.
    mesh.x.iter_mut().for_each(|[x, y]| (*x, *y) = (*x * 1e160, *y * 1e-10));
    let error = solver::run(&mesh, &settings(Backend::Seq, 1, 10), &mut |_| Ok(())).unwrap_err();
    assert!(matches!(error, Error::Diverged { iteration: 1, .. }), "{error}");
}

#[test]
fn the_report_counts_calls_and_useful_bytes() {
    let mesh = Mesh::naca0012(16, 24).unwrap();
    let report = run(&mesh, &settings(Backend::Threads, 2, 5)).report.unwrap();
    let calls: Vec<_> = report.loops.iter().map(|l| (l.name.as_str(), l.calls)).collect();
    assert_eq!(calls, [("save_soln", 5), ("adt_calc", 10), ("res_calc", 10), ("bres_calc", 10), ("update", 10)]);
    // Four components of 8 bytes, read and written, per cell and call.
    assert_eq!(report.loops[0].useful_bytes, 5 * 64 * mesh.cells() as u64);
}

#[test]
fn a_mesh_that_makes_no_sense_is_refused() {
    let mut mesh = Mesh::naca0012(2, 2).unwrap();
    mesh.x.fill([1.0, 1.0]);
    let error = solver::run(&mesh, &settings(Backend::Seq, 1, 10), &mut |_| Ok(())).unwrap_err();
    assert!(matches!(error, Error::Mesh(_)) && error.exit_status() == 2, "{error}");
}
