/* SPDX-License-Identifier: MIT */
/* spell.h: numbers, statuses and events as messages spell them. */
#ifndef SCENARIOS_LANG_TEXT_SPELL_H
#define SCENARIOS_LANG_TEXT_SPELL_H

#include "scenarios/lang/text/text.h"

/* A plain number, "4 MiB (0x400000)", "2 ms (2000000 ns)". */
const char *spell_value(uint64_t value, enum unit unit, char *text, size_t size);
const char *spell_bytes(uint64_t bytes, char *text, size_t size);
const char *spell_status(vidmm_status status, char *text, size_t size);
/* "event 38, finding vram: TEXT (RULE)"; does not ask the adapter, so observers may call it. */
void spell_event(const struct vidmm_event *event, char *text, size_t size);

#endif
