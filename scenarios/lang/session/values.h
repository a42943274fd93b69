/* SPDX-License-Identifier: MIT */
/*
 * values.h: private: what names are bound to and expressions are worth.
 *
 * What a name is bound to is one 64-bit value: the object, a handle or number, and 28 bits beside
 * it.
 */
#ifndef SCENARIOS_LANG_SESSION_VALUES_H
#define SCENARIOS_LANG_SESSION_VALUES_H

#include "scenarios/lang/syntax/syntax.h"

struct runner;

/* Packed: object 4 bits, extra 28, number 32. 0: not bound. */
typedef uint64_t binding;

/* A handle that no object has: what an unknown name stands for. */
#define RUN_NO_HANDLE UINT32_C(0x00FFFFFF)
/* `extra` of an instance, and of what was opened: it is none of the live allocations. */
enum { NO_POSITION = 0x0FFFFFFF };

struct live_allocation {
    vidmm_handle handle;   /* the instance that its name means */
    vidmm_handle original; /* the one that was created */
    name_key key;
    bool bulk; /* key is a bulk handle */
};

/* A handle that `open` gave, and the handle of the same in events. Sorted by handle. */
struct opened_handle {
    vidmm_handle handle, identity;
};

/* Output members of calls: `known` are those that the last call gave back. */
struct outs {
    uint64_t value[OUTS];
    bool known[OUTS];
    uint32_t *results; /* of a reclaim, for each element */
    size_t result_count, result_capacity;
};

/* bindings.c */
binding bindings_make(enum object object, uint32_t extra, uint32_t number);
enum object bindings_object(binding value);
uint32_t bindings_number(binding value);
/* The bit of a segment in a documented segment set; 0: no set can name it. */
static inline uint32_t bindings_segment_bit(binding segment)
{
    uint32_t id = bindings_number(segment);
    return id >= 1 && id <= 32 ? 1u << (id - 1) : 0;
}
uint32_t bindings_extra(binding value);
binding bindings_get(const struct runner *runner, bool bulk, name_key key);
void bindings_set(struct runner *runner, bool bulk, name_key key, binding value);
void bindings_name(struct runner *runner, word name, enum object object, uint32_t number);
/* watches.c: the name stands for this from now on. */
void watches_bound(struct runner *runner, name_key key, binding value);
binding bindings_of_word(const struct runner *runner, word name);
/* The handle by which events name what an opened handle names. */
vidmm_handle bindings_identity(const struct runner *runner, vidmm_handle handle);
/* Has the device of this handle closed what others still have open? */
bool bindings_is_closed(const struct runner *runner, vidmm_handle handle);
/* The device has opened what events call `identity`. */
void bindings_open(struct runner *runner, vidmm_handle handle, vidmm_handle identity);

/* live.c: a live allocation, found again by `any`. */
void live_add(struct runner *runner, bool bulk, name_key key, vidmm_handle handle);
/* A lock gave `target` the instance: its name means that from now on. */
void live_follow(struct runner *runner, binding target, vidmm_handle instance);
void live_drop(struct runner *runner, size_t index);
/* Forgets allocations that went with their owner. */
void live_sweep(struct runner *runner);
/* What failed may have ended allocations without a report: the next sweep looks at all. */
void live_doubt(struct runner *runner);
/* Picks `count` live allocations into the targets; fewer when there are fewer. */
void live_pick(struct runner *runner, uint64_t count);
void live_reset(struct runner *runner);
/* The first of the observers, ahead of `next`: it hears what is destroyed. */
struct vidmm_observer *live_attach(struct runner *runner, struct vidmm_observer *next);

/* Without messages and without asking the adapter. */
bool evaluate_quietly(const struct runner *runner, const struct expr *expr, uint64_t *value);
bool evaluate_binding_quietly(const struct runner *runner, const struct expr *expr, binding *value);
bool evaluate_variable(const struct runner *runner, word name, uint64_t *value);
bool evaluate_percent(const struct runner *runner, const struct expr *expr, uint64_t *value);
/* The key of a name; what all members of a range have in common. False: it has none. */
bool evaluate_key(const struct runner *runner, const struct expr *target, name_key *key);

/* evaluate.c: false: there is no value, and runner->problem says why */
bool evaluate(struct runner *runner, const struct expr *expr, uint64_t *value);
/* The same; without a value the run is stopped. */
bool evaluate_or_stop(struct runner *runner, const struct expr *expr, uint64_t *value);
/* Both ends of a range; `to` may be NULL: *last is *first. */
bool evaluate_ends(struct runner *runner, const struct expr *from, const struct expr *to,
                   uint64_t *first, uint64_t *last);
/* The indexes of t[0] or t[0..3], at most `most` after the first. */
bool evaluate_members(struct runner *runner, const struct expr *expr, uint64_t most,
                      uint64_t *first, uint64_t *last);
/* The same for what has 32 bits: more is a problem and never cut. */
bool evaluate_32(struct runner *runner, const struct expr *expr, uint32_t *value);
/* A problem is that of the innermost part; the parts of a form stand in its first line only. */
bool evaluate_at(struct runner *runner, const struct expr *expr, bool known);
/* Can the numbers that events are compared with be computed now? */
bool evaluate_all(struct runner *runner, const struct item *items);
/* The same of all that is asked of an event or a state; false: the run was stopped. */
bool evaluate_pattern(struct runner *runner, const struct predicate *predicate);
/* The names of a list into runner->targets, after what is there. */
bool evaluate_targets(struct runner *runner, const struct item *items);
/* The one thing that an expression names; 0: nothing, or the run was stopped. */
binding evaluate_binding(struct runner *runner, const struct expr *expr);
/* Its number; RUN_NO_HANDLE: nothing. */
vidmm_handle evaluate_handle(struct runner *runner, const struct expr *expr);
VIDMM_PRINTF(2, 3) bool evaluate_problem(struct runner *runner, const char *format, ...);
void evaluate_set_variable(struct runner *runner, word name, uint64_t value);
/* The random stream of the present test from its beginning. */
void evaluate_seed(struct runner *runner);

/* operands.c */
/* One element of an attribute, which has as many bits as its row says. */
bool evaluate_item(struct runner *runner, const struct attribute *attribute,
                   const struct item *item, uint64_t *value);
/* True, and its index: the item is one of the words that the attribute takes beside numbers. */
bool evaluate_word(const struct runner *runner, const struct attribute *attribute,
                   const struct item *item, size_t *index);
/* The index of its word, else its number; false: the run was stopped. */
bool evaluate_choice(struct runner *runner, const struct attribute *attribute, uint64_t *value);
/* The same; without such an attribute *value stays as it is. */
bool evaluate_optional(struct runner *runner, const struct statement *statement,
                       enum attribute_id id, uint64_t *value);
bool evaluate_optional_32(struct runner *runner, const struct statement *statement,
                          enum attribute_id id, uint32_t *value);
/* The statement has the attribute, and its value is this word. */
bool evaluate_is_word(const struct runner *runner, const struct statement *statement,
                      enum attribute_id id, const char *text);

/* evaluate.c */
/* Why an allocation cannot be looked at: it was refused, or is gone. */
const char *functions_missing(struct runner *runner, const struct expr *target, char *text,
                              size_t size);

/* What the last call gave back; a call forgets what the call before it gave. */
void run_out_clear(struct runner *runner);
void run_out_set(struct runner *runner, enum out out, uint64_t value);

#endif
