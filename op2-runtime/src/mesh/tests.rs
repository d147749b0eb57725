//! A mesh stays whole when there is no memory for a request, and when its sets get new numbers.

use super::*;
use crate::data::room::tests::limited;

const ROWS: [[u32; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
const VALUES: [[f64; 2]; 3] = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];

/// A set of three elements with a map to itself and a dat.
fn mesh() -> Mesh {
    let mut mesh = Mesh::new();
    let set = mesh.add_set("set", 3, None).unwrap();
    mesh.add_map("map", set, set, &ROWS, None).unwrap();
    mesh.add_dat("dat", set, Layout::Aos, &VALUES, None).unwrap();
    mesh.add_subset("some", set, &[2u32, 0]).unwrap();
    mesh
}

/// An operation that allocates memory.
type Step = fn(&mut Mesh) -> Result<()>;

const STEPS: [(&str, Step); 10] = [
    ("the numbers of set `s`", |m| m.add_set("s", 3, Some(1)).map(drop)),
    ("subset `s`", |m| m.add_subset("s", 0, &[1u32]).map(drop)),
    ("map `m`", |m| m.add_map("m", 0, 0, &ROWS, None).map(drop)),
    ("the rows of map `r`", |m| m.add_rows("r", (0, 0), &[0, 2, 2, 3], &[1, 1, 2], None).map(drop)),
    ("map `map`", |m| m.replace_map(0, &[[0u32; 2]; 3], None)),
    ("dat `d`", |m| m.add_dat("d", 0, Layout::Soa, &VALUES, None).map(drop)),
    ("dat `d`", |m| m.add_dat_by("d", 0, Layout::Blocked(2), |_| 1.0f32, None).map(drop)),
    ("the values of dat `dat`", |m| m.rows::<[f64; 2]>(1).map(drop)),
    ("dat `dat`", |m| m.set_layout(1, Layout::Soa, &[[0.0; 2]; 3], None)),
    ("the numbers of set `set`", |m| m.renumber(&[Some(vec![2, 0, 1])], None)),
];

#[test]
fn without_memory_nothing_changes() {
    for (what, step) in STEPS {
        let mut refused = 0;
        // Raises the limit step by step until the operation succeeds.
        for limit in 0..1000 {
            let mut mesh = mesh();
            match limited(limit, || step(&mut mesh)) {
                Ok(()) => break,
                Err(Error::NoMemory { what: found, bytes }) => {
                    assert!(refused > 0 || found == what, "{found}");
                    assert!(bytes > limit, "{found}");
                }
                Err(other) => panic!("{what}: {other}"),
            }
            refused += 1;
            assert_eq!((mesh.sets.len(), mesh.maps.len(), mesh.dats.len(), mesh.subsets.len()), (1, 1, 2, 1), "{what}");
            let versions = [Object::Set(0), Object::Map(0), Object::Dat(1), Object::Subset(0)].map(|o| mesh.version(o));
            assert_eq!(versions, [0; 4], "{what}");
            assert_eq!(mesh.rows::<[f64; 2]>(1), Ok(VALUES.to_vec()), "{what}");
            assert_eq!(mesh.entries(0)[..], *ROWS.as_flattened(), "{what}");
            assert_eq!(mesh.subsets[0].list, [2, 0], "{what}");
        }
        assert!((1..999).contains(&refused), "{what}: {refused}");
    }
}

/// The sizes of the mesh's data, in bytes, are exact even if no computer has that much memory.
#[test]
fn sizes_that_no_machine_has_are_told() {
    let mut mesh = Mesh::new();
    let set = mesh.add_set("all", MOST_ELEMENTS, None).unwrap();
    let error = mesh.add_dat_by("field", set, Layout::Soa, |_| [[0.0; 128]; 64], None).unwrap_err();
    // Columns are whole cache lines, and an odd number of them.
    let bytes = ((1 << 32) + 8) * 8192 * 8;
    assert_eq!(error, Error::NoMemory { what: "dat `field`".to_owned(), bytes });
    let text = error.to_string();
    assert!(text.starts_with("no memory for dat `field`: it takes 281474977234944 bytes, which"), "{text}");
    assert!(mesh.dats.is_empty());
}

/// So many elements that several threads share the work.
#[test]
fn rows_of_every_layout_keep_their_users() {
    let n = 50_001;
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(3).build().expect("threads for a test");
    let value = |e: usize| [0, 1, 2].map(|c| (3 * e + c) as f32);
    let new: Vec<u32> = (0..n as u32).map(|e| (u64::from(e) * 7919 % n as u64) as u32).collect();
    let rows: Vec<[u32; 2]> = (0..n as u32).map(|e| [e, (e + 1) % n as u32]).collect();
    for layout in [Layout::Aos, Layout::Soa, Layout::Blocked(0), Layout::Blocked(4), Layout::Blocked(16)] {
        let mut mesh = Mesh::new();
        let set = mesh.add_set("set", n, None).unwrap();
        mesh.add_map("next", set, set, &rows, None).unwrap();
        mesh.add_dat_by("dat", set, layout, value, Some(&pool)).unwrap();
        mesh.add_dat_by("single", set, layout, |e| e as i32, Some(&pool)).unwrap();
        // The second time, the numbers before are not the user's.
        for _ in 0..2 {
            pool.install(|| mesh.renumber(&[Some(new.clone())], Some(&pool))).unwrap();
            assert_eq!(mesh.rows::<[f32; 3]>(1), Ok((0..n).map(value).collect()), "{layout:?}");
            assert_eq!(mesh.rows::<i32>(2), Ok((0..n as i32).collect()), "{layout:?}");
            let set = &mesh.sets[0];
            let inner = |e: u32| set.inner(e as usize);
            assert!(
                rows.iter()
                    .enumerate()
                    .all(|(e, row)| { row.map(|t| inner(t) as u32) == mesh.entries(0)[2 * inner(e as u32)..][..2] })
            );
        }
    }
}

/// Rows of any length: one longer than an ordering sees, some empty, others that name an element twice.
fn lists(n: usize) -> (Vec<usize>, Vec<u32>) {
    let len = |e: usize| if e == 3 { 50 } else { e * 5 % 4 };
    let offsets = (0..=n).map(|e| (0..e).map(len).sum()).collect::<Vec<usize>>();
    let entries = (0..offsets[n]).map(|i| (i * i % n) as u32).collect();
    (offsets, entries)
}

fn inner_row(mesh: &Mesh, map: usize, e: usize) -> &[u32] {
    let offsets = mesh.maps[map].offsets.as_ref().expect("rows of any length");
    &mesh.entries(map)[offsets[e] as usize..offsets[e + 1] as usize]
}

/// New numbers of the set that rows lead from, of the one that they lead to, and of both at once, several times.
#[test]
fn rows_of_any_length_keep_their_users() {
    let (from, to) = (17, 23);
    let mut mesh = Mesh::new();
    mesh.add_set("from", from, None).unwrap();
    mesh.add_set("to", to, None).unwrap();
    let (offsets, mut entries) = lists(from);
    entries.iter_mut().for_each(|entry| *entry = (*entry * 7 + 1) % to as u32);
    mesh.add_rows("rows", (0, 1), &offsets, &entries, None).unwrap();
    let turned = |n: usize, by: usize| Some((0..n).map(|e| (e * by % n) as u32).collect::<Vec<u32>>());
    let steps = [[turned(from, 5), None], [None, turned(to, 9)], [turned(from, 3), turned(to, 4)]];
    for (round, new) in steps.into_iter().enumerate() {
        let before = mesh.version(Object::Map(0));
        mesh.renumber(&new, None).unwrap();
        assert!(mesh.version(Object::Map(0)) > before);
        for e in 0..from {
            let expected: Vec<u32> =
                entries[offsets[e]..offsets[e + 1]].iter().map(|&t| mesh.sets[1].inner(t as usize) as u32).collect();
            assert_eq!(inner_row(&mesh, 0, mesh.sets[0].inner(e)), expected, "element {e} in round {round}");
        }
    }
    // Others take the numbers that the sets have by now, and replace all.
    let before = mesh.version(Object::Map(0));
    let (turned, one): (Vec<usize>, Vec<u32>) = ((0..=from).collect(), (0..from as u32).collect());
    mesh.replace_rows(0, &turned, &one, None).unwrap();
    assert!(mesh.version(Object::Map(0)) > before, "plans know the map by its version");
    assert_eq!(mesh.maps[0].arity, 1);
    assert!((0..from).all(|e| inner_row(&mesh, 0, mesh.sets[0].inner(e)) == [mesh.sets[1].inner(e) as u32]));
}

/// Rows that are refused change nothing.
#[test]
fn refused_rows_change_nothing() {
    let mut mesh = mesh();
    let rows = mesh.add_rows("rows", (0, 0), &[0, 2, 2, 3], &[1, 1, 2], None).unwrap();
    assert!(matches!(mesh.replace_rows(rows, &[0, 1, 1], &[1], None), Err(Error::RowStart { place: 3, .. })));
    assert!(matches!(mesh.replace_rows(rows, &[0, 1, 0, 1], &[1], None), Err(Error::RowStart { place: 2, .. })));
    assert!(matches!(mesh.replace_rows(rows, &[0, 0, 1, 1], &[3], None), Err(Error::MapEntry { element: 1, .. })));
    assert_eq!((mesh.version(Object::Map(rows)), inner_row(&mesh, rows, 0)), (0, &[1, 1][..]));
}

/// The reordering sees rows of one length: the first entries of a long one, entries of the row again where it is short, and those of
/// a row before where it is empty.
#[test]
fn orderings_see_rows_of_one_length() {
    let mut mesh = Mesh::new();
    mesh.add_set("set", 5, None).unwrap();
    let none = mesh.add_rows("none", (0, 0), &[0; 6], &[0_u32; 0], None).unwrap();
    assert_eq!((mesh.link(none).arity, mesh.link(none).entries), (0, &[][..]));
    let some = mesh.add_rows("some", (0, 0), &[0, 0, 3, 3, 4, 6], &[2, 3, 4, 1, 0, 1], None).unwrap();
    let expected = [[2, 2, 2], [2, 3, 4], [2, 2, 2], [1, 1, 1], [0, 1, 0]];
    assert_eq!((mesh.link(some).arity, mesh.link(some).entries), (3, expected.as_flattened()));
    let long: Vec<u32> = (0..100).map(|i| i % 5).collect();
    let many = mesh.add_rows("many", (0, 0), &[0, 99, 99, 99, 99, 100], &long, None).unwrap();
    let link = mesh.link(many);
    assert_eq!((link.arity, &link.entries[..32], &link.entries[4 * 32..]), (32, &long[..32], &[long[99]; 32][..]));
    // What was seen is forgotten with the numbers and the rows.
    mesh.renumber(&[Some(vec![4, 3, 2, 1, 0])], None).unwrap();
    let turned = [[4, 3, 4], [3, 3, 3], [3, 3, 3], [2, 1, 0], [2, 2, 2]];
    assert_eq!(mesh.link(some).entries, turned.as_flattened());
    mesh.replace_rows(some, &[0, 1, 1, 1, 1, 1], &[0], None).unwrap();
    let only = mesh.sets[0].inner(0) as u32;
    assert_eq!((mesh.link(some).arity, mesh.link(some).entries), (1, &[only; 5][..]));
}
