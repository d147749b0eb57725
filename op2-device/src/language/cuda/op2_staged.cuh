// Blocks of elements. A block reads its targets through maps in one of two ways. It stages them in shared memory: it first loads all its
// lists, then all data at the places that the lists name, so that it waits for memory twice, however much it loads. Or its threads gather
// them from where they lie, and the cache of the multiprocessor keeps those that several threads read. Contributions stay apart in shared
// memory until all threads have theirs. Then each target gets its sum, in the order of elements, from one thread.
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

// How a block reads its targets.
struct Staged {
    using Index = u16;
    // Stands for the index of the target of a missing entry among those of a block.
    static constexpr u32 missing = 0xffff;

    // Waits until all threads may read what they have staged, and until all have their contributions.
    OP2_FN static void read() { arrived(); }
    OP2_FN static void collected() { __syncthreads(); }
};
struct Gathered {
    using Index = u32;
    static constexpr u32 missing = op2::missing;

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

// The targets that the blocks of a plan reach through some entries of maps, and the target of each entry.
template <class Reads>
struct Stage {
    // Whether the block's own list numbers targets.
    static constexpr bool is_local = is_same<Reads, Staged>;
    using Index = typename Reads::Index;

    // Block `b` has `counts[b]` targets, at `list[b * most]` and behind it.
    const u32* counts;
    const u32* list;
    // The index of each entry's target: among those of its block if they are staged, else among all. Behind the last element follow as
    // many as a block has threads.
    const Index* entries;
    // In each block, the last `copies[b + 1] - copies[b]` targets are not its own: other blocks reach them, too. If they get their
    // sums by copies, those of block `b` start at `copies[b]`; there are `stride` in all.
    const u32* copies;
    // The contributions to each target: `units` from `incoming[b * units]` on are an `Incoming` of block `b`.
    const Pack<u16, 8>* incoming;
    u32 rows;
    u32 most;
    u32 stride;
    u32 units;

    // The index of the target of entry `k` of this thread's element, and of the entries `k..k + N`.
    OP2_FN u32 at(const Block& block, usize k) const {
        // Threads without an element load some entry: nobody waits for a condition.
        return (entries + k * rows)[block.p];
    }
    template <usize N>
    OP2_FN Arr<u32, N> all(const Block& block, usize k) const {
        Arr<u32, N> found;
        OP2_UNROLL
        for (usize i = 0; i < N; i += 1) found.at[i] = at(block, k + i);
        return found;
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

// The targets of one block, in global memory, and the most that a block has.
struct Targets {
    const u32* list;
    u32 first;
    u32 count;
    u32 most;

    template <class Reads>
    OP2_FN static Targets of(const Stage<Reads>& stage, const Block& block) {
        return Targets{stage.list, block.id * stage.most, stage.counts[block.id], stage.most};
    }
    OP2_FN u32 operator[](u32 i) const { return list[first + i]; }
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
    Targets targets;

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

// Contributions

// The contributions to the targets of a block, in the order in which they are added: a number of targets, that many starts and an end in
// a list, and the list.
struct Incoming {
    const Pack<u16, 8>* from;
    u32 units;
    u32 start;

    OP2_FN u32 count() const { return here<u16>(start)[0]; }
    // The contributions to target `i` are at the places `list()[first(i)..first(i + 1)]`.
    OP2_FN u32 first(u32 i) const { return here<u16>(start)[1 + i]; }
    OP2_FN const u16* list() const { return here<u16>(start) + 2 + count(); }

    // Starts to copy it to shared memory.
    OP2_FN void fetch() const {
        Pack<u16, 8>* const to = here<Pack<u16, 8>>(start);
        for (u32 n = threadIdx.x; n < units; n += blockDim.x) copy_ahead(to + n, from + n);
    }
};

// The contributions of a block's elements to a dat through `Entries` entries of maps: word by word, entry by entry, thread by thread.
// Behind all of a word follows one that nobody uses, so that the words of one contribution are in different banks.
template <class V, u32 Entries>
struct Collected {
    using Value = typename V::Value;
    using Scalar = typename V::Scalar;
    using Word = typename V::Word;

    u32 start;
    Targets targets;
    // The first targets are the block's own.
    u32 own;
    // The place of the copy of the first that is not.
    u32 copy;
    u32 stride;

    OP2_FN static u32 step() { return Entries * blockDim.x + 1; }

    // Leaves the contribution of this thread's element through entry `k`, or through the entries `k..k + N`.
    OP2_FN void put(u32 k, const Value& value) const {
        OP2_UNROLL
        for (u32 w = 0; w < V::words; w += 1) place(k, w) = op2::word<V>(value, w);
    }
    template <usize N>
    OP2_FN void put(u32 k, const Arr<Value, N>& values) const {
        OP2_UNROLL
        for (u32 n = 0; n < u32(N); n += 1) put(k + n, values.at[n]);
    }
    // The same where a contribution is there already.
    template <class By>
    OP2_FN void join(u32 k, const Value& value) const {
        OP2_UNROLL
        for (u32 w = 0; w < V::words; w += 1) place(k, w) = both<By>(place(k, w), op2::word<V>(value, w));
    }
    template <class By, usize N>
    OP2_FN void join(u32 k, const Arr<Value, N>& values) const {
        OP2_UNROLL
        for (u32 n = 0; n < u32(N); n += 1) join<By>(k + n, values.at[n]);
    }

    // Operations on all contributions, by all threads of the block.

    // Brings the block's own targets near.
    OP2_FN void expect(Scalar* to) const {
        for (u32 i = threadIdx.x; i < own; i += blockDim.x) op2::expect(&at<V>(to, targets[i], 0));
    }
    // Adds the sums to the block's targets, while no other block accesses them.
    template <class By>
    OP2_FN void flush(const Incoming& incoming, Scalar* to) const {
        add_own<By>(incoming, to, own);
    }
    // The same, by atomic operations for targets that are not its own. Those on small scalars exchange the word around, in which another
    // block may have a target: there, all operations are atomic.
    template <class By>
    OP2_FN void flush_among(const Incoming& incoming, Scalar* to) const {
        const u32 alone = swaps_around<Scalar> ? 0 : own;
        add_own<By>(incoming, to, alone);
        hand_over<By>(incoming, alone, [&](u32 i, u32 w, const Word& sum) { atomic_word<By>(at<V>(to, targets[i], w), sum); });
    }
    // The same, by copies in `parts` for targets that are not its own; if that is null, other blocks add to them, and no contributions
    // of theirs are incoming.
    template <class By>
    OP2_FN void flush_apart(const Incoming& incoming, Scalar* to, Scalar* parts) const {
        add_own<By>(incoming, to, own);
        hand_over<By>(incoming, own, [&](u32 i, u32 w, const Word& sum) {
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) parts[usize(w * V::lanes + n) * stride + copy + (i - own)] = sum.at[n];
        });
    }

private:
    // Words of a target, of which there may be none.
    static constexpr u32 words = V::dim == 0 ? 0 : V::words;
    // The words that a thread has in flight at once.
    static constexpr u32 batch = words == 0 ? 1 : words < 4 ? words : 4;

    OP2_FN Word& place(u32 k, u32 w) const { return here<Word>(start)[w * step() + k * blockDim.x + threadIdx.x]; }

    template <class By>
    OP2_FN static Word both(Word a, const Word& b) {
        OP2_UNROLL
        for (u32 n = 0; n < V::lanes; n += 1) a.at[n] = By::of(a.at[n], b.at[n]);
        return a;
    }
    // Calls `todo` for the words `w..w + batch` of a target, as far as there are so many.
    template <class Todo>
    OP2_FN static void each_of_batch(u32 w, Todo todo) {
        OP2_UNROLL
        for (u32 n = 0; n < batch; n += 1) {
            if (words % batch == 0 || w + n < words) todo(n);
        }
    }
    // Adds the contributions to `Words` words of target `i` from word `w` on.
    template <class By, u32 Words>
    OP2_FN void total(const Incoming& incoming, u32 i, u32 w, Word (&sums)[Words]) const {
        const Word* const from = here<Word>(start) + w * step();
        const u16* const list = incoming.list();
        OP2_UNROLL
        for (u32 k = 0; k < Words; k += 1) {
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) sums[k].at[n] = By::template neutral<Scalar>();
        }
        const u32 end = incoming.first(i + 1);
        OP2_ROLLED
        for (u32 n = incoming.first(i); n < end; n += 1) {
            const Word* const contribution = from + list[n];
            OP2_UNROLL
            for (u32 k = 0; k < Words; k += 1) {
                if (Words == 1 || words % Words == 0 || w + k < words) sums[k] = both<By>(sums[k], contribution[k * step()]);
            }
        }
    }

    // Adds the sums to the first `count` targets. A thread has all words of a target, and finds its contributions once for a batch of
    // them. It loads the old values before it computes the sums.
    template <class By>
    OP2_FN void add_own(const Incoming& incoming, Scalar* to, u32 count) const {
        for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
            const u32 row = targets[i];
            for (u32 w = 0; w < words; w += batch) {
                Word old[batch];
                Word sums[batch];
                each_of_batch(w, [&](u32 n) { old[n] = at<V>(to, row, w + n); });
                total<By>(incoming, i, w, sums);
                each_of_batch(w, [&](u32 n) { at<V>(to, row, w + n) = both<By>(old[n], sums[n]); });
            }
        }
    }
    // Hands over the sums of all targets from the first on: word by word, neighbouring threads with adjacent words of global memory.
    template <class By, class Other>
    OP2_FN void hand_over(const Incoming& incoming, u32 first, Other other) const {
        const auto hand = [&](u32 i, u32 w) {
            Word sum[1];
            total<By>(incoming, i, w, sum);
            other(i, w, sum[0]);
        };
        const u32 count = incoming.count();
        if constexpr (words == 0) {
        } else if constexpr (is_aos<typename V::Layout>) {
            for (u32 n = first * words + threadIdx.x; n < count * words; n += blockDim.x) hand(n / words, n % words);
        } else {
            for (u32 w = 0; w < words; w += 1) {
                for (u32 i = first + threadIdx.x; i < count; i += blockDim.x) hand(i, w);
            }
        }
    }
};

// Allocates parts of a block's shared memory.
struct Arena {
    u32 used = 0;

    // The part of a dat that a block changes, in shared memory.
    template <class V, class Reads>
    OP2_FN Shared<V> take(const Stage<Reads>& stage, const Block& block, bool there = true) {
        static_assert(Stage<Reads>::is_local, "the targets that a block changes are in shared memory");
        if (!there) return Shared<V>{0, 0, Targets{nullptr, 0, 0, 0}};
        return Shared<V>{next(stage.most * V::bytes), stage.most, Targets::of(stage, block)};
    }
    // The part that it only reads.
    template <class V>
    OP2_FN Shared<V> read(const Stage<Staged>& stage, const Block& block, const typename V::Scalar*, bool there = true) {
        return take<V>(stage, block, there);
    }
    template <class V>
    OP2_FN InPlace<V> read(const Stage<Gathered>&, const Block&, const typename V::Scalar* from, bool = true) {
        return InPlace<V>{from};
    }
    // Contributions to a dat, whose targets are all the block's own.
    template <class V, u32 Entries, class Reads>
    OP2_FN Collected<V, Entries> collect(const Stage<Reads>& stage, const Block& block, bool there = true) {
        if (!there) return Collected<V, Entries>{0, Targets{nullptr, 0, 0, 0}, 0, 0, 0};
        const Targets targets = Targets::of(stage, block);
        return Collected<V, Entries>{next(Collected<V, Entries>::step() * V::bytes), targets, targets.count, 0, 0};
    }
    // The same where some are not.
    template <class V, u32 Entries, class Reads>
    OP2_FN Collected<V, Entries> collect_apart(const Stage<Reads>& stage, const Block& block, bool there = true) {
        Collected<V, Entries> all = collect<V, Entries>(stage, block, there);
        if (!there) return all;
        all.copy = stage.copies[block.id];
        all.own -= stage.copies[block.id + 1] - all.copy;
        all.stride = stage.stride;
        return all;
    }
    template <class Reads>
    OP2_FN Incoming incoming(const Stage<Reads>& stage, const Block& block, bool there = true) {
        if (!there) return Incoming{nullptr, 0, 0};
        return Incoming{stage.incoming + block.id * stage.units, stage.units, next(stage.units * 16)};
    }

private:
    OP2_FN u32 next(u32 bytes) {
        const u32 start = used;
        used += (bytes + 15) / 16 * 16;
        return start;
    }
};

}  // namespace op2

#undef OP2_FN

#endif
