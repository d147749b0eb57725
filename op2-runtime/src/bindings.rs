//! What the arguments of a call lead to.

use crate::access::Access;
use crate::device::Absorb;
use crate::mesh::Mesh;
use crate::value::ElemType;
use smallvec::SmallVec;
use std::ops::Range;

/// What a call has bound, resolved to places in the registry.
#[derive(Default)]
pub(crate) struct Bindings {
    pub(crate) dats: SmallVec<[BoundDat; 12]>,
    /// Maps, in the order in which the loop binds them.
    pub(crate) maps: SmallVec<[usize; 4]>,
    /// Indices through maps: argument, map and entry.
    pub(crate) indices: SmallVec<[(usize, usize, usize); 2]>,
    /// Globals: argument, place, access.
    pub(crate) globals: SmallVec<[(usize, usize, Access); 4]>,
    /// Globals that the kernel reads, as a device takes them.
    pub(crate) params: Vec<Param>,
    /// Reductions, as a device takes them.
    pub(crate) reductions: Vec<Reduction>,
}

/// A dat argument.
pub(crate) struct BoundDat {
    pub(crate) arg: usize,
    pub(crate) dat: usize,
    pub(crate) access: Access,
    pub(crate) through: Option<(usize, Range<usize>)>,
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
    pub(crate) access: Access,
    pub(crate) slots: usize,
    pub(crate) absorb: Absorb,
}

impl Bindings {
    /// The scalars of an argument, if it is there.
    pub(crate) fn elem_of(&self, mesh: &Mesh, arg: usize) -> Option<ElemType> {
        let dat = self.dats.iter().find(|b| b.arg == arg).map(|b| mesh.dats[b.dat].elem);
        let param = || self.params.iter().find(|p| p.arg == arg).map(|p| p.elem);
        let reduction = || self.reductions.iter().find(|r| r.arg == arg).map(|r| r.elem);
        dat.or_else(param).or_else(reduction)
    }
}
