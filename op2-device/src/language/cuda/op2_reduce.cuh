// Reductions into globals, within a block and over all blocks, in an order that does not depend on the order in which
// blocks run.
//
// Uses more of CUDA than the headers above: `__syncthreads`, `__threadfence`, and `__shfl_down_sync` for 32-bit words.

#ifndef OP2_REDUCE_CUH
#define OP2_REDUCE_CUH

#define OP2_FN __device__ __forceinline__

namespace op2 {

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

// A reduction of a loop: the partial results of its blocks, and the result that the last block makes of them.
struct Reduced {
    u64* partials;
    u64* result;
    // The result of an earlier loop, which this one continues, or null. It stays what it is.
    const u64* before;
};

// The blocks of all launches of a loop, and how many of them have left their partial results. It is 0 between two executions.
struct Joining {
    u32* arrived;
    u32 blocks;
    u32 unused;
};

// The value of a thread, to be combined with those of others.
template <class By, class T>
struct Mine {
    static constexpr u32 count = Slots<T>::count;

    T value;

    OP2_FN void put(u64* slots) const { Slots<T>::put(value, slots); }
    OP2_FN void get(const u64* slots) { Slots<T>::get(value, slots); }
    OP2_FN void absorb(const u64* slots) {
        T other{};
        Slots<T>::get(other, slots);
        Reduction<By, T>::absorb(value, other);
    }
    OP2_FN void absorb_lane(u32 further) { Reduction<By, T>::absorb(value, from_lane(value, further)); }
};

// Combines the values of all threads of a block, wave by wave, in a fixed order, which depends on the width of a wave alone. The block's
// first thread gets the results. A host whose threads take turns defines it otherwise, because shuffles cost it much.
#ifndef OP2_TOTAL
#define OP2_TOTAL op2::total
template <class... M>
OP2_FN void total(M&... all) {
    constexpr u32 count = (M::count + ...);
    for (u32 further = wave / 2; further > 0; further /= 2) (all.absorb_lane(further), ...);
    u64* waves = reinterpret_cast<u64*>(op2_arena);
    // Other threads may still use this memory.
    __syncthreads();
    if (threadIdx.x % wave == 0) {
        u64* slots = waves + threadIdx.x / wave * count;
        ((all.put(slots), slots += M::count), ...);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const u64* slots = waves + count;
        for (u32 n = 1; n * wave < blockDim.x; n += 1) ((all.absorb(slots), slots += M::count), ...);
    }
}
#endif
// The same of one value.
template <class By, class T>
OP2_FN T total_of(const T& value) {
    Mine<By, T> mine{value};
    OP2_TOTAL(mine);
    return mine.value;
}

// A reduction of a loop, with the value of this thread.
template <class By, class T>
struct Reducing : Mine<By, T> {
    using Mine<By, T>::count;
    // Partial results that a thread loads at once: as many as cost no registers in small loops.
    static constexpr u32 batch = count > 4 ? 1 : count > 2 ? 2 : 4;

    Reduced to;

    // Stores the partial result of a block.
    OP2_FN void leave(u32 block) const { this->put(to.partials + usize(block) * count); }
    // Combines this thread's share of all partial results. They come from other blocks while this kernel runs, so that they are loaded
    // as volatile values.
    OP2_FN void collect(u32 blocks) {
        this->value = start<By, T>();
        usize block = threadIdx.x;
        for (; block + (batch - 1) * blockDim.x < blocks; block += batch * blockDim.x) {
            u64 slots[batch][count];
            OP2_UNROLL
            for (u32 n = 0; n < batch; n += 1) load(slots[n], block + n * blockDim.x);
            OP2_UNROLL
            for (u32 n = 0; n < batch; n += 1) this->absorb(slots[n]);
        }
        for (; block < blocks; block += blockDim.x) {
            u64 slots[count];
            load(slots, block);
            this->absorb(slots);
        }
    }
    // Stores the result.
    OP2_FN void finish() const {
        T sum = start<By, T>();
        if (to.before) Slots<T>::get(sum, to.before);
        Reduction<By, T>::absorb(sum, this->value);
        Slots<T>::put(sum, to.result);
    }

private:
    OP2_FN void load(u64* slots, usize block) const {
        OP2_UNROLL
        for (u32 s = 0; s < count; s += 1) slots[s] = seen(to.partials + block * count + s);
    }
};
template <class By, class T>
OP2_FN Reducing<By, T> reducing(const T& value, const Reduced& to) { return Reducing<By, T>{{value}, to}; }

// Counts a block, whose first thread has stored the partial results. Returns whether it is the last one: then all partial results are
// there.
OP2_FN bool is_last(const Joining& joining) {
    u32* last = reinterpret_cast<u32*>(op2_arena);
    if (threadIdx.x == 0) {
        __threadfence();
        *last = atomicAdd(joining.arrived, 1u) + 1 == joining.blocks;
        __threadfence();
        // For the next execution.
        if (*last) *joining.arrived = 0;
    }
    __syncthreads();
    return *last;
}

// Ends the reductions of a block, and if it is the last one, those of the loop. The order of additions depends on the sizes of launches
// alone, not on which block is the last.
template <class... R>
OP2_FN void reduce(const Joining& joining, u32 block, R... all) {
    OP2_TOTAL(all...);
    if (joining.blocks != 1) {
        if (threadIdx.x == 0) (all.leave(block), ...);
        if (!is_last(joining)) return;
        (all.collect(joining.blocks), ...);
        OP2_TOTAL(all...);
    }
    if (threadIdx.x == 0) (all.finish(), ...);
}

}  // namespace op2

#undef OP2_FN

#endif
