// Contributions of blocks. They stay apart in shared memory until all threads have theirs. Then each target gets its sum, in the order of
// elements, from one thread.

#ifndef OP2_COLLECTED_CUH
#define OP2_COLLECTED_CUH

#define OP2_FN __device__ __forceinline__

namespace op2 {

// The contributions to the targets of a block, in the order in which they are added: how many targets are not its own, and how many are,
// the place of the copy of the first that is not, the least target, whether the block is far, of each target where its contributions
// begin and which one it is, where the last ones end, and the contributions. Blocks need all of it when their elements have run: until then
// it is in no register.
struct Incoming {
    // Those of all blocks; of this one, there are `units` from `begin` on. Numbers in place of a pointer save instructions.
    const Pack<u16, 8>* all;
    u32 begin;
    u32 units;
    u32 start;

    // How many targets are not the block's own, and how many are: its first ones.
    struct Counts {
        u32 others;
        u32 own;
    };
    OP2_FN Counts counts() const {
        const u32 both = *here<u32>(start);
        return Counts{both & 0xffff, both >> 16};
    }
    OP2_FN u32 copy() const { return here<u32>(start)[1]; }
    OP2_FN Least least() const {
        const Pack<u32, 2> words = *here<Pack<u32, 2>>(start + 8);
        return Least{words.at[0], words.at[1] != 0};
    }
    // The contributions to target `i` are at the bytes `first(i)..first(i + 1)` of shared memory: each the number of a place, and perhaps a
    // mark.
    OP2_FN u32 first(u32 i) const { return start + here<u16>(start)[8 + 2 * i]; }
    // If targets are not staged: how far target `i` is above the least one of its block, or its place among those of a far one; the same
    // before it is in shared memory, where another number follows if there is no target.
    OP2_FN u32 above(u32 i) const { return here<u16>(start)[9 + 2 * i]; }
    OP2_FN u32 above_ahead(u32 i) const { return reinterpret_cast<const u16*>(all + begin)[9 + 2 * i]; }

    // Starts to copy it to shared memory.
    OP2_FN void fetch() const {
        Pack<u16, 8>* const to = here<Pack<u16, 8>>(start);
        for (u32 n = threadIdx.x; n < units; n += blockDim.x) copy_ahead(to + n, all + (begin + n));
    }
};

// The numbers of places in lists: `Plain` ones, or twice these, and 1 more with a mark. Of elements that give two targets one contribution,
// or one of them its opposite, there is one place.
struct Plain {
    OP2_FN static u32 at(u16 place) { return place; }
    template <class By, class S>
    OP2_FN static S both(u16, S sum, S contribution) { return By::of(sum, contribution); }
};
// The mark says nothing about this dat.
struct Marked : Plain {
    OP2_FN static u32 at(u16 place) { return place >> 1; }
};
// At those with a mark is the opposite of what is added. A product with 1 or -1 is exact, and so takes no instruction of its own.
struct Turned : Marked {
    template <class By, class S>
    OP2_FN static S both(u16 place, S sum, S contribution) {
        return mul_add(one_with_sign<S>(place), contribution, sum);
    }
};

// The contributions of a block's elements to a dat, `Stored` of each: word by word, place by place, thread by thread. Behind all of a word
// follows one that nobody uses, so that the words of one contribution are in different banks.
template <class V, u32 Stored, class Places, class Reads>
struct Collected {
    using Value = typename V::Value;
    using Scalar = typename V::Scalar;
    using Word = typename V::Word;

    static constexpr bool is_local = Stage<Reads>::is_local;

    u32 start;
    Targets<Reads> targets;
    // The first targets are the block's own.
    u32 own;
    u32 stride;

    OP2_FN static u32 step() { return Stored * blockDim.x + 1; }

    // Leaves a contribution of this thread's element at its place `k`, or several at the places `k..k + N`.
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

    // Loads where the first target is that this thread brings near, among all that a block may have: how many it has is not known yet.
    OP2_FN u32 rows(const Incoming& incoming) const {
        if constexpr (is_local) return threadIdx.x < targets.most ? targets[threadIdx.x] : 0;
        else return incoming.above_ahead(threadIdx.x);
    }
    // Brings the block's own targets near.
    OP2_FN void expect(const Incoming& incoming, Scalar* to, u32 first) const {
        for (u32 i = threadIdx.x; i < own;) {
            op2::expect(&at<V>(to, is_local ? first : targets[first], 0));
            i += blockDim.x;
            if (i < own) first = is_local ? targets[i] : incoming.above_ahead(i);
        }
    }
    // Adds the sums to the block's targets, while no other block accesses them.
    template <class By>
    OP2_FN void flush(const Incoming& incoming, Scalar* to) const {
        add_own<By>(incoming, to, incoming.counts().own);
    }
    // The same, by atomic operations for targets that are not its own. Those on small scalars exchange the word around, in which another
    // block may have a target: there, all operations are atomic.
    template <class By>
    OP2_FN void flush_among(const Incoming& incoming, Scalar* to) const {
        const Incoming::Counts counts = incoming.counts();
        const u32 alone = swaps_around<Scalar> ? 0 : counts.own;
        add_own<By>(incoming, to, alone);
        hand_over<By>(incoming, alone, counts.own + counts.others, [&](u32 i, u32 w, const Word& sum) {
            atomic_word<By>(at<V>(to, target(incoming, i), w), sum);
        });
    }
    // The same, by copies in `parts` for targets that are not its own; if that is null, other blocks add to them, and no contributions
    // of theirs are incoming.
    template <class By>
    OP2_FN void flush_apart(const Incoming& incoming, Scalar* to, Scalar* parts) const {
        const Incoming::Counts counts = incoming.counts();
        const u32 own = counts.own;
        add_own<By>(incoming, to, own);
        if (counts.others == 0) return;
        const u32 copy = incoming.copy();
        hand_over<By>(incoming, own, own + counts.others, [&](u32 i, u32 w, const Word& sum) {
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) parts[usize(w * V::lanes + n) * stride + copy + (i - own)] = sum.at[n];
        });
    }

private:
    // Words of a target, of which there may be none.
    static constexpr u32 words = V::dim == 0 ? 0 : V::words;
    // Batches of at most four words, which a thread has in flight at once. Batch `b` has word `b` and every `batches`-th one behind it, so
    // that threads with neighbouring batches have adjacent words.
    static constexpr u32 batches = words == 0 ? 1 : (words + 3) / 4;
    static constexpr u32 batch = words == 0 ? 1 : (words + batches - 1) / batches;

    // Target `i`, when elements have run.
    OP2_FN u32 target(const Incoming& incoming, u32 i) const {
        Targets<Reads> all = targets;
        if constexpr (!is_local) all.least = incoming.least();
        return all[is_local ? i : incoming.above(i)];
    }
    OP2_FN Word& place(u32 k, u32 w) const { return here<Word>(start)[w * step() + k * blockDim.x + threadIdx.x]; }

    template <class By>
    OP2_FN static Word both(Word a, const Word& b) {
        OP2_UNROLL
        for (u32 n = 0; n < V::lanes; n += 1) a.at[n] = By::of(a.at[n], b.at[n]);
        return a;
    }
    template <class By>
    OP2_FN static Word both(u16 place, Word sum, const Word& contribution) {
        OP2_UNROLL
        for (u32 n = 0; n < V::lanes; n += 1) sum.at[n] = Places::template both<By>(place, sum.at[n], contribution.at[n]);
        return sum;
    }
    // Calls `todo` for each word of batch `b` of a target, with its number in the batch.
    template <class Todo>
    OP2_FN static void each_of_batch(u32 b, Todo todo) {
        OP2_UNROLL
        for (u32 n = 0; n < batch; n += 1) {
            if (words % batches == 0 || b + n * batches < words) todo(n, b + n * batches);
        }
    }
    // Adds the contributions at the bytes `begin..end`, one at least, to word `w`, or to a batch of words from there on.
    template <class By, u32 Words>
    OP2_FN void total(u32 begin, u32 end, u32 w, Word (&sums)[Words]) const {
        OP2_UNROLL
        for (u32 k = 0; k < Words; k += 1) {
            OP2_UNROLL
            for (u32 n = 0; n < V::lanes; n += 1) sums[k].at[n] = By::template neutral<Scalar>();
        }
        // Numbers of bytes in place of pointers save a register, and instructions for each contribution.
        const u32 from = start + w * step() * u32(sizeof(Word));
        u32 at = begin;
        OP2_ROLLED
        do {
            const u16 place = *here<u16>(at);
            u32 word = from + Places::at(place) * u32(sizeof(Word));
            OP2_UNROLL
            for (u32 k = 0; k < Words; k += 1) {
                if (Words == 1 || words % batches == 0 || w + k * batches < words) sums[k] = both<By>(place, sums[k], *here<Word>(word));
                word += batches * step() * u32(sizeof(Word));
            }
            at += u32(sizeof(u16));
        } while (at < end);
    }

    // Adds the sums to the first `count` targets. A thread finds the contributions to a target once for a batch of words. Where words are
    // adjacent, threads share batches out, or have a row each and store it together with a neighbour; else a thread has all of a target.
    template <class By>
    OP2_FN void add_own(const Incoming& incoming, Scalar* to, u32 count) const {
#if OP2_EXCHANGES
        if constexpr (group<V> == 2 && batches == 1 && words % 2 == 0) {
            // All threads of a wave go on together.
            for (u32 i = threadIdx.x; i / wave * wave < count; i += blockDim.x) {
                u32 row = missing;
                Word sums[batch];
                if (i < count) {
                    const u32 begin = incoming.first(i), end = incoming.first(i + 1);
                    row = target(incoming, i);
                    added<By>(to, row, begin, end, 0, sums);
                }
                store_pair<V>(to, row, i % 2 == 1, sums);
            }
            return;
        }
#endif
        if constexpr (is_aos<typename V::Layout>) {
            for (u32 n = threadIdx.x; n < count * batches; n += blockDim.x) {
                add_batches<By>(incoming, to, n / batches, n % batches, n % batches + 1);
            }
        } else {
            for (u32 i = threadIdx.x; i < count; i += blockDim.x) add_batches<By>(incoming, to, i, 0, batches);
        }
    }
    // Adds the sums to the batches `b..last` of target `i`.
    template <class By>
    OP2_FN void add_batches(const Incoming& incoming, Scalar* to, u32 i, u32 b, u32 last) const {
        const u32 begin = incoming.first(i), end = incoming.first(i + 1);
        const u32 row = target(incoming, i);
        for (; b < last; b += 1) {
            Word sums[batch];
            added<By>(to, row, begin, end, b, sums);
            each_of_batch(b, [&](u32 n, u32 w) { at<V>(to, row, w) = sums[n]; });
        }
    }
    // Batch `b` of a row with the contributions to it. The old values are loaded before the sums are computed, and what says where these are
    // with what says which target it is.
    template <class By>
    OP2_FN void added(const Scalar* to, u32 row, u32 begin, u32 end, u32 b, Word (&sums)[batch]) const {
        Word old[batch];
        each_of_batch(b, [&](u32 n, u32 w) { old[n] = read<V>(to, row, w); });
        total<By>(begin, end, b, sums);
        each_of_batch(b, [&](u32 n, u32) { sums[n] = both<By>(old[n], sums[n]); });
    }
    // Hands over the sums of targets `first..count`: word by word, neighbouring threads with adjacent words of global memory.
    template <class By, class Other>
    OP2_FN void hand_over(const Incoming& incoming, u32 first, u32 count, Other other) const {
        const auto hand = [&](u32 i, u32 w) {
            Word sum[1];
            total<By>(incoming.first(i), incoming.first(i + 1), w, sum);
            other(i, w, sum[0]);
        };
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
        if (!there) return Shared<V>{0, 0, Targets<Staged>{nullptr, 0, 0, 0}};
        return Shared<V>{next(stage.most * V::bytes), stage.most, Targets<Staged>::of(stage, block)};
    }
    // The part that it only reads.
    template <class V, class Reads>
    OP2_FN auto read(const Stage<Reads>& stage, const Block& block, const typename V::Scalar* from, bool there = true) {
        if constexpr (Stage<Reads>::is_local) return take<V>(stage, block, there);
        else return InPlace<V>{from};
    }
    // Contributions to a dat.
    template <class V, u32 Stored, class Places = Plain, class Reads>
    OP2_FN Collected<V, Stored, Places, Reads> collect(const Stage<Reads>& stage, const Block& block, bool there = true) {
        using All = Collected<V, Stored, Places, Reads>;
        if (!there) return All{0, Targets<Reads>{}, 0, 0};
        return All{next(All::step() * V::bytes), Targets<Reads>::of(stage, block), stage.about[block.id].at[1], stage.stride};
    }
    template <class Reads>
    OP2_FN Incoming incoming(const Stage<Reads>& stage, const Block& block, bool there = true) {
        if (!there) return Incoming{nullptr, 0, 0, 0};
        return Incoming{stage.incoming, block.id * stage.units, stage.units, next(stage.units * 16)};
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
