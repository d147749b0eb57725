use super::*;
use crate::data::layout::Layout;
use crate::data::workers::Workers;
use crate::mesh::Object;

/// Cells with corners, and neighbours that may be missing. All by the user's numbers.
#[derive(Debug, Clone, PartialEq, Default)]
struct Model {
    /// Values that begin as zeros.
    x: Vec<[u16; 3]>,
    /// Values that begin as [`FRESH`].
    mark: Vec<f64>,
    /// Of nodes.
    heat: Vec<[f32; 2]>,
    corners: Vec<Option<[u32; 2]>>,
    beside: Vec<[Option<u32>; 2]>,
    rings: Vec<Vec<u32>>,
    /// Nodes that belong to cells.
    born: Vec<Vec<u32>>,
    /// Cells that belong to cells.
    kids: Vec<Vec<u32>>,
    some: Vec<u32>,
}

const FRESH: f64 = -0.0;

fn mixed(n: usize, salt: usize) -> usize {
    (n + 1).wrapping_mul(2_654_435_761).wrapping_add(salt * 40_503) >> 7
}

impl Model {
    fn new(cells: usize, nodes: usize) -> Self {
        let node = |n, salt| (mixed(n, salt) % nodes) as u32;
        Model {
            x: (0..cells as u16).map(|c| [c, c.wrapping_mul(3), 7]).collect(),
            mark: (0..cells).map(|c| c as f64).collect(),
            heat: (0..nodes).map(|n| [n as f32, 1.0]).collect(),
            corners: (0..cells).map(|c| Some([node(c, 1), node(c, 2)])).collect(),
            beside: (0..cells)
                .map(|c| [3, 4].map(|salt| (c % 3 != 0).then(|| (mixed(c, salt) % cells) as u32)))
                .collect(),
            rings: (0..nodes).map(|n| (0..mixed(n, 5) % 4).map(|i| node(n, 6 + i)).collect()).collect(),
            born: vec![Vec::new(); cells],
            kids: vec![Vec::new(); cells],
            some: (0..cells as u32).filter(|c| c % 3 == 1).collect(),
        }
    }

    fn grow_nodes(&mut self, counts: &[u32]) {
        self.born.clear();
        for &count in counts {
            let first = self.heat.len() as u32;
            self.born.push((first..first + count).collect());
            self.heat.extend((0..count).map(|_| [0.0; 2]));
            self.rings.extend((0..count).map(|_| Vec::new()));
        }
    }

    fn grow_cells(&mut self, counts: &[u32]) {
        self.kids.clear();
        for &count in counts {
            let first = self.x.len() as u32;
            self.kids.push((first..first + count).collect());
            for _ in 0..count {
                self.x.push([0; 3]);
                self.mark.push(FRESH);
                self.corners.push(None);
                self.beside.push([None; 2]);
                self.born.push(Vec::new());
            }
        }
        self.kids.resize(self.x.len(), Vec::new());
    }

    /// Takes cells out.
    fn compact(&mut self, keep: &[bool]) {
        let mut left = 0;
        let mut next = || {
            left += 1;
            left - 1
        };
        let new: Vec<Option<u32>> = keep.iter().map(|keep| keep.then(&mut next)).collect();
        fn leave<T>(list: &mut Vec<T>, keep: &[bool]) {
            let mut keep = keep.iter();
            list.retain(|_| keep.next() == Some(&true));
        }
        leave(&mut self.x, keep);
        leave(&mut self.mark, keep);
        leave(&mut self.corners, keep);
        leave(&mut self.beside, keep);
        leave(&mut self.born, keep);
        leave(&mut self.kids, keep);
        self.beside.iter_mut().flatten().for_each(|c| *c = c.and_then(|c| new[c as usize]));
        self.kids.iter_mut().for_each(|row| *row = row.iter().filter_map(|c| new[*c as usize]).collect());
        self.some = self.some.iter().filter_map(|c| new[*c as usize]).collect();
    }
}

/// The numbers of what a model was declared as.
struct Declared {
    cells: usize,
    dats: [usize; 3],
    counts: usize,
    keep: usize,
    corners: usize,
    beside: usize,
    rings: usize,
    born: usize,
    kids: usize,
    some: usize,
}

fn declared(mesh: &mut Mesh, model: &Model, layout: Layout, shuffle: Option<u64>) -> Declared {
    let cells = mesh.add_set("cells", model.x.len(), shuffle).unwrap();
    let nodes = mesh.add_set("nodes", model.heat.len(), shuffle).unwrap();
    let corners: Vec<[u32; 2]> = model.corners.iter().flatten().copied().collect();
    let starts: Vec<usize> = std::iter::once(0)
        .chain(model.rings.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        }))
        .collect();
    let mark = mesh.add_dat("mark", cells, layout, &model.mark, None).unwrap();
    mesh.set_fresh(mark, FRESH);
    Declared {
        cells,
        dats: [
            mesh.add_dat("x", cells, layout, &model.x, None).unwrap(),
            mark,
            mesh.add_dat("heat", nodes, layout, &model.heat, None).unwrap(),
        ],
        counts: mesh.add_dat_by("counts", cells, layout, |_| 0_u32, None).unwrap(),
        keep: mesh.add_dat_by("keep", cells, layout, |_| true, None).unwrap(),
        corners: mesh.add_map("corners", cells, nodes, &corners, None).unwrap(),
        beside: mesh.add_map("beside", cells, cells, &model.beside, None).unwrap(),
        rings: mesh.add_rows("rings", (nodes, nodes), &starts, &model.rings.concat(), None).unwrap(),
        born: mesh.add_children("born", cells, nodes).unwrap(),
        kids: mesh.add_children("kids", cells, cells).unwrap(),
        some: mesh.add_subset("some", cells, &model.some).unwrap(),
    }
}

/// The mesh as the user sees it.
fn seen(mesh: &Mesh, of: &Declared) -> Model {
    let rows = |map: usize| {
        let (store, way) = (&mesh.maps[map], mesh.through(map, 0..mesh.maps[map].arity));
        let (from, to) = (&mesh.sets[store.from], &mesh.sets[store.to]);
        (0..from.size).map(move |user| {
            let user_of = |entry: &u32| (*entry < UNSET).then(|| to.user(*entry as usize) as u32);
            way.entries_of(from.inner(user)).iter().map(user_of).collect::<Vec<_>>()
        })
    };
    let list = |map: usize| rows(map).map(|row| row.into_iter().flatten().collect()).collect();
    let cells = &mesh.sets[of.cells];
    let mut some: Vec<u32> = mesh.subsets[of.some].list.iter().map(|e| cells.user(*e as usize) as u32).collect();
    some.sort_unstable();
    Model {
        x: mesh.rows(of.dats[0]).unwrap(),
        mark: mesh.rows(of.dats[1]).unwrap(),
        heat: mesh.rows(of.dats[2]).unwrap(),
        corners: rows(of.corners).map(|row| Some([row[0]?, row[1]?])).collect(),
        beside: rows(of.beside).map(|row| [row[0], row[1]]).collect(),
        rings: list(of.rings),
        born: list(of.born),
        kids: list(of.kids),
        some,
    }
}

fn backwards(mesh: &mut Mesh) {
    let new: Vec<_> = mesh.sets.iter().map(|set| Some((0..set.size as u32).rev().collect())).collect();
    mesh.renumber(&new, None).unwrap();
}

/// Grows, compacts and renumbers in turn.
#[test]
fn everything_grows_with_its_set() {
    let layouts = [Layout::Aos, Layout::Soa, Layout::Blocked(3)];
    for (threads, layout, shuffle) in [1, 3]
        .into_iter()
        .flat_map(|t| layouts.map(|l| (t, l, None)).into_iter().chain(layouts.map(|l| (t, l, Some(4)))))
    {
        for (cells, nodes) in [(0, 1), (1, 1), (9, 5), (70, 40), (20_000, 10_001)] {
            let workers = Workers::new(threads).unwrap();
            tasks::install(&workers, || {
                let (mut mesh, mut model) = (Mesh::new(), Model::new(cells, nodes));
                let of = declared(&mut mesh, &model, layout, shuffle);
                for step in 0..9 {
                    let size = model.x.len();
                    // Also nothing at all.
                    let counts: Vec<u32> =
                        (0..size).map(|c| if step == 4 { 0 } else { (mixed(c, step) % 7 / 4) as u32 }).collect();
                    let all = counts.iter().sum::<u32>() as usize;
                    mesh.set_rows(of.counts, &counts).unwrap();
                    let map = if step % 2 == 0 { of.born } else { of.kids };
                    let before = [of.born, of.kids, of.corners, of.rings].map(|map| mesh.version(Object::Map(map)));
                    assert_eq!(mesh.grow(map, of.counts, Some(&workers)).unwrap(), all);
                    let after = [of.born, of.kids, of.corners, of.rings].map(|map| mesh.version(Object::Map(map)));
                    assert!(all == 0 || before.iter().zip(&after).filter(|(a, b)| a != b).count() >= 3, "plans see it");
                    if step % 2 == 0 {
                        model.grow_nodes(&counts);
                    } else {
                        model.grow_cells(&counts);
                    }
                    let what = format!("{layout:?}, {cells} cells, {nodes} nodes, step {step}, {shuffle:?}");
                    assert_eq!(seen(&mesh, &of), model, "{what}");
                    let children = mesh.maps[map].children.clone().unwrap();
                    assert_eq!(children.len(), all);
                    if step == 3 {
                        backwards(&mut mesh);
                        assert_eq!(seen(&mesh, &of), model, "{what}, renumbered");
                    }
                    if step == 5 || step == 7 {
                        let keep: Vec<bool> = (0..model.x.len()).map(|c| !mixed(c, step).is_multiple_of(3)).collect();
                        mesh.set_rows(of.keep, &keep).unwrap();
                        mesh.compact::<bool>(of.cells, of.keep, Some(&workers)).unwrap();
                        model.compact(&keep);
                        assert_eq!(seen(&mesh, &of), model, "{what}, compacted");
                    }
                }
                for map in [of.born, of.kids] {
                    let store = &mesh.maps[map];
                    let (to, range) = (&mesh.sets[store.to], store.children.clone().unwrap());
                    assert!(
                        mesh.entries(map).iter().all(|entry| range.contains(&to.user(*entry as usize))),
                        "{range:?}"
                    );
                }
            });
        }
    }
}

#[test]
fn memory_moves_a_few_times_at_most() {
    let mut mesh = Mesh::new();
    let set = mesh.add_set("set", 100, None).unwrap();
    let dat = mesh.add_dat("dat", set, Layout::Soa, &[[1.0; 2]; 100], None).unwrap();
    let counts = mesh.add_dat_by("counts", set, Layout::Aos, |e| u32::from(e < 7), None).unwrap();
    let map = mesh.add_map("map", set, set, &[[Some(0_u32)]; 100], None).unwrap();
    let kids = mesh.add_children("kids", set, set).unwrap();
    let (mut moved, mut of_map) = (0, 0);
    for _ in 0..1000 {
        let before = [mesh.dats[dat].memory().as_ptr(), mesh.dats[mesh.maps[map].data].memory().as_ptr()];
        mesh.grow(kids, counts, None).unwrap();
        moved += usize::from(mesh.dats[dat].memory().as_ptr() != before[0]);
        of_map += usize::from(mesh.dats[mesh.maps[map].data].memory().as_ptr() != before[1]);
    }
    assert_eq!(mesh.sets[set].size, 7100);
    assert!(moved < 12 && of_map < 12, "dat {moved}, map {of_map}");
    assert_eq!(mesh.rows::<[f64; 2]>(dat).unwrap()[99..101], [[1.0; 2], [0.0; 2]]);
}

/// Entries that must lead somewhere are unset until they are written.
#[test]
fn unset_entries_are_found() {
    for shuffle in [None, Some(7)] {
        let mut mesh = Mesh::new();
        let [from, to] = [3, 2].map(|size| mesh.add_set("set", size, shuffle).unwrap());
        let map = mesh.add_map("map", from, to, &[[0_u32, 1], [1, 0], [0, 0]], None).unwrap();
        let counts = mesh.add_dat("counts", from, Layout::Aos, &[1_u32, 0, 2], None).unwrap();
        let kids = mesh.add_children("kids", from, from).unwrap();
        assert_eq!(mesh.define(map, 3), None);
        assert_eq!(mesh.grow(kids, counts, None).unwrap(), 3);
        assert_eq!((mesh.define(map, 3), mesh.define(map, 4), mesh.define(map, 6)), (None, Some(3), Some(3)));
        // The order has no need of them.
        assert_eq!(mesh.link(map).entries.iter().filter(|entry| **entry > 1).count(), 0);
        let inner = |mesh: &Mesh, user: usize| mesh.sets[from].inner(user);
        for (user, row, first) in
            [(3, [0, 1], Some(4)), (5, [1, 1], Some(4)), (4, [0, UNSET], Some(4)), (4, [0, 0], None)]
        {
            let (at, data) = (inner(&mesh, user) * 2, mesh.maps[map].data);
            mesh.dats[data].scalars_mut::<u32>()[at..at + 2].copy_from_slice(&row);
            assert_eq!(mesh.define(map, 6), first);
        }
        assert_eq!(mesh.maps[map].defined, 6);
    }
}

/// Also if they are few among many that are not.
#[test]
fn few_unset_entries_are_found() {
    for shuffle in [None, Some(5)] {
        let mut mesh = Mesh::new();
        let set = mesh.add_set("set", 100, shuffle).unwrap();
        let map = mesh.add_map("map", set, set, &[[0_u32]; 100], None).unwrap();
        let counts: Vec<u32> = (0..100).map(|n| u32::from(n == 40)).collect();
        let counts = mesh.add_dat("counts", set, Layout::Aos, &counts, None).unwrap();
        let kids = mesh.add_children("kids", set, set).unwrap();
        assert_eq!(mesh.grow(kids, counts, None).unwrap(), 1);
        assert_eq!((mesh.define(map, 100), mesh.define(map, 101)), (None, Some(100)));
    }
}

/// Also where an order has moved them among others.
#[test]
fn unset_entries_are_found_after_a_reorder() {
    let mut mesh = Mesh::new();
    let set = mesh.add_set("set", 4, None).unwrap();
    let map = mesh.add_map("map", set, set, &[[0_u32]; 4], None).unwrap();
    let counts = mesh.add_dat("counts", set, Layout::Aos, &[1_u32; 4], None).unwrap();
    let kids = mesh.add_children("kids", set, set).unwrap();
    assert_eq!(mesh.grow(kids, counts, None).unwrap(), 4);
    mesh.renumber(&[Some((0..8).rev().collect())], None).unwrap();
    assert_eq!((mesh.define(map, 4), mesh.define(map, 8)), (None, Some(4)));
}

#[test]
fn growth_that_is_refused_changes_nothing() {
    let mut mesh = Mesh::new();
    let [from, to] = [2, 3].map(|size| mesh.add_set("set", size, Some(1)).unwrap());
    let born = mesh.add_children("born", from, to).unwrap();
    let x = mesh.add_dat("x", to, Layout::Aos, &[1.0, 2.0, 3.0], None).unwrap();
    let counts = mesh.add_dat("counts", from, Layout::Aos, &[1_u32, u32::MAX - 4], None).unwrap();
    let there = mesh.add_dat("there", to, Layout::Aos, &[0_u32; 3], None).unwrap();
    let rows = mesh.add_rows("rows", (from, to), &[0, 1, 1], &[2], None).unwrap();
    let size = u32::MAX as usize;
    let max = MOST_ELEMENTS;
    assert_eq!(mesh.grow(born, counts, None), Err(Error::SetTooLarge { set: "set".to_owned(), size, max }));
    let other = mesh.grow(born, there, None).unwrap_err().to_string();
    assert!(other.starts_with("dat `there` lives on set `set`"), "{other}");
    assert_eq!(mesh.grow(rows, counts, None), Err(Error::NotChildren { map: "rows".to_owned() }));
    assert_eq!(mesh.replace_rows(born, &[0, 0, 1], &[0], None), Err(Error::Children { map: "born".to_owned() }));
    mesh.set_rows(counts, &[u32::MAX, u32::MAX]).unwrap();
    assert!(matches!(mesh.grow(born, counts, None), Err(Error::Total { .. })));
    mesh.set_rows(counts, &[7_u32, 900]).unwrap();
    let refused = room::tests::limited(2000, || mesh.grow(born, counts, None));
    assert!(matches!(refused, Err(Error::NoMemory { .. })), "{refused:?}");
    assert_eq!((mesh.sets[to].size, mesh.rows::<f64>(x).unwrap()), (3, vec![1.0, 2.0, 3.0]));
    assert_eq!(mesh.entries(born).len(), 0);
    assert_eq!(mesh.grow(born, counts, None), Ok(907));
    assert_eq!(mesh.rows::<f64>(x).unwrap()[..4], [1.0, 2.0, 3.0, 0.0]);
}
