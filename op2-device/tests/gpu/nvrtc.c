// A stand-in for NVRTC, and with the macro HIP for hiprtc, for tests: the "machine code" is the text. A text with `#error`
// does not compile.
//
// FAKE_TRACE   file to which compilations are written
// FAKE_BROKEN  result of every compilation
// FAKE_NVRTC   major version in place of 13

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HIP
#include "hip.h"
#endif

#define EXPORT __attribute__((visibility("default")))

typedef struct Program { char *text, *image, *log; } Program;

EXPORT int nvrtcVersion(int *major, int *minor) {
    const char *other = getenv("FAKE_NVRTC");
    *major = other ? atoi(other) : 13, *minor = 0;
    return 0;
}
EXPORT const char *nvrtcGetErrorString(int code) { return code == 5 ? "NVRTC_ERROR_INVALID_OPTION" : "NVRTC_ERROR"; }
#ifndef HIP
EXPORT int nvrtcGetNumSupportedArchs(int *count) { *count = 3; return 0; }
EXPORT int nvrtcGetSupportedArchs(int *archs) { archs[0] = 75, archs[1] = 80, archs[2] = 90; return 0; }
#endif

EXPORT int nvrtcCreateProgram(Program **program, const char *text, const char *name, int headers, const char **contents,
                              const char **names) {
    (void)name, (void)contents, (void)names;
    *program = calloc(1, sizeof(Program));
    (*program)->text = strdup(text);
    return headers == 0 ? 0 : 3;
}

EXPORT int nvrtcDestroyProgram(Program **program) {
    free((*program)->text);
    free((*program)->image);
    free((*program)->log);
    free(*program);
    *program = NULL;
    return 0;
}

static int has(const char **options, int count, const char *wanted) {
    for (int i = 0; i < count; i++)
        if (strstr(options[i], wanted)) return 1;
    return 0;
}

EXPORT int nvrtcCompileProgram(Program *program, int count, const char **options) {
    const char *name = getenv("FAKE_TRACE");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (file) {
        fputs("compile", file);
        for (int i = 0; i < count; i++) fprintf(file, " %s", options[i]);
        fputc('\n', file);
        fclose(file);
    }
    // Nothing else makes CUDA of HIP.
#ifdef HIP
    int lacks = !strstr(program->text, "#define threadIdx op2_hip");
#else
    int lacks = !!strstr(program->text, "op2_hip");
#endif
    if (lacks) return 5;
    program->log = strdup(strstr(program->text, "#error \"wrong") ? "fake.cu(1): error: there is an #error" : "");
    if (getenv("FAKE_BROKEN")) return atoi(getenv("FAKE_BROKEN"));
    if (program->log[0]) return 6;
    const char *magic = has(options, count, "=compute_") ? "// PTX\n" : "\x7f" "ELF\n";
    program->image = malloc(strlen(magic) + strlen(program->text) + 1);
    strcat(strcpy(program->image, magic), program->text);
    return 0;
}

static int size(const char *text, size_t *bytes) {
    *bytes = text ? strlen(text) + 1 : 0;
    return 0;
}

static int get(const char *text, char *to) {
    if (text) strcpy(to, text);
    return 0;
}

EXPORT int nvrtcGetCUBINSize(Program *program, size_t *bytes) { return size(program->image, bytes); }
EXPORT int nvrtcGetCUBIN(Program *program, char *to) { return get(program->image, to); }
EXPORT int nvrtcGetPTXSize(Program *program, size_t *bytes) { return size(program->image, bytes); }
EXPORT int nvrtcGetPTX(Program *program, char *to) { return get(program->image, to); }
EXPORT int nvrtcGetProgramLogSize(Program *program, size_t *bytes) { return size(program->log, bytes); }
EXPORT int nvrtcGetProgramLog(Program *program, char *to) { return get(program->log, to); }
