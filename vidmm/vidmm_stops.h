/* SPDX-License-Identifier: MIT */
/*
 * vidmm_stops.h: stop codes and live dumps in words.
 *
 * What a code and its first parameter mean, who brings it about and by which switch of the mock it
 * can be provoked stands once, in the tables of the rules BUG-002 to BUG-005; these functions read
 * the rows. Constant data, may be used from any thread.
 */
#ifndef VIDMM_STOPS_H
#define VIDMM_STOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vidmm/vidmm_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stop or a dump. Texts are cut, never longer than their arrays; "": the row leaves it out. */
struct vidmm_stop {
    uint32_t code;
    enum vidmm_rule rule; /* whose table has the row */
    char name[48];        /* "VIDEO_MEMORY_MANAGEMENT_INTERNAL" */
    char kind[16];        /* "bug check", or "live dump": a record, after which all goes on */
    char meaning[120];    /* in plain words; codes without subcodes have none */
    char raised[160];     /* "driver", "caller", "check" (self-check), "no" (never), and more */
    char trigger[160];    /* in the simulator: rule ids and words */
};

/*
 * The row of a code and, for codes with subcodes, of its first parameter. False when no table has
 * it; `stop` then holds the code and, if the code is known, rule and name.
 */
bool vidmm_stop(uint32_t code, uint64_t parameter, struct vidmm_stop *stop);

/*
 * The `index`-th row of a code with subcodes; `numbers` is what its first cell says ("0xB", "0x2B
 * to 0x2E"). False behind the last, and for codes without.
 */
bool vidmm_stop_row(uint32_t code, size_t index, char numbers[40], struct vidmm_stop *stop);

/*
 * Scenarios that end in this stop, or write this dump, as files with ", " between; the parameter
 * counts for codes with subcodes only. The `index`-th such list; NULL behind the last.
 */
const char *vidmm_stop_shown_by(uint32_t code, uint64_t parameter, size_t index);

/* A row of BUG-005 whose record is this code and parameter: how the mock provokes it. */
struct vidmm_stop_switch {
    char name[64], effect[80];
};

/* The `index`-th such row; false behind the last. */
bool vidmm_stop_switch(uint32_t code, uint64_t parameter, size_t index,
                       struct vidmm_stop_switch *row);

#ifdef __cplusplus
}
#endif
#endif
