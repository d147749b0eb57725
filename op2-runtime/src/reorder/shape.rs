//! The mesh as the reordering sees it.

use crate::data::parts;
use crate::data::place::leads;
use crate::error::reorder::ReorderError;

/// Sets, maps and coordinates of a mesh.
#[derive(Debug, Clone, Default)]
pub struct MeshShape<'a> {
    /// Elements of every set.
    pub sets: Vec<usize>,
    /// The maps between them.
    pub maps: Vec<Link<'a>>,
    /// Coordinates of the elements of one set.
    pub coordinates: Option<Coordinates<'a>>,
    /// The data of an element of each set; none for the sets behind the end. Only predictions ask for it.
    pub data: Vec<ElementData>,
    /// The maps before this one were there when the order was decided last. Predictions keep the numbers of components to which no later
    /// map belongs.
    pub decided: usize,
}

/// The dats of a set, for one of its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ElementData {
    /// Their bytes.
    pub bytes: usize,
    /// The cache lines that hold them, if no element nearby shares these lines.
    pub lines: usize,
    /// Their components that lie in columns of their own and are read by lanes. Where there are some, [`Ordering::Runs`] may pay.
    ///
    /// [`Ordering::Runs`]: super::Ordering::Runs
    pub columns: usize,
}

/// A map: for every element of a set, `arity` elements of another or the same set.
#[derive(Debug, Clone, Copy)]
pub struct Link<'a> {
    /// The set whose elements have rows.
    pub from: usize,
    /// The set that entries refer to.
    pub to: usize,
    /// Entries of a row.
    pub arity: usize,
    /// Row after row.
    pub entries: &'a [u32],
}

/// Positions of the elements of a set.
#[derive(Debug, Clone, Copy)]
pub struct Coordinates<'a> {
    /// The set.
    pub set: usize,
    /// Values of a row, 1 to 3.
    pub dim: usize,
    /// Row after row.
    pub values: &'a [f64],
}

/// The leading map, unless one is named. It starts from the largest set, since the longest loops run over it. Among
/// several maps it is the one with the most entries, then the one to the smaller set, then the first. An empty map
/// leads only if all are empty. `None` for a mesh without maps.
pub fn leading_map(mesh: &MeshShape<'_>) -> Option<usize> {
    leading_among(mesh, |_| true)
}

/// The same among the maps for which `is_asked_for` holds.
pub(super) fn leading_among(mesh: &MeshShape<'_>, is_asked_for: impl Fn(&Link<'_>) -> bool) -> Option<usize> {
    let size = |set: usize| mesh.sets.get(set).copied().unwrap_or(0);
    let rank = |i: usize| {
        let map = &mesh.maps[i];
        (
            !map.entries.is_empty(),
            size(map.from),
            map.entries.len(),
            std::cmp::Reverse(size(map.to)),
            std::cmp::Reverse(i),
        )
    };
    (0..mesh.maps.len()).filter(|&i| is_asked_for(&mesh.maps[i])).max_by_key(|&i| rank(i))
}

impl<'a> Link<'a> {
    /// The entries of `element`.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, element: usize) -> &'a [u32] {
        &self.entries[element * self.arity..(element + 1) * self.arity]
    }

    /// Number of rows; 0 for a map of arity 0.
    pub fn rows(&self) -> usize {
        self.entries.len().checked_div(self.arity).unwrap_or(0)
    }

    /// The entries under new numbers of the two sets: row `e` moves to row `from[e]`, and an entry `t` becomes `to[t]`.
    /// `None` stands for a set that keeps its numbers. Each must be a permutation of the set.
    ///
    /// # Panics
    /// If a permutation is shorter than its set.
    pub fn renumbered(&self, from: Option<&[u32]>, to: Option<&[u32]>) -> Vec<u32> {
        let mut entries = vec![0; self.entries.len()];
        self.renumbered_into(from, to, &mut entries);
        entries
    }

    /// The same, written to `entries`, which must have the same length.
    ///
    /// # Panics
    /// As [`Link::renumbered`], and if `entries` is shorter.
    pub(crate) fn renumbered_into(&self, from: Option<&[u32]>, to: Option<&[u32]>, entries: &mut [u32]) {
        if self.arity == 0 {
            return;
        }
        let entries = &mut entries[..self.entries.len()];
        let has_all_rows = from.is_none_or(|new| new.len() >= self.rows());
        assert!(has_all_rows, "the numbers of the set that the map leads from are fewer than its {} rows", self.rows());
        let put = |row: &[u32], place: &mut [u32]| {
            for (entry, &t) in place.iter_mut().zip(row) {
                *entry = match to {
                    Some(new) if leads(t) => new[t as usize],
                    _ => t,
                };
            }
        };
        match from {
            Some(new) => parts::scatter(&new[..self.rows()], self.arity, entries, |e, place| put(self.row(e), place)),
            None => {
                let len = parts::part_len(self.rows()) * self.arity;
                parts::for_each(entries, len, |part, places| put(&self.entries[part * len..][..places.len()], places));
            }
        }
    }
}

impl MeshShape<'_> {
    /// Checks that rows and entries match the sets, so that all other code may index without checks.
    pub(super) fn check(&self) -> Result<(), ReorderError> {
        let most = u32::MAX as usize;
        if let Some(&count) = self.sets.iter().find(|&&size| size > most) {
            return Err(ReorderError::TooLarge { what: "a set", count, most });
        }
        for (i, map) in self.maps.iter().enumerate() {
            let what = || format!("map {i}");
            self.fits(what, map.from, map.arity, map.entries.len())?;
            let size = self.size(what, map.to)?;
            if map.entries.len() > most {
                return Err(ReorderError::TooLarge { what: "a map", count: map.entries.len(), most });
            }
            if let Some(place) = map.entries.iter().position(|&t| t as usize >= size) {
                let (element, entry) = (place / map.arity, place % map.arity);
                return Err(ReorderError::Entry {
                    map: i,
                    element,
                    entry,
                    found: map.entries[place],
                    set: map.to,
                    size,
                });
            }
        }
        if let Some(at) = &self.coordinates {
            if !(1..=3).contains(&at.dim) {
                return Err(ReorderError::Dim { dim: at.dim });
            }
            self.fits(|| "the dat of coordinates".to_owned(), at.set, at.dim, at.values.len())?;
        }
        Ok(())
    }

    fn size(&self, what: impl Fn() -> String, set: usize) -> Result<usize, ReorderError> {
        let sets = self.sets.len();
        self.sets.get(set).copied().ok_or_else(|| ReorderError::NoSuchSet { what: what(), set, sets })
    }

    fn fits(&self, what: impl Fn() -> String, set: usize, width: usize, found: usize) -> Result<(), ReorderError> {
        let expected = self.size(&what, set)? * width;
        if expected == found { Ok(()) } else { Err(ReorderError::Length { what: what(), set, expected, found }) }
    }
}
