// The prologue of a generated text for host compilers, so that the text runs unchanged on the CPU: CUDA's keywords and
// functions, C's mathematics, and a table of the kernels behind the text.
//
// The threads of a block are fibres of one thread of the host, and switch only in barriers and shuffles. So one
// `threadIdx` serves all; the scheduler sets it at each switch.
//
// `op2_environment.hpp` stands in front of it. With OP2_CHECKED, the compiler calls `__tsan_read4(address)` and the like ahead of every
// access to memory, which `op2_accesses.cpp` defines. A function that is OP2_UNSEEN contains no such calls.

#ifndef OP2_EMULATOR_HPP
#define OP2_EMULATOR_HPP

namespace op2_emulator {

// The lanes of a wave, a bit for each.
#if OP2_WAVE == 64
using Mask = u64;
#else
using Mask = u32;
#endif

Environment environment;
u64 values[OP2_VALUES + 1];
const u64 values_bytes = sizeof values;

}  // namespace op2_emulator

#define threadIdx op2_emulator::environment.thread
#define blockIdx op2_emulator::environment.block
#define blockDim op2_emulator::environment.threads
#define gridDim op2_emulator::environment.blocks

#define __device__
#define __global__
#define __constant__ static
#define __forceinline__ inline
#define __launch_bounds__(...)
// The only shared memory is `op2_arena`.
#define __shared__ op2_has_dynamic_shared_memory_only

#define op2_values op2_emulator::values
// The shared memory of a block.
alignas(256) static unsigned char op2_arena_memory[OP2_ARENA_BYTES];
#define op2_arena op2_arena_memory

namespace op2_emulator {

#ifdef OP2_CHECKED

OP2_UNSEEN static void turn_to(u32 element) { environment.element = element; }

#define OP2_ELEMENT(element) op2_emulator::turn_to(element)

#else

static inline void seen(const volatile void*, u64, Access, u32) {}

#define OP2_ELEMENT(number) ((void)(op2_emulator::environment.element = (number)))

#endif

// Ends the launch. `number` is one of `op2::Panic`.
OP2_UNSEEN static void panic(u64 number, u64 found, u64 expected) {
    environment.panic(environment.run, number, found, expected);
}

// Indices are always checked: an access beyond an array would be to memory of the host.
#define OP2_CHECK_INDEX(index, length) \
    ((index) < (length) ? (void)0 : op2_emulator::panic(op2::BeyondArray, index, length))
// So are the user's assertions.
#define OP2_CHECKS_ASSERTIONS true
#define OP2_CHECK_ASSERTION(...) \
    ((__VA_ARGS__) ? (void)0 : op2_emulator::panic(op2::FailsAssertion, 0, 0))
#ifdef OP2_KERNEL_CHECKS
#define OP2_CHECK(holds, number, found, expected) \
    ((holds) ? (void)0 : op2_emulator::panic(op2::number, op2_emulator::u64(found), op2_emulator::u64(expected)))
#endif

template <class T>
OP2_UNSEEN static T shuffle(Mask mask, T value, u32 lane) {
    static_assert(sizeof(T) == 4, "shuffles take words of 32 bits");
    u32 word;
    __builtin_memcpy(&word, &value, 4);
    word = environment.shuffle(environment.run, mask, word, lane);
    __builtin_memcpy(&value, &word, 4);
    return value;
}

// Changes `*at` by `change` and returns the old value.
template <class T, class Change>
OP2_UNSEEN static T atomically(T* at, Change change) {
    seen(at, sizeof(T), Atomic, sizeof(T));
    const T was = *at;
    *at = change(was);
    return was;
}

}  // namespace op2_emulator

OP2_UNSEEN static void __syncthreads() { op2_emulator::environment.barrier(op2_emulator::environment.run); }
OP2_UNSEEN static void __threadfence() { op2_emulator::environment.fence(op2_emulator::environment.run); }

// Totals of a block: every thread leaves its values, and behind a barrier the first one combines them in the order of shuffles. These
// would cost every thread two switches for each word. Two totals with no barrier between them leave values in different places, since
// a thread may come to the second one before the first thread has combined.
namespace op2_emulator {
template <u64 count>
struct Left {
    static u64 values[2][1024][count];

    OP2_UNSEEN static void put(u32 turn, u32 thread, u64 at, const u64* slots, u64 some) {
        for (u64 n = 0; n < some; n += 1) values[turn][thread][at + n] = slots[n];
    }
    OP2_UNSEEN static void get(u32 turn, u32 thread, u64 at, u64* slots, u64 some) {
        for (u64 n = 0; n < some; n += 1) slots[n] = values[turn][thread][at + n];
    }
};
template <u64 count>
u64 Left<count>::values[2][1024][count];

template <u32 wave, u64 count, class M>
static void combine(M& mine, u32 turn, u64 at) {
    using All = Left<count>;
    M one = mine;
    u64 slots[M::count], others[M::count];
    for (u32 first = 0; first < environment.threads.x; first += wave) {
        for (u32 further = wave / 2; further > 0; further /= 2) {
            for (u32 thread = first; thread < first + further; thread += 1) {
                All::get(turn, thread, at, slots, M::count);
                All::get(turn, thread + further, at, others, M::count);
                one.get(slots);
                one.absorb(others);
                one.put(slots);
                All::put(turn, thread, at, slots, M::count);
            }
        }
        All::get(turn, first, at, slots, M::count);
        if (first == 0) mine.get(slots);
        else mine.absorb(slots);
    }
}

template <u32 wave, class... M>
static void total(M&... all) {
    constexpr u64 count = (M::count + ...);
    const u32 turn = environment.barriers % 2;
    u64 slots[count];
    u64* to = slots;
    ((all.put(to), to += M::count), ...);
    Left<count>::put(turn, environment.thread.x, 0, slots, count);
    __syncthreads();
    if (environment.thread.x != 0) return;
    u64 at = 0;
    ((combine<wave, count>(all, turn, at), at += M::count), ...);
}
}  // namespace op2_emulator
#define OP2_TOTAL op2_emulator::total<op2::wave>
#define OP2_EXCHANGES 0

// Lanes beyond the end of a group of `width` get their own value.
template <class T>
OP2_UNSEEN static T __shfl_down_sync(op2_emulator::Mask mask, T value, unsigned delta, int width = OP2_WAVE) {
    const unsigned lane = op2_emulator::environment.thread.x % OP2_WAVE;
    const unsigned last = lane | (unsigned(width) - 1);
    return op2_emulator::shuffle(mask, value, lane + delta <= last ? lane + delta : lane);
}
template <class T>
OP2_UNSEEN static T __shfl_xor_sync(op2_emulator::Mask mask, T value, unsigned lanes, int width = OP2_WAVE) {
    const unsigned lane = op2_emulator::environment.thread.x % OP2_WAVE;
    const unsigned last = lane | (unsigned(width) - 1);
    return op2_emulator::shuffle(mask, value, (lane ^ lanes) <= last ? lane ^ lanes : lane);
}

#define OP2_ATOMIC(name, T, expression) \
    OP2_UNSEEN static T name(T* at, T value) { \
        auto change = [value](T was) __attribute__((no_sanitize("thread"))) -> T { return expression; }; \
        return op2_emulator::atomically(at, change); \
    }
OP2_ATOMIC(atomicAdd, int, int(unsigned(was) + unsigned(value)))
OP2_ATOMIC(atomicAdd, unsigned, was + value)
OP2_ATOMIC(atomicAdd, unsigned long long, was + value)
OP2_ATOMIC(atomicAdd, float, was + value)
OP2_ATOMIC(atomicAdd, double, was + value)
OP2_ATOMIC(atomicMin, int, value < was ? value : was)
OP2_ATOMIC(atomicMin, unsigned, value < was ? value : was)
OP2_ATOMIC(atomicMin, long long, value < was ? value : was)
OP2_ATOMIC(atomicMin, unsigned long long, value < was ? value : was)
OP2_ATOMIC(atomicMax, int, value > was ? value : was)
OP2_ATOMIC(atomicMax, unsigned, value > was ? value : was)
OP2_ATOMIC(atomicMax, long long, value > was ? value : was)
OP2_ATOMIC(atomicMax, unsigned long long, value > was ? value : was)
OP2_ATOMIC(atomicOr, bool, was | value)
OP2_ATOMIC(atomicOr, unsigned, was | value)
OP2_ATOMIC(atomicOr, unsigned long long, was | value)
#undef OP2_ATOMIC
#define OP2_RAISE(at) atomicOr(at, true)

#define OP2_SWAP(T) \
    OP2_UNSEEN static T atomicCAS(T* at, T expected, T value) { \
        op2_emulator::seen(at, sizeof(T), op2_emulator::Atomic, sizeof(T)); \
        const T was = *at; \
        if (was == expected) *at = value; \
        return was; \
    }
OP2_SWAP(unsigned)
OP2_SWAP(unsigned long long)
#undef OP2_SWAP

// The word around a scalar, of which the scalar alone counts as accessed: the rest of the word keeps its value, and may lie
// behind the end of a buffer. No other thread runs in between.
namespace op2_emulator {
template <class S>
OP2_UNSEEN static u32 read_around(const S* scalar, const u32* word) {
    seen(scalar, sizeof(S), VolatileRead, sizeof(S));
    return *word;
}
template <class S>
OP2_UNSEEN static u32 swap_around(S* scalar, u32* word, u32 expected, u32 value) {
    seen(scalar, sizeof(S), Atomic, sizeof(S));
    const u32 was = *word;
    if (was == expected) *word = value;
    return was;
}
}  // namespace op2_emulator
#define OP2_READ_AROUND op2_emulator::read_around
#define OP2_SWAP_AROUND op2_emulator::swap_around

template <class T>
static inline T __ldg(const T* at) { return *at; }

// Integer functions, without the compiler's run-time library.
static inline int __popcll(unsigned long long x) {
    int count = 0;
    for (; x != 0; x &= x - 1) count += 1;
    return count;
}
static inline int __popc(unsigned x) { return __popcll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz(unsigned(x)) + 1; }
static inline int __ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1; }
static inline float __int_as_float(int x) {
    float y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
static inline double __longlong_as_double(long long x) {
    double y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}

// C's mathematics; including its header would take longer to compile than the text.
#define OP2_UNARY(name) \
    extern "C" float name##f(float) noexcept; \
    extern "C" double name(double) noexcept;
#define OP2_BINARY(name) \
    extern "C" float name##f(float, float) noexcept; \
    extern "C" double name(double, double) noexcept;
OP2_UNARY(fabs)
OP2_UNARY(acos)
OP2_UNARY(asin)
OP2_UNARY(atan)
OP2_UNARY(ceil)
OP2_UNARY(cos)
OP2_UNARY(cosh)
OP2_UNARY(exp)
OP2_UNARY(exp2)
OP2_UNARY(expm1)
OP2_UNARY(floor)
OP2_UNARY(log)
OP2_UNARY(log1p)
OP2_UNARY(log10)
OP2_UNARY(log2)
OP2_UNARY(round)
OP2_UNARY(sin)
OP2_UNARY(sinh)
OP2_UNARY(sqrt)
OP2_UNARY(tan)
OP2_UNARY(tanh)
OP2_UNARY(trunc)
OP2_BINARY(atan2)
OP2_BINARY(copysign)
OP2_BINARY(fmax)
OP2_BINARY(fmin)
OP2_BINARY(fmod)
OP2_BINARY(hypot)
OP2_BINARY(pow)
#undef OP2_UNARY
#undef OP2_BINARY
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double fma(double, double, double) noexcept;
// Rust has its own cube roots, which are correctly rounded; those of C are not.
extern "C" double cbrt(double) noexcept;
extern "C" long double cbrtl(long double) noexcept;
static inline float op2_cbrtf(float x) { return float(cbrt(double(x))); }
static inline double op2_cbrt(double x) { return double(cbrtl((long double)x)); }
#define cbrtf op2_cbrtf
#define cbrt op2_cbrt

// The kernels. They take the addresses of their parameters in an array, as the driver of a GPU does.
namespace op2_emulator {

struct Kernel {
    const char* name;
    void (*call)(void* const* parameters);
    const u64* sizes;
    u64 parameters;
};

// Symbols of the linker around everything that is loaded with the library.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start[];
extern "C" __attribute__((visibility("hidden"))) const char _end[];

struct Exports {
    Environment* environment;
    unsigned char* arena;
    u64* values;
    const char* image;
    const char* image_end;
    const Kernel* kernels;
    u64 count;
};

template <unsigned... I>
struct Places {};
template <unsigned N, unsigned... I>
struct Count : Count<N - 1, N - 1, I...> {};
template <unsigned... I>
struct Count<0, I...> {
    using Up = Places<I...>;
};

// A copy of a parameter in memory that does not belong to the machine.
template <class P>
struct Parameter {
    alignas(P) char bytes[sizeof(P)];

    OP2_UNSEEN static Parameter of(const void* from) {
        Parameter parameter;
        if (sizeof(P) > 64) move(parameter.bytes, from, sizeof(P));
        else __builtin_memcpy(parameter.bytes, from, sizeof(P));
        return parameter;
    }
    P& value() { return *reinterpret_cast<P*>(bytes); }
};

template <class K, K kernel>
struct Call;
template <class... P, void (*kernel)(P...)>
struct Call<void (*)(P...), kernel> {
    static constexpr u64 sizes[sizeof...(P) + 1] = {sizeof(P)..., 0};

    template <unsigned... I>
    OP2_UNSEEN static void with(void* const* parameters, Places<I...>) {
        (void)parameters;
        kernel(Parameter<P>::of(parameters[I]).value()...);
    }
    OP2_UNSEEN static void from(void* const* parameters) {
        with(parameters, typename Count<sizeof...(P)>::Up{});
    }
    static constexpr Kernel entry(const char* name) { return Kernel{name, &from, sizes, sizeof...(P)}; }
};

}  // namespace op2_emulator

#ifdef OP2_CHECKED
// GCC instruments copies of structs, but not long ones by `__builtin_memcpy`.
namespace op2_emulator {
__attribute__((always_inline)) static inline void copy(void* to, const void* from, u64 bytes) {
    if (!(__builtin_constant_p(bytes) && bytes <= 8)) {
        seen(from, bytes, Read, 1);
        seen(to, bytes, Write, 1);
    }
    __builtin_memcpy(to, from, bytes);
}
}  // namespace op2_emulator
#define __builtin_memcpy(to, from, bytes) op2_emulator::copy(to, from, bytes)
#endif

#define OP2_KERNEL(name) op2_emulator::Call<decltype(&name), &name>::entry(#name),
#define OP2_KERNELS(...) \
    static const op2_emulator::Kernel op2_kernels[] = {__VA_ARGS__}; \
    static const op2_emulator::Exports op2_exports = {&op2_emulator::environment, op2_arena_memory, \
        op2_values, op2_emulator::__ehdr_start, op2_emulator::_end, op2_kernels, \
        sizeof op2_kernels / sizeof op2_kernels[0]}; \
    extern "C" __attribute__((visibility("default"))) const op2_emulator::Exports* op2_emulated() { \
        return &op2_exports; \
    }

#endif
