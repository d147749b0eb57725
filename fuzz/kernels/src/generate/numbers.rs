//! Expressions of floats and integers.

use super::{Gen, UNSIGNED};
use crate::case::{Scalar, Ty};

const EXACT: [&str; 11] =
    ["abs", "ceil", "floor", "fract", "recip", "round", "signum", "sqrt", "to_degrees", "to_radians", "trunc"];
const LIBRARY: [&str; 20] = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "exp_m1", "ln", "ln_1p",
    "log10", "log2", "sin", "sinh", "tan", "tanh",
];

impl Gen {
    /// A composed expression of a float type.
    pub(super) fn of_float(&mut self, s: Scalar, depth: usize, strict: bool) -> String {
        let ty = Ty::Scalar(s);
        if self.r.chance(10)
            && let Some(value) = self.float_by_method(s)
        {
            return value;
        }
        match self.r.weighted(&[40, 6, 14, 12, 10, 5]) {
            0 => {
                let (a, b) = (self.expr(&ty, depth - 1, strict), self.expr(&ty, depth - 1, strict));
                let op = *self.r.pick(&["+", "-", "*", "+", "-", "*", "/", "%"]);
                self.mark(if op == "%" { "float remainder" } else { "float arithmetic" });
                if self.r.chance(30) { format!("{a} {op} {b}") } else { format!("({a} {op} {b})") }
            }
            1 => {
                self.mark("negation");
                format!("(-{})", self.expr(&ty, depth - 1, strict))
            }
            2 => self.float_method(s, depth, strict),
            3 => self.float_of_two(s, depth, strict),
            4 => self.cast_to_float(s, depth),
            _ => self.float_limit(s),
        }
    }

    fn float_method(&mut self, s: Scalar, depth: usize, _strict: bool) -> String {
        let name = if self.rounded && self.r.chance(60) { *self.r.pick(&LIBRARY) } else { *self.r.pick(&EXACT) };
        let a = self.expr(&Ty::Scalar(s), depth - 1, true);
        self.mark("float method");
        if !s.is_param() && self.r.chance(15) {
            self.mark("method by path");
            return format!("{}::{name}({a})", s.name());
        }
        format!("({a}).{name}()")
    }

    fn float_of_two(&mut self, s: Scalar, depth: usize, strict: bool) -> String {
        let ty = Ty::Scalar(s);
        let a = self.expr(&ty, depth - 1, true);
        let b = |g: &mut Self| g.expr(&ty, depth - 1, false);
        let zero = Self::known(s, "0.0");
        match self.r.below(if self.rounded { 9 } else { 5 }) {
            0 | 1 => {
                let (name, b) = (*self.r.pick(&["max", "min"]), b(self));
                // Rust leaves open which of two zeros is the greater one.
                if !s.is_param() && self.r.chance(25) {
                    self.mark("method by path");
                    return format!("({}::{name}({a}, {b}) + {zero})", s.name());
                }
                format!("(({a}).{name}({b}) + {zero})")
            }
            2 => {
                let (b, c) = (b(self), b(self));
                format!("({a}).mul_add({b}, {c})")
            }
            3 => {
                // It also leaves open the sign of a NaN.
                let floor = Self::known(s, "-1e9");
                let b = self.expr(&ty, depth - 1, true);
                format!("({a}).copysign(({b}).max({floor}))")
            }
            4 => {
                let (lo, hi) = (Self::known(s, "-1.5"), Self::known(s, "2.5"));
                let _ = strict;
                format!("({a}).clamp({lo}, {hi})")
            }
            5 => format!("({a}).atan2({})", b(self)),
            6 => format!("({a}).hypot({})", b(self)),
            7 => format!("({a}).powf({})", b(self)),
            _ => format!("({a}).powi({} & 7)", self.expr(&Ty::Scalar(Scalar::I32), depth - 1, true)),
        }
    }

    fn cast_to_float(&mut self, s: Scalar, depth: usize) -> String {
        if s.is_param() {
            let from = *self.r.pick(&[Scalar::I32, Scalar::U32, Scalar::Usize, Scalar::F32, Scalar::I64]);
            let a = self.expr(&Ty::Scalar(from), depth - 1, true);
            self.mark("F::lit of a cast");
            return format!("{}::lit(({a}) as f64)", s.name());
        }
        let mut from = self.int();
        if self.r.chance(30) {
            from = if s == Scalar::F64 { Scalar::F32 } else { Scalar::F64 };
        }
        let a = self.expr(&Ty::Scalar(from), depth - 1, true);
        let exactly = s == Scalar::F64 && matches!(from, Scalar::I32 | Scalar::U32 | Scalar::F32);
        if (exactly || from.narrow().is_some()) && self.r.chance(40) {
            self.mark("conversion by from");
            return format!("{}::from({a})", s.name());
        }
        self.mark("cast");
        format!("(({a}) as {})", s.name())
    }

    fn float_limit(&mut self, s: Scalar) -> String {
        self.mark("associated constant");
        let math = *self.r.pick(&["PI", "TAU", "FRAC_PI_2", "E", "SQRT_2", "LN_2"]);
        let limit = *self.r.pick(&["EPSILON", "MAX", "MIN", "MIN_POSITIVE", "INFINITY", "NEG_INFINITY", "NAN"]);
        match (s, self.r.chance(60)) {
            (Scalar::Param(_), math_too) => format!("{}::{}", s.name(), if math_too { math } else { limit }),
            (_, true) => format!("std::{}::consts::{math}", s.name()),
            (_, false) => format!("{}::{limit}", s.name()),
        }
    }

    /// A composed expression of an integer type.
    pub(super) fn of_int(&mut self, s: Scalar, depth: usize, strict: bool) -> String {
        let ty = Ty::Scalar(s);
        match self.r.weighted(&[30, 10, 14, 10, 6, 15, 15, 3]) {
            0 => {
                let (a, b) = (self.expr(&ty, depth - 1, strict), self.expr(&ty, depth - 1, strict));
                self.mark("integer arithmetic");
                format!("({a} {} {b})", self.r.pick(&["+", "-", "*"]))
            }
            1 => {
                let (a, b) = (self.expr(&ty, depth - 1, strict), self.expr(&ty, depth - 1, strict));
                self.mark("integer division");
                format!("({a} {} (({b} & 7) + 1))", self.r.pick(&["/", "%"]))
            }
            2 => {
                let (a, b) = (self.expr(&ty, depth - 1, strict), self.expr(&ty, depth - 1, strict));
                self.mark("bits");
                format!("({a} {} {b})", self.r.pick(&["&", "|", "^"]))
            }
            3 => {
                let by = self.int();
                let (a, b) = (self.expr(&ty, depth - 1, strict), self.expr(&Ty::Scalar(by), depth - 1, true));
                self.mark("shift");
                let most = s.narrow().unwrap_or(32) - 1;
                format!("({a} {} ({b} & {most}))", self.r.pick(&["<<", ">>"]))
            }
            4 if s.is_signed() && self.r.chance(50) => {
                self.mark("negation");
                format!("(-{})", self.expr(&ty, depth - 1, strict))
            }
            4 => {
                self.mark("not");
                format!("(!{})", self.expr(&ty, depth - 1, strict))
            }
            5 => self.int_method(s, depth),
            6 => self.cast_to_int(s, depth),
            _ => {
                self.mark("associated constant");
                format!("{}::{}", s.name(), self.r.pick(&["MIN", "MAX"]))
            }
        }
    }

    fn int_method(&mut self, s: Scalar, depth: usize) -> String {
        self.mark("integer method");
        let ty = Ty::Scalar(s);
        let bits = ["count_ones", "leading_zeros", "trailing_zeros"];
        if s == Scalar::U32 && self.r.chance(40) {
            let from = self.int();
            let a = self.expr(&Ty::Scalar(from), depth - 1, true);
            return format!("({a}).{}()", self.r.pick(&bits));
        }
        // `abs_diff` of signed integers is unsigned.
        let signed = match s {
            Scalar::U8 => Some(Scalar::I8),
            Scalar::U16 => Some(Scalar::I16),
            Scalar::U32 => Some(Scalar::I32),
            Scalar::U64 => Some(Scalar::I64),
            _ => None,
        };
        if let Some(from) = signed.filter(|_| self.r.chance(25)) {
            let from = Ty::Scalar(if self.r.chance(50) { from } else { s });
            let (a, b) = (self.expr(&from, depth - 1, true), self.expr(&from, depth - 1, false));
            return format!("({a}).abs_diff({b})");
        }
        let a = self.expr(&ty, depth - 1, true);
        let b = |g: &mut Self| g.expr(&ty, depth - 1, false);
        match self.r.below(if s.is_signed() { 10 } else { 8 }) {
            0 => format!("({a}).{}({})", self.r.clone_pick(&["max", "min"]), b(self)),
            1 => format!("({a}).clamp(2, 11)"),
            2 => format!("({a}).pow({} & 3)", self.expr(&Ty::Scalar(Scalar::U32), depth - 1, true)),
            3 => format!("({a}).rem_euclid(({} & 7) + 1)", b(self)),
            4 => format!("({a}).wrapping_add({})", b(self)),
            5 => format!("({a}).wrapping_mul({})", b(self)),
            6 => format!("({a}).wrapping_sub({})", b(self)),
            7 => format!("({a}).wrapping_neg()"),
            8 => format!("({a}).abs()"),
            _ => format!("({a}).signum()"),
        }
    }

    fn cast_to_int(&mut self, s: Scalar, depth: usize) -> String {
        let from = match self.r.weighted(&[30, 55, 15]) {
            // A type parameter cannot be cast by `as`.
            0 => *self.r.pick(&[Scalar::F32, Scalar::F64]),
            1 => self.int(),
            _ => Scalar::Bool,
        };
        let widens = from == Scalar::U32 && matches!(s, Scalar::I64 | Scalar::U64 | Scalar::Usize);
        let from = if widens && self.leaves_out(UNSIGNED) { Scalar::I32 } else { from };
        let a = self.expr(&Ty::Scalar(from), depth - 1, true);
        let converts = matches!(
            (from, s),
            (Scalar::Bool, _)
                | (Scalar::I8, Scalar::I16 | Scalar::I32)
                | (Scalar::U8, Scalar::U16 | Scalar::I16 | Scalar::I64 | Scalar::Usize)
                | (Scalar::I16, Scalar::I32 | Scalar::I64)
                | (Scalar::U16, Scalar::U32 | Scalar::I32 | Scalar::U64 | Scalar::Usize)
                | (Scalar::I32 | Scalar::U32, Scalar::I64)
                | (Scalar::U32, Scalar::U64)
        );
        if converts && self.r.chance(40) {
            self.mark("conversion by from");
            return format!("{}::from({a})", s.name());
        }
        self.mark("cast");
        format!("(({a}) as {})", s.name())
    }
}
