//! Orderings and strategies on threads: what renumbering brings, and how far the choices by prediction and by measurement
//! are from the best fixed strategy. Airfoil's loops on 720,000 cells, and a loop over the edges of a tetrahedral mesh.
//!
//! `OP2_CACHE_DIR=$(mktemp -d) cargo bench -p airfoil --bench strategies`, with `-- --quick` for fewer rounds. Without a
//! folder of its own, `auto` finds what it decided before, and makes no trials.
//!
//! The goals: reordered, a mesh that was numbered at random takes at most 1.05 times what the mesh in order takes;
//! `predicted` at most 1.10 times the best fixed strategy, `auto` at most 1.03 times, its trials at most ten executions.
//!
//! A survey of 11 rounds finds the three best of fourteen fixed strategies; 33 rounds then run these, `predicted` and `auto` next
//! to each other. Medians, and medians of ratios within rounds, on a virtual machine with 2 cores of an Intel Xeon that other
//! machines share, 2026-11-21. The ratio of a single round reads from 0.5 to 3.1: only their medians tell anything. A step
//! of airfoil is save_soln, adt_calc, res_calc, bres_calc and update. What the trials cost is in executions of the fastest:
//!
//! | airfoil, 720,000 cells | step, ms | to in order | res_calc, best fixed | ms | predicted | auto | trials |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | in order | 25.2 | 1.00 | blocks:8192 | 12.9 | 0.998 | 1.005 | 9.0 |
//! | random | 165 | 6.42 | blocks:512 | 130 | 1.004 | 0.997 | 2.8 |
//! | random, rcm | 26.0 | 1.01 | blocks:2048 | 13.6 | 0.952 | 0.943 | 3.0 |
//! | random, gps | 25.8 | 1.02 | blocks:8192 | 13.6 | 0.985 | 0.997 | 5.9 |
//! | random, hilbert | 30.6 | 1.21 | tiles:32768 | 16.4 | 0.981 | 0.971 | 8.4 |
//! | random, metis:256 | 28.0 | 1.10 | blocks:32768 | 14.1 | 1.036 | 0.966 | 4.6 |
//!
//! | its loop `bres_calc`, 2800 elements | best fixed | ms | predicted | auto | trials |
//! | --- | --- | --- | --- | --- | --- |
//! | in order | blocks:512 | 0.16 | 1.058 | 1.024 | 8.9 |
//! | random | blocks:512 | 0.22 | 1.078 | 1.021 | 7.5 |
//! | random, rcm | colours:1024 | 0.23 | 0.957 | 0.973 | 7.7 |
//! | random, gps | blocks:512 | 0.23 | 0.983 | 0.974 | 7.8 |
//! | random, hilbert | blocks:512 | 0.14 | 0.989 | 0.992 | 8.0 |
//! | random, metis:256 | blocks:512 | 0.20 | 0.989 | 0.991 | 9.1 |
//!
//! | tetrahedra, 1,544,580 edges | diffuse, ms | to in order | best fixed | ms | predicted | auto | trials |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | in order | 6.1 | 1.00 | blocks:32768 | 6.0 | 1.008 | 0.982 | 5.8 |
//! | random | 57.9 | 9.59 | colours:1024 | 56.3 | 1.035 | 1.021 | 4.9 |
//! | random, rcm | 6.7 | 1.11 | blocks:32768 | 6.6 | 1.025 | 0.926 | 3.2 |
//! | random, gps | 6.4 | 1.08 | blocks:32768 | 6.5 | 1.012 | 0.935 | 4.9 |
//! | random, hilbert | 8.3 | 1.38 | blocks:32768 | 8.3 | 0.988 | 1.014 | 3.3 |
//! | random, metis:256 | 10.0 | 1.63 | blocks:32768 | 9.7 | 1.008 | 0.935 | 5.0 |
//!
//! In the survey, the best tiles and owners, of 131,072 elements, take 0.90 to 1.01 times the best coloured blocks on airfoil's
//! ordered meshes, and 1.4 to 2.6 times on the tetrahedra, where strips of the numbering share half of their nodes;
//! scattering takes 1.5 to 5.3 times. Plans of tiles take 2.5 to 9 executions, those of owners more, so that `auto` has no
//! time for owners. Setting up with renumbering takes 1.1 s for airfoil by hilbert, 1.3 s by rcm and gps, 4.4 s by metis
//! (3.8 to 6.9 s in four runs).

mod timing;

use std::time::Instant;

use airfoil::cli;
use airfoil::mesh::Mesh;
use airfoil::solver::{Airfoil, Settings};
use op2::prelude::*;
use op2::{Ordering, sets};
use op2_meshes::space;
use timing::{Samples, quick};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// What loops can be pinned to here, from small blocks to large ones.
const FIXED: [Strategy; 14] = [
    Strategy::Blocks { size: 512 },
    Strategy::Blocks { size: 2048 },
    Strategy::Blocks { size: 8192 },
    Strategy::Blocks { size: 32_768 },
    Strategy::Colours { chunk: 1024 },
    Strategy::Scatter { block: 4096 },
    Strategy::Tiles { size: 2048 },
    Strategy::Tiles { size: 8192 },
    Strategy::Tiles { size: 32_768 },
    Strategy::Tiles { size: 131_072 },
    Strategy::Owner { size: 2048 },
    Strategy::Owner { size: 8192 },
    Strategy::Owner { size: 32_768 },
    Strategy::Owner { size: 131_072 },
];

/// How many of the fixed strategies `predicted` and `auto` are compared with, after a survey of all of them.
const FINALISTS: usize = 3;

/// A mesh in one numbering, with loops that can be run one by one.
struct Case {
    name: String,
    /// Seconds of the renumbering.
    reordering: f64,
    program: Box<dyn Program>,
    loops: Vec<Loop>,
    /// Milliseconds of a whole step, its loops predicted.
    whole: Samples,
}

/// What is measured of a loop, in milliseconds.
struct Loop {
    name: &'static str,
    /// By the strategies of `FIXED`.
    survey: Vec<Samples>,
    /// The best strategies of the survey, then `predicted` and `auto`.
    finals: Vec<(Strategy, Samples)>,
}

/// Something with loops that increment through maps.
trait Program {
    fn op(&mut self) -> &mut Op2;
    fn loops(&self) -> &'static [&'static str];
    /// One step; milliseconds of each loop.
    fn step(&mut self) -> op2::Result<Vec<f64>>;
}

impl Program for Airfoil<f64> {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn loops(&self) -> &'static [&'static str] {
        &["res_calc", "bres_calc"]
    }

    fn step(&mut self) -> op2::Result<Vec<f64>> {
        self.save_soln()?;
        self.adt_calc()?;
        let times = vec![timed(|| self.res_calc())?, timed(|| self.bres_calc())?];
        self.update()?;
        Ok(times)
    }
}

/// Milliseconds of a loop.
fn timed(run: impl FnOnce() -> op2::Result<()>) -> op2::Result<f64> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

sets! { Nodes, Edges }

/// Diffusion of four quantities along the edges of tetrahedra.
struct Diffusion {
    op: Op2,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 2>,
    x: Dat<Nodes, [f64; 3]>,
    u: Dat<Nodes, [f64; 4]>,
    change: Dat<Nodes, [f64; 4]>,
}

#[op2::kernel]
fn diffuse(x: [&[f64; 3]; 2], u: [&[f64; 4]; 2], change: [&mut [f64; 4]; 2]) {
    let d = [x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]];
    let conductance = 1e-9 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for c in 0..4 {
        let flow = conductance * (u[1][c] - u[0][c]);
        change[0][c] += flow;
        change[1][c] -= flow;
    }
}

impl Diffusion {
    fn new(mesh: &space::Tetrahedra, ordering: Ordering) -> op2::Result<Self> {
        let mut op = Op2::with(Config::default().backend(Backend::Threads(2)))?;
        let nodes = op.decl_set("nodes", mesh.x.len())?;
        let edges = op.decl_set("edges", mesh.edge_nodes.len())?;
        let ends = op.decl_map("ends", edges, nodes, &mesh.edge_nodes)?;
        let x = op.decl_dat("x", nodes, &mesh.x)?;
        let u: Vec<_> = mesh.x.iter().map(|x| [x[0], x[1], x[2], 1.0]).collect();
        let u = op.decl_dat("u", nodes, &u)?;
        let change = op.decl_dat_filled("change", nodes, [0.0; 4])?;
        op.set_coordinates(x)?;
        if ordering != Ordering::None {
            op.reorder(ordering)?;
        }
        Ok(Diffusion { op, edges, ends, x, u, change })
    }
}

impl Program for Diffusion {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn loops(&self) -> &'static [&'static str] {
        &["diffuse"]
    }

    fn step(&mut self) -> op2::Result<Vec<f64>> {
        let Diffusion { edges, ends, x, u, change, .. } = *self;
        let run = || op_par_loop!(self.op, diffuse, edges, read(x, ends[..]), read(u, ends[..]), inc(change, ends[..]));
        Ok(vec![timed(run)?])
    }
}

fn main() -> Outcome {
    let rounds = if quick() { 3 } else { 11 };
    let mesh = Mesh::naca0012(400, 600)?;
    let shuffled = mesh.shuffled(1).0;
    let orderings = [Ordering::None, Ordering::Rcm, Ordering::Gps, Ordering::Hilbert, Ordering::Metis { block: 256 }];
    let flow = |mesh: &Mesh, ordering| -> Outcome<Box<dyn Program>> {
        let backend = cli::Backend::Threads;
        let settings = Settings { backend, threads: 2, iterations: 0, ordering, ..Settings::default() };
        Ok(Box::new(Airfoil::<f64>::new(mesh, &settings)?))
    };
    let mut cases = vec![Case::new("in order", || flow(&mesh, Ordering::None))?];
    for ordering in orderings {
        cases.push(Case::new(&format!("random, {ordering}"), || flow(&shuffled, ordering))?);
    }
    measure("airfoil, 720,000 cells", &mut cases, rounds)?;
    drop(cases);

    let mesh = space::tetrahedra(60, 60, 60).build()?;
    let shuffled = mesh.shuffled(1).0;
    let diffusion = |mesh: &space::Tetrahedra, ordering| -> Outcome<Box<dyn Program>> {
        Ok(Box::new(Diffusion::new(mesh, ordering)?))
    };
    let mut cases = vec![Case::new("in order", || diffusion(&mesh, Ordering::None))?];
    for ordering in orderings {
        cases.push(Case::new(&format!("random, {ordering}"), || diffusion(&shuffled, ordering))?);
    }
    measure(&format!("tetrahedra, {} edges", mesh.edge_nodes.len()), &mut cases, rounds)
}

impl Case {
    fn new(name: &str, program: impl FnOnce() -> Outcome<Box<dyn Program>>) -> Outcome<Case> {
        let start = Instant::now();
        let program = program()?;
        let reordering = start.elapsed().as_secs_f64();
        let survey = vec![Samples::default(); FIXED.len()];
        let loops = program.loops().iter().map(|name| Loop { name, survey: survey.clone(), finals: Vec::new() });
        Ok(Case { name: name.to_owned(), reordering, loops: loops.collect(), program, whole: Samples::default() })
    }

    /// Builds the plans, and lets `auto` decide.
    fn prepare(&mut self) -> Outcome {
        for strategy in FIXED.into_iter().chain([Strategy::Predicted, Strategy::Auto]) {
            let steps = if strategy == Strategy::Auto { 20 } else { 1 };
            for name in self.program.loops() {
                self.program.op().pin(name, strategy)?;
            }
            for _ in 0..steps {
                self.program.step()?;
            }
        }
        Ok(())
    }

    /// A step in every fixed strategy.
    fn survey(&mut self) -> Outcome {
        for (s, strategy) in FIXED.into_iter().enumerate() {
            for name in self.program.loops() {
                self.program.op().pin(name, strategy)?;
            }
            let times = self.program.step()?;
            self.loops.iter_mut().zip(times).for_each(|(l, time)| l.survey[s].push(time));
        }
        Ok(())
    }

    /// A step in each of the best strategies, in `predicted` and in `auto`. Every round begins with another one.
    fn finals(&mut self, round: usize) -> Outcome {
        let contenders = FINALISTS + 2;
        for c in (0..contenders).map(|c| (c + round) % contenders) {
            for l in &self.loops {
                self.program.op().pin(l.name, l.finals[c].0)?;
            }
            let start = Instant::now();
            let times = self.program.step()?;
            if self.loops[0].finals[c].0 == Strategy::Predicted {
                self.whole.push(start.elapsed().as_secs_f64() * 1e3);
            }
            self.loops.iter_mut().zip(times).for_each(|(l, time)| l.finals[c].1.push(time));
        }
        Ok(())
    }

    fn print(&mut self, first: &Samples) {
        println!("\n{}: a step, ms {}, to in order {}", self.name, self.whole, &self.whole / first);
        println!("  set up in {:.2} s, renumbering included", self.reordering);
        self.loops.iter().for_each(Loop::print);
        println!("{}", self.program.op().decisions());
    }
}

impl Loop {
    /// Picks the best strategies of the survey.
    fn pick_finalists(&mut self) {
        let mut ranked: Vec<_> = FIXED.into_iter().zip(self.survey.iter().map(Samples::median)).collect();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        let best = ranked[..FINALISTS].iter().map(|&(strategy, _)| strategy);
        self.finals = best.chain([Strategy::Predicted, Strategy::Auto]).map(|s| (s, Samples::default())).collect();
    }

    fn print(&self) {
        let (fixed, chosen) = self.finals.split_at(FINALISTS);
        let (strategy, best) =
            fixed.iter().min_by(|a, b| a.1.median().total_cmp(&b.1.median())).expect("there are finalists");
        println!("  {}: best fixed {strategy}, ms {best}", self.name);
        for (strategy, times) in chosen {
            println!("    {strategy:<9} to it {:.3}; medians {:.3}", times / best, times.median() / best.median());
        }
        let list = |all: &mut dyn Iterator<Item = (Strategy, f64)>| -> String {
            all.map(|(s, ms)| format!("{s} {ms:.2}")).collect::<Vec<_>>().join(", ")
        };
        println!("    finals: {}", list(&mut self.finals.iter().map(|(s, t)| (*s, t.median()))));
        println!("    survey: {}", list(&mut FIXED.into_iter().zip(self.survey.iter().map(Samples::median))));
    }
}

fn measure(title: &str, cases: &mut [Case], rounds: usize) -> Outcome {
    cases.iter_mut().try_for_each(Case::prepare)?;
    for _ in 0..rounds {
        cases.iter_mut().try_for_each(Case::survey)?;
    }
    cases.iter_mut().flat_map(|case| &mut case.loops).for_each(Loop::pick_finalists);
    for round in 0..3 * rounds {
        cases.iter_mut().try_for_each(|case| case.finals(round))?;
    }
    println!("\n{title}, 2 threads, {rounds} rounds of all, {} of the best; minimum, median, maximum", 3 * rounds);
    let first = cases[0].whole.clone();
    cases.iter_mut().for_each(|case| case.print(&first));
    Ok(())
}
