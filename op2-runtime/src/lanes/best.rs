//! Arg reductions with one candidate per lane.

use super::held::Lane;
use super::held::Width;
use super::mask::Mask;
use super::spread::{Lanes, Spread};
use super::vector::V;
use crate::data::reduce::{ArgMax, ArgMin, Payload};
use crate::data::value::Elem;

/// [`ArgMin`] or [`ArgMax`], the scalar form of [`Best`].
pub trait Arg: Copy {
    /// The value that is compared.
    type Value: Lane;
    /// The value that is returned with it.
    type Payload: Payload;
    /// The reduction with this candidate, or without one.
    fn of(best: Option<(Self::Value, Self::Payload)>) -> Self;
    /// The candidate that is held, if any.
    fn held(self) -> Option<(Self::Value, Self::Payload)>;
    /// The lanes on which `candidate` is better than `held`.
    #[doc(hidden)]
    fn better<W: Width>(candidate: V<W, Self::Value>, held: V<W, Self::Value>) -> Mask<W>;
    /// The lanes on which `candidate` is better than `held` or equal to it.
    #[doc(hidden)]
    fn as_good<W: Width>(candidate: V<W, Self::Value>, held: V<W, Self::Value>) -> Mask<W>;
}

macro_rules! args {
    ($($name:ident $better:ident $as_good:ident;)*) => {$(
        impl<T: Lane + Elem, P: Payload> Arg for $name<T, P> {
            type Value = T;
            type Payload = P;
            #[inline(always)]
            fn of(best: Option<(T, P)>) -> Self {
                let mut arg = $name::none();
                if let Some((value, payload)) = best {
                    arg.update(value, payload);
                }
                arg
            }
            #[inline(always)]
            fn better<W: Width>(candidate: V<W, T>, held: V<W, T>) -> Mask<W> {
                candidate.$better(held)
            }
            #[inline(always)]
            fn as_good<W: Width>(candidate: V<W, T>, held: V<W, T>) -> Mask<W> {
                candidate.$as_good(held)
            }
            #[inline(always)]
            fn held(self) -> Option<(T, P)> {
                self.best()
            }
        }

        impl<W: Width, T: Lane + Elem, P: Payload + Spread<W>> Spread<W> for $name<T, P> {
            type Lanes = Best<W, $name<T, P>>;
            #[inline(always)]
            fn spread(self, w: W) -> Self::Lanes {
                let held = self.best().map(|(value, payload)| (value.spread(w), payload.spread(w)));
                Best { has: held.is_some().spread(w), held }
            }

            #[inline(always)]
            fn off() -> Self {
                $name::none()
            }
        }
    )*};
}
args! {
    ArgMin lt le;
    ArgMax gt ge;
}

/// Values and their payloads.
type Candidates<W, A> = (V<W, <A as Arg>::Value>, <<A as Arg>::Payload as Spread<W>>::Lanes);

/// An [`ArgMin`] or [`ArgMax`] for each lane. The reductions of all lanes are combined at the end.
#[derive(Clone, Copy)]
pub struct Best<W: Width, A: Arg<Payload: Spread<W>>> {
    has: Mask<W>,
    /// The candidates of the lanes in `has`. `None` before the first candidates, since no payload could stand there.
    held: Option<Candidates<W, A>>,
}

impl<W: Width, A: Arg<Payload: Spread<W>>> Best<W, A> {
    /// No candidates yet.
    #[inline(always)]
    pub fn start(w: W) -> Self {
        Best { has: Mask::none(w), held: None }
    }

    /// Takes a candidate on each lane, or on those of `mask`, by the rules of `update` of [`ArgMin`] and [`ArgMax`]: a
    /// NaN is never taken, and of equal values the one with the smaller payload stays.
    #[inline(always)]
    pub fn update(&mut self, mask: Option<Mask<W>>, value: V<W, A::Value>, payload: <A::Payload as Spread<W>>::Lanes) {
        let Some((best, held)) = self.held else {
            let fit = value.equals(value);
            *self = Best { has: mask.map_or(fit, |mask| fit & mask), held: Some((value, payload)) };
            return;
        };
        // Most candidates fail this one comparison: after a good candidate, others as good are rare.
        let close = !self.has | A::as_good(value, best);
        let close = mask.map_or(close, |mask| close & mask);
        if !close.any() {
            return;
        }
        let fit = close & value.equals(value);
        let mut taken = fit & (!self.has | A::better(value, best));
        let ties = fit & self.has & value.equals(best);
        if ties.any() {
            for lane in 0..W::LANES {
                if ties.lane(lane) && payload.lane(lane) < held.lane(lane) {
                    taken.set_lane(lane, true);
                }
            }
        }
        self.has = self.has | taken;
        self.held = Some((Lanes::select(taken, value, best), Lanes::select(taken, payload, held)));
    }

    /// The reduction of one lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> A {
        let held = self.held.filter(|_| self.has.lane(lane));
        A::of(held.map(|(value, payload)| (value.lane(lane), payload.lane(lane))))
    }
}

impl<W: Width, A: Arg<Payload: Spread<W>>> Lanes<W> for Best<W, A> {
    type One = A;

    #[inline(always)]
    fn lane(&self, lane: usize) -> A {
        Best::lane(self, lane)
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, one: A) {
        let only = Mask::first(self.has.w, lane + 1) & !Mask::first(self.has.w, lane);
        let Some((value, payload)) = one.held() else {
            self.has = self.has & !only;
            return;
        };
        let (mut values, mut payloads) = self.held.unwrap_or((value.spread(self.has.w), payload.spread(self.has.w)));
        values.set_lane(lane, value);
        payloads.set_lane(lane, payload);
        *self = Best { has: self.has | only, held: Some((values, payloads)) };
    }

    #[inline(always)]
    fn select(mask: Mask<W>, yes: Self, no: Self) -> Self {
        let held = match (yes.held, no.held) {
            (Some(yes), Some(no)) => Some(Lanes::select(mask, yes, no)),
            (yes, no) => yes.or(no),
        };
        Best { has: mask & yes.has | !mask & no.has, held }
    }

    #[inline(always)]
    fn off(w: W) -> Self {
        Best::start(w)
    }
}
