//! Arrays made item by item. The functions of the standard library are not always inlined, and would then be compiled
//! without the instructions of the lanes.

use std::mem::MaybeUninit;

/// An array of the results of `f` for each index.
#[inline(always)]
pub(super) fn array<T: Copy, const N: usize>(mut f: impl FnMut(usize) -> T) -> [T; N] {
    let mut items = [const { MaybeUninit::uninit() }; N];
    let mut n = 0;
    while n < N {
        items[n].write(f(n));
        n += 1;
    }
    // SAFETY: all items are written, and an array of them is laid out as one of `MaybeUninit`.
    unsafe { std::mem::transmute_copy(&items) }
}

/// An array of the results of `f` for each item.
#[inline(always)]
pub fn mapped<T: Copy, U: Copy, const N: usize>(items: [T; N], mut f: impl FnMut(T) -> U) -> [U; N] {
    array(|n| f(items[n]))
}
