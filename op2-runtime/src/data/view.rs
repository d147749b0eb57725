//! Raw views of dats and maps, as the generated loop bodies use them.
//!
//! This is the one place where elements are read and written without a borrow. It is sound because of the checks of a
//! call (no dat is modified by one argument and read by another) and because of the plan (no two blocks of a colour
//! modify the same element).

use crate::data::layout::Geometry;
use crate::data::place::{IsOptional, IsRequired, Place, Presence, Required};
use crate::data::value::{Elem, Value};
use crate::data::ways::{CombinedBy, Way};
use op2_core::Combine;
use std::any::TypeId;
use std::marker::PhantomData;

/// Ties a handle to its types without holding a value. It is invariant, so no handle turns into one of a subtype or a
/// supertype: data are accessed by the very type that they were declared with.
pub(crate) type Invariant<T> = PhantomData<fn(T) -> T>;

/// A dat without its borrow: computes the address of element `e`, in any layout.
///
/// `SOA` says which layout the methods for lanes are compiled for: SoA, or else AoS. The others still work, but slowly. One body
/// for both would keep lanes in memory where the two ways meet again, which makes large loops a third slower.
#[derive(Debug)]
pub struct View<V: Value, const SOA: bool = false> {
    base: *mut V::Elem,
    geometry: Geometry,
}

impl<V: Value, const SOA: bool> Clone for View<V, SOA> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<V: Value, const SOA: bool> Copy for View<V, SOA> {}

// SAFETY: a view is an address; every access through it is unsafe and states what it needs.
unsafe impl<V: Value, const SOA: bool> Send for View<V, SOA> {}
// SAFETY: as above.
unsafe impl<V: Value, const SOA: bool> Sync for View<V, SOA> {}

impl<V: Value> View<V> {
    pub(crate) fn new(base: *mut V::Elem, geometry: Geometry) -> Self {
        View { base, geometry }
    }

    /// A view of rows that no dat holds, in AoS, for benches of loop bodies. Nothing keeps the rows alive.
    #[cfg(feature = "bench-internals")]
    pub fn of_rows(rows: &mut [V]) -> Self {
        View { base: rows.as_mut_ptr().cast(), geometry: Geometry::aos(V::DIM) }
    }

    /// A view of nothing, for a call that already failed and will not run.
    pub(crate) fn nothing() -> Self {
        View { base: std::ptr::null_mut(), geometry: Geometry::aos(V::DIM) }
    }

    /// The same rows as values of another type.
    pub(super) fn seen_as<A: Value>(self) -> View<A> {
        View { base: self.base.cast(), geometry: self.geometry }
    }

    /// The same view with methods for another layout.
    #[inline(always)]
    pub fn in_layout<const SOA: bool>(self) -> View<V, SOA> {
        View { base: self.base, geometry: self.geometry }
    }
}

impl<V: Value, const SOA: bool> View<V, SOA> {
    /// Element `e` of an AoS dat, in place.
    ///
    /// # Safety
    /// The layout is AoS, `e` is an element, and nobody writes to it while the reference lives.
    #[inline(always)]
    pub unsafe fn at<'a>(self, e: impl Place) -> &'a V {
        const { assert!(!V::COMPLEMENT, "indices are loaded and stored") };
        // SAFETY: passed on to the caller.
        let e = unsafe { e.element().unwrap_unchecked() };
        // SAFETY: passed on to the caller; a value is DIM scalars in a row.
        unsafe { &*self.base.cast::<V>().add(e) }
    }

    /// Element `e` of an AoS dat, in place, to be changed.
    ///
    /// # Safety
    /// As for [`View::at`], and nobody else touches the element while the reference lives.
    #[inline(always)]
    pub unsafe fn at_mut<'a>(self, e: impl Place) -> &'a mut V {
        const { assert!(!V::COMPLEMENT, "indices are loaded and stored") };
        // SAFETY: passed on to the caller.
        let e = unsafe { e.element().unwrap_unchecked() };
        // SAFETY: passed on to the caller.
        unsafe { &mut *self.base.cast::<V>().add(e) }
    }

    /// A copy of element `e`, in any layout.
    ///
    /// # Safety
    /// `e` is an element and nobody writes to it meanwhile.
    #[inline(always)]
    pub unsafe fn load(self, e: impl Place) -> V {
        // SAFETY: passed on to the caller.
        let e = unsafe { e.element().unwrap_unchecked() };
        let mut value = V::splat(V::Elem::default());
        // SAFETY: the scalars are those of a value of the dat.
        for (c, slot) in unsafe { value.components_mut() }.iter_mut().enumerate() {
            // SAFETY: the geometry leads to components of the dat's own storage.
            let stored = unsafe { *self.component(e, c) };
            *slot = if V::COMPLEMENT { stored.complement() } else { stored };
        }
        value
    }

    /// Element `at` of an AoS dat, in place, if it is there.
    ///
    /// # Safety
    /// As for [`View::at`], if there is an element.
    #[inline(always)]
    pub unsafe fn maybe_at<'a>(self, at: impl Place) -> Option<&'a V> {
        // SAFETY: passed on to the caller.
        at.element().map(|e| unsafe { self.at(e) })
    }

    /// Element `at` of an AoS dat, in place, to be changed, if it is there.
    ///
    /// # Safety
    /// As for [`View::at_mut`], if there is an element.
    #[inline(always)]
    pub unsafe fn maybe_at_mut<'a>(self, at: impl Place) -> Option<&'a mut V> {
        // SAFETY: passed on to the caller.
        at.element().map(|e| unsafe { self.at_mut(e) })
    }

    /// A copy of element `at`, in any layout, if it is there.
    ///
    /// # Safety
    /// As for [`View::load`], if there is an element.
    #[inline(always)]
    pub unsafe fn maybe_load(self, at: impl Place) -> Option<V> {
        // SAFETY: passed on to the caller.
        at.element().map(|e| unsafe { self.load(e) })
    }

    /// Writes element `at`, in any layout. Does nothing if it is missing.
    ///
    /// # Safety
    /// Nobody else touches the element meanwhile.
    #[inline(always)]
    pub unsafe fn store(self, at: impl Place, value: &V) {
        let Some(e) = at.element() else { return };
        for (c, part) in value.components().iter().enumerate() {
            let stored = if V::COMPLEMENT { part.complement() } else { *part };
            // SAFETY: the geometry leads to components of the dat's own storage.
            unsafe { *self.component(e, c) = stored };
        }
    }

    /// Whether the layout is AoS. With one component, all layouts count as AoS.
    #[inline(always)]
    pub(crate) fn is_aos(self) -> bool {
        V::DIM == 1 || self.geometry.is_aos()
    }

    /// Whether the layout is SoA. With one component, all layouts count as SoA.
    #[inline(always)]
    pub(crate) fn is_soa(self) -> bool {
        V::DIM == 1 || self.geometry.is_soa()
    }

    /// Whether the layout is the one that the methods for lanes are compiled for.
    #[inline(always)]
    pub(crate) fn is_as_compiled(self) -> bool {
        if SOA { self.is_soa() } else { self.is_aos() }
    }

    /// Scalars from one component of an element to the next one.
    #[inline(always)]
    pub(crate) fn stride(self) -> usize {
        self.geometry.stride()
    }

    /// The address of the first component of element `e` of an SoA dat.
    ///
    /// # Safety
    /// The layout is SoA, `e` is an element.
    #[inline(always)]
    pub(crate) unsafe fn column(self, e: usize) -> *mut V::Elem {
        // SAFETY: passed on to the caller.
        unsafe { self.base.add(e) }
    }

    /// The address of the first scalar.
    #[inline(always)]
    pub(crate) fn base(self) -> *mut V::Elem {
        self.base
    }

    /// The address of element `e` of an AoS dat.
    ///
    /// # Safety
    /// The layout is AoS, `e` is an element.
    #[inline(always)]
    pub(crate) unsafe fn row(self, e: usize) -> *mut V {
        // SAFETY: passed on to the caller; a value is DIM scalars in a row.
        unsafe { self.base.cast::<V>().add(e) }
    }

    /// Copies the components of elements to columns, in any layout: first the first component of all elements, then the second
    /// one of all, and so on. `consecutive` says that the elements are consecutive.
    ///
    /// # Safety
    /// They are elements, nobody writes to them meanwhile, `columns` has room for their components.
    #[inline(always)]
    pub(crate) unsafe fn fill(self, elements: &[usize], consecutive: bool, columns: *mut V::Elem) {
        let [mask, block, stride] = self.geometry.parts();
        // SAFETY: passed on to the caller.
        unsafe {
            copy_columns::<V, true>(self.base, mask, block, stride, elements, consecutive, columns, elements.len())
        }
    }

    /// The way back from [`View::fill`], where `pitch` components stand between one column and the next.
    ///
    /// # Safety
    /// They are elements, nobody else touches them meanwhile, `columns` holds their components.
    #[inline(always)]
    pub(crate) unsafe fn spill(self, elements: &[usize], pitch: usize, consecutive: bool, columns: *const V::Elem) {
        let [mask, block, stride] = self.geometry.parts();
        // SAFETY: passed on to the caller; columns are read, not written.
        unsafe {
            copy_columns::<V, false>(self.base, mask, block, stride, elements, consecutive, columns.cast_mut(), pitch);
        }
    }

    #[inline(always)]
    unsafe fn component(self, e: usize, c: usize) -> *mut V::Elem {
        // SAFETY: passed on to the caller: `e` is an element, `c` a component.
        unsafe { self.base.add(self.geometry.offset(e, c)) }
    }
}

/// [`View::fill`], or else [`View::spill`]. Not inlined: there is one for each type of dats, not one for each argument, loop and instruction
/// set. It takes the numbers that a view consists of, and is cold: see `lanes::pack::cold`.
///
/// # Safety
/// As for the one or the other.
#[cold]
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "a view would be put together in memory for every pack")]
unsafe fn copy_columns<V: Value, const FILL: bool>(
    base: *mut V::Elem,
    mask: usize,
    block: usize,
    stride: usize,
    elements: &[usize],
    consecutive: bool,
    columns: *mut V::Elem,
    pitch: usize,
) {
    let view = View::<V, false> { base, geometry: Geometry::of_parts([mask, block, stride]) };
    // SAFETY: passed on to the caller, for each component and for runs of them.
    let copy = |of_dat: *mut V::Elem, of_column: *mut V::Elem, count: usize| unsafe {
        let (from, to) = if FILL { (of_dat, of_column) } else { (of_column, of_dat) };
        from.copy_to_nonoverlapping(to, count);
    };
    let len = elements.len();
    for c in 0..V::DIM {
        // SAFETY: passed on to the caller; consecutive elements stand side by side if the first and the last one do.
        unsafe {
            let column = columns.add(c * pitch);
            let first = view.component(elements[0], c);
            if consecutive && view.component(elements[len - 1], c) == first.add(len - 1) {
                copy(first, column, len);
            } else {
                elements.iter().enumerate().for_each(|(i, &e)| copy(view.component(e, c), column.add(i), 1));
            }
        }
    }
}

impl<V: Value, const SOA: bool> View<V, SOA> {
    /// The address of the dat's memory, which identifies the dat.
    #[inline]
    pub fn address(self) -> usize {
        self.base().addr()
    }

    /// The value with which contributions start.
    #[inline(always)]
    pub fn neutral<By: Way>(self) -> V
    where
        V::Elem: CombinedBy<By>,
    {
        V::splat(V::Elem::neutral(By::HOW))
    }

    /// Adds to element `at` of a dat in the layout that the methods for lanes are compiled for, or combines with it. Does nothing if it is
    /// missing.
    ///
    /// # Safety
    /// The layout is this one, and nobody else touches the element meanwhile, unless all combine in the same exact way.
    #[inline(always)]
    pub unsafe fn combine_at(self, how: Combine, at: impl Place, contribution: &V) {
        let Some(e) = at.element() else { return };
        if SOA || how.is_exact() {
            // SAFETY: passed on to the caller.
            return unsafe { self.combine(how, e, contribution) };
        }
        // SAFETY: passed on to the caller.
        let target = unsafe { self.at_mut(e) };
        // On copies, which share no memory: so that all components go at once.
        let (mut sum, contribution) = (*target, *contribution);
        // SAFETY: any numbers are a value, since the macros refuse to combine enums.
        for (old, new) in unsafe { sum.components_mut() }.iter_mut().zip(contribution.components()) {
            *old = V::Elem::combined(how, *old, *new);
        }
        *target = sum;
    }

    /// Adds a contribution to a sum that no dat holds, or combines with it.
    #[inline(always)]
    pub fn absorb(self, how: Combine, sum: &mut V, contribution: &V) {
        // SAFETY: any numbers are a value, since the macros refuse to combine enums.
        for (old, new) in unsafe { sum.components_mut() }.iter_mut().zip(contribution.components()) {
            *old = V::Elem::combined(how, *old, *new);
        }
    }

    /// Adds to element `at`, or combines with it, in any layout. Does nothing if it is missing.
    ///
    /// # Safety
    /// Nobody else touches the element meanwhile, unless all combine in the same exact way.
    #[inline(always)]
    pub unsafe fn combine(self, how: Combine, at: impl Place, contribution: &V) {
        let Some(e) = at.element() else { return };
        for (c, new) in contribution.components().iter().enumerate() {
            // SAFETY: the geometry leads to components of the dat's own storage; passed on to the caller.
            unsafe { V::Elem::combine_into(how, self.component(e, c), *new) };
        }
    }
}

/// A map to set `T` without its borrow. `M` says whether entries may be missing.
#[derive(Debug)]
pub struct MapView<T, const A: usize, M = Required> {
    entries: *const u32,
    place: Option<usize>,
    to: Invariant<(T, M)>,
}

impl<T, const A: usize, M> Clone for MapView<T, A, M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const A: usize, M> Copy for MapView<T, A, M> {}

// SAFETY: a view is an address; every access through it is unsafe and states what it needs.
unsafe impl<T, const A: usize, M> Send for MapView<T, A, M> {}
// SAFETY: as above.
unsafe impl<T, const A: usize, M> Sync for MapView<T, A, M> {}

impl<T, const A: usize, M: Presence> MapView<T, A, M> {
    /// The map at this place, or nothing, for a call that already failed and will not run.
    pub(crate) fn new(found: Option<(usize, *const u32)>) -> Self {
        let (place, entries) = found.unzip();
        MapView { entries: entries.unwrap_or(std::ptr::null()), place, to: PhantomData }
    }

    /// A view of entries that no map holds, for benches of loop bodies. Nothing keeps the entries alive.
    #[cfg(any(test, feature = "bench-internals"))]
    pub fn of_rows(rows: &[[u32; A]]) -> Self {
        MapView::new(Some((0, rows.as_ptr().cast())))
    }

    /// The index of the map in the registry.
    pub(crate) fn place(self) -> Option<usize> {
        self.place
    }

    /// The target of entry `index` of element `e`.
    ///
    /// # Safety
    /// `e` is an element of the set that the map starts from, `index` is below the arity.
    #[inline(always)]
    pub unsafe fn target(self, e: usize, index: usize) -> M::At {
        // SAFETY: passed on to the caller.
        M::at(unsafe { *self.entries.add(e * A + index) })
    }

    /// The entries from those of element `e` on.
    ///
    /// # Safety
    /// `e` is an element of the set that the map starts from.
    #[inline(always)]
    pub(crate) unsafe fn rows_from(self, e: usize) -> *const u32 {
        // SAFETY: passed on to the caller.
        unsafe { self.entries.add(e * A) }
    }

    /// The targets of all entries of element `e`.
    ///
    /// # Safety
    /// `e` is an element of the set that the map starts from.
    #[inline(always)]
    pub unsafe fn targets(self, e: usize) -> [M::At; A] {
        // SAFETY: passed on to the caller.
        std::array::from_fn(|index| unsafe { self.target(e, index) })
    }

    /// Compiles only if `I` is an index of the map, so that the compiler refuses a constant index beyond the arity
    /// where the user wrote it.
    #[inline(always)]
    pub fn has_entry<const I: usize>(self)
    where
        Entry: HasEntry<I, A>,
    {
    }

    /// Compiles only if every entry leads to an element, for a kernel that takes no options.
    #[inline(always)]
    pub fn is_required(self)
    where
        M: IsRequired,
    {
    }

    /// Compiles only if entries may be missing, for a kernel that takes options.
    #[inline(always)]
    pub fn is_optional(self)
    where
        M: IsOptional,
    {
    }
}

/// The same map. Its arity is the one that the kernel states, unless the loop fails to compile for another reason.
pub fn of_arity<T, const A: usize, const B: usize, M>(map: MapView<T, A, M>) -> MapView<T, B, M> {
    assert_eq!(A, B, "a kernel gets rows of the map's arity");
    MapView { entries: map.entries, place: map.place, to: PhantomData }
}

/// The same value. Its type is the one that the kernel states, unless the loop fails to compile for another reason.
#[inline(always)]
pub fn same<A: Copy + 'static, B: Copy + 'static>(value: A) -> B {
    assert!(TypeId::of::<A>() == TypeId::of::<B>(), "a kernel gets values of its own types");
    // SAFETY: it is one type.
    unsafe { std::mem::transmute_copy(&value) }
}

/// The one type that implements [`HasEntry`].
#[derive(Debug)]
pub enum Entry {}

/// `I` is an index of a map of arity `A`. The compiler cannot compare constants of types, so that all
/// pairs are written down, up to arity 32; an index into a larger map is checked at the call if it is
/// written as an expression, `{40}`.
#[diagnostic::on_unimplemented(
    message = "map has arity {A}, found index {I} (valid: 0..{A})",
    label = "index {I} is out of bounds",
    note = "entries count from 0; the index into a map of more than 32 entries is written in braces, `map[{{{I}}}]`"
)]
pub trait HasEntry<const I: usize, const A: usize> {}

macro_rules! entries {
    ($index:literal $($arity:literal)*) => {
        $(#[diagnostic::do_not_recommend] impl HasEntry<$index, $arity> for Entry {})*
        entries!($($arity)*);
    };
    () => {};
}
entries!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
