//! Literals and associated constants.

use crate::ir::{AssocConst, Scalar};

/// An integer literal of exactly its type.
pub(super) fn int(scalar: Scalar, n: u128) -> String {
    match scalar {
        // No literal of C++ has such a type.
        Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 => format!("{}({n})", scalar.name()),
        Scalar::U32 => format!("{n}u"),
        Scalar::I64 => format!("{n}ll"),
        Scalar::U64 | Scalar::Usize => format!("{n}ull"),
        _ => n.to_string(),
    }
}

/// `-n`; the least number of a type has no literal in C++, as the minus is not part of it.
pub(super) fn negative(scalar: Scalar, n: u128) -> String {
    let least = scalar.range().map_or(0, |(least, _)| least.unsigned_abs());
    match scalar {
        _ if n == least => format!("op2::Limits<{}>::min()", scalar.name()),
        Scalar::I8 | Scalar::I16 => format!("{}(-{n})", scalar.name()),
        _ => format!("-{}", int(scalar, n)),
    }
}

/// A float literal with the user's digits.
pub(super) fn float(scalar: Scalar, digits: &str) -> String {
    let (text, single) = (with_point(digits), scalar == Scalar::F32);
    match single {
        true => float_of(digits.parse::<f32>().map_or(0.0, f64::from), format!("{text}f"), "float"),
        false => float_of(digits.parse().unwrap_or(0.0), text, "double"),
    }
}

fn float_of(value: f64, text: String, ty: &str) -> String {
    if value.is_infinite() { format!("op2::Limits<{ty}>::infinity()") } else { text }
}

fn with_point(digits: &str) -> String {
    match digits.split_once(['e', 'E']) {
        _ if digits.ends_with('.') => format!("{digits}0"),
        Some(_) => digits.to_string(),
        None if digits.contains('.') => digits.to_string(),
        None => format!("{digits}.0"),
    }
}

/// An associated constant of a type with the C++ name `ty`.
pub(super) fn assoc(constant: AssocConst, scalar: Scalar, ty: &str) -> String {
    let Some(digits) = constant.digits() else {
        return format!("op2::Limits<{ty}>::{}()", constant.name().to_lowercase());
    };
    let value: f64 = digits.parse().unwrap_or(0.0);
    match scalar {
        Scalar::F32 => format!("{:?}f", value as f32),
        Scalar::Generic(_) => format!("{ty}({value:?})"),
        _ => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_their_type() {
        assert_eq!(int(Scalar::I32, 7), "7");
        assert_eq!(int(Scalar::U32, 7), "7u");
        assert_eq!(int(Scalar::U8, 7), "u8(7)");
        assert_eq!(negative(Scalar::I16, 7), "i16(-7)");
        assert_eq!(negative(Scalar::I8, 128), "op2::Limits<i8>::min()");
        assert_eq!(int(Scalar::I64, 7), "7ll");
        assert_eq!(int(Scalar::Usize, 7), "7ull");
        assert_eq!(negative(Scalar::I32, 7), "-7");
        assert_eq!(negative(Scalar::I32, 1 << 31), "op2::Limits<i32>::min()");
        assert_eq!(negative(Scalar::I64, 1 << 31), "-2147483648ll");
        assert_eq!(float(Scalar::F32, "0.5"), "0.5f");
        assert_eq!(float(Scalar::F32, "3"), "3.0f");
        assert_eq!(float(Scalar::F64, "3"), "3.0");
        assert_eq!(float(Scalar::F64, "2."), "2.0");
        assert_eq!(float(Scalar::F64, "1e-6"), "1e-6");
        assert_eq!(float(Scalar::F64, "1e400"), "op2::Limits<double>::infinity()");
        assert_eq!(float(Scalar::F32, "1e40"), "op2::Limits<float>::infinity()");
    }

    /// A generic kernel gets the constants through `f64`; rounding twice must not change them.
    #[test]
    fn constants_are_rounded_once() {
        for constant in AssocConst::ALL {
            let Some(digits) = constant.digits() else { continue };
            let (single, double): (f32, f64) = (digits.parse().unwrap(), digits.parse().unwrap());
            assert_eq!(single, double as f32, "{}", constant.name());
        }
        assert_eq!(assoc(AssocConst::Pi, Scalar::F32, "float"), "3.1415927f");
        assert_eq!(assoc(AssocConst::Pi, Scalar::F64, "double"), "3.141592653589793");
        assert_eq!(assoc(AssocConst::Epsilon, Scalar::Generic(0), "F"), "op2::Limits<F>::epsilon()");
    }
}
