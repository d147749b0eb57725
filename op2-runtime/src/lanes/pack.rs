//! Which elements go at once, and where they lead.

use super::width::Width;
use crate::view::{Elems, MapView};

/// Up to [`Width::LANES`] elements.
///
/// Lanes behind the last element repeat it, so that what is computed for them is harmless; they are left out when results go back.
#[derive(Clone, Copy)]
pub struct Pack<W: Width> {
    w: W,
    place: Targets<W>,
    start: usize,
    len: usize,
}

/// The elements that the lanes of an argument read or modify.
#[derive(Clone, Copy)]
pub struct Targets<W: Width> {
    at: W::Each<usize>,
    consecutive: bool,
}

impl<W: Width> Pack<W> {
    /// The element of each lane.
    #[inline(always)]
    pub fn elements(&self) -> W::Each<usize> {
        self.place.at
    }

    /// How many lanes have an element of their own: the first ones.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "there is no empty pack")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The position of a lane in the loop.
    #[inline(always)]
    pub fn position(&self, lane: usize) -> usize {
        self.start + lane.min(self.len - 1)
    }

    /// Whether all lanes have an element, and each the one behind that of the lane before.
    #[inline(always)]
    pub fn is_consecutive(&self) -> bool {
        self.place.consecutive
    }

    /// The elements themselves, as the targets of direct arguments.
    #[inline(always)]
    pub fn place(&self) -> Targets<W> {
        self.place
    }
}

impl<W: Width> Targets<W> {
    /// The target of each lane.
    #[inline(always)]
    pub fn elements(&self) -> W::Each<usize> {
        self.at
    }

    /// The target of one lane.
    #[inline(always)]
    pub fn element(&self, lane: usize) -> usize {
        self.at.as_ref()[lane]
    }

    /// Whether the targets are known to be elements in a row; those of maps never are.
    #[inline(always)]
    pub(super) fn is_consecutive(&self) -> bool {
        self.consecutive
    }
}

impl Elems<'_> {
    /// Takes the next elements away, as many as there are lanes or as are left; none if none are left.
    #[inline(always)]
    pub fn pack<W: Width>(&mut self, w: W) -> Option<Pack<W>> {
        let start = self.positions.start;
        let len = self.positions.len().min(W::LANES);
        if len == 0 {
            return None;
        }
        self.positions.start += len;
        let full = len == W::LANES;
        let position = |lane: usize| start + lane.min(len - 1);
        let place = match self.list {
            None if full => Targets { at: w.each(|lane| start + lane), consecutive: true },
            None => Targets { at: w.each(position), consecutive: false },
            Some(list) => {
                let at = w.each(|lane| list[position(lane)] as usize);
                let [first, ..] = *at.as_ref() else { unreachable!("there is no width of no lanes") };
                let consecutive = at.as_ref().iter().enumerate().all(|(lane, &element)| element == first + lane);
                Targets { at, consecutive }
            }
        };
        Some(Pack { w, place, start, len })
    }
}

impl<T, const A: usize> MapView<T, A> {
    /// Where entry `index` of the elements leads.
    ///
    /// # Safety
    /// The elements are of the set that the map starts from, `index` is below the arity.
    #[inline(always)]
    pub unsafe fn target_of<W: Width>(self, pack: &Pack<W>, index: usize) -> Targets<W> {
        let elements = pack.elements();
        let elements = elements.as_ref();
        // SAFETY: passed on to the caller.
        Targets { at: pack.w.each(|lane| unsafe { self.target(elements[lane], index) }), consecutive: false }
    }

    /// Where all entries of the elements lead.
    ///
    /// # Safety
    /// The elements are of the set that the map starts from.
    #[inline(always)]
    pub unsafe fn targets_of<W: Width>(self, pack: &Pack<W>) -> [Targets<W>; A] {
        // SAFETY: passed on to the caller; every index is below the arity.
        std::array::from_fn(|index| unsafe { self.target_of(pack, index) })
    }
}
