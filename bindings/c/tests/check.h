/* What the tests in C share: checks that end the program, hex, and vector files as lines (see vectors.rs). */
#ifndef PHALANX_TESTS_CHECK_H
#define PHALANX_TESTS_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phalanx.h"

static unsigned long checks;

/* Ends the program if `condition` does not hold. */
#define CHECK(condition)                                                                        \
    do {                                                                                        \
        checks++;                                                                               \
        if (!(condition)) {                                                                     \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);             \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

/* Ends the program if a call answers another status than the one wanted. */
#define CHECK_STATUS(call, wanted)                                                              \
    do {                                                                                        \
        unsigned check_got = (unsigned)(call), check_wanted = (unsigned)(wanted);               \
        checks++;                                                                               \
        if (check_got != check_wanted) {                                                        \
            fprintf(stderr, "%s:%d: %s: got %u (%s), wanted %u (%s)\n", __FILE__, __LINE__,     \
                    #call, check_got, phalanx_status_string(check_got), check_wanted,           \
                    phalanx_status_string(check_wanted));                                       \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

#define CHECK_OK(call) CHECK_STATUS(call, PHALANX_OK)

/* Says how much was checked; less than `least` is a failure, for then something was not run. */
static inline int finish(const char *name, unsigned long least) {
    printf("%s: %lu checks\n", name, checks);
    if (checks < least) {
        fprintf(stderr, "%s: at least %lu wanted\n", name, least);
        return 1;
    }
    return 0;
}

static inline void *get_memory(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

/* Bytes on the heap, so that valgrind sees every step beyond them. */
typedef struct blob {
    uint8_t *data;
    size_t len;
} blob;

static inline blob blob_of(const void *bytes, size_t len) {
    blob made;
    made.data = (uint8_t *)get_memory(len);
    made.len = len;
    if (len) {
        memcpy(made.data, bytes, len);
    }
    return made;
}

static inline int digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    fprintf(stderr, "no hex digit: %c\n", c);
    exit(1);
}

static inline blob unhex(const char *hex) {
    blob made;
    size_t i;
    CHECK(hex != NULL && strlen(hex) % 2 == 0);
    made.len = strlen(hex) / 2;
    made.data = (uint8_t *)get_memory(made.len);
    for (i = 0; i < made.len; i++) {
        made.data[i] = (uint8_t)(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
    }
    return made;
}

static inline blob read_file(const char *path) {
    blob made;
    long size;
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    CHECK(fseek(file, 0, SEEK_END) == 0);
    size = ftell(file);
    CHECK(size >= 0 && fseek(file, 0, SEEK_SET) == 0);
    made.len = (size_t)size;
    made.data = (uint8_t *)get_memory(made.len + 1);
    CHECK(fread(made.data, 1, made.len, file) == made.len);
    made.data[made.len] = 0;
    fclose(file);
    return made;
}

static inline bool same(blob a, const void *bytes, size_t len) {
    return a.len == len && (len == 0 || memcmp(a.data, bytes, len) == 0);
}

/* A vector file: paths with their values, in the file's order. */
typedef struct lines {
    blob text;
    char **paths;
    char **values;
    size_t count;
    size_t at;
} lines;

static inline lines lines_load(const char *path) {
    lines made;
    size_t room = 1, i;
    char *next;
    made.text = read_file(path);
    for (i = 0; i < made.text.len; i++) {
        room += made.text.data[i] == '\n';
    }
    made.paths = (char **)get_memory(room * sizeof(char *));
    made.values = (char **)get_memory(room * sizeof(char *));
    made.count = 0;
    made.at = 0;
    next = (char *)made.text.data;
    while (*next) {
        char *tab = strchr(next, '\t'), *end = strchr(next, '\n');
        CHECK(tab && end && tab < end);
        *tab = *end = 0;
        made.paths[made.count] = next;
        made.values[made.count] = tab + 1;
        made.count++;
        next = end + 1;
    }
    CHECK(made.count > 0);
    return made;
}

static inline void lines_free(lines *file) {
    free(file->text.data);
    free(file->paths);
    free(file->values);
}

/* The value at a path, or null. Looks from the last hit on, for files are read in their order. */
static inline const char *lines_find(lines *file, const char *path) {
    size_t i;
    for (i = 0; i < file->count; i++) {
        size_t here = (file->at + i) % file->count;
        if (strcmp(file->paths[here], path) == 0) {
            file->at = here;
            return file->values[here];
        }
    }
    return NULL;
}

static inline const char *lines_get(lines *file, const char *format, ...) {
    char path[256];
    va_list arguments;
    va_start(arguments, format);
    CHECK((size_t)vsnprintf(path, sizeof path, format, arguments) < sizeof path);
    va_end(arguments);
    return lines_find(file, path);
}

/* The number at a path; 0 if there is none. */
static inline uint64_t lines_number(lines *file, const char *format, ...) {
    char path[256];
    const char *value;
    va_list arguments;
    va_start(arguments, format);
    CHECK((size_t)vsnprintf(path, sizeof path, format, arguments) < sizeof path);
    va_end(arguments);
    value = lines_find(file, path);
    return value ? strtoull(value, NULL, 10) : 0;
}

/* The text at a path, with its line breaks; null if there is none. */
static inline char *lines_text(lines *file, const char *format, ...) {
    char path[256], *text, *to;
    const char *value;
    va_list arguments;
    va_start(arguments, format);
    CHECK((size_t)vsnprintf(path, sizeof path, format, arguments) < sizeof path);
    va_end(arguments);
    value = lines_find(file, path);
    if (!value) {
        return NULL;
    }
    to = text = (char *)get_memory(strlen(value) + 1);
    for (; *value; value++) {
        if (*value == '\\') {
            value++;
            *to++ = *value == 'n' ? '\n' : *value == 'r' ? '\r' : *value;
        } else {
            *to++ = *value;
        }
    }
    *to = 0;
    return text;
}

#endif
