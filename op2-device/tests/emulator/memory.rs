//! Accesses out of bounds, and reads of unwritten memory: a kernel with the fault, and its twin without.

use crate::support::{both, buffer, check, emulator, fault, launch, needs_cxx, run, scalars, source};
use op2_device::{Arg, Device, Result};

#[test]
fn nobody_has_written_shared_memory() {
    needs_cxx!();
    check(
        "__device__ void half(unsigned* x, unsigned n) {
            double* shared = reinterpret_cast<double*>(op2_arena);
            OP2_ELEMENT(threadIdx.x + 50);
            if (threadIdx.x < n) shared[threadIdx.x] = threadIdx.x;
            __syncthreads();
            if (threadIdx.x == 16) x[blockIdx.x] = unsigned(shared[threadIdx.x]);
        }
        extern \"C\" __global__ void bad(unsigned* x) { half(x, 16); }
        extern \"C\" __global__ void good(unsigned* x) { half(x, 17); }",
        (2, 32, 256),
        &["element 66 (block", "thread 16) reads byte 128 of shared memory, which no thread of the block has written"],
    );
}

#[test]
fn every_block_starts_with_unwritten_shared_memory() {
    needs_cxx!();
    let text = "extern \"C\" __global__ void bad(unsigned* x) {
            if (blockIdx.x == 0 || x[0] == 2) op2_arena[threadIdx.x] = 1;
            x[threadIdx.x + 32] = blockIdx.x == 1 ? op2_arena[threadIdx.x] : 0;
        }
        extern \"C\" __global__ void good(unsigned* x) {}";
    // The order decides whether block 0 runs first; the fault is the same.
    for seed in 0..6 {
        let message = fault(run(seed, text, "bad", (2, 32, 32)));
        assert!(message.contains("of shared memory, which no thread of the block has written"), "{message}");
    }
}

/// Launches `bad` and `good` with a buffer of 8 unwritten doubles.
fn unwritten(seed: u64, kernel: &str) -> Result<()> {
    let source = both(
        "extern \"C\" __global__ void bad(double* x) {
            if (threadIdx.x < 7) x[threadIdx.x] = 1.0;
            __syncthreads();
            OP2_ELEMENT(threadIdx.x);
            if (threadIdx.x < 8) x[threadIdx.x] += 1.0;
        }
        extern \"C\" __global__ void good(double* x) {
            if (threadIdx.x < 8) x[threadIdx.x] = 1.0;
            __syncthreads();
            if (threadIdx.x < 8) atomicAdd(&x[threadIdx.x], 1.0);
        }",
    );
    let device = emulator(seed);
    let x = device.allocate("dat `fresh`", 64, 8)?;
    launch(&device, &source, kernel, (1, 32, 0), &[Arg::Buffer(Some(&x))])?;
    // Memory stays written from one launch to the next.
    launch(&device, &source, kernel, (1, 32, 0), &[Arg::Buffer(Some(&x))])
}

#[test]
fn nobody_has_written_memory() {
    needs_cxx!();
    for seed in 0..3 {
        unwritten(seed, "good").expect("no fault");
        let message = fault(unwritten(seed, "bad"));
        let expected = "kernel `bad`: element 7 (block 0, thread 7) reads scalar 7 of dat `fresh`, \
                        which nothing has written since it was allocated";
        assert_eq!(message, expected);
    }
}

#[test]
fn an_upload_of_a_part_writes_that_part() {
    needs_cxx!();
    let text = "extern \"C\" __global__ void bad(unsigned* x) { if (threadIdx.x <= 3) x[threadIdx.x] += 1; }
        extern \"C\" __global__ void good(unsigned* x) { if (threadIdx.x < 3) x[threadIdx.x] += 1; }";
    let device = emulator(0);
    let x = device.allocate("dat `part`", 16, 4).expect("room");
    device.upload(&x, &[1; 12]).expect("room");
    launch(&device, &both(text), "good", (1, 32, 0), &[Arg::Buffer(Some(&x))]).expect("no fault");
    let message = fault(launch(&device, &both(text), "bad", (1, 32, 0), &[Arg::Buffer(Some(&x))]));
    assert!(message.contains("thread 3 of block 0 reads scalar 3 of dat `part`"), "{message}");
}

#[test]
fn an_access_is_beyond_the_end() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            OP2_ELEMENT(threadIdx.x);
            x[threadIdx.x + 33] = 1;
        }
        extern \"C\" __global__ void good(unsigned* x) { x[threadIdx.x + 32] = 1; }",
        (1, 32, 0),
        &["element 31 (block 0, thread 31) writes 4 bytes at scalar 64 of dat `q`, which has 64 scalars"],
    );
}

#[test]
fn an_access_is_ahead_of_the_start() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            if (threadIdx.x == 4) x[2] = x[int(threadIdx.x) - 6];
        }
        extern \"C\" __global__ void good(unsigned* x) {
            if (threadIdx.x == 4) x[2] = x[int(threadIdx.x) - 4];
        }",
        (1, 32, 0),
        &["thread 4 of block 0 reads 4 bytes that start 8 bytes ahead of dat `q`"],
    );
}

#[test]
fn an_access_is_half_inside() {
    needs_cxx!();
    check(
        "struct Three { unsigned at[3]; };
        extern \"C\" __global__ void bad(unsigned* x) {
            Three* rows = reinterpret_cast<Three*>(x);
            if (threadIdx.x == 0) rows[21] = rows[0];
        }
        extern \"C\" __global__ void good(unsigned* x) {
            Three* rows = reinterpret_cast<Three*>(x);
            if (threadIdx.x == 0) rows[20] = rows[0];
        }",
        (1, 32, 0),
        &["writes 12 bytes at scalar 63 of dat `q`, which has 64 scalars"],
    );
}

#[test]
fn a_pointer_is_null() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            unsigned* none = x[0] == 1 ? nullptr : x;
            if (threadIdx.x == 0) none[3] = 1;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            unsigned* none = x[0] == 1 ? nullptr : x;
            if (threadIdx.x == 0 && none) none[3] = 1;
        }",
        (1, 32, 0),
        &["writes 4 bytes at address 0xc, through a null pointer"],
    );
}

#[test]
fn a_constant_is_written() {
    needs_cxx!();
    check(
        "__constant__ unsigned table[2] = {4, 5};
        extern \"C\" __global__ void bad(unsigned* x) {
            unsigned* to = x[0] == 1 ? table : x;
            if (threadIdx.x == 0) to[1] = 1;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            unsigned* from = x[0] == 1 ? table : x;
            __syncthreads();
            if (threadIdx.x == 0) x[0] = from[1];
        }",
        (1, 32, 0),
        &["thread 0 of block 0 writes 4 bytes at address", "where no buffer is"],
    );
}

#[test]
fn shared_memory_ends_where_the_launch_says() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            double* shared = reinterpret_cast<double*>(op2_arena);
            shared[threadIdx.x + (threadIdx.x == 9 ? 25 : 0)] = 1.0;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            double* shared = reinterpret_cast<double*>(op2_arena);
            shared[threadIdx.x] = 1.0;
        }",
        (1, 32, 256),
        &["thread 9 of block 0 writes 8 bytes at byte 272 of shared memory, of which the launch has 256"],
    );
}

#[test]
fn an_access_is_misaligned() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            if (threadIdx.x == 0) *reinterpret_cast<double*>(x + 1) = 0.0;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            if (threadIdx.x == 0) *reinterpret_cast<double*>(x + 2) = 0.0;
        }",
        (1, 32, 0),
        &["writes 8 bytes at scalar 1 of dat `q`, which do not start at a multiple of 8"],
    );
}

#[test]
fn an_index_is_beyond_its_array() {
    needs_cxx!();
    check(
        "using namespace op2::types;
        __device__ void take(unsigned* x, unsigned i) {
            OP2_ELEMENT(threadIdx.x);
            Arr<unsigned, 4> four = {{1, 2, 3, 4}};
            if (threadIdx.x == 17) x[0] = four[i];
        }
        extern \"C\" __global__ void bad(unsigned* x) { take(x, x[1] + 3); }
        extern \"C\" __global__ void good(unsigned* x) { take(x, x[1] + 2); }",
        (1, 32, 0),
        &["element 17 takes index 4 of an array of 4 (valid: 0..4)"],
    );
}

#[test]
fn accesses_through_references_and_copies_are_seen() {
    needs_cxx!();
    // The last thread exceeds the end in each kind of access.
    const TEXT: &str = "
        using namespace op2::types;
        struct Four { double at[4]; };
        __device__ void user(const Arr<double, 4>& from, Arr<double, 4>& to) {
            for (usize i = 0; i < 4; i += 1) to[i] += from[i];
        }
        extern \"C\" __global__ void by_reference(Arr<double, 4>* rows) { user(rows[0], rows[threadIdx.x + 1]); }
        extern \"C\" __global__ void by_copy(Four* rows) { rows[threadIdx.x + 1] = rows[0]; }
        extern \"C\" __global__ void by_memcpy(Four* rows) {
            __builtin_memcpy(&rows[threadIdx.x + 1], &rows[0], sizeof(Four));
        }
        extern \"C\" __global__ void by_part(Four* rows) {
            __builtin_memcpy(&rows[threadIdx.x + 1].at[1], &rows[0].at[2], 8);
        }
        extern \"C\" __global__ void read_by_copy(Four* rows) {
            const Four row = rows[threadIdx.x + 1];
            double sum = 0.0;
            for (unsigned i = 0; i < 4; i += 1) sum += row.at[i];
            if (sum == 3.5) rows[0] = row;
        }
        extern \"C\" __global__ void by_volatile(Four* rows) {
            const_cast<volatile double&>(rows[threadIdx.x + 1].at[0]) = 1.0;
        }
        extern \"C\" __global__ void by_atomic(Four* rows) { atomicAdd(&rows[threadIdx.x + 1].at[3], 1.0); }";
    let kernels = ["by_reference", "by_copy", "by_memcpy", "by_part", "read_by_copy", "by_volatile", "by_atomic"];
    let source = source(&kernels, TEXT);
    let device = emulator(1);
    let with_rows = |rows: usize, kernel| {
        let x = buffer(&device, "dat `rows`", &vec![1.0f64; rows * 4]);
        launch(&device, &source, kernel, (1, 32, 0), &[Arg::Buffer(Some(&x))])
    };
    for kernel in kernels {
        with_rows(33, kernel).unwrap_or_else(|e| panic!("{e}"));
        println!("{kernel} on a row too few");
        let message = fault(with_rows(32, kernel));
        let expected = format!("kernel `{kernel}`: thread 31 of block 0 ");
        assert!(message.starts_with(&expected) && message.contains("of dat `rows`, which has 128"), "{message}");
    }
}

#[test]
fn memory_that_was_given_back_is_no_memory() {
    needs_cxx!();
    let source = source(
        &["follow"],
        "struct Frame { unsigned* to; };
        extern \"C\" __global__ void follow(Frame frame) { frame.to[threadIdx.x] = 1; }",
    );
    let device = emulator(0);
    let run = |to: u64| launch(&device, &source, "follow", (1, 32, 0), &[Arg::Bytes(&to.to_ne_bytes())]);
    let x = buffer(&device, "dat `gone`", &[0u32; 32]);
    run(x.address()).expect("no fault");
    let address = x.address();
    drop(x);
    assert!(fault(run(address)).contains("where no buffer is"));
}

#[test]
fn nothing_is_done_out_of_bounds_and_the_machine_goes_on() {
    needs_cxx!();
    let text = "extern \"C\" __global__ void bad(unsigned* x) {
            if (threadIdx.x == 0) x[1000000000] = 1;
            x[threadIdx.x] = 5;
        }
        extern \"C\" __global__ void good(unsigned* x) { x[threadIdx.x] = 5; }";
    let device = emulator(0);
    let x = buffer(&device, "x", &[1u32; 32]);
    let run = |kernel| launch(&device, &both(text), kernel, (1, 32, 0), &[Arg::Buffer(Some(&x))]);
    for _ in 0..3 {
        assert!(fault(run("bad")).contains("where no buffer is"));
        run("good").expect("no fault");
        assert_eq!(scalars::<u32>(&device, &x), [5; 32]);
    }
}

/// More buffers than a launch remembers, of all sizes. Each block writes its own scalar near the end of every buffer,
/// and then one of `d217`: there, blocks write `step` scalars apart, from `beyond` scalars behind the end.
fn many(step: u32, beyond: u32) -> Result<()> {
    let device = emulator(3);
    let buffers: Vec<_> =
        (0..300).map(|n| buffer(&device, &format!("dat `d{n}`"), &vec![0u32; 2 + n * 97 % 40_000])).collect();
    let ends: Vec<u64> = buffers.iter().map(|b| b.address() + b.bytes() as u64).collect();
    let table = buffer(&device, "table", &ends);
    let text = "extern \"C\" __global__ void many(unsigned long long* ends, unsigned step, unsigned beyond) {
        if (threadIdx.x != 0) return;
        OP2_ELEMENT(1000 + blockIdx.x);
        for (int n = 0; n < 300; n += 1) {
            unsigned* end = reinterpret_cast<unsigned*>(ends[n]);
            end[-1 - int(blockIdx.x)] = n;
        }
        unsigned* end = reinterpret_cast<unsigned*>(ends[217]);
        end[-1 - int(blockIdx.x * step) + int(beyond)] = 1;
    }";
    let args = [Arg::Buffer(Some(&table)), Arg::Bytes(&step.to_ne_bytes()), Arg::Bytes(&beyond.to_ne_bytes())];
    launch(&device, &source(&["many"], text), "many", (2, 32, 0), &args)
}

#[test]
fn of_many_buffers_the_right_one_is_named() {
    needs_cxx!();
    many(1, 0).expect("no fault");
    let message = fault(many(0, 0));
    for part in ["element 1000 (", "element 1001 (", &format!("scalar {} of dat `d217`", 1 + 217 * 97)] {
        assert!(message.contains(part), "`{part}` is missing in: {message}");
    }
    // Just behind the last scalar, and near the end of the margin.
    for beyond in [1, 16_000] {
        let message = fault(many(1, beyond));
        assert!(message.contains("dat `d217`, which has 21051 scalars"), "{message}");
    }
}
