//! Reductions into globals: the types that each reduction accepts, and the arg reductions.

use crate::data::value::{Elem, ElemType, Value};
use crate::data::ways::{ByMax, ByMin, CombinedBy, Way};
use std::any::Any;

/// A type that `gbl_inc`, `gbl_min`, `gbl_max` or `gbl_or` (the access `A`) can reduce into.
///
/// Numbers and arrays of numbers take the first three, flags, integers and arrays of them `gbl_or`; [`ArgMin`] goes with
/// `gbl_min`, [`ArgMax`] with `gbl_max`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of this reduction",
    label = "expected numbers, arrays of numbers, flags with `gbl_or`, or `ArgMin`/`ArgMax` with `gbl_min`/`gbl_max`",
    note = "`gbl_min` takes `ArgMin<V, P>` and `gbl_max` takes `ArgMax<V, P>`; `gbl_or` takes `bool` and integers"
)]
pub trait Reduce<A>: Copy + Send + Sync + 'static {
    /// The value that changes nothing.
    fn start() -> Self;
    /// Takes the partial result of a block; blocks come in a fixed order.
    fn absorb(&mut self, part: &Self);
    /// The scalar that it consists of; for an arg reduction, the one that is compared.
    const ELEM: ElemType;
    /// Slots of 8 bytes in which a device leaves a result: one for each scalar in it.
    const SLOTS: usize;
    /// The result that stands in that many slots.
    fn from_slots(slots: &[u64]) -> Self;
}

/// Adds a result in slots to the value of a global.
pub(crate) type Absorb = fn(&mut dyn Any, &[u64]);

#[diagnostic::do_not_recommend]
impl<By: Way, V: Value<Elem: CombinedBy<By>>> Reduce<By> for V {
    #[inline(always)]
    fn start() -> V {
        V::splat(V::Elem::neutral(By::HOW))
    }
    #[inline(always)]
    fn absorb(&mut self, part: &V) {
        // SAFETY: any numbers are a value, since the macros refuse reductions of enums.
        for (old, new) in unsafe { self.components_mut() }.iter_mut().zip(part.components()) {
            *old = V::Elem::combined(By::HOW, *old, *new);
        }
    }
    const ELEM: ElemType = V::Elem::TYPE;
    const SLOTS: usize = V::DIM;
    fn from_slots(slots: &[u64]) -> V {
        let mut value = V::splat(V::Elem::default());
        // SAFETY: as in `absorb`.
        for (part, &slot) in unsafe { value.components_mut() }.iter_mut().zip(slots) {
            *part = V::Elem::from_slot(slot);
        }
        value
    }
}

macro_rules! arg_reduction {
    ($name:ident, $by:ident, $word:literal, $better:tt, $example:literal) => {
        #[doc = concat!("The ", $word, " of a value over the elements of a loop, and the payload that came with it.")]
        ///
        /// A kernel takes it by `&mut` and calls `update`. Of equal values the one with the smaller
        /// payload stays, so that the result depends neither on the order of the elements nor on
        /// the number of threads; a NaN is never taken.
        ///
        /// ```
        #[doc = concat!("use op2_runtime::", stringify!($name), ";")]
        #[doc = concat!("let mut best = ", stringify!($name), "::none();")]
        /// for (cell, error) in [0.5, 3.0, 0.5, 3.0].into_iter().enumerate() {
        ///     best.update(error, cell as u32);
        /// }
        #[doc = $example]
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name<V, P> {
            best: Option<(V, P)>,
        }

        impl<V: Elem, P: Payload> $name<V, P> {
            /// No candidate yet.
            pub const fn none() -> Self {
                Self { best: None }
            }

            #[doc = concat!("Takes a candidate: it stays if it is the ", $word, " so far.")]
            #[inline(always)]
            pub fn update(&mut self, value: V, payload: P) {
                let taken = match self.best {
                    None => value.partial_cmp(&value).is_some(),
                    Some((best, held)) => value $better best || (value == best && payload < held),
                };
                if taken {
                    self.best = Some((value, payload));
                }
            }

            /// The value and its payload, if there was a candidate.
            pub fn best(&self) -> Option<(V, P)> {
                self.best
            }
        }

        impl<V: Elem, P: Payload> Default for $name<V, P> {
            fn default() -> Self {
                Self::none()
            }
        }

        impl<V: Elem, P: Payload> Reduce<$by> for $name<V, P> {
            #[inline(always)]
            fn start() -> Self {
                Self::none()
            }
            #[inline(always)]
            fn absorb(&mut self, part: &Self) {
                if let Some((value, payload)) = part.best {
                    self.update(value, payload);
                }
            }
            const ELEM: ElemType = V::TYPE;
            // Whether there is a candidate, the value, the payload.
            const SLOTS: usize = 2 + P::SLOTS;
            fn from_slots(slots: &[u64]) -> Self {
                let best = || (V::from_slot(slots[1]), P::from_slots(&slots[2..]));
                Self { best: (slots[0] != 0).then(best) }
            }
        }
    };
}
arg_reduction!(ArgMin, ByMin, "minimum", <, "assert_eq!(best.best(), Some((0.5, 0)));");
arg_reduction!(ArgMax, ByMax, "maximum", >, "assert_eq!(best.best(), Some((3.0, 1)));");

/// A payload of an arg reduction: scalars, `usize`, and arrays and tuples of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot ride along with an arg reduction",
    label = "expected a scalar, `usize`, or an array or tuple of up to six of them"
)]
pub trait Payload: Copy + PartialOrd + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// Scalars in it.
    const SLOTS: usize;
    /// The value whose scalars stand in that many slots.
    fn from_slots(slots: &[u64]) -> Self;
}

macro_rules! scalar_payload {
    ($($ty:ident)*) => {$(
        impl Payload for $ty {
            const SLOTS: usize = 1;
            fn from_slots(slots: &[u64]) -> $ty {
                <$ty as Elem>::from_slot(slots[0])
            }
        }
    )*};
}
scalar_payload!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool);

impl Payload for usize {
    const SLOTS: usize = 1;
    fn from_slots(slots: &[u64]) -> usize {
        slots[0] as usize
    }
}

impl<P: Payload, const N: usize> Payload for [P; N] {
    const SLOTS: usize = N * P::SLOTS;
    fn from_slots(slots: &[u64]) -> Self {
        std::array::from_fn(|i| P::from_slots(&slots[i * P::SLOTS..]))
    }
}

macro_rules! tuple_payload {
    ($($part:ident)*) => {
        impl<$($part: Payload),*> Payload for ($($part,)*) {
            const SLOTS: usize = 0 $(+ $part::SLOTS)*;
            #[allow(unused_assignments, unused_mut, unused_variables, clippy::unused_unit)]
            fn from_slots(slots: &[u64]) -> Self {
                let mut next = 0;
                ($({
                    let own = &slots[next..];
                    next += $part::SLOTS;
                    $part::from_slots(own)
                },)*)
            }
        }
    };
}
tuple_payload!();
tuple_payload!(A);
tuple_payload!(A B);
tuple_payload!(A B C);
tuple_payload!(A B C D);
tuple_payload!(A B C D E);
tuple_payload!(A B C D E F);

/// A type whose values the kernel can take by value as an index: `usize`, `u32`, `u64`, `i32`, `i64`.
#[diagnostic::on_unimplemented(
    message = "`idx()` cannot be passed as `{Self}`",
    label = "expected an integer parameter",
    note = "take the index as `usize`, `u32`, `u64`, `i32` or `i64`"
)]
pub trait IndexValue {
    /// The index as this type; sets are small enough for all but `i32`, which wraps beyond 2³¹.
    fn from_index(index: usize) -> Self;
}

macro_rules! index_value {
    ($($ty:ident),*) => {$(
        impl IndexValue for $ty {
            #[inline(always)]
            fn from_index(index: usize) -> $ty { index as $ty }
        }
    )*};
}
index_value!(usize, u32, u64, i32, i64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ways::ByInc;

    #[test]
    fn results_come_out_of_slots() {
        let bits = |x: f64| x.to_bits();
        assert_eq!(<[f64; 2] as Reduce<ByInc>>::from_slots(&[bits(1.5), bits(-2.0)]), [1.5, -2.0]);
        type Worst = ArgMax<f64, (usize, [u32; 2])>;
        assert_eq!(<Worst as Reduce<ByMax>>::SLOTS, 5);
        assert_eq!(Worst::from_slots(&[1, bits(3.0), 7, 8, 9]).best(), Some((3.0, (7, [8, 9]))));
        assert_eq!(Worst::from_slots(&[0, bits(3.0), 7, 8, 9]).best(), None);
    }
}
