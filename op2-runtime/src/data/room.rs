//! Allocations whose size depends on the user's data. They fail with an error that names their purpose.

use crate::error::{Error, Result};

/// An empty list with room for `len` values. `what` describes them in the error.
pub(crate) fn list<T>(what: impl FnOnce() -> String, len: usize) -> Result<Vec<T>> {
    let bytes = len as u128 * size_of::<T>() as u128;
    let mut list = Vec::new();
    match list.try_reserve_exact(len) {
        Ok(()) if allows(bytes) => Ok(list),
        _ => Err(missing(what(), bytes)),
    }
}

/// Makes room for `more` values in a list, with spare room, so that repeated growth moves each value a few times at most.
pub(crate) fn reserve<T>(what: impl FnOnce() -> String, list: &mut Vec<T>, more: usize) -> Result<()> {
    let bytes = (list.len() as u128 + more as u128) * size_of::<T>() as u128;
    let spare = list.capacity() - list.len();
    let enough =
        spare >= more || (allows(bytes) && (list.try_reserve(more).is_ok() || list.try_reserve_exact(more).is_ok()));
    if enough { Ok(()) } else { Err(missing(what(), bytes)) }
}

/// A list with `len` times the same value.
pub(crate) fn filled<T: Clone>(what: impl FnOnce() -> String, value: T, len: usize) -> Result<Vec<T>> {
    let mut list = list(what, len)?;
    list.resize(len, value);
    Ok(list)
}

/// A list of `of(0)`, `of(1)` and so on, `len` in all.
pub(crate) fn all<T>(what: impl FnOnce() -> String, len: usize, of: impl FnMut(usize) -> T) -> Result<Vec<T>> {
    let mut list = list(what, len)?;
    list.extend((0..len).map(of));
    Ok(list)
}

/// The error for memory that the system lacks.
pub(crate) fn missing(what: String, bytes: u128) -> Error {
    Error::NoMemory { what, bytes }
}

/// Whether the system could allocate so many bytes now. It frees them at once.
pub(crate) fn has(bytes: u128) -> bool {
    allows(bytes) && usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Whether so many bytes are below the limit that a test may have set.
pub(crate) fn allows(bytes: u128) -> bool {
    #[cfg(test)]
    let most = tests::LIMIT.get();
    #[cfg(not(test))]
    let most = u128::MAX;
    bytes <= most
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::inspect::{Elements, LoopShape, Through, Touch};
    use crate::plan::{Hardware, Plan, PlanError, Scheme};
    use op2_core::Access;
    use std::cell::Cell;

    thread_local! {
        /// The most bytes at a time that a test permits.
        pub(super) static LIMIT: Cell<u128> = const { Cell::new(u128::MAX) };
    }

    /// Calls `run` while every request for more than `bytes` bytes fails.
    pub(crate) fn limited<R>(bytes: u128, run: impl FnOnce() -> R) -> R {
        LIMIT.set(bytes);
        let result = run();
        LIMIT.set(u128::MAX);
        result
    }

    #[test]
    fn plans_without_memory_are_refused() {
        let entries: Vec<u32> = (0..100).flat_map(|e| [e, (e + 1) % 100]).collect();
        let through = Some(Through { map: 0, entries: &entries, arity: 2, offsets: None, used: 0..2 });
        let touch = Touch { arg: 0, dat: 0, targets: 100, bytes: 8, access: Access::Inc, through, own: false };
        let shape = LoopShape { elements: Elements::All(100), touches: vec![touch] };
        let schemes = [Scheme::blocks(1), Scheme::colours(9), Scheme::tiles(9), Scheme::owner(9)];
        for limit in [0, 50, 99, 799] {
            for scheme in schemes {
                let refused = limited(limit, || Plan::build(&shape, scheme).map(drop));
                let Err(PlanError::NoMemory { bytes }) = refused else { panic!("{scheme}, {limit}: {refused:?}") };
                assert!(bytes > limit, "{scheme}");
            }
            let refused = limited(limit, || Plan::predicted(&shape, Hardware::FewCores).map(drop));
            assert!(matches!(refused, Err(PlanError::NoMemory { .. })), "{limit}: {refused:?}");
        }
        assert!(limited(1200, || Plan::build(&shape, schemes[0])).is_ok());
    }

    #[test]
    fn what_is_not_there_is_an_error_with_its_size() {
        let what = || "dat `q`".to_owned();
        assert_eq!(filled(what, 7u16, 3), Ok(vec![7; 3]));
        assert_eq!(all(what, 3, |n| n * n), Ok(vec![0, 1, 4]));
        let most = usize::MAX as u128;
        for len in [usize::MAX, usize::MAX / 8] {
            let bytes = len as u128 * 8;
            assert_eq!(list::<u64>(what, len), Err(Error::NoMemory { what: what(), bytes }));
            assert_eq!(filled(what, 0u64, len), Err(Error::NoMemory { what: what(), bytes }));
            assert_eq!(all(what, len, |n| n as u64), Err(Error::NoMemory { what: what(), bytes }));
        }
        assert!(has(0) && has(1 << 10) && !has(most) && !has(most * most));
    }
}
