//! Numbers sets to match the sets that are numbered already.

use super::shape::{Link, MeshShape};
use crate::data::parts::{Lists, Pairs, for_each, for_each_list, part_len, scatter};

/// New numbers of every set, `numbers[set][old]`; `None` for a set that has none yet.
pub(super) type Numbers = Vec<Option<Vec<u32>>>;

/// Numbers every set that maps connect to a numbered one. Each step follows the map with the most entries between a
/// numbered and another set, the first of equal ones: from elements to points by [`first_touch`], from points to
/// elements by [`by_points`].
pub(super) fn follow(mesh: &MeshShape<'_>, numbers: &mut Numbers) {
    loop {
        let numbered = |set: usize| numbers[set].is_some();
        let relates = |map: &&Link<'_>| !map.entries.is_empty() && numbered(map.from) != numbered(map.to);
        // `max_by_key` returns the last of equal maps, hence the reversal.
        let Some(map) = mesh.maps.iter().rev().filter(relates).max_by_key(|map| map.entries.len()) else { return };
        match (&numbers[map.from], &numbers[map.to]) {
            (Some(from), _) => numbers[map.to] = Some(first_touch(map, from, mesh.sets[map.to])),
            (_, Some(to)) => numbers[map.from] = Some(by_points(map, to)),
            _ => unreachable!("the map relates a numbered set"),
        }
    }
}

/// New numbers of a map's elements. They are sorted lexicographically by the new numbers of their points, with the
/// points of each row ascending; ties are broken by the old number.
pub(super) fn by_points(map: &Link<'_>, new: &[u32]) -> Vec<u32> {
    let mut rows = map.renumbered(None, Some(new));
    let len = part_len(map.rows()) * map.arity;
    for_each(&mut rows, len, |_, rows| rows.chunks_exact_mut(map.arity).for_each(<[u32]>::sort_unstable));
    let row = |e: u32| &rows[e as usize * map.arity..(e as usize + 1) * map.arity];
    let (mut order, starts) = by_key(new.len(), map.rows(), |e| row(e as u32)[0]);
    for_each_list(&mut order, &starts, |_, list| list.sort_unstable_by(|&a, &b| row(a).cmp(row(b)).then(a.cmp(&b))));
    inverse(&order)
}

/// New numbers of a map's targets, in the order in which the rows first mention them. Rows are visited in the new order
/// `from` of the elements. Targets that no row mentions come last, by their old numbers.
pub(super) fn first_touch(map: &Link<'_>, from: &[u32], targets: usize) -> Vec<u32> {
    let mut new = vec![u32::MAX; targets];
    let mut next = 0;
    let mut touch = |number: &mut u32| {
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
    };
    for e in inverse(from) {
        map.row(e as usize).iter().for_each(|&t| touch(&mut new[t as usize]));
    }
    new.iter_mut().for_each(touch);
    new
}

/// Elements `0..n` sorted stably by a key below `keys`, and the offset of each key (one more than keys).
pub(super) fn by_key(keys: usize, n: usize, key: impl Fn(usize) -> u32 + Sync) -> (Vec<u32>, Vec<u32>) {
    let Lists { offsets, values } = Lists::of(keys, &Keyed { n, key });
    (values, offsets)
}

/// Elements `0..n`, each with its key.
struct Keyed<K> {
    n: usize,
    key: K,
}

impl<K: Fn(usize) -> u32 + Sync> Pairs for Keyed<K> {
    fn visit(&self, mut f: impl FnMut(u32, u32)) {
        (0..self.n).for_each(|e| f((self.key)(e), e as u32));
    }
}

/// The inverse of a permutation.
pub(super) fn inverse(permutation: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; permutation.len()];
    scatter(permutation, 1, &mut inverse, |from, place| place[0] = from as u32);
    inverse
}
