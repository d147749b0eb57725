//! Why a mesh cannot be renumbered.

/// Why [`renumber`](super::renumber) refuses a mesh or an ordering. Sets and maps are named by their position in
/// the [`MeshShape`](super::MeshShape); who knows the mesh puts names to them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReorderError {
    /// No map relates the elements of any set.
    #[error(
        "the mesh has no map, expected at least one to order it by: declare a map, or order by coordinates with `hilbert`"
    )]
    NoMap,
    /// The map that was named to lead does not exist.
    #[error("map {map} was named to lead, but there are {maps} maps (valid: 0..{maps})")]
    NoSuchMap {
        /// Map asked for.
        map: usize,
        /// Number of maps.
        maps: usize,
    },
    /// A map or coordinates of a set that does not exist.
    #[error("{what} belongs to set {set}, but there are {sets} sets (valid: 0..{sets})")]
    NoSuchSet {
        /// `map 3` or `the dat of coordinates`.
        what: String,
        /// Set referred to.
        set: usize,
        /// Number of sets.
        sets: usize,
    },
    /// Data whose length does not fit its set.
    #[error("{what} has {found} values, expected {expected}: one row for every element of set {set}")]
    Length {
        /// `map 3` or `the dat of coordinates`.
        what: String,
        /// Set that it belongs to.
        set: usize,
        /// Values that fit.
        expected: usize,
        /// Values found.
        found: usize,
    },
    /// An entry beyond the target set.
    #[error(
        "map {map}: entry {entry} of element {element} is {found}, but set {set} has {size} elements (valid: 0..{size})"
    )]
    Entry {
        /// The map.
        map: usize,
        /// Element whose row is wrong.
        element: usize,
        /// Place in the row.
        entry: usize,
        /// Value found.
        found: u32,
        /// Target set.
        set: usize,
        /// Its size.
        size: usize,
    },
    /// More than 32-bit numbers can say.
    #[error("{what} has {count} entries, at most {most} are possible")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its entries.
        count: usize,
        /// Entries that are possible.
        most: usize,
    },
    /// An ordering by position, without positions.
    #[error("the ordering `hilbert` goes by coordinates, but none were given: name the dat that holds them")]
    NoCoordinates,
    /// Coordinates of no space that the curve fills.
    #[error("the dat of coordinates has dim {dim}, expected 1, 2 or 3")]
    Dim {
        /// Values per element.
        dim: usize,
    },
    /// A position that is none.
    #[error("coordinate {axis} of element {element} is {value}, expected a finite number")]
    NotFinite {
        /// The element.
        element: usize,
        /// Axis, from 0.
        axis: usize,
        /// The value as text.
        value: String,
    },
    /// Blocks without elements.
    #[error("METIS was asked for blocks of 0 elements, expected at least 1, as in `metis:256`")]
    EmptyBlock,
    /// The program was built without METIS.
    #[error(
        "the ordering `metis` needs the feature `metis` of `op2-runtime`, which this program was built without: enable it, or use `gps`"
    )]
    NoMetis,
    /// METIS itself gave up.
    #[error("METIS could not cut the graph of {elements} elements into {parts} parts: {reason}")]
    Metis {
        /// Elements of the graph.
        elements: usize,
        /// Parts asked for.
        parts: usize,
        /// What METIS said.
        reason: String,
    },
}
