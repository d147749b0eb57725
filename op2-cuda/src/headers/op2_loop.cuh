// What the loops around a kernel are made of: frames, loads and stores in every layout, staging in
// shared memory, combining, reductions. The generated text says which of them a loop consists of.
//
// Words of CUDA beyond those of the functions above: `threadIdx.x`, `blockIdx.x`, `blockDim.x`,
// `gridDim.x`, `__syncthreads`, `__shfl_down_sync` of 32-bit words, `atomicAdd`, `atomicMin`,
// `atomicMax`, `atomicCAS`. Whoever compiles this without CUDA supplies them, and either defines
// the macro `op2_arena` as a pointer to 16-byte aligned memory or the array declared here.
//
// Data start at multiples of 16 bytes and have less than 2^32 elements.

#ifndef OP2_LOOP_CUH
#define OP2_LOOP_CUH

// Called when a thread turns to an element; the emulator looks at it.
#ifndef OP2_ELEMENT
#define OP2_ELEMENT(element) ((void)0)
#endif

#ifdef __CUDACC__
#define OP2_UNROLL _Pragma("unroll")
#define OP2_COPY ::memcpy
#else
#define OP2_UNROLL
#define OP2_COPY __builtin_memcpy
#endif

#define OP2_FN __device__ __forceinline__

// The shared memory of a block.
#ifndef op2_arena
extern __shared__ __attribute__((aligned(16))) unsigned char op2_arena[];
#endif

namespace op2 {

using u8 = unsigned char;
using u16 = unsigned short;

// Values

// A value as scalars in the order of memory.
template <class V>
struct Flat {
    using Scalar = V;
    static constexpr u32 dim = 1;
    static OP2_FN V& part(V& value, u32) { return value; }
    static OP2_FN const V& part(const V& value, u32) { return value; }
};
template <class T, usize N>
struct Flat<Arr<T, N>> {
    using Scalar = typename Flat<T>::Scalar;
    static constexpr u32 inner = Flat<T>::dim == 0 ? 1 : Flat<T>::dim;
    static constexpr u32 dim = u32(N) * Flat<T>::dim;
    static OP2_FN Scalar& part(Arr<T, N>& value, u32 c) {
        return Flat<T>::part(value.at[c / inner], c % inner);
    }
    static OP2_FN const Scalar& part(const Arr<T, N>& value, u32 c) {
        return Flat<T>::part(value.at[c / inner], c % inner);
    }
};
template <class V>
OP2_FN auto& part(V& value, u32 c) { return Flat<V>::part(value, c); }
template <class V>
OP2_FN const auto& part(const V& value, u32 c) { return Flat<V>::part(value, c); }

// Pointers to all values of an array, as kernels take the entries of a map.
template <class V, usize N>
OP2_FN Arr<const V*, N> each_ref(const Arr<V, N>& values) {
    Arr<const V*, N> all;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) all.at[i] = &values.at[i];
    return all;
}
template <class V, usize N>
OP2_FN Arr<V*, N> each_mut(Arr<V, N>& values) {
    Arr<V*, N> all;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) all.at[i] = &values.at[i];
    return all;
}

// Ways of combining

template <class S>
constexpr bool is_float = S(0.5) != S(0);

// The bits of a scalar.
OP2_FN u32 bits(float x) {
    u32 word;
    OP2_COPY(&word, &x, sizeof word);
    return word;
}
OP2_FN u64 bits(double x) {
    u64 word;
    OP2_COPY(&word, &x, sizeof word);
    return word;
}
OP2_FN u32 bits(bool x) { return x; }
OP2_FN u32 bits(i32 x) { return u32(x); }
OP2_FN u32 bits(u32 x) { return x; }
OP2_FN u64 bits(i64 x) { return u64(x); }
OP2_FN u64 bits(u64 x) { return x; }

template <class S>
OP2_FN S from_bits(u64 word) {
    if constexpr (sizeof(S) == 8) {
        S x;
        OP2_COPY(&x, &word, sizeof x);
        return x;
    } else if constexpr (is_float<S>) {
        const u32 half = u32(word);
        S x;
        OP2_COPY(&x, &half, sizeof x);
        return x;
    } else {
        return S(u32(word));
    }
}

// An atomic operation that CUDA has of integers only: by comparing and swapping the bits.
template <class By, class S>
OP2_FN void swap_in(S* at, S contribution) {
    using Word = decltype(bits(contribution));
    Word seen = bits(*const_cast<const volatile S*>(at));
    for (;;) {
        const Word next = bits(By::of(from_bits<S>(seen), contribution));
        if (next == seen) return;
        const Word found = atomicCAS(reinterpret_cast<Word*>(at), seen, next);
        if (found == seen) return;
        seen = found;
    }
}

// The sum; integers wrap.
struct Inc {
    template <class S>
    static OP2_FN S neutral() { return S(0); }
    template <class S>
    static OP2_FN S of(S a, S b) {
        if constexpr (is_float<S>) return a + b;
        else return add(a, b);
    }
    template <class S>
    static OP2_FN void atomic(S* at, S contribution) { atomicAdd(at, contribution); }
    static OP2_FN void atomic(i64* at, i64 contribution) {
        atomicAdd(reinterpret_cast<u64*>(at), u64(contribution));
    }
};

// The minimum; of floats a NaN gives way.
struct Min {
    template <class S>
    static OP2_FN S neutral() {
        if constexpr (is_float<S>) return Limits<S>::infinity();
        else return Limits<S>::max();
    }
    template <class S>
    static OP2_FN S of(S a, S b) { return min(a, b); }
    template <class S>
    static OP2_FN void atomic(S* at, S contribution) {
        if constexpr (is_float<S>) swap_in<Min>(at, contribution);
        else atomicMin(at, contribution);
    }
};

// The maximum; of floats a NaN gives way.
struct Max {
    template <class S>
    static OP2_FN S neutral() {
        if constexpr (is_float<S>) return Limits<S>::neg_infinity();
        else return Limits<S>::min();
    }
    template <class S>
    static OP2_FN S of(S a, S b) { return max(a, b); }
    template <class S>
    static OP2_FN void atomic(S* at, S contribution) {
        if constexpr (is_float<S>) swap_in<Max>(at, contribution);
        else atomicMax(at, contribution);
    }
};

// The value that changes nothing.
template <class By, class V>
OP2_FN V neutral() {
    V value;
    OP2_UNROLL
    for (u32 c = 0; c < Flat<V>::dim; c += 1) {
        part(value, c) = By::template neutral<typename Flat<V>::Scalar>();
    }
    return value;
}

// Views

// Scalars that go to memory together.
template <class S, u32 N>
struct Pack {
    alignas(sizeof(S) * N) S at[N];
};

// Layouts: the scalars of an element side by side; all first components, all second ones, …; the same
// in blocks of a few elements.
struct Aos {};
struct Soa {};
struct Blocked {};

template <class L>
constexpr bool is_aos = false;
template <>
constexpr bool is_aos<Aos> = true;
template <class L>
constexpr bool is_blocked = false;
template <>
constexpr bool is_blocked<Blocked> = true;

// A dat: what it holds, and how. Its own struct adds `stride()`, which is how far components are apart.
template <class V, class L>
struct View {
    using Value = V;
    using Scalar = typename Flat<V>::Scalar;
    using Layout = L;
    static constexpr u32 dim = Flat<V>::dim;
    // In AoS an element is read in words of 16 bytes, or as many as divide it.
    static constexpr u32 bytes = dim * u32(sizeof(Scalar));
    static constexpr u32 word = bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
    static constexpr u32 lanes = is_aos<L> && word > sizeof(Scalar) ? word / u32(sizeof(Scalar)) : 1;
    static constexpr u32 words = dim / lanes;
    using Word = Pack<Scalar, lanes>;
};

// Where word `k` of element `e` is, in words.
template <class V>
OP2_FN usize place(usize e, u32 k) {
    if constexpr (is_aos<typename V::Layout>) {
        return e * V::words + k;
    } else if constexpr (is_blocked<typename V::Layout>) {
        const usize lanes = V::stride();
        return e / lanes * (lanes * V::dim) + k * lanes + e % lanes;
    } else {
        return k * V::stride() + e;
    }
}
template <class V>
OP2_FN typename V::Word read(const typename V::Scalar* data, usize e, u32 k) {
    return reinterpret_cast<const typename V::Word*>(data)[place<V>(e, k)];
}
template <class V>
OP2_FN typename V::Word& at(typename V::Scalar* data, usize e, u32 k) {
    return reinterpret_cast<typename V::Word*>(data)[place<V>(e, k)];
}

// The value of an element, or those of some.
template <class V>
OP2_FN typename V::Value load(const typename V::Scalar* data, u32 e) {
    typename V::Value value;
    OP2_UNROLL
    for (u32 k = 0; k < V::words; k += 1) {
        const typename V::Word word = read<V>(data, e, k);
        OP2_UNROLL
        for (u32 i = 0; i < V::lanes; i += 1) part(value, k * V::lanes + i) = word.at[i];
    }
    return value;
}
template <class V, usize N>
OP2_FN Arr<typename V::Value, N> load(const typename V::Scalar* data, const Arr<u32, N>& all) {
    Arr<typename V::Value, N> values;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) values.at[i] = load<V>(data, all.at[i]);
    return values;
}

// The same of a dat that may not be there; its value is then passed to nobody.
template <class V>
OP2_FN typename V::Value load_if(bool there, const typename V::Scalar* data, u32 e) {
    if (!there) return typename V::Value{};
    return load<V>(data, e);
}
template <class V, usize N>
OP2_FN Arr<typename V::Value, N> load_if(bool there, const typename V::Scalar* data,
        const Arr<u32, N>& all) {
    if (!there) return Arr<typename V::Value, N>{};
    return load<V>(data, all);
}

// Changes all scalars of an element, by words.
template <class V, class Change>
OP2_FN void each_word(typename V::Scalar* data, u32 e, Change change) {
    OP2_UNROLL
    for (u32 k = 0; k < V::words; k += 1) change(at<V>(data, e, k), k * V::lanes);
}

template <class V>
OP2_FN void store(typename V::Scalar* data, u32 e, const typename V::Value& value) {
    each_word<V>(data, e, [&](typename V::Word& there, u32 c) {
        typename V::Word word;
        OP2_UNROLL
        for (u32 i = 0; i < V::lanes; i += 1) word.at[i] = part(value, c + i);
        there = word;
    });
}
template <class V, usize N>
OP2_FN void store(typename V::Scalar* data, const Arr<u32, N>& all,
        const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) store<V>(data, all.at[i], values.at[i]);
}

// Combines an element with a contribution; nobody else is at it.
template <class By, class V>
OP2_FN void combine(typename V::Scalar* data, u32 e, const typename V::Value& value) {
    each_word<V>(data, e, [&](typename V::Word& there, u32 c) {
        typename V::Word word = there;
        OP2_UNROLL
        for (u32 i = 0; i < V::lanes; i += 1) word.at[i] = By::of(word.at[i], part(value, c + i));
        there = word;
    });
}
template <class By, class V, usize N>
OP2_FN void combine(typename V::Scalar* data, const Arr<u32, N>& all,
        const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) combine<By, V>(data, all.at[i], values.at[i]);
}

// The same while others may be at it.
template <class By, class V>
OP2_FN void atomic(typename V::Scalar* data, u32 e, const typename V::Value& value) {
    each_word<V>(data, e, [&](typename V::Word& there, u32 c) {
        OP2_UNROLL
        for (u32 i = 0; i < V::lanes; i += 1) By::atomic(&there.at[i], part(value, c + i));
    });
}
template <class By, class V, usize N>
OP2_FN void atomic(typename V::Scalar* data, const Arr<u32, N>& all,
        const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) atomic<By, V>(data, all.at[i], values.at[i]);
}

// Maps: entry by entry, `rows` elements each.

OP2_FN u32 target(const u32* map, usize rows, usize entry, u32 e) { return map[entry * rows + e]; }
template <usize N>
OP2_FN Arr<u32, N> targets(const u32* map, usize rows, u32 e) {
    Arr<u32, N> all;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) all.at[i] = map[i * rows + e];
    return all;
}

// The same of a map that nobody needs if something is not there.
OP2_FN u32 target_if(bool there, const u32* map, usize rows, usize entry, u32 e) {
    return there ? target(map, rows, entry, e) : 0;
}
template <usize N>
OP2_FN Arr<u32, N> targets_if(bool there, const u32* map, usize rows, u32 e) {
    if (!there) return Arr<u32, N>{};
    return targets<N>(map, rows, e);
}

// Frames

// This thread among all, and how many there are.
OP2_FN usize thread() { return usize(blockIdx.x) * blockDim.x + threadIdx.x; }
OP2_FN usize threads() { return usize(gridDim.x) * blockDim.x; }

// Positions `start..end` of a loop of `rows` positions: those of the elements in `order`, or of all.
struct Range {
    const u32* order;
    u32 start;
    u32 end;
    // The partial results of the first block.
    u32 partial;
    u32 rows;

    OP2_FN usize first() const { return start + thread(); }
    OP2_FN u32 element(usize p) const { return order ? order[p] : u32(p); }
    OP2_FN u32 partials() const { return partial + blockIdx.x; }
};

// A block of the plan, and the position of this thread in it.
struct Block {
    u32 id;
    u32 end;
    u32 p;

    // Whether this thread has an element.
    OP2_FN bool busy() const { return p < end; }
};

// Blocks of a plan, one for each CUDA block.
struct Blocks {
    const u32* ids;
    const u32* offsets;
    const u32* order;
    const u32* colours;
    const u32* counts;
    u32 partial;
    u32 unused;

    OP2_FN Block block() const {
        const u32 id = ids[blockIdx.x];
        return Block{id, offsets[id + 1], offsets[id] + threadIdx.x};
    }
    OP2_FN u32 element(const Block& block) const { return order ? order[block.p] : block.p; }
    // The number of colours of a block, and when it is this thread's turn.
    OP2_FN u32 colours_of(const Block& block) const { return counts[block.id]; }
    OP2_FN u32 turn(const Block& block) const { return block.busy() ? colours[block.p] : ~0u; }
    OP2_FN u32 partials(const Block& block) const { return partial + block.id; }
};

// What the blocks of a plan reach through some entries of maps: their targets, and by which local
// index which entry leads to one.
struct Stage {
    const u32* offsets;
    const u32* list;
    const u16* local;
    const u8* shared;
    u32 rows;
    u32 most;

    // Where entry `k` of this thread's element leads, and entries `k..k + N`.
    OP2_FN u32 at(const Block& block, usize k) const {
        // Nothing is staged for arguments that are not there.
        return local && block.busy() ? local[k * rows + block.p] : 0;
    }
    template <usize N>
    OP2_FN Arr<u32, N> all(const Block& block, usize k) const {
        Arr<u32, N> found;
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) found.at[i] = at(block, k + i);
        return found;
    }
    // The same of a stage that nobody needs if something is not there.
    OP2_FN u32 at_if(bool there, const Block& block, usize k) const {
        return there ? at(block, k) : 0;
    }
    template <usize N>
    OP2_FN Arr<u32, N> all_if(bool there, const Block& block, usize k) const {
        if (!there) return Arr<u32, N>{};
        return all<N>(block, k);
    }
};

// The contributions to each of `targets` targets.
struct Sums {
    const u32* offsets;
    const u32* list;
    u32 targets;
    u32 rows;
};

// Shared memory

// What a block has of a dat in shared memory: component by component.
template <class V>
struct Shared {
    using Value = typename V::Value;
    using Scalar = typename V::Scalar;
    using Word = typename V::Word;

    Scalar* data;
    u32 most;
    const u32* list;
    const u8* shared;
    u32 count;

    OP2_FN Scalar& component(u32 i, u32 c) const { return data[c * most + i]; }

    OP2_FN Value load(u32 i) const {
        Value value;
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) part(value, c) = component(i, c);
        return value;
    }
    template <usize N>
    OP2_FN Arr<Value, N> load(const Arr<u32, N>& all) const {
        Arr<Value, N> values;
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) values.at[n] = load(all.at[n]);
        return values;
    }
    OP2_FN Value load_if(bool there, u32 i) const { return there ? load(i) : Value{}; }
    template <usize N>
    OP2_FN Arr<Value, N> load_if(bool there, const Arr<u32, N>& all) const {
        if (!there) return Arr<Value, N>{};
        return load(all);
    }

    OP2_FN void store(u32 i, const Value& value) const {
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) component(i, c) = part(value, c);
    }
    template <usize N>
    OP2_FN void store(const Arr<u32, N>& all, const Arr<Value, N>& values) const {
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) store(all.at[n], values.at[n]);
    }

    template <class By>
    OP2_FN void combine(u32 i, const Value& value) const {
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) component(i, c) = By::of(component(i, c), part(value, c));
    }
    template <class By, usize N>
    OP2_FN void combine(const Arr<u32, N>& all, const Arr<Value, N>& values) const {
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) combine<By>(all.at[n], values.at[n]);
    }

    // Whole arrays, by all threads of the block.

    // Copies the block's targets here.
    OP2_FN void fetch(const Scalar* from) const {
        share_out([&](u32 i, u32 k) {
            const Word word = read<V>(from, list[i], k);
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) component(i, k * V::lanes + n) = word.at[n];
        });
    }
    // Starts contributions from the value that changes nothing.
    template <class By>
    OP2_FN void clear() const {
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) {
            for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
                component(i, c) = By::template neutral<Scalar>();
            }
        }
    }
    // Copies the block's targets back.
    OP2_FN void flush(Scalar* to) const {
        share_out([&](u32 i, u32 k) {
            Word word;
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) word.at[n] = component(i, k * V::lanes + n);
            at<V>(to, list[i], k) = word;
        });
    }
    // Adds contributions to the block's targets; no other block is at them.
    template <class By>
    OP2_FN void flush(Scalar* to) const {
        share_out([&](u32 i, u32 k) { plain<By>(to, i, k); });
    }
    // The same while others are at those that are shared.
    template <class By>
    OP2_FN void flush_among(Scalar* to) const {
        share_out([&](u32 i, u32 k) {
            if (!shared[i]) return plain<By>(to, i, k);
            Word& there = at<V>(to, list[i], k);
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) {
                By::atomic(&there.at[n], component(i, k * V::lanes + n));
            }
        });
    }

private:
    template <class By>
    OP2_FN void plain(Scalar* to, u32 i, u32 k) const {
        Word word = at<V>(to, list[i], k);
        OP2_UNROLL
        for (u32 n = 0; n < V::lanes; n += 1) {
            word.at[n] = By::of(word.at[n], component(i, k * V::lanes + n));
        }
        at<V>(to, list[i], k) = word;
    }

    // Hands words of targets to threads: neighbours get what is side by side in global memory.
    template <class Todo>
    OP2_FN void share_out(Todo todo) const {
        if constexpr (is_aos<typename V::Layout>) {
            for (u32 w = threadIdx.x; w < count * V::words; w += blockDim.x) todo(w / V::words, w % V::words);
        } else {
            OP2_UNROLL
            for (u32 k = 0; k < V::words; k += 1) {
                for (u32 i = threadIdx.x; i < count; i += blockDim.x) todo(i, k);
            }
        }
    }
};

// Deals out the shared memory of a block.
struct Arena {
    usize used = 0;

    template <class V>
    OP2_FN Shared<V> take(const Stage& stage, const Block& block, bool there = true) {
        using Scalar = typename V::Scalar;
        if (!there) return Shared<V>{nullptr, 0, nullptr, nullptr, 0};
        Scalar* data = reinterpret_cast<Scalar*>(op2_arena + used);
        used += (usize(stage.most) * V::bytes + 15) / 16 * 16;
        const u32 first = stage.offsets[block.id];
        const u32 count = stage.offsets[block.id + 1] - first;
        const u8* shared = stage.shared ? stage.shared + first : nullptr;
        return Shared<V>{data, stage.most, stage.list + first, shared, count};
    }
};

// Contributions in memory: component by component, entry by entry, position by position.

template <class V>
OP2_FN void scatter(typename V::Scalar* parts, usize rows, usize entries, usize k, usize p,
        const typename V::Value& value) {
    OP2_UNROLL
    for (u32 c = 0; c < V::dim; c += 1) parts[(c * entries + k) * rows + p] = part(value, c);
}
template <class V, usize N>
OP2_FN void scatter(typename V::Scalar* parts, usize rows, usize entries, usize k, usize p,
        const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) scatter<V>(parts, rows, entries, k + i, p, values.at[i]);
}

// Combines every target with its contributions, in the order of the list.
template <class By, class V>
OP2_FN void gather(const Sums& sums, typename V::Scalar* data, const typename V::Scalar* parts,
        usize entries) {
    for (usize t = thread(); t < sums.targets; t += threads()) {
        const u32 end = sums.offsets[t + 1];
        u32 n = sums.offsets[t];
        if (n == end) continue;
        auto sum = neutral<By, typename V::Value>();
        for (; n < end; n += 1) {
            const usize i = sums.list[n];
            OP2_UNROLL
            for (u32 c = 0; c < V::dim; c += 1) {
                part(sum, c) = By::of(part(sum, c), parts[c * entries * sums.rows + i]);
            }
        }
        combine<By, V>(data, u32(t), sum);
    }
}

// Reductions

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

// Whether there is a candidate, then its value and its payload.
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

// With what a reduction starts, and how it takes in a partial result.
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

// The value of the thread that many lanes further on.
template <class T>
OP2_FN T from_lane(const T& value, u32 further) {
    constexpr u32 count = Slots<T>::count;
    u64 slots[count];
    Slots<T>::put(value, slots);
    OP2_UNROLL
    for (u32 s = 0; s < count; s += 1) {
        const u32 low = __shfl_down_sync(0xffffffffu, u32(slots[s]), further);
        const u32 high = __shfl_down_sync(0xffffffffu, u32(slots[s] >> 32), further);
        slots[s] = u64(high) << 32 | low;
    }
    T found{};
    Slots<T>::get(found, slots);
    return found;
}

// The value of all threads of a block, for its first thread: warp by warp, in a fixed order.
template <class By, class T>
OP2_FN T total(T value) {
    constexpr u32 count = Slots<T>::count;
    for (u32 further = 16; further > 0; further /= 2) {
        Reduction<By, T>::absorb(value, from_lane(value, further));
    }
    u64* warps = reinterpret_cast<u64*>(op2_arena);
    // Others may still be busy with what is there.
    __syncthreads();
    if (threadIdx.x % 32 == 0) Slots<T>::put(value, warps + threadIdx.x / 32 * count);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (u32 warp = 1; warp * 32 < blockDim.x; warp += 1) {
            T other{};
            Slots<T>::get(other, warps + warp * count);
            Reduction<By, T>::absorb(value, other);
        }
    }
    return value;
}

// Leaves a block's partial result.
template <class By, class T>
OP2_FN void reduce(const T& value, u64* partials, u32 block) {
    const T all = total<By>(value);
    if (threadIdx.x == 0) Slots<T>::put(all, partials + usize(block) * Slots<T>::count);
}

// Combines all partial results, and unless it starts `fresh`, the result so far; by one block.
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
