// Rows that neighbouring threads store together.
//
// A thread that stores a row of several words fills a part of a sector of 32 bytes with each instruction, and so does every thread of
// its wave: the cache takes each sector as often as it has words. So threads exchange words, until those that store with the same
// instruction fill sectors.
//
// Uses more of CUDA than the headers above: `__shfl_xor_sync` for 32-bit words, and `__syncwarp`. A host whose threads take turns
// defines OP2_EXCHANGES as 0, because shuffles cost it much.

#ifndef OP2_ROWS_CUH
#define OP2_ROWS_CUH

#ifndef OP2_EXCHANGES
#define OP2_EXCHANGES 1
#endif

#define OP2_FN __device__ __forceinline__

namespace op2 {

// Whether all threads of this thread's wave have positions of the range around its own, `p`, and elements that lie side by side.
OP2_FN bool side_by_side(const Range& range, usize p) {
    return !range.order && p - threadIdx.x % wave + wave <= range.end;
}

// Bytes of the longest rows of which threads exchange words. Words are in registers, and what comes for them is, too: those of longer
// rows would leave few threads on a multiprocessor.
constexpr usize longest_exchanged = 192;
// Whether threads exchange words of a view's rows: there are several, and shuffles move them.
template <class V>
constexpr bool exchanges = OP2_EXCHANGES && is_aos<typename V::Layout> && V::words > 1 && V::bytes <= longest_exchanged
        && sizeof(typename V::Word) >= sizeof(u32);
// Neighbouring threads that store rows together, if these lie side by side: as many as a sector has words.
template <class V>
constexpr u32 group = exchanges<V> ? 32 / sizeof(typename V::Word) : 1;

#if OP2_EXCHANGES
// One of two words.
template <class S, u32 N>
OP2_FN Pack<S, N> either(bool first, const Pack<S, N>& one, const Pack<S, N>& other) {
    Pack<S, N> chosen;
    OP2_UNROLL
    for (u32 i = 0; i < N; i += 1) chosen.at[i] = first ? one.at[i] : other.at[i];
    return chosen;
}

// What the other thread of a pair gives for it: the one whose number differs by a bit.
OP2_FN u32 of_other(u32 mine, u32 bit) { return __shfl_xor_sync(whole_wave(), mine, bit); }
template <class S, u32 N>
OP2_FN Pack<S, N> of_other(const Pack<S, N>& mine, u32 bit) {
    constexpr u32 count = sizeof mine / sizeof(u32);
    u32 parts[count];
    OP2_COPY(parts, &mine, sizeof mine);
    OP2_UNROLL
    for (u32 n = 0; n < count; n += 1) parts[n] = of_other(parts[n], bit);
    Pack<S, N> other;
    OP2_COPY(&other, parts, sizeof other);
    return other;
}

// Two threads have as many words each, those of the second behind those of the first. Afterwards the first has those with even numbers, and
// the second the ones behind them.
template <class Word, u32 words>
OP2_FN void deal(Word (&mine)[words], u32 bit, bool second) {
    constexpr u32 odd = words % 2;
    Word other[words / 2];
    OP2_UNROLL
    for (u32 m = 0; m < words / 2; m += 1) other[m] = of_other(either(second, mine[2 * m + odd], mine[2 * m + 1]), bit);
    Word dealt[words];
    OP2_UNROLL
    for (u32 n = 0; n < words; n += 1) {
        dealt[n] = either(second, 2 * n + 1 < words ? other[n % (words / 2)] : mine[(2 * n + 1) % words],
                2 * n < words ? mine[2 * n % words] : other[n - (words + odd) / 2]);
    }
    OP2_UNROLL
    for (u32 n = 0; n < words; n += 1) mine[n] = dealt[n];
}

// Stores the words of two rows, that of this thread and that of its neighbour, of which it may be the `second` one. All threads of a wave
// do it at once. Rows have an even number of words, of which two fill a sector, and may be missing.
template <class V>
OP2_FN void store_pair(typename V::Scalar* data, u32 e, bool second, typename V::Word (&words)[V::words]) {
    static_assert(group<V> == 2 && V::words % 2 == 0, "two words of a row fill a sector");
    const u32 other = of_other(e, 1);
    const u32 rows[2] = {second ? other : e, second ? e : other};
    deal(words, 1, second);
    // The neighbour has loaded what it needs of the words that this thread stores.
    __syncwarp();
    // A multiplication and an addition lead from here to each row.
    typename V::Word* const from = reinterpret_cast<typename V::Word*>(data) + second;
    OP2_UNROLL
    for (u32 n = 0; n < V::words; n += 1) {
        const u32 row = rows[2 * n / V::words];
        if (row != missing) from[usize(row) * V::words + 2 * n % V::words] = words[n];
    }
}

// Stores the rows of all threads of a wave, which lie side by side: with each instruction, the threads of a group fill a sector.
template <class V>
OP2_FN void store_group(typename V::Scalar* data, u32 e, typename V::Word (&words)[V::words]) {
    const u32 number = threadIdx.x % group<V>;
    OP2_UNROLL
    for (u32 bit = 1; bit < group<V>; bit *= 2) deal(words, bit, (number & bit) != 0);
    // Others of the group have loaded what they need of the words that this thread stores.
    __syncwarp();
    typename V::Word* const to = reinterpret_cast<typename V::Word*>(data) + usize(e - number) * V::words + number;
    OP2_UNROLL
    for (u32 n = 0; n < V::words; n += 1) to[n * group<V>] = words[n];
    // Another argument may be the same dat: what this thread combines with it next, others have stored in part.
    __syncwarp();
}
#endif

// Stores a row, whose words `word` gives. `together` holds if all threads of a wave store rows side by side.
template <class V, class Get>
OP2_FN void store_row(typename V::Scalar* data, u32 e, bool together, Get word) {
#if OP2_EXCHANGES
    if constexpr (group<V> > 1) {
        if (together) {
            typename V::Word words[V::words];
            each_word<V>(data, e, [&](typename V::Word& there, u32 k) { words[k] = word(there, k); });
            store_group<V>(data, e, words);
            return;
        }
    }
#endif
    each_word<V>(data, e, [&](typename V::Word& there, u32 k) { there = word(there, k); });
}

// Stores the value of a thread's own element, or combines it with a contribution, while nothing else accesses it.
template <class V>
OP2_FN void store_own(typename V::Scalar* data, u32 e, bool together, const typename V::Value& value) {
    store_row<V>(data, e, together, [&](const typename V::Word&, u32 k) { return word<V>(value, k); });
}
template <class By, class V>
OP2_FN void combine_own(typename V::Scalar* data, u32 e, bool together, const typename V::Value& value) {
    store_row<V>(data, e, together, [&](const typename V::Word& there, u32 k) { return combined<By, V>(there, value, k); });
}

}  // namespace op2

#undef OP2_FN

#endif
