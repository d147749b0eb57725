//! Random kernels over the whole kernel language, run by op2 in every way that it has and compared with plain loops.
//!
//! [`generate`] makes a [`case::Case`] of a seed: loops over kernels that are valid by construction. [`mod@print`] writes it as Rust: the
//! loops of op2, and the same loops by hand, which gather, call the kernel itself and scatter. [`build`] compiles a batch of cases as one crate, on
//! the harness in `harness/`, and [`run`] reads what its program says: every case in several settings, which go through executors, strategies,
//! layouts, instruction sets, orderings, sizes, flags and the emulator. [`shrink`] makes small what fails. [`check`] judges a case
//! by op2's generator as a library, so that tests of this crate compile no program.
//!
//! Results are compared to the last bit. Contributions are multiples of a quarter, so that sums are exact in any order. In a
//! quarter of the cases they are not: there the plain loops keep the magnitudes of what they add, results agree to rounding of these, and have the
//! same bits for other instructions and numbers of threads.

pub mod build;
pub mod case;
pub mod check;
pub mod generate;
pub mod print;
pub mod random;
pub mod run;
pub mod shrink;
