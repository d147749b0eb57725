//! A batch of random programs. `op2-fuzz-kernels` writes them, and builds and runs this.
#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]

include!(concat!(env!("OP2_FUZZ_BATCH"), "/main.rs"));
