//! Loops that run over several sets and subsets, such as the levels of a multigrid: reports and decisions keep them apart.

use crate::support::{Configuration, Edges, Nodes};
use op2::report::LoopRow;
use op2::{Backend, Dat, How, Map, Op2, Set, Strategy, Subset, op_par_loop};

#[op2::kernel]
fn flux(weight: &f64, a: &f64, b: &f64, to_a: &mut f64, to_b: &mut f64) {
    let flux = *weight * (*a - *b);
    *to_a -= flux;
    *to_b += flux;
}

#[op2::kernel]
fn relax(u: &mut f64, sum: &mut f64) {
    *u += 0.1 * *sum;
    *sum = 0.0;
}

#[op2::kernel]
fn damp(u: &mut f64) {
    *u *= 0.5;
}

/// Names and sizes of the levels, and how often the loops run over each.
const LEVELS: [(&str, usize, u64); 2] = [("fine", 700, 3), ("coarse", 90, 5)];

/// A level: a ring.
#[derive(Clone, Copy)]
struct Level {
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    wall: Subset<Nodes>,
    ends: Map<Edges, Nodes, 2>,
    weight: Dat<Edges, f64>,
    u: Dat<Nodes, f64>,
    sum: Dat<Nodes, f64>,
}

impl Level {
    fn declare(op: &mut Op2, name: &str, size: usize) -> op2::Result<Self> {
        let edges = op.decl_set(&format!("{name} edges"), size)?;
        let nodes = op.decl_set(&format!("{name} nodes"), size)?;
        let ends: Vec<_> = (0..size).map(|e| [e, (e + 1) % size]).collect();
        let heat: Vec<_> = (0..size).map(|e| (e % 7) as f64).collect();
        Ok(Level {
            edges,
            nodes,
            wall: op.decl_subset(&format!("{name} wall"), nodes, &[0, 1, size / 2])?,
            ends: op.decl_map(&format!("{name} ends"), edges, nodes, &ends)?,
            weight: op.decl_dat_filled(&format!("{name} weight"), edges, 0.5)?,
            u: op.decl_dat(&format!("{name} u"), nodes, &heat)?,
            sum: op.decl_dat_filled(&format!("{name} sum"), nodes, 0.0)?,
        })
    }

    /// Loops whose text all levels share. That of `relax` runs over a set and a subset.
    fn smooth(self, op: &mut Op2) -> op2::Result<()> {
        let Level { edges, ends, weight, u, sum, .. } = self;
        op_par_loop!(
            op,
            flux,
            edges,
            read(weight),
            read(u, ends[0]),
            read(u, ends[1]),
            inc(sum, ends[0]),
            inc(sum, ends[1])
        )?;
        op_par_loop!(op, relax, self.nodes, rw(u), rw(sum))?;
        op_par_loop!(op, damp, self.wall, rw(u))
    }
}

/// An `Op2` on which the loops ran over some of the levels, in turns.
fn smoothed(configuration: Configuration, which: &[(&str, usize, u64)]) -> op2::Result<(Op2, Vec<Level>)> {
    let mut op = configuration.op();
    let mut levels = Vec::new();
    for &(name, size, _) in which {
        levels.push(Level::declare(&mut op, name, size)?);
    }
    for round in 0..which.iter().map(|&(.., rounds)| rounds).max().unwrap_or(0) {
        for (level, &(.., rounds)) in levels.iter().zip(which) {
            if round < rounds {
                level.smooth(&mut op)?;
            }
        }
    }
    Ok((op, levels))
}

fn configurations() -> Vec<Configuration> {
    let device = Configuration { backend: Backend::CudaEmu, strategy: Strategy::blocks(33), ..Configuration::SEQ };
    let device = Configuration::emulator_runs().then_some(device);
    [Configuration::SEQ, Configuration::THREADS].into_iter().chain(device).collect()
}

/// A row without its times, which no run repeats.
fn untimed(row: LoopRow) -> LoopRow {
    LoopRow { seconds: 0.0, time_share: 0.0, gb_per_s: 0.0, triad_share: 0.0, plan_seconds: 0.0, ..row }
}

/// The rows of each level are those that it has alone.
#[test]
fn each_level_has_its_rows() {
    for configuration in configurations() {
        let rows = |which: &[(&str, usize, u64)]| -> Vec<LoopRow> {
            let (op, _) = smoothed(configuration, which).unwrap();
            op.report().loops.into_iter().map(untimed).collect()
        };
        let together = rows(&LEVELS);
        let names: Vec<_> = together.iter().map(|row| (&*row.name, &*row.set, row.calls)).collect();
        let fine = [("flux", "fine edges", 3), ("relax", "fine nodes", 3), ("damp", "fine wall", 3)];
        let coarse = [("flux", "coarse edges", 5), ("relax", "coarse nodes", 5), ("damp", "coarse wall", 5)];
        assert_eq!(names, [fine, coarse].concat(), "{configuration}");
        let alone = LEVELS.map(|level| rows(&[level])).concat();
        assert_eq!(together, alone, "{configuration}");
        if configuration == Configuration::THREADS {
            let blocks: Vec<_> = together.iter().filter(|row| row.name == "flux").map(|row| row.blocks).collect();
            assert_eq!(blocks, [700 / 7, 90_usize.div_ceil(7)]);
        }
    }
}

#[test]
fn tables_name_the_sets_of_a_loop_over_several() {
    let (mut op, levels) = smoothed(Configuration::THREADS, &LEVELS).unwrap();
    let nodes = levels[0].nodes;
    let alone = op.decl_dat_filled("alone", nodes, 1.0).unwrap();
    op_par_loop!(op, damp, nodes, rw(alone)).unwrap();
    let (report, decisions) = (op.report().to_string(), op.decisions());
    let of_row = |table: &str, start: &str| table.lines().filter(|line| line.starts_with(start)).count();
    for table in [report.clone(), decisions.to_string()] {
        for name in ["flux over fine edges  ", "flux over coarse edges  ", "damp over coarse wall  ", "damp  "] {
            assert_eq!(of_row(&table, name), 1, "`{name}` in\n{table}");
        }
    }
    let found: Vec<_> = decisions.list.iter().map(|d| (&*d.kernel, &*d.set, &*d.strategy, d.how)).collect();
    let of = |kernel, set| (kernel, set, "blocks:7", How::Pinned);
    let expected = [
        of("flux", "fine edges"),
        of("relax", "fine nodes"),
        of("damp", "fine wall"),
        of("flux", "coarse edges"),
        of("relax", "coarse nodes"),
        of("damp", "coarse wall"),
        of("damp", "fine nodes"),
    ];
    assert_eq!(found, expected);
}

/// The passes of each level, and what ended them.
#[test]
fn passes_of_chains_are_those_of_a_level() {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut op = configuration.op();
        let levels = LEVELS.map(|(name, size, _)| Level::declare(&mut op, name, size).unwrap());
        op.chain(|op| {
            for Level { nodes, u, sum, .. } in levels {
                op_par_loop!(op, relax, nodes, rw(u), rw(sum))?;
                op_par_loop!(op, damp, nodes, rw(u))?;
            }
            Ok(())
        })
        .unwrap();
        let report = op.report();
        let passes: Vec<_> = report.chains.iter().map(|pass| (&*pass.set, pass.runs, pass.saved_bytes)).collect();
        assert_eq!(passes, [("fine nodes", 1, 700 * 16), ("coarse nodes", 1, 90 * 16)], "{configuration}");
        let saved: Vec<_> = report.loops.iter().map(|row| (&*row.name, &*row.set, row.saved_bytes)).collect();
        let fine = [("relax", "fine nodes", 0), ("damp", "fine nodes", 700 * 16)];
        let coarse = [("relax", "coarse nodes", 0), ("damp", "coarse nodes", 90 * 16)];
        assert_eq!(saved, [fine, coarse].concat(), "{configuration}");
        let text = report.to_string();
        assert!(text.contains("\nin one pass over coarse nodes: relax, damp: 1 times"), "{text}");
        let end = "not in one pass: damp over fine nodes, relax over coarse nodes: they run over different elements";
        assert!(text.ends_with(end), "{text}");
    }
}
