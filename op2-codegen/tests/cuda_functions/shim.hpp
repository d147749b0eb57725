// Makes the device header compile on a host: CUDA's keywords, its integer functions, C's
// mathematics. Behind the text, `main` reads the arguments of calls and writes them back.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Rust brings cube roots of its own, rounded correctly; those of C are not. Everything else is the same
// library on both sides.
static inline double exact_cbrt(double x) { return (double)cbrtl(x); }
static inline float exact_cbrtf(float x) { return (float)cbrt(x); }
#define cbrt exact_cbrt
#define cbrtf exact_cbrtf

#define __device__
#define __constant__ static
#define __forceinline__ inline

static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
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

// The header's building blocks of loops are compiled here, but never run.
#define __shared__
struct Dim {
    unsigned x;
};
static Dim threadIdx, blockIdx, blockDim, gridDim;
static inline void __syncthreads() {}
static inline void __threadfence() {}
static inline void __syncwarp() {}
static inline unsigned __shfl_down_sync(unsigned, unsigned value, unsigned) { return value; }
static inline unsigned __shfl_xor_sync(unsigned, unsigned value, unsigned) { return value; }
template <class T>
T atomicAdd(T* at, T value);

// An index out of bounds ends the program: the test fails.
#define OP2_CHECK_INDEX(index, length) \
    do { \
        if (!((index) < (length))) __builtin_trap(); \
    } while (0)
