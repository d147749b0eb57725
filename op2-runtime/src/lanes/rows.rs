//! Conversion between rows of dats and lanes.

use super::arrays::array;
use super::held::Transpose;
use super::held::{Lane, Width};
use super::mask::Mask;
use super::pack::{Leads, Listed};
use super::plain::{put, take1};
use super::spread::Spread;
use super::stream;
use super::vector::V;
use crate::data::place::Place;
use crate::data::value::Value;
use crate::data::view::View;
use std::mem::MaybeUninit;

/// A value that dats hold: a scalar, an array of such values, or pairs of them. Its lanes are those of its scalars in a row.
#[doc(hidden)]
pub trait Rows<W: Width>: Spread<W> {
    /// Turns `count` consecutive values at `rows[lane]`, for each lane, into `count` consecutive lanes at `out`.
    ///
    /// # Safety
    /// The rows may be read, `out` has room for `count` lanes.
    unsafe fn take_rows(w: W, rows: &W::Each<*const Self>, count: usize, out: *mut Self::Lanes);

    /// The reverse of [`Rows::take_rows`]: `count` consecutive lanes at `lanes` become `count` consecutive values at
    /// each `rows[lane]`.
    ///
    /// # Safety
    /// The lanes may be read, the rows may be written.
    unsafe fn put_rows(w: W, lanes: *const Self::Lanes, count: usize, rows: &W::Each<*mut Self>);

    /// Turns columns into `count` lanes. A column holds one scalar of the values for all lanes; the next one begins `stride`
    /// scalars behind.
    ///
    /// # Safety
    /// The columns may be read, `out` has room for `count` lanes.
    unsafe fn take_columns(w: W, columns: *const Self, stride: usize, count: usize, out: *mut Self::Lanes);

    /// The reverse of [`Rows::take_columns`].
    ///
    /// # Safety
    /// The lanes may be read, the columns may be written.
    unsafe fn put_columns(w: W, lanes: *const Self::Lanes, count: usize, columns: *mut Self, stride: usize);

    /// Turns `count` values, whose first scalars are at `firsts[lane]` and whose other ones stand `stride` scalars apart, into
    /// lanes.
    ///
    /// # Safety
    /// The scalars may be read, `out` has room for `count` lanes.
    unsafe fn take_strided(w: W, firsts: &W::Each<*const Self>, stride: usize, count: usize, out: *mut Self::Lanes);
}

impl<W: Width, T: Lane> Rows<W> for T {
    #[inline(always)]
    unsafe fn take_rows(w: W, rows: &W::Each<*const T>, count: usize, out: *mut V<W, T>) {
        // SAFETY: passed on to the caller; a piece ends where the rows end.
        unsafe {
            for first in (0..count / 4 * 4).step_by(4) {
                take_four(w, rows, first, out);
            }
            match (count, count % 4) {
                (_, 0) => {}
                (_, 2) => take_two(w, rows, count - 2, out),
                (1, _) => out.write(V { w, held: take1::<W, T>(w, rows.as_ref()) }),
                (3, _) => {
                    take_two(w, rows, 0, out);
                    take_two(w, rows, 1, out);
                }
                // The last four overlap the four before.
                _ => take_four(w, rows, count - 4, out),
            }
        }
    }

    #[inline(always)]
    unsafe fn put_rows(w: W, lanes: *const V<W, T>, count: usize, rows: &W::Each<*mut T>) {
        // SAFETY: passed on to the caller; a piece ends where the rows end.
        let behind = |first: usize| w.each(|lane| unsafe { rows.as_ref()[lane].add(first) });
        // SAFETY: as above.
        let read = |c: usize| unsafe { (*lanes.add(c)).held };
        for first in (0..count / 4 * 4).step_by(4) {
            // SAFETY: as above.
            unsafe { T::In::put4(w, array(|c| read(first + c)), behind(first).as_ref()) };
        }
        if count % 4 >= 2 {
            let first = count / 4 * 4;
            // SAFETY: as above.
            unsafe { T::In::put2(w, [read(first), read(first + 1)], behind(first).as_ref()) };
        }
        if count % 2 == 1 {
            // SAFETY: as above.
            unsafe { put::<W, T, T::In<W>, 1>([read(count - 1)], behind(count - 1).as_ref()) };
        }
    }

    #[inline(always)]
    unsafe fn take_columns(w: W, columns: *const T, stride: usize, count: usize, out: *mut V<W, T>) {
        for c in 0..count {
            // SAFETY: passed on to the caller.
            unsafe { out.add(c).write(V::load(w, columns.add(c * stride))) };
        }
    }

    #[inline(always)]
    unsafe fn put_columns(_w: W, lanes: *const V<W, T>, count: usize, columns: *mut T, stride: usize) {
        for c in 0..count {
            // SAFETY: passed on to the caller.
            unsafe { (*lanes.add(c)).store(columns.add(c * stride)) };
        }
    }

    #[inline(always)]
    unsafe fn take_strided(w: W, firsts: &W::Each<*const T>, stride: usize, count: usize, out: *mut V<W, T>) {
        for c in 0..count {
            // SAFETY: passed on to the caller.
            unsafe {
                let column = w.each(|lane| firsts.as_ref()[lane].add(c * stride));
                out.add(c).write(V { w, held: take1::<W, T>(w, column.as_ref()) });
            }
        }
    }
}

/// Turns the scalars `first..first + 4` of the rows into lanes at the same indices of `out`.
///
/// # Safety
/// As for [`Rows::take_rows`].
#[inline(always)]
unsafe fn take_four<W: Width, T: Lane>(w: W, rows: &W::Each<*const T>, first: usize, out: *mut V<W, T>) {
    // SAFETY: passed on to the caller.
    unsafe {
        let vectors = T::In::take4(w, w.each(|lane| rows.as_ref()[lane].add(first)).as_ref());
        vectors.into_iter().enumerate().for_each(|(c, held)| out.add(first + c).write(V { w, held }));
    }
}

/// The same for the scalars `first..first + 2`.
///
/// # Safety
/// As for [`Rows::take_rows`].
#[inline(always)]
unsafe fn take_two<W: Width, T: Lane>(w: W, rows: &W::Each<*const T>, first: usize, out: *mut V<W, T>) {
    // SAFETY: passed on to the caller.
    unsafe {
        let vectors = T::In::take2(w, w.each(|lane| rows.as_ref()[lane].add(first)).as_ref());
        vectors.into_iter().enumerate().for_each(|(c, held)| out.add(first + c).write(V { w, held }));
    }
}

impl<W: Width> Rows<W> for bool {
    #[inline(always)]
    unsafe fn take_rows(w: W, rows: &W::Each<*const bool>, count: usize, out: *mut Mask<W>) {
        let rows = rows.as_ref();
        for c in 0..count {
            // SAFETY: passed on to the caller.
            let bit = |bits, lane: usize| bits | u64::from(unsafe { *rows[lane].add(c) }) << lane;
            // SAFETY: passed on to the caller.
            unsafe { out.add(c).write(Mask::from_bits(w, (0..W::LANES).fold(0, bit))) };
        }
    }

    #[inline(always)]
    unsafe fn put_rows(_w: W, lanes: *const Mask<W>, count: usize, rows: &W::Each<*mut bool>) {
        for c in 0..count {
            // SAFETY: passed on to the caller.
            let bits = unsafe { *lanes.add(c) }.to_bits();
            for (lane, row) in rows.as_ref().iter().enumerate() {
                // SAFETY: passed on to the caller.
                unsafe { row.add(c).write(bits >> lane & 1 == 1) };
            }
        }
    }

    #[inline(always)]
    unsafe fn take_columns(w: W, columns: *const bool, stride: usize, count: usize, out: *mut Mask<W>) {
        for c in 0..count {
            // SAFETY: passed on to the caller.
            let rows = w.each(|lane| unsafe { columns.add(c * stride + lane) });
            // SAFETY: passed on to the caller.
            unsafe { Self::take_rows(w, &rows, 1, out.add(c)) };
        }
    }

    #[inline(always)]
    unsafe fn put_columns(w: W, lanes: *const Mask<W>, count: usize, columns: *mut bool, stride: usize) {
        for c in 0..count {
            // SAFETY: passed on to the caller.
            let rows = w.each(|lane| unsafe { columns.add(c * stride + lane) });
            // SAFETY: passed on to the caller.
            unsafe { Self::put_rows(w, lanes.add(c), 1, &rows) };
        }
    }

    #[inline(always)]
    unsafe fn take_strided(w: W, firsts: &W::Each<*const bool>, stride: usize, count: usize, out: *mut Mask<W>) {
        for c in 0..count {
            // SAFETY: passed on to the caller.
            let column = w.each(|lane| unsafe { firsts.as_ref()[lane].add(c * stride) });
            // SAFETY: passed on to the caller.
            unsafe { Self::take_rows(w, &column, 1, out.add(c)) };
        }
    }
}

/// An array consists of consecutive parts, and so do its lanes.
impl<W: Width, T: Rows<W>, const N: usize> Rows<W> for [T; N] {
    #[inline(always)]
    unsafe fn take_rows(w: W, rows: &W::Each<*const Self>, count: usize, out: *mut Self::Lanes) {
        let rows = w.each(|lane| rows.as_ref()[lane].cast::<T>());
        // SAFETY: passed on to the caller.
        unsafe { T::take_rows(w, &rows, count * N, out.cast()) }
    }

    #[inline(always)]
    unsafe fn put_rows(w: W, lanes: *const Self::Lanes, count: usize, rows: &W::Each<*mut Self>) {
        let rows = w.each(|lane| rows.as_ref()[lane].cast::<T>());
        // SAFETY: passed on to the caller.
        unsafe { T::put_rows(w, lanes.cast(), count * N, &rows) }
    }

    #[inline(always)]
    unsafe fn take_columns(w: W, columns: *const Self, stride: usize, count: usize, out: *mut Self::Lanes) {
        // SAFETY: passed on to the caller.
        unsafe { T::take_columns(w, columns.cast(), stride, count * N, out.cast()) }
    }

    #[inline(always)]
    unsafe fn put_columns(w: W, lanes: *const Self::Lanes, count: usize, columns: *mut Self, stride: usize) {
        // SAFETY: passed on to the caller.
        unsafe { T::put_columns(w, lanes.cast(), count * N, columns.cast(), stride) }
    }

    #[inline(always)]
    unsafe fn take_strided(w: W, firsts: &W::Each<*const Self>, stride: usize, count: usize, out: *mut Self::Lanes) {
        let firsts = w.each(|lane| firsts.as_ref()[lane].cast::<T>());
        // SAFETY: passed on to the caller.
        unsafe { T::take_strided(w, &firsts, stride, count * N, out.cast()) }
    }
}

impl<T: Value, const SOA: bool> View<T, SOA> {
    /// Gathers the rows of the targets into lanes, in any layout.
    ///
    /// # Safety
    /// The targets are elements, and nothing writes to them meanwhile.
    #[inline(always)]
    pub unsafe fn gather<W: Width>(self, w: W, at: &impl Leads) -> <T as Spread<W>>::Lanes
    where
        T: Rows<W>,
    {
        let mut lanes = MaybeUninit::<<T as Spread<W>>::Lanes>::uninit();
        let out = lanes.as_mut_ptr();
        // SAFETY: passed on to the caller.
        unsafe {
            match at.row() {
                Some(first) if T::DIM == 1 => T::take_columns(w, self.row(first), 0, 1, out),
                Some(first) if SOA && self.is_soa() => {
                    T::take_columns(w, self.column(first).cast(), self.stride(), 1, out);
                }
                None if SOA && self.is_soa() && at.is_scattered() => match at.consecutive(w) {
                    Some(first) => T::take_columns(w, self.column(first).cast(), self.stride(), 1, out),
                    None => {
                        let firsts = w.each(|lane| self.column(at.element(lane)).cast_const().cast());
                        T::take_strided(w, &firsts, self.stride(), 1, out);
                    }
                },
                Some(first) if !SOA && self.is_aos() => {
                    let first = self.row(first).cast_const();
                    T::take_rows(w, &w.each(|lane| first.add(lane)), 1, out);
                }
                None if !SOA && self.is_aos() && at.is_scattered() => {
                    T::take_rows(w, &w.each(|lane| self.row(at.element(lane)).cast_const()), 1, out);
                }
                row => {
                    let mut elements = w.each(|_| 0);
                    at.list(elements.as_mut());
                    let mut columns = MaybeUninit::<W::Each<T>>::uninit();
                    self.fill(elements.as_ref(), row.is_some(), columns.as_mut_ptr().cast());
                    T::take_columns(w, columns.as_ptr().cast(), W::LANES, 1, out);
                }
            }
            lanes.assume_init()
        }
    }

    /// Gathers the rows of the targets that are there; the other lanes hold one of these, or zeros.
    ///
    /// # Safety
    /// As for [`View::gather`], for the targets that are there.
    #[inline(always)]
    pub unsafe fn gather_there<W: Width>(self, w: W, at: &impl Leads) -> <T as Spread<W>>::Lanes
    where
        T: Rows<W>,
    {
        let there = at.there(w);
        if there.all() {
            // SAFETY: passed on to the caller.
            return unsafe { self.gather(w, at) };
        }
        let Some(one) = (0..W::LANES).find_map(|lane| at.at(lane).element()) else { return self.blank(w) };
        let elements = w.each(|lane| at.at(lane).element().unwrap_or(one));
        // SAFETY: all of these are there.
        unsafe { self.gather(w, &Listed::<W>(elements)) }
    }

    /// Lanes for an argument that the kernel writes before it reads it.
    #[inline(always)]
    pub fn blank<W: Width>(self, w: W) -> <T as Spread<W>>::Lanes
    where
        T: Rows<W>,
    {
        T::splat(T::Elem::default()).spread(w)
    }

    /// Lanes as rows, for code that goes element by element: row `l` belongs to lane `l`.
    #[inline(always)]
    pub fn rows<W: Width>(self, w: W, lanes: &<T as Spread<W>>::Lanes) -> W::Each<T>
    where
        T: Rows<W>,
    {
        let mut rows = MaybeUninit::<W::Each<T>>::uninit();
        let first = rows.as_mut_ptr().cast::<T>();
        // SAFETY: an array of rows is the rows one after the other, and all are written.
        unsafe {
            if T::DIM == 1 {
                T::put_columns(w, lanes, 1, first, 0);
            } else {
                T::put_rows(w, lanes, 1, &w.each(|lane| first.add(lane)));
            }
            rows.assume_init()
        }
    }

    /// The same for packs that are not full and for loops with redirected contributions, which are rare. It copies the
    /// lanes, so that those of full packs can stay in registers.
    #[inline(always)]
    pub fn rows_in_memory<W: Width>(self, w: W, lanes: &<T as Spread<W>>::Lanes) -> W::Each<T>
    where
        T: Rows<W>,
    {
        let copy = *lanes;
        self.rows_of_memory(w, &copy)
    }

    /// Cold, for the reason in `pack::cold`, and not inlined, so that one copy serves all dats of a type.
    #[cold]
    #[inline(never)]
    fn rows_of_memory<W: Width>(self, w: W, lanes: &<T as Spread<W>>::Lanes) -> W::Each<T>
    where
        T: Rows<W>,
    {
        let mut columns = MaybeUninit::<W::Each<T>>::uninit();
        let columns = columns.as_mut_ptr().cast::<T>();
        // SAFETY: there is room for as many values as there are lanes, and all their components are written.
        let component = unsafe {
            T::put_columns(w, lanes, 1, columns, W::LANES);
            |lane: usize, c: usize| *columns.cast::<T::Elem>().add(c * W::LANES + lane)
        };
        w.each(|lane| {
            let mut row = T::splat(T::Elem::default());
            // SAFETY: lanes hold numbers, and any numbers are a row.
            let components = unsafe { row.components_mut() };
            components.iter_mut().enumerate().for_each(|(c, slot)| *slot = component(lane, c));
            row
        })
    }

    /// [`View::scatter`], but with non-temporal stores if `streams` is set and the rows are consecutive.
    ///
    /// # Safety
    /// As for [`View::scatter`].
    #[inline(always)]
    pub unsafe fn write<W: Width>(
        self,
        w: W,
        at: &impl Leads,
        len: usize,
        lanes: &<T as Spread<W>>::Lanes,
        streams: bool,
    ) where
        T: Rows<W>,
    {
        // SAFETY: passed on to the caller; consecutive elements have as many consecutive rows as there are lanes.
        unsafe {
            match at.row() {
                Some(first)
                    if !SOA && streams && self.is_aos() && stream::fits(w, self.row(first).cast::<W::Each<T>>()) =>
                {
                    stream::write(w, &self.rows(w, lanes), self.row(first).cast());
                }
                _ => self.scatter(w, at, len, lanes),
            }
        }
    }

    /// Scatters the first `len` lanes to the rows of their targets, in any layout.
    ///
    /// # Safety
    /// The targets are elements, and nothing else accesses them meanwhile.
    #[inline(always)]
    pub unsafe fn scatter<W: Width>(self, w: W, at: &impl Leads, len: usize, lanes: &<T as Spread<W>>::Lanes)
    where
        T: Rows<W>,
    {
        // SAFETY: passed on to the caller.
        unsafe {
            match at.row() {
                Some(first) if T::DIM == 1 => T::put_columns(w, lanes, 1, self.row(first), 0),
                Some(first) if SOA && self.is_soa() => {
                    T::put_columns(w, lanes, 1, self.column(first).cast(), self.stride());
                }
                Some(first) if !SOA && self.is_aos() => {
                    let first = self.row(first);
                    T::put_rows(w, lanes, 1, &w.each(|lane| first.add(lane)));
                }
                row => {
                    let mut elements = w.each(|_| 0);
                    at.list(elements.as_mut());
                    let mut columns = MaybeUninit::<W::Each<T>>::uninit();
                    T::put_columns(w, lanes, 1, columns.as_mut_ptr().cast(), W::LANES);
                    self.spill(&elements.as_ref()[..len], W::LANES, row.is_some(), columns.as_ptr().cast());
                }
            }
        }
    }
}
