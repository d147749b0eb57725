//! Positions of the components of a dat in memory.

use crate::data::memory::LINE;

/// Layout of a dat, chosen at run time; kernels do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Layout {
    /// Array of structures: the components of an element are adjacent.
    #[default]
    Aos,
    /// Structure of arrays: all first components, then all second ones, and so on. These columns begin an odd number of cache lines
    /// apart: at a distance that a large power of two divides, the caches would have room for few of them. A direct loop over 2^14 or
    /// 2^18 elements with 16 components took 1.1 to 1.9 times as long.
    ///
    /// On CPUs a loop through maps takes longer than with AoS, because each component of a row is in a cache line of its own: airfoil's
    /// iteration 1.1 to 1.4, hydra's heavy loops 2 to 3 times, a flux loop as in MG-CFD 1.05 to 1.15, and 1.5 to 1.8 with
    /// `Ordering::None` (2 threads, 2 cores of an AMD EPYC, 2026-11-25): [`Ordering::Predicted`](crate::Ordering::Predicted) sorts the
    /// edges where four after each other can lead to consecutive rows. Loops
    /// whose dats are all SoA run by AVX2 at most; loops with several layouts are slower still. The [report](crate::Op2::report) has a
    /// note for loops that reach many more cache lines than with AoS.
    Soa,
    /// Structures of arrays of `2^n` elements each, one after the other; the last one is padded.
    Blocked(u8),
}

/// The address computation of all layouts: component `c` of element `e` is at `(e >> shift) * block + c * stride + (e &
/// mask)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    shift: u32,
    mask: usize,
    block: usize,
    stride: usize,
}

impl Layout {
    /// Greatest exponent of [`Layout::Blocked`]: blocks of 65,536 elements.
    pub const MAX_BLOCK_EXPONENT: u8 = 16;

    /// The address computation for `size` elements of `dim` components of `bytes` bytes, a power of two.
    pub(crate) fn geometry(self, size: usize, dim: usize, bytes: usize) -> Geometry {
        match self {
            Layout::Aos => Geometry::aos(dim),
            Layout::Soa => {
                let stride = column(size as u128, bytes) as usize;
                Geometry { shift: usize::BITS - 1, mask: usize::MAX >> 1, block: 0, stride }
            }
            Layout::Blocked(_) => {
                let lanes = self.group();
                Geometry { shift: lanes.trailing_zeros(), mask: lanes - 1, block: lanes * dim, stride: lanes }
            }
        }
    }

    /// The number of runs in the storage of `dim` components. In each run, elements are in order.
    pub(crate) fn runs(self, dim: usize) -> usize {
        match self {
            Layout::Aos | Layout::Blocked(_) => 1,
            Layout::Soa => dim,
        }
    }

    /// The elements whose components lie together, before those of others in the same run.
    pub(crate) fn group(self) -> usize {
        match self {
            Layout::Aos | Layout::Soa => 1,
            Layout::Blocked(n) => 1 << n.min(Self::MAX_BLOCK_EXPONENT),
        }
    }

    /// Scalars in the storage of `size` elements of `dim` components of `bytes` bytes, padding included. May exceed the address
    /// space.
    pub(crate) fn scalars(self, size: usize, dim: usize, bytes: usize) -> u128 {
        let padded = match self {
            Layout::Soa => column(size as u128, bytes),
            _ => (size as u128).next_multiple_of(self.group() as u128),
        };
        padded * dim as u128
    }
}

/// Scalars of `bytes` bytes from one column of `size` elements to the next one: an odd number of cache lines, or none.
fn column(size: u128, bytes: usize) -> u128 {
    let line = (LINE / bytes) as u128;
    let lines = size.div_ceil(line);
    line * if lines == 0 { 0 } else { lines | 1 }
}

impl Geometry {
    pub(crate) const fn aos(dim: usize) -> Self {
        Geometry { shift: 0, mask: 0, block: dim, stride: 1 }
    }

    /// The numbers that define it.
    #[inline(always)]
    pub(crate) fn parts(self) -> [usize; 3] {
        [self.mask, self.block, self.stride]
    }

    /// The geometry with these [`Geometry::parts`].
    pub(crate) fn of_parts([mask, block, stride]: [usize; 3]) -> Self {
        Geometry { shift: mask.count_ones(), mask, block, stride }
    }

    /// Whether the components of an element are adjacent.
    #[inline(always)]
    pub(crate) fn is_aos(self) -> bool {
        self.stride == 1 && self.mask == 0
    }

    /// Whether the first components of all elements stand together, then the second ones, and so on.
    #[inline(always)]
    pub(crate) fn is_soa(self) -> bool {
        self.block == 0
    }

    /// Scalars from one component of an element to the next one.
    #[inline(always)]
    pub(crate) fn stride(self) -> usize {
        self.stride
    }

    /// Position of component `c` of element `e`, in scalars.
    #[inline(always)]
    pub(crate) fn offset(self, e: usize, c: usize) -> usize {
        (e >> self.shift) * self.block + c * self.stride + (e & self.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_places_every_component_once() {
        for layout in [Layout::Aos, Layout::Soa, Layout::Blocked(0), Layout::Blocked(2), Layout::Blocked(3)] {
            for (size, dim, bytes) in [(0, 3, 8), (1, 1, 4), (7, 4, 8), (8, 3, 1), (9, 2, 8)] {
                let geometry = layout.geometry(size, dim, bytes);
                assert_eq!(Geometry::of_parts(geometry.parts()), geometry);
                let mut seen = vec![false; layout.scalars(size, dim, bytes) as usize];
                for e in 0..size {
                    for c in 0..dim {
                        let at = geometry.offset(e, c);
                        assert!(!std::mem::replace(&mut seen[at], true), "{layout:?} {size}x{dim}: {at} twice");
                    }
                }
            }
        }
    }

    #[test]
    fn more_scalars_than_can_be_numbered_are_counted() {
        let most = usize::MAX as u128;
        assert_eq!(Layout::Soa.scalars(usize::MAX, 2, 8), (most + 1 + 8) * 2);
        assert_eq!(Layout::Blocked(16).scalars(usize::MAX, 2, 8), (most + 1) * 2);
    }

    #[test]
    fn other_layouts_put_components_apart() {
        assert_eq!(Layout::Aos.geometry(10, 3, 8).offset(4, 2), 14);
        assert_eq!(Layout::Blocked(2).geometry(10, 3, 8).offset(5, 2), 12 + 8 + 1);
        assert_eq!(Layout::Soa.geometry(10, 3, 8).offset(4, 2), 2 * 24 + 4);
    }

    #[test]
    fn columns_begin_an_odd_number_of_cache_lines_apart() {
        for (size, bytes, stride) in [
            (0, 8, 0),
            (1, 8, 8),
            (8, 8, 8),
            (9, 8, 24),
            (1 << 18, 8, (1 << 18) + 8),
            (16, 4, 16),
            (17, 4, 48),
            (5, 1, 64),
        ] {
            assert_eq!(Layout::Soa.geometry(size, 2, bytes).stride(), stride, "{size} elements of {bytes} bytes");
        }
    }
}
