//! Targets of map entries. An entry is the number of an element, or it is missing.

use std::fmt::Debug;

/// Stands for a missing entry of a map. No element has this number.
pub const MISSING: u32 = u32::MAX;

/// Stands for an entry of a map that nobody has written since its element came into the set. A set has at most this many elements, so none
/// of them has this number.
pub(crate) const UNSET: u32 = u32::MAX - 1;

/// Whether an entry leads to an element: it is neither missing nor unset.
#[inline(always)]
pub(crate) fn leads(entry: u32) -> bool {
    entry < UNSET
}

/// An element that an argument reaches, if it reaches one.
pub trait Place: Copy {
    /// The element.
    fn element(self) -> Option<usize>;
}

impl Place for usize {
    #[inline(always)]
    fn element(self) -> Option<usize> {
        Some(self)
    }
}

/// The target of an entry that may be missing.
#[derive(Debug, Clone, Copy)]
pub struct Maybe(u32);

impl Place for Maybe {
    #[inline(always)]
    fn element(self) -> Option<usize> {
        (self.0 != MISSING).then_some(self.0 as usize)
    }
}

/// Whether entries of a map may be missing, as a type.
pub trait Presence: Copy + Debug + Send + Sync + 'static {
    /// The target of an entry.
    type At: Place + Send + Sync + Debug;
    /// The target of this entry.
    fn at(entry: u32) -> Self::At;
}

/// Every entry leads to an element.
#[derive(Debug, Clone, Copy)]
pub enum Required {}

impl Presence for Required {
    type At = usize;
    #[inline(always)]
    fn at(entry: u32) -> usize {
        entry as usize
    }
}

/// Entries may be missing.
#[derive(Debug, Clone, Copy)]
pub enum Optional {}

impl Presence for Optional {
    type At = Maybe;
    #[inline(always)]
    fn at(entry: u32) -> Maybe {
        Maybe(entry)
    }
}

/// A map whose entries all lead to elements.
#[diagnostic::on_unimplemented(
    message = "entries of this map may be missing",
    label = "expected `Option<…>` as the kernel's parameter, or a `Map`, whose entries all lead somewhere",
    note = "through an `OptMap`, a kernel reads `Option<&V>`, or `[Option<&V>; ARITY]` of all entries; contributions to missing elements are dropped, so that `inc`, `min`, `max` and `or` take `&mut V`"
)]
pub trait IsRequired {}
#[diagnostic::do_not_recommend]
impl IsRequired for Required {}

/// A map whose entries may be missing.
#[diagnostic::on_unimplemented(
    message = "entries of this map are never missing",
    label = "expected the kernel's parameter without `Option`, or an `OptMap`",
    note = "through a `Map`, a kernel takes `&V`, or `[&V; ARITY]` of all entries; `op.decl_opt_map` declares a map whose entries may be missing, and `opt(flag, …)` passes an argument that may be absent"
)]
pub trait IsOptional {}
#[diagnostic::do_not_recommend]
impl IsOptional for Optional {}
