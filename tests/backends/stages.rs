//! Loops in stages on a device: what they leave, how much of a block's memory they take, and what is said of those
//! that cannot be split.

use crate::support::mesh::Kind;
use crate::support::{Configuration, Edges, Mesh, Nodes, samples};
use op2::{Backend, Config, Dat, Map, Op2, Set, Strategy, op_par_loop};

/// Kernels that are awkward to split.
mod kernels {
    /// A sum of what two dats give, over equations, weighted by the element's own.
    #[op2::kernel]
    pub(super) fn flux(a: [&[f64; 24]; 2], b: [&[f64; 24]; 2], w: &f64, r: [&mut [f64; 6]; 2], s: [&mut f64; 2]) {
        let size = (a[0][23] * a[0][23] + a[1][23] * a[1][23]).sqrt();
        for n in 0..6 {
            let mean = 0.5 * (a[0][n] + a[1][n]) * *w;
            let jump = b[0][n] - b[1][n + 6] * size;
            r[0][n] += mean * jump;
            r[1][n] -= mean + jump;
        }
        if *w > 0.0 {
            *s[0] += size * b[0][23];
        } else {
            *s[1] -= a[1][0];
        }
    }

    /// Two dats of which a few dozen rows fill the memory of a block.
    #[op2::kernel]
    pub(super) fn wide(a: [&[f64; 256]; 2], b: [&[f64; 256]; 2], s: [&mut f64; 2]) {
        let (mut mean, mut jump) = (0.0, 0.0);
        for n in 0..256 {
            mean += a[0][n] + a[1][n];
            jump += b[0][n] - b[1][n];
        }
        *s[0] += mean * jump;
        *s[1] -= mean - jump;
    }

    /// Nothing to split: one dat is read.
    #[op2::kernel]
    pub(super) fn single(a: [&[f64; 24]; 2], r: [&mut [f64; 6]; 2]) {
        for n in 0..6 {
            r[0][n] += a[1][n];
            r[1][n] -= a[0][n] * a[0][n];
        }
    }
}
use kernels::{flux, single, wide};

const SIZE: usize = 2100;

/// A ring with wide data in the emulator, if there is one here.
struct Ring {
    op: Op2,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 2>,
    a: Dat<Nodes, [f64; 24]>,
    b: Dat<Nodes, [f64; 24]>,
    w: Dat<Edges, f64>,
    r: Dat<Nodes, [f64; 6]>,
    s: Dat<Nodes, f64>,
}

/// What a loop left, and what the report says of it.
#[derive(Debug, PartialEq)]
struct Ran {
    r: Vec<[f64; 6]>,
    s: Vec<f64>,
    strategy: String,
    note: Option<String>,
}

impl Ring {
    fn new() -> Option<Ring> {
        if !Configuration::emulator_runs() {
            return None;
        }
        let mesh = Mesh { edges: SIZE, nodes: SIZE, kind: Kind::Ring };
        let build = || -> op2::Result<Ring> {
            let mut op = Op2::with(Config::default().backend(Backend::CudaEmu))?;
            let set = mesh.declare(&mut op)?;
            Ok(Ring {
                edges: set.edges,
                ends: op.decl_map("ends", set.edges, set.nodes, &mesh.rows::<2>(1))?,
                a: op.decl_dat("a", set.nodes, &samples(SIZE, 1))?,
                b: op.decl_dat("b", set.nodes, &samples(SIZE, 2))?,
                w: op.decl_dat("w", set.edges, &samples(SIZE, 3))?,
                r: op.decl_dat("r", set.nodes, &samples(SIZE, 4))?,
                s: op.decl_dat("s", set.nodes, &samples(SIZE, 5))?,
                op,
            })
        };
        Some(build().expect("the emulator runs"))
    }

    /// `flux`, by a strategy, on what the dats held in the beginning.
    fn flux(&mut self, strategy: Strategy) -> Ran {
        let Ring { ref mut op, edges, ends, a, b, w, r, s } = *self;
        let mut run = || -> op2::Result<Ran> {
            op.set_data(r, &samples(SIZE, 4))?;
            op.set_data(s, &samples(SIZE, 5))?;
            op.pin("flux", strategy)?;
            op_par_loop!(
                op,
                flux,
                edges,
                read(a, ends[..]),
                read(b, ends[..]),
                read(w),
                inc(r, ends[..]),
                inc(s, ends[..])
            )?;
            let report = op.report();
            let told = report.loops.iter().find(|l| l.name == "flux").expect("it ran");
            let (strategy, note) = (told.strategy.clone(), told.note.clone());
            Ok(Ran { r: op.fetch(r)?, s: op.fetch(s)?, strategy, note })
        };
        run().expect("the loop runs")
    }
}

#[test]
fn stages_leave_what_the_whole_kernel_leaves() {
    let Some(mut ring) = Ring::new() else { return };
    let whole = ring.flux(Strategy::Blocks { size: 64 });
    assert_eq!(whole.strategy, "staged, coloured blocks, 64 a block");
    for (stages, said) in [(1, "1 stage"), (2, "2 stages")] {
        let split = ring.flux(Strategy::Split { size: 64, stages });
        assert_eq!(split.strategy, format!("staged, coloured blocks, {said} and updates, 64 a block"));
        assert_eq!((&split.r, &split.s, split.note), (&whole.r, &whole.s, None), "to the last bit");
    }
    // What runs again is in the report again.
    assert_eq!(ring.flux(Strategy::Blocks { size: 64 }), whole);
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1.0);
    for (strategy, said) in [
        (Strategy::SplitAtomics { block: 64, stages: 1 }, "staged, atomics, 1 stage, 64 a block"),
        (Strategy::SplitAtomics { block: 64, stages: 2 }, "staged, atomics, 2 stages, 64 a block"),
        (
            Strategy::SplitBlockAtomics { block: 64, stages: 2 },
            "staged, atomics between blocks, 2 stages and updates, 64 a block",
        ),
    ] {
        let atomics = ring.flux(strategy);
        assert_eq!((atomics.strategy.as_str(), atomics.note), (said, None));
        assert!(atomics.s.iter().zip(&whole.s).all(|(a, b)| close(*a, *b)), "{strategy}");
        assert!(atomics.r.iter().flatten().zip(whole.r.iter().flatten()).all(|(a, b)| close(*a, *b)), "{strategy}");
    }
}

/// A block of 1024 edges reaches 1025 nodes: 440 bytes of each are too much for the emulator, 192 are not.
#[test]
fn larger_blocks_fit_in_stages() {
    let Some(mut ring) = Ring::new() else { return };
    let whole = ring.flux(Strategy::Blocks { size: 1024 });
    assert_eq!(whole.strategy, "global colours, 1024 a block");
    assert_eq!(
        whole.note.as_deref(),
        Some("not staged: a block takes 451008 bytes of shared memory, 232448 are there")
    );
    let split = ring.flux(Strategy::Split { size: 1024, stages: 2 });
    assert_eq!(
        (split.strategy.as_str(), split.note),
        ("staged, coloured blocks, 2 stages and updates, 1024 a block", None)
    );
    assert_ne!(split.r, whole.r, "other colours, other order");
}

#[test]
fn who_asks_for_too_many_stages_is_told() {
    let Some(mut ring) = Ring::new() else { return };
    let ran = ring.flux(Strategy::Split { size: 64, stages: 9 });
    let why = "in 2 stages: its widest stage reads no two dats through maps";
    assert_eq!(ran.note.as_deref(), Some(why));
    let Ring { ref mut op, edges, ends, a, r, .. } = ring;
    op.pin("single", Strategy::Split { size: 64, stages: 2 }).expect("a strategy");
    op_par_loop!(op, single, edges, read(a, ends[..]), inc(r, ends[..])).expect("the loop runs");
    let report = op.report();
    let told = report.loops.iter().find(|l| l.name == "single").expect("it ran");
    assert_eq!(told.strategy, "staged, coloured blocks, 1 stage and updates, 64 a block");
    assert_eq!(told.note.as_deref(), Some("in 1 stage: its widest stage reads no two dats through maps"));
}

/// 64 elements reach 65 rows of 4 KB: that is more than a block has, and half of it is not.
#[test]
fn the_prediction_takes_stages_where_nothing_else_has_room() {
    if !Configuration::emulator_runs() {
        return;
    }
    let run = |strategy| -> op2::Result<(Vec<f64>, String)> {
        let mesh = Mesh { edges: 200, nodes: 200, kind: Kind::Ring };
        let mut op = Op2::with(Config::default().backend(Backend::CudaEmu))?;
        let set = mesh.declare(&mut op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &mesh.rows::<2>(1))?;
        let a: Dat<Nodes, [f64; 256]> = op.decl_dat("a", set.nodes, &samples(200, 1))?;
        let b: Dat<Nodes, [f64; 256]> = op.decl_dat("b", set.nodes, &samples(200, 2))?;
        let s = op.decl_dat("s", set.nodes, &samples(200, 3))?;
        op.pin("wide", strategy)?;
        op_par_loop!(op, wide, set.edges, read(a, ends[..]), read(b, ends[..]), inc(s, ends[..]))?;
        Ok((op.fetch(s)?, op.report().loops.remove(0).strategy))
    };
    let (predicted, strategy) = run(Strategy::Predicted).expect("the loop runs");
    assert_eq!(strategy, "staged, coloured blocks, 2 stages and updates, 64 a block");
    let (whole, strategy) = run(Strategy::Blocks { size: 32 }).expect("the loop runs");
    assert_eq!(strategy, "staged, coloured blocks, 32 a block");
    assert!(predicted.iter().zip(&whole).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0)));
}
