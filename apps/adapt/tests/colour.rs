//! Colours of facets: neighbours differ, and everybody finds the same.

mod support;

use adapt::loops::Adaptive;
use adapt::mesh::edges::adjacency;
use adapt::mesh::{Kind, Mesh};
use adapt::metric::Metric;
use support::each_kind;

/// The same colours one by one: in the order of falling ranks, each facet gets the lowest colour that no neighbour has so far.
fn one_by_one(near: &[[Option<u32>; 3]]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..near.len() as u32).collect();
    order.sort_by_key(|f| std::cmp::Reverse(adapt::kernels::hash(*f)));
    let mut colours = vec![None; near.len()];
    for f in order {
        let free = |colour: &u32| near[f as usize].iter().flatten().all(|g| colours[*g as usize] != Some(*colour));
        let found = (0..).find(free);
        colours[f as usize] = found;
    }
    colours.into_iter().flatten().collect()
}

#[test]
fn neighbours_have_different_colours() {
    let meshes = [Mesh::jittered(16, 11, 5).shuffled(3), Kind::RandomHoles.mesh(900, 1).unwrap()];
    for mesh in meshes {
        let metric = Metric::uniform(&mesh, 1.0);
        let near = adjacency(&mesh.facets, mesh.vertices.len());
        let expected = one_by_one(&near);
        for (f, around) in near.iter().enumerate() {
            assert!(around.iter().flatten().all(|g| expected[*g as usize] != expected[f]));
        }
        for (name, mut op, ordering) in each_kind() {
            let mut adaptive = Adaptive::new(&mut op, &mesh, &metric, &[]).unwrap();
            if let Some(ordering) = ordering {
                op.reorder(ordering).unwrap();
            }
            let (colours, sweeps) = adaptive.colours(&mut op).unwrap();
            assert_eq!(colours, expected, "{name}");
            assert!(sweeps < 20, "{sweeps} sweeps");
        }
    }
}
