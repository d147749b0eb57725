//! New orders of sets, applied to rows and maps.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};

/// A new order of the elements of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    old: Vec<u32>,
    new: Vec<u32>,
}

/// Draws random orders, one after the other. The same seed gives the same orders everywhere.
///
/// `rand` lists this generator as portable: its output stays the same in later versions. Only the raw output is used,
/// because ranges and shuffles come without such a promise.
pub(crate) struct Shuffler(Xoshiro256PlusPlus);

impl Permutation {
    /// The order that changes nothing: element `k` keeps number `k`.
    pub fn identity(len: u32) -> Self {
        Self::from_old((0..len).collect())
    }

    /// A random order of `len` elements; all orders are equally likely, within the generator's limits. The same `seed`
    /// gives the same order on every machine.
    pub fn random(len: u32, seed: u64) -> Self {
        Shuffler::new(seed).order(len as usize)
    }

    /// Old numbers: entry `k` is the old number of element `k`.
    pub fn old(&self) -> &[u32] {
        &self.old
    }

    /// New numbers: entry `k` is the new number of the element that had number `k`.
    pub fn new_numbers(&self) -> &[u32] {
        &self.new
    }

    /// The inverse order.
    pub fn inverse(&self) -> Self {
        Self { old: self.new.clone(), new: self.old.clone() }
    }

    /// Brings `rows`, one per element in the old order, into the new order.
    ///
    /// # Panics
    /// If the number of rows is not the number of elements.
    pub fn rows<T: Clone>(&self, rows: &[T]) -> Vec<T> {
        assert_eq!(rows.len(), self.old.len(), "rows of a set of another size");
        self.old.iter().map(|&k| rows[k as usize].clone()).collect()
    }

    /// Renumbers a map from this set to a set with the new order `to`: rows move, and entries follow their targets. The
    /// order within each row stays.
    ///
    /// # Panics
    /// If the number of rows is not the number of elements, or if an entry is not in the target set.
    pub fn map<const N: usize>(&self, rows: &[[u32; N]], to: &Permutation) -> Vec<[u32; N]> {
        assert_eq!(rows.len(), self.old.len(), "rows of a set of another size");
        self.old.iter().map(|&k| rows[k as usize].map(|entry| to.new[entry as usize])).collect()
    }

    /// The new order of a set that consists of this one's elements followed by those of `rest`.
    pub fn then(&self, rest: &Permutation) -> Self {
        let first = self.old.len() as u32;
        let join = |a: &[u32], b: &[u32]| a.iter().copied().chain(b.iter().map(|k| first + k)).collect();
        Self { old: join(&self.old, &rest.old), new: join(&self.new, &rest.new) }
    }

    /// The order with these old numbers. `old` contains every number below its length once.
    fn from_old(old: Vec<u32>) -> Self {
        let mut new = vec![0; old.len()];
        for (k, &was) in old.iter().enumerate() {
            new[was as usize] = k as u32;
        }
        Self { old, new }
    }
}

impl Shuffler {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A random order of the rows of a set, after Fisher and Yates.
    pub(crate) fn order(&mut self, len: usize) -> Permutation {
        let mut old: Vec<u32> = (0..len as u32).collect();
        for last in (1..len).rev() {
            let drawn = (u128::from(self.0.next_u64()) * (last as u128 + 1)) >> 64;
            old.swap(last, drawn as usize);
        }
        Permutation::from_old(old)
    }
}
