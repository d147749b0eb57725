//! Random kernels over the whole kernel language, run in all ways that op2 has and compared with plain loops.
//!
//! [`generate`] makes a [`case::Case`] from a seed: loops over kernels that are valid by construction. [`mod@print`]
//! writes it as Rust: the loops of op2, and the same loops by hand, which gather, call the kernel itself and scatter.
//! [`build`] compiles a batch of cases as one crate, with the [`harness`]. [`run`] runs its program and reads
//! the output. Each case runs in several settings, which vary executor, strategy, layout, instruction set, ordering,
//! size, flags and the emulator. [`shrink`] makes failing cases small. [`check`] checks a case by op2's code generator
//! as a library, so that tests of this crate compile no program.
//!
//! Results are compared to the last bit. Contributions are multiples of a quarter, so that sums are exact in any order.
//! In a quarter of the cases they are not. There the plain loops record the magnitudes of what they add; results must
//! agree up to the rounding of these, and have the same bits for other instructions and numbers of threads.

pub mod build;
pub mod case;
pub mod check;
pub mod generate;
pub mod harness;
pub mod print;
pub mod random;
pub mod run;
pub mod shrink;
