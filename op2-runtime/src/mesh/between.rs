//! Changes between loops that need no kernel: a value everywhere, dats that change places, subsets chosen by flags, sums of counts.
//! Called on the threads of a pool, they divide their work among these; the results do not depend on the number of threads.

use super::{DatStore, Mesh, SetStore};
use crate::data::place::MISSING;
use crate::data::value::{Elem, Value};
use crate::data::{parts, room, tasks};
use crate::error::{Error, Result};

/// A scalar that says yes or no: `bool`, or an integer, of which all but 0 say yes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says neither yes nor no",
    label = "expected `bool` or an integer, of which all but 0 say yes"
)]
pub trait Flag: Value<Elem = Self> + Elem {
    /// Whether it says yes.
    #[doc(hidden)]
    fn says_yes(self) -> bool;
}

macro_rules! flags {
    ($($ty:ident)*) => {$(
        impl Flag for $ty {
            #[inline(always)]
            fn says_yes(self) -> bool {
                self != $ty::default()
            }
        }
    )*};
}
flags! { bool i8 u8 i16 u16 i32 u32 i64 u64 }

impl Mesh {
    /// Gives all elements the same value of a dat.
    pub(crate) fn fill<V: Value>(&mut self, dat: usize, value: V) {
        let Mesh { sets, dats, .. } = self;
        let set = dats[dat].set;
        dats[dat].fill(&sets[set], value);
    }

    /// Lets all entries of a map lead to one element, by the user's number, or to none.
    ///
    /// # Errors
    /// [`Error::MapEntry`] for a number that no element has.
    pub(crate) fn fill_map(&mut self, map: usize, target: Option<u32>) -> Result<()> {
        let Mesh { sets, maps, dats, .. } = self;
        let store = &maps[map];
        let (from, to) = (&sets[store.from], &sets[store.to]);
        let entry = match target {
            None => MISSING,
            Some(number) if (number as usize) < to.size => to.inner(number as usize) as u32,
            Some(number) => {
                return Err(Error::MapEntry {
                    map: store.name.clone(),
                    element: 0,
                    index: 0,
                    value: number.to_string(),
                    to: to.name.clone(),
                    size: to.size,
                });
            }
        };
        let (rows, reach) = (from.size, target.map_or(0, |number| number as usize + 1));
        let dat = &mut dats[store.data];
        dat.change();
        let entries = &mut dat.scalars_mut::<u32>()[..];
        let len = parts::part_len(entries.len());
        parts::for_each(entries, len, |_, entries| entries.fill(entry));
        let store = maps[map].change();
        store.entries_changed(reach);
        store.defined = rows;
        self.moves = true;
        Ok(())
    }

    /// Exchanges the values of two dats of one type, and with them their layouts; of dats that hold the entries of maps, these.
    ///
    /// # Errors
    /// [`Error::OtherSet`] if they live on two sets, [`Error::OtherTarget`] for maps that lead to two.
    pub(crate) fn swap(&mut self, a: usize, b: usize) -> Result<()> {
        self.on_set(&self.dats[b], self.dats[a].set)?;
        if let [Some(a), Some(b)] = [a, b].map(|dat| self.dats[dat].of_map) {
            let [expected, found] = [a, b].map(|map| self.maps[map].to);
            if found != expected {
                let [expected, found] = [expected, found].map(|set| self.sets[set].name.clone());
                return Err(Error::OtherTarget { map: self.maps[b].name.clone(), found, expected });
            }
            if let Ok([a, b]) = self.maps.get_disjoint_mut([a, b]) {
                a.change().swap(b.change());
            }
            self.moves = true;
        }
        if let Ok([a, b]) = self.dats.get_disjoint_mut([a, b]) {
            a.swap(b);
        }
        Ok(())
    }

    /// Gives a subset the elements whose flags say yes, in ascending order of their numbers. Returns how many they are.
    ///
    /// # Errors
    /// [`Error::OtherSet`] for flags of another set, [`Error::NoMemory`]; the subset is as before then.
    pub(crate) fn select<V: Flag>(&mut self, subset: usize, flags: usize) -> Result<usize> {
        self.on_set(&self.dats[flags], self.subsets[subset].set)?;
        let mut list = std::mem::take(&mut self.subsets[subset].change().list);
        let chosen = self.choose::<V>(flags, || format!("subset `{}`", self.subsets[subset].name), &mut list);
        match chosen {
            Ok(_) => _ = self.take_chosen(subset, list),
            Err(_) => self.subsets[subset].change().list = list,
        }
        chosen
    }

    /// Gives a subset elements that were chosen among all of its set. Returns those that it had.
    pub(crate) fn take_chosen(&mut self, subset: usize, list: Vec<u32>) -> Vec<u32> {
        self.moves = true;
        let reach = self.sets[self.subsets[subset].set].size;
        let store = self.subsets[subset].change();
        store.reach = reach;
        std::mem::replace(&mut store.list, list)
    }

    /// Fills a list with the elements whose flags say yes, in ascending order. It gets room for all elements: later calls with it
    /// allocate nothing. `what` describes it in the error; it is as before then.
    pub(super) fn choose<V: Flag>(
        &self,
        flags: usize,
        what: impl FnOnce() -> String,
        list: &mut Vec<u32>,
    ) -> Result<usize> {
        let size = self.sets[self.dats[flags].set].size;
        let flags = &self.dats[flags].scalars::<V>()[..size];
        let len = parts::part_len(size);
        let of_part = |part: usize| &flags[part * len..size.min(part * len + len)];
        let counts =
            tasks::map(size.div_ceil(len), |part| of_part(part).iter().map(|flag| usize::from(flag.says_yes())).sum());
        let total = counts.iter().sum::<usize>();
        if list.capacity() < size {
            *list = room::list(what, size)?;
        }
        list.resize(total, 0);
        let mut rest = &mut list[..];
        let pieces = counts.into_iter().map(|count: usize| rest.split_off_mut(..count).unwrap_or_default());
        tasks::for_each_of(pieces.collect::<Vec<_>>(), |part, piece| list_yes(of_part(part), part * len, piece));
        Ok(total)
    }

    /// Gives each element the sum of the counts of all elements before it, by the user's numbers, and returns the sum of all. Both dats
    /// may be one.
    ///
    /// # Errors
    /// [`Error::OtherSet`] if the dats live on two sets, [`Error::Total`] for a sum that no `u32` holds, [`Error::NoMemory`]; nothing
    /// has changed then.
    pub(crate) fn scan(&mut self, counts: usize, into: usize) -> Result<u32> {
        let set = self.dats[counts].set;
        self.on_set(&self.dats[into], set)?;
        let set = &self.sets[set];
        let (sums, total) = self.sums(counts, |user| set.inner(user))?;
        let Mesh { sets, dats, .. } = self;
        let set = &sets[dats[into].set];
        dats[into].take_users(set, &sums);
        Ok(total)
    }

    /// The sums of the counts of all elements before each one in an order, which says the inner number of the element at each place, and
    /// the sum of all.
    ///
    /// # Errors
    /// [`Error::Total`] for a sum that no `u32` holds, [`Error::NoMemory`].
    pub(super) fn sums(&self, counts: usize, order: impl Fn(usize) -> usize + Sync) -> Result<(Vec<u32>, u32)> {
        let size = self.sets[self.dats[counts].set].size;
        let what = || format!("the sums of dat `{}`", self.dats[counts].name);
        // Room for the end behind the last.
        let mut sums = room::list(what, size + 1)?;
        sums.resize(size, 0_u32);
        let values = &self.dats[counts].scalars::<u32>()[..size];
        let value = |place: usize| values[order(place)];
        let len = parts::part_len(size);
        let of_part = |part: usize| (part * len..(part * len + len).min(size)).map(|at| u64::from(value(at))).sum();
        let totals: Vec<u64> = tasks::map(size.div_ceil(len), of_part);
        let total = totals.iter().map(|total| u128::from(*total)).sum::<u128>();
        let total = u32::try_from(total).map_err(|_| Error::Total { dat: self.dats[counts].name.clone(), total })?;
        let starts: Vec<u32> =
            totals.iter().scan(0, |sum, total| Some(std::mem::replace(sum, *sum + *total as u32))).collect();
        parts::for_each(&mut sums, len, |part, sums| {
            let mut sum = starts[part];
            for (place, to) in sums.iter_mut().enumerate() {
                *to = sum;
                // The sum behind the last element is the total, or the start of the next part.
                sum += value(part * len + place);
            }
        });
        Ok((sums, total))
    }

    /// Fails unless a dat lives on a set.
    pub(crate) fn on_set(&self, dat: &DatStore, set: usize) -> Result<()> {
        if dat.set == set {
            return Ok(());
        }
        let name = |set: usize| self.sets[set].name.clone();
        Err(Error::OtherSet { dat: dat.name.clone(), found: name(dat.set), expected: name(set) })
    }
}

/// Lists the elements whose flags say yes; the first flag is that of element `first`.
fn list_yes<V: Flag>(flags: &[V], first: usize, mut list: &mut [u32]) {
    const LEN: usize = 64;
    let mut chosen = [0; LEN];
    for (elements, flags) in (first..).step_by(LEN).zip(flags.chunks(LEN)) {
        // By vectors. Often all flags of a stretch say the same.
        let all = flags.iter().map(|flag| u8::from(flag.says_yes())).sum::<u8>().into();
        if all == 0 {
            continue;
        }
        let (now, later) = list.split_at_mut(all);
        list = later;
        if all == flags.len() {
            now.iter_mut().zip(elements as u32..).for_each(|(to, element)| *to = element);
            continue;
        }
        // Nothing depends on a flag but a sum: no processor can guess random flags.
        let mut count = 0;
        for (element, flag) in (elements..).zip(flags) {
            chosen[count] = element as u32;
            count += usize::from(flag.says_yes());
        }
        now.copy_from_slice(&chosen[..all]);
    }
}

impl DatStore {
    /// Takes the values, of one scalar each, of the user's elements.
    fn take_users(&mut self, set: &SetStore, values: &[u32]) {
        self.change();
        let scalars = &mut self.scalars_mut::<u32>()[..set.size];
        match &set.numbering {
            None => parts::copy(values, scalars),
            Some(numbering) => {
                let (users, len) = (numbering.user(), parts::part_len(set.size));
                parts::for_each(scalars, len, |part, to| {
                    to.iter_mut().zip(&users[part * len..]).for_each(|(to, user)| *to = values[*user as usize]);
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::Layout;
    use crate::data::workers::Workers;
    use crate::mesh::Object;

    const LAYOUTS: [Layout; 4] = [Layout::Aos, Layout::Soa, Layout::Blocked(2), Layout::Blocked(3)];
    /// Nothing, less than a part, several parts, a last one that is not full.
    const SIZES: [usize; 5] = [0, 1, 7, 40_000, 70_001];

    fn mixed(n: usize) -> u32 {
        (n as u32).wrapping_mul(2_654_435_761) >> 11
    }

    /// Calls `test` with meshes of one set, with and without numbers of its own, on several numbers of threads.
    fn on_all(test: impl Fn(Mesh, usize, usize) + Sync) {
        for threads in [1, 3] {
            let workers = Workers::new(threads).unwrap();
            for (size, shuffle) in SIZES.into_iter().flat_map(|size| [(size, None), (size, Some(5))]) {
                tasks::install(&workers, || {
                    let mut mesh = Mesh::new();
                    let set = mesh.add_set("set", size, shuffle).unwrap();
                    test(mesh, set, size);
                });
            }
        }
    }

    #[test]
    fn all_values_become_one() {
        on_all(|mut mesh, set, size| {
            for layout in LAYOUTS {
                let dat = mesh.add_dat_by("dat", set, layout, |e| [e as f64, 1.0, 2.0], None).unwrap();
                let padding = mesh.dats[dat].memory().len();
                mesh.fill(dat, [7.0, 8.0, 9.0]);
                assert_eq!(mesh.rows::<[f64; 3]>(dat).unwrap(), vec![[7.0, 8.0, 9.0]; size], "{layout:?}");
                let sum: f64 = mesh.scalars::<[f64; 3]>(dat).iter().sum();
                assert_eq!((sum, mesh.dats[dat].memory().len()), (24.0 * size as f64, padding), "padding stays zero");
            }
        });
    }

    #[test]
    fn sums_go_by_the_users_numbers() {
        on_all(|mut mesh, set, size| {
            let value = |e| mixed(e) % 5;
            let counts = mesh.add_dat_by("counts", set, Layout::Soa, value, None).unwrap();
            let into = mesh.add_dat_by("into", set, Layout::Aos, |_| 9_u32, None).unwrap();
            let expected: Vec<u32> =
                (0..size).scan(0, |sum, e| Some(std::mem::replace(sum, *sum + value(e)))).collect();
            let all = (0..size).map(value).sum::<u32>();
            assert_eq!(mesh.scan(counts, into).unwrap(), all);
            assert_eq!(mesh.rows::<u32>(into).unwrap(), expected);
            assert_eq!(mesh.scan(counts, counts).unwrap(), all, "in its own place");
            assert_eq!(mesh.rows::<u32>(counts).unwrap(), expected);
        });
    }

    #[test]
    fn a_sum_that_is_too_great_changes_nothing() {
        let mut mesh = Mesh::new();
        let set = mesh.add_set("set", 3, None).unwrap();
        let counts = mesh.add_dat("counts", set, Layout::Aos, &[u32::MAX, 1, 2], None).unwrap();
        let error = mesh.scan(counts, counts).unwrap_err();
        assert_eq!(error, Error::Total { dat: "counts".to_owned(), total: u128::from(u32::MAX) + 3 });
        assert_eq!(mesh.rows::<u32>(counts).unwrap(), [u32::MAX, 1, 2]);
        let other = mesh.add_set("other", 3, None).unwrap();
        let there = mesh.add_dat("there", other, Layout::Aos, &[0_u32; 3], None).unwrap();
        let refused = mesh.scan(counts, there).unwrap_err().to_string();
        assert_eq!(
            refused,
            "dat `there` lives on set `other`, expected set `set`: both are of one kind; use the dat of that set"
        );
        assert_eq!(mesh.swap(counts, there).unwrap_err().to_string(), refused);
    }

    #[test]
    fn subsets_have_the_elements_whose_flags_say_yes() {
        on_all(|mut mesh, set, size| {
            let subset = mesh.add_subset::<u32>("subset", set, &[]).unwrap();
            let yes = |e| mixed(e).is_multiple_of(3);
            let flags = mesh.add_dat_by("flags", set, Layout::Blocked(2), yes, None).unwrap();
            let numbers = mesh.add_dat_by("numbers", set, Layout::Soa, |e| i16::from(!yes(e)) * -2, None).unwrap();
            let inner = |yes: &dyn Fn(usize) -> bool| {
                let mut all: Vec<u32> = (0..size).filter(|e| yes(*e)).map(|e| mesh.sets[set].inner(e) as u32).collect();
                all.sort_unstable();
                all
            };
            let (those, others) = (inner(&yes), inner(&|e| !yes(e)));
            assert_eq!(mesh.select::<bool>(subset, flags).unwrap(), those.len());
            assert_eq!(mesh.subsets[subset].list, those);
            let (room, version) = (mesh.subsets[subset].list.as_ptr(), mesh.subsets[subset].version());
            assert_eq!(mesh.select::<i16>(subset, numbers).unwrap(), others.len());
            assert_eq!(mesh.subsets[subset].list, others);
            assert_eq!(mesh.subsets[subset].list.as_ptr(), room, "it allocates once");
            assert_ne!(mesh.subsets[subset].version(), version, "plans see the change");
        });
    }

    #[test]
    fn maps_change_places() {
        let mut mesh = Mesh::new();
        let [from, to, other] = ["from", "to", "other"].map(|name| mesh.add_set(name, 3, Some(1)).unwrap());
        let a = mesh.add_map("a", from, to, &[[Some(0_u32)], [None], [Some(2)]], None).unwrap();
        let b = mesh.add_map("b", from, to, &[[Some(1_u32)], [Some(1)], [None]], None).unwrap();
        let c = mesh.add_map("c", from, other, &[[Some(1_u32)], [Some(1)], [None]], None).unwrap();
        let data = |mesh: &Mesh, map: usize| mesh.maps[map].data;
        let entries = |mesh: &Mesh| [a, b].map(|map| mesh.entries(map).to_vec());
        let versions = |mesh: &Mesh| [a, b].map(|map| mesh.version(Object::Map(map)));
        let ([first, second], before) = (entries(&mesh), versions(&mesh));
        // The order has seen the old entries.
        let links = [a, b].map(|map| mesh.link(map).entries.to_vec());
        mesh.swap(data(&mesh, a), data(&mesh, b)).unwrap();
        assert_eq!(entries(&mesh), [second, first]);
        assert!(versions(&mesh)[0] != before[0] && versions(&mesh)[1] != before[1], "plans see the change");
        assert_eq!([b, a].map(|map| mesh.link(map).entries.to_vec()), links);
        let error = mesh.swap(data(&mesh, a), data(&mesh, c)).unwrap_err().to_string();
        assert!(error.starts_with("map `c` leads to set `other`, expected set `to`: both are of one kind"), "{error}");
    }

    #[test]
    fn dats_change_places_with_their_layouts() {
        let mut mesh = Mesh::new();
        let set = mesh.add_set("set", 5, Some(3)).unwrap();
        let a = mesh.add_dat_by("a", set, Layout::Aos, |e| [e as f32, 1.0], None).unwrap();
        let b = mesh.add_dat_by("b", set, Layout::Soa, |e| [e as f32, 2.0], None).unwrap();
        let c = mesh.add_dat_by("c", set, Layout::Soa, |e| [e as f32, 3.0], None).unwrap();
        let versions = |mesh: &Mesh| [a, b, c].map(|dat| mesh.dats[dat].version());
        let before = versions(&mesh);
        mesh.swap(b, c).unwrap();
        assert_eq!(versions(&mesh), before, "plans depend on layouts alone");
        mesh.swap(a, b).unwrap();
        mesh.swap(a, a).unwrap();
        assert!(versions(&mesh)[0] != before[0] && versions(&mesh)[1] != before[1]);
        let second = |dat| mesh.rows::<[f32; 2]>(dat).unwrap()[4];
        assert_eq!([a, b, c].map(second), [[4.0, 3.0], [4.0, 1.0], [4.0, 2.0]]);
        assert_eq!([a, b, c].map(|dat| mesh.dats[dat].layout()), [Layout::Soa, Layout::Aos, Layout::Soa]);
    }
}
