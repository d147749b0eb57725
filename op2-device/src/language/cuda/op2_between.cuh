// Kernels that run between loops: a value everywhere, sums of counts, lists of elements by flags, rows of those that
// stay, and entries of maps by new numbers.
//
// All sizes are parameters, so that one compiled text serves every mesh. `between.rs` defines OP2_BLOCK, OP2_ITEMS
// and OP2_COMPONENTS, and names the kernels.
//
// Sums and lists are made in three steps. Each block sums up one part of the positions; one block turns these sums into
// the starts of the parts; each block goes through its part again, in rows of OP2_ITEMS positions a thread. Sums of
// integers do not depend on the order in which blocks run.

#define OP2_FN __device__ __forceinline__

namespace op2 {

// Values that components get, as bits: those of the components `first..first + count`.
struct Components {
    u64 bits[OP2_COMPONENTS];
    u32 first;
    u32 count;
};

// A layout as all of them can be told: `inner` scalars of one component after each other, `dim` such runs for a group of
// elements. AoS has groups of one element, SoA has one group.
struct Places {
    usize scalars;
    usize inner;
    usize dim;

    OP2_FN usize of(usize e, usize component) const {
        // Without divisions in AoS and SoA.
        if (inner == 1) return e * dim + component;
        if (e < inner) return component * inner + e;
        return (e / inner * dim + component) * inner + e % inner;
    }
};

// Calls `take` for each scalar of the memory with its component and its element.
template <class Take>
OP2_FN void each_scalar(const Places& places, Take take) {
    const usize inner = places.inner;
    const usize dim = places.dim;
    // The place of a scalar as three digits. A step adds those of the number of threads, since divisions take long.
    usize lane = thread() % inner;
    usize component = thread() / inner % dim;
    usize group = thread() / inner / dim;
    const usize next_lane = threads() % inner;
    const usize next_component = threads() / inner % dim;
    const usize next_group = threads() / inner / dim;
    for (usize n = thread(); n < places.scalars; n += threads()) {
        take(n, component, group * inner + lane);
        lane += next_lane;
        component += next_component;
        group += next_group;
        if (lane >= inner) {
            lane -= inner;
            component += 1;
        }
        if (component >= dim) {
            component -= dim;
            group += 1;
        }
    }
}

// Gives components of the elements `first..size` their values, and of all room behind them 0.
template <class S>
OP2_FN void fill(S* data, const Places& places, usize first, usize size, const Components& values) {
    each_scalar(places, [&](usize n, usize component, usize e) {
        const usize of_values = component - values.first;
        if (e >= first && of_values < values.count) data[n] = e < size ? S(values.bits[of_values]) : S(0);
    });
}

// Gives the first `size` elements the values of those in the list, or without one of those with their numbers, and all
// room behind them 0.
template <class S>
OP2_FN void gather(const S* from, const Places& of_from, S* to, const Places& of_to, const u32* list, usize size) {
    each_scalar(of_to, [&](usize n, usize component, usize e) {
        to[n] = e < size ? from[of_from.of(list ? list[e] : e, component)] : S(0);
    });
}

// Entries from this one on lead to no element: it stands for one that nobody has written, the next one for a missing one.
constexpr u32 unset = missing - 1;

// Gives all rows the entries of those in the list, or without one of those with their numbers. An entry leads on to its
// element by the element's new number; without one it goes missing. Ahead of the numbers is a mark, which becomes 0 if a
// row lacks an entry then that it needs.
OP2_FN void renumber(const u32* from, const Places& of_from, u32* to, const Places& of_to, const u32* list, u32* numbers,
        bool needed) {
    bool lacks = false;
    each_scalar(of_to, [&](usize n, usize component, usize e) {
        const u32 entry = from[of_from.of(list ? list[e] : e, component)];
        const u32 now = entry < unset ? numbers[1 + entry] : entry;
        lacks = lacks || (now == missing && entry != missing);
        to[n] = now;
    });
    if (needed && lacks) atomicMin(numbers, 0u);
}

// The part of `n` positions that this block has.
struct Part {
    usize start;
    usize end;
};
OP2_FN Part part_of_block(usize n, usize len) {
    const usize start = blockIdx.x * len;
    return {start, min(start + len, n)};
}

// Stores the sum of the values in each block's part behind the total.
template <class ValueAt>
OP2_FN void sum_parts(u64* sums, usize n, usize len, ValueAt value_at) {
    const Part part = part_of_block(n, len);
    u64 sum = 0;
    for (usize p = part.start + threadIdx.x; p < part.end; p += blockDim.x) sum += value_at(p);
    reduce<Inc>(sum, sums + 1, blockIdx.x);
}

// The sum of the values of all threads before this one, and that of all threads of the block.
template <class T>
struct Prefix {
    T before;
    T all;
};
template <class T>
OP2_FN Prefix<T> prefix_of_block(T value, T* waves) {
    // Shuffles of `from_lane` come from threads behind: the sum of this thread and those behind it in its wave.
    const u32 lane = threadIdx.x % wave;
    T behind = value;
    for (u32 further = 1; further < wave; further *= 2) {
        const T other = from_lane(behind, further);
        if (lane + further < wave) behind += other;
    }
    if (lane == 0) waves[threadIdx.x / wave] = behind;
    __syncthreads();
    Prefix<T> prefix{0, 0};
    for (u32 n = 0; n * wave < blockDim.x; n += 1) {
        if (n == threadIdx.x / wave) prefix.before = prefix.all + (waves[n] - behind);
        prefix.all += waves[n];
    }
    return prefix;
}

// Turns the sums of parts into the starts of the parts, and stores the total ahead of them; run by one block.
OP2_FN void starts(u64* sums, u32 parts) {
    u64* const waves = reinterpret_cast<u64*>(op2_arena);
    const u32 each = (parts + blockDim.x - 1) / blockDim.x;
    const u32 first = min(threadIdx.x * each, parts);
    const u32 end = min(first + each, parts);
    u64 sum = 0;
    for (u32 part = first; part < end; part += 1) sum += sums[1 + part];
    const Prefix<u64> of_block = prefix_of_block(sum, waves);
    u64 start = of_block.before;
    for (u32 part = first; part < end; part += 1) {
        const u64 next = start + sums[1 + part];
        sums[1 + part] = start;
        start = next;
    }
    if (threadIdx.x == 0) sums[0] = of_block.all;
}

// The place of a number in shared memory. Threads that read consecutive numbers each so use different banks.
OP2_FN u32 spaced(u32 n) { return n + n / 32; }

// Calls `take` for each position of the block's part with its value and the sum of all values before it. A sum that no
// `u32` holds changes nothing.
template <class ValueAt, class Take>
OP2_FN void each_sum(const u64* sums, usize n, usize len, ValueAt value_at, Take take) {
    if (sums[0] > 0xffffffffull) return;
    u32* const waves = reinterpret_cast<u32*>(op2_arena);
    u32* const row = waves + OP2_BLOCK / wave;
    const Part part = part_of_block(n, len);
    u32 start = u32(sums[1 + blockIdx.x]);
    for (usize at = part.start; at < part.end; at += OP2_ITEMS * blockDim.x) {
        u32 values[OP2_ITEMS];
        OP2_UNROLL
        for (u32 i = 0; i < OP2_ITEMS; i += 1) {
            const u32 of_row = i * blockDim.x + threadIdx.x;
            values[i] = at + of_row < part.end ? value_at(at + of_row) : 0;
            row[spaced(of_row)] = values[i];
        }
        __syncthreads();
        const u32 first = threadIdx.x * OP2_ITEMS;
        u32 sum = 0;
        OP2_UNROLL
        for (u32 i = 0; i < OP2_ITEMS; i += 1) sum += row[spaced(first + i)];
        const Prefix<u32> of_block = prefix_of_block(sum, waves);
        sum = start + of_block.before;
        OP2_UNROLL
        for (u32 i = 0; i < OP2_ITEMS; i += 1) {
            u32& there = row[spaced(first + i)];
            const u32 next = sum + there;
            there = sum;
            sum = next;
        }
        __syncthreads();
        OP2_UNROLL
        for (u32 i = 0; i < OP2_ITEMS; i += 1) {
            const u32 of_row = i * blockDim.x + threadIdx.x;
            if (at + of_row < part.end) take(at + of_row, values[i], row[spaced(of_row)]);
        }
        // No barrier: what a thread reads here and stores for the next row are places of its own.
        start += of_block.all;
    }
}

// The element with the user's number `n`; without a list the numbers are those of the data.
OP2_FN usize element_at(const u32* elements, usize n) { return elements ? elements[n] : n; }

}  // namespace op2

#undef OP2_FN

extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_starts(op2::u64* sums, op2::u32 parts) {
    op2::starts(sums, parts);
}

// Counts in the order of the user's numbers. Both dats may be one.
extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_sum_counts(const op2::u32* counts,
        const op2::u32* elements, op2::u64* sums, op2::u64 n, op2::u64 len) {
    op2::sum_parts(sums, n, len, [&](op2::usize p) { return counts[op2::element_at(elements, p)]; });
}
extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_scan_counts(const op2::u32* counts,
        const op2::u32* elements, const op2::u64* sums, op2::u32* into, op2::u64 n, op2::u64 len) {
    op2::each_sum(sums, n, len, [&](op2::usize p) { return counts[op2::element_at(elements, p)]; },
            [&](op2::usize p, op2::u32, op2::u32 sum) { into[op2::element_at(elements, p)] = sum; });
}

extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_number(const op2::u32* list, op2::u64 n, op2::u32* numbers) {
    for (op2::usize p = op2::thread(); p < n; p += op2::threads()) numbers[1 + list[p]] = op2::u32(p);
}
extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_renumber(const op2::u32* from, op2::Places of_from,
        op2::u32* to, op2::Places of_to, const op2::u32* list, op2::u32* numbers, op2::u32 needed) {
    op2::renumber(from, of_from, to, of_to, list, numbers, needed != 0);
}

// The kernels for scalars of so many bits. A flag says yes if it is not 0.
#define OP2_BETWEEN(BITS) \
    extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_fill_##BITS(op2::types::u##BITS* data, \
            op2::Places places, op2::u64 first, op2::u64 size, op2::Components values) { \
        op2::fill(data, places, first, size, values); \
    } \
    extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_gather_##BITS(const op2::types::u##BITS* from, \
            op2::Places of_from, op2::types::u##BITS* to, op2::Places of_to, const op2::u32* list, op2::u64 size) { \
        op2::gather(from, of_from, to, of_to, list, size); \
    } \
    extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_sum_flags_##BITS(const op2::types::u##BITS* flags, \
            op2::u64* sums, op2::u64 n, op2::u64 len) { \
        op2::sum_parts(sums, n, len, [&](op2::usize p) { return op2::u32(flags[p] != 0); }); \
    } \
    extern "C" __global__ void __launch_bounds__(OP2_BLOCK) op2_list_flags_##BITS(const op2::types::u##BITS* flags, \
            const op2::u64* sums, op2::u32* list, op2::u64 n, op2::u64 len) { \
        op2::each_sum(sums, n, len, [&](op2::usize p) { return op2::u32(flags[p] != 0); }, \
                [&](op2::usize p, op2::u32 yes, op2::u32 place) { if (yes) list[place] = op2::u32(p); }); \
    }
OP2_BETWEEN(8)
OP2_BETWEEN(16)
OP2_BETWEEN(32)
OP2_BETWEEN(64)
