//! All values of a dat, which a kernel asks for by indices that it has.

use super::idx::Idx;
use super::record::{Plain, shaped};
use super::value::Value;
use super::view::{Invariant, View};
use std::marker::PhantomData;

/// All values of a dat, from `read(dat, all)`: a kernel asks for that of any element whose index it has. Values come as copies, from any
/// layout.
///
/// A kernel takes `&Table<S, V>`, `S` being the kind of set and `V` the type of the values. A map is the dat of its entries,
/// `&Table<Facets, [Idx<Verts>; 3]>`.
#[derive(Debug)]
pub struct Table<S, V: Value> {
    view: View<V>,
    size: usize,
    kind: Invariant<S>,
}

impl<S, V: Value> Clone for Table<S, V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S, V: Value> Copy for Table<S, V> {}

impl<S, V: Value> Table<S, V> {
    pub(crate) fn new(view: View<V>, size: usize) -> Self {
        Table { view, size, kind: PhantomData }
    }

    /// The value of an element.
    ///
    /// # Panics
    /// If there is no such element, which happens only to indices that a test has made.
    #[inline(always)]
    pub fn at(&self, index: Idx<S>) -> V {
        value_at(self.view, self.size, index.number())
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The same for generated functions, to which indices are numbers.
    #[doc(hidden)]
    #[inline(always)]
    pub fn as_numbers<P: Plain>(self) -> NumberedTable<P> {
        NumberedTable { view: shaped(self.view), size: self.size }
    }
}

/// A table for generated functions, to which indices are numbers.
#[derive(Debug)]
pub struct NumberedTable<V: Value> {
    view: View<V>,
    size: usize,
}

impl<V: Value> Clone for NumberedTable<V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<V: Value> Copy for NumberedTable<V> {}

impl<V: Value> NumberedTable<V> {
    /// The value of an element.
    #[inline(always)]
    pub fn at(&self, index: u32) -> V {
        value_at(self.view, self.size, index)
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.size
    }
}

#[inline(always)]
fn value_at<V: Value>(view: View<V>, size: usize, index: u32) -> V {
    assert!((index as usize) < size, "element {index} of a table of {size}: the index is that of another set");
    // SAFETY: it is an element, and nobody writes to the dat of a table while the loop runs.
    unsafe { view.load(index as usize) }
}
