//! Dats that may be absent, reached by entries that may be missing: a lane has an element if both are there.

use super::held::Width;
use super::mask::Mask;
use super::pack::Leads;
use super::rows::Rows;
use super::spread::Spread;
use crate::data::value::Value;
use crate::data::view::View;

/// As [`View::gather_there`]. Without a dat, lanes hold zeros.
///
/// # Safety
/// As for [`View::gather_there`], if there is a dat.
#[inline(always)]
pub unsafe fn gather_if<T: Value + Rows<W>, W: Width, const SOA: bool>(
    view: Option<View<T, SOA>>,
    w: W,
    at: &impl Leads,
) -> <T as Spread<W>>::Lanes {
    match view {
        // SAFETY: passed on to the caller.
        Some(view) => unsafe { view.gather_there(w, at) },
        None => blank_of(view, w),
    }
}

/// As [`View::blank`].
#[inline(always)]
pub fn blank_of<T: Value + Rows<W>, W: Width, const SOA: bool>(
    _: Option<View<T, SOA>>,
    w: W,
) -> <T as Spread<W>>::Lanes {
    T::splat(T::Elem::default()).spread(w)
}

/// The lanes that have an element.
#[inline(always)]
pub fn there_if<W: Width>(dat: bool, w: W, at: &impl Leads) -> Mask<W> {
    if dat { at.there(w) } else { Mask::none(w) }
}
