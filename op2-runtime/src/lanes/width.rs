//! The widths: numbers of elements computed at once, and the instructions for them.

use super::arrays::array;
use super::held::Width;
use super::plain::Plain;
use fearless_simd::{Simd, f32x4, f32x8, f32x16, f64x4, f64x8, mask32x8, mask32x16, mask64x4, mask64x8};

macro_rules! widths {
    ($($(#[$doc:meta])* $name:ident $lanes:literal $f32:ty, $f64:ty, $bits:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<S: Simd>(pub S);

        impl<S: Simd> Width for $name<S> {
            const LANES: usize = $lanes;
            type Each<T: Copy> = [T; $lanes];
            type Token = S;
            type F32 = $f32;
            type F64 = $f64;
            type Bits = $bits;

            #[inline(always)]
            fn token(self) -> S {
                self.0
            }

            #[inline(always)]
            fn each<T: Copy>(self, f: impl FnMut(usize) -> T) -> [T; $lanes] {
                array(f)
            }
        }
    )*};
}
widths! {
    /// 4 lanes, `f64` in 256 bits.
    Four 4 f32x4<S>, f64x4<S>, mask64x4<S>;
    /// 8 lanes, `f64` in 512 bits.
    Eight 8 f32x8<S>, f64x8<S>, mask64x8<S>;
    /// 8 lanes, `f32` in 256 bits.
    SingleEight 8 f32x8<S>, Plain<Self, f64>, mask32x8<S>;
    /// 16 lanes, `f32` in 512 bits.
    SingleSixteen 16 f32x16<S>, Plain<Self, f64>, mask32x16<S>;
}
