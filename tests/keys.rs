//! Plans, launches and copies on devices are made once per loop and cached, and made anew when anything changes that
//! they depend on. Each input changes alone, and back again, then several at once; the loop's results are compared with
//! plain Rust.

use op2::prelude::*;
use op2::{Ordering, op_par_loop};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

op2::sets! { Edges, Nodes, Cells }

const EDGES: usize = 90;
const NODES: usize = 70;
const CELLS: usize = 40;
/// Meshes of the same sizes on one `Op2`.
const MESHES: usize = 2;

#[op2::kernel]
#[allow(clippy::too_many_arguments, reason = "one parameter for every kind of argument")]
fn visit(
    w: &i64,
    x: &i64,
    more: Option<&i64>,
    e: u32,
    side: u32,
    sum: [&mut i64; 2],
    out: &mut [i64; 2],
    total: &mut i64,
) {
    let mut v = *w * 3 + *x;
    if let Some(more) = more {
        v += 5 * *more;
    }
    *sum[0] += v;
    *sum[1] -= 2 * v;
    *out = [v + (e as i64), side as i64];
    *total += v;
}

/// Another loop of the same shape.
#[op2::kernel]
#[allow(clippy::too_many_arguments, reason = "as above")]
fn revisit(
    w: &i64,
    x: &i64,
    more: Option<&i64>,
    e: u32,
    side: u32,
    sum: [&mut i64; 2],
    out: &mut [i64; 2],
    total: &mut i64,
) {
    let mut v = *w * 7 - *x;
    if let Some(more) = more {
        v -= *more;
    }
    *sum[0] -= v;
    *sum[1] += v;
    *out = [side as i64, v - (e as i64)];
    *total += 2 * v;
}

/// All inputs of the loop.
#[derive(Debug, Clone, Copy, PartialEq)]
struct State {
    /// Salts of the maps' entries.
    ends: u64,
    sides: u64,
    /// The entries that are used.
    end: usize,
    side: usize,
    /// The one of two dats that it reads through the map.
    dat: usize,
    /// Whether the optional argument is there.
    more: bool,
    /// All edges, or one of two subsets.
    over: Option<usize>,
    layout: Layout,
    strategy: usize,
    /// One of the two loops.
    again: bool,
    /// The mesh.
    mesh: usize,
    /// How often the mesh was renumbered; it never goes back.
    orders: usize,
    /// Salt of the values.
    values: u64,
}

const START: State = State {
    ends: 1,
    sides: 2,
    end: 0,
    side: 0,
    dat: 0,
    more: false,
    over: None,
    layout: Layout::Aos,
    strategy: 0,
    again: false,
    mesh: 0,
    orders: 0,
    values: 3,
};

const CHANGES: [fn(&mut State); 17] = [
    |s| s.ends = 11,
    |s| s.sides = 12,
    |s| s.end = 1,
    |s| s.side = 1,
    |s| s.dat = 1,
    |s| s.more = true,
    |s| s.over = Some(0),
    |s| s.over = Some(1),
    |s| s.layout = Layout::Soa,
    |s| s.layout = Layout::Blocked(2),
    |s| s.strategy = 1,
    |s| s.strategy = 2,
    |s| s.strategy = 3,
    |s| s.again = true,
    |s| s.mesh = 1,
    |s| s.orders += 1,
    |s| s.values = 13,
];

/// Sum, output and total.
type Outcome = (Vec<i64>, Vec<[i64; 2]>, i64);

fn rows<const A: usize>(n: usize, targets: usize, salt: u64) -> Vec<[u32; A]> {
    let mut random = SmallRng::seed_from_u64(salt);
    (0..n).map(|_| std::array::from_fn(|_| random.random_range(0..targets as u32))).collect()
}

fn values(n: usize, salt: u64) -> Vec<i64> {
    let mut random = SmallRng::seed_from_u64(salt ^ 0xDA7A);
    (0..n).map(|_| random.random_range(-99..99)).collect()
}

fn subset(n: usize) -> Vec<u32> {
    (0..EDGES as u32).filter(|e| e % 3 != n as u32).collect()
}

/// The results of the loop, in plain Rust.
fn expected(s: State) -> Outcome {
    let salt = s.mesh as u64;
    let (ends, sides) = (rows::<2>(EDGES, NODES, s.ends + salt), rows::<2>(EDGES, CELLS, s.sides + salt));
    let (w, more) = (values(EDGES, s.values + salt), values(NODES, s.values + salt + 30));
    let x = values(NODES, s.values + salt + 10 + 10 * s.dat as u64);
    let (mut sum, mut out, mut total) = (vec![0; NODES], vec![[0; 2]; EDGES], 0);
    let elements: Vec<usize> = s.over.map_or((0..EDGES).collect(), |n| subset(n).iter().map(|&e| e as usize).collect());
    for e in elements {
        let [a, b] = ends[e].map(|node| node as usize);
        let (x, more) = (x[ends[e][s.end] as usize], if s.more { more[b] } else { 0 });
        let (e64, side) = (e as i64, i64::from(sides[e][s.side]));
        if s.again {
            let v = w[e] * 7 - x - more;
            sum[a] -= v;
            sum[b] += v;
            (out[e], total) = ([side, v - e64], total + 2 * v);
        } else {
            let v = w[e] * 3 + x + 5 * more;
            sum[a] += v;
            sum[b] -= 2 * v;
            (out[e], total) = ([v + e64, side], total + v);
        }
    }
    (sum, out, total)
}

/// One of the meshes.
#[derive(Clone, Copy)]
struct Handles {
    edges: Set<Edges>,
    subsets: [Subset<Edges>; 2],
    ends: Map<Edges, Nodes, 2>,
    sides: Map<Edges, Cells, 2>,
    w: Dat<Edges, i64>,
    x: [Dat<Nodes, i64>; 2],
    more: Dat<Nodes, i64>,
    sum: Dat<Nodes, i64>,
    out: Dat<Edges, [i64; 2]>,
    total: Global<i64>,
}

impl Handles {
    fn declare(op: &mut Op2, salt: u64) -> op2::Result<Self> {
        let edges = op.decl_set("edges", EDGES)?;
        let nodes = op.decl_set("nodes", NODES)?;
        let cells = op.decl_set("cells", CELLS)?;
        let (at, zero) = (START.values + salt, [0i64; 2]);
        Ok(Handles {
            edges,
            subsets: [op.decl_subset("first", edges, &subset(0))?, op.decl_subset("second", edges, &subset(1))?],
            ends: op.decl_map("ends", edges, nodes, &rows::<2>(EDGES, NODES, START.ends + salt))?,
            sides: op.decl_map("sides", edges, cells, &rows::<2>(EDGES, CELLS, START.sides + salt))?,
            w: op.decl_dat("w", edges, &values(EDGES, at))?,
            x: [op.decl_dat("x", nodes, &values(NODES, at + 10))?, op.decl_dat("y", nodes, &values(NODES, at + 20))?],
            more: op.decl_dat("more", nodes, &values(NODES, at + 30))?,
            sum: op.decl_dat_filled("sum", nodes, 0)?,
            out: op.decl_dat_filled("out", edges, zero)?,
            total: op.decl_global("total", 0),
        })
    }
}

/// An `Op2` in some state.
struct Running {
    op: Op2,
    meshes: [Handles; MESHES],
    strategies: [Strategy; 4],
    state: State,
}

impl Running {
    fn new(config: Config, strategies: [Strategy; 4]) -> op2::Result<Self> {
        let mut op = Op2::with(config.short_loops(0).verify_plans(true))?;
        let meshes = [Handles::declare(&mut op, 0)?, Handles::declare(&mut op, 1)?];
        let mut running = Running { op, meshes, strategies, state: START };
        running.pin()?;
        Ok(running)
    }

    fn pin(&mut self) -> op2::Result<()> {
        let strategy = self.strategies[self.state.strategy];
        ["visit", "revisit"].into_iter().try_for_each(|kernel| self.op.pin(kernel, strategy))
    }

    /// Changes what is different.
    fn go_to(&mut self, next: State) -> op2::Result<()> {
        let last = std::mem::replace(&mut self.state, next);
        for (salt, handles) in (0..).zip(self.meshes) {
            let op = &mut self.op;
            if next.ends != last.ends {
                op.set_map(handles.ends, &rows::<2>(EDGES, NODES, next.ends + salt))?;
            }
            if next.sides != last.sides {
                op.set_map(handles.sides, &rows::<2>(EDGES, CELLS, next.sides + salt))?;
            }
            if next.values != last.values {
                let at = next.values + salt;
                op.set_data(handles.w, &values(EDGES, at))?;
                op.set_data(handles.x[0], &values(NODES, at + 10))?;
                op.set_data(handles.x[1], &values(NODES, at + 20))?;
                op.set_data(handles.more, &values(NODES, at + 30))?;
            }
            if next.layout != last.layout {
                op.set_layout(handles.out, next.layout)?;
                op.set_layout(handles.x[0], next.layout)?;
            }
        }
        if next.orders > last.orders {
            let by = self.meshes[next.orders % MESHES].ends;
            self.op.reorder_by(by, [Ordering::Rcm, Ordering::Gps][next.orders / MESHES % 2])?;
        }
        self.pin()
    }

    fn run(&mut self) -> op2::Result<Outcome> {
        let State { end, side, dat, more, again, over, mesh, .. } = self.state;
        let Handles { edges, subsets, ends, sides, w, x, more: extra, sum, out, total } = self.meshes[mesh];
        let (op, x) = (&mut self.op, x[dat]);
        op.set_data(sum, &[0; NODES])?;
        op.set_data(out, &[[0; 2]; EDGES])?;
        op.set(total, 0)?;
        macro_rules! call {
            ($kernel:ident, $over:expr) => {
                op_par_loop!(
                    op,
                    $kernel,
                    $over,
                    read(w),
                    read(x, ends[end]),
                    opt(more, read(extra, ends[1])),
                    idx(),
                    idx(sides[side]),
                    inc(sum, ends[..]),
                    write(out),
                    gbl_inc(total)
                )
            };
        }
        match (over, again) {
            (None, false) => call!(visit, edges),
            (None, true) => call!(revisit, edges),
            (Some(n), false) => call!(visit, subsets[n]),
            (Some(n), true) => call!(revisit, subsets[n]),
        }?;
        Ok((op.fetch(sum)?, op.fetch(out)?, op.get(total)?))
    }

    /// Runs the loop in a state, which has to leave what plain Rust does.
    #[track_caller]
    fn check(&mut self, next: State) {
        let last = self.state;
        self.go_to(next).unwrap();
        let found = self.run().unwrap();
        assert!(found == expected(next), "{} in {next:?}, after {last:?}", self.op.report().backend);
    }
}

/// The executors, with strategies that they have.
fn executors() -> Vec<(Config, [Strategy; 4])> {
    let on_threads = [Strategy::blocks(8), Strategy::colours(5), Strategy::tiles(16), Strategy::Predicted];
    let on_devices = [Strategy::Predicted, Strategy::block_atomics(32), Strategy::scatter(32), Strategy::colours(32)];
    let config = |backend| Config::default().backend(backend);
    let mut all = vec![(config(Backend::Seq), on_threads), (config(Backend::Threads(2)), on_threads)];
    match Op2::with(config(Backend::CudaEmu)) {
        Ok(_) => all.push((config(Backend::CudaEmu), on_devices)),
        Err(reason) => {
            assert!(std::env::var_os("CI").is_none(), "{reason}");
            println!("skipped: the emulator; {reason}");
        }
    }
    all
}

#[test]
fn what_is_kept_follows_every_single_input() {
    for (config, strategies) in executors() {
        for change in CHANGES {
            let mut running = Running::new(config.clone(), strategies).unwrap();
            let mut changed = START;
            change(&mut changed);
            running.check(START);
            running.check(changed);
            running.check(State { orders: changed.orders, ..START });
        }
    }
}

#[test]
fn what_is_kept_follows_inputs_that_change_together() {
    for (config, strategies) in executors() {
        let mut running = Running::new(config.clone(), strategies).unwrap();
        let mut random = SmallRng::seed_from_u64(5);
        for _ in 0..60 {
            // Some inputs stay, some change, some go back to what they were at first.
            let mut next = running.state;
            if random.random_ratio(1, 4) {
                next = State { orders: next.orders, ..START };
            }
            for _ in 0..random.random_range(1..4) {
                CHANGES[random.random_range(0..CHANGES.len())](&mut next);
            }
            running.check(next);
        }
    }
}
