//! `cargo xtask fuzz`: random programs and random sequences of calls, compared with plain Rust.

use crate::{Error, file_error};
use clap::{Args as ClapArgs, ValueEnum};
use std::env;
use std::path::Path;
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
    let mut failed = Vec::new();
    for fuzzer in all {
        if !passes(fuzzer, args.seed, seconds)? {
            failed.push(fuzzer.package());
        }
    }
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

/// Builds a fuzzer beside this program and runs it.
fn passes(fuzzer: Fuzzer, seed: u32, seconds: u64) -> Result<bool, Error> {
    let package = fuzzer.package();
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // All members have a say in the features of libraries, so that what another command on all of them has built serves here.
    cargo.args(["build", "--quiet", "--workspace", "--bin", package]);
    cargo.args(["--profile", if cfg!(debug_assertions) { "dev" } else { "release" }]);
    if !cargo.status().is_ok_and(|status| status.success()) {
        return Ok(false);
    }
    let program = env::current_exe().map_err(file_error(Path::new("xtask")))?;
    let program = program.with_file_name(package);
    let mut command = Command::new(&program);
    command.args(["--seed", &seed.to_string(), "--seconds", &seconds.to_string()]);
    Ok(command.status().map_err(file_error(&program))?.success())
}
