//! Conversion of one value to lanes, and back.

use super::arrays::array;
use super::held::Hold;
use super::held::Lane;
use super::held::Width;
use super::mask::Mask;
use super::vector::{V, select};

/// A value of the kernel language, with the type of its lanes: [`V`] for scalars, [`Mask`] for `bool`; arrays and
/// tuples have lanes for each part.
pub trait Spread<W: Width>: Copy {
    /// The type of its lanes.
    type Lanes: Lanes<W, One = Self>;

    /// The same value on all lanes.
    fn spread(self, w: W) -> Self::Lanes;

    /// A value that nobody reads, for results that no lane asked for: zeros.
    fn off() -> Self;
}

/// The lanes of a value.
pub type LanesOf<W, T> = <T as Spread<W>>::Lanes;

/// One value for each lane.
pub trait Lanes<W: Width>: Copy {
    /// The value of a lane.
    type One: Copy;
    /// The value of one lane.
    fn lane(&self, lane: usize) -> Self::One;
    /// Changes the value of one lane.
    fn set_lane(&mut self, lane: usize, one: Self::One);
    /// The lanes of `mask` from `yes`, the others from `no`.
    fn select(mask: Mask<W>, yes: Self, no: Self) -> Self;
    /// Zeros, the value of lanes that are off.
    fn off(w: W) -> Self;
}

/// Computes lane by lane where no vector instruction exists: lane `l` is `f(l)`.
#[inline(always)]
pub fn each<W: Width, T: Spread<W>>(w: W, mut f: impl FnMut(usize) -> T) -> T::Lanes {
    let mut lanes = f(0).spread(w);
    for lane in 1..W::LANES {
        lanes.set_lane(lane, f(lane));
    }
    lanes
}

/// Computes lane by lane on the lanes of `mask` alone; `f` is not called for others, where it may panic.
#[inline(always)]
pub fn each_of<W: Width, T: Spread<W>>(w: W, mask: Mask<W>, mut f: impl FnMut(usize) -> T) -> T::Lanes {
    let mut lanes = T::Lanes::off(w);
    for lane in 0..W::LANES {
        if mask.lane(lane) {
            lanes.set_lane(lane, f(lane));
        }
    }
    lanes
}

impl<W: Width, T: Lane> Spread<W> for T {
    type Lanes = V<W, T>;
    #[inline(always)]
    fn spread(self, w: W) -> V<W, T> {
        V::splat(w, self)
    }
    #[inline(always)]
    fn off() -> T {
        T::default()
    }
}

impl<W: Width, T: Lane> Lanes<W> for V<W, T> {
    type One = T;
    #[inline(always)]
    fn lane(&self, lane: usize) -> T {
        self.held.lane(lane)
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, one: T) {
        self.held.set_lane(lane, one);
    }
    #[inline(always)]
    fn select(mask: Mask<W>, yes: Self, no: Self) -> Self {
        select(mask, yes, no)
    }
    #[inline(always)]
    fn off(w: W) -> Self {
        V::splat(w, T::default())
    }
}

impl<W: Width> Spread<W> for bool {
    type Lanes = Mask<W>;
    #[inline(always)]
    fn spread(self, w: W) -> Mask<W> {
        if self { Mask::all_of(w) } else { Mask::none(w) }
    }
    #[inline(always)]
    fn off() -> bool {
        false
    }
}

impl<W: Width> Lanes<W> for Mask<W> {
    type One = bool;
    #[inline(always)]
    fn lane(&self, lane: usize) -> bool {
        Mask::lane(*self, lane)
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, one: bool) {
        *self = Mask::from_bits(self.w, self.to_bits() & !(1 << lane) | u64::from(one) << lane);
    }
    #[inline(always)]
    fn select(mask: Mask<W>, yes: Self, no: Self) -> Self {
        mask & yes | !mask & no
    }
    #[inline(always)]
    fn off(w: W) -> Self {
        Mask::none(w)
    }
}

impl<W: Width, T: Spread<W>, const N: usize> Spread<W> for [T; N] {
    type Lanes = [T::Lanes; N];
    #[inline(always)]
    fn spread(self, w: W) -> Self::Lanes {
        array(|i| self[i].spread(w))
    }
    #[inline(always)]
    fn off() -> Self {
        [T::off(); N]
    }
}

impl<W: Width, L: Lanes<W>, const N: usize> Lanes<W> for [L; N] {
    type One = [L::One; N];
    #[inline(always)]
    fn lane(&self, lane: usize) -> Self::One {
        array(|i| self[i].lane(lane))
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, one: Self::One) {
        for (part, one) in self.iter_mut().zip(one) {
            part.set_lane(lane, one);
        }
    }
    #[inline(always)]
    fn select(mask: Mask<W>, yes: Self, no: Self) -> Self {
        array(|i| L::select(mask, yes[i], no[i]))
    }
    #[inline(always)]
    fn off(w: W) -> Self {
        [L::off(w); N]
    }
}

macro_rules! tuples {
    ($($part:ident $index:tt)*) => {
        impl<W: Width, $($part: Spread<W>),*> Spread<W> for ($($part,)*) {
            type Lanes = ($($part::Lanes,)*);
            #[inline(always)]
            fn spread(self, _w: W) -> Self::Lanes {
                ($(self.$index.spread(_w),)*)
            }
            #[inline(always)]
            fn off() -> Self {
                ($($part::off(),)*)
            }
        }

        impl<W: Width, $($part: Lanes<W>),*> Lanes<W> for ($($part,)*) {
            type One = ($($part::One,)*);
            #[inline(always)]
            fn lane(&self, _lane: usize) -> Self::One {
                ($(self.$index.lane(_lane),)*)
            }
            #[inline(always)]
            fn set_lane(&mut self, _lane: usize, _one: Self::One) {
                $(self.$index.set_lane(_lane, _one.$index);)*
            }
            #[inline(always)]
            fn select(_mask: Mask<W>, _yes: Self, _no: Self) -> Self {
                ($($part::select(_mask, _yes.$index, _no.$index),)*)
            }
            #[inline(always)]
            fn off(_w: W) -> Self {
                ($($part::off(_w),)*)
            }
        }
    };
}

impl<W: Width> Spread<W> for () {
    type Lanes = ();
    #[inline(always)]
    fn spread(self, _w: W) {}
    #[inline(always)]
    fn off() {}
}

impl<W: Width> Lanes<W> for () {
    type One = ();
    #[inline(always)]
    fn lane(&self, _lane: usize) {}
    #[inline(always)]
    fn set_lane(&mut self, _lane: usize, _one: ()) {}
    #[inline(always)]
    fn select(_mask: Mask<W>, _yes: (), _no: ()) {}
    #[inline(always)]
    fn off(_w: W) {}
}

tuples!(A 0);
tuples!(A 0 B 1);
tuples!(A 0 B 1 C 2);
tuples!(A 0 B 1 C 2 D 3);
tuples!(A 0 B 1 C 2 D 3 E 4);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6);
tuples!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
