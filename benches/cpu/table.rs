//! The table: what was found, what it must be, and whether it is.

use std::fmt;

use super::measure::{Goal, Line, Results};

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Results { isa, cells, edges, rounds, triad, peak, .. } = self;
        writeln!(
            f,
            "airfoil {cells} cells, hydra {edges} edges, 2 threads, {isa}; {rounds} rounds: minimum, median, maximum"
        )?;
        writeln!(f, "triad, GB/s       {triad:.1}")?;
        writeln!(f, "peak, 1e9 flops/s {peak:.1}")?;
        self.strategies.iter().try_for_each(|text| writeln!(f, "{text}"))?;
        writeln!(f, "\n{:<36} | {:>9} | {:>8} {:>8} {:>8} |", "what", "goal", "min", "median", "max")?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { what, goal, samples } = self;
        let verdict = match goal.met(samples.median()) {
            Some(true) => " met",
            Some(false) => " missed",
            None => "",
        };
        write!(f, "{what:<36} | {:>9} | {samples} |{verdict}", goal.to_string())
    }
}

impl Goal {
    /// Whether it is met, if there is anything to meet.
    fn met(self, found: f64) -> Option<bool> {
        match self {
            Goal::AtLeast(least) => Some(found >= least),
            Goal::AtMost(most) => Some(found <= most),
            Goal::Known => None,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::AtLeast(least) => write!(f, ">= {least:.2}"),
            Goal::AtMost(most) => write!(f, "<= {most:.2}"),
            Goal::Known => Ok(()),
        }
    }
}
