/* SPDX-License-Identifier: MIT */
/*
 * twin.c: the text that a binary twin stands for.
 *
 * A twin is looked at completely before anything of it is used, because its author may be unknown:
 * a form that the scanner would read otherwise, a column that is too short or a length that is
 * wrong would make a text other than the one that was packed. The lines of records are written
 * into the text when somebody wants to read them; a quiet run never does.
 */
#include "scenarios/lang/text/twin.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Transfers that are not binary change these bytes. */
const char twin_magic[8] = { '\x8A', 'V', 'M', 'B', '\r', '\n', '\x1A', '\n' };

/* A number has ten digits at most. */
#define RECORD_BYTES_MOST (UINT64_C(10) * FORM_BYTES_MAX + 1)

enum { PROBLEM_BYTES = 160 };

struct reader {
    const char *bytes;
    size_t count, at;
    struct twin *twin;
    char *problem; /* PROBLEM_BYTES of it */
};

bool twin_is(const char *bytes, size_t count)
{
    return count >= sizeof twin_magic && memcmp(bytes, twin_magic, sizeof twin_magic) == 0;
}

/* ---- the check ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* Four lanes, so that no multiplication waits for another. */
static uint64_t hash_bytes(const char *bytes, size_t count)
{
    uint64_t lanes[4] = { 1, 2, 3, 4 };
    uint64_t words[4];
    uint64_t hash = count;
    size_t whole = count - count % sizeof words;
    for (size_t at = 0; at < whole; at += sizeof words) {
        memcpy(words, bytes + at, sizeof words);
        for (size_t i = 0; i < 4; i++)
            lanes[i] = mix(lanes[i], words[i]);
    }
    memset(words, 0, sizeof words);
    memcpy(words, bytes + whole, count - whole);
    for (size_t i = 0; i < 4; i++)
        hash = mix(mix(hash, lanes[i]), words[i]);
    return hash;
}

static uint64_t twin_check(const char *bytes, size_t count)
{
    size_t before = offsetof(struct twin_header, check);
    size_t after = sizeof(struct twin_header);
    return mix(hash_bytes(bytes, before), hash_bytes(bytes + after, count - after));
}

void twin_seal(char *bytes, size_t count)
{
    uint64_t whole = count;
    CHECK(count >= sizeof(struct twin_header));
    memcpy(bytes + offsetof(struct twin_header, bytes), &whole, sizeof whole);
    uint64_t check = twin_check(bytes, count);
    memcpy(bytes + offsetof(struct twin_header, check), &check, sizeof check);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A packer would not write this here. */
VIDMM_PRINTF(2, 3) static bool wrong(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    size_t length =
        (size_t)snprintf(reader->problem, PROBLEM_BYTES, "is damaged at byte %zu: ", reader->at);
    va_start(arguments, format);
    (void)vsnprintf(reader->problem + length, PROBLEM_BYTES - length, format, arguments);
    va_end(arguments);
    return false;
}

/* As a whole it is not what was written. */
VIDMM_PRINTF(2, 3) static bool wrong_whole(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reader->problem, PROBLEM_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

/* NULL: so many bytes are not left. */
static const char *take(struct reader *reader, uint64_t bytes)
{
    const char *at = reader->bytes + reader->at;
    if (bytes > reader->count - reader->at) {
        (void)wrong(reader, "%" PRIu64 " bytes were expected here, and %zu are left", bytes,
                    reader->count - reader->at);
        return NULL;
    }
    reader->at += bytes;
    return at;
}

static bool align(struct reader *reader)
{
    return reader->at % 4 == 0 || take(reader, 4 - reader->at % 4) != NULL;
}

/* The scanner has to see the same form, whatever the numbers are. */
static bool is_form(const struct twin_form *form)
{
    static const uint32_t ones = 1;
    char line[2 * FORM_BYTES_MAX];
    char again[FORM_BYTES_MAX + 1];
    uint32_t found[FORM_BYTES_MAX + 1];
    char *end = line;
    for (uint32_t i = 0; i < form->length; i++) {
        char next = i + 1 < form->length ? form->text[i + 1] : '\n';
        bool hole = form->text[i] == FORM_HOLE;
        if (hole && (next | 32) == 'x') /* 0x */
            return false;
        end = hole ? form_render(end, form->text + i, 1, &ones) - 1 : end;
        if (!hole)
            *end++ = form->text[i];
    }
    *end++ = '\n';
    struct form_scan scan = { line, end, again, again + FORM_BYTES_MAX, found };
    return form_begins(line, end) && form_scan(&scan) && scan.at == end - 1 &&
           scan.out - again == (ptrdiff_t)form->length &&
           memcmp(again, form->text, form->length) == 0;
}

static bool read_form(struct reader *reader, struct twin_form *form)
{
    uint32_t length;
    const char *at = take(reader, sizeof length);
    if (!at)
        return false;
    memcpy(&length, at, sizeof length);
    if (length > FORM_BYTES_MAX)
        return wrong(reader, "a form of %" PRIu32 " bytes", length);
    at = take(reader, length);
    if (!at)
        return false;
    *form = (struct twin_form){ .text = at, .length = length };
    for (uint32_t i = 0; i < length; i++)
        form->holes += at[i] == FORM_HOLE;
    return is_form(form) || wrong(reader, "this is no form of a line");
}

static bool read_forms(struct reader *reader, uint32_t count)
{
    struct twin *twin = reader->twin;
    if (count > TWIN_FORMS_MAX || count > reader->count / 8)
        return wrong(reader, "%" PRIu32 " forms", count);
    twin->forms = base_alloc(count, sizeof *twin->forms);
    for (; twin->form_count < count; twin->form_count++)
        if (!read_form(reader, &twin->forms[twin->form_count]))
            return false;
    return align(reader);
}

static uint32_t number_at(const struct twin_gap *gap, uint64_t index)
{
    uint32_t number;
    memcpy(&number, gap->numbers + index * sizeof number, sizeof number);
    return number;
}

/* The forms, numbers and lines of the records are as many as the part says. */
static bool check_gap(struct reader *reader, const struct twin_gap *gap, uint32_t numbers)
{
    const struct twin *twin = reader->twin;
    uint64_t bytes = 0;
    uint64_t used = 0;
    for (uint32_t i = 0; i < gap->records; i++) {
        uint32_t number = twin_form_of(gap, i);
        if (number >= twin->form_count)
            return wrong(reader,
                         "record %" PRIu32 " of the part before has the form %" PRIu32 " of %zu",
                         i + 1, number, twin->form_count);
        const struct twin_form *form = &twin->forms[number];
        if (form->holes > numbers - used)
            return wrong(reader, "the part before has too few numbers for its records");
        bytes += form->length - form->holes + 1;
        for (uint32_t j = 0; j < form->holes; j++)
            bytes += form_digits(number_at(gap, used + j));
        used += form->holes;
    }
    if (used != numbers || bytes != gap->to - gap->from)
        return wrong(reader,
                     "the part before has %" PRIu64 " numbers and %" PRIu64
                     " bytes of lines, and says otherwise",
                     used, bytes);
    return true;
}

static bool read_gap(struct reader *reader, const struct twin_part *part, uint32_t from)
{
    struct twin *twin = reader->twin;
    if (!part->records)
        return part->record_bytes || part->numbers ? wrong(reader, "a part without records") : true;
    if (from == 0 || twin->text[from - 1] != '\n')
        return wrong(reader, "records begin in the middle of a line");
    struct twin_gap gap = { .from = from,
                            .to = from + part->record_bytes,
                            .records = part->records,
                            .width = part->width,
                            .form = part->form };
    gap.forms = take(reader, (uint64_t)part->records * part->width);
    if (!gap.forms || !align(reader))
        return false;
    gap.numbers = take(reader, (uint64_t)part->numbers * sizeof(uint32_t));
    if (!gap.numbers || !check_gap(reader, &gap, part->numbers))
        return false;
    BASE_GROW(twin->gaps, twin->gap_capacity, twin->gap_count + 1);
    twin->gaps[twin->gap_count++] = gap;
    return true;
}

/* Its bytes are all there: measure_parts() saw them. */
static bool read_part(struct reader *reader, uint32_t *from)
{
    struct twin_part part;
    memcpy(&part, take(reader, sizeof part), sizeof part);
    memcpy(reader->twin->text + *from, take(reader, part.verbatim), part.verbatim);
    *from += part.verbatim;
    if (!read_gap(reader, &part, *from))
        return false;
    *from += part.record_bytes;
    return align(reader);
}

/* Is the text as long as the header says? So no memory is asked for that the bytes do not warrant.
 */
static bool measure_parts(struct reader *reader, uint32_t parts, uint64_t text_bytes)
{
    size_t begin = reader->at;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < parts; i++) {
        struct twin_part part;
        const char *at = take(reader, sizeof part);
        if (!at)
            return false;
        memcpy(&part, at, sizeof part);
        if (part.width > 2)
            return wrong(reader, "a form in %" PRIu32 " bytes", part.width);
        if (!take(reader, part.verbatim) || !take(reader, (uint64_t)part.records * part.width) ||
            !align(reader) || !take(reader, (uint64_t)part.numbers * sizeof(uint32_t)))
            return false;
        if (part.records > part.numbers || part.record_bytes > part.records * RECORD_BYTES_MOST)
            return wrong(reader, "the part before says otherwise of its records");
        bytes += (uint64_t)part.verbatim + part.record_bytes;
    }
    reader->at = begin;
    return bytes == text_bytes || wrong(reader,
                                        "its parts have %" PRIu64 " bytes of text, and the "
                                        "header says %" PRIu64,
                                        bytes, text_bytes);
}

/* What happened to a file is told apart: another version, cut off, longer, changed. */
static bool read_header(struct reader *reader, struct twin_header *header)
{
    if (reader->count < sizeof *header)
        return wrong_whole(reader, "ends early: it has %zu bytes, and its header alone has %zu",
                           reader->count, sizeof *header);
    memcpy(header, take(reader, sizeof *header), sizeof *header);
    if (header->version != TWIN_VERSION)
        return wrong_whole(reader,
                           "is of version %" PRIu32
                           ", this program knows version %d: make it again with `vidmm convert`",
                           header->version, TWIN_VERSION);
    if (header->bytes > reader->count)
        return wrong_whole(reader, "ends early: it has %zu of %" PRIu64 " bytes", reader->count,
                           header->bytes);
    if (header->bytes < reader->count)
        return wrong_whole(reader, "has %zu bytes, and ends after %" PRIu64, reader->count,
                           header->bytes);
    if (header->check != twin_check(reader->bytes, reader->count))
        return wrong_whole(reader, "is damaged: its bytes are not those that were written");
    return header->text_bytes < UINT32_MAX ||
           wrong_whole(reader, "is damaged: a scenario is at most 4 GiB long");
}

static bool read_twin(struct reader *reader)
{
    struct twin_header header;
    struct twin *twin = reader->twin;
    uint32_t from = 0;
    if (!read_header(reader, &header))
        return false;
    if (!read_forms(reader, header.forms) ||
        !measure_parts(reader, header.parts, header.text_bytes))
        return false;
    twin->text_bytes = (uint32_t)header.text_bytes;
    twin->text = base_alloc(twin->text_bytes + (size_t)1, 1);
    for (uint32_t i = 0; i < header.parts; i++)
        if (!read_part(reader, &from))
            return false;
    if (reader->at != reader->count)
        return wrong(reader, "nothing was expected here, and %zu bytes follow",
                     reader->count - reader->at);
    return true;
}

struct twin *twin_open(const char *bytes, size_t count, char problem[PROBLEM_BYTES])
{
    struct twin *twin = base_alloc(1, sizeof *twin);
    struct reader reader = { .bytes = bytes, .count = count, .twin = twin, .problem = problem };
    if (read_twin(&reader))
        return twin;
    twin_free(twin);
    return NULL;
}

void twin_free(struct twin *twin)
{
    if (!twin)
        return;
    base_free(twin->forms);
    base_free(twin->gaps);
    base_free(twin->text);
    base_free(twin);
}

uint32_t twin_line_bytes(const struct twin_form *form, const char *numbers)
{
    uint32_t bytes = form->length - form->holes + 1;
    for (uint32_t i = 0; i < form->holes; i++) {
        uint32_t number;
        memcpy(&number, numbers + i * sizeof number, sizeof number);
        bytes += form_digits(number);
    }
    return bytes;
}

char *twin_render(const struct twin *twin, const struct twin_gap *gap, uint32_t record,
                  size_t *number, char *to)
{
    uint32_t numbers[FORM_BYTES_MAX];
    const struct twin_form *form = &twin->forms[twin_form_of(gap, record)];
    memcpy(numbers, gap->numbers + *number * sizeof *numbers, form->holes * sizeof *numbers);
    *number += form->holes;
    return form_render(to, form->text, form->length, numbers);
}

void twin_complete(struct twin *twin)
{
    if (twin->complete)
        return;
    twin->complete = true;
    for (size_t i = 0; i < twin->gap_count; i++) {
        const struct twin_gap *gap = &twin->gaps[i];
        size_t number = 0;
        char *at = twin->text + gap->from;
        for (uint32_t j = 0; j < gap->records; j++)
            at = twin_render(twin, gap, j, &number, at);
        CHECK(at == twin->text + gap->to);
    }
}
