//! Programs without a flag against the same programs with each flag that a user could set.
//!
//! `cargo bench -p op2-benches --bench untouched`, with `-- --quick` for small meshes, `-- --only TEXT` for the programs whose names
//! contain a text.
//!
//! A program without a flag and one with a flag run in turn, each for some iterations; every second round begins with the other one.
//! A line has the milliseconds of an iteration without a flag, and the same divided by the time right beside it of the flag that is best
//! by the median: minimum, median, maximum. Lines below it have the ratio to every flag, and to a second copy of the program without a
//! flag, which shows the noise. Then those of each loop to the better of the same loop by scalar instructions and in lanes, and of each
//! loop by SoA to itself. The second table compares one thread with the sequential executor.
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
/// The name of a second copy of the program without a flag.
const ITSELF: &str = "itself";
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
        let none = Flags::none(THREADS);
        let others = std::iter::once(Flags { name: ITSELF, ..none }).chain(Flags::others(THREADS));
        let pairs = others.map(|other| Pair::measured(case, none, other, rounds)).collect::<Outcome<Vec<_>>>()?;
        report(case.name, &pairs);
        let seq = Flags { name: "seq", ..Flags::none(0) };
        single.push((case.name, Pair::measured(case, Flags::none(1), seq, rounds)?.ratio()));
    }
    println!("\n{:<18} {:>26}", "program", "one thread over seq");
    for (name, ratio) in single {
        println!("{name:<18} {ratio}");
        figure(&format!("untouched/{name}/one thread over seq"), &ratio);
    }
    Ok(())
}

/// A program in two forms that ran beside each other.
struct Pair {
    /// The name of the second form.
    name: &'static str,
    times: [Times; 2],
}

/// The times of a program.
#[derive(Default)]
struct Times {
    /// Milliseconds of an iteration.
    whole: Samples,
    /// Milliseconds of an execution of each loop, by its name.
    loops: BTreeMap<String, Samples>,
}

impl Pair {
    fn measured(case: &Case, first: Flags, second: Flags, rounds: usize) -> Outcome<Pair> {
        let mut programs = [(case.make)(first)?, (case.make)(second)?];
        let mut times = [Times::default(), Times::default()];
        let mut count = [1; 2];
        for round in 0..=rounds {
            for turn in 0..2 {
                let n = (turn + round) % 2;
                let ms = run(&mut *programs[n], count[n])?;
                if round == 0 {
                    // It builds plans, and finds how many iterations a sample needs.
                    count[n] = (LEAST * 1e3 / run(&mut *programs[n], 1)?).ceil() as usize;
                    continue;
                }
                times[n].whole.push(ms);
                for row in &programs[n].op().report().loops {
                    let ms = row.seconds * 1e3 / row.calls as f64;
                    times[n].loops.entry(row.name.clone()).or_default().push(ms);
                }
            }
        }
        Ok(Pair { name: second.name, times })
    }

    /// The time of the first form over that of the second one.
    fn ratio(&self) -> Samples {
        let [first, second] = &self.times;
        &first.whole / &second.whole
    }

    /// The same for a loop.
    fn ratio_of(&self, name: &str) -> Samples {
        let [first, second] = &self.times;
        &first.loops[name] / &second.loops[name]
    }
}

fn run(program: &mut dyn Program, iterations: usize) -> Outcome<f64> {
    program.op().reset_report();
    let start = Instant::now();
    for iteration in 1..=iterations {
        program.iterate(iteration)?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e3 / iterations as f64)
}

fn report(case: &str, pairs: &[Pair]) {
    let by = |name: &str| pairs.iter().find(|pair| pair.name == name).expect("one of the flags");
    let median = |pair: &&Pair| pair.ratio().median();
    let flags = pairs.iter().filter(|pair| pair.name != ITSELF);
    let best = flags.max_by(|a, b| median(a).total_cmp(&median(b))).expect("there are flags");
    let none = &pairs[0].times[0];
    println!("{case:<18} {}  {}  {}", none.whole, best.ratio(), best.name);
    figure(&format!("untouched/{case}/over the best flag"), &best.ratio());
    for pair in pairs {
        println!("{:>45}  {}  {}", "", pair.ratio(), pair.name);
    }
    for name in none.loops.keys() {
        let (over_scalar, over_lanes) = (by("scalar").ratio_of(name), by("lanes").ratio_of(name));
        let better = if over_scalar.median() > over_lanes.median() { over_scalar } else { over_lanes };
        println!("{:>45}  {better}  {name} over the better of scalar and lanes", "");
        let [none, soa] = &by("soa").times;
        println!("{:>45}  {}  {name} by SoA over AoS", "", &soa.loops[name] / &none.loops[name]);
        figure(&format!("untouched/{case}/{name} over the better of scalar and lanes"), &better);
    }
}
