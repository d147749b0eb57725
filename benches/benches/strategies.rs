//! Orderings and strategies on threads: the gain by renumbering, and the distance of `predicted` and `auto` from the best
//! fixed strategy. Airfoil's loops on 720,000 cells, and a loop over the edges of a tetrahedral mesh.
//!
//! `OP2_CACHE_DIR=$(mktemp -d) cargo bench -p op2-benches --bench strategies`, with `-- --quick` for fewer rounds. Without a
//! new folder, `auto` finds its decisions of an earlier run, and makes no trials.
//!
//! A survey of 11 rounds finds the three best of fourteen fixed strategies; 33 rounds then run these, `predicted` and `auto` next
//! to each other. On a shared machine the ratio of a single round varies from 0.5 to 3.1: only medians are meaningful. A step of airfoil is save_soln, adt_calc, res_calc, bres_calc and update.
//!
//! `cargo xtask figures` runs this bench with `--quick` and writes its findings, with the machine and the goals of `benches/src/goals.rs`, to the
//! newest file in `benches/results`.
//!
//! Plans of tiles take several executions, those of owners more, so that `auto` has no time for owners.

use std::time::Instant;

use airfoil::mesh::Mesh;
use airfoil::solver::{Airfoil, Settings};
use op2::prelude::*;
use op2::{Ordering, sets};
use op2_apps::flags;
use op2_benches::{Outcome, Samples, figure, quick, smoke};
use op2_meshes::space;

/// The strategies that loops are pinned to here, from small blocks to large ones.
const FIXED: [Strategy; 14] = [
    Strategy::blocks(512),
    Strategy::blocks(2048),
    Strategy::blocks(8192),
    Strategy::blocks(32_768),
    Strategy::colours(1024),
    Strategy::scatter(4096),
    Strategy::tiles(2048),
    Strategy::tiles(8192),
    Strategy::tiles(32_768),
    Strategy::tiles(131_072),
    Strategy::owner(2048),
    Strategy::owner(8192),
    Strategy::owner(32_768),
    Strategy::owner(131_072),
];

/// The number of best fixed strategies with which `predicted` and `auto` are compared, after a survey of all.
const FINALISTS: usize = 3;

/// A mesh in one numbering, with loops that can be run one by one.
struct Case {
    name: String,
    /// Seconds of the renumbering.
    reordering: f64,
    program: Box<dyn Program>,
    loops: Vec<Loop>,
    /// Milliseconds of a whole step, by `predicted`.
    whole: Samples,
}

/// Times of a loop, in milliseconds.
struct Loop {
    name: &'static str,
    /// By the strategies of `FIXED`.
    survey: Vec<Samples>,
    /// The cost of the trials of `auto`, in executions of the fastest candidate; none if there were no trials.
    trials: Option<f64>,
    /// The best strategies of the survey, then `predicted` and `auto`.
    finals: Vec<(Strategy, Samples)>,
}

/// A program with loops that increment through maps.
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
    let mesh = if smoke() { Mesh::naca0012(20, 30)? } else { Mesh::naca0012(400, 600)? };
    let shuffled = mesh.shuffled(1).0;
    let orderings = [Ordering::None, Ordering::Rcm, Ordering::Gps, Ordering::Hilbert, Ordering::Metis { block: 256 }];
    let flow = |mesh: &Mesh, ordering| -> Outcome<Box<dyn Program>> {
        let backend = flags::Backend::Threads;
        let settings = Settings { backend, threads: 2, iterations: 0, ordering, ..Settings::default() };
        Ok(Box::new(Airfoil::<f64>::new(mesh, &settings)?))
    };
    let mut cases = vec![Case::new("in order", || flow(&mesh, Ordering::None))?];
    for ordering in orderings {
        cases.push(Case::new(&format!("random, {ordering}"), || flow(&shuffled, ordering))?);
    }
    measure(&format!("airfoil, {} cells", mesh.cells()), &mut cases, rounds)?;
    drop(cases);

    let bricks = if smoke() { 6 } else { 60 };
    let mesh = space::tetrahedra(bricks, bricks, bricks).build()?;
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
        let loops =
            program.loops().iter().map(|name| Loop { name, survey: survey.clone(), trials: None, finals: Vec::new() });
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
        // `auto` ran last, so the decisions are its own.
        let decided = self.program.op().decisions();
        for l in &mut self.loops {
            let notes = decided.list.iter().filter(|d| d.kernel == l.name).filter_map(|d| d.note.as_ref());
            l.trials =
                notes.filter_map(|note| note.split_once("trials cost ")?.1.split(' ').next()?.parse().ok()).next();
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

    fn print(&mut self, title: &str, first: &Samples) {
        let (ratio, name) = (&self.whole / first, format!("strategies/{title}/{}", self.name));
        println!("\n{}: a step, ms {}, to in order {ratio}", self.name, self.whole);
        println!("  set up in {:.2} s, renumbering included", self.reordering);
        figure(&format!("{name}/step, ms"), &self.whole);
        figure(&format!("{name}/step over in order"), &ratio);
        self.loops.iter().for_each(|l| l.print(&name));
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

    fn print(&self, case: &str) {
        let (fixed, chosen) = self.finals.split_at(FINALISTS);
        let (strategy, best) =
            fixed.iter().min_by(|a, b| a.1.median().total_cmp(&b.1.median())).expect("there are finalists");
        println!("  {}: best fixed {strategy}, ms {best}", self.name);
        if let Some(trials) = self.trials {
            let mut once = Samples::default();
            once.push(trials);
            figure(&format!("{case}/{}/trials, executions", self.name), &once);
        }
        for (strategy, times) in chosen {
            figure(&format!("{case}/{}/{strategy} over best fixed", self.name), &(times / best));
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
    let kind = title.split(',').next().unwrap_or(title);
    cases.iter_mut().for_each(|case| case.print(kind, &first));
    Ok(())
}
