//! Adds the contributions of an argument to their targets, or to the destinations that the plan redirects them to.
//!
//! Copies of targets and destinations of single contributions are consecutive values, whatever the layout of the dat.

use crate::data::place::Place;
use crate::data::value::{Elem, Value};
use crate::data::view::View;
use op2_core::Combine;

/// In the destinations of a plan, marks a contribution that is dropped because another block adds it.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The redirected contributions of one argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Redirected {
    /// The argument.
    pub(crate) arg: usize,
    /// The destinations of contributions, `width` for each position; null if each contribution has its own destination.
    pub(crate) destinations: *const u32,
    pub(crate) width: usize,
    /// The number of the argument's first contribution.
    pub(crate) first: usize,
    /// Destinations below this are targets; the others are copies, numbered from here.
    pub(crate) targets: usize,
    /// The copies: consecutive values of the dat.
    pub(crate) copies: *mut u8,
}

// SAFETY: it consists of addresses; every access through it is unsafe and states its conditions.
unsafe impl Send for Redirected {}
// SAFETY: as above.
unsafe impl Sync for Redirected {}

/// Receives the contributions of one argument from the generated code.
#[derive(Debug)]
pub struct Sink<V: Value, const SOA: bool = false> {
    view: View<V, SOA>,
    redirected: Option<Redirected>,
}

impl<V: Value, const SOA: bool> Clone for Sink<V, SOA> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<V: Value, const SOA: bool> Copy for Sink<V, SOA> {}

impl<V: Value, const SOA: bool> Sink<V, SOA> {
    pub(crate) fn new(view: View<V, SOA>, redirected: Option<Redirected>) -> Self {
        Sink { view, redirected }
    }

    /// Whether contributions go directly to a dat in the layout that the view is compiled for.
    #[inline(always)]
    pub fn is_straight(self) -> bool {
        self.redirected.is_none() && self.view.is_as_compiled()
    }

    /// [`Sink::combine`], compiled once rather than inlined into every loop.
    ///
    /// # Safety
    /// As for [`Sink::combine`].
    #[cold]
    #[inline(never)]
    pub unsafe fn combine_row(self, how: Combine, position: usize, entry: usize, target: impl Place, contribution: &V) {
        // SAFETY: passed on to the caller.
        unsafe { self.combine(how, position, entry, target, contribution) };
    }

    /// Combines the contribution of a pair to its element inside, `partner`.
    ///
    /// # Safety
    /// `partner` is an element of the dat, one that the patch reaches if contributions are redirected, and by the patches nothing
    /// else accesses the destination of the contribution.
    #[inline(always)]
    pub unsafe fn combine_partner(self, how: Combine, partner: usize, contribution: &V) {
        let Some(redirected) = self.redirected else {
            // SAFETY: passed on to the caller.
            return unsafe { self.view.combine(how, partner, contribution) };
        };
        // SAFETY: there is a place for each element that the patch reaches.
        let copy = unsafe { *redirected.destinations.add(partner) };
        debug_assert_ne!(copy, NOWHERE, "the grid lists all that a patch reaches");
        // SAFETY: the patches have this copy, and only one of them adds to it.
        let copy = unsafe { &mut *redirected.copies.cast::<V>().add(copy as usize) };
        self.view.absorb(how, copy, contribution);
    }

    /// Combines the contribution of the element at `position`, through entry `entry` of the argument, which leads to
    /// `target`. Does nothing if that is missing.
    ///
    /// # Safety
    /// `target` is an element of the dat if it is there, the position belongs to the plan, and by the plan nothing else accesses the
    /// destination of the contribution.
    #[inline(always)]
    pub unsafe fn combine(self, how: Combine, position: usize, entry: usize, target: impl Place, contribution: &V) {
        let Some(target) = target.element() else { return };
        let Some(redirected) = self.redirected else {
            // SAFETY: passed on to the caller.
            return unsafe { self.view.combine(how, target, contribution) };
        };
        let number = position * redirected.width + redirected.first + entry;
        if redirected.destinations.is_null() {
            // SAFETY: the plan has a destination for every contribution, used by no other.
            return unsafe { redirected.copies.cast::<V>().add(number).write(*contribution) };
        }
        // SAFETY: the plan names a destination for every contribution.
        let destination = unsafe { *redirected.destinations.add(number) };
        let straight = (destination as usize) < redirected.targets;
        if straight {
            // SAFETY: the destination is the target; passed on to the caller.
            unsafe { self.view.combine(how, destination as usize, contribution) };
        } else if destination != NOWHERE {
            // SAFETY: the plan has this copy, and only one block adds to it.
            let copy = unsafe { &mut *redirected.copies.cast::<V>().add(destination as usize - redirected.targets) };
            // SAFETY: any numbers are a value, since the macros refuse to combine enums.
            for (old, new) in unsafe { copy.components_mut() }.iter_mut().zip(contribution.components()) {
                *old = V::Elem::combined(how, *old, *new);
            }
        }
    }
}
