//! Functions by number, and whether two functions are the same one, found while a program compiles.

use crate::lanes::float::Float;

/// A variable of a kernel, in code that says which one a name means.
#[derive(Debug, Clone, Copy)]
pub struct Variable<const N: usize>;

/// A function or a record of a program, by a number that only this one has.
#[derive(Debug, Clone, Copy)]
pub struct Site<const NUMBER: u64>;

/// Leads from a function's number to the type that carries what belongs to the function, such as the constants it mentions.
///
/// The attribute on the function implements this once, for `Site<NUMBER>`, with a type that nobody else can name. Other code writes
/// `Carries<_>`, and the compiler infers the type from the only implementation. So two functions of one number, which should not be,
/// could not be taken for each other: the inference would be ambiguous. A trait without the parameter could not be
/// implemented outside of this crate.
pub trait Carries<Carrier> {
    /// The carrier, again.
    type Items;
}

/// A type that is `T`.
#[diagnostic::on_unimplemented(
    message = "this name means `{Self}` here, and the kernel language knows it as the scalar type `{T}`",
    label = "another type than `{T}`",
    note = "rename the type or the import that has taken the name of the scalar"
)]
pub trait Is<T> {}

#[diagnostic::do_not_recommend]
impl<T> Is<T> for T {}

/// Compiles if the two are one type.
pub const fn means<T: Is<U>, U>() {}

/// A type that is [`Row`](crate::Row).
#[diagnostic::on_unimplemented(
    message = "this name means `{Self}` here, and the kernel language knows it as `op2::Row`",
    label = "another type than `op2::Row`",
    note = "rename the type or the import that has taken the name"
)]
pub trait IsRow {}

#[diagnostic::do_not_recommend]
impl<V> IsRow for crate::Row<V> {}

/// Compiles if the type is [`Row`](crate::Row).
pub const fn means_row<R: IsRow + ?Sized>() {}

/// A type that is [`Table`](crate::Table).
#[diagnostic::on_unimplemented(
    message = "this name means `{Self}` here, and the kernel language knows it as `op2::Table`",
    label = "another type than `op2::Table`",
    note = "rename the type or the import that has taken the name"
)]
pub trait IsTable {}

#[diagnostic::do_not_recommend]
impl<S, V: crate::Value> IsTable for crate::Table<S, V> {}

/// Compiles if the type is [`Table`](crate::Table).
pub const fn means_table<T: IsTable>() {}

/// A type that is [`Idx`](crate::Idx).
#[diagnostic::on_unimplemented(
    message = "this name means `{Self}` here, and the kernel language knows it as `op2::Idx`",
    label = "another type than `op2::Idx`",
    note = "rename the type or the import that has taken the name"
)]
pub trait IsIndex {}

#[diagnostic::do_not_recommend]
impl<S> IsIndex for crate::Idx<S> {}

/// Compiles if the type is [`Idx`](crate::Idx).
pub const fn means_index<I: IsIndex>() {}

/// A function that returns the type `T`.
#[diagnostic::on_unimplemented(
    message = "this name means `{T}` here, and the kernel language knows it as another type",
    label = "the name of two types",
    note = "rename one of the two, or import by its name the one that you mean"
)]
pub trait Makes<T> {}

#[diagnostic::do_not_recommend]
impl<T, F: Fn() -> T> Makes<T> for F {}

/// Compiles if a name means the type whose declaration the parser has. The declaration carries a function that returns the type.
pub const fn means_declared<T, F: Makes<T>>(_carried: &F) {}

/// Compiles if what bounds a type parameter is `op2::Float`.
pub const fn means_float<F: Float>() {}

/// Compiles if both are of one type: each function has a type of its own.
pub const fn one_type<T>(_: &T, _: &T) {}

/// An address for each type. A constant is evaluated once for each type, so that equal addresses mean equal types
/// to an evaluation at compile time.
trait Address {
    const AT: &'static u8;
}

impl<T> Address for T {
    const AT: &'static u8 = &0;
}

/// Evaluates only if the two are of one type. Each function has a type of its own.
///
/// # Safety
/// For constants only: the compiler then refuses what would be undefined when the program runs.
pub const unsafe fn one_function<F, G>(_op2_sees: &F, _compiler_sees: &G) {
    let (seen, meant): (*const u8, *const u8) = (<F as Address>::AT, <G as Address>::AT);
    // SAFETY: passed on to the caller: an evaluation at compile time fails where the addresses differ.
    let _ = unsafe { seen.offset_from(meant) }; // Fails? Two functions have one name: rename one, or import the one you mean.
}
