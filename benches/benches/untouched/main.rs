//! Programs without a flag against the same programs with each flag that a user could set.
//!
//! `cargo bench -p op2-benches --bench untouched`, with `-- --quick` for small meshes, `-- --only TEXT` for the programs whose names
//! contain a text.
//!
//! Every round runs a program with all flags, each for some iterations, and begins with a different one. A line has the milliseconds
//! of an iteration without a flag, and the same divided by the time in the same round of the flag that is best by the median:
//! minimum, median, maximum. Lines below it have the ratio to every other flag, of each loop to the better of the same loop by scalar
//! instructions and in lanes, and of each loop by SoA to itself. The second table compares one thread with the sequential executor.
//!
//! | program | loops |
//! | --- | --- |
//! | `airfoil` | the iteration of the app, 720,000 cells, in order and numbered at random |
//! | `flux` | over the edges of 64³ hexahedra, as in MG-CFD, in order and numbered at random |
//! | `spmv` | over 180,000 cells, as in aero: a direct row of 16 numbers, little arithmetic |
//! | `jac` | over the edges and the nodes of 1,000,000 squares |
//! | `hydra` | the four heavy loops, 180,000 bricks |

mod loops;
mod programs;

use loops::Program;
use op2_benches::{Outcome, Samples, figure, quick, smoke};
use programs::{Case, Flags, cases};
use std::collections::BTreeMap;
use std::time::Instant;

const THREADS: usize = 2;
/// A sample lasts at least so long, in seconds.
const LEAST: f64 = 0.1;

fn main() -> Outcome {
    let (scale, rounds) = match (smoke(), quick()) {
        (true, _) => (0.02, 1),
        (_, true) => (0.3, 5),
        _ => (1.0, 9),
    };
    let only = std::env::args().skip_while(|arg| arg != "--only").nth(1);
    println!("{:<18} {:>26}  {:>26}  best flag", "program", "ms without a flag", "over the best flag");
    let mut single = Vec::new();
    for case in cases(scale)?.iter().filter(|case| only.as_ref().is_none_or(|text| case.name.contains(text))) {
        let mut flags = vec![Flags::none(THREADS)];
        flags.extend(Flags::others(THREADS));
        let times = times(case, &flags, rounds)?;
        report(case, &flags, &times);
        let both = [Flags { name: "seq", ..Flags::none(0) }, Flags { name: "one thread", ..Flags::none(1) }];
        let times = self::times(case, &both, rounds)?;
        single.push((case.name, &times.whole[1] / &times.whole[0]));
    }
    println!("\n{:<18} {:>26}", "program", "one thread over seq");
    for (name, ratio) in single {
        println!("{name:<18} {ratio}");
        figure(&format!("untouched/{name}/one thread over seq"), &ratio);
    }
    Ok(())
}

/// The times of a program with each of the flags.
#[derive(Default)]
struct Times {
    /// Milliseconds of an iteration.
    whole: Vec<Samples>,
    /// Milliseconds of an execution of each loop, by its name.
    loops: Vec<BTreeMap<String, Samples>>,
}

fn times(case: &Case, flags: &[Flags], rounds: usize) -> Outcome<Times> {
    let mut programs = flags.iter().map(|flags| (case.make)(*flags)).collect::<Outcome<Vec<_>>>()?;
    let mut times = Times { whole: vec![Samples::default(); flags.len()], loops: vec![BTreeMap::new(); flags.len()] };
    let mut count = vec![1; flags.len()];
    for round in 0..=rounds {
        for turn in 0..flags.len() {
            let n = (turn + round) % flags.len();
            let ms = run(&mut *programs[n], count[n])?;
            // The first round builds plans, and finds how many iterations a sample needs.
            match round {
                0 => count[n] = (LEAST * 1e3 / run(&mut *programs[n], 1)?).ceil() as usize,
                _ => times.whole[n].push(ms),
            }
            for row in programs[n].op().report().loops.iter().filter(|_| round > 0) {
                let ms = row.seconds * 1e3 / row.calls as f64;
                times.loops[n].entry(row.name.clone()).or_default().push(ms);
            }
        }
    }
    Ok(times)
}

fn run(program: &mut dyn Program, iterations: usize) -> Outcome<f64> {
    program.op().reset_report();
    let start = Instant::now();
    for iteration in 1..=iterations {
        program.iterate(iteration)?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e3 / iterations as f64)
}

fn report(case: &Case, flags: &[Flags], Times { whole: times, loops }: &Times) {
    let ratios: Vec<Samples> = times[1..].iter().map(|other| &times[0] / other).collect();
    let (best, ratio) =
        (1..).zip(&ratios).max_by(|a, b| a.1.median().total_cmp(&b.1.median())).expect("there are flags");
    println!("{:<18} {}  {ratio}  {}", case.name, times[0], flags[best].name);
    figure(&format!("untouched/{}/over the best flag", case.name), ratio);
    for (other, ratio) in flags[1..].iter().zip(&ratios) {
        println!("{:>45}  {ratio}  {}", "", other.name);
    }
    let by = |name: &str| &loops[flags.iter().position(|flags| flags.name == name).expect("one of the flags")];
    let (scalar, lanes, soa) = (by("scalar"), by("lanes"), by("soa"));
    for (name, ms) in &loops[0] {
        let (over_scalar, over_lanes) = (ms / &scalar[name], ms / &lanes[name]);
        let better = if over_scalar.median() > over_lanes.median() { over_scalar } else { over_lanes };
        println!("{:>45}  {better}  {name} over the better of scalar and lanes", "");
        println!("{:>45}  {}  {name} by SoA over AoS", "", &soa[name] / ms);
        figure(&format!("untouched/{}/{name} over the better of scalar and lanes", case.name), &better);
    }
}
