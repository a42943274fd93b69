/* SPDX-License-Identifier: MIT */
/*
 * text.h: sentences under construction, numbers as people read them.
 *
 * Every number is exact: 1536 KiB is "1.5 MiB", 100000 bytes are "100000 bytes" and never "98 KiB".
 */
#ifndef TOOLS_COMMON_TEXT_H
#define TOOLS_COMMON_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "vidmm/base/base.h"
#include "vidmm/vidmm_types.h"

/* Grows as needed; {0} is an empty one. `bytes` is always 0-terminated once something was added. */
struct text {
    char *bytes;
    size_t length, capacity;
};

VIDMM_PRINTF(2, 3) void text_add(struct text *text, const char *format, ...);
void text_add_bytes(struct text *text, const char *bytes, size_t count);
void text_add_string(struct text *text, const char *string);
void text_add_number(struct text *text, uint64_t number);
void text_add_spaces(struct text *text, int count); /* none if it is negative */
/* As a shell reads it, on one line; a control character becomes '?'. */
void text_add_word(struct text *text, const char *word);
bool text_is_plain(const char *word); /* no control characters, but for tabs */
void text_clear(struct text *text);
void text_free(struct text *text);
const char *text_get(const struct text *text);             /* "" for an empty one */
void text_put(FILE *out, const char *bytes, size_t count); /* one thread writes: without a lock */

/* A short answer by value: use as text_size(n).it inside one expression. */
struct text_short {
    char it[72];
};

VIDMM_PRINTF(1, 2) struct text_short text_print(const char *format, ...);
struct text_short text_number(uint64_t number);
void text_short_add(struct text_short *said, const char *string); /* as much as there is room for */
enum { TEXT_DIGITS = 20 };
/* How many are they? There is no 0 after them. */
size_t text_digits(char digits[static TEXT_DIGITS], uint64_t number);
struct text_short text_size(uint64_t bytes);
struct text_short text_offset(uint64_t offset);                 /* "0", or "24 MiB = 0x1800000" */
struct text_short text_count(uint64_t count, const char *what); /* "1 page", "2 pages" */
const char *text_between(uint64_t before, uint64_t after);      /* before an item of "a, b and c" */
/* A point in time, always in microseconds with three decimals, so that columns line up. */
struct text_short text_time(vidmm_ns ns);
/* A span of time, in the same unit, so that it can be added: "0.5 us", "1005 us". */
struct text_short text_span(vidmm_ns ns);

/* Reads "12", "0x10", "64K", "24 MiB"; false when that is not all of it or it does not fit. */
bool text_read_size(const char *word, uint64_t *value);
/* Reads "500", "500ns", "1.5us", "2ms", "3s". */
bool text_read_time(const char *word, vidmm_ns *value);

bool text_listed(const char *words, const char *word); /* it stands in "a|b|c" */
#define TEXT_NO_UTF8 "\xEF\xBF\xBD"                    /* U+FFFD, for bytes that are no UTF-8 */
/* The next line without its end; `whole`: there was room for all of it. A byte 0, which would end
   it early, becomes U+FFFD. False: there is none. */
bool text_read_line(FILE *in, char *line, size_t size, bool *whole);
/* The length of the UTF-8 character that begins here, at least one of `count` bytes; 0: none. */
size_t text_utf8(const char *bytes, size_t count);
/* As text of XML 1.0, between tags or in an attribute: what XML does not allow, and what is no
   UTF-8, becomes U+FFFD; line ends and tabs become references, because an attribute would lose
   them. */
void text_add_xml(struct text *text, const char *bytes, size_t count);
void text_put_xml(FILE *out, const char *text);
bool text_is_letter(char c); /* of a name: a letter, a digit or '_' */

/* The candidate that looks most like a word. */
struct text_likeness {
    const char *word;
    size_t least;     /* a candidate is less far (words_distance()) */
    const char *best; /* NULL while none is near enough */
};
struct text_likeness text_likeness(const char *word);
void text_liken(struct text_likeness *likeness, const char *candidate);

#endif
