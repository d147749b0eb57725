//! Conversions between types, and additions with a carry.

use crate::types::{Type, Word};

/// A conversion between types, with what the instruction says about rounding (`rni`, `rzi`, …).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Convert {
    pub(crate) to: Type,
    pub(crate) from: Type,
    pub(crate) rounding: Rounding,
    /// Floats stay between 0 and 1, of integers what does not fit is the nearest that does.
    pub(crate) saturates: bool,
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
        let (mut rounding, mut saturates) = (Rounding::Nearest, false);
        for part in parts {
            match part {
                "rn" => {}
                "rni" => rounding = Rounding::Even,
                "rzi" => rounding = Rounding::Zero,
                "rmi" => rounding = Rounding::Down,
                "rpi" => rounding = Rounding::Up,
                "sat" => saturates = true,
                _ => return None,
            }
        }
        Some(Convert { to, from, rounding, saturates })
    }

    /// The bits that a conversion of one integer to another keeps, and by how many bits its sign is away from a word's. `None` for
    /// other conversions.
    pub(crate) fn of_bits(self) -> Option<(u64, u32)> {
        let is_float = |ty| matches!(ty, Type::F32 | Type::F64 | Type::Pred);
        if is_float(self.from) || is_float(self.to) || self.saturates {
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
        let float = match self.to {
            Type::F32 | Type::F64 if self.saturates && float.is_nan() => 0.0,
            Type::F32 | Type::F64 if self.saturates => float.clamp(0.0, 1.0),
            _ => float,
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
            (to, _) if self.saturates => {
                let wide = if signed { i128::from(word as i64) } else { i128::from(word) };
                let (least, most) = match to {
                    Type::Signed(_) => (-(i128::from(to.mask() / 2) + 1), i128::from(to.mask() / 2)),
                    _ => (0, i128::from(to.mask())),
                };
                to.widened(wide.clamp(least, most) as u64)
            }
            // An integer that is cut fills the register by its own sign.
            (to, _) => to.widened(word),
        }
    }
}

/// An addition of parts of a longer number: `add.cc`, `madc.hi`, ….
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Carry {
    sum: Sum,
    bits: u32,
    /// Whether it adds the flag, and sets it.
    takes: bool,
    pub(crate) gives: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sum {
    Plus,
    Minus,
    /// The lower half of a product, or the upper one, plus a number.
    Low,
    High,
}

impl Carry {
    pub(crate) fn of(op: &str) -> Option<Self> {
        let parts: Vec<&str> = op.split('.').collect();
        let (first, middle, ty) = match parts[..] {
            [first, ref middle @ .., ty] => (first, middle, ty),
            _ => return None,
        };
        let (gives, half) = match middle {
            [] => (false, None),
            ["cc"] => (true, None),
            [half] => (false, Some(*half)),
            [half, "cc"] => (true, Some(*half)),
            _ => return None,
        };
        let (sum, takes) = match (first, half) {
            ("add", None) => (Sum::Plus, false),
            ("addc", None) => (Sum::Plus, true),
            ("sub", None) => (Sum::Minus, false),
            ("subc", None) => (Sum::Minus, true),
            ("mad", Some("lo")) => (Sum::Low, false),
            ("madc", Some("lo")) => (Sum::Low, true),
            ("mad", Some("hi")) => (Sum::High, false),
            ("madc", Some("hi")) => (Sum::High, true),
            _ => return None,
        };
        let bits = match Type::of(ty)? {
            Type::Unsigned(bytes @ (4 | 8)) => 8 * u32::from(bytes),
            // Halves of products have signs.
            Type::Signed(bytes @ (4 | 8)) if sum != Sum::High => 8 * u32::from(bytes),
            _ => return None,
        };
        Some(Carry { sum, bits, takes, gives })
    }

    pub(crate) fn operands(self) -> usize {
        if matches!(self.sum, Sum::Plus | Sum::Minus) { 2 } else { 3 }
    }

    /// The sum, and whether it does not fit.
    pub(crate) fn apply(self, operands: [u64; 3], flag: bool) -> (u64, bool) {
        let mask = u64::MAX >> (64 - self.bits);
        let [a, b, c] = operands.map(|word| u128::from(word & mask));
        let carry = u128::from(flag && self.takes);
        let sum = match self.sum {
            Sum::Plus => a + b + carry,
            Sum::Minus => a.wrapping_sub(b).wrapping_sub(carry),
            Sum::Low => ((a * b) & u128::from(mask)) + c + carry,
            Sum::High => ((a * b) >> self.bits) + c + carry,
        };
        (sum as u64 & mask, sum >> self.bits & 1 != 0)
    }
}
