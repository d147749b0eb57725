// Building blocks of the loops around a kernel: maps, frames, contributions in separate memory. The generated text combines
// them.
//
// Uses more of CUDA than the headers above: `threadIdx.x`, `blockIdx.x`, `blockDim.x`, `gridDim.x`. To compile this
// without CUDA, define them.
//
// Shuffles reach the threads of a wave, which CUDA calls a warp. OP2_WAVE says how many there are; the compiler's command defines it
// where it is not 32. A block consists of whole waves.
//
// Sets have at most 2^32 elements.

#ifndef OP2_LOOP_CUH
#define OP2_LOOP_CUH

#ifndef OP2_WAVE
#define OP2_WAVE 32
#endif

// Called when a thread begins an element; the emulator records it.
#ifndef OP2_ELEMENT
#define OP2_ELEMENT(element) ((void)0)
#endif

#define OP2_FN __device__ __forceinline__

namespace op2 {

using u8 = unsigned char;
using u16 = unsigned short;

// Maps: all targets of entry 0, then those of entry 1, and so on, `rows` elements each.

OP2_FN u32 target(const u32* map, usize rows, usize entry, u32 e) { return map[entry * rows + e]; }
template <usize N>
OP2_FN Arr<u32, N> targets(const u32* map, usize rows, u32 e) {
    Arr<u32, N> all;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) all.at[i] = map[i * rows + e];
    return all;
}

// The user's number of an element; without a list it equals the inner number, and so does that of no element.
OP2_FN u32 number(const u32* numbers, u32 e) { return numbers && e != missing ? numbers[e] : e; }
template <class T, usize N>
OP2_FN Arr<T, N> numbers(const u32* of, const Arr<u32, N>& all) {
    Arr<T, N> found;
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) found.at[i] = T(number(of, all.at[i]));
    return found;
}

// The target through a map that is not needed if an optional argument is absent.
OP2_FN u32 target_if(bool there, const u32* map, usize rows, usize entry, u32 e) {
    return there ? target(map, rows, entry, e) : 0;
}
template <usize N>
OP2_FN Arr<u32, N> targets_if(bool there, const u32* map, usize rows, u32 e) {
    if (!there) return Arr<u32, N>{};
    return targets<N>(map, rows, e);
}

constexpr u32 wave = OP2_WAVE;
// The mask of a shuffle in which all threads of a wave take part.
OP2_FN u64 whole_wave() { return ~u64(0) >> (64 - wave); }

// Frames: the positions that threads and blocks run.

// The index of this thread in the grid, and the number of threads.
OP2_FN usize thread() { return usize(blockIdx.x) * blockDim.x + threadIdx.x; }
OP2_FN usize threads() { return usize(gridDim.x) * blockDim.x; }

// The positions `start..end` of a loop of `rows` positions; `order` gives their elements, unless they are equal.
struct Range {
    const u32* order;
    u32 start;
    u32 end;
    // Index of the first block's partial results.
    u32 partial;
    u32 rows;

    OP2_FN usize first() const { return start + thread(); }
    OP2_FN u32 element(usize p) const { return order ? order[p] : u32(p); }
    OP2_FN u32 partials() const { return partial + blockIdx.x; }
};

// A block of the plan, and this thread's position in it.
struct Block {
    u32 id;
    u32 count;
    u32 p;
    // Whether some of its targets are too far from each other for narrow entries.
    bool far;

    // Whether this thread has an element.
    OP2_FN bool busy() const { return threadIdx.x < count; }
};

// Blocks of a plan, one for each CUDA block. Each has `stride` positions, of which the first ones are elements: what belongs to a
// block is where its number says, and no load has to tell.
struct Blocks {
    // Their numbers; null if block `b` of the launch is block `b` of the plan, as where one launch runs all.
    const u32* ids;
    // Elements of each block, with a mark if it is far.
    const u32* elements;
    const u32* order;
    const u32* colours;
    const u32* counts;
    u32 partial;
    u32 stride;

    // The block of a launch of some, or of all.
    OP2_FN Block block() const { return numbered(ids ? ids[blockIdx.x] : blockIdx.x); }
    OP2_FN Block block_of_all() const { return numbered(blockIdx.x); }
    OP2_FN Block numbered(u32 id) const {
        const u32 marked = elements[id];
        return Block{id, marked & 0xffff, id * stride + threadIdx.x, marked >> 31 != 0};
    }
    OP2_FN u32 element(const Block& block) const { return order ? order[block.p] : block.p; }
    // Where elements take turns: the number of colours of a block, and this thread's colour.
    OP2_FN u32 colours_of(const Block& block) const { return counts[block.id]; }
    OP2_FN u32 turn(const Block& block) const { return block.busy() ? colours[block.p] : ~0u; }
    OP2_FN u32 partials(const Block& block) const { return partial + block.id; }
};

// The contributions to each of `count` targets: to those in `targets`, or to the first `count`. There are `stride`
// contributions in all.
struct Sums {
    const u32* offsets;
    const u32* list;
    const u32* targets;
    u32 count;
    u32 stride;
};

// Values that the stages of a loop leave for later ones: component by component, position by position.
struct Kept {
    u8* data;
    u32 rows;
    u32 unused;
};

// Bytes per position for one value.
template <class T>
constexpr usize room = (Flat<T>::dim * sizeof(typename Flat<T>::Scalar) + 7) / 8 * 8;
template <class T>
OP2_FN void leave(const Kept& kept, usize before, u32 p, const T& value) {
    using Scalar = typename Flat<T>::Scalar;
    Scalar* to = reinterpret_cast<Scalar*>(kept.data + before * kept.rows) + p;
    OP2_UNROLL
    for (u32 c = 0; c < Flat<T>::dim; c += 1) to[usize(c) * kept.rows] = part(value, c);
}
template <class T>
OP2_FN T fetch(const Kept& kept, usize before, u32 p) {
    using Scalar = typename Flat<T>::Scalar;
    const Scalar* from = reinterpret_cast<const Scalar*>(kept.data + before * kept.rows) + p;
    T value;
    OP2_UNROLL
    for (u32 c = 0; c < Flat<T>::dim; c += 1) part(value, c) = from[usize(c) * kept.rows];
    return value;
}

// Contributions in separate memory: component by component, entry by entry, position by position.

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
OP2_FN void gather(const Sums& sums, typename V::Scalar* data, const typename V::Scalar* parts) {
    for (usize t = thread(); t < sums.count; t += threads()) {
        const u32 end = sums.offsets[t + 1];
        u32 n = sums.offsets[t];
        if (n == end) continue;
        auto sum = neutral<By, typename V::Value>();
        for (; n < end; n += 1) {
            const usize i = sums.list[n];
            OP2_UNROLL
            for (u32 c = 0; c < V::dim; c += 1) {
                part(sum, c) = By::of(part(sum, c), parts[usize(c) * sums.stride + i]);
            }
        }
        combine<By, V>(data, sums.targets ? sums.targets[t] : u32(t), sum);
    }
}

}  // namespace op2

#undef OP2_FN

#endif
