//! Scalar operations of the interpreter: Rust's own, dispatched on the type.

use op2_codegen::ir::{AssocConst, Binary, Intrinsic, Scalar};

use crate::value::Value;
use crate::value::Value::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Usize};

pub(crate) fn int(s: Scalar, n: u128) -> Value {
    match s {
        Scalar::I8 => I8(n as i8),
        Scalar::U8 => U8(n as u8),
        Scalar::I16 => I16(n as i16),
        Scalar::U16 => U16(n as u16),
        Scalar::I32 => I32(n as i32),
        Scalar::U32 => U32(n as u32),
        Scalar::I64 => I64(n as i64),
        Scalar::U64 => U64(n as u64),
        Scalar::Usize => Usize(n as usize),
        other => panic!("integer literal of type {other:?}"),
    }
}

pub(crate) fn float(s: Scalar, digits: &str) -> Value {
    match s {
        Scalar::F32 => F32(digits.parse().unwrap()),
        Scalar::F64 => F64(digits.parse().unwrap()),
        other => panic!("float literal of type {other:?}"),
    }
}

pub(crate) fn limit(s: Scalar, c: AssocConst) -> Value {
    macro_rules! float {
        ($v:ident $t:ident) => {
            $v(match c {
                AssocConst::Epsilon => $t::EPSILON,
                AssocConst::Min => $t::MIN,
                AssocConst::Max => $t::MAX,
                AssocConst::MinPositive => $t::MIN_POSITIVE,
                AssocConst::Infinity => $t::INFINITY,
                AssocConst::NegInfinity => $t::NEG_INFINITY,
                AssocConst::Nan => $t::NAN,
                other => panic!("limit {other:?}"),
            })
        };
    }
    let max = c == AssocConst::Max;
    match s {
        Scalar::F32 => float!(F32 f32),
        Scalar::F64 => float!(F64 f64),
        Scalar::I8 => I8(if max { i8::MAX } else { i8::MIN }),
        Scalar::U8 => U8(if max { u8::MAX } else { u8::MIN }),
        Scalar::I16 => I16(if max { i16::MAX } else { i16::MIN }),
        Scalar::U16 => U16(if max { u16::MAX } else { u16::MIN }),
        Scalar::I32 => I32(if max { i32::MAX } else { i32::MIN }),
        Scalar::U32 => U32(if max { u32::MAX } else { u32::MIN }),
        Scalar::I64 => I64(if max { i64::MAX } else { i64::MIN }),
        Scalar::U64 => U64(if max { u64::MAX } else { u64::MIN }),
        Scalar::Usize => Usize(if max { usize::MAX } else { usize::MIN }),
        other => panic!("limit of {other:?}"),
    }
}

pub(crate) fn neg(a: Value) -> Value {
    match a {
        F32(a) => F32(-a),
        F64(a) => F64(-a),
        I8(a) => I8(a.wrapping_neg()),
        I16(a) => I16(a.wrapping_neg()),
        I32(a) => I32(a.wrapping_neg()),
        I64(a) => I64(a.wrapping_neg()),
        a => panic!("-{a:?}"),
    }
}

pub(crate) fn not(a: Value) -> Value {
    match a {
        Bool(a) => Bool(!a),
        I8(a) => I8(!a),
        U8(a) => U8(!a),
        I16(a) => I16(!a),
        U16(a) => U16(!a),
        I32(a) => I32(!a),
        U32(a) => U32(!a),
        I64(a) => I64(!a),
        U64(a) => U64(!a),
        Usize(a) => Usize(!a),
        a => panic!("!{a:?}"),
    }
}

/// An integer as the 128-bit number that it is.
fn wide(a: &Value) -> i128 {
    match a {
        I8(a) => i128::from(*a),
        U8(a) => i128::from(*a),
        I16(a) => i128::from(*a),
        U16(a) => i128::from(*a),
        I32(a) => i128::from(*a),
        U32(a) => i128::from(*a),
        I64(a) => i128::from(*a),
        U64(a) => i128::from(*a),
        Usize(a) => *a as i128,
        a => panic!("integer expected, found {a:?}"),
    }
}

pub(crate) fn range(start: &Value, end: &Value, inclusive: bool) -> Vec<Value> {
    let last = wide(end) + i128::from(inclusive);
    let like = |n: i128| match start {
        I8(_) => I8(n as i8),
        U8(_) => U8(n as u8),
        I16(_) => I16(n as i16),
        U16(_) => U16(n as u16),
        I32(_) => I32(n as i32),
        U32(_) => U32(n as u32),
        I64(_) => I64(n as i64),
        U64(_) => U64(n as u64),
        _ => Usize(n as usize),
    };
    (wide(start)..last).map(like).collect()
}

pub(crate) fn binary(op: Binary, a: Value, b: Value) -> Value {
    if op.is_comparison() {
        return Bool(compare(op, &a, &b));
    }
    if op.is_shift() {
        let by = u32::try_from(wide(&b)).unwrap();
        return shift(op, a, by);
    }
    macro_rules! floats {
        ($v:ident, $a:ident, $b:ident) => {
            $v(match op {
                Binary::Add => $a + $b,
                Binary::Sub => $a - $b,
                Binary::Mul => $a * $b,
                Binary::Div => $a / $b,
                Binary::Rem => $a % $b,
                op => panic!("{op:?} of floats"),
            })
        };
    }
    macro_rules! ints {
        ($v:ident, $a:ident, $b:ident) => {
            $v(match op {
                Binary::Add => $a.wrapping_add($b),
                Binary::Sub => $a.wrapping_sub($b),
                Binary::Mul => $a.wrapping_mul($b),
                Binary::Div => $a.wrapping_div($b),
                Binary::Rem => $a.wrapping_rem($b),
                Binary::BitAnd => $a & $b,
                Binary::BitOr => $a | $b,
                Binary::BitXor => $a ^ $b,
                op => panic!("{op:?} of integers"),
            })
        };
    }
    match (a, b) {
        (F32(a), F32(b)) => floats!(F32, a, b),
        (F64(a), F64(b)) => floats!(F64, a, b),
        (I8(a), I8(b)) => ints!(I8, a, b),
        (U8(a), U8(b)) => ints!(U8, a, b),
        (I16(a), I16(b)) => ints!(I16, a, b),
        (U16(a), U16(b)) => ints!(U16, a, b),
        (I32(a), I32(b)) => ints!(I32, a, b),
        (U32(a), U32(b)) => ints!(U32, a, b),
        (I64(a), I64(b)) => ints!(I64, a, b),
        (U64(a), U64(b)) => ints!(U64, a, b),
        (Usize(a), Usize(b)) => ints!(Usize, a, b),
        (Bool(a), Bool(b)) => Bool(match op {
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            op => panic!("{op:?} of bools"),
        }),
        (a, b) => panic!("{op:?} of {a:?} and {b:?}"),
    }
}

fn shift(op: Binary, a: Value, by: u32) -> Value {
    let left = op == Binary::Shl;
    match a {
        I8(a) => I8(if left { a << by } else { a >> by }),
        U8(a) => U8(if left { a << by } else { a >> by }),
        I16(a) => I16(if left { a << by } else { a >> by }),
        U16(a) => U16(if left { a << by } else { a >> by }),
        I32(a) => I32(if left { a << by } else { a >> by }),
        U32(a) => U32(if left { a << by } else { a >> by }),
        I64(a) => I64(if left { a << by } else { a >> by }),
        U64(a) => U64(if left { a << by } else { a >> by }),
        Usize(a) => Usize(if left { a << by } else { a >> by }),
        a => panic!("shift of {a:?}"),
    }
}

fn compare(op: Binary, a: &Value, b: &Value) -> bool {
    fn by<T: PartialOrd>(op: Binary, a: T, b: T) -> bool {
        match op {
            Binary::Eq => a == b,
            Binary::Ne => a != b,
            Binary::Lt => a < b,
            Binary::Le => a <= b,
            Binary::Gt => a > b,
            _ => a >= b,
        }
    }
    match (a, b) {
        (F32(a), F32(b)) => by(op, a, b),
        (F64(a), F64(b)) => by(op, a, b),
        (Bool(a), Bool(b)) => by(op, a, b),
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => by(op, wide(a), wide(b)),
        (a, b) => panic!("comparison of {a:?} and {b:?}"),
    }
}

pub(crate) fn cast(a: Value, to: Scalar) -> Value {
    macro_rules! to {
        ($a:ident) => {
            match to {
                Scalar::F32 => F32($a as f32),
                Scalar::F64 => F64($a as f64),
                Scalar::I8 => I8($a as i8),
                Scalar::U8 => U8($a as u8),
                Scalar::I16 => I16($a as i16),
                Scalar::U16 => U16($a as u16),
                Scalar::I32 => I32($a as i32),
                Scalar::U32 => U32($a as u32),
                Scalar::I64 => I64($a as i64),
                Scalar::U64 => U64($a as u64),
                Scalar::Usize => Usize($a as usize),
                other => panic!("cast to {other:?}"),
            }
        };
    }
    match a {
        Bool(a) if to == Scalar::Bool => Bool(a),
        Bool(a) => {
            let a = i32::from(a);
            to!(a)
        }
        F32(a) => to!(a),
        F64(a) => to!(a),
        I8(a) => to!(a),
        U8(a) => to!(a),
        I16(a) => to!(a),
        U16(a) => to!(a),
        I32(a) => to!(a),
        U32(a) => to!(a),
        I64(a) => to!(a),
        U64(a) => to!(a),
        Usize(a) => to!(a),
        a => panic!("cast of {a:?}"),
    }
}

pub(crate) fn intrinsic(i: Intrinsic, args: &[Value]) -> Value {
    macro_rules! float {
        ($v:ident $t:ident $a:expr, [$($one:ident $name:ident),*]) => {
            match (i, &args[1..]) {
                $((Intrinsic::$one, []) => $v($a.$name()),)*
                (Intrinsic::Atan2, [$v(b)]) => $v($a.atan2(*b)),
                (Intrinsic::Copysign, [$v(b)]) => $v($a.copysign(*b)),
                (Intrinsic::Hypot, [$v(b)]) => $v($a.hypot(*b)),
                (Intrinsic::Max, [$v(b)]) => $v($a.max(*b)),
                (Intrinsic::Min, [$v(b)]) => $v($a.min(*b)),
                (Intrinsic::Powf, [$v(b)]) => $v($a.powf(*b)),
                (Intrinsic::Powi, [I32(b)]) => $v($a.powi(*b)),
                (Intrinsic::Clamp, [$v(b), $v(c)]) => $v($a.clamp(*b, *c)),
                (Intrinsic::MulAdd, [$v(b), $v(c)]) => $v($a.mul_add(*b, *c)),
                (Intrinsic::IsFinite, []) => Bool($a.is_finite()),
                (Intrinsic::IsInfinite, []) => Bool($a.is_infinite()),
                (Intrinsic::IsNan, []) => Bool($a.is_nan()),
                (Intrinsic::IsSignNegative, []) => Bool($a.is_sign_negative()),
                (i, rest) => panic!("{i:?} of {} and {rest:?}", stringify!($t)),
            }
        };
    }
    macro_rules! floats {
        ($v:ident $t:ident $a:expr) => {
            float!($v $t $a, [
                Abs abs, Acos acos, Acosh acosh, Asin asin, Asinh asinh, Atan atan, Atanh atanh,
                Cbrt cbrt, Ceil ceil, Cos cos, Cosh cosh, Exp exp, Exp2 exp2, ExpM1 exp_m1,
                Floor floor, Fract fract, Ln ln, Ln1p ln_1p, Log10 log10, Log2 log2, Recip recip,
                Round round, Signum signum, Sin sin, Sinh sinh, Sqrt sqrt, Tan tan, Tanh tanh,
                ToDegrees to_degrees, ToRadians to_radians, Trunc trunc
            ])
        };
    }
    macro_rules! ints {
        ($v:ident $u:ident $a:expr, $($signed:tt)*) => {
            match (i, &args[1..]) {
                (Intrinsic::AbsDiff, [$v(b)]) => $u($a.abs_diff(*b)),
                (Intrinsic::Clamp, [$v(b), $v(c)]) => $v((*$a).clamp(*b, *c)),
                (Intrinsic::CountOnes, []) => U32($a.count_ones()),
                (Intrinsic::LeadingZeros, []) => U32($a.leading_zeros()),
                (Intrinsic::Max, [$v(b)]) => $v(*$a.max(b)),
                (Intrinsic::Min, [$v(b)]) => $v(*$a.min(b)),
                (Intrinsic::Pow, [U32(b)]) => $v($a.pow(*b)),
                (Intrinsic::RemEuclid, [$v(b)]) => $v($a.rem_euclid(*b)),
                (Intrinsic::TrailingZeros, []) => U32($a.trailing_zeros()),
                (Intrinsic::WrappingAdd, [$v(b)]) => $v($a.wrapping_add(*b)),
                (Intrinsic::WrappingMul, [$v(b)]) => $v($a.wrapping_mul(*b)),
                (Intrinsic::WrappingNeg, []) => $v($a.wrapping_neg()),
                (Intrinsic::WrappingSub, [$v(b)]) => $v($a.wrapping_sub(*b)),
                $($signed)*
                (i, rest) => panic!("{i:?} of {:?} and {rest:?}", $a),
            }
        };
    }
    match &args[0] {
        F32(a) => floats!(F32 f32 a),
        F64(a) => floats!(F64 f64 a),
        I8(a) => ints!(I8 U8 a,
            (Intrinsic::Abs, []) => I8(a.abs()), (Intrinsic::Signum, []) => I8(a.signum()),),
        I16(a) => ints!(I16 U16 a,
            (Intrinsic::Abs, []) => I16(a.abs()), (Intrinsic::Signum, []) => I16(a.signum()),),
        U8(a) => ints!(U8 U8 a,),
        U16(a) => ints!(U16 U16 a,),
        I32(a) => ints!(I32 U32 a,
            (Intrinsic::Abs, []) => I32(a.abs()), (Intrinsic::Signum, []) => I32(a.signum()),),
        I64(a) => ints!(I64 U64 a,
            (Intrinsic::Abs, []) => I64(a.abs()), (Intrinsic::Signum, []) => I64(a.signum()),),
        U32(a) => ints!(U32 U32 a,),
        U64(a) => ints!(U64 U64 a,),
        Usize(a) => ints!(Usize Usize a,),
        other => panic!("{i:?} of {other:?}"),
    }
}
