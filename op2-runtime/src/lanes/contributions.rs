//! Adds the contributions of full packs to the rows of an AoS dat, or the columns of an SoA dat, without storing them as rows first.
//!
//! A target has to get its contributions in the order of the elements and of the arguments, but its components are
//! independent. So a few components of all lanes and arguments at a time become pieces of rows, and these are added
//! from registers.

use super::arrays::array;
use super::held::Lane;
use super::held::Width;
use super::pack::Leads;
use super::rows::Rows;
use super::spread::Spread;
use super::vector::V;
use super::width::Four;
use crate::data::value::{Elem, Value};
use crate::data::view::View;
use op2_core::Combine;
use std::mem::MaybeUninit;

/// Components of a value: `count` of them from `first` on.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    first: usize,
    count: usize,
}

impl Piece {
    /// Components of a full piece. The dimension of most rows is a multiple of it.
    const WHOLE: usize = 4;
}

/// Whether the contributions of a pack are sums over consecutive rows, which may be added for all lanes at once.
///
/// A row gets contributions in the order of lanes, and within a lane of arguments. Of two arguments that reach it, the one that starts
/// at the greater row reaches it by the earlier lane. So no bit changes if arguments are added with the greatest first row first.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Consecutive {
    /// No argument starts at a greater row than the one before it.
    falling: bool,
    /// Each argument starts at a greater row than the one before it.
    rising: bool,
}

/// The contributions of a loop's arguments to one dat, in their order: a list `(a, (b, ()))` of [`Ends`].
pub trait Contributions<W: Width, T: Value<Elem: Lane>> {
    /// A piece of the contributions of each lane and argument.
    #[doc(hidden)]
    type Pieces: Copy;
    /// Addresses of the targets' first components.
    #[doc(hidden)]
    type Targets: Copy;

    /// One component of the contributions of each lane and argument.
    #[doc(hidden)]
    type Columns: Copy;

    /// # Safety
    /// The targets of all lanes are elements, the layout is the one that the view is compiled for.
    #[doc(hidden)]
    unsafe fn targets<const SOA: bool>(&self, w: W, view: View<T, SOA>) -> Self::Targets;

    #[doc(hidden)]
    fn column(&self, w: W, component: usize) -> Self::Columns;

    /// Adds the component of one lane to the scalars `offset` behind the first components of its targets.
    ///
    /// # Safety
    /// As for [`View::combine`], for the targets of the lane.
    #[doc(hidden)]
    unsafe fn add_column(&self, targets: &Self::Targets, lane: usize, offset: usize, columns: &Self::Columns);

    /// Whether the targets of every argument are consecutive, behind an argument whose first target is `before`.
    #[doc(hidden)]
    fn consecutive(&self, w: W, before: Option<usize>) -> Consecutive;

    /// Adds the component of all lanes at once, argument by argument, or by the last argument first if `rising`.
    ///
    /// # Safety
    /// As for [`View::combine_pack`], and the targets of every argument are consecutive.
    #[doc(hidden)]
    unsafe fn add_at_once<const SOA: bool>(&self, w: W, view: View<T, SOA>, component: usize, rising: bool);

    #[doc(hidden)]
    fn pieces(&self, w: W, piece: Piece) -> Self::Pieces;

    /// Adds the pieces of one lane to the rows of its targets.
    ///
    /// # Safety
    /// As for [`View::combine_at`], for the targets of the lane.
    #[doc(hidden)]
    unsafe fn add(&self, w: W, targets: &Self::Targets, lane: usize, piece: Piece, pieces: &Self::Pieces);
}

/// The contributions of one argument: lanes for each map entry that it uses.
#[derive(Debug)]
pub struct Ends<'a, L, C, const N: usize> {
    how: Combine,
    at: &'a [L; N],
    lanes: &'a [C; N],
    turned: [bool; N],
}

impl<'a, L, C, const N: usize> Ends<'a, L, C, N> {
    /// Contributions `lanes` to the targets `at`.
    #[inline(always)]
    pub fn new(how: Combine, at: &'a [L; N], lanes: &'a [C; N]) -> Self {
        Ends { how, at, lanes, turned: [false; N] }
    }

    /// Marks lanes whose sign was turned, so that they are subtracted; for [`Combine::Inc`] alone. No bit of the result
    /// changes. It saves work where another argument adds the opposite: both then share the same rows.
    #[inline(always)]
    pub fn turned(self, turned: [bool; N]) -> Self {
        Ends { turned, ..self }
    }
}

impl<L: Leads, C, const N: usize> Ends<'_, L, C, N> {
    /// The addresses of the targets of each lane.
    #[inline(always)]
    fn addresses<W: Width, E>(&self, w: W, of: impl Fn(usize) -> *mut E) -> [W::Each<*mut E>; N] {
        let mut targets = [const { MaybeUninit::<W::Each<*mut E>>::uninit() }; N];
        // A loop and not `array`, whose closure is too large to be inlined.
        for (at, out) in self.at.iter().zip(&mut targets) {
            out.write(w.each(|lane| of(at.element(lane))));
        }
        // SAFETY: all are written, and an array of them is laid out as one of `MaybeUninit`.
        unsafe { std::mem::transmute_copy(&targets) }
    }
}

impl<W: Width, T: Value<Elem: Lane>> Contributions<W, T> for () {
    type Pieces = ();
    type Targets = ();
    type Columns = ();

    #[inline(always)]
    unsafe fn targets<const SOA: bool>(&self, _w: W, _view: View<T, SOA>) {}

    #[inline(always)]
    fn column(&self, _w: W, _component: usize) {}

    #[inline(always)]
    unsafe fn add_column(&self, (): &(), _lane: usize, _offset: usize, (): &()) {}

    #[inline(always)]
    fn consecutive(&self, _w: W, _before: Option<usize>) -> Consecutive {
        Consecutive { falling: true, rising: true }
    }

    #[inline(always)]
    unsafe fn add_at_once<const SOA: bool>(&self, _w: W, _view: View<T, SOA>, _component: usize, _rising: bool) {}

    #[inline(always)]
    fn pieces(&self, _w: W, _piece: Piece) {}

    #[inline(always)]
    unsafe fn add(&self, _w: W, (): &(), _lane: usize, _piece: Piece, (): &()) {}
}

impl<W, T, L, const N: usize, R> Contributions<W, T> for (Ends<'_, L, <T as Spread<W>>::Lanes, N>, R)
where
    W: Width,
    T: Rows<W> + Value<Elem: Lane>,
    L: Leads,
    R: Contributions<W, T>,
{
    type Pieces = ([W::Each<[T::Elem; Piece::WHOLE]>; N], R::Pieces);
    type Targets = ([W::Each<*mut T::Elem>; N], R::Targets);
    type Columns = ([W::Each<T::Elem>; N], R::Columns);

    #[inline(always)]
    unsafe fn targets<const SOA: bool>(&self, w: W, view: View<T, SOA>) -> Self::Targets {
        let (ends, rest) = self;
        // SAFETY: passed on to the caller.
        let targets = ends.addresses(w, |e| unsafe { if SOA { view.column(e) } else { view.row(e).cast() } });
        // SAFETY: passed on to the caller.
        (targets, unsafe { rest.targets(w, view) })
    }

    #[inline(always)]
    fn column(&self, w: W, component: usize) -> Self::Columns {
        let (ends, rest) = self;
        let mut columns = [w.each(|_| T::Elem::default()); N];
        for (n, out) in columns.iter_mut().enumerate() {
            let lanes = (&raw const ends.lanes[n]).cast::<V<W, T::Elem>>();
            // SAFETY: the lanes of a value are consecutive lanes of its components, and there is room for each lane.
            unsafe { (*lanes.add(component)).store(out.as_mut().as_mut_ptr()) };
        }
        (columns, rest.column(w, component))
    }

    #[inline(always)]
    unsafe fn add_column(
        &self,
        (to, to_others): &Self::Targets,
        lane: usize,
        offset: usize,
        (columns, others): &Self::Columns,
    ) {
        let (ends, rest) = self;
        for (to, column) in std::iter::zip(to, columns) {
            // SAFETY: passed on to the caller.
            unsafe { T::Elem::combine_into(ends.how, to.as_ref()[lane].add(offset), column.as_ref()[lane]) };
        }
        // SAFETY: passed on to the caller.
        unsafe { rest.add_column(to_others, lane, offset, others) }
    }

    #[inline(always)]
    fn consecutive(&self, w: W, mut before: Option<usize>) -> Consecutive {
        let (ends, rest) = self;
        let is_sum = ends.how == Combine::Inc;
        let mut own = Consecutive { falling: is_sum, rising: is_sum };
        for at in ends.at {
            let first = at.consecutive(w);
            own.falling &= first.is_some() && before.is_none_or(|before| first <= Some(before));
            own.rising &= first.is_some() && before.is_none_or(|before| first > Some(before));
            before = first.or(before);
        }
        let others = rest.consecutive(w, before);
        Consecutive { falling: own.falling & others.falling, rising: own.rising & others.rising }
    }

    #[inline(always)]
    unsafe fn add_at_once<const SOA: bool>(&self, w: W, view: View<T, SOA>, component: usize, rising: bool) {
        let (ends, rest) = self;
        let add = |n: usize| {
            let lanes = (&raw const ends.lanes[n]).cast::<V<W, T::Elem>>();
            // SAFETY: passed on to the caller; the lanes of a value are consecutive lanes of its components.
            unsafe {
                let to = view.column(ends.at[n].element(0)).add(component * view.stride());
                V::load(w, to).plus(*lanes.add(component)).store(to);
            }
        };
        if rising {
            // SAFETY: passed on to the caller.
            unsafe { rest.add_at_once(w, view, component, rising) };
            (0..N).rev().for_each(add);
        } else {
            (0..N).for_each(add);
            // SAFETY: passed on to the caller.
            unsafe { rest.add_at_once(w, view, component, rising) };
        }
    }

    #[inline(always)]
    fn pieces(&self, w: W, piece: Piece) -> Self::Pieces {
        let (ends, rest) = self;
        let mut pieces = [const { MaybeUninit::uninit() }; N];
        // A loop for the same reason as above.
        for (n, out) in pieces.iter_mut().enumerate() {
            let lanes = (&raw const ends.lanes[n]).cast::<V<W, T::Elem>>();
            // SAFETY: the lanes of a value are consecutive lanes of its components, and the piece is a part of them.
            out.write(unsafe { piece_of_rows::<W, T::Elem>(w, lanes.add(piece.first), piece.count, ends.turned[n]) });
        }
        // SAFETY: all are written, and an array of them is laid out as one of `MaybeUninit`.
        (unsafe { std::mem::transmute_copy(&pieces) }, rest.pieces(w, piece))
    }

    #[inline(always)]
    unsafe fn add(
        &self,
        w: W,
        (to, to_others): &Self::Targets,
        lane: usize,
        piece: Piece,
        (pieces, others): &Self::Pieces,
    ) {
        let (ends, rest) = self;
        for (n, (to, rows)) in std::iter::zip(to, pieces).enumerate() {
            let rows = &rows.as_ref()[lane];
            // SAFETY: passed on to the caller; the piece is a part of the row.
            unsafe {
                let to = to.as_ref()[lane].add(piece.first);
                add_to(w, ends.how, ends.turned[n], to, rows, piece.count);
            }
        }
        // SAFETY: passed on to the caller.
        unsafe { rest.add(w, to_others, lane, piece, others) }
    }
}

/// Turns `count` consecutive lanes into a piece of a row for each lane, with the opposite sign if `turned`.
///
/// # Safety
/// The lanes may be read; `count` is at most [`Piece::WHOLE`].
#[inline(always)]
unsafe fn piece_of_rows<W: Width, E: Lane>(
    w: W,
    lanes: *const V<W, E>,
    count: usize,
    turned: bool,
) -> W::Each<[E; Piece::WHOLE]> {
    let zero = V::splat(w, E::default());
    // SAFETY: passed on to the caller.
    let lane = |c: usize| if c < count { unsafe { *lanes.add(c) } } else { zero };
    let lanes: [V<W, E>; Piece::WHOLE] = array(|c| if turned { lane(c).negated() } else { lane(c) });
    let mut rows = MaybeUninit::<W::Each<[E; Piece::WHOLE]>>::uninit();
    let first = rows.as_mut_ptr().cast::<[E; Piece::WHOLE]>();
    // SAFETY: passed on to the caller; what is not written is written below or never read.
    unsafe {
        if count < Piece::WHOLE {
            (0..W::LANES).for_each(|lane| first.add(lane).write([E::default(); Piece::WHOLE]));
        }
        E::put_rows(w, lanes.as_ptr(), count, &w.each(|lane| first.add(lane).cast()));
        rows.assume_init()
    }
}

/// Combines the first `count` components of a piece with those at `to`; subtracts them if `turned`.
///
/// # Safety
/// `count` components may be read and written at `to`.
#[inline(always)]
unsafe fn add_to<W: Width, E: Elem + Lane>(
    w: W,
    how: Combine,
    turned: bool,
    to: *mut E,
    piece: &[E; Piece::WHOLE],
    count: usize,
) {
    // SAFETY: passed on to the caller.
    unsafe {
        if count == Piece::WHOLE && how == Combine::Inc {
            let four = Four(w.token());
            let (old, part) = (V::load(four, to), V::load(four, piece.as_ptr()));
            return if turned { old.minus(part) } else { old.plus(part) }.store(to);
        }
        for (c, part) in piece[..count].iter().enumerate() {
            let to = to.add(c);
            if turned {
                *to = E::minus(*to, *part);
            } else {
                E::combine_into(how, to, *part);
            }
        }
    }
}

impl<T: Value<Elem: Lane>, const SOA: bool> View<T, SOA> {
    /// Combines the contributions of a full pack with the rows of their targets, lane by lane and within a lane
    /// argument by argument, with the result of [`View::combine_at`].
    ///
    /// # Safety
    /// As for [`View::combine_at`], for the targets of all lanes.
    #[inline(always)]
    pub unsafe fn combine_pack<W: Width>(self, w: W, all: impl Contributions<W, T>) {
        if SOA {
            // SAFETY: passed on to the caller.
            return unsafe { self.combine_columns(w, all) };
        }
        let whole = T::DIM / Piece::WHOLE * Piece::WHOLE;
        // SAFETY: passed on to the caller.
        unsafe {
            let targets = all.targets(w, self);
            for first in (0..whole).step_by(Piece::WHOLE) {
                combine_piece(w, &all, &targets, Piece { first, count: Piece::WHOLE });
            }
            if whole < T::DIM {
                combine_piece(w, &all, &targets, Piece { first: whole, count: T::DIM - whole });
            }
        }
    }

    /// The same for SoA: component by component, within a component lane by lane, and within a lane argument by argument; or all lanes
    /// at once, where that leaves the bits.
    ///
    /// # Safety
    /// As for [`View::combine_pack`].
    #[inline(always)]
    unsafe fn combine_columns<W: Width>(self, w: W, all: impl Contributions<W, T>) {
        let Consecutive { falling, rising } = all.consecutive(w, None);
        if falling || rising {
            // SAFETY: passed on to the caller, and the targets are consecutive.
            return (0..T::DIM).for_each(|component| unsafe { all.add_at_once(w, self, component, rising) });
        }
        // SAFETY: passed on to the caller.
        let targets = unsafe { all.targets(w, self) };
        for component in 0..T::DIM {
            let columns = all.column(w, component);
            for lane in 0..W::LANES {
                // SAFETY: passed on to the caller.
                unsafe { all.add_column(&targets, lane, component * self.stride(), &columns) };
            }
        }
    }
}

/// Whether these addresses belong to different dats; 0 stands for no dat.
#[inline]
pub fn all_differ<const N: usize>(addresses: [usize; N]) -> bool {
    (1..N).all(|n| addresses[n] == 0 || !addresses[..n].contains(&addresses[n]))
}

/// # Safety
/// As for [`View::combine_pack`].
#[inline(always)]
unsafe fn combine_piece<W, T, C>(w: W, all: &C, targets: &C::Targets, piece: Piece)
where
    W: Width,
    T: Value<Elem: Lane>,
    C: Contributions<W, T>,
{
    let pieces = all.pieces(w, piece);
    for lane in 0..W::LANES {
        // SAFETY: passed on to the caller.
        unsafe { all.add(w, targets, lane, piece, &pieces) };
    }
}
