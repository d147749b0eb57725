//! A case: kernels, the loops over them, and their data.

mod types;

use std::collections::BTreeSet;

use syn::ItemFn;

pub use types::{Index, Len, Record, Scalar, Ty};

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

/// A map that loops follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapOf {
    /// Its name in the harness.
    pub name: &'static str,
    /// The dat of the case that it is, if kernels write it.
    pub dat: Option<usize>,
    /// Whether it leads to nodes.
    pub to_nodes: bool,
    /// Entries per element.
    pub arity: usize,
    /// Whether no two entries name the same target.
    pub injective: bool,
    /// Whether entries may be missing.
    pub optional: bool,
}

impl MapOf {
    /// A map of the mesh, which leads to nodes.
    const OF_MESH: MapOf = MapOf { name: "", dat: None, to_nodes: true, arity: 0, injective: false, optional: false };
}

/// The maps from edges.
pub const FROM_EDGES: [MapOf; 6] = [
    MapOf { name: "ring", arity: 2, ..MapOf::OF_MESH },
    MapOf { name: "wild", arity: 3, ..MapOf::OF_MESH },
    MapOf { name: "skew", arity: 1, ..MapOf::OF_MESH },
    MapOf { name: "own", arity: 2, injective: true, ..MapOf::OF_MESH },
    MapOf { name: "gaps", arity: 2, optional: true, ..MapOf::OF_MESH },
    MapOf { name: "rare", arity: 2, injective: true, optional: true, ..MapOf::OF_MESH },
];

/// The maps from edges whose rows are taken as wholes: two of rows of any length, the second one of rows that share nothing, and two with rows of one
/// length.
pub const ROWS_FROM_EDGES: [MapOf; 4] = [
    MapOf { name: "list", ..MapOf::OF_MESH },
    MapOf { name: "kids", injective: true, ..MapOf::OF_MESH },
    MapOf { name: "wild", arity: 3, ..MapOf::OF_MESH },
    MapOf { name: "own", arity: 2, injective: true, ..MapOf::OF_MESH },
];

/// The same from nodes.
pub const ROWS_FROM_NODES: [MapOf; 2] =
    [MapOf { name: "star", ..MapOf::OF_MESH }, MapOf { name: "link", arity: 2, ..MapOf::OF_MESH }];

/// The map from nodes.
pub const FROM_NODES: [MapOf; 1] = [MapOf { name: "link", arity: 2, ..MapOf::OF_MESH }];

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
            (Via::One(map, ..) | Via::All(map) | Via::Row(map), _) => map.to_nodes,
            (Via::End(_), _) => true,
        }
    }

    /// The dat whose values are the map that it follows.
    pub fn follows(self) -> Option<usize> {
        match self {
            Via::One(map, ..) | Via::All(map) | Via::Row(map) => map.dat,
            Via::Direct | Via::End(_) => None,
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

impl Kind {
    /// The dats that an argument needs.
    pub fn dats(&self) -> impl Iterator<Item = usize> {
        let (dat, followed) = match *self {
            Kind::Dat(at, _, via, _) => (Some(at), via.follows()),
            Kind::Table(at, _) => (Some(at), None),
            Kind::Index(via, _) | Kind::Element(via) => (None, via.follows()),
            Kind::Members(map) => (None, map.dat),
            Kind::Global(..) | Kind::Best(..) | Kind::Shift => (None, None),
        };
        dat.into_iter().chain(followed)
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
    /// The number of an element, or those of all entries.
    Index(Via, Scalar),
    /// An element, or those of all entries.
    Element(Via),
    /// The elements that a row leads to.
    Members(MapOf),
    /// All values of a dat: its index in the case, and the flag of an optional argument.
    Table(usize, Option<usize>),
    /// The shift of a pair in space.
    Shift,
}

/// A dat of the case. If its values are indices, it is a map.
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
