// Building blocks of the loops around a kernel: maps, frames, staging in shared memory, contributions in separate
// memory. The generated text combines them.
//
// Uses more of CUDA than the headers above: `threadIdx.x`, `blockIdx.x`, `blockDim.x`, `gridDim.x`. To compile this
// without CUDA, define them, and either define the macro `op2_arena` as a pointer to memory aligned to 16 bytes or
// define the array declared here.
//
// Sets have at most 2^32 elements.

#ifndef OP2_LOOP_CUH
#define OP2_LOOP_CUH

// Called when a thread begins an element; the emulator records it.
#ifndef OP2_ELEMENT
#define OP2_ELEMENT(element) ((void)0)
#endif

#define OP2_FN __device__ __forceinline__

// The shared memory of a block.
#ifndef op2_arena
extern __shared__ __attribute__((aligned(16))) unsigned char op2_arena[];
#endif

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
    // The number of colours of a block, and this thread's colour.
    OP2_FN u32 colours_of(const Block& block) const { return counts[block.id]; }
    OP2_FN u32 turn(const Block& block) const { return block.busy() ? colours[block.p] : ~0u; }
    OP2_FN u32 partials(const Block& block) const { return partial + block.id; }
};

// Stands for the local index of the target of a missing entry.
constexpr u32 missing_here = 0xffff;

// The index of a target, or of each of several; that of a missing one if the argument is absent.
template <u32 Missing>
OP2_FN u32 only(bool there, u32 i) { return there ? i : Missing; }
template <u32 Missing, usize N>
OP2_FN Arr<u32, N> only(bool there, const Arr<u32, N>& all) {
    Arr<u32, N> found;
    OP2_UNROLL
    for (usize n = 0; n < N; n += 1) found.at[n] = only<Missing>(there, all.at[n]);
    return found;
}

// The pointer to a value in shared memory that was loaded, or to each of several; null if its element is missing.
template <class V>
OP2_FN V* maybe_here(u32 i, V& value) { return i == missing_here ? nullptr : &value; }
template <class V, usize N>
OP2_FN Arr<const V*, N> maybe_here(const Arr<u32, N>& all, const Arr<V, N>& values) {
    Arr<const V*, N> found;
    OP2_UNROLL
    for (usize n = 0; n < N; n += 1) found.at[n] = maybe_here(all.at[n], values.at[n]);
    return found;
}

// The targets that the blocks of a plan reach through some entries of maps, and the index of each entry's target among
// those of its block.
struct Stage {
    const u32* offsets;
    const u32* list;
    const u16* local;
    // For each target of the list, whether other blocks reach it, too.
    const u8* shared;
    // In each block, the last `copies[b + 1] - copies[b]` targets get their sums not directly but by copies. The copies
    // of block `b` start at `copies[b]`; there are `stride` in all.
    const u32* copies;
    u32 rows;
    u32 most;
    u32 stride;
    u32 unused;

    // The local index of the target of entry `k` of this thread's element, and of the entries `k..k + N`.
    OP2_FN u32 at(const Block& block, usize k) const {
        return block.busy() ? local[k * rows + block.p] : 0;
    }
    template <usize N>
    OP2_FN Arr<u32, N> all(const Block& block, usize k) const {
        Arr<u32, N> found;
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) found.at[i] = at(block, k + i);
        return found;
    }
    // The targets with these local indices.
    OP2_FN u32 target(const Block& block, u32 i) const {
        return i == missing_here ? missing : list[offsets[block.id] + i];
    }
    template <usize N>
    OP2_FN Arr<u32, N> target(const Block& block, const Arr<u32, N>& all) const {
        Arr<u32, N> found;
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) found.at[n] = target(block, all.at[n]);
        return found;
    }
    // The same for a stage that is not needed if an optional argument is absent.
    OP2_FN u32 at_if(bool there, const Block& block, usize k) const {
        return there ? at(block, k) : 0;
    }
    template <usize N>
    OP2_FN Arr<u32, N> all_if(bool there, const Block& block, usize k) const {
        if (!there) return Arr<u32, N>{};
        return all<N>(block, k);
    }
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

// Shared memory

// The part of a dat that a block stages in shared memory, component by component.
template <class V>
struct Shared {
    using Value = typename V::Value;
    using Scalar = typename V::Scalar;
    using Word = typename V::Word;

    Scalar* data;
    u32 most;
    const u32* list;
    const u8* shared;
    // The first copy of this block and of the next.
    const u32* copies;
    u32 stride;
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
    OP2_FN Value load_maybe(u32 i) const { return i == missing_here ? Value{} : load(i); }
    template <usize N>
    OP2_FN Arr<Value, N> load_maybe(const Arr<u32, N>& all) const {
        Arr<Value, N> values;
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) values.at[n] = load_maybe(all.at[n]);
        return values;
    }
    OP2_FN Value load_if(bool there, u32 i) const { return there ? load(i) : Value{}; }
    template <usize N>
    OP2_FN Arr<Value, N> load_if(bool there, const Arr<u32, N>& all) const {
        if (!there) return Arr<Value, N>{};
        return load(all);
    }

    OP2_FN void store(u32 i, const Value& value) const {
        if (V::misses() && i == missing_here) return;
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
        if (V::misses() && i == missing_here) return;
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) component(i, c) = By::of(component(i, c), part(value, c));
    }
    template <class By, usize N>
    OP2_FN void combine(const Arr<u32, N>& all, const Arr<Value, N>& values) const {
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) combine<By>(all.at[n], values.at[n]);
    }

    // Operations on the whole part, by all threads of the block.

    // Copies the block's targets to shared memory.
    OP2_FN void fetch(const Scalar* from) const {
        share_out([&](u32 i, u32 k) {
            const Word word = read<V>(from, list[i], k);
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) component(i, k * V::lanes + n) = word.at[n];
        });
    }
    // Initializes contributions with the neutral element.
    template <class By>
    OP2_FN void clear() const {
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) {
            for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
                component(i, c) = By::template neutral<Scalar>();
            }
        }
    }
    // Copies the block's targets back to global memory.
    OP2_FN void flush(Scalar* to) const {
        share_out([&](u32 i, u32 k) {
            Word word;
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) word.at[n] = component(i, k * V::lanes + n);
            at<V>(to, list[i], k) = word;
        });
    }
    // Adds contributions to the block's targets, while no other block accesses them.
    template <class By>
    OP2_FN void flush(Scalar* to) const {
        share_out([&](u32 i, u32 k) { plain<By>(to, i, k); });
    }
    // The same, by atomic operations for targets that other blocks reach, too. Those on small scalars exchange the word around, in
    // which another thread may have a target of its own: there, all operations are atomic.
    template <class By>
    OP2_FN void flush_among(Scalar* to) const {
        share_out([&](u32 i, u32 k) {
            if (!swaps_around<Scalar> && !shared[i]) return plain<By>(to, i, k);
            Word& there = at<V>(to, list[i], k);
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) {
                By::atomic(&there.at[n], component(i, k * V::lanes + n));
            }
        });
    }
    // Adds contributions to the targets that the block owns, and stores those to others as copies in `parts`; drops
    // them if `parts` is null, because other blocks add them.
    template <class By>
    OP2_FN void flush_apart(Scalar* to, Scalar* parts) const {
        if (count == 0) return;
        const u32 first = copies[0];
        const u32 own = count - (copies[1] - first);
        share_out([&](u32 i, u32 k) {
            if (i < own) return plain<By>(to, i, k);
            if (!parts) return;
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) {
                const u32 c = k * V::lanes + n;
                parts[usize(c) * stride + first + (i - own)] = component(i, c);
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

    // Distributes words of targets over threads, so that neighbours get adjacent words of global memory.
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

// Allocates parts of a block's shared memory.
struct Arena {
    usize used = 0;

    template <class V>
    OP2_FN Shared<V> take(const Stage& stage, const Block& block, bool there = true) {
        using Scalar = typename V::Scalar;
        if (!there) return Shared<V>{nullptr, 0, nullptr, nullptr, nullptr, 0, 0};
        Scalar* data = reinterpret_cast<Scalar*>(op2_arena + used);
        used += (usize(stage.most) * V::bytes + 15) / 16 * 16;
        const u32 first = stage.offsets[block.id];
        const u32 count = stage.offsets[block.id + 1] - first;
        const u8* shared = stage.shared ? stage.shared + first : nullptr;
        const u32* copies = stage.copies ? stage.copies + block.id : nullptr;
        return Shared<V>{data, stage.most, stage.list + first, shared, copies, stage.stride, count};
    }
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
