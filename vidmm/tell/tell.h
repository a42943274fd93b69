/* SPDX-License-Identifier: MIT */
/*
 * tell.h: how the manager reports what it does, and whose mistake something was.
 */
#ifndef VIDMM_TELL_H
#define VIDMM_TELL_H

#include "vidmm/adapter.h"
#include "vidmm/tell/door.h"
#include "vidmm/tell/now.h"

#define RULE(name) VIDMM_RULE(name)

/* What only floors above can answer; vidmm/wiring.c fills it in. */
struct tell_hooks {
    /* What the caller named the object; "": nothing. */
    const char *(*label)(const adapter_t *adapter, vidmm_handle handle);
    /* Adds under which other names the caller knows what `text` speaks of. */
    void (*add_names)(const adapter_t *adapter, char *text, size_t bytes);
    /* Stops the process when an invariant is broken (BUG-030). */
    void (*check)(adapter_t *adapter);
};

/* ---- events.c: events and counters ---------------------------------------------------------- */

/* Does an observer hear this kind? Spares the work of composing an event. */
static inline bool heard(const adapter_t *adapter, enum vidmm_event_kind kind)
{
    return adapter->observers.heard[kind];
}
/* These, and no others, hear what happens from now on. */
void observers_set(adapter_t *adapter, struct vidmm_observer *observers);

/* Counts that a rule came into play where no event, refusal or finding carries it. */
static inline void applies(adapter_t *adapter, enum vidmm_rule rule)
{
    adapter->rule_uses[rule]++;
}

void emit_fields(adapter_t *adapter, enum vidmm_event_kind kind, enum vidmm_rule rule,
                 vidmm_handle subject, const struct vidmm_field *fields, size_t count);

/* The same for warnings and findings. */
static inline bool heard_complaint(const adapter_t *adapter, enum vidmm_event_kind kind)
{
    return heard(adapter, kind) || adapter->setup->config.complaint_observers;
}

/* EMIT(adapter, PLACE, RULE(PLACE_006), allocation->handle, f_segment("segment", 1), ...) */
#define EMIT(adapter, kind, rule, subject, ...)                                                    \
    EMIT_IF(heard((adapter), VIDMM_EVENT_##kind), adapter, kind, rule, subject, __VA_ARGS__)
#define EMIT_COMPLAINT(adapter, kind, rule, subject, ...)                                          \
    EMIT_IF(heard_complaint((adapter), VIDMM_EVENT_##kind), adapter, kind, rule, subject,          \
            __VA_ARGS__)
#define EMIT_IF(condition, adapter, kind, rule, subject, ...)                                      \
    do {                                                                                           \
        applies((adapter), (rule));                                                                \
        if (condition) {                                                                           \
            const struct vidmm_field fields_[] = { __VA_ARGS__ };                                  \
            emit_fields((adapter), VIDMM_EVENT_##kind, (rule), (subject), fields_,                 \
                        ARRAY_COUNT(fields_));                                                     \
        }                                                                                          \
    } while (0)

static inline struct vidmm_field field(const char *name, enum vidmm_field_kind kind, uint64_t value)
{
    return (struct vidmm_field){ .name = name, .kind = kind, .value = value, .text = NULL };
}
#define f_number(name, value)     field((name), VIDMM_FIELD_NUMBER, (value))
#define f_hex(name, value)        field((name), VIDMM_FIELD_HEX, (value))
#define f_bytes(name, value)      field((name), VIDMM_FIELD_BYTES, (value))
#define f_ns(name, value)         field((name), VIDMM_FIELD_NS, (value))
#define f_segment(name, value)    field((name), VIDMM_FIELD_SEGMENT, (value))
#define f_node(name, value)       field((name), VIDMM_FIELD_NODE, (value))
#define f_allocation(name, value) field((name), VIDMM_FIELD_ALLOCATION, (value))
#define f_flag(name, value)       field((name), VIDMM_FIELD_FLAG, (value) ? 1u : 0u)
#define f_status(name, value)     field((name), VIDMM_FIELD_STATUS, (uint32_t)(value))

static inline struct vidmm_field field_of_text(const char *name, enum vidmm_field_kind kind,
                                               const char *text)
{
    return (struct vidmm_field){ .name = name, .kind = kind, .text = text };
}
#define f_word(name, word) field_of_text((name), VIDMM_FIELD_WORD, (word))
#define f_text(name, text) field_of_text((name), VIDMM_FIELD_TEXT, (text))

/* Adds to the adapter's counter and to that of a segment, node or device where given. */
void count_up(adapter_t *adapter, enum vidmm_counter counter, uint64_t amount);
void count_segment(adapter_t *adapter, enum vidmm_counter counter, uint32_t segment,
                   uint64_t amount);
void count_device(adapter_t *adapter, enum vidmm_counter counter, struct device *device,
                  uint64_t amount);
void count_fault(adapter_t *adapter, enum vidmm_counter cause, struct device *device); /* + total */
uint64_t counter_of_segment(const adapter_t *adapter, enum vidmm_counter counter, uint32_t segment);
void counters_forget_segments(adapter_t *adapter); /* they go, with all that is in them */
/* A gauge and its maximum: `counter + 1` is the maximum. */
void gauge_segment(adapter_t *adapter, enum vidmm_counter counter, uint32_t segment,
                   uint64_t amount);
void gauge_change(adapter_t *adapter, enum vidmm_counter counter, int64_t change);

/* ---- refuse.c: whose mistake is it? --------------------------------------------------------- */

/* What the caller hears of an answer of the driver that ends its call: never that it succeeded. */
static inline vidmm_status failure_of(NTSTATUS answer)
{
    return NT_SUCCESS(answer) ? STATUS_INVALID_PARAMETER : answer;
}

/* The caller's: the documented status, event `refuse`; the state is unchanged. */
VIDMM_PRINTF(4, 5)
vidmm_status refuse(adapter_t *adapter, enum vidmm_rule rule, vidmm_status status,
                    const char *format, ...);
/* The same with all broken rules at once; the first gave the status (C3). */
struct broken_rules {
    enum vidmm_rule rules[VIDMM_REFUSAL_RULES_MAX];
    size_t count;
};
vidmm_status refuse_all(adapter_t *adapter, const struct broken_rules *broken, vidmm_status status,
                        const char *text);
/* Advice not followed: event `warn`, counted as finding. Under `strict` it is a refusal: then the
   status is STATUS_INVALID_PARAMETER and the caller stops. */
VIDMM_PRINTF(4, 5)
vidmm_status warn(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                  const char *format, ...);
/* The miniport's: event `finding`; under `findings=fatal` the adapter stops. */
VIDMM_PRINTF(4, 5)
void finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject, const char *format,
             ...);
/* Ends the run whatever the setting says. */
VIDMM_PRINTF(4, 5)
void last_finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                  const char *format, ...);
/* The miniport's, fatal: the stop record (BUG-001). The adapter answers nothing from now on. */
VIDMM_PRINTF(6, 7)
vidmm_status bugcheck(adapter_t *adapter, enum vidmm_rule rule, uint32_t code, uint64_t parameter1,
                      const uint64_t parameters[3], const char *format, ...);
/* STATUS_SUCCESS when calls are possible: alive, and neither asleep nor gone. */
vidmm_status adapter_usable(adapter_t *adapter);
/* Does the driver have the adapter for itself? */
bool exclude_holds(const adapter_t *adapter);
/* Only: started, not stopped. For what goes on while the adapter sleeps. */
vidmm_status adapter_alive(adapter_t *adapter);

/* ---- now.c: the CPU line -------------------------------------------------------------------- */

/* The CPU line moves on; what is due happens on the way. */
void cpu_spend(adapter_t *adapter, vidmm_ns ns);

/* ---- handles.c ------------------------------------------------------------------------------ */

/* 0 when VIDMM_LIVE_MAX objects live. */
vidmm_handle handle_new(adapter_t *adapter, enum vidmm_object kind, void *object);
void handle_end(adapter_t *adapter, vidmm_handle handle);
/* It names nothing from here on, though the object is still there. handle_end() follows. */
void handle_close(adapter_t *adapter, vidmm_handle handle);
/* NULL when the handle names no live object of this kind. */
void *handle_object(const adapter_t *adapter, vidmm_handle handle, enum vidmm_object kind);
/* The same of any kind, also after the handle was closed: what events name. */
void *handle_behind(const adapter_t *adapter, vidmm_handle handle, enum vidmm_object *kind);
/* Did the handle name an object of this kind that is gone? */
bool handle_was(const adapter_t *adapter, vidmm_handle handle, enum vidmm_object kind);
/* All live objects of a kind, by index: starts with *at == 0, NULL ends it. An object may end. */
void *handle_next(const adapter_t *adapter, enum vidmm_object kind, size_t *at);

/* hAllocation of everything that lives (MINI-033). False when it is there already. */
bool driver_handle_add(adapter_t *adapter, HANDLE handle);
void driver_handle_remove(adapter_t *adapter, HANDLE handle);
size_t driver_handle_count(const adapter_t *adapter);
/* The adapter goes away, with whatever was not destroyed. */
void tell_fini(adapter_t *adapter);

/* ---- verdict.c: checks whose broken rules are all listed (C3) ------------------------------- */

struct verdict {
    adapter_t *adapter;
    const char *label; /* begins the sentence */
    struct broken_rules broken;
    vidmm_status status; /* of the first */
    size_t used;
    unsigned untold; /* of the sentence: those for which there was no room */
    char text[VIDMM_REFUSAL_TEXT_MAX];
};
void verdict_begin(struct verdict *verdict, adapter_t *adapter, const char *label);
/* One check: what breaks the rule, and what is said then; the status is INVALID_PARAMETER. */
#define verdict_if(verdict, rule, broken, message)                                                 \
    ((broken) ? verdict_add((verdict), (rule), STATUS_INVALID_PARAMETER, "%s", (message)) : (void)0)
/* The same for bits that the driver's version does not define; they are named. */
void verdict_reserved(struct verdict *verdict, enum vidmm_rule rule, enum vidmm_flag_set set,
                      uint32_t flags, const char *message);
VIDMM_PRINTF(4, 5)
void verdict_add(struct verdict *verdict, enum vidmm_rule rule, vidmm_status status,
                 const char *format, ...);
/* Ends the sentence and refuses; STATUS_SUCCESS when nothing is broken. */
vidmm_status verdict_end(struct verdict *verdict);

struct tell *tell_new(void); /* the state of this folder, empty (base_free) */

#endif
