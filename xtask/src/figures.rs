//! `cargo xtask figures`: measures all figures of performance in the documentation and writes them to one place.

mod machine;
mod page;

use crate::{Error, Result, file_error};
use machine::Machine;
use op2_benches::goals::{GOALS, Goal, fits};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only see that everything goes through: tiny meshes, programs without optimisation, and nothing written outside of `target`
    #[arg(long)]
    quick: bool,
}

/// A figure of a program, over all rounds.
#[derive(Debug, Clone, PartialEq)]
struct Figure {
    /// The path from the program to the quantity: `hydra/vflux/ms`.
    name: String,
    min: f64,
    median: f64,
    max: f64,
}

/// A bench and its arguments.
struct Bench {
    name: &'static str,
    args: &'static [&'static str],
}

/// Benches whose rounds and meshes keep all of them together short.
const BENCHES: [Bench; 10] = [
    Bench { name: "airfoil", args: &[] },
    Bench { name: "plan", args: &[] },
    Bench { name: "cpu", args: &[] },
    Bench { name: "hydra", args: &[] },
    Bench { name: "overhead", args: &[] },
    // With all rounds it would take ten minutes.
    Bench { name: "strategies", args: &["--quick"] },
    Bench { name: "untouched", args: &[] },
    Bench { name: "siac", args: &[] },
    Bench { name: "adapt", args: &[] },
    Bench { name: "changes", args: &[] },
];

/// The residual (rms) after 1000 iterations of the standard case, as published by OP2.
const PUBLISHED: f64 = 1.060_114_637_578e-4;

pub(crate) fn run(args: &Args) -> Result<()> {
    let outputs = Outputs::new(args.quick)?;
    // Everything is built first, so that nothing else runs during the measurements.
    outputs.build()?;
    let mut machine = Machine::look()?;
    let mut figures = outputs.app()?;
    for bench in &BENCHES {
        figures.extend(outputs.bench(bench)?);
    }
    machine.end();
    goals_have_figures(&figures)?;
    let page = page::whole(&machine, &figures);
    let results = outputs.results.join(machine.file());
    write(&results, &page)?;
    let readme = fs::read_to_string("README.md").map_err(file_error(Path::new("README.md")))?;
    write(&outputs.readme, &page::in_readme(&readme, &machine, &figures)?)?;
    print!("{page}");
    println!("\nwritten to {}, {} and {}", results.display(), outputs.readme.display(), outputs.picture.display());
    Ok(())
}

/// Checks that every goal has a figure. Otherwise the goal is misspelt, or the bench has changed.
fn goals_have_figures(figures: &[Figure]) -> Result<()> {
    match GOALS.iter().find(|(pattern, _)| !figures.iter().any(|figure| fits(pattern, &figure.name))) {
        Some((pattern, _)) => Err(Error::NoFigure { pattern: (*pattern).to_owned() }),
        None => Ok(()),
    }
}

/// The places for outputs, and the options for building.
struct Outputs {
    quick: bool,
    /// A folder for files that are read at once.
    scratch: tempfile::TempDir,
    results: PathBuf,
    readme: PathBuf,
    picture: PathBuf,
}

impl Outputs {
    fn new(quick: bool) -> Result<Self> {
        let scratch = tempfile::tempdir().map_err(file_error(&env::temp_dir()))?;
        let target = Path::new("target/figures");
        if quick {
            fs::create_dir_all(target).map_err(file_error(target))?;
            let [results, readme, picture] = ["", "README.md", "airfoil-loops.svg"].map(|name| target.join(name));
            return Ok(Outputs { quick, scratch, results, readme, picture });
        }
        let [results, readme, picture] = ["benches/results", "README.md", "docs/airfoil-loops.svg"].map(PathBuf::from);
        fs::create_dir_all(&results).map_err(file_error(&results))?;
        Ok(Outputs { quick, scratch, results, readme, picture })
    }

    fn build(&self) -> Result<()> {
        let mut app = self.cargo("build");
        self.done(app.args(["--bin", "airfoil"]).args(self.profile("release")))?;
        BENCHES.iter().try_for_each(|bench| self.done(&mut self.bench_command(bench, &["--no-run"])))
    }

    fn cargo(&self, task: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // All members have a say in the features of libraries, so that what another command on all of them has built serves here.
        cargo.args([task, "--workspace"]);
        cargo
    }

    /// The smoke test uses the profile of the tests, whose programs exist already.
    fn profile(&self, usual: &str) -> [String; 2] {
        ["--profile".to_owned(), if self.quick { "dev" } else { usual }.to_owned()]
    }

    fn bench_command(&self, bench: &Bench, more: &[&str]) -> Command {
        let mut cargo = self.cargo("bench");
        cargo.args(["--bench", bench.name]).args(self.profile("bench")).args(more);
        cargo.arg("--").args(bench.args);
        cargo
    }

    /// Runs OP2's standard case.
    fn app(&self) -> Result<Vec<Figure>> {
        let report = self.scratch.path().join("airfoil.json");
        let folder = if self.quick { "debug" } else { "release" };
        let xtask = env::current_exe().map_err(file_error(Path::new("xtask")))?;
        let mut app = Command::new(xtask.with_file_name("..").join(folder).join("airfoil"));
        app.args(["--threads", "2"]);
        let size = if self.quick { ["20", "30"] } else { ["400", "600"] };
        app.arg("--size").args(size).args(["--iters", "1000"]);
        self.done(app.arg("--loops").arg(&self.picture).arg("--report").arg(&report))?;
        let text = fs::read_to_string(&report).map_err(file_error(&report))?;
        app_figures(&text).map_err(|cause| Error::Json { path: report.display().to_string(), cause })
    }

    fn bench(&self, bench: &Bench) -> Result<Vec<Figure>> {
        let path = self.scratch.path().join(format!("{}.tsv", bench.name));
        let mut command = self.bench_command(bench, &[]);
        // A decision from an earlier run would make the measurement meaningless.
        command.env("OP2_FIGURES", &path).env("OP2_CACHE_DIR", self.scratch.path().join("cache"));
        if self.quick {
            command.env("OP2_BENCH_SMOKE", "1");
        }
        self.done(&mut command)?;
        let text = fs::read_to_string(&path).map_err(file_error(&path))?;
        let figures = text.lines().map(|line| Figure::parse(line).ok_or_else(|| line.to_owned()));
        figures.collect::<Result<_, _>>().map_err(|line| Error::Figure { bench: bench.name.to_owned(), line })
    }

    fn done(&self, command: &mut Command) -> Result<()> {
        let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_owned();
        let words = [program.as_os_str()].into_iter().chain(command.get_args());
        let words = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        eprintln!("{words}");
        let failed = |output: String| Error::App { command: words.clone(), output };
        let output = command.output().map_err(|e| failed(e.to_string()))?;
        let said = || String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned();
        if output.status.success() { Ok(()) } else { Err(failed(said())) }
    }
}

impl Figure {
    /// Parses a line of a bench's output.
    fn parse(line: &str) -> Option<Figure> {
        let mut words = line.split('\t');
        let name = words.next()?.to_owned();
        let mut number = || words.next()?.parse().ok().filter(|n: &f64| n.is_finite());
        let figure = Figure { name, min: number()?, median: number()?, max: number()? };
        words.next().is_none().then_some(figure)
    }

    fn once(name: &str, found: f64) -> Figure {
        Figure { name: name.to_owned(), min: found, median: found, max: found }
    }

    fn goal(&self) -> Goal {
        Goal::of(&self.name)
    }
}

/// The report of airfoil.
#[derive(serde::Deserialize)]
struct Report {
    seconds: f64,
    triad_gb_per_s: f64,
    residuals: Vec<Residual>,
}

#[derive(serde::Deserialize)]
struct Residual {
    rms: f64,
}

fn app_figures(text: &str) -> std::result::Result<Vec<Figure>, serde_json::Error> {
    let report: Report = serde_json::from_str(text)?;
    let last = report.residuals.last().map_or(f64::MAX, |residual| residual.rms);
    Ok(vec![
        Figure::once("app/time loop, s", report.seconds),
        Figure::once("app/triad, GB per s", report.triad_gb_per_s),
        Figure::once("app/off the published residual, %", 100.0 * (last / PUBLISHED - 1.0).abs()),
    ])
}

/// Writes a text to a file.
fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(file_error(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_benches_are_read() {
        let figure = Figure { name: "a/b, ms".to_owned(), min: 1.0, median: 2.5, max: 1e3 };
        assert_eq!(Figure::parse("a/b, ms\t1e0\t2.5e0\t1e3"), Some(figure));
        for wrong in ["", "a", "a\t1\t2", "a\t1\t2\tx", "a\t1\tNaN\t3", "a\t1\t2\t3\t4"] {
            assert_eq!(Figure::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_fit_patterns() {
        for (pattern, name) in
            [("a", "a"), ("*", ""), ("a/*", "a/b/c"), ("a/*/c", "a/b/b/c"), ("*a*a", "aba"), ("a*", "a")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a", "ab"), ("a/*/c", "a/c"), ("a*b*c", "a-c-b"), ("*a*a", "a"), ("", "a")] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_goal_without_a_figure_is_an_error() {
        let all: Vec<_> = GOALS.iter().map(|(pattern, _)| Figure::once(&pattern.replace('*', "x"), 1.0)).collect();
        goals_have_figures(&all).unwrap();
        let error = goals_have_figures(&all[1..]).unwrap_err().to_string();
        assert!(error.contains("`app/off the published residual, %`"), "{error}");
    }

    #[test]
    fn the_first_goal_that_fits_holds() {
        let goal = |name: &str| Figure::once(name, 1.0).goal();
        assert_eq!(goal("overhead/2 threads, woken/direct/0 elements/1 arguments, ns"), Goal::Known);
        assert_eq!(goal("overhead/seq/direct/0 elements/1 arguments, ns"), Goal::AtMost(2000.0));
        assert_eq!(goal("overhead/seq/direct/1000 elements/1 arguments, ns"), Goal::Known);
        assert_eq!(goal("strategies/airfoil/random, none/step over in order"), Goal::Known);
        assert_eq!(goal("strategies/airfoil/random, gps/step over in order"), Goal::AtMost(1.05));
    }
}
