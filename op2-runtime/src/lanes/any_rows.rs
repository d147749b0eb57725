//! Rows of any length in lanes: each lane has a row of its own.

use super::held::Width;
use super::pack::Leads;
use super::vector::V;
use crate::data::row::RowsView;
use crate::data::value::Value;
use crate::data::view::View;
use crate::data::ways::{CombinedBy, Way};

/// The row of each lane, as the kernel takes them.
#[derive(Debug, Clone, Copy)]
pub struct RowPack<W: Width, T: Copy> {
    rows: W::Each<Lane<T>>,
    w: W,
}

/// The row of a lane.
#[derive(Debug, Clone, Copy)]
struct Lane<T> {
    values: *mut T,
    entries: *const u32,
    len: usize,
}

/// The targets of each lane's row.
#[derive(Debug, Clone, Copy)]
pub struct RowTargets<W: Width>(W::Each<&'static [u32]>);

impl<W: Width> RowTargets<W> {
    /// Those of a lane.
    #[inline(always)]
    pub fn of(&self, lane: usize) -> &[u32] {
        self.0.as_ref()[lane]
    }
}

impl<T> RowsView<T> {
    /// The targets of the elements of a pack.
    ///
    /// # Safety
    /// They are elements of the set that the map starts from, and the map does not change while the targets are used.
    #[inline(always)]
    pub unsafe fn rows_of<W: Width>(self, w: W, elements: &impl Leads) -> RowTargets<W> {
        // SAFETY: passed on to the caller.
        RowTargets(w.each(|lane| unsafe { self.row(elements.element(lane)) }))
    }
}

impl<W: Width, T: Copy> RowPack<W, T> {
    /// The number of entries of each lane.
    #[inline(always)]
    pub fn len(&self) -> V<W, usize> {
        super::each(self.w, |lane| self.rows.as_ref()[lane].len)
    }

    /// The value of an entry of a lane.
    #[inline(always)]
    pub fn at(&self, lane: usize, index: usize) -> T {
        // SAFETY: nobody else changes the values of a row while the kernel has it.
        unsafe { *self.value(lane, index) }
    }

    /// The place of an entry of a lane.
    #[inline(always)]
    pub fn place(&mut self, lane: usize, index: usize) -> &mut T {
        // SAFETY: nobody else has the values of a row that is changed while the kernel has it.
        unsafe { &mut *self.value(lane, index) }
    }

    #[inline(always)]
    fn value(&self, lane: usize, index: usize) -> *mut T {
        let Lane { values, entries, len } = self.rows.as_ref()[lane];
        assert!(index < len, "index out of bounds: the row has {len} entries, but the index is {index}");
        // SAFETY: the entries of a row lead to values.
        unsafe { values.add(*entries.add(index) as usize) }
    }
}

/// Memory for the values of the rows of a pack: contributions, or copies.
#[derive(Debug)]
pub struct RowRooms<T> {
    /// Those of all lanes, one after the other.
    values: Vec<T>,
    /// 0, 1, 2 and so on.
    numbers: Vec<u32>,
    /// Where the values of each lane begin, and the end of the last.
    starts: Vec<usize>,
}

impl RowRooms<u32> {
    /// Rooms for the elements of rows.
    pub fn of_elements() -> Self {
        RowRooms { values: Vec::new(), numbers: Vec::new(), starts: Vec::new() }
    }

    /// The elements of rows themselves, which are numbers here.
    #[inline(always)]
    pub fn elements<W: Width>(&mut self, w: W, at: &RowTargets<W>) -> RowPack<W, u32> {
        self.filled(w, at, |at| at)
    }
}

impl<T: Value> RowRooms<T> {
    /// Rooms for rows of a dat.
    pub fn of<const SOA: bool>(_view: View<T, SOA>) -> Self {
        RowRooms { values: Vec::new(), numbers: Vec::new(), starts: Vec::new() }
    }

    /// Rows that are only read: in place, if the values lie together.
    ///
    /// # Safety
    /// They are elements, and nobody writes to them while the rows are used.
    #[inline(always)]
    pub unsafe fn read<W: Width, const SOA: bool>(
        &mut self,
        w: W,
        view: View<T, SOA>,
        at: &RowTargets<W>,
    ) -> RowPack<W, T> {
        if view.is_aos() {
            let values = view.base().cast();
            let rows = w.each(|lane| Lane { values, entries: at.of(lane).as_ptr(), len: at.of(lane).len() });
            return RowPack { rows, w };
        }
        // SAFETY: passed on to the caller.
        unsafe { self.load(w, view, at) }
    }

    /// Copies of the values of the rows, in any layout.
    ///
    /// # Safety
    /// They are elements, and nobody writes to them meanwhile.
    #[inline(always)]
    pub unsafe fn load<W: Width, const SOA: bool>(
        &mut self,
        w: W,
        view: View<T, SOA>,
        at: &RowTargets<W>,
    ) -> RowPack<W, T> {
        // SAFETY: passed on to the caller.
        self.filled(w, at, |at| unsafe { view.load(at as usize) })
    }

    /// Contributions to the rows, which start from the neutral element.
    #[inline(always)]
    pub fn neutral<By: Way, W: Width, const SOA: bool>(
        &mut self,
        w: W,
        view: View<T, SOA>,
        at: &RowTargets<W>,
    ) -> RowPack<W, T>
    where
        T::Elem: CombinedBy<By>,
    {
        let neutral = view.neutral::<By>();
        self.filled(w, at, |_| neutral)
    }

    /// The values of a lane, in the order of entries.
    #[inline(always)]
    pub fn values(&self, lane: usize) -> &[T] {
        &self.values[self.starts[lane]..self.starts[lane + 1]]
    }

    #[inline(always)]
    fn filled<W: Width>(&mut self, w: W, at: &RowTargets<W>, value: impl Fn(u32) -> T) -> RowPack<W, T> {
        self.values.clear();
        self.starts.clear();
        self.starts.push(0);
        for lane in 0..W::LANES {
            self.values.extend(at.of(lane).iter().map(|at| value(*at)));
            self.starts.push(self.values.len());
        }
        let (known, len) = (self.numbers.len() as u32, self.values.len() as u32);
        self.numbers.extend(known..len.max(known));
        let (values, numbers, starts) = (self.values.as_mut_ptr(), self.numbers.as_ptr(), &self.starts);
        // The numbers of each lane count from its own first value.
        let rows = w.each(|lane| Lane {
            values: values.wrapping_add(starts[lane]),
            entries: numbers,
            len: starts[lane + 1] - starts[lane],
        });
        RowPack { rows, w }
    }
}
