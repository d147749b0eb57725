//! The library of the kernel language: the scalar methods and the associated constants that every
//! target has, one table each.

/// The scalars for which a library function exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// `f32`, `f64` and the generic float type.
    Float,
    /// The integer types.
    Int,
    /// Floats and signed integers.
    Signed,
    /// Floats and integers.
    Number,
}

/// Type of an operand after the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The receiver's type.
    Same,
    /// `i32`, the exponent of `powi`.
    I32,
    /// `u32`, the exponent of `pow`.
    U32,
}

/// Type of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver's type.
    Same,
    /// `bool`
    Bool,
    /// `u32`
    U32,
    /// The unsigned integer type of the receiver's width.
    Unsigned,
}

/// Writes the enum of library functions and its look-ups from one table:
/// variant, Rust's name, domain, operands after the receiver, result, flops on a float.
macro_rules! intrinsics {
    ($($variant:ident $name:literal $domain:ident [$($operand:ident)*] $outcome:ident $flops:literal;)*) => {
        /// Library functions of scalars, named as in Rust.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Intrinsic {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Intrinsic {
            /// All of them.
            pub const ALL: &'static [Intrinsic] = &[$(Intrinsic::$variant),*];

            /// Rust's name of the method.
            pub fn name(self) -> &'static str {
                match self { $(Intrinsic::$variant => $name),* }
            }

            /// The receivers that have it.
            pub fn domain(self) -> Domain {
                match self { $(Intrinsic::$variant => Domain::$domain),* }
            }

            /// The operands after the receiver.
            pub fn operands(self) -> &'static [Operand] {
                match self { $(Intrinsic::$variant => &[$(Operand::$operand),*]),* }
            }

            /// The result.
            pub fn outcome(self) -> Outcome {
                match self { $(Intrinsic::$variant => Outcome::$outcome),* }
            }

            /// Floating-point operations that one evaluation on floats counts for; see
            /// [`crate::model::flops`].
            pub fn flops(self) -> u32 {
                match self { $(Intrinsic::$variant => $flops),* }
            }
        }
    };
}

intrinsics! {
    Abs "abs" Signed [] Same 1;
    Acos "acos" Float [] Same 10;
    Acosh "acosh" Float [] Same 10;
    Asin "asin" Float [] Same 10;
    Asinh "asinh" Float [] Same 10;
    Atan "atan" Float [] Same 10;
    Atan2 "atan2" Float [Same] Same 10;
    Atanh "atanh" Float [] Same 10;
    Cbrt "cbrt" Float [] Same 10;
    Ceil "ceil" Float [] Same 1;
    Clamp "clamp" Number [Same Same] Same 2;
    Copysign "copysign" Float [Same] Same 1;
    Cos "cos" Float [] Same 10;
    Cosh "cosh" Float [] Same 10;
    Exp "exp" Float [] Same 10;
    Exp2 "exp2" Float [] Same 10;
    ExpM1 "exp_m1" Float [] Same 10;
    Floor "floor" Float [] Same 1;
    Fract "fract" Float [] Same 2;
    Hypot "hypot" Float [Same] Same 4;
    IsFinite "is_finite" Float [] Bool 1;
    IsInfinite "is_infinite" Float [] Bool 1;
    IsNan "is_nan" Float [] Bool 1;
    IsSignNegative "is_sign_negative" Float [] Bool 1;
    Ln "ln" Float [] Same 10;
    Ln1p "ln_1p" Float [] Same 10;
    Log10 "log10" Float [] Same 10;
    Log2 "log2" Float [] Same 10;
    Max "max" Number [Same] Same 1;
    Min "min" Number [Same] Same 1;
    MulAdd "mul_add" Float [Same Same] Same 2;
    Powf "powf" Float [Same] Same 20;
    Powi "powi" Float [I32] Same 4;
    Recip "recip" Float [] Same 1;
    Round "round" Float [] Same 1;
    Signum "signum" Signed [] Same 1;
    Sin "sin" Float [] Same 10;
    Sinh "sinh" Float [] Same 10;
    Sqrt "sqrt" Float [] Same 1;
    Tan "tan" Float [] Same 10;
    Tanh "tanh" Float [] Same 10;
    ToDegrees "to_degrees" Float [] Same 1;
    ToRadians "to_radians" Float [] Same 1;
    Trunc "trunc" Float [] Same 1;
    AbsDiff "abs_diff" Int [Same] Unsigned 0;
    CountOnes "count_ones" Int [] U32 0;
    LeadingZeros "leading_zeros" Int [] U32 0;
    Pow "pow" Int [U32] Same 0;
    RemEuclid "rem_euclid" Int [Same] Same 0;
    TrailingZeros "trailing_zeros" Int [] U32 0;
    WrappingAdd "wrapping_add" Int [Same] Same 0;
    WrappingMul "wrapping_mul" Int [Same] Same 0;
    WrappingNeg "wrapping_neg" Int [] Same 0;
    WrappingSub "wrapping_sub" Int [Same] Same 0;
}

impl Intrinsic {
    /// The function of that Rust name.
    pub fn from_name(name: &str) -> Option<Intrinsic> {
        Self::ALL.iter().copied().find(|i| i.name() == name)
    }
}

/// Writes the enum of associated constants and its look-ups from one table: first the limits of
/// the scalar types, then the mathematical constants with 36 digits.
macro_rules! assoc_consts {
    ($($limit:ident $limit_name:literal;)* @ $($math:ident $math_name:literal $digits:literal;)*) => {
        /// An associated constant of a scalar type.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum AssocConst {
            $(#[doc = concat!("`", $limit_name, "`")] $limit,)*
            $(#[doc = concat!("`consts::", $math_name, "`")] $math,)*
        }

        impl AssocConst {
            /// All of them.
            pub const ALL: &'static [AssocConst] =
                &[$(AssocConst::$limit,)* $(AssocConst::$math),*];

            /// Rust's name of the constant.
            pub fn name(self) -> &'static str {
                match self {
                    $(AssocConst::$limit => $limit_name,)*
                    $(AssocConst::$math => $math_name),*
                }
            }

            /// The decimal digits of a mathematical constant, more than an `f64` holds;
            /// `None` for the limits of a type.
            pub fn digits(self) -> Option<&'static str> {
                match self {
                    $(AssocConst::$limit => None,)*
                    $(AssocConst::$math => Some($digits)),*
                }
            }
        }
    };
}

assoc_consts! {
    Epsilon "EPSILON";
    Min "MIN";
    Max "MAX";
    MinPositive "MIN_POSITIVE";
    Infinity "INFINITY";
    NegInfinity "NEG_INFINITY";
    Nan "NAN";
    @
    Pi "PI" "3.14159265358979323846264338327950288";
    E "E" "2.71828182845904523536028747135266250";
    Tau "TAU" "6.28318530717958647692528676655900577";
    Sqrt2 "SQRT_2" "1.41421356237309504880168872420969808";
    Ln2 "LN_2" "0.693147180559945309417232121458176568";
    Ln10 "LN_10" "2.30258509299404568401799145468436421";
    Log2E "LOG2_E" "1.44269504088896340735992468100189214";
    Log10E "LOG10_E" "0.434294481903251827651128918916605082";
    Log210 "LOG2_10" "3.32192809488736234787031942948939018";
    Log102 "LOG10_2" "0.301029995663981195213738894724493027";
    FracPi2 "FRAC_PI_2" "1.57079632679489661923132169163975144";
    FracPi3 "FRAC_PI_3" "1.04719755119659774615421446109316763";
    FracPi4 "FRAC_PI_4" "0.785398163397448309615660845819875721";
    FracPi6 "FRAC_PI_6" "0.523598775598298873077107230546583814";
    FracPi8 "FRAC_PI_8" "0.392699081698724154807830422909937861";
    Frac1Pi "FRAC_1_PI" "0.318309886183790671537767526745028724";
    Frac2Pi "FRAC_2_PI" "0.636619772367581343075535053490057448";
    Frac2SqrtPi "FRAC_2_SQRT_PI" "1.12837916709551257389615890312154517";
    Frac1Sqrt2 "FRAC_1_SQRT_2" "0.707106781186547524400844362104849039";
}

impl AssocConst {
    /// The constant of that name, as an associated constant of a type (`f64::EPSILON`).
    pub fn limit(name: &str) -> Option<AssocConst> {
        Self::ALL.iter().copied().find(|c| c.digits().is_none() && c.name() == name)
    }

    /// The constant of that name in `std::f64::consts`.
    pub fn math(name: &str) -> Option<AssocConst> {
        Self::ALL.iter().copied().find(|c| c.digits().is_some() && c.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_standard_library() {
        use std::f64::consts;
        let expected = [
            (AssocConst::Pi, consts::PI),
            (AssocConst::E, consts::E),
            (AssocConst::Tau, consts::TAU),
            (AssocConst::Sqrt2, consts::SQRT_2),
            (AssocConst::Ln2, consts::LN_2),
            (AssocConst::Ln10, consts::LN_10),
            (AssocConst::Log2E, consts::LOG2_E),
            (AssocConst::Log10E, consts::LOG10_E),
            (AssocConst::Log210, consts::LOG2_10),
            (AssocConst::Log102, consts::LOG10_2),
            (AssocConst::FracPi2, consts::FRAC_PI_2),
            (AssocConst::FracPi3, consts::FRAC_PI_3),
            (AssocConst::FracPi4, consts::FRAC_PI_4),
            (AssocConst::FracPi6, consts::FRAC_PI_6),
            (AssocConst::FracPi8, consts::FRAC_PI_8),
            (AssocConst::Frac1Pi, consts::FRAC_1_PI),
            (AssocConst::Frac2Pi, consts::FRAC_2_PI),
            (AssocConst::Frac2SqrtPi, consts::FRAC_2_SQRT_PI),
            (AssocConst::Frac1Sqrt2, consts::FRAC_1_SQRT_2),
        ];
        for (constant, value) in expected {
            assert_eq!(constant.digits().unwrap().parse(), Ok(value), "{}", constant.name());
        }
    }

    #[test]
    fn names_are_unique() {
        for (i, a) in Intrinsic::ALL.iter().enumerate() {
            assert_eq!(Intrinsic::from_name(a.name()), Some(*a));
            assert!(Intrinsic::ALL[i + 1..].iter().all(|b| a.name() != b.name()));
        }
    }
}
