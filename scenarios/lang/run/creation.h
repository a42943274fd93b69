/* SPDX-License-Identifier: MIT */
/*
 * creation.h: private: one creation call as a scenario writes it.
 */
#ifndef SCENARIOS_LANG_RUN_CREATION_H
#define SCENARIOS_LANG_RUN_CREATION_H

#include "scenarios/lang/run/statements.h"

enum { CREATION_LABEL_BYTES = 80, CREATIONS_MAX = 4096, PRIVATE_BYTES_MAX = 64 * 1024 };

/* One allocation to be made. */
struct creation {
    struct vidmm_mock_allocation answer;
    struct vidmm_allocation_args args;
    struct vidmm_standard standard; /* type 0: none */
    struct vidmm_mock_standard described;
    vidmm_handle context; /* the driver makes it for this one, or for the device */
    bool for_context, across_contexts;
    char label[CREATION_LABEL_BYTES];
    bool flagged, placed; /* its flags, its segment sets are written */
    bool bulk, named;
    name_key key;
};

/* The call that makes them. */
struct creation_call {
    struct vidmm_creation_args args;
    struct vidmm_standard_args standard;
    bool sized;            /* ExistingHeapData.Size is given: else it is that of the allocation */
    bool null_description; /* pStandardAllocation=0 */
    bool counted;          /* NumAllocations is given */
    uint64_t claimed;
};

/* run_member.c: what a standard allocation starts from, before its attributes. */
void run_surface_begin(struct runner *runner, const struct statement *class,
                       const struct statement *statement, struct creation *creation);
/* And what it ends with: the mock is told what to answer. */
void run_surface_end(struct runner *runner, struct creation *creation);
/* The same for a surface made of existing memory; what is not written is the mock's usual answer.
 */
void run_surface_end_heap(struct runner *runner, struct creation *creation);

/* An attribute of `create`, `class` or `resource`, which has no creation: NULL.
   False: runner->problem says why not. */
bool run_member_apply(struct runner *runner, const struct attribute *attribute,
                      struct creation *creation, struct creation_call *call);

#endif
