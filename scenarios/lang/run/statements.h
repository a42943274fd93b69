/* SPDX-License-Identifier: MIT */
/*
 * statements.h: private: the functions of statements.def, and what they have in common.
 */
#ifndef SCENARIOS_LANG_RUN_STATEMENTS_H
#define SCENARIOS_LANG_RUN_STATEMENTS_H

#include "scenarios/lang/session/session.h"

/* What the statements of a run keep from one to the next. */
struct steps {
    const struct statement **preamble; /* what stands in no test */
    size_t preamble_count, preamble_capacity;
    bool tests; /* there are some */

    const struct statement **classes;
    size_t class_count, class_capacity;
    uint64_t *marks;
    size_t mark_count, mark_capacity;
    struct always_block {
        const struct statement *statement;
        uint64_t every;
    } always[8];
    size_t always_count;
    bool in_always;

    struct vidmm_use *uses; /* of the present submission */
    size_t use_count, use_capacity;
    struct vidmm_patch *patches;
    size_t patch_count, patch_capacity;
    vidmm_handle *handle_list; /* of the present call */
    size_t handle_capacity;

    uint8_t *proved;                       /* by rule: came into play in an earlier test */
    uint64_t findings_told, warnings_told; /* of this adapter, that are in the result already */
};

/* run_member.c: an attribute as one number, by the kind that its row says. False: runner->problem
   says why there is none. */
bool run_value(struct runner *runner, const struct attribute *attribute, uint64_t *value);
/* A list of flags of the set and of numbers, or-ed; false: stopped. */
bool run_value_flag_list(struct runner *runner, const struct item *items, enum vidmm_flag_set set,
                         uint32_t *flags);

/* run_memory.c: the names of the statement as targets; false: something was told. */
bool run_memory_targets(struct runner *runner, const struct statement *statement);
/* The targets as a list, which has room for one more; it stands until the next statement. */
vidmm_handle *run_memory_handles(struct runner *runner);
/* The device that the attribute names, else the one of the first object. */
vidmm_handle run_memory_device(struct runner *runner, const struct statement *statement,
                               enum attribute_id id, vidmm_handle first);
/* run_gpu.c: a number, or the name of a node. */
bool run_gpu_node(struct runner *runner, const struct expr *expr, uint64_t *node);

/* expect_list.c */
void expect_list_events(struct runner *runner, const struct statement *statement);
void expect_list_map(struct runner *runner, const struct statement *statement);

/* state.c: what `state` is asked of; 0: the adapter. */
binding state_subject(struct runner *runner, const struct expr *subject);
/* A field of a state in words. */
void state_describe(const struct runner *runner, const struct vidmm_field *field, char *text,
                    size_t size);
/* A key of `state` as a field; false when the subject has no such key. */
bool state_keys_find(struct runner *runner, binding subject, const char *key,
                     struct vidmm_field *field, char *text, size_t bytes);

/* statements.def */
typedef void run_kind(struct runner *runner, const struct statement *statement);
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) run_kind run;
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT

#endif
