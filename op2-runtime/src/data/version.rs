//! Values whose changes are counted.

use std::ops::Deref;

/// A value whose version rises with every change, so that data derived from an old value are recognised.
#[derive(Debug)]
pub(crate) struct Versioned<T> {
    value: T,
    version: u32,
}

impl<T> Versioned<T> {
    pub(crate) fn new(value: T) -> Self {
        Versioned { value, version: 0 }
    }

    /// The value, mutable; counts a change.
    pub(crate) fn change(&mut self) -> &mut T {
        self.version = self.version.wrapping_add(1);
        &mut self.value
    }

    /// The value, for notes about it on which nothing depends that is kept under its version.
    pub(crate) fn note(&mut self) -> &mut T {
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
