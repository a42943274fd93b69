/* SPDX-License-Identifier: MIT */
/*
 * source.h: private: lines, columns and characters of a text.
 */
#ifndef SCENARIOS_LANG_TEXT_SOURCE_H
#define SCENARIOS_LANG_TEXT_SOURCE_H

#include "scenarios/lang/text/text.h"

struct line_view source_line(struct source *source, uint32_t offset);
/* Columns count characters, from 1. */
uint32_t source_column(const struct source *source, const struct line_view *line, uint32_t offset);
/* Bytes of the UTF-8 sequence at `text`, 0 when it is none. */
size_t source_character(const char *text, size_t bytes);
/* Does this character steer a terminal, or the direction of writing? A tab does not. */
bool source_is_control(const char *text, size_t length, uint32_t *code);
#endif
