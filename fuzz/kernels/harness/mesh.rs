//! Runtime support for generated programs: a mesh, configurations, data, results and their comparison. It is compiled
//! with each program and knows nothing of the generator.
#![allow(warnings)]

use op2::{
    Backend, Config, Dat, Elem, Idx, Isa, Layout, Map, Op2, OptMap, Ordering, Pairs, Rows, Set, Strategy, Subset, Table, Value, Within,
    devices,
};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

op2::sets! { pub(crate) Edges, Nodes }

/// A program: its loops by op2, and the same loops in plain Rust.
pub(crate) struct Case {
    pub(crate) seed: u64,
    /// Whether results do not depend on the order of additions.
    pub(crate) exact: bool,
    /// Whether it calls functions whose last digit differs between machines.
    pub(crate) rounded: bool,
    pub(crate) loops: fn(&mut Op2, &Mesh) -> op2::Result<Left>,
    pub(crate) plain: fn(&Mesh) -> Left,
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 11) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Edges and nodes, maps between them, and the other inputs of a run.
pub(crate) struct Mesh {
    pub(crate) edges: usize,
    pub(crate) nodes: usize,
    pub(crate) ring: Vec<[u32; 2]>,
    pub(crate) wild: Vec<[u32; 3]>,
    pub(crate) skew: Vec<[u32; 1]>,
    pub(crate) own: Vec<[u32; 2]>,
    pub(crate) link: Vec<[u32; 2]>,
    pub(crate) gaps: Vec<[Option<u32>; 2]>,
    pub(crate) rare: Vec<[Option<u32>; 2]>,
    pub(crate) list: Vec<Vec<u32>>,
    pub(crate) kids: Vec<Vec<u32>>,
    pub(crate) star: Vec<Vec<u32>>,
    pub(crate) some: Vec<usize>,
    flags: u64,
    order: Order,
}

/// The inner numbering of elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    Declared,
    Shuffled,
    Gps,
    Rcm,
    Hilbert,
}

/// Numbers of edges and of nodes. There are at least two nodes for each edge.
const SIZES: [(usize, usize); 9] = [(0, 0), (0, 5), (1, 2), (3, 7), (8, 16), (17, 40), (37, 74), (64, 130), (100, 203)];
/// Index of the largest size for the emulator.
const SMALL: usize = 5;

impl Mesh {
    pub(crate) fn new(size: usize, flags: u64, order: Order) -> Self {
        let (edges, nodes) = SIZES[size];
        let mut random = Random(size as u64 + 77);
        let mut free: Vec<u32> = (0..nodes as u32).collect();
        let mut any = |free: &mut Vec<u32>| random.below(free.len());
        let ring = (0..edges).map(|e| [(e % nodes) as u32, ((e + 1) % nodes) as u32]).collect();
        let all = free.clone();
        let mut wild = Vec::new();
        for _ in 0..edges {
            wild.push([0; 3].map(|_: u32| all[random.below(all.len())]));
        }
        let skew = (0..edges).map(|e| [(e % 3 % nodes) as u32]).collect();
        let own = (0..edges).map(|_| [0; 2].map(|_: u32| free.swap_remove(random.below(free.len())))).collect();
        let link = (0..nodes).map(|e| [((7 * e + 3) % nodes) as u32, (e % 5) as u32]).collect();
        let gaps = wild.iter().map(|row| [row[0], row[2]].map(|t| (t % 3 != 1).then_some(t))).collect();
        let own: Vec<[u32; 2]> = own;
        let rare = own.iter().map(|row| row.map(|t| (t % 7 < 2).then_some(t))).collect();
        let len = |e: usize| if e % 9 == 4 { 21 } else { e * 7 % 5 + e % 3 };
        let list = (0..edges).map(|e| (0..len(e)).map(|_| all[random.below(all.len())]).collect()).collect();
        let mut next = all.iter().rev().copied();
        let kids = (0..edges).map(|e| next.by_ref().take([0, 3, 1, 2][e % 4]).collect()).collect();
        let star = (0..nodes).map(|n| (0..n % 4).map(|i| ((3 * n + 5 * i) % nodes) as u32).collect()).collect();
        let some = (0..edges).rev().filter(|e| e % 3 != 1).collect();
        Mesh { edges, nodes, ring, wild, skew, own, link, gaps, rare, list, kids, star, some, flags, order }
    }

    /// Whether an optional argument is present.
    pub(crate) fn flag(&self, n: usize) -> bool {
        self.flags >> n & 1 == 1
    }

    /// The same number, hidden from the compiler.
    pub(crate) fn entry(&self, n: usize) -> usize {
        std::hint::black_box(n)
    }

    /// The place of an edge: on a grid whose distances are exact, partly outside of the first period.
    fn spot(e: usize) -> [f64; 2] {
        [(e * 11 % 32) as f64 / 8.0 - 1.0, (e * 5 % 17) as f64 / 8.0]
    }

    /// The place of a node.
    fn place(n: usize) -> [f64; 2] {
        [(n * 7 % 48) as f64 / 16.0, (n * 13 % 40) as f64 / 16.0 - 0.25]
    }

    /// Pairs of edges and nodes that are near each other.
    pub(crate) fn near(&self) -> Vec<(usize, usize, [f64; 2])> {
        self.within(NEAR)
    }

    /// Pairs in a space so narrow that an edge meets several images of a node.
    pub(crate) fn wide(&self) -> Vec<(usize, usize, [f64; 2])> {
        self.within(WIDE)
    }

    fn within(&self, (period, margin): ([f64; 2], f64)) -> Vec<(usize, usize, [f64; 2])> {
        let images = |a: f64, b: f64, c: usize| {
            let shifts = (-20..=20).map(move |image| f64::from(image) * period[c]);
            shifts.filter(move |shift| (a + shift - b).abs() <= margin)
        };
        let mut met = Vec::new();
        for (e, n) in (0..self.edges).flat_map(|e| (0..self.nodes).map(move |n| (e, n))) {
            let (a, b) = (Self::spot(e), Self::place(n));
            for x in images(a[0], b[0], 0) {
                met.extend(images(a[1], b[1], 1).map(|y| (e, n, [x, y])));
            }
        }
        met
    }

    /// Renumbers before a round of loops.
    pub(crate) fn round(&self, op: &mut Op2, round: usize) -> op2::Result<()> {
        let order = match (self.order, round) {
            (Order::Gps, 0) => Ordering::Gps,
            (Order::Rcm, 1) => Ordering::Rcm,
            (Order::Hilbert, 0) => Ordering::Hilbert,
            (Order::Hilbert, 1) => Ordering::Gps,
            _ => return Ok(()),
        };
        if self.edges > 0 {
            op.reorder(order)?;
        }
        Ok(())
    }
}

/// Period and margin of pairs in space.
const NEAR: ([f64; 2], f64) = ([2.0, 2.0], 0.1875);
const WIDE: ([f64; 2], f64) = ([0.5, 2.0], 0.3125);

/// The pairs of rows.
pub(crate) fn met(rows: &[Vec<u32>]) -> impl Iterator<Item = (usize, usize, [f64; 2])> {
    rows.iter().enumerate().flat_map(|(e, row)| row.iter().map(move |t| (e, *t as usize, [0.0; 2])))
}

/// The mesh, declared in an `Op2`.
pub(crate) struct Declared {
    pub(crate) edges: Set<Edges>,
    pub(crate) nodes: Set<Nodes>,
    pub(crate) some: Subset<Edges>,
    pub(crate) ring: Map<Edges, Nodes, 2>,
    pub(crate) wild: Map<Edges, Nodes, 3>,
    pub(crate) skew: Map<Edges, Nodes, 1>,
    pub(crate) own: Map<Edges, Nodes, 2>,
    pub(crate) link: Map<Nodes, Nodes, 2>,
    pub(crate) gaps: OptMap<Edges, Nodes, 2>,
    pub(crate) rare: OptMap<Edges, Nodes, 2>,
    pub(crate) list: Rows<Edges, Nodes>,
    pub(crate) kids: Rows<Edges, Nodes>,
    pub(crate) star: Rows<Nodes, Nodes>,
    pub(crate) near: Pairs<Edges, Nodes, 2>,
    pub(crate) wide: Pairs<Edges, Nodes, 2>,
}

/// The starts of rows, and their end.
fn starts(rows: &[Vec<u32>]) -> Vec<usize> {
    let ends = rows.iter().scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

impl Declared {
    pub(crate) fn new(op: &mut Op2, mesh: &Mesh) -> op2::Result<Self> {
        let edges = op.decl_set("edges", mesh.edges)?;
        let nodes = op.decl_set("nodes", mesh.nodes)?;
        let place = op.decl_dat(
            "place",
            nodes,
            &samples::<[f64; 2]>(mesh.nodes, 99)
                .iter()
                .map(|x| x.map(|x| if x.is_finite() { x.clamp(-9.0, 9.0) } else { 0.5 }))
                .collect::<Vec<_>>(),
        )?;
        op.set_coordinates(place)?;
        let spots = op.decl_dat("spots", edges, &(0..mesh.edges).map(Mesh::spot).collect::<Vec<_>>())?;
        let places = op.decl_dat("places", nodes, &(0..mesh.nodes).map(Mesh::place).collect::<Vec<_>>())?;
        let within = |(period, margin): ([f64; 2], f64)| Within::boxes(spots, places).margin(margin).periodic(period);
        Ok(Declared {
            edges,
            nodes,
            some: op.decl_subset("some", edges, &mesh.some)?,
            ring: op.decl_map("ring", edges, nodes, &mesh.ring)?,
            wild: op.decl_map("wild", edges, nodes, &mesh.wild)?,
            skew: op.decl_map("skew", edges, nodes, &mesh.skew)?,
            own: op.decl_map("own", edges, nodes, &mesh.own)?,
            link: op.decl_map("link", nodes, nodes, &mesh.link)?,
            gaps: op.decl_opt_map("gaps", edges, nodes, &mesh.gaps)?,
            rare: op.decl_opt_map("rare", edges, nodes, &mesh.rare)?,
            list: op.decl_rows("list", edges, nodes, &starts(&mesh.list), &mesh.list.concat())?,
            kids: op.decl_rows("kids", edges, nodes, &starts(&mesh.kids), &mesh.kids.concat())?,
            star: op.decl_rows("star", nodes, nodes, &starts(&mesh.star), &mesh.star.concat())?,
            near: op.decl_pairs("near", within(NEAR))?,
            wide: op.decl_pairs("wide", within(WIDE))?,
        })
    }
}
