//! Second stage: the typed kernel IR.
//!
//! Types are inferred by unification, literals resolved, dereferences made explicit, generic
//! device functions instantiated, patterns of arrays and loops over arrays written out as indices. No
//! [`Ty::Infer`](crate::ir::Ty::Infer) and no [`Sugar`](crate::ir::Sugar) is left.

pub mod file;
mod flops;
mod indices;
mod infer;
mod instance;
mod methods;
mod mismatch;
mod repeats;
mod resolve;
mod table;
mod unused;
mod verify;

use crate::ir::Unit;
use crate::parse::kernel::{self, FnKind};
use crate::payload::Payload;

pub use flops::{Flops, flops};
pub use methods::{among_themselves, with_methods};
pub use repeats::{Repeats, Sign, Slot, repeats};

/// The typed IR of a function that was parsed, and of all device functions that it reaches.
///
/// # Errors
/// Types that do not fit and types that cannot be known from what the macro sees (constants have no visible
/// declaration), each with the cure.
pub fn typed(parsed: &Unit) -> syn::Result<Unit> {
    let mut unit = instance::instantiate(parsed)?;
    indices::write_out(&mut unit);
    unit.funcs.iter_mut().for_each(unused::drop_from);
    Ok(unit)
}

/// The typed IR of a function as it comes in: parsed, then typed.
///
/// # Errors
/// Those of [`kernel::parse`], and those of [`typed`].
pub fn build(payload: &Payload, kind: FnKind) -> syn::Result<Unit> {
    typed(&kernel::parse(payload, kind)?)
}
