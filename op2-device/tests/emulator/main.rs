//! Hand-written CUDA C++ in the emulator: its results, and each fault that it finds, next to the same kernel without
//! the fault.

mod support;

mod language;
mod machine;
mod memory;
mod panics;
mod races;
mod waiting;
