//! Meshes that are made, and meshes as text.

use std::fs;

use adapt::mesh::{Kind, Mesh, edges, twice_area};
use adapt::metric;

/// Vertices - edges + facets: 1 without holes, and one less for each hole.
fn euler(mesh: &Mesh) -> i64 {
    let mut all: Vec<[u32; 2]> =
        mesh.facets.iter().flat_map(|facet| edges::around(*facet)).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    all.sort_unstable();
    all.dedup();
    mesh.vertices.len() as i64 - all.len() as i64 + mesh.facets.len() as i64
}

#[test]
fn every_kind_is_a_valid_mesh_of_about_the_size_that_was_asked_for() {
    for kind in Kind::ALL {
        for facets in [kind.least_facets(), 517, 1000, 20_000] {
            let mesh = kind.mesh(facets, 3).unwrap();
            mesh.check().unwrap_or_else(|e| panic!("{kind} {facets}: {e}"));
            assert_eq!(euler(&mesh), 1 - kind.holes() as i64, "{kind} {facets}");
            assert_eq!(mesh.bounds(), [[0.0; 2], [1.0; 2]], "{kind}");
            let found = mesh.facets.len();
            let next = 2 * (2.0 * facets as f64).sqrt() as usize;
            assert!(found.abs_diff(facets) <= next.max(facets / 10), "{kind}: {found} facets for {facets}");
            let whole = (mesh.area() - 1.0).abs() < 1e-12;
            assert_eq!(whole, kind.holes() == 0, "{kind}: {}", mesh.area());
        }
    }
}

#[test]
fn holes_have_their_area() {
    let area = |kind: Kind| kind.mesh(20_000, 1).unwrap().area();
    assert!((area(Kind::StructuredHoles) - 0.84).abs() < 0.01, "{}", area(Kind::StructuredHoles));
    let circles = std::f64::consts::PI * (0.12_f64.powi(2) + 0.08_f64.powi(2) + 0.16_f64.powi(2));
    let polygons = area(Kind::RandomHoles) - (1.0 - circles);
    assert!(polygons > 0.0 && polygons < 1e-3, "{polygons}");
}

#[test]
fn a_seed_makes_one_mesh() {
    for kind in Kind::ALL {
        let made = |seed| kind.mesh(2000, seed).unwrap();
        assert_eq!(made(7), made(7), "{kind}");
        assert_eq!(made(7) == made(8), matches!(kind, Kind::Structured | Kind::StructuredHoles), "{kind}");
    }
}

#[test]
fn sizes_that_no_mesh_has_are_refused() {
    for (kind, facets, said) in [
        (Kind::Random, 1, "a random mesh of 1 facets cannot be made, expected 2 to 100000000"),
        (Kind::RandomHoles, 499, "a random-holes mesh of 499 facets cannot be made, expected 500 to 100000000"),
        (Kind::Structured, 100_000_001, "a structured mesh of 100000001 facets cannot be made"),
    ] {
        assert!(kind.mesh(facets, 1).unwrap_err().to_string().starts_with(said));
    }
}

/// The task of the benchmark, at a sixteenth of its size.
#[test]
fn jittered_meshes_are_those_of_the_benchmark() {
    let mesh = Mesh::jittered(96, 102, 5);
    assert_eq!((mesh.facets.len(), mesh.vertices.len()), (2 * 96 * 102, 97 * 103));
    mesh.check().unwrap();
    let mut moved = [0.0_f64; 2];
    let mut on_border = 0;
    for (v, place) in mesh.vertices.iter().enumerate() {
        let [i, j] = [v % 97, v / 97];
        let apart = [96.0 * place[0] - i as f64, 102.0 * place[1] - j as f64].map(f64::abs);
        if i == 0 || i == 96 || j == 0 || j == 102 {
            on_border += 1;
            assert!(apart[0] < 1e-12 && apart[1] < 1e-12, "{place:?}");
        }
        moved = [0, 1].map(|k| moved[k].max(apart[k]));
    }
    assert!(on_border == 2 * (96 + 102) && moved.iter().all(|m| (0.249..=0.25 + 1e-12).contains(m)), "{moved:?}");
    let rises = mesh.facets.chunks(2).filter(|cell| cell[1][0] == cell[0][0]).count() as f64 / (96.0 * 102.0);
    assert!((rises - 0.5).abs() < 0.02, "{rises} of the diagonals rise");
}

#[test]
fn shuffled_meshes_are_the_same_in_another_order() {
    let mesh = Kind::RandomHoles.mesh(3000, 2).unwrap();
    let other = mesh.shuffled(9);
    assert!(other != mesh && other == mesh.shuffled(9) && other != mesh.shuffled(10));
    other.check().unwrap();
    let sorted = |mesh: &Mesh| {
        let mut all: Vec<_> = (0..mesh.facets.len()).map(|f| mesh.corners(f).map(|p| p.map(f64::to_bits))).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(sorted(&mesh), sorted(&other));
    // Neighbours in the mesh are far from each other in memory.
    let far = other.facets.iter().filter(|[a, b, _]| a.abs_diff(*b) > 100).count();
    assert!(far > other.facets.len() * 3 / 4, "{far}");
}

#[test]
fn adjacency_is_mutual_and_across_the_right_edge() {
    let mesh = Kind::RandomHoles.mesh(1500, 4).unwrap().shuffled(1);
    let adjacent = edges::adjacency(&mesh.facets, mesh.vertices.len());
    let mut boundary = 0;
    for (f, others) in adjacent.iter().enumerate() {
        for (i, other) in others.iter().enumerate() {
            let [a, b] = edges::around(mesh.facets[f])[i];
            let Some(g) = other else {
                boundary += 1;
                assert!(!mesh.facets.iter().any(|facet| edges::around(*facet).contains(&[b, a])));
                continue;
            };
            let back = edges::around(mesh.facets[*g as usize]).iter().position(|edge| *edge == [b, a]).unwrap();
            assert_eq!(adjacent[*g as usize][back], Some(f as u32));
        }
    }
    assert!(boundary > 4, "{boundary}");
}

#[test]
fn a_file_holds_every_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh");
    let mesh = Kind::Random.mesh(500, 3).unwrap().shuffled(3);
    mesh.write(&path).unwrap();
    assert!(Mesh::read(&path).unwrap() == mesh);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], format!("{} {}", mesh.vertices.len(), mesh.facets.len()));
    assert_eq!(lines[1], format!("{:.16e} {:.16e}", mesh.vertices[0][0], mesh.vertices[0][1]));
    let [a, b, c] = mesh.facets[499];
    assert_eq!(lines[lines.len() - 1], format!("{a} {b} {c}"));
}

#[test]
fn bad_files_are_refused_with_the_line() {
    let good = "4 2\n0 0\n1 0\n1 1\n\n0 1\n0 1 2\n0 2 3\n";
    let said = |from: &str, to: &str| {
        let text = good.replacen(from, to, 1);
        assert!(from.is_empty() || text != good, "`{from}` is not in the text");
        Mesh::parse(text.as_bytes(), "m").map_or_else(|e| e.to_string(), |_| "nothing".into())
    };
    for (from, to, expected) in [
        ("", "", "nothing"),
        ("4 2", "4", "`m`, line 1: the line of counts: found 1 values, expected 2: `vertices facets`"),
        ("4 2", "4 0", "`m`, line 1: the line of counts: value 2: `facets` is 0 (valid: 1..="),
        (
            "4 2",
            "5000000000 2",
            "`m`, line 1: the line of counts: value 1: `vertices` is 5000000000 (valid: 1..=2147483647)",
        ),
        ("4 2", "4 3", "`m`, line 9: the file ends before facet 2 of 3, expected `vertex vertex vertex`"),
        ("4 2", "4 1", "`m`, line 8: expected the end of the file, found `0 2 3`"),
        ("1 1", "1 x", "`m`, line 4: vertex 2 of 4: value 2: `x` is not a finite number"),
        ("1 1", "1 nan", "`m`, line 4: vertex 2 of 4: value 2: `nan` is not a finite number"),
        ("1 1", "1 1e999", "`m`, line 4: vertex 2 of 4: value 2: `1e999` is not a finite number"),
        ("1 1", "1 1 0", "`m`, line 4: vertex 2 of 4: found 3 values, expected 2: `x y`"),
        ("0 2 3", "0 2 4", "`m`, line 8: facet 1 of 2: value 3: vertex 4 is out of range (valid: 0..=3)"),
        ("0 2 3", "0 2 -1", "`m`, line 8: facet 1 of 2: value 3: vertex -1 is out of range"),
        ("0 2 3", "0 2 3.0", "`m`, line 8: facet 1 of 2: value 3: `3.0` is not a whole number"),
        (
            "0 2 3",
            "0 3 2",
            "`m`, line 8: facet 1 of 2: its area between (0, 0) (0, 1) (1, 1) is -5e-1: it is clockwise",
        ),
        ("0 2 3", "1 2 0", "`m`, line 8: facet 1 of 2: its vertices 1 2 0 are those of facet 0"),
        ("0 2 3", "1 2 3", "`m`, line 8: facet 1 of 2: it overlaps facet 0: both go from vertex 1 to 2"),
        ("0 2 3", "0 2 2", "`m`, line 8: facet 1 of 2: its area between (0, 0) (1, 1) (1, 1) is 0e0: it is flat"),
    ] {
        let said = said(from, to);
        assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
    }
    let orphan = Mesh::parse("4 1\n0 0\n1 0\n1 1\n\n0 1\n0 1 2".as_bytes(), "m").unwrap_err().to_string();
    assert!(orphan.starts_with("`m`, line 6: vertex 3 of 4: it has no facet"), "{orphan}");
    let folder = tempfile::tempdir().unwrap();
    let said = Mesh::read(folder.path()).unwrap_err().to_string();
    assert!(said.contains("it is a folder, expected a file"), "{said}");
    let said = Mesh::read(&folder.path().join("none")).unwrap_err().to_string();
    assert!(said.starts_with("cannot read `") && said.contains("No such file"), "{said}");
}

#[test]
fn facets_have_area_and_mean_size() {
    let mesh = Mesh::jittered(40, 30, 1);
    assert!((0..mesh.facets.len()).all(|f| twice_area(&mesh.corners(f)) > 0.0));
    // A facet is half of a cell.
    assert!((metric::size(&mesh) - (1.0_f64 / 1200.0).sqrt()).abs() < 1e-15);
}
