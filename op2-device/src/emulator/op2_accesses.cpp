// The functions that a compiler calls ahead of every access to memory (-fsanitize=thread); the sanitizer's own library is not linked.
// They are the same for all texts and take a tenth of the time of one to compile, so they are compiled once per process.

namespace op2_emulator {

OP2_UNSEEN void seen(const volatile void* at, u64 bytes, Access access, u32 align) {
    const u64 address = reinterpret_cast<u64>(at);
    if (address - environment.stack < environment.stack_bytes) return;
    // The text reads the environment and the values all the time; they are no data.
    const bool of_environment = address - reinterpret_cast<u64>(&environment) < sizeof environment;
    const bool of_values = address - reinterpret_cast<u64>(values) < values_bytes;
    if (access == Read && (of_environment || of_values)) return;
    environment.access(environment.run, address, bytes, access, align);
}

}  // namespace op2_emulator

#define OP2_SEEN(name, access, bytes, align) \
    extern "C" OP2_UNSEEN void __tsan_##name(void* at) { \
        op2_emulator::seen(at, bytes, op2_emulator::access, align); \
    }
#define OP2_SEEN_SIZE(bytes) \
    OP2_SEEN(read##bytes, Read, bytes, bytes) \
    OP2_SEEN(write##bytes, Write, bytes, bytes) \
    OP2_SEEN(volatile_read##bytes, VolatileRead, bytes, bytes) \
    OP2_SEEN(volatile_write##bytes, Write, bytes, bytes) \
    OP2_SEEN(unaligned_read##bytes, Read, bytes, 1) \
    OP2_SEEN(unaligned_write##bytes, Write, bytes, 1) \
    OP2_SEEN(unaligned_volatile_read##bytes, VolatileRead, bytes, 1) \
    OP2_SEEN(unaligned_volatile_write##bytes, Write, bytes, 1)
OP2_SEEN_SIZE(1)
OP2_SEEN_SIZE(2)
OP2_SEEN_SIZE(4)
OP2_SEEN_SIZE(8)
OP2_SEEN_SIZE(16)
#undef OP2_SEEN_SIZE
#undef OP2_SEEN
extern "C" OP2_UNSEEN void __tsan_read_range(void* at, unsigned long bytes) {
    op2_emulator::seen(at, bytes, op2_emulator::Read, 1);
}
extern "C" OP2_UNSEEN void __tsan_write_range(void* at, unsigned long bytes) {
    op2_emulator::seen(at, bytes, op2_emulator::Write, 1);
}
// Clang calls these by either name, GCC does not. Their bodies must not compile to calls of themselves.
#define OP2_COPIES(prefix) \
    extern "C" OP2_UNSEEN void* prefix##memcpy(void* to, const void* from, unsigned long bytes) noexcept { \
        op2_emulator::seen(from, bytes, op2_emulator::Read, 1); \
        op2_emulator::seen(to, bytes, op2_emulator::Write, 1); \
        return op2_emulator::move(to, from, bytes); \
    } \
    extern "C" OP2_UNSEEN void* prefix##memmove(void* to, const void* from, unsigned long bytes) noexcept { \
        return prefix##memcpy(to, from, bytes); \
    } \
    extern "C" OP2_UNSEEN void* prefix##memset(void* to, int byte, unsigned long bytes) noexcept { \
        op2_emulator::seen(to, bytes, op2_emulator::Write, 1); \
        volatile char* at = static_cast<char*>(to); \
        for (unsigned long i = 0; i < bytes; i += 1) at[i] = char(byte); \
        return to; \
    }
#ifdef __clang__
OP2_COPIES()
OP2_COPIES(__tsan_)
#endif
#undef OP2_COPIES
extern "C" OP2_UNSEEN void __tsan_func_entry(void*) {}
extern "C" OP2_UNSEEN void __tsan_func_exit() {}
extern "C" OP2_UNSEEN void __tsan_init() {}
