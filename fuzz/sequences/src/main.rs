//! `op2-fuzz-sequences`: runs random sequences of calls, for a time or a number of sequences.

use clap::Parser;
use op2_fuzz_sequences::{Counts, Runner, listen_to_panics, print, program, shrink};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs random sequences of op2's calls against a model, and prints the shortest program on which they differ.
#[derive(Parser)]
struct Args {
    /// The first sequence; each one has the next number
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds after which no further sequence begins
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The most sequences to run
    #[arg(long)]
    sequences: Option<u64>,
    /// One sequence in this many runs on the emulator; 0 for none
    #[arg(long, default_value_t = 40)]
    emulated: usize,
    /// Continue after failures, up to this many
    #[arg(long, default_value_t = 1)]
    failures: usize,
    /// Print all counts
    #[arg(long)]
    counts: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("op2-fuzz-sequences: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs sequences and returns how many failed.
fn run(args: &Args) -> Result<usize, Box<dyn std::error::Error>> {
    let runner = Runner::new(None)?;
    listen_to_panics();
    let (start, limit) = (Instant::now(), Duration::from_secs(args.seconds));
    let (mut counts, mut failures, mut seed) = (Counts::new(), 0, args.seed);
    let many = |seed: u64| args.sequences.is_some_and(|most| seed - args.seed >= most);
    while start.elapsed() < limit && failures < args.failures && !many(seed) {
        let program = program(seed, args.emulated);
        if let Err(failure) = runner.run(&program, &mut counts) {
            failures += 1;
            println!("// seed {seed}, step {}: {}", failure.step, failure.what);
            let (short, failure) = shrink(&runner, &program, failure);
            println!("// shortened to {} steps: {}", short.steps.len(), failure.what);
            println!("{}", print::text(&short));
        }
        seed += 1;
    }
    let of = |what: &str| counts.get(what).copied().unwrap_or(0);
    let setups = counts.keys().filter(|what| what.starts_with("setup ")).count();
    println!(
        "// seeds {}..{seed}: {} sequences, {} steps, {} loops, {} comparisons, {setups} values of configuration dimensions, \
         {failures} failures",
        args.seed,
        of("sequences"),
        of("steps"),
        of("loops"),
        of("comparisons"),
    );
    if args.counts {
        counts.iter().for_each(|(what, count)| println!("// {count:10} {what}"));
    }
    Ok(failures)
}
