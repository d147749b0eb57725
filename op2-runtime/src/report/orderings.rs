//! The order of the mesh in a report.

use crate::reorder::Ordering;
use std::fmt;

/// The order of a part of the mesh: sets that maps connect with each other.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct OrderingRow {
    /// The map that leads.
    pub map: String,
    /// The ordering by which the elements got new numbers; `none` if they kept theirs.
    pub ordering: Ordering,
    /// The share, 0 to 1, of targets of all maps that lay far from those of neighbouring elements.
    pub scattered_before: f64,
    /// The same with the numbers that the elements have now.
    pub scattered_after: f64,
    /// Milliseconds that the new numbers save, by prediction, where a loop goes through each of the maps once.
    pub saved_ms: f64,
    /// Why there are no new numbers although they would pay.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub note: Option<String>,
}

impl fmt::Display for OrderingRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OrderingRow { map, ordering, scattered_before, scattered_after, saved_ms, note } = self;
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        write!(f, "order of map `{map}`: {} of all targets scattered", percent(*scattered_before))?;
        match (ordering, note) {
            (_, Some(note)) => write!(f, ", kept: {note}"),
            (Ordering::None, None) => f.write_str(", kept"),
            (ordering, None) => {
                let after = percent(*scattered_after);
                write!(f, "; after `{ordering}` {after}, about {saved_ms:.1} ms less in a loop through each map")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_what_was_found_done_and_gained() {
        let kept = OrderingRow {
            map: "ends".to_owned(),
            ordering: Ordering::None,
            scattered_before: 0.004,
            scattered_after: 0.004,
            saved_ms: 0.0,
            note: None,
        };
        assert_eq!(kept.to_string(), "order of map `ends`: 0.4 % of all targets scattered, kept");
        let done = OrderingRow { ordering: Ordering::Gps, scattered_before: 0.99, saved_ms: 85.04, ..kept.clone() };
        let expected = "order of map `ends`: 99.0 % of all targets scattered; after `gps` 0.4 %, about 85.0 ms less in a loop \
                        through each map";
        assert_eq!(done.to_string(), expected);
        let refused = OrderingRow { scattered_before: 0.99, note: Some("no memory".to_owned()), ..kept };
        assert_eq!(refused.to_string(), "order of map `ends`: 99.0 % of all targets scattered, kept: no memory");
    }
}
