//! The table: every figure with its goal and the verdict.

use std::fmt;

use super::measure::{Line, Results};

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
        let verdict = goal.verdict(samples.median());
        let line = format!("{what:<36} | {:>9} | {samples} | {verdict}", goal.to_string());
        write!(f, "{}", line.trim_end())
    }
}
