//! The elements that a body runs over: positions of a loop, and the elements that they stand for.

use super::Ahead;
use crate::data::sink::{Lane, Sink};
use crate::data::value::{Number, Value};
use crate::data::view::View;
use std::ops::Range;

/// The elements of a block in the general case: positions of the loop, led to elements by a list
/// if the loop runs over a subset or the plan permutes, with the contributions that the plan redirects.
#[derive(Debug, Clone)]
pub struct Elems<'a> {
    pub(crate) positions: Range<usize>,
    pub(crate) list: Option<&'a [u32]>,
    pub(crate) lanes: &'a [Lane],
    /// The arguments, by number, whose rows are written past the caches, since nobody reads them soon.
    pub(crate) streams: u64,
    /// The rows that are fetched ahead, if any are.
    pub(crate) ahead: Option<&'a Ahead>,
}

impl<'a> Elems<'a> {
    /// Positions of the loop, led to elements by a list or standing for themselves.
    pub(crate) fn at(positions: Range<usize>, list: Option<&'a [u32]>) -> Self {
        Elems { positions, list, lanes: &[], streams: 0, ahead: None }
    }

    /// Whether the rows of argument `arg` are written past the caches.
    #[inline]
    pub fn streams(&self, arg: usize) -> bool {
        self.streams.checked_shr(arg as u32).is_some_and(|bits| bits & 1 == 1)
    }

    /// So many elements in order, for benches of loop bodies.
    pub fn first(count: usize) -> Self {
        Elems::at(0..count, None)
    }

    /// Takes the first `size` of them away, or as many as there are; none if there are none.
    pub fn take_first(&mut self, size: usize) -> Option<Elems<'a>> {
        let Range { start, end } = self.positions;
        let middle = end.min(start.saturating_add(size));
        self.positions.start = middle;
        (start < middle).then_some(Elems { positions: start..middle, ..*self })
    }

    /// How many there are.
    pub fn places(&self) -> usize {
        self.positions.len()
    }

    /// Where the contributions of an argument go.
    #[inline]
    pub fn sink<V: Value<Elem: Number>>(&self, arg: usize, view: View<V>) -> Sink<V> {
        Sink::new(view, self.lanes.iter().find(|lane| lane.arg == arg).copied())
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
