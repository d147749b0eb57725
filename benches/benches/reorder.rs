//! Orderings of two randomly numbered meshes: time on one core, the graph of the leading map's points, and the accesses of
//! blocks of 128 and 256 elements.
//!
//! `cargo bench -p op2-benches --bench reorder`
//!
//! Blocks are equal parts of the new order, except those that METIS cut for the size of the column. Sectors and lines are
//! averages per block, of 32 bytes per cell and 16 per node (quadrilaterals) or 40 per node (tetrahedra).
//!
//! All results but the times are the same in every run.
//!
//! Its findings are in `benches/results/2026-11-23-orderings.md`.

use op2_runtime::reorder::{
    Coordinates, Link, MeshShape, NewNumbers, Ordering, block_quality, graph_quality, leading_map, renumber,
};
use std::time::Instant;

/// A mesh that owns its maps. The loop runs over set 0.
struct Mesh {
    sets: Vec<usize>,
    /// Bytes of an element that the loop accesses.
    bytes: Vec<usize>,
    /// Source, target, arity and entries.
    maps: Vec<(usize, usize, usize, Vec<u32>)>,
    /// Set, dim and values.
    coordinates: (usize, usize, Vec<f64>),
}

/// Edges, cells, nodes and boundary edges of `width` times `height` squares.
fn quads(width: usize, height: usize) -> Mesh {
    let cell = |i: usize, j: usize| (j * width + i) as u32;
    let node = |i: usize, j: usize| (j * (width + 1) + i) as u32;
    let (mut nodes, mut cells, mut outer) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..=height {
        for i in 0..=width {
            match (j, i < width) {
                (0, true) => outer.push(cell(i, 0)),
                (j, true) if j == height => outer.push(cell(i, j - 1)),
                (j, true) => {
                    cells.extend([cell(i, j - 1), cell(i, j)]);
                    nodes.extend([node(i, j), node(i + 1, j)]);
                }
                _ => {}
            }
            match (i, j < height) {
                (0, true) => outer.push(cell(0, j)),
                (i, true) if i == width => outer.push(cell(i - 1, j)),
                (i, true) => {
                    cells.extend([cell(i - 1, j), cell(i, j)]);
                    nodes.extend([node(i, j), node(i, j + 1)]);
                }
                _ => {}
            }
        }
    }
    let points = (0..=height).flat_map(|j| (0..=width).flat_map(move |i| [i as f64, j as f64])).collect();
    Mesh {
        sets: vec![cells.len() / 2, width * height, (width + 1) * (height + 1), outer.len()],
        bytes: vec![0, 32, 16, 0],
        maps: vec![(0, 1, 2, cells), (0, 2, 2, nodes), (3, 1, 1, outer)],
        coordinates: (2, 2, points),
    }
}

/// Edges and nodes of a cube of `side`³ cubes, each cut into six tetrahedra along its diagonal.
fn tetrahedra(side: usize) -> Mesh {
    let n = side + 1;
    let node = |p: [usize; 3]| ((p[2] * n + p[1]) * n + p[0]) as u32;
    let place = |v: usize| [v % n, v / n % n, v / (n * n)];
    let mut nodes = Vec::new();
    for p in (0..n * n * n).map(place) {
        for direction in 1..8 {
            let q = [0, 1, 2].map(|axis| p[axis] + (direction >> axis & 1));
            if q.iter().all(|&x| x < n) {
                nodes.extend([node(p), node(q)]);
            }
        }
    }
    let points = (0..n * n * n).flat_map(|v| place(v).map(|x| x as f64)).collect();
    Mesh {
        sets: vec![nodes.len() / 2, n * n * n],
        bytes: vec![0, 40],
        maps: vec![(0, 1, 2, nodes)],
        coordinates: (1, 3, points),
    }
}

impl Mesh {
    fn shape(&self) -> MeshShape<'_> {
        let maps =
            self.maps.iter().map(|(from, to, arity, entries)| Link { from: *from, to: *to, arity: *arity, entries });
        let (set, dim, ref values) = self.coordinates;
        MeshShape {
            sets: self.sets.clone(),
            maps: maps.collect(),
            coordinates: Some(Coordinates { set, dim, values }),
            ..MeshShape::default()
        }
    }

    /// The mesh under new numbers.
    fn renumbered(&self, numbers: &[Option<Vec<u32>>]) -> Mesh {
        let new = |set: usize| numbers[set].as_deref();
        let shape = self.shape();
        let maps =
            shape.maps.iter().map(|map| (map.from, map.to, map.arity, map.renumbered(new(map.from), new(map.to))));
        let (set, dim, ref old) = self.coordinates;
        let mut values = old.clone();
        for (e, row) in old.chunks_exact(dim).enumerate() {
            let place = new(set).map_or(e, |new| new[e] as usize) * dim;
            values[place..place + dim].copy_from_slice(row);
        }
        Mesh {
            sets: self.sets.clone(),
            bytes: self.bytes.clone(),
            maps: maps.collect(),
            coordinates: (set, dim, values),
        }
    }

    /// The same mesh with every set numbered at random.
    fn shuffled(&self) -> Mesh {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut permutation = |n: usize| {
            let mut p: Vec<u32> = (0..n as u32).collect();
            for i in (1..n).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                p.swap(i, ((u128::from(state) * (i as u128 + 1)) >> 64) as usize);
            }
            Some(p)
        };
        self.renumbered(&self.sets.iter().map(|&n| permutation(n)).collect::<Vec<_>>())
    }
}

fn table(name: &str, ordered: &Mesh) {
    let shuffled = ordered.shuffled();
    println!("\n{name}: {:?} elements of the sets", ordered.sets);
    println!(
        "  {:<10} {:>7} {:>9} {:>13} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9}",
        "", "seconds", "bandwidth", "profile", "reuse 128", "sectors", "lines", "reuse 256", "sectors", "lines"
    );
    let none = |mesh: &Mesh| renumber(&mesh.shape(), Ordering::None, None, &mut |_| {}).expect("sound");
    row("in order", 0.0, ordered, &none(ordered));
    row("shuffled", 0.0, &shuffled, &none(&shuffled));
    let all: [Ordering; 5] =
        ["rcm", "gps", "hilbert", "metis:128", "metis:256"].map(|text| text.parse().expect("an ordering"));
    for ordering in all {
        let shape = shuffled.shape();
        let start = Instant::now();
        let numbers = renumber(&shape, ordering, None, &mut |_| {}).expect("sound");
        let seconds = start.elapsed().as_secs_f64();
        row(&ordering.to_string(), seconds, &shuffled.renumbered(&numbers.sets), &numbers);
    }
}

fn row(name: &str, seconds: f64, mesh: &Mesh, numbers: &NewNumbers) {
    let shape = mesh.shape();
    let lead = &shape.maps[leading_map(&shape).expect("there are maps")];
    let graph = graph_quality(lead, mesh.sets[lead.to], None);
    print!("  {name:<10} {seconds:>7.2} {:>9} {:>13}", graph.bandwidth, graph.profile);
    let maps: Vec<Link<'_>> = shape.maps.iter().filter(|map| map.from == lead.from).copied().collect();
    for size in [128, 256] {
        let n = mesh.sets[lead.from];
        let even: Vec<u32> = (0..n).step_by(size).chain([n]).map(|e| e as u32).collect();
        // METIS cut its blocks for one size; other sizes get equal blocks.
        let pieces = numbers.pieces.as_ref().filter(|_| name == format!("metis:{size}"));
        let offsets = pieces.map_or(&even, |(_, offsets)| offsets);
        let quality = block_quality(offsets, None, &maps, &mesh.sets, &mesh.bytes);
        print!(" | {:>9.3} {:>9.1} {:>9.1}", quality.reuse, quality.sectors, quality.lines);
        assert!(quality.largest <= size);
    }
    println!();
}

fn main() {
    table("quadrilaterals", &quads(1200, 600));
    table("tetrahedra", &tetrahedra(58));
}
