//! `--precision f32`: single precision everywhere, which differs from double by its roundings only.

use hydra::mesh::Mesh;
use hydra::physics::scheme::STAGES;
use hydra::physics::{Stream, UNKNOWNS};
use hydra::solver::{self, Flow, Run, Settings};
use op2::{Dat, Float, Isa, Strategy, Value};
use op2_apps::flags::{Backend, Layout, Precision};

use crate::agree::results;
use crate::data;
use crate::images::{SHAPES, passage};

const EPSILON: f64 = f32::EPSILON as f64;

/// A loop: its name, the call, and the dats that it computes.
type Stage<F> = (&'static str, fn(&mut Flow<F>) -> op2::Result<()>, &'static [&'static str]);

/// By how many roundings of the greatest value the result of a stage may be off. Some dozens of operations stand one behind the
/// other in a kernel, and most round far smaller values; measured: up to 9, and 41 of the boundary's.
const OF_A_STAGE: f64 = 32.0;

/// Everything that computes in an iteration, in order.
fn stages<F: Float>() -> [Stage<F>; 12] {
    [
        ("primitives", Flow::primitives, &["aux"]),
        ("accu", Flow::accu, &["slopes", "lsq", "radius"]),
        ("boundary_radius", Flow::boundary_radius, &["radius"]),
        ("solve_slopes", Flow::solve_slopes, &["slopes", "sensor", "step"]),
        ("sources", Flow::sources, &["source"]),
        ("edgecon", Flow::edgecon, &["grad", "lap"]),
        ("solve_gradients", Flow::solve_gradients, &["grad", "lap"]),
        ("vflux", Flow::vflux, &["vis"]),
        ("blend", |flow| flow.blend(0.56), &["blended"]),
        ("iflux", Flow::iflux, &["res"]),
        ("boundary", Flow::boundary, &["res"]),
        ("stage", |flow| flow.stage(0.375), &["q"]),
    ]
}

/// The mesh as single precision has it, so that both precisions begin with the same numbers.
fn rounded(mut mesh: Mesh) -> Mesh {
    let round = |x: &mut f64| *x = f64::from(*x as f32);
    for vectors in [&mut mesh.x, &mut mesh.normals, &mut mesh.part_normals] {
        vectors.as_flattened_mut().iter_mut().for_each(round);
    }
    mesh.volumes.iter_mut().chain(&mut mesh.distance).for_each(round);
    mesh
}

/// Gives the flow in double precision all that the other one has.
fn hand_over(single: &Flow<f32>, double: &mut Flow<f64>) {
    fn give<S, T, A: Value<Elem = f32>, B: Value<Elem = f64>>(
        single: &Flow<f32>,
        from: Dat<S, A>,
        to: Dat<T, B>,
        double: &mut Flow<f64>,
    ) {
        let widened = |row: &A| {
            let mut wide = B::splat(0.0);
            // SAFETY: any floats are a value of these dats.
            let components = unsafe { wide.components_mut() };
            components.iter_mut().zip(row.components()).for_each(|(wide, x)| *wide = f64::from(*x));
            wide
        };
        let rows: Vec<B> = single.op.fetch(from).unwrap().iter().map(widened).collect();
        double.op.set_data(to, &rows).unwrap();
    }
    macro_rules! give_all {
        ($($dat:ident)*) => { $(give(single, single.$dat, double.$dat, double);)* };
    }
    give_all!(metric q old aux slopes lsq radius sensor step source grad lap vis blended res);
}

/// A dat in both precisions.
struct Both {
    components: usize,
    single: Vec<f64>,
    double: Vec<f64>,
}

impl Both {
    fn of(single: &Flow<f32>, double: &Flow<f64>, name: &str) -> Both {
        let of = |all: Vec<data::Named>| all.into_iter().find(|(known, ..)| *known == name).unwrap();
        let ((_, components, single), (_, _, double)) = (of(data::all(single)), of(data::all(double)));
        Both { components, single, double }
    }

    /// The greatest difference, in roundings of the greatest value that the same component has or had `before`.
    fn roundings(&self, before: &[f64]) -> f64 {
        let Both { components, single, double } = self;
        let of = |component: usize| {
            let each =
                |values: &[f64]| values.iter().copied().skip(component).step_by(*components).collect::<Vec<f64>>();
            let scale = [each(double), each(before)].concat().into_iter().fold(0.0_f64, |all, x| all.max(x.abs()));
            let pairs = each(single).into_iter().zip(each(double));
            let roundings = pairs.fold(0.0_f64, |all, (a, b)| all.max((a - b).abs()));
            if roundings > 0.0 { roundings / (scale * EPSILON) } else { 0.0 }
        };
        assert_eq!(single.len(), double.len());
        (0..*components).map(of).fold(0.0, f64::max)
    }

    /// From the same numbers, single precision leaves what double leaves, but for `most` roundings. There are some: what
    /// computed in double and rounded its result in the end would leave the nearest floats.
    fn check(&self, before: &[f64], most: f64, what: &str) {
        let roundings = self.roundings(before);
        println!("{what}: {roundings:.1} roundings apart");
        assert!(roundings < most, "{what}: {roundings} roundings apart");
        let Both { single, double, .. } = self;
        assert!(single.iter().all(is_single), "{what}: more than single precision");
        assert!(!double.iter().all(is_single), "{what}: no more than single precision in double");
        let nearest = |(a, b): (&f64, &f64)| *a == f64::from(*b as f32);
        assert!(!single.iter().zip(double).all(nearest), "{what}: computed in double precision, and then rounded");
    }
}

fn is_single(x: &f64) -> bool {
    f64::from(*x as f32) == *x
}

#[test]
fn every_stage_is_single_precision() {
    for shape in SHAPES {
        let mesh = rounded(passage(shape));
        let settings = Settings { case: Stream { reynolds: 1e4, ..Stream::default() }, ..Settings::default() };
        let mut single = Flow::<f32>::new(&mesh, &settings).unwrap();
        let mut double = Flow::<f64>::new(&mesh, &settings).unwrap();
        Both::of(&single, &double, "metric").check(&[], OF_A_STAGE, &format!("{shape:?}, geometry"));
        // Some iterations give all nodes states of their own.
        for iteration in 1..=5 {
            single.iterate(iteration).unwrap();
        }
        single.save().unwrap();
        single.clear_edgecon().unwrap();
        for ((name, in_single, dats), (_, in_double, _)) in stages().into_iter().zip(stages()) {
            hand_over(&single, &mut double);
            let before = data::all(&double);
            in_single(&mut single).unwrap();
            in_double(&mut double).unwrap();
            for (dat, _, before) in before.iter().filter(|(dat, ..)| dats.contains(dat)) {
                // The speed of the inflow is a difference of two numbers that are twelve times as large.
                let most = if name == "boundary" { 12.0 * OF_A_STAGE } else { OF_A_STAGE };
                Both::of(&single, &double, dat).check(before, most, &format!("{shape:?}, {name}, {dat}"));
            }
        }
        hand_over(&single, &mut double);
        let [a, b] = [single.iterate(6).unwrap().rms, double.iterate(6).unwrap().rms];
        assert!(a != b && (a / b - 1.0).abs() < 1e-3, "{shape:?}: {a} {b}");
    }
}

fn run(mesh: &Mesh, settings: &Settings) -> Run {
    solver::run(mesh, settings, &mut |_| Ok(())).unwrap()
}

const ITERATIONS: usize = 10;
/// Bound on the difference of two runs, in roundings: two for each stage of each iteration. Measured: up to 22.
const OF_A_RUN: f64 = (2 * STAGES.len() * ITERATIONS) as f64;

/// A run stays in the precision that was asked for, from the mesh to the solution, and the two solutions are close.
#[test]
fn a_run_is_single_precision_if_it_is_asked_for() {
    for shape in SHAPES {
        let mesh = passage(shape);
        for (backend, threads) in [(Backend::Seq, 1), (Backend::Threads, 2)] {
            let settings = Settings { backend, threads, iterations: ITERATIONS, ..Settings::default() };
            let double = run(&mesh, &settings);
            let single = run(&mesh, &Settings { precision: Precision::F32, ..settings });
            let what = format!("{shape:?}, {backend:?}");
            let [a, b] = [&single, &double].map(|run| run.q.as_flattened().to_vec());
            Both { components: UNKNOWNS, single: a, double: b }.check(&[], OF_A_RUN, &what);
            for (a, b) in single.residuals.iter().zip(&double.residuals) {
                assert!(is_single(&a.max_err) && !is_single(&b.max_err), "{what}: {a:?} {b:?}");
                assert!((a.rms / b.rms - 1.0).abs() < OF_A_RUN * EPSILON, "{what}: {a:?} {b:?}");
            }
        }
    }
}

/// Equal up to the order of additions, as far as single precision goes.
fn assert_close(found: &[(&str, Vec<f64>)], expected: &[(&str, Vec<f64>)], what: &str) {
    for ((name, found), (_, expected)) in found.iter().zip(expected) {
        let roundings = Both { components: 1, single: found.clone(), double: expected.clone() }.roundings(&[]);
        // Viscous fluxes are small differences; more so the sources, which have a sixth power of the vorticity in them.
        let most = match *name {
            "source" => 2e5,
            "vis" | "blended" => 4e3,
            _ => 1e3,
        };
        assert!(roundings < most, "{what}, {name}: {roundings} roundings apart");
    }
}

#[test]
fn threads_and_lanes_agree_with_one_element_after_the_other() {
    for shape in SHAPES {
        let mesh = passage(shape);
        let expected = results::<f32>(&mesh, &Settings::default());
        let two = Settings { backend: Backend::Threads, threads: 2, ..Settings::default() };
        let lanes = results::<f32>(&mesh, &two);
        assert_close(&lanes, &expected, &format!("{shape:?}, lanes"));
        let scalar = results::<f32>(&mesh, &Settings { isa: Some(Isa::Scalar), ..two.clone() });
        assert!(lanes == scalar, "{shape:?}: lanes have other bits");
        for strategy in [Strategy::colours(64), Strategy::tiles(64), Strategy::owner(64)] {
            let settings = Settings { strategy, layout: Layout::Soa, ..two.clone() };
            let found = results::<f32>(&mesh, &settings);
            assert_close(&found, &expected, &format!("{shape:?}, {strategy}"));
            assert!(found == results::<f32>(&mesh, &Settings { threads: 3, ..settings }), "{shape:?}, {strategy}");
        }
    }
}

#[test]
fn cuda_code_agrees() {
    let Some(backend) = op2_test_support::device(Backend::Cuda, Backend::CudaEmu) else { return };
    for (shape, layout) in SHAPES.into_iter().zip([Layout::Aos, Layout::Soa]) {
        let mesh = passage(shape);
        let expected = results::<f32>(&mesh, &Settings::default());
        for strategy in [Strategy::Predicted, Strategy::split(64, 2)] {
            let settings = Settings { backend, strategy, layout, ..Settings::default() };
            assert_close(&results::<f32>(&mesh, &settings), &expected, &format!("{shape:?}, {strategy}, {layout:?}"));
        }
    }
}
