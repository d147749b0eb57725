// A stand-in for NVIDIA's driver, and with the macro HIP for AMD's, for tests. Memory is the host's, kernels are the few below. It is as strict as the
// real driver may be: work in a stream starts only when the stream is waited for, calls without a current context fail,
// and a fault of a kernel appears at some later call and at all calls after that.
//
// FAKE_TRACE   file to which calls are written
// FAKE_INIT    result of cuInit
// FAKE_DEVICES number of GPUs
// FAKE_SM      compute capability, 90
// FAKE_VERSION version from cuDriverGetVersion, 13000
// FAKE_REFUSE  result of loading a module
// FAKE_OLD     AMD's: a driver of version 5

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HIP
#include "hip.h"
#define OPTIN 65536
#define BEFORE_ASKING OPTIN
#else
#define OPTIN 232448
#define BEFORE_ASKING 49152
#endif
#define MEMORY (1u << 20)
#define STATIC 1000
#define EXPORT __attribute__((visibility("default")))
#define NEEDS_CONTEXT                                                                                              \
    pthread_mutex_lock(&lock);                                                                                     \
    if (!current) return leave(201);                                                                               \
    if (sticky) return leave(sticky)

typedef struct Context { int device, held, live; } Context;
typedef struct Module { Context *context; char *image; uint64_t sizes; } Module;
typedef struct Function { Module *module; char name[32]; int dynamic; } Function;
typedef struct Event { Context *context; double time; int recorded, happened; } Event;
typedef struct Work {
    enum { RUN, TO_DEVICE, TO_HOST, MARK } kind;
    Function *function;
    unsigned grid, block, shared;
    uint64_t address;
    double number;
    uint32_t count;
    void *host;
    size_t bytes;
    Event *event;
} Work;
typedef struct Allocation { char *memory; size_t bytes; } Allocation;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread Context *current;
static Context contexts[8];
static Allocation allocations[256];
static size_t used;
static Work queue[1024];
static int queued, sticky, initialised;
static double now;
// The `op2_panic` of every module.
static uint64_t panicked[4];

static int leave(int code) {
    pthread_mutex_unlock(&lock);
    return code;
}

static int knob(const char *name, int otherwise) {
    const char *value = getenv(name);
    return value ? atoi(value) : otherwise;
}

static void trace(const char *format, ...) {
    const char *name = getenv("FAKE_TRACE");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (!file) return;
    va_list args;
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    fputc('\n', file);
    fclose(file);
}

/// The memory at an address, if `bytes` bytes of one allocation are there.
static char *at(uint64_t address, size_t bytes) {
    for (int i = 0; i < 256; i++) {
        Allocation *a = &allocations[i];
        uint64_t start = (uint64_t)(uintptr_t)a->memory;
        if (a->memory && address >= start && address + bytes <= start + a->bytes) return (char *)(uintptr_t)address;
    }
    return NULL;
}

/// Runs any kernel of the stand-in. A bad address is a fault, as on a GPU.
static void run(Work *work) {
    const char *name = work->function->name;
    if (!strcmp(name, "add")) {
        double *x = (double *)at(work->address, work->count * sizeof(double));
        if (!x) { sticky = 700; return; }
        for (uint32_t i = 0; i < work->count; i++) x[i] += work->number;
    } else if (!strcmp(name, "shape")) {
        uint32_t *out = (uint32_t *)at(work->address, 12);
        if (!out) { sticky = 700; return; }
        out[0] = work->grid, out[1] = work->block, out[2] = work->shared;
    } else if (!strcmp(name, "fault")) {
        sticky = 700;
    } else if (!strcmp(name, "panics")) {
        trace("panics");
        if (panicked[0]) return;
        uint64_t record[4] = {1, 23, 7, 4};
        memcpy(panicked, record, sizeof record);
    } else if (!strcmp(name, "op2_take_panic")) {
        uint64_t *to = (uint64_t *)at(work->address, sizeof panicked);
        if (!to) { sticky = 700; return; }
        trace("asked");
        memcpy(to, panicked, sizeof panicked);
        memset(panicked, 0, sizeof panicked);
    } else if (!strcmp(name, "sizes")) {
        uint64_t *to = (uint64_t *)at(work->address, 16);
        if (!to) { sticky = 700; return; }
        memcpy(to, (void *)(uintptr_t)work->function->module->sizes, 16);
    } else if (!strcmp(name, "late")) {
        sticky = 721;
    }
}

static void drain(void) {
    for (int i = 0; i < queued && !sticky; i++) {
        Work *work = &queue[i];
        now += 0.25;
        switch (work->kind) {
        case RUN: run(work); break;
        case TO_DEVICE: memcpy((char *)(uintptr_t)work->address, work->host, work->bytes); break;
        case TO_HOST: memcpy(work->host, (char *)(uintptr_t)work->address, work->bytes); break;
        case MARK: work->event->time = now, work->event->happened = 1; break;
        }
    }
    queued = 0;
}

static int put(Work work) {
    if (queued == 1024) drain();
    queue[queued++] = work;
    return 0;
}

EXPORT int cuInit(unsigned flags) {
    int code = knob("FAKE_INIT", 0);
    initialised = code == 0 && flags == 0;
    return code;
}

#ifndef HIP
EXPORT int cuDriverGetVersion(int *version) { *version = knob("FAKE_VERSION", 13000); return 0; }

EXPORT int cuGetErrorName(int code, const char **name) {
    switch (code) {
    case 1: *name = "CUDA_ERROR_INVALID_VALUE"; return 0;
    case 100: *name = "CUDA_ERROR_NO_DEVICE"; return 0;
    case 209: *name = "CUDA_ERROR_NO_BINARY_FOR_GPU"; return 0;
    case 500: *name = "CUDA_ERROR_NOT_FOUND"; return 0;
    case 700: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; return 0;
    case 701: *name = "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"; return 0;
    case 721: *name = "CUDA_ERROR_TENSOR_MEMORY_LEAK"; return 0;
    default: *name = NULL; return 1;
    }
}
#else
EXPORT const char *hipGetErrorName(int code) {
    switch (code) {
    case 1: return "hipErrorInvalidValue";
    case 700: return "hipErrorIllegalAddress";
    default: return "hipErrorUnknown";
    }
}

// Versions differ in the place of the name of the architecture, and in more.
static int properties(char *to, size_t bytes, size_t arch, int device) {
    memset(to, 0, bytes);
    snprintf(to, 256, "Fake %d", device);
    strcpy(to + arch, "gfx90a:sramecc+:xnack-");
    return 0;
}
EXPORT int hipGetDeviceProperties(char *to, int device) { return properties(to, 792, 396, device); }
EXPORT int hipGetDevicePropertiesR0600(char *to, int device) {
    return knob("FAKE_OLD", 0) ? 1 : properties(to, 1472, 1160, device);
}
#endif

EXPORT int cuDeviceGetCount(int *count) {
    *count = knob("FAKE_DEVICES", 2);
    return initialised ? 0 : 3;
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return ordinal < knob("FAKE_DEVICES", 2) ? 0 : 101;
}

EXPORT int cuDeviceGetName(char *name, int length, int device) {
    snprintf(name, (size_t)length, "Fake %d", device);
    return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    switch (attribute) {
#ifdef HIP
    case 63: *value = 104; return 0;
    case 74: *value = OPTIN; return 0;
    case 87: *value = 64; return 0;
#else
    case 13: *value = 1980000; return 0;
    case 16: *value = 132; return 0;
    case 36: *value = 3201000; return 0;
    case 37: *value = 6144; return 0;
    case 75: *value = knob("FAKE_SM", 90) / 10; return 0;
    case 76: *value = knob("FAKE_SM", 90) % 10; return 0;
    case 87: *value = knob("FAKE_RATIO", 2); return 0;
    case 97: *value = OPTIN; return 0;
#endif
    default: return 1;
    }
}

EXPORT int cuDevicePrimaryCtxRetain(Context **context, int device) {
    contexts[device].device = device;
    contexts[device].held++;
    *context = &contexts[device];
    return knob("FAKE_RETAIN", 0);
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
    trace("release %d live %d", device, contexts[device].live);
    contexts[device].held--;
    return 0;
}

EXPORT int cuCtxSetCurrent(Context *context) {
    current = context;
    return 0;
}

EXPORT int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    (void)flags, (void)priority;
    NEEDS_CONTEXT;
    current->live++;
    *stream = current;
    return leave(0);
}

EXPORT int cuStreamDestroy_v2(void *stream) {
    NEEDS_CONTEXT;
    if (stream != current) return leave(400);
    drain();
    current->live--;
    return leave(0);
}

EXPORT int cuStreamSynchronize(void *stream) {
    NEEDS_CONTEXT;
    if (stream != current) return leave(400);
    drain();
    return leave(sticky);
}

EXPORT int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    NEEDS_CONTEXT;
    if (bytes == 0) return leave(1);
    if (bytes > MEMORY - used) return leave(2);
    for (int i = 0; i < 256; i++) {
        Allocation *a = &allocations[i];
        if (a->memory) continue;
        a->memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
        a->bytes = bytes;
        used += bytes;
        current->live++;
        memset(a->memory, 0xcd, bytes);
        *address = (uint64_t)(uintptr_t)a->memory;
        return leave(0);
    }
    return leave(2);
}

EXPORT int cuMemFree_v2(uint64_t address) {
    NEEDS_CONTEXT;
    // The real driver may wait for running kernels, but need not; this one does not.
    if (queued) trace("early free");
    for (int i = 0; i < 256; i++) {
        Allocation *a = &allocations[i];
        if (!a->memory || (uint64_t)(uintptr_t)a->memory != address) continue;
        used -= a->bytes;
        free(a->memory);
        a->memory = NULL;
        current->live--;
        trace("free");
        return leave(0);
    }
    return leave(1);
}

EXPORT int cuMemGetInfo_v2(size_t *left, size_t *total) {
    NEEDS_CONTEXT;
    *left = MEMORY - used, *total = MEMORY;
    return leave(0);
}

EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
    NEEDS_CONTEXT;
    if (!at(to, bytes) || stream != current) return leave(1);
    return leave(put((Work){.kind = TO_DEVICE, .address = to, .host = (void *)(uintptr_t)from, .bytes = bytes}));
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
    NEEDS_CONTEXT;
    if (!at(from, bytes) || stream != current) return leave(1);
    return leave(put((Work){.kind = TO_HOST, .address = from, .host = to, .bytes = bytes}));
}

EXPORT int cuModuleLoadDataEx(Module **module, const char *image, unsigned count, void *options, void *values) {
    (void)options, (void)values;
    NEEDS_CONTEXT;
    trace("load %.8s", image[0] == 0x7f ? image + 1 : image);
    int refused = knob("FAKE_REFUSE", 0);
    if (refused || count) return leave(refused ? refused : 1);
    *module = malloc(sizeof(Module));
    **module = (Module){current, strdup(image), 0};
    current->live++;
    return leave(0);
}

EXPORT int cuModuleUnload(Module *module) {
    NEEDS_CONTEXT;
    if (queued) trace("early unload");
    trace("unload");
    current->live--;
    free(module->image);
    free(module);
    return leave(0);
}

/// Of `op2_sizes` alone, which holds two. It takes one of the places of allocations, so that it can be copied to.
EXPORT int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, Module *module, const char *name) {
    NEEDS_CONTEXT;
    if (strcmp(name, "op2_sizes") || !strstr(module->image, "op2_sizes[2]")) return leave(500);
    for (int i = 0; i < 256; i++) {
        Allocation *a = &allocations[i];
        if (a->memory) continue;
        a->memory = calloc(2, 8), a->bytes = 16;
        module->sizes = (uint64_t)(uintptr_t)a->memory;
        *address = module->sizes, *bytes = 16;
        return leave(0);
    }
    return leave(2);
}

EXPORT int cuModuleGetFunction(Function **function, Module *module, const char *name) {
    NEEDS_CONTEXT;
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s(", name);
    if (!strstr(module->image, pattern)) return leave(500);
    // Functions are never freed: the tests make few.
    *function = calloc(1, sizeof(Function));
    (*function)->module = module;
    (*function)->dynamic = BEFORE_ASKING - STATIC;
    snprintf((*function)->name, sizeof (*function)->name, "%s", name);
    return leave(0);
}

EXPORT int cuFuncGetAttribute(int *value, int attribute, Function *function) {
    (void)function;
    switch (attribute) {
    case 0: *value = 512; return 0;
    case 1: *value = STATIC; return 0;
    case 3: *value = 24; return 0;
    case 4: *value = 96; return 0;
    default: return 1;
    }
}

#ifndef HIP
EXPORT int cuFuncSetAttribute(Function *function, int attribute, int value) {
    NEEDS_CONTEXT;
    if (attribute != 8 || value < 0 || value + STATIC > OPTIN) return leave(1);
    function->dynamic = value;
    return leave(0);
}
#endif

EXPORT int cuLaunchKernel(Function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
    NEEDS_CONTEXT;
    if (stream != current || function->module->context != current) return leave(400);
    if (!gx || gy != 1 || gz != 1 || !bx || by != 1 || bz != 1 || extra) return leave(1);
    if ((int)shared > function->dynamic) return leave(1);
    if (bx > 512) return leave(701);
    if (!strcmp(function->name, "strange")) return leave(4711);
    Work work = {.kind = RUN, .function = function, .grid = gx, .block = bx, .shared = shared};
    if (!strcmp(function->name, "add")) {
        memcpy(&work.address, params[0], 8);
        memcpy(&work.number, params[1], 8);
        memcpy(&work.count, params[2], 4);
    } else if (!strcmp(function->name, "shape") || !strcmp(function->name, "op2_take_panic") ||
               !strcmp(function->name, "sizes")) {
        memcpy(&work.address, params[0], 8);
    }
    return leave(put(work));
}

EXPORT int cuEventCreate(Event **event, unsigned flags) {
    (void)flags;
    NEEDS_CONTEXT;
    *event = calloc(1, sizeof(Event));
    (*event)->context = current;
    current->live++;
    return leave(0);
}

EXPORT int cuEventDestroy_v2(Event *event) {
    NEEDS_CONTEXT;
    current->live--;
    // Queued work may still point to it.
    (void)event;
    return leave(0);
}

EXPORT int cuEventRecord(Event *event, void *stream) {
    NEEDS_CONTEXT;
    if (stream != current) return leave(400);
    event->recorded = 1;
    return leave(put((Work){.kind = MARK, .event = event}));
}

EXPORT int cuEventSynchronize(Event *event) {
    NEEDS_CONTEXT;
    if (!event->recorded) return leave(1);
    drain();
    return leave(sticky);
}

EXPORT int cuEventElapsedTime(float *milliseconds, Event *from, Event *to) {
    NEEDS_CONTEXT;
    if (!from->recorded || !to->recorded) return leave(400);
    if (!from->happened || !to->happened) return leave(600);
    *milliseconds = (float)(to->time - from->time);
    return leave(0);
}
