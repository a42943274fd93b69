/* SPDX-License-Identifier: MIT */
/*
 * run_missing.c: names that stand for nothing, because the statement that should have made it was
 * refused: which one was it?
 *
 * Kept beside the bindings, so that such a name stays unbound. Names of generated files (@17) and
 * of `new` are not kept.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { SOURCE_SHIFT = 32, KNOWN_SHIFT = 63, NAME_BYTES = 96 };

void run_missing_note(struct runner *runner, const struct expr *target)
{
    name_key key;
    struct place at = describe_place(runner);
    if (!evaluate_key(runner, target, &key))
        return;
    names_slot(&runner->refused, key)->value =
        1ull << KNOWN_SHIFT | (uint64_t)at.source << SOURCE_SHIFT | at.offset;
}

/* 0: no statement tried. */
static uint32_t refused_at(struct runner *runner, name_key key)
{
    struct scenario_span span;
    const struct name_slot *slot = names_find(&runner->refused, key);
    if (!slot)
        slot = names_find(&runner->refused, key & ~(name_key)UINT32_MAX);
    if (!slot)
        return 0;
    const struct place at = { .offset = (uint32_t)slot->value,
                              .source = (uint16_t)(slot->value >> SOURCE_SHIFT) };
    message_where(runner->scenario, at, &span);
    return span.line;
}

static void write_name(const struct runner *runner, const struct expr *target, name_key key,
                       char name[NAME_BYTES])
{
    uint32_t member = (uint32_t)key;
    snprintf(name, NAME_BYTES, "%.79s", runner_word(runner, target->name));
    if (member)
        snprintf(name + strlen(name), NAME_BYTES - strlen(name), "[%" PRIu32 "]", member - 1);
}

const char *run_missing_describe(struct runner *runner, const struct expr *target, char *text,
                                 size_t size)
{
    char name[NAME_BYTES] = "what this names";
    name_key key = 0;
    uint32_t line = 0;
    if (evaluate_key(runner, target, &key)) {
        line = refused_at(runner, key);
        write_name(runner, target, key, name);
    }
    if (line)
        snprintf(text, size, "%s was refused in line %" PRIu32, name, line);
    else
        snprintf(text, size, "no statement that ran made %s", name);
    return text;
}

const char *run_missing_name(void *caller, vidmm_handle handle)
{
    name_key key;
    struct runner *runner = caller;
    const struct expr *target = runner->missing;
    if (handle != RUN_NO_HANDLE)
        return NULL;
    /* Which of several it is, is not known. */
    bool one = target && !runner->missing_others && evaluate_key(runner, target, &key);
    if (!one)
        return "a name of nothing";
    write_name(runner, target, key, runner->missing_name);
    if (target->right)
        snprintf(runner->missing_name + strlen(runner->missing_name),
                 sizeof runner->missing_name - strlen(runner->missing_name), "[...]");
    return runner->missing_name;
}

void run_missing_add(struct runner *runner, char *details, size_t size)
{
    name_key key;
    char text[160];
    size_t length = strlen(details);
    if (!runner->missing || !evaluate_key(runner, runner->missing, &key) ||
        !refused_at(runner, key))
        return;
    (void)run_missing_describe(runner, runner->missing, text, sizeof text);
    if (!strstr(details, text))
        snprintf(details + length, size - length, "%s%s", length ? "\n" : "", text);
}
