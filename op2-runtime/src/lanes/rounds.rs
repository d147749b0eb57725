//! Loops whose number of rounds differs between lanes.

use super::held::Lane;
use super::held::Width;
use super::mask::Mask;
use super::spread::each_of;
use super::vector::V;
use smallvec::SmallVec;

/// The rounds that each lane has left.
#[derive(Debug)]
pub struct Rounds<I>(SmallVec<[I; 16]>);

impl<I: Iterator<Item: Lane>> Rounds<I> {
    /// One iterator per lane: `range` of the lane's number.
    #[inline(always)]
    pub fn new<W: Width>(_w: W, range: impl FnMut(usize) -> I) -> Self {
        Rounds((0..W::LANES).map(range).collect())
    }

    /// The next round of the lanes in `going`; lanes that have none leave `going`. `None` if none has.
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
