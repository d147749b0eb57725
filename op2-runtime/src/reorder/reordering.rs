//! The report of a reordering.

use super::{BlockQuality, GraphQuality, Ordering};
use std::fmt;

/// The report of a reordering: the locality of the mesh before and after.
///
/// Prints as a table. With the feature `json` it is also `serde::Serialize`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Reordering {
    /// The ordering that was requested.
    pub ordering: Ordering,
    /// Name of the leading map.
    pub lead: String,
    /// The mesh before.
    pub before: Locality,
    /// The mesh after.
    pub after: Locality,
    /// Seconds that the reordering took, without the time to measure locality.
    pub seconds: f64,
}

/// Locality of a loop over the elements of the leading map that increments through this map.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Locality {
    /// Quality of the graph of the leading map's targets.
    pub graph: GraphQuality,
    /// Data that blocks of elements access, in all dats of the sets that they reach.
    pub blocks: BlockQuality,
    /// The number of colours of these blocks.
    pub block_colours: usize,
    /// The most colours that the elements of one block need.
    pub element_colours: u32,
}

impl Reordering {
    /// Names with the values before and after.
    fn rows(&self) -> Vec<(String, String, String)> {
        let row = |name: &str, of: &dyn Fn(&Locality) -> String| (name.to_owned(), of(&self.before), of(&self.after));
        let largest = self.before.blocks.largest.max(self.after.blocks.largest);
        vec![
            row("bandwidth", &|l| l.graph.bandwidth.to_string()),
            row("profile", &|l| l.graph.profile.to_string()),
            row(&format!("blocks of at most {largest}"), &|l| l.blocks.blocks.to_string()),
            row("reuse factor", &|l| format!("{:.2}", l.blocks.reuse)),
            row("32-byte sectors per block", &|l| format!("{:.0}", l.blocks.sectors)),
            row("64-byte lines per block", &|l| format!("{:.0}", l.blocks.lines)),
            row("colours of blocks", &|l| l.block_colours.to_string()),
            row("colours inside a block", &|l| l.element_colours.to_string()),
        ]
    }
}

impl fmt::Display for Reordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reordering { ordering, lead, seconds, .. } = self;
        write!(f, "ordering {ordering}, led by map `{lead}`, {seconds:.2} s")?;
        let head = (String::new(), "before".to_owned(), "after".to_owned());
        let rows: Vec<_> = std::iter::once(head).chain(self.rows()).collect();
        let width = |of: fn(&(String, String, String)) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let (name, before, after) = (width(|r| r.0.len()), width(|r| r.1.len()), width(|r| r.2.len()));
        rows.iter().try_for_each(|(n, b, a)| write!(f, "\n  {n:<name$}  {b:>before$}  {a:>after$}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_a_table() {
        let blocks = BlockQuality { blocks: 5, largest: 256, reuse: 1.04, sectors: 981.2, lines: 512.0 };
        let graph = GraphQuality { bandwidth: 719_998, profile: 170_000_000 };
        let before = Locality { graph, blocks, block_colours: 249, element_colours: 4 };
        let after = Locality { graph: GraphQuality { bandwidth: 601, profile: 43_000_000 }, ..before };
        let reordering = Reordering { ordering: Ordering::Gps, lead: "pecell".to_owned(), before, after, seconds: 0.5 };
        let expected = "ordering gps, led by map `pecell`, 0.50 s
                                before     after
  bandwidth                     719998       601
  profile                    170000000  43000000
  blocks of at most 256              5         5
  reuse factor                    1.04      1.04
  32-byte sectors per block        981       981
  64-byte lines per block          512       512
  colours of blocks                249       249
  colours inside a block             4         4";
        assert_eq!(reordering.to_string(), expected);
        #[cfg(feature = "json")]
        {
            let json = serde_json::to_value(&reordering).expect("serializable");
            assert_eq!((&json["ordering"], &json["after"]["graph"]["bandwidth"]), (&"gps".into(), &601.into()));
        }
    }
}
