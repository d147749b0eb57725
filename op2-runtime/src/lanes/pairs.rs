//! Records in lanes: pairs have lanes for each part.

use super::held::Width;
use super::mask::Mask;
use super::rows::Rows;
use super::spread::{Lanes, Spread};
use crate::data::record::Pair;
use crate::data::value::Value;

impl<W: Width, A: Spread<W>, B: Spread<W>> Spread<W> for Pair<A, B> {
    type Lanes = Pair<A::Lanes, B::Lanes>;
    #[inline(always)]
    fn spread(self, w: W) -> Self::Lanes {
        Pair(self.0.spread(w), self.1.spread(w))
    }
    #[inline(always)]
    fn off() -> Self {
        Pair(A::off(), B::off())
    }
}

impl<W: Width, A: Lanes<W>, B: Lanes<W>> Lanes<W> for Pair<A, B> {
    type One = Pair<A::One, B::One>;
    #[inline(always)]
    fn lane(&self, lane: usize) -> Self::One {
        Pair(self.0.lane(lane), self.1.lane(lane))
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, one: Self::One) {
        self.0.set_lane(lane, one.0);
        self.1.set_lane(lane, one.1);
    }
    #[inline(always)]
    fn select(mask: Mask<W>, yes: Self, no: Self) -> Self {
        Pair(A::select(mask, yes.0, no.0), B::select(mask, yes.1, no.1))
    }
    #[inline(always)]
    fn off(w: W) -> Self {
        Pair(A::off(w), B::off(w))
    }
}

/// Pairs of values are their scalars in a row, and so are their lanes: the rows are those of an array of scalars.
impl<W, A, B> Rows<W> for Pair<A, B>
where
    W: Width,
    A: Rows<W> + Value<Elem: Rows<W>>,
    B: Rows<W> + Value<Elem = A::Elem>,
{
    #[inline(always)]
    unsafe fn take_rows(w: W, rows: &W::Each<*const Self>, count: usize, out: *mut Self::Lanes) {
        let rows = w.each(|lane| rows.as_ref()[lane].cast::<A::Elem>());
        // SAFETY: passed on to the caller.
        unsafe { A::Elem::take_rows(w, &rows, count * Self::DIM, out.cast()) }
    }

    #[inline(always)]
    unsafe fn put_rows(w: W, lanes: *const Self::Lanes, count: usize, rows: &W::Each<*mut Self>) {
        let rows = w.each(|lane| rows.as_ref()[lane].cast::<A::Elem>());
        // SAFETY: passed on to the caller.
        unsafe { A::Elem::put_rows(w, lanes.cast(), count * Self::DIM, &rows) }
    }

    #[inline(always)]
    unsafe fn take_columns(w: W, columns: *const Self, stride: usize, count: usize, out: *mut Self::Lanes) {
        // SAFETY: passed on to the caller.
        unsafe { A::Elem::take_columns(w, columns.cast(), stride, count * Self::DIM, out.cast()) }
    }

    #[inline(always)]
    unsafe fn put_columns(w: W, lanes: *const Self::Lanes, count: usize, columns: *mut Self, stride: usize) {
        // SAFETY: passed on to the caller.
        unsafe { A::Elem::put_columns(w, lanes.cast(), count * Self::DIM, columns.cast(), stride) }
    }

    #[inline(always)]
    unsafe fn take_strided(w: W, firsts: &W::Each<*const Self>, stride: usize, count: usize, out: *mut Self::Lanes) {
        let firsts = w.each(|lane| firsts.as_ref()[lane].cast::<A::Elem>());
        // SAFETY: passed on to the caller.
        unsafe { A::Elem::take_strided(w, &firsts, stride, count * Self::DIM, out.cast()) }
    }
}
