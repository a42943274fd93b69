/* SPDX-License-Identifier: MIT */
/*
 * input.h: private: the bytes of a trace, packed or not, and where a mistake stands in them.
 */
#ifndef TOOLS_CONVERT_INPUT_H
#define TOOLS_CONVERT_INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/common/text.h"

enum { INPUT_WINDOW = 1 << 18, INPUT_LINE_MAX = 1 << 16 };

struct input {
    const char *name; /* in messages */
    FILE *file;
    struct ZSTD_DCtx_s *zstd; /* NULL: the bytes are as they are */
    struct text problem;      /* what is wrong, as it is printed; empty: nothing */
    uint64_t offset;          /* of `at`, in what was unpacked */
    uint64_t read_bytes;      /* of the file */
    uint64_t hash;            /* of those */
    uint64_t line;            /* of `at`, from 1; input_line() counts */
    bool file_ended, ended;   /* nothing more comes from the file; from the window's end on */
    bool frame_open;          /* a packed frame has begun and not ended */
    size_t at, end;           /* the window's bytes that were not taken yet */
    size_t packed_at, packed_end;
    char window[INPUT_WINDOW];
    char packed[1 << 16];
};

/* A line without its break. */
struct input_row {
    const char *text;
    size_t length;
    uint64_t number;
};

/* `name` is not copied. False: it cannot be read, `problem` says why. */
bool input_begin(struct input *input, FILE *file, const char *name);
void input_end(struct input *input);
/* Tries to have `bytes` in the window; how many there are, fewer only at the end or on an error. */
size_t input_have(struct input *input, size_t bytes);
void input_take(struct input *input, size_t bytes);
/* False at the end, or when `problem` says why not. A NUL and a line without end are mistakes. */
bool input_line(struct input *input, struct input_row *row);
/* Keeps "NAME: byte N: TEXT"; false, for callers to return. The first mistake counts. */
VIDMM_PRINTF(3, 4)
bool input_wrong(struct input *input, uint64_t offset, const char *format, ...);
/* The same of a place in a line, with the line and a caret under the place; `length` from `column`.
 */
struct input_place {
    size_t column, length; /* from 0 */
};
VIDMM_PRINTF(4, 5)
bool input_row_wrong(struct input *input, const struct input_row *row, struct input_place place,
                     const char *format, ...);
bool input_failed(const struct input *input);

#endif
