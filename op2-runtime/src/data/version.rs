//! Things whose changes are counted.

use std::ops::Deref;

/// A value that everybody may read, and that nobody changes without its version moving: so that what was made of it can be told
/// to be old.
#[derive(Debug)]
pub(crate) struct Versioned<T> {
    value: T,
    version: u32,
}

impl<T> Versioned<T> {
    pub(crate) fn new(value: T) -> Self {
        Versioned { value, version: 0 }
    }

    /// The value, to be changed.
    pub(crate) fn change(&mut self) -> &mut T {
        self.version = self.version.wrapping_add(1);
        &mut self.value
    }

    /// How often it was changed.
    #[inline]
    pub(crate) fn version(&self) -> u32 {
        self.version
    }
}

impl<T> Deref for Versioned<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}
