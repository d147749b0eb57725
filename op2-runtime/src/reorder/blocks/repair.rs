//! Repairs blocks that METIS made too large.

use super::super::follow::by_key;
use super::elements::Weighted;
use metis::Idx;

/// Moves elements until no part has more than `most` of them: to neighbouring parts with room, where this cuts the
/// least weight first, or to a new part if none has room.
pub(super) fn repair(graph: &Weighted, parts: &mut [u32], most: usize) {
    let count = parts.iter().max().map_or(0, |&last| last as usize + 1);
    let (members, starts) = by_key(count, parts.len(), |e| parts[e]);
    let mut sizes: Vec<usize> = starts.windows(2).map(|ends| (ends[1] - ends[0]) as usize).collect();
    let mut shared = vec![0; count];
    for part in (0..count).filter(|&part| starts[part + 1] as usize - starts[part] as usize > most) {
        let mut members = members[starts[part] as usize..starts[part + 1] as usize].to_vec();
        // From a part of at least twice the size, whole blocks come off first. Members are in the order of GPS, so such
        // blocks are compact.
        while members.len() >= 2 * most {
            open(parts, &mut sizes, members.drain(members.len() - most..).as_slice());
        }
        sizes[part] = members.len();
        while sizes[part] > most {
            let moves = moves(graph, parts, &sizes, &members, most, &mut shared);
            let before = sizes[part];
            for (_, e, to) in moves {
                if sizes[part] > most && sizes[to as usize] < most {
                    parts[e as usize] = to;
                    sizes[to as usize] += 1;
                    sizes[part] -= 1;
                }
            }
            members.retain(|&e| parts[e as usize] as usize == part);
            if sizes[part] == before {
                open(parts, &mut sizes, &members.split_off(most));
                sizes[part] = most;
            }
        }
    }
}

/// Makes a new part of the elements.
fn open(parts: &mut [u32], sizes: &mut Vec<usize>, elements: &[u32]) {
    for &e in elements {
        parts[e as usize] = sizes.len() as u32;
    }
    sizes.push(elements.len());
}

/// For every member that has a neighbouring part with room: the cost of its best move, the member and the part. The
/// cheapest move comes first.
fn moves(
    graph: &Weighted,
    parts: &[u32],
    sizes: &[usize],
    members: &[u32],
    most: usize,
    shared: &mut Vec<Idx>,
) -> Vec<(Idx, u32, u32)> {
    shared.resize(sizes.len(), 0);
    let mut moves = Vec::new();
    for &e in members {
        let own = parts[e as usize];
        for (w, weight) in graph.of_vertex(e as usize) {
            shared[parts[w] as usize] += weight;
        }
        let others = graph.of_vertex(e as usize).map(|(w, _)| parts[w]);
        let open = others.filter(|&other| other != own && sizes[other as usize] < most);
        let cost = |other: u32| (shared[own as usize] - shared[other as usize], other);
        if let Some((cost, to)) = open.map(cost).min() {
            moves.push((cost, e, to));
        }
        for (w, _) in graph.of_vertex(e as usize) {
            shared[parts[w] as usize] = 0;
        }
    }
    moves.sort_unstable();
    moves
}

#[cfg(test)]
mod tests {
    use super::super::Rows;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_part_exceeds_the_most(
            (parts, entries) in (1_usize..80).prop_flat_map(|n| {
                (prop::collection::vec(0_u32..6, n), prop::collection::vec(0_u32..40, 2 * n))
            }),
            most in 1_usize..12,
        ) {
            let n = parts.len();
            let graph = Weighted::of(n, &[Rows { to: 1, arity: 2, targets: 40, entries }]).expect("small");
            let mut repaired = parts.clone();
            repair(&graph, &mut repaired, most);
            let size = |parts: &[u32], p: u32| parts.iter().filter(|&&q| q == p).count();
            for p in 0..=*repaired.iter().max().expect("not empty") {
                prop_assert!(size(&repaired, p) <= most);
            }
            // Only elements of a part that was too large have moved.
            for e in 0..n {
                prop_assert!(repaired[e] == parts[e] || size(&parts, parts[e]) > most);
            }
        }
    }

    #[test]
    fn the_element_moves_that_shares_most_with_a_part_with_room() {
        // A chain of six elements: four in the first part, two in the second; at most three are allowed.
        let entries = vec![0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6];
        let graph = Weighted::of(6, &[Rows { to: 1, arity: 2, targets: 7, entries }]).expect("small");
        let mut parts = [0, 0, 0, 0, 1, 1];
        repair(&graph, &mut parts, 3);
        assert_eq!(parts, [0, 0, 0, 1, 1, 1]);
    }
}
