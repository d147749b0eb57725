// The state that a generated text shares with the scheduler and with the functions that report accesses.

#ifndef OP2_ENVIRONMENT_HPP
#define OP2_ENVIRONMENT_HPP

// Of a function in which accesses to memory are not reported.
#ifdef __clang__
#define OP2_UNSEEN __attribute__((noinline, no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define OP2_UNSEEN __attribute__((noinline, no_sanitize_thread))
#endif

#pragma GCC visibility push(hidden)

namespace op2_emulator {

using u32 = unsigned int;
using u64 = unsigned long long;

struct Dim {
    u32 x, y, z;
};

// Kinds of access, numbered as in `Access` of the emulator's `shadow.rs`.
enum Access : u32 { Read = 0, Write = 1, VolatileRead = 2, Atomic = 3 };

// Shared by text and scheduler. `Environment` in the emulator's `library.rs` has the same layout.
struct Environment {
    Dim thread;
    Dim block;
    Dim threads;
    Dim blocks;
    // The thread's current element.
    u32 element;
    // Barriers that the block has passed.
    u32 barriers;
    // The thread's stack, to which accesses are not reported.
    u64 stack;
    u64 stack_bytes;
    void* run;
    void (*barrier)(void* run);
    void (*fence)(void* run);
    u32 (*shuffle)(void* run, u64 mask, u32 value, u32 lane);
    void (*access)(void* run, u64 address, u64 bytes, u32 access, u32 align);
    void (*panic)(void* run, u64 number, u64 found, u64 expected);
};

extern Environment environment;

// Numbers that depend on the mesh; the host fills them.
extern u64 values[];
extern const u64 values_bytes;

#ifdef OP2_CHECKED
// Reports an access.
void seen(const volatile void* at, u64 bytes, Access access, u32 align);
#endif

// Copies byte by byte, because the checker would see a function of the host.
OP2_UNSEEN static inline void* move(void* to, const void* from, u64 bytes) {
    volatile char* into = static_cast<char*>(to);
    const volatile char* outof = static_cast<const char*>(from);
    const bool forwards = into < outof;
    for (u64 i = 0; i < bytes; i += 1) {
        const u64 at = forwards ? i : bytes - 1 - i;
        into[at] = outof[at];
    }
    return to;
}

}  // namespace op2_emulator

#pragma GCC visibility pop

#endif
