//! Each check of verification passes on a good mesh and fails on one that is broken in that respect.

use std::collections::HashMap;

use adapt::field::Function;
use adapt::mesh::{Kind, Mesh, edges};
use adapt::metric::Metric;
use adapt::outcome::Counts;
use adapt::verify::collapse::{find, none_left, none_made_long};
use adapt::verify::divide::{Division, closure, divided, halves, places};
use adapt::verify::phases::{self, State};
use adapt::verify::{self, Changes, Facts, same_domain};

/// 4 by 4 squares, vertices row by row.
fn squares() -> Mesh {
    Kind::Structured.mesh(32, 0).unwrap()
}

/// A metric whose directions and sizes vary from node to node.
fn wild(mesh: &Mesh, seed: u64, scale: f64) -> Metric {
    let h = adapt::metric::size(mesh);
    Metric::over(mesh, [5, 4], |[x, y]| {
        let turn = 40.0 * (x + 0.3 * seed as f64).sin() + 17.0 * y;
        let (s, c) = turn.sin_cos();
        let [a, b] =
            [1.0 + 3.0 * (7.0 * x + y).sin().abs(), 0.3 + (5.0 * y).cos().abs()].map(|l| (scale * l / h).powi(2));
        [a * c * c + b * s * s, (a - b) * s * c, a * s * s + b * c * c]
    })
}

fn facts(mesh: &Mesh) -> Facts {
    Facts::of(mesh).unwrap()
}

#[test]
fn facts_of_known_meshes() {
    let whole = facts(&squares());
    assert_eq!((whole.vertices, whole.facets, whole.euler), (25, 32, 1));
    assert!((whole.area - 1.0).abs() < 1e-15 && (whole.boundary - 4.0).abs() < 1e-15);
    assert_eq!(whole.corners, [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    let holes = facts(&Kind::StructuredHoles.mesh(2688, 0).unwrap());
    assert_eq!((holes.euler, holes.corners.len()), (-2, 16));
    assert!((holes.area - 0.84).abs() < 1e-14, "{}", holes.area);
    assert!((holes.boundary - (4.0 + 0.8 + 0.8 + 1.2)).abs() < 1e-13, "{}", holes.boundary);
}

type Break = &'static dyn Fn(&mut Mesh);

#[test]
fn broken_meshes_have_no_facts() {
    let said = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = squares();
        change(&mut mesh);
        Facts::of(&mesh).map_or_else(|e| e.to_string(), |_| "nothing".into())
    };
    let cases: [(Break, &str); 7] = [
        // Thin facets are allowed here, and not in files.
        (&|m| m.vertices[6] = [1e-14, 1e-14], "nothing"),
        (
            &|m| m.facets[3].swap(0, 1),
            "facet 3 of 32: its area between (0.5, 0.25) (0.25, 0) (0.25, 0.25) is -3.125e-2",
        ),
        (&|m| m.vertices[6] = [0.75, 0.75], "facet 10 of 32: its area between"),
        (&|m| m.facets.push(m.facets[4]), "facet 32 of 33: its vertices 2 3 8 are those of facet 4"),
        (&|m| m.vertices.push([0.3, 0.3]), "vertex 25 of 26: it has no facet"),
        (&|m| m.facets.retain(|f| ![[7, 13, 12], [11, 12, 17]].contains(f)), "vertex 12 of 25: 2 of its 4 facets"),
        (&|m| m.vertices[9][0] = f64::NAN, "vertex 9 of 25: its place is (NaN"),
    ];
    for (change, expected) in cases {
        let said = said(change);
        assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
    }
}

#[test]
fn other_domains_are_told_apart() {
    let before = facts(&squares());
    let said = |after: &Facts| same_domain(&before, after).map_or_else(|e| e.to_string(), |()| "same".into());
    let moved = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = squares();
        change(&mut mesh);
        said(&facts(&mesh))
    };
    assert_eq!(moved(&|m| m.vertices[12] = [0.51, 0.48]), "same");
    assert_eq!(said(&facts(&Kind::Jittered.mesh(500, 1).unwrap())), "same");
    let cut = moved(&|m| m.vertices[0] = [1e-6, 1e-6]);
    assert!(cut.starts_with("the sum of the areas is 0.99999975, expected 1 as before"), "{cut}");
    let round = said(&Facts { area: 1.0 + 2e-12, ..before.clone() });
    assert!(round.starts_with("the sum of the areas is"), "{round}");
    // A facet less makes a hole.
    let hole = moved(&|m| m.facets.truncate(31));
    assert!(hole.starts_with("the sum of the areas is 0.96875"), "{hole}");
    assert_eq!(said(&Facts { euler: 0, ..before.clone() }), "Euler's characteristic is 0, expected 1 as before");
    // One vertex of a side out, another in: the same area.
    let zigzag = moved(&|m| {
        m.vertices[1][1] = -0.1;
        m.vertices[3][1] = 0.1;
    });
    assert!(zigzag.starts_with("the length of the boundary is 4.0"), "{zigzag}");
    // Two corners change places with points beside them, at which the boundary is as long.
    let other = Facts { corners: vec![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.9]], ..before.clone() };
    assert_eq!(
        said(&other),
        "the boundary has 4 corners, expected 4 as before; corner 3 in their order is (1, 0.9), expected (1, 1)"
    );
    let fewer = Facts { corners: before.corners[..3].to_vec(), ..before.clone() };
    assert!(
        said(&fewer).ends_with("has 3 corners, expected 4 as before; corner 3 in their order is none, expected (1, 1)")
    );
}

#[test]
fn wrong_neighbours_are_told() {
    let mesh = squares().shuffled(1);
    let mut near = edges::adjacency(&mesh.facets, 25);
    verify::adjacency(&mesh, &near).unwrap();
    near[7].rotate_left(1);
    let said = verify::adjacency(&mesh, &near).unwrap_err().to_string();
    assert!(said.starts_with("facet 7 of 32: its neighbours are stored as "), "{said}");
    near.pop();
    let said = verify::adjacency(&mesh, &near).unwrap_err().to_string();
    assert_eq!(said, "the neighbours of 31 facets are stored, expected 32");
}

#[test]
fn numbers_follow_from_collapses_and_divisions() {
    let before = Facts { vertices: 100, facets: 150, ..facts(&squares()) };
    let changes = Changes { collapses: 10, merged: 4, red: 5, green: 7, split: 12 };
    let after = Facts { vertices: 102, facets: 150 - 20 - 4 + 15 + 7, ..before.clone() };
    verify::counts(&before, &after, &changes).unwrap();
    for wrong in [
        Changes { collapses: 11, ..changes },
        Changes { merged: 3, ..changes },
        Changes { red: 6, ..changes },
        Changes { green: 8, ..changes },
        Changes { split: 11, ..changes },
        Changes { collapses: 500, ..changes },
    ] {
        let said = verify::counts(&before, &after, &wrong).unwrap_err().to_string();
        assert!(said.starts_with("the mesh has "), "{said}");
    }
}

/// The mesh in which v collapsed onto t.
fn collapsed(mesh: &Mesh, [v, t]: [u32; 2]) -> Mesh {
    let kept = mesh.facets.iter().filter(|facet| !(facet.contains(&v) && facet.contains(&t)));
    let number = |corner: u32| if corner > v { corner - 1 } else { corner };
    let facets = kept.map(|facet| facet.map(|corner| number(if corner == v { t } else { corner }))).collect();
    let mut vertices = mesh.vertices.clone();
    vertices.remove(v as usize);
    Mesh { vertices, facets }
}

/// One collapse after the other, until the search finds no more.
#[test]
fn collapses_that_the_search_finds_keep_all_that_must_hold() {
    for (kind, seed) in [(Kind::Jittered, 1), (Kind::RandomHoles, 2), (Kind::Random, 3)] {
        let before = kind.mesh(600, seed).unwrap();
        for metric in [Metric::uniform(&before, 0.35), wild(&before, seed, 0.4)] {
            let mut mesh = before.clone();
            let mut collapses = 0;
            let said = none_left(&mesh, &metric.at_vertices(&mesh)).unwrap_err().to_string();
            assert!(said.contains("it could still collapse onto vertex "), "{said}");
            while let Some(ends) = find(&mesh, &metric.at_vertices(&mesh)) {
                mesh = collapsed(&mesh, ends);
                collapses += 1;
            }
            let [old, new] = [&before, &mesh].map(facts);
            same_domain(&old, &new).unwrap();
            verify::counts(&old, &new, &Changes { collapses, ..Changes::default() }).unwrap();
            none_made_long(&before, &mesh, &metric.at_vertices(&mesh)).unwrap();
            none_left(&mesh, &metric.at_vertices(&mesh)).unwrap();
            assert!(collapses > 20, "{kind}: {collapses}");
        }
    }
}

#[test]
fn a_collapse_along_a_long_edge_makes_longer_ones() {
    let before = squares();
    let after = collapsed(&before, [12, 7]);
    facts(&after);
    let tensors = |mesh: &Mesh| Metric::uniform(&before, 1.0).at_vertices(mesh);
    // Diagonals of 1.41 were there before, edges of 2 are new.
    none_made_long(&before, &before, &tensors(&before)).unwrap();
    let said = none_made_long(&before, &after, &tensors(&after)).unwrap_err().to_string();
    assert!(said.contains(" long and was not there before, expected at most 1.414"), "{said}");
    none_made_long(&after, &after, &tensors(&after)).unwrap();
}

#[test]
fn collapses_that_are_not_valid_are_not_asked_for() {
    let mesh = squares();
    let at = |scale: f64| Metric::uniform(&mesh, scale).at_vertices(&mesh);
    // Sides of 0.71 and more are not short.
    none_left(&mesh, &at(0.7072)).unwrap();
    assert_eq!(find(&mesh, &at(0.7070)), None, "a collapse makes edges of √5·0.707 > √2");
    assert!(find(&mesh, &at(0.6)).is_some());
    // Of two squares no vertex is inside.
    let border = Kind::Structured.mesh(2, 0).unwrap();
    assert_eq!(find(&border, &[[1e-6, 0.0, 1e-6]; 4]), None);
    // The middle of a star with deep notches: from every other vertex, some facet is turned over.
    let place = |k: usize| {
        let (angle, r) = (std::f64::consts::TAU * k as f64 / 10.0, if k.is_multiple_of(2) { 1.0 } else { 0.2 });
        [r * angle.cos(), r * angle.sin()]
    };
    let star = |notch: f64| Mesh {
        vertices: (0..10)
            .map(|k| place(k).map(|c| if k.is_multiple_of(2) { c } else { notch * c }))
            .chain([[0.0; 2]])
            .collect(),
        facets: (0..10).map(|k| [k, (k + 1) % 10, 10]).collect(),
    };
    facts(&star(1.0));
    assert_eq!(find(&star(1.0), &[[0.01, 0.0, 0.01]; 11]), None);
    // With notches that are half as deep it sees all of them.
    assert_eq!(find(&star(2.5), &[[0.01, 0.0, 0.01]; 11]), Some([10, 1]));
}

/// A mesh of facets that are known by the places of their vertices.
fn joined(facets: &[[[f64; 2]; 3]]) -> Mesh {
    let mut numbers = HashMap::new();
    let mut mesh = Mesh::default();
    for facet in facets {
        mesh.facets.push(facet.map(|place| {
            *numbers.entry(place.map(f64::to_bits)).or_insert_with(|| {
                mesh.vertices.push(place);
                mesh.vertices.len() as u32 - 1
            })
        }));
    }
    mesh
}

#[test]
fn a_divided_mesh_fits_together() {
    for (kind, seed) in [(Kind::Jittered, 1), (Kind::RandomHoles, 2), (Kind::Random, 3)] {
        let before = kind.mesh(700, seed).unwrap();
        for (metric, all) in [(Metric::uniform(&before, 100.0), true), (wild(&before, seed, 0.35), false)] {
            let tensors = metric.at_vertices(&before);
            let divisions = closure(&before, &tensors, &none(&before));
            let number = |kind| divisions.iter().filter(|division| **division == kind).count();
            let [red, green] = [number(Division::Red), number(Division::Green)];
            assert!(red > 10 && (green == 0) == all, "{kind}: {red} {green}");
            let after = joined(&divided(&before, &tensors, &none(&before)));
            let near = edges::adjacency(&before.facets, before.vertices.len());
            let split = (0..before.facets.len())
                .filter(|f| divisions[*f] == Division::Red)
                .flat_map(|f| {
                    near[f].map(|g| g.is_none_or(|g| divisions[g as usize] != Division::Red || f < g as usize))
                })
                .filter(|mine| *mine)
                .count();
            let [old, new] = [&before, &after].map(facts);
            same_domain(&old, &new).unwrap();
            verify::counts(&old, &new, &Changes { red, green, split, ..Changes::default() }).unwrap();
            assert!(
                places(&after) == divided(&before, &tensors, &none(&before))
                    && places(&after.shuffled(4)) == places(&after)
            );
        }
    }
}

/// Facets that are halves of none.
fn none(mesh: &Mesh) -> Vec<Option<u32>> {
    vec![None; mesh.facets.len()]
}

/// A triangle from a over b to o, cut from o to the middle of its edge from a to b, and `beside` it another one at each half of that
/// edge.
fn cut(beside: bool) -> (Mesh, Vec<Option<u32>>) {
    let [a, b, o, h] = [0, 1, 2, 3];
    let mut mesh =
        Mesh { vertices: vec![[0.0, 0.0], [1.0, 0.0], [0.3, 0.8], [0.5, 0.0]], facets: vec![[h, o, a], [h, b, o]] };
    if beside {
        mesh.vertices.extend([[0.2, -0.3], [0.8, -0.3]]);
        mesh.facets.extend([[h, a, 4], [b, h, 5]]);
    }
    let mut siblings = none(&mesh);
    (siblings[0], siblings[1]) = (Some(1), Some(0));
    (mesh, siblings)
}

#[test]
fn halves_that_are_divided_make_the_parts_of_their_parent() {
    let (mesh, siblings) = cut(false);
    let halves_of = |siblings: &[Option<u32>]| halves(&mesh, siblings);
    assert_eq!(halves_of(&siblings).unwrap(), siblings);
    assert_eq!(halves_of(&[Some(1), None]).unwrap(), [None, None], "one of them has changed");
    let parent = Mesh { vertices: mesh.vertices[..3].to_vec(), facets: vec![[0, 1, 2]] };
    let all = [[100.0, 0.0, 100.0]; 6];
    assert_eq!(divided(&mesh, &all[..4], &siblings), divided(&parent, &all[..3], &none(&parent)));
    assert_eq!(closure(&mesh, &all[..4], &siblings), [Division::Merged; 2]);
    assert_eq!(closure(&mesh, &all[..4], &none(&mesh)), [Division::Red; 2]);
    // Two facets that are not halves.
    let mut other = mesh.clone();
    other.vertices[3] = [0.4, 0.0];
    let said = halves(&other, &siblings).unwrap_err().to_string();
    assert_eq!(said, "facet 0 of 2: facet 1 is its sibling, expected two halves of a facet");
}

/// The facet below the first half is red, so that the halves are merged, and the part at the left corner is green.
#[test]
fn halves_of_a_divided_edge_make_parts_green() {
    let (mesh, siblings) = cut(true);
    let short = [1.0, 0.0, 1.0];
    let mut tensors = [short; 6];
    tensors[4] = [100.0, 0.0, 100.0];
    let divisions = closure(&mesh, &tensors, &siblings);
    assert_eq!(divisions, [Division::Merged, Division::Merged, Division::Red, Division::None]);
    let after = joined(&divided(&mesh, &tensors, &siblings));
    // Four parts of the parent and of the red facet, one more for the green part, and the facet below the second half.
    assert_eq!((after.facets.len(), after.vertices.len()), (4 + 4 + 1 + 1, 6 + 5));
    same_domain(&facts(&mesh), &facts(&after)).unwrap();
    // With a long edge below the second half, too, both parts are green.
    tensors[5] = tensors[4];
    let after = joined(&divided(&mesh, &tensors, &siblings));
    assert_eq!((after.facets.len(), after.vertices.len()), (4 + 4 + 4 + 2, 6 + 8));
    same_domain(&facts(&mesh), &facts(&after)).unwrap();
}

/// Vertices in the middle of an edge lie off it by rounding, which is coarse far from the origin.
#[test]
fn rounding_far_from_the_origin_changes_no_domain() {
    let mut before = Kind::RandomHoles.mesh(2000, 5).unwrap();
    before.vertices.iter_mut().for_each(|place| *place = [0.37 * place[0] + 1.1e6, 0.21 * place[1] - place[0] - 3.3e5]);
    let tensors = Metric::uniform(&before, 100.0).at_vertices(&before);
    let after = joined(&divided(&before, &tensors, &none(&before)));
    let [old, new] = [&before, &after].map(facts);
    assert!((old.area - new.area).abs() > 1e-12 * old.area, "{old:?}");
    same_domain(&old, &new).unwrap();
}

#[test]
fn red_facets_spread_to_those_with_two_red_neighbours() {
    // Only the edge from 12 to 18 is long, so both its facets are red, and their four neighbours green.
    let mesh = squares();
    let mut tensors = [[8.0, 0.0, 8.0]; 25];
    for v in [12, 18] {
        tensors[v] = [20.0, 0.0, 20.0];
    }
    let divisions = closure(&mesh, &tensors, &none(&mesh));
    let numbers = |kind: Division| (0..32).filter(|f| divisions[*f] == kind).collect::<Vec<usize>>();
    assert_eq!(numbers(Division::Red), [20, 21]);
    assert_eq!(numbers(Division::Green), [13, 18, 23, 28]);
    // The edge from 6 to 12 as well: 13 and 18 lie between a facet at each of the two edges.
    tensors[6] = [20.0, 0.0, 20.0];
    let divisions = closure(&mesh, &tensors, &none(&mesh));
    let numbers = |kind: Division| (0..32).filter(|f| divisions[*f] == kind).collect::<Vec<usize>>();
    assert_eq!(numbers(Division::Red), [10, 11, 13, 18, 20, 21]);
    assert_eq!(numbers(Division::Green), [3, 8, 12, 19, 23, 28]);
}

fn state(mesh: Mesh, counts: Counts, metric: &Metric) -> State {
    State {
        neighbours: edges::adjacency(&mesh.facets, mesh.vertices.len()),
        siblings: none(&mesh),
        tensors: metric.at_vertices(&mesh),
        fields: vec![Function::Plane.on(&mesh)],
        mesh,
        counts,
    }
}

type BreakState = &'static dyn Fn(&mut State);

#[test]
fn each_check_of_coarsening_is_made() {
    let mesh = Kind::Jittered.mesh(600, 1).unwrap();
    let metric = Metric::uniform(&mesh, 0.4);
    let before = state(mesh, Counts { collapses: 7, ..Counts::default() }, &metric);
    let mut mesh = before.mesh.clone();
    let mut collapses = 7;
    let mut halfway = None;
    while let Some(ends) = find(&mesh, &metric.at_vertices(&mesh)) {
        mesh = collapsed(&mesh, ends);
        collapses += 1;
        if collapses == 20 {
            halfway = Some(state(mesh.clone(), Counts { collapses, ..Counts::default() }, &metric));
        }
    }
    let after = state(mesh, Counts { collapses, ..Counts::default() }, &metric);
    phases::coarsened(&before, &after, &metric).unwrap();
    let left = phases::coarsened(&before, &halfway.unwrap(), &metric).unwrap_err().to_string();
    assert!(left.contains("it could still collapse onto vertex "), "{left}");
    // In a finer metric the same edges are too long to have been made.
    let finer = Metric::uniform(&before.mesh, 0.6);
    let long = State { tensors: finer.at_vertices(&after.mesh), ..after.clone() };
    let long = phases::coarsened(&before, &long, &finer).unwrap_err().to_string();
    assert!(long.contains(" long and was not there before"), "{long}");
    let cases: [(BreakState, &str); 7] = [
        (&|s| s.counts.collapses += 1, "the mesh has "),
        (&|s| s.tensors[4][1] += 1e-3, "vertex 4 of "),
        (&|s| s.siblings.truncate(5), "`siblings` has "),
        (&|s| s.neighbours[3].rotate_left(1), "facet 3 of "),
        (&|s| s.fields[0].values[5] = 9.0, "vertex 5 of "),
        (&|s| s.mesh.facets[2].swap(0, 1), "facet 2 of "),
        (&|s| s.mesh.vertices[0] = [1e-3, 1e-3], "the sum of the areas is "),
    ];
    for (change, expected) in cases {
        let mut broken = after.clone();
        change(&mut broken);
        let said = phases::coarsened(&before, &broken, &metric).unwrap_err().to_string();
        assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
    }
}

#[test]
fn each_check_of_refinement_is_made() {
    let mesh = Kind::Jittered.mesh(600, 1).unwrap();
    let metric = wild(&mesh, 1, 0.35);
    let before = state(mesh, Counts::default(), &metric);
    let tensors = metric.at_vertices(&before.mesh);
    let divisions = closure(&before.mesh, &tensors, &none(&before.mesh));
    let number = |kind| divisions.iter().filter(|division| **division == kind).count() as u64;
    let mesh = joined(&divided(&before.mesh, &tensors, &none(&before.mesh)));
    let split = (mesh.vertices.len() - before.mesh.vertices.len()) as u64;
    let counts = Counts { red: number(Division::Red), green: number(Division::Green), split, ..Counts::default() };
    let after = state(mesh, counts, &metric);
    phases::refined(&before, &after, &metric).unwrap();
    assert!(phases::converged(&after.mesh, &metric.at_vertices(&after.mesh)).is_err());
    // A pass that leaves a facet out is not one, though the mesh fits together.
    let idle = phases::refined(&before, &before, &metric).unwrap_err().to_string();
    assert!(idle.contains("by the rules of red-green subdivision"), "{idle}");
    let cases: [(BreakState, &str); 4] = [
        (&|s| s.counts.green += 1, "the mesh has "),
        (&|s| s.counts.split += 1, "the mesh has "),
        (
            &|s| s.fields[0].values.iter_mut().for_each(|value| *value = value.sqrt() + 1.0),
            "the integral of `plane` is ",
        ),
        (&|s| s.fields[0].values[5] = f64::NAN, "vertex 5 of "),
    ];
    for (change, expected) in cases {
        let mut broken = after.clone();
        change(&mut broken);
        let said = phases::refined(&before, &broken, &metric).unwrap_err().to_string();
        assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
    }
}

#[test]
fn a_mesh_with_long_edges_or_valid_collapses_has_not_converged() {
    let mesh = squares();
    let said = |scale: f64| {
        let tensors = Metric::uniform(&mesh, scale).at_vertices(&mesh);
        phases::converged(&mesh, &tensors).map_or_else(|e| e.to_string(), |()| "converged".into())
    };
    assert_eq!(said(0.9), "converged");
    assert_eq!(said(1.1), "the mesh has converged, but 32 of its facets have a long edge, expected none");
    assert!(said(0.5).contains("it could still collapse"), "{}", said(0.5));
}
