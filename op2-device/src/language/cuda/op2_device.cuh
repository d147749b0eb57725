// Types and scalar functions of the kernel language for generated functions, with Rust's semantics.
//
// No other header is needed: NVRTC compiles this as it is. For a host compiler, the file that includes this one must
// define CUDA's keywords (`__device__`, `__forceinline__`, `__constant__`), the mathematical functions of C and a few
// of CUDA's integer functions.
//
// Float functions come in two overloads, so that nothing of type `float` is promoted. Where Rust panics, a result is
// defined instead, because a kernel on a device cannot stop the program: `x / 0` is 0, `x % 0` is `x`, a shift uses the
// low bits of its count, `clamp` with reversed bounds gives the upper one. Integer overflow wraps. With
// OP2_KERNEL_CHECKS such operations are reported to the host.

#ifndef OP2_DEVICE_CUH
#define OP2_DEVICE_CUH

namespace op2 {
// Operations for which Rust panics, with two values: index and length, or count and bits, or zeros. `Panic` in
// `panic.rs` has the same numbers.
enum Panic : unsigned { BeyondArray = 1, DividesByZero = 2, DividesLeast = 3, ReversedClamp = 4, ShiftsTooFar = 5,
        FailsAssertion = 6 };
}  // namespace op2

// A GPU's compiler, NVIDIA's or AMD's.
#if defined(__CUDACC__) || defined(__HIP__)
#define OP2_GPU
#endif

#if defined(OP2_KERNEL_CHECKS) && defined(OP2_GPU)
// On a GPU the first panic of a launch is recorded for the host: number, element, and the two values. Threads continue,
// since others wait for them at barriers; an index beyond an array is replaced by 0.
static __device__ unsigned long long op2_panic[4] = {};
// The current element of each thread of the block.
__shared__ unsigned op2_elements[1024];

namespace op2 {
static __device__ __noinline__ void panic(Panic number, unsigned long long found, unsigned long long expected) {
    if (atomicCAS(&op2_panic[0], 0ull, (unsigned long long)number) != 0) return;
    op2_panic[1] = op2_elements[threadIdx.x];
    op2_panic[2] = found;
    op2_panic[3] = expected;
}
}  // namespace op2

// Copies the record to the host and clears it. It is a kernel, because the driver finds kernels by name in any code.
extern "C" __global__ void op2_take_panic(unsigned long long* to) {
    if (threadIdx.x != 0) return;
    for (int i = 0; i < 4; i += 1) {
        to[i] = op2_panic[i];
        op2_panic[i] = 0;
    }
}

#define OP2_ELEMENT(element) ((void)(op2_elements[threadIdx.x] = (element)))
#define OP2_CHECK(holds, number, found, expected) \
    ((holds) ? (void)0 : op2::panic(op2::number, (unsigned long long)(found), (unsigned long long)(expected)))
#define OP2_CHECK_INDEX(index, length) \
    ((index) < (length) ? (void)0 : (op2::panic(op2::BeyondArray, index, length), (void)((index) = 0)))
#endif

// Called before every access to an element of an array; may change the index.
#ifndef OP2_CHECK_INDEX
#define OP2_CHECK_INDEX(index, length) ((void)0)
#endif
// Called where an access would be outside of all memory of a kernel, with checks or without: the launch fails.
#ifdef __CUDACC__
#define OP2_STOP() __trap()
#else
#define OP2_STOP() __builtin_trap()
#endif
// Called before an operation for which Rust panics unless `holds`.
#ifndef OP2_CHECK
#define OP2_CHECK(holds, number, found, expected) ((void)0)
#endif

// Called for `debug_assert!`.
#ifndef OP2_CHECK_ASSERTION
#define OP2_CHECK_ASSERTION(...) OP2_CHECK((__VA_ARGS__), FailsAssertion, 0, 0)
#endif
// Whether what the conditions of `debug_assert!` need is computed.
#ifndef OP2_CHECKS_ASSERTIONS
#ifdef OP2_KERNEL_CHECKS
#define OP2_CHECKS_ASSERTIONS true
#else
#define OP2_CHECKS_ASSERTIONS false
#endif
#endif

// A constant of the user: `OP2_CONST double GAM = 1.4;` inside `namespace user`, ahead of the text.
#define OP2_CONST __constant__ constexpr

#ifdef OP2_GPU
#define OP2_UNROLL _Pragma("unroll")
// Of loops of unknown length, of which a few steps are usual: copies of their bodies would cost more than they save.
#define OP2_ROLLED _Pragma("unroll 1")
#else
#define OP2_UNROLL
#define OP2_ROLLED
#endif

// Begins code that few blocks run. NVIDIA's compiler jumps over it then; short code it would otherwise put into the way of all threads, under
// a condition. The instruction counts an event that nobody asks for.
#ifdef __CUDA_ARCH__
#define OP2_RARE asm volatile("pmevent 15;")
#else
#define OP2_RARE ((void)0)
#endif

#define OP2_FN __device__ __forceinline__

namespace op2 {

// The types have their own namespace, so that argument-dependent lookup finds none of the functions below for calls of
// the user's functions.
namespace types {

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;
using usize = unsigned long long;

// `[T; N]`
template <class T, usize N>
struct Arr {
    T at[N == 0 ? 1 : N];

    OP2_FN T& operator[](usize i) {
        OP2_CHECK_INDEX(i, N);
        return at[i];
    }
    OP2_FN const T& operator[](usize i) const {
        OP2_CHECK_INDEX(i, N);
        return at[i];
    }
};

// `[&T; N]`, copied pointer by pointer. As one piece of 128 bytes or more, NVIDIA's compiler (12.9 and 13.0) forgets where the
// pointers lead if a function returns them, and drops the loops that follow them.
template <class T, usize N>
struct Arr<T*, N> {
    T* at[N == 0 ? 1 : N];

    OP2_FN Arr() {}
    OP2_FN Arr(T* const (&from)[N == 0 ? 1 : N]) { copy(from); }
    OP2_FN Arr(const Arr& from) { copy(from.at); }
    OP2_FN Arr& operator=(const Arr& from) {
        copy(from.at);
        return *this;
    }
    OP2_FN T*& operator[](usize i) {
        OP2_CHECK_INDEX(i, N);
        return at[i];
    }
    OP2_FN T* const& operator[](usize i) const {
        OP2_CHECK_INDEX(i, N);
        return at[i];
    }

private:
    OP2_FN void copy(T* const (&from)[N == 0 ? 1 : N]) {
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) at[i] = from[i];
    }
};

// `(A, B, …)`
template <class... T>
struct Tup {};
template <class H, class... T>
struct Tup<H, T...> {
    H head;
    Tup<T...> tail;
};
// Without an empty tail, so that parts of one type lie in a row.
template <class H>
struct Tup<H> {
    H head;
};

// `()` as a value
struct Unit {};

// Rust's partial order on payloads; arrays and tuples compare lexicographically.
template <class T, usize N>
OP2_FN bool operator==(const Arr<T, N>& a, const Arr<T, N>& b) {
    for (usize i = 0; i < N; i += 1) {
        if (!(a.at[i] == b.at[i])) return false;
    }
    return true;
}
template <class T, usize N>
OP2_FN bool operator<(const Arr<T, N>& a, const Arr<T, N>& b) {
    for (usize i = 0; i < N; i += 1) {
        if (!(a.at[i] == b.at[i])) return a.at[i] < b.at[i];
    }
    return false;
}
OP2_FN bool operator==(const Tup<>&, const Tup<>&) { return true; }
OP2_FN bool operator<(const Tup<>&, const Tup<>&) { return false; }
template <class H>
OP2_FN bool operator==(const Tup<H>& a, const Tup<H>& b) { return a.head == b.head; }
template <class H>
OP2_FN bool operator<(const Tup<H>& a, const Tup<H>& b) { return a.head < b.head; }
template <class H, class N, class... T>
OP2_FN bool operator==(const Tup<H, N, T...>& a, const Tup<H, N, T...>& b) {
    return a.head == b.head && a.tail == b.tail;
}
template <class H, class N, class... T>
OP2_FN bool operator<(const Tup<H, N, T...>& a, const Tup<H, N, T...>& b) {
    return a.head == b.head ? a.tail < b.tail : a.head < b.head;
}
OP2_FN bool operator==(Unit, Unit) { return true; }
OP2_FN bool operator<(Unit, Unit) { return false; }

// `ArgMin<V, P>`: of equal values the one with the smaller payload stays; a NaN is never taken.
template <class V, class P>
struct ArgMin {
    bool some;
    V value;
    P payload;

    OP2_FN void update(const V& v, const P& p) {
        if (some ? v < value || (v == value && p < payload) : v == v) {
            some = true;
            value = v;
            payload = p;
        }
    }
};

// `ArgMax<V, P>`
template <class V, class P>
struct ArgMax {
    bool some;
    V value;
    P payload;

    OP2_FN void update(const V& v, const P& p) {
        if (some ? v > value || (v == value && p < payload) : v == v) {
            some = true;
            value = v;
            payload = p;
        }
    }
};

// `a..=b`, ascending by `up` or descending by `down`, without overflow at the last step.
template <class T>
struct Closed {
    T at;
    T last;
    bool more;

    OP2_FN void up() {
        more = at != last;
        if (more) at += 1;
    }
    OP2_FN void down() {
        more = at != last;
        if (more) at -= 1;
    }
};

}  // namespace types

using namespace types;

template <class T>
OP2_FN Closed<T> upwards(T first, T last) { return Closed<T>{first, last, first <= last}; }
template <class T>
OP2_FN Closed<T> downwards(T first, T last) { return Closed<T>{last, first, first <= last}; }

// `[value; N]`
template <class T, usize N>
OP2_FN Arr<T, N> repeat(const T& value) {
    Arr<T, N> all;
    for (usize i = 0; i < N; i += 1) all.at[i] = value;
    return all;
}

// `(a, b, …)`: the types are template arguments, the values follow.
template <class... T>
struct Maker;
template <>
struct Maker<> {
    static OP2_FN Tup<> tup() { return Tup<>{}; }
};
template <class H>
struct Maker<H> {
    static OP2_FN Tup<H> tup(const H& head) { return Tup<H>{head}; }
};
template <class H, class... T>
struct Maker<H, T...> {
    static OP2_FN Tup<H, T...> tup(const H& head, const T&... tail) {
        return Tup<H, T...>{head, Maker<T...>::tup(tail...)};
    }
};
template <class... T, class... U>
OP2_FN Tup<T...> tup(const U&... parts) { return Maker<T...>::tup(parts...); }

// `t.I`
template <usize I, class H, class... T>
OP2_FN auto& get(Tup<H, T...>& t) {
    if constexpr (I == 0) return t.head;
    else return get<I - 1>(t.tail);
}
template <usize I, class H, class... T>
OP2_FN const auto& get(const Tup<H, T...>& t) {
    if constexpr (I == 0) return t.head;
    else return get<I - 1>(t.tail);
}

// Length of an array type, `D` levels deep.
template <class A, usize D>
struct Length;
template <class T, usize N, usize D>
struct Length<Arr<T, N>, D> : Length<T, D - 1> {};
template <class T, usize N>
struct Length<Arr<T, N>, 0> {
    static constexpr usize value = N;
};
template <class A, usize D>
struct Length<const A, D> : Length<A, D> {};
template <class A, usize D>
constexpr usize length = Length<A, D>::value;

// Associated constants. Those of floats are functions, since without a header infinity is no constant expression.

template <class T>
struct Limits;
// Of integers also the unsigned type of the same width, and the one in which arithmetic wraps: C++ computes with an `int`
// instead of smaller types, and an `int` must not overflow.
template <>
struct Limits<i8> {
    using Unsigned = u8;
    using Wraps = u32;
    static constexpr u32 bits = 8;
    static constexpr double above = 128.0;
    static OP2_FN i8 min() { return -128; }
    static OP2_FN i8 max() { return 127; }
};
template <>
struct Limits<u8> {
    using Unsigned = u8;
    using Wraps = u32;
    static constexpr u32 bits = 8;
    static constexpr double above = 256.0;
    static OP2_FN u8 min() { return 0; }
    static OP2_FN u8 max() { return 255; }
};
template <>
struct Limits<i16> {
    using Unsigned = u16;
    using Wraps = u32;
    static constexpr u32 bits = 16;
    static constexpr double above = 32768.0;
    static OP2_FN i16 min() { return -32768; }
    static OP2_FN i16 max() { return 32767; }
};
template <>
struct Limits<u16> {
    using Unsigned = u16;
    using Wraps = u32;
    static constexpr u32 bits = 16;
    static constexpr double above = 65536.0;
    static OP2_FN u16 min() { return 0; }
    static OP2_FN u16 max() { return 65535; }
};
template <>
struct Limits<i32> {
    using Unsigned = u32;
    using Wraps = u32;
    static constexpr u32 bits = 32;
    static constexpr double above = 2147483648.0;
    static OP2_FN i32 min() { return -2147483647 - 1; }
    static OP2_FN i32 max() { return 2147483647; }
};
template <>
struct Limits<u32> {
    using Unsigned = u32;
    using Wraps = u32;
    static constexpr u32 bits = 32;
    static constexpr double above = 4294967296.0;
    static OP2_FN u32 min() { return 0; }
    static OP2_FN u32 max() { return 4294967295u; }
};
template <>
struct Limits<i64> {
    using Unsigned = u64;
    using Wraps = u64;
    static constexpr u32 bits = 64;
    static constexpr double above = 9223372036854775808.0;
    static OP2_FN i64 min() { return -9223372036854775807ll - 1; }
    static OP2_FN i64 max() { return 9223372036854775807ll; }
};
template <>
struct Limits<u64> {
    using Unsigned = u64;
    using Wraps = u64;
    static constexpr u32 bits = 64;
    static constexpr double above = 18446744073709551616.0;
    static OP2_FN u64 min() { return 0; }
    static OP2_FN u64 max() { return 18446744073709551615ull; }
};
template <>
struct Limits<float> {
    static OP2_FN float epsilon() { return 1.19209290e-7f; }
    static OP2_FN float min() { return -3.40282347e38f; }
    static OP2_FN float max() { return 3.40282347e38f; }
    static OP2_FN float min_positive() { return 1.17549435e-38f; }
    static OP2_FN float infinity() { return __int_as_float(0x7f800000); }
    static OP2_FN float neg_infinity() { return -infinity(); }
    static OP2_FN float nan() { return __int_as_float(0x7fc00000); }
};
template <>
struct Limits<double> {
    static OP2_FN double epsilon() { return 2.2204460492503131e-16; }
    static OP2_FN double min() { return -1.7976931348623157e308; }
    static OP2_FN double max() { return 1.7976931348623157e308; }
    static OP2_FN double min_positive() { return 2.2250738585072014e-308; }
    static OP2_FN double infinity() { return __longlong_as_double(0x7ff0000000000000ll); }
    static OP2_FN double neg_infinity() { return -infinity(); }
    static OP2_FN double nan() { return __longlong_as_double(0x7ff8000000000000ll); }
};

// Integers. Arithmetic wraps, by computing in an unsigned type of the same or a greater width.

template <class T>
using Unsigned = typename Limits<T>::Unsigned;
template <class T>
using Wraps = typename Limits<T>::Wraps;

template <class T>
OP2_FN T add(T a, T b) { return T(Wraps<T>(a) + Wraps<T>(b)); }
template <class T>
OP2_FN T sub(T a, T b) { return T(Wraps<T>(a) - Wraps<T>(b)); }
template <class T>
OP2_FN T mul(T a, T b) { return T(Wraps<T>(a) * Wraps<T>(b)); }
template <class T>
OP2_FN T neg(T a) { return T(Wraps<T>(0) - Wraps<T>(a)); }

template <class T>
OP2_FN bool overflows(T a, T b) { return T(-1) < T(0) && b == T(-1) && a == Limits<T>::min(); }

template <class T>
OP2_FN T div(T a, T b) {
    OP2_CHECK(b != 0, DividesByZero, 0, 0);
    OP2_CHECK(!overflows(a, b), DividesLeast, 0, 0);
    if (b == 0) return 0;
    // The least number divided by -1 wraps to itself.
    return b == T(-1) && T(-1) < T(0) ? neg(a) : T(a / b);
}
template <class T>
OP2_FN T rem(T a, T b) {
    OP2_CHECK(b != 0, DividesByZero, 0, 0);
    OP2_CHECK(!overflows(a, b), DividesLeast, 0, 0);
    if (b == 0) return a;
    return b == T(-1) && T(-1) < T(0) ? T(0) : T(a % b);
}

// `<<` and `>>`; the count may be any integer.
template <class T, class C>
OP2_FN T shl(T a, C count) {
    OP2_CHECK(u64(count) < Limits<T>::bits, ShiftsTooFar, count, Limits<T>::bits);
    return T(Wraps<T>(a) << (u32(count) & (Limits<T>::bits - 1)));
}
template <class T, class C>
OP2_FN T shr(T a, C count) {
    OP2_CHECK(u64(count) < Limits<T>::bits, ShiftsTooFar, count, Limits<T>::bits);
    return a >> (u32(count) & (Limits<T>::bits - 1));
}

// `as` from a float: truncates, saturates, and turns NaN into 0.
template <class To, class From>
OP2_FN To cast(From x) {
    if (!(x == x)) return 0;
    if (x <= From(Limits<To>::min())) return Limits<To>::min();
    if (x >= From(Limits<To>::above)) return Limits<To>::max();
    return To(x);
}

#define OP2_SIGNED(T) \
    OP2_FN T abs(T a) { return a < 0 ? neg(a) : a; } \
    OP2_FN T signum(T a) { return T(T(a > 0) - T(a < 0)); }
OP2_SIGNED(i8)
OP2_SIGNED(i16)
OP2_SIGNED(i32)
OP2_SIGNED(i64)
#undef OP2_SIGNED
template <class T>
OP2_FN Unsigned<T> abs_diff(T a, T b) {
    return Unsigned<T>(a < b ? Wraps<T>(b) - Wraps<T>(a) : Wraps<T>(a) - Wraps<T>(b));
}
template <class T>
OP2_FN T rem_euclid(T a, T b) {
    const T r = rem(a, b);
    // Unsigned remainders are never negative.
    if constexpr (T(-1) < T(0)) {
        if (r < 0 && b != 0) return b < 0 ? sub(r, b) : add(r, b);
    }
    return r;
}
template <class T>
OP2_FN T pow(T base, u32 exponent) {
    Wraps<T> square = Wraps<T>(base);
    Wraps<T> power = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) power *= square;
        square *= square;
    }
    return T(power);
}
template <class T>
OP2_FN T wrapping_add(T a, T b) { return add(a, b); }
template <class T>
OP2_FN T wrapping_sub(T a, T b) { return sub(a, b); }
template <class T>
OP2_FN T wrapping_mul(T a, T b) { return mul(a, b); }
template <class T>
OP2_FN T wrapping_neg(T a) { return neg(a); }

#define OP2_NARROW(T) \
    OP2_FN u32 count_ones(T a) { return u32(__popc(Unsigned<T>(a))); } \
    OP2_FN u32 leading_zeros(T a) { return u32(__clz(i32(Unsigned<T>(a)))) - (32 - Limits<T>::bits); } \
    OP2_FN u32 trailing_zeros(T a) { return a == 0 ? Limits<T>::bits : u32(__ffs(i32(Unsigned<T>(a)))) - 1; }
OP2_NARROW(i8)
OP2_NARROW(u8)
OP2_NARROW(i16)
OP2_NARROW(u16)
#undef OP2_NARROW
OP2_FN u32 count_ones(u32 a) { return u32(__popc(a)); }
OP2_FN u32 count_ones(i32 a) { return u32(__popc(u32(a))); }
OP2_FN u32 count_ones(u64 a) { return u32(__popcll(a)); }
OP2_FN u32 count_ones(i64 a) { return u32(__popcll(u64(a))); }
OP2_FN u32 leading_zeros(u32 a) { return u32(__clz(i32(a))); }
OP2_FN u32 leading_zeros(i32 a) { return u32(__clz(a)); }
OP2_FN u32 leading_zeros(u64 a) { return u32(__clzll(i64(a))); }
OP2_FN u32 leading_zeros(i64 a) { return u32(__clzll(a)); }
OP2_FN u32 trailing_zeros(u32 a) { return a == 0 ? 32 : u32(__ffs(i32(a))) - 1; }
OP2_FN u32 trailing_zeros(i32 a) { return trailing_zeros(u32(a)); }
OP2_FN u32 trailing_zeros(u64 a) { return a == 0 ? 64 : u32(__ffsll(i64(a))) - 1; }
OP2_FN u32 trailing_zeros(i64 a) { return trailing_zeros(u64(a)); }

// Numbers.

template <class T>
OP2_FN T clamp(T x, T low, T high) {
    OP2_CHECK(low <= high, ReversedClamp, 0, 0);
    const T raised = x < low ? low : x;
    return raised > high ? high : raised;
}
template <class T>
OP2_FN T min(T a, T b) { return b < a ? b : a; }
template <class T>
OP2_FN T max(T a, T b) { return b < a ? a : b; }
// For floats, if one is NaN, the other; which zero comes out of +0 and -0 is open, as in Rust.
OP2_FN float min(float a, float b) { return ::fminf(a, b); }
OP2_FN double min(double a, double b) { return ::fmin(a, b); }
OP2_FN float max(float a, float b) { return ::fmaxf(a, b); }
OP2_FN double max(double a, double b) { return ::fmax(a, b); }

// Floats.

#define OP2_UNARY(name, c_name) \
    OP2_FN float name(float x) { return ::c_name##f(x); } \
    OP2_FN double name(double x) { return ::c_name(x); }
#define OP2_BINARY(name, c_name) \
    OP2_FN float name(float x, float y) { return ::c_name##f(x, y); } \
    OP2_FN double name(double x, double y) { return ::c_name(x, y); }

OP2_UNARY(abs, fabs)
OP2_UNARY(acos, acos)
OP2_UNARY(asin, asin)
OP2_UNARY(atan, atan)
OP2_UNARY(cbrt, cbrt)
OP2_UNARY(ceil, ceil)
OP2_UNARY(cos, cos)
OP2_UNARY(cosh, cosh)
OP2_UNARY(exp, exp)
OP2_UNARY(exp2, exp2)
OP2_UNARY(exp_m1, expm1)
OP2_UNARY(floor, floor)
OP2_UNARY(ln, log)
OP2_UNARY(ln_1p, log1p)
OP2_UNARY(log10, log10)
OP2_UNARY(log2, log2)
// Rounds halves away from zero.
OP2_UNARY(round, round)
OP2_UNARY(sin, sin)
OP2_UNARY(sinh, sinh)
OP2_UNARY(sqrt, sqrt)
OP2_UNARY(tan, tan)
OP2_UNARY(tanh, tanh)
OP2_UNARY(trunc, trunc)
OP2_BINARY(atan2, atan2)
OP2_BINARY(copysign, copysign)
OP2_BINARY(hypot, hypot)
OP2_BINARY(powf, pow)
// Has the sign of the dividend, as `%` in Rust.
OP2_BINARY(rem, fmod)

#undef OP2_UNARY
#undef OP2_BINARY

// Rounds once, whatever the compiler contracts elsewhere.
OP2_FN float mul_add(float a, float b, float c) { return ::fmaf(a, b, c); }
OP2_FN double mul_add(double a, double b, double c) { return ::fma(a, b, c); }

// The inverse hyperbolic functions, by the formulas of Rust's library.
template <class T>
OP2_FN T acosh(T x) {
    if (x < T(1)) return Limits<T>::nan();
    return ln(x + sqrt(x - T(1)) * sqrt(x + T(1)));
}
template <class T>
OP2_FN T asinh(T x) {
    const T size = abs(x);
    const T inverse = T(1) / size;
    return copysign(ln_1p(size + size / (hypot(T(1), inverse) + inverse)), x);
}
template <class T>
OP2_FN T atanh(T x) { return T(0.5) * ln_1p(T(2) * x / (T(1) - x)); }

template <class T>
OP2_FN bool is_nan(T x) { return !(x == x); }
template <class T>
OP2_FN bool is_infinite(T x) { return abs(x) == Limits<T>::infinity(); }
template <class T>
OP2_FN bool is_finite(T x) { return abs(x) < Limits<T>::infinity(); }
template <class T>
OP2_FN bool is_sign_negative(T x) { return copysign(T(1), x) < T(0); }
template <class T>
OP2_FN T recip(T x) { return T(1) / x; }
template <class T>
OP2_FN T fract(T x) { return x - trunc(x); }
OP2_FN float signum(float x) { return is_nan(x) ? x : copysign(1.0f, x); }
OP2_FN double signum(double x) { return is_nan(x) ? x : copysign(1.0, x); }

// The factors are rounded as in Rust.
OP2_FN float to_degrees(float x) { return x * 57.2957795130823208767981548141051703f; }
OP2_FN double to_degrees(double x) { return x * (180.0 / 3.14159265358979323846); }
OP2_FN float to_radians(float x) { return x * (3.14159265358979323846f / 180.0f); }
OP2_FN double to_radians(double x) { return x * (3.14159265358979323846 / 180.0); }

// Repeated squaring in the order of LLVM's run-time library.
template <class T>
OP2_FN T powi(T x, i32 exponent) {
    u32 count = exponent < 0 ? 0u - u32(exponent) : u32(exponent);
    T power = T(1);
    for (T square = x; count != 0; square *= square) {
        if (count & 1) power *= square;
        count >>= 1;
    }
    return exponent < 0 ? T(1) / power : power;
}

}  // namespace op2

#undef OP2_FN

#endif
