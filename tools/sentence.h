/* SPDX-License-Identifier: MIT */
/*
 * sentence.h: the sentence that a pattern makes of an event.
 *
 *     {name}         a field that is a word or a text; or `who` (the subject), `event`, `segment`,
 *                    `node`, `offset`, and `buffer` ("frame1 (fence 7)")
 *     {form name}    a number: `number`, `hex`, `hex8`, `size`, `span`, `offset`, `status`, or
 *                    `allocation-flags`
 *     {fields N}     ": " and the fields from number N on as "name=value, ..."; `more` begins with
 * ", " {name/table}   what the table of narrate.def says for this word, itself a pattern [test?a|b]
 * a if the test holds, else b, which may be missing: `name` (neither 0 nor ""), `name=value`, or
 * `name>value`
 *
 * A field that the event lacks is 0 or "".
 */
#ifndef TOOLS_SENTENCE_H
#define TOOLS_SENTENCE_H

#include "tools/narrate.h"

/* An event while it is told. */
struct tale {
    struct narrator *narrator;
    const struct vidmm_event *event;
    struct text *out;
};

/* 0 or "" when the event has no such field. */
uint64_t tale_number(const struct tale *tale, const char *name);
const char *tale_word(const struct tale *tale, const char *name);
bool tale_is(const struct tale *tale, const char *name, const char *value);
/* "frame1", "a paging buffer" or "a packet", and its fence. */
void tale_add_buffer(const struct tale *tale);
/* " was submitted to node 0", in a link " ... of adapters 0 and 2"; then `after`. */
void tale_add_target(const struct tale *tale, const char *after);
/* Fields from number `from` on, `before` in front of the first. */
void tale_add_fields(const struct tale *tale, size_t from, const char *before);

void sentence_add(const struct tale *tale, const char *pattern);

#endif
