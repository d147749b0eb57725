//! Pairs of elements that meet in space, found by a uniform grid as a loop runs and never stored.
//!
//! Each element has a box. The grid holds the elements of the *inner* set, each in the cell of its box's middle. For an element of
//! the *outer* set it proposes what lies in the cells that its box reaches, and those whose boxes meet are its partners. Where the
//! space is periodic, an element occurs once for every image of it that meets.
//!
//! Rows of any length are pairs, too: in a space without dimensions, with a cell for each outer element that has its partners.

mod arrays;
mod bounds;
mod grid;
mod view;

pub(crate) use arrays::Arrays;
pub use bounds::Bounds;
#[cfg(test)]
pub(crate) use grid::{Found, tests};
pub(crate) use grid::{Grid, Space};
pub use view::{PairView, Partners, in_dimensions};

/// A box: its lower and its upper corner.
pub(crate) type Extent<const D: usize> = [[f64; D]; 2];
