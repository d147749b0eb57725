//! The median dual: it closes around every node and fills the domain, wherever the nodes are.

use crate::common::*;
use op2_meshes::dual::Dual;
use op2_meshes::space::{self, Mesh};
use proptest::prelude::*;

proptest! {
    #[test]
    fn duals_close_and_fill(case in cases::<3>(), crooked in 0.0..0.15) {
        let [nx, ny, nz] = case.bricks;
        let case = Case { periodic: false, ..case };
        let least = case.spacings().iter().flatten().copied().fold(1.0, f64::min);
        let mut hexahedra = case.options(space::hexahedra(nx, ny, nz));
        let mut tetrahedra = case.options(space::tetrahedra(nx, ny, nz));
        if let Some(seed) = case.seed {
            (hexahedra, tetrahedra) = (hexahedra.shuffled(seed).0, tetrahedra.shuffled(seed).0);
        }
        move_nodes(&mut hexahedra.x, crooked * least);
        move_nodes(&mut tetrahedra.x, crooked * least);
        check(&hexahedra, &hexahedra.dual());
        check(&tetrahedra, &tetrahedra.dual());
    }
}

/// For a cube of hexahedra everything is known: interior dual cells are bricks, too.
#[test]
fn equal_bricks_have_known_duals() {
    let mesh = space::hexahedra(4, 2, 2).build().unwrap();
    let dual = mesh.dual();
    let inside = |x: &[f64; 3]| x.iter().all(|&x| x > 0.0 && x < 1.0);
    for (x, &volume) in mesh.x.iter().zip(&dual.volumes) {
        let halves = x.iter().filter(|&&x| x == 0.0 || x == 1.0).count();
        assert!(close(volume, 0.0625 / f64::powi(2.0, halves as i32)), "{x:?} {volume}");
    }
    for (&[a, b], normal) in mesh.edge_nodes.iter().zip(&dual.normals) {
        if inside(&mesh.x[a as usize]) && inside(&mesh.x[b as usize]) {
            let way = way(mesh.x[a as usize], mesh.x[b as usize], false);
            let area = 0.0625 / dot(way, way).sqrt();
            let expected = way.map(|d| area * d / dot(way, way).sqrt());
            assert!((0..3).all(|d| close(normal[d], expected[d])), "{normal:?} {expected:?}");
        }
    }
}

#[test]
#[should_panic(expected = "the mesh is periodic")]
fn periodic_meshes_are_refused() {
    space::hexahedra(3, 3, 3).periodic().build().unwrap().dual();
}

/// Moves every node by less than `by` in each direction, without a pattern that cells could follow.
fn move_nodes(x: &mut [[f64; 3]], by: f64) {
    for (k, x) in x.iter_mut().enumerate() {
        for (d, x) in x.iter_mut().enumerate() {
            *x += by * (12.9898 * k as f64 + 78.233 * d as f64).sin();
        }
    }
}

fn check<const C: usize, const E: usize, const F: usize, const N: usize>(mesh: &Mesh<C, E, F, N>, dual: &Dual<N>) {
    let mut around = vec![[0.0; 3]; mesh.x.len()];
    for (&[a, b], &normal) in mesh.edge_nodes.iter().zip(&dual.normals) {
        add(&mut around[a as usize], 1.0, normal);
        add(&mut around[b as usize], -1.0, normal);
    }
    // The volume by the divergence theorem, from the boundary alone: fans of triangles around the centres of faces.
    let mut volume = 0.0;
    for (corners, parts) in mesh.bface_nodes.iter().zip(&dual.boundary) {
        let x = corners.map(|corner| mesh.x[corner as usize]);
        let mut centre = [0.0; 3];
        x.iter().for_each(|&x| add(&mut centre, 1.0 / N as f64, x));
        for k in 0..N {
            add(&mut around[corners[k] as usize], 1.0, parts[k]);
            volume += dot(centre, cross(x[k], x[(k + 1) % N])) / 6.0;
        }
    }
    assert!(around.iter().flatten().all(|&sum| sum.abs() < 1e-14), "a dual cell is open");
    assert!(close(dual.volumes.iter().sum(), volume), "{} {volume}", dual.volumes.iter().sum::<f64>());
    assert!(dual.volumes.iter().all(|&volume| volume > 0.0));
}
