/* SPDX-License-Identifier: MIT */
/*
 * sentence.h: the sentence that a pattern makes of an event.
 *
 *     {name}         a field that is a word or a text; or `who` (the subject), `event`, `segment`,
 *                    `node`, `offset`, and `buffer` ("frame1 (fence 7)")
 *     {form name}    a number: `number`, `hex`, `hex8`, `size`, `span`, `offset`, `status`, or
 *                    `allocation-flags`
 *     {name/table}   what the table of narrate.def says for this word, itself a pattern
 *     [test?a|b]     a if the test holds, else b, which may be missing: `name` (neither 0 nor ""),
 *                    `name=value`, or `name>value`
 *
 * A field that the event lacks is 0 or "".
 */
#ifndef TOOLS_SENTENCE_H
#define TOOLS_SENTENCE_H

#include "tools/tale.h"

void sentence_add(const struct tale *tale, const char *pattern);

#endif
