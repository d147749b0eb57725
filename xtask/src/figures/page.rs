//! The page of all figures, and the figures in README.

use super::{Figure, Machine};
use crate::{Error, Result};

/// The baseline of comparisons.
const OTHER_SIDES: &str = "Loops written by hand go one element at a time over the same blocks and colours, as scalar code that is built \
    without flags for vectors; so are those of the executor `seq`. Meshes numbered at random are compared with the mesh in order.";

/// Figures of OP2, which reviewers measured, since OP2 is not installed here.
const OP2: &str = "Next to OP2 (reviewers' measurement, 2026-11-23, Zen 4 two-core VM; OP2-Common b9e7a58, g++ 12 `-O3 -march=native \
    -ffast-math`), 200 iterations of the same case, medians of five rounds: OP2's OpenMP on two threads 8.26 s, two vectorised MPI ranks \
    6.72 s, op2 on two threads 3.11 s.";

/// Markers of the block of figures in README.
const START: &str = "<!-- figures -->";
const END: &str = "<!-- /figures -->";

/// The figures in README: their label, their pattern and their bench.
const SHOWN: &[(&str, &str, &str)] = &[
    (
        "the standard case, 720,000 cells and 1000 iterations in double precision on two threads: seconds",
        "app/time loop, s",
        "airfoil",
    ),
    ("its last residual, off the one that OP2 publishes, %", "app/off the published residual, %", "airfoil"),
    ("its useful bytes per second, of triad", "cpu/whole iteration of triad", "cpu"),
    ("the same one element at a time, loop by loop, over lanes in chains", "cpu/scalar, unchained, over lanes", "cpu"),
    ("an iteration over one written by hand, in order", "airfoil/in order/iteration/2 threads/over by hand", "airfoil"),
    ("the same, numbered at random", "airfoil/random/iteration/2 threads/over by hand", "airfoil"),
    ("hydra's `accu` over one written by hand", "hydra/accu/over by hand", "hydra"),
    ("`edgecon`", "hydra/edgecon/over by hand", "hydra"),
    ("`vflux`", "hydra/vflux/over by hand", "hydra"),
    ("`iflux`", "hydra/iflux/over by hand", "hydra"),
    (
        "call of a loop over an empty set, 8 arguments, ns",
        "overhead/2 threads/direct/0 elements/8 arguments, ns",
        "overhead",
    ),
    ("plan of `res_calc` over one execution, in order", "plan/in order/2 threads/over execution", "plan"),
    ("the same, numbered at random", "plan/random/2 threads/over execution", "plan"),
    (
        "step of airfoil, numbered at random, over in order",
        "strategies/airfoil/random, none/step over in order",
        "strategies",
    ),
    ("the same, renumbered by `gps`", "strategies/airfoil/random, gps/step over in order", "strategies"),
    ("by `rcm`", "strategies/airfoil/random, rcm/step over in order", "strategies"),
    ("by `hilbert`", "strategies/airfoil/random, hilbert/step over in order", "strategies"),
    ("by `metis:256`", "strategies/airfoil/random, metis:256/step over in order", "strategies"),
];

/// The page of all figures; those that miss their goal come first.
pub(super) fn whole(machine: &Machine, figures: &[Figure]) -> String {
    let Machine { name, cores, date, commit, compiler, load } = machine;
    let [before, after] = load;
    let mut page = format!(
        "# Figures of {date}\n\nBy `cargo xtask figures`.\n\n- machine: {name}, {cores} cores\n- commit: {commit}\n- compiler: \
         {compiler}\n- load: {before} before, {after} after; a machine with nothing else to do has 0 before\n\n{}\n\n{OTHER_SIDES}\n\n{OP2}\n",
        counted(figures)
    );
    let row = |figure: &Figure| {
        let Figure { name, min, median, max } = figure;
        let [min, median, max] = [*min, *median, *max].map(number);
        let goal = figure.goal();
        format!("| {name} | {goal} | {min} | {median} | {max} | {} |\n", goal.verdict(figure.median))
    };
    const HEAD: &str = "\n| figure | goal | min | median | max | |\n| --- | --- | --- | --- | --- | --- |\n";
    let parts = [("Goals missed", Some(false)), ("Goals met", Some(true)), ("Figures without a goal", None)];
    for (title, met) in parts {
        page += &format!("\n## {title}\n{HEAD}");
        page.extend(figures.iter().filter(|f| f.goal().met(f.median) == met).map(row));
    }
    page
}

/// README with new figures in its block.
pub(super) fn in_readme(readme: &str, machine: &Machine, figures: &[Figure]) -> Result<String> {
    let missing = || Error::NoBlock { start: START, end: END };
    let (before, rest) = readme.split_once(START).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{START}\n{}{END}{after}", block(machine, figures)?))
}

fn block(machine: &Machine, figures: &[Figure]) -> Result<String> {
    let Machine { name, cores, date, commit, .. } = machine;
    let mut block = format!(
        "Measured by `cargo xtask figures` on {cores} cores of an {name}, {date}, commit {commit}; \
         [all figures](benches/results/{}).\n\n| | median | from | to | goal | | bench |\n| --- | --- | --- | --- | --- | --- | --- |\n",
        machine.file()
    );
    for (what, wanted, bench) in SHOWN {
        let figure = figures.iter().find(|figure| figure.name == *wanted);
        let figure = figure.ok_or_else(|| Error::NoFigure { pattern: (*wanted).to_owned() })?;
        let [median, min, max] = [figure.median, figure.min, figure.max].map(number);
        let (goal, verdict) = (figure.goal(), figure.goal().verdict(figure.median));
        block += &format!("| {what} | {median} | {min} | {max} | {goal} | {verdict} | `{bench}` |\n");
    }
    block += &format!("\n{}\n\n{OTHER_SIDES}\n\n{OP2}\n", counted(figures));
    Ok(block)
}

/// A sentence with the numbers of goals met and missed.
fn counted(figures: &[Figure]) -> String {
    let of = |wanted: bool| figures.iter().filter(move |f| f.goal().met(f.median) == Some(wanted)).count();
    format!("Of the goals {} are met, {} missed.", of(true), of(false))
}

/// A number with three digits.
fn number(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.001 => format!("{x:.1e}"),
        size if size < 10.0 => format!("{x:.2}"),
        size if size < 100.0 => format!("{x:.1}"),
        _ => format!("{x:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine {
            name: "Processor".to_owned(),
            cores: 2,
            date: "2026-11-23".to_owned(),
            commit: "abcdef".to_owned(),
            compiler: "rustc".to_owned(),
            load: ["0.1".to_owned(), "1.9".to_owned()],
        }
    }

    fn figures() -> Vec<Figure> {
        SHOWN.iter().map(|(_, name, _)| Figure::once(name, 1.5)).collect()
    }

    #[test]
    fn goals_that_are_missed_are_named() {
        let page = whole(&machine(), &figures());
        assert!(page.contains("| hydra/accu/over by hand | <= 1.10 | 1.50 | 1.50 | 1.50 | missed |"), "{page}");
        assert!(page.contains("| cpu/whole iteration of triad | >= 0.85 | 1.50 | 1.50 | 1.50 | met |"), "{page}");
        assert!(page.contains("| app/time loop, s |  | 1.50 | 1.50 | 1.50 |  |"), "{page}");
        let [missed, met, others] =
            ["## Goals missed", "## Goals met", "## Figures without"].map(|title| page.find(title).unwrap());
        let at = |name: &str| page.find(&format!("| {name} |")).unwrap();
        assert!((missed..met).contains(&at("hydra/accu/over by hand")), "{page}");
        assert!(
            (met..others).contains(&at("cpu/whole iteration of triad")) && others < at("app/time loop, s"),
            "{page}"
        );
        let few = figures().into_iter().filter(|f| f.name.starts_with("hydra") || f.name.starts_with("cpu/w"));
        assert_eq!(counted(&few.collect::<Vec<_>>()), "Of the goals 1 are met, 4 missed.");
    }

    #[test]
    fn the_block_of_readme_is_put_in_its_place() {
        let old = format!("before\n{START}\nold\n{END}\nbehind\n");
        let new = in_readme(&old, &machine(), &figures()).unwrap();
        assert!(new.starts_with("before\n") && new.ends_with("\nbehind\n") && !new.contains("old"), "{new}");
        assert!(new.contains("(benches/results/2026-11-23-processor-2-cores.md)"), "{new}");
        assert_eq!(in_readme(&new, &machine(), &figures()).unwrap(), new);
        let error = in_readme("no block", &machine(), &figures()).unwrap_err().to_string();
        assert!(error.contains(START), "{error}");
        let error = in_readme(&old, &machine(), &figures()[1..]).unwrap_err().to_string();
        assert!(error.contains("`app/time loop, s`"), "{error}");
    }

    /// README has a block for its figures.
    #[test]
    fn readme_has_the_block() {
        let readme = include_str!("../../../README.md");
        in_readme(readme, &machine(), &figures()).unwrap();
    }

    #[test]
    fn numbers_have_three_digits() {
        let found = [0.0, 3e-11, 0.25, 1.0, 12.34, 416.6, 14_300.0].map(number);
        assert_eq!(found, ["0", "3.0e-11", "0.25", "1.00", "12.3", "417", "14300"]);
    }
}
