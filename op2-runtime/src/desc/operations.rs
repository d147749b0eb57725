//! Counts of operations that depend on constants of a kernel, which the compiler evaluates.

/// The sum.
pub const fn total(parts: &[u32]) -> u32 {
    match parts {
        [] => 0,
        [first, rest @ ..] => first.saturating_add(total(rest)),
    }
}

/// The largest part.
pub const fn most(parts: &[u32]) -> u32 {
    match parts {
        [] => 0,
        [first, rest @ ..] => {
            let others = most(rest);
            if *first > others { *first } else { others }
        }
    }
}

/// The rounds of a loop over `from..to`, or `from..=to` if `inclusive`.
pub const fn rounds(from: u128, to: usize, inclusive: bool) -> u32 {
    let rounds = (to as u128 + inclusive as u128).saturating_sub(from);
    if rounds > u32::MAX as u128 { u32::MAX } else { rounds as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_saturate() {
        assert_eq!((total(&[]), total(&[1, 2, 3]), total(&[u32::MAX, 1])), (0, 6, u32::MAX));
        assert_eq!((most(&[]), most(&[2, 7, 3])), (0, 7));
        assert_eq!((rounds(1, 4, false), rounds(1, 4, true), rounds(5, 4, false)), (3, 4, 0));
        assert_eq!((rounds(0, usize::MAX, true), rounds(u128::MAX, 0, false)), (u32::MAX, 0));
    }
}
