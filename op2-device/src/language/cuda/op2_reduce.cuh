// Reductions into globals, within a block and over all blocks, in an order that does not depend on the order in which
// blocks run.
//
// Uses more of CUDA than the headers above: `__syncthreads`, and `__shfl_down_sync` for 32-bit words.
//
// Shuffles reach the threads of a wave, which CUDA calls a warp. OP2_WAVE says how many there are; the compiler's command defines it
// where it is not 32. A block consists of whole waves.

#ifndef OP2_REDUCE_CUH
#define OP2_REDUCE_CUH

#ifndef OP2_WAVE
#define OP2_WAVE 32
#endif

#define OP2_FN __device__ __forceinline__

namespace op2 {

constexpr u32 wave = OP2_WAVE;
// The mask of a shuffle in which all threads of a wave take part.
OP2_FN u64 whole_wave() { return ~u64(0) >> (64 - wave); }

// A value as slots of 8 bytes, one for each scalar.
template <class T>
struct Slots {
    static constexpr u32 count = 1;
    static OP2_FN void put(const T& value, u64* slots) { slots[0] = bits(value); }
    static OP2_FN void get(T& value, const u64* slots) { value = from_bits<T>(slots[0]); }
};
template <class T, usize N>
struct Slots<Arr<T, N>> {
    static constexpr u32 count = u32(N) * Slots<T>::count;
    static OP2_FN void put(const Arr<T, N>& value, u64* slots) {
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) Slots<T>::put(value.at[i], slots + i * Slots<T>::count);
    }
    static OP2_FN void get(Arr<T, N>& value, const u64* slots) {
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) Slots<T>::get(value.at[i], slots + i * Slots<T>::count);
    }
};
template <>
struct Slots<Unit> {
    static constexpr u32 count = 0;
    static OP2_FN void put(Unit, u64*) {}
    static OP2_FN void get(Unit&, const u64*) {}
};
template <>
struct Slots<Tup<>> {
    static constexpr u32 count = 0;
    static OP2_FN void put(const Tup<>&, u64*) {}
    static OP2_FN void get(Tup<>&, const u64*) {}
};
template <class H>
struct Slots<Tup<H>> {
    static constexpr u32 count = Slots<H>::count;
    static OP2_FN void put(const Tup<H>& value, u64* slots) { Slots<H>::put(value.head, slots); }
    static OP2_FN void get(Tup<H>& value, const u64* slots) { Slots<H>::get(value.head, slots); }
};
template <class H, class... T>
struct Slots<Tup<H, T...>> {
    static constexpr u32 count = Slots<H>::count + Slots<Tup<T...>>::count;
    static OP2_FN void put(const Tup<H, T...>& value, u64* slots) {
        Slots<H>::put(value.head, slots);
        Slots<Tup<T...>>::put(value.tail, slots + Slots<H>::count);
    }
    static OP2_FN void get(Tup<H, T...>& value, const u64* slots) {
        Slots<H>::get(value.head, slots);
        Slots<Tup<T...>>::get(value.tail, slots + Slots<H>::count);
    }
};

// Slots for the flag of a candidate, its value and its payload.
template <class Best, class V, class P>
struct BestSlots {
    static constexpr u32 count = 1 + Slots<V>::count + Slots<P>::count;
    static OP2_FN void put(const Best& best, u64* slots) {
        slots[0] = best.some;
        Slots<V>::put(best.value, slots + 1);
        Slots<P>::put(best.payload, slots + 1 + Slots<V>::count);
    }
    static OP2_FN void get(Best& best, const u64* slots) {
        best.some = slots[0] != 0;
        Slots<V>::get(best.value, slots + 1);
        Slots<P>::get(best.payload, slots + 1 + Slots<V>::count);
    }
};
template <class V, class P>
struct Slots<ArgMin<V, P>> : BestSlots<ArgMin<V, P>, V, P> {};
template <class V, class P>
struct Slots<ArgMax<V, P>> : BestSlots<ArgMax<V, P>, V, P> {};

// The start of a reduction, and how it absorbs a partial result.
template <class By, class T>
struct Reduction {
    static OP2_FN T start() { return neutral<By, T>(); }
    static OP2_FN void absorb(T& total, const T& other) {
        OP2_UNROLL
        for (u32 c = 0; c < Flat<T>::dim; c += 1) part(total, c) = By::of(part(total, c), part(other, c));
    }
};
template <class Best>
struct BestReduction {
    static OP2_FN Best start() { return Best{}; }
    static OP2_FN void absorb(Best& total, const Best& other) {
        if (other.some) total.update(other.value, other.payload);
    }
};
template <class By, class V, class P>
struct Reduction<By, ArgMin<V, P>> : BestReduction<ArgMin<V, P>> {};
template <class By, class V, class P>
struct Reduction<By, ArgMax<V, P>> : BestReduction<ArgMax<V, P>> {};

template <class By, class T>
OP2_FN T start() { return Reduction<By, T>::start(); }

// The value of the thread `further` lanes ahead.
template <class T>
OP2_FN T from_lane(const T& value, u32 further) {
    constexpr u32 count = Slots<T>::count;
    u64 slots[count];
    Slots<T>::put(value, slots);
    OP2_UNROLL
    for (u32 s = 0; s < count; s += 1) {
        const u32 low = __shfl_down_sync(whole_wave(), u32(slots[s]), further);
        const u32 high = __shfl_down_sync(whole_wave(), u32(slots[s] >> 32), further);
        slots[s] = u64(high) << 32 | low;
    }
    T found{};
    Slots<T>::get(found, slots);
    return found;
}

// Combines the values of all threads of a block, wave by wave, in a fixed order, which depends on the width of a wave alone. The block's
// first thread gets the result.
template <class By, class T>
OP2_FN T total(T value) {
    constexpr u32 count = Slots<T>::count;
    for (u32 further = wave / 2; further > 0; further /= 2) {
        Reduction<By, T>::absorb(value, from_lane(value, further));
    }
    u64* waves = reinterpret_cast<u64*>(op2_arena);
    // Other threads may still use this memory.
    __syncthreads();
    if (threadIdx.x % wave == 0) Slots<T>::put(value, waves + threadIdx.x / wave * count);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (u32 n = 1; n * wave < blockDim.x; n += 1) {
            T other{};
            Slots<T>::get(other, waves + n * count);
            Reduction<By, T>::absorb(value, other);
        }
    }
    return value;
}

// Stores a block's partial result.
template <class By, class T>
OP2_FN void reduce(const T& value, u64* partials, u32 block) {
    const T all = total<By>(value);
    if (threadIdx.x == 0) Slots<T>::put(all, partials + usize(block) * Slots<T>::count);
}

// Combines all partial results, and the previous result unless `fresh`; run by one block.
template <class By, class T>
OP2_FN void finish(const u64* partials, u64* result, u32 blocks, bool fresh) {
    T mine = start<By, T>();
    for (usize block = threadIdx.x; block < blocks; block += blockDim.x) {
        T other{};
        Slots<T>::get(other, partials + block * Slots<T>::count);
        Reduction<By, T>::absorb(mine, other);
    }
    const T all = total<By>(mine);
    if (threadIdx.x != 0) return;
    T sum = start<By, T>();
    if (!fresh) Slots<T>::get(sum, result);
    Reduction<By, T>::absorb(sum, all);
    Slots<T>::put(sum, result);
}

}  // namespace op2

#undef OP2_FN

#endif
