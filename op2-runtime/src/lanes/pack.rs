//! Which elements go at once, and where they lead.

use super::arrays::array;
use super::width::Width;
use crate::view::{Elems, MapView};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// Up to [`Width::LANES`] elements.
///
/// Lanes behind the last element repeat it, so that what is computed for them is harmless; they are left out when results go back.
#[derive(Clone, Copy)]
pub struct Pack<'e, W: Width> {
    place: Place<'e>,
    width: PhantomData<W>,
}

/// The elements of a pack themselves, as the targets of direct arguments.
#[derive(Clone, Copy)]
pub struct Place<'e> {
    list: Option<&'e [u32]>,
    start: usize,
    len: usize,
    /// The element of the first lane, if all are in a row.
    first: usize,
    consecutive: bool,
}

/// Where one entry of a map leads from the elements of a pack. Entries are read where they stand, a row of the map apart.
#[derive(Clone, Copy)]
pub struct Targets<const A: usize> {
    entries: *const u32,
}

/// Memory for the rows of a map that do not stand side by side.
pub struct Entries<W: Width, const A: usize>(MaybeUninit<W::Each<[u32; A]>>);

/// Where the lanes of an argument are.
pub trait Leads {
    /// The element of a lane.
    fn element(&self, lane: usize) -> usize;

    /// The element of the first lane, if all are known to be elements in a row.
    fn row(&self) -> Option<usize>;

    /// Whether elements are looked up lane by lane as a rule, and not only where a row of them ends.
    fn is_scattered(&self) -> bool;

    /// The elements of all lanes, for what is not inlined either.
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
    /// How many lanes have an element of their own: the first ones.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "there is no empty pack")]
    pub fn len(&self) -> usize {
        self.place.len
    }

    /// The position in the loop of a lane that has an element of its own.
    #[inline(always)]
    pub fn position(&self, lane: usize) -> usize {
        self.place.start + lane
    }

    /// The elements themselves.
    #[inline(always)]
    pub fn place(&self) -> Place<'e> {
        self.place
    }
}

impl Leads for Place<'_> {
    #[inline(always)]
    fn element(&self, lane: usize) -> usize {
        if self.consecutive { self.first + lane } else { apart::element(self.list, self.start, self.len, lane) }
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
            None => apart::elements(self.list, self.start, self.len, elements),
        }
    }
}

/// What full packs of consecutive elements do without, in functions that are not inlined. They take numbers, not a place: it would be put
/// together in memory for every pack, and whoever reads from there what was just written in parts has to wait.
///
/// They are cold, like all that is called for other packs and layouts alone: registers that a call takes are then saved around the call.
/// Where the compiler takes calls for as likely as not, it keeps values in memory that every pack reads from there. Without it, airfoil's
/// iteration took 1.1 times as long (2 cores of an AMD EPYC, Zen 4, 2026-11-22).
mod apart {
    use std::mem::MaybeUninit;

    /// The element of a lane that repeats the last one behind so many.
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

    /// The first of so many elements, if they are in a row.
    #[cold]
    #[inline(never)]
    pub(super) fn in_a_row(list: Option<&[u32]>, start: usize, len: usize, lanes: usize) -> Option<usize> {
        let first = element(list, start, len, 0);
        (len == lanes && (1..lanes).all(|lane| element(list, start, len, lane) == first + lane)).then_some(first)
    }

    /// Copies the rows of a map that belong to the elements of all lanes.
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

impl<const A: usize> Leads for Targets<A> {
    #[inline(always)]
    fn element(&self, lane: usize) -> usize {
        // SAFETY: there are entries for all lanes, as whoever made this promised.
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

impl<'e> Elems<'e> {
    /// Takes the next elements away, as many as there are lanes or as are left; none if none are left.
    #[inline(always)]
    pub fn pack<W: Width>(&mut self, _w: W) -> Option<Pack<'e, W>> {
        let start = self.positions.start;
        let len = self.positions.len().min(W::LANES);
        if len == 0 {
            return None;
        }
        self.positions.start += len;
        if let (Some(ahead), true) = (self.ahead, len == W::LANES) {
            ahead.fetch(self.list, start..start + len);
        }
        let mut place = Place { list: self.list, start, len, first: start, consecutive: true };
        if len < W::LANES || self.list.is_some() {
            let row = apart::in_a_row(self.list, start, len, W::LANES);
            (place.first, place.consecutive) = (row.unwrap_or(start), row.is_some());
        }
        Some(Pack { place, width: PhantomData })
    }
}

impl<T, const A: usize> MapView<T, A> {
    /// Memory that [`MapView::target_of`] may need.
    #[inline(always)]
    pub fn entries_of<W: Width>(self, _w: W) -> Entries<W, A> {
        Entries(MaybeUninit::uninit())
    }

    /// Where entry `index` of the elements leads.
    ///
    /// # Safety
    /// The elements are of the set that the map starts from, `index` is below the arity. What comes back is used as long
    /// as `memory` is there and lent to nobody else.
    #[inline(always)]
    pub unsafe fn target_of<W: Width>(
        self,
        pack: &Pack<'_, W>,
        index: usize,
        memory: &mut Entries<W, A>,
    ) -> Targets<A> {
        let rows = match pack.place.row() {
            // SAFETY: passed on to the caller; as many rows as lanes follow.
            Some(first) => unsafe { self.rows_from(first) },
            None => {
                let copies = memory.0.as_mut_ptr().cast::<MaybeUninit<[u32; A]>>();
                let Place { list, start, len, .. } = pack.place;
                // SAFETY: passed on to the caller; there is room for a row for each lane.
                unsafe {
                    let room = std::slice::from_raw_parts_mut(copies, W::LANES);
                    apart::rows(self.rows_from(0), list, start, len, room);
                }
                copies.cast_const().cast()
            }
        };
        // SAFETY: the index is below the arity.
        Targets { entries: unsafe { rows.add(index) } }
    }

    /// Where all entries of the elements lead.
    ///
    /// # Safety
    /// As for [`MapView::target_of`].
    #[inline(always)]
    pub unsafe fn targets_of<W: Width>(self, pack: &Pack<'_, W>, memory: &mut Entries<W, A>) -> [Targets<A>; A] {
        // SAFETY: passed on to the caller.
        let Targets { entries } = unsafe { self.target_of(pack, 0, memory) };
        // SAFETY: every index is below the arity.
        array(|index| Targets { entries: unsafe { entries.add(index) } })
    }
}
