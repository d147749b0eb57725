//! Views of flat data as rows.

use crate::error::{Error, Result};

/// Views flat data as rows of `N` values, the form that declarations take.
///
/// ```
/// let flat = [0, 1, 1, 2, 2, 3];
/// let edges: &[[i32; 2]] = op2_runtime::rows(&flat)?;
/// assert_eq!(edges[1], [1, 2]);
/// # Ok::<(), op2_runtime::Error>(())
/// ```
///
/// # Errors
/// [`Error::Ragged`] if the values do not fill the last row.
pub fn rows<T, const N: usize>(flat: &[T]) -> Result<&[[T; N]]> {
    match flat.as_chunks() {
        (rows, []) => Ok(rows),
        (_, rest) => Err(Error::Ragged { dim: N, found: flat.len(), rest: rest.len() }),
    }
}

/// The starts of rows of any length, by the element: from 0 to `entries`, never falling, one for each of the `size` elements of the set
/// `set` and an end behind the last.
pub(super) fn starts<'a, O: Index>(
    map: &str,
    (set, size): (&str, usize),
    offsets: &'a [O],
    entries: usize,
) -> Result<impl Fn(usize) -> u32 + 'a> {
    let fault = |place: usize, reason: String| Err(Error::RowStart { map: map.to_owned(), place, reason });
    if offsets.len() != size + 1 {
        let reason = format!(
            "found {} starts, expected {}: one for each element of set `{set}`, and the end",
            offsets.len(),
            size + 1
        );
        return fault(offsets.len().min(size), reason);
    }
    if u32::try_from(entries).is_err() {
        return fault(size, format!("there are {entries} entries, at most {} can be numbered", u32::MAX));
    }
    let mut last = 0;
    for (place, offset) in offsets.iter().enumerate() {
        let Some(start) = offset.below(entries + 1) else {
            return fault(place, format!("is {offset}, expected 0..={entries}, since there are {entries} entries"));
        };
        if start < last || (place == 0 && start != 0) {
            return fault(
                place,
                format!(
                    "is {start}, expected {}",
                    if place == 0 { "0".to_owned() } else { format!("{last} or more, where the row before begins") }
                ),
            );
        }
        last = start;
    }
    if last as usize != entries {
        return fault(size, format!("is {last}, expected {entries}: the last row ends where the entries do"));
    }
    Ok(move |element: usize| offsets[element].below(entries + 1).unwrap_or(0))
}

/// An integer type of map entries.
pub trait Index: Copy + std::fmt::Display + sealed::Sealed {
    /// The entry, if it is in `0..size`.
    fn below(self, size: usize) -> Option<u32>;
}

/// An entry of a map as it is declared, which may be missing.
pub(crate) trait Entry: Copy {
    /// The integer.
    type Index: Index;
    /// Whether it may be missing.
    const MAY_MISS: bool;
    /// The integer, if the entry is there.
    fn given(self) -> Option<Self::Index>;
}

impl<I: Index> Entry for I {
    type Index = I;
    const MAY_MISS: bool = false;
    fn given(self) -> Option<I> {
        Some(self)
    }
}

impl<I: Index> Entry for Option<I> {
    type Index = I;
    const MAY_MISS: bool = true;
    fn given(self) -> Option<I> {
        self
    }
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! index {
    ($($ty:ident),*) => {$(
        impl sealed::Sealed for $ty {}
        impl Index for $ty {
            fn below(self, size: usize) -> Option<u32> {
                let index = usize::try_from(self).ok().filter(|&index| index < size)?;
                u32::try_from(index).ok()
            }
        }
    )*};
}
index!(i32, u32, i64, u64, usize, isize);
