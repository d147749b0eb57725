//! Where the contributions of an argument go: straight to their targets, or as a plan redirects them.
//!
//! Copies and places of single contributions are values in a row, whatever the layout of the dat.

use crate::data::value::{Number, Value, combine};
use crate::data::view::View;
use op2_core::Combine;

/// The place of a contribution that is added nowhere, in the places of a plan.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The redirected contributions of one argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lane {
    /// The argument.
    pub(crate) arg: usize,
    /// Where contributions go, `width` for each position; null where each has a place of its own.
    pub(crate) places: *const u32,
    pub(crate) width: usize,
    /// The number of the argument's first contribution.
    pub(crate) first: usize,
    /// Places from here on are copies.
    pub(crate) targets: usize,
    /// The copies, values of the dat in a row.
    pub(crate) copies: *mut u8,
}

// SAFETY: a lane is addresses; every access through it is unsafe and states what it needs.
unsafe impl Send for Lane {}
// SAFETY: as above.
unsafe impl Sync for Lane {}

/// What the generated code hands the contributions of one argument to.
#[derive(Debug)]
pub struct Sink<V: Value> {
    view: View<V>,
    lane: Option<Lane>,
}

impl<V: Value> Clone for Sink<V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<V: Value> Copy for Sink<V> {}

impl<V: Value<Elem: Number>> Sink<V> {
    pub(crate) fn new(view: View<V>, lane: Option<Lane>) -> Self {
        Sink { view, lane }
    }

    /// Whether contributions go straight to the rows of an AoS dat.
    #[inline(always)]
    pub fn is_straight(self) -> bool {
        self.lane.is_none() && self.view.is_aos()
    }

    /// [`Sink::combine`], which so stands in the program once.
    ///
    /// # Safety
    /// As for [`Sink::combine`].
    #[cold]
    #[inline(never)]
    pub unsafe fn combine_row(self, how: Combine, position: usize, entry: usize, target: usize, contribution: &V) {
        // SAFETY: passed on to the caller.
        unsafe { self.combine(how, position, entry, target, contribution) };
    }

    /// Takes the contribution of the element at `position` by entry `entry` of the argument, which leads to `target`.
    ///
    /// # Safety
    /// `target` is an element of the dat, the position is one of the plan's, and by the plan nobody else touches where
    /// the contribution goes.
    #[inline(always)]
    pub unsafe fn combine(self, how: Combine, position: usize, entry: usize, target: usize, contribution: &V) {
        let Some(lane) = self.lane else {
            // SAFETY: passed on to the caller.
            return unsafe { self.view.combine(how, target, contribution) };
        };
        let number = position * lane.width + lane.first + entry;
        if lane.places.is_null() {
            // SAFETY: the plan has a place for every contribution, and only this one goes there.
            return unsafe { lane.copies.cast::<V>().add(number).write(*contribution) };
        }
        // SAFETY: the plan names a place for every contribution.
        let place = unsafe { *lane.places.add(number) };
        let straight = (place as usize) < lane.targets;
        if straight {
            // SAFETY: the place is the target; passed on to the caller.
            unsafe { self.view.combine(how, place as usize, contribution) };
        } else if place != NOWHERE {
            // SAFETY: there are as many copies as places name, and only one block adds to this one.
            let copy = unsafe { &mut *lane.copies.cast::<V>().add(place as usize - lane.targets) };
            for (old, new) in copy.components_mut().iter_mut().zip(contribution.components()) {
                *old = combine(how, *old, *new);
            }
        }
    }
}
