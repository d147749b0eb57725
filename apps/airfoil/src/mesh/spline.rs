//! Cubic spline through given points with not-a-knot ends.

/// The cubic spline `s` with `s(xₖ) = yₖ`, two continuous derivatives, and a third derivative that is continuous at the
/// second and at the last but one point too (*not a knot*); outside of the points its end pieces go on.
///
/// This is what MATLAB's `spline(x, y, ·)` computes. Source: C. de Boor, *A Practical Guide to Splines*, 1978,
/// chapter IV: the slopes at the points solve a tridiagonal system.
#[derive(Clone, Debug)]
pub struct Spline {
    x: Vec<f64>,
    y: Vec<f64>,
    slope: Vec<f64>,
}

impl Spline {
    /// The spline through the points `(x[k], y[k])`; `None` unless there are at least four of them, as many ordinates
    /// as abscissae, all finite, the abscissae ascending.
    pub fn new(x: &[f64], y: &[f64]) -> Option<Self> {
        let finite = x.iter().chain(y).all(|v| v.is_finite());
        let ascending = x.windows(2).all(|w| w[0] < w[1]);
        if x.len() < 4 || x.len() != y.len() || !finite || !ascending {
            return None;
        }
        Some(Self { x: x.to_vec(), y: y.to_vec(), slope: slopes(x, y) })
    }

    /// The spline's value at `at`.
    pub fn value(&self, at: f64) -> f64 {
        let last = self.x.len() - 2;
        let k = self.x.partition_point(|&x| x <= at).saturating_sub(1).min(last);
        let h = self.x[k + 1] - self.x[k];
        let chord = (self.y[k + 1] - self.y[k]) / h;
        let (start, end) = (self.slope[k], self.slope[k + 1]);
        let cubic = (start + end - 2.0 * chord) / (h * h);
        let square = (3.0 * chord - 2.0 * start - end) / h;
        let t = at - self.x[k];
        self.y[k] + t * (start + t * (square + t * cubic))
    }
}

/// Slopes of the spline at its points. The first and the last equation state the not-a-knot condition with the
/// equation of their neighbour used to drop the third unknown, which leaves the system tridiagonal.
fn slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let chord: Vec<f64> = y.windows(2).zip(&h).map(|(w, h)| (w[1] - w[0]) / h).collect();

    let mut below = vec![0.0; n];
    let mut on = vec![0.0; n];
    let mut above = vec![0.0; n];
    let mut right = vec![0.0; n];
    (on[0], above[0], right[0]) = not_a_knot([h[0], h[1]], [chord[0], chord[1]]);
    for k in 1..n - 1 {
        below[k] = h[k];
        on[k] = 2.0 * (h[k - 1] + h[k]);
        above[k] = h[k - 1];
        right[k] = 3.0 * (h[k] * chord[k - 1] + h[k - 1] * chord[k]);
    }
    (on[n - 1], below[n - 1], right[n - 1]) = not_a_knot([h[n - 2], h[n - 3]], [chord[n - 2], chord[n - 3]]);
    solve_tridiagonal(&below, on, &above, right)
}

/// The end equation: coefficients of the end slope and of its neighbour, and the right side. `h` and `chord` are the
/// widths and chord slopes of the two end intervals, the outer one first.
fn not_a_knot(h: [f64; 2], chord: [f64; 2]) -> (f64, f64, f64) {
    let width = h[0] + h[1];
    let right = ((h[0] + 2.0 * width) * h[1] * chord[0] + h[0] * h[0] * chord[1]) / width;
    (h[1], width, right)
}

/// Gaussian elimination without pivoting, which the spline's system does not need: its inner rows are dominated by the
/// diagonal, and the end rows stay regular (de Boor).
fn solve_tridiagonal(below: &[f64], mut on: Vec<f64>, above: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    let n = on.len();
    for k in 1..n {
        let factor = below[k] / on[k - 1];
        on[k] -= factor * above[k - 1];
        right[k] -= factor * right[k - 1];
    }
    right[n - 1] /= on[n - 1];
    for k in (0..n - 1).rev() {
        right[k] = (right[k] - above[k] * right[k + 1]) / on[k];
    }
    right
}
