//! The names of the orderings.

use std::fmt;
use std::str::FromStr;

/// An ordering of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ordering {
    /// [`Gps`](Ordering::Gps), or [`Hilbert`](Ordering::Hilbert) on devices where coordinates in three dimensions are known, if
    /// a [forecast](crate::reorder::Forecast) says that it pays; otherwise the numbers of the declaration. On CPUs, then
    /// [`Runs`](Ordering::Runs), where it [pays](crate::reorder::Runs) for dats in columns. On devices, elements of loops then follow a
    /// curve through coordinates, where blocks reach fewer targets so.
    #[default]
    Predicted,
    /// The numbers of the declaration.
    None,
    /// Reverse Cuthill–McKee.
    Rcm,
    /// Gibbs, Poole, Stockmeyer: level structures from both ends of the mesh, combined to narrow levels.
    Gps,
    /// The elements of the leading map are sorted, among about a thousand, by the distances between their targets, so that those
    /// which are vectorised together reach consecutive rows. All other sets keep their numbers.
    Runs,
    /// Along Hilbert's space-filling curve; needs coordinates.
    Hilbert,
    /// Blocks of elements, cut by METIS so that they share few points with each other.
    ///
    /// While METIS runs, it treats the signals `SIGTERM` and `SIGABRT` as errors of its own: a program that receives
    /// one in these seconds gets [`ReorderError::Metis`](crate::reorder::ReorderError::Metis), or crashes if another
    /// thread receives the signal.
    Metis {
        /// Most elements of a block.
        block: usize,
    },
}

impl fmt::Display for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ordering::Predicted => f.write_str("predicted"),
            Ordering::None => f.write_str("none"),
            Ordering::Rcm => f.write_str("rcm"),
            Ordering::Gps => f.write_str("gps"),
            Ordering::Runs => f.write_str("runs"),
            Ordering::Hilbert => f.write_str("hilbert"),
            Ordering::Metis { block } => write!(f, "metis:{block}"),
        }
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Ordering {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text is not an ordering.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no ordering: expected one of `predicted`, `none`, `rcm`, `gps`, `runs` and `hilbert`, or `metis` with a \
     block size of at least 1, as in `metis:256`"
)]
pub struct NoOrdering {
    text: String,
}

impl FromStr for Ordering {
    type Err = NoOrdering;

    /// Parses the text that [`Display`](fmt::Display) writes: `predicted`, `none`, `rcm`, `gps`, `runs`, `hilbert`, `metis:256`.
    fn from_str(text: &str) -> Result<Self, NoOrdering> {
        let block_of = |text: &str| text.strip_prefix("metis:")?.parse().ok().filter(|&block: &usize| block > 0);
        match text {
            "predicted" => Ok(Ordering::Predicted),
            "none" => Ok(Ordering::None),
            "rcm" => Ok(Ordering::Rcm),
            "gps" => Ok(Ordering::Gps),
            "runs" => Ok(Ordering::Runs),
            "hilbert" => Ok(Ordering::Hilbert),
            _ => block_of(text)
                .map(|block| Ordering::Metis { block })
                .ok_or_else(|| NoOrdering { text: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orderings_are_read_as_they_are_written() {
        use Ordering::{Gps, Hilbert, None, Predicted, Rcm, Runs};
        for ordering in [Predicted, None, Rcm, Gps, Runs, Hilbert].into_iter().chain([Ordering::Metis { block: 256 }]) {
            assert_eq!(ordering.to_string().parse(), Ok(ordering));
        }
        for text in ["", "GPS", "metis", "metis:", "metis:0", "metis:-1", "metis:many", "gps:4"] {
            let error = text.parse::<Ordering>().expect_err("no ordering");
            assert!(error.to_string().starts_with(&format!("`{text}` is no ordering")), "{error}");
        }
    }
}
