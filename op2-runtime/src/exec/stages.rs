//! Loops in stages: the form in which a loop runs, and the memory that carries values from stage to stage.
//!
//! A thread reuses the memory of one block for the next, whichever loop that belongs to.

use crate::data::value::Elem;
use crate::lanes::Elems;
use std::cell::RefCell;
use std::marker::PhantomData;

/// The form in which a loop runs: in how many stages, and for how many positions at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Index among the forms of the loop, from 0: the number of contribution stages minus one.
    pub number: usize,
    /// Positions that pass through all stages together.
    pub size: usize,
}

thread_local! {
    /// Memory that no buffer of this thread uses at the moment, the most recently used last.
    static IDLE: RefCell<Vec<Vec<u64>>> = const { RefCell::new(Vec::new()) };
}

/// Memory borrowed from this thread. Not generic, so that it is compiled once.
#[derive(Debug)]
struct Memory(Vec<u64>);

impl Memory {
    fn take(bytes: usize) -> Memory {
        let mut memory = IDLE.with_borrow_mut(Vec::pop).unwrap_or_default();
        let words = bytes.div_ceil(size_of::<u64>());
        if memory.len() < words {
            memory.resize(words, 0);
        }
        Memory(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.0);
        // The list may be gone already if the thread is ending.
        let _ = IDLE.try_with(|idle| idle.borrow_mut().push(memory));
    }
}

/// A buffer for the values that one stage leaves for a later one: one for each position of a block.
#[derive(Debug)]
pub struct Room<T> {
    memory: Memory,
    holds: PhantomData<T>,
}

impl<T: Copy> Room<T> {
    /// A buffer with room for `places` values, without values so far.
    pub fn new(places: usize) -> Self {
        const { assert!(align_of::<T>() <= align_of::<u64>(), "scalars have at most 8 bytes") };
        Room { memory: Memory::take(places * size_of::<T>()), holds: PhantomData }
    }

    /// Sets the value of a place.
    ///
    /// # Safety
    /// The room has this place.
    #[inline(always)]
    pub unsafe fn put(&mut self, place: usize, value: T) {
        // SAFETY: by the contract the place is inside; the alignment was checked by `new`.
        unsafe { self.memory.0.as_mut_ptr().cast::<T>().add(place).write(value) };
    }

    /// The value of a place.
    ///
    /// # Safety
    /// A value was put there.
    #[inline(always)]
    pub unsafe fn get(&self, place: usize) -> T {
        // SAFETY: by the contract the place is inside and has a value.
        unsafe { self.memory.0.as_ptr().cast::<T>().add(place).read() }
    }
}

/// The initial value of a temporary of this type.
#[inline(always)]
pub fn zero<E: Elem>(_float: PhantomData<E>) -> E {
    E::default()
}

/// The initial value of an array as long as a const parameter of the kernel.
#[inline(always)]
pub fn zeros<T: Copy, const N: usize>(_length: PhantomData<[(); N]>, item: T) -> [T; N] {
    [item; N]
}

/// Stands for the stages of a loop that has none. Never called.
pub fn not_in_stages<R>(_form: usize, _elements: Elems<'_>, _size: usize, _part: R) -> R {
    unreachable!("a form is one of those that the loop's description counts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_keep_what_was_put() {
        let mut flags = Room::<Option<bool>>::new(5);
        let mut rows = Room::<[f64; 3]>::new(5);
        for place in 0..5 {
            // SAFETY: both rooms have five places.
            unsafe {
                flags.put(place, (place > 1).then_some(place % 2 == 0));
                rows.put(place, [place as f64; 3]);
            }
        }
        for place in 0..5 {
            // SAFETY: every value was put.
            let found = unsafe { (flags.get(place), rows.get(place)) };
            assert_eq!(found, ((place > 1).then_some(place % 2 == 0), [place as f64; 3]));
        }
    }

    #[test]
    fn the_memory_of_a_block_is_that_of_the_one_before() {
        let place = |room: &Room<f64>| room.memory.0.as_ptr();
        let (first, second) = (Room::<f64>::new(64), Room::<f64>::new(32));
        let before = (place(&first), place(&second));
        // In the order in which a scope drops them.
        drop(second);
        drop(first);
        let (first, second) = (Room::<f64>::new(64), Room::<f64>::new(16));
        assert_eq!((place(&first), place(&second)), before);
    }
}
