//! Kernels that a run time launches between loops: a value everywhere, sums of counts, lists of elements by flags, rows of
//! those that stay, and entries of maps by new numbers.
//!
//! Their sizes are parameters, so that one compiled text serves every mesh. Sums and lists take three launches: the sums of parts,
//! [`STARTS`], and what follows from the starts.

use crate::language::language;
use crate::source::{Definition, Source};
use op2_core::Target;

/// Threads of each block.
pub const THREADS: u32 = 256;
/// Positions that a block goes through at once; a part is a multiple of it.
pub const ROW: usize = THREADS as usize * ITEMS;
/// Components whose values [`Components`] has room for.
pub const COMPONENTS: usize = 32;
/// Bytes of shared memory of a block.
pub const SHARED: u32 = (WAVES * size_of::<u64>() + (ROW + ROW / 32) * size_of::<u32>()) as u32;

/// Turns the sums of parts into their starts: `sums`, which has a place for the total ahead, `parts` as 32 bits.
pub const STARTS: &str = "op2_starts";
/// Sums of the counts in each part: `counts`, `elements` by the user's numbers or null, `sums`, positions, positions of a part.
pub const SUM_COUNTS: &str = "op2_sum_counts";
/// The sum of all counts before each element: `counts`, `elements`, `sums`, `into`, positions, positions of a part.
pub const SCAN_COUNTS: &str = "op2_scan_counts";
/// Gives elements of a list their places in it as numbers: `list`, its length, `numbers`, which has a place for [`MARK`] ahead.
pub const NUMBER: &str = "op2_number";
/// Gives rows of a map the entries of others by new numbers: `from`, [`places`] there, `to`, [`places`] there, the list of the others or
/// null for the same, `numbers`, and whether rows need their entries, as 32 bits. Entries that lead to nothing stay as they are. One that
/// leads to an element without a number, for which [`MARK`] stands, goes missing; if its row needs it, the mark ahead becomes 0.
pub const RENUMBER: &str = "op2_renumber";
/// Stands for the number of an element without one.
pub const MARK: u32 = u32::MAX;

/// Positions of a thread in a row.
const ITEMS: usize = 8;
/// The waves of a block, on machines where they are narrowest.
const WAVES: usize = THREADS as usize / 32;

/// The kernels for scalars of some size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernels {
    /// Gives components of elements the same values: `data`, [`places`], the first of these elements, all elements, and the values,
    /// [`Components`].
    pub fill: &'static str,
    /// Gives elements the values of others: `from`, [`places`] there, `to`, [`places`] there, the list of the others or null for the same,
    /// elements.
    pub gather: &'static str,
    /// Counts the flags that say yes in each part: `flags`, `sums`, positions, positions of a part.
    pub sum_flags: &'static str,
    /// Lists their positions: `flags`, `sums`, `list`, positions, positions of a part.
    pub list_flags: &'static str,
}

/// Kernels for scalars of 1, 2, 4 and 8 bytes.
const BY_BYTES: [Kernels; 4] = [
    Kernels {
        fill: "op2_fill_8",
        gather: "op2_gather_8",
        sum_flags: "op2_sum_flags_8",
        list_flags: "op2_list_flags_8",
    },
    Kernels {
        fill: "op2_fill_16",
        gather: "op2_gather_16",
        sum_flags: "op2_sum_flags_16",
        list_flags: "op2_list_flags_16",
    },
    Kernels {
        fill: "op2_fill_32",
        gather: "op2_gather_32",
        sum_flags: "op2_sum_flags_32",
        list_flags: "op2_list_flags_32",
    },
    Kernels {
        fill: "op2_fill_64",
        gather: "op2_gather_64",
        sum_flags: "op2_sum_flags_64",
        list_flags: "op2_list_flags_64",
    },
];

/// The kernels for scalars of 1, 2, 4 or 8 bytes.
pub fn kernels(bytes: usize) -> Kernels {
    BY_BYTES[bytes.trailing_zeros() as usize]
}

/// The places of scalars in a layout, as a parameter: all scalars, those of one component after each other, components.
pub fn places(scalars: usize, inner: usize, components: usize) -> [u8; 24] {
    let mut bytes = [0; 24];
    for (place, n) in bytes.chunks_exact_mut(size_of::<u64>()).zip([scalars, inner, components]) {
        place.copy_from_slice(&(n as u64).to_ne_bytes());
    }
    bytes
}

/// The values of some components, as a parameter of [`Kernels::fill`].
pub struct Components(Vec<u8>);

impl Components {
    /// At most [`COMPONENTS`] values of `bytes` bytes each, those of the components from `first` on.
    pub fn new(first: usize, values: &[u8], bytes: usize) -> Self {
        let mut all = vec![0; COMPONENTS * size_of::<u64>()];
        let places = all.chunks_exact_mut(size_of::<u64>());
        let word = |value: &[u8]| value.iter().rev().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
        for (place, value) in places.zip(values.chunks_exact(bytes)) {
            place.copy_from_slice(&word(value).to_ne_bytes());
        }
        all.extend((first as u32).to_ne_bytes());
        all.extend(((values.len() / bytes) as u32).to_ne_bytes());
        Components(all)
    }

    /// The bytes of the parameter.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The text of all these kernels.
pub fn source(target: Target) -> Source {
    let number = |name: &str, value: usize| Definition::Macro(name.to_owned(), value.to_string());
    let of_scalars = BY_BYTES.iter().flat_map(|k| [k.fill, k.gather, k.sum_flags, k.list_flags]);
    Source {
        target,
        name: "between".to_owned(),
        definitions: vec![
            number("OP2_BLOCK", THREADS as usize),
            number("OP2_ITEMS", ITEMS),
            number("OP2_COMPONENTS", COMPONENTS),
        ],
        text: language(target).between.into(),
        kernels: [STARTS, SUM_COUNTS, SCAN_COUNTS, NUMBER, RENUMBER]
            .into_iter()
            .chain(of_scalars)
            .map(str::to_owned)
            .collect(),
    }
}
