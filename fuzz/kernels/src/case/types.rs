//! Types of the kernel language.

mod record;

use std::fmt;

pub use record::Record;

/// A scalar type of the kernel language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `i8`
    I8,
    /// `u8`
    U8,
    /// `i16`
    I16,
    /// `u16`
    U16,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `usize`
    Usize,
    /// `bool`
    Bool,
    /// A type parameter of a generic function: `F`, or the second one of a kernel, `G`.
    Param(usize),
}

impl Scalar {
    /// Its name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
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
            Scalar::Param(n) => ["F", "G"][n],
        }
    }

    /// Whether the scalar is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64 | Scalar::Param(_))
    }

    /// Whether the scalar is a type parameter.
    pub fn is_param(self) -> bool {
        matches!(self, Scalar::Param(_))
    }

    /// Whether the scalar is an integer.
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// Whether the scalar has a sign.
    pub fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// The bits of an integer of fewer than 32.
    pub fn narrow(self) -> Option<u32> {
        match self {
            Scalar::I8 | Scalar::U8 => Some(8),
            Scalar::I16 | Scalar::U16 => Some(16),
            _ => None,
        }
    }
}

/// A length of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Len {
    /// A literal.
    Lit(usize),
    /// The constant `NVAR`.
    Named,
    /// The parameter `N` of a kernel, which stands for this number.
    Own(usize),
}

impl Len {
    /// The value of `NVAR`.
    pub const NAMED: usize = 3;

    /// The length as a number.
    pub fn number(self) -> usize {
        match self {
            Len::Lit(n) | Len::Own(n) => n,
            Len::Named => Self::NAMED,
        }
    }
}

impl fmt::Display for Len {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Len::Lit(n) => write!(f, "{n}"),
            Len::Named => write!(f, "NVAR"),
            Len::Own(_) => write!(f, "N"),
        }
    }
}

/// A type of the kernel language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ty {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Box<Ty>, Len),
    /// A tuple.
    Tuple(Vec<Ty>),
    /// A record.
    Record(Record),
    /// A reference, exclusive or not.
    Ref(bool, Box<Ty>),
    /// An element of a set.
    Index(Index),
    /// All values of a dat, on the nodes or the edges. It stands behind a reference.
    Table(bool, Box<Ty>),
}

/// An element of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Index {
    /// Whether it is a node, and not an edge.
    pub node: bool,
    /// Whether it may be missing.
    pub may_miss: bool,
}

impl Index {
    /// A node or an edge that is there.
    pub fn of(node: bool) -> Self {
        Index { node, may_miss: false }
    }

    /// The same as an option.
    pub fn or_none(self) -> Self {
        Index { may_miss: true, ..self }
    }

    /// The same, known to be there.
    pub fn there(self) -> Self {
        Index { may_miss: false, ..self }
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.may_miss {
            true => write!(f, "Option<{}>", self.there()),
            false => write!(f, "Idx<{}>", kind(self.node)),
        }
    }
}

/// The type of the handles of a set.
fn kind(node: bool) -> &'static str {
    if node { "Nodes" } else { "Edges" }
}

impl Ty {
    /// An array of a literal length.
    pub fn array(of: Ty, len: usize) -> Ty {
        Ty::Array(Box::new(of), Len::Lit(len))
    }

    /// A type of a device function with `float` in place of its type parameter.
    pub fn with(&self, float: Scalar) -> Ty {
        match self {
            Ty::Scalar(Scalar::Param(0)) => Ty::Scalar(float),
            Ty::Scalar(s) => Ty::Scalar(*s),
            Ty::Array(of, len) => Ty::Array(Box::new(of.with(float)), *len),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| p.with(float)).collect()),
            Ty::Record(record) => Ty::Record(record.with(Scalar::Param(0), float)),
            Ty::Ref(mutable, of) => Ty::Ref(*mutable, Box::new(of.with(float))),
            Ty::Table(nodes, of) => Ty::Table(*nodes, Box::new(of.with(float))),
            Ty::Index(_) => self.clone(),
        }
    }

    /// The scalar of an array of any depth.
    ///
    /// # Panics
    /// If it is an index: no such value is computed with.
    pub fn elem(&self) -> Scalar {
        match self {
            Ty::Scalar(s) => *s,
            Ty::Array(of, _) | Ty::Ref(_, of) => of.elem(),
            Ty::Tuple(parts) => parts[0].elem(),
            Ty::Record(Record::Kind) => Scalar::U8,
            Ty::Record(record) => record.fields()[0].1.elem(),
            Ty::Index(_) | Ty::Table(..) => unreachable!("a scalar of `{self}`"),
        }
    }

    /// Whether the type contains a type parameter.
    pub fn is_generic(&self) -> bool {
        (0..2).any(|n| self.mentions(Scalar::Param(n)))
    }

    /// Whether the type contains the float `float` where a type parameter may stand.
    pub fn mentions(&self, float: Scalar) -> bool {
        match self {
            Ty::Scalar(s) => *s == float,
            Ty::Index(_) => false,
            Ty::Array(of, _) | Ty::Ref(_, of) | Ty::Table(_, of) => of.mentions(float),
            Ty::Tuple(parts) => parts.iter().any(|part| part.mentions(float)),
            Ty::Record(record) => *record == Record::Both(float),
        }
    }

    /// Whether the type contains the length that is a kernel's parameter.
    pub fn has_own_length(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Record(_) | Ty::Index(_) => false,
            Ty::Array(of, len) => matches!(len, Len::Own(_)) || of.has_own_length(),
            Ty::Ref(_, of) | Ty::Table(_, of) => of.has_own_length(),
            Ty::Tuple(parts) => parts.iter().any(Ty::has_own_length),
        }
    }

    /// A float type in this type, if there is one.
    pub fn float(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(s) => s.is_float().then_some(*s),
            Ty::Ref(_, of) | Ty::Array(of, _) => of.float(),
            Ty::Tuple(parts) => parts.iter().find_map(Ty::float),
            // Only the type parameter of a record leads to that of a function.
            Ty::Record(Record::Both(float)) => Some(*float),
            Ty::Record(_) | Ty::Index(_) | Ty::Table(..) => None,
        }
    }

    /// Whether the type is an enum, or an array of them.
    pub fn is_enum(&self) -> bool {
        match self {
            Ty::Record(record) => *record == Record::Kind,
            Ty::Array(of, _) => of.is_enum(),
            _ => false,
        }
    }

    /// Whether the type contains indices of nodes, or of edges.
    pub fn has_index_of(&self, node: bool) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Record(_) => false,
            Ty::Index(index) => index.node == node,
            Ty::Ref(_, of) | Ty::Array(of, _) => of.has_index_of(node),
            Ty::Table(nodes, of) => *nodes == node || of.has_index_of(node),
            Ty::Tuple(parts) => parts.iter().any(|part| part.has_index_of(node)),
        }
    }

    /// Whether the type contains indices.
    pub fn has_index(&self) -> bool {
        [false, true].into_iter().any(|node| self.has_index_of(node))
    }

    /// The row of a map that has such values: where its entries lead, and how many there are.
    pub fn row_of_map(&self) -> Option<(Index, usize)> {
        match self {
            Ty::Index(index) => Some((*index, 1)),
            Ty::Array(of, len) => match **of {
                Ty::Index(index) => Some((index, len.number())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the type contains a reference.
    pub fn is_reference(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Record(_) | Ty::Index(_) | Ty::Table(..) => false,
            Ty::Ref(..) => true,
            Ty::Array(of, _) => of.is_reference(),
            Ty::Tuple(parts) => parts.iter().any(Ty::is_reference),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(s) => f.write_str(s.name()),
            Ty::Array(of, len) => write!(f, "[{of}; {len}]"),
            Ty::Tuple(parts) => {
                f.write_str("(")?;
                parts.iter().try_for_each(|part| write!(f, "{part}, "))?;
                f.write_str(")")
            }
            Ty::Record(record) => write!(f, "{record}"),
            Ty::Ref(mutable, of) => write!(f, "&{}{of}", if *mutable { "mut " } else { "" }),
            Ty::Index(index) => write!(f, "{index}"),
            Ty::Table(nodes, of) => write!(f, "Table<{}, {of}>", kind(*nodes)),
        }
    }
}
