/* SPDX-License-Identifier: MIT */
/*
 * creation.h: private: one creation call as a scenario writes it. run_create.c knows
 * the members of each allocation, run_call.c those of the call.
 */
#ifndef SCENARIOS_LANG_RUN_CREATION_H
#define SCENARIOS_LANG_RUN_CREATION_H

#include "scenarios/lang/run/statements.h"

enum { CREATION_LABEL_BYTES = 80, CREATIONS_MAX = 4096 };

/* One allocation to be made. */
struct creation {
    struct vidmm_mock_allocation answer;
    struct vidmm_allocation_args args;
    struct vidmm_standard standard; /* type 0: none */
    struct vidmm_mock_standard described;
    vidmm_handle context; /* the driver makes it for this one, or for the device */
    bool across_contexts;
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

/* The bits of a list of names and numbers; false: runner->problem says why there are none. */
bool run_create_flags(struct runner *runner, const struct attribute *attribute,
                      enum vidmm_flag_set set, uint32_t *flags);

/* A name of a set as its value, or a number. */
bool run_create_named(struct runner *runner, const struct expr *expr, enum vidmm_flag_set set,
                      uint32_t *number);
/* A list of flags of the set and of numbers, or-ed; `attribute` may be NULL. False: stopped. */
bool run_flags(struct runner *runner, const struct attribute *attribute, enum vidmm_flag_set set,
               uint32_t *flags);

/* run_context.c: the driver makes it; as run_call_make(). */
vidmm_status run_context_make(struct runner *runner, const struct creation_call *call,
                              const struct creation *creation);

/* run_surface.c: what a standard allocation starts from, before its attributes. */
void run_surface_begin(struct runner *runner, const struct statement *class,
                       const struct statement *statement, struct creation *creation);
/* And what it ends with: the mock is told what to answer. */
void run_surface_end(struct runner *runner, struct creation *creation);
/* The same for a surface made of existing memory; what is not written is the mock's usual answer.
 */
void run_surface_end_heap(struct runner *runner, struct creation *creation);

enum applied { APPLIED, APPLIED_NOT_MINE, APPLIED_WRONG };

/* run_call.c: a member of D3DKMT_CREATEALLOCATION, on `create`, `class` or `resource`. */
enum applied run_call_apply(struct runner *runner, const struct attribute *attribute,
                            struct creation_call *call);
/* Makes the call; the new allocations get their names. */
vidmm_status run_call_make(struct runner *runner, struct creation_call *call, struct creation *list,
                           size_t count);
/* run_surface.c: attributes of surfaces. `*known` tells whether it is one; false: as above. */
bool run_surface_apply(struct runner *runner, const struct attribute *attribute,
                       struct creation *creation, bool *known);
/* Those that are one number; false: it is none. */
bool run_surface_number(enum attribute_id id, uint32_t value, struct creation *creation);

/* A segment set, and a preference in its documented layout. */
uint32_t run_create_segments(const struct runner *runner, const struct attribute *attribute);
uint32_t run_create_preferences(const struct runner *runner, const struct attribute *attribute);

#endif
