//! `op2-fuzz-kernels --seed S --seconds T [--batch N]`: runs random programs until the time is over.
//!
//! The same seed gives the same programs and settings. A failure is shrunk and stored under `target/fuzz/found`, both
//! as the program that failed (`whole.rs`) and as the shrunk one (`case.rs`); each is one file that needs nothing but
//! op2. Further options: `--settings`, the settings in which a case runs; `--shrink`, seconds for each failure (0:
//! none); `--batches`, the most batches; `--only`, the case of one seed; and `--without`, constructs with a known
//! fault, which would hide others.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use op2_fuzz_kernels::build::Workshop;
use op2_fuzz_kernels::case::Case;
use op2_fuzz_kernels::run::{Failure, Settings, Tally, run};
use op2_fuzz_kernels::shrink::shrink;
use op2_fuzz_kernels::{generate, print};

struct Options {
    seed: u64,
    seconds: u64,
    batch: usize,
    settings: usize,
    shrink: u64,
    most: usize,
    without: Vec<String>,
    only: Option<u64>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        seed: 1,
        seconds: 60,
        batch: 8,
        settings: 14,
        shrink: 300,
        most: usize::MAX,
        without: Vec::new(),
        only: None,
    };
    let mut args = env::args().skip(1);
    while let Some(word) = args.next() {
        let value = args.next();
        if word == "--without" {
            options.without = value.unwrap_or_default().split(',').map(str::to_owned).collect();
            if let Some(unknown) = options.without.iter().find(|w| !generate::OPTIONAL.contains(&w.as_str())) {
                return Err(format!("`--without {unknown}`: expected some of {}", generate::OPTIONAL.join(",")));
            }
            continue;
        }
        let value = value.and_then(|v| v.parse::<u64>().ok());
        let value = value.ok_or(format!("`{word}` of what? expected a number behind it"))?;
        match word.as_str() {
            "--seed" => options.seed = value,
            "--seconds" => options.seconds = value,
            "--batch" => options.batch = (value as usize).max(1),
            "--settings" => options.settings = (value as usize).max(1),
            "--shrink" => options.shrink = value,
            "--only" => options.only = Some(value),
            "--batches" => options.most = value as usize,
            _ => {
                return Err(format!(
                    "unknown `{word}`, expected --seed, --seconds, --batch, --batches, --settings or --shrink"
                ));
            }
        }
    }
    Ok(options)
}

fn main() -> io::Result<()> {
    let options = options().map_err(io::Error::other)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let shop = Workshop::new(&root)?;
    shop.prepare()?;
    let start = Instant::now();
    let (mut tally, mut cases, mut failures) = (Tally::default(), 0, Vec::new());
    let mut marks = BTreeMap::new();
    let mut number = 0;
    while start.elapsed() < Duration::from_secs(options.seconds) && number < options.most {
        let first = options.seed.wrapping_mul(1_000_000) + (number * options.batch) as u64;
        let (first, count) = options.only.map_or((first, options.batch as u64), |only| (only, 1));
        let batch: Vec<Case> = (0..count).map(|n| generate::case_without(first + n, &options.without)).collect();
        batch.iter().flat_map(|case| &case.marks).for_each(|mark| *marks.entry(*mark).or_insert(0) += 1);
        let began = Instant::now();
        let found = one_batch(&shop, &batch, &options, number, &mut tally)?;
        cases += batch.len();
        println!(
            "batch {number}: {} cases from seed {first}, {:.0?}, {} failures",
            batch.len(),
            began.elapsed(),
            found.len()
        );
        for (case, failure) in found {
            report(&shop, &case, &failure, "whole")?;
            if options.shrink > 0 {
                let small = smallest(&shop, &case, &failure, number, options.shrink);
                report(&shop, &small, &failure, "case")?;
            }
            failures.push((case.seed, failure));
        }
        number += 1;
        if options.only.is_some() {
            break;
        }
    }
    println!("\n{cases} cases, {} runs, {} scalars compared, {} failures", tally.runs, tally.compared, failures.len());
    for (dimension, values) in &tally.dimensions {
        let values: Vec<String> = values.iter().map(|(value, count)| format!("{value} {count}")).collect();
        println!("{dimension}: {}", values.join(", "));
    }
    let marks: Vec<String> = marks.iter().map(|(mark, count)| format!("{mark} {count}")).collect();
    println!("constructs: {}", marks.join(", "));
    for (seed, failure) in &failures {
        println!("seed {seed}, {}: {}", failure.kind, failure.how);
    }
    if failures.is_empty() { Ok(()) } else { std::process::exit(1) }
}

fn one_batch(
    shop: &Workshop,
    batch: &[Case],
    options: &Options,
    number: usize,
    tally: &mut Tally,
) -> io::Result<Vec<(Case, Failure)>> {
    let built = shop.build(&batch.iter().collect::<Vec<_>>(), level(number))?;
    let mut found: Vec<(Case, Failure)> = Vec::new();
    for (n, why) in &built.refused {
        let failure =
            Failure { case: *n, setting: 0, kind: "compile".to_owned(), text: why.text.clone(), how: why.code.clone() };
        found.push((batch[*n].clone(), failure));
    }
    if let Some(program) = &built.program {
        let kept: Vec<usize> = (0..batch.len()).filter(|n| !built.refused.contains_key(n)).collect();
        let settings = Settings { plain: (0..options.settings).collect(), emulated: vec![0] };
        let failures = run(program, &shop.cache(), &settings, &kept, tally)?;
        for failure in failures {
            // One failure of each kind per case.
            if !found.iter().any(|(case, f)| case.seed == batch[failure.case].seed && f.kind == failure.kind) {
                found.push((batch[failure.case].clone(), failure));
            }
        }
    }
    Ok(found)
}

/// The smallest case that fails in the same way: with the same error, or in the same setting.
fn smallest(shop: &Workshop, case: &Case, failure: &Failure, number: usize, seconds: u64) -> Case {
    let settings = match failure.setting {
        n if n >= 1000 => Settings { plain: Vec::new(), emulated: vec![n - 1000] },
        n => Settings { plain: vec![n], emulated: Vec::new() },
    };
    let mut judge = |candidates: &[Case]| {
        let mut fails = vec![false; candidates.len()];
        let Ok(built) = shop.build(&candidates.iter().collect::<Vec<_>>(), level(number)) else { return fails };
        if failure.kind == "compile" {
            built.refused.iter().for_each(|(n, why)| fails[*n] = why.code == failure.how);
            return fails;
        }
        let Some(program) = &built.program else { return fails };
        let kept: Vec<usize> = (0..candidates.len()).filter(|n| !built.refused.contains_key(n)).collect();
        let found = run(program, &shop.cache(), &settings, &kept, &mut Tally::default()).unwrap_or_default();
        found.iter().filter(|f| f.kind == failure.kind).for_each(|f| fails[f.case] = true);
        fails
    };
    shrink(case, Duration::from_secs(seconds), &mut judge)
}

/// The optimisation level of a batch.
fn level(number: usize) -> usize {
    [2, 3, 1][number % 3]
}

fn report(shop: &Workshop, case: &Case, failure: &Failure, name: &str) -> io::Result<()> {
    let folder = shop.findings().join(format!("{}-{}", case.seed, failure.kind));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("{name}.rs")), print::program(case, failure))?;
    if name == "whole" {
        let text: String = failure.text.chars().take(300).collect();
        println!("  seed {}: {} ({}) {text}", case.seed, failure.kind, failure.how);
    } else {
        println!("  shrunk: {}", folder.join("case.rs").display());
    }
    Ok(())
}
