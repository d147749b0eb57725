// Loads that a thread waits for together.
//
// A compiler moves a load to where its value is needed, behind branches and quotients of values that came before. A thread then waits for
// memory once more at each such place. These functions keep loads where the text has them, on NVIDIA's GPUs.

#ifndef OP2_WAITS_CUH
#define OP2_WAITS_CUH

#define OP2_FN __device__ __forceinline__

namespace op2 {

#ifdef __CUDA_ARCH__
// A number that needs a value, and a value that needs the number.
template <class S>
OP2_FN void count_in(u32& all, S value) {
    if constexpr (is_same<S, double>) asm volatile("" : "+r"(all) : "d"(value));
    else if constexpr (is_same<S, float>) asm volatile("" : "+r"(all) : "f"(value));
    else if constexpr (sizeof(S) == 8) asm volatile("" : "+r"(all) : "l"(value));
    else asm volatile("" : "+r"(all) : "r"(u32(value)));
}
template <class S>
OP2_FN void hold_back(u32 all, S& value) {
    if constexpr (is_same<S, double>) asm volatile("" : "+d"(value) : "r"(all));
    else if constexpr (is_same<S, float>) asm volatile("" : "+f"(value) : "r"(all));
    else if constexpr (sizeof(S) == 8) asm volatile("" : "+l"(value) : "r"(all));
    else if constexpr (sizeof(S) == 4) asm volatile("" : "+r"(value) : "r"(all));
}
template <usize room>
OP2_FN void count_all_in(u32&) {}
template <usize room, class V, class... Others>
OP2_FN void count_all_in(u32& all, V& value, Others&... others) {
    constexpr bool fits = sizeof value <= room;
    OP2_UNROLL
    for (u32 c = 0; fits && c < Flat<V>::dim; c += 1) count_in(all, part(value, c));
    count_all_in<fits ? room - sizeof value : room>(all, others...);
    OP2_UNROLL
    for (u32 c = 0; fits && c < Flat<V>::dim; c += 1) hold_back(all, part(value, c));
}
// Has values that were loaded come together: before any of them is used, and before what follows. No instruction is left of it. More bytes
// than a thread has registers for come as the compiler likes: of values that follow each other, those that do not fit anymore.
template <class... V>
OP2_FN void together(V&... values) {
    constexpr usize room = 384;
    u32 all = 0;
    count_all_in<room>(all, values...);
}

// Has a number come after entries of maps that are loaded at the same time. NVIDIA's assembler moves loads behind branches that depend on the
// number, where `together` has them before. So there is an instruction for each entry, whose product is 0.
template <class V>
OP2_FN void add_nothing(u32& number, const V& entries) {
    const u32 nothing = blockDim.y - 1;
    OP2_UNROLL
    for (u32 c = 0; c < Flat<V>::dim; c += 1) {
        asm volatile("mad.lo.u32 %0, %1, %2, %0;" : "+r"(number) : "r"(part(entries, c)), "r"(nothing));
    }
}
template <class... V>
OP2_FN void comes_after(u32& number, const V&... entries) { (add_nothing(number, entries), ...); }
#else
template <class... V>
OP2_FN void together(V&...) {}
template <class... V>
OP2_FN void comes_after(u32&, const V&...) {}
#endif

}  // namespace op2

#undef OP2_FN

#endif
