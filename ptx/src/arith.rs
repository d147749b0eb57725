//! Instructions that only compute, as functions of words: found by name when a text is read.

mod convert;

use crate::types::{LANES, Lanes, Type, Word};
pub(crate) use convert::{Carry, Convert};
use std::cmp::Ordering::{Equal, Greater, Less};

/// A function of up to three operands, of one thread and of all in a warp.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    pub(crate) operands: usize,
    pub(crate) of: fn(u64, u64, u64) -> u64,
    pub(crate) of_lanes: fn(&mut Lanes, [&Lanes; 3]),
}

/// The function of an instruction such as `add.s32`; `None` for others.
pub(crate) fn function(op: &str) -> Option<Function> {
    let (name, ty) = op.rsplit_once('.')?;
    let ty = Type::of(ty)?;
    match ty {
        Type::Pred => bits(name),
        Type::F32 => floats32(name),
        Type::F64 => floats64(name),
        Type::Unsigned(2) => integers_u16(name),
        Type::Unsigned(4) => integers_u32(name),
        Type::Unsigned(8) => integers_u64(name),
        Type::Signed(2) => integers_i16(name),
        Type::Signed(4) => integers_i32(name),
        Type::Signed(8) => integers_i64(name),
        _ => None,
    }
    .or_else(|| wide(name, ty))
    .or_else(|| approximate(name, ty))
}

macro_rules! words {
    ($operands:literal, |$a:ident, $b:ident, $c:ident| $body:expr) => {{
        #[inline(always)]
        fn of($a: u64, $b: u64, $c: u64) -> u64 {
            let _ = ($a, $b, $c);
            $body
        }
        fn of_lanes(to: &mut Lanes, [a, b, c]: [&Lanes; 3]) {
            for lane in 0..LANES {
                to[lane] = of(a[lane], b[lane], c[lane]);
            }
        }
        Some(Function { operands: $operands, of, of_lanes })
    }};
}

macro_rules! one {
    ($ty:ty, |$a:ident| $body:expr) => {
        words!(1, |a, b, c| {
            let $a = <$ty as Word>::of(a);
            Word::word($body)
        })
    };
}

macro_rules! two {
    ($ty:ty, |$a:ident, $b:ident| $body:expr) => {
        words!(2, |a, b, c| {
            let ($a, $b) = (<$ty as Word>::of(a), <$ty as Word>::of(b));
            Word::word($body)
        })
    };
}

macro_rules! three {
    ($ty:ty, |$a:ident, $b:ident, $c:ident| $body:expr) => {
        words!(3, |a, b, c| {
            let ($a, $b, $c) = (<$ty as Word>::of(a), <$ty as Word>::of(b), <$ty as Word>::of(c));
            Word::word($body)
        })
    };
}

/// Functions of bits, the same for all types.
fn bits(name: &str) -> Option<Function> {
    match name {
        "and" => words!(2, |a, b, c| a & b),
        "or" => words!(2, |a, b, c| a | b),
        "xor" => words!(2, |a, b, c| a ^ b),
        "mov" => words!(1, |a, b, c| a),
        "not" => words!(1, |a, b, c| u64::from(a == 0)),
        "selp" => words!(3, |a, b, p| if p != 0 { a } else { b }),
        _ => None,
    }
}

macro_rules! integers {
    ($name:ident, $ty:ty, $unsigned:ty) => {
        fn $name(name: &str) -> Option<Function> {
            const BITS: u32 = <$ty>::BITS;
            match name {
                "not" => one!($ty, |a| !a),
                "neg" => one!($ty, |a| a.wrapping_neg()),
                "popc" => one!($ty, |a| (a as $unsigned).count_ones()),
                "clz" => one!($ty, |a| (a as $unsigned).leading_zeros()),
                "brev" => one!($ty, |a| (a as $unsigned).reverse_bits()),
                "add" => two!($ty, |a, b| a.wrapping_add(b)),
                "sub" => two!($ty, |a, b| a.wrapping_sub(b)),
                "mul.lo" => two!($ty, |a, b| a.wrapping_mul(b)),
                "mul.hi" => two!($ty, |a, b| (i128::from(a).wrapping_mul(i128::from(b)) >> BITS) as $ty),
                // By zero, a GPU gives all ones.
                "div" => two!($ty, |a, b| if b == 0 { <$unsigned>::MAX as $ty } else { a.wrapping_div(b) }),
                "rem" => two!($ty, |a, b| if b == 0 { a } else { a.wrapping_rem(b) }),
                "min" => two!($ty, |a, b| a.min(b)),
                "max" => two!($ty, |a, b| a.max(b)),
                // Amounts above the width count as the width.
                "shl" => words!(2, |a, b, c| {
                    let by = b as u32;
                    if by >= BITS { 0 } else { (<$ty as Word>::of(a) << by).word() }
                }),
                "shr" => words!(2, |a, b, c| {
                    let (a, by) = (<$ty as Word>::of(a), b as u32);
                    if by < BITS { (a >> by).word() } else { (a >> (BITS - 1) >> 1).word() }
                }),
                "mad.lo" => three!($ty, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
                "setp.eq" => two!($ty, |a, b| a == b),
                "setp.ne" => two!($ty, |a, b| a != b),
                "setp.lt" | "setp.lo" => two!($ty, |a, b| a < b),
                "setp.le" | "setp.ls" => two!($ty, |a, b| a <= b),
                "setp.gt" | "setp.hi" => two!($ty, |a, b| a > b),
                "setp.ge" | "setp.hs" => two!($ty, |a, b| a >= b),
                _ => bits(name),
            }
        }
    };
}

integers!(integers_u16, u16, u16);
integers!(integers_u32, u32, u32);
integers!(integers_u64, u64, u64);
integers!(integers_i16, i16, u16);
integers!(integers_i32, i32, u32);
integers!(integers_i64, i64, u64);

macro_rules! floats {
    ($name:ident, $ty:ident) => {
        fn $name(name: &str) -> Option<Function> {
            match name {
                "mov" | "selp" => bits(name),
                "neg" => one!($ty, |a| -a),
                "abs" => one!($ty, |a| a.abs()),
                "rcp.rn" => one!($ty, |a| 1.0 / a),
                "sqrt.rn" => one!($ty, |a| a.sqrt()),
                "add.rn" | "add" => two!($ty, |a, b| a + b),
                "sub.rn" | "sub" => two!($ty, |a, b| a - b),
                "mul.rn" | "mul" => two!($ty, |a, b| a * b),
                "div.rn" => two!($ty, |a, b| a / b),
                "fma.rn" => three!($ty, |a, b, c| a.mul_add(b, c)),
                // −0 is below 0, and of a number and NaN the number counts.
                "min" => two!($ty, |a, b| if a.is_nan() || a > b || a == b && b.is_sign_negative() { b } else { a }),
                "max" => two!($ty, |a, b| if a.is_nan() || a < b || a == b && a.is_sign_negative() { b } else { a }),
                "copysign" => two!($ty, |a, b| b.copysign(a)),
                "testp.notanumber" => one!($ty, |a| a.is_nan()),
                "testp.finite" => one!($ty, |a| a.is_finite()),
                "testp.infinite" => one!($ty, |a| a.is_infinite()),
                // An order without `u` needs two numbers; one with it holds also without them.
                "setp.eq" => two!($ty, |a, b| a == b),
                "setp.ne" => two!($ty, |a, b| matches!(a.partial_cmp(&b), Some(Less | Greater))),
                "setp.lt" => two!($ty, |a, b| a < b),
                "setp.le" => two!($ty, |a, b| a <= b),
                "setp.gt" => two!($ty, |a, b| a > b),
                "setp.ge" => two!($ty, |a, b| a >= b),
                "setp.equ" => two!($ty, |a, b| matches!(a.partial_cmp(&b), Some(Equal) | None)),
                "setp.neu" => two!($ty, |a, b| a != b),
                "setp.ltu" => two!($ty, |a, b| matches!(a.partial_cmp(&b), Some(Less) | None)),
                "setp.leu" => two!($ty, |a, b| matches!(a.partial_cmp(&b), Some(Less | Equal) | None)),
                "setp.gtu" => two!($ty, |a, b| matches!(a.partial_cmp(&b), Some(Greater) | None)),
                "setp.geu" => two!($ty, |a, b| matches!(a.partial_cmp(&b), Some(Greater | Equal) | None)),
                "setp.num" => two!($ty, |a, b| !a.is_nan() && !b.is_nan()),
                "setp.nan" => two!($ty, |a, b| a.is_nan() || b.is_nan()),
                _ => None,
            }
        }
    };
}

floats!(floats32, f32);
floats!(floats64, f64);

/// Instructions whose result is wider than the operands, or that work on bit fields.
fn wide(name: &str, ty: Type) -> Option<Function> {
    match (name, ty) {
        ("abs", Type::Signed(4)) => one!(i32, |a| a.wrapping_abs()),
        ("abs", Type::Signed(8)) => one!(i64, |a| a.wrapping_abs()),
        ("mul.wide", Type::Unsigned(2)) => two!(u16, |a, b| u32::from(a) * u32::from(b)),
        ("mul.wide", Type::Unsigned(4)) => two!(u32, |a, b| u64::from(a) * u64::from(b)),
        ("mul.wide", Type::Signed(2)) => two!(i16, |a, b| i32::from(a) * i32::from(b)),
        ("mul.wide", Type::Signed(4)) => two!(i32, |a, b| i64::from(a) * i64::from(b)),
        ("mad.wide", Type::Unsigned(4)) => {
            words!(3, |a, b, c| (u64::from(a as u32) * u64::from(b as u32)).wrapping_add(c))
        }
        ("mad.wide", Type::Signed(4)) => {
            words!(3, |a, b, c| (i64::from(a as i32) * i64::from(b as i32)).wrapping_add(c as i64) as u64)
        }
        _ => None,
    }
}

/// A product and a sum, rounded in the direction in which `next` goes.
fn fused(a: f32, b: f32, c: f32, next: fn(f32) -> f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    // The product is exact, and the sum is `sum + rest`.
    let sum = product + c;
    let of_c = sum - product;
    let rest = (product - (sum - of_c)) + (c - of_c);
    let nearest = sum as f32;
    let above = f64::from(nearest) - sum - rest;
    let is_up = next(1.0) > 1.0;
    if (is_up && above < 0.0) || (!is_up && above > 0.0) { next(nearest) } else { nearest }
}

/// Other roundings, and functions that machines compute to some bits; here they are exact, but that the smallest numbers become 0 where the instruction says so.
fn approximate(name: &str, ty: Type) -> Option<Function> {
    macro_rules! flushed {
        ($ty:ident, |$a:ident| $body:expr) => {
            one!($ty, |$a| {
                let flush = |x: $ty| if x.is_subnormal() { x * 0.0 } else { x };
                let $a = flush($a);
                flush($body)
            })
        };
    }
    match (name, ty) {
        ("fma.rm", Type::F32) => three!(f32, |a, b, c| fused(a, b, c, f32::next_down)),
        ("fma.rp", Type::F32) => three!(f32, |a, b, c| fused(a, b, c, f32::next_up)),
        ("fma.rz", Type::F32) => {
            three!(f32, |a, b, c| if a.mul_add(b, c) < 0.0 {
                fused(a, b, c, f32::next_up)
            } else {
                fused(a, b, c, f32::next_down)
            })
        }
        ("lg2.approx", Type::F32) => one!(f32, |a| f64::from(a).log2() as f32),
        ("ex2.approx", Type::F32) => one!(f32, |a| f64::from(a).exp2() as f32),
        ("rcp.approx", Type::F32) => one!(f32, |a| 1.0 / a),
        ("sqrt.approx", Type::F32) => one!(f32, |a| a.sqrt()),
        ("rsqrt.approx", Type::F32) => one!(f32, |a| f64::from(a).sqrt().recip() as f32),
        ("lg2.approx.ftz", Type::F32) => flushed!(f32, |a| f64::from(a).log2() as f32),
        ("ex2.approx.ftz", Type::F32) => flushed!(f32, |a| f64::from(a).exp2() as f32),
        ("rcp.approx.ftz", Type::F32) => flushed!(f32, |a| 1.0 / a),
        ("sqrt.approx.ftz", Type::F32) => flushed!(f32, |a| a.sqrt()),
        ("rsqrt.approx.ftz", Type::F32) => flushed!(f32, |a| f64::from(a).sqrt().recip() as f32),
        // Of doubles the lower half of the bits is 0.
        ("rcp.approx.ftz", Type::F64) => flushed!(f64, |a| f64::from_bits((1.0 / a).to_bits() >> 32 << 32)),
        ("rsqrt.approx.ftz", Type::F64) => flushed!(f64, |a| f64::from_bits(a.sqrt().recip().to_bits() >> 32 << 32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
