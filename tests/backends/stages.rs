//! Loops in stages: their results, the shared memory that they take on a device, and the notes on loops that cannot be
//! split.

use crate::support::mesh::Kind;
use crate::support::{Configuration, Edges, Mesh, Nodes, samples};
use op2::{Backend, Config, Dat, Isa, Map, Op2, Reads, Set, Strategy, op_par_loop};

/// Kernels that are difficult to split.
mod kernels {
    /// A sum of terms of two dats, for each equation, weighted by the element's own data.
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

    /// Two dats whose rows are so long that a few dozen fill the memory of a block.
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

    /// A kernel that cannot be split, since it reads only one dat.
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

/// A ring with wide data.
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

/// The results of a loop, and its row in the report.
#[derive(Debug, PartialEq)]
struct Ran {
    r: Vec<[f64; 6]>,
    s: Vec<f64>,
    strategy: String,
    note: Option<String>,
}

impl Ring {
    /// In the emulator, if it runs here.
    fn new() -> Option<Ring> {
        Configuration::emulator_runs().then(|| Ring::on(Backend::CudaEmu))
    }

    fn on(backend: Backend) -> Ring {
        let mesh = Mesh { edges: SIZE, nodes: SIZE, kind: Kind::Ring };
        let build = || -> op2::Result<Ring> {
            let config = Config::default().backend(backend).short_loops(0);
            // On threads, the whole kernel runs in lanes.
            let threads = matches!(backend, Backend::Threads(_));
            let mut op = Op2::with(if threads { config.isa(Isa::best()) } else { config })?;
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
        build().expect("the backend is there")
    }

    /// Runs `flux` by a strategy, on the initial data.
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

const STAGED: Reads = Reads::Staged;

#[test]
fn stages_leave_what_the_whole_kernel_leaves() {
    let Some(mut ring) = Ring::new() else { return };
    let whole = ring.flux(Strategy::blocks(64).reading(STAGED));
    assert_eq!(whole.strategy, "staged, coloured blocks, 64 a block");
    for (stages, said) in [(1, "1 stage"), (2, "2 stages")] {
        let split = ring.flux(Strategy::split(64, stages).reading(STAGED));
        assert_eq!(split.strategy, format!("staged, coloured blocks, {said} and updates, 64 a block"));
        assert_eq!((&split.r, &split.s, split.note), (&whole.r, &whole.s, None), "to the last bit");
    }
    // How blocks read changes no order of additions.
    let gathered = ring.flux(Strategy::blocks(64).reading(Reads::Gathered));
    assert_eq!(gathered.strategy, "gathered, coloured blocks, 64 a block");
    assert_eq!((&gathered.r, &gathered.s), (&whole.r, &whole.s), "to the last bit");
    // A strategy that runs again is in the report again.
    assert_eq!(ring.flux(Strategy::blocks(64).reading(STAGED)), whole);
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1.0);
    for (strategy, said) in [
        (Strategy::split_atomics(64, 1).reading(STAGED), "staged, atomics, 1 stage, 64 a block"),
        (Strategy::split_atomics(64, 2).reading(Reads::Gathered), "gathered, atomics, 2 stages, 64 a block"),
        (
            Strategy::split_block_atomics(64, 2).reading(STAGED),
            "staged, atomics between blocks, 2 stages and updates, 64 a block",
        ),
    ] {
        let atomics = ring.flux(strategy);
        assert_eq!((atomics.strategy.as_str(), atomics.note), (said, None));
        assert!(atomics.s.iter().zip(&whole.s).all(|(a, b)| close(*a, *b)), "{strategy}");
        assert!(atomics.r.iter().flatten().zip(whole.r.iter().flatten()).all(|(a, b)| close(*a, *b)), "{strategy}");
    }
}

/// A block of 1024 edges reaches 1025 nodes: what a whole kernel reads, and its contributions, exceed the emulator's shared memory. The
/// share of one stage does not: what it reads, or contributes to one dat.
#[test]
fn larger_blocks_fit_in_stages() {
    let Some(mut ring) = Ring::new() else { return };
    let whole = ring.flux(Strategy::blocks(1024).reading(STAGED));
    assert_eq!(whole.strategy, "global colours, 1024 a block");
    assert_eq!(
        whole.note.as_deref(),
        Some("not staged: a block takes 516576 bytes of shared memory, 232448 are there")
    );
    let split = ring.flux(Strategy::split(1024, 2).reading(STAGED));
    assert_eq!(
        (split.strategy.as_str(), split.note),
        ("staged, coloured blocks, 2 stages and updates, 1024 a block", None)
    );
    assert_ne!(split.r, whole.r, "other colours, other order");
}

#[test]
fn who_asks_for_too_many_stages_is_told() {
    let Some(mut ring) = Ring::new() else { return };
    let ran = ring.flux(Strategy::split(64, 9));
    let why = "in 2 stages: its widest stage reads no two dats through maps";
    assert_eq!(ran.note.as_deref(), Some(why));
    let Ring { ref mut op, edges, ends, a, r, .. } = ring;
    op.pin("single", Strategy::split(64, 2).reading(STAGED)).expect("a strategy");
    op_par_loop!(op, single, edges, read(a, ends[..]), inc(r, ends[..])).expect("the loop runs");
    let report = op.report();
    let told = report.loops.iter().find(|l| l.name == "single").expect("it ran");
    assert_eq!(told.strategy, "staged, coloured blocks, 1 stage and updates, 64 a block");
    assert_eq!(told.note.as_deref(), Some("in 1 stage: its widest stage reads no two dats through maps"));
}

/// 64 elements reach 65 rows of 4 KB, which exceed the shared memory of a block; half of that does not. The prediction takes what needs no
/// shared memory.
#[test]
fn the_prediction_takes_what_has_room() {
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
    assert!(strategy.starts_with("gathered, "), "{strategy}");
    let (_, strategy) = run(Strategy::blocks(64)).expect("the loop runs");
    assert_eq!(strategy, "gathered, coloured blocks, 64 a block");
    let (split, strategy) = run(Strategy::split(64, 2).reading(STAGED)).expect("the loop runs");
    assert_eq!(strategy, "staged, coloured blocks, 2 stages and updates, 64 a block");
    let (whole, strategy) = run(Strategy::blocks(32).reading(STAGED)).expect("the loop runs");
    assert_eq!(strategy, "staged, coloured blocks, 32 a block");
    let close = |other: &[f64]| other.iter().zip(&whole).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0));
    assert!(close(&predicted) && close(&split));
}

#[test]
fn stages_on_the_host_leave_what_the_whole_kernel_leaves() {
    for (backend, plan) in [(Backend::Seq, "sequential"), (Backend::Threads(2), "blocks of 64")] {
        let mut ring = Ring::on(backend);
        let whole = ring.flux(Strategy::blocks(64));
        let by = if backend == Backend::Seq { String::new() } else { format!(", {}", Isa::best()) };
        assert_eq!((&whole.strategy, &whole.note), (&format!("{plan}{by}"), &None));
        for (stages, said) in [(1, "1 stage"), (2, "2 stages")] {
            let split = ring.flux(Strategy::split(64, stages));
            assert_eq!(split.strategy, format!("{plan}, {said} and updates"));
            assert_eq!((&split.r, &split.s, split.note), (&whole.r, &whole.s, None), "to the last bit");
        }
        let most = ring.flux(Strategy::split(64, 9));
        assert_eq!(most.note.as_deref(), Some("in 2 stages: its widest stage reads no two dats through maps"));
        assert_eq!(ring.flux(Strategy::blocks(64)), whole, "the report follows");
    }
}

/// A kernel that uses a whole constant, so that no use tells its length.
mod whole {
    const WEIGHTS: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0];

    #[op2::kernel]
    pub(super) fn weigh(a: [&[f64; 24]; 2], b: [&[f64; 24]; 2], r: [&mut [f64; 6]; 2]) {
        let weights = WEIGHTS;
        for n in 0..6 {
            r[0][n] += weights[n] * a[1][n];
            r[1][n] -= weights[n] * b[0][n];
        }
    }
}
use whole::weigh;

#[test]
fn a_constant_of_unknown_length_keeps_a_loop_whole() {
    let mut found = Vec::new();
    for strategy in [Strategy::blocks(64), Strategy::split(64, 2)] {
        let Ring { ref mut op, edges, ends, a, b, r, .. } = Ring::on(Backend::Threads(2));
        op.pin("weigh", strategy).expect("a strategy");
        op_par_loop!(op, weigh, edges, read(a, ends[..]), read(b, ends[..]), inc(r, ends[..])).expect("the loop runs");
        let ran = &op.report().loops[0];
        assert_eq!(ran.strategy, "blocks of 64");
        found.push((op.fetch(r).expect("a dat"), ran.note.clone()));
    }
    assert_eq!(found[0].0, found[1].0);
    let why = "not in stages: the length of constant `WEIGHTS`, which the kernel uses as a whole, is not known to the generator";
    let note = found[1].1.as_deref().expect("two things are in its way");
    assert!(
        note.starts_with(why) && note.contains("; one element at a time: the length of constant `WEIGHTS`"),
        "{note}"
    );
}

/// Contributions to one dat from stages with different data, some direct, some optional.
mod mixed {
    #[op2::kernel]
    pub(super) fn mix(
        a: [&[f64; 24]; 2],
        b: [&[f64; 24]; 2],
        own: &mut f64,
        first: &mut f64,
        second: &mut f64,
        some: Option<&mut f64>,
        sum: &mut f64,
    ) {
        let across = a[0][0] * 0.1 + a[1][3];
        *own += across;
        *first += across * a[0][1];
        let along = b[0][0] * 0.7 - b[1][5];
        *own += along;
        *second -= along * across;
        if let Some(some) = some {
            *some += along * 0.3;
        }
        *sum += along;
    }
}
use mixed::mix;

/// A dat gets contributions from several arguments, which must be added in the order of the arguments.
#[test]
fn the_order_of_additions_is_that_of_the_whole_kernel() {
    let run = |backend, strategy: Strategy, there| -> op2::Result<Vec<Vec<u64>>> {
        let mut op = Op2::with(Config::default().backend(backend).short_loops(0))?;
        let mesh = Mesh { edges: SIZE, nodes: SIZE, kind: Kind::Ring };
        let set = mesh.declare(&mut op)?;
        // Every element is a node as well, so that direct contributions and those through the map share targets.
        let nodes = set.nodes;
        let next: Vec<[u32; 2]> = (0..SIZE as u32).map(|n| [(n + 1) % SIZE as u32, (n * 7) % SIZE as u32]).collect();
        let next = op.decl_map("next", nodes, nodes, &next)?;
        let a = op.decl_dat("a", nodes, &samples(SIZE, 1))?;
        let b = op.decl_dat("b", nodes, &samples(SIZE, 2))?;
        let r = op.decl_dat("r", nodes, &samples(SIZE, 3))?;
        let sum = op.decl_global("sum", 0.1f64);
        op.pin("mix", strategy)?;
        op_par_loop!(
            op,
            mix,
            nodes,
            read(a, next[..]),
            read(b, next[..]),
            inc(r),
            inc(r, next[0]),
            inc(r, next[1]),
            opt(there, inc(r, next[1])),
            gbl_inc(sum)
        )?;
        let report = op.report();
        let staged = report.loops[0].strategy.ends_with("2 stages and updates");
        assert_eq!(
            staged,
            strategy.scheme().is_some_and(|scheme| scheme.stages.is_some()),
            "{}",
            report.loops[0].strategy
        );
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        Ok(vec![bits(op.fetch(r)?), vec![op.get(sum)?.to_bits()]])
    };
    for there in [true, false] {
        let seq = run(Backend::Seq, Strategy::Predicted, there).expect("the loop runs");
        let split = run(Backend::Seq, Strategy::split(50, 2), there).expect("the loop runs");
        assert!(split == seq, "seq, {there}");
        let whole = run(Backend::Threads(3), Strategy::blocks(50), there).expect("the loop runs");
        for threads in [1, 2, 3] {
            let strategy = Strategy::split(50, 2);
            assert!(run(Backend::Threads(threads), strategy, there).expect("the loop runs") == whole, "{threads}");
        }
    }
}
