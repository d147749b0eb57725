use super::*;
use crate::inspect::Elements;
use crate::plan::{Plan, Scheme};
use op2_core::Access;

/// Edges of a grid of 12 by 9 nodes, numbered row by row.
fn edges() -> Vec<u32> {
    let (width, height) = (12, 9);
    let along = (0..height).flat_map(|j| (0..width - 1).map(move |i| [j * width + i, j * width + i + 1]));
    let across = (0..height - 1).flat_map(|j| (0..width).map(move |i| [j * width + i, (j + 1) * width + i]));
    along.chain(across).flatten().collect()
}

/// A loop that increments dats through the given entries of one map.
fn shape<'a>(entries: &'a [u32], args: &[(u32, Range<usize>)]) -> LoopShape<'a> {
    let touch = |(arg, (dat, used)): (usize, &(u32, Range<usize>))| {
        let through = Some(Through { map: 0, entries, arity: 2, offsets: None, used: used.clone() });
        Touch { arg, dat: *dat, targets: 108, bytes: 8, access: Access::Inc, through, own: false }
    };
    LoopShape { elements: Elements::All(entries.len() / 2), touches: args.iter().enumerate().map(touch).collect() }
}

/// Devices stage such dats together, so one block must own a target in all of them.
#[test]
fn dats_that_reach_the_same_targets_have_the_same_owners() {
    let entries = edges();
    let shape = shape(&entries, &[(0, 0..2), (1, 0..1), (1, 1..2), (1, 0..1), (2, 1..2), (2, 0..1)]);
    for size in [3, 10, 40] {
        let plan = Plan::build(&shape, Scheme::owner(size)).expect("increments can be redirected");
        assert_eq!(plan.verify(&shape), Ok(()));
        let parts = plan.redirect().expect("edges meet").parts();
        assert_eq!(parts.iter().map(|p| p.width).collect::<Vec<_>>(), [2, 3, 2]);
        for block in 0..plan.blocks() {
            let own = |part: &Part| {
                let destinations = plan.block(block).flat_map(|p| (0..part.width).map(move |k| part.destination(p, k)));
                let targets = destinations
                    .filter_map(|destination| if let Destination::Target(t) = destination { Some(t) } else { None });
                targets.collect::<std::collections::BTreeSet<_>>()
            };
            assert!(parts.iter().all(|part| own(part) == own(&parts[0])), "block {block} of at most {size}");
        }
    }
}

#[test]
fn long_runs_inside_tiles_go_straight() {
    let entries: Vec<u32> = (0..107).flat_map(|e| [e, e + 1]).collect();
    let shape = shape(&entries, &[(0, 0..2)]);
    let plan = Plan::build(&shape, Scheme::tiles(40)).expect("increments can be redirected");
    let redirect = plan.redirect().expect("edges meet");
    // In a chain, only the first and the last edge of a tile reach shared targets.
    let run = |start, end, kind| Run { start, end, kind };
    let straight = |element| RunKind::Straight { element };
    let middle = [run(40, 41, RunKind::Redirected), run(41, 79, straight(41)), run(79, 80, RunKind::Redirected)];
    assert_eq!(redirect.runs_of(1), middle);
    assert_eq!(redirect.runs_of(0), [run(0, 39, straight(0)), run(39, 40, RunKind::Redirected)]);
    assert_eq!((redirect.parts()[0].copies, &redirect.parts()[0].sums.targets[..]), (4, &[40, 80][..]));
}
