// The prologue of a text of CUDA for AMD's GPUs, so that HIP's compilers take the text unchanged: CUDA's keywords and functions, by
// builtins of clang. Macros hide the functions of the same names that HIP's own headers may have, so the text means the same with
// every version of them. Only mathematical functions are theirs.
//
// The command defines OP2_WAVE, the threads of a wave.

#ifndef OP2_HIP_CUH
#define OP2_HIP_CUH

#ifndef __HIP__
#error "the prologue is for HIP's compilers"
#endif
// Versions of clang have one of these names, or none.
#if defined(__AMDGCN_WAVEFRONT_SIZE__)
#define OP2_HIP_WAVE __AMDGCN_WAVEFRONT_SIZE__
#elif defined(__AMDGCN_WAVEFRONT_SIZE)
#define OP2_HIP_WAVE __AMDGCN_WAVEFRONT_SIZE
#else
#define OP2_HIP_WAVE OP2_WAVE
#endif
#if OP2_HIP_WAVE != OP2_WAVE
#error "OP2_WAVE is not the width for which the compiler makes code"
#endif

#undef __device__
#undef __global__
#undef __constant__
#undef __shared__
#undef __forceinline__
#undef __noinline__
#undef __launch_bounds__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
// Further arguments are about NVIDIA's multiprocessors.
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))

#define OP2_HIP_FN static __device__ __forceinline__

namespace op2_hip {

// Indices and sizes, all along x.
struct Along {
    unsigned x;
};
OP2_HIP_FN Along thread() { return {__builtin_amdgcn_workitem_id_x()}; }
OP2_HIP_FN Along block() { return {__builtin_amdgcn_workgroup_id_x()}; }
OP2_HIP_FN Along threads() { return {__builtin_amdgcn_workgroup_size_x()}; }
// A launch has whole blocks.
OP2_HIP_FN Along blocks() { return {__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x()}; }

OP2_HIP_FN void barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
OP2_HIP_FN void barrier_of_wave() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
OP2_HIP_FN void fence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }

// The number of this thread in its wave, and the word of another one. All threads of a wave are in step, so that no mask says anything new.
OP2_HIP_FN unsigned lane() {
    const unsigned low = __builtin_amdgcn_mbcnt_lo(~0u, 0);
    return OP2_WAVE == 64 ? __builtin_amdgcn_mbcnt_hi(~0u, low) : low;
}
template <class T>
OP2_HIP_FN T from_lane(T value, unsigned from) {
    static_assert(sizeof(T) == 4, "shuffles take words of 32 bits");
    return __builtin_bit_cast(T, __builtin_amdgcn_ds_bpermute(int(from * 4), __builtin_bit_cast(int, value)));
}
// The word of the thread `further` lanes ahead; lanes beyond the end of the wave get their own.
template <class T>
OP2_HIP_FN T from_ahead(T value, unsigned further) {
    const unsigned me = lane();
    return from_lane(value, me + further < OP2_WAVE ? me + further : me);
}

// Atomic operations among all threads of the GPU, in no order. They return the old value.
#define OP2_HIP_ATOMIC(name, operation) \
    template <class T> \
    OP2_HIP_FN T name(T* at, T value) { \
        return operation(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    }
OP2_HIP_ATOMIC(add, __hip_atomic_fetch_add)
OP2_HIP_ATOMIC(least, __hip_atomic_fetch_min)
OP2_HIP_ATOMIC(greatest, __hip_atomic_fetch_max)
OP2_HIP_ATOMIC(join, __hip_atomic_fetch_or)
#undef OP2_HIP_ATOMIC
template <class T>
OP2_HIP_FN T swap(T* at, T expected, T value) {
    __hip_atomic_compare_exchange_strong(at, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
            __HIP_MEMORY_SCOPE_AGENT);
    return expected;
}

OP2_HIP_FN int leading_zeros(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
OP2_HIP_FN int leading_zeros(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }

}  // namespace op2_hip

#undef OP2_HIP_FN

#define threadIdx op2_hip::thread()
#define blockIdx op2_hip::block()
#define blockDim op2_hip::threads()
#define gridDim op2_hip::blocks()
#define __syncthreads op2_hip::barrier
#define __threadfence op2_hip::fence
#define __syncwarp op2_hip::barrier_of_wave
#define __shfl_down_sync(mask, value, further) op2_hip::from_ahead(value, further)
#define __shfl_xor_sync(mask, value, lanes) op2_hip::from_lane(value, op2_hip::lane() ^ (lanes))
#define atomicAdd op2_hip::add
#define atomicMin op2_hip::least
#define atomicMax op2_hip::greatest
#define atomicOr op2_hip::join
#define atomicCAS op2_hip::swap
#define __ldg(at) (*(at))
#define __popc __builtin_popcount
#define __popcll __builtin_popcountll
#define __clz(x) op2_hip::leading_zeros(int(x))
#define __clzll(x) op2_hip::leading_zeros((long long)(x))
#define __ffs __builtin_ffs
#define __ffsll __builtin_ffsll
#define __int_as_float(x) __builtin_bit_cast(float, int(x))
#define __longlong_as_double(x) __builtin_bit_cast(double, (long long)(x))

#endif
