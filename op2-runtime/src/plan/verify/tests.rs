//! Damages plans in one way at a time and expects the check to object.

use super::*;
use crate::inspect::{Elements, Through};
use crate::plan::Scheme;
use op2_core::Access;

/// Edges of a ring of `n` cells; each increments both of its cells.
fn ring(n: u32) -> Vec<u32> {
    (0..n).flat_map(|e| [e, (e + 1) % n]).collect()
}

fn shape(entries: &[u32]) -> LoopShape<'_> {
    let n = entries.len() / 2;
    let through = Through { map: 0, entries, arity: 2, offsets: None, used: 0..2 };
    let touch = Touch { arg: 4, dat: 7, targets: n, bytes: 8, access: Access::Inc, through: Some(through), own: false };
    LoopShape { elements: Elements::All(n), touches: vec![touch] }
}

/// The result of the check for a sound plan of the ring after `harm`.
fn after(scheme: Scheme, harm: impl FnOnce(&mut Plan)) -> Result<(), Violation> {
    let entries = ring(60);
    let mut plan = Plan::build(&shape(&entries), scheme).expect("sound");
    assert_eq!(plan.verify(&shape(&entries)), Ok(()));
    harm(&mut plan);
    plan.verify(&shape(&entries))
}

const BLOCKS: Scheme = Scheme::blocks(10);
const ELEMENTS: Scheme = Scheme::colours(7);

#[test]
fn neighbouring_blocks_in_one_colour() {
    // The six blocks around the ring alternate between the colours 0 and 1. Block 1 joins colour 0.
    let found = after(BLOCKS, |plan| {
        plan.schedule.blocks = vec![0, 1, 2, 4, 3, 5];
        plan.schedule.colour_offsets = vec![0, 4, 6];
    });
    let shared = Violation::SharedTarget {
        colour: 0,
        first_block: 0,
        second_block: 1,
        first: 9,
        second: 10,
        arg: 4,
        dat: 7,
        target: 10,
    };
    assert_eq!(found, Err(shared));
}

#[test]
fn neighbouring_elements_in_one_global_colour() {
    let found = after(ELEMENTS, |plan| {
        let order = plan.schedule.order.as_mut().expect("global colouring permutes");
        let (a, b) = (order.iter().position(|&e| e == 20), order.iter().position(|&e| e == 31));
        order.swap(a.expect("there"), b.expect("there"));
    });
    assert!(matches!(found, Err(Violation::SharedTarget { .. })), "{found:?}");
}

#[test]
fn an_element_twice_and_another_never() {
    let found = after(ELEMENTS, |plan| plan.schedule.order.as_mut().expect("permuted")[5] = 20);
    assert!(
        matches!(found, Err(Violation::Element { times: 0, .. } | Violation::Element { element: 20, times: 2, .. })),
        "{found:?}"
    );
}

#[test]
fn an_element_beyond_the_set() {
    let found = after(ELEMENTS, |plan| plan.schedule.order.as_mut().expect("permuted")[5] = 999);
    assert!(matches!(found, Err(Violation::Element { times: 0, .. })), "{found:?}");
}

#[test]
fn an_order_too_short() {
    let found = after(ELEMENTS, |plan| _ = plan.schedule.order.as_mut().expect("permuted").pop());
    assert_eq!(found, Err(Violation::Length { positions: 59, elements: 60 }));
}

#[test]
fn offsets_out_of_order() {
    let falling = after(BLOCKS, |plan| plan.schedule.offsets[2] = 5);
    assert!(matches!(falling, Err(Violation::Offset { what: "block", index: 2, value: 5, .. })), "{falling:?}");
    let short = after(BLOCKS, |plan| plan.schedule.offsets[6] = 59);
    assert!(matches!(short, Err(Violation::Offset { what: "block", index: 6, value: 59, .. })), "{short:?}");
    let late = after(BLOCKS, |plan| plan.schedule.offsets[0] = 1);
    assert!(matches!(late, Err(Violation::Offset { what: "block", index: 0, value: 1, .. })), "{late:?}");
    let colour = after(BLOCKS, |plan| plan.schedule.colour_offsets[1] = 6);
    assert!(matches!(colour, Err(Violation::Offset { what: "colour", .. })), "{colour:?}");
}

#[test]
fn a_block_twice_and_a_block_that_is_none() {
    let twice = after(BLOCKS, |plan| plan.schedule.blocks[0] = 2);
    assert_eq!(twice, Err(Violation::BlockColours { block: 0, times: 0 }));
    let none = after(BLOCKS, |plan| plan.schedule.blocks[0] = 6);
    assert_eq!(none, Err(Violation::BlockColours { block: 6, times: 1 }));
}

#[test]
fn element_colours_that_meet() {
    let entries = ring(60);
    let plan = Plan::build(&shape(&entries), BLOCKS).expect("sound");
    let colours = plan.element_colours(&shape(&entries)).expect("same loop");
    assert_eq!(colours.counts(), [2; 6]);
    let broken = ElementColours { colours: vec![0; 60], counts: vec![1; 6] };
    let shared = Violation::SharedInBlock { block: 0, colour: 0, first: 0, second: 1, dat: 7, target: 1 };
    assert_eq!(verify_element_colours(&plan, &broken, &shape(&entries)), Err(shared));
    let beyond = ElementColours { colours: colours.colours().to_vec(), counts: vec![1; 6] };
    let found = verify_element_colours(&plan, &beyond, &shape(&entries));
    assert_eq!(found, Err(Violation::ElementColour { block: 0, element: 1, colour: 1, count: 1 }));
}

const TILES: Scheme = Scheme::tiles(20);
const OWNER: Scheme = Scheme::owner(20);
const SCATTER: Scheme = Scheme::scatter(20);

/// The only part of a plan for the ring.
fn part(plan: &mut Plan) -> &mut crate::plan::Part {
    &mut plan.redirect.as_mut().expect("it redirects").parts[0]
}

#[test]
fn a_shared_target_without_copies() {
    // Tiles of 20 share the targets 0, 20 and 40. The edges 19 and 20 now add to target 20 directly.
    let found = after(TILES, |plan| part(plan).destinations[39..=40].fill(20));
    let what = "goes where block 0 adds too".to_owned();
    assert_eq!(found, Err(Violation::Destination { block: 1, target: 20, what }));
}

#[test]
fn two_tiles_at_one_copy() {
    let found = after(TILES, |plan| {
        let part = part(plan);
        part.destinations[20 * 2] = part.destinations[19 * 2 + 1];
    });
    assert!(matches!(found, Err(Violation::Destination { block: 1, target: 20, .. })), "{found:?}");
}

#[test]
fn a_copy_that_nobody_adds() {
    let found = after(TILES, |plan| {
        let list = &mut part(plan).sums.list;
        let last = list.len() - 1;
        list[last] = list[0];
    });
    assert!(matches!(found, Err(Violation::Destination { .. } | Violation::Sums { .. })), "{found:?}");
    let found = after(TILES, |plan| part(plan).sums.targets.swap(0, 1));
    assert!(matches!(found, Err(Violation::Destination { .. } | Violation::Sums { .. })), "{found:?}");
}

#[test]
fn owners_that_add_twice_or_never() {
    // Target 20 belongs to the first block; edge 20 runs in both blocks that it reaches.
    let nowhere = crate::data::sink::NOWHERE;
    let never = after(OWNER, |plan| {
        let destinations = &mut part(plan).destinations;
        let at = destinations.iter().position(|&destination| destination == 3).expect("target 3 is somewhere");
        destinations[at] = nowhere;
    });
    assert!(matches!(never, Err(Violation::Contribution { times: 0, .. })), "{never:?}");
    let twice = after(OWNER, |plan| {
        let position = (0..plan.positions()).find(|&p| {
            part(plan).destinations.contains(&nowhere) && {
                let destinations = &part(plan).destinations[p * 2..p * 2 + 2];
                destinations.contains(&nowhere)
            }
        });
        let position = position.expect("some element runs in two blocks");
        let element = element_at(plan, position) as u32;
        let destinations = &mut part(plan).destinations[position * 2..position * 2 + 2];
        let k = destinations.iter().position(|&destination| destination == nowhere).expect("found so");
        destinations[k] = (element + k as u32) % 60;
    });
    assert!(matches!(twice, Err(Violation::Destination { .. })), "two blocks write to one target: {twice:?}");
}

#[test]
fn an_element_that_owners_leave_out() {
    let found = after(OWNER, |plan| {
        let order = plan.schedule.order.as_mut().expect("owners list their elements");
        let first = order[0];
        order.iter_mut().filter(|e| **e == first).for_each(|e| *e = first + 1);
    });
    assert!(matches!(found, Err(Violation::Element { element: 0, times: 0, .. })), "{found:?}");
}

#[test]
fn scattered_contributions_summed_at_another_target() {
    let found = after(SCATTER, |plan| part(plan).sums.list.swap(0, 5));
    assert!(matches!(found, Err(Violation::Destination { .. })), "{found:?}");
}

#[test]
fn runs_with_a_hole_or_with_something_to_redirect() {
    let hole = after(TILES, |plan| plan.redirect.as_mut().expect("it redirects").runs[1].start += 1);
    assert!(matches!(hole, Err(Violation::Run { .. })), "{hole:?}");
    let straight = after(TILES, |plan| {
        let kind = crate::plan::RunKind::Straight { element: 0 };
        plan.redirect.as_mut().expect("it redirects").runs[0].kind = kind;
    });
    assert!(matches!(straight, Err(Violation::Run { block: 0, .. })), "{straight:?}");
}
