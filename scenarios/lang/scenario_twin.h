/* SPDX-License-Identifier: MIT */
/*
 * scenario_twin.h: the binary twin of a text: its bulk lines as numbers, which are read faster.
 *
 * Wherever a text is read a twin may stand, and says the same; messages show the lines of the text.
 * The format is in scenarios/lang/text/twin.h.
 */
#ifndef SCENARIOS_LANG_SCENARIO_TWIN_H
#define SCENARIOS_LANG_SCENARIO_TWIN_H

#include <stdbool.h>
#include <stddef.h>

bool scenario_is_twin(const char *bytes, size_t count);
/* Of any text of less than 4 GiB, right or wrong. For base_free(). */
char *scenario_pack(const char *text, size_t bytes, size_t *count);
/* The text of a twin, for base_free(). NULL: `problem` says why, after "this binary twin ". */
char *scenario_unpack(const char *twin, size_t count, size_t *bytes, char problem[160]);

#endif
