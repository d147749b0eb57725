//! The goals of all benches, in one table. `cargo xtask figures` prints for each figure whether its goal is met, and fails if no
//! figure belongs to an entry.

use std::fmt;

/// The bound of a figure's median.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// At least this. As a ratio, 1 is equality.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
    /// No bound: the figure is only reported.
    Known,
}

/// Goals by the names of figures, in which `*` matches any text. The first match holds.
pub const GOALS: &[(&str, Goal)] = &[
    // OP2's own pass mark, against the residual that it publishes.
    ("app/off the published residual, %", Goal::AtMost(1e-5)),
    // op2's loops relative to hand-written ones.
    ("airfoil/*/over by hand", Goal::AtMost(1.10)),
    ("hydra/*/over by hand", Goal::AtMost(1.10)),
    ("plan/*/over execution", Goal::AtMost(3.0)),
    ("overhead/2 threads, woken/*", Goal::Known),
    ("overhead/*/0 elements/*", Goal::AtMost(2000.0)),
    ("strategies/*/predicted over best fixed", Goal::AtMost(1.10)),
    ("strategies/*/auto over best fixed", Goal::AtMost(1.03)),
    ("strategies/*/trials, executions", Goal::AtMost(10.0)),
    ("strategies/*/random, none/step over in order", Goal::Known),
    ("strategies/*/random, */step over in order", Goal::AtMost(1.05)),
    ("cpu/whole iteration of triad", Goal::AtLeast(0.85)),
    ("cpu/scalar, unchained, over lanes", Goal::AtLeast(1.90)),
    ("cpu/save_soln of triad", Goal::AtLeast(0.90)),
    ("cpu/update of triad", Goal::AtLeast(0.90)),
    ("cpu/random, reordered, over in order", Goal::AtMost(1.05)),
    ("cpu/f64 over f32", Goal::AtLeast(1.80)),
    ("cpu/adt_calc, 1 thread over 2", Goal::AtLeast(1.90)),
    ("cpu/res_calc, 1 thread over 2", Goal::AtLeast(1.90)),
    ("cpu/hydra, *, of the larger floor", Goal::AtLeast(0.70)),
    ("untouched/*/over the best flag", Goal::AtMost(1.05)),
    // The loop over the boundary takes microseconds.
    ("untouched/airfoil*/bres_calc over the better of scalar and lanes", Goal::Known),
    ("untouched/*/* over the better of scalar and lanes", Goal::AtMost(1.03)),
    ("untouched/*/one thread over seq", Goal::AtMost(1.03)),
    ("siac/P = 1, low, 64000, per element/seconds", Goal::AtMost(1.4)),
    ("siac/P = 1, low, 64000, per point/seconds", Goal::AtMost(2.0)),
    ("siac/P = 1, high, 16000, per element/seconds", Goal::AtMost(1.2)),
    ("siac/P = 1, high, 16000, per point/seconds", Goal::AtMost(1.9)),
    ("siac/*/second pass, % of the loop", Goal::AtMost(3.0)),
    ("adapt/coarsen, in order/seconds", Goal::AtMost(0.15)),
    ("adapt/coarsen, in order/facets", Goal::AtMost(50_500.0)),
    ("adapt/coarsen, shuffled/facets", Goal::AtMost(50_500.0)),
    ("adapt/refine, in order/seconds", Goal::AtMost(0.15)),
    ("adapt/*, shuffled over in order", Goal::AtMost(1.3)),
    ("adapt/* over 50 k, per facet", Goal::AtMost(1.5)),
    ("changes/grow by a tenth, mean of 5/sweeps", Goal::AtMost(2.0)),
    // The cost of a hit does not grow with the mesh.
    ("siac/* over 4000 triangles, ns per hit", Goal::AtMost(1.15)),
];

impl Goal {
    /// The goal of the figure with this name.
    pub fn of(figure: &str) -> Goal {
        GOALS.iter().find(|(pattern, _)| fits(pattern, figure)).map_or(Goal::Known, |(_, goal)| *goal)
    }

    /// Whether a figure meets it; `None` if there is no bound.
    pub fn met(self, found: f64) -> Option<bool> {
        match self {
            Goal::AtLeast(least) => Some(found >= least),
            Goal::AtMost(most) => Some(found <= most),
            Goal::Known => None,
        }
    }

    /// `met`, `missed`, or an empty text if there is no bound.
    pub fn verdict(self, found: f64) -> &'static str {
        match self.met(found) {
            Some(true) => "met",
            Some(false) => "missed",
            None => "",
        }
    }
}

/// Whether a name fits a pattern.
pub fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|left| {
            left.char_indices().map(|(at, _)| at).chain([left.len()]).any(|at| fits(rest, &left[at..]))
        }),
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::AtLeast(bar) => write!(f, ">= {}", Bar(*bar)),
            Goal::AtMost(bar) => write!(f, "<= {}", Bar(*bar)),
            Goal::Known => Ok(()),
        }
    }
}

/// A bound in messages: two digits behind the point, or scientific if it is below 0.01.
struct Bar(f64);

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0.01 { write!(f, "{:e}", self.0) } else { write!(f, "{:.2}", self.0) }
    }
}
