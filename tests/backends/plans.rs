//! Plans from `op_plan!`: schedules without races, one for each combination of everything that a plan depends on.
//! Checked along the maps, without the plan's own verifier.

use crate::support::mesh::Kind;
use crate::support::{Configuration, Edges, Mesh, Nodes, STRATEGIES};
use op2::plan::{Destination, Race, Resolution};
use op2::{Backend, Config, Dat, Idx, Layout, Map, Op2, Plan, Set, Strategy, Table, op_par_loop, op_plan};

/// Checks that every element runs once and no two blocks of a colour reach one target. If the plan redirects
/// contributions, checks that no two blocks add to one target and that elements run at least once.
fn assert_apart(plan: &Plan, elements: &[u32], targets: impl Fn(u32) -> Vec<u32>) {
    let element = |position: usize| match plan.order() {
        Some(order) => order[position],
        None => position as u32,
    };
    let mut runs: Vec<u32> = Vec::new();
    let mut straight = std::collections::HashMap::new();
    for colour in 0..plan.colours() {
        let mut owner = std::collections::HashMap::new();
        for &block in plan.blocks_of(colour) {
            for position in plan.block(block as usize) {
                runs.push(element(position));
                if let Some(redirect) = plan.redirect() {
                    for (n, part) in redirect.parts().iter().enumerate() {
                        for k in 0..part.width {
                            let Destination::Target(target) = part.destination(position, k) else { continue };
                            let first = *straight.entry((n, target)).or_insert(block);
                            assert_eq!(first, block, "two blocks add to target {target}");
                        }
                    }
                    continue;
                }
                for target in targets(element(position)) {
                    let first = *owner.entry(target).or_insert(block);
                    assert_eq!(first, block, "colour {colour}: two blocks reach target {target}");
                }
            }
        }
    }
    runs.sort_unstable();
    if plan.scheme().resolution == Resolution::Owner {
        runs.dedup();
    }
    let mut elements = elements.to_vec();
    elements.sort_unstable();
    assert_eq!(runs, elements, "each element of the loop runs once");
}

#[op2::kernel]
fn add(first: Option<&mut f64>, second: Option<&mut f64>) {
    if let Some(first) = first {
        *first += 1.0;
    }
    if let Some(second) = second {
        *second += 1.0;
    }
}

struct Fixture {
    op: Op2,
    edges: Set<Edges>,
    map: Map<Edges, Nodes, 2>,
    sum: Dat<Nodes, f64>,
    rows: Vec<[u32; 2]>,
}

fn fixture(strategy: Strategy, m: &Mesh) -> Fixture {
    let mut op = Configuration { backend: Backend::Threads(3), strategy, ..Configuration::SEQ }.op();
    let (set, rows) = (m.declare(&mut op).unwrap(), m.rows::<2>(1));
    let map = op.decl_map("map", set.edges, set.nodes, &rows).unwrap();
    let sum = op.decl_dat_filled("sum", set.nodes, 0.0).unwrap();
    Fixture { op, edges: set.edges, map, sum, rows }
}

#[test]
fn blocks_of_a_colour_reach_different_targets() {
    for strategy in STRATEGIES {
        for m in Mesh::all() {
            let Fixture { mut op, edges, map, sum, rows } = fixture(strategy, &m);
            let plan = op_plan!(op, add, edges, opt(true, inc(sum, map[0])), opt(true, inc(sum, map[1]))).unwrap();
            let all: Vec<u32> = (0..m.edges as u32).collect();
            assert_apart(&plan, &all, |e| rows[e as usize].to_vec());
            let backwards: Vec<u32> = all.iter().copied().rev().step_by(2).collect();
            let some = op.decl_subset("some", edges, &backwards).unwrap();
            let plan = op_plan!(op, add, some, opt(true, inc(sum, map[0])), opt(true, inc(sum, map[1]))).unwrap();
            assert_apart(&plan, &backwards, |e| rows[e as usize].to_vec());
        }
    }
}

#[op2::kernel]
fn add_everywhere(own: &mut f64, one: &mut f64, all: [&mut f64; 3], other: &mut f64) {
    *own += 1.0;
    *one += 1.0;
    for i in 0..3 {
        *all[i] += 1.0;
    }
    *other += 1.0;
}

/// Elements can share targets directly and through maps, through two maps, and on dats of several sets: the plan
/// respects all.
#[test]
fn every_way_to_meet_counts() {
    for strategy in STRATEGIES {
        for m in Mesh::all() {
            let mut op =
                Configuration { backend: Backend::Threads(3), layout: Layout::Soa, strategy, ..Configuration::SEQ }
                    .op();
            let set = m.declare(&mut op).unwrap();
            let within = Mesh { nodes: m.edges, ..m };
            let (one, all, other) = (within.rows::<1>(1), within.rows::<3>(2), m.rows::<2>(3));
            let one_map = op.decl_map("one", set.edges, set.edges, &one).unwrap();
            let all_map = op.decl_map("all", set.edges, set.edges, &all).unwrap();
            let other_map = op.decl_map("other", set.edges, set.nodes, &other).unwrap();
            let sum = op.decl_dat_filled("sum", set.edges, 0.0).unwrap();
            let far = op.decl_dat_filled("far", set.nodes, 0.0).unwrap();
            let plan = op_plan!(
                op,
                add_everywhere,
                set.edges,
                inc(sum),
                inc(sum, one_map[0]),
                inc(sum, all_map[..]),
                inc(far, other_map[1])
            );
            let elements: Vec<u32> = (0..m.edges as u32).collect();
            assert_apart(&plan.unwrap(), &elements, |e| {
                let far = m.edges as u32 + other[e as usize][1];
                [&[e, one[e as usize][0], far][..], &all[e as usize]].concat()
            });
            op_par_loop!(
                op,
                add_everywhere,
                set.edges,
                inc(sum),
                inc(sum, one_map[0]),
                inc(sum, all_map[..]),
                inc(far, other_map[1])
            )
            .unwrap();
            assert_eq!(op.fetch(sum).unwrap().iter().sum::<f64>(), 5.0 * m.edges as f64);
            assert_eq!(op.fetch(far).unwrap().iter().sum::<f64>(), m.edges as f64);
        }
    }
}

/// Flags belong to a plan: elements that may run at once without an argument may not with it, in whatever order the
/// plans are requested.
#[test]
fn every_combination_of_flags_has_its_plan() {
    let m = Mesh { edges: 300, nodes: 300, kind: Kind::Ring };
    let Fixture { mut op, edges, map, sum, .. } = fixture(Strategy::blocks(1), &m);
    for _ in 0..2 {
        for (first, second, race, colours) in [
            (false, false, Race::Impossible, 1),
            (true, false, Race::Disproved, 1),
            (true, true, Race::Coloured, 2),
            (false, true, Race::Disproved, 1),
        ] {
            let plan = op_plan!(op, add, edges, opt(first, inc(sum, map[0])), opt(second, inc(sum, map[1]))).unwrap();
            assert_eq!((plan.race(), plan.colours()), (race, colours), "flags {first} {second}");
        }
    }
}

#[test]
fn plans_follow_their_map() {
    let m = Mesh { edges: 100, nodes: 100, kind: Kind::Injective };
    let (mut op, colours) = (Configuration::THREADS.op(), |plan: &Plan| (plan.race(), plan.colours()));
    let set = m.declare(&mut op).unwrap();
    let disjoint: Vec<[u32; 1]> = (0..100).map(|e| [e]).collect();
    let map = op.decl_map("map", set.edges, set.nodes, &disjoint).unwrap();
    let sum = op.decl_dat_filled("sum", set.nodes, 0.0).unwrap();
    let mut plan = || op_plan!(op, add, set.edges, opt(true, inc(sum, map[0])), opt(false, inc(sum, map[0]))).unwrap();
    assert_eq!(colours(&plan()), (Race::Disproved, 1));
    assert!(std::sync::Arc::ptr_eq(&plan(), &plan()), "the second one comes from the cache");
    op.set_map(map, &[[7u32]; 100]).unwrap();
    let mut plan = || op_plan!(op, add, set.edges, opt(true, inc(sum, map[0])), opt(false, inc(sum, map[0]))).unwrap();
    assert_eq!(colours(&plan()), (Race::Coloured, 15), "15 blocks of 7 all reach node 7");
    op.set_map(map, &disjoint).unwrap();
    let plan = op_plan!(op, add, set.edges, opt(true, inc(sum, map[0])), opt(false, inc(sum, map[0]))).unwrap();
    assert_eq!(colours(&plan), (Race::Disproved, 1));
}

/// Strategy, layout, subset and entry belong to a plan, too.
#[test]
fn everything_else_that_a_plan_depends_on() {
    let m = Mesh { edges: 60, nodes: 61, kind: Kind::Ring };
    let Fixture { mut op, edges, map, sum, .. } = fixture(Strategy::blocks(10), &m);
    let some = op.decl_subset("some", edges, &[3u32, 1, 2]).unwrap();
    let blocks = |op: &mut Op2, i: usize| {
        op_plan!(op, add, edges, opt(true, inc(sum, map[0])), opt(true, inc(sum, map[i]))).unwrap()
    };
    assert_eq!((blocks(&mut op, 0).colours(), blocks(&mut op, 1).colours()), (1, 2));
    let plan = op_plan!(op, add, some, opt(true, inc(sum, map[0])), opt(true, inc(sum, map[1]))).unwrap();
    assert_eq!((plan.len(), plan.order()), (3, Some(&[3, 1, 2][..])));
    op.pin("add", Strategy::colours(100)).unwrap();
    assert_eq!(blocks(&mut op, 1).blocks(), 2);
    op.pin("add", Strategy::blocks(20)).unwrap();
    assert_eq!(blocks(&mut op, 1).blocks(), 3);
}

/// `op_plan!` runs nothing, and returns a plan even for the sequential executor, which would not need it.
#[test]
fn asking_for_a_plan_changes_nothing() {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut op = configuration.op();
        let m = Mesh { edges: 10, nodes: 4, kind: Kind::Random };
        let set = m.declare(&mut op).unwrap();
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1)).unwrap();
        let sum = op.decl_dat_filled("sum", set.nodes, 0.5).unwrap();
        let plan = op_plan!(op, add, set.edges, opt(true, inc(sum, map[0])), opt(true, inc(sum, map[1]))).unwrap();
        assert_eq!(plan.len(), 10);
        assert_eq!(op.fetch(sum).unwrap(), [0.5; 4]);
        op_par_loop!(op, add, set.edges, opt(true, inc(sum, map[0])), opt(true, inc(sum, map[1]))).unwrap();
        assert_eq!(op.fetch(sum).unwrap().iter().sum::<f64>(), 4.0 * 0.5 + 20.0);
    }
}

#[op2::kernel]
fn turn(ends: &mut [Idx<Nodes>; 2], next: &Table<Nodes, Idx<Nodes>>, low: &mut u32, node: Idx<Nodes>) {
    *low = (*low).min(next.number(node));
    *ends = [next.at(ends[1]), ends[0]];
}

/// Only the kernel tells of which kind indices are, and a plan does not call it.
#[test]
fn loops_with_indices_have_plans() {
    let mut op = Op2::with(Config::default().backend(Backend::Threads(2))).unwrap();
    let (edges, nodes) = (op.decl_set::<Edges>("edges", 30).unwrap(), op.decl_set::<Nodes>("nodes", 20).unwrap());
    let rows: Vec<[u32; 2]> = (0..30).map(|e| [e % 20, (e + 1) % 20]).collect();
    let ends = op.decl_map("ends", edges, nodes, &rows).unwrap();
    let next = op.decl_map("next", nodes, nodes, &[[0_u32]; 20]).unwrap();
    let low = op.decl_dat_filled("low", nodes, 9_u32).unwrap();
    let plan = op_plan!(op, turn, edges, rw(ends), read(next, all), min(low, ends[0]), idx(ends[1])).unwrap();
    assert_eq!((plan.colours(), op.fetch(low).unwrap(), op.fetch_map(ends).unwrap()), (1, vec![9; 20], rows));
}
