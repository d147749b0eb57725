//! Meshes of the square: topology, orientation, geometry.

use crate::common::*;
use op2_meshes::plane::{self, Mesh};
use proptest::prelude::*;

proptest! {
    #[test]
    fn quads_are_sound(case in cases::<2>()) {
        check_quads(case);
    }

    #[test]
    fn triangles_are_sound(case in cases::<2>()) {
        check_triangles(case);
    }
}

#[test]
fn smallest_meshes_are_sound() {
    for bricks in [[1, 1], [1, 7], [7, 1], [2, 2]] {
        check_quads(Case::plain(bricks));
        check_triangles(Case::plain(bricks));
    }
    let torus = Case { periodic: true, ..Case::plain([3, 3]) };
    check_quads(torus);
    check_triangles(torus);
}

#[test]
fn one_quad_has_four_boundary_edges() {
    let mesh = plane::quads(1, 1).build().unwrap();
    assert_eq!(mesh.x, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    assert_eq!(mesh.cell_nodes, [[0, 1, 3, 2]]);
    assert_eq!(mesh.bedge_nodes, [[0, 1], [1, 3], [3, 2], [2, 0]]);
    assert!(mesh.edge_nodes.is_empty());
}

#[test]
fn triangles_share_the_rising_diagonal() {
    let mesh = plane::triangles(1, 1).build().unwrap();
    assert_eq!(mesh.cell_nodes, [[0, 1, 3], [0, 3, 2]]);
    assert_eq!((mesh.edge_nodes, mesh.edge_cells), (vec![[3, 0]], vec![[0, 1]]));
}

#[test]
fn opposite_sides_of_a_torus_are_one() {
    let mesh = plane::quads(4, 3).periodic().build().unwrap();
    assert_eq!(mesh.x.len(), 12);
    assert_eq!(mesh.cell_nodes[3], [3, 0, 4, 7], "last of the lower row");
    assert_eq!(mesh.cell_nodes[11], [11, 8, 0, 3], "last of the upper row");
}

fn check_quads(case: Case<2>) {
    let [nx, ny] = case.bricks;
    let mesh = case.options(plane::quads(nx, ny));
    let spacings = case.spacings();
    for (cell, corners) in mesh.cell_nodes.iter().enumerate() {
        let sides = [spacings[0][cell % nx], spacings[1][cell / nx]];
        for (corner, offset) in corners.iter().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
            let way = way(mesh.x[corners[0] as usize], mesh.x[*corner as usize], case.periodic);
            assert!((0..2).all(|d| close(way[d], offset[d] * sides[d])), "{corners:?}");
        }
    }
    check(&mesh, case, 1);
}

fn check_triangles(case: Case<2>) {
    let [nx, ny] = case.bricks;
    check(&case.options(plane::triangles(nx, ny)), case, 2);
}

fn check<const C: usize>(built: &Mesh<C>, case: Case<2>, cells_per_brick: usize) {
    let shuffled = case.seed.map(|seed| built.shuffled(seed).0);
    let mesh = shuffled.as_ref().unwrap_or(built);
    check_topology(mesh, case, cells_per_brick);
    check_geometry(mesh, case.periodic);
}

fn check_topology<const C: usize>(mesh: &Mesh<C>, case: Case<2>, cells_per_brick: usize) {
    let [nx, ny] = case.bricks;
    assert_eq!(mesh.x.len(), case.points());
    assert_eq!(mesh.cell_nodes.len(), nx * ny * cells_per_brick);
    assert_eq!(mesh.bedge_nodes.len(), if case.periodic { 0 } else { 2 * (nx + ny) });
    let edges = mesh.all_edge_nodes();
    let euler = mesh.x.len() as i64 - edges.len() as i64 + mesh.cell_nodes.len() as i64;
    assert_eq!(euler, if case.periodic { 0 } else { 1 });

    check_rows(&edges, mesh.x.len());
    check_rows(&mesh.cell_nodes, mesh.x.len());
    check_rows(&mesh.cell_edges, edges.len());
    assert_eq!(mesh.edge_cells.len(), mesh.edge_nodes.len());
    assert_eq!(mesh.bedge_cell.len(), mesh.bedge_nodes.len());
    assert!(mesh.edge_cells.iter().all(|[left, right]| left != right));
    check_sides(&mesh.cell_edges, &mesh.edge_cells, &mesh.bedge_cell);
    for (corners, own) in mesh.cell_nodes.iter().zip(&mesh.cell_edges) {
        for (k, &edge) in own.iter().enumerate() {
            assert_eq!(sorted(edges[edge as usize]), sorted([corners[k], corners[(k + 1) % C]]));
        }
    }
}

/// Checks that areas are positive and fill the square, that the normals of each cell's edges add up to zero, and that
/// by the divergence theorem they give the cell's area, so none of them points the wrong way.
fn check_geometry<const C: usize>(mesh: &Mesh<C>, periodic: bool) {
    let between = |a: u32, b: u32| way(mesh.x[a as usize], mesh.x[b as usize], periodic);
    let areas: Vec<f64> = mesh
        .cell_nodes
        .iter()
        .map(|corners| {
            let turn = |k: usize| {
                let (a, b) = (between(corners[0], corners[k]), between(corners[0], corners[k + 1]));
                (a[0] * b[1] - a[1] * b[0]) / 2.0
            };
            (1..C - 1).map(turn).sum()
        })
        .collect();
    assert!(areas.iter().all(|&area| area > 0.0));
    assert!(close(areas.iter().sum(), 1.0));

    let mut closed = vec![[0.0; 2]; areas.len()];
    let mut twice = vec![0.0; areas.len()];
    let mut outward = |[a, b]: [u32; 2], cell: u32, sign: f64| {
        let ([dx, dy], cell) = (between(a, b), cell as usize);
        add(&mut closed[cell], sign, [dy, -dx]);
        twice[cell] += sign * dot([dy, -dx], between(mesh.cell_nodes[cell][0], a));
    };
    for (&nodes, &[left, right]) in mesh.edge_nodes.iter().zip(&mesh.edge_cells) {
        outward(nodes, left, 1.0);
        outward(nodes, right, -1.0);
    }
    for (&nodes, &[cell]) in mesh.bedge_nodes.iter().zip(&mesh.bedge_cell) {
        outward(nodes, cell, 1.0);
    }
    assert!(closed.iter().flatten().all(|&sum| close(sum, 0.0)));
    assert!(twice.iter().zip(&areas).all(|(&twice, &area)| close(twice, 2.0 * area)));
}
