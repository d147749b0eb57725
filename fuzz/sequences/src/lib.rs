//! Random sequences of op2's calls, run on op2 and on a model in plain vectors, and compared.
//!
//! | part | home |
//! | --- | --- |
//! | a program of calls, and how its `Op2` is set up | `step.rs`, `config.rs` |
//! | loops: kernels for op2, the same as data and in plain Rust | `kernels.rs`, `kinds.rs`, `compute.rs`, `calls.rs` |
//! | the expected result of each call, and the calls that must fail | `model.rs` |
//! | random programs | `generate.rs`, `data.rs`, `random.rs` |
//! | a run, and the comparison | `run.rs`, `handles.rs` |
//! | the shortest program that fails, as text | `shrink.rs`, `print.rs` |

mod calls;
pub mod compute;
pub mod config;
pub mod data;
pub mod generate;
pub mod handles;
pub mod kernels;
pub mod kinds;
pub mod model;
pub mod print;
pub mod random;
pub mod run;
pub mod shrink;
pub mod step;

pub use generate::{program, small_program};
pub use run::{Counts, Failure, Plant, Runner, listen_to_panics};
pub use shrink::shrink;
