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
    vidmm_handle device;
    char label[LABEL_BYTES];
    bool bulk, named;
    name_key key;
};

/* The flags of an attribute as one word; false: there is none, and runner->problem says why. */
bool run_create_flags(struct runner *runner, const struct attribute *attribute,
                      enum vidmm_flag_set set, uint32_t *flags);

/* run_surface.c: attributes of surfaces. `*known` tells whether it is one; false: as above. */
bool run_surface_apply(struct runner *runner, const struct attribute *attribute,
                       struct creation *creation, bool *known);

#endif
