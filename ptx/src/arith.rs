//! Instructions that only compute, as functions of words: found by name when a text is read.

use crate::types::{LANES, Lanes, Type, Word};
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

/// A conversion between types, with what the instruction says about rounding (`rni`, `rzi`, …).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Convert {
    pub(crate) to: Type,
    pub(crate) from: Type,
    pub(crate) rounding: Rounding,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rounding {
    /// To the nearest, as floats round.
    Nearest,
    /// To an integer: the nearest, toward zero, down, up.
    Even,
    Zero,
    Down,
    Up,
}

impl Convert {
    /// The conversion of an instruction such as `cvt.rzi.s64.f64`.
    pub(crate) fn of(op: &str) -> Option<Self> {
        let mut parts = op.strip_prefix("cvt.")?.rsplit('.');
        let (from, to) = (Type::of(parts.next()?)?, Type::of(parts.next()?)?);
        let rounding = match parts.next() {
            None | Some("rn") => Rounding::Nearest,
            Some("rni") => Rounding::Even,
            Some("rzi") => Rounding::Zero,
            Some("rmi") => Rounding::Down,
            Some("rpi") => Rounding::Up,
            Some(_) => return None,
        };
        parts.next().is_none().then_some(Convert { to, from, rounding })
    }

    /// The bits that a conversion of one integer to another keeps, and by how many bits its sign is away from a word's. `None` for
    /// other conversions.
    pub(crate) fn of_bits(self) -> Option<(u64, u32)> {
        let is_float = |ty| matches!(ty, Type::F32 | Type::F64 | Type::Pred);
        if is_float(self.from) || is_float(self.to) {
            return None;
        }
        // Wider than what it comes from, the result has its sign; else it has fewer of its bits.
        let shortest = if self.to.bytes() < self.from.bytes() { self.to } else { self.from };
        match shortest {
            Type::Signed(bytes) => Some((u64::MAX, 64 - 8 * u32::from(bytes))),
            ty => Some((ty.mask(), 0)),
        }
    }

    pub(crate) fn apply(self, word: u64) -> u64 {
        let float = match self.from {
            Type::F32 => f64::from(f32::of(word)),
            Type::F64 => f64::of(word),
            from => return self.of_integer(from.widened(word), matches!(from, Type::Signed(_))),
        };
        let float = match self.rounding {
            Rounding::Nearest => float,
            Rounding::Even => float.round_ties_even(),
            Rounding::Zero => float.trunc(),
            Rounding::Down => float.floor(),
            Rounding::Up => float.ceil(),
        };
        match self.to {
            Type::F32 => (float as f32).word(),
            Type::F64 => float.word(),
            // They saturate, and NaN becomes 0.
            Type::Signed(1) => (float as i8).word(),
            Type::Signed(2) => (float as i16).word(),
            Type::Signed(4) => (float as i32).word(),
            Type::Signed(_) => (float as i64).word(),
            Type::Unsigned(1) => (float as u8).word(),
            Type::Unsigned(2) => (float as u16).word(),
            Type::Unsigned(4) => (float as u32).word(),
            Type::Unsigned(_) => (float as u64).word(),
            Type::Pred => (float != 0.0).word(),
        }
    }

    fn of_integer(self, word: u64, signed: bool) -> u64 {
        match (self.to, signed) {
            (Type::F32, true) => (word as i64 as f32).word(),
            (Type::F32, false) => (word as f32).word(),
            (Type::F64, true) => (word as i64 as f64).word(),
            (Type::F64, false) => (word as f64).word(),
            // An integer that is cut fills the register by its own sign.
            (to, _) => to.widened(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(op: &str, operands: &[u64]) -> u64 {
        let function = function(op).unwrap_or_else(|| panic!("{op}"));
        assert_eq!(function.operands, operands.len(), "{op}");
        let [a, b, c] = std::array::from_fn(|n| operands.get(n).copied().unwrap_or(0));
        let mut lanes = [0; LANES];
        (function.of_lanes)(&mut lanes, [&[a; LANES], &[b; LANES], &[c; LANES]]);
        assert_eq!(lanes, [(function.of)(a, b, c); LANES], "{op}");
        lanes[0]
    }

    fn doubles(op: &str, a: f64, b: f64) -> u64 {
        value(op, &[a.word(), b.word()])
    }

    #[test]
    fn integers_wrap_in_their_width() {
        assert_eq!(value("add.s32", &[u64::from(u32::MAX), 2]), 1);
        assert_eq!(value("sub.s32", &[1, 2]), u64::from(u32::MAX));
        assert_eq!(value("mul.wide.s32", &[(-3_i32).word(), 5]), (-15_i64).word());
        assert_eq!(value("mul.wide.u32", &[u64::from(u32::MAX), 4]), u64::from(u32::MAX) * 4);
        assert_eq!(value("mul.hi.u64", &[u64::MAX, 3]), 2);
        assert_eq!(value("mul.hi.s64", &[(-1_i64).word(), 3]), (-1_i64).word());
        assert_eq!((value("shl.b32", &[1, 31]), value("shl.b32", &[1, 32])), (1 << 31, 0));
        assert_eq!(
            (value("shr.s64", &[(-8_i64).word(), 2]), value("shr.s64", &[(-8_i64).word(), 99])),
            ((-2_i64).word(), u64::MAX)
        );
        assert_eq!((value("shr.u32", &[8, 2]), value("shr.u32", &[8, 32])), (2, 0));
        assert_eq!((value("setp.lt.s32", &[(-1_i32).word(), 0]), value("setp.lt.u32", &[(-1_i32).word(), 0])), (1, 0));
        assert_eq!((value("abs.s32", &[(-7_i32).word()]), value("abs.s32", &[7])), (7, 7));
        assert_eq!(value("not.pred", &[1]), 0);
        assert_eq!((value("div.u32", &[7, 2]), value("rem.s32", &[(-7_i32).word(), 2])), (3, (-1_i32).word()));
    }

    #[test]
    fn minima_of_floats_ignore_nan_and_order_zeros() {
        assert_eq!(doubles("min.f64", f64::NAN, 2.0), 2_f64.word());
        assert_eq!(doubles("max.f64", 2.0, f64::NAN), 2_f64.word());
        for (a, b) in [(0.0, -0.0), (-0.0, 0.0)] {
            assert_eq!((doubles("min.f64", a, b), doubles("max.f64", a, b)), ((-0_f64).word(), 0_f64.word()));
        }
    }

    #[test]
    fn orders_of_floats_say_what_they_make_of_nan() {
        let table = [("lt", 0, 1), ("le", 0, 1), ("gt", 1, 0), ("ge", 1, 0), ("eq", 0, 0), ("ne", 1, 1)];
        for (name, with_numbers, _) in table {
            assert_eq!(doubles(&format!("setp.{name}.f64"), 2.0, 1.0), with_numbers, "{name}");
            assert_eq!(doubles(&format!("setp.{name}.f64"), f64::NAN, 1.0), 0, "{name}");
            assert_eq!(doubles(&format!("setp.{name}u.f64"), f64::NAN, 1.0), 1, "{name}u");
        }
    }

    #[test]
    fn conversions_round_as_they_say_and_saturate() {
        let convert = |op: &str, word: u64| {
            let how = Convert::of(op).unwrap_or_else(|| panic!("{op}"));
            if let Some((mask, sign)) = how.of_bits() {
                let bits = ((word & mask) << sign) as i64 >> sign;
                assert_eq!(bits as u64 & how.to.mask(), how.apply(word) & how.to.mask(), "{op}");
            }
            how.apply(word)
        };
        assert_eq!(convert("cvt.rzi.s64.f64", (-2.9_f64).word()), (-2_i64).word());
        assert_eq!(convert("cvt.rmi.f64.f64", (-2.1_f64).word()), (-3_f64).word());
        assert_eq!(convert("cvt.rni.s32.f64", 2.5_f64.word()), 2);
        assert_eq!(convert("cvt.rzi.u32.f64", 1e20_f64.word()), u64::from(u32::MAX));
        assert_eq!(convert("cvt.rzi.s32.f32", f32::NAN.word()), 0);
        assert_eq!(convert("cvt.s32.s8", 0xff), u64::MAX);
        assert_eq!(convert("cvt.u16.u32", 0x12345), 0x2345);
        assert_eq!(convert("cvt.rn.f64.s64", (-3_i64).word()), (-3_f64).word());
        assert_eq!(convert("cvt.rn.f32.f64", 0.1_f64.word()), 0.1_f32.word());
    }
}
