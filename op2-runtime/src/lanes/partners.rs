//! Partners of one element in lanes.

use super::arrays::array;
use super::held::{FloatLane, Width};
use super::pack::Targets;
use super::vector::V;
use crate::pairs::Partners;
use std::marker::PhantomData;

/// Up to [`Width::LANES`] partners of one element that are computed at once.
///
/// In a pack with fewer partners, the remaining lanes repeat the last one; no result of theirs is written.
#[derive(Debug, Clone, Copy)]
pub struct PairPack<'f, W: Width, const D: usize> {
    /// Each list has an item for each lane.
    elements: &'f [u32],
    shifts: [&'f [f64]; D],
    len: usize,
    width: PhantomData<W>,
}

impl<const D: usize> Partners<'_, D> {
    /// The partners of an outer element, in packs.
    ///
    /// # Safety
    /// It is an element of the outer set.
    #[inline]
    pub unsafe fn packs<W: Width>(&mut self, _w: W, outer: usize) -> impl Iterator<Item = PairPack<'_, W, D>> {
        // SAFETY: passed on to the caller.
        let found = unsafe { self.find(outer) };
        let partners = found.pad(W::LANES);
        let found = &*found;
        (0..partners).step_by(W::LANES).map(move |first| PairPack {
            elements: &found.elements[first..first + W::LANES],
            shifts: array(|c| &found.shifts[c][first..first + W::LANES]),
            len: W::LANES.min(partners - first),
            width: PhantomData,
        })
    }
}

impl<W: Width, const D: usize> PairPack<'_, W, D> {
    /// The number of lanes with a partner of their own, which come first.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "there is no empty pack")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The partners.
    #[inline(always)]
    pub fn partners(&self) -> Targets<1> {
        // SAFETY: there is an item for each lane.
        unsafe { Targets::listed(self.elements.as_ptr()) }
    }

    /// The shift of each pair.
    #[inline(always)]
    pub fn shift<F: FloatLane>(&self, w: W) -> [V<W, F>; D] {
        array(|c| {
            let floats = w.each(|lane| F::constant(self.shifts[c][lane] as f32, self.shifts[c][lane]));
            // SAFETY: there is a float for each lane.
            unsafe { V::load(w, floats.as_ref().as_ptr()) }
        })
    }
}

/// A parameter of a kernel that takes the shift of a pair in `D` dimensions.
#[diagnostic::on_unimplemented(
    message = "the pairs are in {D} dimensions, the kernel takes their shift as `{Self}`",
    label = "expected `[f64; {D}]`, or `[f32; {D}]`",
    note = "a periodic image has a shift for each direction of the space that the pairs were declared in"
)]
pub trait ShiftOf<const D: usize> {
    /// The shift as the kernel takes it.
    fn of_shift(shift: [f64; D]) -> Self;
}

impl<F: FloatLane, const D: usize> ShiftOf<D> for [F; D] {
    #[inline(always)]
    fn of_shift(shift: [f64; D]) -> Self {
        shift.map(|s| F::constant(s as f32, s))
    }
}
