//! Maps turned round: rows that lead from the targets of a map back to the elements whose entries lead there. They are made when they are
//! first needed after the map has changed, and not before.

use super::maps::Inverse;
use super::{MapStore, Mesh};
use crate::data::memory::Memory;
use crate::data::parts::{self, Lists, Pairs};
use crate::data::place::leads;
use crate::data::room;
use crate::data::version::Versioned;
use crate::error::{Error, Result};
use rayon_core::ThreadPool;

impl Mesh {
    /// The rows that turn a map round, which are not made yet, and their pairs.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub(crate) fn inverse(&mut self, map: usize) -> Result<[usize; 2]> {
        let known = self.maps.iter().position(|rows| rows.inverse.is_some_and(|inverse| inverse.of == map));
        if let Some(rows) = known
            && let Some(pairs) = self.pairs.iter().position(|pairs| pairs.rows() == Some(rows))
        {
            return Ok([rows, pairs]);
        }
        let MapStore { ref name, from, to, .. } = *self.maps[map];
        let name = format!("inverse of {name}");
        let offsets = room::filled(|| format!("the rows of map `{name}`"), 0, self.sets[to].size + 1)?;
        let data = self.add_entries(&name, to, 0, Memory::zeroed(|| format!("map `{name}`"), 0, 1, None)?);
        let mut rows = MapStore::of_rows(&name, (to, from), self.sizes(to, from), offsets, data);
        rows.inverse = Some(Inverse { of: map, version: None });
        self.maps.push(Versioned::new(rows));
        let rows = self.maps.len() - 1;
        Ok([rows, self.add_row_pairs(rows)])
    }

    /// The map that has changed since these rows turned it round. Of rows that turn an inverse round, it is the one that loops write.
    pub(crate) fn turned_before(&self, rows: usize) -> Option<usize> {
        let Inverse { of, version } = self.maps[rows].inverse?;
        self.turned_before(of).or_else(|| (version != Some(self.maps[of].version())).then_some(of))
    }

    /// Turns a map round, if it has changed since these rows did.
    ///
    /// # Errors
    /// [`Error::Unset`] for an element that has no entries yet, [`Error::RowStart`] for more entries than can be numbered,
    /// [`Error::NoMemory`]; the rows are as before then.
    pub(crate) fn turn(&mut self, rows: usize, workers: Option<&ThreadPool>) -> Result<()> {
        let inverse = self.maps[rows].inverse.filter(|_| self.turned_before(rows).is_some());
        let Some(Inverse { of: map, .. }) = inverse else { return Ok(()) };
        self.turn(map, workers)?;
        self.expect_defined(map)?;
        let (name, keys) = (self.maps[rows].name.clone(), self.sets[self.maps[map].to].size);
        let count = Turned { mesh: self, map }.count();
        if u32::try_from(count).is_err() {
            let reason = format!("there are {count} entries, at most {} can be numbered", u32::MAX);
            return Err(Error::RowStart { map: name, place: keys, reason });
        }
        let what = || format!("the rows of map `{name}`");
        // As many starts, and the next place of each row, beside the entries, which are copied.
        let bytes = 4 * (2 * keys as u128 + count as u128);
        if !room::has(bytes) {
            return Err(room::missing(what(), bytes));
        }
        // Room changes nothing that is seen, and the next call finds it.
        let data = self.maps[rows].data;
        self.dats[data].scalars_mut::<u32>().reserve(what, count as u128, workers)?;
        let Lists { offsets, values } = Lists::of(keys, &Turned { mesh: self, map });
        let entries = self.dats[data].scalars_mut::<u32>();
        entries.set_len(count);
        parts::copy(&values, entries);
        let version = self.maps[map].version();
        self.maps[rows].change().replace_offsets(offsets);
        self.entries_replaced(rows);
        self.maps[rows].note().inverse = Some(Inverse { of: map, version: Some(version) });
        Ok(())
    }
}

/// The entries of a map, each with the element that it is of, in the order of users' numbers.
struct Turned<'a> {
    mesh: &'a Mesh,
    map: usize,
}

impl Pairs for Turned<'_> {
    fn visit(&self, mut f: impl FnMut(u32, u32)) {
        let store = &self.mesh.maps[self.map];
        let (from, rows) = (&self.mesh.sets[store.from], self.mesh.through(self.map, 0..store.arity));
        for e in (0..from.size).map(|user| from.inner(user)) {
            rows.entries_of(e).iter().filter(|entry| leads(**entry)).for_each(|entry| f(*entry, e as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::Layout;

    /// The rows as the user sees them.
    fn rows(mesh: &Mesh, map: usize) -> Vec<Vec<usize>> {
        let (store, way) = (&mesh.maps[map], mesh.through(map, 0..0));
        let (from, to) = (&mesh.sets[store.from], &mesh.sets[store.to]);
        let row = |user| way.entries_of(from.inner(user)).iter().map(|entry| to.user(*entry as usize)).collect();
        (0..from.size).map(row).collect()
    }

    fn expected(entries: &[Vec<usize>], targets: usize) -> Vec<Vec<usize>> {
        let all = || entries.iter().enumerate().flat_map(|(e, row)| row.iter().map(move |t| (e, *t)));
        (0..targets).map(|t| all().filter(|pair| pair.1 == t).map(|pair| pair.0).collect()).collect()
    }

    #[test]
    fn rows_follow_the_map_that_they_turn_round() {
        for shuffle in [None, Some(5)] {
            let mut mesh = Mesh::new();
            let [from, to] = [40, 9].map(|size| mesh.add_set("set", size, shuffle).unwrap());
            let some = |salt: usize| -> Vec<[Option<usize>; 3]> {
                (0..40).map(|e| [e, e + 3, salt * e].map(|n| (n % 4 > 0).then_some(n % 9))).collect()
            };
            let map = mesh.add_map("map", from, to, &some(5), None).unwrap();
            let [inverse, pairs] = mesh.inverse(map).unwrap();
            assert_eq!(mesh.inverse(map), Ok([inverse, pairs]), "there is one");
            let list = |rows: &[[Option<usize>; 3]]| -> Vec<Vec<usize>> {
                rows.iter().map(|row| row.iter().flatten().copied().collect()).collect()
            };
            for salt in [5, 7] {
                mesh.replace_map(map, &some(salt), None).unwrap();
                assert_eq!(mesh.turned_before(inverse), Some(map));
                mesh.turn(inverse, None).unwrap();
                assert_eq!(rows(&mesh, inverse), expected(&list(&some(salt)), 9), "{shuffle:?}");
                let version = mesh.maps[inverse].version();
                mesh.turn(inverse, None).unwrap();
                assert_eq!(mesh.maps[inverse].version(), version, "nothing has changed");
                assert_eq!((mesh.link(map).arity, mesh.link(inverse).arity), (3, 0), "no order follows both");
                mesh.renumber(&[Some((0..40).rev().collect()), Some((0..9).rev().collect())], None).unwrap();
                mesh.turn(inverse, None).unwrap();
                assert_eq!(rows(&mesh, inverse), expected(&list(&some(salt)), 9), "{shuffle:?}, renumbered");
            }
            // Turned round twice, entries come in order.
            let [again, _] = mesh.inverse(inverse).unwrap();
            mesh.fill_map(map, None).unwrap();
            mesh.turn(again, None).unwrap();
            assert!(rows(&mesh, again).iter().all(Vec::is_empty) && rows(&mesh, inverse).iter().all(Vec::is_empty));
            mesh.replace_map(map, &some(2), None).unwrap();
            assert_eq!(mesh.turned_before(again), Some(map), "its entries may have to come from a device");
            mesh.turn(again, None).unwrap();
            let sorted = list(&some(2)).into_iter().map(|mut row| {
                row.sort_unstable();
                row
            });
            assert_eq!(rows(&mesh, again), sorted.collect::<Vec<_>>());
            assert!(matches!(mesh.replace_rows(inverse, &[0; 10], &[0_u32; 0], None), Err(Error::Inverse { .. })));
        }
    }

    #[test]
    fn rows_grow_with_their_sets() {
        let mut mesh = Mesh::new();
        let [from, to] = [3, 2].map(|size| mesh.add_set("set", size, Some(2)).unwrap());
        let map = mesh.add_map("map", from, to, &[[1_u32], [0], [1]], None).unwrap();
        let [inverse, _] = mesh.inverse(map).unwrap();
        mesh.turn(inverse, None).unwrap();
        let counts = mesh.add_dat("counts", from, Layout::Aos, &[1_u32, 0, 1], None).unwrap();
        let [born, kids] = [to, from].map(|children| mesh.add_children("children", from, children).unwrap());
        mesh.grow(born, counts, None).unwrap();
        assert_eq!(
            (mesh.turned_before(inverse), rows(&mesh, inverse)),
            (None, vec![vec![1], vec![0, 2], vec![], vec![]])
        );
        mesh.grow(kids, counts, None).unwrap();
        let unset = Error::Unset { map: "map".to_owned(), element: 3, set: "set".to_owned() };
        assert_eq!(mesh.turn(inverse, None), Err(unset));
        mesh.fill_map(map, Some(3)).unwrap();
        mesh.turn(inverse, None).unwrap();
        assert_eq!(rows(&mesh, inverse), [vec![], vec![], vec![], vec![0, 1, 2, 3, 4]]);
        let keep = mesh.add_dat("keep", from, Layout::Aos, &[true, false, true, false, true], None).unwrap();
        mesh.compact::<bool>(from, keep, None).unwrap();
        mesh.turn(inverse, None).unwrap();
        assert_eq!(rows(&mesh, inverse), [vec![], vec![], vec![], vec![0, 1, 2]]);
    }

    #[test]
    fn maps_are_filled() {
        for shuffle in [None, Some(5)] {
            let mut mesh = Mesh::new();
            let [from, to] = [3, 2].map(|size| mesh.add_set("set", size, shuffle).unwrap());
            let map = mesh.add_map("map", from, to, &[[Some(1_u32), None]; 3], None).unwrap();
            mesh.fill_map(map, Some(1)).unwrap();
            let inner = mesh.sets[to].inner(1) as u32;
            assert!(mesh.entries(map).iter().all(|entry| *entry == inner) && mesh.maps[map].reach == 2);
            let refused = mesh.fill_map(map, Some(2)).unwrap_err().to_string();
            assert!(refused.contains("`map`") && refused.contains('2'), "{refused}");
            assert!(mesh.entries(map).iter().all(|entry| *entry == inner));
            mesh.fill_map(map, None).unwrap();
            assert!(mesh.entries(map).iter().all(|entry| !leads(*entry)) && mesh.maps[map].reach == 0);
        }
    }
}
