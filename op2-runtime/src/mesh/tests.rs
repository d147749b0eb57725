//! A mesh stays whole when there is no memory for a request.

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

const STEPS: [(&str, Step); 9] = [
    ("the numbers of set `s`", |m| m.add_set("s", 3, Some(1)).map(drop)),
    ("subset `s`", |m| m.add_subset("s", 0, &[1u32]).map(drop)),
    ("map `m`", |m| m.add_map("m", 0, 0, &ROWS, None).map(drop)),
    ("map `map`", |m| m.replace_map(0, &[[0u32; 2]; 3], None)),
    ("dat `d`", |m| m.add_dat("d", 0, Layout::Soa, &VALUES, None).map(drop)),
    ("dat `d`", |m| m.add_dat_by("d", 0, Layout::Blocked(2), |_| 1.0f32, None).map(drop)),
    ("the values of dat `dat`", |m| m.rows::<[f64; 2]>(0).map(drop)),
    ("dat `dat`", |m| m.set_layout(0, Layout::Soa, &[[0.0; 2]; 3], None)),
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
            assert_eq!((mesh.sets.len(), mesh.maps.len(), mesh.dats.len(), mesh.subsets.len()), (1, 1, 1, 1), "{what}");
            let versions = [Object::Set(0), Object::Map(0), Object::Dat(0), Object::Subset(0)].map(|o| mesh.version(o));
            assert_eq!(versions, [0; 4], "{what}");
            assert_eq!(mesh.rows::<[f64; 2]>(0), Ok(VALUES.to_vec()), "{what}");
            assert_eq!(mesh.maps[0].entries[..], *ROWS.as_flattened(), "{what}");
            assert_eq!(mesh.subsets[0].list, [2, 0], "{what}");
        }
        assert!((1..999).contains(&refused), "{what}: {refused}");
    }
}

/// The sizes of the mesh's data, in bytes, are exact even if no computer has that much memory.
#[test]
fn sizes_that_no_machine_has_are_told() {
    let mut mesh = Mesh::new();
    let set = mesh.add_set("all", u32::MAX as usize, None).unwrap();
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
            assert_eq!(mesh.rows::<[f32; 3]>(0), Ok((0..n).map(value).collect()), "{layout:?}");
            assert_eq!(mesh.rows::<i32>(1), Ok((0..n as i32).collect()), "{layout:?}");
            let set = &mesh.sets[0];
            let inner = |e: u32| set.inner(e as usize);
            assert!(
                rows.iter().enumerate().all(|(e, row)| {
                    row.map(|t| inner(t) as u32) == mesh.maps[0].entries[2 * inner(e as u32)..][..2]
                })
            );
        }
    }
}
