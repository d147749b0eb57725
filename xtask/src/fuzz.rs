//! `cargo xtask fuzz`: random programs and random sequences of calls, compared with plain Rust.

use crate::Error;
use clap::{Args as ClapArgs, ValueEnum};
use std::process::Command;

/// The two fuzzers, each of which is a program under `fuzz/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Fuzzer {
    /// Random kernels, and loops over them.
    Kernels,
    /// Random calls of op2.
    Sequences,
}

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// How long, in minutes; the two fuzzers share it. Building them comes on top.
    #[arg(long, default_value_t = 2.0, value_parser = minutes)]
    minutes: f64,

    /// The same seed makes the same programs and sequences.
    #[arg(long, default_value_t = 1)]
    seed: u32,

    /// Only one of the two.
    #[arg(long)]
    only: Option<Fuzzer>,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 10_000.0 => Ok(minutes),
        _ => Err("expected a number of minutes above 0, up to 10000".to_owned()),
    }
}

/// Runs the fuzzers one after the other, the second even if the first finds a failure.
pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let all = match args.only {
        Some(one) => vec![one],
        None => vec![Fuzzer::Kernels, Fuzzer::Sequences],
    };
    let seconds = (args.minutes * 60.0 / all.len() as f64).ceil() as u64;
    let failed: Vec<&str> =
        all.into_iter().map(Fuzzer::package).filter(|package| !passes(package, args.seed, seconds)).collect();
    if failed.is_empty() { Ok(()) } else { Err(Error::Fuzz(failed.join(", "))) }
}

impl Fuzzer {
    fn package(self) -> &'static str {
        match self {
            Self::Kernels => "op2-fuzz-kernels",
            Self::Sequences => "op2-fuzz-sequences",
        }
    }
}

fn passes(package: &str, seed: u32, seconds: u64) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--package", package, "--"]);
    command.args(["--seed", &seed.to_string(), "--seconds", &seconds.to_string()]);
    command.status().is_ok_and(|status| status.success())
}
