//! Forecasts for meshes in order, numbered at random and reordered, for awkward meshes and for meshes in parts.

use op2_meshes::plane;
use op2_meshes::space;
use op2_runtime::reorder::{Coordinates, ElementData, Forecast, Link, MeshShape, NewNumbers, Ordering, Runs, renumber};

/// A map that owns its entries.
#[derive(Clone)]
struct OwnMap {
    from: usize,
    to: usize,
    arity: usize,
    entries: Vec<u32>,
}

#[derive(Clone)]
struct Mesh {
    sets: Vec<usize>,
    maps: Vec<OwnMap>,
    data: Vec<ElementData>,
}

impl OwnMap {
    fn new<const A: usize>(from: usize, to: usize, rows: &[[u32; A]]) -> Self {
        OwnMap { from, to, arity: A, entries: rows.as_flattened().to_vec() }
    }

    fn link(&self) -> Link<'_> {
        Link { from: self.from, to: self.to, arity: self.arity, entries: &self.entries }
    }
}

/// The data of airfoil: none on edges, four dats on cells, coordinates on nodes.
const EDGES: ElementData = ElementData { bytes: 0, lines: 0, columns: 0 };
const CELLS: ElementData = ElementData { bytes: 104, lines: 4, columns: 0 };
const NODES: ElementData = ElementData { bytes: 16, lines: 1, columns: 0 };

impl Mesh {
    /// Edges, cells and nodes of a plane.
    fn plane<const N: usize>(mesh: &plane::Mesh<N>) -> Mesh {
        Mesh {
            sets: vec![mesh.edge_nodes.len(), mesh.cell_nodes.len(), mesh.x.len()],
            maps: vec![
                OwnMap::new(0, 1, &mesh.edge_cells),
                OwnMap::new(0, 2, &mesh.edge_nodes),
                OwnMap::new(1, 2, &mesh.cell_nodes),
            ],
            data: vec![EDGES, CELLS, NODES],
        }
    }

    /// Edges and nodes of a solid, with as much data on the nodes as MG-CFD has.
    fn solid<const C: usize, const E: usize, const F: usize, const N: usize>(mesh: &space::Mesh<C, E, F, N>) -> Mesh {
        Mesh {
            sets: vec![mesh.edge_nodes.len(), mesh.x.len()],
            maps: vec![OwnMap::new(0, 1, &mesh.edge_nodes)],
            data: vec![EDGES, ElementData { bytes: 120, lines: 3, columns: 0 }],
        }
    }

    fn shape(&self) -> MeshShape<'_> {
        let maps = self.maps.iter().map(OwnMap::link).collect();
        MeshShape { sets: self.sets.clone(), maps, coordinates: None, data: self.data.clone(), decided: 0 }
    }

    fn renumbered(&self, numbers: &NewNumbers) -> Mesh {
        let new = |set: usize| numbers.sets[set].as_deref();
        let map = |map: &OwnMap| OwnMap { entries: map.link().renumbered(new(map.from), new(map.to)), ..map.clone() };
        Mesh { maps: self.maps.iter().map(map).collect(), ..self.clone() }
    }

    /// The two meshes side by side, without a map between them.
    fn beside(&self, other: &Mesh) -> Mesh {
        let first = self.sets.len();
        let moved = |map: &OwnMap| OwnMap { from: map.from + first, to: map.to + first, ..map.clone() };
        Mesh {
            sets: [&self.sets[..], &other.sets].concat(),
            maps: self.maps.iter().cloned().chain(other.maps.iter().map(moved)).collect(),
            data: [&self.data[..], &other.data].concat(),
        }
    }

    /// The same with data in columns on one set.
    fn in_columns(mut self, set: usize, columns: usize) -> Mesh {
        let data = &mut self.data[set];
        *data = ElementData { lines: columns, columns, ..*data };
        self
    }

    fn forecast(&self) -> Forecast {
        let all = Forecast::of(&self.shape());
        assert_eq!(all.len(), 1, "{all:?}");
        all[0]
    }
}

fn by(mesh: &Mesh, ordering: Ordering) -> Mesh {
    let numbers = renumber(&mesh.shape(), ordering, None, &mut |_| {}).expect("a sound mesh");
    mesh.renumbered(&numbers)
}

/// Meshes in order and the same numbered at random, all too large for a cache.
fn meshes() -> [(&'static str, Mesh, Mesh); 3] {
    let quads = plane::quads(300, 200).build().expect("a sound size");
    let triangles = plane::triangles(150, 200).build().expect("a sound size");
    let tetrahedra = space::tetrahedra(36, 36, 36).build().expect("a sound size");
    [
        ("quads", Mesh::plane(&quads), Mesh::plane(&quads.shuffled(1).0)),
        ("triangles", Mesh::plane(&triangles), Mesh::plane(&triangles.shuffled(2).0)),
        ("tetrahedra", Mesh::solid(&tetrahedra), Mesh::solid(&tetrahedra.shuffled(3).0)),
    ]
}

#[test]
fn a_mesh_in_order_stays_and_a_random_one_does_not() {
    for (name, in_order, random) in meshes() {
        let (good, bad) = (in_order.forecast(), random.forecast());
        assert!(!good.pays() && good.could_pay() && good.scattered < 0.02, "{name}: {good:?}");
        assert!(bad.pays() && bad.scattered > 0.5, "{name}: {bad:?}");
        assert_eq!((good.most, good.cost), (bad.most, bad.cost), "{name}");
    }
}

/// 7,200 cells: airfoil takes 1.5 times as long on them numbered at random as by `gps`. A window that holds many of their edges
/// would find a neighbour for each.
#[test]
fn a_random_mesh_of_some_thousands_is_ordered() {
    let quads = plane::quads(90, 80).build().expect("a sound size");
    assert!(!Mesh::plane(&quads).forecast().pays());
    let random = Mesh::plane(&quads.shuffled(1).0).forecast();
    assert!(random.pays() && random.scattered > 0.4, "{random:?}");
}

#[test]
fn an_ordering_that_was_made_is_good_enough() {
    for (name, _, random) in meshes() {
        for ordering in [Ordering::Predicted, Ordering::Gps, Ordering::Rcm] {
            let found = by(&random, ordering).forecast();
            assert!(!found.pays(), "{name}, {ordering}: {found:?}");
        }
    }
}

/// A later map opens the whole component that it belongs to, and no other.
#[test]
fn decided_components_keep_their_numbers() {
    let (_, in_order, random) = &meshes()[0];
    let both = random.beside(in_order);
    let leads = |decided| {
        let shape = MeshShape { decided, ..both.shape() };
        let numbers = renumber(&shape, Ordering::Predicted, None, &mut |_| {}).expect("a sound mesh");
        let leads: Vec<usize> = Forecast::of(&shape).iter().map(|f| f.lead).collect();
        (leads, numbers.sets.iter().flatten().count())
    };
    assert_eq!([0, 2, 3, 5, 6].map(leads), [(vec![0, 3], 3), (vec![0, 3], 3), (vec![3], 0), (vec![3], 0), (vec![], 0)]);
    let columns = Mesh::solid(&space::hexahedra(40, 40, 40).build().expect("a sound size")).in_columns(1, 15);
    let shape = |decided| MeshShape { decided, ..columns.shape() };
    assert_eq!([0, columns.maps.len()].map(|decided| Runs::of(&shape(decided)).len()), [1, 0]);
}

#[test]
fn only_the_part_that_needs_it_is_numbered_anew() {
    let (_, in_order, random) = &meshes()[0];
    let both = in_order.beside(random);
    let pays: Vec<(usize, bool)> = Forecast::of(&both.shape()).iter().map(|f| (f.lead, f.pays())).collect();
    assert_eq!(pays, [(0, false), (3, true)]);
    let numbers = renumber(&both.shape(), Ordering::Predicted, None, &mut |_| {}).expect("a sound mesh");
    let changed: Vec<bool> = numbers.sets.iter().map(Option::is_some).collect();
    assert_eq!(changed, [false, false, false, true, true, true]);
    assert_eq!(numbers.ordered, [(3, Ordering::Gps)]);
    let alone = renumber(&random.shape(), Ordering::Gps, None, &mut |_| {}).expect("a sound mesh");
    assert_eq!(numbers.sets[3..], alone.sets);
}

#[test]
fn rows_that_stay_in_a_cache_may_lie_anywhere() {
    let shuffled = |side: usize| {
        let mesh = plane::quads(side, side).build().expect("a sound size");
        Mesh::plane(&mesh.shuffled(1).0).forecast()
    };
    let (small, large) = (shuffled(45), shuffled(200));
    assert!(small.scattered > 0.0 && !small.could_pay(), "{small:?}");
    assert!(large.scattered > 0.3 && large.pays(), "{large:?}");
}

#[test]
fn meshes_without_rows_have_no_forecast() {
    let without = Mesh { sets: vec![5, 0], maps: Vec::new(), data: vec![CELLS; 2] };
    let empty = OwnMap { from: 1, to: 0, arity: 2, entries: Vec::new() };
    let of_no_arity = OwnMap { from: 0, to: 1, arity: 0, entries: Vec::new() };
    for maps in [vec![], vec![empty.clone()], vec![of_no_arity.clone()], vec![empty, of_no_arity]] {
        let mesh = Mesh { maps, ..without.clone() };
        assert_eq!(Forecast::of(&mesh.shape()), []);
        let numbers = renumber(&mesh.shape(), Ordering::Predicted, None, &mut |_| {}).expect("nothing to do");
        assert_eq!(numbers.sets, [None, None]);
    }
    // Without data there is nothing to gain.
    let no_data = Mesh { data: Vec::new(), ..meshes()[0].2.clone() };
    assert!(!no_data.forecast().could_pay());
    // Fewer elements than a window, and targets at both ends of their set.
    let row = [[0, 299_999], [1, 150_000], [2, 3]];
    let short = Mesh { sets: vec![3, 300_000], maps: vec![OwnMap::new(0, 1, &row)], data: vec![EDGES, CELLS] };
    let found = short.forecast();
    // Targets 0 to 3 are near each other.
    assert!((found.scattered - 2.0 / 6.0).abs() < 1e-12 && !found.pays(), "{found:?}");
}

#[test]
fn coordinates_in_space_lead_along_a_curve() {
    let tetrahedra = space::tetrahedra(36, 36, 36).build().expect("a sound size").shuffled(3).0;
    let (mesh, values) = (Mesh::solid(&tetrahedra), tetrahedra.x.as_flattened());
    let at = |values| MeshShape { coordinates: Some(Coordinates { set: 1, dim: 3, values }), ..mesh.shape() };
    let ordered = |shape: &MeshShape<'_>| renumber(shape, Ordering::Predicted, None, &mut |_| {}).expect("sound");
    let numbers = ordered(&at(values));
    assert_eq!(numbers.ordered, [(0, Ordering::Hilbert)]);
    assert!(!mesh.renumbered(&numbers).forecast().pays());
    // Positions that are none do not stop a program that has not asked for an ordering.
    let mut broken = values.to_vec();
    broken[7] = f64::NAN;
    assert_eq!(ordered(&at(&broken)).ordered, [(0, Ordering::Gps)]);
}

/// The edges of bricks, with the data of MG-CFD's flux. Without columns nothing is sorted.
#[test]
fn edges_are_sorted_for_columns() {
    let bricks = space::hexahedra(40, 40, 40).build().expect("a sound size");
    let rows = Mesh::solid(&bricks);
    assert_eq!(Runs::of(&rows.shape()), []);
    let columns = rows.in_columns(1, 15);
    let numbers = renumber(&columns.shape(), Ordering::Predicted, None, &mut |_| {}).expect("a sound mesh");
    assert_eq!((&numbers.ordered[..], numbers.runs.len(), numbers.runs[0].map), (&[][..], 1, 0));
    assert_eq!(numbers.sets[1], None, "the targets keep their numbers");
    assert_eq!(numbers.sets[0], renumber(&columns.shape(), Ordering::Runs, None, &mut |_| {}).expect("sound").sets[0]);
    // Once is enough.
    let sorted = columns.renumbered(&numbers);
    assert!(sorted_by_distances(&sorted), "{numbers:?}");
    assert!(!sorted_by_distances(&columns));
    let again = Runs::of(&sorted.shape());
    assert!(again.len() == 1 && again[0].gain.abs() < 1e-9 && !again[0].pays(), "{again:?}");
}

/// Numbered at random, the mesh gets an order first, and its edges are sorted by the new numbers.
#[test]
fn edges_are_sorted_on_top_of_an_ordering() {
    let bricks = space::hexahedra(40, 40, 40).build().expect("a sound size").shuffled(1).0;
    let columns = Mesh::solid(&bricks).in_columns(1, 15);
    let of = |ordering| renumber(&columns.shape(), ordering, None, &mut |_| {}).expect("a sound mesh");
    let (numbers, gps) = (of(Ordering::Predicted), of(Ordering::Gps));
    assert_eq!((&numbers.ordered[..], numbers.runs.len()), (&[(0, Ordering::Gps)][..], 1));
    assert_eq!(numbers.sets[1], gps.sets[1]);
    assert!(sorted_by_distances(&columns.renumbered(&numbers)));
    assert!(!sorted_by_distances(&columns.renumbered(&gps)));
}

/// Half of the edges of squares join neighbours. As measured, airfoil gains nothing.
#[test]
fn edges_stay_where_too_many_join_neighbours() {
    let quads = plane::quads(300, 200).build().expect("a sound size");
    let columns = Mesh::plane(&quads).in_columns(1, 13).in_columns(2, 2);
    let runs = Runs::of(&columns.shape());
    assert!(runs.len() == 1 && runs[0].map == 0 && !runs[0].pays(), "{runs:?}");
    // Cells are targets themselves: their numbers are those of other loops, too.
    assert_eq!(
        renumber(&columns.shape(), Ordering::Predicted, None, &mut |_| {}).expect("sound").sets,
        [const { None }; 3]
    );
}

/// Whether the edges of each window of 1024 are sorted by the distance of their ends, then by the first end.
fn sorted_by_distances(mesh: &Mesh) -> bool {
    let ends = mesh.maps[0].entries.as_chunks::<2>().0;
    ends.chunks(1024).all(|window| window.iter().map(|&[a, b]| (i64::from(b) - i64::from(a), a)).is_sorted())
}
