//! The order that a mesh finds by itself: when, on which executors, and that users never see it.

use op2::prelude::*;
use op2::{Layout, Ordering, Reads, devices};
use op2_meshes::plane::{self, Quads};
use op2_meshes::space;

op2::sets! { pub Edges, Cells }

/// Wide rows: a few thousand cells exceed what stays in a cache.
type Row = [i64; 128];

/// Each cell of an edge sees the row of the other one.
#[op2::kernel]
fn meet(rows: [&[i64; 128]; 2], sum: [&mut i64; 2]) {
    for i in 0..128 {
        *sum[0] += rows[1][i];
        *sum[1] += rows[0][i];
    }
}

/// Notes the numbers of an edge and of its cells, and adds up a value whose rounding depends on the order.
#[op2::kernel]
fn number(edge: u32, first: u32, second: u32, seen: &mut [u32; 3], total: &mut f64) {
    *seen = [edge, first, second];
    *total += 1.0 / (1.0 + f64::from(edge));
}

/// Touches no map.
#[op2::kernel]
fn double(sum: &mut i64) {
    *sum *= 2;
}

/// A mesh as declared, with its data.
struct Case {
    op: Op2,
    edges: Set<Edges>,
    cells: Set<Cells>,
    ends: Map<Edges, Cells, 2>,
    rows: Dat<Cells, Row>,
    sum: Dat<Cells, i64>,
    seen: Dat<Edges, [u32; 3]>,
    total: Global<f64>,
}

fn in_order() -> Quads {
    plane::quads(65, 70).build().expect("a sound size")
}

fn at_random() -> Quads {
    in_order().shuffled(11).0
}

fn row(cell: usize) -> Row {
    std::array::from_fn(|i| (cell * 31 + i * 7) as i64 % 1009 - 500)
}

impl Case {
    fn new(mesh: &Quads, config: Config) -> op2::Result<Case> {
        let mut op = Op2::with(config)?;
        let edges = op.decl_set("edges", mesh.edge_cells.len())?;
        let cells = op.decl_set("cells", mesh.cell_nodes.len())?;
        let all: Vec<Row> = (0..mesh.cell_nodes.len()).map(row).collect();
        Ok(Case {
            ends: op.decl_map("ends", edges, cells, &mesh.edge_cells)?,
            rows: op.decl_dat("rows", cells, &all)?,
            sum: op.decl_dat_filled("sum", cells, 0)?,
            seen: op.decl_dat_filled("seen", edges, [0; 3])?,
            total: op.decl_global("total", 0.0),
            edges,
            cells,
            op,
        })
    }

    fn meet(&mut self) -> op2::Result<()> {
        let Case { edges, ends, rows, sum, .. } = *self;
        op_par_loop!(self.op, meet, edges, read(rows, ends[..]), inc(sum, ends[..]))
    }

    fn number(&mut self) -> op2::Result<()> {
        let Case { edges, ends, seen, total, .. } = *self;
        op_par_loop!(self.op, number, edges, idx(), idx(ends[0]), idx(ends[1]), write(seen), gbl_inc(total))
    }

    /// The orderings that the report names.
    fn orderings(&self) -> Vec<Ordering> {
        self.op.report().orderings.iter().map(|row| row.ordering).collect()
    }
}

/// The sums after one loop, in plain Rust.
fn sums(mesh: &Quads) -> Vec<i64> {
    let mut sums = vec![0; mesh.cell_nodes.len()];
    for &[a, b] in &mesh.edge_cells {
        let (a, b) = (a as usize, b as usize);
        sums[a] += row(b).iter().sum::<i64>();
        sums[b] += row(a).iter().sum::<i64>();
    }
    sums
}

fn threads(n: usize) -> Config {
    Config::default().backend(Backend::Threads(n))
}

#[test]
fn a_random_mesh_is_ordered_before_its_first_loop_through_a_map() -> op2::Result<()> {
    let mesh = at_random();
    let mut bits = Vec::new();
    for (config, orderings) in [
        (threads(1), &[Ordering::Gps][..]),
        (threads(3), &[Ordering::Gps]),
        (threads(1).layout(Layout::Soa), &[Ordering::Gps, Ordering::Runs]),
        (threads(3).layout(Layout::Soa), &[Ordering::Gps, Ordering::Runs]),
    ] {
        let mut case = Case::new(&mesh, config)?;
        let (cells, sum) = (case.cells, case.sum);
        op_par_loop!(case.op, double, cells, rw(sum))?;
        assert_eq!(case.orderings(), [], "a direct loop needs no order");
        case.meet()?;
        case.number()?;
        assert_eq!(case.orderings(), orderings);
        // Users find everything under their own numbers.
        assert_eq!(case.op.fetch(case.sum)?, sums(&mesh));
        let expected = mesh.edge_cells.iter().zip(0..).map(|(&[a, b], e)| [e, a, b]);
        assert!(case.op.fetch(case.seen)?.into_iter().eq(expected));
        bits.push(case.op.get(case.total)?.to_bits());
        let report = case.op.report();
        let found = &report.orderings[0];
        assert!(found.scattered_before > 0.05 && found.scattered_after < 0.02 && found.saved_ms > 0.0, "{found:?}");
        assert!(report.ordering_seconds > 0.0 && report.to_string().contains(&found.to_string()), "{report}");
    }
    // The layout may change the order of the elements, the number of threads may not.
    assert_eq!((bits[0], bits[2]), (bits[1], bits[3]));
    Ok(())
}

#[test]
fn a_mesh_in_order_keeps_it() -> op2::Result<()> {
    let mesh = in_order();
    let mut case = Case::new(&mesh, threads(2))?;
    case.meet()?;
    assert_eq!(case.orderings(), [Ordering::None]);
    let report = case.op.report();
    assert_eq!(report.ordering_seconds, 0.0);
    assert!(report.to_string().contains("of all targets scattered, kept"), "{report}");
    // Decided once.
    case.meet()?;
    assert_eq!(case.orderings(), [Ordering::None]);
    Ok(())
}

#[test]
fn prepare_orders_before_any_loop_and_only_once() -> op2::Result<()> {
    let mesh = at_random();
    let mut case = Case::new(&mesh, threads(2))?;
    case.op.prepare()?;
    assert_eq!(case.orderings(), [Ordering::Gps]);
    let seconds = case.op.report().ordering_seconds;
    case.op.prepare()?;
    case.meet()?;
    assert_eq!((case.orderings(), case.op.report().ordering_seconds), (vec![Ordering::Gps], seconds));
    assert_eq!(case.op.fetch(case.sum)?, sums(&mesh));
    Ok(())
}

#[test]
fn a_chain_orders_the_mesh_before_its_first_loop() -> op2::Result<()> {
    let mesh = at_random();
    let mut case = Case::new(&mesh, threads(2))?;
    let Case { edges, cells, ends, rows, sum, .. } = case;
    case.op.chain(|op| {
        op_par_loop!(op, double, cells, rw(sum))?;
        op_par_loop!(op, meet, edges, read(rows, ends[..]), inc(sum, ends[..]))?;
        op_par_loop!(op, double, cells, rw(sum))
    })?;
    assert_eq!(case.orderings(), [Ordering::Gps]);
    let doubled: Vec<i64> = sums(&mesh).iter().map(|s| 2 * s).collect();
    assert_eq!(case.op.fetch(case.sum)?, doubled);
    Ok(())
}

#[test]
fn whoever_says_so_keeps_the_numbers() -> op2::Result<()> {
    let mesh = at_random();
    // The sequential executor is the reference.
    for config in [Config::default().backend(Backend::Seq), threads(2).ordering(Ordering::None)] {
        let mut case = Case::new(&mesh, config)?;
        case.op.prepare()?;
        case.number()?;
        assert_eq!(case.orderings(), []);
    }
    let in_turn: f64 = (0..mesh.edge_cells.len()).map(|e| 1.0 / (1.0 + e as f64)).sum();
    let mut seq = Case::new(&mesh, Config::default().backend(Backend::Seq))?;
    seq.number()?;
    assert_eq!(seq.op.get(seq.total)?.to_bits(), in_turn.to_bits());
    // An ordering that the user names is made there, too.
    let mut named = Case::new(&mesh, Config::default().backend(Backend::Seq).ordering(Ordering::Rcm))?;
    named.number()?;
    assert_eq!(named.orderings(), [Ordering::Rcm]);
    assert_ne!(named.op.get(named.total)?.to_bits(), in_turn.to_bits());
    // A call has the last word.
    let mut called = Case::new(&mesh, threads(2))?;
    called.op.reorder(Ordering::None)?;
    called.meet()?;
    assert_eq!((called.orderings(), called.op.report().ordering_seconds > 0.0), (vec![Ordering::None], false));
    Ok(())
}

#[test]
fn a_map_that_comes_later_is_decided_about_then() -> op2::Result<()> {
    let mesh = at_random();
    let mut case = Case::new(&in_order(), threads(2))?;
    case.meet()?;
    let edges = case.op.decl_set::<Edges>("later edges", mesh.edge_cells.len())?;
    let cells = case.op.decl_set::<Cells>("later cells", mesh.cell_nodes.len())?;
    let ends = case.op.decl_map("later ends", edges, cells, &mesh.edge_cells)?;
    let all: Vec<Row> = (0..mesh.cell_nodes.len()).map(row).collect();
    let rows = case.op.decl_dat("later rows", cells, &all)?;
    let sum = case.op.decl_dat_filled("later sum", cells, 0)?;
    op_par_loop!(case.op, meet, edges, read(rows, ends[..]), inc(sum, ends[..]))?;
    assert_eq!(case.op.fetch(sum)?, sums(&mesh));
    assert_eq!(case.op.fetch(case.sum)?, sums(&in_order()));
    let told = case.op.report().orderings;
    // What was decided before is not told again.
    let told: Vec<_> = told.iter().map(|row| (&row.map[..], row.ordering)).collect();
    assert_eq!(told, [("ends", Ordering::None), ("later ends", Ordering::Gps)]);
    Ok(())
}

#[test]
fn a_device_has_the_same_order() -> op2::Result<()> {
    let Some(device) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) else { return Ok(()) };
    let mesh = at_random();
    let options = devices::Options { checks: false, ..Default::default() };
    let mut case = Case::new(&mesh, Config::default().backend(device).emulator(options))?;
    let (cells, sum) = (case.cells, case.sum);
    // Leaves the newer values on the device.
    op_par_loop!(case.op, double, cells, rw(sum))?;
    case.meet()?;
    assert_eq!(case.orderings(), [Ordering::Gps]);
    assert_eq!(case.op.fetch(case.sum)?, sums(&mesh));
    Ok(())
}

#[test]
fn only_devices_follow_a_curve_in_space() -> op2::Result<()> {
    let mesh = at_random();
    let mut expected = vec![(Backend::Threads(2), Ordering::Gps)];
    if let Some(device) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) {
        expected.push((device, Ordering::Hilbert));
    }
    for (backend, ordering) in expected {
        let mut case = Case::new(&mesh, Config::default().backend(backend))?;
        let at: Vec<[f64; 3]> =
            mesh.cell_nodes.iter().map(|&[node, ..]| mesh.x[node as usize]).map(|[x, y]| [x, y, 0.0]).collect();
        let at = case.op.decl_dat("at", case.cells, &at)?;
        case.op.set_coordinates(at)?;
        case.op.prepare()?;
        assert_eq!(case.orderings(), [ordering], "{backend:?}");
    }
    Ok(())
}

/// Rows of a mesh make narrow blocks: where points are known, loops on a device follow a curve, in every strategy, and data stay where they
/// are.
#[test]
fn loops_on_a_device_follow_a_curve_in_space() -> op2::Result<()> {
    let Some(device) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) else { return Ok(()) };
    let mesh = in_order();
    let ran = |config: Config, known: bool, strategy: Strategy| {
        let mut case = Case::new(&mesh, config.backend(device).strategy(strategy))?;
        if known {
            let at: Vec<[f64; 2]> = mesh.cell_nodes.iter().map(|&[node, ..]| mesh.x[node as usize]).collect();
            let at = case.op.decl_dat("at", case.cells, &at)?;
            case.op.set_coordinates(at)?;
        }
        case.meet()?;
        case.number()?;
        assert!(case.orderings().iter().all(|by| *by == Ordering::None), "data keep their places");
        assert_eq!(case.op.fetch(case.sum)?, sums(&mesh), "{strategy}");
        let seen = mesh.edge_cells.iter().zip(0..).map(|(&[a, b], e)| [e, a, b]);
        assert!(case.op.fetch(case.seen)?.into_iter().eq(seen), "{strategy}");
        let report = case.op.report();
        Ok::<_, op2::Error>(report.loops[0].strategy.clone())
    };
    let strategies = [
        Strategy::Predicted,
        Strategy::blocks(64),
        Strategy::owner(96),
        Strategy::targets(96),
        Strategy::tiles(64),
        Strategy::block_atomics(64),
        Strategy::atomics(64),
        Strategy::scatter(64),
        Strategy::colours(64),
    ];
    for strategy in strategies {
        let along = ran(Config::default(), true, strategy)?;
        assert!(along.ends_with(" a block, along a curve"), "{along}");
    }
    for (config, known) in [(Config::default(), false), (Config::default().ordering(Ordering::None), true)] {
        let rows = ran(config, known, Strategy::owner(96).reading(Reads::Staged))?;
        assert_eq!(rows, "staged, owner computes, 96 a block");
    }
    Ok(())
}

/// Places along a curve, and lists made of them, are those of the elements that are there.
#[test]
fn a_device_forgets_a_curve_when_its_elements_change() -> op2::Result<()> {
    let Some(device) = op2_test_support::device(Backend::Cuda(0), Backend::CudaEmu) else { return Ok(()) };
    let mesh = in_order();
    let mut case = Case::new(&mesh, Config::default().backend(device).strategy(Strategy::owner(96)))?;
    let at: Vec<[f64; 2]> = mesh.cell_nodes.iter().map(|&[node, ..]| mesh.x[node as usize]).collect();
    let at = case.op.decl_dat("at", case.cells, &at)?;
    case.op.set_coordinates(at)?;
    let stays = |cell: u32| cell < 4200;
    let keep: Vec<bool> = mesh.edge_cells.iter().map(|ends| ends.iter().all(|&cell| stays(cell))).collect();
    let here: Vec<bool> = (0..mesh.cell_nodes.len() as u32).map(stays).collect();
    let (keep, here) = (case.op.decl_dat("keep", case.edges, &keep)?, case.op.decl_dat("here", case.cells, &here)?);
    let mut left = mesh.clone();
    left.edge_cells.retain(|ends| ends.iter().all(|&cell| stays(cell)));
    let mut expected = sums(&mesh);
    let meet = |case: &mut Case, expected: &[i64], end: &str| {
        case.meet()?;
        assert_eq!(case.op.fetch(case.sum)?, expected);
        let ran = case.op.report().loops[0].strategy.clone();
        assert!(ran.ends_with(end), "{ran}");
        Ok::<_, op2::Error>(())
    };
    meet(&mut case, &expected, "along a curve")?;
    case.op.compact(case.edges, keep)?;
    expected.iter_mut().zip(sums(&left)).for_each(|(all, more)| *all += more);
    meet(&mut case, &expected, "along a curve")?;
    case.op.compact(case.cells, here)?;
    expected.iter_mut().zip(sums(&left)).for_each(|(all, more)| *all += more);
    meet(&mut case, &expected[..4200], "96 a block")
}

/// The difference of two rows in columns, for the edges of bricks.
#[op2::kernel]
fn differ(a: &[i64; 5], b: &[i64; 5], sum_a: &mut [i64; 5], sum_b: &mut [i64; 5]) {
    for i in 0..5 {
        sum_a[i] += b[i] - a[i];
        sum_b[i] -= b[i];
    }
}

/// Edges are sorted only where CPUs find columns, and nobody sees it.
#[test]
fn columns_have_their_elements_sorted() -> op2::Result<()> {
    let bricks = space::hexahedra(18, 18, 18).build().expect("a sound size");
    let run = |config: Config, expected: &[Ordering]| {
        let mut op = Op2::with(config)?;
        let edges = op.decl_set::<Edges>("edges", bricks.edge_nodes.len())?;
        let cells = op.decl_set::<Cells>("nodes", bricks.x.len())?;
        let ends = op.decl_map("ends", edges, cells, &bricks.edge_nodes)?;
        let rows: Vec<[i64; 5]> =
            (0..).zip(&bricks.x).map(|(n, _)| std::array::from_fn(|i| n * n + i as i64)).collect();
        let rows = op.decl_dat("rows", cells, &rows)?;
        let sum = op.decl_dat_filled("sum", cells, [0; 5])?;
        op_par_loop!(
            op,
            differ,
            edges,
            read(rows, ends[0]),
            read(rows, ends[1]),
            inc(sum, ends[0]),
            inc(sum, ends[1])
        )?;
        let report = op.report();
        let done: Vec<Ordering> =
            report.orderings.iter().map(|row| row.ordering).filter(|&by| by != Ordering::None).collect();
        assert_eq!(done, expected, "{report}");
        assert_eq!(report.ordering_seconds > 0.0, !expected.is_empty());
        op.fetch(sum)
    };
    let reference = run(Config::default().backend(Backend::Seq).layout(Layout::Soa), &[])?;
    assert_eq!(run(threads(2).layout(Layout::Soa), &[Ordering::Runs])?, reference);
    assert_eq!(run(threads(2), &[])?, reference);
    assert_eq!(run(threads(2).layout(Layout::Soa).ordering(Ordering::None), &[])?, reference);
    if op2_test_support::has_cxx() {
        let options = devices::Options { checks: false, ..Default::default() };
        let device = Config::default().backend(Backend::CudaEmu).emulator(options);
        assert_eq!(run(device.layout(Layout::Soa), &[])?, reference);
    }
    Ok(())
}
