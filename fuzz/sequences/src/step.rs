//! Calls as data: a program of them can be run, shortened and printed.

use crate::config::Setup;
use crate::kinds::{DatKind, GlobalKind, Kind, MapKind, Tag};
use op2::{Layout, Ordering, Pin};

/// The id of a handle: the number of the step that declared it when the program was generated.
pub type Id = u32;

/// The id of the handles of another `Op2`.
pub const FOREIGN: Id = Id::MAX;

/// A configuration and calls.
#[derive(Debug, Clone)]
pub struct Program {
    /// The configuration of the `Op2`.
    pub setup: Setup,
    /// The calls.
    pub steps: Vec<Step>,
}

/// A fault in data, made on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// One row too many.
    Longer,
    /// One row too few; without rows there is no fault.
    Shorter,
    /// An entry, or an element, that does not exist.
    Beyond,
}

/// A loop that is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Its kind.
    pub kind: Kind,
    /// The set or subset that it runs over.
    pub over: Id,
    /// Whether `over` is a subset.
    pub subset: bool,
    /// The handles, by slot.
    pub slots: Vec<Id>,
    /// The flags of optional arguments.
    pub flags: [bool; 2],
    /// The entry that is given at run time.
    pub entry: usize,
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "they are the arguments of the calls")]
pub enum Step {
    DeclSet { id: Id, tag: Tag, size: usize },
    DeclSubset { id: Id, tag: Tag, set: Id, seed: u64, wrong: Option<Wrong> },
    DeclMap { id: Id, kind: MapKind, from: Id, to: Id, seed: u64, wrong: Option<Wrong> },
    DeclDat { id: Id, kind: DatKind, set: Id, seed: u64, wrong: Option<Wrong> },
    DeclFilled { id: Id, kind: DatKind, set: Id, seed: u64 },
    DeclGlobal { id: Id, kind: GlobalKind, seed: u64 },
    SetMap { map: Id, kind: MapKind, seed: u64, wrong: Option<Wrong> },
    SetData { dat: Id, kind: DatKind, seed: u64, wrong: Option<Wrong> },
    SetLayout { dat: Id, kind: DatKind, layout: Layout },
    Fetch { dat: Id, kind: DatKind },
    FetchInto { dat: Id, kind: DatKind, wrong: Option<Wrong> },
    Value { dat: Id, kind: DatKind, element: usize },
    SetValue { dat: Id, kind: DatKind, element: usize, seed: u64 },
    Get { global: Id, kind: GlobalKind },
    Set { global: Id, kind: GlobalKind, seed: u64 },
    Size { set: Id, tag: Tag },
    Pin { kind: Kind, pin: Pin },
    Reorder { ordering: Ordering },
    ReorderBy { map: Id, kind: MapKind, ordering: Ordering },
    SetCoordinates { dat: Id, kind: DatKind },
    FetchMap { map: Id, kind: MapKind },
    Fill { dat: Id, kind: DatKind, seed: u64 },
    Swap { a: Id, b: Id, kind: DatKind },
    FillMap { map: Id, kind: MapKind, seed: u64, wrong: Option<Wrong> },
    SwapMaps { a: Id, b: Id, kind: MapKind },
    Invert { id: Id, map: Id, kind: MapKind },
    Select { subset: Id, tag: Tag, flags: Id },
    Scan { counts: Id, into: Id },
    Compact { set: Id, tag: Tag, keep: Id },
    DeclChildren { id: Id, from: Id, to: Id },
    Grow { rows: Id, counts: Id },
    Loop(Loop),
    Plan(Loop),
    Chain(Vec<Loop>),
}

impl Step {
    /// Its name, for counts.
    pub fn name(&self) -> &'static str {
        match self {
            Step::DeclSet { .. } => "decl_set",
            Step::DeclSubset { .. } => "decl_subset",
            Step::DeclMap { .. } => "decl_map",
            Step::DeclDat { .. } => "decl_dat",
            Step::DeclFilled { .. } => "decl_dat_filled",
            Step::DeclGlobal { .. } => "decl_global",
            Step::SetMap { kind, .. } if kind.has_rows() => "set_rows",
            Step::SetMap { .. } => "set_map",
            Step::SetData { .. } => "set_data",
            Step::SetLayout { .. } => "set_layout",
            Step::Fetch { .. } => "fetch",
            Step::FetchInto { .. } => "fetch_into",
            Step::Value { .. } => "value",
            Step::SetValue { .. } => "set_value",
            Step::Get { .. } => "get",
            Step::Set { .. } => "set",
            Step::Size { .. } => "size",
            Step::Pin { .. } => "pin",
            Step::Reorder { .. } => "reorder",
            Step::ReorderBy { .. } => "reorder_by",
            Step::SetCoordinates { .. } => "set_coordinates",
            Step::FetchMap { .. } => "fetch_map",
            Step::Fill { .. } => "fill",
            Step::Swap { .. } => "swap",
            Step::FillMap { .. } => "fill of maps",
            Step::SwapMaps { .. } => "swap of maps",
            Step::Invert { .. } => "invert",
            Step::Select { .. } => "select",
            Step::Scan { .. } => "scan",
            Step::Compact { .. } => "compact",
            Step::DeclChildren { .. } => "decl_children",
            Step::Grow { .. } => "grow",
            Step::Loop(_) => "op_par_loop",
            Step::Plan(_) => "op_plan",
            Step::Chain(_) => "chain",
        }
    }

    /// All names.
    pub const NAMES: [&'static str; 35] = [
        "decl_set",
        "decl_subset",
        "decl_map",
        "decl_dat",
        "decl_dat_filled",
        "decl_global",
        "set_map",
        "set_rows",
        "set_data",
        "set_layout",
        "fetch",
        "fetch_into",
        "value",
        "set_value",
        "get",
        "set",
        "size",
        "pin",
        "reorder",
        "reorder_by",
        "set_coordinates",
        "fetch_map",
        "fill",
        "swap",
        "fill of maps",
        "swap of maps",
        "invert",
        "select",
        "scan",
        "compact",
        "decl_children",
        "grow",
        "op_par_loop",
        "op_plan",
        "chain",
    ];

    /// The loops in it.
    pub fn loops(&self) -> &[Loop] {
        match self {
            Step::Loop(one) | Step::Plan(one) => std::slice::from_ref(one),
            Step::Chain(all) => all,
            _ => &[],
        }
    }
}
