//! Random types, literals and constants.

use super::{Gen, Var};
use crate::case::{Constant, Len, Scalar, Ty};

/// All that dats hold, and `usize`.
const INTS: [Scalar; 9] = [
    Scalar::I8,
    Scalar::U8,
    Scalar::I16,
    Scalar::U16,
    Scalar::I32,
    Scalar::U32,
    Scalar::I64,
    Scalar::U64,
    Scalar::Usize,
];

impl Gen {
    /// A scalar type for a local.
    pub(super) fn scalar(&mut self) -> Scalar {
        match self.r.weighted(&[55, 35, 10]) {
            0 => self.float(),
            1 => *self.r.pick(&INTS),
            _ => Scalar::Bool,
        }
    }

    pub(super) fn int(&mut self) -> Scalar {
        *self.r.pick(&INTS)
    }

    /// A type for a local, or for a parameter or result of a device function.
    pub(super) fn ty(&mut self, depth: usize) -> Ty {
        match self.r.weighted(if depth == 0 { &[1, 0, 0, 0] } else { &[52, 24, 14, 10] }) {
            0 => self.scalar_or_index(),
            1 => {
                let of = self.ty(depth - 1);
                let len = if self.r.chance(15) { Len::Named } else { Len::Lit(1 + self.r.below(4)) };
                Ty::Array(Box::new(of), len)
            }
            3 => self.record(),
            _ => {
                let count = 2 + self.r.below(2);
                self.mark("tuple");
                Ty::Tuple((0..count).map(|_| self.ty(depth - 1)).collect())
            }
        }
    }

    /// A type for the values of a dat or a global.
    pub(super) fn value(&mut self, flags: bool) -> Ty {
        if self.r.chance(14) {
            return self.record_of_dat(flags);
        }
        let elem = match self.r.weighted(&[62, 30, if flags { 8 } else { 0 }]) {
            0 => *self.r.pick(&[Scalar::F64, Scalar::F64, Scalar::F32]),
            1 => *self.r.pick(&INTS[..8]),
            _ => Scalar::Bool,
        };
        self.mark(elem.name());
        let scalar = Ty::Scalar(elem);
        match self.r.weighted(&[45, 40, 15]) {
            0 => scalar,
            1 => {
                self.mark("array");
                let len = if self.r.chance(20) { Len::Named } else { Len::Lit(1 + self.r.below(5)) };
                Ty::Array(Box::new(scalar), len)
            }
            _ => {
                self.mark("array of arrays");
                let inner = Ty::array(scalar, 1 + self.r.below(3));
                Ty::array(inner, 1 + self.r.below(3))
            }
        }
    }

    /// A literal. If `strict`, it tells its type by itself, because nothing else does.
    pub(super) fn literal(&mut self, s: Scalar, strict: bool) -> String {
        const FLOATS: [&str; 12] =
            ["0.0", "1.0", "0.5", "2.0", "0.1", "3.25", "1e3", "1e-3", "7.0", "0.75", "1e10", "0.333"];
        const INTEGERS: [&str; 12] = ["0", "1", "2", "3", "5", "7", "8", "13", "0x2f", "100", "1_000", "0b101"];
        match s {
            Scalar::Bool => (if self.r.chance(50) { "true" } else { "false" }).to_owned(),
            Scalar::Param(_) => {
                self.mark("F::lit");
                format!("{}::lit({})", s.name(), self.r.pick(&FLOATS))
            }
            _ if s.is_float() => {
                let digits = *self.r.pick(&FLOATS);
                self.mark("float literal");
                if strict || self.r.chance(20) { format!("{digits}_{}", s.name()) } else { digits.to_owned() }
            }
            _ => {
                let digits = *self.r.pick(&INTEGERS);
                let digits = if digits == "1_000" && s.narrow() == Some(8) { "0x7f" } else { digits };
                self.mark("integer literal");
                if strict || self.r.chance(20) { format!("{digits}_{}", s.name()) } else { digits.to_owned() }
            }
        }
    }

    /// A float literal with these digits.
    pub(super) fn known(s: Scalar, digits: &str) -> String {
        match s {
            Scalar::Param(_) => format!("{}::lit({digits})", s.name()),
            _ => format!("{digits}_{}", s.name()),
        }
    }

    /// Writes the constants of a case, which all functions see.
    pub(super) fn constants(&mut self) {
        let scalar = Ty::Scalar;
        let floats = Ty::array(scalar(Scalar::F64), 4);
        let table = Ty::array(Ty::array(scalar(Scalar::F64), 2), 3);
        let all = [
            ("NVAR", scalar(Scalar::Usize), "3", false, false),
            ("GAM", scalar(Scalar::F64), "1.4", false, false),
            ("SMALL", scalar(Scalar::F32), "0.3", false, true),
            ("KIND", scalar(Scalar::I32), "-3", false, false),
            ("MASK", scalar(Scalar::U64), "0xffff_ffff_0", false, true),
            ("WEIGHTS", floats.clone(), "[0.25, -1.5, 3.0, 1e2]", false, false),
            ("TABLE", table, "[[1.0, -2.0], [3.0, 4.5], [-5.0, 6.0]]", false, true),
            ("CODES", Ty::array(scalar(Scalar::I32), 3), "[1, -20, 300]", false, false),
            ("ALPHA", scalar(Scalar::F64), "0.75", true, false),
            ("LEVELS", floats, "[1.0, 2.5, -0.5, 8.0]", true, false),
            ("BYTES", Ty::array(scalar(Scalar::U8), 3), "[0, 200, b'z']", false, true),
            ("SHORTS", Ty::array(scalar(Scalar::I16), 2), "[-300, 7]", true, false),
            ("STEPS", Ty::array(scalar(Scalar::I64), 2), "[-7, 40]", true, false),
        ];
        for (name, ty, value, runtime, in_module) in all {
            let (name, value) = (name.to_owned(), value.to_owned());
            self.constants.push(Constant { name, ty, value, runtime, in_module });
        }
    }

    /// The constants as names in scope.
    pub(super) fn constant_vars(&self) -> Vec<Var> {
        let var = |c: &Constant| {
            let (path, get) = (if c.in_module { "phys::" } else { "" }, if c.runtime { ".get()" } else { "" });
            let name = format!("{path}{}{get}", c.name);
            let below = (c.name == "NVAR").then_some(Len::NAMED + 1);
            Var { name, ty: c.ty.clone(), mutable: false, below, open: true }
        };
        self.constants.iter().map(var).collect()
    }
}
