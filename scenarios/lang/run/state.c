/* SPDX-License-Identifier: MIT */
/*
 * state.c: the keys of `state`, each as a field of its own kind (state_keys.def), and narration.
 */
#include "scenarios/lang/run/statements.h"

#include <inttypes.h>
#include <string.h>

/* The value of a word is its text, that of other kinds a number. */
#define PUT_WORD(word)     .text = (word)
#define PUT_NUMBER(number) .value = (uint64_t)(number)
#define PUT_BYTES          PUT_NUMBER
#define PUT_HEX            PUT_NUMBER
#define PUT_FLAG           PUT_NUMBER
#define PUT_SEGMENT        PUT_NUMBER
#define PUT_ALLOCATION     PUT_NUMBER
#define STATE_KEY(name_, kind_, value_, words)                                                     \
    if (strcmp(key, name_) == 0) {                                                                 \
        *field =                                                                                   \
            (struct vidmm_field){ .name = key, .kind = VIDMM_FIELD_##kind_, PUT_##kind_(value_) }; \
        return true;                                                                               \
    }

static const char *const residency_words[] = { "none", "evicted", "resident", "lost" };

static const char *standard_word(uint32_t standard)
{
    static const char *const words[] = { "none", "shared-primary", "shadow", "staging",
                                         "gdi",  "virtual-gpu" };
    CHECK(standard < ARRAY_COUNT(words));
    return words[standard];
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

bool state_keys_find(struct runner *runner, binding subject, const char *key,
                     struct vidmm_field *field, char *text, size_t bytes)
{
    uint32_t handle = bindings_number(subject);
    *field = (struct vidmm_field){ .name = key };
    switch (subject ? (int)bindings_object(subject) : 0) {
    case 0: {
        struct vidmm_adapter_view view;
        vidmm_adapter_view(runner->adapter, &view);
#define STATE_OF_ADAPTER
#include "scenarios/lang/tables/state_keys.def"
        return false;
    }
    case OBJECT_SEGMENT: {
        struct vidmm_segment_view view;
        if (!vidmm_segment_view(runner->adapter, handle, &view))
            return false;
#define STATE_OF_SEGMENT
#include "scenarios/lang/tables/state_keys.def"
        return false;
    }
    case OBJECT_ALLOCATION: {
        struct vidmm_allocation_view view;
        if (!vidmm_allocation_view(runner->adapter, handle, &view))
            return false;
        bool resident = view.residency == VIDMM_RESIDENCY_RESIDENT;
        const char *format = format_word(&view);
        if (format)
            STATE_KEY("format", WORD, format, "")
#define STATE_OF_ALLOCATION
#include "scenarios/lang/tables/state_keys.def"
        return false;
    }
    case OBJECT_RESOURCE: {
        struct vidmm_resource_view view;
        if (!vidmm_resource_view(runner->adapter, handle, &view))
            return false;
#define STATE_OF_RESOURCE
#include "scenarios/lang/tables/state_keys.def"
        return false;
    }
    case OBJECT_NODE: {
        struct vidmm_node_view view;
        if (!vidmm_node_view(runner->adapter, handle, &view))
            return false;
#define STATE_OF_NODE
#include "scenarios/lang/tables/state_keys.def"
        return false;
    }
    case OBJECT_CONTEXT: {
        struct vidmm_context_view view;
        if (!vidmm_context_view(runner->adapter, handle, &view))
            return false;
#define STATE_OF_CONTEXT
#include "scenarios/lang/tables/state_keys.def"
        return false;
    }
    case OBJECT_DEVICE: {
        const char *state = vidmm_device_state(runner->adapter, handle);
        const char *view = text;
        snprintf(text, bytes, "%s", state ? state : "gone");
#define STATE_OF_DEVICE
#include "scenarios/lang/tables/state_keys.def"
        return false;
    }
    default: return false;
    }
}

/* ---- in words -------------------------------------------------------------------------------- */

/* Flags by their names where the field has some, as the scenario writes them. */
static void describe_flags(const struct vidmm_field *field, char *text, size_t size)
{
    enum vidmm_flag_set set = event_match_set(field->name);
    const struct vidmm_flag *flag;
    uint64_t left = field->value;
    text[0] = '\0';
    for (size_t i = 0; set == VIDMM_FLAGS_USAGE && (flag = vidmm_flag_row(set, i)) != NULL; i++) {
        if (!flag->value || (left & flag->value) != flag->value)
            continue;
        words_add(text, size, "%s%s", *text ? "," : "", flag->name);
        left &= ~(uint64_t)flag->value;
    }
    if (!*text || left)
        snprintf(text, size, "0x%" PRIX64, field->value);
}

void state_describe(const struct runner *runner, const struct vidmm_field *field, char *text,
                    size_t size)
{
    if (strcmp(field->name, "wddm") == 0) {
        snprintf(text, size, "%" PRIu64 ".%" PRIu64, field->value / 10, field->value % 10);
        return;
    }
    switch (field->kind) {
    case VIDMM_FIELD_WORD: snprintf(text, size, "%s", field->text); break;
    case VIDMM_FIELD_BYTES: spell_bytes(field->value, text, size); break;
    case VIDMM_FIELD_HEX: describe_flags(field, text, size); break;
    case VIDMM_FIELD_FLAG: snprintf(text, size, "%s", field->value ? "on" : "off"); break;
    case VIDMM_FIELD_SEGMENT:
        snprintf(text, size, "%s",
                 event_match_no_preference(field)
                     ? "none"
                     : describe_segment(runner, (uint32_t)field->value));
        break;
    case VIDMM_FIELD_ALLOCATION:
        snprintf(text, size, "%s",
                 field->value ? vidmm_label(runner->adapter, (vidmm_handle)field->value) : "none");
        break;
    default: snprintf(text, size, "%" PRIu64, field->value); break;
    }
}

binding state_subject(struct runner *runner, const struct expr *subject)
{
    if (strcmp(runner_word(runner, subject->name), "adapter") == 0)
        return 0;
    return evaluate_binding(runner, subject);
}

/* ---- narration ------------------------------------------------------------------------------- */

void run_teach_text(struct runner *runner, const struct statement *statement)
{
    runner_tell(runner,
                statement->kind == STATEMENT_NOTE ? SCENARIO_TELL_NOTE : SCENARIO_TELL_LESSON,
                statement->text, statement->kind == STATEMENT_EXERCISE);
}

/* t[2] and not t[$i]. */
static const char *name_subject(const struct runner *runner, const struct expr *expr,
                                binding subject, char *text, size_t size)
{
    const char *label = bindings_object(subject) == OBJECT_ALLOCATION
                            ? vidmm_label(runner->adapter, bindings_number(subject))
                            : "";
    return *label ? label : source_copy(runner->scenario, expr->at, text, size);
}

static void show_state(struct runner *runner, const struct statement *statement)
{
    struct scenario_state_row rows[64];
    char name[80];
    size_t count = 0;
    binding subject = state_subject(runner, statement->value);
    const char *next = state_words_of(subject ? (int)bindings_object(subject) : 0);
    while (*next) {
        CHECK(count < ARRAY_COUNT(rows));
        struct scenario_state_row *row = &rows[count];
        struct vidmm_field field;
        char words[64];
        size_t length = strcspn(next, "|");
        snprintf(row->key, sizeof row->key, "%.*s", (int)length, next);
        next += length + (next[length] == '|');
        if (!state_keys_find(runner, subject, row->key, &field, words, sizeof words))
            continue;
        state_describe(runner, &field, row->value, sizeof row->value);
        count++;
    }
    runner->shown_state = rows;
    runner->shown_state_count = count;
    runner->shown_name = name_subject(runner, statement->value, subject, name, sizeof name);
    runner_tell(runner, SCENARIO_TELL_SHOW, statement->name_at, 0);
    runner->shown_state = NULL;
    runner->shown_state_count = 0;
    runner->shown_name = NULL;
}

void run_teach_show(struct runner *runner, const struct statement *statement)
{
    bool counters[VIDMM_COUNTERS] = { false };
    runner->shown = 0;
    if (!run_start_implied(runner))
        return;
    for (const struct item *item = statement->subjects; item; item = item->next)
        counters[vidmm_counter_by_name(runner_word(runner, item->from->name))] = true;
    if (strcmp(runner_word(runner, statement->name), "state") == 0) {
        show_state(runner, statement);
        return;
    }
    runner->shown_counters = statement->subjects ? counters : NULL;
    if (statement->value)
        runner->shown = evaluate_binding(runner, statement->value);
    runner_tell(runner, SCENARIO_TELL_SHOW, statement->name_at, 0);
    runner->shown_counters = NULL;
}
