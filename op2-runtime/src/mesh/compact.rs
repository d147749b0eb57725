//! Sets that lose elements. Those that stay keep their order, inside and for the user, and everything stored follows.

use super::between::Flag;
use super::{MapStore, Mesh, SetStore};
use crate::data::memory::Memory;
use crate::data::numbering::Numbering;
use crate::data::place::{MISSING, leads};
use crate::data::{parts, room, tasks};
use crate::error::{Error, Result};
use rayon_core::ThreadPool;
use std::ops::Range;

/// The new number of an element that leaves its set. An entry that leads to one is missing.
const GONE: u32 = MISSING;

/// The elements of a set that stay, by inner numbers.
pub(crate) struct Stay {
    set: usize,
    /// The old number of each.
    pub(crate) old: Vec<u32>,
    /// The new number of each element.
    new: Vec<u32>,
}

impl Stay {
    /// How many of those that stay have users' numbers below this one.
    fn before(&self, set: &SetStore, number: usize) -> usize {
        match &set.numbering {
            _ if number >= set.size => self.old.len(),
            None => self.old.partition_point(|old| (*old as usize) < number),
            Some(_) => (0..number).filter(|&user| self.new[set.inner(user)] != GONE).count(),
        }
    }
}

/// All that a set becomes when elements leave it; nothing has changed yet, and nothing can fail any more.
pub(crate) struct Rest {
    stay: Stay,
    numbering: Option<Numbering>,
    rows: Vec<NewRows>,
    /// The dats, entries of maps among them, whose rows the host moves.
    dats: Vec<usize>,
    /// The maps with rows of one length whose entries the host translates.
    translated: Vec<usize>,
}

/// The rows of a map after the change, which may have any lengths.
struct NewRows {
    map: usize,
    offsets: Vec<u32>,
    entries: Memory<u32>,
}

impl Mesh {
    /// Takes the elements of a set whose flags say no out of it, and out of its dats, maps and subsets. Entries that lead to them go
    /// missing where they may, and vanish from rows of any length. Returns how many elements stay.
    ///
    /// # Errors
    /// [`Error::OtherSet`] for flags of another set, [`Error::Kept`] for an element that stays and leads to one that does not by a map
    /// whose entries all lead somewhere, [`Error::NoMemory`]; nothing has changed then.
    pub(crate) fn compact<V: Flag>(&mut self, set: usize, keep: usize, workers: Option<&ThreadPool>) -> Result<usize> {
        self.on_set(&self.dats[keep], set)?;
        let old = self.stay::<V>(set, keep)?;
        if let Some(stay) = self.staying(set, old)? {
            self.check_needed(&stay, |_| true)?;
            let rest = self.rest(stay, |_| true, workers)?;
            self.shrink(rest);
        }
        Ok(self.sets[set].size)
    }

    /// The elements of a set whose flags say yes.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub(crate) fn stay<V: Flag>(&self, set: usize, keep: usize) -> Result<Vec<u32>> {
        let mut old = Vec::new();
        self.choose::<V>(keep, || format!("the rest of set `{}`", self.sets[set].name), &mut old)?;
        Ok(old)
    }

    /// The elements `old` of a set, in ascending order, as those that stay; none if all do.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub(crate) fn staying(&self, set: usize, old: Vec<u32>) -> Result<Option<Stay>> {
        let size = self.sets[set].size;
        if old.len() == size {
            return Ok(None);
        }
        let mut new = room::filled(|| format!("the new numbers of set `{}`", self.sets[set].name), GONE, size)?;
        parts::scatter(&old, 1, &mut new, |n, place| place[0] = n as u32);
        Ok(Some(Stay { set, old, new }))
    }

    /// The set after all other elements have left; none of those that stay needs one of them. The host moves rows of any length. Of values, and
    /// of entries in rows of one length, it moves those in the dats for which `here` says yes.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub(crate) fn rest(&self, stay: Stay, here: impl Fn(usize) -> bool, workers: Option<&ThreadPool>) -> Result<Rest> {
        let set = stay.set;
        let numbering = numbering(&self.sets[set], &stay)?;
        let (fixed, any): (Vec<usize>, Vec<usize>) =
            self.maps_at(set).partition(|map| self.maps[*map].offsets.is_none());
        let rows = any.into_iter().map(|map| self.rows_left(map, &stay, workers)).collect::<Result<_>>()?;
        let fixed = fixed.iter().map(|map| (*map, &*self.maps[*map])).filter(|(_, map)| here(map.data));
        let entries = fixed.clone().filter(|(_, map)| map.from == set).map(|(_, map)| map.data);
        let dats = self.values_on(set).filter(|dat| here(*dat)).chain(entries).collect();
        let translated = fixed.filter(|(_, map)| map.to == set).map(|(map, _)| map).collect();
        Ok(Rest { stay, numbering, rows, dats, translated })
    }

    /// Takes elements out of a set.
    pub(crate) fn shrink(&mut self, rest: Rest) {
        let Rest { stay, numbering, rows, dats, translated } = rest;
        let set = stay.set;
        self.moves = true;
        let SetStore { size, capacity, .. } = *self.sets[set];
        let all = self.dats.iter_mut().enumerate().filter(|(dat, _)| dats.contains(dat));
        tasks::for_each_of(all.collect::<Vec<_>>(), |_, (_, dat)| dat.keep([size, capacity], &stay.old));
        self.known_of_maps_left(&stay);
        for NewRows { map, offsets, entries } in rows {
            let MapStore { reach, defined, .. } = *self.maps[map];
            self.maps[map].change().replace_offsets(offsets);
            self.replace_entries(map, entries);
            let store = self.maps[map].change();
            (store.reach, store.defined) = (reach, defined);
        }
        for map in translated {
            let entries = &mut self.dats[self.maps[map].data].scalars_mut::<u32>()[..];
            let len = parts::part_len(entries.len());
            parts::for_each(entries, len, |_, entries| {
                entries.iter_mut().for_each(|entry| *entry = moved(Some(&stay.new), *entry));
            });
        }
        for subset in self.subsets.iter_mut().filter(|subset| subset.set == set) {
            let subset = subset.change();
            subset.reach = stay.before(&self.sets[set], subset.reach);
            subset.list.retain_mut(|e| {
                *e = stay.new[*e as usize];
                *e != GONE
            });
        }
        let set = self.sets[set].change();
        (set.size, set.numbering) = (stay.old.len(), numbering);
        set.forget_order();
    }

    /// Changes what is known of the maps at a set, and the number of their rows where these have one length.
    fn known_of_maps_left(&mut self, stay: &Stay) {
        let set = stay.set;
        for map in self.maps_at(set).collect::<Vec<_>>() {
            let before =
                |of: usize, number: usize| if of == set { stay.before(&self.sets[set], number) } else { number };
            let MapStore { from, to, reach, defined, ref children, .. } = *self.maps[map];
            let (reach, defined) = (before(to, reach), before(from, defined));
            let children = children.as_ref().map(|children| before(to, children.start)..before(to, children.end));
            let rows = before(from, self.sets[from].size);
            let store = self.maps[map].change();
            (store.reach, store.defined, store.children) = (reach, defined, children);
            if store.offsets.is_none() {
                self.cut_entries(map, rows);
            }
        }
    }

    /// The maps that lead from a set or to it.
    pub(crate) fn maps_at(&self, set: usize) -> impl Iterator<Item = usize> {
        (0..self.maps.len()).filter(move |&map| self.maps[map].from == set || self.maps[map].to == set)
    }

    /// The dats with values on a set.
    pub(crate) fn values_on(&self, set: usize) -> impl Iterator<Item = usize> {
        (0..self.dats.len()).filter(move |&dat| self.dats[dat].set == set && self.dats[dat].of_map.is_none())
    }

    /// Fails if an element that stays needs one that does not, by the entries in the dats for which `here` says yes.
    ///
    /// # Errors
    /// [`Error::Kept`].
    pub(crate) fn check_needed(&self, stay: &Stay, here: impl Fn(usize) -> bool) -> Result<()> {
        let needs = |map: &MapStore| map.to == stay.set && map.needs_targets() && here(map.data);
        for (entries, map) in (0..self.maps.len()).map(|map| (self.entries(map), &*self.maps[map])) {
            if !needs(map) {
                continue;
            }
            let stays = |e: usize| map.from != stay.set || stay.new[e] != GONE;
            let lost = |row: &[u32]| row.iter().position(|&entry| leads(entry) && stay.new[entry as usize] == GONE);
            let from = &self.sets[map.from];
            let first = |rows: Range<usize>| {
                let left = rows.filter(|e| stays(*e)).map(|e| (e, &entries[e * map.arity..][..map.arity]));
                left.filter_map(|(e, row)| lost(row).map(|index| (from.user(e), index, row)))
                    .min_by_key(|found| found.0)
            };
            let len = parts::part_len(from.size);
            let of_parts = tasks::map(from.size.div_ceil(len), |n| first(n * len..from.size.min((n + 1) * len)));
            if let Some((element, index, row)) = of_parts.into_iter().flatten().min_by_key(|found| found.0) {
                let to = &self.sets[stay.set];
                return Err(Error::Kept {
                    map: map.name.clone(),
                    element,
                    index,
                    target: to.user(row[index] as usize),
                    set: to.name.clone(),
                });
            }
        }
        Ok(())
    }

    fn rows_left(&self, map: usize, stay: &Stay, workers: Option<&ThreadPool>) -> Result<NewRows> {
        let store = &self.maps[map];
        let from = (store.from == stay.set).then_some(&stay.old[..]);
        let to = (store.to == stay.set).then_some(&stay.new[..]);
        let offsets = store.offsets.as_deref().unwrap_or_default();
        let (offsets, entries) = store.rows_left((offsets, self.entries(map)), from, to, workers)?;
        Ok(NewRows { map, offsets, entries })
    }
}

/// The numbering of those that stay; none where the user's numbers are those inside.
fn numbering(set: &SetStore, stay: &Stay) -> Result<Option<Numbering>> {
    let Some(_) = &set.numbering else { return Ok(None) };
    let what = || format!("the numbers of set `{}`", set.name);
    let mut inner = room::list(what, stay.old.len())?;
    inner.extend((0..set.size).map(|user| stay.new[set.inner(user)]).filter(|&new| new != GONE));
    Numbering::new(inner, what).map(Some)
}

/// Where an entry leads by the new numbers of its set, if that has any.
fn moved(to: Option<&[u32]>, entry: u32) -> u32 {
    match to {
        Some(new) if leads(entry) => new[entry as usize],
        _ => entry,
    }
}

impl MapStore {
    /// Of rows of any length, those that stay, which are those with the numbers `from`, or all: where they begin, and their entries, among
    /// which none leads to nothing.
    fn rows_left(
        &self,
        (offsets, all): (&[u32], &[u32]),
        from: Option<&[u32]>,
        to: Option<&[u32]>,
        workers: Option<&ThreadPool>,
    ) -> Result<(Vec<u32>, Memory<u32>)> {
        let row = |e: usize| {
            let row = &all[offsets[e] as usize..offsets[e + 1] as usize];
            row.iter().map(|&entry| moved(to, entry)).filter(|&entry| entry != GONE)
        };
        let rows = from.map_or(offsets.len() - 1, <[u32]>::len);
        let old = |n: usize| from.map_or(n, |old| old[n] as usize);
        let what = || format!("the rows of map `{}`", self.name);
        if all.is_empty() {
            return Ok((room::filled(what, 0, rows + 1)?, Memory::zeroed(what, 0, 1, None)?));
        }
        let mut starts = room::filled(what, 0, rows + 1)?;
        let len = parts::part_len(rows);
        parts::for_each(&mut starts[1..], len, |part, lengths| {
            lengths.iter_mut().zip(part * len..).for_each(|(length, n)| *length = row(old(n)).count() as u32);
        });
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut entries = Memory::zeroed(|| format!("map `{}`", self.name), end.into(), 1, workers)?;
        parts::for_each_list(&mut entries, &starts, |n, places| {
            places.iter_mut().zip(row(old(n))).for_each(|(place, entry)| *place = entry);
        });
        Ok((starts, entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::Layout;
    use crate::data::tasks;
    use crate::data::workers::Workers;

    /// A set of `nodes`, and one of `edges` that lead to nodes in every way. All by the user's numbers.
    #[derive(Debug, Clone, PartialEq)]
    struct Model {
        edge_values: Vec<[u32; 3]>,
        node_values: Vec<f32>,
        sides: Vec<[Option<u32>; 2]>,
        lists: Vec<Vec<u32>>,
        back: Vec<[Option<u32>; 1]>,
        some: Vec<u32>,
    }

    fn mixed(n: usize, salt: usize) -> usize {
        (n + 1).wrapping_mul(2_654_435_761).wrapping_add(salt * 40_503) >> 7
    }

    impl Model {
        fn new(edges: usize, nodes: usize) -> Self {
            let node = |n, salt| (mixed(n, salt) % nodes) as u32;
            Model {
                edge_values: (0..edges).map(|e| [e as u32, 2 * e as u32, 7]).collect(),
                node_values: (0..nodes).map(|n| n as f32).collect(),
                sides: (0..edges).map(|e| [1, 2].map(|salt| (e % 5 != salt).then(|| node(e, salt)))).collect(),
                lists: (0..edges).map(|e| (0..mixed(e, 3) % 4).map(|i| node(e, 4 + i)).collect()).collect(),
                back: (0..nodes).map(|n| [(edges > 0).then(|| (mixed(n, 9) % edges.max(1)) as u32)]).collect(),
                some: (0..edges as u32).filter(|e| e % 3 == 1).collect(),
            }
        }

        /// Takes nodes, or edges, out.
        fn compact(&mut self, of_nodes: bool, keep: &[bool]) {
            let mut left = 0;
            let mut next = || {
                left += 1;
                left - 1
            };
            let new: Vec<Option<u32>> = keep.iter().map(|keep| keep.then(&mut next)).collect();
            let go = |entry: &mut Option<u32>| *entry = entry.and_then(|e| new[e as usize]);
            fn leave<T>(list: &mut Vec<T>, keep: &[bool]) {
                let mut keep = keep.iter();
                list.retain(|_| keep.next() == Some(&true));
            }
            if of_nodes {
                leave(&mut self.node_values, keep);
                leave(&mut self.back, keep);
                self.sides.iter_mut().flatten().for_each(go);
                self.lists.iter_mut().for_each(|list| *list = list.iter().filter_map(|e| new[*e as usize]).collect());
            } else {
                leave(&mut self.edge_values, keep);
                leave(&mut self.sides, keep);
                leave(&mut self.lists, keep);
                self.back.iter_mut().flatten().for_each(go);
                self.some = self.some.iter().filter_map(|e| new[*e as usize]).collect();
            }
        }
    }

    /// The numbers of what a model was declared as.
    struct Declared {
        sets: [usize; 2],
        dats: [usize; 2],
        flags: [usize; 2],
        maps: [usize; 3],
        some: usize,
    }

    fn declared(mesh: &mut Mesh, model: &Model, layout: Layout, shuffle: Option<u64>) -> Declared {
        let edges = mesh.add_set("edges", model.edge_values.len(), shuffle).unwrap();
        let nodes = mesh.add_set("nodes", model.node_values.len(), shuffle).unwrap();
        let starts: Vec<usize> = std::iter::once(0)
            .chain(model.lists.iter().scan(0, |end, list| {
                *end += list.len();
                Some(*end)
            }))
            .collect();
        Declared {
            sets: [edges, nodes],
            dats: [
                mesh.add_dat("edge values", edges, layout, &model.edge_values, None).unwrap(),
                mesh.add_dat("node values", nodes, layout, &model.node_values, None).unwrap(),
            ],
            flags: [edges, nodes].map(|set| mesh.add_dat_by("keep", set, layout, |_| true, None).unwrap()),
            maps: [
                mesh.add_map("sides", edges, nodes, &model.sides, None).unwrap(),
                mesh.add_rows("lists", (edges, nodes), &starts, &model.lists.concat(), None).unwrap(),
                mesh.add_map("back", nodes, edges, &model.back, None).unwrap(),
            ],
            some: mesh.add_subset("some", edges, &model.some).unwrap(),
        }
    }

    /// The mesh as the user sees it.
    fn seen(mesh: &Mesh, of: &Declared) -> Model {
        let entries = |map: usize| {
            let store = &mesh.maps[map];
            let (from, to) = (&mesh.sets[store.from], &mesh.sets[store.to]);
            (0..from.size).map(move |e| {
                let e = from.inner(e);
                let row = match &store.offsets {
                    None => e * store.arity..(e + 1) * store.arity,
                    Some(offsets) => offsets[e] as usize..offsets[e + 1] as usize,
                };
                let user = |entry: &u32| leads(*entry).then(|| to.user(*entry as usize) as u32);
                mesh.entries(map)[row].iter().map(user).collect::<Vec<_>>()
            })
        };
        let mut some: Vec<u32> =
            mesh.subsets[of.some].list.iter().map(|e| mesh.sets[of.sets[0]].user(*e as usize) as u32).collect();
        some.sort_unstable();
        Model {
            edge_values: mesh.rows(of.dats[0]).unwrap(),
            node_values: mesh.rows(of.dats[1]).unwrap(),
            sides: entries(of.maps[0]).map(|row| [row[0], row[1]]).collect(),
            lists: entries(of.maps[1]).map(|row| row.into_iter().flatten().collect()).collect(),
            back: entries(of.maps[2]).map(|row| [row[0]]).collect(),
            some,
        }
    }

    /// Takes elements out again and again, with other numbers in between.
    #[test]
    fn everything_follows_those_that_stay() {
        let layouts = [Layout::Aos, Layout::Soa, Layout::Blocked(3)];
        for (threads, layout, shuffle) in [1, 3]
            .into_iter()
            .flat_map(|t| layouts.map(|l| (t, l, None)).into_iter().chain(layouts.map(|l| (t, l, Some(4)))))
        {
            for (edges, nodes) in [(0, 1), (1, 1), (9, 5), (70, 40), (30_000, 20_001)] {
                let workers = Workers::new(threads).unwrap();
                tasks::install(&workers, || {
                    let (mut mesh, mut model) = (Mesh::new(), Model::new(edges, nodes));
                    let of = declared(&mut mesh, &model, layout, shuffle);
                    for step in 0..5 {
                        let which = step % 2;
                        let size = mesh.sets[of.sets[which]].size;
                        // Most stay; in the end, all go.
                        let keep: Vec<bool> =
                            (0..size).map(|e| step < 3 && !mixed(e, step).is_multiple_of(5)).collect();
                        mesh.set_rows(of.flags[which], &keep).unwrap();
                        let version = mesh.version(crate::mesh::Object::Map(of.maps[0]));
                        let left = mesh.compact::<bool>(of.sets[which], of.flags[which], Some(&workers)).unwrap();
                        assert_eq!(left, keep.iter().filter(|keep| **keep).count());
                        if left < size {
                            assert_ne!(
                                mesh.version(crate::mesh::Object::Map(of.maps[0])),
                                version,
                                "plans see the change"
                            );
                        }
                        model.compact(which == 1, &keep);
                        assert_eq!(seen(&mesh, &of), model, "{layout:?}, {edges} edges, {nodes} nodes, step {step}");
                        if step == 1 {
                            let backwards = |set: usize| {
                                let size = mesh.sets[set].size as u32;
                                Some((0..size).rev().collect())
                            };
                            let new = of.sets.map(backwards);
                            mesh.renumber(&new, None).unwrap();
                            assert_eq!(seen(&mesh, &of), model, "renumbered");
                        }
                    }
                });
            }
        }
    }

    #[test]
    fn elements_that_are_needed_stay() {
        let mut mesh = Mesh::new();
        let edges = mesh.add_set("edges", 4, Some(2)).unwrap();
        let nodes = mesh.add_set("nodes", 3, Some(2)).unwrap();
        let ends = mesh.add_map("ends", edges, nodes, &[[0_u32, 1], [1, 0], [0, 2], [2, 1]], None).unwrap();
        let keep = mesh.add_dat("keep", nodes, Layout::Aos, &[1_u8, 7, 0], None).unwrap();
        let stays = mesh.add_dat("stays", edges, Layout::Aos, &[true, true, false, false], None).unwrap();
        let error = mesh.compact::<u8>(nodes, keep, None).unwrap_err();
        let (map, set) = ("ends".to_owned(), "nodes".to_owned());
        assert_eq!(error, Error::Kept { map, element: 2, index: 1, target: 2, set });
        assert_eq!((mesh.sets[nodes].size, mesh.rows::<u8>(keep).unwrap()), (3, vec![1, 7, 0]));
        // Without the edges that need it, the node may leave.
        assert_eq!(mesh.compact::<bool>(edges, stays, None).unwrap(), 2);
        assert_eq!(mesh.compact::<u8>(nodes, keep, None).unwrap(), 2);
        assert_eq!(mesh.compact::<u8>(nodes, keep, None).unwrap(), 2, "nobody is left who should go");
        assert_eq!((mesh.entries(ends).len(), mesh.sets[edges].size), (4, 2));
        let elsewhere = mesh.compact::<bool>(nodes, stays, None).unwrap_err().to_string();
        assert!(elsewhere.starts_with("dat `stays` lives on set `edges`, expected set `nodes`"), "{elsewhere}");
    }
}
