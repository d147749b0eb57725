//! Executes the PTX that NVRTC makes, on the CPU, behind the functions of NVIDIA's driver that op2 calls. So everything is tested that a GPU
//! would run: the host's path, NVIDIA's front end, what it decides about constant loads, barriers and shuffles.
//!
//! Build the library, and name it to a program that uses `Backend::Cuda`:
//!
//! ```text
//! cargo build -p op2-ptx
//! OP2_CUDA_DRIVER=target/debug/libop2_ptx.so cargo run -p airfoil -- --backend cuda --size 20 30 --iters 5
//! ```
//!
//! It says that it is a GPU for which no compiler makes machine code, so that it is given PTX. It shares no code with op2's emulator.
//! Every access is checked: alignment, bounds of allocations, shared memory that nobody has written, races between barriers, constant
//! loads of what a launch writes; and that all threads of a block wait at the same barrier. Blocks and threads run in a random order;
//! `OP2_PTX_SEED` repeats one. The first fault is printed, and every later call of the driver fails.

mod arith;
mod decode;
pub mod driver;
mod error;
mod launch;
mod memory;
mod program;
mod text;
mod thread;
mod types;
