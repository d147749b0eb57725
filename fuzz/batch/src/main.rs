//! A batch of random programs. `op2-fuzz-kernels` writes them, and builds and runs this.
#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]

#[cfg(has_programs)]
include!(concat!(env!("OP2_FUZZ_BATCH"), "/main.rs"));

// As for a build with all features.
#[cfg(not(has_programs))]
fn main() {
    eprintln!("there are no programs in this build: `cargo xtask fuzz` makes some");
    std::process::exit(2);
}
