//! The value that a dat holds per element: a scalar, an array of values, or a record.

use op2_core::Combine;
use std::sync::atomic::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering,
};

/// The scalar types that dats, globals and constants are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum ElemType {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `i8`
    I8,
    /// `u8`
    U8,
    /// `i16`
    I16,
    /// `u16`
    U16,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `bool`
    Bool,
}

/// A scalar of the language: `f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of op2",
    label = "expected one of f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, bool",
    note = "dats, globals and constants hold these scalars, arrays of them, or arrays of arrays"
)]
pub trait Elem:
    Copy + PartialEq + PartialOrd + Default + std::fmt::Debug + Send + Sync + sealed::Sealed + 'static
{
    /// The type as a value.
    const TYPE: ElemType;

    /// The scalar whose bits are the low ones of `slot`, as devices leave the results of reductions.
    #[doc(hidden)]
    fn from_slot(slot: u64) -> Self;

    /// The scalars as memory.
    #[doc(hidden)]
    fn bytes(scalars: &[Self]) -> &[u8] {
        // SAFETY: a scalar has no padding, and any byte may be read.
        unsafe { std::slice::from_raw_parts(scalars.as_ptr().cast(), size_of_val(scalars)) }
    }

    /// The scalars as memory that takes the bytes of other scalars of this type.
    #[doc(hidden)]
    fn bytes_mut(scalars: &mut [Self]) -> &mut [u8] {
        // SAFETY: as in `bytes`; callers write only bytes that came from a dat of the same type, so a `bool` stays
        // valid.
        unsafe { std::slice::from_raw_parts_mut(scalars.as_mut_ptr().cast(), size_of_val(scalars)) }
    }

    /// As many scalars as `bytes` holds.
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8]) -> Vec<Self>;

    /// The scalar that changes nothing when it is combined in a way that the scalar [has](crate::data::ways::CombinedBy).
    #[doc(hidden)]
    fn neutral(how: Combine) -> Self;

    /// The scalar with all bits the other way; only indices ask for it, which are `u32`.
    #[doc(hidden)]
    #[inline(always)]
    fn complement(self) -> Self {
        self
    }

    /// A scalar combined with a contribution, in a way that the scalar has. In an [exact](Combine::is_exact) way, contributions
    /// leave the same bits in any order.
    #[doc(hidden)]
    fn combined(how: Combine, old: Self, contribution: Self) -> Self;

    /// Combines the scalar at an address with a contribution, in a way that the scalar has. In an [exact](Combine::is_exact) way,
    /// several threads may do so at once; a contribution that changes nothing then writes nothing.
    ///
    /// # Safety
    /// The scalar may be read and written, and meanwhile nobody else accesses it, except by this function in the same exact way.
    #[doc(hidden)]
    unsafe fn combine_into(how: Combine, at: *mut Self, contribution: Self);
}

/// The value that a dat holds per element, such as `f64`, `[f64; 4]` or `[[f64; 3]; 6]`, or a record whose scalars have one type.
/// The kernel receives a reference to it.
///
/// # Safety
/// A value is exactly [`Value::DIM`] scalars of type [`Value::Elem`] in a row, without padding
/// and with the alignment of the scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be held by a dat",
    label = "expected a scalar (f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, bool), an array of scalars or of arrays, or an `#[op2::record]` whose scalars have one type"
)]
pub unsafe trait Value: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The scalar.
    type Elem: Elem;
    /// Scalars per value: the dim of the dat.
    const DIM: usize;
    /// Whether the scalars of a value are the complements of those that a dat stores, as those of indices are.
    #[doc(hidden)]
    const COMPLEMENT: bool = false;
    /// A value with all components equal.
    fn splat(component: Self::Elem) -> Self;

    /// The components in order.
    #[inline(always)]
    fn components(&self) -> &[Self::Elem] {
        // SAFETY: by the contract of the trait a value is DIM scalars in a row.
        unsafe { std::slice::from_raw_parts((self as *const Self).cast(), Self::DIM) }
    }

    /// The components in order, mutable.
    ///
    /// # Safety
    /// The scalars that are written are those of a value: an enum is a `u8`, but not every `u8` is one of its variants.
    #[inline(always)]
    unsafe fn components_mut(&mut self) -> &mut [Self::Elem] {
        // SAFETY: as in `components`; the exclusive borrow is passed on, and the caller keeps the value valid.
        unsafe { std::slice::from_raw_parts_mut((self as *mut Self).cast(), Self::DIM) }
    }
}

// SAFETY: an array of values without padding is their scalars in a row.
unsafe impl<V: Value, const N: usize> Value for [V; N] {
    type Elem = V::Elem;
    const DIM: usize = V::DIM * N;
    const COMPLEMENT: bool = V::COMPLEMENT;
    #[inline(always)]
    fn splat(component: V::Elem) -> Self {
        [V::splat(component); N]
    }
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! scalar {
    ($($kind:ident $ty:ident $variant:ident $from_slot:expr, $from_bytes:expr, $atomic:ident;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Elem for $ty {
            const TYPE: ElemType = ElemType::$variant;

            fn from_slot(slot: u64) -> $ty {
                $from_slot(slot)
            }

            fn from_bytes(bytes: &[u8]) -> Vec<$ty> {
                let (scalars, _) = bytes.as_chunks::<{ size_of::<$ty>() }>();
                scalars.iter().map(|&b| $from_bytes(b)).collect()
            }

            $kind!(@complement $ty);

            #[inline(always)]
            fn neutral(how: Combine) -> $ty {
                $kind!(@neutral $ty, how)
            }

            #[inline(always)]
            fn combined(how: Combine, old: $ty, contribution: $ty) -> $ty {
                $kind!(@combined how, old, contribution)
            }

            #[inline(always)]
            unsafe fn combine_into(how: Combine, at: *mut $ty, contribution: $ty) {
                const { assert!(align_of::<$ty>() == align_of::<$atomic>(), "data are aligned for atomics") };
                if !how.is_exact() {
                    // SAFETY: nobody else accesses the scalar.
                    return unsafe { *at = Self::combined(how, *at, contribution) };
                }
                // SAFETY: the scalar may be read and written, is aligned, and is accessed by atomics alone meanwhile.
                let shared = unsafe { $atomic::from_ptr(at.cast()) };
                let mut seen = shared.load(Ordering::Relaxed);
                loop {
                    let next = $kind!(@to_bits Self::combined(how, $kind!(@of_bits $ty, seen), contribution));
                    if next == seen {
                        return;
                    }
                    match shared.compare_exchange_weak(seen, next, Ordering::Relaxed, Ordering::Relaxed) {
                        Ok(_) => return,
                        Err(now) => seen = now,
                    }
                }
            }
        }
        // SAFETY: a scalar is one scalar.
        unsafe impl Value for $ty {
            type Elem = $ty;
            const DIM: usize = 1;
            #[inline(always)]
            fn splat(component: $ty) -> $ty {
                component
            }
        }
    )*};
}
/// How floats are combined. Their sum starts from -0: adding 0 would turn -0 into 0, so that no compiler may drop the
/// addition. In minima and maxima a NaN gives way to the other, and -0 is below 0: no order of contributions leaves other bits.
macro_rules! float {
    (@complement $ty:ident) => {};
    (@of_bits $ty:ident, $bits:expr) => {
        $ty::from_bits($bits)
    };
    (@to_bits $float:expr) => {
        $float.to_bits()
    };
    (@neutral $ty:ident, $how:ident) => {
        match $how {
            Combine::Inc => -0.0,
            Combine::Min => $ty::INFINITY,
            Combine::Max => $ty::NEG_INFINITY,
            Combine::Or => unreachable!("the compiler refuses `or` of floats"),
        }
    };
    (@combined $how:ident, $old:ident, $new:ident) => {
        match $how {
            Combine::Inc => $old + $new,
            Combine::Min if $old.is_nan() || $new < $old || ($new == $old && $new.is_sign_negative()) => $new,
            Combine::Max if $old.is_nan() || $new > $old || ($new == $old && $new.is_sign_positive()) => $new,
            Combine::Min | Combine::Max => $old,
            Combine::Or => unreachable!("the compiler refuses `or` of floats"),
        }
    };
}

/// How integers are combined; sums wrap.
macro_rules! integer {
    (@of_bits $ty:ident, $bits:expr) => {
        $bits
    };
    (@to_bits $integer:expr) => {
        $integer
    };
    (@complement $ty:ident) => {
        #[inline(always)]
        fn complement(self) -> $ty {
            !self
        }
    };
    (@neutral $ty:ident, $how:ident) => {
        match $how {
            Combine::Inc | Combine::Or => 0,
            Combine::Min => $ty::MAX,
            Combine::Max => $ty::MIN,
        }
    };
    (@combined $how:ident, $old:ident, $new:ident) => {
        match $how {
            Combine::Inc => $old.wrapping_add($new),
            Combine::Min => Ord::min($old, $new),
            Combine::Max => Ord::max($old, $new),
            Combine::Or => $old | $new,
        }
    };
}

/// How flags are combined.
macro_rules! flag {
    (@complement $ty:ident) => {};
    (@of_bits $ty:ident, $bits:expr) => {
        $bits != 0
    };
    (@to_bits $flag:expr) => {
        u8::from($flag)
    };
    (@neutral $ty:ident, $how:ident) => {
        match $how {
            Combine::Or => false,
            Combine::Inc | Combine::Min | Combine::Max => {
                unreachable!("the compiler refuses sums and extrema of flags")
            }
        }
    };
    (@combined $how:ident, $old:ident, $new:ident) => {
        match $how {
            Combine::Or => $old | $new,
            Combine::Inc | Combine::Min | Combine::Max => {
                unreachable!("the compiler refuses sums and extrema of flags")
            }
        }
    };
}

scalar! {
    float f32 F32 |slot| f32::from_bits(slot as u32), f32::from_ne_bytes, AtomicU32;
    float f64 F64 f64::from_bits, f64::from_ne_bytes, AtomicU64;
    integer i8 I8 |slot| slot as i8, i8::from_ne_bytes, AtomicI8;
    integer u8 U8 |slot| slot as u8, u8::from_ne_bytes, AtomicU8;
    integer i16 I16 |slot| slot as i16, i16::from_ne_bytes, AtomicI16;
    integer u16 U16 |slot| slot as u16, u16::from_ne_bytes, AtomicU16;
    integer i32 I32 |slot| slot as i32, i32::from_ne_bytes, AtomicI32;
    integer u32 U32 |slot| slot as u32, u32::from_ne_bytes, AtomicU32;
    integer i64 I64 |slot| slot as i64, i64::from_ne_bytes, AtomicI64;
    integer u64 U64 |slot| slot, u64::from_ne_bytes, AtomicU64;
    flag bool Bool |slot| slot != 0, |b: [u8; 1]| b[0] != 0, AtomicU8;
}

impl ElemType {
    /// Bytes of one scalar.
    pub const fn bytes(self) -> usize {
        match self {
            ElemType::Bool | ElemType::I8 | ElemType::U8 => 1,
            ElemType::I16 | ElemType::U16 => 2,
            ElemType::F32 | ElemType::I32 | ElemType::U32 => 4,
            ElemType::F64 | ElemType::I64 | ElemType::U64 => 8,
        }
    }
}

/// Runs an expression with `E` standing for the scalar type that a value of [`ElemType`] names.
macro_rules! by_type {
    ($elem:expr, $E:ident => $body:expr) => {
        match $elem {
            $crate::data::value::ElemType::F32 => {
                type $E = f32;
                $body
            }
            $crate::data::value::ElemType::F64 => {
                type $E = f64;
                $body
            }
            $crate::data::value::ElemType::I8 => {
                type $E = i8;
                $body
            }
            $crate::data::value::ElemType::U8 => {
                type $E = u8;
                $body
            }
            $crate::data::value::ElemType::I16 => {
                type $E = i16;
                $body
            }
            $crate::data::value::ElemType::U16 => {
                type $E = u16;
                $body
            }
            $crate::data::value::ElemType::I32 => {
                type $E = i32;
                $body
            }
            $crate::data::value::ElemType::U32 => {
                type $E = u32;
                $body
            }
            $crate::data::value::ElemType::I64 => {
                type $E = i64;
                $body
            }
            $crate::data::value::ElemType::U64 => {
                type $E = u64;
                $body
            }
            $crate::data::value::ElemType::Bool => {
                type $E = bool;
                $body
            }
        }
    };
}
pub(crate) use by_type;

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    #[test]
    fn components_of_nested_arrays_are_in_memory_order() {
        let mut v = [[1, 2, 3], [4, 5, 6]];
        assert_eq!(<[[i32; 3]; 2]>::DIM, 6);
        assert_eq!(v.components(), [1, 2, 3, 4, 5, 6]);
        // SAFETY: any integers are a value.
        unsafe { v.components_mut()[4] = 9 };
        assert_eq!(v[1][1], 9);
    }

    #[test]
    fn scalars_survive_as_bytes_and_slots() {
        let floats = [1.5f32, -0.0, f32::INFINITY];
        assert_eq!(f32::from_bytes(f32::bytes(&floats)).map_bits(), floats.to_vec().map_bits());
        assert_eq!(i64::from_bytes(i64::bytes(&[i64::MIN, 7])), [i64::MIN, 7]);
        assert_eq!(bool::from_bytes(bool::bytes(&[true, false])), [true, false]);
        assert_eq!(f32::from_slot(u64::from(2.5f32.to_bits())), 2.5);
        assert_eq!(i32::from_slot(u64::from(u32::MAX)), -1);
        assert_eq!(i8::from_slot(0x80), -128);
        assert_eq!(i16::from_bytes(i16::bytes(&[i16::MIN, 7])), [i16::MIN, 7]);
    }

    #[test]
    fn the_order_of_exact_contributions_does_not_matter() {
        let values = [0.0, -0.0, 1.5, -2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for how in [Combine::Min, Combine::Max] {
            for (a, b) in values.iter().flat_map(|a| values.map(|b| (*a, b))) {
                let [one, other] = [f64::combined(how, a, b), f64::combined(how, b, a)];
                assert_eq!(one.to_bits(), other.to_bits(), "{how} of {a:?} and {b:?}");
                assert!(!one.is_nan() || a.is_nan() && b.is_nan(), "{how} of {a:?} and {b:?}");
            }
        }
        assert_eq!(f64::combined(Combine::Min, 0.0, -0.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(f32::combined(Combine::Max, -0.0, 0.0).to_bits(), 0);
    }

    #[test]
    fn threads_may_combine_at_once() {
        const ROUNDS: u32 = 20_000;
        // Neighbours in one word.
        #[derive(Debug, PartialEq)]
        struct Values(f64, u8, bool, i16);
        struct Shared(UnsafeCell<Values>);
        // SAFETY: threads access the values by `combine_into` alone.
        unsafe impl Sync for Shared {}

        let shared = Shared(UnsafeCell::new(Values(f64::INFINITY, 0, false, i16::MAX)));
        let combine = |shared: &Shared, k: u32| {
            let Shared(values) = shared;
            let values = values.get();
            // SAFETY: all threads combine in these ways, which are exact.
            unsafe {
                f64::combine_into(Combine::Min, &raw mut (*values).0, -f64::from(k));
                u8::combine_into(Combine::Or, &raw mut (*values).1, 1 << (k % 7));
                bool::combine_into(Combine::Or, &raw mut (*values).2, k == ROUNDS - 1);
                i16::combine_into(Combine::Min, &raw mut (*values).3, -(k as i16));
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let shared = &shared;
                scope.spawn(move || (thread..ROUNDS).step_by(2).for_each(|k| combine(shared, k)));
            }
        });
        let lowest = -(ROUNDS as i16 - 1);
        assert_eq!(shared.0.into_inner(), Values(-f64::from(ROUNDS - 1), 0x7f, true, lowest));
    }

    trait MapBits {
        fn map_bits(self) -> Vec<u32>;
    }

    impl MapBits for Vec<f32> {
        fn map_bits(self) -> Vec<u32> {
            self.into_iter().map(f32::to_bits).collect()
        }
    }

    #[test]
    fn neutral_elements_change_nothing() {
        for how in [Combine::Inc, Combine::Min, Combine::Max] {
            for value in [-3.5_f64, 0.0, -0.0] {
                let combined = f64::combined(how, value, f64::neutral(how));
                assert_eq!(combined.to_bits(), value.to_bits(), "{how}, {value:?}");
            }
        }
        for &how in Combine::ALL {
            for value in [i8::MIN, -1, 0, i8::MAX] {
                assert_eq!(i8::combined(how, value, i8::neutral(how)), value, "{how}");
            }
            for value in [i32::MIN, -1, 0, i32::MAX] {
                assert_eq!(i32::combined(how, value, i32::neutral(how)), value, "{how}");
            }
        }
        for value in [false, true] {
            assert_eq!(bool::combined(Combine::Or, value, bool::neutral(Combine::Or)), value);
        }
    }
}
