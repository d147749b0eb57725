//! Pairs as what loops run over, and the side of them that is outside.

use super::{ByTo, End, Id, Pairs, RowPairs, RowPairsByTo};
use crate::pairs::PairView;
use std::marker::PhantomData;

/// Pairs that a loop can run over.
///
/// # Safety
/// The handle leads to pairs between sets of these kinds in the space of `View`: loops touch their elements without further checks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no pairs",
    label = "expected what `op.decl_pairs` returned, or `rows.pairs()`, since an argument goes `from` or `to`",
    note = "over a set, a dat is reached directly, `read(dat)`, or through a map, `read(dat, map[0])`"
)]
pub unsafe trait IterPairs: Copy {
    /// The kind of the elements that they lead from.
    type From;
    /// The kind of the elements that they lead to.
    type To;
    /// The kind of the elements outside.
    type Outer;
    /// The side that is outside.
    type Outside: Outside;
    /// The search, as a call binds it.
    type View;
    /// The handle without its type.
    fn id(self) -> Id;
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const D: usize> IterPairs for Pairs<F, T, D> {
    type From = F;
    type To = T;
    type Outer = F;
    type Outside = FromOutside;
    type View = PairView<D>;

    fn id(self) -> Id {
        self.id
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const D: usize> IterPairs for ByTo<F, T, D> {
    type From = F;
    type To = T;
    type Outer = T;
    type Outside = ToOutside;
    type View = PairView<D>;

    fn id(self) -> Id {
        self.id
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T> IterPairs for RowPairs<F, T> {
    type From = F;
    type To = T;
    type Outer = F;
    type Outside = FromOutside;
    type View = PairView<0>;

    fn id(self) -> Id {
        self.id
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T> IterPairs for RowPairsByTo<F, T> {
    type From = F;
    type To = T;
    type Outer = T;
    type Outside = ToOutside;
    type View = PairView<0>;

    fn id(self) -> Id {
        self.id
    }
}

/// The side of pairs that is outside, as a type.
pub trait Outside: Copy + Send + Sync + 'static {
    /// The side.
    const END: End;
}

/// The elements that pairs lead from are outside.
#[derive(Debug, Clone, Copy)]
pub enum FromOutside {}

/// The elements that pairs lead to are outside.
#[derive(Debug, Clone, Copy)]
pub enum ToOutside {}

impl Outside for FromOutside {
    const END: End = End::From;
}

impl Outside for ToOutside {
    const END: End = End::To;
}

/// Whether the elements that pairs lead from are outside.
#[inline(always)]
pub fn from_is<S: Outside>(_outside: PhantomData<S>) -> bool {
    const { matches!(S::END, End::From) }
}

/// Pairs whose elements at the end `from` are outside, so that they may be written.
#[diagnostic::on_unimplemented(
    message = "the elements that are reached `from` lie inside in this loop, where several elements outside share them",
    label = "expected `inc`, `min`, `max` or `or`, or a loop over the pairs without `by_to()`",
    note = "only elements outside are written: nobody else reaches them"
)]
pub trait WritesFrom {}
impl WritesFrom for FromOutside {}

/// Pairs whose elements at the end `to` are outside, so that they may be written.
#[diagnostic::on_unimplemented(
    message = "the elements that are reached `to` lie inside in this loop, where several elements outside share them",
    label = "expected `inc`, `min`, `max` or `or`, or a loop over the pairs `by_to()`",
    note = "only elements outside are written: nobody else reaches them"
)]
pub trait WritesTo {}
impl WritesTo for ToOutside {}
