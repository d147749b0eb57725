//! Plans of random loops: whatever the maps hold, the plan passes the independent check, and its properties agree with
//! a direct count.

use op2_runtime::Access;
use op2_runtime::inspect::{Elements, LoopShape, MISSING, Through, Touch};
use op2_runtime::plan::{
    Destination, Hardware, Plan, PlanError, Race, Resolution, Scheme, Traffic, check, needs_inspection, predict,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Both kinds of machines.
const KINDS: [Hardware; 2] = [Hardware::FewCores, Hardware::ManyCores];

type AnyTouch = (usize, Access, usize, usize, usize);

/// A map that a loop owns.
#[derive(Debug, Clone)]
struct AnyMap {
    /// Size of the target set.
    targets: usize,
    /// Entries of each row, or of the longest.
    arity: usize,
    entries: Vec<u32>,
    /// Where rows of any length begin.
    offsets: Option<Vec<u32>>,
}

/// A loop that owns its maps.
#[derive(Debug, Clone)]
struct Case {
    size: usize,
    subset: Option<Vec<u32>>,
    maps: Vec<AnyMap>,
    /// Map of each dat, `None` for a dat on the loop's own set.
    dats: Vec<Option<usize>>,
    /// Dat, access, route, first entry and number of entries (cut to what the map has).
    touches: Vec<AnyTouch>,
}

impl Case {
    fn shape(&self) -> LoopShape<'_> {
        let elements = self.subset.as_ref().map_or(Elements::All(self.size), |list| Elements::Subset(list));
        let touch = |(arg, &(dat, access, route, start, count)): (usize, &AnyTouch)| {
            let targets = self.dats[dat].map_or(self.size, |map| self.maps[map].targets);
            let through = self.route(dat, route, targets).map(|map| {
                let AnyMap { arity, ref entries, ref offsets, .. } = self.maps[map];
                let offsets = offsets.as_deref();
                // Rows of any length are used as wholes.
                let used = if offsets.is_some() { 0..arity } else { start % arity..(start % arity + count).min(arity) };
                Through { map: map as u32, entries, arity, offsets, used }
            });
            Touch { arg, dat: dat as u32, targets, bytes: 8 * (dat + 1), access, through, own: false }
        };
        LoopShape { elements, touches: self.touches.iter().enumerate().map(touch).collect() }
    }

    /// The map of a touch: mostly the dat's own, now and then another one or none, where its
    /// targets allow it.
    fn route(&self, dat: usize, route: usize, targets: usize) -> Option<usize> {
        match route {
            0 if self.size <= targets => None,
            1 | 2 if self.maps[route - 1].targets <= targets => Some(route - 1),
            _ => self.dats[dat],
        }
    }
}

fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![Just(0), Just(1), Just(2), Just(3), Just(1000), Just(1001)]
}

fn accesses() -> impl Strategy<Value = Access> {
    use Access::*;
    prop_oneof![
        8 => prop_oneof![Just(Read), Just(Inc)],
        4 => prop_oneof![Just(Min), Just(Max), Just(Rw), Just(Write)],
    ]
}

/// Targets between one for all (every entry repeated) and three per element (most of them missing).
fn a_map(size: usize) -> impl Strategy<Value = AnyMap> {
    (targets(size), 1_usize..5).prop_flat_map(move |(targets, arity)| {
        let entries = prop::collection::vec(0..targets as u32, size * arity);
        entries.prop_map(move |entries| AnyMap { targets, arity, entries, offsets: None })
    })
}

fn targets(size: usize) -> impl Strategy<Value = usize> {
    prop_oneof![Just(1), Just(2), Just(size / 2 + 1), Just(3 * size + 1)]
}

/// Rows of any length: most of them short or empty, some long; now and then all are empty.
fn rows(size: usize) -> impl Strategy<Value = AnyMap> {
    let length = || prop_oneof![12 => 0_u32..5, 1 => 5_u32..40];
    let lengths = prop_oneof![9 => prop::collection::vec(length(), size).boxed(), 1 => Just(vec![0; size]).boxed()];
    (targets(size), lengths).prop_flat_map(|(targets, lengths)| {
        let entries = prop::collection::vec(0..targets as u32, lengths.iter().sum::<u32>() as usize);
        entries.prop_map(move |entries| {
            let arity = lengths.iter().max().map_or(0, |n| *n as usize);
            AnyMap { targets, arity, entries, offsets: Some(starts(&lengths)) }
        })
    })
}

/// Where rows of these lengths begin, and the end of the last.
fn starts(lengths: &[u32]) -> Vec<u32> {
    std::iter::once(0)
        .chain(lengths.iter().scan(0, |end, n| {
            *end += n;
            Some(*end)
        }))
        .collect()
}

/// The same with entries that are missing, here and there or nearly everywhere.
fn an_optional_map(size: usize) -> impl Strategy<Value = AnyMap> {
    (a_map(size), prop_oneof![Just(0.2), Just(0.95)]).prop_flat_map(|(map, missing)| {
        let drops = prop::collection::vec(prop::bool::weighted(missing), map.entries.len());
        drops.prop_map(move |drops| {
            let entry = |(&entry, drop): (&u32, bool)| if drop { MISSING } else { entry };
            AnyMap { entries: map.entries.iter().zip(drops).map(entry).collect(), ..map.clone() }
        })
    })
}

/// A map by which no two elements meet: a shifted identity.
fn distinct_map(size: usize) -> impl Strategy<Value = AnyMap> {
    (0..size + 1).prop_map(move |shift| {
        let entries = (0..size).map(|e| (e + shift) as u32).collect();
        AnyMap { targets: size + shift, arity: 1, entries, offsets: None }
    })
}

/// Rows of any length by which no two elements meet, as those of children.
fn distinct_rows(size: usize) -> impl Strategy<Value = AnyMap> {
    prop::collection::vec(0_u32..6, size).prop_map(|lengths| {
        let (offsets, arity) = (starts(&lengths), lengths.iter().max().map_or(0, |n| *n as usize));
        let targets = offsets.last().map_or(0, |n| *n as usize);
        AnyMap { targets, arity, entries: (0..targets as u32).rev().collect(), offsets: Some(offsets) }
    })
}

fn cases() -> impl Strategy<Value = Case> {
    sizes().prop_flat_map(|size| {
        let subset = prop::option::of(prop::collection::vec(any::<bool>(), size).prop_map(|keep| {
            // Descending, so that loop order and element order differ.
            (0..keep.len() as u32).rev().filter(|&e| keep[e as usize]).collect()
        }));
        let maps = prop::collection::vec(
            prop_oneof![
                2 => a_map(size).boxed(),
                2 => an_optional_map(size).boxed(),
                2 => rows(size).boxed(),
                1 => distinct_map(size).boxed(),
                1 => distinct_rows(size).boxed(),
            ],
            2,
        );
        let dats = prop::collection::vec(prop::option::weighted(0.8, 0_usize..2), 3);
        let touches = prop::collection::vec((0_usize..3, accesses(), 0_usize..6, 0_usize..4, 1_usize..4), 0..6);
        (subset, maps, dats, touches).prop_map(move |(subset, maps, dats, touches)| Case {
            size,
            subset,
            maps,
            dats,
            touches,
        })
    })
}

/// One touched target: dat, target, element, access.
type Reached = (u32, usize, usize, Access);

/// The targets that one argument reaches from element `e`.
fn row_of(touch: &Touch<'_>, e: usize) -> Vec<u32> {
    entries_of(touch, e).into_iter().map(|(_, target)| target).collect()
}

/// The entries that are not missing, each with its number.
fn entries_of(touch: &Touch<'_>, e: usize) -> Vec<(usize, u32)> {
    let entries = touch.through.as_ref().map_or(vec![e as u32], |m| m.entries_of(e).to_vec());
    entries.into_iter().enumerate().filter(|(_, target)| *target != MISSING).collect()
}

/// Every touch of every element, from the definition.
fn all_reached(shape: &LoopShape<'_>) -> Vec<Reached> {
    let mut all = Vec::new();
    for e in (0..shape.elements.len()).map(|k| shape.elements.get(k)) {
        for t in &shape.touches {
            all.extend(row_of(t, e).into_iter().map(|target| (t.dat, target as usize, e, t.access)));
        }
    }
    all
}

/// Whether some element modifies a target twice, once at least by `write` or `rw`.
fn collides(shape: &LoopShape<'_>) -> bool {
    let mut modified: BTreeMap<(usize, u32, usize), Vec<Access>> = BTreeMap::new();
    for (dat, target, e, access) in all_reached(shape) {
        if access.modifies() {
            modified.entry((e, dat, target)).or_default().push(access);
        }
    }
    modified.values().any(|a| a.len() > 1 && a.iter().any(|x| matches!(x, Access::Write | Access::Rw)))
}

/// Whether two elements reach one target of a dat that the loop modifies.
fn meets(shape: &LoopShape<'_>) -> bool {
    let all = all_reached(shape);
    // Also if all entries of the map are missing, so that nothing is modified.
    let modified: BTreeSet<u32> = shape.touches.iter().filter(|t| t.access.modifies()).map(|t| t.dat).collect();
    let mut users: BTreeMap<(u32, usize), BTreeSet<usize>> = BTreeMap::new();
    for (dat, target, e, _) in all {
        users.entry((dat, target)).or_default().insert(e);
    }
    users.iter().any(|((dat, _), elements)| modified.contains(dat) && elements.len() > 1)
}

fn useful_bytes(shape: &LoopShape<'_>) -> u64 {
    let all = all_reached(shape);
    let loaded: BTreeSet<(u32, usize)> = all.iter().filter(|r| r.3 != Access::Write).map(|r| (r.0, r.1)).collect();
    let stored: BTreeSet<(u32, usize)> = all.iter().filter(|r| r.3.modifies()).map(|r| (r.0, r.1)).collect();
    let data: u64 = loaded.iter().chain(&stored).map(|(dat, _)| 8 * (u64::from(*dat) + 1)).sum();
    let entries: BTreeSet<(u32, usize)> = shape
        .touches
        .iter()
        .filter_map(|t| t.through.as_ref())
        .filter(|m| m.offsets.is_none())
        .flat_map(|m| m.used.clone().map(|i| (m.map, i)))
        .collect();
    // Of rows of any length all entries, and a start for each.
    let mut known = BTreeSet::new();
    let rows =
        shape.touches.iter().filter_map(|t| t.through.as_ref()).filter(|m| m.offsets.is_some() && known.insert(m.map));
    let of = |m: &Through<'_>| {
        (0..shape.elements.len()).map(|k| m.entries_of(shape.elements.get(k)).len() + 1).sum::<usize>()
    };
    data + 4 * (entries.len() * shape.elements.len() + rows.map(of).sum::<usize>()) as u64
}

/// A number that tells contributions apart.
fn contribution(e: usize, arg: usize, entry: usize) -> u64 {
    (e as u64 * 8 + arg as u64) * 64 + entry as u64 + 1
}

/// The sum at each target of each modified dat, by the definition and as the plan redirects contributions: block after
/// block, then the sums.
fn sums(plan: &Plan, shape: &LoopShape<'_>) -> [BTreeMap<(u32, usize), u64>; 2] {
    let redirect = plan.redirect().expect("asked for plans that redirect only");
    let [mut expected, mut found]: [BTreeMap<(u32, usize), u64>; 2] = Default::default();
    let mut copies: BTreeMap<(u32, usize), u64> = BTreeMap::new();
    for touch in shape.touches.iter().filter(|t| redirect.part_of(t.arg).is_some()) {
        let (part, first) = redirect.part_of(touch.arg).expect("filtered so");
        let part = &redirect.parts()[part];
        for e in (0..shape.elements.len()).map(|k| shape.elements.get(k)) {
            for (i, target) in entries_of(touch, e) {
                *expected.entry((touch.dat, target as usize)).or_default() += contribution(e, touch.arg, i);
            }
        }
        for p in 0..plan.positions() {
            let e = plan.order().map_or(p, |o| o[p] as usize);
            for (i, _) in entries_of(touch, e) {
                match part.destination(p, first + i) {
                    Destination::Target(t) => {
                        *found.entry((touch.dat, t)).or_default() += contribution(e, touch.arg, i)
                    }
                    Destination::Copy(c) => *copies.entry((touch.dat, c)).or_default() += contribution(e, touch.arg, i),
                    Destination::Nowhere => {}
                }
            }
        }
    }
    let dats: BTreeMap<u32, usize> =
        shape.touches.iter().filter_map(|t| redirect.part_of(t.arg).map(|(part, _)| (t.dat, part))).collect();
    for (dat, part) in dats {
        let part_sums = &redirect.parts()[part].sums;
        for (i, &target) in part_sums.targets.iter().enumerate() {
            for copy in &part_sums.list[part_sums.offsets[i] as usize..part_sums.offsets[i + 1] as usize] {
                *found.entry((dat, target as usize)).or_default() += copies[&(dat, *copy as usize)];
            }
        }
    }
    [expected, found]
}

/// Everything that must hold for a plan of a loop without collisions.
fn must_hold(plan: &Plan, shape: &LoopShape<'_>) -> Result<(), TestCaseError> {
    prop_assert_eq!(plan.verify(shape), Ok(()));
    let colours = plan.element_colours(shape).expect("same loop");
    prop_assert_eq!(plan.verify(shape), Ok(()), "with element colours {:?}", colours.counts());
    prop_assert_eq!(plan.race() == Race::Coloured, meets(shape));
    if plan.race() != Race::Coloured && !plan.is_empty() {
        prop_assert_eq!(plan.colours(), 1);
    }
    prop_assert_eq!(plan.traffic().useful_bytes(), useful_bytes(shape));
    if plan.redirect().is_some() {
        let [expected, found] = sums(plan, shape);
        prop_assert_eq!(found, expected, "every contribution arrives once");
    }
    if plan.scheme().resolution != Resolution::Owner {
        prop_assert!(plan.summary().largest_block <= plan.scheme().size);
    }
    let own: Vec<usize> = (0..shape.elements.len()).map(|k| shape.elements.get(k)).collect();
    if plan.scheme().resolution == Resolution::Blocks {
        let run: Vec<usize> = (0..plan.len()).map(|p| plan.order().map_or(p, |o| o[p] as usize)).collect();
        prop_assert_eq!(run, own, "blocks keep the loop's order");
    }
    for b in 0..plan.blocks() {
        let sorted = colours.sorted(plan.block(b));
        prop_assert!(sorted.is_sorted_by_key(|&p| (colours.colours()[p as usize], p)));
    }
    Ok(())
}

/// Four bytes for each entry and each start of the loop's elements, however many arguments use them.
#[test]
fn bytes_of_rows_are_those_that_are_read() {
    let (offsets, entries) = ([0, 2, 2, 7, 8], [1, 1, 0, 0, 0, 0, 0, 3]);
    let bytes = |elements, arguments: usize| {
        let through = || Some(Through { map: 5, entries: &entries, arity: 5, offsets: Some(&offsets), used: 0..5 });
        let touch =
            |arg| Touch { arg, dat: 0, targets: 4, bytes: 24, access: Access::Read, through: through(), own: false };
        let shape = LoopShape { elements, touches: (0..arguments).map(touch).collect() };
        Traffic::of(&shape).expect("rows exist").useful_bytes()
    };
    assert_eq!(bytes(Elements::All(4), 1), 3 * 24 + 4 * 8 + 4 * 4);
    assert_eq!(bytes(Elements::All(4), 2), 3 * 24 + 4 * 8 + 4 * 4);
    assert_eq!(bytes(Elements::Subset(&[3, 0]), 1), 2 * 24 + 4 * 3 + 4 * 2);
    assert_eq!(bytes(Elements::Subset(&[1]), 1), 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn plans_of_random_loops_pass_the_check(case in cases(), size in 1_usize..300) {
        let shape = case.shape();
        let (blocks, ones) = (Scheme::blocks(size), Scheme::blocks(1));
        let (scatter, tiles, owner) = (Scheme::scatter(size), Scheme::tiles(size), Scheme::owner(size));
        let schemes = [blocks, ones, Scheme::colours(size), scatter, tiles, owner];
        let pinned = schemes.map(|scheme| Plan::build(&shape, scheme));
        for plan in pinned.into_iter().chain(KINDS.map(|kind| Plan::predicted(&shape, kind))) {
            match plan {
                Ok(plan) => {
                    prop_assert!(!collides(&shape));
                    must_hold(&plan, &shape)?;
                }
                Err(PlanError::Collision { element, target, first, second }) => {
                    prop_assert!(collides(&shape) && needs_inspection(&shape));
                    for arg in [first, second] {
                        prop_assert!(row_of(&shape.touches[arg], element).contains(&(target as u32)));
                        prop_assert!(shape.touches[arg].access.modifies());
                    }
                }
                // Only what is added, and by arguments that all do the same, can be redirected.
                Err(PlanError::Turns { arg }) => {
                    let touch = &shape.touches[arg];
                    let alike = shape.touches.iter().all(|t| t.dat != touch.dat || t.access == touch.access);
                    let direct = touch.through.is_none() && touch.access.modifies();
                    prop_assert!(!touch.access.combines() || !alike || direct);
                }
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
        prop_assert_eq!(check(&shape).is_err(), collides(&shape));
        let traffic = Traffic::of(&shape).expect("rows exist");
        prop_assert_eq!(traffic.useful_bytes(), useful_bytes(&shape));
    }

    /// Blocks of a set in pieces are whole pieces, as far as the size allows.
    #[test]
    fn blocks_keep_pieces_together(lengths in prop::collection::vec(1_u32..40, 1..30), size in 1_usize..60, seed in any::<u32>()) {
        let offsets = starts(&lengths);
        let n = *offsets.last().expect("it has the start") as usize;
        let entries: Vec<u32> = (0..2 * n as u32).map(|i| i.wrapping_mul(seed | 1) % n as u32).collect();
        let through = Through { map: 0, entries: &entries, arity: 2, offsets: None, used: 0..2 };
        let touch = Touch { arg: 0, dat: 0, targets: n, bytes: 8, access: Access::Inc, through: Some(through), own: false };
        let shape = LoopShape { elements: Elements::Pieces(&offsets), touches: vec![touch] };
        for scheme in [Scheme::blocks(size), Scheme::tiles(size), Scheme::owner(size), Scheme::colours(size)] {
            must_hold(&Plan::build(&shape, scheme).expect("sound"), &shape)?;
        }
        let plan = Plan::build(&shape, Scheme::blocks(size)).expect("sound");
        for block in plan.offsets().windows(2) {
            let inside = |cut: u32| offsets.binary_search(&cut).is_ok();
            let (first, last) = (offsets.partition_point(|&o| o <= block[0]) - 1, offsets.partition_point(|&o| o < block[1]));
            let divided = (offsets[first + 1] - offsets[first]) as usize > size;
            prop_assert!(inside(block[0]) || divided, "block {block:?} starts inside a piece that would fit");
            let divided = (offsets[last] - offsets[last - 1]) as usize > size;
            prop_assert!(inside(block[1]) || divided, "block {block:?} ends inside a piece that would fit");
        }
    }

    #[test]
    fn prediction_and_plan_agree(case in cases()) {
        let shape = case.shape();
        for kind in KINDS {
            let Ok(plan) = Plan::predicted(&shape, kind) else { continue };
            prop_assert_eq!(predict(&shape, kind), Ok(plan.scheme()));
            let pinned = Plan::build(&shape, plan.scheme()).expect("predicted schemes can be built");
            prop_assert_eq!(plan.offsets(), pinned.offsets());
            prop_assert_eq!(plan.order(), pinned.order());
            for c in 0..plan.colours() {
                prop_assert_eq!(plan.blocks_of(c), pinned.blocks_of(c));
            }
        }
    }

    #[test]
    fn reuse_factor_is_accesses_over_distinct_targets(case in a_map(1000), size in 1_usize..300) {
        let AnyMap { targets, arity, entries, .. } = case;
        let through = Through { map: 0, entries: &entries, arity, offsets: None, used: 0..arity };
        let (access, through) = (Access::Inc, Some(through));
        let touch = Touch { arg: 0, dat: 0, targets, bytes: 8, access, through, own: false };
        let shape = LoopShape { elements: Elements::All(1000), touches: vec![touch] };
        let plan = Plan::build(&shape, Scheme::blocks(size)).expect("sound");
        let distinct_of = |block: &[u32]| block.iter().collect::<BTreeSet<_>>().len();
        let distinct: usize = entries.chunks(size * arity).map(distinct_of).sum();
        let expected = entries.len() as f64 / distinct as f64;
        prop_assert!((plan.reuse_factor(&shape).expect("same loop") - expected).abs() < 1e-12);
    }
}
