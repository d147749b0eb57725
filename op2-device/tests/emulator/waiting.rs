//! Barriers and shuffles that some threads do not reach: a kernel with the fault, and its twin without.

use crate::support::{check, needs_cxx};

#[test]
fn a_thread_ends_while_others_wait_at_a_barrier() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            OP2_ELEMENT(threadIdx.x);
            if (threadIdx.x == 21) return;
            __syncthreads();
        }
        extern \"C\" __global__ void good(unsigned* x) {
            OP2_ELEMENT(threadIdx.x);
            __syncthreads();
            if (threadIdx.x == 21) return;
        }",
        (2, 32, 0),
        &["waits at a barrier, but element 21 (block", "thread 21) has ended"],
    );
}

#[test]
fn a_thread_waits_in_a_shuffle_while_others_wait_at_a_barrier() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            unsigned value = threadIdx.x;
            if (threadIdx.x < 31) value = __shfl_down_sync(0xffffffffu, value, 1);
            __syncthreads();
            x[threadIdx.x] = value;
        }
        extern \"C\" __global__ void good(unsigned* x) {
            unsigned value = threadIdx.x;
            if (threadIdx.x < 31) value = __shfl_down_sync(0x7fffffffu, value, 0);
            __syncthreads();
            x[threadIdx.x] = value;
        }",
        (1, 64, 0),
        &["waits in a shuffle with mask 0xffffffff, but thread 31 of block 0 waits at a barrier"],
    );
}

#[test]
fn a_shuffle_names_a_thread_that_has_ended() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            if (threadIdx.x == 40) return;
            x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
        }
        extern \"C\" __global__ void good(unsigned* x) {
            x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
            if (threadIdx.x == 40) return;
        }",
        (1, 64, 0),
        &["waits in a shuffle with mask 0xffffffff, but thread 40 of block 0 has ended"],
    );
}

#[test]
fn threads_of_a_warp_shuffle_with_different_masks() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            x[threadIdx.x] = __shfl_xor_sync(threadIdx.x < 16 ? 0x0000ffffu : 0xffffffffu, threadIdx.x, 0);
        }
        extern \"C\" __global__ void good(unsigned* x) {
            x[threadIdx.x] = __shfl_xor_sync(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u, threadIdx.x, 0);
        }",
        (1, 32, 0),
        &["waits in a shuffle with mask 0xffffffff, but thread 0 of block 0 has ended"],
    );
}

#[test]
fn all_have_come_but_they_mean_different_shuffles() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            x[threadIdx.x] = __shfl_xor_sync(threadIdx.x < 16 ? 0xffffffffu : 0xffff0001u, threadIdx.x, 0);
        }
        extern \"C\" __global__ void good(unsigned* x) {
            x[threadIdx.x] = __shfl_xor_sync(threadIdx.x < 16 ? 0xffffu : 0xffff0000u, threadIdx.x, 0);
        }",
        (1, 32, 0),
        &["waits in a shuffle with mask 0xffffffff, but", "waits in a shuffle with mask 0xffff0001"],
    );
}

#[test]
fn a_shuffle_leaves_its_own_thread_out() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            x[threadIdx.x] = __shfl_xor_sync(~(1u << 8), threadIdx.x, 0);
        }
        extern \"C\" __global__ void good(unsigned* x) {
            if (threadIdx.x != 8) x[threadIdx.x] = __shfl_xor_sync(~(1u << 8), threadIdx.x, 0);
        }",
        (1, 32, 0),
        &["thread 8 of block 0 is not in the mask 0xfffffeff of its shuffle"],
    );
}

#[test]
fn a_shuffle_takes_from_a_thread_that_it_leaves_out() {
    needs_cxx!();
    check(
        "extern \"C\" __global__ void bad(unsigned* x) {
            if (threadIdx.x < 16) x[threadIdx.x] = __shfl_down_sync(0x0000ffffu, threadIdx.x, 1);
        }
        extern \"C\" __global__ void good(unsigned* x) {
            if (threadIdx.x < 16) x[threadIdx.x] = __shfl_down_sync(0x0000ffffu, threadIdx.x, 1, 16);
        }",
        (1, 32, 0),
        &["thread 15 of block 0 takes the value of lane 16, which is not in the mask 0xffff of its shuffle"],
    );
}
