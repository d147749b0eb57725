//! The ways to combine contributions as types, and the scalars that each of them takes.

use crate::data::value::Elem;
use op2_core::Combine;

/// A way to combine contributions, as a type.
pub trait Way: 'static {
    /// The way.
    const HOW: Combine;
}

/// A scalar to which contributions can be combined in the way that `By` names.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be combined in this way",
    label = "`inc`, `min` and `max` need numbers; `or` needs `bool` or integers",
    note = "declare the argument `rw`, or hold it as another type"
)]
pub trait CombinedBy<By: Way>: Elem {}

macro_rules! ways {
    ($($by:ident $how:ident: $($ty:ident)*;)*) => {$(
        #[doc = concat!("Names [`Combine::", stringify!($how), "`] as a type.")]
        #[derive(Debug)]
        pub enum $by {}

        impl Way for $by {
            const HOW: Combine = Combine::$how;
        }

        $(impl CombinedBy<$by> for $ty {})*
    )*};
}
ways! {
    ByInc Inc: f32 f64 i8 u8 i16 u16 i32 u32 i64 u64;
    ByMin Min: f32 f64 i8 u8 i16 u16 i32 u32 i64 u64;
    ByMax Max: f32 f64 i8 u8 i16 u16 i32 u32 i64 u64;
    ByOr Or: i8 u8 i16 u16 i32 u32 i64 u64 bool;
}
