/* SPDX-License-Identifier: MIT */
/*
 * twin.h: forms of bulk lines, and the binary twin of a text that has many of them.
 *
 * A twin stands for one text, byte by byte. It has the text's bulk lines as numbers of forms and
 * columns of their values, and everything else as it is:
 *
 *     header   64 bytes: struct twin_header
 *     forms    for each: u32 length, and its text with '#' for each number; then up to a multiple
 *              of 4 bytes
 *     parts    for each: struct twin_part; `verbatim` bytes of text; the form of each record, in
 *              `width` bytes (0: all have `form`); up to a multiple of 4; u32 for each number
 *
 * All numbers are little endian. A record is a line: its form with the numbers in decimal, and a
 * line break.
 */
#ifndef SCENARIOS_LANG_TEXT_TWIN_H
#define SCENARIOS_LANG_TEXT_TWIN_H

#include "vidmm/base/base.h"

/* ---- forms: form.c --------------------------------------------------------------------------- */

enum { FORM_BYTES_MAX = 4096, FORM_HOLE = '#' /* begins a comment, so it is in no form */ };

/* Reads and writes of one line; there is room for FORM_BYTES_MAX numbers. */
struct form_scan {
    const char *at, *end;
    char *out, *out_end;
    uint32_t *found;
};

/* Whether the line begins with a word and a bulk handle. */
bool form_begins(const char *at, const char *end);
/* Takes the numbers out of the line. False: this line has no form. */
bool form_scan(struct form_scan *scan);
/* Has it this form? Its numbers are found then, and `at` is where form_scan() leaves it. */
bool form_matches(struct form_scan *scan, const char *form, size_t length);
uint32_t form_hash(const char *text, size_t length);
enum { FORM_KEY_BITS = 6 };
/* Of the first five characters of a line; it may be another one's too. */
unsigned form_key(const char *begin, const char *end);
uint32_t form_digits(uint32_t number);
/* The line with its break; where it ends. */
char *form_render(char *to, const char *form, size_t length, const uint32_t *numbers);

/* ---- twins: twin.c --------------------------------------------------------------------------- */

enum { TWIN_VERSION = 2, TWIN_FORMS_MAX = 65535 };

extern const char twin_magic[8];

struct twin_header {
    char magic[8];
    uint32_t version, forms, parts, unused;
    uint64_t text_bytes, records, numbers;
    uint64_t bytes; /* of the whole twin */
    uint64_t check; /* of all other bytes */
};

struct twin_part {
    uint32_t verbatim, records, record_bytes; /* of the records' lines */
    uint32_t numbers, width, form;
};

struct twin_form {
    const char *text;
    uint32_t length, holes;
};

/* Records that follow each other, and the room that their lines have in the text. */
struct twin_gap {
    uint32_t from, to;
    uint32_t records, width, form;
    const char *forms, *numbers; /* not aligned */
};

struct twin {
    struct twin_form *forms;
    size_t form_count;
    struct twin_gap *gaps;
    size_t gap_count, gap_capacity;
    char *text; /* whole but for its gaps, until twin_complete() */
    uint32_t text_bytes;
    bool complete;
};

bool twin_is(const char *bytes, size_t count);
/* Everything is looked at. The bytes have to outlive it. NULL: `problem` says why, after
 * "this binary twin ". */
struct twin *twin_open(const char *bytes, size_t count, char problem[160]);
void twin_free(struct twin *twin);
/* Writes the lines of all records into the text. */
void twin_complete(struct twin *twin);
/* Writes the line of one record, whose numbers begin at *number; where it ends. */
char *twin_render(const struct twin *twin, const struct twin_gap *gap, uint32_t record,
                  size_t *number, char *to);
/* Of the line of one record, with its break. */
uint32_t twin_line_bytes(const struct twin_form *form, const char *numbers);
/* Writes into the header how many bytes there are, and their check. */
void twin_seal(char *bytes, size_t count);

static inline uint32_t twin_form_of(const struct twin_gap *gap, uint32_t record)
{
    const unsigned char *forms = (const unsigned char *)gap->forms;
    if (gap->width == 0)
        return gap->form;
    return gap->width == 1 ? forms[record]
                           : forms[2 * record] | (uint32_t)forms[2 * record + 1] << 8;
}

/* twin_pack.c: the twin of a text of less than 4 GiB, for base_free(). */
char *twin_pack(const char *text, size_t bytes, size_t *count);

#endif
