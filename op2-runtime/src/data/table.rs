//! All values of a dat, which a kernel asks for by indices that it has.

use super::idx::Idx;
use super::layout::Layout;
use super::record::{Plain, shaped};
use super::value::Value;
use super::view::{Invariant, View};
use crate::data::numbering::Numbers;
use std::marker::PhantomData;
use std::ops::Deref;

/// All values of a dat, from `read(dat, all)`: a kernel asks for that of any element whose index it has. Values come as copies, from any
/// layout.
///
/// A kernel takes `&Table<S, V>`, `S` being the kind of set and `V` the type of the values. A map is the dat of its entries,
/// `&Table<Facets, [Idx<Verts>; 3]>`.
///
/// ```
/// # use op2_runtime::{Idx, Table};
/// # struct Verts;
/// /// A function of a kernel, and its unit test.
/// fn longer(a: Idx<Verts>, b: Idx<Verts>, length: &Table<Verts, f64>) -> Idx<Verts> {
///     if length.at(a) > length.at(b) { a } else { b }
/// }
/// let length = Table::of(&[1.0, 3.0, 2.0]);
/// assert_eq!(longer(Idx::of(0), Idx::of(2), &length), Idx::of(2));
/// ```
// Nobody keeps a copy: it would outlive the values.
#[derive(Debug)]
#[repr(transparent)]
pub struct Table<S, V: Value>(TableView<S, V>);

impl<S, V: Value> Table<S, V> {
    /// A table of these values, for tests of kernels.
    pub fn of(values: &[V]) -> TableOf<S, V> {
        let geometry = Layout::Aos.geometry(values.len(), V::DIM, size_of::<V::Elem>());
        let mut scalars = vec![V::Elem::default(); values.len() * V::DIM];
        let view = View::new(scalars.as_mut_ptr(), geometry);
        for (e, value) in values.iter().enumerate() {
            // SAFETY: there is room for all of them.
            unsafe { view.store(e, value) };
        }
        TableOf { table: TableView::new(view, values.len(), Numbers::of_set(None)), _scalars: scalars }
    }

    /// The value of an element.
    ///
    /// # Panics
    /// If there is no such element, which happens only to indices that a test has made.
    #[inline(always)]
    pub fn at(&self, index: Idx<S>) -> V {
        value_at(self.0.view, self.0.size, index.number())
    }

    /// The element with this number, which is that of its declaration: reordering does not change it. In a table of a test, it is the
    /// place of its value.
    ///
    /// # Panics
    /// If there is no such element. On devices the loop fails.
    #[inline(always)]
    pub fn nth(&self, number: u32) -> Idx<S> {
        Idx::of(element_with(self.0.numbers, self.0.size, number))
    }

    /// The number of an element, as [`nth`](Table::nth) takes it.
    ///
    /// # Panics
    /// As [`at`](Table::at).
    #[inline(always)]
    pub fn number(&self, index: Idx<S>) -> u32 {
        number_of(self.0.numbers, self.0.size, index.number())
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A table of values that a test has, from [`Table::of`].
#[derive(Debug)]
pub struct TableOf<S, V: Value> {
    table: TableView<S, V>,
    _scalars: Vec<V::Elem>,
}

impl<S, V: Value> Deref for TableOf<S, V> {
    type Target = Table<S, V>;

    fn deref(&self) -> &Table<S, V> {
        &self.table
    }
}

/// A table as a call binds it, without the borrow of the dat.
#[derive(Debug)]
pub struct TableView<S, V: Value> {
    view: View<V>,
    size: usize,
    numbers: Numbers,
    kind: Invariant<S>,
}

impl<S, V: Value> Clone for TableView<S, V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S, V: Value> Copy for TableView<S, V> {}

impl<S, V: Value> TableView<S, V> {
    pub(crate) fn new(view: View<V>, size: usize, numbers: Numbers) -> Self {
        TableView { view, size, numbers, kind: PhantomData }
    }

    /// The table that a user's kernel takes.
    #[inline(always)]
    pub fn as_table(&self) -> &Table<S, V> {
        self
    }

    /// The same for generated functions, to which indices are numbers.
    #[inline(always)]
    pub fn as_numbers<P: Plain>(self) -> NumberedTable<P> {
        NumberedTable { view: shaped(self.view), size: self.size, numbers: self.numbers }
    }
}

impl<S, V: Value> Deref for TableView<S, V> {
    type Target = Table<S, V>;

    #[inline(always)]
    fn deref(&self) -> &Table<S, V> {
        // SAFETY: a table is nothing but a view.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }
}

/// A table for generated functions, to which indices are numbers.
#[derive(Debug)]
pub struct NumberedTable<V: Value> {
    view: View<V>,
    size: usize,
    numbers: Numbers,
}

impl<V: Value> Clone for NumberedTable<V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<V: Value> Copy for NumberedTable<V> {}

#[expect(clippy::len_without_is_empty, reason = "kernels ask for the number")]
impl<V: Value> NumberedTable<V> {
    /// The table that a generated function takes.
    #[inline(always)]
    pub fn as_table(&self) -> &Self {
        self
    }

    /// The value of an element.
    #[inline(always)]
    pub fn at(&self, index: u32) -> V {
        value_at(self.view, self.size, index)
    }

    /// The element with this number.
    #[inline(always)]
    pub fn nth(&self, number: u32) -> u32 {
        element_with(self.numbers, self.size, number)
    }

    /// The number of an element.
    #[inline(always)]
    pub fn number(&self, index: u32) -> u32 {
        number_of(self.numbers, self.size, index)
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.size
    }
}

#[inline(always)]
fn value_at<V: Value>(view: View<V>, size: usize, index: u32) -> V {
    expect_element(size, index);
    // SAFETY: it is an element, and nobody writes to the values of a table while it is lent.
    unsafe { view.load(index as usize) }
}

#[inline(always)]
fn number_of(numbers: Numbers, size: usize, index: u32) -> u32 {
    expect_element(size, index);
    // SAFETY: it is an element, and sets are not renumbered while tables are lent.
    unsafe { numbers.of(index as usize) as u32 }
}

#[inline(always)]
fn expect_element(size: usize, index: u32) {
    assert!((index as usize) < size, "element {index} of a table of {size}: the index is that of another set");
}

#[inline(always)]
fn element_with(numbers: Numbers, size: usize, number: u32) -> u32 {
    assert!((number as usize) < size, "element with number {number} of a table of {size}: expected one below {size}");
    // SAFETY: there is such an element, and sets are not renumbered while tables are lent.
    unsafe { numbers.element(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Nodes {}

    #[test]
    fn tables_hold_all_kinds_of_values() {
        let wide = Table::<Nodes, [f64; 3]>::of(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!((wide.at(Idx::of(1)), wide.len(), wide.is_empty()), ([4.0, 5.0, 6.0], 2, false));
        let next = Table::<Nodes, [Option<Idx<Nodes>>; 2]>::of(&[[None, Some(Idx::of(1))], [Some(Idx::of(0)), None]]);
        assert_eq!(next.at(Idx::of(0)), [None, Some(Idx::of(1))]);
        assert_eq!(next.table.as_numbers::<[u32; 2]>().at(1), [0, u32::MAX]);
        assert!(Table::<Nodes, bool>::of(&[]).is_empty());
    }

    #[test]
    #[should_panic(expected = "element 2 of a table of 2")]
    fn an_index_of_another_set() {
        let _ = Table::<Nodes, u8>::of(&[1, 2]).at(Idx::of(2));
    }
}
