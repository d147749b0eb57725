// Rows that neighbouring threads store together.
//
// A thread that stores a row of several words fills a part of a sector of 32 bytes with each instruction, and so does every thread of
// its wave: the cache takes each sector as often as it has words. Where words are halves of sectors, two threads exchange some, so that
// both store to the same sector with the same instruction.
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

// Whether words of a view are halves of sectors, of which its rows have several.
template <class V>
constexpr bool has_halves = OP2_EXCHANGES && is_aos<typename V::Layout> && V::words > 1 && sizeof(typename V::Word) == 16;

#if OP2_EXCHANGES
// One of two words.
template <class S, u32 N>
OP2_FN Pack<S, N> either(bool first, const Pack<S, N>& one, const Pack<S, N>& other) {
    Pack<S, N> chosen;
    OP2_UNROLL
    for (u32 i = 0; i < N; i += 1) chosen.at[i] = first ? one.at[i] : other.at[i];
    return chosen;
}

// What the other thread of a pair gives for it.
OP2_FN u32 of_neighbour(u32 mine) { return __shfl_xor_sync(whole_wave(), mine, 1); }
template <class S, u32 N>
OP2_FN Pack<S, N> of_neighbour(const Pack<S, N>& mine) {
    constexpr u32 count = sizeof mine / sizeof(u32);
    u32 parts[count];
    OP2_COPY(parts, &mine, sizeof mine);
    OP2_UNROLL
    for (u32 n = 0; n < count; n += 1) parts[n] = of_neighbour(parts[n]);
    Pack<S, N> other;
    OP2_COPY(&other, parts, sizeof other);
    return other;
}

// Stores the words of two rows, that of this thread and that of its neighbour, of which it may be the `second` one. All threads of a wave
// do it at once. With each instruction the first of the two stores an even word of both rows' words, and the second the odd one behind it.
// A row with an even number of words may be missing.
template <class V>
OP2_FN void store_pair(typename V::Scalar* data, u32 e, u32 of_other, bool second, const typename V::Word (&mine)[V::words]) {
    constexpr u32 words = V::words, odd = words % 2;
    typename V::Word other[words / 2];
    OP2_UNROLL
    for (u32 m = 0; m < words / 2; m += 1) {
        other[m] = of_neighbour(either(second, mine[2 * m + odd], mine[2 * m + 1]));
    }
    // The neighbour has loaded what it needs of the words that this thread stores.
    __syncwarp();
    const u32 rows[2] = {second ? of_other : e, second ? e : of_other};
    // A multiplication and an addition lead from here to each row.
    typename V::Word* const from = reinterpret_cast<typename V::Word*>(data) + second;
    OP2_UNROLL
    for (u32 n = 0; n < words; n += 1) {
        // Both have words of the same row, or of their own ones.
        const u32 first = 2 * n < words ? 0 : 1, last = 2 * n + 1 < words ? 0 : 1;
        const auto word = either(second, last == 0 ? other[n % (words / 2)] : mine[(2 * n + 1) % words],
                first == 0 ? mine[2 * n % words] : other[n - (words + odd) / 2]);
        if (first != last) at<V>(data, e, second ? 0 : 2 * n) = word;
        else if (odd == 1 || rows[first] != missing) from[usize(rows[first]) * words + 2 * n - first * words] = word;
    }
}
#endif

// Stores a row, whose words `word` gives. `together` holds if all threads of a wave store rows side by side.
template <class V, class Get>
OP2_FN void store_row(typename V::Scalar* data, u32 e, bool together, Get word) {
#if OP2_EXCHANGES
    if constexpr (has_halves<V>) {
        if (together) {
            typename V::Word words[V::words];
            each_word<V>(data, e, [&](typename V::Word& there, u32 k) { words[k] = word(there, k); });
            const bool second = threadIdx.x % 2 == 1;
            store_pair<V>(data, e, second ? e - 1 : e + 1, second, words);
            // Another argument may be the same dat: what this thread combines with it next, its neighbour has stored in part.
            __syncwarp();
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
