// Values of dats and globals: combining them, and loading and storing them in every layout.
//
// Uses more of CUDA than the functions above: `atomicAdd`, `atomicMin`, `atomicMax`, `atomicOr`, `atomicCAS`. Data start at
// multiples of 16 bytes.

#ifndef OP2_DATA_CUH
#define OP2_DATA_CUH

#ifdef __CUDACC__
#define OP2_COPY ::memcpy
#else
#define OP2_COPY __builtin_memcpy
#endif

#define OP2_FN __device__ __forceinline__

namespace op2 {

// Values

// The scalars of a value, in the order of memory.
template <class V>
struct Flat {
    using Scalar = V;
    static constexpr u32 dim = 1;
    static constexpr bool is_scalar = true;
    static OP2_FN V& part(V& value, u32) { return value; }
    static OP2_FN const V& part(const V& value, u32) { return value; }
};
template <class T, usize N>
struct Flat<Arr<T, N>> {
    using Scalar = typename Flat<T>::Scalar;
    static constexpr bool is_scalar = false;
    static constexpr u32 inner = Flat<T>::dim == 0 ? 1 : Flat<T>::dim;
    static constexpr u32 dim = u32(N) * Flat<T>::dim;
    static OP2_FN Scalar& part(Arr<T, N>& value, u32 c) {
        return Flat<T>::part(value.at[c / inner], c % inner);
    }
    static OP2_FN const Scalar& part(const Arr<T, N>& value, u32 c) {
        return Flat<T>::part(value.at[c / inner], c % inner);
    }
};
template <class H>
struct Flat<Tup<H>> : Flat<H> {
    static constexpr bool is_scalar = false;
    using Scalar = typename Flat<H>::Scalar;
    static OP2_FN Scalar& part(Tup<H>& value, u32 c) { return Flat<H>::part(value.head, c); }
    static OP2_FN const Scalar& part(const Tup<H>& value, u32 c) { return Flat<H>::part(value.head, c); }
};
template <class H, class N, class... T>
struct Flat<Tup<H, N, T...>> {
    using Scalar = typename Flat<H>::Scalar;
    using Tail = Flat<Tup<N, T...>>;
    static constexpr bool is_scalar = false;
    static constexpr u32 first = Flat<H>::dim;
    static constexpr u32 dim = first + Tail::dim;
    static OP2_FN Scalar& part(Tup<H, N, T...>& value, u32 c) {
        return c < first ? Flat<H>::part(value.head, c) : Tail::part(value.tail, c - first);
    }
    static OP2_FN const Scalar& part(const Tup<H, N, T...>& value, u32 c) {
        return c < first ? Flat<H>::part(value.head, c) : Tail::part(value.tail, c - first);
    }
};
template <class V>
OP2_FN auto& part(V& value, u32 c) { return Flat<V>::part(value, c); }
template <class V>
OP2_FN const auto& part(const V& value, u32 c) { return Flat<V>::part(value, c); }

// Pointers to all values of an array, the form in which kernels take the entries of a map.
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

// Combining operations

template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;
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
OP2_FN u32 bits(i8 x) { return u8(x); }
OP2_FN u32 bits(u8 x) { return x; }
OP2_FN u32 bits(i16 x) { return u16(x); }
OP2_FN u32 bits(u16 x) { return x; }
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

// Reads a scalar that other threads change by atomic operations meanwhile: as a volatile load, which races with none of them.
#ifndef OP2_SEEN
#define OP2_SEEN(at) (*const_cast<const volatile S*>(at))
#endif
template <class S>
OP2_FN S seen(const S* at) { return OP2_SEEN(at); }

// Reads the aligned word around a scalar of 8 or 16 bits, and compares and swaps it. A host that sees accesses defines them
// otherwise: what counts as accessed is the scalar alone.
#ifndef OP2_READ_AROUND
#define OP2_READ_AROUND(scalar, word) (*const_cast<const volatile u32*>(word))
#define OP2_SWAP_AROUND(scalar, word, expected, value) atomicCAS(word, expected, value)
#endif

// Whether atomic operations on a scalar exchange the word around it, and with it its neighbours.
template <class S>
constexpr bool swaps_around = sizeof(S) < 4;
template <>
constexpr bool swaps_around<bool> = false;

// An atomic operation on a scalar of 8 or 16 bits, for which CUDA has none, by compare-and-swap of the word around it. If
// another thread stores to a neighbour in the word meanwhile, the words differ, and the operation is tried again.
template <class By, class S>
OP2_FN void swap_part(S* at, S contribution) {
    using Word = decltype(bits(contribution));
    const u64 address = reinterpret_cast<u64>(at);
    Word* word = reinterpret_cast<Word*>(address / 4 * 4);
    const u32 shift = u32(address % 4) * 8;
    const u32 mask = u32(Limits<Unsigned<S>>::max()) << shift;
    u32 seen = OP2_READ_AROUND(at, word);
    for (;;) {
        const u32 next = (seen & ~mask) | bits(By::of(S(seen >> shift), contribution)) << shift;
        if (next == seen) return;
        const u32 found = OP2_SWAP_AROUND(at, word, seen, next);
        if (found == seen) return;
        seen = found;
    }
}

// An atomic operation that CUDA has only for integers, by compare-and-swap of the bits.
template <class By, class S>
OP2_FN void swap_in(S* at, S contribution) {
    using Word = decltype(bits(contribution));
    Word old = bits(seen(at));
    for (;;) {
        const Word next = bits(By::of(from_bits<S>(old), contribution));
        if (next == old) return;
        const Word found = atomicCAS(reinterpret_cast<Word*>(at), old, next);
        if (found == old) return;
        old = found;
    }
}

// The sum; integers wrap.
struct Inc {
    // For floats -0: adding 0 would turn -0 into 0, so no compiler could drop the addition.
    template <class S>
    static OP2_FN S neutral() {
        if constexpr (is_float<S>) return -S(0);
        else return S(0);
    }
    template <class S>
    static OP2_FN S of(S a, S b) {
        if constexpr (is_float<S>) return a + b;
        else return add(a, b);
    }
    template <class S>
    static OP2_FN void atomic(S* at, S contribution) {
        if constexpr (sizeof(S) < 4) swap_part<Inc>(at, contribution);
        else atomicAdd(at, contribution);
    }
    static OP2_FN void atomic(i64* at, i64 contribution) {
        atomicAdd(reinterpret_cast<u64*>(at), u64(contribution));
    }
};

// The minimum; of floats, if one is NaN, the other, and -0 is below 0: as on the host, no order of contributions leaves other bits.
struct Min {
    template <class S>
    static OP2_FN S neutral() {
        if constexpr (is_float<S>) return Limits<S>::infinity();
        else return Limits<S>::max();
    }
    template <class S>
    static OP2_FN S of(S a, S b) {
        if constexpr (is_float<S>) {
            if (a == b) return from_bits<S>(bits(a) | bits(b));
        }
        return min(a, b);
    }
    template <class S>
    static OP2_FN void atomic(S* at, S contribution) {
        if constexpr (is_float<S>) swap_in<Min>(at, contribution);
        else if constexpr (sizeof(S) < 4) swap_part<Min>(at, contribution);
        else if (contribution < seen(at)) atomicMin(at, contribution);
    }
};

// The maximum; of floats, if one is NaN, the other, and 0 is above -0.
struct Max {
    template <class S>
    static OP2_FN S neutral() {
        if constexpr (is_float<S>) return Limits<S>::neg_infinity();
        else return Limits<S>::min();
    }
    template <class S>
    static OP2_FN S of(S a, S b) {
        if constexpr (is_float<S>) {
            if (a == b) return from_bits<S>(bits(a) & bits(b));
        }
        return max(a, b);
    }
    template <class S>
    static OP2_FN void atomic(S* at, S contribution) {
        if constexpr (is_float<S>) swap_in<Max>(at, contribution);
        else if constexpr (sizeof(S) < 4) swap_part<Max>(at, contribution);
        else if (contribution > seen(at)) atomicMax(at, contribution);
    }
};

// Stores true in a flag into which other threads may store true at the same time: as a volatile store, which PTX counts among
// those that race with no other of their kind.
#ifndef OP2_RAISE
#define OP2_RAISE(at) (*const_cast<volatile bool*>(at) = true)
#endif

// Flags: whether one is true. Integers: the bits that one of them has.
struct Or {
    template <class S>
    static OP2_FN S neutral() { return S(0); }
    template <class S>
    static OP2_FN S of(S a, S b) { return S(a | b); }
    static OP2_FN void atomic(bool* at, bool contribution) {
        if (contribution && !seen(at)) OP2_RAISE(at);
    }
    template <class S>
    static OP2_FN void atomic(S* at, S contribution) {
        if constexpr (sizeof(S) < 4) {
            swap_part<Or>(at, contribution);
        } else {
            using Word = decltype(bits(contribution));
            if (contribution & ~seen(at)) atomicOr(reinterpret_cast<Word*>(at), Word(contribution));
        }
    }
};

// 1, or -1 if the lowest bit of `mark` is set: it becomes the bit of the sign.
template <class S>
OP2_FN S one_with_sign(u32 mark) {
    const u32 high = (sizeof(S) == 8 ? 0x3ff00000u : 0x3f800000u) | mark << 31;
    return from_bits<S>(sizeof(S) == 8 ? u64(high) << 32 : u64(high));
}

// The neutral element.
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

// Scalars that one instruction loads or stores.
template <class S, u32 N>
struct Pack {
    alignas(sizeof(S) * N) S at[N];
};

// Layouts: the scalars of an element side by side; all first components, all second ones, …; the same in blocks of a
// few elements.
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

// A dat: the type and the layout of its values. A derived struct adds `stride()`, the distance of components.
template <class V, class L>
struct View {
    using Value = V;
    using Scalar = typename Flat<V>::Scalar;
    using Layout = L;
    static constexpr u32 dim = Flat<V>::dim;
    // In AoS an element is read in words of 16 bytes, or of the largest smaller size that divides it.
    static constexpr u32 bytes = dim * u32(sizeof(Scalar));
    static constexpr u32 word = bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
    static constexpr u32 lanes = is_aos<L> && word > sizeof(Scalar) ? word / u32(sizeof(Scalar)) : 1;
    static constexpr u32 words = dim / lanes;
    using Word = Pack<Scalar, lanes>;
    // Whether some of its elements are reached by entries that may be missing. A derived struct that is may say so.
    static OP2_FN constexpr bool misses() { return false; }
};

// Stands for the target of a missing entry.
constexpr u32 missing = ~0u;

// Whether a dat has no element there.
template <class V>
OP2_FN bool is_missing(u32 e) {
    return V::misses() && e == missing;
}

// The index of word `k` of element `e`, in words.
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

// Word `k` of a value.
template <class V>
OP2_FN typename V::Word word(const typename V::Value& value, u32 k) {
    typename V::Word found;
    OP2_UNROLL
    for (u32 i = 0; i < V::lanes; i += 1) found.at[i] = part(value, k * V::lanes + i);
    return found;
}

// The value of an element, or the values of several.
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

// The same for targets of entries that may be missing; their values are never used.
template <class V>
OP2_FN typename V::Value load_maybe(const typename V::Scalar* data, u32 e) {
    if (e == missing) return typename V::Value{};
    return load<V>(data, e);
}
template <class V, usize N>
OP2_FN Arr<typename V::Value, N> load_maybe(const typename V::Scalar* data, const Arr<u32, N>& all) {
    Arr<typename V::Value, N> values;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) values.at[i] = load_maybe<V>(data, all.at[i]);
    return values;
}

// The pointer to a value, or to each of several; null if its element is missing.
template <class V>
OP2_FN V* maybe(u32 e, V& value) { return e == missing ? nullptr : &value; }
template <class V, usize N>
OP2_FN Arr<const V*, N> maybe(const Arr<u32, N>& all, const Arr<V, N>& values) {
    Arr<const V*, N> found;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) found.at[i] = maybe(all.at[i], values.at[i]);
    return found;
}

// The same for an optional dat; if it is absent, the value is never used.
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

// Calls `change` for every word of an element.
template <class V, class Change>
OP2_FN void each_word(typename V::Scalar* data, u32 e, Change change) {
    OP2_UNROLL
    for (u32 k = 0; k < V::words; k += 1) change(at<V>(data, e, k), k);
}

template <class V>
OP2_FN void store(typename V::Scalar* data, u32 e, const typename V::Value& value) {
    if (is_missing<V>(e)) return;
    each_word<V>(data, e, [&](typename V::Word& there, u32 k) { there = word<V>(value, k); });
}
template <class V, usize N>
OP2_FN void store(typename V::Scalar* data, const Arr<u32, N>& all,
        const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) store<V>(data, all.at[i], values.at[i]);
}

// Rows of any length

// The place of a value of several components: `stride` scalars from one to the next, as in every layout.
template <class V>
struct Spread {
    using Scalar = typename Flat<V>::Scalar;
    Scalar* data;
    usize stride;

    OP2_FN operator V() const {
        V value;
        OP2_UNROLL
        for (u32 c = 0; c < Flat<V>::dim; c += 1) part(value, c) = data[c * stride];
        return value;
    }
    OP2_FN const Spread& operator=(const V& value) const {
        OP2_UNROLL
        for (u32 c = 0; c < Flat<V>::dim; c += 1) data[c * stride] = part(value, c);
        return *this;
    }
    OP2_FN decltype(auto) operator[](usize i) const;
};

// The place of a value: of a scalar the scalar itself.
template <class V>
OP2_FN decltype(auto) spread(typename Flat<V>::Scalar* data, usize stride) {
    if constexpr (Flat<V>::is_scalar) return (*data);
    else return Spread<V>{data, stride};
}
template <class A>
struct Item;
template <class T, usize N>
struct Item<Arr<T, N>> {
    using Type = T;
    static constexpr usize len = N;
};
template <class V>
OP2_FN decltype(auto) Spread<V>::operator[](usize i) const {
    using T = typename Item<V>::Type;
    OP2_CHECK_INDEX(i, Item<V>::len);
    return spread<T>(data + i * Flat<T>::dim * stride, stride);
}
template <usize I, class H, class... T>
OP2_FN decltype(auto) get(const Spread<Tup<H, T...>>& t) {
    if constexpr (I == 0) return spread<H>(t.data, t.stride);
    else return get<I - 1>(Spread<Tup<T...>>{t.data + Flat<H>::dim * t.stride, t.stride});
}

template <class V>
constexpr bool is_index = false;
template <>
constexpr bool is_index<u32> = true;

namespace types {

// The values that the entries of a row lead to, in global memory.
template <class V>
struct Row {
    using Scalar = typename Flat<V>::Scalar;
    Scalar* data;
    const u32* entries;
    // From one entry to the next.
    usize step;
    usize count;
    // Of the layout: scalars of an element in a block, elements of a block, scalars from one component to the next.
    usize dim;
    usize lanes;
    usize stride;

    OP2_FN usize len() const { return count; }
    OP2_FN Scalar* at(usize i) const {
        OP2_CHECK_INDEX(i, count);
        // Without data, the entries themselves are the values.
        if constexpr (is_index<V>) if (!data) return const_cast<u32*>(entries + i * step);
        const usize e = entries[i * step];
        return data + e / lanes * (lanes * dim) + e % lanes;
    }
    // A value of a row that is read, the place of one that is changed.
    OP2_FN V operator[](usize i) const { return spread<V>(at(i), stride); }
    OP2_FN decltype(auto) operator[](usize i) { return spread<V>(at(i), stride); }
};

// All values of a dat, in global memory.
template <class V>
struct Table {
    using Scalar = typename Flat<V>::Scalar;
    const Scalar* data;
    usize count;
    // Of the layout, as in a row.
    usize dim;
    usize lanes;
    usize stride;
    // The user's numbers by element, and elements by them; null where both are the same.
    const u32* numbers;
    const u32* elements;

    OP2_FN usize len() const { return count; }
    OP2_FN u32 number(u32 e) const {
        OP2_CHECK_INDEX(e, count);
        return numbers ? numbers[e] : e;
    }
    OP2_FN u32 nth(u32 n) const {
        OP2_CHECK_INDEX(n, count);
        if (n >= count) OP2_STOP();
        return elements ? elements[n] : n;
    }
    OP2_FN V at(u32 e) const {
        OP2_CHECK_INDEX(e, count);
        const usize number = e;
        const Scalar* const from = data + number / lanes * (lanes * dim) + number % lanes;
        return spread<V>(const_cast<Scalar*>(from), stride);
    }
};

}  // namespace types

// The table of a dat of `size` elements.
template <class V>
OP2_FN types::Table<typename V::Value> table(
        const typename V::Scalar* data, usize size, const u32* numbers = nullptr, const u32* elements = nullptr) {
    constexpr bool soa = !is_aos<typename V::Layout> && !is_blocked<typename V::Layout>;
    const usize stride = is_aos<typename V::Layout> ? 1 : V::stride();
    const usize lanes = is_blocked<typename V::Layout> ? V::stride() : 1;
    return {data, size, soa ? usize(1) : usize(V::dim), lanes, stride, numbers, elements};
}

// The row of element `e` of a map of `rows` rows: all of `arity` entries, stored entry by entry, or of any length if that is 0,
// stored row by row behind their starts.
template <class V>
OP2_FN types::Row<typename V::Value> row(const typename V::Scalar* data, const u32* map, usize rows, usize arity, u32 e) {
    // A dat that is only read is never written through its row.
    auto* const values = const_cast<typename V::Scalar*>(data);
    constexpr bool soa = !is_aos<typename V::Layout> && !is_blocked<typename V::Layout>;
    const usize stride = is_aos<typename V::Layout> ? 1 : V::stride();
    const usize lanes = is_blocked<typename V::Layout> ? V::stride() : 1;
    const usize dim = soa ? 1 : V::dim;
    if (arity) return {values, map + e, rows, arity, dim, lanes, stride};
    return {values, map + rows + 1 + map[e], 1, map[e + 1] - map[e], dim, lanes, stride};
}
template <class V>
OP2_FN types::Row<typename V::Value> row_if(bool there, const typename V::Scalar* data, const u32* map, usize rows,
        usize arity, u32 e) {
    if (!there) return {nullptr, nullptr, 0, 0, 1, 1, 1};
    return row<V>(data, map, rows, arity, e);
}

// The elements of a row themselves.
OP2_FN types::Row<u32> indices(const u32* map, usize rows, usize arity, u32 e) {
    if (arity) return {nullptr, map + e, rows, arity, 1, 1, 1};
    return {nullptr, map + rows + 1 + map[e], 1, map[e + 1] - map[e], 1, 1, 1};
}

// Prepares a row that is combined in place: as every contribution does, also one that adds nothing, it replaces values that are no
// numbers. The kernel would compare with them.
template <class By, class V>
OP2_FN void without_nan(types::Row<V>& row) {
    using Scalar = typename Flat<V>::Scalar;
    if constexpr (is_float<Scalar>) {
        for (usize i = 0; i < row.len(); i += 1) {
            Scalar* const at = row.at(i);
            OP2_UNROLL
            for (u32 c = 0; c < Flat<V>::dim; c += 1) {
                Scalar& value = at[c * row.stride];
                if (value != value) value = By::template neutral<Scalar>();
            }
        }
    }
}

// Word `k` of an element, combined with that of a contribution.
template <class By, class V>
OP2_FN typename V::Word combined(typename V::Word word, const typename V::Value& value, u32 k) {
    OP2_UNROLL
    for (u32 i = 0; i < V::lanes; i += 1) word.at[i] = By::of(word.at[i], part(value, k * V::lanes + i));
    return word;
}

// Combines an element with a contribution, while nothing else accesses it.
template <class By, class V>
OP2_FN void combine(typename V::Scalar* data, u32 e, const typename V::Value& value) {
    if (is_missing<V>(e)) return;
    each_word<V>(data, e, [&](typename V::Word& there, u32 k) { there = combined<By, V>(there, value, k); });
}
template <class By, class V, usize N>
OP2_FN void combine(typename V::Scalar* data, const Arr<u32, N>& all,
        const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) combine<By, V>(data, all.at[i], values.at[i]);
}

// The same by atomic operations, while other threads may access the element.
template <class By, class S, u32 N>
OP2_FN void atomic_word(Pack<S, N>& there, const Pack<S, N>& contribution) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    // One instruction adds to a whole word of floats.
    if constexpr (is_same<By, Inc> && is_same<S, float> && (N == 2 || N == 4)) {
        const usize at = __cvta_generic_to_global(&there);
        const auto& x = contribution.at;
        if constexpr (N == 4) {
            asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3])
                         : "memory");
        } else {
            asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(at), "f"(x[0]), "f"(x[1]) : "memory");
        }
    } else
#endif
    {
        OP2_UNROLL
        for (u32 i = 0; i < N; i += 1) By::atomic(&there.at[i], contribution.at[i]);
    }
}
template <class By, class V>
OP2_FN void atomic(typename V::Scalar* data, u32 e, const typename V::Value& value) {
    if (is_missing<V>(e)) return;
    each_word<V>(data, e, [&](typename V::Word& there, u32 k) { atomic_word<By>(there, word<V>(value, k)); });
}
template <class By, class V, usize N>
OP2_FN void atomic(typename V::Scalar* data, const Arr<u32, N>& all,
        const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) atomic<By, V>(data, all.at[i], values.at[i]);
}

}  // namespace op2

#undef OP2_FN

#endif
