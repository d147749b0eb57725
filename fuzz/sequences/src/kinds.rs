//! The loops of the fuzzer as data: their handles and accesses.

/// Kinds of sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tag {
    /// `Nodes`
    Nodes,
    /// `Edges`
    Edges,
}

/// Kinds of dats: the set they are on, and the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DatKind {
    /// `Dat<Nodes, f64>`
    NodeFloat,
    /// `Dat<Nodes, [i32; 3]>`
    NodeInts,
    /// `Dat<Nodes, [f64; 2]>`
    NodePair,
    /// `Dat<Nodes, f32>`, whose values are rounded.
    NodeSingle,
    /// `Dat<Nodes, u32>`, which are flags and counts, too.
    NodeCount,
    /// `Dat<Edges, f64>`
    EdgeFloat,
    /// `Dat<Edges, [u64; 2]>`
    EdgeWords,
    /// `Dat<Edges, bool>`
    EdgeFlag,
}

/// Kinds of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MapKind {
    /// `Map<Edges, Nodes, 2>`
    Ends,
    /// `Map<Edges, Nodes, 3>`
    Corners,
    /// `Map<Nodes, Edges, 1>`
    Back,
    /// `Map<Nodes, Nodes, 1>`, which kernels write.
    Next,
    /// `OptMap<Nodes, Nodes, 2>`, likewise.
    Near,
    /// `Rows<Nodes, Edges>`, which growth fills.
    Born,
    /// `Rows<Nodes, Edges>`, which turn a map round.
    Star,
    /// `Rows<Nodes, Nodes>`, likewise.
    Ring,
    /// `Rows<Edges, Nodes>`, likewise.
    Homes,
}

/// An entry that is missing.
pub const NONE: usize = usize::MAX;
/// An entry that nobody has written yet.
pub const UNSET: usize = NONE - 1;

/// Kinds of globals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GlobalKind {
    /// `f64`
    Float,
    /// `i64`
    Int,
    /// `[f64; 2]`
    Pair,
    /// `ArgMin<f64, usize>`
    Least,
    /// `ArgMax<f64, u32>`
    Most,
}

/// Accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are those of op2")]
pub enum Access {
    Read,
    Write,
    Rw,
    Inc,
    Min,
    Max,
    Or,
}

/// The path to a dat; maps are given by slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The element itself.
    Direct,
    /// Through an entry.
    Entry(usize, usize),
    /// Through the entry that is given at run time.
    Computed(usize),
    /// Through all entries.
    All(usize),
}

/// The object of a loop's argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A dat.
    Dat(DatKind),
    /// A map.
    Map(MapKind),
    /// A global.
    Global(GlobalKind),
}

/// An argument; dats and globals are given by slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    /// A dat.
    Dat(usize, Access, Way),
    /// An optional dat, present if the flag with this number is set.
    Opt(usize, usize, Access, Way),
    /// A global.
    Global(usize, Access),
    /// A number.
    Index(Way),
    /// The element itself, to be asked for in tables.
    Element,
    /// All values of a dat or map, as a table.
    Table(usize),
}

/// A loop as data.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// The kernel.
    pub name: &'static str,
    /// The set or subset of the loop.
    pub over: Tag,
    /// Whether the loop may run over subsets.
    pub subset: bool,
    /// The handles of the loop.
    pub slots: &'static [Slot],
    /// Its arguments.
    pub args: &'static [Arg],
}

impl DatKind {
    /// All kinds.
    pub const ALL: [DatKind; 8] = [
        DatKind::NodeFloat,
        DatKind::NodeInts,
        DatKind::NodePair,
        DatKind::NodeSingle,
        DatKind::NodeCount,
        DatKind::EdgeFloat,
        DatKind::EdgeWords,
        DatKind::EdgeFlag,
    ];

    /// Kinds of flags: for nodes and edges.
    pub fn flags(tag: Tag) -> DatKind {
        match tag {
            Tag::Nodes => DatKind::NodeCount,
            Tag::Edges => DatKind::EdgeFlag,
        }
    }

    /// Scalars of a value.
    pub fn dim(self) -> usize {
        match self {
            DatKind::NodeInts => 3,
            DatKind::NodePair | DatKind::EdgeWords => 2,
            _ => 1,
        }
    }

    /// The kind of set on which it lives.
    pub fn tag(self) -> Tag {
        match self {
            DatKind::NodeFloat | DatKind::NodeInts | DatKind::NodePair | DatKind::NodeSingle | DatKind::NodeCount => {
                Tag::Nodes
            }
            DatKind::EdgeFloat | DatKind::EdgeWords | DatKind::EdgeFlag => Tag::Edges,
        }
    }
}

impl MapKind {
    /// All kinds with rows of one length.
    pub const ALL: [MapKind; 5] = [MapKind::Ends, MapKind::Corners, MapKind::Back, MapKind::Next, MapKind::Near];

    /// Entries of a row; 0 for rows of any length.
    pub fn arity(self) -> usize {
        match self {
            MapKind::Ends | MapKind::Near => 2,
            MapKind::Corners => 3,
            MapKind::Back | MapKind::Next => 1,
            MapKind::Born | MapKind::Star | MapKind::Ring | MapKind::Homes => 0,
        }
    }

    /// Whether rows have any length.
    pub fn has_rows(self) -> bool {
        self.arity() == 0
    }

    /// The kind of the rows that turn such a map round.
    pub fn inverse(self) -> MapKind {
        match self {
            MapKind::Ends | MapKind::Corners | MapKind::Homes => MapKind::Star,
            MapKind::Next | MapKind::Near | MapKind::Ring => MapKind::Ring,
            MapKind::Back | MapKind::Born | MapKind::Star => MapKind::Homes,
        }
    }

    /// The sets that it leads from and to.
    pub fn tags(self) -> (Tag, Tag) {
        match self {
            MapKind::Back | MapKind::Born | MapKind::Star => (Tag::Nodes, Tag::Edges),
            MapKind::Next | MapKind::Near | MapKind::Ring => (Tag::Nodes, Tag::Nodes),
            MapKind::Ends | MapKind::Corners | MapKind::Homes => (Tag::Edges, Tag::Nodes),
        }
    }
}

impl GlobalKind {
    /// All kinds.
    pub const ALL: [GlobalKind; 5] =
        [GlobalKind::Float, GlobalKind::Int, GlobalKind::Pair, GlobalKind::Least, GlobalKind::Most];

    /// Numbers in a value: those of arg reductions are a flag for the candidate, its value and its payload.
    pub fn dim(self) -> usize {
        match self {
            GlobalKind::Float | GlobalKind::Int => 1,
            GlobalKind::Pair => 2,
            GlobalKind::Least | GlobalKind::Most => 3,
        }
    }
}

impl Access {
    /// Whether it modifies the dat.
    pub fn modifies(self) -> bool {
        self != Access::Read
    }

    /// Whether contributions are combined.
    pub fn combines(self) -> bool {
        matches!(self, Access::Inc | Access::Min | Access::Max | Access::Or)
    }

    /// The neutral value of contributions.
    pub fn neutral(self) -> f64 {
        match self {
            Access::Min => f64::INFINITY,
            Access::Max => f64::NEG_INFINITY,
            _ => 0.0,
        }
    }

    /// Combines a contribution with the present value.
    pub fn combine(self, there: f64, part: f64) -> f64 {
        match self {
            Access::Min => there.min(part),
            Access::Max => there.max(part),
            Access::Or => ((there as i64) | (part as i64)) as f64,
            _ => there + part,
        }
    }

    /// The keyword of loops.
    pub fn text(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Rw => "rw",
            Access::Inc => "inc",
            Access::Min => "min",
            Access::Max => "max",
            Access::Or => "or",
        }
    }
}

macro_rules! kinds {
    ($($kind:ident: $name:literal over $over:ident $(/ $subset:ident)? [$($slot:expr),*] ($($arg:expr),*);)*) => {
        /// The loops of the fuzzer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "they are the kernels")]
        pub enum Kind { $($kind,)* }

        impl Kind {
            /// All loops.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind,)*];

            /// The loop as data.
            pub fn template(self) -> Template {
                use self::{Access::*, Arg::{Element, Global as G, Index as I, Opt as O, Dat as D, Table as T}, Way::*};
                use {DatKind::*, MapKind::*};
                use Slot::{Dat as SD, Map as SM, Global as SG};
                match self {
                    $(Kind::$kind => Template {
                        name: $name,
                        over: Tag::$over,
                        subset: false $(|| stringify!($subset) == "subset")?,
                        slots: &[$($slot),*],
                        args: &[$($arg),*],
                    },)*
                }
            }
        }
    };
}

kinds! {
    Fill: "fill" over Nodes [SD(NodeFloat)] (I(Direct), D(0, Write, Direct));
    Axpy: "axpy" over Nodes / subset [SG(GlobalKind::Float), SD(NodeFloat), SD(NodeFloat)]
        (G(0, Read), D(1, Read, Direct), D(2, Rw, Direct));
    Count: "count" over Edges [SD(NodeInts), SM(Ends)] (D(0, Inc, All(1)));
    Flux: "flux" over Edges / subset [SD(EdgeFloat), SD(NodeFloat), SD(NodeFloat), SM(Ends)]
        (D(0, Read, Direct), D(1, Read, All(3)), D(2, Inc, All(3)));
    Entry: "entry" over Edges [SD(NodeFloat), SD(EdgeFloat), SD(NodeInts), SM(Ends)]
        (D(0, Read, Computed(3)), D(1, Rw, Direct), D(2, Inc, Entry(3, 1)));
    Stamp: "stamp" over Edges / subset [SD(NodeFloat), SD(EdgeWords), SM(Ends)]
        (I(Entry(2, 1)), D(0, Write, Entry(2, 1)), I(Direct), D(1, Write, Direct));
    Wrap: "wrap" over Edges [SD(EdgeFloat), SD(NodeInts), SM(Ends)] (D(0, Read, Direct), D(1, Rw, All(2)));
    Reduce: "reduce" over Nodes / subset
        [SD(NodeFloat), SD(NodeInts), SG(GlobalKind::Float), SG(GlobalKind::Int), SG(GlobalKind::Most)]
        (D(0, Read, Direct), D(1, Read, Direct), G(2, Inc), G(3, Min), G(4, Max), I(Direct));
    Sums: "sums" over Nodes [SD(NodeFloat), SG(GlobalKind::Float), SG(GlobalKind::Float)]
        (D(0, Read, Direct), G(1, Read), G(2, Inc));
    Least: "least" over Edges [SD(EdgeFloat), SG(GlobalKind::Pair), SG(GlobalKind::Least), SM(Ends)]
        (D(0, Read, Direct), G(1, Inc), G(2, Min), I(Entry(3, 0)));
    Maybe: "maybe" over Edges / subset [SD(NodeFloat), SD(EdgeFloat), SD(NodeInts), SM(Ends)]
        (O(0, 0, Read, Entry(3, 0)), D(1, Rw, Direct), O(1, 2, Inc, Entry(3, 1)));
    Extremes: "extremes" over Edges [SD(EdgeFloat), SD(NodePair), SD(NodeFloat), SM(Ends)]
        (D(0, Read, Direct), D(1, Min, Entry(3, 0)), D(2, Max, All(3)));
    Flags: "flags" over Edges [SD(EdgeFlag), SD(EdgeWords)] (D(0, Read, Direct), D(1, Rw, Direct));
    Bits: "bits" over Edges [SD(EdgeWords), SD(NodeInts), SM(Ends)] (D(0, Read, Direct), D(1, Or, All(2)));
    Raise: "raise" over Nodes / subset [SD(NodeFloat), SD(EdgeFlag), SG(GlobalKind::Int), SM(Back)]
        (D(0, Read, Direct), D(1, Or, Entry(3, 0)), G(2, Or));
    Table: "table" over Nodes [SD(NodeInts), SD(NodePair)] (D(0, Read, Direct), D(1, Rw, Direct));
    Triple: "triple" over Edges [SD(NodeFloat), SD(NodeFloat), SM(Corners)] (D(0, Read, All(2)), D(1, Inc, All(2)));
    Back: "back" over Nodes [SD(EdgeWords), SD(NodeFloat), SM(Back)] (D(0, Read, Entry(2, 0)), D(1, Rw, Direct));
    Push: "push" over Nodes [SD(NodeFloat), SD(EdgeWords), SM(Back)] (D(0, Read, Direct), D(1, Inc, Entry(2, 0)));
    Twice: "twice" over Edges [SD(NodeFloat), SD(NodeFloat), SM(Ends)] (D(0, Inc, Entry(2, 0)), D(1, Inc, Entry(2, 1)));
    Swap: "swap" over Edges [SD(EdgeFloat), SD(EdgeFloat)] (D(0, Rw, Direct), D(1, Rw, Direct));
    Pair: "pair" over Edges [SD(NodeInts), SD(NodeInts), SM(Ends)] (D(0, Rw, Entry(2, 0)), D(1, Rw, Entry(2, 1)));
    Numbers: "numbers" over Edges / subset [SD(EdgeWords), SM(Ends)]
        (I(Entry(1, 0)), I(Entry(1, 1)), I(Direct), D(0, Write, Direct));
    Smooth: "smooth" over Edges [SD(NodeSingle), SD(NodeSingle), SM(Ends)] (D(0, Read, All(2)), D(1, Inc, All(2)));
    Norm: "norm" over Nodes [SD(NodeSingle)] (D(0, Rw, Direct));
    Leap: "leap" over Nodes / subset [SM(Next), SM(Next), SD(NodeFloat)] (D(0, Rw, Direct), T(1), T(2));
    Follow: "follow" over Edges / subset [SM(Ends), SD(NodeFloat), SD(EdgeWords)] (D(0, Read, Direct), T(1), D(2, Rw, Direct));
    Seek: "seek" over Nodes [SM(Next), SD(NodeFloat), SD(NodeCount)] (Element, T(0), T(1), D(2, Rw, Direct));
    Loosen: "loosen" over Nodes / subset [SM(Near), SM(Next), SD(NodeFloat)]
        (D(0, Rw, Direct), D(1, Read, Direct), D(2, Read, Direct));
    Reach: "reach" over Nodes [SM(Near), SD(NodeInts)] (D(1, Inc, All(0)));
    Adopt: "adopt" over Nodes [SD(NodeFloat), SM(Born), SD(EdgeFloat), SD(NodeCount)]
        (D(0, Read, Direct), D(1, Read, Direct), D(2, Write, All(1)), D(3, Rw, Direct));
    Wire: "wire" over Nodes [SM(Next), SM(Born), SM(Ends), SD(NodeFloat), SD(EdgeFloat), SD(EdgeFloat)]
        (Element, D(0, Read, Direct), D(2, Write, All(1)), D(3, Rw, Direct), D(4, Read, All(1)), D(5, Inc, All(1)));
    Lowest: "lowest" over Nodes / subset [SM(Next), SD(NodeCount)] (I(Direct), D(1, Min, Entry(0, 0)));
    Collect: "collect" over Nodes / subset [SM(Star), SD(EdgeFloat), SD(NodeFloat)]
        (D(1, Read, All(0)), D(2, Rw, Direct));
    Lead: "lead" over Nodes / subset [SM(Star), SM(Back), SD(NodeCount)]
        (D(0, Read, Direct), D(1, Rw, Direct), D(2, Write, Direct));
    Stir: "stir" over Nodes [SM(Star), SD(EdgeWords)] (D(1, Rw, All(0)));
    Spread: "spread" over Nodes [SM(Ring), SD(NodeFloat), SD(NodeInts), SD(NodeCount)]
        (D(1, Read, All(0)), D(2, Inc, All(0)), D(3, Rw, Direct));
    Lean: "lean" over Nodes / subset [SM(Ring), SM(Next), SD(NodeFloat)]
        (D(0, Read, Direct), D(1, Rw, Direct), D(2, Read, All(0)));
    Settle: "settle" over Edges / subset [SM(Homes), SM(Ends), SD(NodeFloat), SD(EdgeWords)]
        (D(0, Read, Direct), D(1, Rw, Direct), D(2, Read, All(0)), D(3, Rw, Direct));
}
