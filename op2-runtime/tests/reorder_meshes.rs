//! Reordering of meshes whose best numbering is known, and of awkward ones.

use op2_runtime::reorder::{
    Coordinates, Link, MeshShape, NewNumbers, Ordering, ReorderError, block_quality, graph_quality, leading_map,
    renumber,
};

/// Edges to cells of a grid of squares, numbered at random.
struct Grid {
    cells: usize,
    /// Edge→cell.
    pecell: Vec<u32>,
    /// Cell→cell to the right or above, else itself.
    pnext: Vec<u32>,
    /// Boundary edge→cell.
    pbecell: Vec<u32>,
    centres: Vec<f64>,
}

/// A sequence that looks random.
fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for i in (1..list.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list.swap(i, ((u128::from(state) * (i as u128 + 1)) >> 64) as usize);
    }
}

fn grid(width: usize, height: usize, seed: u64) -> Grid {
    let mut number: Vec<u32> = (0..(width * height) as u32).collect();
    shuffle(&mut number, seed);
    let cell = |i: usize, j: usize| number[j * width + i];
    let (mut edges, mut outer) = (Vec::new(), Vec::new());
    let mut next = vec![0; 2 * width * height];
    let mut centres = vec![0.0; 2 * width * height];
    for (i, j) in (0..height).flat_map(|j| (0..width).map(move |i| (i, j))) {
        let c = cell(i, j);
        let (right, above) = (i + 1 < width, j + 1 < height);
        if right {
            edges.push([c, cell(i + 1, j)]);
        }
        if above {
            edges.push([cell(i, j + 1), c]);
        }
        outer.extend([i == 0, !right, j == 0, !above].into_iter().filter(|&is| is).map(|_| c));
        let row = 2 * c as usize;
        next[row] = if right { cell(i + 1, j) } else { c };
        next[row + 1] = if above { cell(i, j + 1) } else { c };
        centres[row..row + 2].copy_from_slice(&[i as f64, j as f64]);
    }
    shuffle(&mut edges, seed + 1);
    shuffle(&mut outer, seed + 2);
    Grid { cells: width * height, pecell: edges.concat(), pnext: next, pbecell: outer, centres }
}

impl Grid {
    /// Sets: edges, cells, boundary edges.
    fn shape(&self) -> MeshShape<'_> {
        MeshShape {
            sets: vec![self.pecell.len() / 2, self.cells, self.pbecell.len()],
            maps: vec![
                Link { from: 2, to: 1, arity: 1, entries: &self.pbecell },
                Link { from: 0, to: 1, arity: 2, entries: &self.pecell },
            ],
            coordinates: Some(Coordinates { set: 1, dim: 2, values: &self.centres }),
            ..MeshShape::default()
        }
    }

    fn cells_by(&self, ordering: Ordering) -> Vec<u32> {
        self.numbers(ordering).sets[1].clone().expect("the cells are numbered")
    }

    fn numbers(&self, ordering: Ordering) -> NewNumbers {
        renumber(&self.shape(), ordering, Some(1), &mut |_| {}).expect("sound")
    }
}

fn link(from: usize, to: usize, arity: usize, entries: &[u32]) -> Link<'_> {
    Link { from, to, arity, entries }
}

#[test]
fn bandwidth_of_a_grid_is_its_shorter_side() {
    // A level of a grid is a diagonal, so its shorter side is the widest; one more is room for the numbering.
    for (width, height) in [(1, 50), (2, 40), (7, 30), (30, 7), (25, 26), (24, 24)] {
        for seed in 0..5 {
            let grid = grid(width, height, seed);
            let map = link(0, 1, 2, &grid.pecell);
            for ordering in [Ordering::Gps, Ordering::Rcm] {
                let new = grid.cells_by(ordering);
                let quality = graph_quality(&map, grid.cells, Some(&new));
                let side = width.min(height) as u64;
                assert!(quality.bandwidth <= side + 1, "{ordering} {width}x{height}: {quality:?}");
                // Measured: 3 % above a full band at most.
                assert!(
                    quality.profile * 10 <= side * grid.cells as u64 * 11,
                    "{ordering} {width}x{height}: {quality:?}"
                );
            }
        }
    }
}

#[test]
fn numbering_starts_far_out() {
    // A strip of 60 by 5 points with one more point hanging at the middle of its long side. That one has the least
    // degree, but numbered from there the strip would be twice as wide.
    let (width, height) = (60, 5);
    let point = |i: usize, j: usize| (1 + j * width + i) as u32;
    let right = (0..height).flat_map(|j| (1..width).map(move |i| [point(i - 1, j), point(i, j)]));
    let above = (1..height).flat_map(|j| (0..width).map(move |i| [point(i, j - 1), point(i, j)]));
    let entries: Vec<u32> = right.chain(above).chain([[0, point(width / 2, 0)]]).flatten().collect();
    let (edges, points) = (entries.len() / 2, 1 + width * height);
    let mesh = MeshShape { sets: vec![edges, points], maps: vec![link(0, 1, 2, &entries)], ..MeshShape::default() };
    for ordering in [Ordering::Gps, Ordering::Rcm] {
        let found = renumber(&mesh, ordering, None, &mut |_| {}).expect("sound");
        let quality = graph_quality(&mesh.maps[0], points, found.sets[1].as_deref());
        assert!(quality.bandwidth <= height as u64 + 2, "{ordering}: {quality:?}");
    }
}

#[test]
fn components_follow_each_other_by_their_smallest_old_number() {
    // 4-1, 3-0-6, and 2 and 5 alone; a row that names one point twice makes no loop.
    let entries = [4, 1, 6, 0, 0, 3, 5, 5];
    let mesh = MeshShape { sets: vec![4, 7], maps: vec![link(0, 1, 2, &entries)], ..MeshShape::default() };
    for ordering in [Ordering::Gps, Ordering::Rcm] {
        let found = renumber(&mesh, ordering, None, &mut |_| {}).expect("sound");
        let new = found.sets[1].as_ref().expect("numbered");
        let mut first = [new[0], new[3], new[6]];
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2], "{ordering}");
        assert_eq!(new[0], 1, "{ordering}: the middle of the chain");
        assert_eq!((new[1].min(new[4]), new[1].max(new[4]), new[2], new[5]), (3, 4, 5, 6), "{ordering}");
    }
}

#[test]
fn meshes_of_almost_nothing() {
    let all =
        ["none", "rcm", "gps", "hilbert", "metis:1", "metis:8"].map(|text| text.parse::<Ordering>().expect("one"));
    let at = |set, values| Some(Coordinates { set, dim: 1, values });
    for ordering in all {
        let numbers = |mesh: &MeshShape<'_>| renumber(mesh, ordering, None, &mut |_| {}).expect("sound");
        let empty = MeshShape {
            sets: vec![0, 3],
            maps: vec![link(0, 1, 2, &[])],
            coordinates: at(1, &[0.0; 3]),
            ..MeshShape::default()
        };
        let found = numbers(&empty);
        assert!(found.sets[0].as_ref().is_none_or(Vec::is_empty), "{ordering}");
        assert!(found.sets[1].as_ref().is_none_or(|new| *new == [0, 1, 2]), "{ordering}");
        let no_arity = MeshShape {
            sets: vec![2, 3],
            maps: vec![link(0, 1, 0, &[])],
            coordinates: at(0, &[0.0; 2]),
            ..MeshShape::default()
        };
        assert!(numbers(&no_arity).sets[0].as_ref().is_none_or(|new| *new == [0, 1]), "{ordering}");
        let single = MeshShape {
            sets: vec![1],
            maps: vec![link(0, 0, 1, &[0])],
            coordinates: at(0, &[1.0]),
            ..MeshShape::default()
        };
        assert!(numbers(&single).sets[0].as_ref().is_none_or(|new| *new == [0]), "{ordering}");
        if let Some((_, offsets)) = numbers(&empty).pieces {
            assert_eq!(offsets, [0], "no elements, no blocks");
        }
    }
}

#[test]
fn hilbert_steps_from_cell_to_cell() {
    let grid = grid(16, 16, 3);
    let mut places = vec![[0.0; 2]; grid.cells];
    for (&new, centre) in grid.cells_by(Ordering::Hilbert).iter().zip(grid.centres.as_chunks::<2>().0) {
        places[new as usize] = *centre;
    }
    let step = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
    assert!(places.windows(2).all(|pair| step(pair[0], pair[1]) == 1.0), "{places:?}");
}

#[test]
fn sets_follow() {
    let grid = grid(9, 5, 1);
    for ordering in [Ordering::Gps, Ordering::Hilbert, Ordering::Metis { block: 8 }] {
        let found = grid.numbers(ordering);
        let cells = found.sets[1].as_ref().expect("numbered");
        let outer = found.sets[2].as_ref().expect("boundary edges follow the cells");
        let mut keys: Vec<(u32, u32, usize)> =
            (0..outer.len()).map(|e| (outer[e], cells[grid.pbecell[e] as usize], e)).collect();
        keys.sort_unstable();
        assert!(keys.iter().map(|&(_, cell, old)| (cell, old)).is_sorted(), "{ordering}: {keys:?}");
    }
    // Cells by edges lead; the nodes that cells touch are numbered as the cells meet them, in their new order.
    let pcell = [3, 2, 2, 0];
    let mesh = MeshShape {
        sets: vec![3, 2, 5, 4],
        maps: vec![link(0, 1, 2, &[0, 1, 1, 0, 1, 1]), link(1, 2, 2, &pcell)],
        ..MeshShape::default()
    };
    let found = renumber(&mesh, Ordering::Gps, None, &mut |_| {}).expect("sound");
    let nodes = found.sets[2].as_ref().expect("reached");
    let expected = if found.sets[1].as_ref().expect("numbered")[0] == 0 { [2, 3, 1, 0, 4] } else { [1, 3, 0, 2, 4] };
    assert_eq!(nodes[..], expected);
    assert_eq!(found.sets[3], None, "in no relation");
}

#[test]
fn a_map_of_a_set_to_itself_leads() {
    let grid = grid(12, 9, 7);
    let mesh = MeshShape { sets: vec![grid.cells], maps: vec![link(0, 0, 2, &grid.pnext)], ..MeshShape::default() };
    let gps = renumber(&mesh, Ordering::Gps, None, &mut |_| {}).expect("sound");
    // The clique of a row joins right and upper neighbour too, but not the cell itself.
    assert!(gps.sets[0].is_some());
    let metis = renumber(&mesh, Ordering::Metis { block: 16 }, None, &mut |_| {}).expect("sound");
    let (set, offsets) = metis.pieces.expect("METIS cuts");
    assert_eq!(set, 0);
    let own: Vec<u32> = (0..grid.cells as u32).collect();
    let new = metis.sets[0].as_deref();
    let maps = [mesh.maps[0].renumbered(new, new), own];
    let maps = [link(0, 0, 2, &maps[0]), link(0, 0, 1, &maps[1])];
    let even = |n: usize| (0..n).step_by(16).chain([n]).map(|e| e as u32).collect::<Vec<_>>();
    let reuse = |offsets: &[u32], maps: &[Link<'_>]| block_quality(offsets, None, maps, &[grid.cells], &[8]).reuse;
    let shuffled = [mesh.maps[0], maps[1]];
    let (before, after) = (reuse(&even(grid.cells), &shuffled), reuse(&offsets, &maps));
    assert!(after > 1.5 * before, "from {before} to {after}");
}

#[test]
fn metis_reuses_more_than_gps_and_gps_more_than_nothing() {
    let grid = grid(60, 60, 5);
    let shape = grid.shape();
    let reuse = |ordering: Ordering, size: usize| {
        let found = grid.numbers(ordering);
        let entries = shape.maps[1].renumbered(found.sets[0].as_deref(), found.sets[1].as_deref());
        let even = (0..shape.sets[0]).step_by(size).chain([shape.sets[0]]).map(|e| e as u32).collect();
        let offsets = found.pieces.map_or(even, |(_, offsets)| offsets);
        let quality = block_quality(&offsets, None, &[link(0, 1, 2, &entries)], &shape.sets, &[0, 32, 0]);
        assert!(quality.largest <= size);
        quality.reuse
    };
    for block in [128, 256] {
        let (none, gps) = (reuse(Ordering::None, block), reuse(Ordering::Gps, block));
        let metis = reuse(Ordering::Metis { block }, block);
        assert!(metis > gps && gps > 1.5 * none, "block {block}: none {none}, GPS {gps}, METIS {metis}");
    }
}

#[test]
fn a_map_from_the_largest_set_leads() {
    let entries = [0; 60];
    let lead = |sets: &[usize], maps: &[(usize, usize, usize)]| {
        let link = |&(from, to, arity): &(usize, usize, usize)| link(from, to, arity, &entries[..sets[from] * arity]);
        leading_map(&MeshShape { sets: sets.to_vec(), maps: maps.iter().map(link).collect(), ..MeshShape::default() })
    };
    assert_eq!(lead(&[5, 10, 4], &[(0, 2, 9), (1, 2, 2)]), Some(1), "from the largest set");
    assert_eq!(lead(&[10, 5], &[(0, 1, 1), (0, 1, 2), (1, 0, 3)]), Some(1), "of several the one with most entries");
    assert_eq!(lead(&[10, 5, 4], &[(0, 1, 2), (0, 2, 2)]), Some(1), "then to the smaller set");
    assert_eq!(lead(&[10, 5, 5], &[(0, 1, 2), (0, 2, 2)]), Some(0), "then the first");
    assert_eq!(lead(&[10, 0, 5], &[(0, 2, 0), (1, 2, 2), (2, 0, 1)]), Some(2), "no empty one");
    assert_eq!(lead(&[10, 0], &[(0, 1, 0)]), Some(0), "unless there is nothing else");
    assert_eq!(lead(&[10], &[]), None);
}

/// Large enough that several threads share every step.
#[test]
fn numbers_do_not_depend_on_threads() {
    let grid = grid(310, 190, 3);
    let by = |threads: usize, ordering: Ordering| {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads for a test");
        pool.install(|| {
            let numbers = grid.numbers(ordering);
            let shape = grid.shape();
            let new = |set: usize| numbers.sets[set].as_deref();
            let maps: Vec<_> = shape.maps.iter().map(|map| map.renumbered(new(map.from), new(map.to))).collect();
            (numbers, maps)
        })
    };
    for ordering in [Ordering::Rcm, Ordering::Gps, Ordering::Hilbert] {
        let (numbers, maps) = by(1, ordering);
        for (map, found) in grid.shape().maps.iter().zip(&maps) {
            let new = |set: usize, old: usize| numbers.sets[set].as_ref().expect("all sets are reached")[old] as usize;
            for e in 0..map.rows() {
                let row = map.row(e).iter().map(|&t| new(map.to, t as usize) as u32);
                assert!(row.eq(found[new(map.from, e) * map.arity..][..map.arity].iter().copied()), "{ordering}: {e}");
            }
        }
        for threads in [2, 3, 7] {
            assert!(by(threads, ordering) == (numbers.clone(), maps.clone()), "{ordering}, {threads} threads");
        }
    }
}

#[test]
#[should_panic(expected = "are fewer than its 3 rows")]
fn a_permutation_that_is_too_short_is_refused() {
    link(0, 1, 2, &[0, 1, 1, 2, 2, 0]).renumbered(Some(&[1, 0]), None);
}

#[test]
fn stages_are_announced() {
    let grid = grid(4, 4, 0);
    let stages = |ordering| {
        let mut stages = Vec::new();
        renumber(&grid.shape(), ordering, None, &mut |stage| stages.push(stage)).expect("sound");
        stages
    };
    assert_eq!(stages(Ordering::None), [""; 0]);
    assert_eq!(stages(Ordering::Gps), ["graph", "numbering", "elements", "other sets"]);
    assert_eq!(stages(Ordering::Hilbert), ["curve", "other sets"]);
    let metis = stages(Ordering::Metis { block: 4 });
    assert_eq!(metis[4..], ["element graph", "partition", "repair", "blocks", "points", "elements", "other sets"]);
}

#[test]
fn refusals_say_what_is_wrong() {
    let error = |mesh: MeshShape<'_>, ordering: Ordering, lead| {
        renumber(&mesh, ordering, lead, &mut |_| {}).expect_err("refused").to_string()
    };
    let mesh = |maps: Vec<Link<'static>>| MeshShape { sets: vec![2, 3], maps, ..MeshShape::default() };
    let sound = link(0, 1, 1, &[0, 2]);
    let gps = Ordering::Gps;
    assert!(error(mesh(vec![]), gps, None).starts_with("the mesh has no map"));
    assert!(error(mesh(vec![sound]), gps, Some(1)).starts_with("map 1 was named to lead, but there are 1 maps"));
    assert!(error(mesh(vec![sound]), Ordering::Hilbert, None).ends_with("name the dat that holds them"));
    assert!(error(mesh(vec![sound]), Ordering::Metis { block: 0 }, None).contains("blocks of 0 elements"));
    assert!(
        error(mesh(vec![link(0, 2, 1, &[0, 0])]), gps, None).starts_with("map 0 belongs to set 2, but there are 2")
    );
    assert!(error(mesh(vec![link(0, 1, 2, &[0, 0])]), gps, None).starts_with("map 0 has 2 values, expected 4"));
    let wrong = error(mesh(vec![link(0, 1, 1, &[0, 3])]), gps, None);
    assert_eq!(wrong, "map 0: entry 0 of element 1 is 3, but set 1 has 3 elements (valid: 0..3)");
    let at = |dim, values: &'static [f64]| MeshShape {
        coordinates: Some(Coordinates { set: 0, dim, values }),
        ..mesh(vec![sound])
    };
    assert_eq!(error(at(4, &[0.0; 8]), Ordering::Hilbert, None), ReorderError::Dim { dim: 4 }.to_string());
    assert!(
        error(at(2, &[0.0; 3]), Ordering::Hilbert, None).starts_with("the dat of coordinates has 3 values, expected 4")
    );
    let nan = error(at(1, &[0.0, f64::NAN]), Ordering::Hilbert, None);
    assert_eq!(nan, "coordinate 0 of element 1 is NaN, expected a finite number");
}
