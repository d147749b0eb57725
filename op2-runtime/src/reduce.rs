//! Reductions into globals: what may be reduced how, and the arg reductions.

use crate::access::Access;
use crate::handle::Global;
use crate::value::{Elem, Number, Value, combine, neutral};

/// A type that `gbl_inc`, `gbl_min` or `gbl_max` (the access `A`) can reduce into.
///
/// Numbers and arrays of numbers take all three; [`ArgMin`] goes with `gbl_min`, [`ArgMax`] with
/// `gbl_max`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of this reduction",
    label = "expected numbers, arrays of numbers, or `ArgMin`/`ArgMax` with `gbl_min`/`gbl_max`",
    note = "`gbl_min` takes `ArgMin<V, P>` and `gbl_max` takes `ArgMax<V, P>`; flags are reduced as `u32`"
)]
pub trait Reduce<A>: Copy + Send + Sync + 'static {
    /// The value that changes nothing.
    fn start() -> Self;
    /// Takes the partial result of a block; blocks come in a fixed order.
    fn absorb(&mut self, part: &Self);
}

/// The value with which a reduction into `global` starts in every block.
#[inline(always)]
pub fn start_of<By, G: Reduce<By>>(_global: Global<G>) -> G {
    G::start()
}

/// Names the access `inc` as a type.
#[derive(Debug)]
pub enum ByInc {}
/// Names the access `min` as a type.
#[derive(Debug)]
pub enum ByMin {}
/// Names the access `max` as a type.
#[derive(Debug)]
pub enum ByMax {}

macro_rules! reduce_numbers {
    ($($by:ident $access:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<V: Value<Elem: Number>> Reduce<$by> for V {
            #[inline(always)]
            fn start() -> V {
                neutral($access)
            }
            #[inline(always)]
            fn absorb(&mut self, part: &V) {
                for (old, new) in self.components_mut().iter_mut().zip(part.components()) {
                    *old = combine($access, *old, *new);
                }
            }
        }
    )*};
}
reduce_numbers! {
    ByInc Access::Inc;
    ByMin Access::Min;
    ByMax Access::Max;
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
        }
    };
}
arg_reduction!(ArgMin, ByMin, "minimum", <, "assert_eq!(best.best(), Some((0.5, 0)));");
arg_reduction!(ArgMax, ByMax, "maximum", >, "assert_eq!(best.best(), Some((3.0, 1)));");

/// What may ride along with an arg reduction: a scalar, or an array of up to any length of scalars.
pub trait Payload: Copy + PartialOrd + PartialEq + std::fmt::Debug + Send + Sync + 'static {}
impl<P: Copy + PartialOrd + std::fmt::Debug + Send + Sync + 'static> Payload for P {}

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
