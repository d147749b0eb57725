//! Random data of every element type.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// A value that tests draw at random.
pub(crate) trait Sample: Copy {
    fn sample(random: &mut SmallRng) -> Self;
}

/// `n` random values: floats in -1..1 with all their digits, integers of moderate size, those of 8 and 16 bits from all of their range. Each `salt` gives other values.
pub(crate) fn samples<V: Sample>(n: usize, salt: u64) -> Vec<V> {
    let mut random = SmallRng::seed_from_u64(salt ^ 0xDA7A);
    (0..n).map(|_| V::sample(&mut random)).collect()
}

macro_rules! sample {
    ($($ty:ident $range:expr;)*) => {$(
        impl Sample for $ty {
            fn sample(random: &mut SmallRng) -> $ty {
                random.random_range($range)
            }
        }
    )*};
}
sample! {
    f32 -1.0..1.0;
    f64 -1.0..1.0;
    i8 i8::MIN..=i8::MAX;
    u8 u8::MIN..=u8::MAX;
    i16 i16::MIN..=i16::MAX;
    u16 u16::MIN..=u16::MAX;
    i32 -1000..1000;
    u32 0..1000;
    i64 -1_000_000_000_000..1_000_000_000_000;
    u64 0..1_000_000_000_000;
}

impl Sample for bool {
    fn sample(random: &mut SmallRng) -> bool {
        random.random()
    }
}

impl<V: Sample, const N: usize> Sample for [V; N] {
    fn sample(random: &mut SmallRng) -> Self {
        std::array::from_fn(|_| V::sample(random))
    }
}
