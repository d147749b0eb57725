//! Errors of mesh generators.

/// Shortest spacing that a graded mesh may have, as a fraction of the mesh's length of 1. Coordinates near 1 are
/// 1.1e−16 apart, so that a spacing keeps three digits.
pub const MIN_SPACING: f64 = 1e-12;

/// The reason why a mesh cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No bricks in one direction.
    #[error("`{size}` is 0, expected at least 1: a mesh has at least one cell in each direction")]
    Empty {
        /// The size as the builder function calls it, such as `nx`.
        size: &'static str,
    },
    /// Too few bricks in one direction of a periodic mesh.
    #[error(
        "`{size}` of a periodic mesh is {found}, expected at least 3: with fewer, two cells would meet twice; take \
         more cells or leave out `periodic`"
    )]
    TooFewForPeriodic {
        /// The size as the builder function calls it.
        size: &'static str,
        /// Its value, 1 or 2.
        found: usize,
    },
    /// A growth ratio is not a positive number.
    #[error("`ratios[{direction}]` is {found}, expected a finite number above 0; 1 makes equal spacings")]
    Ratio {
        /// Position in the argument of `graded`.
        direction: usize,
        /// The ratio.
        found: f64,
    },
    /// A growth ratio makes the finest spacing too small.
    #[error(
        "`ratios[{direction}]` is {found}, which makes the finest of {cells} spacings shorter than {min:e} of the \
         mesh, expected {min:e} or more; take a ratio nearer to 1 or fewer cells",
        min = MIN_SPACING
    )]
    TooFine {
        /// Position in the argument of `graded`.
        direction: usize,
        /// The ratio.
        found: f64,
        /// Number of spacings in this direction.
        cells: usize,
    },
    /// A set has more elements than map entries can number.
    #[error(
        "the mesh would have more than {max} {set}, expected at most {max} as numbers are 32 bits wide; take \
         fewer cells",
        max = u32::MAX
    )]
    TooLarge {
        /// `nodes`, `edges`, `faces` or `cells`.
        set: &'static str,
    },
}
