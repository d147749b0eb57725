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
//!
//! Each access is checked: its alignment, the bounds of allocations, and that somebody has written what is read. Two accesses to a place,
//! one of which writes, need an order: by barriers of a block or a warp, or by fences and atomics as PTX's memory model has it
//! ([`order`]). What `cp.async` copies is there when it is waited for, constant loads are of what a launch does not write, and a launch
//! that may begin early waits before it touches what the one before has touched. All threads of a block wait at the same barrier, and
//! lanes that exchange values are there.
//!
//! Blocks run one after the other in a random order, and so do the warps of a block between two barriers. Each context draws its own;
//! `OP2_PTX_SEED` gives all of them one. A fault is printed with the seed, and ends its context: [`driver`] says what that means. A kernel
//! whose blocks wait for each other never ends here.

mod access;
mod arith;
mod decode;
pub mod driver;
mod error;
mod launch;
mod marks;
mod memory;
mod order;
mod program;
mod state;
mod text;
mod types;
mod warp;
