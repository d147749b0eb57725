//! Packs: the elements that are computed at once, and their targets.

use super::arrays::array;
use super::held::Width;
use super::mask::Mask;
use crate::data::place::{Place, Presence, Required};
use crate::data::view::MapView;
use crate::lanes::Elems;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Up to [`Width::LANES`] elements that are computed at once.
///
/// In a pack with fewer elements, the remaining lanes repeat the last one, which is harmless to compute; no result of
/// theirs is written.
#[derive(Clone, Copy)]
pub struct Pack<'e, W: Width> {
    direct: Direct<'e>,
    width: PhantomData<W>,
}

/// The elements of a pack, as the targets of direct arguments.
#[derive(Clone, Copy)]
pub struct Direct<'e> {
    list: Option<&'e [u32]>,
    start: usize,
    len: usize,
    /// The element of the first lane, if the elements are consecutive.
    first: usize,
    consecutive: bool,
}

/// The targets of a pack through one entry of a map. Entries are read in place; rows of the map lie `A` entries apart. `M` says whether
/// they may be missing.
#[derive(Clone, Copy)]
pub struct Targets<const A: usize, M = Required> {
    entries: *const u32,
    presence: PhantomData<M>,
}

/// Elements that stand in an array, one for each lane.
pub(super) struct Listed<W: Width>(pub(super) W::Each<usize>);

/// Memory for copies of the rows of a map, used where the elements of a pack are not consecutive.
pub struct Entries<W: Width, const A: usize>(MaybeUninit<W::Each<[u32; A]>>);

/// Gives the target element of each lane of an argument.
pub trait Leads {
    /// Where a lane leads.
    type At: Place;

    /// Where a lane leads, which may be nowhere.
    fn at(&self, lane: usize) -> Self::At;

    /// The element of a lane, if it is not missing.
    fn element(&self, lane: usize) -> usize;

    /// The lanes whose element is there.
    #[inline(always)]
    fn there<W: Width>(&self, w: W) -> Mask<W> {
        Mask::from_bits(
            w,
            (0..W::LANES).fold(0, |bits, lane| bits | u64::from(self.at(lane).element().is_some()) << lane),
        )
    }

    /// The element of the first lane, if the elements are known to be consecutive.
    fn row(&self) -> Option<usize>;

    /// The same, but for a full pack the elements themselves are compared.
    #[inline(always)]
    fn consecutive<W: Width>(&self, _w: W) -> Option<usize> {
        if self.row().is_some() {
            return self.row();
        }
        let first = self.element(0);
        let differs = (1..W::LANES).fold(0, |bits, lane| bits | (self.element(lane) ^ (first + lane)));
        (differs == 0).then_some(first)
    }

    /// Whether lanes usually lead to elements that are not consecutive, so that each is looked up.
    fn is_scattered(&self) -> bool;

    /// The elements of all lanes, for functions that are not inlined.
    fn list(&self, elements: &mut [usize]);

    /// The elements of all lanes.
    #[inline(always)]
    fn elements<W: Width>(&self, w: W) -> W::Each<usize> {
        if let Some(first) = self.row() {
            return w.each(|lane| first + lane);
        }
        let mut elements = w.each(|_| 0);
        self.list(elements.as_mut());
        elements
    }
}

impl<'e, W: Width> Pack<'e, W> {
    /// The number of lanes with an element of their own, which come first.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "there is no empty pack")]
    pub fn len(&self) -> usize {
        self.direct.len
    }

    /// The position in the loop of a lane that has an element of its own.
    #[inline(always)]
    pub fn position(&self, lane: usize) -> usize {
        self.direct.start + lane
    }

    /// The elements themselves.
    #[inline(always)]
    pub fn direct(&self) -> Direct<'e> {
        self.direct
    }
}

impl Leads for Direct<'_> {
    type At = usize;

    #[inline(always)]
    fn at(&self, lane: usize) -> usize {
        self.element(lane)
    }

    #[inline(always)]
    fn element(&self, lane: usize) -> usize {
        if self.consecutive { self.first + lane } else { cold::element(self.list, self.start, self.len, lane) }
    }

    #[inline(always)]
    fn row(&self) -> Option<usize> {
        self.consecutive.then_some(self.first)
    }

    #[inline(always)]
    fn is_scattered(&self) -> bool {
        false
    }

    #[inline(always)]
    fn list(&self, elements: &mut [usize]) {
        match self.row() {
            Some(first) => elements.iter_mut().enumerate().for_each(|(lane, element)| *element = first + lane),
            None => cold::elements(self.list, self.start, self.len, elements),
        }
    }
}

/// Functions for packs whose elements are not consecutive, or too few. They take numbers and no `Direct`: the compiler
/// would store a `Direct` to memory for every pack, and loading it again right after storing its parts stalls.
///
/// They are cold, like all functions for such packs and for layouts other than AoS: the compiler then saves registers
/// around the call itself. Where it takes the call to be as likely as not, it spills values that every pack has to
/// reload. Without this, airfoil's iteration took 1.1 times as long (2 cores of an AMD EPYC, Zen 4, 2026-11-22).
mod cold {
    use std::mem::MaybeUninit;

    /// The element of a lane, of `len` elements from position `start` on; lanes behind the last repeat it.
    #[cold]
    #[inline(never)]
    pub(super) fn element(list: Option<&[u32]>, start: usize, len: usize, lane: usize) -> usize {
        let position = start + lane.min(len - 1);
        list.map_or(position, |list| list[position] as usize)
    }

    /// The elements of all lanes.
    #[cold]
    #[inline(never)]
    pub(super) fn elements(list: Option<&[u32]>, start: usize, len: usize, elements: &mut [usize]) {
        elements.iter_mut().enumerate().for_each(|(lane, slot)| *slot = element(list, start, len, lane));
    }

    /// The first of `len` elements, if they are consecutive and there is one for each of `lanes`.
    #[cold]
    #[inline(never)]
    pub(super) fn in_a_row(list: Option<&[u32]>, start: usize, len: usize, lanes: usize) -> Option<usize> {
        let first = element(list, start, len, 0);
        (len == lanes && (1..lanes).all(|lane| element(list, start, len, lane) == first + lane)).then_some(first)
    }

    /// Copies the rows of a map that belong to the elements of all lanes, one into each item of the slice.
    ///
    /// # Safety
    /// The elements are of the set that the map starts from, there is room for `lanes` rows.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn rows<const A: usize>(
        entries: *const u32,
        list: Option<&[u32]>,
        start: usize,
        len: usize,
        copies: &mut [MaybeUninit<[u32; A]>],
    ) {
        for (lane, copy) in copies.iter_mut().enumerate() {
            // SAFETY: passed on to the caller.
            copy.write(unsafe { *entries.add(A * element(list, start, len, lane)).cast::<[u32; A]>() });
        }
    }
}

impl<const A: usize, M: Presence> Leads for Targets<A, M> {
    type At = M::At;

    #[inline(always)]
    fn at(&self, lane: usize) -> M::At {
        M::at(self.element(lane) as u32)
    }

    #[inline(always)]
    fn element(&self, lane: usize) -> usize {
        // SAFETY: `target_of` made it from entries for all lanes.
        unsafe { *self.entries.add(lane * A) as usize }
    }

    #[inline(always)]
    fn row(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn is_scattered(&self) -> bool {
        true
    }

    #[inline(always)]
    fn list(&self, elements: &mut [usize]) {
        elements.iter_mut().enumerate().for_each(|(lane, element)| *element = self.element(lane));
    }
}

impl<W: Width> Leads for Listed<W> {
    type At = usize;

    #[inline(always)]
    fn at(&self, lane: usize) -> usize {
        self.element(lane)
    }

    #[inline(always)]
    fn element(&self, lane: usize) -> usize {
        self.0.as_ref()[lane]
    }

    #[inline(always)]
    fn row(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn is_scattered(&self) -> bool {
        true
    }

    #[inline(always)]
    fn list(&self, elements: &mut [usize]) {
        elements.copy_from_slice(self.0.as_ref());
    }
}

impl Targets<1> {
    /// The targets that stand in a list.
    ///
    /// # Safety
    /// The list has an entry for each lane.
    #[inline(always)]
    pub(super) unsafe fn listed(list: *const u32) -> Self {
        Targets { entries: list, presence: PhantomData }
    }
}

/// The targets of an argument, through one entry of a map or through all.
pub trait AllThere {
    /// Whether those of all lanes are there.
    fn all_there<W: Width>(&self, w: W) -> bool;
}

impl<L: Leads> AllThere for L {
    #[inline(always)]
    fn all_there<W: Width>(&self, _w: W) -> bool {
        (0..W::LANES).all(|lane| self.at(lane).element().is_some())
    }
}

impl<L: Leads, const N: usize> AllThere for [L; N] {
    #[inline(always)]
    fn all_there<W: Width>(&self, w: W) -> bool {
        self.iter().all(|at| at.all_there(w))
    }
}

impl<'e> Elems<'e> {
    /// Takes the next elements: one for each lane, or all that remain. `None` if none remain.
    #[inline(always)]
    pub fn pack<W: Width>(&mut self, _w: W) -> Option<Pack<'e, W>> {
        let Range { start, end } = self.positions;
        if start >= end {
            return None;
        }
        // Behind the end after the last pack: the position of the next pack must not wait for the length of this one.
        self.positions.start = start + W::LANES;
        let full = end - start >= W::LANES;
        let len = if full { W::LANES } else { end - start };
        if let (Some(ahead), true) = (self.ahead, full) {
            ahead.fetch(self.list, start..start + W::LANES);
        }
        let mut direct = Direct { list: self.list, start, len, first: start, consecutive: true };
        if !full || self.list.is_some() {
            let row = cold::in_a_row(self.list, start, len, W::LANES);
            (direct.first, direct.consecutive) = (row.unwrap_or(start), row.is_some());
        }
        Some(Pack { direct, width: PhantomData })
    }
}

impl<T, const A: usize, M: Presence> MapView<T, A, M> {
    /// Memory that [`MapView::target_of`] may need.
    #[inline(always)]
    pub fn entries_of<W: Width>(self, _w: W) -> Entries<W, A> {
        Entries(MaybeUninit::uninit())
    }

    /// The targets of the pack through entry `index`.
    ///
    /// # Safety
    /// The elements are of the set that the map starts from, `index` is below the arity. As long as the result is in
    /// use, `memory` lives and nothing else borrows it.
    #[inline(always)]
    pub unsafe fn target_of<W: Width>(
        self,
        pack: &Pack<'_, W>,
        index: usize,
        memory: &mut Entries<W, A>,
    ) -> Targets<A, M> {
        let rows = match pack.direct.row() {
            // SAFETY: passed on to the caller; as many rows as lanes follow.
            Some(first) => unsafe { self.rows_from(first) },
            None => {
                let copies = memory.0.as_mut_ptr().cast::<MaybeUninit<[u32; A]>>();
                let Direct { list, start, len, .. } = pack.direct;
                // SAFETY: passed on to the caller; there is room for a row for each lane.
                unsafe {
                    let room = std::slice::from_raw_parts_mut(copies, W::LANES);
                    cold::rows(self.rows_from(0), list, start, len, room);
                }
                copies.cast_const().cast()
            }
        };
        // SAFETY: the index is below the arity.
        Targets { entries: unsafe { rows.add(index) }, presence: PhantomData }
    }

    /// The targets of the pack through every entry.
    ///
    /// # Safety
    /// As for [`MapView::target_of`].
    #[inline(always)]
    pub unsafe fn targets_of<W: Width>(self, pack: &Pack<'_, W>, memory: &mut Entries<W, A>) -> [Targets<A, M>; A] {
        // SAFETY: passed on to the caller.
        let Targets { entries, presence } = unsafe { self.target_of(pack, 0, memory) };
        // SAFETY: every index is below the arity.
        array(|index| Targets { entries: unsafe { entries.add(index) }, presence })
    }
}
