//! Meshes of the cube: topology, orientation, geometry.

use crate::common::*;
use op2_meshes::space::{self, Hexahedra, Mesh, Tetrahedra};
use proptest::prelude::*;

/// The offsets of a hexahedron's corners from corner 0.
const CORNERS: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

proptest! {
    #[test]
    fn hexahedra_are_sound(case in cases::<3>()) {
        check_hexahedra(case);
    }

    #[test]
    fn tetrahedra_are_sound(case in cases::<3>()) {
        check_tetrahedra(case);
    }
}

#[test]
fn smallest_meshes_are_sound() {
    for bricks in [[1, 1, 1], [1, 1, 5], [1, 5, 1], [5, 1, 1], [2, 2, 2]] {
        check_hexahedra(Case::plain(bricks));
        check_tetrahedra(Case::plain(bricks));
    }
    let torus = Case { periodic: true, ..Case::plain([3, 3, 3]) };
    check_hexahedra(torus);
    check_tetrahedra(torus);
}

#[test]
fn one_brick_has_known_counts() {
    let hexahedron = space::hexahedra(1, 1, 1).build().unwrap();
    assert_eq!((hexahedron.x.len(), hexahedron.edge_nodes.len()), (8, 12));
    assert_eq!((hexahedron.face_nodes.len(), hexahedron.bface_nodes.len()), (0, 6));
    // In addition to the brick's edges there is a diagonal of each side, and one of the brick, which all six cells
    // share.
    let cut = space::tetrahedra(1, 1, 1).build().unwrap();
    assert_eq!((cut.cell_nodes.len(), cut.edge_nodes.len()), (6, 19));
    assert_eq!((cut.face_nodes.len(), cut.bface_nodes.len()), (6, 12));
    assert!(cut.cell_nodes.iter().all(|corners| corners.contains(&0) && corners.contains(&7)));
}

fn check_hexahedra(case: Case<3>) {
    let [nx, ny, nz] = case.bricks;
    let built = case.options(space::hexahedra(nx, ny, nz));
    let spacings = case.spacings();
    for (cell, corners) in built.cell_nodes.iter().enumerate() {
        let sides = [spacings[0][cell % nx], spacings[1][cell / nx % ny], spacings[2][cell / nx / ny]];
        for (corner, offset) in corners.iter().zip(CORNERS) {
            let way = way(built.x[corners[0] as usize], built.x[*corner as usize], case.periodic);
            assert!((0..3).all(|d| close(way[d], offset[d] * sides[d])), "{corners:?}");
        }
    }
    let mesh: Hexahedra = case.seed.map_or(built.clone(), |seed| built.shuffled(seed).0);
    check_topology(&mesh, case, 1);
    check_geometry(&mesh, case.periodic);

    let edges = [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]];
    check_parts(&mesh.cell_nodes, &mesh.cell_edges, &mesh.edge_nodes, edges);
    // The corners at the lower and upper end of x, y, z.
    let at_end = |face: usize| {
        let mut at_end = (0..8).filter(|&k| CORNERS[k][face / 2] == (face % 2) as f64);
        std::array::from_fn(|_| at_end.next().unwrap())
    };
    check_parts(
        &mesh.cell_nodes,
        &mesh.cell_faces,
        &mesh.all_face_nodes(),
        std::array::from_fn::<[_; 4], 6, _>(at_end),
    );
}

fn check_tetrahedra(case: Case<3>) {
    let [nx, ny, nz] = case.bricks;
    let built = case.options(space::tetrahedra(nx, ny, nz));
    let mesh: Tetrahedra = case.seed.map_or(built.clone(), |seed| built.shuffled(seed).0);
    check_topology(&mesh, case, 6);
    check_geometry(&mesh, case.periodic);
    for corners in &mesh.cell_nodes {
        let [b, c, d] = [1, 2, 3].map(|k| way(mesh.x[corners[0] as usize], mesh.x[corners[k] as usize], case.periodic));
        assert!(dot(cross(b, c), d) > 0.0);
    }
    check_parts(&mesh.cell_nodes, &mesh.cell_edges, &mesh.edge_nodes, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    let opposite = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    check_parts(&mesh.cell_nodes, &mesh.cell_faces, &mesh.all_face_nodes(), opposite);
}

/// Checks that each cell's parts have the documented corners.
fn check_parts<const C: usize, const L: usize, const N: usize>(
    cell_nodes: &[[u32; C]],
    cell_parts: &[[u32; L]],
    part_nodes: &[[u32; N]],
    local: [[usize; N]; L],
) {
    for (corners, parts) in cell_nodes.iter().zip(cell_parts) {
        for (&part, local) in parts.iter().zip(local) {
            assert_eq!(sorted(part_nodes[part as usize]), sorted(local.map(|k| corners[k])));
        }
    }
}

fn check_topology<const C: usize, const E: usize, const F: usize, const N: usize>(
    mesh: &Mesh<C, E, F, N>,
    case: Case<3>,
    cells_per_brick: usize,
) {
    let [nx, ny, nz] = case.bricks;
    assert_eq!(mesh.x.len(), case.points());
    assert_eq!(mesh.cell_nodes.len(), nx * ny * nz * cells_per_brick);
    let faces = mesh.all_face_nodes();
    let counts = [mesh.x.len(), mesh.edge_nodes.len(), faces.len(), mesh.cell_nodes.len()].map(|n| n as i64);
    let euler = counts[0] - counts[1] + counts[2] - counts[3];
    assert_eq!(euler, if case.periodic { 0 } else { 1 });
    // A side of a brick is one quadrilateral or two triangles.
    let sides = if case.periodic { 0 } else { 2 * (nx * ny + ny * nz + nz * nx) };
    assert_eq!(mesh.bface_nodes.len(), sides * (5 - N));

    check_rows(&mesh.edge_nodes, mesh.x.len());
    check_rows(&faces, mesh.x.len());
    check_rows(&mesh.cell_nodes, mesh.x.len());
    check_rows(&mesh.cell_edges, mesh.edge_nodes.len());
    check_rows(&mesh.cell_faces, faces.len());
    assert_eq!(mesh.face_cells.len(), mesh.face_nodes.len());
    assert_eq!(mesh.bface_cell.len(), mesh.bface_nodes.len());
    assert!(mesh.face_cells.iter().all(|[first, second]| first != second));
    check_sides(&mesh.cell_faces, &mesh.face_cells, &mesh.bface_cell);
}

/// Checks that the normals of each cell's faces add up to zero and, by the divergence theorem, to a positive volume;
/// that the volumes fill the cube; and that edges run upwards.
fn check_geometry<const C: usize, const E: usize, const F: usize, const N: usize>(
    mesh: &Mesh<C, E, F, N>,
    periodic: bool,
) {
    let between = |a: u32, b: u32| way(mesh.x[a as usize], mesh.x[b as usize], periodic);
    let mut closed = vec![[0.0; 3]; mesh.cell_nodes.len()];
    let mut volumes = vec![0.0; mesh.cell_nodes.len()];
    let mut outward = |corners: [u32; N], cell: u32, sign: f64| {
        // A plane face is a fan of triangles.
        for k in 1..N - 1 {
            let normal = cross(between(corners[0], corners[k]), between(corners[0], corners[k + 1])).map(|n| n / 2.0);
            let cell = cell as usize;
            add(&mut closed[cell], sign, normal);
            volumes[cell] += sign * dot(normal, between(mesh.cell_nodes[cell][0], corners[0])) / 3.0;
        }
    };
    for (&nodes, &[first, second]) in mesh.face_nodes.iter().zip(&mesh.face_cells) {
        outward(nodes, first, 1.0);
        outward(nodes, second, -1.0);
    }
    for (&nodes, &[cell]) in mesh.bface_nodes.iter().zip(&mesh.bface_cell) {
        outward(nodes, cell, 1.0);
    }
    assert!(closed.iter().flatten().all(|&sum| close(sum, 0.0)));
    assert!(volumes.iter().all(|&volume| volume > 0.0));
    assert!(close(volumes.iter().sum(), 1.0));
    assert!(mesh.edge_nodes.iter().all(|&[a, b]| between(a, b).iter().all(|&d| d >= 0.0)));
}
