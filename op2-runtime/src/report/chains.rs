//! The rows of a report about loops that ran in one pass.

use std::fmt;

/// Loops that [`Op2::chain`](crate::Op2::chain) ran in one pass.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct ChainRow {
    /// Name of the set or subset that they run over.
    pub set: String,
    /// The loops, in order.
    pub loops: Vec<ChainedRow>,
    /// Passes over them.
    pub runs: u64,
    /// Seconds of all passes.
    pub seconds: f64,
    /// Useful bytes of the loops as if each had run alone.
    pub useful_bytes: u64,
    /// Useful bytes that were already in the cache, because an earlier loop of the pass had touched them.
    pub saved_bytes: u64,
}

/// A loop of a pass.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct ChainedRow {
    /// Name of the kernel.
    pub name: String,
    /// Where the loop is stated, `file:line`.
    pub location: String,
    /// Its useful bytes in these passes, as if it had run alone.
    pub useful_bytes: u64,
    /// Useful bytes that were already in the cache.
    pub saved_bytes: u64,
}

/// Two loops that a chain called one after the other and did not run in one pass.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct EndRow {
    /// Name of the first kernel.
    pub before: String,
    /// Name of the set or subset that it runs over.
    pub before_set: String,
    /// Name of the second kernel.
    pub after: String,
    /// Name of the set or subset that it runs over.
    pub after_set: String,
    /// Why.
    pub reason: String,
}

impl fmt::Display for ChainRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.loops.iter().map(|l| l.name.as_str()).collect();
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        let (saved, useful) = (gigabytes(self.saved_bytes), gigabytes(self.useful_bytes));
        write!(f, "in one pass over {}: {}: {} times, {:.3} s", self.set, names.join(", "), self.runs, self.seconds)?;
        write!(f, ", {saved:.3} of {useful:.3} useful GB saved")?;
        let saves = |l: &&ChainedRow| l.saved_bytes > 0;
        let each: Vec<_> =
            self.loops.iter().filter(saves).map(|l| format!("{} {:.3}", l.name, gigabytes(l.saved_bytes))).collect();
        if each.is_empty() { Ok(()) } else { write!(f, " ({})", each.join(", ")) }
    }
}

impl fmt::Display for EndRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EndRow { before, before_set, after, after_set, reason } = self;
        match before_set == after_set {
            true => write!(f, "not in one pass over {before_set}: {before}, {after}: {reason}"),
            false => write!(f, "not in one pass: {before} over {before_set}, {after} over {after_set}: {reason}"),
        }
    }
}
