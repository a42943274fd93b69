/* SPDX-License-Identifier: MIT */
/*
 * state_keys.c: the keys of `state`, each as a field of its own kind (state_keys.def).
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

/* The value of a word is its text, that of other kinds a number. */
#define PUT_WORD(word)     .text = (word)
#define PUT_NUMBER(number) .value = (uint64_t)(number)
#define PUT_BYTES          PUT_NUMBER
#define PUT_HEX            PUT_NUMBER
#define PUT_FLAG           PUT_NUMBER
#define PUT_SEGMENT        PUT_NUMBER
#define PUT_ALLOCATION     PUT_NUMBER
#define FIND_KEY(name_, kind_, value_, words)                                                      \
    if (strcmp(key, name_) == 0) {                                                                 \
        *field =                                                                                   \
            (struct vidmm_field){ .name = key, .kind = VIDMM_FIELD_##kind_, PUT_##kind_(value_) }; \
        return true;                                                                               \
    }

static bool key_of_adapter(const struct runner *runner, const char *key, struct vidmm_field *field)
{
    struct vidmm_adapter_view view;
    vidmm_adapter_view(runner->adapter, &view);
#define STATE_OF_ADAPTER
#define STATE_KEY FIND_KEY
#include "scenarios/lang/tables/state_keys.def"
    return false;
}

static bool key_of_segment(const struct runner *runner, uint32_t id, const char *key,
                           struct vidmm_field *field)
{
    struct vidmm_segment_view view;
    if (!vidmm_segment_view(runner->adapter, id, &view))
        return false;
#define STATE_OF_SEGMENT
#define STATE_KEY FIND_KEY
#include "scenarios/lang/tables/state_keys.def"
    return false;
}

static const char *residency_word(const struct vidmm_allocation_view *view)
{
    static const char *const words[] = { "none", "evicted", "resident", "lost" };
    return words[view->residency];
}

static const char *standard_word(uint32_t standard)
{
    static const char *const words[] = { "none", "shared-primary", "shadow", "staging",
                                         "gdi",  "virtual-gpu" };
    return standard < ARRAY_COUNT(words) ? words[standard] : "none";
}

/* The first preferred segment; the layout is that of DXGK_SEGMENTPREFERENCE. */
static uint64_t first_preferred(const struct vidmm_allocation_view *view)
{
    return view->preferred & 0x1F;
}

/* With NtSecuritySharing there is no global handle (KMT-016). */
static const char *sharing_word(bool shared, uint32_t global)
{
    return !shared ? "no" : global ? "global" : "nt";
}

/* A format is told by its name where it has one. */
static const char *format_word(const struct vidmm_allocation_view *view)
{
    const struct vidmm_flag *format;
    for (size_t i = 0; (format = vidmm_flag_row(VIDMM_FLAGS_FORMAT, i)) != NULL; i++)
        if (format->value == view->format && !(view->hint_flags & VIDMM_USAGE_PrivateFormat))
            return format->name;
    return NULL;
}

static bool key_of_allocation(const struct runner *runner, vidmm_handle handle, const char *key,
                              struct vidmm_field *field)
{
    struct vidmm_allocation_view view;
    if (!vidmm_allocation_view(runner->adapter, handle, &view))
        return false;
    bool resident = view.residency == VIDMM_RESIDENCY_RESIDENT;
    const char *format = format_word(&view);
    if (format)
        FIND_KEY("format", WORD, format, NULL)
#define STATE_OF_ALLOCATION
#define STATE_KEY FIND_KEY
#include "scenarios/lang/tables/state_keys.def"
    return false;
}

static bool key_of_resource(const struct runner *runner, vidmm_handle handle, const char *key,
                            struct vidmm_field *field)
{
    struct vidmm_resource_view view;
    if (!vidmm_resource_view(runner->adapter, handle, &view))
        return false;
#define STATE_OF_RESOURCE
#define STATE_KEY FIND_KEY
#include "scenarios/lang/tables/state_keys.def"
    return false;
}

static bool key_of_node(const struct runner *runner, uint32_t node, const char *key,
                        struct vidmm_field *field)
{
    struct vidmm_node_view view;
    if (!vidmm_node_view(runner->adapter, node, &view))
        return false;
#define STATE_OF_NODE
#define STATE_KEY FIND_KEY
#include "scenarios/lang/tables/state_keys.def"
    return false;
}

static bool key_of_context(const struct runner *runner, vidmm_handle handle, const char *key,
                           struct vidmm_field *field)
{
    struct vidmm_context_view view;
    if (!vidmm_context_view(runner->adapter, handle, &view))
        return false;
#define STATE_OF_CONTEXT
#define STATE_KEY FIND_KEY
#include "scenarios/lang/tables/state_keys.def"
    return false;
}

bool state_keys_find(struct runner *runner, binding subject, const char *key,
                     struct vidmm_field *field, char *text, size_t bytes)
{
    uint32_t number = bindings_number(subject);
    *field = (struct vidmm_field){ .name = key };
    if (!subject)
        return key_of_adapter(runner, key, field);
    switch ((int)bindings_object(subject)) {
    case OBJECT_SEGMENT: return key_of_segment(runner, number, key, field);
    case OBJECT_ALLOCATION: return key_of_allocation(runner, number, key, field);
    case OBJECT_RESOURCE: return key_of_resource(runner, number, key, field);
    case OBJECT_NODE: return key_of_node(runner, number, key, field);
    case OBJECT_CONTEXT: return key_of_context(runner, number, key, field);
    case OBJECT_DEVICE: break;
    default: return false;
    }
    const char *state = vidmm_device_state(runner->adapter, number);
    const char *view = text;
    snprintf(text, bytes, "%s", state ? state : "gone");
#define STATE_OF_DEVICE
#define STATE_KEY FIND_KEY
#include "scenarios/lang/tables/state_keys.def"
    return false;
}
