//! Accesses without an order: a kernel with the fault, and its twin without.

use crate::support::{buffer, check, emulator, launch, needs_cxx, scalars, source};
use op2_device::Arg;

#[test]
fn two_threads_of_a_block_write_a_scalar() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            OP2_ELEMENT(100 + threadIdx.x);
            if (threadIdx.x == 3 || threadIdx.x == 40) x[12] = threadIdx.x;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            OP2_ELEMENT(100 + threadIdx.x);
            if (threadIdx.x == 3) x[12] = threadIdx.x;
            __syncthreads();
            if (threadIdx.x == 40) x[12] = threadIdx.x;
        }",
        (1, 64, 0),
        &[
            "element 103 (block 0, thread 3)",
            "element 140 (block 0, thread 40)",
            "both write scalar 12 of dat `q`, without a barrier between them",
        ],
    );
}

#[test]
fn two_blocks_write_a_scalar() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            OP2_ELEMENT(100 * blockIdx.x + threadIdx.x);
            __syncthreads();
            if (blockIdx.x % 2 == 1 && threadIdx.x == 5 + blockIdx.x) x[7] = 1;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            OP2_ELEMENT(100 * blockIdx.x + threadIdx.x);
            __syncthreads();
            if (blockIdx.x % 2 == 1 && threadIdx.x == 5 + blockIdx.x) x[7 + blockIdx.x] = 1;
        }",
        (4, 32, 0),
        &[
            "element 106 (block 1, thread 6)",
            "element 308 (block 3, thread 8)",
            "both write scalar 7 of dat `q`, and nothing orders two blocks",
        ],
    );
}

#[test]
fn a_thread_reads_what_another_writes() {
    needs_cxx!();
    check(
        "__device__ void move(unsigned* x, bool waits) {
            OP2_ELEMENT(threadIdx.x);
            const unsigned other = x[(threadIdx.x + 1) % 64 == 9 ? 9 : threadIdx.x];
            if (waits) __syncthreads();
            if (threadIdx.x == 9 || other == 77) x[9] = other + 1;
        }
        extern \"C\" __global__ void bad(unsigned* x) { move(x, false); }
        extern \"C\" __global__ void good(unsigned* x) { move(x, true); }",
        (1, 64, 0),
        &["element 8 (block 0, thread 8)", "element 9 (block 0, thread 9)", "scalar 9 of dat `q`", "read", "write"],
    );
}

/// A fence, an atomic, and behind it a fence again: so the last block of a reduction knows that the others are done.
#[test]
fn the_last_block_reads_what_the_others_have_left() {
    needs_cxx!();
    let text = "__device__ void join(unsigned* x, bool releases, bool acquires) {
            OP2_ELEMENT(blockIdx.x);
            bool* last = reinterpret_cast<bool*>(op2_arena);
            if (threadIdx.x == 0) {
                x[blockIdx.x] = 5;
                if (releases) __threadfence();
                *last = atomicAdd(x + 20, 1u) == gridDim.x;
                if (acquires) __threadfence();
            }
            __syncthreads();
            if (!*last) return;
            if (threadIdx.x < gridDim.x) x[30 + threadIdx.x] = x[threadIdx.x];
            if (threadIdx.x == 0) x[20] = 1;
        }
        extern \"C\" __global__ void bad(unsigned* x) { join(x, RELEASES); }
        extern \"C\" __global__ void good(unsigned* x) { join(x, true, true); }";
    for fences in ["false, true", "true, false"] {
        let text = text.replace("RELEASES", fences).leak();
        check(text, (4, 32, 1), &["(block ", "scalar ", "of dat `q`", "nothing orders two blocks"]);
    }
}

#[test]
fn a_block_reads_what_another_writes() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            OP2_ELEMENT(blockIdx.x);
            if (threadIdx.x == 0) x[blockIdx.x] = x[(blockIdx.x + 1) % gridDim.x];
        }
        extern \"C\" __global__ void good(unsigned* x) {
            OP2_ELEMENT(blockIdx.x);
            if (threadIdx.x == 0) x[blockIdx.x] = x[blockIdx.x + gridDim.x];
        }",
        (2, 32, 0),
        &["element 0 (block 0, thread 0)", "element 1 (block 1, thread 0)", "nothing orders two blocks"],
    );
}

#[test]
fn of_many_readers_any_is_enough() {
    needs_cxx!();
    // The writer reads, too: only the other readers conflict with it.
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            const unsigned seen = x[0];
            if (seen == threadIdx.x - 4) x[0] = seen + 1;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            if (threadIdx.x == 5) x[0] = x[0] + 1;
        }",
        (1, 32, 0),
        &["thread 5 of block 0", "scalar 0 of dat `q`", "without a barrier"],
    );
}

/// Shuffles order the steps of `bad`, so that a single rule can find each race; in `good`, barriers do.
#[test]
fn the_second_of_two_readers_is_remembered() {
    // Thread 5 is the first reader and may write; thread 7 has read as well.
    check(
        "#define STEPS(meet) \\
            unsigned seen = threadIdx.x == 5 ? x[0] : 0; \\
            meet; \\
            if (threadIdx.x == 7) seen += x[0]; \\
            meet; \\
            if (threadIdx.x == 5) x[0] = seen + 1; \\
            x[32 + threadIdx.x] = seen;
        extern \"C\" __global__ void bad(unsigned* x) { STEPS(__shfl_xor_sync(0xffffffffu, threadIdx.x, 1)) }
        extern \"C\" __global__ void good(unsigned* x) { STEPS(__syncthreads()) }",
        (1, 32, 0),
        &["thread 5 of block 0 writes scalar 0 of dat `q`, which thread 7 of block 0 reads, without a barrier"],
    );
}

#[test]
fn an_atomic_change_of_what_another_thread_has_read_is_a_race() {
    // No thread reads after the change, so only the change itself can be found.
    check(
        "#define STEPS(meet) \\
            const unsigned seen = threadIdx.x == 1 ? x[0] : 0; \\
            meet; \\
            if (threadIdx.x == 2) atomicAdd(x, 1u); \\
            x[32 + threadIdx.x] = seen;
        extern \"C\" __global__ void bad(unsigned* x) { STEPS(__shfl_xor_sync(0xffffffffu, threadIdx.x, 1)) }
        extern \"C\" __global__ void good(unsigned* x) { STEPS(__syncthreads()) }",
        (1, 32, 0),
        &[
            "thread 2 of block 0 atomically changes scalar 0 of dat `q`, which thread 1 of block 0 reads, without a barrier",
        ],
    );
}

#[test]
fn a_second_atomic_change_is_remembered() {
    // Thread 5 may read its own change; thread 7 has changed the scalar as well.
    check(
        "#define STEPS(meet) \\
            unsigned seen = 0; \\
            if (threadIdx.x == 5) atomicAdd(x, 1u); \\
            meet; \\
            if (threadIdx.x == 7) atomicAdd(x, 1u); \\
            meet; \\
            if (threadIdx.x == 5) seen = x[0]; \\
            x[32 + threadIdx.x] = seen;
        extern \"C\" __global__ void bad(unsigned* x) { STEPS(__shfl_xor_sync(0xffffffffu, threadIdx.x, 1)) }
        extern \"C\" __global__ void good(unsigned* x) { STEPS(__syncthreads()) }",
        (1, 32, 0),
        &[
            "thread 5 of block 0 reads scalar 0 of dat `q`, which thread 7 of block 0 atomically changes, without a barrier",
        ],
    );
}

#[test]
fn atomic_changes_are_no_race_among_themselves() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            OP2_ELEMENT(threadIdx.x);
            if (threadIdx.x == 1) atomicAdd(x, 1u);
            if (threadIdx.x == 2) *x += 1;
        }
        extern \"C\" __global__ void good(unsigned* x) { atomicAdd(x, 1u); }",
        (1, 32, 0),
        &["element 1 (block 0, thread 1)", "element 2 (block 0, thread 2)", "atomically change", "scalar 0 of dat `q`"],
    );
}

#[test]
fn atomic_changes_of_a_block_are_seen_behind_a_barrier_only() {
    needs_cxx!();
    check(
        "__device__ void count(unsigned* x, bool waits) {
            atomicAdd(&x[blockIdx.x], 1u);
            if (waits) __syncthreads();
            x[32 + threadIdx.x] = x[0];
        }
        extern \"C\" __global__ void bad(unsigned* x) { count(x, false); }
        extern \"C\" __global__ void good(unsigned* x) { count(x, true); }",
        (1, 32, 0),
        &["reads", "scalar 0 of dat `q`, which", "atomically changes", "without a barrier between them"],
    );
}

#[test]
fn a_volatile_read_may_see_atomic_changes_but_no_plain_ones() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            if (threadIdx.x == 7) x[0] = 2;
            __syncthreads();
            if (threadIdx.x == 8) x[1] = *const_cast<volatile unsigned*>(x);
            if (threadIdx.x == 7) x[1] = 0;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            unsigned seen = *const_cast<volatile unsigned*>(x);
            atomicCAS(x, seen, seen + 1);
        }",
        (1, 32, 0),
        &["thread 7 of block 0", "thread 8 of block 0", "scalar 1 of dat `q`"],
    );
}

#[test]
fn threads_race_in_shared_memory() {
    needs_cxx!();
    check(
        "__device__ void add(unsigned* x, unsigned turns) {
            double* sum = reinterpret_cast<double*>(op2_arena);
            if (threadIdx.x == 0) sum[2] = 0.0;
            __syncthreads();
            OP2_ELEMENT(threadIdx.x);
            for (unsigned turn = 0; turn < turns; turn += 1) {
                if (threadIdx.x % 16 == 4 && threadIdx.x / 16 % turns == turn) sum[2] += x[threadIdx.x];
                __syncthreads();
            }
        }
        extern \"C\" __global__ void bad(unsigned* x) { add(x, 1); }
        extern \"C\" __global__ void good(unsigned* x) { add(x, 2); }",
        (2, 32, 64),
        &["element 4 (block", "element 20 (block", "byte 16 of shared memory", "without a barrier between them"],
    );
}

#[test]
fn bytes_of_a_word_are_different_places() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            unsigned char* bytes = reinterpret_cast<unsigned char*>(x);
            bytes[threadIdx.x] = 1;
            if (threadIdx.x == 2) x[2] = 0;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            unsigned char* bytes = reinterpret_cast<unsigned char*>(x);
            bytes[threadIdx.x] = 1;
            op2_arena[threadIdx.x] = bytes[threadIdx.x];
            __syncthreads();
            if (threadIdx.x == 2) x[2] = op2_arena[31];
        }",
        (1, 32, 32),
        &["thread 2 of block 0", "both write scalar 2 of dat `q`"],
    );
}

#[test]
fn a_shuffle_is_no_barrier() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            x[threadIdx.x] = 2;
            __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
            x[threadIdx.x + 32] = x[threadIdx.x ^ 1];
        }
        extern \"C\" __global__ void good(unsigned* x) {
            x[threadIdx.x] = 2;
            __syncthreads();
            x[threadIdx.x + 32] = x[threadIdx.x ^ 1];
        }",
        (1, 32, 0),
        &["scalar", "of dat `q`", "without a barrier between them"],
    );
}

#[test]
fn launches_are_behind_each_other() {
    needs_cxx!();
    let text = "extern \"C\" __global__ void up(unsigned* x) { x[blockIdx.x * 32 + threadIdx.x] += 1; }
        extern \"C\" __global__ void down(unsigned* x) { x[63 - (blockIdx.x * 32 + threadIdx.x)] += 1; }";
    let device = emulator(5);
    let x = buffer(&device, "x", &[0u32; 64]);
    // In each launch another block accesses a scalar.
    for kernel in ["up", "down", "up"] {
        let source = source(&["up", "down"], text);
        launch(&device, &source, kernel, (2, 32, 0), &[Arg::Buffer(Some(&x))]).expect("no fault");
    }
    assert_eq!(scalars::<u32>(&device, &x), [3; 64]);
}
