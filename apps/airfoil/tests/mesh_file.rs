//! The text file of a mesh: files are read back exactly, and faults are reported with their line.

use airfoil::Error;
use airfoil::mesh::Mesh;
use op2_apps::text;
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
        assert!(matches!(parse(&GOOD[..end]), Err(Error::Text(text::Error::Line { .. }))), "cut after {end} bytes");
    }
}

/// Cells side by side between these abscissae, of height 1.
fn strip(abscissae: &[f64]) -> Mesh {
    let columns = abscissae.len() as u32;
    let mut mesh = Mesh::default();
    for y in [0.0, 1.0] {
        mesh.x.extend(abscissae.iter().map(|&x| [x, y]));
    }
    for c in 0..columns - 1 {
        mesh.cell_nodes.push([c, c + 1, columns + c + 1, columns + c]);
        mesh.bedge_nodes.extend([[c + 1, c], [columns + c, columns + c + 1]]);
        mesh.bedge_cell.extend([c, c]);
    }
    for c in 1..columns - 1 {
        mesh.edge_nodes.push([c, columns + c]);
        mesh.edge_cells.push([c, c - 1]);
    }
    mesh.bedge_nodes.extend([[0, columns], [2 * columns - 1, columns - 1]]);
    mesh.bedge_cell.extend([0, columns - 2]);
    mesh.bound = vec![2; mesh.bedge_nodes.len()];
    mesh
}

/// `GOOD` with lines replaced, some of them by blank ones.
fn with_lines(lines: &[(usize, &str)]) -> String {
    lines.iter().fold(GOOD.to_owned(), |text, (number, line)| {
        let replaced = text.lines().enumerate().map(|(k, l)| if k + 1 == *number { line } else { l });
        replaced.map(|l| format!("{l}\n")).collect()
    })
}

#[test]
fn every_mesh_that_makes_no_sense_names_line_element_and_cure() {
    let cases = [
        (&[(10, "1 4 1 1")][..], 10, "edge 0 of 1: it leads from cell 1 to itself, expected two cells: correct one"),
        (&[(10, "4 4 1 0")], 10, "edge 0 of 1: both of its ends are node 4, expected two nodes"),
        (&[(3, "1 1")], 10, "edge 0 of 1: its ends, nodes 1 and 4, are both at (1, 1), expected some length: move one"),
        (
            &[(8, "0 3 4 1")],
            8,
            "cell 0 of 2: its corners 0 3 4 1 have the area -1, expected a finite one above 0: name its",
        ),
        (&[(8, "0 1 3 4")], 8, "cell 0 of 2: its corners 0 1 3 4 have the area 0,"),
        (&[(4, "1e308 0"), (7, "1e308 1e308")], 9, "cell 1 of 2: its corners 1 2 5 4 have the area inf"),
        (&[(1, "7 2 1 6"), (7, "2.0 1.0\n\n\n9 9")], 10, "node 6 of 7: it is the corner of no cell: leave it out"),
        (&[(1, "6 2 0 6"), (10, "")], 1, "the mesh has no edges between cells, expected at least one"),
        (
            &[(1, "6 2 1 0"), (11, ""), (12, ""), (13, ""), (14, ""), (15, ""), (16, "")],
            1,
            "the mesh has no boundary edges",
        ),
        (
            &[(10, "4 1 1 0")],
            10,
            "edge 0 of 1: it has cell 1 on its wrong side: exchange its two nodes, or its two cells",
        ),
        (&[(10, "1 4 0 1")], 10, "edge 0 of 1: it has cell 0 on its wrong side"),
        (
            &[(10, "0 4 1 0")],
            10,
            "edge 0 of 1: nodes 4 and 0 are no side of cell 1, whose corners are 1 2 5 4: correct",
        ),
        (
            &[(1, "6 2 2 6"), (10, "1 4 1 0\n1 4 1 0")],
            11,
            "edge 1 of 2: the side of cell 1 from node 4 to node 1 belongs to edge 0 already",
        ),
        (
            &[(11, "4 1 0 1")],
            11,
            "boundary edge 0 of 6: the side of cell 0 from node 1 to node 4 belongs to edge 0 already",
        ),
        (
            &[(12, "1 0 0 1")],
            12,
            "boundary edge 1 of 6: the side of cell 0 from node 0 to node 1 belongs to boundary edge 0",
        ),
        (&[(11, "0 1 0 1")], 11, "boundary edge 0 of 6: it has cell 0 on its wrong side"),
        (&[(11, "1 1 0 1")], 11, "boundary edge 0 of 6: both of its ends are node 1, expected two nodes"),
        (
            &[(1, "6 2 1 5"), (11, "")],
            8,
            "cell 0 of 2: no edge is its side from node 0 to node 1: add an edge to the cell",
        ),
    ];
    for (lines, line, reason) in cases {
        let error = parse(&with_lines(lines)).expect_err(reason);
        let said = error.to_string();
        let expected = format!("`grid.dat`, line {line}: {reason}");
        assert!(said.starts_with(&expected), "expected `{expected}`, found `{said}`");
        assert_eq!(error.exit_status(), 2);
    }
}

/// Meshes that are made rather than read have entries that no reader has looked at.
#[test]
fn every_entry_of_a_made_mesh_is_looked_at() {
    let good = parse(GOOD).unwrap();
    assert_eq!(good.check(), Ok(()));
    type Spoil<'a> = &'a dyn Fn(&mut Mesh);
    let cases: [(Spoil, &str); 15] = [
        (&|m| m.x.clear(), "the mesh has no nodes"),
        (&|m| m.cell_nodes.clear(), "the mesh has no cells"),
        (&|m| m.x[2][1] = f64::NAN, "node 2 of 6: its place is (2, NaN), expected finite coordinates"),
        (&|m| m.x[0][0] = f64::INFINITY, "node 0 of 6: its place is (inf, 0)"),
        (&|m| m.x[4] = m.x[1], "edge 0 of 1: its ends, nodes 1 and 4, are both at (1, 0), expected some length"),
        (&|m| m.cell_nodes[1][2] = 6, "cell 1 of 2: node 6 is out of range (valid: 0..=5)"),
        (&|m| m.edge_nodes[0][1] = u32::MAX, "edge 0 of 1: node 4294967295 is out of range"),
        (&|m| m.edge_cells[0][1] = 2, "edge 0 of 1: cell 2 is out of range (valid: 0..=1)"),
        (&|m| m.bedge_nodes[3][0] = 6, "boundary edge 3 of 6: node 6 is out of range"),
        (&|m| m.bedge_cell[5] = 2, "boundary edge 5 of 6: cell 2 is out of range"),
        (&|m| m.bound[4] = 3, "boundary edge 4 of 6: its kind is 3, expected 1 (wall) or 2 (far field)"),
        (&|m| m.bound.push(1), "`bound` has 7 entries, expected 6: one for each of the boundary edges"),
        (&|m| m.bedge_cell.truncate(1), "`bedge_cell` has 1 entries, expected 6"),
        (&|m| m.edge_cells.clear(), "`edge_cells` has 0 entries, expected 1"),
        (&|m| m.edge_nodes[0] = [0, 0], "edge 0 of 1: both of its ends are node 0"),
    ];
    for (spoil, reason) in cases {
        let mut mesh = good.clone();
        spoil(&mut mesh);
        let said = mesh.check().expect_err(reason).to_string();
        assert!(said.starts_with(reason), "expected `{reason}`, found `{said}`");
    }
}

/// Two nodes at one place are two ends of no length, though cells may have such corners.
#[test]
fn an_edge_without_length_is_refused_and_a_closed_trailing_edge_is_not() {
    let mut mesh = Mesh::naca0012(2, 2).unwrap();
    let [a, b] = mesh.edge_nodes[0];
    mesh.x[a as usize] = mesh.x[b as usize];
    let said = mesh.check().unwrap_err().to_string();
    assert!(
        said.starts_with("edge 0 of 18: its ends, nodes 0 and 1, are both at (4, -0), expected some length"),
        "{said}"
    );

    // The one edge of the profile leads from its trailing edge to its trailing edge.
    let mesh = Mesh::naca0012(1, 3).unwrap();
    let [a, b] = mesh.bedge_nodes[0].map(|node| mesh.x[node as usize]);
    assert_eq!((a, mesh.check()), (b, Ok(())));
    // Nothing flows through a side without length, so that it needs no edge.
    let mut without = mesh;
    without.bedge_nodes.remove(0);
    without.bedge_cell.remove(0);
    without.bound.remove(0);
    assert_eq!(without.check(), Ok(()));
}

#[test]
fn every_generated_mesh_is_sound_and_stays_so_when_it_is_shuffled_or_rounded() {
    for i in 1..9 {
        for j in [1, 2, 3, 7, 40] {
            let mut mesh = Mesh::naca0012(i, j).unwrap();
            assert_eq!((mesh.check(), mesh.shuffled(3).0.check()), (Ok(()), Ok(())), "{i} {j}");
            // The other side of the cut need not be at the same place to the last digit.
            mesh.x.iter_mut().enumerate().for_each(|(n, x)| x[0] += 1e-6 * (n % 3) as f64);
            assert_eq!(mesh.check(), Ok(()), "{i} {j}, rounded");
        }
    }
}

#[test]
fn a_written_mesh_is_read_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new_grid.dat");
    let abscissae = [
        -1e300,
        -2.5,
        -1e-7,
        -0.0,
        5e-324,
        f64::MIN_POSITIVE,
        0.1 + 0.2,
        1.0 / 3.0,
        123_456_789.123_456_79,
        f64::MAX / 4.0,
    ];
    let mesh = strip(&abscissae);
    mesh.write(&path).unwrap();
    let read = Mesh::read(&path).unwrap();
    assert_eq!(read, mesh);
    assert!(read.x[3] == [0.0, 0.0] && read.x[3][0].is_sign_negative());
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
