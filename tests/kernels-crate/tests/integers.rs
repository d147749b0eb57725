//! Rows of integers, where the compiler turns them into vectors: in release builds, so that `.ci/run` has these tests in both kinds.

use op2::{Backend, Config, Isa, Layout};
use op2_test_kernels::integers::{Left, casts, fault, narrow_shifts, run, shared_shifts, shifts};

/// The value of `f` for each one.
fn each<A, const N: usize, T: Copy + Default>(of: &[A], f: impl Fn(&A, &mut [T; N])) -> Vec<[T; N]> {
    let one = |a| {
        let mut q = [T::default(); N];
        f(a, &mut q);
        q
    };
    of.iter().map(one).collect()
}

#[test]
fn casts_and_shifts_keep_their_bits() {
    let wide: Vec<i64> = (0..67).map(|i| (-1 - 3 * i) * if i % 5 == 4 { 1 << 33 } else { 1 }).collect();
    let pairs: Vec<[i64; 2]> = wide.iter().map(|a| [*a, !(a >> 1)]).collect();
    let narrow: Vec<[i32; 4]> = (0..67).map(|i| [5, 12, 19, 26].map(|n| -1 - (n + i) * 1_234_567)).collect();
    let expected = Left {
        casts: each(&wide, casts),
        shifts: each(&pairs, shifts),
        narrow: each(&narrow, narrow_shifts),
        shared: each(&vec![narrow[0]; narrow.len()], shared_shifts),
    };
    for isa in Isa::available() {
        for layout in [Layout::Aos, Layout::Soa] {
            let config = Config::default().backend(Backend::Threads(1)).isa(isa).layout(layout);
            let found = run(config, &wide, &pairs, &narrow).expect("the loops run");
            assert_eq!(found, expected, "{isa}, {layout:?}");
        }
    }
}

/// Says when the compiler's fault is gone, and with it the reason for `Seal` in the lanes of `op2-runtime`.
#[test]
fn the_fault_of_the_compiler() {
    let a = [5, 12, 19, 26].map(|n| -1 - n * 1_234_567);
    let mut right = [0; 8];
    narrow_shifts(&a, &mut right);
    let Some(found) = fault(&a) else { return };
    if found == right {
        eprintln!("this compiler shifts rows of integers as it should: see op2-runtime/src/lanes/seal.rs");
    }
    // The fault is known by its -1 in place of what a mask leaves.
    for (n, (found, right)) in found.into_iter().zip(right).enumerate() {
        assert!(found == right || (found == -1 && [0, 2].contains(&n)), "entry {n}: {found}, expected {right}");
    }
}
