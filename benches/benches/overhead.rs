//! The overhead of a call of a loop: nanoseconds per call with a cached plan, for sets of 0, 1 and 1000 elements, with 1, 4
//! and 8 arguments.
//!
//! `cargo bench -p op2-benches --bench overhead`, with `-- --quick` for fewer rounds.
//!
//! The rows `2 threads, woken` show the cost of handing a loop to sleeping threads. op2 does not do so with loops as short as these;
//! the rows set `Config::short_loops` to 0 to force it.
//!
//! `cargo xtask figures` runs this bench and writes its findings, with the machine and the goals of `benches/src/goals.rs`, to the newest
//! file in `benches/results`.

use std::time::Instant;

use op2::prelude::*;
use op2_benches::{Samples, figure, quick};

op2::sets! { Items, Targets }

/// Arguments of the loops that are measured.
const ARGUMENTS: [usize; 3] = [1, 4, 8];

#[op2::kernel]
fn one(a: &mut f64) {
    *a += 1.0;
}

#[op2::kernel]
fn four(a: &mut f64, b: &f64, c: &f64, d: &f64) {
    *a += *b + *c + *d;
}

#[op2::kernel]
#[allow(clippy::too_many_arguments, reason = "one parameter per argument of the loop")]
fn eight(a: &mut f64, b: &f64, c: &f64, d: &f64, e: &f64, f: &f64, g: &f64, h: &f64) {
    *a += *b + *c + *d + *e + *f + *g + *h;
}

/// A ring of items: each leads to a target of its own, and to that of the next item.
struct Ring {
    op: Op2,
    items: Set<Items>,
    targets: Map<Items, Targets, 2>,
    own: [Dat<Items, f64>; 8],
    far: [Dat<Targets, f64>; 4],
}

impl Ring {
    fn new(config: Config, size: usize) -> op2::Result<Self> {
        let mut op = Op2::with(config)?;
        let items = op.decl_set("items", size)?;
        let targets = op.decl_set("targets", size)?;
        let entries: Vec<_> = (0..size).map(|item| [item, (item + 1) % size]).collect();
        let mut own = |n: usize| op.decl_dat_filled(&format!("own{n}"), items, 1e-3);
        let own = [own(0)?, own(1)?, own(2)?, own(3)?, own(4)?, own(5)?, own(6)?, own(7)?];
        let mut far = |n: usize| op.decl_dat_filled(&format!("far{n}"), targets, 1e-3);
        let far = [far(0)?, far(1)?, far(2)?, far(3)?];
        Ok(Ring { targets: op.decl_map("targets", items, targets, &entries)?, op, items, own, far })
    }

    /// A loop over data of the items themselves.
    fn direct(&mut self, arguments: usize) -> op2::Result<()> {
        let [a, b, c, d, e, f, g, h] = self.own;
        match arguments {
            1 => op_par_loop!(self.op, one, self.items, inc(a)),
            4 => op_par_loop!(self.op, four, self.items, inc(a), read(b), read(c), read(d)),
            _ => op_par_loop!(
                self.op,
                eight,
                self.items,
                inc(a),
                read(b),
                read(c),
                read(d),
                read(e),
                read(f),
                read(g),
                read(h)
            ),
        }
    }

    /// A loop over data of their targets.
    fn indirect(&mut self, arguments: usize) -> op2::Result<()> {
        let [a, b, c, d] = self.far;
        let to = self.targets;
        match arguments {
            1 => op_par_loop!(self.op, one, self.items, inc(a, to[1])),
            4 => op_par_loop!(self.op, four, self.items, inc(a, to[1]), read(b, to[0]), read(c, to[0]), read(d, to[1])),
            _ => op_par_loop!(
                self.op,
                eight,
                self.items,
                inc(a, to[1]),
                read(b, to[0]),
                read(b, to[1]),
                read(c, to[0]),
                read(c, to[1]),
                read(d, to[0]),
                read(d, to[1]),
                read(b, to[0])
            ),
        }
    }
}

fn main() -> op2::Result<()> {
    println!("nanoseconds per call, cached plan; minimum, median, maximum of rounds of 1000 calls\n");
    print!("{:<16} {:<9} {:>8} |", "executor", "arguments", "elements");
    ARGUMENTS.iter().for_each(|n| print!("{:>19} argument{} |", n, if *n == 1 { " " } else { "s" }));
    println!();
    let seq = Config::default().backend(Backend::Seq);
    let threads = Config::default().backend(Backend::Threads(2));
    let woken = threads.clone().short_loops(0);
    for (name, config) in [("seq", seq), ("2 threads", threads), ("2 threads, woken", woken)] {
        for (kind, run) in [("direct", Ring::direct as fn(&mut Ring, usize) -> _), ("indirect", Ring::indirect)] {
            for size in [0, 1, 1000] {
                let mut ring = Ring::new(config.clone(), size)?;
                print!("{name:<16} {kind:<9} {size:>8} |");
                for (arguments, samples) in ARGUMENTS.into_iter().zip(calls(|arguments| run(&mut ring, arguments))?) {
                    figure(&format!("overhead/{name}/{kind}/{size} elements/{arguments} arguments, ns"), &samples);
                    print!(" {samples:.0}   |");
                }
                println!();
            }
        }
    }
    Ok(())
}

/// Nanoseconds per call with each number of arguments, taken in turns.
fn calls(mut run: impl FnMut(usize) -> op2::Result<()>) -> op2::Result<[Samples; ARGUMENTS.len()]> {
    const CALLS: usize = 1000;
    let mut samples: [Samples; ARGUMENTS.len()] = Default::default();
    for arguments in ARGUMENTS {
        run(arguments)?;
    }
    for _ in 0..if quick() { 20 } else { 200 } {
        for (arguments, samples) in ARGUMENTS.into_iter().zip(&mut samples) {
            let start = Instant::now();
            for _ in 0..CALLS {
                run(arguments)?;
            }
            samples.push(start.elapsed().as_secs_f64() * 1e9 / CALLS as f64);
        }
    }
    Ok(samples)
}
