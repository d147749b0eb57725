//! A case: kernels, the loops over them, and their data.

mod record;

use std::collections::BTreeSet;
use std::fmt;

use syn::ItemFn;

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
        }
    }

    /// The scalar of an array of any depth.
    pub fn elem(&self) -> Scalar {
        match self {
            Ty::Scalar(s) => *s,
            Ty::Array(of, _) | Ty::Ref(_, of) => of.elem(),
            Ty::Tuple(parts) => parts[0].elem(),
            Ty::Record(Record::Kind) => Scalar::U8,
            Ty::Record(record) => record.fields()[0].1.elem(),
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
            Ty::Array(of, _) | Ty::Ref(_, of) => of.mentions(float),
            Ty::Tuple(parts) => parts.iter().any(|part| part.mentions(float)),
            Ty::Record(record) => *record == Record::Both(float),
        }
    }

    /// Whether the type contains the length that is a kernel's parameter.
    pub fn has_own_length(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Record(_) => false,
            Ty::Array(of, len) => matches!(len, Len::Own(_)) || of.has_own_length(),
            Ty::Ref(_, of) => of.has_own_length(),
            Ty::Tuple(parts) => parts.iter().any(Ty::has_own_length),
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
        }
    }
}

/// Access of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `read`
    Read,
    /// `write`
    Write,
    /// `rw`
    Rw,
    /// `rw` by elements that share targets. The kernel then uses an operation whose order does not matter.
    Commute,
    /// `inc`
    Inc,
    /// `min`
    Min,
    /// `max`
    Max,
    /// `or`
    Or,
}

impl Mode {
    /// The keyword of the access.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Rw | Mode::Commute => "rw",
            Mode::Inc => "inc",
            Mode::Min => "min",
            Mode::Max => "max",
            Mode::Or => "or",
        }
    }

    /// Whether contributions are combined.
    pub fn combines(self) -> bool {
        matches!(self, Mode::Inc | Mode::Min | Mode::Max | Mode::Or)
    }
}

/// A set of the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// All edges.
    Edges,
    /// A subset of the edges, in no order.
    Some,
    /// All nodes.
    Nodes,
    /// Pairs, with the elements outside that they lead from, or, if so, those that they lead to.
    Pairs(Meeting, bool),
}

/// Pairs of elements that meet. They lead to nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// Their handle in op2.
    pub handle: &'static str,
    /// All of them in plain Rust, as `(from, to, shift)`.
    pub list: &'static str,
    /// Whether they lead from nodes, and not from edges.
    pub from_nodes: bool,
    /// Whether they meet in space, where an image is shifted.
    pub in_space: bool,
}

/// All kinds of pairs: two in space, those of rows that lead to other elements, and those of rows that lead to elements of the same set.
pub const MEETINGS: [Meeting; 4] = [
    Meeting { handle: "on.near", list: "mesh.near()", from_nodes: false, in_space: true },
    Meeting { handle: "on.wide", list: "mesh.wide()", from_nodes: false, in_space: true },
    Meeting { handle: "on.list.pairs()", list: "met(&mesh.list)", from_nodes: false, in_space: false },
    Meeting { handle: "on.star.pairs()", list: "met(&mesh.star)", from_nodes: true, in_space: false },
];

/// A map of the mesh, to nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapOf {
    /// Its name in the harness.
    pub name: &'static str,
    /// Entries per element.
    pub arity: usize,
    /// Whether no two entries name the same target.
    pub injective: bool,
    /// Whether entries may be missing.
    pub optional: bool,
}

/// The maps from edges.
pub const FROM_EDGES: [MapOf; 6] = [
    MapOf { name: "ring", arity: 2, injective: false, optional: false },
    MapOf { name: "wild", arity: 3, injective: false, optional: false },
    MapOf { name: "skew", arity: 1, injective: false, optional: false },
    MapOf { name: "own", arity: 2, injective: true, optional: false },
    MapOf { name: "gaps", arity: 2, injective: false, optional: true },
    MapOf { name: "rare", arity: 2, injective: true, optional: true },
];

/// The maps from edges whose rows are taken as wholes: two of rows of any length, the second one of rows that share nothing, and two with rows of one
/// length.
pub const ROWS_FROM_EDGES: [MapOf; 4] = [
    MapOf { name: "list", arity: 0, injective: false, optional: false },
    MapOf { name: "kids", arity: 0, injective: true, optional: false },
    MapOf { name: "wild", arity: 3, injective: false, optional: false },
    MapOf { name: "own", arity: 2, injective: true, optional: false },
];

/// The same from nodes.
pub const ROWS_FROM_NODES: [MapOf; 2] = [
    MapOf { name: "star", arity: 0, injective: false, optional: false },
    MapOf { name: "link", arity: 2, injective: false, optional: false },
];

/// The map from nodes.
pub const FROM_NODES: [MapOf; 1] = [MapOf { name: "link", arity: 2, injective: false, optional: false }];

/// The path from an element to an argument's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The element itself.
    Direct,
    /// Through one entry, literal or computed.
    One(MapOf, usize, bool),
    /// Through all entries.
    All(MapOf),
    /// Through all entries, as a row of any length.
    Row(MapOf),
    /// The element that a pair leads from, or, if so, the one that it leads to.
    End(bool),
}

impl Via {
    /// Whether entries may be missing.
    pub fn may_miss(self) -> bool {
        matches!(self, Via::One(map, ..) | Via::All(map) if map.optional)
    }

    /// Whether it leads to nodes in a loop over these elements.
    pub fn on_nodes(self, over: Over) -> bool {
        match (self, over) {
            (Via::Direct, over) => over == Over::Nodes,
            (Via::End(false), Over::Pairs(meeting, _)) => meeting.from_nodes,
            _ => true,
        }
    }

    /// The number of values, if the argument has several.
    pub fn count(self) -> Option<usize> {
        match self {
            Via::All(map) => Some(map.arity),
            _ => None,
        }
    }
}

/// An argument of a loop, which is a parameter of the kernel.
#[derive(Debug, Clone)]
pub struct Arg {
    /// The parameter's name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
}

/// Kinds of arguments.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A dat: its index in the case, the access, the path, and the flag of an optional argument.
    Dat(usize, Mode, Via, Option<usize>),
    /// A global.
    Global(usize, Mode),
    /// An arg reduction: its index, and whether it takes the greatest.
    Best(usize, bool),
    /// An index.
    Index(Via, Scalar),
    /// The shift of a pair in space.
    Shift,
}

/// A dat of the case.
#[derive(Debug, Clone)]
pub struct Dat {
    /// Its name.
    pub name: String,
    /// Whether it lives on the nodes.
    pub nodes: bool,
    /// The type of its values.
    pub ty: Ty,
}

/// A global of the case.
#[derive(Debug, Clone)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// The type of its value.
    pub ty: Ty,
    /// For an arg reduction: whether it takes the greatest, and the type of the payload.
    pub best: Option<(bool, Ty)>,
}

/// A loop over a kernel.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The kernel's function. Its parameters are printed from `args`, its body from here.
    pub kernel: ItemFn,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// The set or subset.
    pub over: Over,
}

/// A constant.
#[derive(Debug, Clone)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Its value as Rust text.
    pub value: String,
    /// Whether it belongs to `op2::constants!` and is set at run time.
    pub runtime: bool,
    /// Whether it is in the module `phys`.
    pub in_module: bool,
}

/// A device function.
#[derive(Debug, Clone)]
pub struct Function {
    /// The function.
    pub item: ItemFn,
    /// Whether it is in the module `deep`.
    pub in_module: bool,
}

/// A program: loops over random kernels.
#[derive(Debug, Clone)]
pub struct Case {
    /// The seed that generated it.
    pub seed: u64,
    /// Whether results do not depend on the order of additions.
    pub exact: bool,
    /// Whether it calls functions whose last digit differs between machines.
    pub rounded: bool,
    /// Whether the loops run as a chain.
    pub chained: bool,
    /// Its constants.
    pub constants: Vec<Constant>,
    /// Its device functions; each calls only earlier ones.
    pub functions: Vec<Function>,
    /// Its dats.
    pub dats: Vec<Dat>,
    /// Its globals.
    pub globals: Vec<Global>,
    /// Its loops, in order.
    pub loops: Vec<Loop>,
    /// The constructs of the language that it contains.
    pub marks: BTreeSet<&'static str>,
}

impl Ty {
    /// A float type in this type, if there is one.
    pub fn float(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(s) => s.is_float().then_some(*s),
            Ty::Ref(_, of) | Ty::Array(of, _) => of.float(),
            Ty::Tuple(parts) => parts.iter().find_map(Ty::float),
            // Only the type parameter of a record leads to that of a function.
            Ty::Record(Record::Both(float)) => Some(*float),
            Ty::Record(_) => None,
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

    /// Whether the type contains a reference.
    pub fn is_reference(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Record(_) => false,
            Ty::Ref(..) => true,
            Ty::Array(of, _) => of.is_reference(),
            Ty::Tuple(parts) => parts.iter().any(Ty::is_reference),
        }
    }
}
