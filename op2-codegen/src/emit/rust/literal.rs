//! Literals, limits of types and the constants of mathematics.

use super::types::scalar;
use crate::ir::{AssocConst, Lit, Scalar, Ty};
use proc_macro2::{Ident, Literal, Span, TokenStream};

/// A literal with the suffix of its type.
pub(super) fn literal(lit: &Lit, ty: &Ty) -> TokenStream {
    let suffix = match ty {
        Ty::Scalar(s) => s.name(),
        _ => "",
    };
    match lit {
        Lit::Bool(true) => hygienic!(true),
        Lit::Bool(false) => hygienic!(false),
        Lit::Int(n) => parsed(&format!("{n}{suffix}")),
        Lit::Float(digits) => parsed(&format!("{}{suffix}", with_point(digits))),
    }
}

fn parsed(text: &str) -> TokenStream {
    let mut literal: Literal = text.parse().expect("digits and a suffix are a literal");
    literal.set_span(Span::mixed_site());
    hygienic!(#literal)
}

/// Digits that may be followed by a suffix: `2.` becomes `2.0`.
fn with_point(digits: &str) -> String {
    match digits.strip_suffix('.') {
        Some(whole) => format!("{whole}.0"),
        None => digits.to_owned(),
    }
}

/// An associated constant of a scalar type.
pub(super) fn assoc(constant: AssocConst, of: Scalar) -> TokenStream {
    let (name, ty) = (Ident::new(constant.name(), Span::mixed_site()), scalar(of));
    match (of, constant.digits()) {
        (Scalar::Generic(_), _) => hygienic!(<#ty as __op2::Float>::#name),
        (_, None) => hygienic!(#ty::#name),
        (Scalar::F32, Some(_)) => hygienic!(::core::f32::consts::#name),
        (_, Some(_)) => hygienic!(::core::f64::consts::#name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_their_type() {
        let text = |lit, scalar| literal(&lit, &Ty::Scalar(scalar)).to_string();
        assert_eq!(text(Lit::Int(7), Scalar::Usize), "7usize");
        assert_eq!(text(Lit::Int(u128::from(u64::MAX)), Scalar::U64), "18446744073709551615u64");
        for (digits, expected) in [("2.", "2.0f32"), ("3", "3f32"), ("1e-6", "1e-6f32"), ("0.5", "0.5f32")] {
            assert_eq!(text(Lit::Float(digits.to_owned()), Scalar::F32), expected);
        }
        assert_eq!(text(Lit::Bool(true), Scalar::Bool), "true");
    }

    #[test]
    fn constants_are_named_by_full_paths() {
        let text = |c, s| assoc(c, s).to_string().replace(' ', "");
        assert_eq!(text(AssocConst::Epsilon, Scalar::F32), "::core::primitive::f32::EPSILON");
        assert_eq!(text(AssocConst::Pi, Scalar::F32), "::core::f32::consts::PI");
        assert_eq!(text(AssocConst::Pi, Scalar::Generic(0)), "<Fas__op2::Float>::PI");
        assert_eq!(text(AssocConst::Max, Scalar::I64), "::core::primitive::i64::MAX");
    }
}
