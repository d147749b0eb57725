//! The objects that the arguments of a call are bound to.

use crate::data::reduce::Absorb;
use crate::data::value::ElemType;
use crate::mesh::handle::End;
use op2_core::{Access, Combine};
use smallvec::SmallVec;
use std::ops::Range;

/// The bound arguments of a call, resolved to indices in the registry.
#[derive(Default)]
pub(crate) struct Bindings {
    pub(crate) dats: SmallVec<[BoundDat; 12]>,
    /// Globals: argument, index, access.
    pub(crate) globals: SmallVec<[(usize, usize, Access); 4]>,
    /// Sets whose elements the kernel has as indices.
    pub(crate) indexed: SmallVec<[usize; 4]>,
    /// Maps that the loop follows.
    pub(crate) followed: SmallVec<[usize; 4]>,
    /// Data that only devices need; empty on the host.
    pub(crate) more: More,
}

/// Bindings that the host's executors get in other ways.
#[derive(Default)]
pub(crate) struct More {
    /// Maps, in the order in which the loop binds them.
    pub(crate) maps: Vec<usize>,
    /// Indices through maps: argument, map and entries.
    pub(crate) indices: Vec<(usize, usize, Range<usize>)>,
    /// Sets whose element numbers the kernel receives, one for each index argument.
    pub(crate) numbers: Vec<Option<usize>>,
    /// Tables that the kernel may ask for numbers: argument and set.
    pub(crate) tables: Vec<(usize, usize)>,
    /// Globals that the kernel reads.
    pub(crate) params: Vec<Param>,
    /// Globals that the loop reduces into.
    pub(crate) reductions: Vec<Reduction>,
    /// The lengths of a generic kernel.
    pub(crate) lens: Vec<usize>,
}

/// A dat argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct BoundDat {
    pub(crate) arg: usize,
    pub(crate) dat: usize,
    pub(crate) access: Access,
    pub(crate) through: Option<(usize, Range<usize>)>,
    /// Whether it is reached as a partner of the loop's element.
    pub(crate) inside: bool,
    /// Whether it is a table: the kernel may ask for the value of any element.
    pub(crate) whole: bool,
    /// Whether it leads to children of the loop's element, and no other argument to what it changes, or changes what it leads to. The
    /// check of a call finds out.
    pub(crate) apart: bool,
}

/// The value of a global.
pub(crate) struct Param {
    pub(crate) arg: usize,
    pub(crate) elem: ElemType,
    pub(crate) bytes: Vec<u8>,
}

/// A global that the loop reduces into.
pub(crate) struct Reduction {
    pub(crate) arg: usize,
    pub(crate) elem: ElemType,
    pub(crate) global: usize,
    pub(crate) how: Combine,
    pub(crate) slots: usize,
    pub(crate) absorb: Absorb,
}

/// The elements of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Over {
    pub(crate) set: usize,
    /// The subset of it, unless the loop runs over all of it.
    pub(crate) subset: Option<usize>,
    /// The pairs of whose outer side it is the set, and that side, if the loop runs over pairs.
    pub(crate) pairs: Option<(usize, End)>,
}
