//! The bench of loops in lanes runs through, on a tiny mesh, where its times are meaningless.

#[path = "../benches/cpu/measure.rs"]
mod measure;
#[path = "../benches/cpu/programs.rs"]
mod programs;
#[path = "../benches/cpu/table.rs"]
mod table;

use measure::{Extent, Line, measure};
use op2_benches::{Goal, Samples};

const LINES: [&str; 15] = [
    "whole iteration of triad",
    "scalar, unchained, over lanes",
    "scalar, chained, over lanes",
    "lanes, unchained, over chained",
    "save_soln of triad",
    "update of triad",
    "random, reordered, over in order",
    "f64 over f32",
    "registers alone, 1 thread over 2",
    "adt_calc, 1 thread over 2",
    "res_calc, 1 thread over 2",
    "hydra, accu, of the larger floor",
    "hydra, edgecon, of the larger floor",
    "hydra, vflux, of the larger floor",
    "hydra, iflux, of the larger floor",
];

#[test]
fn the_bench_for_processors_goes_through() {
    let results = measure(Extent { cells: 1000, rounds: 2 }).unwrap();
    assert!((800..1200).contains(&results.cells) && results.edges > 1000, "{} {}", results.cells, results.edges);
    assert!(results.lines.iter().map(|line| line.what.as_str()).eq(LINES));
    for line in &results.lines {
        let found = line.samples.median();
        assert!(found.is_finite() && found > 0.0, "{}: {found}", line.what);
    }
    // A processor of 2 cores computes more than a tenth of a flop and less than a thousand per nanosecond.
    assert!((0.1..1000.0).contains(&results.peak.median()), "{}", results.peak);
    let text = results.to_string();
    // Three lines have no goal.
    assert_eq!(text.matches("| met").count() + text.matches("| missed").count(), LINES.len() - 3, "{text}");
    for name in ["save_soln: ", "bres_calc: ", "iflux: "] {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn a_line_is_met_by_its_median() {
    let line = |goal, found: [f64; 3]| {
        let mut samples = Samples::default();
        found.into_iter().for_each(|sample| samples.push(sample));
        Line { what: "line".to_owned(), goal, samples }.to_string()
    };
    assert!(line(Goal::AtLeast(0.85), [0.85, 0.1, 2.0]).ends_with("| met"));
    assert!(line(Goal::AtLeast(0.85), [0.84, 2.0, 0.1]).ends_with("| missed"));
    assert!(line(Goal::AtMost(1.05), [1.05, 0.1, 2.0]).ends_with("| met"));
    assert!(line(Goal::AtMost(1.05), [1.06, 0.1, 2.0]).ends_with("| missed"));
    assert!(line(Goal::Known, [1.06, 0.1, 2.0]).ends_with('|'));
}
