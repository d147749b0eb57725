//! Several elements at once: the lane types that vectorised loop bodies are written in.
//!
//! The macros write a kernel a second time, for [`Width::LANES`] elements: every scalar becomes a [`V`], every `bool` a
//! [`Mask`]. [`Isa::run`] compiles such a body once for each instruction set and runs the one that was asked for. Every
//! operation gives on each lane the bits of the scalar operation, with two exceptions that Rust leaves open, too: which
//! NaN an operation on NaNs returns, and which zero `max` and `min` of two zeros return.
//!
//! Every function on the way is `#[inline(always)]`: one that is not inlined into the function with the target features
//! is compiled without them. `registers` holds lanes in vectors, `plain` in arrays; `transpose` turns rows into lanes,
//! on x86-64 by `shuffles`.

mod absent;
mod ahead;
mod any_rows;
mod arrays;
mod best;
mod contributions;
mod elems;
pub(crate) mod float;
mod held;
mod lane;
mod mask;
mod pack;
mod pairs;
mod partners;
mod plain;
mod registers;
mod rounds;
mod rows;
mod run;
mod seal;
#[cfg(target_arch = "x86_64")]
mod shuffles;
mod spread;
mod stream;
mod transpose;
mod vector;
mod width;

pub use absent::{blank_of, gather_if, there_if};
pub(crate) use ahead::Ahead;
pub use any_rows::{RowPack, RowRooms, RowTargets};
pub use arrays::mapped;
pub use best::{Arg, Best};
pub use contributions::{Contributions, Ends, all_differ};
pub use elems::Elems;
pub use held::{FloatLane, Lane, Width};
pub use mask::Mask;
pub use pack::{AllThere, Direct, Entries, Leads, Pack, Targets};
pub use partners::{PairPack, ShiftOf};
pub use rounds::Rounds;
pub use rows::Rows;
pub use run::{NotInLanes, Vector, run_in};
pub use seal::Seal;
pub use spread::{Lanes, LanesOf, Spread, each, each_of};
pub use vector::V;

#[cfg(test)]
mod tests;
