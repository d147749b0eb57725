//! Checks of a metric from elsewhere.

use op2_apps::flaw::{Flaw, expect_length};

use super::{Metric, NODE};

impl Metric {
    /// Fails unless the metric has two nodes or more in x and y, a finite positive definite tensor at each, and a grid with an
    /// extent. A tensor between nodes is then positive definite, too.
    ///
    /// # Errors
    /// The first flaw, with the node.
    pub fn check(&self) -> Result<(), Flaw> {
        let [nx, ny] = self.nodes;
        if nx < 2 || ny < 2 {
            return Err(Flaw::of_mesh(format!(
                "the metric has {nx} by {ny} nodes, expected at least 2 by 2: state one that is the same everywhere four times"
            )));
        }
        expect_length("values", self.values.len(), "nodes", nx.saturating_mul(ny))?;
        let [dx, dy] = self.spacing;
        if !(dx > 0.0 && dy > 0.0 && self.spacing.iter().chain(&self.origin).all(|c| c.is_finite())) {
            return Err(Flaw::of_mesh(format!(
                "the nodes of the metric are {dx:e} and {dy:e} apart in x and y, expected positive distances"
            )));
        }
        let Some(bad) = self.values.iter().position(|m| !is_positive_definite(*m)) else { return Ok(()) };
        let [m00, m01, m11] = self.values[bad];
        let at = format!("in column {} of {nx} and row {} of {ny}", bad % nx, bad / nx);
        let reason = format!(
            "its tensor [{m00:e}, {m01:e}, {m11:e}], {at}, is not positive definite, expected finite numbers with m00 > 0, m11 > 0 \
             and m01² < m00·m11 by more than rounding: otherwise there are edges without a length"
        );
        Err(Flaw::at(NODE, bad, self.values.len(), reason))
    }
}

/// The least that 1 - m01²/(m00·m11) may be, so that rounding makes no square of a length negative. Interpolation between
/// tensors keeps the bound.
const ROUND: f64 = 1e-12;

/// Whether edges of every direction have a length above 0, which is a number.
fn is_positive_definite([m00, m01, m11]: [f64; 3]) -> bool {
    // Without products of two entries, which may be too large or too small.
    let cosine = m01 / m00.sqrt() / m11.sqrt();
    m00 > 0.0 && m11 > 0.0 && m00.is_finite() && m11.is_finite() && 1.0 - cosine * cosine > ROUND
}
