//! The handles that users hold: small, `Copy`, and typed by their sets and values.
//!
//! The data stay inside [`Op2`](crate::Op2), so that it can renumber, convert and move them.

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

macro_rules! copy_handle {
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
        impl<$($generics)*> $ty {
            pub(crate) fn at(mesh: u32, index: usize) -> Self {
                // Declaration keeps the number of objects far below `u32::MAX`.
                Self { id: Id { mesh, index: index as u32 }, tag: PhantomData }
            }
        }
    )*};
}
copy_handle!([S] Set<S>, [S] Subset<S>, [F, T, const A: usize] Map<F, T, A>, [S, V] Dat<S, V>, [G] Global<G>);

/// A handle that a loop can run over: a set or a subset.
///
/// # Safety
/// The handle is what `iterates` says, of kind `Tag`: loops touch the elements without further checks.
#[diagnostic::on_unimplemented(
    message = "a loop cannot run over `{Self}`",
    label = "expected a `Set` or a `Subset`",
    note = "the third argument of `op_par_loop!` is what `op.decl_set` or `op.decl_subset` returned"
)]
pub unsafe trait IterSet: Copy {
    /// The kind of the elements.
    type Tag;
    /// The handle without its type.
    fn iterates(self) -> Iterates;
}

/// The set or subset that a loop runs over, without its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Iterates {
    /// A whole set.
    Set(Id),
    /// A subset.
    Subset(Id),
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

/// A map that starts from the set `S` of the loop.
///
/// # Safety
/// The entries are followed as `Bound` says, without further checks: it has the arity of the map behind the handle.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not start from `{S}`, the set of this loop",
    label = "expected a map from `{S}`",
    note = "a map `Map<From, To, ARITY>` can be used in loops over `From` only: use a map from `{S}`, or loop over the other set"
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
