//! The text file of a mesh: what is written is read back, and what is wrong is told with its line.

use airfoil::Error;
use airfoil::mesh::Mesh;
use proptest::prelude::*;

/// Two cells side by side, one edge between them, six around: counts in line 1, nodes in 2 to 7, cells in 8 and 9, the
/// edge in 10, boundary edges in 11 to 16.
const GOOD: &str = "6 2 1 6
0.0 0.0
1.0 0.0
2.0 0.0
0.0 1.0
1.0 1.0
2.0 1.0
0 1 4 3
1 2 5 4
1 4 1 0
1 0 0 1
2 1 1 1
5 2 1 2
4 5 1 2
3 4 0 2
0 3 0 2
";

fn parse(text: &str) -> Result<Mesh, Error> {
    Mesh::parse(text.as_bytes(), "grid.dat")
}

/// `GOOD` with line `number` replaced.
fn with_line(number: usize, line: &str) -> String {
    let lines = GOOD.lines().enumerate().map(|(k, l)| if k + 1 == number { line } else { l });
    lines.map(|l| format!("{l}\n")).collect()
}

#[test]
fn a_good_file_is_read() {
    let mesh = parse(GOOD).unwrap();
    assert_eq!(mesh.x[5], [2.0, 1.0]);
    assert_eq!(mesh.cell_nodes, [[0, 1, 4, 3], [1, 2, 5, 4]]);
    assert_eq!((mesh.edge_nodes[0], mesh.edge_cells[0]), ([1, 4], [1, 0]));
    assert_eq!((mesh.bedge_nodes[2], mesh.bedge_cell[2], mesh.bound[2]), ([5, 2], 1, 2));
}

#[test]
fn layout_of_the_text_is_free_within_lines() {
    let padded: String = GOOD.lines().map(|l| format!("  {} \r\n\n", l.replace(' ', "\t  "))).collect();
    assert_eq!(parse(&padded).unwrap(), parse(GOOD).unwrap());
    assert_eq!(parse(GOOD.trim_end()).unwrap(), parse(GOOD).unwrap(), "without the last line end");
    assert_eq!(parse(&with_line(2, "-0e0 +0.")).unwrap(), parse(GOOD).unwrap());
}

#[test]
fn every_malformed_file_names_line_and_reason() {
    let cases = [
        ("", 1, "the file ends before the line of counts, expected `nnode ncell nedge nbedge`"),
        ("\n\n", 3, "the file ends before the line of counts"),
        ("6 2 1", 1, "the line of counts: found 3 values, expected 4"),
        ("6 2 1 6 9", 1, "the line of counts: found 5 values, expected 4"),
        (&with_line(1, "6 2 x 6"), 1, "value 3: `x` is not a whole number"),
        (&with_line(1, "6 2 1.0 6"), 1, "value 3: `1.0` is not a whole number"),
        (&with_line(1, "-6 2 1 6"), 1, "`nnode` is -6 (valid: 1..=2147483647)"),
        (&with_line(1, "6 0 1 6"), 1, "`ncell` is 0 (valid: 1..=2147483647)"),
        (&with_line(1, "6 2 1 -1"), 1, "`nbedge` is -1 (valid: 0..=2147483647)"),
        (&with_line(1, "6 2 1 99999999999"), 1, "`nbedge` is 99999999999 (valid: 0..=2147483647)"),
        (&with_line(1, "2147483647 2 1 6"), 8, "node 6 of 2147483647: found 4 values, expected 2: `x y`"),
        (&with_line(1, "6 2 1 2147483647"), 17, "the file ends before boundary edge 6 of 2147483647"),
        (&with_line(3, "1.0"), 3, "node 1 of 6: found 1 values, expected 2: `x y`"),
        (&with_line(3, "1.0 nan"), 3, "node 1 of 6: value 2: `nan` is not a finite number"),
        (&with_line(3, "inf 0"), 3, "`inf` is not a finite number"),
        (&with_line(3, "1e999 0"), 3, "`1e999` is not a finite number"),
        (&with_line(3, "1,5 0"), 3, "`1,5` is not a finite number"),
        (&with_line(8, "0 1 4"), 8, "cell 0 of 2: found 3 values, expected 4: `node node node node`"),
        (&with_line(8, "0 1 6 3"), 8, "cell 0 of 2: value 3: node 6 is out of range (valid: 0..=5)"),
        (&with_line(9, "-1 2 5 4"), 9, "cell 1 of 2: value 1: node -1 is out of range (valid: 0..=5)"),
        (&with_line(9, "1 2 5 4294967300"), 9, "node 4294967300 is out of range"),
        (&with_line(10, "1 4 1 2"), 10, "edge 0 of 1: value 4: cell 2 is out of range (valid: 0..=1)"),
        (&with_line(10, "1 4 x 0"), 10, "edge 0 of 1: value 3: `x` is not a whole number"),
        (&with_line(12, "2 1 -1 1"), 12, "boundary edge 1 of 6: value 3: cell -1 is out of range"),
        (&with_line(12, "2 1 1 0"), 12, "bound 0 is out of range (valid: 1 (wall) or 2 (far field))"),
        (&with_line(12, "2 1 1 -1"), 12, "bound -1 is out of range"),
        (&with_line(16, ""), 17, "the file ends before boundary edge 5 of 6, expected `node node cell bound`"),
        (&format!("{GOOD}\n7"), 18, "expected the end of the file, found `7`"),
        (&with_line(16, "0 3 0 2 8"), 16, "boundary edge 5 of 6: found 5 values, expected 4"),
        (&with_line(4, "2.0 0.0\n3.0 0.0"), 8, "expected 4: `node node node node`"),
        (&with_line(3, &format!("{} 0", "1".repeat(5000))), 3, "4096 or more bytes"),
        (&with_line(3, &format!("{} 0", "z".repeat(100))), 3, &format!("`{}…` is not", "z".repeat(40))),
        (&with_line(3, "\u{1b}[31m 0"), 3, "`\\u{1b}[31m` is not a finite number"),
    ];
    for (text, line, reason) in cases {
        let said = parse(text).unwrap_err().to_string();
        assert!(said.starts_with(&format!("`grid.dat`, line {line}: ")), "expected line {line}: {said}");
        assert!(said.contains(reason), "expected `{reason}`: {said}");
    }
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_line() {
    let said = Mesh::parse(&b"6 2 1 6\n0 0\n\xff\xfe 1\n"[..], "grid.dat").unwrap_err().to_string();
    assert!(said.starts_with("`grid.dat`, line 3: node 1 of 6: it is not text"), "{said}");
}

#[test]
fn every_truncation_is_an_error() {
    for end in 0..GOOD.len() - 1 {
        assert!(matches!(parse(&GOOD[..end]), Err(Error::MeshText { .. })), "cut after {end} bytes");
    }
}

#[test]
fn a_written_mesh_is_read_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new_grid.dat");
    let mut mesh = Mesh::naca0012(5, 4).unwrap();
    mesh.x[..5].copy_from_slice(&[
        [0.1 + 0.2, f64::MIN_POSITIVE],
        [-0.0, f64::MAX],
        [5e-324, -1e-7],
        [1.0 / 3.0, 1e300],
        [123_456_789.123_456_79, -2.5],
    ]);
    mesh.write(&path).unwrap();
    let read = Mesh::read(&path).unwrap();
    assert_eq!(read, mesh);
    assert!(read.x[1][0].is_sign_negative());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left in the folder");
}

#[test]
fn what_is_no_file_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let said = Mesh::read(folder.path()).unwrap_err().to_string();
    assert!(said.contains("it is a folder"), "{said}");
    let said = Mesh::read(&folder.path().join("none")).unwrap_err().to_string();
    assert!(said.starts_with("cannot read `"), "{said}");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Mesh::parse(&bytes[..], "grid.dat");
    }

    #[test]
    fn a_changed_byte_is_an_error_or_a_valid_mesh(at in 0..GOOD.len(), byte in any::<u8>()) {
        let mut bytes = GOOD.as_bytes().to_vec();
        bytes[at] = byte;
        if let Ok(mesh) = Mesh::parse(&bytes[..], "grid.dat") {
            prop_assert!(mesh.cell_nodes.iter().flatten().all(|&n| (n as usize) < mesh.nodes()));
            prop_assert!(mesh.edge_nodes.iter().chain(&mesh.bedge_nodes).flatten().all(|&n| (n as usize) < mesh.nodes()));
            prop_assert!(mesh.edge_cells.iter().flatten().chain(&mesh.bedge_cell).all(|&c| (c as usize) < mesh.cells()));
        }
    }
}
