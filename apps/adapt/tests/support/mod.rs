//! What must hold of a mesh, found from its corners alone.

use std::collections::{BTreeMap, BTreeSet};

use adapt::kernels::coarsen::FLAT;
use adapt::mesh::{Mesh, twice_area};
use adapt::metric::{LLOW, LUP, Tensor, length};
use op2::{Backend, Config, Op2, Ordering};

/// Facets by their directed edges.
///
/// # Panics
/// If an edge is there twice.
pub(crate) fn edges(mesh: &Mesh) -> BTreeMap<(u32, u32), usize> {
    let mut edges = BTreeMap::new();
    for (f, c) in mesh.facets.iter().enumerate() {
        for i in 0..3 {
            let edge = (c[i], c[(i + 1) % 3]);
            assert_eq!(edges.insert(edge, f), None, "edge {edge:?} is there twice");
        }
    }
    edges
}

/// Figures of a mesh that a phase keeps: twice the area, Euler's characteristic, the length of the boundary.
#[derive(Debug)]
pub(crate) struct Kept {
    area: f64,
    euler: isize,
    boundary: f64,
    corners: BTreeSet<[u64; 2]>,
}

/// Checks a mesh, and its neighbours as the loops have them.
pub(crate) fn check(mesh: &Mesh, neighbours: &[[Option<u32>; 3]]) -> Kept {
    let edges = edges(mesh);
    let mut seen = vec![false; mesh.vertices.len()];
    let mut area = 0.0;
    for (f, c) in mesh.facets.iter().enumerate() {
        let twice = twice_area(&mesh.corners(f));
        assert!(twice > 0.0, "facet {f} is flat or turned");
        area += twice;
        for i in 0..3 {
            seen[c[i] as usize] = true;
            let behind = edges.get(&(c[(i + 1) % 3], c[i])).map(|g| *g as u32);
            assert_eq!(neighbours[f][i], behind, "neighbour {i} of facet {f}");
        }
    }
    assert!(seen.iter().all(|seen| *seen), "a vertex without facets");
    let outer: Vec<_> = edges.keys().filter(|(a, b)| !edges.contains_key(&(*b, *a))).collect();
    let count = (edges.len() + outer.len()) / 2;
    let euler = mesh.vertices.len() as isize - count as isize + mesh.facets.len() as isize;
    let at = |v: u32| mesh.vertices[v as usize];
    let direction = |a: u32, b: u32| [at(b)[0] - at(a)[0], at(b)[1] - at(a)[1]];
    let boundary = outer
        .iter()
        .map(|(a, b)| {
            let [x, y] = direction(*a, *b);
            x.hypot(y)
        })
        .sum();
    let mut into: BTreeMap<u32, [f64; 2]> = outer.iter().map(|(a, b)| (*b, direction(*a, *b))).collect();
    let turns = |(a, b): &&&(u32, u32)| {
        let (u, w) = (into.remove(a).expect("a boundary that closes"), direction(*a, *b));
        (u[0] * w[1] - u[1] * w[0]).abs() > 1e-9 * u[0].hypot(u[1]) * w[0].hypot(w[1])
    };
    let corners = outer.iter().filter(turns).map(|(a, _)| at(*a).map(f64::to_bits)).collect();
    Kept { area, euler, boundary, corners }
}

/// Checks that a phase has kept the domain.
pub(crate) fn compare(before: &Kept, after: &Kept) {
    assert!((before.area - after.area).abs() <= 1e-12 * before.area, "area {before:?} {after:?}");
    assert!((before.boundary - after.boundary).abs() <= 1e-12 * before.boundary, "boundary {before:?} {after:?}");
    assert_eq!((before.euler, &before.corners), (after.euler, &after.corners));
}

/// Collapses of vertices inside the domain that are valid, found one by one.
pub(crate) fn valid_collapses(mesh: &Mesh, metric: &[Tensor]) -> Vec<(u32, u32)> {
    let edges = edges(mesh);
    let outer: BTreeSet<u32> =
        edges.keys().filter(|(a, b)| !edges.contains_key(&(*b, *a))).flat_map(|(a, b)| [*a, *b]).collect();
    let mut around = vec![Vec::new(); mesh.vertices.len()];
    for c in &mesh.facets {
        (0..3).for_each(|i| around[c[i] as usize].push([c[(i + 1) % 3], c[(i + 2) % 3]]));
    }
    let at = |v: u32| mesh.vertices[v as usize];
    let long = |a: u32, b: u32| length(at(a), at(b), metric[a as usize], metric[b as usize]);
    let valid = |v: u32, t: u32| {
        let beside: Vec<u32> = around[v as usize].iter().filter(|e| e.contains(&t)).flatten().copied().collect();
        long(v, t) < LLOW
            && around[v as usize].iter().filter(|e| !e.contains(&t)).all(|[p, q]| {
                let [a, b] = [at(*p), at(*q)].map(|p| [p[0] - at(t)[0], p[1] - at(t)[1]]);
                let size = a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1];
                twice_area(&[at(t), at(*p), at(*q)]) > FLAT * size
                    && [p, q].into_iter().all(|p| beside.contains(p) || long(t, *p) <= LUP)
            })
    };
    let short = edges.keys().filter(|(v, t)| !outer.contains(v) && valid(*v, *t));
    short.copied().collect()
}

/// An `Op2` of each kind: in order, on 1 to 3 threads, with elements in another order inside, and on the emulator.
pub(crate) fn each_kind() -> Vec<(&'static str, Op2, Option<Ordering>)> {
    let on = |backend| Op2::with(Config::default().backend(backend)).expect("an Op2");
    vec![
        ("seq", on(Backend::Seq), None),
        ("1 thread", on(Backend::Threads(1)), None),
        ("2 threads", on(Backend::Threads(2)), None),
        ("3 threads", on(Backend::Threads(3)), Some(Ordering::Gps)),
        ("shuffled", Op2::with(Config::default().backend(Backend::Threads(2)).shuffled(7)).expect("an Op2"), None),
        ("emulator", on(Backend::CudaEmu), None),
    ]
}
