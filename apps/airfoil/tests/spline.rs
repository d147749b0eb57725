//! The not-a-knot cubic spline.

use airfoil::mesh::Spline;

#[test]
fn cubics_are_reproduced_inside_and_outside() {
    let cubic = |x: f64| 2.0 - 3.0 * x + 0.5 * x.powi(2) + 1.25 * x.powi(3);
    for points in [4, 5, 9] {
        let x: Vec<f64> = (0..points).map(|k| -1.0 + 0.3 * f64::from(k) + 0.02 * f64::from(k).powi(2)).collect();
        let y: Vec<f64> = x.iter().copied().map(cubic).collect();
        let spline = Spline::new(&x, &y).unwrap();
        for k in -20..40 {
            let at = 0.1 * f64::from(k);
            let expected = cubic(at);
            assert!((spline.value(at) - expected).abs() < 1e-11 * expected.abs().max(1.0), "{points} {at}");
        }
    }
}

/// Values from SciPy 1's `CubicSpline`, whose default ends are not-a-knot as well.
#[test]
fn values_agree_with_an_independent_implementation() {
    let x = [-1.0, -0.6, -0.5, 0.1, 0.7, 1.5, 1.6];
    let y = [0.2, -0.3, 1.0, 0.5, 0.25, -1.0, 2.0];
    let spline = Spline::new(&x, &y).unwrap();
    for (at, expected) in [
        (-1.3, 24.530843769952376),
        (-1.0, 0.2),
        (-0.8, -2.4736316978537425),
        (-0.55, 0.3990904716737875),
        (-0.2, 1.6946739630912044),
        (0.1, 0.5),
        (0.4, 0.6585707510682179),
        (1.0, -2.5112924217867456),
        (1.55, 0.34225158032922376),
        (1.6, 2.0),
        (1.9, 19.956932125141208),
    ] {
        let found = spline.value(at);
        assert!(
            (found - expected).abs() < 1e-12 * f64::abs(expected).max(1.0),
            "at {at}: {found}, expected {expected}"
        );
    }
}

#[test]
fn points_that_cannot_carry_a_spline_are_refused() {
    assert!(Spline::new(&[0.0, 1.0, 2.0], &[0.0; 3]).is_none(), "too few");
    assert!(Spline::new(&[0.0, 1.0, 2.0, 3.0], &[0.0; 3]).is_none(), "lengths differ");
    assert!(Spline::new(&[0.0, 1.0, 1.0, 3.0], &[0.0; 4]).is_none(), "not ascending");
    assert!(Spline::new(&[0.0, 1.0, 2.0, f64::NAN], &[0.0; 4]).is_none(), "not finite");
}
