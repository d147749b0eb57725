// Kernels that show one property of a GPU each. `main.rs` says how they are launched.

// One thread follows `steps` links, each of which waits for the one before.
extern "C" __global__ void chase(const unsigned* __restrict__ links, unsigned start, unsigned steps, unsigned* out) {
    unsigned at = start;
    for (unsigned n = 0; n < steps; ++n) {
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(links + at));
    }
    *out = at;
}

// Each thread loads 16 bytes, and again once they have arrived. The dynamic shared memory of a launch limits how many blocks
// are resident, and with them the bytes in flight.
extern "C" __global__ void one_in_flight(const uint4* __restrict__ data, unsigned rounds, unsigned units, unsigned* out) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (unsigned n = 0; n < rounds; ++n) {
        uint4 unit;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(unit.x), "=r"(unit.y), "=r"(unit.z), "=r"(unit.w)
                     : "l"(data + at));
        sum += unit.x | unit.y | unit.z | unit.w;
        // The memory contains zeros, so the address waits for the data but follows the usual order.
        at += gridDim.x * blockDim.x + (unit.x & 1u);
        at = at < units ? at : at - units;
    }
    if (sum == 1u) { *out = sum; }
}

// Adds to 4 components of `targets` cells per thread, as a loop with 2 targets does it: `spread` cells apart.
extern "C" __global__ void adds_f64(double* data, unsigned cells, unsigned spread) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned cell = (unsigned)((unsigned long long)thread * spread % cells);
    for (unsigned c = 0; c < 4; ++c) { atomicAdd(data + 4ull * cell + c, 1.0); }
}

// The same bytes, but four neighbouring threads share a cell: an instruction covers whole sectors.
extern "C" __global__ void adds_f64_in_sectors(double* data, unsigned cells, unsigned spread) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned c = 0; c < 4; ++c) {
        unsigned owner = (thread & ~3u) + c;
        unsigned cell = (unsigned)((unsigned long long)owner * spread % cells);
        atomicAdd(data + 4ull * cell + (thread & 3u), 1.0);
    }
}

extern "C" __global__ void adds_f32(float* data, unsigned cells, unsigned spread) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned cell = (unsigned)((unsigned long long)thread * spread % cells);
    for (unsigned c = 0; c < 4; ++c) { atomicAdd(data + 4ull * cell + c, 1.0f); }
}

// One instruction for the four components, on sm_90 and later.
extern "C" __global__ void adds_f32x4(float* data, unsigned cells, unsigned spread) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned cell = (unsigned)((unsigned long long)thread * spread % cells);
#if __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(data + 4ull * cell), "f"(1.0f), "f"(1.0f), "f"(1.0f),
                 "f"(1.0f)
                 : "memory");
#else
    for (unsigned c = 0; c < 4; ++c) { atomicAdd(data + 4ull * cell + c, 1.0f); }
#endif
}

extern "C" __global__ void nothing() {}

// Cycles of one thread for `steps` of something, by what `kind` says. All threads of the block take part.
extern "C" __global__ void cycles(unsigned kind, unsigned steps, unsigned* out) {
    __shared__ unsigned links[1024];
    __shared__ double sums[1024];
    for (unsigned n = threadIdx.x; n < 1024; n += blockDim.x) {
        links[n] = (n + 33) % 1024;
        sums[n] = 0.0;
    }
    __syncthreads();
    unsigned at = threadIdx.x;
    double x = threadIdx.x, y = 1.0 + x;
    float z = threadIdx.x;
    long long start = clock64();
    switch (kind) {
    case 0:
        for (unsigned n = 0; n < steps; ++n) { __syncthreads(); }
        break;
    case 1:
        for (unsigned n = 0; n < steps; ++n) { at = ((volatile unsigned*)links)[at]; }
        break;
    case 2:
        for (unsigned n = 0; n < steps; ++n) { atomicAdd(&sums[(threadIdx.x + n) % 1024], 1.0); }
        break;
    case 3:
        for (unsigned n = 0; n < steps; ++n) { x = __dadd_rn(x, y); }
        break;
    case 4:
        for (unsigned n = 0; n < steps; ++n) { x = __ddiv_rn(x, y); }
        break;
    case 5:
        for (unsigned n = 0; n < steps; ++n) { x = __dsqrt_rn(x); }
        break;
    case 6:
        for (unsigned n = 0; n < steps; ++n) { z = __fadd_rn(z, 1.5f); }
        break;
    }
    long long end = clock64();
    if (threadIdx.x == 0) {
        out[0] = (unsigned)(end - start);
        out[1] = at + (x == -1.0) + (z == -1.0f) + (sums[5] == -1.0);
    }
    // Keeps the results of all threads alive.
    if (at == 5000 || x == -1.0 || z == -1.0f) { out[1] = 1; }
}

// Independent additions and multiplications of all threads: the rate of operations.
extern "C" __global__ void operations_f64(unsigned steps, double* out) {
    double a[8];
    for (unsigned n = 0; n < 8; ++n) { a[n] = threadIdx.x + n; }
    for (unsigned s = 0; s < steps; ++s) {
#pragma unroll
        for (unsigned n = 0; n < 8; ++n) { a[n] = __dadd_rn(__dmul_rn(a[n], 0.999), 0.5); }
    }
    double sum = 0;
    for (unsigned n = 0; n < 8; ++n) { sum += a[n]; }
    if (sum == -1.0) { *out = sum; }
}

extern "C" __global__ void operations_f32(unsigned steps, float* out) {
    float a[8];
    for (unsigned n = 0; n < 8; ++n) { a[n] = threadIdx.x + n; }
    for (unsigned s = 0; s < steps; ++s) {
#pragma unroll
        for (unsigned n = 0; n < 8; ++n) { a[n] = __fadd_rn(__fmul_rn(a[n], 0.999f), 0.5f); }
    }
    float sum = 0;
    for (unsigned n = 0; n < 8; ++n) { sum += a[n]; }
    if (sum == -1.0f) { *out = sum; }
}
