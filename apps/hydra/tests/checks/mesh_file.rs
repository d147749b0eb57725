//! The text file of a mesh, and invalid meshes: files are read back exactly, and faults are reported.

use hydra::Error;
use hydra::mesh::{Mesh, Passage};
use hydra::physics::kind::{SLIP, STREAM, WALL};

use crate::images::{Cube, DEFORMATIONS, Deformation, SHAPES, passage};

/// A single brick: 8 nodes in lines 2 to 9, a cell in 10, edges in 11 to 22, and 24 parts of the boundary from 23 on.
fn brick() -> Mesh {
    Cube::all(Deformation::Straight, SLIP).mesh(SHAPES[0], [1, 1, 1])
}

fn written(mesh: &Mesh) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grid.dat");
    mesh.write(&path).unwrap();
    std::fs::read_to_string(path).unwrap()
}

fn parse(text: &str) -> Result<Mesh, Error> {
    Mesh::parse(text.as_bytes(), "grid.dat")
}

#[test]
fn a_written_mesh_is_read_back_exactly() {
    for shape in SHAPES {
        let wavy = Cube { deformation: Deformation::Wavy, kinds: [[WALL, SLIP], [SLIP, STREAM], [SLIP; 2]] }
            .mesh(shape, [3, 2, 2]);
        for mesh in [passage(shape), passage(shape).shuffled(4).0, wavy] {
            let text = written(&mesh);
            assert_eq!(parse(&text).unwrap(), mesh);
            let padded: String = text.lines().map(|l| format!("  {} \r\n\n", l.replace(' ', "\t  "))).collect();
            assert_eq!(parse(&padded).unwrap(), mesh);
        }
    }
}

#[test]
fn every_mesh_that_is_made_is_sound() {
    for shape in SHAPES {
        for deformation in DEFORMATIONS {
            assert_eq!(
                Cube::all(deformation, STREAM).mesh(shape, [5, 4, 3]).check(),
                Ok(()),
                "{shape:?} {deformation:?}"
            );
        }
        for size in [[1, 1, 1], [2, 1, 1], [1, 3, 2], [9, 4, 4]] {
            let mesh = Passage::default().mesh(shape, size).unwrap();
            assert_eq!((mesh.check(), mesh.shuffled(3).0.check()), (Ok(()), Ok(())), "{shape:?} {size:?}");
        }
    }
}

#[test]
fn every_malformed_file_names_line_and_reason() {
    let good = written(&brick());
    let with_line = |number: usize, line: &str| -> String {
        good.lines().enumerate().map(|(k, l)| format!("{}\n", if k + 1 == number { line } else { l })).collect()
    };
    let node = "node node node node node node node node";
    let cases = [
        (String::new(), 1, "the file ends before the line of counts, expected `nnode ncell nedge npart corner`"),
        (with_line(1, "8 1 12 24"), 1, "the line of counts: found 4 values, expected 5"),
        (with_line(1, "0 1 12 24 8"), 1, "`nnode` is 0 (valid: 1..=2147483647)"),
        (with_line(1, "8 1 12 -1 8"), 1, "`npart` is -1 (valid: 0..=2147483647)"),
        (with_line(1, "8 1 12 24 6"), 1, "`corner` is 6, expected 8 for hexahedra or 4 for tetrahedra"),
        (with_line(1, "2147483647 1 12 24 8"), 10, "node 8 of 2147483647: found 8 values, expected 5"),
        (with_line(3, "1 0 0 nan 1"), 3, "node 1 of 8: value 4: `nan` is not a finite number"),
        (with_line(3, "1 0 0 1"), 3, "node 1 of 8: found 4 values, expected 5: `x y z volume distance`"),
        (with_line(10, "0 1 2"), 10, &format!("cell 0 of 1: found 3 values, expected 8: `{node}`")),
        (with_line(10, "0 1 2 8 4 5 6 7"), 10, "cell 0 of 1: value 4: node 8 is out of range (valid: 0..=7)"),
        (with_line(11, "0 1.5 1 0 0"), 11, "edge 0 of 12: value 2: `1.5` is not a whole number"),
        (with_line(11, "0 1 1 0"), 11, "expected 5: `node node nx ny nz`"),
        (with_line(11, "0 1 1 inf 0"), 11, "edge 0 of 12: value 4: `inf` is not a finite number"),
        (
            with_line(23, "0 6 1 0 0"),
            23,
            "kind 6 is out of range (valid: 1 (wall), 2 (slip), 3 (inflow), 4 (outflow) or 5",
        ),
        (with_line(23, "0 0 1 0 0"), 23, "part of the boundary 0 of 24: value 2: kind 0 is out of range"),
        (with_line(46, ""), 47, "the file ends before part of the boundary 23 of 24, expected `node kind nx ny nz`"),
        (format!("{good}\n7"), 48, "expected the end of the file, found `7`"),
    ];
    for (text, line, reason) in cases {
        let error = parse(&text).expect_err(reason);
        let said = error.to_string();
        assert!(said.starts_with(&format!("`grid.dat`, line {line}: ")), "expected line {line}: {said}");
        assert!(said.contains(reason) && error.exit_status() == 2, "expected `{reason}`: {said}");
    }
    for end in 0..good.len() - 1 {
        // A number that is cut short may still be one: then the mesh no longer closes.
        assert!(
            matches!(parse(&good[..end]), Err(Error::Text(_))) || good[end..].trim().len() < 4,
            "cut after {end} bytes"
        );
    }
}

/// Spoils a mesh, and the line on which its file is refused then, if it can stand in one, and the reason.
type Case = (&'static dyn Fn(&mut Mesh), Option<usize>, &'static str);

#[test]
fn every_mesh_that_makes_no_sense_names_element_and_cure() {
    let cases: [Case; 30] = [
        (&|m| m.x.clear(), None, "the mesh has no nodes, expected at least one"),
        (&|m| m.corners.clear(), Some(1), "the mesh has no cells"),
        (&|m| (m.edge_nodes, m.normals) = (vec![], vec![]), Some(1), "the mesh has no edges"),
        (
            &|m| (m.part_node, m.part_kind, m.part_normals) = (vec![], vec![], vec![]),
            Some(1),
            "the mesh has no parts of the boundary",
        ),
        (&|m| m.corners.push(0), None, "`corners` has 9 entries, expected 8"),
        (&|m| m.volumes.truncate(2), None, "`volumes` has 2 entries, expected 8: one for each of the nodes"),
        (&|m| m.distance.clear(), None, "`distance` has 0 entries"),
        (&|m| m.flag.clear(), None, "`flag` has 0 entries"),
        (&|m| m.normals.clear(), None, "`normals` has 0 entries"),
        (&|m| m.part_normals.clear(), None, "`part_normals` has 0 entries"),
        (&|m| m.part_kind.clear(), None, "`part_kind` has 0 entries"),
        (&|m| m.x[3][1] = f64::NAN, None, "node 3 of 8: its place is ("),
        (&|m| m.x[3][1] = f64::NEG_INFINITY, None, "node 3 of 8: its place is ("),
        (
            &|m| m.volumes[2] = 0.0,
            Some(4),
            "node 2 of 8: its dual cell has the volume 0, expected a finite one above 0",
        ),
        (&|m| m.volumes[2] = f64::NAN, None, "node 2 of 8: its dual cell has the volume NaN"),
        (
            &|m| m.distance[2] = -1.0,
            Some(4),
            "node 2 of 8: its distance from the wall is -1, expected 0 or more, or 1e10",
        ),
        (&|m| m.corners[1] = 8, None, "cell 0 of 1: node 8 is out of range (valid: 0..=7)"),
        (&|m| m.corners.fill(0), Some(10), "cell 0 of 1: it has the volume 0, expected"),
        (&|m| m.corners.rotate_left(4), Some(10), "cell 0 of 1: it has the volume -1, expected a finite one above 0"),
        (&|m| m.edge_nodes[5][0] = 9, None, "edge 5 of 12: node 9 is out of range"),
        (&|m| m.edge_nodes[5] = [3, 3], Some(16), "edge 5 of 12: it leads from node 3 to itself, expected two nodes"),
        (&|m| m.normals[5] = [0.0; 3], Some(16), "edge 5 of 12: its dual face has the area vector (0, 0, 0)"),
        (&|m| m.normals[5][1] = f64::NAN, None, "edge 5 of 12: its dual face has the area vector ("),
        (&|m| m.edge_nodes[5] = m.edge_nodes[2], Some(16), "edge 5 of 12: it joins nodes"),
        (&|m| m.edge_nodes[5] = [m.edge_nodes[2][1], m.edge_nodes[2][0]], Some(16), "edge 5 of 12: it joins nodes"),
        (&|m| m.part_node[3] = [8], None, "part of the boundary 3 of 24: node 8 is out of range"),
        (&|m| m.part_kind[3] = 0, None, "part of the boundary 3 of 24: its kind is 0, expected 1 (wall), 2 (slip)"),
        (&|m| m.part_normals[3] = [0.0; 3], Some(26), "part of the boundary 3 of 24: it has the area vector (0, 0, 0)"),
        (&|m| m.flag[3] = 1, None, "node 3 of 8: its flag is 1, expected 0 by the kinds of its parts of the boundary"),
        (&|m| m.normals[5] = m.normals[5].map(|n| -n), Some(0), "the faces of its dual cell do not close"),
    ];
    for (spoil, line, reason) in cases {
        let mut mesh = brick();
        spoil(&mut mesh);
        let said = mesh.check().expect_err(reason).to_string();
        let starts = line == Some(0) || said.starts_with(reason);
        assert!(starts && said.contains(reason), "expected `{reason}`, found `{said}`");
        if let Some(line) = line {
            let said = parse(&written(&mesh)).expect_err(reason).to_string();
            let at = if line == 0 { "`grid.dat`, line ".into() } else { format!("`grid.dat`, line {line}: ") };
            assert!(said.starts_with(&at) && said.contains(reason), "expected `{at}{reason}`, found `{said}`");
        }
    }
}

#[test]
fn nodes_without_edges_and_edges_without_length_are_refused() {
    let mut mesh = brick();
    mesh.x.push([2.0; 3]);
    mesh.volumes.push(1.0);
    mesh.distance.push(1.0);
    mesh.flag.push(0);
    let said = parse(&written(&mesh)).unwrap_err().to_string();
    assert!(
        said.starts_with("`grid.dat`, line 10: node 8 of 9: it has no edge: leave it out, or add its edges"),
        "{said}"
    );

    let mut mesh = Cube::all(Deformation::Straight, SLIP).mesh(SHAPES[0], [2, 1, 1]);
    let [a, b] = mesh.edge_nodes[4];
    mesh.x[b as usize] = mesh.x[a as usize];
    let said = mesh.check().unwrap_err().to_string();
    assert!(said.starts_with(&format!("edge 4 of 20: its ends, nodes {a} and {b}, are both at (")), "{said}");
}
