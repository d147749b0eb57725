//! Errors of renumbering.

/// The reason why [`renumber`](crate::reorder::renumber) refuses a mesh or an ordering. Sets and maps are identified by their
/// position in the [`MeshShape`](crate::reorder::MeshShape); the caller translates positions to names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReorderError {
    /// The mesh has no map.
    #[error(
        "the mesh has no map, expected at least one to order it by: declare a map, or order by coordinates with `hilbert`"
    )]
    NoMap,
    /// The map that should lead does not exist.
    #[error("map {map} was named to lead, but there are {maps} maps (valid: 0..{maps})")]
    NoSuchMap {
        /// Map asked for.
        map: usize,
        /// Number of maps.
        maps: usize,
    },
    /// A map or the coordinates refer to a set that does not exist.
    #[error("{what} belongs to set {set}, but there are {sets} sets (valid: 0..{sets})")]
    NoSuchSet {
        /// `map 3` or `the dat of coordinates`.
        what: String,
        /// Set referred to.
        set: usize,
        /// Number of sets.
        sets: usize,
    },
    /// The number of values does not match the set.
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
    /// An entry exceeds the target set.
    #[error(
        "map {map}: entry {entry} of element {element} is {found}, but set {set} has {size} elements (valid: 0..{size})"
    )]
    Entry {
        /// The map.
        map: usize,
        /// Element whose row is wrong.
        element: usize,
        /// Index in the row.
        entry: usize,
        /// Value found.
        found: u32,
        /// Target set.
        set: usize,
        /// Its size.
        size: usize,
    },
    /// A count exceeds 32-bit numbers.
    #[error("{what} has {count} entries, at most {most} are possible")]
    TooLarge {
        /// The item that is too large.
        what: &'static str,
        /// Its entries.
        count: usize,
        /// Entries that are possible.
        most: usize,
    },
    /// The ordering needs coordinates, but the mesh has none.
    #[error("the ordering `hilbert` goes by coordinates, but none were given: name the dat that holds them")]
    NoCoordinates,
    /// The coordinates are not of one, two or three dimensions.
    #[error("the dat of coordinates has dim {dim}, expected 1, 2 or 3")]
    Dim {
        /// Values per element.
        dim: usize,
    },
    /// A coordinate is not finite.
    #[error("coordinate {axis} of element {element} is {value}, expected a finite number")]
    NotFinite {
        /// The element.
        element: usize,
        /// Axis, from 0.
        axis: usize,
        /// The value as text.
        value: String,
    },
    /// The requested blocks have no elements.
    #[error("METIS was asked for blocks of 0 elements, expected at least 1, as in `metis:256`")]
    EmptyBlock,
    /// The program was built without METIS.
    #[error(
        "the ordering `metis` needs the feature `metis` of `op2`, which this program was built without: enable it, or use `gps`"
    )]
    NoMetis,
    /// METIS reported an error.
    #[error("METIS could not cut the graph of {elements} elements into {parts} parts: {reason}")]
    Metis {
        /// Elements of the graph.
        elements: usize,
        /// Parts asked for.
        parts: usize,
        /// The error of METIS.
        reason: String,
    },
}
