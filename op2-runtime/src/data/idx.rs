//! Elements of sets as values that kernels hold, compare and write to maps.

use super::place::{MISSING, Place};
use super::value::Value;
use super::view::Invariant;
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZero;

/// An element of a set of kind `S`, as kernels take it from `idx()` and from maps that are read like dats, and write it to maps.
///
/// It is opaque: there is no number in it that a kernel could see or make, so that an index always leads to an element. Indices are compared
/// by `==`, and have no order. `Option<Idx<S>>` is an entry of a map that may be missing. Where the user's number of an element is asked
/// for, a kernel takes `idx()` as `u32`.
///
/// ```
/// # use op2_runtime::Idx;
/// # struct Verts;
/// /// A function of a kernel, and its unit test.
/// fn other(ends: &[Idx<Verts>; 2], one: Idx<Verts>) -> Idx<Verts> {
///     if ends[0] == one { ends[1] } else { ends[0] }
/// }
/// let [a, b] = [3, 5].map(Idx::of);
/// assert!(other(&[a, b], a) == b && other(&[a, b], b) == a);
/// ```
///
/// Maps hold indices, and dats do not:
///
/// ```compile_fail
/// # use op2_runtime::{Idx, Op2, SetTag};
/// # #[derive(Clone, Copy)] struct Verts;
/// # impl SetTag for Verts { const NAME: &'static str = "Verts"; }
/// # let mut op = Op2::new().unwrap();
/// # let verts = op.decl_set::<Verts>("vertices", 3).unwrap();
/// op.decl_dat_filled("next", verts, Idx::<Verts>::of(0)).unwrap();
/// ```
#[repr(transparent)]
pub struct Idx<S> {
    /// The complement of the inner number, so that an option without an index is the complement of a missing entry.
    complement: NonZero<u32>,
    kind: Invariant<S>,
}

impl<S> Idx<S> {
    /// An element with this number, for unit tests of kernels and device functions. Kernels cannot call it.
    ///
    /// # Panics
    /// For `u32::MAX`, which no element has.
    #[track_caller]
    pub fn of(number: u32) -> Self {
        assert!(number != MISSING, "no element has the number {number}");
        Self::inner(number as usize)
    }

    /// The inner number.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        !self.complement.get()
    }

    #[inline(always)]
    fn inner(element: usize) -> Self {
        // A set has fewer elements than `u32` has numbers, so this is never 0.
        Idx { complement: NonZero::new(!(element as u32)).unwrap_or(NonZero::<u32>::MAX), kind: PhantomData }
    }
}

impl<S> Clone for Idx<S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S> Copy for Idx<S> {}
impl<S> PartialEq for Idx<S> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.complement == other.complement
    }
}
impl<S> Eq for Idx<S> {}

impl<S> fmt::Debug for Idx<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Idx({})", self.number())
    }
}

// SAFETY: it is one `u32`, which a dat of indices stores as its complement.
#[diagnostic::do_not_recommend]
unsafe impl<S: 'static> Value for Idx<S> {
    type Elem = u32;
    const DIM: usize = 1;
    const COMPLEMENT: bool = true;
    #[inline(always)]
    fn splat(number: u32) -> Self {
        Self::inner(number as usize)
    }
}

// SAFETY: the same; no index is 0, and that is the complement of a missing entry.
#[diagnostic::do_not_recommend]
unsafe impl<S: 'static> Value for Option<Idx<S>> {
    type Elem = u32;
    const DIM: usize = 1;
    const COMPLEMENT: bool = true;
    #[inline(always)]
    fn splat(number: u32) -> Self {
        (number != MISSING).then(|| Idx::inner(number as usize))
    }
}

/// The elements of a set of kind `S`, from which generated code makes the indices that a user's kernel takes.
#[derive(Debug)]
pub struct Elements<S>(Invariant<S>);

impl<S> Clone for Elements<S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S> Copy for Elements<S> {}

impl<S> Elements<S> {
    pub(crate) fn new() -> Self {
        Elements(PhantomData)
    }

    /// Element `e`.
    ///
    /// # Safety
    /// `e` is an element of the set.
    #[inline(always)]
    pub unsafe fn element(self, e: impl Place) -> Idx<S> {
        // SAFETY: passed on to the caller.
        Idx::inner(unsafe { e.element().unwrap_unchecked() })
    }

    /// The element at a place, if it is one.
    ///
    /// # Safety
    /// If there is an element, it is one of the set.
    #[inline(always)]
    pub unsafe fn if_any(self, at: impl Place) -> Option<Idx<S>> {
        at.element().map(Idx::inner)
    }

    /// The same for generated functions, to which indices are numbers.
    #[inline(always)]
    pub fn as_numbers(self) -> ElementNumbers {
        ElementNumbers
    }
}

/// The elements of a set for generated functions, to which indices are numbers.
#[derive(Debug, Clone, Copy)]
pub struct ElementNumbers;

impl ElementNumbers {
    /// Element `e`.
    ///
    /// # Safety
    /// `e` is an element.
    #[inline(always)]
    pub unsafe fn element(self, e: impl Place) -> u32 {
        // SAFETY: passed on to the caller.
        unsafe { self.of(e) as u32 }
    }

    /// The same as a number of any size.
    ///
    /// # Safety
    /// `e` is an element.
    #[inline(always)]
    pub unsafe fn of(self, e: impl Place) -> usize {
        // SAFETY: passed on to the caller.
        unsafe { e.element().unwrap_unchecked() }
    }

    /// The element at a place, or the number that stands for none.
    ///
    /// # Safety
    /// None needed: it is unsafe as [`Elements::if_any`] is.
    #[inline(always)]
    pub unsafe fn if_any(self, at: impl Place) -> u32 {
        at.element().map_or(MISSING, |e| e as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::{Geometry, Layout};
    use crate::data::view::View;

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Nodes {}

    #[test]
    fn an_option_takes_no_more_memory() {
        assert_eq!((size_of::<Idx<Nodes>>(), size_of::<Option<Idx<Nodes>>>()), (4, 4));
        assert_eq!(format!("{:?}", Idx::<Nodes>::of(7)), "Idx(7)");
    }

    #[test]
    #[should_panic(expected = "no element has the number 4294967295")]
    fn no_element_has_the_number_of_none() {
        let _ = Idx::<Nodes>::of(u32::MAX);
    }

    /// Maps hold numbers, and `u32::MAX` where an entry is missing.
    #[test]
    fn maps_hold_the_numbers_of_indices() {
        let mut entries = [4, 0, MISSING, 9, MISSING, 1];
        let geometry: Geometry = Layout::Aos.geometry(2, 3, 4);
        let view = View::<[Option<Idx<Nodes>>; 3]>::new(entries.as_mut_ptr(), geometry);
        // SAFETY: the two rows are those of the array.
        unsafe {
            assert_eq!(view.load(0), [Some(Idx::of(4)), Some(Idx::of(0)), None]);
            assert_eq!(view.load(1), [Some(Idx::of(9)), None, Some(Idx::of(1))]);
            view.store(0, &[None, Some(Idx::of(4_294_967_294)), Some(Idx::of(2))]);
            let required = View::<[Idx<Nodes>; 3]>::new(entries.as_mut_ptr(), geometry);
            required.store(1, &[Idx::of(6), Idx::of(0), Idx::of(5)]);
        }
        assert_eq!(entries, [MISSING, MISSING - 1, 2, 6, 0, 5]);
    }
}
