//! The handles that users hold: small, `Copy`, and typed by their sets and values.
//!
//! The data stay inside [`Op2`](crate::Op2), so that it can renumber, convert and move them.

mod pairs;

pub use pairs::{IterPairs, Outside, from_is};
pub(crate) use pairs::{WritesFrom, WritesTo};

use crate::data::idx::Idx;
use crate::data::place::Optional;
use crate::data::view::{Invariant, MapView};
use std::marker::PhantomData;

/// A kind of mesh entity, declared by `op2::sets!`: the type that keeps nodes and cells apart.
pub trait SetTag: Copy + Send + Sync + 'static {
    /// Name of the type.
    const NAME: &'static str;
}

/// The identity of a handle: the `Op2` that declared it, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Id {
    pub(crate) mesh: u32,
    pub(crate) index: u32,
}

/// A set of mesh entities of kind `S`.
#[derive(Debug)]
pub struct Set<S> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<S>,
}

/// Some elements of a set, in an order of their own, for example those of a boundary.
#[derive(Debug)]
pub struct Subset<S> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<S>,
}

/// A map: `A` elements of `T` for each element of `F`.
#[derive(Debug)]
pub struct Map<F, T, const A: usize> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<(F, T)>,
}

/// A map whose entries may be missing: up to `A` elements of `T` for each element of `F`, such as the cells at an edge, of which one at
/// the boundary has a single one. Kernels read through it as `Option<&V>`, or `[Option<&V>; A]` of all entries; contributions to missing
/// elements are dropped.
#[derive(Debug)]
pub struct OptMap<F, T, const A: usize> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<(F, T)>,
}

/// A map whose rows have any length: for each element of `F` some elements of `T`, such as the neighbours of a vertex or the entries in a row
/// of a sparse matrix. Kernels take a row as a whole, as [`Row`](crate::Row), through `rows[..]`.
#[derive(Debug)]
pub struct Rows<F, T> {
    pub(crate) id: Id,
    /// The same as pairs.
    pub(crate) pairs: Id,
    pub(crate) tag: Invariant<(F, T)>,
}

/// The pairs of elements and entries of their rows, from [`Rows::pairs`]. A loop over them has each element of `F` outside, and for it the
/// entries of its row, one after the other. There is no space, and no `shift()`.
#[derive(Debug)]
pub struct RowPairs<F, T> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<(F, T)>,
}

/// The same pairs with the elements of `T` outside, from [`RowPairs::by_to`].
#[derive(Debug)]
pub struct RowPairsByTo<F, T> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<(F, T)>,
}

/// Pairs of elements of `F` and `T` that meet in a space of `D` dimensions. A loop over them has each element of `F` outside, and for it
/// all its partners in `T`, one after the other.
#[derive(Debug)]
pub struct Pairs<F, T, const D: usize> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<(F, T)>,
}

/// The same pairs with the elements of `T` outside, from [`Pairs::by_to`].
#[derive(Debug)]
pub struct ByTo<F, T, const D: usize> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<(F, T)>,
}

/// Data on a set: a value `V` (`f64`, `[f64; 4]`, `[[f64; 3]; 6]`) for each element of `S`.
#[derive(Debug)]
pub struct Dat<S, V> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<(S, V)>,
}

/// A value that does not belong to an element: read by all, or the result of a reduction.
#[derive(Debug)]
pub struct Global<G> {
    pub(crate) id: Id,
    pub(crate) tag: Invariant<G>,
}

macro_rules! copied {
    ($([$($generics:tt)*] $ty:ty),*) => {$(
        impl<$($generics)*> Clone for $ty {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$($generics)*> Copy for $ty {}
        impl<$($generics)*> PartialEq for $ty {
            fn eq(&self, other: &Self) -> bool {
                self.id == other.id
            }
        }
        impl<$($generics)*> Eq for $ty {}
    )*};
}
copied!([F, T] Rows<F, T>, [F, T] RowPairs<F, T>, [F, T] RowPairsByTo<F, T>);

macro_rules! copy_handle {
    ($([$($generics:tt)*] $ty:ty),*) => {$(
        copied!([$($generics)*] $ty);
        impl<$($generics)*> $ty {
            pub(crate) fn at(mesh: u32, index: usize) -> Self {
                // Declaration keeps the number of objects far below `u32::MAX`.
                Self { id: Id { mesh, index: index as u32 }, tag: PhantomData }
            }
        }
    )*};
}
copy_handle!([S] Set<S>, [S] Subset<S>, [F, T, const A: usize] Map<F, T, A>,
    [F, T, const A: usize] OptMap<F, T, A>, [S, V] Dat<S, V>, [G] Global<G>,
    [F, T, const D: usize] Pairs<F, T, D>, [F, T, const D: usize] ByTo<F, T, D>);

/// A handle that a loop can run over: a set or a subset.
///
/// # Safety
/// The handle is what `iterates` says, of kind `Tag`: loops touch the elements without further checks.
#[diagnostic::on_unimplemented(
    message = "a loop cannot run over `{Self}`",
    label = "expected a `Set` or a `Subset`",
    note = "the third argument of `op_par_loop!` is what `op.decl_set` or `op.decl_subset` returned; over pairs, arguments go `from` or `to`, as in `read(x, to)`"
)]
pub unsafe trait IterSet: Copy {
    /// The kind of the elements.
    type Tag;
    /// The handle without its type.
    fn iterates(self) -> Iterates;
}

/// The elements that a loop runs over, without their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Iterates {
    /// A whole set.
    Set(Id),
    /// A subset.
    Subset(Id),
    /// Pairs, with the elements of this side outside.
    Pairs(Id, End),
}

/// A side of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The elements that they lead from.
    From,
    /// Those that they lead to.
    To,
}

impl End {
    /// The other side.
    pub(crate) fn other(self) -> End {
        match self {
            End::From => End::To,
            End::To => End::From,
        }
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<S> IterSet for Set<S> {
    type Tag = S;
    fn iterates(self) -> Iterates {
        Iterates::Set(self.id)
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<S> IterSet for Subset<S> {
    type Tag = S;
    fn iterates(self) -> Iterates {
        Iterates::Subset(self.id)
    }
}

impl<F, T, const D: usize> Pairs<F, T, D> {
    /// These pairs for a loop with the elements of `T` outside.
    pub fn by_to(self) -> ByTo<F, T, D> {
        ByTo::at(self.id.mesh, self.id.index as usize)
    }
}

impl<F, T> Rows<F, T> {
    pub(crate) fn at(mesh: u32, [index, pairs]: [usize; 2]) -> Self {
        let [id, pairs] = [index, pairs].map(|index| Id { mesh, index: index as u32 });
        Rows { id, pairs, tag: PhantomData }
    }

    /// Each element with each entry of its row, for a loop over pairs. An element inside may be combined into; rows need not be known as
    /// wholes.
    pub fn pairs(self) -> RowPairs<F, T> {
        RowPairs { id: self.pairs, tag: PhantomData }
    }
}

impl<F, T> RowPairs<F, T> {
    /// These pairs for a loop with the elements of `T` outside, each with the elements of `F` whose rows lead to it.
    pub fn by_to(self) -> RowPairsByTo<F, T> {
        RowPairsByTo { id: self.id, tag: PhantomData }
    }
}

/// A map that starts from the set `S` of the loop.
///
/// # Safety
/// The entries are followed as `Bound` says, without further checks: it has the arity of the map behind the handle.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not start from `{S}`, the set of this loop",
    label = "expected a map from `{S}`",
    note = "a map `Map<From, To, ARITY>` or `OptMap<From, To, ARITY>` can be used in loops over `From` only: use a map from `{S}`, or loop over the other set"
)]
pub unsafe trait MapFrom<S>: Copy {
    /// The map as a call binds it.
    type Bound;
    /// The handle without its type.
    fn id(self) -> Id;
    /// Binds the map: `found` has its index and its entries.
    fn bound(self, found: Option<(usize, *const u32)>) -> Self::Bound;
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const A: usize> MapFrom<F> for Map<F, T, A> {
    type Bound = MapView<T, A>;

    fn id(self) -> Id {
        self.id
    }

    fn bound(self, found: Option<(usize, *const u32)>) -> MapView<T, A> {
        MapView::new(found)
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const A: usize> MapFrom<F> for OptMap<F, T, A> {
    type Bound = MapView<T, A, Optional>;

    fn id(self) -> Id {
        self.id
    }

    fn bound(self, found: Option<(usize, *const u32)>) -> MapView<T, A, Optional> {
        MapView::new(found)
    }
}

/// A map whose rows have one length, so that entries have numbers.
#[diagnostic::on_unimplemented(
    message = "the rows of `{Self}` have any length, and this kernel takes entries one by one",
    label = "expected a `Map`, or `&Row<V>` as the kernel's parameter",
    note = "a kernel takes rows of any length as wholes, `&Row<V>` or `&mut Row<V>`, through `rows[..]`"
)]
pub trait OfOneArity: Copy {
    /// The map as a call binds it.
    type Bound;
    /// Binds the map.
    fn of_one_arity(self, found: Option<(usize, *const u32)>) -> Self::Bound;
}

// SAFETY: no rows are of one arity; the compiler says so here.
unsafe impl<F, T> MapFrom<F> for Rows<F, T>
where
    Rows<F, T>: OfOneArity,
{
    type Bound = <Rows<F, T> as OfOneArity>::Bound;

    fn id(self) -> Id {
        self.id
    }

    fn bound(self, found: Option<(usize, *const u32)>) -> Self::Bound {
        self.of_one_arity(found)
    }
}

/// A map from the set `S` of the loop whose rows a kernel may take as wholes.
///
/// # Safety
/// The rows are followed without further checks: the handle leads to a map between `S` and `To` without missing entries.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rows that start from `{S}`, the set of this loop",
    label = "the kernel takes a `Row`: expected `Rows` from `{S}`, or a `Map` from it",
    note = "`op.decl_rows` declares rows of any length, `Rows<From, To>`"
)]
pub unsafe trait RowsFrom<S>: Copy {
    /// The kind of the elements that the entries lead to.
    type To;
    /// The handle without its type.
    fn id(self) -> Id;
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T> RowsFrom<F> for Rows<F, T> {
    type To = T;

    fn id(self) -> Id {
        self.id
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const A: usize> RowsFrom<F> for Map<F, T, A> {
    type To = T;

    fn id(self) -> Id {
        self.id
    }
}

/// A map whose entries all lead to elements.
#[diagnostic::on_unimplemented(
    message = "entries of `{Self}` may be missing, and a row has no place for them",
    label = "the kernel takes a `Row`: expected `Rows` or a `Map`",
    note = "through an `OptMap`, kernels take `Option<&V>`, or `[Option<&V>; ARITY]` of all entries; `op.decl_rows` declares rows without the \
            missing ones"
)]
pub trait WithoutMissing {}

// SAFETY: no such map is without missing entries; the compiler says so here.
unsafe impl<F, T, const A: usize> RowsFrom<F> for OptMap<F, T, A>
where
    OptMap<F, T, A>: WithoutMissing,
{
    type To = T;

    fn id(self) -> Id {
        self.id
    }
}

/// A dat or a map, which may change places with another one of its type: [`Op2::swap`](crate::Op2::swap).
pub trait Exchanged: Copy {
    /// The handle without its type, and whether it is a map.
    #[doc(hidden)]
    fn stored(self) -> (Id, bool);
}

impl<S, V> Exchanged for Dat<S, V> {
    fn stored(self) -> (Id, bool) {
        (self.id, false)
    }
}

impl<F, T, const A: usize> Exchanged for Map<F, T, A> {
    fn stored(self) -> (Id, bool) {
        (self.id, true)
    }
}

impl<F, T, const A: usize> Exchanged for OptMap<F, T, A> {
    fn stored(self) -> (Id, bool) {
        (self.id, true)
    }
}

/// A map that can be turned round: [`Op2::invert`](crate::Op2::invert).
pub trait Turned: Copy {
    /// The tag of the set that it leads from.
    type From;
    /// The tag of the set that it leads to.
    type To;
    /// The handle without its type.
    #[doc(hidden)]
    fn handle(self) -> Id;
}

impl<F, T, const A: usize> Turned for Map<F, T, A> {
    type From = F;
    type To = T;
    fn handle(self) -> Id {
        self.id
    }
}

impl<F, T, const A: usize> Turned for OptMap<F, T, A> {
    type From = F;
    type To = T;
    fn handle(self) -> Id {
        self.id
    }
}

impl<F, T> Turned for Rows<F, T> {
    type From = F;
    type To = T;
    fn handle(self) -> Id {
        self.id
    }
}

/// A dat on the set `S`.
///
/// # Safety
/// `Handle` tells the type of the values behind `id`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not live on `{S}`",
    label = "expected a dat on `{S}`",
    note = "a direct argument needs a dat on the set of the loop, an argument through a map one on the set that the map leads to; a global goes with `gbl_read`, `gbl_inc`, `gbl_min`, `gbl_max` or `gbl_or`"
)]
pub unsafe trait DatOn<S>: Copy {
    /// The handle of the dat. Its value type is checked separately, so that something that is no dat on `S` gives only
    /// one compile error.
    type Handle;
    /// Whether it is a map, whose entries are the values.
    const IS_MAP: bool = false;
    /// The handle without its type.
    fn id(self) -> Id;
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<S, V> DatOn<S> for Dat<S, V> {
    type Handle = Self;

    fn id(self) -> Id {
        self.id
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const A: usize> DatOn<F> for Map<F, T, A> {
    type Handle = Self;
    const IS_MAP: bool = true;

    fn id(self) -> Id {
        self.id
    }
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const A: usize> DatOn<F> for OptMap<F, T, A> {
    type Handle = Self;
    const IS_MAP: bool = true;

    fn id(self) -> Id {
        self.id
    }
}

/// A dat whose elements are of type `V`.
///
/// # Safety
/// The elements have this type: a loop reads and writes them as `V`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold `{V}` per element",
    label = "the kernel's parameter is a reference to `{V}`",
    note = "the type behind the parameter's reference and the value type of the dat, `Dat<Set, Value>`, must be the same"
)]
pub unsafe trait Holds<V> {}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<S, V> Holds<V> for Dat<S, V> {}

// SAFETY: entries are elements of the set that the map leads to.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const A: usize> Holds<[Idx<T>; A]> for Map<F, T, A> {}

// SAFETY: the same.
#[diagnostic::do_not_recommend]
unsafe impl<F, T> Holds<Idx<T>> for Map<F, T, 1> {}

// SAFETY: entries are elements of the set that the map leads to, or missing.
#[diagnostic::do_not_recommend]
unsafe impl<F, T, const A: usize> Holds<[Option<Idx<T>>; A]> for OptMap<F, T, A> {}

// SAFETY: the same.
#[diagnostic::do_not_recommend]
unsafe impl<F, T> Holds<Option<Idx<T>>> for OptMap<F, T, 1> {}

/// A global whose value is of type `G`.
///
/// # Safety
/// The value has this type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a global that holds `{G}`",
    label = "the kernel's parameter is a reference to `{G}`",
    note = "`gbl_read`, `gbl_inc`, `gbl_min`, `gbl_max` and `gbl_or` take a `Global<Value>` with the type behind the parameter's reference"
)]
pub unsafe trait GlobalOf<G>: Copy {
    /// The typed handle.
    fn handle(self) -> Global<G>;
}

// SAFETY: the handle comes from a declaration with these types.
#[diagnostic::do_not_recommend]
unsafe impl<G> GlobalOf<G> for Global<G> {
    fn handle(self) -> Global<G> {
        self
    }
}
