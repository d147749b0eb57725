// CUDA's words for a host compiler: every thread of a block is a thread of the host, blocks come one
// after the other. Stands ahead of the header, in programs of loops and in the harness, which is compiled once for all
// of them. C++'s own library takes longer to compile than a loop: only the harness has it.

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __device__
#define __global__
#define __shared__
#define __constant__ static
#define __forceinline__ inline
#define __launch_bounds__(threads)

struct Dim {
    unsigned x;
};
extern thread_local Dim threadIdx, blockIdx;
extern Dim blockDim, gridDim;

void __syncthreads();
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __syncwarp();
unsigned __shfl_down_sync(unsigned, unsigned value, unsigned further);
unsigned __shfl_xor_sync(unsigned, unsigned value, unsigned lanes);

extern pthread_mutex_t atomics;
template <class T, class Change>
static T atomically(T* at, Change change) {
    pthread_mutex_lock(&atomics);
    T was;
    __atomic_load(at, &was, __ATOMIC_RELAXED);
    T now = change(was);
    __atomic_store(at, &now, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&atomics);
    return was;
}
template <class T>
static T loaded(const T* at) {
    T now;
    __atomic_load(at, &now, __ATOMIC_RELAXED);
    return now;
}
#define OP2_SEEN(at) loaded(at)
#define OP2_RAISE(at) __atomic_store_n(at, true, __ATOMIC_RELAXED)
template <class T>
static T atomicAdd(T* at, T value) {
    return atomically(at, [=](T was) {
        if constexpr (T(0.5) == T(0)) return T((unsigned long long)was + (unsigned long long)value);
        else return was + value;
    });
}
template <class T>
static T atomicMin(T* at, T value) {
    return atomically(at, [=](T was) { return value < was ? value : was; });
}
template <class T>
static T atomicMax(T* at, T value) {
    return atomically(at, [=](T was) { return value > was ? value : was; });
}
template <class T>
static T atomicCAS(T* at, T expected, T value) {
    return atomically(at, [=](T was) { return was == expected ? value : was; });
}

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline float __int_as_float(int x) {
    float y;
    memcpy(&y, &x, sizeof y);
    return y;
}
static inline double __longlong_as_double(long long x) {
    double y;
    memcpy(&y, &x, sizeof y);
    return y;
}

// An index out of bounds ends the program: the test fails.
#define OP2_CHECK_INDEX(index, length) \
    do { \
        if (!((index) < (length))) __builtin_trap(); \
    } while (0)

// Every element is to be visited once.
void visit(unsigned element);
#define OP2_ELEMENT(element) visit(element)
