//! Rows of any length, as kernels and the bodies of loops see them.

use crate::data::idx::{Elements, Idx};
use crate::data::value::Value;
use crate::data::view::{Invariant, View};
use crate::data::ways::{CombinedBy, Way};
use op2_core::Combine;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// The values that the entries of one element's row lead to: `row.len()` of them, `row[i]` each. A kernel takes `&Row<V>` or `&mut Row<V>`
/// of an argument through all entries of a map, `read(x, ring[..])`.
///
/// ```
/// use op2_runtime::Row;
///
/// fn largest(x: &Row<f64>, most: &mut f64) {
///     for i in 0..x.len() {
///         *most = most.max(x[i]);
///     }
/// }
///
/// let mut most = 0.0;
/// largest(&Row::of(&mut [1.0, 4.0, 2.0]), &mut most);
/// assert_eq!(most, 4.0);
/// ```
///
/// Its size is not known to the compiler, so that nobody can swap two rows.
#[derive(Debug)]
pub struct Row<V, Tail: ?Sized = [()]> {
    values: *mut V,
    /// Which of the values.
    entries: *const u32,
    len: usize,
    _tail: Tail,
}

/// A row of known size, which is lent as [`Row`].
pub(crate) type Lent<V> = Row<V, [(); 0]>;

impl<V> Row<V> {
    /// A row of these values, for tests of kernels.
    pub fn of(values: &mut [V]) -> RowOf<'_, V> {
        let entries: Vec<u32> = (0..values.len() as u32).collect();
        // SAFETY: the row lives as long as the borrow of the values.
        let row = unsafe { Lent::new(values.as_mut_ptr(), &entries) };
        RowOf { row, _entries: entries, values: PhantomData }
    }
}

impl<V> Lent<V> {
    /// The row of these entries.
    ///
    /// # Safety
    /// They lead to values, and as long as the row lives nobody changes these through anything else, nor looks at them if the row is
    /// used to change them.
    #[inline(always)]
    unsafe fn new(values: *mut V, entries: &[u32]) -> Self {
        Row { values, entries: entries.as_ptr(), len: entries.len(), _tail: [] }
    }
}

impl<V, Tail: ?Sized> Row<V, Tail> {
    /// The number of entries.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no entries.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    fn value(&self, index: usize) -> *mut V {
        assert!(index < self.len, "index out of bounds: the row has {} entries, but the index is {index}", self.len);
        // SAFETY: the entries of a row lead to values.
        unsafe { self.values.add(*self.entries.add(index) as usize) }
    }
}

impl<V, Tail: ?Sized> Index<usize> for Row<V, Tail> {
    type Output = V;

    #[inline(always)]
    fn index(&self, index: usize) -> &V {
        // SAFETY: as `Lent::new` demands, nobody changes the value meanwhile.
        unsafe { &*self.value(index) }
    }
}

impl<V, Tail: ?Sized> IndexMut<usize> for Row<V, Tail> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut V {
        // SAFETY: as `Lent::new` demands, nobody looks at the value meanwhile.
        unsafe { &mut *self.value(index) }
    }
}

/// A row of a slice, from [`Row::of`].
#[derive(Debug)]
pub struct RowOf<'a, V> {
    row: Lent<V>,
    _entries: Vec<u32>,
    values: PhantomData<&'a mut [V]>,
}

impl<V> Deref for RowOf<'_, V> {
    type Target = Row<V>;

    fn deref(&self) -> &Row<V> {
        &self.row
    }
}

impl<V> DerefMut for RowOf<'_, V> {
    fn deref_mut(&mut self) -> &mut Row<V> {
        &mut self.row
    }
}

/// A map whose rows a loop takes as a whole, without its borrow.
#[derive(Debug)]
pub struct RowsView<T> {
    entries: *const u32,
    /// Where each row begins; null if all rows have the same length.
    offsets: *const u32,
    arity: usize,
    place: Option<usize>,
    to: Invariant<T>,
}

impl<T> Clone for RowsView<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for RowsView<T> {}

// SAFETY: a view is an address; every access through it is unsafe and states what it needs.
unsafe impl<T> Send for RowsView<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for RowsView<T> {}

/// The rows of a bound map: its place, entries, the starts of rows unless all have the same length, and the length of the longest.
pub(crate) type FoundRows = (usize, *const u32, *const u32, usize);

impl<T> RowsView<T> {
    /// The map that was found, or nothing, for a call that already failed and will not run.
    pub(crate) fn new(found: Option<FoundRows>) -> Self {
        let (entries, offsets, arity) = found.map_or((std::ptr::null(), std::ptr::null(), 0), |(_, a, b, n)| (a, b, n));
        RowsView { entries, offsets, arity, place: found.map(|found| found.0), to: PhantomData }
    }

    /// The index of the map in the registry, and the length of the longest row.
    pub(crate) fn place(self) -> Option<(usize, usize)> {
        Some((self.place?, self.arity))
    }

    /// The targets of element `e`.
    ///
    /// # Safety
    /// `e` is an element of the set that the map starts from, and the map does not change meanwhile.
    #[inline(always)]
    pub unsafe fn row<'a>(self, e: usize) -> &'a [u32] {
        // SAFETY: passed on to the caller; there is a start for each element, and an end behind the last.
        unsafe {
            let (start, len) = match self.offsets.is_null() {
                true => (e * self.arity, self.arity),
                false => {
                    let (start, end) = (*self.offsets.add(e), *self.offsets.add(e + 1));
                    (start as usize, (end - start) as usize)
                }
            };
            std::slice::from_raw_parts(self.entries.add(start), len)
        }
    }
}

impl<V: Value, const SOA: bool> View<V, SOA> {
    /// The values of a row of an AoS dat, in place.
    ///
    /// # Safety
    /// The layout is AoS, `at` are elements; nobody writes to them while the row lives, nor reads them if the row is used to write.
    #[inline(always)]
    pub unsafe fn row_of(self, at: &[u32]) -> Lent<V> {
        const { assert!(!V::COMPLEMENT, "indices are loaded and stored") };
        // SAFETY: passed on to the caller.
        unsafe { Lent::new(self.base().cast(), at) }
    }
}

/// Memory for the values of a row: contributions, or copies of what lies in another layout.
#[derive(Debug)]
pub struct RowRoom<V> {
    values: Vec<V>,
    /// 0, 1, 2 and so on.
    numbers: Vec<u32>,
}

impl<S: 'static> RowRoom<Idx<S>> {
    /// Room for the elements of rows.
    pub fn of_elements(_elements: Elements<S>) -> Self {
        RowRoom { values: Vec::new(), numbers: Vec::new() }
    }

    /// The elements of a row, as indices.
    #[inline]
    pub fn elements(&mut self, at: &[u32]) -> Lent<Idx<S>> {
        self.values.clear();
        self.values.extend(at.iter().map(|at| Idx::splat(*at)));
        self.row()
    }
}

impl<V: Value> RowRoom<V> {
    /// Room for rows of a dat.
    pub fn of<const SOA: bool>(_view: View<V, SOA>) -> Self {
        RowRoom { values: Vec::new(), numbers: Vec::new() }
    }

    /// Contributions to a row, which start from the neutral element.
    #[inline]
    pub fn neutral<By: Way, const SOA: bool>(&mut self, view: View<V, SOA>, at: &[u32]) -> Lent<V>
    where
        V::Elem: CombinedBy<By>,
    {
        self.values.clear();
        self.values.resize(at.len(), view.neutral::<By>());
        self.row()
    }

    /// Copies of the values of a row, in any layout.
    ///
    /// # Safety
    /// They are elements, and nobody writes to them meanwhile.
    #[inline]
    pub unsafe fn load<const SOA: bool>(&mut self, view: View<V, SOA>, at: &[u32]) -> Lent<V> {
        self.values.clear();
        // SAFETY: passed on to the caller.
        self.values.extend(at.iter().map(|at| unsafe { view.load(*at as usize) }));
        self.row()
    }

    /// Writes the copies back.
    ///
    /// # Safety
    /// Nobody else touches the elements meanwhile.
    #[inline]
    pub unsafe fn store<const SOA: bool>(&self, view: View<V, SOA>, at: &[u32]) {
        // SAFETY: passed on to the caller.
        at.iter().zip(&self.values).for_each(|(at, value)| unsafe { view.store(*at as usize, value) });
    }

    /// The values, in the order of entries.
    #[inline(always)]
    pub fn values(&self) -> &[V] {
        &self.values
    }

    #[inline]
    fn row(&mut self) -> Lent<V> {
        let (known, len) = (self.numbers.len(), self.values.len());
        self.numbers.extend(known as u32..(len as u32).max(known as u32));
        // SAFETY: the generated code uses the row while it leaves the room alone.
        unsafe { Lent::new(self.values.as_mut_ptr(), &self.numbers[..len]) }
    }
}

/// A reference to a row whose size the compiler does not know, which kernels take.
#[inline(always)]
pub fn lent<V>(row: &Lent<V>) -> &Row<V> {
    row
}

/// The same, for changes.
#[inline(always)]
pub fn lent_mut<V>(row: &mut Lent<V>) -> &mut Row<V> {
    row
}

/// Combines contributions with a row of an AoS dat, one entry after the other.
///
/// # Safety
/// The layout is AoS, and nobody else touches the elements meanwhile.
#[inline(always)]
pub unsafe fn combine_row<V: Value>(view: View<V>, how: Combine, at: &[u32], room: &RowRoom<V>) {
    // SAFETY: passed on to the caller.
    at.iter().zip(room.values()).for_each(|(at, value)| unsafe { view.combine_at(how, *at as usize, value) });
}
