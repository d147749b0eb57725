//! The words of CUDA that generated text uses.

use crate::support::{buffer, emulator, launch, scalars, source};
use op2_cuda::{Arg, Definition};

#[test]
fn threads_and_blocks_have_their_numbers() {
    let source = source(
        &["numbers"],
        "extern \"C\" __global__ __launch_bounds__(64) void numbers(unsigned* out) {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            out[i] = 1000 * blockIdx.x + 10 * threadIdx.x + gridDim.x;
        }",
    );
    let device = emulator(1);
    let out = buffer(&device, "out", &[0u32; 3 * 64]);
    launch(&device, &source, "numbers", (3, 64, 0), &[Arg::Buffer(Some(&out))]).expect("no fault");
    let expected: Vec<u32> = (0..3).flat_map(|b| (0..64).map(move |t| 1000 * b + 10 * t + 3)).collect();
    assert_eq!(scalars::<u32>(&device, &out), expected);
}

#[test]
fn shared_memory_passes_values_over_a_barrier() {
    let source = source(
        &["turn"],
        "extern \"C\" __global__ void turn(double* x) {
            double* shared = reinterpret_cast<double*>(op2_arena);
            double* mine = x + blockIdx.x * blockDim.x;
            shared[threadIdx.x] = mine[threadIdx.x];
            __syncthreads();
            mine[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
        }",
    );
    let device = emulator(2);
    let x: Vec<f64> = (0..128).map(f64::from).collect();
    let data = buffer(&device, "x", &x);
    launch(&device, &source, "turn", (2, 64, 64 * 8), &[Arg::Buffer(Some(&data))]).expect("no fault");
    let expected: Vec<f64> = (0..64).rev().chain((64..128).rev()).map(f64::from).collect();
    assert_eq!(scalars::<f64>(&device, &data), expected);
}
