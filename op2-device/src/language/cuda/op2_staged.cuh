// Blocks of elements. A block reads its targets through maps in one of two ways. It stages them in shared memory: it first loads all its
// lists, then all data at the places that the lists name, so that it waits for memory twice, however much it loads. Or its threads gather
// them from where they lie, and the cache of the multiprocessor keeps those that several threads read.
//
// Uses more of CUDA than the headers above: `__syncthreads`. To compile this without CUDA, either define the macro `op2_arena` as a
// pointer to memory aligned to 16 bytes or define the array declared here.

#ifndef OP2_STAGED_CUH
#define OP2_STAGED_CUH

#define OP2_FN __device__ __forceinline__

// The shared memory of a block.
#ifndef op2_arena
extern __shared__ __attribute__((aligned(16))) unsigned char op2_arena[];
#endif

namespace op2 {

// The object at a byte of shared memory. Structures hold this number in place of a pointer: where one holds pointers to shared and to
// global memory, NVIDIA's compiler (13.0) takes some of the latter for the former.
template <class T>
OP2_FN T* here(u32 start) { return reinterpret_cast<T*>(op2_arena + start); }

// Copies

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// Copies from global to shared memory without registers; the thread goes on meanwhile.
template <class Word>
OP2_FN void copy_ahead(Word* to, const Word* from) {
    const u32 there = u32(__cvta_generic_to_shared(to));
    const usize whence = __cvta_generic_to_global(from);
    if constexpr (sizeof(Word) == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(there), "l"(whence));
    else if constexpr (sizeof(Word) == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(there), "l"(whence));
    else if constexpr (sizeof(Word) == 4) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(there), "l"(whence));
    else *to = *from;
}
// Waits for the copies of all threads of the block.
OP2_FN void arrived() {
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
}
// Brings a value that will be changed near to the multiprocessors.
OP2_FN void expect(const void* at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(at))); }
#else
template <class Word>
OP2_FN void copy_ahead(Word* to, const Word* from) { *to = *from; }
OP2_FN void arrived() { __syncthreads(); }
OP2_FN void expect(const void*) {}
#endif

// How a block reads its targets. `missing` stands for the index of the target of a missing entry.
struct Staged {
    static constexpr u32 missing = 0xffff;

    OP2_FN static bool far(const Block&) { return false; }
    // Values of shared memory come soon.
    template <class... V>
    OP2_FN static void together(V&...) {}
    // Waits until all threads may read what they have staged, and until all have their contributions.
    OP2_FN static void read() { arrived(); }
    OP2_FN static void collected() { __syncthreads(); }
};
struct Gathered {
    static constexpr u32 missing = op2::missing;

    OP2_FN static bool far(const Block& block) { return block.far; }
    template <class... V>
    OP2_FN static void together(V&... values) { op2::together(values...); }
    OP2_FN static void read() {}
    // The lists of contributions come meanwhile.
    OP2_FN static void collected() { arrived(); }
};

// Places of targets

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

// The pointer to a value that was loaded, or to each of several; null if its element is missing.
template <class Reads, class V>
OP2_FN V* maybe_here(u32 i, V& value) { return i == Reads::missing ? nullptr : &value; }
template <class Reads, class V, usize N>
OP2_FN Arr<const V*, N> maybe_here(const Arr<u32, N>& all, const Arr<V, N>& values) {
    Arr<const V*, N> found;
    OP2_UNROLL
    for (usize n = 0; n < N; n += 1) found.at[n] = maybe_here<Reads>(all.at[n], values.at[n]);
    return found;
}

// The least target of a block, or the number of a far block among these.
struct Least {
    u32 base;
    bool far;
};

// The targets that the blocks of a plan reach through some entries of maps, and the target of each entry.
template <class Reads>
struct Stage {
    // Whether the block's own list numbers targets.
    static constexpr bool is_local = is_same<Reads, Staged>;
    // The narrow entry that is missing.
    static constexpr u32 nowhere = 0xffff;

    // Two numbers of each block. The first one is, if targets are staged, how many it has, at `list[b * most]` and behind it; else the least
    // one, or the number of a far block among these. The second one is, where contributions are collected, how many targets are the block's
    // own: its first ones. Other blocks reach the rest, too; where these get their sums by copies, there are `stride` in all.
    const Pack<u32, 2>* about;
    const u32* list;
    // Of the target of each entry, element by element: the index among those of its block if they are staged or the block is far, else how
    // far it is above the least one of its block. Behind the last element follow as many as a block has threads.
    const u16* entries;
    // The targets of far block `n`, at `wide[n * most]` and behind it.
    const u32* wide;
    // The contributions to each target: `units` from `incoming[b * units]` on are an `Incoming` of block `b`.
    const Pack<u16, 8>* incoming;
    u32 most;
    u32 stride;
    u32 units;
    u32 unused;

    // Finds the index of the target of entry `k` of this thread's element, or of the entries `k..k + N`, of `Width`. `misses` says whether they
    // may be missing.
    template <usize Width>
    OP2_FN void find(const Block& block, bool misses, usize k, u32& at) const {
        const u32 entry = this->entry<Width>(block, k);
        if constexpr (is_local) at = entry;
        else at = misses && entry == nowhere ? missing : about[block.id].at[0] + entry;
    }
    template <usize Width, usize N>
    OP2_FN void find(const Block& block, bool misses, usize k, Arr<u32, N>& all) const {
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) find<Width>(block, misses, k + i, all.at[i]);
    }
    // The same in a far block.
    template <usize Width>
    OP2_FN void find_far(const Block& block, usize k, u32& at) const {
        const u32 entry = this->entry<Width>(block, k);
        at = entry == nowhere ? missing : wide[about[block.id].at[0] * most + entry];
    }
    template <usize Width, usize N>
    OP2_FN void find_far(const Block& block, usize k, Arr<u32, N>& all) const {
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) find_far<Width>(block, k + i, all.at[i]);
    }
    // The targets with these indices, among all.
    OP2_FN u32 target(const Block& block, u32 i) const {
        if constexpr (!is_local) return i;
        else return i == Reads::missing ? missing : list[block.id * most + i];
    }
    template <usize N>
    OP2_FN Arr<u32, N> target(const Block& block, const Arr<u32, N>& all) const {
        Arr<u32, N> found;
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) found.at[n] = target(block, all.at[n]);
        return found;
    }

private:
    // Threads without an element load some entry: nobody waits for a condition. One load brings all of an element where they fill a word.
    template <usize Width>
    OP2_FN u32 entry(const Block& block, usize k) const {
        if constexpr (Width == 2 || Width == 4 || Width == 8) {
            return reinterpret_cast<const Pack<u16, Width>*>(entries)[block.p].at[k];
        } else {
            return entries[usize(block.p) * Width + k];
        }
    }
};

// The targets of one block, in global memory, and the most that a block has.
template <class Reads>
struct Targets {
    const u32* list;
    u32 first;
    u32 count;
    u32 most;

    OP2_FN static Targets of(const Stage<Reads>& stage, const Block& block) {
        return Targets{stage.list, block.id * stage.most, stage.about[block.id].at[0], stage.most};
    }
    OP2_FN u32 operator[](u32 i) const { return list[first + i]; }
};

// Those that it does not stage.
template <>
struct Targets<Gathered> {
    const u32* wide;
    u32 most;
    Least least;

    OP2_FN static Targets of(const Stage<Gathered>& stage, const Block& block) {
        return Targets{stage.wide, stage.most, Least{stage.about[block.id].at[0], block.far}};
    }
    // The target that is so far above the least one, or at this place among those of a far block.
    OP2_FN u32 operator[](u32 above) const {
        u32 target = least.base + above;
        if (least.far) {
            OP2_RARE;
            target = wide[least.base * most + above];
        }
        return target;
    }
};

// Staged data

// The places in memory of what a thread loads first of a dat.
template <class V>
struct Rows {
    static constexpr u32 per = is_aos<typename V::Layout> && V::dim != 0 ? V::words : 1;
    static constexpr u32 count = per < 4 ? per : 4;
    u32 at[count];
};

// The part of a dat that a block stages in shared memory: in AoS as in memory, otherwise component by component.
template <class V>
struct Shared {
    using Value = typename V::Value;
    using Scalar = typename V::Scalar;
    using Word = typename V::Word;

    u32 start;
    u32 most;
    Targets<Staged> targets;

    OP2_FN Scalar& component(u32 i, u32 c) const {
        return here<Scalar>(start)[is_aos<typename V::Layout> ? i * V::dim + c : c * most + i];
    }
    OP2_FN Word& word(u32 i, u32 k) const {
        return here<Word>(start)[is_aos<typename V::Layout> ? i * V::words + k : k * most + i];
    }

    OP2_FN Value load(u32 i) const {
        Value value;
        OP2_UNROLL
        for (u32 k = 0; k < V::words; k += 1) {
            const Word found = word(i, k);
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) part(value, k * V::lanes + n) = found.at[n];
        }
        return value;
    }
    template <usize N>
    OP2_FN Arr<Value, N> load(const Arr<u32, N>& all) const {
        Arr<Value, N> values;
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) values.at[n] = load(all.at[n]);
        return values;
    }
    OP2_FN Value load_maybe(u32 i) const { return i == Staged::missing ? Value{} : load(i); }
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
        if (V::misses() && i == Staged::missing) return;
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) component(i, c) = part(value, c);
    }
    template <usize N>
    OP2_FN void store(const Arr<u32, N>& all, const Arr<Value, N>& values) const {
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) store(all.at[n], values.at[n]);
    }

    // Combines a value with a contribution, while no other thread accesses it.
    template <class By>
    OP2_FN void combine(u32 i, const Value& value) const {
        if (V::misses() && i == Staged::missing) return;
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) component(i, c) = By::of(component(i, c), part(value, c));
    }
    template <class By, usize N>
    OP2_FN void combine(const Arr<u32, N>& all, const Arr<Value, N>& values) const {
        OP2_UNROLL
        for (usize n = 0; n < N; n += 1) combine<By>(all.at[n], values.at[n]);
    }

    // Operations on the whole part, by all threads of the block.

    // Loads the places of the words that this thread will copy first.
    OP2_FN Rows<V> rows() const {
        Rows<V> first;
        OP2_UNROLL
        for (u32 n = 0; n < Rows<V>::count; n += 1) {
            const u32 w = threadIdx.x + n * blockDim.x;
            // Of all that a block may have: how many it has is not known yet.
            first.at[n] = w < targets.most * Rows<V>::per ? targets[w / Rows<V>::per] : 0;
        }
        return first;
    }
    // Starts to copy the block's targets to shared memory.
    OP2_FN void fetch(const Scalar* from, const Rows<V>& first) const {
        OP2_UNROLL
        for (u32 n = 0; n < Rows<V>::count; n += 1) {
            const u32 w = threadIdx.x + n * blockDim.x;
            if (w < all()) bring(from, first.at[n], w);
        }
        for (u32 w = threadIdx.x + Rows<V>::count * blockDim.x; w < all(); w += blockDim.x) {
            bring(from, targets[w / Rows<V>::per], w);
        }
    }
    // Initializes contributions with the neutral element.
    template <class By>
    OP2_FN void clear() const {
        OP2_UNROLL
        for (u32 c = 0; c < V::dim; c += 1) {
            for (u32 i = threadIdx.x; i < targets.count; i += blockDim.x) {
                component(i, c) = By::template neutral<Scalar>();
            }
        }
    }
    // Copies the block's targets back to global memory.
    OP2_FN void flush(Scalar* to) const {
        share_out([&](u32 i, u32 k) { at<V>(to, targets[i], k) = word(i, k); });
    }
    // Adds contributions to the block's targets, while no other block accesses them.
    template <class By>
    OP2_FN void flush(Scalar* to) const {
        share_out([&](u32 i, u32 k) {
            const Word sum = word(i, k);
            Word& there = at<V>(to, targets[i], k);
            Word changed = there;
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) changed.at[n] = By::of(changed.at[n], sum.at[n]);
            there = changed;
        });
    }

private:
    // Words that neighbouring threads copy, side by side in global memory; without AoS the targets.
    OP2_FN u32 all() const { return targets.count * Rows<V>::per; }
    OP2_FN void bring(const Scalar* from, u32 row, u32 w) const {
        const Word* const words = reinterpret_cast<const Word*>(from);
        if constexpr (V::dim == 0) {
        } else if constexpr (is_aos<typename V::Layout>) {
            copy_ahead(&word(0, w), words + place<V>(row, w % V::words));
        } else {
            OP2_UNROLL
            for (u32 k = 0; k < V::words; k += 1) copy_ahead(&word(w, k), words + place<V>(row, k));
        }
    }

    // Distributes words of targets over threads, so that neighbours get adjacent words of global memory.
    template <class Todo>
    OP2_FN void share_out(Todo todo) const {
        if constexpr (is_aos<typename V::Layout>) {
            for (u32 w = threadIdx.x; w < targets.count * V::words; w += blockDim.x) todo(w / V::words, w % V::words);
        } else {
            OP2_UNROLL
            for (u32 k = 0; k < V::words; k += 1) {
                for (u32 i = threadIdx.x; i < targets.count; i += blockDim.x) todo(i, k);
            }
        }
    }
};

// The part of a dat that the threads of a block gather. Has the functions by which others stage it, which do nothing.
template <class V>
struct InPlace {
    using Value = typename V::Value;
    using Scalar = typename V::Scalar;
    struct Rows {};

    const Scalar* from;

    OP2_FN Value load(u32 i) const { return op2::load<V>(from, i); }
    template <usize N>
    OP2_FN Arr<Value, N> load(const Arr<u32, N>& all) const { return op2::load<V>(from, all); }
    OP2_FN Value load_maybe(u32 i) const { return op2::load_maybe<V>(from, i); }
    template <usize N>
    OP2_FN Arr<Value, N> load_maybe(const Arr<u32, N>& all) const { return op2::load_maybe<V>(from, all); }
    OP2_FN Value load_if(bool there, u32 i) const { return op2::load_if<V>(there, from, i); }
    template <usize N>
    OP2_FN Arr<Value, N> load_if(bool there, const Arr<u32, N>& all) const { return op2::load_if<V>(there, from, all); }

    OP2_FN Rows rows() const { return Rows{}; }
    OP2_FN void fetch(const Scalar*, Rows) const {}
};

}  // namespace op2

#undef OP2_FN

#endif
