/* SPDX-License-Identifier: MIT */
/* state_show.c: the state of a subject in words, one key or all of them. */
#include <inttypes.h>
#include <string.h>

#include "scenarios/lang/run/statements.h"

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
        snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? "," : "", flag->name);
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
    case VIDMM_FIELD_WORD:
    case VIDMM_FIELD_TEXT: snprintf(text, size, "%s", field->text); break;
    case VIDMM_FIELD_BYTES: describe_bytes(field->value, text, size); break;
    case VIDMM_FIELD_HEX: describe_flags(field, text, size); break;
    case VIDMM_FIELD_FLAG: snprintf(text, size, "%s", field->value ? "on" : "off"); break;
    case VIDMM_FIELD_SEGMENT:
        snprintf(text, size, "%s", describe_segment(runner, (uint32_t)field->value));
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

size_t state_all(struct runner *runner, binding subject, struct scenario_state_row *rows,
                 size_t most)
{
    size_t count = 0;
    const char *next = state_words_of(subject ? (int)bindings_object(subject) : 0);
    while (*next && count < most) {
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
    return count;
}
