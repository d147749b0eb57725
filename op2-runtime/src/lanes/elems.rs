//! The elements of a body: positions of a loop, and the elements at them.

use super::Ahead;
use crate::data::sink::{Redirected, Sink};
use crate::data::value::Value;
use crate::data::view::View;
use std::ops::Range;

/// The elements of a block in the general case. Positions lead to elements by a list if the loop runs over a subset or
/// the plan permutes. Contributions may be redirected.
#[derive(Debug, Clone)]
pub struct Elems<'a> {
    pub(crate) positions: Range<usize>,
    pub(crate) list: Option<&'a [u32]>,
    pub(crate) redirected: &'a [Redirected],
    /// The arguments, as a bit set, whose rows are written past the caches, because they are not read soon.
    pub(crate) streams: u64,
    /// The rows to prefetch, if any.
    pub(crate) ahead: Option<&'a Ahead>,
    /// Whether the body that is compiled for SoA runs them.
    pub(crate) soa: bool,
}

impl<'a> Elems<'a> {
    /// These positions of the loop; without a list they are the elements.
    pub(crate) fn at(positions: Range<usize>, list: Option<&'a [u32]>) -> Self {
        Elems { positions, list, redirected: &[], streams: 0, ahead: None, soa: false }
    }

    /// These elements, in this order.
    pub fn of_list(list: &'a [u32]) -> Self {
        Elems::at(0..list.len(), Some(list))
    }

    /// Whether the rows of argument `arg` are written past the caches.
    #[inline]
    pub fn streams(&self, arg: usize) -> bool {
        self.streams.checked_shr(arg as u32).is_some_and(|bits| bits & 1 == 1)
    }

    /// The elements `0..count`, for benches of loop bodies.
    #[cfg(feature = "bench-internals")]
    pub fn first(count: usize) -> Self {
        Elems::at(0..count, None)
    }

    /// Takes the first `size` elements, or all if there are fewer; `None` if there are none.
    pub fn take_first(&mut self, size: usize) -> Option<Elems<'a>> {
        let Range { start, end } = self.positions;
        let middle = end.min(start.saturating_add(size));
        self.positions.start = middle;
        (start < middle).then_some(Elems { positions: start..middle, ..*self })
    }

    /// The number of positions.
    pub fn places(&self) -> usize {
        self.positions.len()
    }

    /// The sink for the contributions of argument `arg`.
    #[inline]
    pub fn sink<V: Value, const SOA: bool>(&self, arg: usize, view: View<V, SOA>) -> Sink<V, SOA> {
        Sink::new(view, self.redirected.iter().find(|redirected| redirected.arg == arg).copied())
    }
}

/// Positions and elements.
impl Iterator for Elems<'_> {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        let position = self.positions.next()?;
        let element = match self.list {
            Some(list) => list[position] as usize,
            None => position,
        };
        Some((position, element))
    }
}
