//! The internal numbering of a set. Users keep their own numbering; everything that passes between them and the stored
//! data is translated: rows, entries of maps, lists of subsets, indices that kernels ask for, errors. Only the registry
//! of the mesh and the calls of loops translate. `Config::shuffled` numbers every set at random, and the tests of all
//! backends run with it, so that a path that forgets to translate is found.

use crate::data::parts::scatter;
use crate::data::place::Place;
use crate::data::room;
use crate::error::Result;

/// The internal numbers of a set's elements and the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbering {
    /// The inner numbers, by the user's number.
    inner: Vec<u32>,
    /// The user's numbers, by the inner number.
    user: Vec<u32>,
}

impl Numbering {
    /// The numbering in which the user's element `e` has the inner number `inner[e]`, a permutation.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), which names `what`.
    pub(crate) fn new(inner: Vec<u32>, what: impl FnOnce() -> String) -> Result<Self> {
        let user = inverse(&inner, what)?;
        Ok(Numbering { inner, user })
    }

    /// The numbering in which inner numbers are the user's.
    ///
    /// # Errors
    /// As [`Numbering::new`].
    pub(crate) fn same(size: usize, what: impl Fn() -> String) -> Result<Self> {
        let inner = room::all(&what, size, |e| e as u32)?;
        let user = room::all(&what, size, |e| e as u32)?;
        Ok(Numbering { inner, user })
    }

    /// Makes room for so many more elements.
    ///
    /// # Errors
    /// As [`Numbering::new`].
    pub(crate) fn reserve(&mut self, more: usize, what: impl Fn() -> String) -> Result<()> {
        [&mut self.inner, &mut self.user].into_iter().try_for_each(|list| room::reserve(&what, list, more))
    }

    /// Adds elements behind all others: their inner numbers, by the user's number, and the other way round.
    pub(crate) fn extend(&mut self, inner: &[u32], user: &[u32]) {
        self.inner.extend_from_slice(inner);
        self.user.extend_from_slice(user);
    }

    /// A random numbering of `size` elements, the same for every call with this seed.
    pub(crate) fn random(size: usize, seed: u64, what: impl Fn() -> String) -> Result<Self> {
        // SplitMix64 (Steele, Lea, Flood 2014): its stream will not change with a version of a crate.
        let mut state = seed;
        let mut below = |n: usize| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
        };
        let mut inner = room::all(&what, size, |e| e as u32)?;
        for last in (1..size).rev() {
            inner.swap(last, below(last + 1));
        }
        Numbering::new(inner, what)
    }

    /// The inner number of the user's element `e`.
    #[inline]
    pub(crate) fn inner(&self, e: usize) -> usize {
        self.inner[e] as usize
    }

    /// The inner numbers, by the user's number.
    pub(crate) fn inner_numbers(&self) -> &[u32] {
        &self.inner
    }

    /// The user's numbers, by inner number.
    pub(crate) fn user(&self) -> &[u32] {
        &self.user
    }
}

/// The old number of each element, by new numbers: `numbers[e]` is the new one of element `e`, a permutation.
///
/// # Errors
/// As [`Numbering::new`].
pub(crate) fn inverse(numbers: &[u32], what: impl FnOnce() -> String) -> Result<Vec<u32>> {
    let mut old = room::filled(what, 0, numbers.len())?;
    scatter(numbers, 1, &mut old, |e, place| place[0] = e as u32);
    Ok(old)
}

/// The user's numbers of a set's elements, as generated code asks for them.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// By inner number; null where both are the same.
    user: *const u32,
    /// The inner numbers, by the user's number; null where both are the same.
    inner: *const u32,
}

// SAFETY: it is an address; every access through it is unsafe and states what it needs.
unsafe impl Send for Numbers {}
// SAFETY: as above.
unsafe impl Sync for Numbers {}

impl Numbers {
    pub(crate) fn of_set(numbering: Option<&Numbering>) -> Self {
        let null = Numbers { user: std::ptr::null(), inner: std::ptr::null() };
        numbering.map_or(null, |n| Numbers { user: n.user.as_ptr(), inner: n.inner.as_ptr() })
    }

    /// The element with the user's number `n`.
    ///
    /// # Safety
    /// There is such an element, and the set is not renumbered meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn element(self, n: u32) -> u32 {
        if self.inner.is_null() {
            return n;
        }
        // SAFETY: passed on to the caller.
        unsafe { *self.inner.add(n as usize) }
    }

    /// The user's number of element `e`.
    ///
    /// # Safety
    /// `e` is an element of the set, and the set is not renumbered meanwhile.
    #[inline(always)]
    pub unsafe fn of(self, e: impl Place) -> usize {
        // SAFETY: passed on to the caller.
        let e = unsafe { e.element().unwrap_unchecked() };
        if self.user.is_null() {
            return e;
        }
        // SAFETY: passed on to the caller.
        unsafe { *self.user.add(e) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_a_permutation_and_repeat() {
        let random = |size, seed| Numbering::random(size, seed, String::new).unwrap();
        for size in [0, 1, 2, 1000] {
            let numbering = random(size, 7);
            let mut all = numbering.user.clone();
            all.sort_unstable();
            assert!(all.iter().enumerate().all(|(i, &e)| i as u32 == e) && all.len() == size);
            assert!((0..size).all(|e| numbering.user[numbering.inner(e)] as usize == e));
            assert_eq!(numbering, random(size, 7));
        }
        assert_ne!(random(1000, 7), random(1000, 8));
    }
}
