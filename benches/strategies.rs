//! Orderings and strategies on threads: what renumbering brings, and how far the choices by prediction and by measurement
//! are from the best fixed strategy. Airfoil's loops on 720,000 cells, and a loop over the edges of a tetrahedral mesh.
//!
//! `OP2_CACHE_DIR=$(mktemp -d) cargo bench -p airfoil --bench strategies`, with `-- --quick` for fewer rounds. Without a
//! folder of its own, `auto` finds what it decided before, and makes no trials.
//!
//! The goals: reordered, a mesh that was numbered at random takes at most 1.05 times what the mesh in order takes;
//! `predicted` at most 1.10 times the best fixed strategy, `auto` at most 1.03 times, its trials at most ten executions.

//! Medians of 11 rounds on a virtual machine with 2 cores of an Intel Xeon that other machines share, 2026-11-21; the same strategy
//! in two columns of one run differs by up to 5 %. A step of airfoil is save_soln, adt_calc, res_calc, bres_calc and update:
//!
//! | airfoil, 720,000 cells | step, ms | to in order | res_calc, best fixed | ms | predicted | auto |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | in order | 32.2 | 1.00 | blocks:32768 | 15.05 | 1.085 | 1.052 |
//! | random | 218 | 6.15 | colours:1024 | 160.9 | 1.013 | 1.013 |
//! | random, rcm | 31.3 | 0.97 | blocks:32768 | 15.39 | 0.985 | 1.002 |
//! | random, gps | 31.0 | 0.98 | blocks:32768 | 15.75 | 0.981 | 1.018 |
//! | random, hilbert | 37.6 | 1.13 | blocks:32768 | 18.69 | 1.040 | 1.018 |
//! | random, metis:256 | 34.6 | 1.13 | blocks:32768 | 16.25 | 1.066 | 1.029 |
//!
//! | tetrahedra, 1,544,580 edges | diffuse, ms | to in order | best fixed | ms | predicted | auto |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | in order | 6.8 | 1.00 | blocks:32768 | 6.62 | 1.027 | 0.949 |
//! | random | 72.3 | 10.76 | colours:1024 | 69.6 | 1.040 | 1.038 |
//! | random, rcm | 7.8 | 1.19 | blocks:32768 | 7.14 | 1.090 | 1.090 |
//! | random, gps | 7.6 | 1.11 | blocks:32768 | 7.28 | 1.042 | 0.908 |
//! | random, hilbert | 10.4 | 1.63 | blocks:32768 | 9.24 | 1.123 | 1.031 |
//! | random, metis:256 | 11.5 | | blocks:32768 | 11.26 | 1.022 | 1.067 |
//!
//! `bres_calc`, 0.2 ms of 2800 elements, reads 0.94 to 1.19 for `predicted` and 0.95 to 1.03 for `auto`. The best tiles and
//! owners, of 131,072 elements, take 1.0 to 1.1 times the best coloured blocks on airfoil, and 1.2 to 1.8 times on the tetrahedra,
//! where strips of the numbering share half of their nodes; scattering takes 2 to 4 times. All of them cost plans of 3 to 10
//! executions, so that `auto` often has no time for owners. What it spent stayed below ten executions in every line.
//! Renumbering took 1.6 s (gps), 1.5 s (rcm), 1.1 s (hilbert), 5 to 7 s (metis) for the mesh of airfoil.

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

/// A mesh in one numbering, with loops that can be run one by one.
struct Case {
    name: String,
    /// Seconds of the renumbering.
    reordering: f64,
    program: Box<dyn Program>,
    /// By loop and strategy; the last two are `predicted` and `auto`.
    times: Vec<Vec<Samples>>,
    /// Milliseconds of a whole step, its loops predicted.
    whole: Samples,
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
        let times = vec![vec![Samples::default(); FIXED.len() + 2]; program.loops().len()];
        Ok(Case { name: name.to_owned(), reordering, program, times, whole: Samples::default() })
    }

    /// A step in every strategy. A round that does not `count` builds plans, and lets
    /// `auto` decide.
    fn round(&mut self, count: bool) -> Outcome {
        let strategies = FIXED.into_iter().chain([Strategy::Predicted, Strategy::Auto]);
        for (s, strategy) in strategies.enumerate() {
            for name in self.program.loops() {
                self.program.op().pin(name, strategy)?;
            }
            for _ in 0..if !count && strategy == Strategy::Auto { 20 } else { 1 } {
                let start = Instant::now();
                let times = self.program.step()?;
                let whole = start.elapsed().as_secs_f64() * 1e3;
                if !count {
                    continue;
                }
                self.times.iter_mut().zip(times).for_each(|(samples, time)| samples[s].push(time));
                if strategy == Strategy::Predicted {
                    self.whole.push(whole);
                }
            }
        }
        Ok(())
    }

    fn print(&mut self, first: &Samples) {
        let Case { name, reordering, program, times, whole } = self;
        println!("\n{name}: a step, ms {whole}, to in order {}", &*whole / first);
        println!("  set up in {reordering:.2} s, renumbering included");
        for (n, loop_name) in program.loops().iter().enumerate() {
            let (fixed, chosen) = times[n].split_at(FIXED.len());
            let ranked = fixed.iter().map(Samples::median).zip(FIXED);
            let (best, strategy) = ranked.min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are strategies");
            let [predicted, auto] = [&chosen[0], &chosen[1]].map(|s| s.median() / best);
            println!(
                "  {loop_name}: best fixed {strategy}, {best:.2} ms; predicted {predicted:.3}, auto {auto:.3} of it"
            );
            let all: Vec<String> = fixed.iter().zip(FIXED).map(|(t, s)| format!("{s} {:.2}", t.median())).collect();
            println!("    {}", all.join(", "));
        }
        println!("{}", program.op().decisions());
    }
}

fn measure(title: &str, cases: &mut [Case], rounds: usize) -> Outcome {
    for case in &mut *cases {
        case.round(false)?;
    }
    for _ in 0..rounds {
        for case in &mut *cases {
            case.round(true)?;
        }
    }
    println!("\n{title}, 2 threads, {rounds} rounds; ms as minimum, median, maximum");
    let first = cases[0].whole.clone();
    cases.iter_mut().for_each(|case| case.print(&first));
    Ok(())
}
