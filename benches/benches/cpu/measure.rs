//! The measurements, and their goals.

use airfoil::mesh::Mesh;
use airfoil::solver::{self as flow, Airfoil};
use hydra::mesh::{Passage, Shape};
use hydra::solver::{self as hydra_flow, Flow};
use op2::{Isa, Ordering};
use op2_apps::flags::{Backend, Precision};
use op2_benches::{Goal, Outcome, Samples};

use super::programs::{Compute, HEAVY, Heavy, OneByOne, Program, Sample};

/// Threads: the goals are for a machine of two cores.
const THREADS: usize = 2;
/// Iterations of a sample: so many that a disturbance of some milliseconds hardly changes it.
const ITERATIONS: usize = 4;
/// Bricks of hydra's passage with 2,519,850 edges, and the number of airfoil cells for which hydra gets this mesh.
const BRICKS: ([usize; 3], usize) = ([150, 74, 74], 720_000);

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    /// Cells of airfoil's mesh, about; hydra's grows along.
    pub(crate) cells: usize,
    pub(crate) rounds: usize,
}

/// A measurement.
pub(crate) struct Results {
    /// The instructions of all programs except the scalar ones.
    pub(crate) isa: Isa,
    pub(crate) cells: usize,
    /// Edges of hydra's mesh.
    pub(crate) edges: usize,
    pub(crate) rounds: usize,
    /// 1e9 bytes per second on all threads.
    pub(crate) triad: Samples,
    /// 1e9 operations per second on all threads.
    pub(crate) peak: Samples,
    /// The strategies of airfoil's loops on the mesh in order, and of hydra's.
    pub(crate) strategies: Vec<String>,
    pub(crate) lines: Vec<Line>,
}

/// A line of the table.
pub(crate) struct Line {
    pub(crate) what: String,
    pub(crate) goal: Goal,
    pub(crate) samples: Samples,
}

/// A program by its name among those of [`programs`].
type Named<T> = (&'static str, T);

/// A sample of every program.
struct Round(Vec<Named<Sample>>);

impl Round {
    fn of(&self, name: &str) -> Outcome<&Sample> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, sample)| sample).ok_or_else(|| format!("there is no program `{name}`").into())
    }
}

/// Runs all programs, round by round.
///
/// # Errors
/// Those of meshes, loops and threads.
pub(crate) fn measure(extent: Extent) -> Outcome<Results> {
    let Extent { cells, rounds } = extent;
    let i = (cells as f64 / 4.5).sqrt().round().max(2.0) as u32;
    let mesh = Mesh::naca0012(i, i * 3 / 2)?;
    let scale = (cells as f64 / BRICKS.1 as f64).cbrt();
    let passage =
        Passage::default().mesh(Shape::Hexahedra, BRICKS.0.map(|n| (n as f64 * scale).round().max(2.0) as usize))?;
    let mut programs = programs(&mesh, &passage)?;
    // The first round builds plans and warms up.
    let mut results = Results::new(&mesh, &passage, rounds)?;
    for (_, program) in &mut programs {
        Sample::of(&mut **program, 1)?;
    }
    for _ in 0..rounds {
        programs.rotate_left(1);
        let sample =
            |(name, program): &mut Named<Box<dyn Program>>| Ok((*name, Sample::of(&mut **program, ITERATIONS)?));
        results.add(&Round(programs.iter_mut().map(sample).collect::<Outcome<_>>()?))?;
    }
    Ok(results)
}

/// The instructions of all programs except the scalar ones: those that `OP2_ISA` names, or the widest of the processor.
fn instructions() -> Outcome<Isa> {
    Ok(match std::env::var("OP2_ISA") {
        Ok(text) if !text.is_empty() => text.parse()?,
        _ => Isa::best(),
    })
}

fn programs(mesh: &Mesh, passage: &hydra::mesh::Mesh) -> Outcome<Vec<Named<Box<dyn Program>>>> {
    let isa = Some(instructions()?);
    let usual = flow::Settings { backend: Backend::Threads, threads: THREADS, isa, ..flow::Settings::default() };
    let scalar = flow::Settings { isa: Some(Isa::Scalar), ..usual.clone() };
    let reordered = flow::Settings { ordering: Ordering::Rcm, ..usual.clone() };
    let single = flow::Settings { precision: Precision::F32, ..usual.clone() };
    let one_thread = flow::Settings { threads: 1, ..usual.clone() };
    let heavy = hydra_flow::Settings { backend: Backend::Threads, threads: THREADS, isa, ..Default::default() };
    Ok(vec![
        ("in order", Box::new(Airfoil::<f64>::new(mesh, &usual)?)),
        ("scalar", Box::new(Airfoil::<f64>::new(mesh, &scalar)?)),
        ("one by one", Box::new(OneByOne(Airfoil::new(mesh, &usual)?))),
        ("scalar, one by one", Box::new(OneByOne(Airfoil::new(mesh, &scalar)?))),
        ("reordered", Box::new(Airfoil::<f64>::new(&mesh.shuffled(1).0, &reordered)?)),
        ("single", Box::new(Airfoil::<f32>::new(mesh, &single)?)),
        ("one thread", Box::new(OneByOne(Airfoil::new(mesh, &one_thread)?))),
        ("heavy", Box::new(Heavy::new(Flow::<f64>::new(passage, &heavy)?)?)),
        ("compute", Box::new(Compute::new(THREADS, instructions()?)?)),
        ("compute on one thread", Box::new(Compute::new(1, instructions()?)?)),
    ])
}

impl Results {
    fn new(mesh: &Mesh, passage: &hydra::mesh::Mesh, rounds: usize) -> Outcome<Results> {
        Ok(Results {
            isa: instructions()?,
            cells: mesh.cells(),
            edges: passage.edges(),
            rounds,
            triad: Samples::default(),
            peak: Samples::default(),
            strategies: Vec::new(),
            lines: Vec::new(),
        })
    }

    fn add(&mut self, round: &Round) -> Outcome {
        let (in_order, heavy, compute) = (round.of("in order")?, round.of("heavy")?, round.of("compute")?);
        let peak = compute.loop_gflops("compute")?;
        self.triad.push(in_order.triad());
        self.peak.push(peak);
        self.strategies = in_order.strategies().into_iter().chain(heavy.strategies()).collect();
        let mut lines = vec![("whole iteration of triad".to_owned(), in_order.of_triad())];
        let of_lanes = |sample: &Sample| sample.seconds / in_order.seconds;
        lines.push(("scalar, unchained, over lanes".to_owned(), of_lanes(round.of("scalar, one by one")?)));
        lines.push(("scalar, chained, over lanes".to_owned(), of_lanes(round.of("scalar")?)));
        let one_by_one = round.of("one by one")?;
        lines.push(("lanes, unchained, over chained".to_owned(), of_lanes(one_by_one)));
        for name in ["save_soln", "update"] {
            lines.push((format!("{name} of triad"), one_by_one.loop_of_triad(name)?));
        }
        lines.push(("random, reordered, over in order".to_owned(), round.of("reordered")?.seconds / in_order.seconds));
        lines.push(("f64 over f32".to_owned(), in_order.seconds / round.of("single")?.seconds));
        let ratio = round.of("compute on one thread")?.loop_seconds("compute")? / compute.loop_seconds("compute")?;
        lines.push(("registers alone, 1 thread over 2".to_owned(), ratio));
        for name in ["adt_calc", "res_calc"] {
            let ratio = round.of("one thread")?.loop_seconds(name)? / one_by_one.loop_seconds(name)?;
            lines.push((format!("{name}, 1 thread over 2"), ratio));
        }
        for (name, _) in HEAVY {
            let (bandwidth, flops) = (heavy.loop_of_triad(name)?, heavy.loop_gflops(name)? / peak);
            lines.push((format!("hydra, {name}, of the larger floor"), bandwidth.max(flops)));
        }
        for (what, sample) in lines {
            self.line(what).samples.push(sample);
        }
        Ok(())
    }

    /// The line of this name, new in the first round.
    fn line(&mut self, what: String) -> &mut Line {
        let known = self.lines.iter().position(|line| line.what == what);
        let n = known.unwrap_or_else(|| {
            let goal = Goal::of(&format!("cpu/{what}"));
            self.lines.push(Line { what, goal, samples: Samples::default() });
            self.lines.len() - 1
        });
        &mut self.lines[n]
    }
}
