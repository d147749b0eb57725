//! Stored maps.

use super::Mesh;
use crate::data::memory::Memory;
use crate::data::parts;
use crate::data::place::leads;
use crate::inspect::Through;
use crate::reorder::Link;
use std::ops::Range;
use std::sync::OnceLock;

/// A map, whose entries are those of a dat on the set that it leads from. Entries are 32 bits wide, which halves the traffic of 64-bit
/// maps. A larger set is refused when it is declared.
pub(crate) struct MapStore {
    pub(crate) name: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Entries of each row; of rows of any length, those of the longest.
    pub(crate) arity: usize,
    /// The number of the dat that holds the entries.
    pub(crate) data: usize,
    /// Of rows of any length: where each one begins, and the end of the last.
    pub(crate) offsets: Option<Vec<u32>>,
    /// Of rows that [`Mesh::grow`] fills: the elements that the latest growth added, by users' numbers. No two rows share one.
    pub(crate) children: Option<Range<usize>>,
    /// All entries lead to elements with users' numbers below this one: the size that the set which it leads to had when entries were last
    /// written. A range by users' numbers holds however elements are numbered inside.
    pub(crate) reach: usize,
    /// The rows of elements with users' numbers below this one have no unset entries.
    pub(crate) defined: usize,
    /// Of rows of [`Mesh::inverse`]: the map that they turn round.
    pub(crate) inverse: Option<Inverse>,
    may_miss: bool,
    /// Rows of one length, with other entries where there are none.
    filled: OnceLock<Vec<u32>>,
}

/// Rows that lead from the targets of a map back to where its entries come from.
#[derive(Clone, Copy)]
pub(crate) struct Inverse {
    pub(crate) of: usize,
    /// The version of that map which they turn round; none before they are made.
    pub(super) version: Option<u32>,
}

impl MapStore {
    /// A map between two sets, which have these sizes.
    pub(super) fn new(
        name: &str,
        (from, to): (usize, usize),
        sizes: [usize; 2],
        arity: usize,
        may_miss: bool,
        data: usize,
    ) -> Self {
        MapStore {
            name: name.to_owned(),
            from,
            to,
            arity,
            data,
            offsets: None,
            children: None,
            reach: sizes[1],
            defined: sizes[0],
            inverse: None,
            may_miss,
            filled: OnceLock::new(),
        }
    }

    /// Rows of any length: row `e` is `entries[offsets[e]..offsets[e + 1]]`.
    pub(super) fn of_rows(name: &str, ends: (usize, usize), sizes: [usize; 2], offsets: Vec<u32>, data: usize) -> Self {
        let arity = longest(&offsets);
        MapStore { offsets: Some(offsets), ..MapStore::new(name, ends, sizes, arity, false, data) }
    }

    /// Whether entries may be missing.
    pub(crate) fn may_miss(&self) -> bool {
        self.may_miss
    }

    /// Whether elements that it leads to stay as long as those that it leads from.
    pub(crate) fn needs_targets(&self) -> bool {
        self.offsets.is_none() && !self.may_miss && self.arity > 0
    }

    /// Notes that entries have changed, which lead to elements with users' numbers below `reach`.
    pub(crate) fn entries_changed(&mut self, reach: usize) {
        self.forget_filled();
        self.reach = reach;
    }

    /// Forgets what was computed from the entries.
    pub(super) fn forget_filled(&mut self) {
        self.filled = OnceLock::new();
    }

    /// Exchanges all that is known of the entries with another map between the same sets.
    pub(super) fn swap(&mut self, other: &mut MapStore) {
        std::mem::swap(&mut self.filled, &mut other.filled);
        std::mem::swap(&mut self.reach, &mut other.reach);
        std::mem::swap(&mut self.defined, &mut other.defined);
    }

    /// Takes other starts of rows of any length.
    pub(super) fn replace_offsets(&mut self, offsets: Vec<u32>) {
        self.arity = longest(&offsets);
        self.offsets = Some(offsets);
    }

    /// Words beside those of the entries that [`MapStore::renumber`] needs aside.
    pub(super) fn words_aside(&self) -> usize {
        self.offsets.as_ref().map_or(0, Vec::len)
    }

    /// Applies new numbers of the sets that the map leads from and to.
    pub(super) fn renumber(
        &mut self,
        entries: &mut [u32],
        from: Option<&[u32]>,
        to: Option<&[u32]>,
        aside: &mut [u32],
    ) {
        if self.offsets.is_some() {
            return self.renumber_rows(entries, from, to, aside);
        }
        let aside = &mut aside[..entries.len()];
        Link { from: self.from, to: self.to, arity: self.arity, entries }.renumbered_into(from, to, aside);
        parts::copy(aside, entries);
        self.forget_filled();
    }

    /// The same for rows of any length.
    fn renumber_rows(&mut self, entries: &mut [u32], from: Option<&[u32]>, to: Option<&[u32]>, aside: &mut [u32]) {
        let Some(offsets) = &mut self.offsets else { return };
        let (rows, starts) = aside.split_at_mut(entries.len());
        let starts = &mut starts[..offsets.len()];
        let place = |e: usize| from.map_or(e, |new| new[e] as usize);
        starts.fill(0);
        for (e, row) in offsets.windows(2).enumerate() {
            starts[place(e) + 1] = row[1] - row[0];
        }
        for e in 1..starts.len() {
            starts[e] += starts[e - 1];
        }
        for (e, row) in offsets.windows(2).enumerate() {
            let row = &entries[row[0] as usize..row[1] as usize];
            let start = starts[place(e)] as usize;
            for (moved, &entry) in rows[start..].iter_mut().zip(row) {
                *moved = to.map_or(entry, |new| new[entry as usize]);
            }
        }
        parts::copy(rows, entries);
        offsets.copy_from_slice(starts);
        self.forget_filled();
    }

    /// The map as the reordering sees it, which knows rows of one length whose entries all lead somewhere: another one of the row, or of
    /// a row before, stands where there is none. Of long rows it sees the first [`SEEN`] entries. A map without any entry is one of
    /// arity 0. There are `rows` rows.
    fn link<'a>(&'a self, entries: &'a [u32], rows: usize) -> Link<'a> {
        let (from, to) = (self.from, self.to);
        if self.inverse.is_some() {
            // The map that it turns round says the same.
            return Link { from, to, arity: 0, entries: &[] };
        }
        if self.offsets.is_none() && !self.may_miss && self.defined >= rows {
            return Link { from, to, arity: self.arity, entries };
        }
        let arity = if self.offsets.is_some() { self.arity.min(SEEN) } else { self.arity };
        let entries = self.filled.get_or_init(|| match &self.offsets {
            None => filled_rows(entries.chunks_exact(arity.max(1)), arity),
            Some(offsets) => {
                let row = |row: &[u32]| &entries[row[0] as usize..row[1] as usize];
                filled_rows(offsets.windows(2).map(row), arity)
            }
        });
        Link { from, to, arity: if entries.is_empty() { 0 } else { arity }, entries }
    }
}

impl Mesh {
    /// The entries of a map.
    pub(crate) fn entries(&self, map: usize) -> &Memory<u32> {
        self.dats[self.maps[map].data].scalars::<u32>()
    }

    /// The way of an argument through these entries of each row of a map.
    pub(crate) fn through(&self, map: usize, used: Range<usize>) -> Through<'_> {
        let MapStore { arity, ref offsets, .. } = *self.maps[map];
        Through { map: map as u32, entries: self.entries(map), arity, offsets: offsets.as_deref(), used }
    }

    /// A map as the reordering sees it.
    pub(crate) fn link(&self, map: usize) -> Link<'_> {
        let store = &self.maps[map];
        store.link(self.entries(map), self.sets[store.from].size)
    }

    /// All maps as the reordering sees them.
    pub(crate) fn links(&self) -> impl Iterator<Item = Link<'_>> {
        (0..self.maps.len()).map(|map| self.link(map))
    }

    /// Replaces the entries of a map.
    pub(super) fn replace_entries(&mut self, map: usize, entries: Memory<u32>) {
        *self.dats[self.maps[map].data].scalars_mut::<u32>() = entries;
        self.entries_replaced(map);
    }

    /// Notes that the entries of a map are others, which may lead anywhere.
    pub(super) fn entries_replaced(&mut self, map: usize) {
        self.dats[self.maps[map].data].change();
        let [rows, reach] = [self.maps[map].from, self.maps[map].to].map(|set| self.sets[set].size);
        let map = self.maps[map].change();
        map.entries_changed(reach);
        map.defined = rows;
    }

    /// Keeps the entries of the first `rows` rows, which are at most as many as there were.
    pub(super) fn cut_entries(&mut self, map: usize, rows: usize) {
        let MapStore { arity, data, .. } = *self.maps[map];
        let dat = &mut self.dats[data];
        dat.scalars_mut::<u32>().set_len(rows * arity);
        dat.change();
        self.maps[map].change().forget_filled();
    }
}

/// Entries that an ordering sees of rows of any length.
const SEEN: usize = 32;

/// The length of the longest row.
fn longest(offsets: &[u32]) -> usize {
    offsets.iter().zip(offsets.iter().skip(1)).map(|(start, end)| end - start).max().unwrap_or(0) as usize
}

/// Rows of one length with other entries where there are none; nothing if there are no others.
fn filled_rows<'a>(rows: impl Iterator<Item = &'a [u32]> + Clone, arity: usize) -> Vec<u32> {
    let there = |entry: &u32| leads(*entry);
    let Some(mut last) = rows.clone().flatten().copied().find(there) else { return Vec::new() };
    let mut filled = Vec::new();
    for row in rows {
        last = row.iter().copied().find(there).unwrap_or(last);
        let entry = |n: usize| row.get(n).copied().filter(there).unwrap_or(last);
        filled.extend((0..arity).map(entry));
    }
    filled
}
