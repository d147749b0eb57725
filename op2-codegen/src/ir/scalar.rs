//! Properties of scalars and operators.

use super::{Binary, Len, Scalar, Ty, Unary};

impl Scalar {
    /// Rust's name; `Float` for the generic float type.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
            Scalar::Generic(_) => "Float",
            Scalar::I8 => "i8",
            Scalar::U8 => "u8",
            Scalar::I16 => "i16",
            Scalar::U16 => "u16",
            Scalar::I32 => "i32",
            Scalar::U32 => "u32",
            Scalar::I64 => "i64",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::Bool => "bool",
            Scalar::Idx => "Idx<…>",
            Scalar::MaybeIdx => "Option<Idx<…>>",
        }
    }

    /// The scalar of that Rust name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        use Scalar::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Usize};
        [F32, F64, I8, U8, I16, U16, I32, U32, I64, U64, Usize, Bool].into_iter().find(|s| s.name() == name)
    }

    /// `f32`, `f64` or the generic float type.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64 | Scalar::Generic(_))
    }

    /// One of the integer types.
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Scalar::Bool && !self.is_index()
    }

    /// An index of an element, or none.
    pub fn is_index(self) -> bool {
        matches!(self, Scalar::Idx | Scalar::MaybeIdx)
    }

    /// Whether it is a number: one may compute with it.
    pub fn is_number(self) -> bool {
        self.is_float() || self.is_int()
    }

    /// A float or a signed integer.
    pub fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Bits of a value; those of a `bool` count as memory holds them. `None` for the float type parameter.
    pub fn bits(self) -> Option<u32> {
        match self {
            Scalar::Generic(_) => None,
            Scalar::I8 | Scalar::U8 | Scalar::Bool => Some(8),
            Scalar::I16 | Scalar::U16 => Some(16),
            Scalar::F32 | Scalar::I32 | Scalar::U32 | Scalar::Idx | Scalar::MaybeIdx => Some(32),
            Scalar::F64 | Scalar::I64 | Scalar::U64 | Scalar::Usize => Some(64),
        }
    }

    /// Least and greatest value of an integer type.
    pub fn range(self) -> Option<(i128, i128)> {
        let bits = self.bits().filter(|_| self.is_int())?;
        Some(match self.is_signed() {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        })
    }

    /// The unsigned integer type of an integer type's width.
    pub fn unsigned(self) -> Scalar {
        match self {
            Scalar::I8 => Scalar::U8,
            Scalar::I16 => Scalar::U16,
            Scalar::I32 => Scalar::U32,
            Scalar::I64 => Scalar::U64,
            scalar => scalar,
        }
    }
}

impl Unary {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Not => "!",
        }
    }
}

impl Binary {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::BitAnd => "&",
            Binary::BitOr => "|",
            Binary::BitXor => "^",
            Binary::Shl => "<<",
            Binary::Shr => ">>",
            Binary::And => "&&",
            Binary::Or => "||",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
        }
    }

    /// `==`, `<` and their like: scalar operands of one type, a `bool` as result.
    pub fn is_comparison(self) -> bool {
        use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// `&&`, `||`
    pub fn is_lazy(self) -> bool {
        matches!(self, Binary::And | Binary::Or)
    }

    /// `<<`, `>>`: the operands may differ in type, the result has the left one's.
    pub fn is_shift(self) -> bool {
        matches!(self, Binary::Shl | Binary::Shr)
    }
}

impl Ty {
    /// A type that `parse` leaves to `model`; each occurrence is a type of its own.
    pub const HOLE: Ty = Ty::Infer(usize::MAX);

    /// Whether it is a row of any length, perhaps behind a reference that may be absent.
    pub fn is_row(&self) -> bool {
        match self {
            Ty::Array(_, Len::Row) => true,
            Ty::Ref(_, inner) | Ty::Option(inner) => inner.is_row(),
            _ => false,
        }
    }

    /// Whether it is a table, perhaps behind a reference.
    pub fn is_table(&self) -> bool {
        match self {
            Ty::Table(_) => true,
            Ty::Ref(_, inner) | Ty::Option(inner) => inner.is_table(),
            _ => false,
        }
    }

    /// Whether a part of the type is a reference.
    pub fn has_reference(&self) -> bool {
        match self {
            Ty::Ref(..) => true,
            Ty::Array(item, _) | Ty::Option(item) => item.has_reference(),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(Ty::has_reference),
            _ => false,
        }
    }

    /// Whether a part of the type is a `&mut`: a value of it lets something be changed.
    pub fn has_exclusive(&self) -> bool {
        match self {
            Ty::Ref(mutable, inner) => *mutable || inner.has_exclusive(),
            Ty::Array(item, _) | Ty::Option(item) => item.has_exclusive(),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(Ty::has_exclusive),
            _ => false,
        }
    }

    /// Whether a part of the type is an inference variable or a hole.
    pub fn has_hole(&self) -> bool {
        match self {
            Ty::Infer(_) => true,
            Ty::Unit | Ty::Never | Ty::Scalar(_) => false,
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => t.has_hole(),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(Ty::has_hole),
            Ty::ArgBest(_, value, payload) => value.has_hole() || payload.has_hole(),
        }
    }

    /// The scalar behind references, in arrays, and in records whose fields all have the same one.
    pub fn elem(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(s) => Some(*s),
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => t.elem(),
            Ty::Record(_, fields) => {
                let first = fields.first()?.elem()?;
                fields.iter().all(|field| field.elem() == Some(first)).then_some(first)
            }
            _ => None,
        }
    }
}
