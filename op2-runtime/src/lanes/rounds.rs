//! Loops of which every lane has rounds of its own.

use super::lane::Lane;
use super::mask::Mask;
use super::spread::each_of;
use super::vector::V;
use super::width::Width;
use smallvec::SmallVec;

/// The rounds that are left to each lane.
#[derive(Debug)]
pub struct Rounds<I>(SmallVec<[I; 16]>);

impl<I: Iterator<Item: Lane>> Rounds<I> {
    /// What `range` gives for each lane.
    #[inline(always)]
    pub fn new<W: Width>(_w: W, range: impl FnMut(usize) -> I) -> Self {
        Rounds((0..W::LANES).map(range).collect())
    }

    /// The next round of all lanes that are still going: lanes without one drop out of `going`. None if nobody has one.
    #[inline(always)]
    pub fn next<W: Width>(&mut self, w: W, going: &mut Mask<W>) -> Option<V<W, I::Item>> {
        let mut left = Mask::none(w);
        let next = each_of(w, *going, |lane| match self.0[lane].next() {
            Some(round) => {
                left = left | Mask::first(w, lane + 1) & !Mask::first(w, lane);
                round
            }
            None => I::Item::default(),
        });
        *going = left;
        left.any().then_some(next)
    }
}
