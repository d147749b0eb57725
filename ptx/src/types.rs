//! Types of PTX, and registers as words of 64 bits. Behind the bits of a value's type a word is zero.

/// Threads of a warp.
pub(crate) const LANES: usize = 32;

/// A register of all threads of a warp.
pub(crate) type Lanes = [u64; LANES];

/// A type of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Pred,
    /// Bits or unsigned, of so many bytes.
    Unsigned(u8),
    Signed(u8),
    F32,
    F64,
}

impl Type {
    /// The type of a suffix such as `u32`.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let bytes = |bits: &str| match bits {
            "8" => Some(1),
            "16" => Some(2),
            "32" => Some(4),
            "64" => Some(8),
            _ => None,
        };
        Some(match name {
            "pred" => Type::Pred,
            "f32" => Type::F32,
            "f64" => Type::F64,
            _ => match name.split_at_checked(1)? {
                ("b" | "u", bits) => Type::Unsigned(bytes(bits)?),
                ("s", bits) => Type::Signed(bytes(bits)?),
                _ => return None,
            },
        })
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Type::Pred => 1,
            Type::Unsigned(bytes) | Type::Signed(bytes) => bytes.into(),
            Type::F32 => 4,
            Type::F64 => 8,
        }
    }

    /// All bits of a value of this type.
    pub(crate) fn mask(self) -> u64 {
        match self.bytes() {
            8 => u64::MAX,
            bytes => (1 << (8 * bytes)) - 1,
        }
    }

    /// A value of this type as a word with the sign in all bits that follow.
    pub(crate) fn widened(self, word: u64) -> u64 {
        match self {
            Type::Signed(bytes) => {
                let shift = 64 - 8 * u32::from(bytes);
                (((word << shift) as i64) >> shift) as u64
            }
            _ => word & self.mask(),
        }
    }
}

/// A value of an instruction's type in a register.
pub(crate) trait Word: Copy {
    fn of(word: u64) -> Self;
    fn word(self) -> u64;
}

macro_rules! words {
    ($($ty:ty as $unsigned:ty),*) => {$(
        impl Word for $ty {
            #[inline(always)]
            fn of(word: u64) -> Self {
                word as $unsigned as $ty
            }

            #[inline(always)]
            fn word(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    )*};
}

words!(u8 as u8, u16 as u16, u32 as u32, i8 as u8, i16 as u16, i32 as u32, u64 as u64, i64 as u64);

impl Word for f32 {
    #[inline(always)]
    fn of(word: u64) -> Self {
        f32::from_bits(word as u32)
    }

    #[inline(always)]
    fn word(self) -> u64 {
        self.to_bits().into()
    }
}

impl Word for f64 {
    #[inline(always)]
    fn of(word: u64) -> Self {
        f64::from_bits(word)
    }

    #[inline(always)]
    fn word(self) -> u64 {
        self.to_bits()
    }
}

impl Word for bool {
    #[inline(always)]
    fn of(word: u64) -> Self {
        word != 0
    }

    #[inline(always)]
    fn word(self) -> u64 {
        self.into()
    }
}
