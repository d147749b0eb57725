// Loops with a thread for each target, which runs all elements that contribute to it.

#ifndef OP2_TARGETS_CUH
#define OP2_TARGETS_CUH

#define OP2_FN __device__ __forceinline__

namespace op2 {

// The bits that number `width` targets.
template <usize width>
constexpr u32 number_bits = 1 + number_bits<(width + 1) / 2>;
template <>
constexpr u32 number_bits<1> = 0;

// The place of a thread in the list of contributions, and the word that is there.
struct Slot {
    u32 at;
    u32 end;
    u32 word;

    // Whether there is a contribution.
    OP2_FN bool busy() const { return word != missing; }
    // The lower bits.
    template <usize width>
    OP2_FN u32 element() const { return word & (~0u >> number_bits<width>); }
    // Which of the element's targets is the thread's: the other ones.
    template <usize width>
    OP2_FN u32 number() const { return width == 1 ? 0 : word >> (32 - number_bits<width>) % 32; }
};

// The contributions to each of `count` targets, of which each has some: to those in `targets`, or to the first `count`. Threads of a wave
// find those to their targets side by side, one row behind the other; rows are as long as a wave.
struct PerTarget {
    // Where the rows of each wave begin.
    const u32* starts;
    // An element and the number of the target among its own. Behind the last contribution to a target is no element.
    const u32* list;
    const u32* targets;
    u32 count;
    // Words of the list, which is the distance of entries of maps, too.
    u32 rows;

    // Whether this thread has a target, and which one.
    OP2_FN bool busy() const { return thread() < count; }
    OP2_FN u32 target() const { return targets && busy() ? targets[thread()] : u32(thread()); }
    // Whether all threads of this thread's wave have targets that lie side by side.
    OP2_FN bool side_by_side() const { return !targets && (thread() | (wave - 1)) < count; }
    OP2_FN Slot first() const {
        const usize t = thread();
        if (!busy()) return Slot{0, 0, missing};
        return slot(starts[t / wave] * wave + u32(t % wave), starts[t / wave + 1] * wave);
    }
    OP2_FN Slot behind(const Slot& before) const {
        const u32 at = before.at + wave;
        // Entries of maps are loaded even where there is no contribution.
        return at < before.end ? slot(at, before.end) : Slot{before.at, before.end, missing};
    }

private:
    OP2_FN Slot slot(u32 at, u32 end) const { return Slot{at, end, at < end ? list[at] : missing}; }
};

// Adds a contribution to a sum, if it is `here`.
template <class By, class V>
OP2_FN void keep(typename V::Value& sum, bool here, const typename V::Value& value) {
    if (!here) return;
    OP2_UNROLL
    for (u32 c = 0; c < V::dim; c += 1) part(sum, c) = By::of(part(sum, c), part(value, c));
}
// The same of its opposite, if it is `turned`.
template <class By, class V>
OP2_FN void keep_turned(typename V::Value& sum, bool here, bool turned, const typename V::Value& value) {
    if (!here) return;
    const auto one = one_with_sign<typename V::Scalar>(turned);
    OP2_UNROLL
    for (u32 c = 0; c < V::dim; c += 1) part(sum, c) = mul_add(one, part(value, c), part(sum, c));
}
// Adds the contribution with a number, of those with the numbers from `first` on.
template <class By, class V>
OP2_FN void keep_of(typename V::Value& sum, u32 number, usize first, const typename V::Value& value) {
    keep<By, V>(sum, number == first, value);
}
template <class By, class V, usize N>
OP2_FN void keep_of(typename V::Value& sum, u32 number, usize first, const Arr<typename V::Value, N>& values) {
    OP2_UNROLL
    for (usize i = 0; i < N; i += 1) keep<By, V>(sum, number == first + i, values.at[i]);
}

}  // namespace op2

#undef OP2_FN

#endif
