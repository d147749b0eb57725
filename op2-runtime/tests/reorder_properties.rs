//! Reordering of random meshes: whatever the maps hold, every set is renumbered by a permutation, blocks have the
//! requested size, and the orders are those that the documentation states, checked by a direct computation.

use op2_runtime::reorder::{Coordinates, Link, MeshShape, NewNumbers, Ordering, ReorderError, leading_map, renumber};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A mesh that owns its maps.
#[derive(Debug, Clone)]
struct Case {
    sets: Vec<usize>,
    maps: Vec<AnyMap>,
    coordinates: (usize, usize, Vec<f64>),
    lead: Option<usize>,
}

#[derive(Debug, Clone)]
struct AnyMap {
    from: usize,
    to: usize,
    arity: usize,
    entries: Vec<u32>,
}

impl Case {
    fn shape(&self) -> MeshShape<'_> {
        let maps = self.maps.iter().map(|AnyMap { from, to, arity, entries }| {
            let (from, to, arity) = (*from, *to, *arity);
            Link { from, to, arity, entries }
        });
        let (set, dim, ref values) = self.coordinates;
        MeshShape {
            sets: self.sets.clone(),
            maps: maps.collect(),
            coordinates: Some(Coordinates { set, dim, values }),
            ..MeshShape::default()
        }
    }
}

/// Entries of a map: anything, or only near the element, so that graphs are both dense and in many pieces.
fn entries(rows: usize, arity: usize, targets: usize) -> impl Strategy<Value = Vec<u32>> {
    let any = prop::collection::vec(0..targets.max(1) as u32, rows * arity);
    let near = prop::collection::vec(0..3_usize, rows * arity).prop_map(move |steps| {
        (0..).zip(steps).map(|(i, s)| ((i / arity.max(1) + s) % targets.max(1)) as u32).collect()
    });
    prop_oneof![any, near]
}

fn a_map(sets: Vec<usize>) -> impl Strategy<Value = AnyMap> {
    let n = sets.len();
    (0..n, 0..n, 0_usize..4).prop_flat_map(move |(from, to, arity)| {
        // Nothing can be mapped to an empty set.
        let arity = if sets[to] == 0 { 0 } else { arity };
        entries(sets[from], arity, sets[to]).prop_map(move |entries| AnyMap { from, to, arity, entries })
    })
}

fn cases() -> impl Strategy<Value = Case> {
    let size = prop_oneof![Just(0_usize), Just(1), Just(2), 3_usize..40, Just(150)];
    prop::collection::vec(size, 1..5).prop_flat_map(|sets| {
        let maps = prop::collection::vec(a_map(sets.clone()), 1..5);
        let at = (0..sets.len(), 1_usize..4);
        let sizes = sets.clone();
        let coordinates = at.prop_flat_map(move |(set, dim)| {
            prop::collection::vec(-1e3..1e3, sizes[set] * dim).prop_map(move |values| (set, dim, values))
        });
        (maps, coordinates, prop::option::of(any::<prop::sample::Index>())).prop_map(
            move |(maps, coordinates, lead)| {
                let lead = lead.map(|index| index.index(maps.len()));
                Case { sets: sets.clone(), maps, coordinates, lead }
            },
        )
    })
}

fn orderings() -> impl Strategy<Value = Ordering> {
    let block = prop_oneof![1_usize..9, Just(64), Just(1000)];
    prop_oneof![
        Just(Ordering::Rcm),
        Just(Ordering::Gps),
        Just(Ordering::Runs),
        Just(Ordering::Hilbert),
        block.prop_map(|block| Ordering::Metis { block })
    ]
}

fn numbers(case: &Case, ordering: Ordering) -> NewNumbers {
    renumber(&case.shape(), ordering, case.lead, &mut |_| {}).expect("sound")
}

/// The old number of every new one.
fn inverse(new: &[u32]) -> Vec<usize> {
    let mut old = vec![usize::MAX; new.len()];
    new.iter().enumerate().for_each(|(e, &place)| old[place as usize] = e);
    old
}

/// New numbers of an element's points, ascending.
fn key(map: &AnyMap, points: Option<&Vec<u32>>, element: usize) -> Vec<u32> {
    let row = &map.entries[element * map.arity..(element + 1) * map.arity];
    let mut key: Vec<u32> = row.iter().map(|&t| points.map_or(t, |new| new[t as usize])).collect();
    key.sort_unstable();
    key
}

/// Sets that no chain of maps with entries relates to `start`.
fn unrelated(case: &Case, start: &[usize]) -> BTreeSet<usize> {
    let mut related: BTreeSet<usize> = start.iter().copied().collect();
    for _ in 0..case.sets.len() {
        for map in case.maps.iter().filter(|map| !map.entries.is_empty()) {
            if related.contains(&map.from) || related.contains(&map.to) {
                related.extend([map.from, map.to]);
            }
        }
    }
    (0..case.sets.len()).filter(|set| !related.contains(set)).collect()
}

proptest! {
    #[test]
    fn numbers_are_permutations_and_repeat(case in cases(), ordering in orderings()) {
        let found = numbers(&case, ordering);
        prop_assert_eq!(found.sets.len(), case.sets.len());
        for (new, &size) in found.sets.iter().zip(&case.sets) {
            if let Some(new) = new {
                let distinct: BTreeSet<u32> = new.iter().copied().collect();
                prop_assert_eq!(new.len(), size);
                prop_assert!(distinct.iter().copied().eq(0..size as u32));
            }
        }
        prop_assert_eq!(found.lead, case.lead.or_else(|| leading_map(&case.shape())));
        prop_assert_eq!(&found, &numbers(&case, ordering));
        let lead = &case.maps[found.lead.expect("there are maps")];
        let start = if ordering == Ordering::Hilbert { vec![case.coordinates.0] } else { vec![lead.from, lead.to] };
        for set in unrelated(&case, &start) {
            prop_assert!(found.sets[set].is_none(), "set {} is in no relation", set);
        }
    }

    #[test]
    fn elements_are_sorted_by_their_points(case in cases(), ordering in prop_oneof![Just(Ordering::Rcm), Just(Ordering::Gps)]) {
        let found = numbers(&case, ordering);
        let lead = &case.maps[found.lead.expect("there are maps")];
        if lead.from != lead.to && lead.arity > 0 {
            let new = found.sets[lead.from].as_ref().expect("numbered");
            let keys: Vec<_> = inverse(new).into_iter().map(|e| (key(lead, found.sets[lead.to].as_ref(), e), e)).collect();
            prop_assert!(keys.is_sorted(), "{keys:?}");
        }
    }

    #[test]
    fn elements_of_a_window_are_sorted_by_distances(case in cases()) {
        let found = numbers(&case, Ordering::Runs);
        let leading = found.lead.expect("there are maps");
        let lead = &case.maps[leading];
        let sorted = lead.from != lead.to && lead.arity > 0;
        prop_assert!(found.ordered.is_empty());
        prop_assert_eq!(found.runs.iter().map(|runs| runs.map).collect::<Vec<_>>(), if sorted { vec![leading] } else { vec![] });
        for (set, new) in found.sets.iter().enumerate() {
            prop_assert_eq!(new.is_some(), sorted && set == lead.from);
        }
        if let Some(new) = &found.sets[lead.from] {
            let row = |e: usize| lead.entries[e * lead.arity..][..lead.arity].iter().map(|&t| i64::from(t));
            let key = |e: usize| {
                let first = row(e).next().expect("a row has entries");
                (row(e).map(|t| t - first).collect::<Vec<_>>(), first, e)
            };
            let old = inverse(new);
            for (n, window) in old.chunks(1024).enumerate() {
                prop_assert!(window.iter().all(|e| e / 1024 == n));
                prop_assert!(window.iter().map(|&e| key(e)).is_sorted());
            }
        }
    }

    #[test]
    fn blocks_hold_all_elements_and_no_more_than_asked_for(case in cases(), block in prop_oneof![1_usize..9, Just(64), Just(1000)]) {
        let found = numbers(&case, Ordering::Metis { block });
        let lead = &case.maps[found.lead.expect("there are maps")];
        let (set, offsets) = found.pieces.as_ref().expect("METIS cuts");
        prop_assert_eq!(*set, lead.from);
        prop_assert_eq!(offsets.first(), Some(&0));
        prop_assert_eq!(*offsets.last().expect("one entry more than blocks") as usize, case.sets[*set]);
        prop_assert!(offsets.windows(2).all(|ends| ends[0] < ends[1] && (ends[1] - ends[0]) as usize <= block));
        if lead.from != lead.to && lead.arity > 0 {
            let old = inverse(found.sets[*set].as_ref().expect("numbered"));
            for ends in offsets.windows(2) {
                let members = &old[ends[0] as usize..ends[1] as usize];
                prop_assert!(members.iter().map(|&e| key(lead, found.sets[lead.to].as_ref(), e)).is_sorted());
            }
        }
    }

    #[test]
    fn points_are_sorted_by_the_blocks_that_touch_them(case in cases(), block in 1_usize..9) {
        let found = numbers(&case, Ordering::Metis { block });
        let (set, offsets) = found.pieces.as_ref().expect("METIS cuts");
        let block_of = |e: usize| {
            let place = found.sets[*set].as_ref().map_or(e as u32, |new| new[e]);
            offsets.partition_point(|&start| start <= place) - 1
        };
        for (to, new) in found.sets.iter().enumerate().filter(|&(to, _)| to != *set) {
            let mut blocks = vec![BTreeSet::new(); case.sets[to]];
            for map in case.maps.iter().filter(|map| (map.from, map.to) == (*set, to)) {
                for (i, &t) in map.entries.iter().enumerate() {
                    blocks[t as usize].insert(block_of(i / map.arity));
                }
            }
            if blocks.iter().any(|blocks| !blocks.is_empty()) {
                let keys: Vec<_> = inverse(new.as_ref().expect("numbered"))
                    .into_iter()
                    // Points without a block come last, by their old number.
                    .map(|t| (blocks[t].is_empty(), blocks[t].len(), &blocks[t], if blocks[t].is_empty() { t } else { 0 }))
                    .collect();
                prop_assert!(keys.is_sorted(), "{keys:?}");
            }
        }
    }

    #[test]
    fn wrong_entries_are_refused(case in cases(), at in any::<prop::sample::Index>(), beyond in 0_u32..3) {
        let mut case = case;
        let place = case.maps.iter().position(|map| !map.entries.is_empty());
        if let Some(map) = place {
            let (size, arity) = (case.sets[case.maps[map].to], case.maps[map].arity);
            let place = at.index(case.maps[map].entries.len());
            let (found, set) = (size as u32 + beyond, case.maps[map].to);
            case.maps[map].entries[place] = found;
            let error = renumber(&case.shape(), Ordering::Gps, case.lead, &mut |_| {});
            let (element, entry) = (place / arity, place % arity);
            prop_assert_eq!(error, Err(ReorderError::Entry { map, element, entry, found, set, size }));
        }
    }
}
