/* SPDX-License-Identifier: MIT */
/* run_create.h: one creation on its way from a statement to a call. Private to run_*.c. */
#ifndef SCENARIOS_LANG_RUN_CREATE_H
#define SCENARIOS_LANG_RUN_CREATE_H

#include "scenarios/lang/run.h"

enum { LABEL_BYTES = 80 };

/* One allocation to be made. */
struct creation {
    struct vidmm_mock_allocation answer;
    struct vidmm_allocation_args args;
    struct vidmm_standard standard; /* type 0: none */
    struct vidmm_mock_standard described;
    vidmm_handle device;
    char label[LABEL_BYTES];
    bool bulk, named;
    name_key key;
};

/* The flags of an attribute as one word; false: there is none, and runner->problem says why. */
bool run_create_flags(struct runner *runner, const struct attribute *attribute,
                      enum vidmm_flag_set set, uint32_t *flags);

/* A name of a set as its value, or a number. */
bool run_create_named(struct runner *runner, const struct expr *expr, enum vidmm_flag_set set,
                      uint32_t *number);

/* run_surface.c: what a standard allocation starts from, before its attributes. */
void run_surface_begin(struct runner *runner, const struct statement *class,
                       const struct statement *statement, struct creation *creation);
/* And what it ends with: the mock is told what to answer. */
void run_surface_end(struct runner *runner, struct creation *creation);
/* Attributes of surfaces. `*known` tells whether it is one; false: as above. */
bool run_surface_apply(struct runner *runner, const struct attribute *attribute,
                       struct creation *creation, bool *known);
/* Those that are one number; false: it is none. */
bool run_surface_number(enum attribute_id id, uint32_t value, struct creation *creation);

#endif
