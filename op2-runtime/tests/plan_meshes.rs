//! Plans of meshes whose colours and blocks are known in closed form, of hostile maps, and of loops that contradict
//! themselves.

use op2_runtime::Access;
use op2_runtime::inspect::{Elements, LoopShape, Through, Touch};
use op2_runtime::plan::{Hardware, Plan, PlanError, Race, Resolution, Scheme, Traffic, predict};

/// A rectangle of `w` × `h` cells: edges between neighbouring cells and the four nodes of each
/// cell.
struct Grid {
    w: usize,
    h: usize,
    pecell: Vec<u32>,
    pedge: Vec<u32>,
    pcell: Vec<u32>,
}

impl Grid {
    fn new(w: usize, h: usize) -> Self {
        let cell = |i: usize, j: usize| (j * w + i) as u32;
        let node = |i: usize, j: usize| (j * (w + 1) + i) as u32;
        let (mut pecell, mut pedge, mut pcell) = (vec![], vec![], vec![]);
        for j in 0..h {
            for i in 0..w {
                pcell.extend([node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]);
                if j + 1 < h {
                    pecell.extend([cell(i, j), cell(i, j + 1)]);
                    pedge.extend([node(i, j + 1), node(i + 1, j + 1)]);
                }
                if i + 1 < w {
                    pecell.extend([cell(i, j), cell(i + 1, j)]);
                    pedge.extend([node(i + 1, j), node(i + 1, j + 1)]);
                }
            }
        }
        Grid { w, h, pecell, pedge, pcell }
    }

    fn cells(&self) -> usize {
        self.w * self.h
    }

    fn nodes(&self) -> usize {
        (self.w + 1) * (self.h + 1)
    }

    fn edges(&self) -> usize {
        self.pecell.len() / 2
    }

    fn res_calc(&self) -> LoopShape<'_> {
        let x = |arg, i| through(arg, 0, self.nodes(), 16, Access::Read, (0, &self.pedge, 2, i..i + 1));
        let on_cell =
            |arg, dat, bytes, access, i| through(arg, dat, self.cells(), bytes, access, (1, &self.pecell, 2, i..i + 1));
        let (read, inc) = (Access::Read, Access::Inc);
        let touches = vec![
            x(0, 0),
            x(1, 1),
            on_cell(2, 1, 32, read, 0),
            on_cell(3, 1, 32, read, 1),
            on_cell(4, 2, 8, read, 0),
            on_cell(5, 2, 8, read, 1),
            on_cell(6, 3, 32, inc, 0),
            on_cell(7, 3, 32, inc, 1),
        ];
        LoopShape { elements: Elements::All(self.edges()), touches }
    }
}

type Part<'a> = (u32, &'a [u32], usize, std::ops::Range<usize>);

fn through<'a>(
    arg: usize,
    dat: u32,
    targets: usize,
    bytes: usize,
    access: Access,
    (map, entries, arity, used): Part<'a>,
) -> Touch<'a> {
    Touch {
        arg,
        dat,
        targets,
        bytes,
        access,
        through: Some(Through { map, entries, arity, offsets: None, used }),
        own: false,
    }
}

fn direct(arg: usize, dat: u32, targets: usize, bytes: usize, access: Access) -> Touch<'static> {
    Touch { arg, dat, targets, bytes, access, through: None, own: false }
}

fn useful(shape: &LoopShape<'_>) -> u64 {
    Traffic::of(shape).expect("sound").useful_bytes()
}

#[test]
fn airfoil_loops_move_the_published_bytes_per_cell() {
    let grid = Grid::new(60, 40);
    let (cells, nodes, edges) = (grid.cells(), grid.nodes(), grid.edges());
    let on_cells = |touches| LoopShape { elements: Elements::All(cells), touches };
    let per_cell = |n: usize| (n * cells) as u64;
    let (read, write, rw) = (Access::Read, Access::Write, Access::Rw);

    assert_eq!(
        useful(&on_cells(vec![direct(0, 0, cells, 32, read), direct(1, 1, cells, 32, write)])),
        per_cell(64),
        "save_soln"
    );
    let update = vec![
        direct(0, 0, cells, 32, read),
        direct(1, 1, cells, 32, write),
        direct(2, 2, cells, 32, rw),
        direct(3, 3, cells, 8, read),
    ];
    assert_eq!(useful(&on_cells(update)), per_cell(136), "update");
    let x = through(0, 0, nodes, 16, read, (0, &grid.pcell, 4, 0..4));
    let adt_calc = on_cells(vec![x, direct(1, 1, cells, 32, read), direct(2, 2, cells, 8, write)]);
    assert_eq!(
        useful(&adt_calc),
        per_cell(32 + 8 + 16) + 16 * nodes as u64,
        "adt_calc: 72 bytes per cell with one node per cell"
    );
    // The four corner nodes of the rectangle lie on no inner edge.
    let res_calc = per_cell(32 + 8 + 64) + 16 * (nodes - 4) as u64 + 16 * edges as u64;
    assert_eq!(useful(&grid.res_calc()), res_calc, "res_calc: 152 bytes per cell with one node and two edges per cell");
}

#[test]
fn entries_used_twice_count_once() {
    let grid = Grid::new(60, 40);
    let x = |arg, used| through(arg, 0, grid.nodes(), 16, Access::Read, (0, &grid.pcell, 4, used));
    let shape = LoopShape {
        elements: Elements::All(grid.cells()),
        touches: vec![x(0, 1..2), x(1, 0..4), x(2, 1..3), x(3, 0..1)],
    };
    assert_eq!(useful(&shape), 16 * (grid.nodes() + grid.cells()) as u64);
}

#[test]
fn an_ordered_mesh_keeps_large_blocks_and_few_colours() {
    let grid = Grid::new(400, 300);
    let shape = grid.res_calc();
    for (kind, blocks) in [(Hardware::FewCores, 64), (Hardware::ManyCores, 256)] {
        let plan = Plan::predicted(&shape, kind).expect("sound");
        let size = grid.edges().div_ceil(blocks).next_multiple_of(64);
        assert_eq!(plan.scheme(), Scheme::blocks(size));
        assert!((2..=4).contains(&plan.colours()), "{plan}");
        assert_eq!(plan.verify(&shape), Ok(()));
        assert_eq!(predict(&shape, kind), Ok(plan.scheme()));
    }
}

#[test]
fn a_randomly_numbered_mesh_goes_to_global_colouring() {
    let mut grid = Grid::new(400, 300);
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for e in (1..grid.edges()).rev() {
        let other = below(e + 1);
        for k in 0..2 {
            grid.pecell.swap(2 * e + k, 2 * other + k);
        }
    }
    let shape = grid.res_calc();
    for kind in [Hardware::FewCores, Hardware::ManyCores] {
        let plan = Plan::predicted(&shape, kind).expect("sound");
        assert_eq!(plan.scheme().resolution, Resolution::Colours, "{plan}");
        assert!(plan.colours() <= 8 && plan.summary().blocks_per_colour > 32.0, "{plan}");
        assert_eq!(plan.verify(&shape), Ok(()));
    }
}

/// Blocks of such a mesh meet more others, but there are still more of them than cores.
#[test]
fn a_small_mesh_whose_edges_are_sorted_by_direction_keeps_blocks() {
    let mut mesh = op2_meshes::space::hexahedra(16, 16, 16).build().expect("a sound size");
    mesh.edge_nodes.chunks_mut(1024).for_each(|edges| edges.sort_by_key(|&[a, b]| (b - a, a)));
    let entries = mesh.edge_nodes.as_flattened();
    let shape = LoopShape {
        elements: Elements::All(mesh.edge_nodes.len()),
        touches: vec![through(0, 0, mesh.x.len(), 40, Access::Inc, (0, entries, 2, 0..2))],
    };
    let plan = Plan::predicted(&shape, Hardware::FewCores).expect("sound");
    assert_eq!((plan.scheme(), plan.blocks(), plan.colours()), (Scheme::blocks(256), 55, 8), "{plan}");
    // Seven at once keep few cores busy, but not many.
    assert_eq!(predict(&shape, Hardware::ManyCores).expect("sound").resolution, Resolution::Colours);
}

#[test]
fn a_short_loop_keeps_its_blocks() {
    let entries: Vec<u32> = (0..2800).map(|e| e / 2).collect();
    let shape = LoopShape {
        elements: Elements::All(2800),
        touches: vec![through(0, 0, 1400, 8, Access::Inc, (0, &entries, 1, 0..1))],
    };
    for kind in [Hardware::FewCores, Hardware::ManyCores] {
        assert_eq!(predict(&shape, kind), Ok(Scheme::blocks(256)));
    }
}

#[test]
fn a_write_is_proved_free_of_meetings_or_coloured() {
    let n = 1000;
    let reversed: Vec<u32> = (0..n as u32).rev().collect();
    let shape = |entries| LoopShape {
        elements: Elements::All(n),
        touches: vec![through(0, 0, n, 8, Access::Write, (0, entries, 1, 0..1))],
    };
    let plan = Plan::build(&shape(&reversed), Scheme::colours(100)).expect("sound");
    assert_eq!((plan.race(), plan.colours(), plan.order()), (Race::Disproved, 1, None));

    let mut last_meets_first = reversed.clone();
    last_meets_first[n - 1] = reversed[0];
    let meeting = shape(&last_meets_first);
    let plan = Plan::build(&meeting, Scheme::blocks(100)).expect("sound");
    assert_eq!((plan.race(), plan.colours()), (Race::Coloured, 2));
    assert_eq!(plan.verify(&meeting), Ok(()));
}

#[test]
fn everything_into_one_target_is_one_colour_each() {
    let n = 300_000;
    let entries = vec![0_u32; n];
    let shape = LoopShape {
        elements: Elements::All(n),
        touches: vec![through(0, 0, 1, 8, Access::Inc, (0, &entries, 1, 0..1))],
    };
    let plan = Plan::build(&shape, Scheme::colours(64)).expect("sound");
    assert_eq!(plan.colours(), n);
    assert_eq!(plan.verify(&shape), Ok(()));
}

/// Most edges meet, so that colours climb along each node; an edge has to climb over those of both its ends.
#[test]
fn crowded_targets_keep_all_that_meet_apart() {
    let n = 6000;
    let entries: Vec<u32> = (0..n as u32).flat_map(|e| [e % 3, (e / 3 + e) % 3]).collect();
    for used in [0..2, 0..1, 1..2] {
        let touches = vec![through(0, 0, 3, 8, Access::Inc, (0, &entries, 2, used))];
        let shape = LoopShape { elements: Elements::All(n), touches };
        for scheme in [Scheme::colours(1), Scheme::colours(64), Scheme::blocks(1)] {
            let plan = Plan::build(&shape, scheme).expect("sound");
            assert_eq!(plan.verify(&shape), Ok(()), "{scheme}");
        }
    }
}

#[test]
fn a_direct_touch_counts_where_a_map_reaches_the_dat_too() {
    let n = 1000;
    // Element 0 increments the row that element 999 writes directly.
    let mut entries: Vec<u32> = (0..n as u32).collect();
    entries.swap(0, n - 1);
    let touches = vec![direct(0, 0, n, 8, Access::Inc), through(1, 0, n, 8, Access::Inc, (0, &entries, 1, 0..1))];
    let shape = LoopShape { elements: Elements::All(n), touches };
    let plan = Plan::build(&shape, Scheme::blocks(100)).expect("sound");
    assert_eq!((plan.race(), plan.colours()), (Race::Coloured, 2));
}

#[test]
fn loops_that_contradict_themselves_are_refused_by_name_and_value() {
    let build = |elements, touch, size| {
        let shape = LoopShape { elements, touches: vec![touch] };
        Plan::build(&shape, Scheme::blocks(size)).expect_err("contradicts itself")
    };
    let entries = [0, 1, 2, 7];
    let inc = |used| through(3, 0, 7, 8, Access::Inc, (0, &entries, 2, used));
    let all = Elements::All(2);
    assert_eq!(build(all, inc(0..2), 0), PlanError::EmptyBlock);
    assert_eq!(build(all, inc(1..3), 8), PlanError::Entries { arg: 3, arity: 2, start: 1, end: 3 });
    assert_eq!(build(all, inc(1..1), 8), PlanError::Entries { arg: 3, arity: 2, start: 1, end: 1 });
    assert_eq!(build(Elements::All(3), inc(0..2), 8), PlanError::Row { arg: 3, element: 2, rows: 2 });
    assert_eq!(build(Elements::Subset(&[1, 9]), inc(0..1), 8), PlanError::Row { arg: 3, element: 9, rows: 2 });
    assert_eq!(build(all, direct(3, 0, 1, 8, Access::Write), 8), PlanError::Row { arg: 3, element: 1, rows: 1 });
    assert_eq!(build(all, inc(0..2), 8), PlanError::Target { arg: 3, element: 1, entry: 1, target: 7, targets: 7 });
    let twice = [0, 1, 2, 2];
    let rw = through(3, 0, 7, 8, Access::Rw, (0, &twice, 2, 0..2));
    let error = build(all, rw, 8);
    assert_eq!(error, PlanError::Collision { element: 1, target: 2, first: 3, second: 3 });
    assert!(error.to_string().contains("element 1 reaches target 2 twice"), "{error}");
}

#[test]
fn a_plan_describes_itself() {
    let grid = Grid::new(400, 300);
    let shape = grid.res_calc();
    let plan = Plan::build(&shape, Scheme::blocks(1000)).expect("sound");
    plan.reuse_factor(&shape).expect("same loop");
    let text = plan.to_string();
    for part in [
        "blocks of 1000",
        "elements      239300",
        "blocks        240 (smallest 300, largest 1000",
        "colours       2",
        "reuse factor",
    ] {
        assert!(text.contains(part), "`{part}` in\n{text}");
    }
    let other = LoopShape { elements: Elements::All(1), touches: vec![] };
    assert_eq!(plan.reuse_factor(&other), Err(PlanError::OtherLoop { expected: 239_300, found: 1 }));
}
