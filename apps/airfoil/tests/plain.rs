//! The plain loops, compared with numbers of OP2, with an implementation in another language, and with properties of
//! the equations.

use airfoil::mesh::Mesh;
use airfoil::physics::{FAR_FIELD, far_field};
use airfoil::solver::{Run, as_input};
use airfoil::{Error, plain};

fn run_f64(mesh: &Mesh, iterations: usize) -> Run {
    plain::run::<f64>(mesh, iterations, &mut |_| ()).unwrap()
}

/// `(iteration, rms, greatest squared change)` of the mesh of size 8 × 12, from a NumPy program that was written from
/// the formulae and read the mesh from its file.
const NUMPY: [(usize, f64, f64); 4] = [
    (1, 0.006918166616446877, 0.004982612831557488),
    (10, 0.000953417660921652, 1.7317916984047007e-05),
    (50, 0.00014923353921774763, 2.079933289893525e-07),
    (100, 2.5939908553336542e-05, 2.2041114948933627e-09),
];

#[test]
fn residuals_agree_with_an_independent_program() {
    let run = run_f64(&Mesh::naca0012(8, 12).unwrap(), 100);
    for (iteration, rms, max_err) in NUMPY {
        let found = run.residuals[iteration - 1];
        assert_eq!(found.iteration, iteration);
        assert!((found.rms / rms - 1.0).abs() < 1e-11, "{found:?}, expected {rms}");
        assert!((found.max_err / max_err - 1.0).abs() < 1e-10, "{found:?}, expected {max_err}");
    }
}

#[test]
fn the_greatest_change_belongs_to_its_cell() {
    // The wall is all that disturbs the flow at first, so that the greatest change lies next to it.
    let mesh = Mesh::naca0012(8, 12).unwrap();
    let first = run_f64(&mesh, 1).residuals[0];
    assert!((8..16).contains(&first.max_err_cell), "{first:?}");
    assert!(first.max_err <= first.rms.powi(2) * mesh.cells() as f64);
}

/// Where the far field is all around, also in place of the profile, nothing disturbs the flow: fluxes around every
/// cell cancel.
#[test]
fn an_undisturbed_flow_stays_as_it_is() {
    let mut mesh = Mesh::naca0012(8, 12).unwrap();
    mesh.bound.fill(FAR_FIELD);
    let run = run_f64(&mesh, 50);
    assert!(run.residuals.iter().all(|r| r.rms < 1e-14), "{:?}", run.residuals.last());
    for q in &run.q {
        assert!(q.iter().zip(far_field()).all(|(a, b)| (a - b).abs() < 1e-12), "{q:?}");
    }
}

/// The flow on a symmetric profile without incidence: mirror images differ in the sign of the velocity in y alone.
#[test]
fn the_solution_is_symmetric() {
    let (i, j) = (8, 12);
    let run = run_f64(&Mesh::naca0012(i, j).unwrap(), 200);
    let columns = 3 * i as usize;
    for row in 0..j as usize {
        for column in 0..columns {
            let [a, b] = [column, columns - 1 - column].map(|c| run.q[row * columns + c]);
            let mirrored = [b[0], b[1], -b[2], b[3]];
            assert!(a.iter().zip(mirrored).all(|(a, b)| (a - b).abs() < 1e-12), "{row} {column}: {a:?} {b:?}");
        }
    }
}

#[test]
fn numbering_makes_no_difference_but_rounding() {
    let mesh = Mesh::naca0012(8, 12).unwrap();
    let (shuffled, renumbering) = mesh.shuffled(3);
    let run = run_f64(&mesh, 100);
    let moved = run_f64(&shuffled, 100);
    assert_ne!(run.q, moved.q, "the numbering has not changed");
    let back = as_input(moved, &renumbering);
    for (a, b) in run.q.iter().flatten().zip(back.q.iter().flatten()) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
    for (a, b) in run.residuals.iter().zip(&back.residuals) {
        assert!((a.rms / b.rms - 1.0).abs() < 1e-10, "{a:?} {b:?}");
        assert!((a.max_err / b.max_err - 1.0).abs() < 1e-9, "{a:?} {b:?}");
    }
    // In the first iteration two mirrored cells have the greatest change; the numbering decides which is named.
    let first = [run.residuals[0].max_err_cell, back.residuals[0].max_err_cell];
    assert!(first[0] == first[1] || first[0] + first[1] == 23, "{first:?}");
}

#[test]
fn single_precision_is_close_to_double() {
    let mesh = Mesh::naca0012(8, 12).unwrap();
    let single = plain::run::<f32>(&mesh, 50, &mut |_| ()).unwrap();
    let double = run_f64(&mesh, 50);
    for (a, b) in single.q.iter().flatten().zip(double.q.iter().flatten()) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
        assert_eq!(f64::from(*a as f32), *a, "the arithmetic was not single");
    }
    assert!((single.residuals[9].rms / double.residuals[9].rms - 1.0).abs() < 1e-3);
}

#[test]
fn no_iterations_leave_the_start() {
    let run = run_f64(&Mesh::naca0012(2, 2).unwrap(), 0);
    assert!(run.residuals.is_empty());
    assert!(run.q.iter().all(|&q| q == far_field()));
}

#[test]
fn progress_hears_of_every_iteration() {
    let mut heard = Vec::new();
    let run = plain::run::<f64>(&Mesh::naca0012(2, 2).unwrap(), 7, &mut |r| heard.push(*r)).unwrap();
    assert_eq!(heard, run.residuals);
    assert_eq!(heard.len(), 7);
}

#[test]
fn a_flow_that_is_no_number_ends_the_run() {
    let mut mesh = Mesh::naca0012(2, 2).unwrap();
    // So long that squares of lengths are no numbers any more, while areas are.
    mesh.x.iter_mut().for_each(|[x, y]| (*x, *y) = (*x * 1e160, *y * 1e-10));
    let error = plain::run::<f64>(&mesh, 10, &mut |_| ()).unwrap_err();
    assert!(matches!(error, Error::Diverged { iteration: 1, .. }), "{error}");
    assert_eq!(error.exit_status(), 1);
}

#[test]
fn a_mesh_that_makes_no_sense_is_refused() {
    let mut mesh = Mesh::naca0012(2, 2).unwrap();
    mesh.x.fill([1.0, 1.0]);
    let error = plain::run::<f64>(&mesh, 10, &mut |_| ()).unwrap_err();
    assert!(matches!(error, Error::Mesh(_)) && error.exit_status() == 2, "{error}");
}
