/* SPDX-License-Identifier: MIT */
/*
 * input.c: the bytes of a trace, packed or not, and where a mistake stands in them.
 *
 * A trace is read once, from front to back, through one window; whatever it claims, no more than
 * that and the window of zstd is held (at most 128 MiB, as the format's own tools do). A packed
 * file that unpacks to very much more than itself is no trace but a trap, and is refused, so that
 * the time is bounded by the size of the file.
 */
#include "tools/convert/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <zstd.h>

enum {
    WINDOW_LOG_MAX = 27,
    PACKED_AT_LEAST = 64 << 20, /* unpacked bytes that are never too many */
    PACKED_RATIO = 2048,        /* traces reach a fortieth of it */
    SHOWN_COLUMNS = 100,
};

static const uint64_t hash_begin = 0xCBF29CE484222325, hash_prime = 0x100000001B3;

bool input_failed(const struct input *input)
{
    return input->problem.length > 0;
}

/* ---- mistakes ------------------------------------------------------------------------------ */

static void add_sentence(struct text *text, const char *format, va_list arguments)
{
    char sentence[512];
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    text_add(text, "error: %s\n", sentence);
}

bool input_wrong(struct input *input, uint64_t offset, const char *format, ...)
{
    va_list arguments;
    if (input_failed(input))
        return false;
    text_add(&input->problem, "%s: byte %" PRIu64 ": ", input->name, offset);
    va_start(arguments, format);
    add_sentence(&input->problem, format, arguments);
    va_end(arguments);
    return false;
}

/* What a terminal would take as an order is shown as '?'. */
static void add_shown(struct text *text, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char shown = (unsigned char)bytes[i] < ' ' || bytes[i] == 0x7F ? '?' : bytes[i];
        text_add_bytes(text, bytes[i] == '\t' ? "\t" : &shown, 1);
    }
}

bool input_row_wrong(struct input *input, const struct input_row *row, struct input_place place,
                     const char *format, ...)
{
    va_list arguments;
    struct text *text = &input->problem;
    if (input_failed(input))
        return false;
    text_add(text, "%s:%" PRIu64 ":%zu: ", input->name, row->number, place.column + 1);
    va_start(arguments, format);
    add_sentence(text, format, arguments);
    va_end(arguments);
    if (place.column >= SHOWN_COLUMNS)
        return false;
    size_t shown = min_u64(row->length, SHOWN_COLUMNS);
    text_add(text, "   ");
    add_shown(text, row->text, shown);
    text_add(text, "%s\n   ", shown < row->length ? " ..." : "");
    for (size_t i = 0; i < place.column; i++)
        text_add(text, "%c", row->text[i] == '\t' ? '\t' : ' ');
    size_t length = min_u64(place.length, SHOWN_COLUMNS - place.column);
    for (size_t i = 0; i == 0 || i < length; i++)
        text_add(text, "^");
    text_add(text, "\n");
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

static size_t read_raw(struct input *input, char *into, size_t most)
{
    size_t got = fread(into, 1, most, input->file);
    uint64_t hash = input->hash;
    for (size_t i = 0; i < got; i++)
        hash = (hash ^ (unsigned char)into[i]) * hash_prime;
    input->hash = hash;
    input->read_bytes += got;
    if (got < most) {
        input->file_ended = true;
        if (ferror(input->file))
            (void)input_wrong(input, input->read_bytes, "%s", strerror(errno));
    }
    return got;
}

static bool is_trap(const struct input *input)
{
    uint64_t unpacked = input->offset + (input->end - input->at);
    return unpacked > PACKED_AT_LEAST && unpacked / PACKED_RATIO > input->read_bytes;
}

/* One step of zstd: from `packed` to the end of the window. */
static void unpack(struct input *input)
{
    if (input->packed_at == input->packed_end && !input->file_ended) {
        input->packed_at = 0;
        input->packed_end = read_raw(input, input->packed, sizeof input->packed);
    }
    ZSTD_inBuffer from = { input->packed, input->packed_end, input->packed_at };
    ZSTD_outBuffer to = { input->window, INPUT_WINDOW, input->end };
    bool dry = from.pos == from.size;
    size_t left = ZSTD_decompressStream(input->zstd, &to, &from);
    if (ZSTD_isError(left)) {
        (void)input_wrong(input, input->read_bytes - (input->packed_end - input->packed_at),
                          "zstd cannot unpack what is near here: %s", ZSTD_getErrorName(left));
        return;
    }
    bool moved = to.pos > input->end || from.pos > input->packed_at;
    input->end = to.pos;
    input->packed_at = from.pos;
    input->frame_open = moved ? left != 0 : input->frame_open;
    input->ended = dry && input->file_ended && !moved;
    if (input->ended && input->frame_open)
        (void)input_wrong(input, input->read_bytes, "the file ends in the middle of a zstd frame");
    if (is_trap(input))
        (void)input_wrong(input, input->read_bytes,
                          "so far %s were unpacked from %" PRIu64
                          " bytes: no trace compresses so well",
                          text_size(input->offset + input->end - input->at).it, input->read_bytes);
}

static void fill(struct input *input)
{
    memmove(input->window, input->window + input->at, input->end - input->at);
    input->end -= input->at;
    input->at = 0;
    if (input->zstd) {
        unpack(input);
        return;
    }
    input->end += read_raw(input, input->window + input->end, INPUT_WINDOW - input->end);
    input->ended = input->file_ended;
}

size_t input_have(struct input *input, size_t bytes)
{
    CHECK(bytes <= INPUT_WINDOW);
    while (input->end - input->at < bytes && !input->ended && !input_failed(input))
        fill(input);
    return input_failed(input) ? 0 : min_u64(bytes, input->end - input->at);
}

void input_take(struct input *input, size_t bytes)
{
    CHECK(bytes <= input->end - input->at);
    input->at += bytes;
    input->offset += bytes;
}

static bool is_packed(const struct input *input)
{
    static const unsigned char frame[] = { 0x28, 0xB5, 0x2F, 0xFD };
    static const unsigned char skipped[] = { 0x2A, 0x4D, 0x18 }; /* after 0x50 to 0x5F: pzstd */
    const char *begin = input->window + input->at;
    if (input->end - input->at < sizeof frame)
        return false;
    return memcmp(begin, frame, sizeof frame) == 0 ||
           ((unsigned char)*begin >> 4 == 5 && memcmp(begin + 1, skipped, sizeof skipped) == 0);
}

bool input_begin(struct input *input, FILE *file, const char *name)
{
    input->name = name;
    input->file = file;
    input->hash = hash_begin;
    input->line = 1;
    size_t got = read_raw(input, input->window, sizeof input->packed);
    input->end = got;
    input->ended = input->file_ended;
    if (!is_packed(input) || input_failed(input))
        return !input_failed(input);
    memcpy(input->packed, input->window, got);
    input->packed_end = got;
    input->end = 0;
    input->ended = false;
    input->zstd = ZSTD_createDCtx();
    if (!input->zstd ||
        ZSTD_isError(ZSTD_DCtx_setParameter(input->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
        return input_wrong(input, 0, "there is no memory to unpack it");
    return true;
}

void input_end(struct input *input)
{
    ZSTD_freeDCtx(input->zstd);
    input->zstd = NULL;
    text_free(&input->problem);
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The bytes of the next line with its break; 0 at the end or on an error. */
static size_t find_break(struct input *input, bool *broken)
{
    for (size_t want = 1 << 12;; want = min_u64(want * 4, INPUT_LINE_MAX + 1)) {
        size_t have = input_have(input, want);
        const char *begin = input->window + input->at;
        const char *found = have ? memchr(begin, '\n', have) : NULL;
        *broken = found != NULL;
        if (found)
            return (size_t)(found - begin) + 1;
        if (have < want || have > INPUT_LINE_MAX)
            return have;
    }
}

bool input_line(struct input *input, struct input_row *row)
{
    bool broken;
    size_t length = find_break(input, &broken);
    if (!length || input_failed(input))
        return false;
    *row = (struct input_row){ input->window + input->at, length - broken, input->line };
    if (length > INPUT_LINE_MAX)
        return input_row_wrong(input, row, (struct input_place){ 0, 1 },
                               "this line is longer than %d bytes: is it a text?", INPUT_LINE_MAX);
    const char *nul = memchr(row->text, '\0', row->length);
    if (nul)
        return input_row_wrong(input, row, (struct input_place){ (size_t)(nul - row->text), 1 },
                               "a byte 0 stands here, at byte %" PRIu64 ": this is no text",
                               input->offset + (uint64_t)(nul - row->text));
    row->length -= row->length && row->text[row->length - 1] == '\r';
    input->line++;
    input_take(input, length);
    return true;
}
