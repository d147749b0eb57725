//! The samples that a bench takes in its rounds.

use std::fmt;
use std::ops::Div;

/// Samples of one quantity, one per round.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Adds the sample of the next round.
    pub fn push(&mut self, sample: f64) {
        self.0.push(sample);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sample in the middle, the lower one of two.
    pub fn median(&self) -> f64 {
        let sorted = self.sorted();
        sorted[(sorted.len() - 1) / 2]
    }

    /// The least of all samples.
    pub fn min(&self) -> f64 {
        self.sorted()[0]
    }

    /// The greatest of all samples.
    pub fn max(&self) -> f64 {
        self.sorted()[self.0.len() - 1]
    }

    fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }
}

/// Their ratio, round by round.
impl Div for &Samples {
    type Output = Samples;

    fn div(self, other: &Samples) -> Samples {
        Samples(self.0.iter().zip(&other.0).map(|(a, b)| a / b).collect())
    }
}

/// Minimum, median, maximum; the precision is that of the format, 2 without one.
impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        let sorted = self.sorted();
        let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
        write!(f, "{least:8.digits$} {:8.digits$} {most:8.digits$}", self.median())
    }
}
