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
    ("the numbers of set `set`", |m| m.renumber(&[Some(vec![2, 0, 1])])),
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
    let bytes = u128::from(u32::MAX) * 8192 * 8;
    assert_eq!(error, Error::NoMemory { what: "dat `field`".to_owned(), bytes });
    let text = error.to_string();
    assert!(text.starts_with("no memory for dat `field`: it takes 281474976645120 bytes, which"), "{text}");
    assert!(mesh.dats.is_empty());
}
