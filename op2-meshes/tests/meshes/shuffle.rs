//! Shuffled meshes are the same meshes.

use op2_meshes::{Permutation, plane, space};
use proptest::prelude::*;

proptest! {
    #[test]
    fn permutations_are_bijective(len in 0..200u32, seed: u64) {
        let by = Permutation::random(len, seed);
        let mut old = by.old().to_vec();
        old.sort_unstable();
        prop_assert!(old.into_iter().eq(0..len));
        prop_assert!((0..len).all(|k| by.new_numbers()[by.old()[k as usize] as usize] == k));
        prop_assert_eq!(by.inverse().rows(by.old()), Vec::from_iter(0..len));
    }

    #[test]
    fn plane_meshes_come_back(nx in 3..8usize, ny in 3..8usize, seed: u64, periodic: bool) {
        let (quads, triangles) = (plane::quads(nx, ny), plane::triangles(nx, ny));
        let quads = if periodic { quads.periodic() } else { quads }.build().unwrap();
        let (mesh, by) = quads.shuffled(seed);
        prop_assert_eq!(mesh.renumbered(&by.inverse()), quads);
        let triangles = if periodic { triangles.periodic() } else { triangles }.build().unwrap();
        let (mesh, by) = triangles.shuffled(seed);
        prop_assert_eq!(mesh.renumbered(&by.inverse()), triangles);
    }

    #[test]
    fn space_meshes_come_back(nx in 1..5usize, ny in 1..5usize, nz in 1..5usize, seed: u64) {
        let hexahedra = space::hexahedra(nx, ny, nz).build().unwrap();
        let (mesh, by) = hexahedra.shuffled(seed);
        prop_assert_eq!(mesh.renumbered(&by.inverse()), hexahedra);
        let tetrahedra = space::tetrahedra(nx, ny, nz).build().unwrap();
        let (mesh, by) = tetrahedra.shuffled(seed);
        prop_assert_eq!(mesh.renumbered(&by.inverse()), tetrahedra);
    }
}

/// Compares element by element by the meaning of old and new numbers, not by the inverse. Since the order is random, an
/// entry that was looked up in the wrong set would show.
#[test]
fn every_map_follows_both_its_sets() {
    let mesh = space::tetrahedra(3, 4, 2).build().unwrap();
    let (shuffled, by) = mesh.shuffled(7);
    let same = |new: &[u32], old: &[u32], to: &Permutation| {
        assert_eq!(Vec::from_iter(new.iter().map(|&k| to.old()[k as usize])), old);
    };
    let all_faces = by.faces.then(&by.bfaces);
    for (new, &old) in by.cells.old().iter().enumerate() {
        let old = old as usize;
        same(&shuffled.cell_nodes[new], &mesh.cell_nodes[old], &by.nodes);
        same(&shuffled.cell_edges[new], &mesh.cell_edges[old], &by.edges);
        same(&shuffled.cell_faces[new], &mesh.cell_faces[old], &all_faces);
    }
    for (new, &old) in by.edges.old().iter().enumerate() {
        same(&shuffled.edge_nodes[new], &mesh.edge_nodes[old as usize], &by.nodes);
    }
    for (new, &old) in by.faces.old().iter().enumerate() {
        same(&shuffled.face_nodes[new], &mesh.face_nodes[old as usize], &by.nodes);
        same(&shuffled.face_cells[new], &mesh.face_cells[old as usize], &by.cells);
    }
    for (new, &old) in by.bfaces.old().iter().enumerate() {
        same(&shuffled.bface_nodes[new], &mesh.bface_nodes[old as usize], &by.nodes);
        same(&shuffled.bface_cell[new], &mesh.bface_cell[old as usize], &by.cells);
    }
    for (new, &old) in by.nodes.old().iter().enumerate() {
        assert_eq!(shuffled.x[new], mesh.x[old as usize]);
    }
}

#[test]
fn the_seed_decides() {
    let mesh = plane::quads(20, 20).build().unwrap();
    assert_eq!(mesh.shuffled(1), mesh.shuffled(1));
    assert_ne!(mesh.shuffled(1).0, mesh.shuffled(2).0);
    // Computed without this crate and `rand`, by the definitions of xoshiro256++ and of SplitMix64, which seeds it. The
    // meshes of published tables must not change with a new version.
    assert_eq!(Permutation::random(8, 42).old(), [7, 0, 1, 4, 3, 5, 2, 6]);
}

/// Two random numbers below n differ by n/3 on average; in a row-wise numbering neighbours differ by at most a row.
#[test]
fn shuffling_takes_locality_away() {
    let mesh = plane::quads(50, 50).build().unwrap();
    let (shuffled, by) = mesh.shuffled(3);
    let distance = |rows: &[[u32; 2]], targets: usize| {
        rows.iter().map(|[a, b]| f64::from(a.abs_diff(*b))).sum::<f64>() / (rows.len() * targets) as f64
    };
    assert!(distance(&mesh.edge_nodes, mesh.x.len()) < 0.02);
    assert!((distance(&shuffled.edge_nodes, mesh.x.len()) - 1.0 / 3.0).abs() < 0.02);
    assert!((distance(&shuffled.edge_cells, mesh.cell_nodes.len()) - 1.0 / 3.0).abs() < 0.02);
    for order in [&by.nodes, &by.edges, &by.bedges, &by.cells] {
        let moved = order.old().iter().enumerate().filter(|(new, old)| *new as u32 != **old).count();
        assert!(moved * 10 > order.old().len() * 9);
    }
}

#[test]
fn joined_sets_keep_their_order() {
    let (first, rest) = (Permutation::random(5, 1), Permutation::random(3, 2));
    let joined = first.then(&rest).rows(&[0, 1, 2, 3, 4, 10, 11, 12]);
    assert_eq!(joined[..5], first.rows(&[0, 1, 2, 3, 4]));
    assert_eq!(joined[5..], rest.rows(&[10, 11, 12]));
    assert_eq!(first.then(&Permutation::identity(0)), first);
}

#[test]
#[should_panic(expected = "rows of a set of another size")]
fn rows_of_another_set_are_refused() {
    Permutation::identity(3).rows(&[1, 2]);
}
